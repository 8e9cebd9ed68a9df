#include "tenferro/ad/custom_rule.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tenferro/ad/linear_tape.h"
#include "tenferro/runtime/ops/call.h"
#include "tenferro/runtime/ops/source.h"

namespace tenferro::ad {
namespace {

// True for a number and for a value of the innermost context of `vars` or of one around it.
bool IsUsable(const Var& var, const Vars& vars) {
  if (var.context()->holds_numbers()) return true;
  const Context* context = InnermostContext(vars);
  while (context != nullptr && context != var.context().get()) context = context->parent();
  return context != nullptr;
}

// What a rule is called with: the node's values, and the tangents or cotangents with zeros for those that are not
// there.
struct RuleCall {
  RuleCall(const NodeView& node, absl::Span<const Var> primals, absl::Span<const Var> moving)
      : body(BodyOf(node)), custom(static_cast<const CustomRule&>(*body->extra)) {
    for (size_t i = 0; i < primals.size(); ++i) {
      const bool can_move = IsFloatOrComplex(primals[i].dtype());
      filled.push_back(!can_move ? Var() : moving[i].empty() ? ZerosLike(primals[i]) : moving[i]);
    }
  }

  // The rule's results, each empty or of the type of its value in `expected`; else one error Var for each.
  std::vector<Var> Results(const NodeView& node, const char* what, absl::Span<const Var> expected) const {
    std::vector<Var> results = custom.rule(node.inputs.first(custom.num_arguments), node.outputs, filled);
    const auto fail = [&](absl::string_view message) {
      return std::vector<Var>(expected.size(), ErrorVar(Location::current(), node.op.name, message));
    };
    if (results.size() != expected.size()) {
      return fail(absl::StrCat("the rule gives ", results.size(), " ", what, "s for ", expected.size(), " values"));
    }
    Vars known(expected.begin(), expected.end());
    for (const Var& moving : filled) {
      if (!moving.empty()) known.push_back(moving);
    }
    for (size_t i = 0; i < results.size(); ++i) {
      if (results[i].empty()) continue;
      if (!results[i].ok()) return std::vector<Var>(expected.size(), results[i]);
      if (!IsUsable(results[i], known)) {
        return fail(absl::StrCat("the rule's ", what, " ", i, " belongs to another graph"));
      }
      if (results[i].type() != expected[i].type()) {
        return fail(absl::StrCat("the rule's ", what, " ", i, " is ", results[i].type().ToString(), ", its value ",
                                 expected[i].type().ToString()));
      }
    }
    return results;
  }

