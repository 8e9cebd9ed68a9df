#include "tenferro/experiments/parity/evaluate.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::parity {
namespace {

using Vars = std::vector<Var>;

// The attribute `axis`: one axis, several, or null for all.
Ints AxesOf(const Call& x) {
  Ints all;
  for (int axis = 0; axis < x[0].rank(); ++axis) all.push_back(axis);
  return x.IntsOf("axis", all);
}

template <Var (*kReduction)(const Arg&, const Ints&)>
Vars Reduction(const Call& x) {
  return {kReduction(x[0], AxesOf(x))};
}

double Count(const Var& x, const Ints& axes) {
  double count = 1;
  for (int64_t axis : axes) count *= x.dim(axis);
  return count;
}

Var Mean(const Var& x, const Ints& axes) { return ReduceSum(x, axes) / Count(x, axes); }

// A reduction's result with the removed axes back, repeated to the shape of `x`.
Var Spread(const Var& reduced, const Var& x, const Ints& axes) {
  Ints kept;
  for (int axis = 0; axis < x.rank(); ++axis) {
    bool removed = false;
    for (int64_t other : axes) removed |= other == axis;
    if (!removed) kept.push_back(axis);
  }
  return BroadcastInDim(reduced, x.shape(), kept);
}

Var Variance(const Var& x, const Ints& axes) { return Mean(Square(x - Spread(Mean(x, axes), x, axes)), axes); }

constexpr Formula kFormulas[] = {
    {"reduce/sum", Reduction<ReduceSum>},
    {"reduce/prod", Reduction<ReduceProd>},
    {"reduce/max", Reduction<ReduceMax>},
    {"reduce/min", Reduction<ReduceMin>},
    {"reduce/mean", [](const Call& x) -> Vars { return {Mean(x[0], AxesOf(x))}; }},
    {"reduce/var", [](const Call& x) -> Vars { return {Variance(x[0], AxesOf(x))}; }},
    {"reduce/std", [](const Call& x) -> Vars { return {Sqrt(Variance(x[0], AxesOf(x)))}; }},
    {"reduce/norm", [](const Call& x) -> Vars { return {Sqrt(ReduceSum(Square(x[0]), AxesOf(x)))}; }},
    {"reduce/logsumexp",
     [](const Call& x) -> Vars {
       const Ints axes = AxesOf(x);
       const Var largest = ReduceMax(x[0], axes);
       return {largest + Log(ReduceSum(Exp(x[0] - Spread(largest, x[0], axes)), axes))};
     }},
    {"reduce/any", [](const Call& x) -> Vars { return {ReduceMax(Gt(x[0], 1), AxesOf(x))}; }},
    {"reduce/all", [](const Call& x) -> Vars { return {ReduceMin(Gt(x[0], -1), AxesOf(x))}; }},
};

}  // namespace

absl::Span<const Formula> ReduceFormulas() { return kFormulas; }

}  // namespace tenferro::parity
