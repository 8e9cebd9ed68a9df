#ifndef TENFERRO_RUNTIME_OPS_ELEMENTWISE_RULES_H_
#define TENFERRO_RUNTIME_OPS_ELEMENTWISE_RULES_H_

#include "tenferro/runtime/op.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/var.h"
#include "tenferro/tensor/status.h"

// What the records of elementwise operations share, for the files that define such families.
namespace tenferro::elementwise_internal {

using In = absl::Span<const Var>;

// Whether the operands have one shape, the last a dtype of the record's, and the last two the same.
absl::Status CheckOperands(const OpDef& op, absl::Span<const ValueType> inputs);
absl::Status CheckSameDTypes(absl::Span<const ValueType> inputs);

inline DType Same(DType dtype) { return dtype; }
inline DType Bool(DType) { return DType::kBool; }

// A shape rule; the result's dtype is a function of the operands' own.
template <DType (*kResult)(DType)>
absl::Status Infer(const OpDef& op, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(CheckOperands(op, inputs));
  if (inputs.size() > 1) TENFERRO_RETURN_IF_ERROR(CheckSameDTypes(inputs));
  outputs.push_back({kResult(inputs[0].dtype), inputs[0].shape});
  return absl::OkStatus();
}

void BatchElementwise(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs);

// How a cotangent goes back through an operation that is linear in the wanted operands.
template <auto kBack>
void TransposeEach(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                   absl::Span<Var> input_cotangents) {
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (HasOperand(wanted, i)) input_cotangents[i] = kBack(node, cotangents[0], static_cast<int>(i));
  }
}

inline Var Zero(const Var& like) { return ZerosLike(like); }

constexpr OpDef ElementwiseRecord(OpDef op, FamilySlots* slots) {
  op.kind = OpKind::kElementwise;
  op.batch = BatchElementwise;
  op.slots = slots;
  return op;
}

}  // namespace tenferro::elementwise_internal

#endif  // TENFERRO_RUNTIME_OPS_ELEMENTWISE_RULES_H_
