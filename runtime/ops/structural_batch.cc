#include "tenferro/runtime/ops/structural_batch.h"

#include <utility>

#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

// The last two axes change places.
Var SwapLastAxes(const Var& x) {
  Ints permutation = FirstAxes(x.rank());
  std::swap(permutation[x.rank() - 2], permutation[x.rank() - 1]);
  return Transpose(x, permutation);
}

}  // namespace

void BatchTranspose(const NodeView& node, OperandSet, Dim, absl::Span<Var> outputs) {
  Ints permutation = Decode<TransposeAttributes>(node.attributes).permutation;
  permutation.push_back(static_cast<int64_t>(permutation.size()));
  outputs[0] = Transpose(node.inputs[0], permutation);
}

void BatchReshape(const NodeView& node, OperandSet, Dim size, absl::Span<Var> outputs) {
  Shape shape = Decode<ReshapeAttributes>(node.attributes).shape;
  shape.push_back(size);
  outputs[0] = Reshape(node.inputs[0], shape);
}

void BatchBroadcastInDim(const NodeView& node, OperandSet, Dim size, absl::Span<Var> outputs) {
  BroadcastInDimAttributes broadcast = Decode<BroadcastInDimAttributes>(node.attributes);
  broadcast.axes.push_back(broadcast.shape.rank());
  broadcast.shape.push_back(size);
  outputs[0] = BroadcastInDim(node.inputs[0], broadcast.shape, broadcast.axes);
}

void BatchSlice(const NodeView& node, OperandSet, Dim size, absl::Span<Var> outputs) {
  SliceAttributes slice = Decode<SliceAttributes>(node.attributes);
  slice.starts.push_back(0);
  slice.limits.push_back(size.extent());
  slice.strides.push_back(1);
  outputs[0] = Slice(node.inputs[0], slice.starts, slice.limits, slice.strides);
}

// `pad` takes one number: where there is one for each slice, it is put in where the mask says so.
void BatchPad(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs) {
  PadAttributes pad = Decode<PadAttributes>(node.attributes);
  for (Ints* list : {&pad.low, &pad.high, &pad.interior}) list->push_back(0);
  const Var x = WithBatchAxis(node.inputs[0], HasOperand(batched, 0), size);
  const Var& value = node.inputs[1];
  const bool many = HasOperand(batched, 1);
  Var padded = Pad(x, many ? Full(x, x.dtype(), {}, false) : value, pad.low, pad.high, pad.interior);
  if (many) {
    const Var mask = Pad(Full(x, DType::kBool, x.shape(), true), false, pad.low, pad.high, pad.interior);
    padded = Select(mask, padded, BroadcastInDim(value, padded.shape(), {padded.rank() - 1}));
  }
  outputs[0] = padded;
}

// The diagonal's axis is made last, behind the batch axis.
void BatchExtractDiag(const NodeView& node, OperandSet, Dim, absl::Span<Var> outputs) {
  outputs[0] = SwapLastAxes(EmitOne(node.op, node.attributes, node.inputs, Location::current()));
}

// What is no diagonal axis keeps its order, so the batch axis, now the last of them, comes out last.
void BatchEmbedDiag(const NodeView& node, OperandSet, Dim, absl::Span<Var> outputs) {
  outputs[0] = EmitOne(node.op, node.attributes, {SwapLastAxes(node.inputs[0])}, Location::current());
}

}  // namespace tenferro
