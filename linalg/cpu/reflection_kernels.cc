// The engine's kernels of factors by reflections and of what is solved with them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tenferro/linalg/cpu/factor_kernel.h"
#include "tenferro/linalg/incremental_qr.h"
#include "tenferro/linalg/qr.h"

namespace tenferro::linalg::factor {
namespace {

template <class T>
class QrKernel final : public FactorKernel {
 public:
  explicit QrKernel(const KernelRequest& request)
      : FactorKernel(request, 0, 2 * Volume(request.inputs[0], Smaller(request.inputs[0]))),
        columns_(request.outputs[0].shape.extent(1)),
        positive_(Decode<QrOptions>(request.attributes).positive) {}
  int64_t worker_workspace_bytes() const override { return QrBytes<T>(isa_, m_, n_, columns_); }
  Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const override {
    return Qr(isa_, m_, n_, columns_, positive_, Input<T>(arguments, 0, i, m_ * n_),
              Output<T>(arguments, 0, i, m_ * columns_), Output<T>(arguments, 1, i, columns_ * n_), memory);
  }

 private:
  int64_t columns_;
  bool positive_;
};

template <class T>
class PivotedQrKernel final : public FactorKernel {
 public:
  explicit PivotedQrKernel(const KernelRequest& request)
      : FactorKernel(request, 0, 4 * Volume(request.inputs[0], Smaller(request.inputs[0]))),
        k_(std::min(m_, n_)),
        tolerance_(Decode<RankRevealingQrOptions>(request.attributes).tolerance) {
    if (tolerance_ < 0) tolerance_ = static_cast<double>(std::max(m_, n_)) * std::numeric_limits<Real<T>>::epsilon();
  }
  int64_t worker_workspace_bytes() const override { return PivotedQrBytes<T>(m_, n_); }
  Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const override {
    T* const r = Output<T>(arguments, 1, i, k_ * n_);
    const Ending ending =
        PivotedQr(isa_, m_, n_, Input<T>(arguments, 0, i, m_ * n_), Output<T>(arguments, 0, i, m_ * k_), r,
                  Output<int64_t>(arguments, 2, i, n_), memory);
    if (ending.end != End::kOk) return ending;
    int64_t rank = 0;
    while (rank < k_ && std::abs(r[rank + rank * k_]) > tolerance_ * std::abs(r[0])) ++rank;
    *Output<int64_t>(arguments, 3, i, 1) = rank;
    return ending;
  }

 private:
  int64_t k_;
  double tolerance_;
};

// The columns in the frame of the reflections that are there, and new reflections of what lies below these.
template <class T>
class AppendKernel final : public FactorKernel {
 public:
  explicit AppendKernel(const KernelRequest& request)
      : FactorKernel(request, 0, 2 * Volume(request.inputs[2], request.outputs[0].shape.extent(1))),
        more_(request.inputs[2].shape.extent(1)) {}
  int64_t worker_workspace_bytes() const override {
    const int64_t k = std::min(m_, n_), rows = m_ - k;
    return std::max(ApplyReflectorsBytes<T>(isa_, m_, k, more_),
                    CutBytes<T>(2 * rows * more_) + ReflectorsBytes<T>(isa_, rows, more_));
  }
  Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const override {
    const int64_t n = n_ + more_, k = std::min(m_, n_), all = std::min(m_, n), rows = m_ - k;
    T* const packed = Output<T>(arguments, 0, i, m_ * n);
    T* const tau = Output<T>(arguments, 1, i, all);
    T* const appended = packed + m_ * n_;
    const T* const old = Input<T>(arguments, 0, i, m_ * n_);
    const T* const old_tau = Input<T>(arguments, 1, i, k);
    const Ending ending = ApplyReflectors(isa_, m_, k, more_, true, old, old_tau, Input<T>(arguments, 2, i, m_ * more_),
                                          appended, memory);
    if (ending.end != End::kOk) return {ending.end, 0};
    std::copy_n(old, m_ * n_, packed);
    std::copy_n(old_tau, k, tau);
    T* const below = Cut<T>(memory, 2 * rows * more_);
    T* const reflected = below + rows * more_;
    for (int64_t j = 0; j < more_; ++j) std::copy_n(appended + k + j * m_, rows, below + j * rows);
    const Ending last = Reflectors(isa_, rows, more_, below, reflected, tau + k, memory);
    for (int64_t j = 0; j < more_; ++j) std::copy_n(reflected + j * rows, rows, appended + k + j * m_);
    return last;
  }

