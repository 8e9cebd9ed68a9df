#include "tenferro/runtime/ops/cumulative.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {

constinit FamilySlots cumulative_slots{
    .family = "cumulative", .cpu_target = "//cpu/cumulative", .derivative_target = nullptr};

namespace {

absl::Status InferCumulative(const OpDef& op, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ValueType& x = inputs[0];
  const int64_t axis = Decode<CumulativeAttributes>(words).axis;
  if (!Contains(op.dtypes, x.dtype)) return absl::InvalidArgumentError(absl::StrCat("does not take ", Name(x.dtype)));
  if (axis < 0 || axis >= x.shape.rank()) {
    return absl::InvalidArgumentError(absl::StrCat("axis ", axis, " does not exist in ", x.ToString()));
  }
  if (inputs.size() > 1 && !(inputs[1] == x)) {
    return absl::InvalidArgumentError(
        absl::StrCat("dtypes or shapes differ, got a ", x.ToString(), " and b ", inputs[1].ToString()));
  }
  outputs.push_back(x);
  return absl::OkStatus();
}

Var EmitAlike(const NodeView& node, std::initializer_list<Var> operands) {
  return EmitOne(node.op, node.attributes, operands, Location::current());
}

// The batch axis is the last, so the others keep their numbers.
void BatchCumulative(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs) {
  Vars operands;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    operands.push_back(WithBatchAxis(node.inputs[i], HasOperand(batched, i), size));
  }
  outputs[0] = EmitOne(node.op, node.attributes, operands, Location::current());
}

// Element i of the result is element i − by of x along the walk; `value` comes in at the end that is left.
Var Shifted(const Var& x, const CumulativeAttributes& walk, int64_t by, const Arg& value) {
  if (x.dim(static_cast<int>(walk.axis)) == 0) return x;
  Ints low(x.rank(), 0), high(x.rank(), 0);
  low[walk.axis] = walk.reverse ? -by : by;
  high[walk.axis] = -low[walk.axis];
  return Pad(x, value, low, high);
}

Var Recurrence(const Var& a, const Var& b, const CumulativeAttributes& walk) {
  return LinearRecurrence(a, b, static_cast<int>(walk.axis), walk.reverse);
}

CumulativeAttributes WalkOf(const NodeView& node) { return Decode<CumulativeAttributes>(node.attributes); }

void TransposeSum(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                  absl::Span<Var> input_cotangents) {
  const CumulativeAttributes walk = WalkOf(node);
  input_cotangents[0] = CumSum(cotangents[0], static_cast<int>(walk.axis), !walk.reverse);
}

void JvpProd(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const CumulativeAttributes walk = WalkOf(node);
  const Var before = Shifted(node.outputs[0], walk, 1, 1);
  output_tangents[0] = Recurrence(node.inputs[0], before * tangents[0], walk);
}

// While the extremum stays the same, shares add up and so does the number of those who share.
void JvpExtremum(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const CumulativeAttributes walk = WalkOf(node);
  const Var &x = node.inputs[0], &y = node.outputs[0];
  const Var one = OnesLike(x), zero = ZerosLike(x);
  const Var same = Select(Eq(y, Shifted(y, walk, 1, false)), one, zero);
  const Var chosen = Eq(x, y);
  const Var count = Recurrence(same, Select(chosen, one, zero), walk);
  output_tangents[0] = Recurrence(same, Select(chosen, tangents[0], zero), walk) / count;
}

void JvpLogSumExp(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const CumulativeAttributes walk = WalkOf(node);
  const Var &x = node.inputs[0], &y = node.outputs[0];
  // exp(−∞ − 0) = 0 where exp(−∞ + ∞) would be NaN.
  const Var finite = Select(Eq(y, -kInfinity), ZerosLike(y), y);
  const Var decay = Exp(Shifted(y, walk, 1, -kInfinity) - finite);
  output_tangents[0] = Recurrence(decay, Exp(x - finite) * tangents[0], walk);
}

void JvpRecurrence(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const CumulativeAttributes walk = WalkOf(node);
  Var driving = tangents[1];
  if (!tangents[0].empty()) {
    driving = SumOrOther(tangents[0] * Shifted(node.outputs[0], walk, 1, false), driving);
  }
  output_tangents[0] = EmitAlike(node, {node.inputs[0], driving});
}

void TransposeRecurrence(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                         absl::Span<Var> input_cotangents) {
  CumulativeAttributes walk = WalkOf(node);
  const Var next = Shifted(Conj(node.inputs[0]), walk, -1, false);
  walk.reverse = !walk.reverse;
  input_cotangents[1] = Recurrence(next, cotangents[0], walk);
}

constexpr OpDef Cumulative(OpDef op) {
  op.infer = InferCumulative;
  op.batch = BatchCumulative;
  op.print = PrintAttributes<CumulativeAttributes>;
  op.slots = &cumulative_slots;
  return op;
}

Var EmitCumulative(const OpDef& op, const Arg& x, int axis, bool reverse) {
  return EmitOne(op, Encode(CumulativeAttributes{axis, reverse}), {x.Tensor(op.name)}, x.location());
}

}  // namespace

constexpr OpDef kCumSum =
    Cumulative({.name = "cumsum", .dtypes = kNumberSet, .linear = 0b1, .transpose = TransposeSum});
constexpr OpDef kCumProd = Cumulative({.name = "cumprod", .dtypes = kNumberSet, .jvp = JvpProd});
constexpr OpDef kCumMax = Cumulative({.name = "cummax", .dtypes = kRealSet, .jvp = JvpExtremum});
constexpr OpDef kCumMin = Cumulative({.name = "cummin", .dtypes = kRealSet, .jvp = JvpExtremum});
constexpr OpDef kCumLogSumExp = Cumulative({.name = "cumlogsumexp", .dtypes = kFloatSet, .jvp = JvpLogSumExp});
constexpr OpDef kLinearRecurrence = Cumulative({.name = "linear_recurrence",
                                                .dtypes = kNumberSet,
                                                .linear = 0b10,
                                                .jvp = JvpRecurrence,
                                                .transpose = TransposeRecurrence});

Var CumSum(const Arg& x, int axis, bool reverse) { return EmitCumulative(kCumSum, x, axis, reverse); }
Var CumProd(const Arg& x, int axis, bool reverse) { return EmitCumulative(kCumProd, x, axis, reverse); }
Var CumMax(const Arg& x, int axis, bool reverse) { return EmitCumulative(kCumMax, x, axis, reverse); }
Var CumMin(const Arg& x, int axis, bool reverse) { return EmitCumulative(kCumMin, x, axis, reverse); }
Var CumLogSumExp(const Arg& x, int axis, bool reverse) { return EmitCumulative(kCumLogSumExp, x, axis, reverse); }

Var LinearRecurrence(const Arg& a, const Arg& b, int axis, bool reverse) {
  LocationScope scope(a.location());
  const char* const name = kLinearRecurrence.name;
  return EmitOne(kLinearRecurrence, Encode(CumulativeAttributes{axis, reverse}), {a.Tensor(name), b.Tensor(name)},
                 a.location());
}

}  // namespace tenferro
