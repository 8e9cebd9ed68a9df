#include "tenferro/linalg/svd_by_tolerance.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/tensor/status.h"

namespace tenferro::linalg {
namespace {

template <class... Pieces>
absl::Status Invalid(const Pieces&... pieces) {
  return absl::InvalidArgumentError(absl::StrCat("rank_by_tolerance: ", pieces...));
}

template <class R>
absl::StatusOr<int64_t> RankOf(absl::Span<const R> s, const Tolerance& tolerance) {
  for (R x : s) {
    if (!std::isfinite(x)) return Invalid("a singular value is ", x);
  }
  if (s.empty() || !(s[0] > 0)) return 0;
  // Relative to the largest, squares neither overflow nor vanish where they count.
  const double largest = s[0];
  const double least = std::max(tolerance.absolute, tolerance.relative * largest);
  int64_t rank = 0;
  const int64_t count = static_cast<int64_t>(s.size());
  while (rank < count && s[rank] > least) ++rank;
  double weight = 0;
  for (int64_t i = count - 1; i >= 0; --i) weight += (s[i] / largest) * (s[i] / largest);
  double tail = 0;
  int64_t needed = count;
  while (needed > 0) {
    const double x = s[needed - 1] / largest;
    if (tail + x * x > tolerance.discarded_weight * weight) break;
    tail += x * x;
    --needed;
  }
  return std::min({rank, needed, tolerance.max_rank});
}

template <class R>
absl::StatusOr<int64_t> RankOfBatch(const Tensor& s, const Tolerance& tolerance) {
  const absl::StatusOr<absl::Span<const R>> all = s.Data<R>();
  TENFERRO_RETURN_IF_ERROR(all.status());
  const int64_t length = s.shape().extent(0);
  int64_t rank = 0;
  for (int64_t first = 0; first < static_cast<int64_t>(all->size()); first += length) {
    const absl::StatusOr<int64_t> own = RankOf(all->subspan(first, length), tolerance);
    TENFERRO_RETURN_IF_ERROR(own.status());
    rank = std::max(rank, *own);
  }
  return rank;
}

absl::Status NeedsNumbers(const Arg& a, const char* function) {
  const Var& var = a.var();
  TENFERRO_RETURN_IF_ERROR(a.Tensor(function).status());
  if (var.context()->holds_numbers()) return absl::OkStatus();
  return ErrorVar(a.location(), function,
                  "the rank depends on the numbers, which a graph does not have: find it with RankByTolerance and "
                  "truncate to it")
      .status();
}

}  // namespace

absl::StatusOr<int64_t> RankByTolerance(const Tensor& s, const Tolerance& tolerance) {
  for (double x : {tolerance.relative, tolerance.absolute, tolerance.discarded_weight}) {
    if (!(x >= 0)) return Invalid("a tolerance is ", x);
  }
  if (tolerance.max_rank < 0) return Invalid("max_rank is ", tolerance.max_rank);
  if (s.shape().rank() == 0) return Invalid("needs values [k, batch…], got ", Name(s.dtype()), "[]");
  switch (s.dtype()) {
    case DType::kF32: return RankOfBatch<float>(s, tolerance);
    case DType::kF64: return RankOfBatch<double>(s, tolerance);
    default: return Invalid("does not take ", Name(s.dtype()));
  }
}

absl::StatusOr<SvdByToleranceResult> SvdByTolerance(const Arg& a, const Tolerance& tolerance) {
  LocationScope scope(a.location());
  TENFERRO_RETURN_IF_ERROR(NeedsNumbers(a, "linalg.svd_by_tolerance"));
  const SvdResult all = Svd(a.var());
  const absl::StatusOr<Tensor> s = all.s.ToTensor();
  TENFERRO_RETURN_IF_ERROR(s.status());
  const absl::StatusOr<int64_t> rank = RankByTolerance(*s, tolerance);
  TENFERRO_RETURN_IF_ERROR(rank.status());
  return SvdByToleranceResult{FirstColumns(all.u, *rank), FirstRows(all.s, *rank), FirstRows(all.vh, *rank), *rank};
}

absl::StatusOr<SplitByToleranceResult> SplitSvdByTolerance(const Arg& a, const Tolerance& tolerance) {
  LocationScope scope(a.location());
  const absl::StatusOr<SvdByToleranceResult> kept = SvdByTolerance(a, tolerance);
  TENFERRO_RETURN_IF_ERROR(kept.status());
  const Var root = Sqrt(kept->s);
  return SplitByToleranceResult{ScaleColumns(kept->u, root), ScaleRows(root, kept->vh), kept->rank};
}

absl::StatusOr<IsometryByToleranceResult> IsometryByTolerance(const Arg& a, const Tolerance& tolerance) {
  LocationScope scope(a.location());
  const absl::StatusOr<SvdByToleranceResult> kept = SvdByTolerance(a, tolerance);
  TENFERRO_RETURN_IF_ERROR(kept.status());
  return IsometryByToleranceResult{kept->u, kept->rank};
}

}  // namespace tenferro::linalg
