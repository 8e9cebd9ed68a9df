#ifndef TENFERRO_RUNTIME_OPS_INDEXING_RULES_H_
#define TENFERRO_RUNTIME_OPS_INDEXING_RULES_H_

#include "tenferro/runtime/op.h"

namespace tenferro {

// The derivative rules of the indexing family.
void JvpGather(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void JvpScatterMul(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void JvpScatterExtremum(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void TransposeGather(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                     absl::Span<Var> input_cotangents);
void TransposeScatterSet(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                         absl::Span<Var> input_cotangents);
void TransposeScatterAdd(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                         absl::Span<Var> input_cotangents);
void TransposeDynamicSlice(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                           absl::Span<Var> input_cotangents);
void TransposeDynamicUpdateSlice(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                                 absl::Span<Var> input_cotangents);

// The batching rules.
void BatchGather(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs);
void BatchScatter(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs);
void BatchDynamicSlice(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs);
void BatchDynamicUpdateSlice(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_INDEXING_RULES_H_