 private:
  int64_t more_;
};

template <class T>
class ReflectedQrKernel final : public FactorKernel {
 public:
  explicit ReflectedQrKernel(const KernelRequest& request)
      : FactorKernel(request, 2, Volume(request.inputs[2], Smaller(request.inputs[2]))) {}
  int64_t worker_workspace_bytes() const override {
    const int64_t k = std::min(m_, n_);
    return CutBytes<T>(m_ * k) + ApplyReflectorsBytes<T>(isa_, m_, k, k);
  }
  Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const override {
    const int64_t k = std::min(m_, n_);
    const T* const packed = Input<T>(arguments, 0, i, m_ * n_);
    T* const r = Output<T>(arguments, 1, i, k * n_);
    for (int64_t j = 0; j < n_; ++j) {
      const int64_t filled = std::min(j + 1, k);
      std::copy_n(packed + j * m_, filled, r + j * k);
      std::fill_n(r + j * k + filled, k - filled, T(0));
    }
    T* const one = Cut<T>(memory, m_ * k);
    std::fill_n(one, m_ * k, T(0));
    for (int64_t j = 0; j < k; ++j) one[j + j * m_] = 1;
    return ApplyReflectors(isa_, m_, k, k, false, packed, Input<T>(arguments, 1, i, k), one,
                           Output<T>(arguments, 0, i, m_ * k), memory);
  }
};

// x = R⁻¹·(Qᴴ·b), or Q·(R⁻ᴴ·b), for a matrix with no more columns than rows.
template <class T>
class ReflectedSolveKernel final : public FactorKernel {
 public:
  explicit ReflectedSolveKernel(const KernelRequest& request)
      : FactorKernel(request, 0, 3 * Volume(request.inputs[0], request.inputs[3].shape.extent(1))),
        adjoint_(Decode<ReflectedSolveAttributes>(request.attributes).adjoint),
        sides_(request.inputs[3].shape.extent(1)) {}
  int64_t worker_workspace_bytes() const override {
    return CutBytes<T>(n_ * n_) + CutBytes<T>(m_ * sides_) + CutBytes<T>(n_ * sides_) +
           std::max(ApplyReflectorsBytes<T>(isa_, m_, n_, sides_), TriangularSolveBytes<T>(isa_, n_, sides_));
  }
  Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const override {
    const T* const packed = Input<T>(arguments, 1, i, m_ * n_);
    const T* const tau = Input<T>(arguments, 2, i, n_);
    const T* const b = Input<T>(arguments, 3, i, (adjoint_ ? n_ : m_) * sides_);
    T* const x = Output<T>(arguments, 0, i, (adjoint_ ? m_ : n_) * sides_);
    T* const triangle = Cut<T>(memory, n_ * n_);
    T* const tall = Cut<T>(memory, m_ * sides_);
    T* const flat = Cut<T>(memory, n_ * sides_);
    std::fill_n(tall, m_ * sides_, T(0));
    for (int64_t j = 0; j < n_; ++j) std::copy_n(packed + j * m_, n_, triangle + j * n_);
    if (adjoint_) {
      const Ending ending = TriangularSolve(isa_, n_, sides_, TriangleMode{.transpose = true, .conjugate = true},
                                            triangle, b, flat, memory);
      if (ending.end != End::kOk) return ending;
      for (int64_t j = 0; j < sides_; ++j) std::copy_n(flat + j * n_, n_, tall + j * m_);
      return ApplyReflectors(isa_, m_, n_, sides_, false, packed, tau, tall, x, memory);
    }
    const Ending ending = ApplyReflectors(isa_, m_, n_, sides_, true, packed, tau, b, tall, memory);
    if (ending.end != End::kOk) return ending;
    for (int64_t j = 0; j < sides_; ++j) std::copy_n(tall + j * m_, n_, flat + j * n_);
    return TriangularSolve(isa_, n_, sides_, TriangleMode{}, triangle, flat, x, memory);
  }

 private:
  bool adjoint_;
  int64_t sides_;
};

}  // namespace

template <class T>
std::unique_ptr<Kernel> MakeReflectionKernel(const KernelRequest& request) {
  const OpDef* const op = &request.op;
  if (op == &kQr) return std::make_unique<QrKernel<T>>(request);
  if (op == &kPivotedQr) return std::make_unique<PivotedQrKernel<T>>(request);
  if (op == &kAppendReflectors) return std::make_unique<AppendKernel<T>>(request);
  if (op == &kReflectedQr) return std::make_unique<ReflectedQrKernel<T>>(request);
  if (op == &kReflectedSolve) return std::make_unique<ReflectedSolveKernel<T>>(request);
  return nullptr;
}

template std::unique_ptr<Kernel> MakeReflectionKernel<float>(const KernelRequest& request);
template std::unique_ptr<Kernel> MakeReflectionKernel<double>(const KernelRequest& request);
template std::unique_ptr<Kernel> MakeReflectionKernel<std::complex<float>>(const KernelRequest& request);
template std::unique_ptr<Kernel> MakeReflectionKernel<std::complex<double>>(const KernelRequest& request);

}  // namespace tenferro::linalg::factor
