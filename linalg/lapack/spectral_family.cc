// Eigenvalue problems by LAPACK. What is not here "//linalg:cpu" runs.
#include <limits>
#include <memory>
#include <type_traits>

#include "tenferro/linalg/eig.h"
#include "tenferro/linalg/eigh.h"
#include "tenferro/linalg/lapack/batch_kernel.h"
#include "tenferro/linalg/lapack/matrix.h"
#include "tenferro/linalg/spectral_slots.h"

namespace tenferro::linalg::lapack {
namespace {

using SpectralKernel = LapackKernel<BatchKernel>;
constexpr Int kQuery = -1;

double Cubic(const KernelRequest& request, double nanoseconds) {
  return nanoseconds * Volume(request.inputs[0], request.inputs[0].shape.extent(0));
}

// What Heevd and Hegvd need beside the matrices, as documented: for the values alone less would do.
template <class T>
struct HermitianWork {
  void Lay(Scratch& scratch, int64_t order) {
    const double n = static_cast<double>(order);
    scratch.Require(1 + 6 * n + 2 * n * n);
    integers = scratch.AddWorkOf<Int>(3 + 5 * n, integers_length);
    if constexpr (kIsComplex<T>) reals = scratch.AddWorkOf<RealOf<T>>(1 + 5 * n + 2 * n * n, reals_length);
  }

  int64_t integers = 0, reals = 0;
  Int integers_length = 1, reals_length = 1;
};

// A·x = λ·x, or A·x = λ·B·x; with the vectors or without.
template <class T, bool kVectors, bool kGeneralized>
class HermitianKernel final : public SpectralKernel {
 public:
  explicit HermitianKernel(const KernelRequest& request)
      : SpectralKernel(request, 0,
                       Cubic(request, kGeneralized ? 0.8
                                      : kVectors   ? 0.3
                                                   : 0.15)),
        factored_(kVectors ? 0 : scratch_.Add<T>(n_ * n_)),
        b_(kGeneralized ? scratch_.Add<T>(n_ * n_) : 0) {
    other_.Lay(scratch_, n_);
    if (!fits() || n_ == 0) return;
    T answer = 1, none = 0;
    RealOf<T> reals = 0, values = 0;
    Int integers = 0;
    Decompose(&none, &none, &values, &answer, kQuery, &reals, kQuery, &integers, kQuery);
    work_ = scratch_.AddWork(answer, length_);
  }

  Ending One(const MatrixArguments& matrix) const override {
    if (n_ == 0) return kOk;
    T* const a = kVectors ? matrix.Output<T>(1, n_ * n_) : matrix.At<T>(factored_);
    T* const b = matrix.At<T>(b_);
    if (!CopyLower(matrix.Input<T>(0, n_ * n_), n_, a)) return kMatrixNotFinite;
    if constexpr (kGeneralized) {
      if (!CopyLower(matrix.Input<T>(1, n_ * n_), n_, b)) return kMatrixNotFinite;
    }
    const Int info = Decompose(a, b, matrix.Output<RealOf<T>>(0, n_), matrix.At<T>(work_), length_,
                               matrix.At<RealOf<T>>(other_.reals), other_.reals_length, matrix.At<Int>(other_.integers),
                               other_.integers_length);
    if (info == 0) return kOk;
    return kGeneralized && info > n_ ? Ending{Outcome::kNotPositiveDefinite} : kNotConverged;
  }

 private:
  Int Decompose(T* a, [[maybe_unused]] T* b, RealOf<T>* w, T* work, Int length, [[maybe_unused]] RealOf<T>* reals,
                [[maybe_unused]] Int reals_length, Int* integers, Int integers_length) const {
    const char job = kVectors ? 'V' : 'N', triangle = 'L';
    const Int n = ToInt(n_);
    [[maybe_unused]] const Int kind = 1;  // A·x = λ·B·x
    Int info = 0;
    if constexpr (kGeneralized && kIsComplex<T>) {
      Routines<T>::Hegvd(&kind, &job, &triangle, &n, a, &n, b, &n, w, work, &length, reals, &reals_length, integers,
                         &integers_length, &info, 1, 1);
    } else if constexpr (kGeneralized) {
      Routines<T>::Hegvd(&kind, &job, &triangle, &n, a, &n, b, &n, w, work, &length, integers, &integers_length, &info,
                         1, 1);
    } else if constexpr (kIsComplex<T>) {
      Routines<T>::Heevd(&job, &triangle, &n, a, &n, w, work, &length, reals, &reals_length, integers, &integers_length,
                         &info, 1, 1);
    } else {
      Routines<T>::Heevd(&job, &triangle, &n, a, &n, w, work, &length, integers, &integers_length, &info, 1, 1);
    }
    return info;
  }

