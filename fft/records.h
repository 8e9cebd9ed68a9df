#ifndef TENFERRO_FFT_RECORDS_H_
#define TENFERRO_FFT_RECORDS_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro::fft {

// The three transforms that all functions of the package are made of. They are linear; the set is closed under
// transposition with respect to ⟨a, b⟩ = Re Σ conj(a)·b. A transform of an axis without elements is an error.

extern const OpDef kTransform, kRealToHalf, kHalfToReal;

// y_k = scale · Σ_j x_j e^(∓2πi·jk/n) over each of the axes, − unless inverse. Complex dtypes. The transpose is the
// same with the other direction.
struct TransformAttributes {
  Ints axes;
  bool inverse = false;
  double scale = 1;
  void Fields(auto&& field) {
    field("axes", axes);
    field("inverse", inverse);
    field("scale", scale);
  }
};

// Between n real numbers x along an axis and n/2 + 1 frequencies y (n/2 rounded down), with g_k = `ends` for k = 0 and
// k = n/2 and g_k = `inner` for those between:
//   real to half: y_k = g_k Σ_j x_j e^(−2πi·jk/n), real for k = 0 and k = n/2,
//   half to real: x_j = Re Σ_k g_k y_k e^(2πi·jk/n), which does not see the imaginary parts of those two.
// Each is the transpose of the other with the same attributes.
struct HalfAttributes {
  int64_t axis = 0;
  int64_t n = 1;
  double ends = 1;
  double inner = 1;
  void Fields(auto&& field) {
    field("axis", axis);
    field("n", n);
    field("ends", ends);
    field("inner", inner);
  }
};

// The records on operands that fit them exactly. Errors: dtypes and axes; extents of half-length axes.
Var Transform(const Arg& x, const TransformAttributes& attributes);
Var RealToHalf(const Arg& x, const HalfAttributes& attributes);
Var HalfToReal(const Arg& y, const HalfAttributes& attributes);

}  // namespace tenferro::fft

#endif  // TENFERRO_FFT_RECORDS_H_
