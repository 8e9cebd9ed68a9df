#ifndef TENFERRO_RUNTIME_OPS_PRODUCTS_H_
#define TENFERRO_RUNTIME_OPS_PRODUCTS_H_

#include "tenferro/runtime/arg.h"

namespace tenferro {

// Products of two tensors, all by one contraction (tenferro/runtime/ops/dot.h: dtypes, accuracy, derivative).

// Sums over axes lhs_axes[i] of a and rhs_axes[i] of b together. Shapes: a's other axes, then b's. Errors: lists of
// different length, an axis that does not exist or stands twice, extents that differ.
Var Tensordot(const Arg& a, const Arg& b, const Ints& lhs_axes, const Ints& rhs_axes);
// The last `count` axes of a with the first of b, in order. Errors: a count that one of them does not have.
Var Tensordot(const Arg& a, const Arg& b, int count);
// a[i…]·b[j…]. Shapes: [i…, j…].
Var Outer(const Arg& a, const Arg& b);
// Kronecker product: along each axis element i·p + j is a's i-th times b's j-th of p. Shapes: equal rank, extents
// multiply. Errors: different ranks.
Var Kron(const Arg& a, const Arg& b);
// Σ_k a[…, k]·b[…, k] over the last axes, nothing conjugated. Shapes: a's other axes, then b's. Errors: rank 0, extents
// that differ.
Var Inner(const Arg& a, const Arg& b);
// Σ conj(a)·b over all elements: the inner product of vectors. Shapes: equal; the result has rank 0. Errors: others.
Var VDot(const Arg& a, const Arg& b);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_PRODUCTS_H_
