#ifndef TENFERRO_LINALG_CPU_FACTOR_PROBLEMS_H_
#define TENFERRO_LINALG_CPU_FACTOR_PROBLEMS_H_

#include <algorithm>
#include <cmath>
#include <limits>

#include "tenferro/linalg/cpu/batch_kernel.h"
#include "tenferro/linalg/incremental_qr.h"
#include "tenferro/linalg/lu.h"
#include "tenferro/linalg/qr.h"
#include "tenferro/linalg/triangular_solve.h"

// Of the records of triangular factorisations what their kernels share, whoever computes: extents, attributes and what
// a matrix takes.
namespace tenferro::linalg {

class FactorKernel : public BatchKernel {
 public:
  FactorKernel(const KernelRequest& request, int matrix, double multiplications)
      : BatchKernel(request, matrix, multiplications / 10), multiplications_(multiplications) {}
  double flops() const override { return 2 * multiplications_ * static_cast<double>(batch_); }

 private:
  double multiplications_;
};

class CholeskyProblem : public FactorKernel {
 public:
  explicit CholeskyProblem(const KernelRequest& request)
      : FactorKernel(request, 0, Volume(request.inputs[0], Smaller(request.inputs[0])) / 6) {}
};

class TriangularSolveProblem : public FactorKernel {
 public:
  explicit TriangularSolveProblem(const KernelRequest& request)
      : FactorKernel(request, 0, Volume(request.inputs[1], request.inputs[0].shape.extent(0)) / 2),
        options_(Decode<TriangularSolveOptions>(request.attributes)),
        right_sides_(request.inputs[1].shape.extent(options_.right ? 0 : 1)) {}

 protected:
  TriangularSolveOptions options_;
  int64_t right_sides_;
};

class LuProblem : public FactorKernel {
 public:
  explicit LuProblem(const KernelRequest& request)
      : FactorKernel(request, 0, Volume(request.inputs[0], Smaller(request.inputs[0])) / 3) {}
};

class LuSolveProblem : public FactorKernel {
 public:
  explicit LuSolveProblem(const KernelRequest& request)
      : FactorKernel(request, 0, Volume(request.inputs[3], request.inputs[3].shape.extent(0))),
        options_(Decode<LuSolveOptions>(request.attributes)),
        right_sides_(request.inputs[3].shape.extent(1)) {}

 protected:
  LuSolveOptions options_;
  int64_t right_sides_;
};

class QrProblem : public FactorKernel {
 public:
  explicit QrProblem(const KernelRequest& request)
      : FactorKernel(request, 0, 2 * Volume(request.inputs[0], Smaller(request.inputs[0]))),
        columns_(request.outputs[0].shape.extent(1)),
        positive_(Decode<QrOptions>(request.attributes).positive) {}

 protected:
  int64_t columns_;
  bool positive_;
};

class PivotedQrProblem : public FactorKernel {
 public:
  explicit PivotedQrProblem(const KernelRequest& request)
      : FactorKernel(request, 0, 4 * Volume(request.inputs[0], Smaller(request.inputs[0]))),
        k_(std::min(m_, n_)),
        tolerance_(Decode<RankRevealingQrOptions>(request.attributes).tolerance) {
    if (tolerance_ >= 0) return;
    tolerance_ = static_cast<double>(std::max(m_, n_)) * (RealSizeOf(request.inputs[0].dtype) == 4
                                                              ? double{std::numeric_limits<float>::epsilon()}
                                                              : std::numeric_limits<double>::epsilon());
  }

 protected:
  // Of the factor r [k, n].
  template <class T>
  int64_t RankOf(const T* r) const {
    int64_t rank = 0;
    while (rank < k_ && std::abs(r[rank + rank * k_]) > tolerance_ * std::abs(r[0])) ++rank;
    return rank;
  }

  int64_t k_;
  double tolerance_;
};

// The new columns in the frame of the reflections that are there, and new reflections of what lies below these.
class AppendProblem : public FactorKernel {
 public:
  explicit AppendProblem(const KernelRequest& request)
      : FactorKernel(request, 0, 2 * Volume(request.inputs[2], request.outputs[0].shape.extent(1))),
        k_(std::min(m_, n_)),
        more_(request.inputs[2].shape.extent(1)) {}

 protected:
  int64_t k_, more_;
};

class ReflectedQrProblem : public FactorKernel {
 public:
  explicit ReflectedQrProblem(const KernelRequest& request)
      : FactorKernel(request, 2, Volume(request.inputs[2], Smaller(request.inputs[2]))), k_(std::min(m_, n_)) {}

 protected:
  int64_t k_;
};

// x = R⁻¹·(Qᴴ·b), or Q·(R⁻ᴴ·b), for a matrix with no more columns than rows.
class ReflectedSolveProblem : public FactorKernel {
 public:
  explicit ReflectedSolveProblem(const KernelRequest& request)
      : FactorKernel(request, 0, 3 * Volume(request.inputs[0], request.inputs[3].shape.extent(1))),
        adjoint_(Decode<ReflectedSolveAttributes>(request.attributes).adjoint),
        sides_(request.inputs[3].shape.extent(1)) {}

 protected:
  bool adjoint_;
  int64_t sides_;
};

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_FACTOR_PROBLEMS_H_
