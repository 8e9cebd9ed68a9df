#ifndef TENFERRO_FFT_RESIZE_H_
#define TENFERRO_FFT_RESIZE_H_

#include "tenferro/runtime/var.h"

namespace tenferro::fft {

// Both give an error as it is.

// `x` with n elements along an axis: the first ones, or all and zeros after them.
Var Resize(const Var& x, int axis, int64_t n);

// Elements begin, begin + step, … below end along an axis.
Var SliceAlong(const Var& x, int axis, int64_t begin, int64_t end, int64_t step = 1);

}  // namespace tenferro::fft

#endif  // TENFERRO_FFT_RESIZE_H_
