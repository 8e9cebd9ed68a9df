#ifndef TENFERRO_LINALG_EIGH_H_
#define TENFERRO_LINALG_EIGH_H_

#include "tenferro/linalg/gauge.h"
#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro::linalg {

// Eigenvalues and eigenvectors of Hermitian matrices [n, n, batch…]. Dtypes: float, complex. Only the lower triangle is
// read, of the diagonal the real part; cotangents of a matrix stand in its lower triangle alike. Common errors: another
// dtype, a matrix that is not square (carried); an element that is not finite, no convergence (when run). Running needs
// "//linalg:cpu", derivatives "//linalg:autodiff".

struct EighResult {
  Var values;   // [n, batch…], real, ascending
  Var vectors;  // [n, n, batch…], orthonormal columns
};

struct EighOptions {
  Gauge gauge = Gauge::kRaw;
  // 0: differences of eigenvalues up to τ = n·eps·max|w| count as 0, and so do their reciprocals. Otherwise the Lorentz
  // rule: 1/x becomes x/(x² + derivative_eps²). Between 1e-150 and 1e150, so that its square is a number; anything else
  // is an error.
  double derivative_eps = 0;
};

// a = V·diag(w)·Vᴴ.
// Derivative: with P = Vᴴ dA V, dw = Re diag P and dV = V(F∘P), F_ij = 1/(w_j − w_i), for a loss that does not see the
// vectors' gauge (phases; rotations among equal values): finite always. Where values are equal, what rotates inside
// such a group is lost; a function of the matrix should use HermitianFunction, which is exact there. A loss of the
// values alone costs one product. Accuracy: |w − exact| and residuals a few eps·max|w|, orthogonality a few eps. Cost:
// 4/3·n³ for the tridiagonal form, at most 8/3·n³ there, 2·n³ back (complex: four times the first and last); by blocks
// where exact zeros split the matrix, whose vectors are exactly 0 outside their block. Sources: see
// tenferro/linalg/cpu/spectral; the rule is M. B. Giles, An extended collection of matrix derivative results (2008).
EighResult Eigh(const Arg& a, const EighOptions& options = {});

// The eigenvalues alone, without their vectors. Shapes: [n, n, batch…] → [n, batch…], real. Derivative: as Eigh's,
// which it runs for that. Where values are equal this is a choice among the subgradients. Accuracy: as Eigh's, not its
// bits.
Var Eigvalsh(const Arg& a);

// A·x = λ·B·x for Hermitian A and positive definite B: Xᴴ A X = diag(λ), Xᴴ B X = 1.
// Shapes: a, b [n, n, batch…] of one dtype. Errors: also other shapes; B is not positive definite (when run).
// Derivative: dX = X K with K_ij = (Xᴴ(dA − λ_j dB)X)_ij/(λ_j − λ_i) and K_ij = −½(Xᴴ dB X)_ij on the diagonal and
// where |λ_j − λ_i| ≤ n·eps·max|λ|. Accuracy: that of Eigh times the condition of B. Cost: Eigh and about 3·n³. Source:
// the reduction by Cholesky's factor, R. S. Martin and J. H. Wilkinson, Numer. Math. 11 (1968).
EighResult GeneralizedEigh(const Arg& a, const Arg& b);

extern const OpDef kEigh, kEigvalsh, kGeneralizedEigh;

struct EighAttributes {
  double derivative_eps = 0;
  void Fields(auto&& field) { field("derivative_eps", derivative_eps); }
};

// Columns of x times the phases of Gauge::kPivot.
Var InPivotGauge(const Var& x);

// The Hermitian matrix that a lower triangle stands for, and the transpose of this map at a Hermitian matrix.
Var HermitianFromLower(const Var& x);
Var LowerFromHermitian(const Var& x);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_EIGH_H_
