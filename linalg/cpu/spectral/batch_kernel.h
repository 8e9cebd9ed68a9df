#ifndef TENFERRO_LINALG_CPU_SPECTRAL_BATCH_KERNEL_H_
#define TENFERRO_LINALG_CPU_SPECTRAL_BATCH_KERNEL_H_

#include <memory>

#include "tenferro/cpu/kernel.h"
#include "tenferro/linalg/cpu/matrix_batch.h"
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
    BatchOutcome outcome;
    const auto run = [&](int64_t i, int worker) {
      outcome.Set(function_(problem_, {arguments, i, {arguments.WorkspaceOf(worker), bytes_}}), i);
    };
    if (problem_.batch == 1) {
      run(0, 0);
    } else {
      arguments.workers.ForEachWorker(problem_.batch, run);
    }
    return outcome.status(problem_.batch);
  }

 private:
  SpectralProblem problem_;
  Function function_;
  int64_t bytes_;
  double cost_;
};

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_SPECTRAL_BATCH_KERNEL_H_
