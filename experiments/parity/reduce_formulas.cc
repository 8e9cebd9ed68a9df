#include "tenferro/experiments/parity/evaluate.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/reductions.h"

namespace tenferro::parity {
namespace {

using Vars = std::vector<Var>;

// The attribute `axis`: one axis, several, or null for all.
Ints AxesOf(const Call& x) {
  Ints all;
  for (int axis = 0; axis < x[0].rank(); ++axis) all.push_back(axis);
  return x.IntsOf("axis", all);
}

// The function with its default options.
template <class Options, Var (*kReduction)(const Arg&, const Ints&, Options)>
Vars Reduction(const Call& x) {
  return {kReduction(x[0], AxesOf(x), {})};
}
template <Var (*kReduction)(const Arg&, const Ints&)>
Vars Reduction(const Call& x) {
  return {kReduction(x[0], AxesOf(x))};
}

constexpr Formula kFormulas[] = {
    {"reduce/sum", Reduction<ReduceSum>},
    {"reduce/prod", Reduction<ReduceProd>},
    {"reduce/max", Reduction<ReduceMax>},
    {"reduce/min", Reduction<ReduceMin>},
    {"reduce/mean", Reduction<KeepDims, Mean>},
    {"reduce/var", Reduction<const VarianceOptions&, Variance>},
    {"reduce/std", Reduction<const VarianceOptions&, StandardDeviation>},
    {"reduce/norm", Reduction<const NormOptions&, Norm>},
    {"reduce/logsumexp", Reduction<KeepDims, LogSumExp>},
    {"reduce/any", [](const Call& x) -> Vars { return {Any(Gt(x[0], 1), AxesOf(x))}; }},
    {"reduce/all", [](const Call& x) -> Vars { return {All(Gt(x[0], -1), AxesOf(x))}; }},
};

}  // namespace

absl::Span<const Formula> ReduceFormulas() { return kFormulas; }

}  // namespace tenferro::parity
