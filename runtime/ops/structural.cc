#include "tenferro/runtime/ops/structural.h"

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/slots.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural_batch.h"
#include "tenferro/runtime/ops/structural_shapes.h"
#include "tenferro/runtime/rewriter.h"

namespace tenferro {

constinit FamilySlots structural_slots{
    .family = "structural", .cpu_target = "//cpu/kernels:structural", .derivative_target = nullptr};

namespace {

Ints Negative(const Ints& list) {
  Ints result;
  for (int64_t value : list) result.push_back(-value);
  return result;
}

Var BackTranspose(const NodeView& node, const Var& ct) {
  return Transpose(ct, InversePermutation(Decode<TransposeAttributes>(node.attributes).permutation));
}

Var BackReshape(const NodeView& node, const Var& ct) { return Reshape(ct, node.inputs[0].shape()); }

Var BackBroadcastInDim(const NodeView& node, const Var& ct) {
  const Ints axes = Decode<BroadcastInDimAttributes>(node.attributes).axes;
  const Shape& shape = node.inputs[0].shape();
  Ints kept;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (shape[i] == ct.shape()[axes[i]]) kept.push_back(axes[i]);
  }
  Var sum = ReduceSum(ct, OtherAxes(kept, ct.rank()));
  // What is left are the kept axes in the order of the result; x may have had them in another.
  Ints order;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (!ContainsAxis(kept, axes[i])) continue;
    int64_t place = 0;
    for (int64_t axis : kept) place += axis < axes[i];
    order.push_back(place);
  }
  return Reshape(Transpose(sum, order), shape);
}

Var BackSlice(const NodeView& node, const Var& ct) {
  const SliceAttributes slice = Decode<SliceAttributes>(node.attributes);
  Ints high, interior;
  for (int i = 0; i < ct.rank(); ++i) {
    const int64_t covered = ct.dim(i) == 0 ? 0 : (ct.dim(i) - 1) * slice.strides[i] + 1;
    high.push_back(node.inputs[0].dim(i) - slice.starts[i] - covered);
    interior.push_back(slice.strides[i] - 1);
  }
  return Pad(ct, Full(ct, ct.dtype(), {}, false), slice.starts, high, interior);
}

// Where a padded tensor holds its operand and not the padding value: the inner slice.
Var Unpad(const Var& padded, const PadAttributes& pad, const Shape& shape) {
  Var inner = Pad(padded, Full(padded, padded.dtype(), {}, false), Negative(pad.low), Negative(pad.high));
  Ints starts(shape.rank(), 0), strides;
  for (int i = 0; i < shape.rank(); ++i) strides.push_back(pad.interior[i] + 1);
  return Slice(inner, starts, inner.shape().extents(), strides);
}

void BackPad(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
             absl::Span<Var> input_cotangents) {
  const PadAttributes pad = Decode<PadAttributes>(node.attributes);
  const Var& ct = cotangents[0];
  const Shape& shape = node.inputs[0].shape();
  if (HasOperand(wanted, 0)) input_cotangents[0] = Unpad(ct, pad, shape);
  if (HasOperand(wanted, 1)) {
    const Var inside = Full(ct, DType::kBool, shape, true);
    const Var mask = Pad(inside, Full(ct, DType::kBool, {}, false), pad.low, pad.high, pad.interior);
    input_cotangents[1] = ReduceSum(Select(mask, ZerosLike(ct), ct));
  }
}

void BackConcatenate(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                     absl::Span<Var> input_cotangents) {
  const int64_t axis = Decode<ConcatenateAttributes>(node.attributes).axis;
  const Var& ct = cotangents[0];
  Ints starts(ct.rank(), 0);
  Ints limits = ct.shape().extents();
  int64_t place = 0;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    starts[axis] = place;
    limits[axis] = place += node.inputs[i].dim(axis);
    if (HasOperand(wanted, i)) input_cotangents[i] = Slice(ct, starts, limits);
  }
}

Var BackReverse(const NodeView& node, const Var& ct) {
  return Reverse(ct, Decode<ReverseAttributes>(node.attributes).axes);
}

Var BackExtractDiag(const NodeView& node, const Var& ct) {
  const DiagonalAttributes axes = Decode<DiagonalAttributes>(node.attributes);
  return EmbedDiag(ct, axes.axis1, axes.axis2);
}

Var BackEmbedDiag(const NodeView& node, const Var& ct) {
  const DiagonalAttributes axes = Decode<DiagonalAttributes>(node.attributes);
  return ExtractDiag(ct, axes.axis1, axes.axis2);
}

template <Var (*kBack)(const NodeView&, const Var&)>
void TransposeOne(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                  absl::Span<Var> input_cotangents) {
  input_cotangents[0] = kBack(node, cotangents[0]);
}

// A value that is one number everywhere stays so wherever its elements go.
ValueId SimplifyFull(Rewriter& rewriter, ValueId x, const ValueType& type) {
  if (!rewriter.Is(x, kFull)) return kNoValue;
  FullAttributes full = Decode<FullAttributes>(rewriter.Attributes(x));
  full.shape = type.shape;
  return rewriter.Emit(kFull, Encode(full), {}, type);
}

