#ifndef TENFERRO_RUNTIME_OPS_MATH_H_
#define TENFERRO_RUNTIME_OPS_MATH_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"
#include "tenferro/runtime/ops/math_records.h"

namespace tenferro {

extern constinit FamilySlots math_slots;

// Mathematical functions, element by element. Operands, common errors and derivatives are as in
// tenferro/runtime/ops/elementwise.h. Special values are those of C's functions. Accuracy is that of f32 and f64 in
// units in the last place (ULP); complex functions of c128 are within 2.5 precisions of the result's modulus unless
// said, those of c64 within 0.5. docs/accuracy.md has the measurements.

// 1/x. Dtypes: float, complex. Derivative: −y²·dx. Accuracy: correctly rounded; complex 1.3.
Var Reciprocal(const Arg& x);
// x to the power n, by repeated multiplication; x⁰ is 1 for every x. Dtypes: all but bool; integers are exact and wrap.
// Errors: n < 0 for integers. Derivative: n·x^(n−1)·dx, 0 for n = 0. Accuracy: (|n| + 1)/2 ULP; complex |n|.
// Cost: 2 log₂|n| multiplications, and a division where n < 0.
Var IntegerPow(const Arg& x, int n);
// 2 to the power x. Dtypes: float, complex (imaginary parts up to 2⁴⁰ keep the accuracy). Derivative: y·log(2)·dx.
// Accuracy: 1.0 ULP.
Var Exp2(const Arg& x);
// Logarithms to the bases 2 and 10. Dtypes: float, complex (principal branch). Derivative: dx/(x·log(base)).
// Accuracy: 1.0 ULP.
Var Log2(const Arg& x);
Var Log10(const Arg& x);
// Cube root, negative for negative x. Dtypes: float. Derivative: dx/(3y²), infinite at 0. Accuracy: 1.0 ULP.
Var Cbrt(const Arg& x);
// √(a² + b²) without overflow or underflow on the way; infinite if either is, even beside a NaN. Dtypes: float.
// Derivative: (a·da + b·db)/y, 0 at the origin. Accuracy: 1.0 ULP.
Var Hypot(const Arg& a, const Arg& b);
// The logistic function 1/(1 + exp(−x)) without overflow. Dtypes: float, complex. Derivative: y·logistic(−x)·dx.
// Accuracy: 2.1 ULP.
Var Logistic(const Arg& x);
// log(exp(a) + exp(b)) without overflow. Dtypes: float. Derivative: logistic(a − b)·da + logistic(b − a)·db; halves for
// two equal infinities. Accuracy: 2 ULP of the largest of |a|, |b| and |y|.
Var LogAddExp(const Arg& a, const Arg& b);

// Tangent. Dtypes: float, complex. Derivative: (1 + y²)·dx. Accuracy: 1.0 ULP at any range.
Var Tan(const Arg& x);
// Inverse trigonometric functions. Dtypes: float (NaN outside [−1, 1] for the first two), complex: the branch cuts of
// C's casin, cacos and catan, on which the sign of the zero part says the side, for the derivative too. Derivative:
// ±dx/√(1 − x²); dx/(1 + x²). Accuracy: 1.0 ULP.
Var Asin(const Arg& x);
Var Acos(const Arg& x);
Var Atan(const Arg& x);
// The angle of the point (x, y), in [−π, π]. Dtypes: float. Derivative: (x·dy − y·dx)/(x² + y²), NaN at the origin.
// Accuracy: 1.0 ULP.
Var Atan2(const Arg& y, const Arg& x);
// Inverse hyperbolic functions. Dtypes: float (NaN for x < 1 and for |x| > 1 in the last two), complex: C's branch
// cuts. Derivative: dx/√(x² + 1), dx/√(x² − 1), dx/(1 − x²). Accuracy: 1.0 ULP.
Var Asinh(const Arg& x);
Var Acosh(const Arg& x);
Var Atanh(const Arg& x);
// The argument of a complex number, in [−π, π], a real dtype; of a real one 0, or π where the sign bit is set.
// Dtypes: float, complex. Derivative: Im(dx/x), 0 at 0; 0 for real. Accuracy: 1.0 ULP.
Var Angle(const Arg& x);
// The next number after a in the direction of b; b where they are equal. Dtypes: float. Derivative: none, it moves by
// one unit in the last place.
Var NextAfter(const Arg& a, const Arg& b);

// The error function 2/√π·∫₀ˣ exp(−t²)dt, its complement 1 − erf(x), accurate far out, and its inverse: NaN outside
// [−1, 1], ±∞ at ±1. Dtypes: float. Derivative: ±2/√π·exp(−x²)·dx; √π/2·exp(y²)·dx. Accuracy: 1.0, 1.5 and 2 ULP.
// Source of the inverse: M. Wichura, Algorithm AS 241, Applied Statistics 37 (1988).
Var Erf(const Arg& x);
Var Erfc(const Arg& x);
Var ErfInv(const Arg& x);
// log|Γ(x)|, ∞ at 0, −1, −2, …. Dtypes: float. Derivative: digamma(x)·dx. Accuracy: 1.2 ULP for x > 0, also beside the
// zeros at 1 and 2; 4 ULP for x < 0, where the C library's is used.
Var Lgamma(const Arg& x);
// The derivative ψ of log Γ; ∓∞ at ±0, NaN at −1, −2, …. Dtypes: float. Derivative: polygamma(1, x)·dx. Accuracy: 4 ULP
// for x > 0, also beside the root at 1.46; for x < 0, where there are many roots, 3 ULP of the larger of |y| and
// 1 + log(1 − x). Cost: one element at a time, 20 to 60 ns. Source: Abramowitz and Stegun 6.3.
Var Digamma(const Arg& x);
// The n-th derivative of ψ, 0 <= n <= 170, beyond which n! overflows. At 0, −1, −2, … ∞ for odd n; for even n NaN, but
// ∓∞ at ±0. Dtypes: float. Errors: another n. Derivative: polygamma(n + 1, x)·dx. Accuracy: 1.0 ULP; for x < 0 and even
// n, where there are roots, that of what cancels. Cost: one element at a time in extended precision, 0.3 to 2 µs.
// Source: Euler and Maclaurin's sum for the Hurwitz zeta function; the reflection formula.
Var Polygamma(int n, const Arg& x);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_MATH_H_
