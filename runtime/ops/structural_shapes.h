#ifndef TENFERRO_RUNTIME_OPS_STRUCTURAL_SHAPES_H_
#define TENFERRO_RUNTIME_OPS_STRUCTURAL_SHAPES_H_

#include "tenferro/runtime/op.h"

namespace tenferro {

// The shape rules of the structural family.
absl::Status InferTranspose(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs);
absl::Status InferReshape(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs);
absl::Status InferBroadcastInDim(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs);
absl::Status InferSlice(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs);
absl::Status InferPad(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs);
absl::Status InferConcatenate(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs);
absl::Status InferReverse(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs);
absl::Status InferExtractDiag(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs);
absl::Status InferEmbedDiag(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_STRUCTURAL_SHAPES_H_
