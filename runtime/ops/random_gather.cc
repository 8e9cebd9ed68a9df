#include "tenferro/runtime/ops/random_gather.h"

#include <algorithm>

#include "tenferro/runtime/ops/axes.h"

namespace tenferro {

RandomGather MakeRandomGather(const Shape& operand, std::mt19937& random) {
  const auto below = [&random](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  RandomGather result;
  GatherAttributes& a = result.attributes;
  Ints batch_axes;  // −1: an axis of the indices alone
  for (int64_t i = below(3); i > 0; --i) batch_axes.push_back(-1);
  for (int axis = 0; axis < operand.rank(); ++axis) {
    const int64_t extent = operand.extent(axis), role = below(6);
    if (role == 0) {
      a.operand_batching_dims.push_back(axis);
      batch_axes.push_back(axis);
      a.slice_sizes.push_back(std::min<int64_t>(extent, 1));
      continue;
    }
    if (role < 4) a.start_index_map.push_back(axis);
    if (extent > 0 && role % 2 == 1) {
      a.collapsed_slice_dims.push_back(axis);
      a.slice_sizes.push_back(1);
    } else {
      a.slice_sizes.push_back(below(3) == 0 ? extent : below(extent + 1));
    }
  }
  std::shuffle(batch_axes.begin(), batch_axes.end(), random);
  std::shuffle(a.start_index_map.begin(), a.start_index_map.end(), random);
  const int batch_rank = static_cast<int>(batch_axes.size());
  const bool implicit = a.start_index_map.size() == 1 && below(2) == 0;
  a.index_vector_dim = implicit ? batch_rank : below(batch_rank + 1);
  a.start_indices_batching_dims = Ints(a.operand_batching_dims.size());
  Shape batch;
  for (int i = 0; i < batch_rank; ++i) {
    if (!implicit && i == a.index_vector_dim) result.indices.push_back(a.start_index_map.size());
    for (size_t k = 0; k < a.operand_batching_dims.size(); ++k) {
      if (batch_axes[i] == a.operand_batching_dims[k]) a.start_indices_batching_dims[k] = result.indices.rank();
    }
    batch.push_back(batch_axes[i] >= 0 ? operand[batch_axes[i]] : Dim(below(6) == 0 ? below(2) : 1 + below(5)));
    result.indices.push_back(batch[i]);
  }
  if (!implicit && a.index_vector_dim == batch_rank) result.indices.push_back(a.start_index_map.size());
  const int window_rank =
      operand.rank() - static_cast<int>(a.collapsed_slice_dims.size() + a.operand_batching_dims.size());
  Ints axes = FirstAxes(batch_rank + window_rank);
  std::shuffle(axes.begin(), axes.end(), random);
  a.offset_dims = Ints(axes.begin(), axes.begin() + window_rank);
  std::sort(a.offset_dims.begin(), a.offset_dims.end());
  a.mode = below(2) == 0 ? IndexMode::kClamp : IndexMode::kFill;
  a.from_the_end = below(2) == 0;
  int next_window = 0, next_batch = 0;
  for (int axis = 0; axis < batch_rank + window_rank; ++axis) {
    if (!ContainsAxis(a.offset_dims, axis)) {
      result.windows.push_back(batch[next_batch++]);
      continue;
    }
    while (ContainsAxis(a.collapsed_slice_dims, next_window) || ContainsAxis(a.operand_batching_dims, next_window)) {
      ++next_window;
    }
    result.windows.push_back(a.slice_sizes[next_window++]);
  }
  return result;
}

}  // namespace tenferro
