// Factors by elimination and what is solved with them, by LAPACK.
#include <algorithm>
#include <utility>

#include "tenferro/linalg/cholesky.h"
#include "tenferro/linalg/lapack/factor_kernel.h"

namespace tenferro::linalg::lapack {
namespace {

template <class T>
void ConjugateAll(int64_t count, T* x) {
  for (int64_t i = 0; i < count; ++i) x[i] = Conjugate(x[i]);
}

// Whether op(t) is t's conjugate, which BLAS does not know: x̄ solves the conjugated equations.
template <class T>
constexpr bool ConjugatesAlone(bool transpose, bool conjugate) {
  return kIsComplex<T> && conjugate && !transpose;
}
char Operation(bool transpose, bool conjugate) { return !transpose ? 'N' : conjugate ? 'C' : 'T'; }

template <class T>
class CholeskyKernel final : public LapackKernel<CholeskyProblem> {
 public:
  using LapackKernel<CholeskyProblem>::LapackKernel;
  Ending One(const MatrixArguments& matrix) const override {
    T* const l = matrix.Output<T>(0, n_ * n_);
    if (!CopyLower(matrix.Input<T>(0, n_ * n_), n_, l)) return kMatrixNotFinite;
    const Int n = ToInt(n_), lda = Leading(n_);
    Int info = 0;
    Routines<T>::Potrf("L", &n, l, &lda, &info, 1);
    return info > 0 ? Ending{Outcome::kNotPositive, int64_t{info}} : kOk;
  }
};

template <class T>
class TriangularSolveKernel final : public LapackKernel<TriangularSolveProblem> {
 public:
  using LapackKernel<TriangularSolveProblem>::LapackKernel;
  Ending One(const MatrixArguments& matrix) const override {
    const T* const t = matrix.Input<T>(0, n_ * n_);
    const int64_t size = n_ * right_sides_, skip = options_.unit_diagonal ? 1 : 0;
    T* const x = matrix.Output<T>(0, size);
    for (int64_t j = 0; j < n_; ++j) {
      const bool finite =
          options_.lower ? IsFinite(t + j + skip + j * n_, n_ - j - skip) : IsFinite(t + j * n_, j + 1 - skip);
      if (!finite) return kMatrixNotFinite;
    }
    if (!CopyFinite(matrix.Input<T>(1, size), size, x)) return kRightSideNotFinite;
    if (!options_.unit_diagonal) {
      if (const Ending ending = CheckDiagonal(n_, t, n_); ending.outcome != Outcome::kOk) return ending;
    }
    const bool conjugates = ConjugatesAlone<T>(options_.transpose, options_.conjugate);
    if (conjugates) ConjugateAll(size, x);
    const int64_t rows = options_.right ? right_sides_ : n_, columns = options_.right ? n_ : right_sides_;
    SolveTriangle(options_.right ? 'R' : 'L', options_.lower ? 'L' : 'U',
                  Operation(options_.transpose, options_.conjugate), options_.unit_diagonal ? 'U' : 'N', rows, columns,
                  t, n_, x, rows);
    if (conjugates) ConjugateAll(size, x);
    return kOk;
  }
};

template <class T>
class LuKernel final : public LapackKernel<LuProblem> {
 public:
  explicit LuKernel(const KernelRequest& request)
      : LapackKernel(request), swaps_(scratch_.Add<Int>(std::min(m_, n_))) {}
  Ending One(const MatrixArguments& matrix) const override {
    const int64_t k = std::min(m_, n_);
    T* const lu = matrix.Output<T>(0, m_ * n_);
    if (!CopyFinite(matrix.Input<T>(0, m_ * n_), m_ * n_, lu)) return kMatrixNotFinite;
    Int* const swaps = matrix.At<Int>(swaps_);
    const Int m = ToInt(m_), n = ToInt(n_), lda = Leading(m_);
    Int info = 0;  // a zero pivot, which is no error
    if (k > 0) Routines<T>::Getrf(&m, &n, lu, &lda, swaps, &info);
    int64_t* const permutation = matrix.Output<int64_t>(1, m_);
    int64_t* const pivots = matrix.Output<int64_t>(3, k);
    RealOf<T> parity = 1;
    for (int64_t i = 0; i < m_; ++i) permutation[i] = i;
    for (int64_t i = 0; i < k; ++i) {
      pivots[i] = int64_t{swaps[i]} - 1;
      if (pivots[i] == i) continue;
      std::swap(permutation[i], permutation[pivots[i]]);
      parity = -parity;
    }
    *matrix.Output<RealOf<T>>(2, 1) = parity;
    return kOk;
  }

 private:
  int64_t swaps_;
};

template <class T>
class LuSolveKernel final : public LapackKernel<LuSolveProblem> {
 public:
  explicit LuSolveKernel(const KernelRequest& request) : LapackKernel(request), column_(scratch_.Add<T>(n_)) {}
  Ending One(const MatrixArguments& matrix) const override {
    const T* const lu = matrix.Input<T>(1, n_ * n_);
    const int64_t* const permutation = matrix.Input<int64_t>(2, n_);
    const T* const b = matrix.Input<T>(3, n_ * right_sides_);
    T* const x = matrix.Output<T>(0, n_ * right_sides_);
    if (const Ending ending = CheckDiagonal(n_, lu, n_); ending.outcome != Outcome::kOk) return ending;
    if (!CopyFinite(b, n_ * right_sides_, x)) return kRightSideNotFinite;
    const bool conjugates = ConjugatesAlone<T>(options_.transpose, options_.conjugate);
    const char operation = Operation(options_.transpose, options_.conjugate);
    if (!options_.transpose) {
      for (int64_t j = 0; j < right_sides_; ++j) {
        for (int64_t i = 0; i < n_; ++i) x[i + j * n_] = b[permutation[i] + j * n_];
      }
      if (conjugates) ConjugateAll(n_ * right_sides_, x);
      SolveTriangle('L', 'L', operation, 'U', n_, right_sides_, lu, n_, x, n_);
      SolveTriangle('L', 'U', operation, 'N', n_, right_sides_, lu, n_, x, n_);
      if (conjugates) ConjugateAll(n_ * right_sides_, x);
      return kOk;
    }
    SolveTriangle('L', 'U', operation, 'N', n_, right_sides_, lu, n_, x, n_);
    SolveTriangle('L', 'L', operation, 'U', n_, right_sides_, lu, n_, x, n_);
    T* const column = matrix.At<T>(column_);
    for (int64_t j = 0; j < right_sides_; ++j) {
      std::copy_n(x + j * n_, n_, column);
      for (int64_t i = 0; i < n_; ++i) x[permutation[i] + j * n_] = column[i];
    }
    return kOk;
  }

 private:
  int64_t column_;
};

constexpr KernelRow kRows[] = {
    TENFERRO_KERNEL_ROW(kCholesky, MakeIfFits, CholeskyKernel),
    TENFERRO_KERNEL_ROW(kTriangularSolve, MakeIfFits, TriangularSolveKernel),
    TENFERRO_KERNEL_ROW(kLu, MakeIfFits, LuKernel),
    TENFERRO_KERNEL_ROW(kLuSolve, MakeIfFits, LuSolveKernel),
};

}  // namespace

std::unique_ptr<Kernel> MakeEliminationKernel(DType dtype, const KernelRequest& request) {
  return MakeFromRows(kRows, dtype, request);
}

}  // namespace tenferro::linalg::lapack
