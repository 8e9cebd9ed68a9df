#ifndef TENFERRO_RUNTIME_OPS_STRUCTURAL_BATCH_H_
#define TENFERRO_RUNTIME_OPS_STRUCTURAL_BATCH_H_

#include "tenferro/runtime/op.h"

namespace tenferro {

// The batching rules of the structural family that are its own.
void BatchTranspose(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs);
void BatchReshape(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs);
void BatchBroadcastInDim(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs);
void BatchSlice(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs);
void BatchPad(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs);
void BatchExtractDiag(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs);
void BatchEmbedDiag(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_STRUCTURAL_BATCH_H_
