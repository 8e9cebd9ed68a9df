#include <cstring>

#include "tenferro/cpu/kernels/move.h"
#include "tenferro/cpu/kernels/move_elements.h"

namespace tenferro {
namespace {

template <class T>
void Gather(int rank, const int64_t* extents, const void* from, const int64_t* strides, int64_t begin, int64_t n,
            void* to) {
  const T* in = static_cast<const T*>(from);
  T* out = static_cast<T*>(to);
  // Axes that continue their predecessor join it; position of `begin` in them.
  int64_t merged[StridedCopyPlan::kMaxRank], stride[StridedCopyPlan::kMaxRank], index[StridedCopyPlan::kMaxRank];
  int axes = 0;
  for (int axis = 0; axis < rank; ++axis) {
    if (extents[axis] == 1) continue;
    if (axes > 0 && strides[axis] == stride[axes - 1] * merged[axes - 1]) {
      merged[axes - 1] *= extents[axis];
    } else {
      merged[axes] = extents[axis];
      stride[axes] = strides[axis];
      ++axes;
    }
  }
  if (axes == 0) {
    merged[0] = 1;
    stride[0] = 0;
    axes = 1;
  }
  for (int axis = 0; axis < axes; ++axis) {
    index[axis] = begin % merged[axis];
    begin /= merged[axis];
    in += index[axis] * stride[axis];
  }
  while (n > 0) {
    const int64_t left = merged[0] - index[0];
    const int64_t run = n < left ? n : left;
    if (stride[0] == 1) {
      std::memcpy(out, in, static_cast<size_t>(run) * sizeof(T));
    } else if (stride[0] == 0) {
      FillElements(out, *in, run);
    } else {
      MoveElements(out, 1, in, stride[0], run);
    }
    out += run;
    n -= run;
    // To the start of the next run: back to 0 on axis 0, one on along the first other axis that does not overflow.
    in -= index[0] * stride[0];
    index[0] = 0;
    for (int axis = 1; axis < axes; ++axis) {
      in += stride[axis];
      if (++index[axis] < merged[axis]) break;
      in -= merged[axis] * stride[axis];
      index[axis] = 0;
    }
  }
}

}  // namespace

void GatherTile(int element_size, int rank, const int64_t* extents, const void* in, const int64_t* in_strides,
                int64_t begin, int64_t n, void* out) {
  if (n == 0) return;
  switch (element_size) {
    case 1: return Gather<Element1>(rank, extents, in, in_strides, begin, n, out);
    case 4: return Gather<Element4>(rank, extents, in, in_strides, begin, n, out);
    case 8: return Gather<Element8>(rank, extents, in, in_strides, begin, n, out);
    default: return Gather<Element16>(rank, extents, in, in_strides, begin, n, out);
  }
}

}  // namespace tenferro
