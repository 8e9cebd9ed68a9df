#ifndef TENFERRO_FFT_COSINE_H_
#define TENFERRO_FFT_COSINE_H_

#include <optional>

#include "tenferro/fft/fft.h"

namespace tenferro::fft {

struct DctOptions {
  int type = 2;  // 2 or 3, each the inverse of the other but for a factor
  // Elements along the axis, cut off or filled up with zeros at the end to it. Absent: as many as there are.
  std::optional<int64_t> n = std::nullopt;
  // Which direction divides by 2n; with kOrtho both are orthogonal matrices.
  Norm norm = Norm::kBackward;
};

// The discrete cosine transform along an axis:
//   type 2: y_k = 2 Σ_j x_j cos(πk(2j + 1)/(2n)); with kOrtho times √(1/(4n)) for k = 0, √(1/(2n)) for others,
//   type 3: y_k = x_0 + 2 Σ_(j > 0) x_j cos(π(2k + 1)j/(2n)); with kOrtho the transpose of the other.
// Dtypes: f32, f64; complex ones part by part. Errors: another dtype or type, no such axis, n below 1. Derivative:
// linear; the reverse one is again a transform. Accuracy, cost: those of an Rfft of n. Source: J. Makhoul, IEEE Trans.
// Acoust. Speech Signal Process. 28 (1980) 27.
Var Dct(const Arg& x, int axis, const DctOptions& options = {});
// Its inverse.
Var Idct(const Arg& x, int axis, const DctOptions& options = {});

}  // namespace tenferro::fft

#endif  // TENFERRO_FFT_COSINE_H_
