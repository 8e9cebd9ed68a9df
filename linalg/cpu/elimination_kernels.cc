// The engine's kernels of factors by elimination and of what is solved with them.
#include <algorithm>
#include <cmath>

#include "tenferro/linalg/cholesky.h"
#include "tenferro/linalg/cpu/factor_kernel.h"
#include "tenferro/linalg/solve.h"

namespace tenferro::linalg::factor {
namespace {

template <class T>
class CholeskyKernel final : public CholeskyProblem {
 public:
  using CholeskyProblem::CholeskyProblem;
  int64_t scratch_bytes() const override { return CholeskyBytes<T>(isa_, n_); }
  Ending One(const MatrixArguments& matrix) const override {
    return Cholesky(isa_, n_, matrix.Input<T>(0, n_ * n_), matrix.Output<T>(0, n_ * n_), matrix.memory);
  }
};

template <class T>
class TriangularSolveKernel final : public TriangularSolveProblem {
 public:
  using TriangularSolveProblem::TriangularSolveProblem;
  int64_t scratch_bytes() const override { return TriangularSolveBytes<T>(isa_, n_, right_sides_); }
  Ending One(const MatrixArguments& matrix) const override {
    const TriangleMode mode = {options_.right, options_.lower, options_.transpose, options_.conjugate,
                               options_.unit_diagonal};
    return TriangularSolve(isa_, n_, right_sides_, mode, matrix.Input<T>(0, n_ * n_),
                           matrix.Input<T>(1, n_ * right_sides_), matrix.Output<T>(0, n_ * right_sides_),
                           matrix.memory);
  }
};

template <class T>
class LuKernel final : public LuProblem {
 public:
  using LuProblem::LuProblem;
  int64_t scratch_bytes() const override { return LuBytes<T>(isa_, m_, n_); }
  Ending One(const MatrixArguments& matrix) const override {
    return Lu(isa_, m_, n_, matrix.Input<T>(0, m_ * n_), matrix.Output<T>(0, m_ * n_), matrix.Output<int64_t>(1, m_),
              matrix.Output<RealOf<T>>(2, 1), matrix.Output<int64_t>(3, std::min(m_, n_)), matrix.memory);
  }
};

template <class T>
class FullPivotLuKernel final : public FactorKernel {
 public:
  explicit FullPivotLuKernel(const KernelRequest& request)
      : FactorKernel(request, 0, Volume(request.inputs[0], Smaller(request.inputs[0]))) {}
  int64_t scratch_bytes() const override { return FullPivotLuBytes<T>(m_, n_); }
  Ending One(const MatrixArguments& matrix) const override {
    return FullPivotLu(isa_, m_, n_, matrix.Input<T>(0, m_ * n_), matrix.Output<T>(0, m_ * n_),
                       matrix.Output<int64_t>(1, m_), matrix.Output<int64_t>(2, n_), matrix.Output<RealOf<T>>(3, 1),
                       matrix.memory);
  }
};

template <class T>
class LuSolveKernel final : public LuSolveProblem {
 public:
  using LuSolveProblem::LuSolveProblem;
  int64_t scratch_bytes() const override { return LuSolveBytes<T>(isa_, n_, right_sides_); }
  Ending One(const MatrixArguments& matrix) const override {
    return LuSolve(isa_, n_, right_sides_, options_.transpose, options_.conjugate, matrix.Input<T>(1, n_ * n_),
                   matrix.Input<int64_t>(2, n_), matrix.Input<T>(3, n_ * right_sides_),
                   matrix.Output<T>(0, n_ * right_sides_), matrix.memory);
  }
};

// det and slogdet: products over U's diagonal, from the first element on.
template <class T, bool kLog>
class DetKernel final : public FactorKernel {
 public:
  explicit DetKernel(const KernelRequest& request) : FactorKernel(request, 3, Volume(request.inputs[3], 1)) {}
  Ending One(const MatrixArguments& matrix) const override {
    T sign = *matrix.Input<RealOf<T>>(0, 1);
    const T* const lu = matrix.Input<T>(2, n_ * n_);
    if constexpr (!kLog) {
      for (int64_t j = 0; j < n_; ++j) sign *= lu[j + j * n_];
    } else {
      RealOf<T> sum = 0;
      for (int64_t j = 0; j < n_; ++j) {
        const T pivot = lu[j + j * n_];
        const RealOf<T> size = std::abs(pivot);
        sum += std::log(size);
        sign = size == 0 ? T(0) : sign * (pivot / size);
      }
      *matrix.Output<RealOf<T>>(1, 1) = sum;
    }
    *matrix.Output<T>(0, 1) = sign;
    return {Outcome::kOk, 0};
  }
};

constexpr KernelRow kRows[] = {
    TENFERRO_KERNEL_ROW(kCholesky, Make, CholeskyKernel),
    TENFERRO_KERNEL_ROW(kTriangularSolve, Make, TriangularSolveKernel),
    TENFERRO_KERNEL_ROW(kLu, Make, LuKernel),
    TENFERRO_KERNEL_ROW(kFullPivotLu, Make, FullPivotLuKernel),
    TENFERRO_KERNEL_ROW(kLuSolve, Make, LuSolveKernel),
    TENFERRO_KERNEL_ROW(kDet, Make, DetKernel, false),
    TENFERRO_KERNEL_ROW(kSlogdet, Make, DetKernel, true),
};

}  // namespace

std::unique_ptr<Kernel> MakeEliminationKernel(DType dtype, const KernelRequest& request) {
  return MakeFromRows(kRows, dtype, request);
}

}  // namespace tenferro::linalg::factor
