#include "tenferro/runtime/ops/indexing.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/indexing_rules.h"
#include "tenferro/runtime/ops/indexing_shapes.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {

constinit FamilySlots indexing_slots{
    .family = "indexing", .cpu_target = "//cpu/indexing", .derivative_target = nullptr};

namespace {

// JAX's: "fill" of jax.numpy.take.
WeakScalar DefaultFill(DType dtype) {
  switch (dtype) {
    case DType::kBool: return true;
    case DType::kI32: return std::numeric_limits<int32_t>::min();
    case DType::kI64: return std::numeric_limits<int64_t>::min();
    case DType::kU8: return std::numeric_limits<uint8_t>::max();
    case DType::kU32: return std::numeric_limits<uint32_t>::max();
    case DType::kU64: return std::numeric_limits<uint64_t>::max();
    default: return std::numeric_limits<double>::quiet_NaN();
  }
}

constexpr OpDef Indexing(OpDef op) {
  op.slots = &indexing_slots;
  return op;
}

constexpr OpDef ScatterRecord(OpDef op) {
  op.infer = InferScatter;
  op.batch = BatchScatter;
  op.print = PrintAttributes<ScatterAttributes>;
  return Indexing(op);
}

const OpDef& RecordOf(ScatterKind kind) {
  switch (kind) {
    case ScatterKind::kSet: return kScatterSet;
    case ScatterKind::kAdd: return kScatterAdd;
    case ScatterKind::kMul: return kScatterMul;
    case ScatterKind::kMin: return kScatterMin;
    case ScatterKind::kMax: break;
  }
  return kScatterMax;
}

// What a function along one axis of x needs of its operands, under the function's own name.
struct AlongAxis {
  AlongAxis(const char* name, const Arg& x_arg, const Arg& indices_arg, int axis)
      : x(x_arg.Tensor(name)), indices(indices_arg.Tensor(name)) {
    const auto fail = [&](const absl::AlphaNum& message) { error = ErrorVar(x_arg.location(), name, message.Piece()); };
    if (!x.ok()) {
      error = x;
    } else if (!indices.ok()) {
      error = indices;
    } else if (axis < 0 || axis >= x.rank()) {
      fail(absl::StrCat("axis ", axis, " does not exist in ", x.type().ToString()));
    } else if (!IsInteger(indices.dtype())) {
      fail(absl::StrCat("indices must be integers, got ", indices.type().ToString()));
    } else if (x.dim(axis) == 0 && indices.shape().size() > 0) {
      fail(absl::StrCat("axis ", axis, " of ", x.type().ToString(), " has no element"));
    }
  }

  // Indices and x of one rank, alike on the axes other than `axis`.
  void CheckLines(const char* name, const Arg& x_arg, int axis) {
    if (!error.empty()) return;
    bool same = x.rank() == indices.rank();
    for (int i = 0; same && i < x.rank(); ++i) same = i == axis || x.shape()[i] == indices.shape()[i];
    if (same) return;
    error = ErrorVar(x_arg.location(), name,
                     absl::StrCat("extents beside axis ", axis, " differ, got ", x.type().ToString(), " and indices ",
                                  indices.type().ToString()));
  }

  Var x, indices;
  Var error;  // empty when there is none
};

}  // namespace

const char* Name(IndexMode mode) { return mode == IndexMode::kClamp ? "clamp" : "fill"; }

constexpr OpDef kGather = Indexing({.name = "gather",
                                    .infer = InferGather,
                                    .linear = 0b1,
                                    .jvp = JvpGather,
                                    .transpose = TransposeGather,
                                    .batch = BatchGather,
                                    .print = PrintAttributes<GatherAttributes>});
constexpr OpDef kScatterSet = ScatterRecord({.name = "scatter_set", .linear = 0b101, .transpose = TransposeScatterSet});
constexpr OpDef kScatterAdd =
    ScatterRecord({.name = "scatter_add", .dtypes = kNumberSet, .linear = 0b101, .transpose = TransposeScatterAdd});
