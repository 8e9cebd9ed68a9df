// The engine's kernels of the triangular factorisations and of what is solved with them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "absl/strings/str_cat.h"
#include "tenferro/cpu/gemm/gemm.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/linalg/cholesky.h"
#include "tenferro/linalg/cpu/factor/batch_ending.h"
#include "tenferro/linalg/cpu/factor/kernels.h"
#include "tenferro/linalg/factor_slots.h"
#include "tenferro/linalg/incremental_qr.h"
#include "tenferro/linalg/least_squares.h"
#include "tenferro/linalg/lu.h"
#include "tenferro/linalg/qr.h"
#include "tenferro/linalg/solve.h"
#include "tenferro/linalg/triangular_solve.h"

namespace tenferro::linalg {
namespace {

using factor::Real;

// Bytes that Cut takes.
template <class T>
int64_t CutBytes(int64_t count) {
  return (count * int64_t{sizeof(T)} + 63) / 64 * 64;
}
// The next `count` elements of lent memory, which begins behind them then.
template <class T>
T* Cut(Memory& memory, int64_t count) {
  const int64_t bytes = CutBytes<T>(count);
  T* const piece = static_cast<T*>(memory.data);
  memory = {static_cast<char*>(memory.data) + bytes, memory.bytes - bytes};
  return piece;
}

template <class T>
const T* Input(const KernelArguments& arguments, int operand, int64_t index, int64_t size) {
  return static_cast<const T*>(arguments.inputs[operand]) + index * size;
}
template <class T>
T* Output(const KernelArguments& arguments, int output, int64_t index, int64_t size) {
  return static_cast<T*>(arguments.outputs[output]) + index * size;
}

// A kernel of one matrix after another; how many, and what one costs.
class BatchKernel : public Kernel {
 public:
  // An estimate of one matrix' time, which a batch is cut by: never by the number of threads.
  BatchKernel(const KernelRequest& request, int matrix, double multiplications)
      : isa_(request.isa), multiplications_(multiplications) {
    const Shape& a = request.inputs[static_cast<size_t>(matrix)].shape;
    m_ = a.extent(0);
    n_ = a.extent(1);
    for (int i = 2; i < a.rank(); ++i) batch_ *= a.extent(i);
    nanoseconds_ = 500 + multiplications / 10;
  }

  double one_thread_nanoseconds() const override { return batch_ == 1 ? nanoseconds_ : 0; }
  double flops() const override { return 2 * multiplications_ * static_cast<double>(batch_); }
  absl::Status Run(const KernelArguments& arguments) const override {
    constexpr double kTask = 30000;
    const int64_t together = std::max<int64_t>(1, static_cast<int64_t>(kTask / nanoseconds_));
    const int64_t tasks = (batch_ + together - 1) / together;
    BatchEnding ending;
    const auto run = [&](int64_t task, int worker) {
      const Memory memory = {arguments.WorkspaceOf(worker), worker_workspace_bytes()};
      for (int64_t i = task * together; i < std::min(batch_, (task + 1) * together); ++i) {
        ending.Set(One(arguments, i, memory), i);
      }
    };
    if (tasks == 1) {
      run(0, 0);
    } else {
      arguments.workers.ForEachWorker(tasks, run);
    }
    return ending.status(batch_);
  }

 protected:
  virtual Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const = 0;

  Isa isa_;
  int64_t m_, n_;
  int64_t batch_ = 1;

