#ifndef TENFERRO_LINALG_SVD_H_
#define TENFERRO_LINALG_SVD_H_

#include "tenferro/linalg/gauge.h"
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
  // 1/s becomes s/(s² + derivative_eps²); what happens inside a group of equal singular values is dropped. Between
  // 1e-150 and 1e150, so that its square is a number; anything else is an error.
  double derivative_eps = 0;
  // u is [m, m, batch…] and vh [n, n, batch…]: columns and rows beyond min(m, n) span the complements. Their derivative
  // is that of the spaces: exact for a loss that does not see a rotation among them. Not together with derivative_eps.
  bool full = false;
  Gauge gauge = Gauge::kRaw;
};

// a = u · diag(s) · vh with k = min(m, n).
// Derivative: of U, s and V for a loss that does not see their gauge (signs, phases, rotations among equal values):
// terms with |s_j − s_i| ≤ τ or s_i + s_j ≤ τ, τ = max(m, n)·eps·s_1, are 0, so it is finite always. Where values are
// equal, U, s and V taken apart lose what rotates inside such a group: even U·diag(s)·Vᴴ = A gets, there, only the part
// of its cotangent that is Hermitian-diagonal in the group. Use SplitSvd for a derivative that is exact there.
// Accuracy: |s − exact| ≤ a few eps·s_1. Cost: O(m n min(m, n)), by blocks where exact zeros split the matrix. Source:
// gauge-split rule as in MatrixAlgebraKit.jl; J. Townsend, Differentiating the singular value decomposition (2016).
SvdResult Svd(const Arg& a, const SvdOptions& options = {});

// The singular values alone, [min(m, n), batch…], descending. No vectors are computed, except by a derivative: ds =
// Re diag(Uᴴ dA V), Ā = U diag(s̄) Vᴴ. Where values are equal this is a choice among the subgradients.
// Accuracy: as Svd's, but not its bits. Cost: about a third of Svd.
Var SvdVals(const Arg& a);

struct TruncationOptions {
  // Above 0: an error, when run, that names both values where s_k − s_{k+1} ≤ require_gap·s_1. There the truncation
  // depends on the matrix without continuity, and what the derivative leaves out is not 0.
  double require_gap = 0;
  Gauge gauge = Gauge::kRaw;  // of SvdTruncated
};

// The k largest triplets. Errors: also k < 0 or k > min(m, n); require_gap not between 0 and 1.
// Derivative: as Svd's, with the influence of the discarded triplets from the kept ones alone; terms across a cut
// through equal values are 0. Source: A. Francuz, N. Schuch, B. Vanhecke, arXiv:2311.11894.
SvdResult SvdTruncated(const Arg& a, int64_t k, const TruncationOptions& options = {});

// U_k alone, for losses that see only the space it spans, as in HOTRG, CTMRG and matrix product states: U_k U_kᴴ, or
// what a bond that is rotated on both sides leaves.
// Derivative: P⊥ dU_k, what leaves the space. Nothing is divided by a difference or sum of kept values, so it is exact
// where they are equal; terms across a cut through equal values, and those of s_i ≤ τ, are 0. Errors: as SvdTruncated.
Var Isometry(const Arg& a, int64_t k, const TruncationOptions& options = {});

struct SplitResult {
  Var left;   // [m, k, batch…]
  Var right;  // [k, n, batch…]
};

struct SplitOptions {
  double require_gap = 0;  // as TruncationOptions'
  // Above 0: the reverse derivative is an error, when run, that names the number, where BondGaugeDefect of the loss is
  // above this.
  double check_gauge = 0;
};

// left · right = the best approximation of a of rank k, with left = U_k √s_k and right = √s_k V_kᴴ: a bond of a tensor
// network. Derivative: for a loss that does not change when the bond is rotated (left → left·Q, right → Qᴴ·right) it is
// finite and exact, equal singular values included, since no difference among the kept values is divided by. What the
// discarded ones contribute divides by s_i − s_l across the cut; terms with a difference ≤ τ are 0. Pairs with s_i +
// s_j ≤ τ contribute 0: √s has no derivative at 0. A loss that sees the gauge needs Svd. Errors: also k < 0 or k >
// min(m, n); require_gap or check_gauge not between 0 and 1.
SplitResult SplitSvd(const Arg& a, int64_t k, const SplitOptions& options = {});

// How much a loss with the cotangents left_bar, right_bar (∂L/∂left, ∂L/∂right) changes when the bond is rotated:
// max |skew(leftᴴ·left_bar − right_bar·rightᴴ)|, relative to the largest entry of the two products; [batch…], real.
// About eps for an invariant loss. With left = U√s this is skew(√s_i X_ij − Y_ij √s_j), X = Uᴴ·left_bar and Y =
// right_bar·V.
Var BondGaugeDefect(const Var& left, const Var& right, const Var& left_bar, const Var& right_bar);

// `value` as it is; an error, when run, that names the largest of `defect` where it is above `tolerance`, or where one is
// NaN. Shapes: any, independent. Dtypes: value float or complex, defect float. Derivative: dvalue.
Var CheckGaugeInvariant(const Arg& value, const Arg& defect, double tolerance);

extern const OpDef kSvd, kSvdFull, kSvdLorentz, kSvdVals, kSvdTruncated, kIsometry, kSplitSvd, kCheckGaugeInvariant,
    kTruncatedComplement, kRootSylvester;

struct SvdLorentzAttributes {
  double derivative_eps = 0;
  void Fields(auto&& field) { field("derivative_eps", derivative_eps); }
};
// The triplets come with up to `extra` further approximate ones, which make the derivative's equations converge faster.
struct TruncationAttributes {
  int64_t k = 0;
  int64_t extra = 0;
  double require_gap = 0;
  void Fields(auto&& field) {
    field("k", k);
    field("extra", extra);
    field("require_gap", require_gap);
  }
};
// Readable as TruncationAttributes too.
struct SplitAttributes {
  TruncationAttributes kept;
  double check_gauge = 0;
  void Fields(auto&& field) {
    kept.Fields(field);
    field("check_gauge", check_gauge);
  }
};
struct CheckGaugeAttributes {
  double tolerance = 0;
  void Fields(auto&& field) { field("tolerance", tolerance); }
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
// a derivative (s itself has none here), where the second equation has valuesᴴ. Components where |s_i − s_l| ≤ τ are 0,
// and so are x_i and y_i where s_i ≤ τ = max(m, n)·eps·s_1. Its transpose in (p, q) is itself with valuesᴴ, so it
// serves both directions of the derivative.
ComplementResult TruncatedComplement(const Arg& a, const Arg& u, const Arg& s, const Arg& v, const Arg& values,
                                     const Arg& p, const Arg& q);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_SVD_H_
