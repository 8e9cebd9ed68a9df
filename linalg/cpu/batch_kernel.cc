#include "tenferro/linalg/cpu/batch_kernel.h"

#include <mutex>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tenferro::linalg {
namespace {

// How the first matrix of a batch ended that failed.
class FirstFailure {
 public:
  void Set(Ending ending, int64_t matrix) {
    if (ending.outcome == Outcome::kOk) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (matrix >= matrix_) return;
    ending_ = ending;
    matrix_ = matrix;
  }

  const Ending& ending() const { return ending_; }
  int64_t matrix() const { return matrix_; }

 private:
  std::mutex mutex_;
  Ending ending_ = {Outcome::kOk};
  int64_t matrix_ = INT64_MAX;
};

// `place` says which matrix of a batch, `details` what else is known.
absl::Status ErrorOf(const Ending& ending, absl::string_view place, absl::string_view details) {
  const auto invalid = [&](auto... text) { return absl::InvalidArgumentError(absl::StrCat(text..., place, details)); };
  switch (ending.outcome) {
    case Outcome::kOk: return absl::OkStatus();
    case Outcome::kNotFinite:
      return invalid(ending.index == 1 ? "the right-hand side" : "the matrix", " has an element that is not finite");
    case Outcome::kNoGap:
      return absl::FailedPreconditionError(absl::StrCat("there is no gap at the cut", place, details));
    case Outcome::kNotPositiveDefinite: return invalid("b is not positive definite");
    case Outcome::kNoPrincipalValue:
      return invalid("the matrix has an eigenvalue where the function has no value of its dtype");
    case Outcome::kNotPositive:
      return invalid("the matrix is not positive definite: its leading minor of order ", ending.index,
                     " is not positive");
    case Outcome::kSingular:
      return invalid("the matrix is singular: element ", ending.index, " of the triangle's diagonal is zero");
    case Outcome::kNotConverged: break;
  }
  return absl::InternalError(absl::StrCat("did not converge", place, details));
}

}  // namespace

BatchKernel::BatchKernel(const KernelRequest& request, int matrix, double nanoseconds)
    : isa_(request.isa), nanoseconds_(500 + nanoseconds) {
  const Shape& a = request.inputs[static_cast<size_t>(matrix)].shape;
  m_ = a.extent(0);
  n_ = a.extent(1);
  for (int i = 2; i < a.rank(); ++i) batch_ *= a.extent(i);
}

absl::Status BatchKernel::Run(const KernelArguments& arguments) const {
  constexpr double kTask = 30000;
  const int64_t together = std::max<int64_t>(1, static_cast<int64_t>(kTask / nanoseconds_));
  const int64_t tasks = (batch_ + together - 1) / together, bytes = scratch_bytes();
  FirstFailure failure;
  const auto run = [&](int64_t task, void* memory) {
    for (int64_t i = task * together; i < std::min(batch_, (task + 1) * together); ++i) {
      failure.Set(One({arguments, i, {memory, bytes}}), i);
    }
  };
  if (tasks == 1) {
    run(0, batch_ == 1 ? arguments.workspace : arguments.WorkspaceOf(0));
  } else {
    arguments.workers.ForEachWorker(tasks, [&](int64_t task, int worker) { run(task, arguments.WorkspaceOf(worker)); });
  }
  const Ending& ending = failure.ending();
  if (ending.outcome == Outcome::kOk) return absl::OkStatus();
  return ErrorOf(ending, batch_ > 1 ? absl::StrCat(" (matrix ", failure.matrix(), " of the batch)") : std::string(),
                 Details({arguments, failure.matrix(), {}}, ending.outcome));
}

int ScalarIndex(DType dtype) {
  static_assert(static_cast<int>(DType::kC128) == static_cast<int>(DType::kF32) + 3);
  return IsFloatOrComplex(dtype) ? static_cast<int>(dtype) - static_cast<int>(DType::kF32) : -1;
}

std::unique_ptr<Kernel> MakeFromRows(absl::Span<const KernelRow> rows, DType dtype, const KernelRequest& request) {
  const int index = ScalarIndex(dtype);
  for (const KernelRow& row : rows) {
    if (row.op == &request.op && index >= 0) return row.make[index](request);
  }
  return nullptr;
}

absl::StatusOr<std::unique_ptr<Kernel>> KernelOrError(std::unique_ptr<Kernel> kernel, DType dtype) {
  if (kernel == nullptr) return absl::UnimplementedError(absl::StrCat("has no kernel for ", Name(dtype)));
  return kernel;
}

}  // namespace tenferro::linalg
