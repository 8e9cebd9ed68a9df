#ifndef TENFERRO_FFT_FFT_H_
#define TENFERRO_FFT_FFT_H_

#include <optional>

#include "tenferro/runtime/arg.h"

namespace tenferro::fft {

// Fourier transforms with NumPy's names, numbers and options. Running needs "//fft:cpu", derivatives "//fft:autodiff".
//
// Dtypes: f32 and f64 stand for complex numbers where a transform takes those; c64, c128. Axes are numbered from 0 and
// always given. Common errors: another dtype, an axis that does not exist or stands twice, n below 1. Derivative: all
// are linear over the reals; a reverse derivative is again a transform. Accuracy: docs/fft.md; the relative error is a
// few eps for any n. Cost: O(n log n) for every n.

// Which direction divides by the number N of elements that a transform sums over.
enum class Norm {
  kBackward,  // the inverse one
  kOrtho,     // each, by √N
  kForward,   // the forward one
};

struct FftOptions {
  // Elements along the axis, cut off or filled up with zeros at the end to it; of the result, for one that makes real
  // numbers. Absent: as many as there are; for irfft and hfft twice the frequencies less 2.
  std::optional<int64_t> n = std::nullopt;
  Norm norm = Norm::kBackward;
};

// y_k = Σ_j x_j e^(−2πi·jk/n). Shapes: [.., m, ..] → [.., n, ..].
Var Fft(const Arg& x, int axis, const FftOptions& options = {});
// x_j = 1/n Σ_k y_k e^(2πi·jk/n).
Var Ifft(const Arg& x, int axis, const FftOptions& options = {});
// The frequencies 0 … n/2 of Fft of real numbers, the others being their conjugates. Errors: complex x.
// Shapes: [.., m, ..] → [.., n/2 + 1, ..].
Var Rfft(const Arg& x, int axis, const FftOptions& options = {});
// Ifft of the n frequencies whose first n/2 + 1 are x's and whose others are conjugates of these: real numbers. The
// imaginary parts of frequency 0 and, for even n, n/2 do not count. Shapes: [.., m, ..] → [.., n, ..]. Errors: real x.
Var Irfft(const Arg& x, int axis, const FftOptions& options = {});
// Fft of a signal with x_(−j) = conj x_j, of which the first n/2 + 1 elements are given: real numbers. Errors: real x.
Var Hfft(const Arg& x, int axis, const FftOptions& options = {});
// Its inverse: the first n/2 + 1 elements of Ifft of real numbers. Errors: complex x.
Var Ihfft(const Arg& x, int axis, const FftOptions& options = {});

struct FftnOptions {
  Ints s = {};  // as n, one number for each of the axes; empty: all absent
  Norm norm = Norm::kBackward;
};

// The transforms along several axes. Those of real numbers keep or make the half of the frequencies along the last axis
// listed; those that make real numbers have s of the result. Errors: also no axis, s of another length.
Var Fftn(const Arg& x, const Ints& axes, const FftnOptions& options = {});
Var Ifftn(const Arg& x, const Ints& axes, const FftnOptions& options = {});
Var Rfftn(const Arg& x, const Ints& axes, const FftnOptions& options = {});
Var Irfftn(const Arg& x, const Ints& axes, const FftnOptions& options = {});

// Along two axes. Errors: also another number of axes.
Var Fft2(const Arg& x, const Ints& axes, const FftnOptions& options = {});
Var Ifft2(const Arg& x, const Ints& axes, const FftnOptions& options = {});
Var Rfft2(const Arg& x, const Ints& axes, const FftnOptions& options = {});
Var Irfft2(const Arg& x, const Ints& axes, const FftnOptions& options = {});

}  // namespace tenferro::fft

#endif  // TENFERRO_FFT_FFT_H_
