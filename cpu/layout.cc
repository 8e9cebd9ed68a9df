#include "tenferro/cpu/layout.h"

namespace tenferro {

Layout DenseLayout(const Shape& shape) { return {0, shape.ColMajorStrides()}; }

bool ReshapeLayout(const Shape& from, const Layout& layout, const Shape& to, Layout* result) {
  result->offset = layout.offset;
  result->strides = to.ColMajorStrides();  // what empty tensors and axes of extent 1 keep
  if (to.size() <= 1) return true;
  const Walk walk = WalkOf(from, layout);
  // Each merged old axis must be a product of whole new ones, or part of a new axis would leave it.
  size_t old_axis = 0;
  int64_t rest = walk.extents[0];
  int64_t stride = walk.strides[0];
  for (int axis = 0; axis < to.rank(); ++axis) {
    const int64_t extent = to.extent(axis);
    if (extent == 1) continue;
    if (rest == 1) {
      ++old_axis;
      rest = walk.extents[old_axis];
      stride = walk.strides[old_axis];
    }
    if (rest % extent != 0) return false;
    result->strides[axis] = stride;
    stride *= extent;
    rest /= extent;
  }
  return true;
}

Walk WalkOf(const Shape& shape, const Layout& layout) {
  Walk walk;
  walk.size = shape.size();
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const int64_t extent = shape.extent(axis);
    if (extent == 1) continue;
    const int64_t stride = layout.strides[axis];
    if (!walk.extents.empty() && stride == walk.strides.back() * walk.extents.back()) {
      walk.extents.back() *= extent;
    } else {
      walk.extents.push_back(extent);
      walk.strides.push_back(stride);
    }
  }
  return walk;
}

}  // namespace tenferro
