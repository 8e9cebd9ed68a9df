#include "tenferro/experiments/parity/evaluate.h"
#include "tenferro/runtime/ops/cumulative.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/indexing.h"
#include "tenferro/runtime/ops/sort.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::parity {
namespace {

using Vars = std::vector<Var>;

// JAX counts negative indices from the end; StableHLO does not.
Var FromTheEnd(const Var& indices, int64_t n) { return Select(Lt(indices, 0), indices + n, indices); }

// x.at[i]: rows of x, the inputs x, i, updates.
template <ScatterKind kKind>
Vars AtRows(const Call& x) {
  const bool is_vector = x[0].rank() == 1;
  return {Scatter(x[0], FromTheEnd(x[1], x[0].dim(0)), x[2], kKind,
                  {.update_window_dims = is_vector ? Ints{} : Ints{1},
                   .inserted_window_dims = {0},
                   .input_batching_dims = {},
                   .scatter_indices_batching_dims = {},
                   .scatter_dims_to_operand_dims = {0},
                   .index_vector_dim = 1})};
}

// Windows [1,3] at pairs of indices.
template <IndexMode kMode>
Vars GatherPairs(const Call& x) {
  return {Gather(x[0], x[1],
                 {.offset_dims = {1},
                  .collapsed_slice_dims = {0},
                  .operand_batching_dims = {},
                  .start_indices_batching_dims = {},
                  .start_index_map = {0, 1},
                  .index_vector_dim = 1,
                  .slice_sizes = {1, 3},
                  .mode = kMode},
                 -9)};
}

template <Var (*kFunction)(const Arg&, int, bool)>
Vars Along1(const Call& x) {
  return {kFunction(x[0], 1, false)};
}

constexpr Formula kFormulas[] = {
    {"index/take", [](const Call& x) -> Vars { return {IndexSelect(x[0], x[1], 0)}; }},
    {"index/take_along_axis", [](const Call& x) -> Vars { return {TakeAlongAxis(x[0], x[1], 1)}; }},
    {"index/gather_clip", GatherPairs<IndexMode::kClamp>},
    {"index/gather_fill", GatherPairs<IndexMode::kFill>},
    {"index/dynamic_slice",
     [](const Call& x) -> Vars {
       std::vector<Arg> starts;
       for (int axis = 0; axis < 3; ++axis) starts.push_back(FromTheEnd(x[1 + axis], x[0].dim(axis)));
       return {DynamicSlice(x[0], starts, {2, 3, 2})};
     }},
    {"index/dynamic_update_slice",
     [](const Call& x) -> Vars {
       return {DynamicUpdateSlice(x[0], x[1], {Arg(x[2]), Arg(1)})};
     }},
    {"index/scatter_set", AtRows<ScatterKind::kSet>},
    {"index/scatter_add", AtRows<ScatterKind::kAdd>},
    {"index/scatter_mul", AtRows<ScatterKind::kMul>},
    {"index/scatter_min", AtRows<ScatterKind::kMin>},
    {"index/scatter_max", AtRows<ScatterKind::kMax>},

    {"cumulative/cumsum_reverse", [](const Call& x) -> Vars { return {CumSum(x[0], 0, true)}; }},
    {"cumulative/cumsum", Along1<CumSum>},
    {"cumulative/cumprod", Along1<CumProd>},
    {"cumulative/cummax", Along1<CumMax>},
    {"cumulative/cumlogsumexp", Along1<CumLogSumExp>},

    {"sort/sort", [](const Call& x) -> Vars { return {Sort(x[0], 1)}; }},
    {"sort/argsort", [](const Call& x) -> Vars { return {ArgSort(x[0], x[0].rank() - 1)}; }},
    {"sort/top_k",
     [](const Call& x) -> Vars {
       const TopKResult top = TopK(x[0], 3, 1);
       return {top.values, Cast(top.indices, DType::kI32)};
     }},
    {"reduce/argmax", [](const Call& x) -> Vars { return {ArgMax(x[0], 1)}; }},
    {"reduce/argmin", [](const Call& x) -> Vars { return {ArgMin(x[0], 1)}; }},
};

}  // namespace

absl::Span<const Formula> IndexingFormulas() { return kFormulas; }

}  // namespace tenferro::parity
