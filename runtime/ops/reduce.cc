#include "tenferro/runtime/ops/reduce.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/slots.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"

namespace tenferro {

constinit FamilySlots reduce_slots{
    .family = "reduce", .cpu_target = "//cpu/kernels:reduce", .derivative_target = nullptr};

namespace {

absl::Status InferReduce(const OpDef& op, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ValueType& x = inputs[0];
  if (!Contains(op.dtypes, x.dtype)) return absl::InvalidArgumentError(absl::StrCat("does not take ", Name(x.dtype)));
  const Ints axes = Decode<ReduceAttributes>(words).axes;
  TENFERRO_RETURN_IF_ERROR(CheckAxes("axis", axes, x.shape.rank()));
  Shape shape;
  for (int64_t axis : OtherAxes(axes, x.shape.rank())) shape.push_back(x.shape[axis]);
  outputs.push_back({x.dtype, shape});
  return absl::OkStatus();
}

// The batch axis is the last, so the reduced ones keep their numbers.
void BatchReduce(const NodeView& node, OperandSet, Dim, absl::Span<Var> outputs) {
  outputs[0] = EmitOne(node.op, node.attributes, node.inputs, Location::current());
}

Ints AxesOf(const NodeView& node) { return Decode<ReduceAttributes>(node.attributes).axes; }

// A reduced value again along the axes it was reduced over.
Var Spread(const Var& reduced, const Var& like, const Ints& axes) {
  return BroadcastInDim(reduced, like.shape(), OtherAxes(axes, like.rank()));
}

void TransposeSum(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                  absl::Span<Var> input_cotangents) {
  input_cotangents[0] = Spread(cotangents[0], node.inputs[0], AxesOf(node));
}

void JvpSum(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  output_tangents[0] = ReduceSum(tangents[0], AxesOf(node));
}

void JvpExtremum(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const Ints axes = AxesOf(node);
  const Var& t = tangents[0];
  // No element is the largest of none: the sum of no tangents, 0, rather than 0/0.
  if (t.shape().size() == 0) {
    output_tangents[0] = ReduceSum(t, axes);
    return;
  }
  const Var chosen = Eq(node.inputs[0], Spread(node.outputs[0], node.inputs[0], axes));
  const Var count = ReduceSum(Select(chosen, OnesLike(node.inputs[0]), ZerosLike(node.inputs[0])), axes);
  output_tangents[0] = ReduceSum(Select(chosen, t, ZerosLike(t)), axes) / count;
}

// Products of all elements before (or after) each one along axis 0 of [n, rest], in log n steps and without a division,
// so that zeros are no special case.
Var ExclusiveProduct(Var x, bool after) {
  const int64_t n = x.dim(0);
  const Ints none(x.rank(), 0);
  const auto shift = [&](const Var& v, int64_t by) {
    Ints low = none, high = none;
    low[0] = after ? -by : by;
    high[0] = -low[0];
    return Pad(v, 1, low, high);
  };
  x = shift(x, 1);
  for (int64_t by = 1; by < n; by *= 2) x = x * shift(x, by);
  return x;
}

void JvpProd(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const Var& x = node.inputs[0];
  const Ints axes = AxesOf(node);
  Ints order = axes;
  int64_t reduced = 1;
  for (int64_t axis : axes) reduced *= x.dim(axis);
  for (int64_t axis : OtherAxes(axes, x.rank())) order.push_back(axis);
  const Var ordered = Transpose(x, order);
  const Var lines = Reshape(ordered, {reduced, reduced == 0 ? 0 : x.shape().size() / reduced});
  const Var others = ExclusiveProduct(lines, false) * ExclusiveProduct(lines, true);
  const Var slope = Transpose(Reshape(others, ordered.shape()), InversePermutation(order));
  output_tangents[0] = ReduceSum(tangents[0] * slope, axes);
}

constexpr OpDef Reduction(OpDef op) {
  op.infer = InferReduce;
  op.batch = BatchReduce;
  op.print = PrintAttributes<ReduceAttributes>;
  op.slots = &reduce_slots;
  return op;
}

Var EmitReduce(const OpDef& op, const Arg& x, Ints axes) {
  std::sort(axes.begin(), axes.end());
  return EmitOne(op, Encode(ReduceAttributes{axes}), {x.Tensor(op.name)}, x.location());
}

Var EmitReduce(const OpDef& op, const Arg& x) { return EmitReduce(op, x, FirstAxes(x.Tensor(op.name).rank())); }

}  // namespace

constexpr OpDef kReduceSum =
    Reduction({.name = "reduce_sum", .dtypes = kNumberSet, .linear = 0b1, .jvp = JvpSum, .transpose = TransposeSum});
constexpr OpDef kReduceProd = Reduction({.name = "reduce_prod", .dtypes = kNumberSet, .jvp = JvpProd});
constexpr OpDef kReduceMax = Reduction({.name = "reduce_max", .dtypes = kRealSet, .jvp = JvpExtremum});
constexpr OpDef kReduceMin = Reduction({.name = "reduce_min", .dtypes = kRealSet, .jvp = JvpExtremum});

Var ReduceSum(const Arg& x) { return EmitReduce(kReduceSum, x); }
Var ReduceSum(const Arg& x, const Ints& axes) { return EmitReduce(kReduceSum, x, axes); }
Var ReduceProd(const Arg& x) { return EmitReduce(kReduceProd, x); }
Var ReduceProd(const Arg& x, const Ints& axes) { return EmitReduce(kReduceProd, x, axes); }
Var ReduceMax(const Arg& x) { return EmitReduce(kReduceMax, x); }
Var ReduceMax(const Arg& x, const Ints& axes) { return EmitReduce(kReduceMax, x, axes); }
Var ReduceMin(const Arg& x) { return EmitReduce(kReduceMin, x); }
Var ReduceMin(const Arg& x, const Ints& axes) { return EmitReduce(kReduceMin, x, axes); }

}  // namespace tenferro
