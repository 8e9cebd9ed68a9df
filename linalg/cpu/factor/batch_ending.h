#ifndef TENFERRO_LINALG_CPU_FACTOR_BATCH_ENDING_H_
#define TENFERRO_LINALG_CPU_FACTOR_BATCH_ENDING_H_

#include <cstdint>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tenferro/linalg/cpu/factor/ending.h"

namespace tenferro::linalg {

// How the matrices of a batch ended, as the error of the whole. The first matrix in the batch is named, whichever
// thread met it first.
class BatchEnding {
 public:
  void Set(Ending ending, int64_t matrix) {
    if (ending.end == End::kOk) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (matrix >= matrix_) return;
    ending_ = ending;
    matrix_ = matrix;
  }

  absl::Status status(int64_t batch) const {
    if (ending_.end == End::kOk) return absl::OkStatus();
    const std::string place = batch > 1 ? absl::StrCat(" (matrix ", matrix_, " of the batch)") : std::string();
    switch (ending_.end) {
      case End::kNotPositive:
        return absl::InvalidArgumentError(
            absl::StrCat("the matrix is not positive definite: its leading minor of order ", ending_.index,
                         " is not positive", place));
      case End::kSingular:
        return absl::InvalidArgumentError(absl::StrCat("the matrix is singular: element ", ending_.index,
                                                       " of the triangle's diagonal is zero", place));
      default:
        return absl::InvalidArgumentError(absl::StrCat(ending_.index == 1 ? "the right-hand side" : "the matrix",
                                                       " has an element that is not finite", place));
    }
  }

 private:
  std::mutex mutex_;
  Ending ending_ = {End::kOk, 0};
  int64_t matrix_ = INT64_MAX;
};

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_FACTOR_BATCH_ENDING_H_
