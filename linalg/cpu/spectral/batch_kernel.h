#ifndef TENFERRO_LINALG_CPU_SPECTRAL_BATCH_KERNEL_H_
#define TENFERRO_LINALG_CPU_SPECTRAL_BATCH_KERNEL_H_

#include <atomic>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/linalg/cpu/spectral/kernels.h"

namespace tenferro::linalg {

// The matrices of a batch: [rows, columns, batch…] of operand 0.
struct SpectralProblem {
  explicit SpectralProblem(const KernelRequest& request)
      : isa(request.isa), attributes(request.attributes.begin(), request.attributes.end()) {
    const Shape& a = request.inputs[0].shape;
    rows = a.extent(0);
    columns = a.extent(1);
    for (int i = 2; i < a.rank(); ++i) batch *= a.extent(i);
  }

  Isa isa;
  Words attributes;
  int64_t rows, columns, batch = 1;
};

// The operands and results of one matrix of the batch, each of `size` elements.
struct MatrixArguments {
  const KernelArguments& arguments;
  int64_t index;
  Memory memory;  // as much as the function asked for
  template <class T>
  const T* Input(int operand, int64_t size) const {
    return static_cast<const T*>(arguments.inputs[operand]) + index * size;
  }
  template <class T>
  T* Output(int output, int64_t size) const {
    return static_cast<T*>(arguments.outputs[output]) + index * size;
  }
};

// Runs a function on every matrix of a batch, on all threads. The error is that of the first matrix that has one.
class BatchKernel final : public Kernel {
 public:
  using Function = Outcome (*)(const SpectralProblem& problem, const MatrixArguments& matrix);
  using Bytes = int64_t (*)(const SpectralProblem& problem);
  // `cost` times rows·columns² is about the time in nanoseconds.
  BatchKernel(const KernelRequest& request, Function function, Bytes bytes, double cost)
      : problem_(request), function_(function), bytes_(bytes(problem_)), cost_(cost) {}

  int64_t worker_workspace_bytes() const override { return bytes_; }

  double one_thread_nanoseconds() const override {
    if (problem_.batch != 1) return 0;
    const double columns = static_cast<double>(problem_.columns);
    return cost_ * static_cast<double>(problem_.rows) * columns * columns;
  }

  absl::Status Run(const KernelArguments& arguments) const override {
    std::atomic<int64_t> first = kNone;
    const auto run = [&](int64_t i, int worker) {
      const Outcome outcome = function_(problem_, {arguments, i, {arguments.WorkspaceOf(worker), bytes_}});
      if (outcome == Outcome::kOk) return;
      const int64_t code = i * kCodes + static_cast<int64_t>(outcome);
      int64_t known = first.load(std::memory_order_relaxed);
      while (code < known && !first.compare_exchange_weak(known, code, std::memory_order_relaxed)) {
      }
    };
    if (problem_.batch == 1) {
      run(0, 0);
    } else {
      arguments.workers.ForEachWorker(problem_.batch, run);
    }
    const int64_t code = first.load(std::memory_order_relaxed);
    if (code == kNone) return absl::OkStatus();
    return Error(static_cast<Outcome>(code % kCodes),
                 problem_.batch > 1 ? absl::StrCat(" (matrix ", code / kCodes, " of the batch)") : std::string());
  }

 private:
  static constexpr int64_t kNone = INT64_MAX, kCodes = 16;

  static absl::Status Error(Outcome outcome, const std::string& place) {
    switch (outcome) {
      case Outcome::kNotFinite:
        return absl::InvalidArgumentError(absl::StrCat("the matrix has an element that is not finite", place));
      case Outcome::kNotPositiveDefinite:
        return absl::InvalidArgumentError(absl::StrCat("b is not positive definite", place));
      case Outcome::kNoPrincipalValue:
        return absl::InvalidArgumentError(
            absl::StrCat("the matrix has an eigenvalue where the function has no value of its dtype", place));
      default: return absl::InternalError(absl::StrCat("did not converge", place));
    }
  }

  SpectralProblem problem_;
  Function function_;
  int64_t bytes_;
  double cost_;
};

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_SPECTRAL_BATCH_KERNEL_H_
