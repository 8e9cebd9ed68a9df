#ifndef TENFERRO_CPU_INDEXING_INDEX_PLAN_H_
#define TENFERRO_CPU_INDEXING_INDEX_PLAN_H_

#include <cstdint>
#include <vector>

#include "tenferro/runtime/ops/indexing.h"

namespace tenferro {

// How a gather or scatter walks its windows, found once. Offsets and strides count elements.
struct IndexPlan {
  // One axis of several arrays at once.
  struct Axis {
    int64_t extent;
    int64_t operand;  // strides in the operand, 0 where it is not walked,
    int64_t windows;  // the tensor of all windows (a gather's result, a scatter's updates)
    int64_t indices;  // and the indices
  };
  struct Component {
    int64_t stride;  // in the operand
    int64_t limit;   // the last start inside
    int64_t wrap;    // added to negative starts
  };

  uint8_t index_dtype;  // an ElementCode
  bool clamp;
  int64_t count = 1;             // windows
  std::vector<Axis> batch;       // the axes that number the windows, neighbours merged where they step evenly
  int64_t component_stride = 0;  // in the indices
  std::vector<Component> components;
  // A window's axes. Those whose starts the indices say come first: windows may overlap there.
  int64_t run = 1;           // consecutive elements of operand and windows, the innermost axis
  std::vector<Axis> moving;  // the rest of them
  std::vector<Axis> fixed;   // at the same place for all windows
  int64_t moving_size = 1, fixed_size = 1;

  // The axis along which windows follow each other.
  Axis inner() const { return batch.empty() ? Axis{1, 0, 0, 0} : batch[0]; }
  // LoadIndices along it needs no memory.
  bool starts_are_indices() const { return static_cast<DType>(index_dtype) == DType::kI64 && inner().indices == 1; }
};

// `windows` is the type and strides of the tensor of windows.
IndexPlan MakeIndexPlan(const GatherAttributes& gather, const Shape& operand, absl::Span<const int64_t> operand_strides,
                        const ValueType& indices, absl::Span<const int64_t> indices_strides, const Shape& windows,
                        absl::Span<const int64_t> windows_strides);

// Where window i starts, for `first` <= i < first + n.
struct Places {
  static constexpr int64_t kOutside = INT64_MIN;
  static constexpr int64_t BytesFor(int64_t n) { return n * 2 * static_cast<int64_t>(sizeof(int64_t)); }
  // `memory` has BytesFor(n).
  Places(void* memory, int64_t n) : operand(static_cast<int64_t*>(memory)), windows(operand + n), n(n) {}

  // Sets all of `windows`.
  void ListWindows() {
    for (int64_t i = 1; i < n; ++i) windows[i] = windows[0] + i;
    consecutive = false;
  }

  int64_t* operand;  // kOutside for one that is not inside
  int64_t* windows;
  int64_t n;
  bool any_outside = false;
  bool consecutive = false;  // windows[i] is windows[0] + i; the others are not set then
};
void FindPlaces(const IndexPlan& plan, const void* indices, int64_t first, Places* places);

// The offsets of element `index`, counted in column-major order over the axes.
struct Offsets {
  int64_t operand = 0, windows = 0, indices = 0;
};
Offsets OffsetsOf(const std::vector<IndexPlan::Axis>& axes, int64_t index);

// One index as a signed number; unsigned ones beyond its range are the largest.
int64_t LoadIndex(uint8_t dtype, const void* indices, int64_t offset);

// `n` of them, `step` apart: in place where they lie like that, else in `memory`, which has room for n.
const int64_t* LoadIndices(uint8_t dtype, const void* indices, int64_t offset, int64_t step, int64_t n,
                           int64_t* memory);

}  // namespace tenferro

#endif  // TENFERRO_CPU_INDEXING_INDEX_PLAN_H_
