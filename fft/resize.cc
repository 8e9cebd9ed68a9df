#include "tenferro/fft/resize.h"

#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::fft {

Var Resize(const Var& x, int axis, int64_t n) {
  if (!x.ok()) return x;
  const int64_t extent = x.dim(axis);
  if (n < extent) return SliceAlong(x, axis, 0, n);
  if (n == extent) return x;
  Ints high(x.rank(), 0);
  high[axis] = n - extent;
  return Pad(x, Full(x, x.dtype(), {}, false), Ints(x.rank(), 0), high);
}

Var SliceAlong(const Var& x, int axis, int64_t begin, int64_t end, int64_t step) {
  if (!x.ok()) return x;
  Ints starts(x.rank(), 0), limits = x.shape().extents(), strides(x.rank(), 1);
  starts[axis] = begin;
  limits[axis] = end;
  strides[axis] = step;
  return Slice(x, starts, limits, strides);
}

}  // namespace tenferro::fft
