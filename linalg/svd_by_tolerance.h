#ifndef TENFERRO_LINALG_SVD_BY_TOLERANCE_H_
#define TENFERRO_LINALG_SVD_BY_TOLERANCE_H_

#include <cstdint>
#include <limits>

#include "absl/status/statusor.h"
#include "tenferro/runtime/arg.h"
#include "tenferro/tensor/tensor.h"

// Truncations whose rank depends on the numbers. A program's shapes are fixed before it runs, so these work on numbers
// that exist already (Immediate); in a graph, find the rank of such numbers first and truncate to it.
namespace tenferro::linalg {

// Which singular values to keep: those that all of the criteria keep.
struct Tolerance {
  double relative = 0;  // s_i > relative·s_1
  double absolute = 0;  // s_i > absolute
  // As few as leave Σ_{i > k} s_i² ≤ discarded_weight·Σ s_i².
  double discarded_weight = 0;
  int64_t max_rank = std::numeric_limits<int64_t>::max();
};

// How many of the values s [k, batch…], descending, to keep; of a batch, what the matrix that needs most needs. Values
// of 0 are never kept. Errors: another dtype than f32 or f64; rank 0; a tolerance that is negative or NaN; a value that
// is NaN or infinite.
absl::StatusOr<int64_t> RankByTolerance(const Tensor& s, const Tolerance& tolerance);

struct SvdByToleranceResult {
  Var u, s, vh;  // numbers
  int64_t rank;
};
// The triplets of a that the tolerance keeps. Errors: those of Svd and RankByTolerance; a is not numbers.
// Derivative: none; it is that of SvdTruncated(a, rank). Cost: Svd.
absl::StatusOr<SvdByToleranceResult> SvdByTolerance(const Arg& a, const Tolerance& tolerance);

struct SplitByToleranceResult {
  Var left, right;  // numbers
  int64_t rank;
};
// The same of SplitSvd: left = U_k √s, right = √s V_kᴴ.
absl::StatusOr<SplitByToleranceResult> SplitSvdByTolerance(const Arg& a, const Tolerance& tolerance);

struct IsometryByToleranceResult {
  Var u;  // numbers
  int64_t rank;
};
// The same of Isometry: u = U_k.
absl::StatusOr<IsometryByToleranceResult> IsometryByTolerance(const Arg& a, const Tolerance& tolerance);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_SVD_BY_TOLERANCE_H_
