#ifndef TENFERRO_FFT_FREQUENCIES_H_
#define TENFERRO_FFT_FREQUENCIES_H_

#include "tenferro/runtime/arg.h"

namespace tenferro::fft {

// The order of frequencies, and which they are. FftShift and IfftShift are composed of slices: any dtype, linear.

// Frequency 0, which transforms put first, moved to the middle of each axis (to place n/2, rounded down): element j to
// (j + n/2) mod n. Errors: an axis that does not exist or stands twice.
Var FftShift(const Arg& x, const Ints& axes);
Var FftShift(const Arg& x);  // on all axes
// Its inverse.
Var IfftShift(const Arg& x, const Ints& axes);
Var IfftShift(const Arg& x);

// The frequencies of an Fft of n elements that are `spacing` apart: 0, 1, …, −2, −1 divided by n·spacing, [n] in the
// context of `like`. Dtypes: f32, f64. Errors: another dtype; n below 1. Derivative: none (no operand).
Var FftFreq(const Var& like, DType dtype, int64_t n, double spacing = 1, Location location = Location::current());
// Those of an Rfft: 0, 1, …, n/2 divided by n·spacing, [n/2 + 1].
Var RfftFreq(const Var& like, DType dtype, int64_t n, double spacing = 1, Location location = Location::current());

}  // namespace tenferro::fft

#endif  // TENFERRO_FFT_FREQUENCIES_H_
