#ifndef TENFERRO_LINALG_CPU_MATRIX_BATCH_H_
#define TENFERRO_LINALG_CPU_MATRIX_BATCH_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/linalg/cpu/outcome.h"
#include "tenferro/linalg/cpu/scratch.h"

// What the engine's kernels share that decompose the matrices of a batch one by one.
namespace tenferro::linalg {

// What the decompositions of a batch say of themselves, as the error of the whole. The first matrix in the batch is
// named, whichever thread met it first.
class BatchOutcome {
 public:
  void Set(Outcome outcome, int64_t matrix) {
    if (outcome == Outcome::kOk) return;
    const int64_t code = matrix * kOutcomes + static_cast<int64_t>(outcome);
    int64_t known = first_.load(std::memory_order_relaxed);
    while (code < known && !first_.compare_exchange_weak(known, code, std::memory_order_relaxed)) {
    }
  }

  // kOk unless one failed; then which.
  Outcome outcome() const { return first() == kNone ? Outcome::kOk : static_cast<Outcome>(first() % kOutcomes); }
  int64_t matrix() const { return first() / kOutcomes; }

  absl::Status status(int64_t batch) const {
    const std::string place = batch > 1 ? absl::StrCat(" (matrix ", matrix(), " of the batch)") : std::string();
    switch (outcome()) {
      case Outcome::kOk: return absl::OkStatus();
      case Outcome::kNotFinite:
        return absl::InvalidArgumentError(absl::StrCat("the matrix has an element that is not finite", place));
      case Outcome::kNoGap: return absl::FailedPreconditionError(absl::StrCat("there is no gap at the cut", place));
      case Outcome::kNotPositiveDefinite:
        return absl::InvalidArgumentError(absl::StrCat("b is not positive definite", place));
      case Outcome::kNoPrincipalValue:
        return absl::InvalidArgumentError(
            absl::StrCat("the matrix has an eigenvalue where the function has no value of its dtype", place));
      case Outcome::kNotConverged: break;
    }
    return absl::InternalError(absl::StrCat("did not converge", place));
  }

 private:
  int64_t first() const { return first_.load(std::memory_order_relaxed); }

  static constexpr int64_t kOutcomes = 6;
  static constexpr int64_t kNone = INT64_MAX;
  std::atomic<int64_t> first_ = kNone;
};

struct Problem {
  explicit Problem(const KernelRequest& request) : isa(request.isa) {
    const Shape& a = request.inputs[0].shape;
    m = a.extent(0);
    n = a.extent(1);
    for (int i = 2; i < a.rank(); ++i) batch *= a.extent(i);
  }

  Isa isa;
  int64_t m, n;
  int64_t batch = 1;

  // About what a decomposition takes; a batch shares the threads itself.
  double nanoseconds_each() const {
    return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(std::min(m, n));
  }
  double one_thread_nanoseconds() const { return batch == 1 ? nanoseconds_each() : 0; }
  // Of decompositions that take a·l·k² + b·k³ operations each, l the longer and k the shorter side.
  double flops(double a, double b) const {
    const double k = static_cast<double>(std::min(m, n)), l = static_cast<double>(std::max(m, n));
    return static_cast<double>(batch) * (a * l * k * k + b * k * k * k);
  }

  // Runs task(i, memory) for every matrix, on all threads where that is worth waking them, with the memory of `bytes`
  // that the worker has to itself. Tasks are cut by the size of the matrices alone.
  void ForEachMatrix(const KernelArguments& arguments, int64_t bytes,
                     absl::FunctionRef<void(int64_t, Memory)> task) const {
    constexpr double kTaskNanoseconds = 20000;
    const double each = 500 + nanoseconds_each();
    const int64_t chunk = each < kTaskNanoseconds ? static_cast<int64_t>(kTaskNanoseconds / each) : 1;
    const auto run = [&](int64_t number, int worker) {
      const Memory memory = {arguments.WorkspaceOf(worker), bytes};
      for (int64_t i = number * chunk; i < std::min(batch, (number + 1) * chunk); ++i) task(i, memory);
    };
    const int64_t chunks = (batch + chunk - 1) / chunk;
    if (chunks == 1) return run(0, 0);
    arguments.workers.ForEachWorker(chunks, run);
  }
};

// m·n·k multiplications.
inline double Volume(const ValueType& a, int64_t k) {
  return static_cast<double>(a.shape.extent(0)) * static_cast<double>(a.shape.extent(1)) * static_cast<double>(k);
}
inline int64_t Smaller(const ValueType& a) { return std::min(a.shape.extent(0), a.shape.extent(1)); }

// Start of matrix `index` of a batch of matrices of `size` elements each.
template <class T>
const T* Input(const KernelArguments& arguments, int operand, int64_t index, int64_t size) {
  return static_cast<const T*>(arguments.inputs[operand]) + index * size;
}
template <class T>
T* Output(const KernelArguments& arguments, int output, int64_t index, int64_t size) {
  return static_cast<T*>(arguments.outputs[output]) + index * size;
}

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_MATRIX_BATCH_H_
