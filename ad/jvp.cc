#include "tenferro/ad/jvp.h"

#include "absl/strings/str_cat.h"
#include "tenferro/ad/accumulate.h"
#include "tenferro/ad/active_nodes.h"
#include "tenferro/ad/node_rules.h"
#include "tenferro/runtime/ops/source.h"

namespace tenferro::ad {
namespace {

std::vector<Var> Same(size_t count, const Var& error) { return std::vector<Var>(count, error); }

// Which values lead to an output through operations with a derivative.
std::vector<bool> UsefulValues(const ActiveNodes& active, absl::Span<const Var> outputs) {
  const NodeTable& nodes = active.graph().nodes();
  std::vector<bool> useful(active.num_values());
  for (const Var& output : outputs) useful[active.Resolve(output.id())] = true;
  for (size_t i = active.order().size(); i-- > 0;) {
    const Node& node = nodes.node(active.order()[i]);
    bool needed = false;
    for (uint32_t k = 0; k < node.num_outputs; ++k) needed |= useful[node.first_output + k];
    if (!needed) continue;
    for (ValueId input : nodes.inputs(node)) useful[active.Resolve(input)] = true;
  }
  return useful;
}

enum class Inactive { kIsAnError, kIsZero };

std::vector<Var> Push(absl::Span<const Var> outputs, absl::Span<const Var> wrt, absl::Span<const Var> tangents,
                      Inactive inactive, const Location& here) {
  const auto fail = [&](absl::string_view message) { return Same(outputs.size(), ErrorVar(here, "jvp", message)); };
  if (tangents.size() != wrt.size()) {
    return fail(absl::StrCat(wrt.size(), " wrt but ", tangents.size(), " tangents"));
  }
  absl::StatusOr<ActiveNodes> active = ActiveNodes::Find("jvp", outputs, wrt, here);
  if (!active.ok()) return Same(outputs.size(), Var::Error(active.status()));
  const std::vector<bool> useful = UsefulValues(*active, outputs);
  Accumulator moving(active->num_values());
  for (size_t i = 0; i < wrt.size(); ++i) {
    if (!tangents[i].ok()) {
      return tangents[i].empty() ? fail(absl::StrCat("tangent ", i, " is an empty Var"))
                                 : Same(outputs.size(), tangents[i]);
    }
    if (tangents[i].type() != wrt[i].type()) {
      return fail(absl::StrCat("tangent ", i, " is ", tangents[i].type().ToString(), ", wrt ", i, " is ",
                               wrt[i].type().ToString()));
    }
    const ValueId value = active->Resolve(wrt[i].id());
    if (!active->IsActive(value) || !useful[value]) {
      if (inactive == Inactive::kIsZero) continue;
      return fail(absl::StrCat("no output depends on wrt ", i, ", ", wrt[i].type().ToString(),
                               active->ReasonForZero(wrt[i].dtype())));
    }
    const Var tangent = BringTo(active->graph(), tangents[i], "jvp", here);
    if (!tangent.ok()) return Same(outputs.size(), tangent);
    moving.Add(value, tangent);
  }
  for (uint32_t index : active->order()) {
    const Node node = active->graph().nodes().node(index);
    bool needed = false;
    for (uint32_t k = 0; k < node.num_outputs; ++k) needed |= useful[node.first_output + k];
    const Vars inputs = active->InputsOf(node);
    Vars input_tangents;
    bool any = false;
    for (const Var& input : inputs) {
      input_tangents.push_back(active->IsActive(input.id()) ? moving.Get(input.id()) : Var());
      any |= !input_tangents.back().empty();
    }
    if (!needed || !any) continue;
    const WordSpan words = active->graph().nodes().attributes(node);
    const Words attributes(words.begin(), words.end());  // the table moves while rules append to it
    Vars node_outputs, results(node.num_outputs);
    for (uint32_t k = 0; k < node.num_outputs; ++k) node_outputs.push_back(active->VarOf(node.first_output + k));
    LocationScope scope(node.location);
    PushForward({*node.op, attributes, inputs, node_outputs}, input_tangents, absl::MakeSpan(results), node.location);
    for (uint32_t k = 0; k < node.num_outputs; ++k) {
      if (results[k].empty()) continue;
      if (!results[k].ok()) return Same(outputs.size(), results[k]);
      moving.Add(node.first_output + k, results[k]);  // on top of what an intermediate wrt moves by itself
    }
  }
  std::vector<Var> result;
  for (const Var& output : outputs) result.push_back(moving.Get(active->Resolve(output.id())));
  return result;
}

}  // namespace

std::vector<Var> JvpOptional(absl::Span<const Var> outputs, absl::Span<const Var> wrt, absl::Span<const Var> tangents,
                             Location location) {
  return Push(outputs, wrt, tangents, Inactive::kIsZero, LocationScope::Resolve(location));
}

std::vector<Var> Jvp(absl::Span<const Var> outputs, absl::Span<const Var> wrt, absl::Span<const Var> tangents,
                     Location location) {
  std::vector<Var> result = Push(outputs, wrt, tangents, Inactive::kIsAnError, LocationScope::Resolve(location));
  for (size_t i = 0; i < result.size(); ++i) {
    if (result[i].empty()) result[i] = ZerosLike(outputs[i], location);
  }
  return result;
}

Var Jvp(const Var& output, const Var& wrt, const Var& tangent, Location location) {
  return Jvp(absl::MakeConstSpan(&output, 1), absl::MakeConstSpan(&wrt, 1), absl::MakeConstSpan(&tangent, 1),
             location)[0];
}

}  // namespace tenferro::ad
