#include "tenferro/ad/node_rules.h"

#include "absl/strings/str_cat.h"
#include "tenferro/ad/active_nodes.h"
#include "tenferro/ad/linear_tape.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/source.h"

namespace tenferro::ad {
namespace {

// The operation itself on the tangents: all linear operands at once, or one after the other where it is linear in each.
void PushThroughLinear(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents,
                       const Location& location) {
  const int outputs = static_cast<int>(node.outputs.size());
  const auto apply = [&](absl::Span<const Var> operands) {
    const Vars results = Emit(node.op, node.attributes, operands, location, outputs);
    for (int k = 0; k < outputs; ++k) output_tangents[k] = SumOrOther(output_tangents[k], results[k]);
  };
  Vars operands(node.inputs.begin(), node.inputs.end());
  if (node.op.multilinear) {
    for (size_t i = 0; i < tangents.size(); ++i) {
      if (tangents[i].empty()) continue;
      operands[i] = tangents[i];
      apply(operands);
      operands[i] = node.inputs[i];
    }
    return;
  }
  for (size_t i = 0; i < tangents.size(); ++i) {
    if (HasOperand(node.op.linear, i)) operands[i] = tangents[i].empty() ? ZerosLike(node.inputs[i]) : tangents[i];
  }
  apply(operands);
}

void FailAll(absl::Span<Var> vars, const Var& error) {
  for (Var& var : vars) var = error;
}

// A family whose rules are a target of their own has no derivatives without it, not even those that linearity gives.
bool LacksItsRules(const OpDef& op) {
  return op.slots != nullptr && op.slots->derivative_target != nullptr && op.slots->derivative == nullptr &&
         op.jvp == nullptr && op.vjp == nullptr && op.transpose == nullptr;
}

}  // namespace

void PushForward(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents,
                 const Location& location) {
  if (LacksItsRules(node.op)) return FailAll(output_tangents, NoRule(node.op, location));
  if (const RuleSet rules = RulesOf(node.op); rules.jvp != nullptr) {
    rules.jvp(node, tangents, output_tangents);
    for (size_t k = 0; k < output_tangents.size(); ++k) {
      const Var& tangent = output_tangents[k];
      if (tangent.empty() || !tangent.ok() || tangent.type() == node.outputs[k].type()) continue;
      return FailAll(output_tangents,
                     ErrorVar(location, node.op.name,
                              absl::StrCat("its rule gives the tangent ", tangent.type().ToString(), " for output ", k,
                                           ", which is ", node.outputs[k].type().ToString())));
    }
    return;
  }
  OperandSet moving = 0;
  for (size_t i = 0; i < tangents.size(); ++i) moving |= OperandSet{!tangents[i].empty()} << i;
  if (node.op.partials[0] != nullptr || node.op.partials[1] != nullptr) {
    for (size_t i = 0; i < tangents.size(); ++i) {
      if (!HasOperand(moving, i)) continue;
      if (i >= std::size(node.op.partials) || node.op.partials[i] == nullptr) {
        return FailAll(output_tangents, NoRule(node.op, location));
      }
      output_tangents[0] =
          SumOrOther(output_tangents[0], node.op.partials[i](node.inputs, node.outputs[0], tangents[i]));
    }
    return;
  }
  if ((moving & ~node.op.linear) == 0) return PushThroughLinear(node, tangents, output_tangents, location);
  FailAll(output_tangents, NoRule(node.op, location));
}

void PullBack(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
              absl::Span<Var> input_cotangents, const Location& location) {
  if (LacksItsRules(node.op)) return FailAll(input_cotangents, NoRule(node.op, location));
  const RuleSet rules = RulesOf(node.op);
  if (rules.vjp != nullptr) return rules.vjp(node, cotangents, wanted, input_cotangents);
  if (rules.transpose != nullptr && (wanted & ~node.op.linear) == 0) {
    return rules.transpose(node, cotangents, wanted, input_cotangents);
  }
  auto tape = std::make_shared<LinearTape>(InnermostContext(node.inputs)->shared_from_this());
  Vars tangents(node.inputs.size());
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (HasOperand(wanted, i)) tangents[i] = tape->Tangent(node.inputs[i].type());
  }
  Vars results(node.outputs.size());
  PushForward(node, tangents, absl::MakeSpan(results), location);
  for (const Var& result : results) {
    if (!result.empty() && !result.ok()) return FailAll(input_cotangents, result);
  }
  const std::vector<Var> shares = tape->Transpose(results, cotangents);
  size_t next = 0;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (HasOperand(wanted, i)) input_cotangents[i] = shares[next++];
  }
}

}  // namespace tenferro::ad
