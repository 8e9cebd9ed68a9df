#include "tenferro/runtime/ops/stop_gradient.h"

#include "tenferro/runtime/ops/elementwise_rules.h"
#include "tenferro/runtime/ops/emit.h"

namespace tenferro {
namespace {

using elementwise_internal::Infer;
using elementwise_internal::Same;

ValueId SimplifyAway(Rewriter&, WordSpan, absl::Span<const ValueId> in, const ValueType&) { return in[0]; }

// By the function, which numbers pass through without an operation.
void BatchStopGradient(const NodeView& node, OperandSet, Dim, absl::Span<Var> outputs) {
  outputs[0] = StopGradient(node.inputs[0]);
}

}  // namespace

constexpr OpDef kStopGradient = [] {
  OpDef op = elementwise_internal::ElementwiseRecord({.name = "stop_gradient", .infer = Infer<Same>}, nullptr);
  op.not_differentiable = "the derivative was to stop there";
  op.batch = BatchStopGradient;
  op.simplify = SimplifyAway;
  return op;
}();

Var StopGradient(const Arg& x) {
  const Var var = x.Tensor(kStopGradient.name);
  return var.ok() && var.context()->holds_numbers() ? var : EmitUnary(kStopGradient, x);
}

}  // namespace tenferro
