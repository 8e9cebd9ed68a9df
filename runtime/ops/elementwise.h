#ifndef TENFERRO_RUNTIME_OPS_ELEMENTWISE_H_
#define TENFERRO_RUNTIME_OPS_ELEMENTWISE_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"
#include "tenferro/runtime/ops/elementwise_records.h"

namespace tenferro {

// Everything here works element by element. Two tensors are promoted to one dtype (tenferro/tensor/dtype.h) and
// broadcast by NumPy's rule, aligned at the last axis; a C++ number takes the tensor's dtype. Common errors, carried by
// the result: a dtype that the operation does not take; shapes that do not broadcast; a number that does not fit;
// numbers only. Derivatives of complex operations follow <a, b> = Re sum conj(a) b: a jvp multiplies by f'(x), a vjp by
// its conjugate. Accuracy is given for real f32 and f64; complex functions are within a few ULP of the larger
// component.

// Sum. Dtypes: all but bool; integers wrap. Derivative: da + db.
Var Add(const Arg& a, const Arg& b);
// Difference. Dtypes: all but bool; integers wrap. Derivative: da − db.
Var Sub(const Arg& a, const Arg& b);
// Product. Dtypes: all but bool; integers wrap. Derivative: da·b + a·db.
Var Mul(const Arg& a, const Arg& b);
// Quotient. Dtypes: all but bool. Floats follow IEEE. Integers truncate towards zero; x/0 = −1 (unsigned: all ones),
// MIN/−1 = MIN. Derivative: da/b − (a/b)·db/b.
Var Div(const Arg& a, const Arg& b);
// Negative. Dtypes: all but bool; integers wrap. Derivative: −dx.
Var Neg(const Arg& x);
// a to the power b. Dtypes: all but bool. Floats: special values as C's pow. Integers: exact, wrapping; a negative
// exponent gives the truncated reciprocal (0 unless a is ±1; a = 0 as 1/0). Derivative: b·a^(b−1)·da (0 where b = 0) +
// a^b·log(a)·db (0 where a = 0). Accuracy: 1.0 ULP.
Var Pow(const Arg& a, const Arg& b);
// Larger element, NaN if either is. Dtypes: real and bool. Derivative: to the larger; halves at a tie.
Var Max(const Arg& a, const Arg& b);
// Smaller element, NaN if either is. Dtypes: real and bool. Derivative: to the smaller; halves at a tie.
Var Min(const Arg& a, const Arg& b);
// Absolute value; of a complex number its modulus, a real dtype. Dtypes: all but bool; |MIN| wraps.
// Derivative: sign(x)·dx, complex: Re(conj(sign(x))·dx); 0 at 0.
Var Abs(const Arg& x);
// −1, 0 or 1; x/|x| for complex, 0 at 0; NaN for NaN. Dtypes: all but bool. Derivative: 0 for real; complex: (dx −
// y·Re(conj(y)·dx))/|x|, 0 at 0.
Var Sign(const Arg& x);
// Square root. Dtypes: float, complex (principal branch). Derivative: dx/(2y). Accuracy: correctly rounded.
Var Sqrt(const Arg& x);
// 1/√x. Dtypes: float, complex. Derivative: −y/(2x)·dx. Accuracy: 1.5 ULP.
Var Rsqrt(const Arg& x);
// x·x. Dtypes: all but bool. Derivative: 2x·dx.
Var Square(const Arg& x);
// Exponential. Dtypes: float, complex. Derivative: y·dx. Accuracy: 1.0 ULP.
Var Exp(const Arg& x);
// exp(x) − 1, accurate near 0. Dtypes: float, complex. Derivative: (y + 1)·dx. Accuracy: 1.0 ULP.
Var Expm1(const Arg& x);
// Natural logarithm. Dtypes: float, complex (principal branch). Derivative: dx/x. Accuracy: 1.0 ULP.
Var Log(const Arg& x);
// log(1 + x), accurate near 0. Dtypes: float, complex. Derivative: dx/(1 + x). Accuracy: 1.0 ULP.
Var Log1p(const Arg& x);
// Sine. Dtypes: float, complex. Derivative: cos(x)·dx. Accuracy: 1.0 ULP at any range.
Var Sin(const Arg& x);
// Cosine. Dtypes: float, complex. Derivative: −sin(x)·dx. Accuracy: 1.0 ULP at any range.
Var Cos(const Arg& x);
// Hyperbolic tangent. Dtypes: float, complex. Derivative: (1 − y²)·dx. Accuracy: 1.0 ULP, f64 1.9.
Var Tanh(const Arg& x);
// Hyperbolic sine. Dtypes: float, complex. Derivative: cosh(x)·dx. Accuracy: 1.0 ULP.
Var Sinh(const Arg& x);
// Hyperbolic cosine. Dtypes: float, complex. Derivative: sinh(x)·dx. Accuracy: 1.0 ULP.
Var Cosh(const Arg& x);

// Complex conjugate; a real tensor is its own. Derivative: conj(dx).
Var Conj(const Arg& x);
// Real part; a real tensor is its own. Derivative: Re dx.
Var Real(const Arg& x);
// Imaginary part; 0 for a real tensor. Derivative: Im dx.
Var Imag(const Arg& x);
// re + i·im from two float tensors. Derivative: dre + i·dim.
Var MakeComplex(const Arg& re, const Arg& im);

// Logical for bool, bitwise for integers. Derivative: none (not continuous), as for all functions below up to Select.
Var And(const Arg& a, const Arg& b);
Var Or(const Arg& a, const Arg& b);
Var Not(const Arg& x);
// Comparisons, giving bool. Complex: Eq and Ne only. A NaN is not equal to anything.
Var Eq(const Arg& a, const Arg& b);
Var Ne(const Arg& a, const Arg& b);
Var Lt(const Arg& a, const Arg& b);
Var Le(const Arg& a, const Arg& b);
Var Gt(const Arg& a, const Arg& b);
Var Ge(const Arg& a, const Arg& b);
// a where the bool `condition` holds, else b. Derivative: the chosen one's; a NaN in the other does not matter.
Var Select(const Arg& condition, const Arg& a, const Arg& b);

// The same numbers in another dtype that holds them all: along the order of Promote. Errors: the dtype does not (use
// Cast). Derivative: convert(dx).
Var Convert(const Arg& x, DType dtype);
// The nearest thing in any dtype: floats round, float to integer truncates and saturates (NaN gives 0), integers wrap,
// complex to real drops the imaginary part, to bool asks x ≠ 0. Derivative: cast(dx) between float and complex dtypes,
// else none.
Var Cast(const Arg& x, DType dtype);

inline Var operator+(const Arg& a, const Arg& b) { return Add(a, b); }
inline Var operator-(const Arg& a, const Arg& b) { return Sub(a, b); }
inline Var operator*(const Arg& a, const Arg& b) { return Mul(a, b); }
inline Var operator/(const Arg& a, const Arg& b) { return Div(a, b); }
inline Var operator-(const Arg& x) { return Neg(x); }

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_ELEMENTWISE_H_
