#include "tenferro/runtime/ops/indexing_shapes.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/tensor/status.h"

namespace tenferro {
namespace {

template <class... Pieces>
absl::Status Invalid(const Pieces&... pieces) {
  return absl::InvalidArgumentError(absl::StrCat(pieces...));
}

// How the lists are called in messages.
struct Names {
  const char* windows;
  const char* dropped;
  const char* operand_batching;
  const char* indices_batching;
  const char* index_map;
};
constexpr Names kGatherNames{"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
                             "start_indices_batching_dims", "start_index_map"};
constexpr Names kScatterNames{"update_window_dims", "inserted_window_dims", "input_batching_dims",
                              "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"};

absl::Status CheckDisjoint(const char* what, const Ints& axes, const char* other, const Ints& others) {
  for (int64_t axis : axes) {
    if (ContainsAxis(others, axis)) return Invalid("axis ", axis, " stands in ", what, " and in ", other);
  }
  return absl::OkStatus();
}

absl::Status CheckFits(int64_t size, int axis, const ValueType& x) {
  if (size < 0) return Invalid("slice_sizes has ", size, " for axis ", axis);
  if (size > x.shape.extent(axis)) {
    return Invalid("a window of extent ", size, " does not fit axis ", axis, " of ", x.ToString());
  }
  return absl::OkStatus();
}

absl::Status CheckSizes(const Ints& sizes, const ValueType& x) {
  if (static_cast<int>(sizes.size()) != x.shape.rank()) {
    return Invalid("slice_sizes has ", sizes.size(), " entries for ", x.ToString());
  }
  for (int axis = 0; axis < x.shape.rank(); ++axis) TENFERRO_RETURN_IF_ERROR(CheckFits(sizes[axis], axis, x));
  return absl::OkStatus();
}

absl::Status CheckIntegers(const char* what, const ValueType& indices) {
  if (IsInteger(indices.dtype)) return absl::OkStatus();
  return Invalid(what, " must be integers, got ", indices.ToString());
}

// The shape of all windows, `rank` axes.
absl::Status InferWindows(const Names& names, const GatherAttributes& a, const ValueType& x, const ValueType& indices,
                          Shape& windows) {
  const int rank = x.shape.rank(), indices_rank = indices.shape.rank();
  TENFERRO_RETURN_IF_ERROR(CheckIntegers("indices", indices));
  TENFERRO_RETURN_IF_ERROR(CheckAxes(names.dropped, a.collapsed_slice_dims, rank));
  TENFERRO_RETURN_IF_ERROR(CheckAxes(names.operand_batching, a.operand_batching_dims, rank));
  TENFERRO_RETURN_IF_ERROR(CheckAxes(names.index_map, a.start_index_map, rank));
  TENFERRO_RETURN_IF_ERROR(
      CheckDisjoint(names.dropped, a.collapsed_slice_dims, names.operand_batching, a.operand_batching_dims));
  TENFERRO_RETURN_IF_ERROR(
      CheckDisjoint(names.index_map, a.start_index_map, names.operand_batching, a.operand_batching_dims));
  TENFERRO_RETURN_IF_ERROR(CheckSizes(a.slice_sizes, x));
  for (int64_t axis : a.collapsed_slice_dims) {
    if (a.slice_sizes[axis] != 1)
      return Invalid("a window has extent ", a.slice_sizes[axis], " on axis ", axis, " of ", names.dropped);
  }
  for (int64_t axis : a.operand_batching_dims) {
    if (a.slice_sizes[axis] > 1)
      return Invalid("a window has extent ", a.slice_sizes[axis], " on axis ", axis, " of ", names.operand_batching);
  }
  if (a.index_vector_dim < 0 || a.index_vector_dim > indices_rank) {
    return Invalid("index_vector_dim ", a.index_vector_dim, " does not exist in indices ", indices.ToString());
  }
  const bool has_vectors = a.index_vector_dim < indices_rank;
  const int64_t components = has_vectors ? indices.shape.extent(static_cast<int>(a.index_vector_dim)) : 1;
  if (components != static_cast<int64_t>(a.start_index_map.size())) {
    return Invalid("index vectors have ", components, " components, ", names.index_map, " has ",
                   a.start_index_map.size());
  }
  TENFERRO_RETURN_IF_ERROR(CheckAxes(names.indices_batching, a.start_indices_batching_dims, indices_rank));
  if (ContainsAxis(a.start_indices_batching_dims, a.index_vector_dim)) {
    return Invalid("axis ", a.index_vector_dim, " stands in ", names.indices_batching, " and is index_vector_dim");
  }
  if (a.operand_batching_dims.size() != a.start_indices_batching_dims.size()) {
    return Invalid(names.operand_batching, " has ", a.operand_batching_dims.size(), " axes, ", names.indices_batching,
                   " has ", a.start_indices_batching_dims.size());
  }
  for (size_t i = 0; i < a.operand_batching_dims.size(); ++i) {
    const int mine = static_cast<int>(a.operand_batching_dims[i]);
    const int theirs = static_cast<int>(a.start_indices_batching_dims[i]);
    if (x.shape[mine] != indices.shape[theirs]) {
      return Invalid("batching axes differ, got axis ", mine, " of ", x.ToString(), " and axis ", theirs,
                     " of indices ", indices.ToString());
    }
  }
  const size_t window_rank = rank - a.collapsed_slice_dims.size() - a.operand_batching_dims.size();
  if (a.offset_dims.size() != window_rank) {
    return Invalid(names.windows, " has ", a.offset_dims.size(), " axes, a window has ", window_rank);
  }
  const int result_rank = static_cast<int>(window_rank) + indices_rank - has_vectors;
  TENFERRO_RETURN_IF_ERROR(CheckAxes(names.windows, a.offset_dims, result_rank));
  if (!std::is_sorted(a.offset_dims.begin(), a.offset_dims.end())) return Invalid(names.windows, " must ascend");
  int next_window = 0, next_index = 0;
  for (int axis = 0; axis < result_rank; ++axis) {
    if (ContainsAxis(a.offset_dims, axis)) {
      while (ContainsAxis(a.collapsed_slice_dims, next_window) || ContainsAxis(a.operand_batching_dims, next_window)) {
        ++next_window;
      }
      windows.push_back(a.slice_sizes[next_window++]);
    } else {
      if (next_index == a.index_vector_dim) ++next_index;
      windows.push_back(indices.shape[next_index++]);
    }
  }
  return absl::OkStatus();
}

absl::Status CheckStarts(const ValueType& x, const ValueType& starts) {
  TENFERRO_RETURN_IF_ERROR(CheckIntegers("starts", starts));
  if (starts.shape == Shape{x.shape.rank()}) return absl::OkStatus();
  return Invalid("starts must be a vector with one number for each axis of ", x.ToString(), ", got ",
                 starts.ToString());
}

}  // namespace

GatherAttributes GatherOf(const ScatterAttributes& scatter, const Shape& operand, const Shape& updates) {
  GatherAttributes gather{.offset_dims = scatter.update_window_dims,
                          .collapsed_slice_dims = scatter.inserted_window_dims,
                          .operand_batching_dims = scatter.input_batching_dims,
                          .start_indices_batching_dims = scatter.scatter_indices_batching_dims,
                          .start_index_map = scatter.scatter_dims_to_operand_dims,
                          .index_vector_dim = scatter.index_vector_dim,
                          .slice_sizes = {},
                          .mode = scatter.mode,
                          .from_the_end = scatter.from_the_end};
  size_t next = 0;
  for (int axis = 0; axis < operand.rank(); ++axis) {
    if (ContainsAxis(scatter.inserted_window_dims, axis)) {
      gather.slice_sizes.push_back(1);
    } else if (ContainsAxis(scatter.input_batching_dims, axis)) {
      gather.slice_sizes.push_back(std::min<int64_t>(1, operand.extent(axis)));
    } else {
      gather.slice_sizes.push_back(updates.extent(static_cast<int>(scatter.update_window_dims[next++])));
    }
  }
  return gather;
}

ScatterAttributes ScatterOf(const GatherAttributes& gather) {
  return {.update_window_dims = gather.offset_dims,
          .inserted_window_dims = gather.collapsed_slice_dims,
          .input_batching_dims = gather.operand_batching_dims,
          .scatter_indices_batching_dims = gather.start_indices_batching_dims,
          .scatter_dims_to_operand_dims = gather.start_index_map,
          .index_vector_dim = gather.index_vector_dim,
          .mode = gather.mode,
          .from_the_end = gather.from_the_end};
}

absl::Status InferGather(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  Shape shape;
  TENFERRO_RETURN_IF_ERROR(InferWindows(kGatherNames, Decode<GatherAttributes>(words), inputs[0], inputs[1], shape));
  outputs.push_back({inputs[0].dtype, shape});
  return absl::OkStatus();
}

absl::Status InferScatter(const OpDef& op, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ScatterAttributes scatter = Decode<ScatterAttributes>(words);
  const ValueType &x = inputs[0], &indices = inputs[1], &updates = inputs[2];
  if (!Contains(op.dtypes, x.dtype)) return Invalid("does not take ", Name(x.dtype));
  if (x.dtype != updates.dtype) {
    return Invalid("dtypes differ, got ", x.ToString(), " and updates ", updates.ToString());
  }
  // Before the windows' extents are read from the updates.
  const int rank = x.shape.rank();
  TENFERRO_RETURN_IF_ERROR(CheckAxes(kScatterNames.dropped, scatter.inserted_window_dims, rank));
  TENFERRO_RETURN_IF_ERROR(CheckAxes(kScatterNames.operand_batching, scatter.input_batching_dims, rank));
  TENFERRO_RETURN_IF_ERROR(CheckDisjoint(kScatterNames.dropped, scatter.inserted_window_dims,
                                         kScatterNames.operand_batching, scatter.input_batching_dims));
  const size_t window_rank = rank - scatter.inserted_window_dims.size() - scatter.input_batching_dims.size();
  if (scatter.update_window_dims.size() != window_rank) {
    return Invalid(kScatterNames.windows, " has ", scatter.update_window_dims.size(), " axes, a window has ",
                   window_rank);
  }
  TENFERRO_RETURN_IF_ERROR(CheckAxes(kScatterNames.windows, scatter.update_window_dims, updates.shape.rank()));
  Shape windows;
  TENFERRO_RETURN_IF_ERROR(InferWindows(kScatterNames, GatherOf(scatter, x.shape, updates.shape), x, indices, windows));
  if (windows != updates.shape) {
    return Invalid("updates ", updates.ToString(), " do not fit indices ", indices.ToString(), ": want shape ",
                   windows.ToString());
  }
  outputs.push_back(x);
  return absl::OkStatus();
}

absl::Status InferDynamicSlice(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const Ints sizes = Decode<DynamicSliceAttributes>(words).slice_sizes;
  TENFERRO_RETURN_IF_ERROR(CheckStarts(inputs[0], inputs[1]));
  TENFERRO_RETURN_IF_ERROR(CheckSizes(sizes, inputs[0]));
  outputs.push_back({inputs[0].dtype, Shape(absl::MakeConstSpan(sizes))});
  return absl::OkStatus();
}

absl::Status InferDynamicUpdateSlice(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ValueType &x = inputs[0], &update = inputs[1];
  if (x.dtype != update.dtype || x.shape.rank() != update.shape.rank()) {
    return Invalid("dtypes or ranks differ, got ", x.ToString(), " and update ", update.ToString());
  }
  TENFERRO_RETURN_IF_ERROR(CheckStarts(x, inputs[2]));
  for (int axis = 0; axis < x.shape.rank(); ++axis) {
    TENFERRO_RETURN_IF_ERROR(CheckFits(update.shape.extent(axis), axis, x));
  }
  outputs.push_back(x);
  return absl::OkStatus();
}

}  // namespace tenferro
