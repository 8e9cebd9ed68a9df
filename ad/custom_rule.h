#ifndef TENFERRO_AD_CUSTOM_RULE_H_
#define TENFERRO_AD_CUSTOM_RULE_H_

#include <functional>
#include <vector>

#include "absl/types/span.h"
#include "tenferro/runtime/graph.h"

namespace tenferro::ad {

// Functions with a derivative of the caller's own, in place of that of the operations in them:
//   Var y = CustomVjp({x}, [](Values in) -> std::vector<Var> { return {Log1p(Exp(in[0]))}; },
//                     [](Values in, Values out, Values ct) -> std::vector<Var> { return {ct[0] / (1 + Exp(-in[0]))}; })[0];
// The rule gets the arguments and results of the function again; what it computes anew from the arguments in the same
// way is computed once. Rules are differentiated like any other function, so derivatives of higher order are those of
// the rule. A function may use values of the graph around it, but a derivative with respect to one is an error: give it
// as an argument. A rule uses what it is called with and nothing else.
using Values = absl::Span<const Var>;

// tangents[i] has the type of inputs[i], zeros where it does not move; it is empty for integers and bools. Returns a
// tangent for each output; an empty Var is zero. Linear in the tangents: what is not cannot be run backwards.
using CustomJvpRule = std::function<std::vector<Var>(Values inputs, Values outputs, Values tangents)>;
// cotangents[i] has the type of outputs[i]; empty for integers and bools. Returns a cotangent for each input; an empty
// Var is zero. Convention of complex numbers: that of Vjp.
using CustomVjpRule = std::function<std::vector<Var>(Values inputs, Values outputs, Values cotangents)>;

// The results of `function` on `arguments`. Derivatives in both directions come from the rule: the vjp by running it
// backwards. Errors: those of Call; no rule; at the derivative, a rule that returns another number of values, other
// types, or values of another graph.
std::vector<Var> CustomJvp(Values arguments, const TracedFunction& function, CustomJvpRule rule,
                           Location location = Location::current());
// The jvp is the transpose of the rule, which must then be linear in the cotangents.
std::vector<Var> CustomVjp(Values arguments, const TracedFunction& function, CustomVjpRule rule,
                           Location location = Location::current());

extern const OpDef kCustomJvp, kCustomVjp;

// What such an operation holds.
struct CustomRule final : BodyExtra {
  std::function<std::vector<Var>(Values inputs, Values outputs, Values moving)> rule;
  size_t num_arguments = 0;
  bool derivative_is_of_body() const override { return false; }
  std::vector<Var> EmitBatched(const OpDef& op, std::shared_ptr<const Body> body, Values operands,
                               const BatchFunction& batch, const Location& location) const override;
};

}  // namespace tenferro::ad

#endif  // TENFERRO_AD_CUSTOM_RULE_H_
