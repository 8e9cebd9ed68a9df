#ifndef TENFERRO_RUNTIME_OPS_MATH_H_
#define TENFERRO_RUNTIME_OPS_MATH_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"
#include "tenferro/runtime/ops/math_records.h"

namespace tenferro {

extern constinit FamilySlots math_slots;

Var Reciprocal(const Arg& x);
Var IntegerPow(const Arg& x, int n);
Var Exp2(const Arg& x);
Var Log2(const Arg& x);
Var Log10(const Arg& x);
Var Cbrt(const Arg& x);
Var Hypot(const Arg& a, const Arg& b);
Var Logistic(const Arg& x);
Var LogAddExp(const Arg& a, const Arg& b);
Var Tan(const Arg& x);
Var Asin(const Arg& x);
Var Acos(const Arg& x);
Var Atan(const Arg& x);
Var Atan2(const Arg& y, const Arg& x);
Var Asinh(const Arg& x);
Var Acosh(const Arg& x);
Var Atanh(const Arg& x);
Var Angle(const Arg& x);
Var NextAfter(const Arg& a, const Arg& b);
Var Erf(const Arg& x);
Var Erfc(const Arg& x);
Var ErfInv(const Arg& x);
Var Lgamma(const Arg& x);
Var Digamma(const Arg& x);
Var Polygamma(int n, const Arg& x);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_MATH_H_
