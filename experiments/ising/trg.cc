#include "tenferro/experiments/ising/trg.h"

#include <algorithm>
#include <limits>

#include "tenferro/einsum/einsum.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

// √s, with 0 and no derivative where s is negligible.
Var RootOrZero(const Var& s, int64_t rows) {
  const double tau = static_cast<double>(rows) * std::numeric_limits<double>::epsilon();
  const Var small = Le(s, ReduceMax(s) * tau);
  return Select(small, 0.0, Sqrt(Select(small, 1.0, s)));
}

linalg::SplitResult SplitBond(const Var& matrix, int64_t k, BondSplit split) {
  if (split == BondSplit::kSplit) return linalg::SplitSvd(matrix, k);
  const int64_t rows = matrix.dim(0);
  linalg::SvdResult svd;
  if (split == BondSplit::kTruncated) {
    svd = linalg::SvdTruncated(matrix, k);
  } else {
    svd = linalg::Svd(matrix);
    svd = {linalg::FirstColumns(svd.u, k), linalg::FirstRows(svd.s, k), linalg::FirstRows(svd.vh, k)};
  }
  const Var root = RootOrZero(svd.s, rows);
  return {linalg::ScaleColumns(svd.u, root), linalg::ScaleRows(root, svd.vh)};
}

}  // namespace

Var IsingTensor(const Var& beta) {
  const auto element = [](const Var& x) { return Reshape(x, {1, 1}); };
  const Var c = element(Sqrt(Cosh(beta)));
  const Var d = element(Sqrt(Sinh(beta)));
  const Var w = Concatenate({Concatenate({c, c}, 0), Concatenate({d, -d}, 0)}, 1);
  const Shape shape{2, 2, 2, 2, 2};  // s, r, u, l, d
  Var product = BroadcastInDim(w, shape, {0, 1});
  for (int leg = 2; leg <= 4; ++leg) product = product * BroadcastInDim(w, shape, {0, leg});
  return ReduceSum(product, {0});
}

TrgStep Renormalize(const Var& tensor, int64_t k, BondSplit split) {
  const int64_t d = tensor.dim(0);
  const Var norm = ReduceMax(Abs(tensor));
  const Var t = tensor / norm;
  const linalg::SplitResult rising = SplitBond(Reshape(t, {d * d, d * d}), k, split);
  const linalg::SplitResult falling = SplitBond(Reshape(Transpose(t, {1, 2, 3, 0}), {d * d, d * d}), k, split);
  const Var s1 = Reshape(rising.left, {d, d, k});    // r, u, k
  const Var s3 = Reshape(rising.right, {k, d, d});   // k, l, d
  const Var s2 = Reshape(falling.left, {d, d, k});   // u, l, k
  const Var s4 = Reshape(falling.right, {k, d, d});  // k, d, r
  const Var x = Einsum("icb,baq->icaq", {s3, s2});
  const Var y = Einsum("jec,aep->jcap", {s4, s1});
  return {Einsum("icaq,jcap->ijpq", {x, y}), Log(norm)};
}

Var LogTrace(const Var& tensor) { return Log(Einsum("ruru->", {tensor})); }

Var LogPartitionPerSite(const Var& beta, absl::Span<const int64_t> ranks, BondSplit split) {
  Var tensor = IsingTensor(beta);
  Var sum = ZerosLike(beta);
  double weight = 1;
  for (int64_t k : ranks) {
    const TrgStep step = Renormalize(tensor, k, split);
    sum = sum + step.log_norm * weight;
    tensor = step.next;
    weight /= 2;
  }
  return sum + LogTrace(tensor) * weight;
}

std::vector<int64_t> RankSchedule(int64_t chi, int64_t steps) {
  constexpr int64_t kExactRanks[] = {2, 4, 4, 16};
  std::vector<int64_t> ranks;
  for (int64_t i = 0; i < steps; ++i)
    ranks.push_back(i < 4 ? std::min(chi, kExactRanks[i]) : std::min<int64_t>(chi, 16));
  return ranks;
}

std::vector<int64_t> FullSchedule(int64_t chi, int64_t steps) {
  std::vector<int64_t> ranks;
  int64_t d = 2;
  for (int64_t i = 0; i < steps; ++i) ranks.push_back(d = std::min(chi, d * d));
  return ranks;
}

}  // namespace tenferro
