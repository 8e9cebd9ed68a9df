#ifndef TENFERRO_LINALG_MATRIX_FUNCTION_H_
#define TENFERRO_LINALG_MATRIX_FUNCTION_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro::linalg {

// Functions of general square matrices [n, n, batch…]; those of Hermitian ones are in
// tenferro/linalg/hermitian_function.h. Dtypes: float, complex; computed in double. Common errors: another dtype, not
// square (carried); an element that is not finite (when run). Derivatives of any order, by the function of the block
// matrix [[A, dA], [0, A]], whose upper right block is the derivative along dA; a reverse derivative is that at Aᵀ,
// conjugated. A negative eigenvalue of a complex matrix is a point of the branch cut of roots and logarithms: it counts
// as the upper side's, and so do its derivatives.

// exp(A). Accuracy: a few eps·|exp(A)| times the condition of the problem. Cost: 6 to 10 products and a solve, a
// product more for each halving; a derivative eight times that. Source: A. H. Al-Mohy and N. J. Higham, SIAM J. Matrix
// Anal. Appl. 31 (2009).
Var Expm(const Arg& a);

// The square root whose eigenvalues have nonnegative real parts. Errors: also an eigenvalue 0 that is defective, or a
// negative one of a real matrix, whose root is not real: Convert it to complex (when run). Derivative: X dX + dX X =
// dA, an error where two eigenvalues of X are opposite. Cost: a Schur form and 3·n³. Source: Å. Björck and S.
// Hammarling, Linear Algebra Appl. 52 (1983).
Var Sqrtm(const Arg& a);

// The logarithm whose eigenvalues have imaginary parts in (−π, π]. Errors: also an eigenvalue 0, or a negative one of a
// real matrix (when run). Cost: a Schur form and 5 to 15·n³. Source: A. H. Al-Mohy and N. J. Higham, SIAM J. Sci.
// Comput. 34 (2012).
Var Logm(const Arg& a);

struct PolarResult {
  Var u;  // [m, n, batch…], orthonormal columns
  Var p;  // [n, n, batch…], Hermitian and positive semidefinite
};

// A = U·P for [m, n, batch…] with m >= n. Errors: also m < n; no convergence (when run). Derivative: with Ω from P Ω +
// Ω P = Uᴴ dA − dAᴴ U, dP = Uᴴ dA − Ω P and dU = U Ω + (dA − U Uᴴ dA) P⁻¹: nothing is divided by a difference of
// singular values, so it is exact where they are equal; sums up to n·eps·max s give 0. Cost: an SVD and two products.
PolarResult Polar(const Arg& a);

extern const OpDef kExpm, kSqrtm, kLogm, kExpmDerivative, kSqrtmDerivative, kLogmDerivative, kPolar,
    kHermitianSylvester;

// The derivatives of the functions at a along e, linear in e. Shapes: all [n, n, batch…].
Var ExpmDerivative(const Var& a, const Var& e);
Var SqrtmDerivative(const Var& a, const Var& e);
Var LogmDerivative(const Var& a, const Var& e);

// The x with p·x + x·p = c for a positive semidefinite p, of which the lower triangle is read. Shapes: all [n, n,
// batch…]. Pairs of eigenvalues with w_i + w_j ≤ n·eps·max|w| give 0.
Var HermitianSylvester(const Var& p, const Var& c);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_MATRIX_FUNCTION_H_
