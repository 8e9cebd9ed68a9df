#ifndef TENFERRO_LINALG_QR_H_
#define TENFERRO_LINALG_QR_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro::linalg {

extern const OpDef kQr, kPivotedQr;

// Factorisations of a [m, n, batch…] by Householder's reflections; k = min(m, n). Dtypes: float, complex. Common
// errors: rank below 2, another dtype (carried); an element that is not finite (when run). Accuracy: |q·r − a| and |qᴴq
// − 1| a few eps, whatever the rank and the scale.

struct QrOptions {
  bool complete = false;  // q is [m, m] and r [m, n], with rows of zeros below row k
  bool positive = false;  // r's diagonal is not negative, which makes the factors of a full-rank a unique
  void Fields(auto&& field) {
    field("complete", complete);
    field("positive", positive);
  }
};
struct QrResult {
  Var q;  // [m, k, batch…], orthonormal columns
  Var r;  // [k, n, batch…], upper triangular, its diagonal real, of either sign as LAPACK's
};

// a = q·r. Derivative: with a₁ the first k columns, r₁ the square part of r and p = qᴴ·da₁·r₁⁻¹, dq = q·Ω + (1 −
// q·qᴴ)·da₁·r₁⁻¹, where Ω is skew-Hermitian with p's strict lower triangle, and dr = qᴴ·da − Ω·r; columns of a complete
// q beyond k turn with the others and not among themselves. An r₁ with a zero on its diagonal gives the error of
// TriangularSolve. Cost: 2n²(m − n/3), and as much for q, in products of 32 columns. Source: S. F. Walter, L. Lehmann,
// arXiv:1001.1654; LAPACK Users' Guide.
QrResult Qr(const Arg& a, const QrOptions& options = {});

struct LqResult {
  Var l;  // [m, k, batch…], lower triangular
  Var q;  // [k, n, batch…], orthonormal rows
};
// a = l·q, the adjoint of Qr of aᴴ: l [m, n] and q [n, n] when `complete`.
LqResult Lq(const Arg& a, const QrOptions& options = {});

struct RankRevealingQrOptions {
  double tolerance = -1;  // relative to |r_00|; below 0: max(m, n)·eps; NaN is an error
  void Fields(auto&& field) { field("tolerance", tolerance); }
};
struct RankRevealingQrResult {
  Var q;            // [m, k, batch…]
  Var r;            // [k, n, batch…], |r_jj| descending
  Var permutation;  // i64 [n, batch…]: column j of q·r is column permutation[j] of a
  Var rank;         // i64 [batch…]: how many |r_jj| > tolerance·|r_00|
};
// Column pivoting: each column is the one whose rest is largest. Derivative: as Qr's of the permuted columns; the rank
// has none. Cost: about 4mnk, by reflections one at a time. Source: P. Businger, G. Golub, Numer. Math. 7 (1965).
RankRevealingQrResult RankRevealingQr(const Arg& a, const RankRevealingQrOptions& options = {});

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_QR_H_
