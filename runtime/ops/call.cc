#include "tenferro/runtime/ops/call.h"

namespace tenferro {
absl::Status InferWithBody(const OpDef&, WordSpan, absl::Span<const ValueType>, ValueTypes&) {
  return absl::InternalError("is made with its body alone");
}

constexpr OpDef kCall{.name = "call", .infer = InferWithBody, .kind = OpKind::kCall};

std::vector<Var> Call(absl::Span<const Var> arguments, const TracedFunction& function, Location location) {
  const Location here = LocationScope::Resolve(location);
  bool all_ok = !arguments.empty();
  for (const Var& argument : arguments) all_ok = all_ok && argument.ok();
  if (all_ok && function != nullptr && InnermostContext(arguments)->holds_numbers()) return function(arguments);
  absl::StatusOr<TracedBody> traced = TraceBody(arguments, function, kCall.name, here);
  if (!traced.ok()) return {Var::Error(traced.status())};
  if (traced->num_outputs == 0) return {};
  Vars outputs = InnermostContext(arguments)->EmitWithBody(kCall, traced->body, {}, traced->operands, here);
  return std::vector<Var>(outputs.begin(), outputs.end());
}

}  // namespace tenferro
