#include "tenferro/runtime/ops/indexing_rules.h"

#include <algorithm>

#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/indexing.h"
#include "tenferro/runtime/ops/indexing_shapes.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

Var Zeros(const Var& like, DType dtype, const Shape& shape) { return Full(like, dtype, shape, false); }

Var GatherZeroFilled(const Var& x, const Var& indices, GatherAttributes attributes) {
  attributes.fill_low = attributes.fill_high = 0;
  return EmitOne(kGather, Encode(attributes), {x, indices}, Location::current());
}

// A scatter as its rules see it: its windows read, other things scattered to the same places.
struct Windows {
  explicit Windows(const NodeView& node)
      : scatter(Decode<ScatterAttributes>(node.attributes)),
        x_shape(node.inputs[0].shape()),
        updates_shape(node.inputs[2].shape()),
        indices(node.inputs[1]) {}

  Var Read(const Var& x) const { return GatherZeroFilled(x, indices, GatherOf(scatter, x_shape, updates_shape)); }
  Var Write(ScatterKind kind, const Var& x, const Var& updates) const {
    return Scatter(x, indices, updates, kind, scatter);
  }
  Var Sum(const Var& updates) const {
    return Write(ScatterKind::kAdd, Zeros(updates, updates.dtype(), x_shape), updates);
  }

  ScatterAttributes scatter;
  Shape x_shape;
  Shape updates_shape;
  const Var& indices;
};

}  // namespace

void JvpGather(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  output_tangents[0] = GatherZeroFilled(tangents[0], node.inputs[1], Decode<GatherAttributes>(node.attributes));
}

void TransposeGather(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                     absl::Span<Var> input_cotangents) {
  const Var& ct = cotangents[0];
  input_cotangents[0] = Scatter(Zeros(ct, ct.dtype(), node.inputs[0].shape()), node.inputs[1], ct, ScatterKind::kAdd,
                                ScatterOf(Decode<GatherAttributes>(node.attributes)));
}

void TransposeScatterAdd(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                         absl::Span<Var> input_cotangents) {
  if (HasOperand(wanted, 0)) input_cotangents[0] = cotangents[0];
  if (HasOperand(wanted, 2)) input_cotangents[2] = Windows(node).Read(cotangents[0]);
}

// The updates' numbers 1, 2, … scattered alike tell which one stayed; 0: none.
void TransposeScatterSet(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                         absl::Span<Var> input_cotangents) {
  const Var& ct = cotangents[0];
  const Windows windows(node);
  const int64_t count = windows.updates_shape.size();
  const Var numbers = Reshape(Iota(ct, DType::kI64, {count}, 0) + 1, windows.updates_shape);
  const Var stayed = windows.Write(ScatterKind::kSet, Zeros(ct, DType::kI64, windows.x_shape), numbers);
  if (HasOperand(wanted, 0)) input_cotangents[0] = Select(Eq(stayed, 0), ct, ZerosLike(ct));
  if (HasOperand(wanted, 2)) {
    const Var back = windows.Read(ct);
    input_cotangents[2] = Select(Eq(windows.Read(stayed), numbers), back, ZerosLike(back));
  }
}

// y = x Π u. The product of the other factors of one: the product P of those that are not 0, divided by it where no
// factor is 0; P itself for the only zero; 0 for others.
void JvpScatterMul(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const Var &x = node.inputs[0], &updates = node.inputs[2];
  const Windows windows(node);
  if (!tangents[0].empty()) {
    output_tangents[0] = tangents[0] * windows.Write(ScatterKind::kMul, OnesLike(x), updates);
  }
  if (tangents[2].empty()) return;
  const auto count_zeros = [](const Var& of) {
    return Select(Eq(of, 0), Full(of, DType::kI64, of.shape(), 1), Full(of, DType::kI64, of.shape(), 0));
  };
  const auto without_zeros = [](const Var& of) { return Select(Eq(of, 0), OnesLike(of), of); };
  const Var factor = without_zeros(updates);
  const Var product = windows.Read(windows.Write(ScatterKind::kMul, without_zeros(x), factor));
  const Var zeros = windows.Read(windows.Write(ScatterKind::kAdd, count_zeros(x), count_zeros(updates)));
  const Var none = ZerosLike(product);
  const Var slope =
      Select(Eq(updates, 0), Select(Eq(zeros, 1), product, none), Select(Eq(zeros, 0), product / factor, none));
  output_tangents[0] = SumOrOther(output_tangents[0], windows.Sum(slope * tangents[2]));
}

void JvpScatterExtremum(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const Var &x = node.inputs[0], &updates = node.inputs[2], &y = node.outputs[0];
  const Windows windows(node);
  const Var x_chosen = Eq(x, y), update_chosen = Eq(updates, windows.Read(y));
  const auto ones = [](const Var& chosen, const Var& like) { return Select(chosen, OnesLike(like), ZerosLike(like)); };
  const Var count = windows.Write(ScatterKind::kAdd, ones(x_chosen, x), ones(update_chosen, updates));
  Var sum;
  if (!tangents[0].empty()) sum = Select(x_chosen, tangents[0], ZerosLike(x));
  if (!tangents[2].empty()) {
    sum = SumOrOther(sum, windows.Sum(Select(update_chosen, tangents[2], ZerosLike(updates))));
  }
  output_tangents[0] = sum / count;
}

