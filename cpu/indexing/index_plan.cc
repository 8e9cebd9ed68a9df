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

// Adds starts on one axis to offsets, or with kFirst sets those to `base` and the starts. What is outside is rare: a
// branch costs less than the work to be ready for it.
template <bool kFirst>
bool AddStarts(const int64_t* starts, int64_t n, IndexPlan::Component component, bool clamp, int64_t base,
               int64_t* operand) {
  bool all_inside = true;
  for (int64_t i = 0; i < n; ++i) {
    int64_t start = starts[i];
    start += start >> 63 & component.wrap;
    if (static_cast<uint64_t>(start) > static_cast<uint64_t>(component.limit)) [[unlikely]] {
      if (!clamp) {
        all_inside = false;
        operand[i] = Places::kOutside;
        continue;
      }
      start = start < 0 ? 0 : component.limit;
    }
    if constexpr (kFirst) {
      operand[i] = base + start * component.stride;
    } else {
      operand[i] = operand[i] == Places::kOutside ? Places::kOutside : operand[i] + start * component.stride;
    }
  }
  return all_inside;
}

template <class I>
void LoadAll(const void* indices, int64_t step, int64_t n, int64_t* memory) {
  const I* const from = static_cast<const I*>(indices);
  for (int64_t i = 0; i < n; ++i) memory[i] = Signed(from[i * step]);
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
    const int64_t extent = operand.extent(static_cast<int>(axis));
    plan.components.push_back(
        {operand_strides[axis], extent - gather.slice_sizes[axis], gather.from_the_end ? extent : 0});
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
  constexpr int64_t kLoaded = 512;
  int64_t loaded[kLoaded];
  const IndexPlan::Axis inner = plan.inner();
  for (int64_t done = 0; done < places->n;) {
    // A stretch along the innermost axis.
    const int64_t at = first + done;
    const Offsets start = OffsetsOf(plan.batch, at);
    const int64_t stretch = std::min({places->n - done, inner.extent - at % inner.extent, kLoaded});
    int64_t* const operand = places->operand + done;
    if (inner.windows == 1 && places->n <= inner.extent - first % inner.extent) {
      places->consecutive = true;
      if (done == 0) places->windows[0] = start.windows;
    } else {
      for (int64_t i = 0; i < stretch; ++i) places->windows[done + i] = start.windows + i * inner.windows;
    }
    // The first component of windows that no batching axis walks has nothing to add to.
    const bool sets = !plan.components.empty() && inner.operand == 0;
    if (!sets) {
      for (int64_t i = 0; i < stretch; ++i) operand[i] = start.operand + i * inner.operand;
    }
    int64_t offset = start.indices;
    for (size_t c = 0; c < plan.components.size(); ++c, offset += plan.component_stride) {
      const int64_t* const starts = LoadIndices(plan.index_dtype, indices, offset, inner.indices, stretch, loaded);
      const bool all_inside = (c == 0 && sets ? AddStarts<true> : AddStarts<false>)(starts, stretch, plan.components[c],
                                                                                    plan.clamp, start.operand, operand);
      places->any_outside |= !all_inside;
    }
    done += stretch;
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

const int64_t* LoadIndices(uint8_t dtype, const void* indices, int64_t offset, int64_t step, int64_t n,
                           int64_t* memory) {
  const DType type = static_cast<DType>(dtype);
  const char* const from = static_cast<const char*>(indices) + offset * SizeOf(type);
  if (type == DType::kI64 && step == 1) return static_cast<const int64_t*>(indices) + offset;
  (type == DType::kI32   ? LoadAll<int32_t>
   : type == DType::kI64 ? LoadAll<int64_t>
   : type == DType::kU8  ? LoadAll<uint8_t>
   : type == DType::kU32 ? LoadAll<uint32_t>
                         : LoadAll<uint64_t>)(from, step, n, memory);
  return memory;
}

}  // namespace tenferro