constexpr OpDef kScatterMul = ScatterRecord({.name = "scatter_mul", .dtypes = kNumberSet, .jvp = JvpScatterMul});
constexpr OpDef kScatterMin = ScatterRecord({.name = "scatter_min", .dtypes = kRealSet, .jvp = JvpScatterExtremum});
constexpr OpDef kScatterMax = ScatterRecord({.name = "scatter_max", .dtypes = kRealSet, .jvp = JvpScatterExtremum});
constexpr OpDef kDynamicSlice = Indexing({.name = "dynamic_slice",
                                          .infer = InferDynamicSlice,
                                          .linear = 0b1,
                                          .transpose = TransposeDynamicSlice,
                                          .batch = BatchDynamicSlice,
                                          .print = PrintAttributes<DynamicSliceAttributes>});
constexpr OpDef kDynamicUpdateSlice = Indexing({.name = "dynamic_update_slice",
                                                .infer = InferDynamicUpdateSlice,
                                                .linear = 0b11,
                                                .transpose = TransposeDynamicUpdateSlice,
                                                .batch = BatchDynamicUpdateSlice});

Var Gather(const Arg& x, const Arg& indices, const GatherAttributes& attributes) {
  return Gather(x, indices, attributes, DefaultFill(x.var().empty() ? DType::kF64 : x.var().dtype()));
}

Var Gather(const Arg& x, const Arg& indices, const GatherAttributes& attributes, const WeakScalar& fill) {
  LocationScope scope(x.location());
  const Var operand = x.Tensor(kGather.name);
  GatherAttributes complete = attributes;
  complete.fill_low = complete.fill_high = 0;
  // Windows that are moved inside need no fill value.
  if (operand.ok() && attributes.mode == IndexMode::kFill) {
    int64_t words[2];
    if (absl::Status stored = fill.Store(operand.dtype(), words); !stored.ok()) {
      return ErrorVar(x.location(), kGather.name, stored.message());
    }
    complete.fill_low = words[0];
    complete.fill_high = words[1];
  }
  return EmitOne(kGather, Encode(complete), {operand, indices.Tensor(kGather.name)}, x.location());
}

Var Scatter(const Arg& x, const Arg& indices, const Arg& updates, ScatterKind kind,
            const ScatterAttributes& attributes) {
  LocationScope scope(x.location());
  const OpDef& op = RecordOf(kind);
  return EmitOne(op, Encode(attributes), {x.Tensor(op.name), indices.Tensor(op.name), updates.Tensor(op.name)},
                 x.location());
}

namespace {

// The starts, numbers and tensors of rank 0 of any integer dtypes, as a vector in the context of `like`.
Var StartVector(const OpDef& op, const Var& like, absl::Span<const Arg> starts, const Location& location) {
  if (!like.ok()) return like;
  if (starts.empty()) return Full(like, DType::kI64, {0}, 0, location);
  std::vector<Var> vector;
  for (const Arg& start : starts) {
    if (start.is_scalar()) {
      int64_t words[2];
      const absl::Status stored = start.scalar().Store(DType::kI64, words);
      if (!stored.ok()) return ErrorVar(location, op.name, stored.message());
      vector.push_back(Full(like, DType::kI64, {1}, start.scalar(), location));
      continue;
    }
    const Var tensor = start.Tensor(op.name);
    if (!tensor.ok()) return tensor;
    if (tensor.rank() != 0 || !IsInteger(tensor.dtype())) {
      return ErrorVar(location, op.name, absl::StrCat("a start must be an integer, got ", tensor.type().ToString()));
    }
    // Numbers that i64 does not hold lie behind every axis.
    const Var bounded = tensor.dtype() == DType::kU64 ? Min(tensor, std::numeric_limits<int64_t>::max()) : tensor;
    vector.push_back(Reshape(Cast(bounded, DType::kI64), {1}));
  }
  return Concatenate(vector, 0, location);
}

// The start of a vector's slice may be a single number.
Var AsVector(const OpDef& op, const Var& operand, const Arg& starts) {
  if (starts.is_scalar()) return StartVector(op, operand, {starts}, starts.location());
  const Var tensor = starts.Tensor(op.name);
  return operand.rank() == 1 && tensor.ok() && tensor.rank() == 0 ? Reshape(tensor, {1}) : tensor;
}

}  // namespace

Var DynamicSlice(const Arg& x, const Arg& starts, const Ints& slice_sizes) {
  LocationScope scope(x.location());
  const Var operand = x.Tensor(kDynamicSlice.name);
  return EmitOne(kDynamicSlice, Encode(DynamicSliceAttributes{slice_sizes}),
                 {operand, AsVector(kDynamicSlice, operand, starts)}, x.location());
}

