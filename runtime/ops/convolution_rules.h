#ifndef TENFERRO_RUNTIME_OPS_CONVOLUTION_RULES_H_
#define TENFERRO_RUNTIME_OPS_CONVOLUTION_RULES_H_

#include "tenferro/runtime/op.h"

namespace tenferro {

// The rules of conv_general. All are convolutions again, of operands whose axes of channels, batch and groups are put
// elsewhere.
absl::Status InferConv(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs);
void TransposeConv(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                   absl::Span<Var> input_cotangents);
void BatchConv(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_CONVOLUTION_RULES_H_