 private:
  double multiplications_;
  double nanoseconds_;
};

// m·n·k multiplications.
double Volume(const ValueType& a, int64_t k) {
  return static_cast<double>(a.shape.extent(0)) * static_cast<double>(a.shape.extent(1)) * static_cast<double>(k);
}
int64_t Smaller(const ValueType& a) { return std::min(a.shape.extent(0), a.shape.extent(1)); }

template <class T>
class CholeskyKernel final : public BatchKernel {
 public:
  explicit CholeskyKernel(const KernelRequest& request)
      : BatchKernel(request, 0, Volume(request.inputs[0], Smaller(request.inputs[0])) / 6) {}
  int64_t worker_workspace_bytes() const override { return factor::CholeskyBytes<T>(isa_, n_); }
  Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const override {
    return factor::Cholesky(isa_, n_, Input<T>(arguments, 0, i, n_ * n_), Output<T>(arguments, 0, i, n_ * n_), memory);
  }
};

template <class T>
class TriangularSolveKernel final : public BatchKernel {
 public:
  explicit TriangularSolveKernel(const KernelRequest& request)
      : BatchKernel(request, 0, Volume(request.inputs[1], request.inputs[0].shape.extent(0)) / 2),
        options_(Decode<TriangularSolveOptions>(request.attributes)),
        right_sides_(request.inputs[1].shape.extent(options_.right ? 0 : 1)) {}
  int64_t worker_workspace_bytes() const override { return factor::TriangularSolveBytes<T>(isa_, n_, right_sides_); }
  Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const override {
    const TriangleMode mode = {options_.right, options_.lower, options_.transpose, options_.conjugate,
                               options_.unit_diagonal};
    return factor::TriangularSolve(isa_, n_, right_sides_, mode, Input<T>(arguments, 0, i, n_ * n_),
                                   Input<T>(arguments, 1, i, n_ * right_sides_),
                                   Output<T>(arguments, 0, i, n_ * right_sides_), memory);
  }

 private:
  TriangularSolveOptions options_;
  int64_t right_sides_;
};

template <class T>
class LuKernel final : public BatchKernel {
 public:
  explicit LuKernel(const KernelRequest& request)
      : BatchKernel(request, 0, Volume(request.inputs[0], Smaller(request.inputs[0])) / 3) {}
  int64_t worker_workspace_bytes() const override { return factor::LuBytes<T>(isa_, m_, n_); }
  Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const override {
    return factor::Lu(isa_, m_, n_, Input<T>(arguments, 0, i, m_ * n_), Output<T>(arguments, 0, i, m_ * n_),
                      Output<int64_t>(arguments, 1, i, m_), Output<Real<T>>(arguments, 2, i, 1),
                      Output<int64_t>(arguments, 3, i, std::min(m_, n_)), memory);
  }
};

template <class T>
class FullPivotLuKernel final : public BatchKernel {
 public:
  explicit FullPivotLuKernel(const KernelRequest& request)
      : BatchKernel(request, 0, Volume(request.inputs[0], Smaller(request.inputs[0]))) {}
  int64_t worker_workspace_bytes() const override { return factor::FullPivotLuBytes<T>(m_, n_); }
  Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const override {
    return factor::FullPivotLu(isa_, m_, n_, Input<T>(arguments, 0, i, m_ * n_), Output<T>(arguments, 0, i, m_ * n_),
                               Output<int64_t>(arguments, 1, i, m_), Output<int64_t>(arguments, 2, i, n_),
                               Output<Real<T>>(arguments, 3, i, 1), memory);
  }
};

template <class T>
class LuSolveKernel final : public BatchKernel {
 public:
  explicit LuSolveKernel(const KernelRequest& request)
      : BatchKernel(request, 0, Volume(request.inputs[3], request.inputs[3].shape.extent(0))),
        options_(Decode<LuSolveOptions>(request.attributes)),
        right_sides_(request.inputs[3].shape.extent(1)) {}
  int64_t worker_workspace_bytes() const override { return factor::LuSolveBytes<T>(isa_, n_, right_sides_); }
  Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const override {
    return factor::LuSolve(isa_, n_, right_sides_, options_.transpose, options_.conjugate,
                           Input<T>(arguments, 1, i, n_ * n_), Input<int64_t>(arguments, 2, i, n_),
                           Input<T>(arguments, 3, i, n_ * right_sides_), Output<T>(arguments, 0, i, n_ * right_sides_),
                           memory);
  }