Var DynamicSlice(const Arg& x, absl::Span<const Arg> starts, const Ints& slice_sizes) {
  LocationScope scope(x.location());
  return DynamicSlice(x, StartVector(kDynamicSlice, x.Tensor(kDynamicSlice.name), starts, x.location()), slice_sizes);
}

Var DynamicUpdateSlice(const Arg& x, const Arg& update, const Arg& starts) {
  LocationScope scope(x.location());
  const char* const name = kDynamicUpdateSlice.name;
  const Var operand = x.Tensor(name);
  return EmitOne(kDynamicUpdateSlice, {},
                 {operand, update.Tensor(name), AsVector(kDynamicUpdateSlice, operand, starts)}, x.location());
}

Var DynamicUpdateSlice(const Arg& x, const Arg& update, absl::Span<const Arg> starts) {
  LocationScope scope(x.location());
  const Var vector = StartVector(kDynamicUpdateSlice, x.Tensor(kDynamicUpdateSlice.name), starts, x.location());
  return DynamicUpdateSlice(x, update, Arg(vector));
}

Var IndexSelect(const Arg& x, const Arg& indices, int axis, IndexMode mode) {
  LocationScope scope(x.location());
  const AlongAxis operands("index_select", x, indices, axis);
  if (!operands.error.empty()) return operands.error;
  const int rank = operands.x.rank(), added = operands.indices.rank();
  Ints sizes = operands.x.shape().extents();
  if (sizes[axis] == 0) {  // no index, so no window
    Shape shape;
    for (int i = 0; i < rank; ++i) {
      if (i != axis) shape.push_back(operands.x.shape()[i]);
      for (int k = 0; i == axis && k < added; ++k) shape.push_back(operands.indices.shape()[k]);
    }
    return Reshape(operands.x, shape);
  }
  Ints offsets;
  for (int i = 0; i < rank - 1; ++i) offsets.push_back(i < axis ? i : i + added);
  sizes[axis] = 1;
  return Gather(operands.x, operands.indices,
                {.offset_dims = offsets,
                 .collapsed_slice_dims = {axis},
                 .operand_batching_dims = {},
                 .start_indices_batching_dims = {},
                 .start_index_map = {axis},
                 .index_vector_dim = added,
                 .slice_sizes = sizes,
                 .mode = mode,
                 .from_the_end = true});
}

Var TakeAlongAxis(const Arg& x, const Arg& indices, int axis, IndexMode mode) {
  LocationScope scope(x.location());
  AlongAxis operands("take_along_axis", x, indices, axis);
  operands.CheckLines("take_along_axis", x, axis);
  if (!operands.error.empty()) return operands.error;
  const Shape shape = operands.x.shape();
  if (shape.extent(axis) == 0) return Reshape(operands.x, operands.indices.shape());
  const Ints others = OtherAxes({axis}, shape.rank());
  Ints sizes;
  for (int64_t extent : shape.extents()) sizes.push_back(std::min<int64_t>(1, extent));
  return Gather(operands.x, operands.indices,
                {.offset_dims = {},
                 .collapsed_slice_dims = {axis},
                 .operand_batching_dims = others,
                 .start_indices_batching_dims = others,
                 .start_index_map = {axis},
                 .index_vector_dim = shape.rank(),
                 .slice_sizes = sizes,
                 .mode = mode,
                 .from_the_end = true});
}

Var PutAlongAxis(const Arg& x, const Arg& indices, const Arg& updates, int axis, IndexMode mode) {
  LocationScope scope(x.location());
  AlongAxis operands("put_along_axis", x, indices, axis);
  operands.CheckLines("put_along_axis", x, axis);
  if (!operands.error.empty()) return operands.error;
  const Ints others = OtherAxes({axis}, operands.x.rank());
  if (operands.x.dim(axis) == 0) return operands.x;
  return Scatter(operands.x, operands.indices, updates, ScatterKind::kSet,
                 {.update_window_dims = {},
                  .inserted_window_dims = {axis},
                  .input_batching_dims = others,
                  .scatter_indices_batching_dims = others,
                  .scatter_dims_to_operand_dims = {axis},
                  .index_vector_dim = operands.x.rank(),
                  .mode = mode,
                  .from_the_end = true});
}

}  // namespace tenferro
