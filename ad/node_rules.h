#ifndef TENFERRO_AD_NODE_RULES_H_
#define TENFERRO_AD_NODE_RULES_H_

#include "tenferro/runtime/op.h"
#include "tenferro/runtime/var.h"

namespace tenferro::ad {

// One node forwards: tangents of its outputs; empty is zero on both sides. A missing rule gives error Vars.
void PushForward(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents,
                 const Location& location);

// One node backwards: cotangents of the inputs in `wanted`; empty is zero on both sides. Uses the record's vjp, its
// transpose where it is linear, or its tangent rule run backwards.
void PullBack(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
              absl::Span<Var> input_cotangents, const Location& location);

}  // namespace tenferro::ad

#endif  // TENFERRO_AD_NODE_RULES_H_