  int64_t factored_, b_, work_ = 0;
  Int length_ = 1;
  HermitianWork<T> other_;
};

// General matrices are computed in double.
template <class T>
using Double = std::conditional_t<kIsComplex<T>, C128, double>;

template <class To, class From>
void ConvertAll(const From* from, int64_t count, To* to) {
  for (int64_t i = 0; i < count; ++i) to[i] = static_cast<To>(from[i]);
}

// Eigenvalues; with vectors and their inverse or without.
template <class T, bool kVectors>
class EigKernel final : public SpectralKernel {
 public:
  explicit EigKernel(const KernelRequest& request)
      : SpectralKernel(request, 0, Cubic(request, kVectors ? 6 : 4)),
        factored_(scratch_.Add<D>(n_ * n_)),
        values_(scratch_.Add<C128>(n_)),
        parts_(scratch_.Add<double>(2 * n_)),
        raw_(kVectors && !kIsComplex<T> ? scratch_.Add<double>(n_ * n_) : 0),
        vectors_(kVectors ? scratch_.Add<C128>(n_ * n_) : 0),
        inverse_(kVectors ? scratch_.Add<C128>(n_ * n_) : 0),
        swaps_(kVectors ? scratch_.Add<Int>(n_) : 0) {
    if (n_ == 0) return;
    D answer = 1, none = 0;
    C128 values = 0;
    double parts[2] = {};
    Decompose(&none, &values, parts, parts + 1, &none, &answer, kQuery);
    work_ = scratch_.AddWork(answer, length_);
    if constexpr (kVectors) {
      C128 inverse_answer = 1;
      const Int n = ToInt(n_);
      Int swaps = 0, info = 0;
      Routines<C128>::Getri(&n, &values, &n, &swaps, &inverse_answer, &kQuery, &info);
      inverse_work_ = scratch_.AddWork(inverse_answer, inverse_length_);
    }
  }

  Ending One(const MatrixArguments& matrix) const override {
    using Result = std::complex<RealOf<T>>;
    if (n_ == 0) return kOk;
    const T* const input = matrix.Input<T>(0, n_ * n_);
    if (!IsFinite(input, n_ * n_)) return kMatrixNotFinite;
    D* const a = matrix.At<D>(factored_);
    C128* const values = matrix.At<C128>(values_);
    double* const parts = matrix.At<double>(parts_);
    C128* const vectors = matrix.At<C128>(vectors_);
    ConvertAll(input, n_ * n_, a);
    if constexpr (kIsComplex<T>) {
      if (Decompose(a, values, parts, parts + n_, vectors, matrix.At<D>(work_), length_) != 0) return kNotConverged;
    } else {
      double* const raw = matrix.At<double>(raw_);
      if (Decompose(a, values, parts, parts + n_, raw, matrix.At<D>(work_), length_) != 0) return kNotConverged;
      for (int64_t j = 0; j < n_; ++j) values[j] = {parts[j], parts[n_ + j]};
      if constexpr (kVectors) Unfold(values, raw, vectors);
    }
    ConvertAll(values, n_, matrix.Output<Result>(0, n_));
    if constexpr (kVectors) {
      ConvertAll(vectors, n_ * n_, matrix.Output<Result>(1, n_ * n_));
      C128* const inverse = matrix.At<C128>(inverse_);
      Invert(matrix, vectors, inverse);
      ConvertAll(inverse, n_ * n_, matrix.Output<Result>(2, n_ * n_));
    }
    return kOk;
  }

 private:
  using D = Double<T>;

  // Complex: the values, and room for 2·n numbers; real: the values' real and imaginary parts.
  Int Decompose(D* a, [[maybe_unused]] C128* values, double* re, [[maybe_unused]] double* im, D* vectors, D* work,
                Int length) const {
    const char no = 'N', job = kVectors ? 'V' : 'N';
    const Int n = ToInt(n_), one = 1;
    D none = 0;
    Int info = 0;
    if constexpr (kIsComplex<T>) {
      TENFERRO_LAPACK_SYMBOL(zgeev)
      (&no, &job, &n, a, &n, values, &none, &one, vectors, &n, work, &length, re, &info, 1, 1);
    } else {
      TENFERRO_LAPACK_SYMBOL(dgeev)
      (&no, &job, &n, a, &n, re, im, &none, &one, vectors, &n, work, &length, &info, 1, 1);
    }
    return info;
  }

  // The columns x, y of a pair stand for x + iy and x − iy.
  void Unfold(const C128* values, const double* raw, C128* vectors) const {
    for (int64_t j = 0; j < n_; ++j) {
      const double* const x = raw + j * n_;
      C128* const out = vectors + j * n_;
      if (values[j].imag() == 0) {
        ConvertAll(x, n_, out);
        continue;
      }
      for (int64_t i = 0; i < n_; ++i) {
        out[i] = {x[i], x[n_ + i]};
        out[n_ + i] = {x[i], -x[n_ + i]};
      }
      ++j;
    }
  }

