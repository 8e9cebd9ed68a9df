#ifndef TENFERRO_RUNTIME_OPS_ARITHMETIC_H_
#define TENFERRO_RUNTIME_OPS_ARITHMETIC_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"
#include "tenferro/runtime/ops/arithmetic_records.h"

namespace tenferro {

// Remainders, rounding, the kinds of floating-point numbers, bits and truth, element by element: operands, broadcasting
// and common errors as in tenferro/runtime/ops/elementwise.h. Results are exact unless said otherwise.

// Where the kernels of this family hang themselves in.
extern constinit FamilySlots arithmetic_slots;

// Remainder of the division that truncates, with the sign of a: C's fmod, exact. Dtypes: integer, float. Integers: a
// rem 0 = a, MIN rem −1 = 0. Derivative: da − trunc(a/b)·db.
Var Rem(const Arg& a, const Arg& b);
// The quotient rounded down. Dtypes: integer, float. Integers: a/0 = −1 (unsigned: all ones), MIN/−1 = MIN. Floats as
// Python and NumPy: the integer that belongs to Mod's remainder; a/0 by IEEE. Derivative: none.
Var FloorDivide(const Arg& a, const Arg& b);
// Remainder of the division that rounds down, with the sign of b, also where it is 0. Dtypes: integer, float. Integers:
// a mod 0 = a, MIN mod −1 = 0. Floats as Python and NumPy: fmod(a, b), to which b is added where the signs differ
// (rounded: −1e-20 mod 1 = 1). Derivative: da − floor(a/b)·db.
Var Mod(const Arg& a, const Arg& b);

// Rounding to integers that stay in x's dtype; integers are their own. Dtypes: integer, float. Derivative: none (0
// almost everywhere).
Var Floor(const Arg& x);  // down
Var Ceil(const Arg& x);   // up
Var Trunc(const Arg& x);  // towards 0
// To the nearest; halves to the even one, as IEEE and NumPy.
Var Round(const Arg& x);
// To the nearest; halves away from 0, as C's round.
Var RoundHalfAway(const Arg& x);

// True for negative numbers, −0 and NaN with the sign set. Dtypes: integer, float.
Var SignBit(const Arg& x);
// True for numbers that are neither infinite nor NaN; for complex ones both parts. Dtypes: all but bool.
Var IsFinite(const Arg& x);
// True for NaN, for complex numbers with a part that is. Dtypes: all but bool.
Var IsNan(const Arg& x);
// True for ±∞, for complex numbers with a part that is (whatever the other). Dtypes: all but bool.
Var IsInf(const Arg& x);

// min(max(x, low), high): high where low > high; NaN if any operand is. Dtypes: integer, float.
// Derivative: that of the operand the result comes from; 0 at a tie.
Var Clamp(const Arg& x, const Arg& low, const Arg& high);

// Exclusive or, bit by bit. Dtypes: bool, integer.
Var Xor(const Arg& a, const Arg& b);
// x's bits moved up by `amount`, zeros from below. An amount outside 0 … width − 1 (negative ones are) moves all bits
// out: 0. Dtypes: integer.
Var ShiftLeft(const Arg& x, const Arg& amount);
// x's bits moved down, zeros from above; 0 for an amount outside 0 … width − 1. Dtypes: integer.
Var ShiftRightLogical(const Arg& x, const Arg& amount);
// x's bits moved down, the top bit repeated, whatever the dtype; that bit everywhere for an amount outside 0 … width −
// 1. Dtypes: integer.
Var ShiftRightArithmetic(const Arg& x, const Arg& amount);
// The number of ones among x's bits, in x's dtype. Dtypes: integer.
Var PopulationCount(const Arg& x);
// The number of zeros above x's highest one, in x's dtype; the width for 0. Dtypes: integer.
Var CountLeadingZeros(const Arg& x);

// Truth: any number but 0 is true, NaN too. Dtypes: all; a C++ operand must be bool. The result is bool.
Var LogicalAnd(const Arg& a, const Arg& b);
Var LogicalOr(const Arg& a, const Arg& b);
Var LogicalXor(const Arg& a, const Arg& b);
Var LogicalNot(const Arg& x);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_ARITHMETIC_H_