ValueId SimplifyMove(Rewriter& rewriter, WordSpan, absl::Span<const ValueId> in, const ValueType& type) {
  return SimplifyFull(rewriter, in[0], type);
}

ValueId SimplifyTranspose(Rewriter& rewriter, WordSpan words, absl::Span<const ValueId> in, const ValueType& type) {
  const Ints permutation = Decode<TransposeAttributes>(words).permutation;
  if (permutation == FirstAxes(permutation.size())) return in[0];
  if (rewriter.Is(in[0], kTranspose)) {
    const Ints first = Decode<TransposeAttributes>(rewriter.Attributes(in[0])).permutation;
    Ints both;
    for (int64_t axis : permutation) both.push_back(first[axis]);
    return rewriter.Emit(kTranspose, Encode(TransposeAttributes{both}), {rewriter.Operand(in[0], 0)}, type);
  }
  return SimplifyFull(rewriter, in[0], type);
}

ValueId SimplifyReshape(Rewriter& rewriter, WordSpan words, absl::Span<const ValueId> in, const ValueType& type) {
  if (rewriter.Type(in[0]).shape == type.shape) return in[0];
  if (rewriter.Is(in[0], kReshape)) return rewriter.Emit(kReshape, words, {rewriter.Operand(in[0], 0)}, type);
  return SimplifyFull(rewriter, in[0], type);
}

ValueId SimplifyBroadcastInDim(Rewriter& rewriter, WordSpan words, absl::Span<const ValueId> in,
                               const ValueType& type) {
  const Ints axes = Decode<BroadcastInDimAttributes>(words).axes;
  if (rewriter.Type(in[0]).shape == type.shape && axes == FirstAxes(axes.size())) return in[0];
  return SimplifyFull(rewriter, in[0], type);
}

ValueId SimplifySlice(Rewriter& rewriter, WordSpan, absl::Span<const ValueId> in, const ValueType& type) {
  return rewriter.Type(in[0]).shape == type.shape ? in[0] : SimplifyFull(rewriter, in[0], type);
}

ValueId SimplifyPad(Rewriter& rewriter, WordSpan words, absl::Span<const ValueId> in, const ValueType& type) {
  const PadAttributes pad = Decode<PadAttributes>(words);
  const Ints none(type.shape.rank(), 0);
  return pad.low == none && pad.high == none && pad.interior == none ? in[0]
         : type.shape.size() == 0                                    ? SimplifyFull(rewriter, in[1], type)
                                                                     : kNoValue;
}

constexpr OpDef Structural(OpDef op) {
  op.slots = &structural_slots;
  if (op.linear == 0) op.linear = 0b1;
  return op;
}

}  // namespace

constexpr OpDef kTranspose = Structural({.name = "transpose",
                                         .infer = InferTranspose,
                                         .transpose = TransposeOne<BackTranspose>,
                                         .batch = BatchTranspose,
                                         .print = PrintAttributes<TransposeAttributes>,
                                         .simplify = SimplifyTranspose});
constexpr OpDef kReshape = Structural({.name = "reshape",
                                       .infer = InferReshape,
                                       .transpose = TransposeOne<BackReshape>,
                                       .batch = BatchReshape,
                                       .print = PrintAttributes<ReshapeAttributes>,
                                       .simplify = SimplifyReshape});
constexpr OpDef kBroadcastInDim = Structural({.name = "broadcast_in_dim",
                                              .infer = InferBroadcastInDim,
                                              .transpose = TransposeOne<BackBroadcastInDim>,
                                              .batch = BatchBroadcastInDim,
                                              .print = PrintAttributes<BroadcastInDimAttributes>,
                                              .simplify = SimplifyBroadcastInDim});
constexpr OpDef kSlice = Structural({.name = "slice",
                                     .infer = InferSlice,
                                     .transpose = TransposeOne<BackSlice>,
                                     .batch = BatchSlice,
                                     .print = PrintAttributes<SliceAttributes>,
                                     .simplify = SimplifySlice});
constexpr OpDef kPad = Structural({.name = "pad",
                                   .infer = InferPad,
                                   .linear = 0b11,
                                   .transpose = BackPad,
                                   .batch = BatchPad,
                                   .print = PrintAttributes<PadAttributes>,
                                   .simplify = SimplifyPad});
constexpr OpDef kConcatenate = Structural({.name = "concatenate",
                                           .infer = InferConcatenate,
                                           .linear = ~OperandSet{0},
                                           .transpose = BackConcatenate,
                                           .batch = BatchAllOperands,
                                           .print = PrintAttributes<ConcatenateAttributes>});
constexpr OpDef kReverse = Structural({.name = "reverse",
                                       .infer = InferReverse,
                                       .transpose = TransposeOne<BackReverse>,
                                       .batch = BatchAllOperands,
                                       .print = PrintAttributes<ReverseAttributes>,
                                       .simplify = SimplifyMove});