  std::shared_ptr<const Body> body;
  const CustomRule& custom;
  Vars filled;
};

// An error Var if an outer value that the function uses has a derivative, else an empty one.
Var OuterValueMoves(const NodeView& node, bool moves) {
  if (!moves) return Var();
  return ErrorVar(Location::current(), node.op.name,
                  "the function uses an outer value that is differentiated: make it an argument");
}

bool AnyAfter(absl::Span<const Var> vars, size_t first) {
  for (size_t i = first; i < vars.size(); ++i) {
    if (!vars[i].empty()) return true;
  }
  return false;
}

void JvpByRule(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const size_t count = static_cast<const CustomRule&>(*BodyOf(node)->extra).num_arguments;
  if (const Var error = OuterValueMoves(node, AnyAfter(tangents, count)); !error.empty()) {
    for (Var& tangent : output_tangents) tangent = error;
    return;
  }
  const RuleCall call(node, node.inputs.first(count), tangents);
  const std::vector<Var> results = call.Results(node, "tangent", node.outputs);
  std::copy(results.begin(), results.end(), output_tangents.begin());
}

void VjpByRule(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
               absl::Span<Var> input_cotangents) {
  const RuleCall call(node, node.outputs, cotangents);
  const size_t count = call.custom.num_arguments;
  if (const Var error = OuterValueMoves(node, (wanted >> count) != 0); !error.empty()) {
    for (Var& cotangent : input_cotangents) cotangent = error;
    return;
  }
  const std::vector<Var> results = call.Results(node, "cotangent", node.inputs.first(count));
  std::copy(results.begin(), results.end(), input_cotangents.begin());
}

// The rule is a linear map from cotangents to cotangents; its transpose takes tangents to tangents.
void JvpByTranspose(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  auto tape = std::make_shared<LinearTape>(InnermostContext(node.inputs)->shared_from_this());
  Vars cotangents;
  for (const Var& output : node.outputs) {
    cotangents.push_back(IsFloatOrComplex(output.dtype()) ? tape->Tangent(output.type()) : Var());
  }
  Vars shares(node.inputs.size());
  OperandSet wanted = 0;
  for (size_t i = 0; i < tangents.size(); ++i) wanted |= OperandSet{!tangents[i].empty()} << i;
  VjpByRule(node, cotangents, wanted, absl::MakeSpan(shares));
  Vars results, moving;
  for (size_t i = 0; i < shares.size(); ++i) {
    if (shares[i].empty() || tangents[i].empty()) continue;
    if (!shares[i].ok()) {
      for (Var& tangent : output_tangents) tangent = shares[i];
      return;
    }
    results.push_back(shares[i]);
    moving.push_back(tangents[i]);
  }
  const std::vector<Var> transposed = tape->Transpose(results, moving);
  size_t next = 0;
  for (size_t k = 0; k < node.outputs.size(); ++k) {
    if (!cotangents[k].empty()) output_tangents[k] = transposed[next++];
  }
}

std::vector<Var> EmitCustom(const OpDef& op, Values arguments, const TracedFunction& function, CustomJvpRule rule,
                            const Location& location) {
  const Location here = LocationScope::Resolve(location);
  bool all_ok = !arguments.empty();
  for (const Var& argument : arguments) all_ok = all_ok && argument.ok();
  if (rule == nullptr) return {ErrorVar(here, op.name, "the rule is empty")};
  if (all_ok && function != nullptr && InnermostContext(arguments)->holds_numbers()) return function(arguments);
  absl::StatusOr<TracedBody> traced = TraceBody(arguments, function, op.name, here);
  if (!traced.ok()) return {Var::Error(traced.status())};
  if (traced->num_outputs == 0) return {};
  auto custom = std::make_shared<CustomRule>();
  custom->rule = std::move(rule);
  custom->num_arguments = arguments.size();
  auto body = std::make_shared<Body>(*traced->body);
  body->extra = std::move(custom);
  const Vars outputs = InnermostContext(arguments)->EmitWithBody(op, body, {}, traced->operands, here);
  return std::vector<Var>(outputs.begin(), outputs.end());
}

// A rule for all slices. Only what is there goes through the batched function, which knows no empty Var.
CustomJvpRule BatchedRule(CustomJvpRule rule, const BodyExtra::BatchFunction& batch) {
  return [rule, batch](Values inputs, Values outputs, Values moving) -> std::vector<Var> {
    std::vector<Var> flat(inputs.begin(), inputs.end());
    flat.insert(flat.end(), outputs.begin(), outputs.end());
    std::vector<size_t> moves, found;
    for (size_t i = 0; i < moving.size(); ++i) {
      if (moving[i].empty()) continue;
      moves.push_back(i);
      flat.push_back(moving[i]);
    }
    size_t num_results = 0;
    const TracedFunction slices = [&](Values in) -> std::vector<Var> {
      std::vector<Var> slice_moving(moving.size());
      for (size_t i = 0; i < moves.size(); ++i) slice_moving[moves[i]] = in[inputs.size() + outputs.size() + i];
      const std::vector<Var> results =
          rule(in.first(inputs.size()), in.subspan(inputs.size(), outputs.size()), slice_moving);
      num_results = results.size();
      std::vector<Var> present;
      for (size_t i = 0; i < results.size(); ++i) {
        if (results[i].empty()) continue;
        found.push_back(i);
        present.push_back(results[i]);
      }
      return present;
    };
    const std::vector<Var> present = batch(slices)(flat);
    std::vector<Var> results(num_results);
    for (size_t i = 0; i < present.size(); ++i) {
      if (!present[i].ok()) return std::vector<Var>(std::max<size_t>(num_results, 1), present[i]);
      results[found[i]] = present[i];
    }
    return results;
  };
}

}  // namespace

std::vector<Var> CustomRule::EmitBatched(const OpDef& op, std::shared_ptr<const Body> body, Values operands,
                                         const BatchFunction& batch, const Location& location) const {
  const Values captured = operands.subspan(num_arguments);
  const TracedFunction slices = batch([body](Values in) { return InlineBody(*body, in); });
  const TracedFunction function = [&](Values in) {
    std::vector<Var> all(in.begin(), in.end());
    all.insert(all.end(), captured.begin(), captured.end());
    return slices(all);
  };
  return EmitCustom(op, operands.first(num_arguments), function, BatchedRule(rule, batch), location);
}

constexpr OpDef kCustomJvp{.name = "custom_jvp", .infer = InferWithBody, .kind = OpKind::kCall, .jvp = JvpByRule};
constexpr OpDef kCustomVjp{
    .name = "custom_vjp", .infer = InferWithBody, .kind = OpKind::kCall, .jvp = JvpByTranspose, .vjp = VjpByRule};

std::vector<Var> CustomJvp(Values arguments, const TracedFunction& function, CustomJvpRule rule, Location location) {
  return EmitCustom(kCustomJvp, arguments, function, std::move(rule), location);
}

std::vector<Var> CustomVjp(Values arguments, const TracedFunction& function, CustomVjpRule rule, Location location) {
  return EmitCustom(kCustomVjp, arguments, function, std::move(rule), location);
}

}  // namespace tenferro::ad
