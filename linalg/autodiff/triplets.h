#ifndef TENFERRO_LINALG_AUTODIFF_TRIPLETS_H_
#define TENFERRO_LINALG_AUTODIFF_TRIPLETS_H_

#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/op.h"

// What the rules of the singular value decompositions share.
//
// Notation: A ≈ U diag(s) Vᴴ, thin or truncated to k triplets; P = Uᴴ dA V; a bar is a cotangent; sym and skew are the
// Hermitian and skew-Hermitian parts. The complement (X, Y) of a pair (P, Q) of right-hand sides is what
// TruncatedComplement solves.
namespace tenferro::linalg {

struct Triplets {
  // The first k of what a decomposition gave; `all_…` has its approximate further ones too, `values` is diag(s).
  Triplets(const Var& a, const Var& all_u, const Var& all_s, const Var& all_v, int64_t k);

  Var a, all_u, all_s, all_v, u, s, v, values;
  int64_t k() const { return u.dim(1); }
  // False when neither U nor V leaves room: a square matrix with all its triplets.
  bool has_complement() const { return u.dim(0) > k() || v.dim(0) > k(); }
};

// Of a node whose outputs from `first` on are u, s and v with extra columns.
Triplets TripletsOfTruncated(const NodeView& node, int first);

// Cotangents and tangents of the extra columns, on which no result depends, are dropped or zero.
Var KeptColumns(const Var& x, const Triplets& t);
Var KeptRows(const Var& x, const Triplets& t);
Var WithExtra(const Var& x, const Var& like, int axis);

// 1/x where |x| > τ = max(m, n)·eps·s_1, else 0; never a division by 0, which would spoil a second derivative.
Var CutReciprocal(const Triplets& t, const Var& x);
Var InDType(const Var& x, const Var& like);

// An empty right-hand side is zero.
ComplementResult Complement(const Triplets& t, const Var& p, const Var& q);
// Ā = U M Vᴴ + X Vᴴ + U Yᴴ for the core M and the complement of (p, q), each zero if empty.
Var Assemble(const Triplets& t, const Var& core, const Var& p, const Var& q);

// Both directions of the gauge-split rule.
Var PullTriplets(const Triplets& t, const Var& u_bar, const Var& s_bar, const Var& v_bar);
struct TripletTangents {
  Var u, s, v;
};
TripletTangents PushTriplets(const Triplets& t, const Var& tangent);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_AUTODIFF_TRIPLETS_H_
