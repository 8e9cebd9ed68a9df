// The engine's kernels of factors by reflections and of what is solved with them.
#include <algorithm>

#include "tenferro/linalg/cpu/copies.h"
#include "tenferro/linalg/cpu/factor_kernel.h"

namespace tenferro::linalg::factor {
namespace {

template <class T>
class QrKernel final : public QrProblem {
 public:
  using QrProblem::QrProblem;
  int64_t scratch_bytes() const override { return QrBytes<T>(isa_, m_, n_, columns_); }
  Ending One(const MatrixArguments& matrix) const override {
    return Qr(isa_, m_, n_, columns_, positive_, matrix.Input<T>(0, m_ * n_), matrix.Output<T>(0, m_ * columns_),
              matrix.Output<T>(1, columns_ * n_), matrix.memory);
  }
};

template <class T>
class PivotedQrKernel final : public PivotedQrProblem {
 public:
  using PivotedQrProblem::PivotedQrProblem;
  int64_t scratch_bytes() const override { return PivotedQrBytes<T>(m_, n_); }
  Ending One(const MatrixArguments& matrix) const override {
    T* const r = matrix.Output<T>(1, k_ * n_);
    const Ending ending = PivotedQr(isa_, m_, n_, matrix.Input<T>(0, m_ * n_), matrix.Output<T>(0, m_ * k_), r,
                                    matrix.Output<int64_t>(2, n_), matrix.memory);
    if (ending.outcome != Outcome::kOk) return ending;
    *matrix.Output<int64_t>(3, 1) = RankOf(r);
    return ending;
  }
};

template <class T>
class AppendKernel final : public AppendProblem {
 public:
  using AppendProblem::AppendProblem;
  int64_t scratch_bytes() const override {
    const int64_t rows = m_ - k_;
    return std::max(ApplyReflectorsBytes<T>(isa_, m_, k_, more_),
                    CutBytes<T>(2 * rows * more_) + ReflectorsBytes<T>(isa_, rows, more_));
  }
  Ending One(const MatrixArguments& matrix) const override {
    const int64_t n = n_ + more_, rows = m_ - k_;
    Memory memory = matrix.memory;
    T* const packed = matrix.Output<T>(0, m_ * n);
    T* const tau = matrix.Output<T>(1, std::min(m_, n));
    T* const appended = packed + m_ * n_;
    const T* const old = matrix.Input<T>(0, m_ * n_);
    const T* const old_tau = matrix.Input<T>(1, k_);
    const Ending ending =
        ApplyReflectors(isa_, m_, k_, more_, true, old, old_tau, matrix.Input<T>(2, m_ * more_), appended, memory);
    if (ending.outcome != Outcome::kOk) return {ending.outcome, 0};
    std::copy_n(old, m_ * n_, packed);
    std::copy_n(old_tau, k_, tau);
    T* const below = Cut<T>(memory, 2 * rows * more_);
    T* const reflected = below + rows * more_;
    for (int64_t j = 0; j < more_; ++j) std::copy_n(appended + k_ + j * m_, rows, below + j * rows);
    const Ending last = Reflectors(isa_, rows, more_, below, reflected, tau + k_, memory);
    for (int64_t j = 0; j < more_; ++j) std::copy_n(reflected + j * rows, rows, appended + k_ + j * m_);
    return last;
  }
};

template <class T>
class ReflectedQrKernel final : public ReflectedQrProblem {
 public:
  using ReflectedQrProblem::ReflectedQrProblem;
  int64_t scratch_bytes() const override { return CutBytes<T>(m_ * k_) + ApplyReflectorsBytes<T>(isa_, m_, k_, k_); }
  Ending One(const MatrixArguments& matrix) const override {
    Memory memory = matrix.memory;
    const T* const packed = matrix.Input<T>(0, m_ * n_);
    CopyUpper(packed, m_, k_, n_, k_, matrix.Output<T>(1, k_ * n_));
    T* const one = Cut<T>(memory, m_ * k_);
    SetUnit(m_, k_, one);
    return ApplyReflectors(isa_, m_, k_, k_, false, packed, matrix.Input<T>(1, k_), one, matrix.Output<T>(0, m_ * k_),
                           memory);
  }
};

template <class T>
class ReflectedSolveKernel final : public ReflectedSolveProblem {
 public:
  using ReflectedSolveProblem::ReflectedSolveProblem;
  int64_t scratch_bytes() const override {
    return CutBytes<T>(n_ * n_) + CutBytes<T>(m_ * sides_) + CutBytes<T>(n_ * sides_) +
           std::max(ApplyReflectorsBytes<T>(isa_, m_, n_, sides_), TriangularSolveBytes<T>(isa_, n_, sides_));
  }
  Ending One(const MatrixArguments& matrix) const override {
    Memory memory = matrix.memory;
    const T* const packed = matrix.Input<T>(1, m_ * n_);
    const T* const tau = matrix.Input<T>(2, n_);
    const T* const b = matrix.Input<T>(3, (adjoint_ ? n_ : m_) * sides_);
    T* const x = matrix.Output<T>(0, (adjoint_ ? m_ : n_) * sides_);
    T* const triangle = Cut<T>(memory, n_ * n_);
    T* const tall = Cut<T>(memory, m_ * sides_);
    T* const flat = Cut<T>(memory, n_ * sides_);
    std::fill_n(tall, m_ * sides_, T(0));
    for (int64_t j = 0; j < n_; ++j) std::copy_n(packed + j * m_, n_, triangle + j * n_);
    if (adjoint_) {
      const Ending ending = TriangularSolve(isa_, n_, sides_, TriangleMode{.transpose = true, .conjugate = true},
                                            triangle, b, flat, memory);
      if (ending.outcome != Outcome::kOk) return ending;
      for (int64_t j = 0; j < sides_; ++j) std::copy_n(flat + j * n_, n_, tall + j * m_);
      return ApplyReflectors(isa_, m_, n_, sides_, false, packed, tau, tall, x, memory);
    }
    const Ending ending = ApplyReflectors(isa_, m_, n_, sides_, true, packed, tau, b, tall, memory);
    if (ending.outcome != Outcome::kOk) return ending;
    for (int64_t j = 0; j < sides_; ++j) std::copy_n(tall + j * m_, n_, flat + j * n_);
    return TriangularSolve(isa_, n_, sides_, TriangleMode{}, triangle, flat, x, memory);
  }
};

constexpr KernelRow kRows[] = {
    TENFERRO_KERNEL_ROW(kQr, Make, QrKernel),
    TENFERRO_KERNEL_ROW(kPivotedQr, Make, PivotedQrKernel),
    TENFERRO_KERNEL_ROW(kAppendReflectors, Make, AppendKernel),
    TENFERRO_KERNEL_ROW(kReflectedQr, Make, ReflectedQrKernel),
    TENFERRO_KERNEL_ROW(kReflectedSolve, Make, ReflectedSolveKernel),
};

}  // namespace

std::unique_ptr<Kernel> MakeReflectionKernel(DType dtype, const KernelRequest& request) {
  return MakeFromRows(kRows, dtype, request);
}

}  // namespace tenferro::linalg::factor
