#ifndef TENFERRO_LINALG_SOLVE_H_
#define TENFERRO_LINALG_SOLVE_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro::linalg {

extern const OpDef kSlogdet, kDet;

// Square matrices a [n, n, batch…], by LU factors with partial pivoting, which the derivatives use again. Dtypes:
// float, complex. Common errors: not square, another dtype (carried); an element that is not finite (when run).

// The x with a·x = b. Shapes: b [n, k, batch…] or [n, batch…]. Errors: shapes or dtypes that do not fit (carried); a
// singular a: the first zero pivot (when run). Derivative: a⁻¹·(db − da·x); the adjoint solves with aᴴ. Accuracy:
// backward stable but for the growth of pivots. Cost: 2n³/3 + 2kn².
Var Solve(const Arg& a, const Arg& b);

// The inverse. Errors: a singular a (when run). Derivative: −a⁻¹·da·a⁻¹. Accuracy: each column that of Solve.
Var Inv(const Arg& a);

// The determinant; 1 for n = 0. Derivative: det·tr(a⁻¹·da); where a is singular, the error of Solve. Accuracy: that of
// an a changed by n·eps; overflows where SlogDet does not.
Var Det(const Arg& a);

struct SlogDetResult {
  Var sign;     // [batch…], a's dtype: ±1, complex of modulus 1; 0 for a singular a
  Var log_abs;  // [batch…], real: log|det|; −inf for a singular a
};
// det = sign·exp(log_abs). Derivative: d log_abs = Re tr(a⁻¹·da), d sign = i·sign·Im tr(a⁻¹·da) (real: 0); where a is
// singular, the error of Solve.
SlogDetResult SlogDet(const Arg& a);

// a·a·…, `power` times; the identity for 0, the inverse's power below. Derivative: the products'. Errors: a singular a
// for a negative power (when run). Cost: up to 2·log2|power| products.
Var MatrixPower(const Arg& a, int64_t power);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_SOLVE_H_
