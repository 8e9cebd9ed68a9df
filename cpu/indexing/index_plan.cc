#include "tenferro/cpu/indexing/index_plan.h"

#include <algorithm>

#include "tenferro/runtime/ops/axes.h"

namespace tenferro {
namespace {

using Axis = IndexPlan::Axis;

// Without axes of extent 1, and with neighbours merged that step evenly in all arrays. Axis 0 steps first.
std::vector<Axis> Merged(const std::vector<Axis>& axes) {
  std::vector<Axis> merged;
  for (const Axis& axis : axes) {
    if (axis.extent == 1) continue;
    if (!merged.empty()) {
      Axis& last = merged.back();
      if (last.operand * last.extent == axis.operand && last.windows * last.extent == axis.windows &&
          last.indices * last.extent == axis.indices) {
        last.extent *= axis.extent;
        continue;
      }
    }
    merged.push_back(axis);
  }
  return merged;
}

int64_t SizeOfAxes(const std::vector<Axis>& axes) {
  int64_t size = 1;
  for (const Axis& axis : axes) size *= axis.extent;
  return size;
}

template <class I>
int64_t Signed(I index) {
  if constexpr (sizeof(I) == 8 && I(-1) > I(0)) {
    return index > static_cast<I>(INT64_MAX) ? INT64_MAX : static_cast<int64_t>(index);
  } else {
    return static_cast<int64_t>(index);
  }
}

// Adds starts on one axis to offsets, or with kFirst sets those to `base` and the starts.
template <bool kFirst, bool kClamp, class I>
void AddStarts(const I* indices, int64_t step, int64_t n, IndexPlan::Component component, int64_t base,
               int64_t* operand, bool* all_inside) {
  bool inside = true;
  for (int64_t i = 0; i < n; ++i) {
    int64_t index = Signed(indices[i * step]);
    const int64_t before = kFirst ? base : operand[i];
    if constexpr (kClamp) {
      index = index < component.limit ? index : component.limit;
      index = index > 0 ? index : 0;
      operand[i] = before + index * component.stride;
    } else {
      const bool is_inside = static_cast<uint64_t>(index) <= static_cast<uint64_t>(component.limit);
      inside &= is_inside;
      const int64_t place =
          before + static_cast<int64_t>(static_cast<uint64_t>(index) * static_cast<uint64_t>(component.stride));
      operand[i] = is_inside && (kFirst || before != Places::kOutside) ? place : Places::kOutside;
    }
  }
  *all_inside = inside;
}

template <class I>
void Find(const IndexPlan& plan, const I* indices, int64_t first, Places* places) {
  const int64_t n = places->n;
  const size_t rank = plan.batch.size();
  int64_t done = 0;
  while (done < n) {
    // A stretch along the innermost axis.
    const int64_t at = first + done;
    const Offsets start = OffsetsOf(plan.batch, at);
    const Axis inner = rank == 0 ? Axis{1, 0, 0, 0} : plan.batch[0];
    const int64_t stretch = std::min(n - done, inner.extent - at % inner.extent);
    int64_t* const operand = places->operand + done;
    if (stretch == n && inner.windows == 1) {
      places->consecutive = true;
      places->windows[0] = start.windows;
    } else {
      for (int64_t i = 0; i < stretch; ++i) places->windows[done + i] = start.windows + i * inner.windows;
    }
    if (plan.components.empty() || inner.operand != 0) {
      for (int64_t i = 0; i < stretch; ++i) operand[i] = start.operand + i * inner.operand;
    }
    const I* from = indices + start.indices;
    for (size_t c = 0; c < plan.components.size(); ++c, from += plan.component_stride) {
      const IndexPlan::Component component = plan.components[c];
      // The first component of windows that no batching axis walks: there is nothing to add to.
      const bool is_first = c == 0 && inner.operand == 0;
      bool all_inside = true;
      if (is_first && inner.indices == 1 && plan.clamp) {
        AddStarts<true, true>(from, 1, stretch, component, start.operand, operand, &all_inside);
      } else if (is_first && inner.indices == 1) {
        AddStarts<true, false>(from, 1, stretch, component, start.operand, operand, &all_inside);
      } else {
        if (is_first) std::fill_n(operand, stretch, start.operand);
        (plan.clamp ? AddStarts<false, true, I> : AddStarts<false, false, I>)(from, inner.indices, stretch, component,
                                                                              0, operand, &all_inside);
      }
      places->any_outside |= !all_inside;
    }
    done += stretch;
  }
}

}  // namespace

IndexPlan MakeIndexPlan(const GatherAttributes& gather, const Shape& operand, absl::Span<const int64_t> operand_strides,
                        const ValueType& indices, absl::Span<const int64_t> indices_strides, const Shape& windows,
                        absl::Span<const int64_t> windows_strides) {
  IndexPlan plan;
  plan.index_dtype = static_cast<uint8_t>(indices.dtype);
  plan.clamp = gather.mode == IndexMode::kClamp;
  if (gather.index_vector_dim < indices.shape.rank()) plan.component_stride = indices_strides[gather.index_vector_dim];
  for (int64_t axis : gather.start_index_map) {
    plan.components.push_back(
        {operand_strides[axis], operand.extent(static_cast<int>(axis)) - gather.slice_sizes[axis]});
  }
  std::vector<Axis> batch, moving, fixed;
  int next_operand = 0, next_index = 0;
  for (int axis = 0; axis < windows.rank(); ++axis) {
    if (ContainsAxis(gather.offset_dims, axis)) {
      while (ContainsAxis(gather.collapsed_slice_dims, next_operand) ||
             ContainsAxis(gather.operand_batching_dims, next_operand)) {
        ++next_operand;
      }
      std::vector<Axis>& kind = ContainsAxis(gather.start_index_map, next_operand) ? moving : fixed;
      kind.push_back({windows.extent(axis), operand_strides[next_operand++], windows_strides[axis], 0});
      continue;
    }
    if (next_index == gather.index_vector_dim) ++next_index;
    Axis walk{windows.extent(axis), 0, windows_strides[axis], indices_strides[next_index]};
    for (size_t i = 0; i < gather.operand_batching_dims.size(); ++i) {
      if (gather.start_indices_batching_dims[i] == next_index) {
        walk.operand = operand_strides[gather.operand_batching_dims[i]];
      }
    }
    batch.push_back(walk);
    ++next_index;
  }
  plan.batch = Merged(batch);
  plan.count = SizeOfAxes(plan.batch);
  plan.moving = Merged(moving);
  plan.fixed = Merged(fixed);
  for (std::vector<Axis>* axes : {&plan.moving, &plan.fixed}) {
    if (plan.run == 1 && !axes->empty() && axes->front().operand == 1 && axes->front().windows == 1) {
      plan.run = axes->front().extent;
      axes->erase(axes->begin());
    }
  }
  plan.moving_size = SizeOfAxes(plan.moving);
  plan.fixed_size = SizeOfAxes(plan.fixed);
  return plan;
}

Offsets OffsetsOf(const std::vector<Axis>& axes, int64_t index) {
  Offsets offsets;
  for (const Axis& axis : axes) {
    const int64_t i = index % axis.extent;
    index /= axis.extent;
    offsets.operand += i * axis.operand;
    offsets.windows += i * axis.windows;
    offsets.indices += i * axis.indices;
  }
  return offsets;
}

void FindPlaces(const IndexPlan& plan, const void* indices, int64_t first, Places* places) {
  switch (static_cast<DType>(plan.index_dtype)) {
    case DType::kI32: return Find(plan, static_cast<const int32_t*>(indices), first, places);
    case DType::kI64: return Find(plan, static_cast<const int64_t*>(indices), first, places);
    case DType::kU8: return Find(plan, static_cast<const uint8_t*>(indices), first, places);
    case DType::kU32: return Find(plan, static_cast<const uint32_t*>(indices), first, places);
    default: return Find(plan, static_cast<const uint64_t*>(indices), first, places);
  }
}

int64_t LoadIndex(uint8_t dtype, const void* indices, int64_t offset) {
  switch (static_cast<DType>(dtype)) {
    case DType::kI32: return static_cast<const int32_t*>(indices)[offset];
    case DType::kI64: return static_cast<const int64_t*>(indices)[offset];
    case DType::kU8: return static_cast<const uint8_t*>(indices)[offset];
    case DType::kU32: return static_cast<const uint32_t*>(indices)[offset];
    default: return Signed(static_cast<const uint64_t*>(indices)[offset]);
  }
}

}  // namespace tenferro
