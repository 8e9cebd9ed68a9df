#ifndef TENFERRO_RUNTIME_OPS_INDEXING_SHAPES_H_
#define TENFERRO_RUNTIME_OPS_INDEXING_SHAPES_H_

#include "tenferro/runtime/op.h"
#include "tenferro/runtime/ops/indexing.h"

namespace tenferro {

// The gather that reads what a scatter with updates of this shape writes.
GatherAttributes GatherOf(const ScatterAttributes& scatter, const Shape& operand, const Shape& updates);
// The scatter that writes what a gather reads.
ScatterAttributes ScatterOf(const GatherAttributes& gather);

// The shape rules of the family.
absl::Status InferGather(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs);
absl::Status InferScatter(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs);
absl::Status InferDynamicSlice(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs);
absl::Status InferDynamicUpdateSlice(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_INDEXING_SHAPES_H_