void TransposeDynamicSlice(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                           absl::Span<Var> input_cotangents) {
  const Var& ct = cotangents[0];
  input_cotangents[0] = DynamicUpdateSlice(Zeros(ct, ct.dtype(), node.inputs[0].shape()), ct, node.inputs[1]);
}

void TransposeDynamicUpdateSlice(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                                 absl::Span<Var> input_cotangents) {
  const Var& ct = cotangents[0];
  const Shape window = node.inputs[1].shape();
  const Var& starts = node.inputs[2];
  if (HasOperand(wanted, 0)) {
    input_cotangents[0] = DynamicUpdateSlice(ct, Zeros(ct, ct.dtype(), window), starts);
  }
  if (HasOperand(wanted, 1)) input_cotangents[1] = DynamicSlice(ct, starts, window.extents());
}

// The batch axis of the indices is one more axis that numbers windows, the last of the result. That of the operand is
// walked along with it, or else lies within the windows.
void BatchGather(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs) {
  GatherAttributes gather = Decode<GatherAttributes>(node.attributes);
  const bool x_batched = HasOperand(batched, 0), indices_batched = HasOperand(batched, 1);
  const int rank = node.inputs[0].rank() - x_batched;
  const int indices_rank = node.inputs[1].rank() - indices_batched;
  const bool has_vectors = gather.index_vector_dim < indices_rank;
  if (indices_batched && !has_vectors) ++gather.index_vector_dim;
  if (x_batched && indices_batched) {
    gather.operand_batching_dims.push_back(rank);
    gather.start_indices_batching_dims.push_back(indices_rank);
    gather.slice_sizes.push_back(std::min<int64_t>(1, size.extent()));
  } else if (x_batched) {
    gather.offset_dims.push_back(static_cast<int64_t>(gather.offset_dims.size()) + indices_rank - has_vectors);
    gather.slice_sizes.push_back(size.extent());
  }
  outputs[0] = EmitOne(kGather, Encode(gather), {node.inputs[0], node.inputs[1]}, Location::current());
}

void BatchScatter(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs) {
  ScatterAttributes scatter = Decode<ScatterAttributes>(node.attributes);
  const bool indices_batched = HasOperand(batched, 1);
  const Var x = WithBatchAxis(node.inputs[0], HasOperand(batched, 0), size);
  const Var updates = WithBatchAxis(node.inputs[2], HasOperand(batched, 2), size);
  const int indices_rank = node.inputs[1].rank() - indices_batched;
  if (indices_batched) {
    if (scatter.index_vector_dim == indices_rank) ++scatter.index_vector_dim;
    scatter.input_batching_dims.push_back(x.rank() - 1);
    scatter.scatter_indices_batching_dims.push_back(indices_rank);
  } else {
    scatter.update_window_dims.push_back(updates.rank() - 1);
  }
  outputs[0] = EmitOne(node.op, Encode(scatter), {x, node.inputs[1], updates}, Location::current());
}

// One more start, 0, for the batch axis.
static Var WithZeroStart(const Var& starts) { return Concatenate({starts, Zeros(starts, starts.dtype(), {1})}, 0); }

void BatchDynamicSlice(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs) {
  const Var &x = node.inputs[0], &starts = node.inputs[1];
  Ints sizes = Decode<DynamicSliceAttributes>(node.attributes).slice_sizes;
  if (!HasOperand(batched, 1)) {
    sizes.push_back(size.extent());
    outputs[0] = DynamicSlice(x, WithZeroStart(starts), sizes);
    return;
  }
  const int rank = static_cast<int>(sizes.size());
  GatherAttributes gather{.offset_dims = FirstAxes(rank),
                          .collapsed_slice_dims = {},
                          .operand_batching_dims = {},
                          .start_indices_batching_dims = {},
                          .start_index_map = FirstAxes(rank),
                          .index_vector_dim = 0,
                          .slice_sizes = sizes};
  if (HasOperand(batched, 0)) {
    gather.operand_batching_dims = {rank};
    gather.start_indices_batching_dims = {1};
    gather.slice_sizes.push_back(std::min<int64_t>(1, size.extent()));
  }
  outputs[0] = Gather(x, starts, gather);
}

void BatchDynamicUpdateSlice(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs) {
  const Var x = WithBatchAxis(node.inputs[0], HasOperand(batched, 0), size);
  const Var update = WithBatchAxis(node.inputs[1], HasOperand(batched, 1), size);
  const Var& starts = node.inputs[2];
  if (!HasOperand(batched, 2)) {
    outputs[0] = DynamicUpdateSlice(x, update, WithZeroStart(starts));
    return;
  }
  const int rank = x.rank() - 1;
  outputs[0] = Scatter(x, starts, update, ScatterKind::kSet,
                       {.update_window_dims = FirstAxes(rank),
                        .inserted_window_dims = {},
                        .input_batching_dims = {rank},
                        .scatter_indices_batching_dims = {1},
                        .scatter_dims_to_operand_dims = FirstAxes(rank),
                        .index_vector_dim = 0,
                        .mode = IndexMode::kClamp});
}

}  // namespace tenferro
