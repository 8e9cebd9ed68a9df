#ifndef TENFERRO_LINALG_CHOLESKY_H_
#define TENFERRO_LINALG_CHOLESKY_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro::linalg {

extern const OpDef kCholesky;

// The lower triangular l with a positive diagonal and l·lᴴ = a, for a Hermitian positive definite a [n, n, batch…]. The
// lower triangle of a is read, of its diagonal the real part. Dtypes: float, complex. Errors: not square, another dtype
// (carried); an element that is not finite, not positive definite: the order of the leading minor that is not positive
// (when run). Derivative: dl = l·Φ(l⁻¹ da l⁻ᴴ), Φ the strict lower triangle and half the diagonal; da's lower triangle
// counts, so a cotangent lies in the lower triangle, its strict part doubled. Accuracy: |l·lᴴ − a| ≤ (n + 1)·eps·|a|.
// Cost: n³/3, in products. Source: S. F. Walter, arXiv:1009.6112; I. Murray, arXiv:1602.07527.
Var Cholesky(const Arg& a);

// The x with l·lᴴ·x = b for the factor of Cholesky. Shapes: l [n, n, batch…], b [n, k, batch…] or [n, batch…].
// Errors, derivative: TriangularSolve's.
Var CholeskySolve(const Arg& l, const Arg& b);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CHOLESKY_H_
