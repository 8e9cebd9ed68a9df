#ifndef TENFERRO_LINALG_EIG_H_
#define TENFERRO_LINALG_EIG_H_

#include "tenferro/linalg/eigh.h"

namespace tenferro::linalg {

// Eigenvalues of general square matrices [n, n, batch…]. Dtypes: float, complex; computed in double. Common errors:
// another dtype, not square (carried); an element that is not finite, no convergence (when run).

struct EigResult {
  Var values;   // [n, batch…], complex
  Var vectors;  // [n, n, batch…], complex, columns of length 1
};

struct EigOptions {
  // kRaw leaves the phases to the algorithm, and a vector's derivative is orthogonal to it.
  Gauge gauge = Gauge::kRaw;
};

// A·V = V·diag(w). The order is that of the Schur form. Of a real matrix complex pairs are neighbours and conjugate in
// every bit, the one with positive imaginary part first.
// Derivative: with P = V⁻¹ dA V, dw = diag P and dV = V K, K_ij = P_ij/(w_j − w_i) off the diagonal, which keeps each
// vector's length and does not turn its phase; differences |w_j − w_i| ≤ n·eps·max|w| give 0. Exact for distinct
// eigenvalues and losses that do not see the gauge; of no meaning at a defective matrix, where V⁻¹ does not exist: the
// numbers are then 1/eps large or not finite.
// Accuracy: |A·V − V·diag(w)| a few eps·|A|. Cost: about 30·n³. Source: the QR algorithm (Schur), balancing of Parlett
// and Reinsch (1969), back substitution; the rule of M. B. Giles (2008).
EigResult Eig(const Arg& a, const EigOptions& options = {});

// The eigenvalues alone. Derivative: as Eig's, which it runs for that.
Var Eigvals(const Arg& a);

struct SchurResult {
  Var t;  // [n, n, batch…], upper triangular; for a real dtype with a 2 × 2 block for each complex pair
  Var z;  // [n, n, batch…], unitary
};

// A = Z·T·Zᴴ. A 2 × 2 block of the real form has equal diagonal entries and off-diagonal ones of opposite signs. What
// the shape of T says is 0 is so exactly. Derivative: none, since the order of the eigenvalues and the phases of Z are
// the algorithm's choice: functions of the matrix have theirs (Eig, Expm, Sqrtm, Logm).
// Accuracy: |A − Z·T·Zᴴ| a few eps·|A|. Cost: about 25·n³. Source: J. G. F. Francis, Computer J. 4 (1961–62).
SchurResult Schur(const Arg& a);

extern const OpDef kEig, kEigvals, kSchur;

struct EigWithInverse {
  Var values, vectors, inverse;  // inverse·vectors = 1
};
EigWithInverse EigAndInverse(const Var& a);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_EIG_H_
