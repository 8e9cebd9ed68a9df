#include "tenferro/ad/vjp.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tenferro/ad/accumulate.h"
#include "tenferro/ad/active_nodes.h"
#include "tenferro/ad/node_rules.h"

namespace tenferro::ad {
namespace {

// The shares that one node sends to each of its distinct inputs, summed there first.
void AddShares(const Vars& inputs, const Vars& shares, Accumulator& sums) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto same = [&](const Var& other) { return other.id() == inputs[i].id(); };
    if (std::any_of(inputs.begin(), inputs.begin() + i, same)) continue;
    Var sum = shares[i];
    for (size_t j = i + 1; j < inputs.size(); ++j) {
      if (same(inputs[j])) sum = SumOrOther(sum, shares[j]);
    }
    if (!sum.empty()) sums.Add(inputs[i].id(), sum);
  }
}

}  // namespace

std::vector<Var> VjpOptional(absl::Span<const Var> outputs, absl::Span<const Var> wrt, absl::Span<const Var> seeds,
                             Location location) {
  const Location here = LocationScope::Resolve(location);
  const auto fail = [&](const Var& error) { return std::vector<Var>(wrt.size(), error); };
  if (seeds.size() != outputs.size()) {
    return fail(ErrorVar(here, "vjp", absl::StrCat(outputs.size(), " outputs but ", seeds.size(), " seeds")));
  }
  absl::StatusOr<ActiveNodes> active = ActiveNodes::Find("vjp", outputs, wrt, here);
  if (!active.ok()) return fail(Var::Error(active.status()));
  Accumulator sums(active->num_values());
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (seeds[i].empty()) return fail(ErrorVar(here, "vjp", absl::StrCat("seed ", i, " is an empty Var")));
    if (!seeds[i].ok()) return fail(seeds[i]);
    if (seeds[i].type() != outputs[i].type()) {
      return fail(ErrorVar(here, "vjp",
                           absl::StrCat("seed ", i, " is ", seeds[i].type().ToString(), ", output ", i, " is ",
                                        outputs[i].type().ToString())));
    }
    const Var seed = BringTo(active->graph(), seeds[i], "vjp", here);
    if (!seed.ok()) return fail(seed);
    const ValueId value = active->Resolve(outputs[i].id());
    if (active->IsActive(value)) sums.Add(value, seed);
  }
  for (size_t position = active->order().size(); position-- > 0;) {
    const Node node = active->graph().nodes().node(active->order()[position]);
    Vars cotangents;
    bool any = false;
    for (uint32_t k = 0; k < node.num_outputs; ++k) {
      cotangents.push_back(sums.Get(node.first_output + k));
      any |= !cotangents.back().empty();
    }
    if (!any) continue;
    const Vars inputs = active->InputsOf(node);
    Vars outputs_of_node;
    for (uint32_t k = 0; k < node.num_outputs; ++k) outputs_of_node.push_back(active->VarOf(node.first_output + k));
    OperandSet wanted = 0;
    for (size_t i = 0; i < inputs.size(); ++i) wanted |= OperandSet{active->IsActive(inputs[i].id())} << i;
    const WordSpan words = active->graph().nodes().attributes(node);
    const Words attributes(words.begin(), words.end());  // the table moves while rules append to it
    Vars shares(inputs.size());
    LocationScope scope(node.location);
    PullBack({*node.op, attributes, inputs, outputs_of_node}, cotangents, wanted, absl::MakeSpan(shares),
             node.location);
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!HasOperand(wanted, i)) shares[i] = Var();
      if (shares[i].empty()) continue;
      if (!shares[i].ok()) return fail(shares[i]);
      if (shares[i].type() != inputs[i].type()) {
        return fail(ErrorVar(node.location, node.op->name,
                             absl::StrCat("its rule gives the cotangent ", shares[i].type().ToString(), " for operand ",
                                          i, ", which is ", inputs[i].type().ToString())));
      }
    }
    AddShares(inputs, shares, sums);
  }
  std::vector<Var> result;
  for (const Var& var : wrt) result.push_back(sums.Get(active->Resolve(var.id())));
  return result;
}

std::vector<Var> Vjp(absl::Span<const Var> outputs, absl::Span<const Var> wrt, absl::Span<const Var> seeds,
                     Location location) {
  const Location here = LocationScope::Resolve(location);
  std::vector<Var> result = VjpOptional(outputs, wrt, seeds, here);
  for (size_t i = 0; i < result.size(); ++i) {
    if (!result[i].empty()) continue;
    const std::string why = ActiveNodes::Find("vjp", outputs, wrt, here)->ReasonForZero(wrt[i].dtype());
    const Var error =
        ErrorVar(here, "vjp", absl::StrCat("no output depends on wrt ", i, ", ", wrt[i].type().ToString(), why));
    return std::vector<Var>(result.size(), error);
  }
  return result;
}

}  // namespace tenferro::ad
