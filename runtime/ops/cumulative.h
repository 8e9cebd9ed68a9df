#ifndef TENFERRO_RUNTIME_OPS_CUMULATIVE_H_
#define TENFERRO_RUNTIME_OPS_CUMULATIVE_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro {

// Results of everything up to each place along one axis, from its start or with `reverse` from its end. Each line is
// one sequence of operations in order, so that the bits depend neither on threads nor on the other axes; a NaN stays in
// all that follows. Errors, for all: a dtype that the operation does not take; an axis that does not exist.

extern constinit FamilySlots cumulative_slots;
extern const OpDef kCumSum, kCumProd, kCumMax, kCumMin, kCumLogSumExp, kLinearRecurrence;

struct CumulativeAttributes {
  int64_t axis = 0;
  bool reverse = false;
  void Fields(auto&& field) {
    field("axis", axis);
    field("reverse", reverse);
  }
};

// y_i = x_0 + … + x_i. Dtypes: all but bool; integers wrap. Derivative: linear; back by the sum from the other end.
// Accuracy: each step rounds once: |error of y_i| ≤ i ε Σ|x_j|.
Var CumSum(const Arg& x, int axis, bool reverse = false);
// y_i = x_0 ⋯ x_i. Dtypes: all but bool; integers wrap. Derivative: dy_i = x_i dy_{i−1} + y_{i−1} dx_i, exact where
// elements are 0, to every order.
Var CumProd(const Arg& x, int axis, bool reverse = false);
// y_i = max(x_0, …, x_i). Dtypes: real and bool. Derivative: an equal share to each of the largest so far.
Var CumMax(const Arg& x, int axis, bool reverse = false);
// y_i = min(x_0, …, x_i). Dtypes: real and bool. Derivative: an equal share to each of the smallest so far.
Var CumMin(const Arg& x, int axis, bool reverse = false);
// y_i = log(exp x_0 + … + exp x_i), without overflow; −∞ where all are. Dtypes: float.
// Derivative: dy_i = exp(y_{i−1} − y_i) dy_{i−1} + exp(x_i − y_i) dx_i; 0 where y is −∞, NaN where it is ∞.
Var CumLogSumExp(const Arg& x, int axis, bool reverse = false);
// h_i = a_i h_{i−1} + b_i with h_{−1} = 0; a_0 has no influence. The solution of a bidiagonal system.
// Shapes: a and b have one shape. Dtypes: all but bool, one for both; integers wrap.
// Derivative: dh = LinearRecurrence(a, da_i h_{i−1} + db_i); linear in b, back by the recurrence from the other end
// with the conjugate of a_{i+1} in place of a_i.
Var LinearRecurrence(const Arg& a, const Arg& b, int axis, bool reverse = false);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_CUMULATIVE_H_
