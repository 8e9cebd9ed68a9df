// The engine's kernels of factors by elimination and of what is solved with them.
#include <algorithm>
#include <cmath>

#include "tenferro/linalg/cholesky.h"
#include "tenferro/linalg/cpu/factor_kernel.h"
#include "tenferro/linalg/lu.h"
#include "tenferro/linalg/solve.h"
#include "tenferro/linalg/triangular_solve.h"

namespace tenferro::linalg::factor {
namespace {

template <class T>
class CholeskyKernel final : public FactorKernel {
 public:
  explicit CholeskyKernel(const KernelRequest& request)
      : FactorKernel(request, 0, Volume(request.inputs[0], Smaller(request.inputs[0])) / 6) {}
  int64_t worker_workspace_bytes() const override { return CholeskyBytes<T>(isa_, n_); }
  Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const override {
    return Cholesky(isa_, n_, Input<T>(arguments, 0, i, n_ * n_), Output<T>(arguments, 0, i, n_ * n_), memory);
  }
};

template <class T>
class TriangularSolveKernel final : public FactorKernel {
 public:
  explicit TriangularSolveKernel(const KernelRequest& request)
      : FactorKernel(request, 0, Volume(request.inputs[1], request.inputs[0].shape.extent(0)) / 2),
        options_(Decode<TriangularSolveOptions>(request.attributes)),
        right_sides_(request.inputs[1].shape.extent(options_.right ? 0 : 1)) {}
  int64_t worker_workspace_bytes() const override { return TriangularSolveBytes<T>(isa_, n_, right_sides_); }
  Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const override {
    const TriangleMode mode = {options_.right, options_.lower, options_.transpose, options_.conjugate,
                               options_.unit_diagonal};
    return TriangularSolve(isa_, n_, right_sides_, mode, Input<T>(arguments, 0, i, n_ * n_),
                           Input<T>(arguments, 1, i, n_ * right_sides_), Output<T>(arguments, 0, i, n_ * right_sides_),
                           memory);
  }

 private:
  TriangularSolveOptions options_;
  int64_t right_sides_;
};

template <class T>
class LuKernel final : public FactorKernel {
 public:
  explicit LuKernel(const KernelRequest& request)
      : FactorKernel(request, 0, Volume(request.inputs[0], Smaller(request.inputs[0])) / 3) {}
  int64_t worker_workspace_bytes() const override { return LuBytes<T>(isa_, m_, n_); }
  Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const override {
    return Lu(isa_, m_, n_, Input<T>(arguments, 0, i, m_ * n_), Output<T>(arguments, 0, i, m_ * n_),
              Output<int64_t>(arguments, 1, i, m_), Output<Real<T>>(arguments, 2, i, 1),
              Output<int64_t>(arguments, 3, i, std::min(m_, n_)), memory);
  }
};

template <class T>
class FullPivotLuKernel final : public FactorKernel {
 public:
  explicit FullPivotLuKernel(const KernelRequest& request)
      : FactorKernel(request, 0, Volume(request.inputs[0], Smaller(request.inputs[0]))) {}
  int64_t worker_workspace_bytes() const override { return FullPivotLuBytes<T>(m_, n_); }
  Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const override {
    return FullPivotLu(isa_, m_, n_, Input<T>(arguments, 0, i, m_ * n_), Output<T>(arguments, 0, i, m_ * n_),
                       Output<int64_t>(arguments, 1, i, m_), Output<int64_t>(arguments, 2, i, n_),
                       Output<Real<T>>(arguments, 3, i, 1), memory);
  }
};

template <class T>
class LuSolveKernel final : public FactorKernel {
 public:
  explicit LuSolveKernel(const KernelRequest& request)
      : FactorKernel(request, 0, Volume(request.inputs[3], request.inputs[3].shape.extent(0))),
        options_(Decode<LuSolveOptions>(request.attributes)),
        right_sides_(request.inputs[3].shape.extent(1)) {}
  int64_t worker_workspace_bytes() const override { return LuSolveBytes<T>(isa_, n_, right_sides_); }
  Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const override {
    return LuSolve(isa_, n_, right_sides_, options_.transpose, options_.conjugate, Input<T>(arguments, 1, i, n_ * n_),
                   Input<int64_t>(arguments, 2, i, n_), Input<T>(arguments, 3, i, n_ * right_sides_),
                   Output<T>(arguments, 0, i, n_ * right_sides_), memory);
  }

 private:
  LuSolveOptions options_;
  int64_t right_sides_;
};

// det and slogdet: products over U's diagonal, from the first element on.
template <class T, bool kLog>
class DetKernel final : public FactorKernel {
 public:
  explicit DetKernel(const KernelRequest& request) : FactorKernel(request, 3, Volume(request.inputs[3], 1)) {}
  Ending One(const KernelArguments& arguments, int64_t i, Memory) const override {
    T sign = *Input<Real<T>>(arguments, 0, i, 1);
    const T* const lu = Input<T>(arguments, 2, i, n_ * n_);
    if constexpr (!kLog) {
      for (int64_t j = 0; j < n_; ++j) sign *= lu[j + j * n_];
    } else {
      Real<T> sum = 0;
      for (int64_t j = 0; j < n_; ++j) {
        const T pivot = lu[j + j * n_];
        const Real<T> size = std::abs(pivot);
        sum += std::log(size);
        sign = size == 0 ? T(0) : sign * (pivot / size);
      }
      *Output<Real<T>>(arguments, 1, i, 1) = sum;
    }
    *Output<T>(arguments, 0, i, 1) = sign;
    return {End::kOk, 0};
  }
};

}  // namespace

template <class T>
std::unique_ptr<Kernel> MakeEliminationKernel(const KernelRequest& request) {
  const OpDef* const op = &request.op;
  if (op == &kCholesky) return std::make_unique<CholeskyKernel<T>>(request);
  if (op == &kTriangularSolve) return std::make_unique<TriangularSolveKernel<T>>(request);
  if (op == &kLu) return std::make_unique<LuKernel<T>>(request);
  if (op == &kFullPivotLu) return std::make_unique<FullPivotLuKernel<T>>(request);
  if (op == &kLuSolve) return std::make_unique<LuSolveKernel<T>>(request);
  if (op == &kDet) return std::make_unique<DetKernel<T, false>>(request);
  if (op == &kSlogdet) return std::make_unique<DetKernel<T, true>>(request);
  return nullptr;
}

template std::unique_ptr<Kernel> MakeEliminationKernel<float>(const KernelRequest& request);
template std::unique_ptr<Kernel> MakeEliminationKernel<double>(const KernelRequest& request);
template std::unique_ptr<Kernel> MakeEliminationKernel<std::complex<float>>(const KernelRequest& request);
template std::unique_ptr<Kernel> MakeEliminationKernel<std::complex<double>>(const KernelRequest& request);

}  // namespace tenferro::linalg::factor
