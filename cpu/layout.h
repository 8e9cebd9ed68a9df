#ifndef TENFERRO_CPU_LAYOUT_H_
#define TENFERRO_CPU_LAYOUT_H_

#include <cstdint>

#include "absl/types/span.h"
#include "tenferro/tensor/shape.h"

namespace tenferro {

// Where the elements of a value lie in a buffer: element (i_0, …) at offset + Σ i_k strides[k], counted in elements.
struct Layout {
  int64_t offset = 0;
  Ints strides;
};

// Column-major from the buffer's start.
Layout DenseLayout(const Shape& shape);

// The layout of the same elements, in the same column-major order, under another shape of the same size. False where a
// new axis would have to step unevenly.
bool ReshapeLayout(const Shape& from, const Layout& layout, const Shape& to, Layout* result);

// The axes that matter when elements are walked in column-major order: extents of 1 dropped, neighbours that step
// evenly merged.
struct Walk {
  int64_t size = 1;
  Ints extents;
  Ints strides;

  // All elements are the same one.
  bool is_splat() const { return extents.empty() || (extents.size() == 1 && strides[0] == 0); }
  // Consecutive elements.
  bool is_dense() const { return size <= 1 || (extents.size() == 1 && strides[0] == 1); }
};
Walk WalkOf(const Shape& shape, const Layout& layout);

}  // namespace tenferro

#endif  // TENFERRO_CPU_LAYOUT_H_
