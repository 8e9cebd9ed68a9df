#ifndef TENFERRO_LINALG_LAPACK_BATCH_KERNEL_H_
#define TENFERRO_LINALG_LAPACK_BATCH_KERNEL_H_

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "tenferro/cpu/alignment.h"
#include "tenferro/linalg/cpu/batch_kernel.h"
#include "tenferro/linalg/lapack/fortran.h"

namespace tenferro::linalg::lapack {

inline Int ToInt(int64_t x) { return static_cast<Int>(x); }
// Leading dimensions are at least 1.
inline Int Leading(int64_t rows) { return static_cast<Int>(std::max<int64_t>(1, rows)); }

// Scratch memory of one matrix, laid out when a kernel is made.
class Scratch {
 public:
  // Room for `count` elements; its place.
  template <class T>
  int64_t Add(int64_t count) {
    const int64_t place = bytes_;
    bytes_ += Aligned(count * int64_t{sizeof(T)});
    return place;
  }
  // Room for a routine's workspace: what it answered, elements of T. Single precision may have rounded it down.
  template <class T>
  int64_t AddWork(const T& answer, Int& length) {
    const double size =
        std::ceil(static_cast<double>(std::real(answer)) * (1 + 2.0 * std::numeric_limits<float>::epsilon()));
    return AddWorkOf<T>(size, length);
  }
  template <class T>
  int64_t AddWorkOf(double size, Int& length) {
    Require(size);
    length = fits_ ? static_cast<Int>(std::max(1.0, size)) : 1;
    return Add<T>(static_cast<int64_t>(length));
  }
  // A number that the library's integers have to hold.
  void Require(double number) {
    fits_ = fits_ && number >= 0 && number <= 0.99 * static_cast<double>(std::numeric_limits<Int>::max());
  }

  int64_t bytes() const { return bytes_; }
  bool fits() const { return fits_; }

 private:
  int64_t bytes_ = 0;
  bool fits_ = true;
};

// A kernel that calls LAPACK, of what `Base` says for all kernels of its record.
template <class Base>
class LapackKernel : public Base {
 public:
  using Base::Base;
  bool fits() const { return scratch_.fits(); }

 protected:
  int64_t scratch_bytes() const override { return scratch_.bytes(); }

  Scratch scratch_;
};

inline constexpr Ending kOk = {Outcome::kOk};
inline constexpr Ending kMatrixNotFinite = {Outcome::kNotFinite};
inline constexpr Ending kNotConverged = {Outcome::kNotConverged};

// K, or null where the library's integers do not hold its sizes.
template <class K>
std::unique_ptr<Kernel> MakeIfFits(const KernelRequest& request) {
  for (absl::Span<const ValueType> types : {request.inputs, request.outputs}) {
    for (const ValueType& type : types) {
      for (int i = 0; i < std::min(type.shape.rank(), 2); ++i) {
        if (type.shape.extent(i) > int64_t{std::numeric_limits<Int>::max()}) return nullptr;
      }
    }
  }
  auto kernel = std::make_unique<K>(request);
  if (!kernel->fits()) return nullptr;
  return kernel;
}

}  // namespace tenferro::linalg::lapack

#endif  // TENFERRO_LINALG_LAPACK_BATCH_KERNEL_H_