 private:
  LuSolveOptions options_;
  int64_t right_sides_;
};

// det and slogdet: products over U's diagonal, from the first element on.
template <class T, bool kLog>
class DetKernel final : public BatchKernel {
 public:
  explicit DetKernel(const KernelRequest& request) : BatchKernel(request, 3, Volume(request.inputs[3], 1)) {}
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

template <class T>
class QrKernel final : public BatchKernel {
 public:
  explicit QrKernel(const KernelRequest& request)
      : BatchKernel(request, 0, 2 * Volume(request.inputs[0], Smaller(request.inputs[0]))),
        columns_(request.outputs[0].shape.extent(1)),
        positive_(Decode<QrOptions>(request.attributes).positive) {}
  int64_t worker_workspace_bytes() const override { return factor::QrBytes<T>(isa_, m_, n_, columns_); }
  Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const override {
    return factor::Qr(isa_, m_, n_, columns_, positive_, Input<T>(arguments, 0, i, m_ * n_),
                      Output<T>(arguments, 0, i, m_ * columns_), Output<T>(arguments, 1, i, columns_ * n_), memory);
  }

 private:
  int64_t columns_;
  bool positive_;
};

template <class T>
class PivotedQrKernel final : public BatchKernel {
 public:
  explicit PivotedQrKernel(const KernelRequest& request)
      : BatchKernel(request, 0, 4 * Volume(request.inputs[0], Smaller(request.inputs[0]))),
        k_(std::min(m_, n_)),
        tolerance_(Decode<RankRevealingQrOptions>(request.attributes).tolerance) {
    if (tolerance_ < 0) tolerance_ = static_cast<double>(std::max(m_, n_)) * std::numeric_limits<Real<T>>::epsilon();
  }
  int64_t worker_workspace_bytes() const override { return factor::PivotedQrBytes<T>(m_, n_); }
  Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const override {
    T* const r = Output<T>(arguments, 1, i, k_ * n_);
    const Ending ending =
        factor::PivotedQr(isa_, m_, n_, Input<T>(arguments, 0, i, m_ * n_), Output<T>(arguments, 0, i, m_ * k_), r,
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

// x = V·S⁺·(Uᴴ·b), or U·S⁺·(Vᴴ·b).
template <class T>
class PinvSolveKernel final : public BatchKernel {
 public:
  explicit PinvSolveKernel(const KernelRequest& request)
      : BatchKernel(request, 0, 2 * Volume(request.inputs[0], request.inputs[4].shape.extent(1))),
        attributes_(Decode<PinvSolveAttributes>(request.attributes)),
        k_(std::min(m_, n_)),
        right_sides_(request.inputs[4].shape.extent(1)) {
    if (attributes_.tolerance < 0) {
      attributes_.tolerance = static_cast<double>(std::max(m_, n_)) * std::numeric_limits<Real<T>>::epsilon();
    }
  }
  int64_t worker_workspace_bytes() const override {
    GemmArgs largest = {};
    largest.dtype = static_cast<uint8_t>(kDTypeOf<T>);
    largest.c_rows.extent = largest.c_cols.extent = largest.a_cols.extent = std::max({m_, n_, right_sides_});
    return CutBytes<T>(k_ * right_sides_) + GemmWorkspaceBytes(isa_, largest);
  }
  Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const override {
    const T* const u = Input<T>(arguments, 1, i, m_ * k_);
    const Real<T>* const s = Input<Real<T>>(arguments, 2, i, k_);
    const T* const vh = Input<T>(arguments, 3, i, k_ * n_);
    const int64_t b_rows = attributes_.adjoint ? n_ : m_, x_rows = attributes_.adjoint ? m_ : n_;
    const T* const b = Input<T>(arguments, 4, i, b_rows * right_sides_);
    T* const x = Output<T>(arguments, 0, i, x_rows * right_sides_);
    T* const middle = Cut<T>(memory, k_ * right_sides_);
    const GemmAxis k_axis = {k_, 1, nullptr};
    // Uᴴ·b or Vᴴ·b: the first factor's rows are u's columns or vh's rows.
    GemmArgs first = {};
    first.dtype = static_cast<uint8_t>(kDTypeOf<T>);
    GemmArgs second = first;
    const GemmAxis u_columns = {k_, m_, nullptr}, u_rows = {m_, 1, nullptr}, vh_rows = {k_, 1, nullptr},
                   vh_columns = {n_, k_, nullptr};
    first.a = attributes_.adjoint ? vh : u;
    first.conjugate_a = !attributes_.adjoint;
    first.a_rows = attributes_.adjoint ? vh_rows : u_columns;
    first.a_cols = attributes_.adjoint ? vh_columns : u_rows;
    first.b = b;
    first.b_rows = {b_rows, 1, nullptr};
    first.b_cols = {right_sides_, b_rows, nullptr};
    first.c = middle;
    first.c_rows = k_axis;
    first.c_cols = {right_sides_, k_, nullptr};
    GemmBlock(isa_, first, 0, k_, 0, right_sides_, memory.data);
    for (int64_t l = 0; l < k_; ++l) {
      const bool counts = s[l] > attributes_.tolerance * s[0];
      for (int64_t j = 0; j < right_sides_; ++j) {
        T& y = middle[l + j * k_];
        y = counts ? y / s[l] : T(0);
      }
    }
    second.a = attributes_.adjoint ? u : vh;
    second.conjugate_a = !attributes_.adjoint;
    second.a_rows = attributes_.adjoint ? u_rows : vh_columns;
    second.a_cols = attributes_.adjoint ? u_columns : vh_rows;
    second.b = middle;
    second.b_rows = k_axis;
    second.b_cols = {right_sides_, k_, nullptr};
    second.c = x;
    second.c_rows = {x_rows, 1, nullptr};
    second.c_cols = {right_sides_, x_rows, nullptr};
    GemmBlock(isa_, second, 0, x_rows, 0, right_sides_, memory.data);
    return {End::kOk, 0};
  }

 private:
  PinvSolveAttributes attributes_;
  int64_t k_, right_sides_;
};

// The columns in the frame of the reflections that are there, and new reflections of what lies below these.
template <class T>
class AppendKernel final : public BatchKernel {
 public:
  explicit AppendKernel(const KernelRequest& request)
      : BatchKernel(request, 0, 2 * Volume(request.inputs[2], request.outputs[0].shape.extent(1))),
        more_(request.inputs[2].shape.extent(1)) {}
  int64_t worker_workspace_bytes() const override {
    const int64_t k = std::min(m_, n_), rows = m_ - k;
    return std::max(factor::ApplyReflectorsBytes<T>(isa_, m_, k, more_),
                    CutBytes<T>(2 * rows * more_) + factor::ReflectorsBytes<T>(isa_, rows, more_));
  }
  Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const override {
    const int64_t n = n_ + more_, k = std::min(m_, n_), all = std::min(m_, n), rows = m_ - k;
    T* const packed = Output<T>(arguments, 0, i, m_ * n);
    T* const tau = Output<T>(arguments, 1, i, all);
    T* const appended = packed + m_ * n_;
    const T* const old = Input<T>(arguments, 0, i, m_ * n_);
    const T* const old_tau = Input<T>(arguments, 1, i, k);
    const Ending ending = factor::ApplyReflectors(isa_, m_, k, more_, true, old, old_tau,
                                                  Input<T>(arguments, 2, i, m_ * more_), appended, memory);
    if (ending.end != End::kOk) return {ending.end, 0};
    std::copy_n(old, m_ * n_, packed);
    std::copy_n(old_tau, k, tau);
    T* const below = Cut<T>(memory, 2 * rows * more_);
    T* const reflected = below + rows * more_;
    for (int64_t j = 0; j < more_; ++j) std::copy_n(appended + k + j * m_, rows, below + j * rows);
    const Ending last = factor::Reflectors(isa_, rows, more_, below, reflected, tau + k, memory);
    for (int64_t j = 0; j < more_; ++j) std::copy_n(reflected + j * rows, rows, appended + k + j * m_);
    return last;
  }

 private:
  int64_t more_;
};

template <class T>
class ReflectedQrKernel final : public BatchKernel {
 public:
  explicit ReflectedQrKernel(const KernelRequest& request)
      : BatchKernel(request, 2, Volume(request.inputs[2], Smaller(request.inputs[2]))) {}
  int64_t worker_workspace_bytes() const override {
    const int64_t k = std::min(m_, n_);
    return CutBytes<T>(m_ * k) + factor::ApplyReflectorsBytes<T>(isa_, m_, k, k);
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
    return factor::ApplyReflectors(isa_, m_, k, k, false, packed, Input<T>(arguments, 1, i, k), one,
                                   Output<T>(arguments, 0, i, m_ * k), memory);
  }
};

// x = R⁻¹·(Qᴴ·b), or Q·(R⁻ᴴ·b), for a matrix with no more columns than rows.
template <class T>
class ReflectedSolveKernel final : public BatchKernel {
 public:
  explicit ReflectedSolveKernel(const KernelRequest& request)
      : BatchKernel(request, 0, 3 * Volume(request.inputs[0], request.inputs[3].shape.extent(1))),
        adjoint_(Decode<ReflectedSolveAttributes>(request.attributes).adjoint),
        sides_(request.inputs[3].shape.extent(1)) {}
  int64_t worker_workspace_bytes() const override {
    return CutBytes<T>(n_ * n_) + CutBytes<T>(m_ * sides_) + CutBytes<T>(n_ * sides_) +
           std::max(factor::ApplyReflectorsBytes<T>(isa_, m_, n_, sides_),
                    factor::TriangularSolveBytes<T>(isa_, n_, sides_));
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
      const Ending ending = factor::TriangularSolve(
          isa_, n_, sides_, TriangleMode{.transpose = true, .conjugate = true}, triangle, b, flat, memory);
      if (ending.end != End::kOk) return ending;
      for (int64_t j = 0; j < sides_; ++j) std::copy_n(flat + j * n_, n_, tall + j * m_);
      return factor::ApplyReflectors(isa_, m_, n_, sides_, false, packed, tau, tall, x, memory);
    }
    const Ending ending = factor::ApplyReflectors(isa_, m_, n_, sides_, true, packed, tau, b, tall, memory);
    if (ending.end != End::kOk) return ending;
    for (int64_t j = 0; j < sides_; ++j) std::copy_n(tall + j * m_, n_, flat + j * n_);
    return factor::TriangularSolve(isa_, n_, sides_, TriangleMode{}, triangle, flat, x, memory);
  }

 private:
  bool adjoint_;
  int64_t sides_;
};

template <class T>
std::unique_ptr<Kernel> MakeFor(const KernelRequest& request) {
  const OpDef* const op = &request.op;
  if (op == &kCholesky) return std::make_unique<CholeskyKernel<T>>(request);
  if (op == &kTriangularSolve) return std::make_unique<TriangularSolveKernel<T>>(request);
  if (op == &kLu) return std::make_unique<LuKernel<T>>(request);
  if (op == &kFullPivotLu) return std::make_unique<FullPivotLuKernel<T>>(request);
  if (op == &kLuSolve) return std::make_unique<LuSolveKernel<T>>(request);
  if (op == &kDet) return std::make_unique<DetKernel<T, false>>(request);
  if (op == &kSlogdet) return std::make_unique<DetKernel<T, true>>(request);
  if (op == &kQr) return std::make_unique<QrKernel<T>>(request);
  if (op == &kPivotedQr) return std::make_unique<PivotedQrKernel<T>>(request);
  if (op == &kAppendReflectors) return std::make_unique<AppendKernel<T>>(request);
  if (op == &kReflectedQr) return std::make_unique<ReflectedQrKernel<T>>(request);
  if (op == &kReflectedSolve) return std::make_unique<ReflectedSolveKernel<T>>(request);
  if (op == &kPinvSolve) return std::make_unique<PinvSolveKernel<T>>(request);
  return nullptr;
}

absl::StatusOr<std::unique_ptr<Kernel>> MakeKernel(const KernelRequest& request) {
  std::unique_ptr<Kernel> kernel;
  const DType dtype = request.inputs.back().dtype;
  switch (dtype) {
    case DType::kF32: kernel = MakeFor<float>(request); break;
    case DType::kF64: kernel = MakeFor<double>(request); break;
    case DType::kC64: kernel = MakeFor<std::complex<float>>(request); break;
    case DType::kC128: kernel = MakeFor<std::complex<double>>(request); break;
    default: break;
  }
  if (kernel == nullptr) return absl::UnimplementedError(absl::StrCat("has no kernel for ", Name(dtype)));
  return kernel;
}

constexpr CpuFamily kFamily{.make = MakeKernel};
[[maybe_unused]] const bool filled = FillSlot(factor_slots, &FamilySlots::cpu, &kFamily);

}  // namespace
}  // namespace tenferro::linalg