  // Not numbers where the vectors are dependent: a defective matrix.
  void Invert(const MatrixArguments& matrix, const C128* vectors, C128* inverse) const {
    const Int n = ToInt(n_);
    Int* const swaps = matrix.At<Int>(swaps_);
    Int info = 0;
    std::copy_n(vectors, n_ * n_, inverse);
    Routines<C128>::Getrf(&n, &n, inverse, &n, swaps, &info);
    if (info == 0) {
      Routines<C128>::Getri(&n, inverse, &n, swaps, matrix.At<C128>(inverse_work_), &inverse_length_, &info);
    }
    if (info != 0) std::fill_n(inverse, n_ * n_, C128(std::numeric_limits<double>::quiet_NaN()));
  }

  int64_t factored_, values_, parts_, raw_, vectors_, inverse_, swaps_, work_ = 0, inverse_work_ = 0;
  Int length_ = 1, inverse_length_ = 1;
};

template <class T>
class SchurKernel final : public SpectralKernel {
 public:
  explicit SchurKernel(const KernelRequest& request)
      : SpectralKernel(request, 0, Cubic(request, 5)),
        factored_(scratch_.Add<D>(n_ * n_)),
        vectors_(scratch_.Add<D>(n_ * n_)),
        values_(scratch_.Add<C128>(n_)),
        parts_(scratch_.Add<double>(2 * n_)) {
    if (n_ == 0) return;
    D answer = 1, none = 0;
    C128 values = 0;
    double parts[2] = {};
    Decompose(&none, &values, parts, parts + 1, &none, &answer, kQuery);
    work_ = scratch_.AddWork(answer, length_);
  }

  Ending One(const MatrixArguments& matrix) const override {
    if (n_ == 0) return kOk;
    const T* const input = matrix.Input<T>(0, n_ * n_);
    if (!IsFinite(input, n_ * n_)) return kMatrixNotFinite;
    D* const t = matrix.At<D>(factored_);
    D* const z = matrix.At<D>(vectors_);
    ConvertAll(input, n_ * n_, t);
    double* const parts = matrix.At<double>(parts_);
    const Int info = Decompose(t, matrix.At<C128>(values_), parts, parts + n_, z, matrix.At<D>(work_), length_);
    if (info != 0) return kNotConverged;
    ConvertAll(t, n_ * n_, matrix.Output<T>(0, n_ * n_));
    ConvertAll(z, n_ * n_, matrix.Output<T>(1, n_ * n_));
    return kOk;
  }

 private:
  using D = Double<T>;

  // As EigKernel's.
  Int Decompose(D* t, [[maybe_unused]] C128* values, double* re, [[maybe_unused]] double* im, D* z, D* work,
                Int length) const {
    const Int n = ToInt(n_);
    Int sorted = 0, info = 0;
    if constexpr (kIsComplex<T>) {
      TENFERRO_LAPACK_SYMBOL(zgees)
      ("V", "N", nullptr, &n, t, &n, &sorted, values, z, &n, work, &length, re, nullptr, &info, 1, 1);
    } else {
      TENFERRO_LAPACK_SYMBOL(dgees)
      ("V", "N", nullptr, &n, t, &n, &sorted, re, im, z, &n, work, &length, nullptr, &info, 1, 1);
    }
    return info;
  }

  int64_t factored_, vectors_, values_, parts_, work_ = 0;
  Int length_ = 1;
};

constexpr KernelRow kRows[] = {
    TENFERRO_KERNEL_ROW(kEigh, MakeIfFits, HermitianKernel, true, false),
    TENFERRO_KERNEL_ROW(kEigvalsh, MakeIfFits, HermitianKernel, false, false),
    TENFERRO_KERNEL_ROW(kGeneralizedEigh, MakeIfFits, HermitianKernel, true, true),
    TENFERRO_KERNEL_ROW(kEig, MakeIfFits, EigKernel, true),
    TENFERRO_KERNEL_ROW(kEigvals, MakeIfFits, EigKernel, false),
    TENFERRO_KERNEL_ROW(kSchur, MakeIfFits, SchurKernel),
};

absl::StatusOr<std::unique_ptr<Kernel>> MakeKernel(const KernelRequest& request) {
  return MakeFromRows(kRows, request.inputs[0].dtype, request);
}

constexpr CpuFamily kFamily{.make = MakeKernel};
[[maybe_unused]] const bool filled = FillSlot(spectral_slots, &FamilySlots::cpu_first, &kFamily);

}  // namespace
}  // namespace tenferro::linalg::lapack
