#ifndef TENFERRO_LINALG_SVD_H_
#define TENFERRO_LINALG_SVD_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro::linalg {

// Singular value decompositions, each of a [m, n, batch…]. Dtypes: float, complex. Common errors: a rank below 2 or
// another dtype (carried); an element that is not finite, no convergence (when run). Running needs "//linalg:cpu",
// derivatives "//linalg:autodiff". Equal singular values of different exact-zero blocks stand in the order of the
// blocks' first rows.

struct SvdResult {
  Var u;   // [m, k, batch…], orthonormal columns
  Var s;   // [k, batch…], real, descending
  Var vh;  // [k, n, batch…], orthonormal rows
};

struct SvdOptions {
  // 0: the gauge-split rule. Otherwise the Lorentz rule: 1/x with x = s_j² − s_i² becomes x/(x² + derivative_eps²) and
  // 1/s becomes s/(s² + derivative_eps²); what happens inside a group of equal singular values is dropped. Above
  // 1e-150, since its square must not vanish.
  double derivative_eps = 0;
};

// a = u · diag(s) · vh with k = min(m, n).
// Derivative: of U, s and V for a loss that does not see their gauge (signs, phases, rotations among equal values):
// terms with |s_j − s_i| ≤ τ or s_i + s_j ≤ τ, τ = max(m, n)·eps·s_1, are 0, so it is finite always; where values are
// equal, what rotates inside such a group is lost. Use SplitSvd for a derivative that is exact there. Accuracy: |s −
// exact| ≤ a few eps·s_1. Cost: O(m n min(m, n)), by blocks where exact zeros split the matrix. Source: gauge-split
// rule as in MatrixAlgebraKit.jl; J. Townsend, Differentiating the singular value decomposition (2016).
SvdResult Svd(const Arg& a, const SvdOptions& options = {});

// The k largest triplets. Errors: also k < 0 or k > min(m, n).
// Derivative: as Svd's, with the influence of the discarded triplets from the kept ones alone; terms across a cut
// through equal values are 0. Source: A. Francuz, N. Schuch, B. Vanhecke, arXiv:2311.11894.
SvdResult SvdTruncated(const Arg& a, int64_t k);

struct SplitResult {
  Var left;   // [m, k, batch…]
  Var right;  // [k, n, batch…]
};

// left · right = the best approximation of a of rank k, with left = U_k √s_k and right = √s_k V_kᴴ: a bond of a tensor
// network. Derivative: for a loss that does not change when the bond is rotated (left → left·Q, right → Qᴴ·right) it is
// finite and exact, equal singular values included, since no difference among the kept values is divided by. What the
// discarded ones contribute divides by s_i − s_l across the cut; terms with a difference ≤ τ are 0. Pairs with s_i +
// s_j ≤ τ contribute 0: √s has no derivative at 0. A loss that sees the gauge needs Svd. Errors: also k < 0 or k >
// min(m, n).
SplitResult SplitSvd(const Arg& a, int64_t k);

extern const OpDef kSvd, kSvdLorentz, kSvdTruncated, kSplitSvd, kTruncatedComplement, kRootSylvester;

struct SvdLorentzAttributes {
  double derivative_eps = 0;
  void Fields(auto&& field) { field("derivative_eps", derivative_eps); }
};
// The triplets come with up to `extra` further approximate ones, which make the derivative's equations converge faster.
struct TruncationAttributes {
  int64_t k = 0;
  int64_t extra = 0;
  void Fields(auto&& field) {
    field("k", k);
    field("extra", extra);
  }
};

struct RootSylvesterAttributes {
  int64_t power = 1;
  int64_t rows = 1;
  void Fields(auto&& field) {
    field("power", power);
    field("rows", rows);
  }
};
// The solution x of rootᵖ x + x rootᵖ = b for a positive semidefinite matrix `root`, p = 1 or 2, given diagonal, that
// is the square root of a matrix of singular values. Its derivative is that for any root: nothing is divided by a
// difference. Shapes: root [k, k, batch…] real or complex, b and x [k, k, batch…]. Pairs with s_i + s_j ≤ rows·eps·s_1,
// s = diag(root)², give 0.
Var RootSylvester(const Arg& root, const Arg& b, const RootSylvesterAttributes& attributes);

struct ComplementResult {
  Var x, y;
};
// The part of a singular subspace's motion that leaves it. Given the first k triplets (u, s, v) of a, finds x ⟂ u and y
// ⟂ v with x·values − a y = p − u uᴴ p  and  y·values − aᴴ x = q − v vᴴ q. Shapes: a [m, n, batch…], p [m, k, batch…],
// q [n, k, batch…] → x [m, k, batch…], y [n, k, batch…]; u [m, k + e, batch…], s [k + e, batch…] and v [n, k + e,
// batch…] may hold e approximate triplets beyond the k; `values` [k, k, batch…] is diag(s) as the matrix that it is for
// a derivative (s itself has none here). Components where |s_i − s_l| ≤ τ are 0, and so are x_i and y_i where s_i ≤ τ =
// max(m, n)·eps·s_1. It is its own transpose in (p, q), and serves both directions of the derivative.
ComplementResult TruncatedComplement(const Arg& a, const Arg& u, const Arg& s, const Arg& v, const Arg& values,
                                     const Arg& p, const Arg& q);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_SVD_H_
