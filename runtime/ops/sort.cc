#include "tenferro/runtime/ops/sort.h"

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/indexing.h"
#include "tenferro/tensor/status.h"

namespace tenferro {

constinit FamilySlots sort_slots{.family = "sort", .cpu_target = "//cpu/sort", .derivative_target = nullptr};

namespace {

absl::Status CheckOperand(const OpDef& op, const ValueType& x, int64_t axis) {
  if (!Contains(op.dtypes, x.dtype)) return absl::InvalidArgumentError(absl::StrCat("does not take ", Name(x.dtype)));
  if (axis >= 0 && axis < x.shape.rank()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("axis ", axis, " does not exist in ", x.ToString()));
}

absl::Status InferSort(const OpDef& op, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(CheckOperand(op, inputs[0], Decode<SortAttributes>(words).axis));
  outputs.push_back({&op == &kSort ? inputs[0].dtype : DType::kI64, inputs[0].shape});
  return absl::OkStatus();
}

absl::Status InferTopK(const OpDef& op, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const TopKAttributes top = Decode<TopKAttributes>(words);
  TENFERRO_RETURN_IF_ERROR(CheckOperand(op, inputs[0], top.axis));
  Shape shape = inputs[0].shape;
  if (top.count < 0 || top.count > shape.extent(static_cast<int>(top.axis))) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are no ", top.count, " elements along axis ", top.axis, " of ", inputs[0].ToString()));
  }
  shape[static_cast<int>(top.axis)] = top.count;
  outputs.push_back({inputs[0].dtype, shape});
  outputs.push_back({DType::kI64, shape});
  return absl::OkStatus();
}

absl::Status InferArgExtremum(const OpDef& op, WordSpan words, absl::Span<const ValueType> inputs,
                              ValueTypes& outputs) {
  const int64_t axis = Decode<ArgExtremumAttributes>(words).axis;
  TENFERRO_RETURN_IF_ERROR(CheckOperand(op, inputs[0], axis));
  Shape shape;
  for (int i = 0; i < inputs[0].shape.rank(); ++i) {
    if (i != axis) shape.push_back(inputs[0].shape[i]);
  }
  if (inputs[0].shape.extent(static_cast<int>(axis)) == 0) {
    return absl::InvalidArgumentError(absl::StrCat("axis ", axis, " of ", inputs[0].ToString(), " has no element"));
  }
  outputs.push_back({DType::kI64, shape});
  return absl::OkStatus();
}

// The order of x is that of its tangent. The search for it is shared by all derivatives of one x.
void JvpSort(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const SortAttributes sort = Decode<SortAttributes>(node.attributes);
  const int axis = static_cast<int>(sort.axis);
  output_tangents[0] =
      TakeAlongAxis(tangents[0], ArgSort(node.inputs[0], axis, sort.descending), axis, IndexMode::kClamp);
}

void JvpTopK(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const int axis = static_cast<int>(Decode<TopKAttributes>(node.attributes).axis);
  output_tangents[0] = TakeAlongAxis(tangents[0], node.outputs[1], axis, IndexMode::kClamp);
}

// The batch axis is the last, so the others keep their numbers.
void BatchLines(const NodeView& node, OperandSet, Dim, absl::Span<Var> outputs) {
  const Vars results =
      Emit(node.op, node.attributes, {node.inputs[0]}, Location::current(), static_cast<int>(outputs.size()));
  for (size_t i = 0; i < outputs.size(); ++i) outputs[i] = results[i];
}

constexpr OpDef Ordering(OpDef op) {
  op.dtypes = kRealSet;
  op.batch = BatchLines;
  op.slots = &sort_slots;
  return op;
}

template <class Attributes>
Var EmitLines(const OpDef& op, const Attributes& attributes, const Arg& x) {
  return EmitOne(op, Encode(attributes), {x.Tensor(op.name)}, x.location());
}

}  // namespace

constexpr OpDef kSort =
    Ordering({.name = "sort", .infer = InferSort, .jvp = JvpSort, .print = PrintAttributes<SortAttributes>});
constexpr OpDef kArgSort = Ordering({.name = "argsort",
                                     .infer = InferSort,
                                     .not_differentiable = "its result is a list of places",
                                     .print = PrintAttributes<SortAttributes>});
constexpr OpDef kTopK =
    Ordering({.name = "top_k", .infer = InferTopK, .jvp = JvpTopK, .print = PrintAttributes<TopKAttributes>});
constexpr OpDef kArgMax = Ordering({.name = "argmax",
                                    .infer = InferArgExtremum,
                                    .not_differentiable = "its result is a place",
                                    .print = PrintAttributes<ArgExtremumAttributes>});
constexpr OpDef kArgMin = Ordering({.name = "argmin",
                                    .infer = InferArgExtremum,
                                    .not_differentiable = "its result is a place",
                                    .print = PrintAttributes<ArgExtremumAttributes>});

Var Sort(const Arg& x, int axis, bool descending) { return EmitLines(kSort, SortAttributes{axis, descending}, x); }

Var ArgSort(const Arg& x, int axis, bool descending) {
  return EmitLines(kArgSort, SortAttributes{axis, descending}, x);
}

SortedPairs SortByKey(const Arg& keys, absl::Span<const Var> values, int axis, bool descending) {
  LocationScope scope(keys.location());
  const Var key = keys.Tensor("sort_by_key");
  const Var order = ArgSort(keys, axis, descending);
  const auto reorder = [&](const Var& x) {
    if (!order.ok()) return order;
    if (x.ok() && x.shape() != key.shape()) {
      return ErrorVar(
          keys.location(), "sort_by_key",
          absl::StrCat("shapes differ, got keys ", key.type().ToString(), " and values ", x.type().ToString()));
    }
    return TakeAlongAxis(x, order, axis, IndexMode::kClamp);
  };
  SortedPairs result{reorder(key), {}};
  for (const Var& value : values) result.values.push_back(reorder(value));
  return result;
}

TopKResult TopK(const Arg& x, int64_t count, int axis) {
  const Vars results = Emit(kTopK, Encode(TopKAttributes{count, axis}), {x.Tensor(kTopK.name)}, x.location(), 2);
  return {results[0], results[1]};
}

Var ArgMax(const Arg& x, int axis) { return EmitLines(kArgMax, ArgExtremumAttributes{axis}, x); }
Var ArgMin(const Arg& x, int axis) { return EmitLines(kArgMin, ArgExtremumAttributes{axis}, x); }

}  // namespace tenferro