constexpr OpDef kExtractDiag = Structural({.name = "extract_diag",
                                           .infer = InferExtractDiag,
                                           .transpose = TransposeOne<BackExtractDiag>,
                                           .batch = BatchExtractDiag,
                                           .print = PrintAttributes<DiagonalAttributes>,
                                           .simplify = SimplifyMove});
constexpr OpDef kEmbedDiag = Structural({.name = "embed_diag",
                                         .infer = InferEmbedDiag,
                                         .transpose = TransposeOne<BackEmbedDiag>,
                                         .batch = BatchEmbedDiag,
                                         .print = PrintAttributes<DiagonalAttributes>});

Var Transpose(const Arg& x, const Ints& permutation) {
  return EmitOne(kTranspose, Encode(TransposeAttributes{permutation}), {x.Tensor(kTranspose.name)}, x.location());
}

Var Transpose(const Arg& x) {
  Ints permutation;
  for (int i = x.Tensor(kTranspose.name).rank() - 1; i >= 0; --i) permutation.push_back(i);
  return Transpose(x, permutation);
}

Var Reshape(const Arg& x, const Shape& shape) {
  const Var var = x.Tensor(kReshape.name);
  if (var.ok() && var.shape() == shape) return var;
  return EmitOne(kReshape, Encode(ReshapeAttributes{shape}), {var}, x.location());
}

Var BroadcastInDim(const Arg& x, const Shape& shape, const Ints& axes) {
  return EmitOne(kBroadcastInDim, Encode(BroadcastInDimAttributes{shape, axes}), {x.Tensor(kBroadcastInDim.name)},
                 x.location());
}

Var BroadcastTo(const Arg& x, const Shape& shape) {
  const Var var = x.Tensor("broadcast_to");
  if (!var.ok() || var.shape() == shape) return var;
  const int added = shape.rank() - var.rank();
  absl::StatusOr<Shape> broadcast = BroadcastShapes(var.shape(), shape);
  if (!broadcast.ok() || *broadcast != shape) {
    return ErrorVar(x.location(), "broadcast_to",
                    absl::StrCat("shape ", var.shape().ToString(), " does not broadcast to ", shape.ToString()));
  }
  Ints axes;
  for (int i = 0; i < var.rank(); ++i) axes.push_back(i + added);
  return BroadcastInDim(Arg(var, x.location()), shape, axes);
}

Var Slice(const Arg& x, const Ints& starts, const Ints& limits, const Ints& strides) {
  return EmitOne(kSlice, Encode(SliceAttributes{starts, limits, strides}), {x.Tensor(kSlice.name)}, x.location());
}

Var Slice(const Arg& x, const Ints& starts, const Ints& limits) {
  return Slice(x, starts, limits, Ints(starts.size(), 1));
}

Var Pad(const Arg& x, const Arg& value, const Ints& low, const Ints& high, const Ints& interior) {
  LocationScope scope(x.location());
  const Var var = x.Tensor(kPad.name);
  if (!var.ok()) return var;
  const Var filling = value.is_scalar() ? Full(var, var.dtype(), {}, value.scalar(), x.location()) : value.var();
  return EmitOne(kPad, Encode(PadAttributes{low, high, interior}), {var, filling}, x.location());
}

Var Pad(const Arg& x, const Arg& value, const Ints& low, const Ints& high) {
  return Pad(x, value, low, high, Ints(low.size(), 0));
}

Var Concatenate(absl::Span<const Var> operands, int axis, Location location) {
  LocationScope scope(location);
  Vars converted;
  DType dtype{};
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].ok()) {
      return operands[i].empty() ? ErrorVar(location, kConcatenate.name, "an operand is an empty Var") : operands[i];
    }
    absl::StatusOr<DType> promoted = i == 0 ? operands[0].dtype() : Promote(dtype, operands[i].dtype());
    if (!promoted.ok()) return ErrorVar(location, kConcatenate.name, promoted.status().message());
    dtype = *promoted;
  }
  for (const Var& operand : operands) converted.push_back(Convert(operand, dtype));
  constexpr size_t kMost = 64;
  while (converted.size() > kMost) {
    Vars joined;
    for (size_t i = 0; i < converted.size(); i += kMost) {
      joined.push_back(EmitOne(kConcatenate, Encode(ConcatenateAttributes{axis}),
                               absl::MakeConstSpan(converted).subspan(i, kMost), location));
    }
    converted = std::move(joined);
  }
  return EmitOne(kConcatenate, Encode(ConcatenateAttributes{axis}), converted, location);
}

Var Reverse(const Arg& x, const Ints& axes) {
  return EmitOne(kReverse, Encode(ReverseAttributes{axes}), {x.Tensor(kReverse.name)}, x.location());
}

Var ExtractDiag(const Arg& x, int axis1, int axis2) {
  return EmitOne(kExtractDiag, Encode(DiagonalAttributes{axis1, axis2}), {x.Tensor(kExtractDiag.name)}, x.location());
}

Var EmbedDiag(const Arg& x, int axis1, int axis2) {
  return EmitOne(kEmbedDiag, Encode(DiagonalAttributes{axis1, axis2}), {x.Tensor(kEmbedDiag.name)}, x.location());
}

}  // namespace tenferro
