#ifndef TENFERRO_LINALG_LAPACK_BATCH_KERNEL_H_
#define TENFERRO_LINALG_LAPACK_BATCH_KERNEL_H_

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "tenferro/cpu/alignment.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/linalg/cpu/matrix_batch.h"
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

// The operands, results and scratch memory of one matrix.
struct MatrixArguments {
  const KernelArguments& arguments;
  int64_t index;
  char* memory;

  template <class T>
  const T* Input(int operand, int64_t size) const {
    return static_cast<const T*>(arguments.inputs[static_cast<size_t>(operand)]) + index * size;
  }
  template <class T>
  T* Output(int output, int64_t size) const {
    return static_cast<T*>(arguments.outputs[static_cast<size_t>(output)]) + index * size;
  }
  template <class T>
  T* At(int64_t place) const {
    return reinterpret_cast<T*>(memory + place);
  }
};

// A kernel of one matrix after another, on all threads. `Ended` is how one ends, `EndedAll` what a batch makes of that.
template <class Ended, class EndedAll>
class BatchKernel : public Kernel {
 public:
  // Matrices [m, n, batch…] of operand `matrix`, each of which takes about `nanoseconds`: a batch is cut by that.
  BatchKernel(const KernelRequest& request, int matrix, double nanoseconds) : nanoseconds_(500 + nanoseconds) {
    const Shape& a = request.inputs[static_cast<size_t>(matrix)].shape;
    m_ = a.extent(0);
    n_ = a.extent(1);
    for (int i = 2; i < a.rank(); ++i) batch_ *= a.extent(i);
  }

  bool fits() const { return scratch_.fits(); }
  int64_t workspace_bytes() const override { return batch_ == 1 ? scratch_.bytes() : 0; }
  int64_t worker_workspace_bytes() const override { return batch_ == 1 ? 0 : scratch_.bytes(); }
  double one_thread_nanoseconds() const override { return batch_ == 1 ? nanoseconds_ : 0; }

  absl::Status Run(const KernelArguments& arguments) const override {
    constexpr double kTask = 30000;
    const int64_t together = std::max<int64_t>(1, static_cast<int64_t>(kTask / nanoseconds_));
    const int64_t tasks = (batch_ + together - 1) / together;
    EndedAll ended;
    const auto run = [&](int64_t task, char* memory) {
      for (int64_t i = task * together; i < std::min(batch_, (task + 1) * together); ++i) {
        ended.Set(One({arguments, i, memory}), i);
      }
    };
    if (batch_ == 1) {
      run(0, static_cast<char*>(arguments.workspace));
    } else if (tasks == 1) {
      run(0, arguments.worker_workspace);
    } else {
      arguments.workers.ForEachWorker(
          tasks, [&](int64_t task, int worker) { run(task, static_cast<char*>(arguments.WorkspaceOf(worker))); });
    }
    return ended.status(batch_);
  }

 protected:
  virtual Ended One(const MatrixArguments& matrix) const = 0;

  int64_t m_, n_;
  int64_t batch_ = 1;
  Scratch scratch_;

 private:
  double nanoseconds_;
};

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
