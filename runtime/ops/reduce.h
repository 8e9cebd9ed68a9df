#ifndef TENFERRO_RUNTIME_OPS_REDUCE_H_
#define TENFERRO_RUNTIME_OPS_REDUCE_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"
#include "tenferro/runtime/ops/reduce_records.h"

namespace tenferro {

// The attributes of every reduction: the axes that vanish, ascending.
struct ReduceAttributes {
  Ints axes;
  void Fields(auto&& field) { field("axes", axes); }
};

// Each removes `axes` (without the list: all) and combines their elements in a fixed tree, so that the bits depend
// neither on threads nor on strides. Errors: an axis that does not exist or stands twice; a dtype that the operation
// does not take.

// Sum; 0 over no elements. Dtypes: all but bool; integers wrap. Derivative: the sum of dx. Accuracy: over leading axes,
// 4096 elements at a time are summed as if in twice the precision and rounded once; such sums, and rows over other
// axes, pairwise.
Var ReduceSum(const Arg& x);
Var ReduceSum(const Arg& x, const Ints& axes);
// Product; 1 over no elements. Dtypes: all but bool; integers wrap. Derivative: Σ dx_i Π_{j≠i} x_j, exact where
// elements are 0.
Var ReduceProd(const Arg& x);
Var ReduceProd(const Arg& x, const Ints& axes);
// Largest; over no elements −∞, an integer's least value or false; NaN if any is. Dtypes: real and bool.
// Derivative: an equal share to each of the largest.
Var ReduceMax(const Arg& x);
Var ReduceMax(const Arg& x, const Ints& axes);
// Smallest; over no elements ∞, an integer's greatest value or true; NaN if any is. Dtypes: real and bool.
// Derivative: an equal share to each of the smallest.
Var ReduceMin(const Arg& x);
Var ReduceMin(const Arg& x, const Ints& axes);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_REDUCE_H_
