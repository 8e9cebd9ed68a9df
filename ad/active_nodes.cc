#include "tenferro/ad/active_nodes.h"

#include "absl/strings/str_cat.h"
#include "tenferro/ad/post_order.h"
#include "tenferro/runtime/derivative.h"

namespace tenferro::ad {
absl::StatusOr<ActiveNodes> ActiveNodes::Find(const char* transform, absl::Span<const Var> outputs,
                                              absl::Span<const Var> wrt, const Location& location) {
  ActiveNodes result;
  const auto check = [&](const char* what, absl::Span<const Var> vars) -> absl::Status {
    for (size_t i = 0; i < vars.size(); ++i) {
      if (vars[i].empty())
        return ErrorVar(location, transform, absl::StrCat(what, " ", i, " is an empty Var")).status();
      if (!vars[i].ok()) return vars[i].status();
      auto graph = std::dynamic_pointer_cast<GraphContext>(vars[i].context());
      if (graph == nullptr) {
        return ErrorVar(location, transform, absl::StrCat(what, " ", i, " is a number, not a value of a graph"))
            .status();
      }
      if (result.graph_ != nullptr && graph != result.graph_) {
        return ErrorVar(location, transform, absl::StrCat(what, " ", i, " belongs to another graph")).status();
      }
      result.graph_ = graph;
    }
    return absl::OkStatus();
  };
  if (absl::Status s = check("output", outputs); !s.ok()) return s;
  if (absl::Status s = check("wrt", wrt); !s.ok()) return s;
  if (result.graph_ == nullptr) return ErrorVar(location, transform, "there is no output").status();

  GraphContext& graph = *result.graph_;
  // The nodes that the outputs need, bodies unfolded until none is left; each round goes one level deeper.
  std::vector<int64_t> order;
  const auto producer_of_input = [&](int64_t node, int i) -> int64_t {
    return graph.nodes().producer(result.Resolve(graph.nodes().inputs(graph.nodes().node(node))[i]));
  };
  for (bool has_calls = true; has_calls;) {
    std::vector<int64_t> roots;
    for (const Var& output : outputs) roots.push_back(graph.nodes().producer(result.Resolve(output.id())));
    order = PostOrder(
        roots, graph.nodes().num_nodes(),
        [&](int64_t node) { return static_cast<int>(graph.nodes().node(node).num_inputs); }, producer_of_input);
    has_calls = false;
    for (int64_t node : order) {
      if (!StandsForItsBody(*graph.nodes().node(node).op)) continue;
      result.InlineCall(node);
      has_calls = true;
    }
  }

  result.num_values_ = graph.nodes().num_values();
  result.active_.resize(result.num_values_);
  for (const Var& var : wrt) {
    if (IsFloatOrComplex(var.dtype())) result.active_[result.Resolve(var.id())] = true;
  }
  for (int64_t index : order) {
    const Node& node = graph.nodes().node(index);
    bool depends = false;
    for (ValueId input : graph.nodes().inputs(node)) depends |= result.active_[result.Resolve(input)];
    if (!depends) continue;
    if (node.op->not_differentiable != nullptr) {
      result.stopped_by_ = node.op;
      continue;
    }
    bool differentiable = false;
    for (uint32_t k = 0; k < node.num_outputs; ++k) {
      const bool active = IsFloatOrComplex(graph.nodes().type(node.first_output + k).dtype);
      if (active) result.active_[node.first_output + k] = true;
      differentiable |= active;
    }
    if (differentiable) result.order_.push_back(index);
  }
  return result;
}

void ActiveNodes::InlineCall(uint32_t node_index) {
  const Node node = graph_->nodes().node(node_index);
  const std::shared_ptr<const Body> body = graph_->data().bodies[graph_->nodes().attributes(node)[0]];
  const std::vector<Var> results = InlineBody(*body, InputsOf(node));
  alias_.resize(graph_->nodes().num_values(), kNoValue);
  for (uint32_t k = 0; k < node.num_outputs; ++k) alias_[node.first_output + k] = results[k].id();
}

Vars ActiveNodes::InputsOf(const Node& node) const {
  Vars inputs;
  for (ValueId input : graph_->nodes().inputs(node)) inputs.push_back(VarOf(Resolve(input)));
  return inputs;
}

std::string ActiveNodes::ReasonForZero(DType wrt) const {
  if (!IsFloat(wrt) && !IsComplex(wrt)) return " (only floats and complex numbers have derivatives)";
  if (stopped_by_ == nullptr) return "";
  return absl::StrCat(" (it passes through ", stopped_by_->name, ": ", stopped_by_->not_differentiable, ")");
}

Var BringTo(GraphContext& graph, const Var& var, const char* transform, const Location& location) {
  for (Context* context = var.context().get(); context != nullptr; context = context->parent()) {
    if (context == &graph) return var;
  }
  return graph.Adopt(var, transform, location);
}

RuleSet RulesOf(const OpDef& op) {
  RuleSet own{op.jvp, op.vjp, op.transpose};
  if (own.jvp != nullptr || own.vjp != nullptr || own.transpose != nullptr) return own;
  if (op.slots != nullptr && op.slots->derivative != nullptr) {
    for (const DerivativeRules& rules : op.slots->derivative->rules) {
      if (rules.op == &op) return {rules.jvp, rules.vjp, rules.transpose};
    }
  }
  return {};
}

Var NoRule(const OpDef& op, const Location& location) {
  if (op.slots != nullptr && op.slots->derivative == nullptr && op.slots->derivative_target != nullptr) {
    return ErrorVar(location, op.name,
                    absl::StrCat("has no derivative rule here: add \"", op.slots->derivative_target, "\" to deps"));
  }
  return ErrorVar(location, op.name, "has no derivative rule of this kind");
}

}  // namespace tenferro::ad
