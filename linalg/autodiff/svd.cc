#include "tenferro/linalg/svd.h"

#include <algorithm>
#include <limits>

#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/slots.h"
#include "tenferro/runtime/derivative.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

// Notation: A ≈ U diag(s) Vᴴ, thin or truncated to k triplets; P = Uᴴ dA V; a bar is a cotangent; sym and skew are the
// Hermitian and skew-Hermitian parts. The complement (X, Y) of a pair (P, Q) of right-hand sides is what
// TruncatedComplement solves.
namespace tenferro::linalg {
namespace {

struct Triplets {
  // The first k of what a decomposition gave; `all_…` has its approximate further ones too, `values` is diag(s).
  Triplets(const Var& a, const Var& all_u, const Var& all_s, const Var& all_v, int64_t k)
      : a(a),
        all_u(all_u),
        all_s(all_s),
        all_v(all_v),
        u(FirstColumns(all_u, k)),
        s(FirstRows(all_s, k)),
        v(FirstColumns(all_v, k)),
        values(DiagonalMatrix(Convert(s, a.dtype()))) {}

  Var a, all_u, all_s, all_v, u, s, v, values;
  int64_t k() const { return u.dim(1); }
  // False when neither U nor V leaves room: a square matrix with all its triplets.
  bool has_complement() const { return u.dim(0) > k() || v.dim(0) > k(); }
};

double Epsilon(DType dtype) {
  return RealOf(dtype) == DType::kF32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
}

// τ = max(m, n)·eps·s_1 in the shape of `like` [k, …, batch…], below which a singular value or a difference counts as
// 0.
Var Threshold(const Triplets& t, const Var& like) {
  const double scale = static_cast<double>(std::max(t.a.dim(0), t.a.dim(1))) * Epsilon(t.a.dtype());
  const Var largest = ReduceMax(t.s, {0}) * scale;
  Ints axes;
  for (int i = like.rank() - largest.rank(); i < like.rank(); ++i) axes.push_back(i);
  return BroadcastInDim(largest, like.shape(), axes);
}

// 1/x where |x| > τ, else 0; never a division by 0, which would spoil a second derivative.
Var CutReciprocal(const Triplets& t, const Var& x) {
  const Var small = Le(Abs(x), Threshold(t, x));
  return Select(small, ZerosLike(x), 1.0 / Select(small, OnesLike(x), x));
}

Var InDType(const Var& x, const Var& like) { return Convert(x, like.dtype()); }

ComplementResult Complement(const Triplets& t, const Var& p, const Var& q) {
  return TruncatedComplement(t.a, t.all_u, t.all_s, t.all_v, t.values, p.empty() ? ZerosLike(t.u) : p,
                             q.empty() ? ZerosLike(t.v) : q);
}

// Gauge-split rule (MatrixAlgebraKit.jl): a = skew(UᴴŪ), b = skew(VᴴV̄);
// M_ij = (a + b)_ij/(s_j − s_i) + (a − b)_ij/(s_j + s_i), M_ii = s̄_i + a_ii/s_i. No s² is formed, which would overflow.
Var SvdCore(const Triplets& t, const Var& u_bar, const Var& s_bar, const Var& v_bar) {
  Var core;
  if (!u_bar.empty() || !v_bar.empty()) {
    const Var a = u_bar.empty() ? Var() : SkewPart(Matmul(Adjoint(t.u), u_bar));
    const Var b = v_bar.empty() ? Var() : SkewPart(Matmul(Adjoint(t.v), v_bar));
    const Var sum = SumOrOther(a, b);
    const Var difference = SumOrOther(a, b.empty() ? b : Neg(b));
    const Var row = AlongRows(t.s);
    const Var column = AlongColumns(t.s);
    core =
        sum * InDType(CutReciprocal(t, row - column), sum) + difference * InDType(CutReciprocal(t, row + column), sum);
    if (IsComplex(sum.dtype())) {
      // On the diagonal the phase belongs to U: a_ii/s_i where the line above gave (a − b)_ii/(2 s_i).
      core = core + DiagonalMatrix(Diagonal(sum) * InDType(CutReciprocal(t, t.s) * 0.5, sum));
    }
  }
  if (!s_bar.empty()) core = SumOrOther(core, DiagonalMatrix(InDType(s_bar, t.u)));
  return core;
}

// Ā = U M Vᴴ + X Vᴴ + U Yᴴ.
Var Assemble(const Triplets& t, const Var& core, const Var& p, const Var& q) {
  Var left;   // what multiplies Vᴴ
  Var right;  // what U multiplies
  if (!core.empty()) left = Matmul(t.u, core);
  if (t.has_complement() && (!p.empty() || !q.empty())) {
    const ComplementResult out = Complement(t, p, q);
    left = SumOrOther(left, out.x);
    right = Matmul(t.u, Adjoint(out.y));
  }
  return SumOrOther(left.empty() ? left : Matmul(left, Adjoint(t.v)), right);
}

Triplets TripletsOfSvd(const NodeView& node) {
  const Var& u = node.outputs[0];
  return Triplets(node.inputs[0], u, node.outputs[1], Adjoint(node.outputs[2]), u.dim(1));
}

// Of a node whose outputs from `first` on are u, s and v with extra columns.
Triplets TripletsOfTruncated(const NodeView& node, int first) {
  return Triplets(node.inputs[0], node.outputs[first], node.outputs[first + 1], node.outputs[first + 2],
                  Decode<TruncationAttributes>(node.attributes).k);
}

// Cotangents and tangents of the extra columns, on which no result depends, are dropped or zero.
Var KeptColumns(const Var& x, const Triplets& t) { return x.empty() ? x : FirstColumns(x, t.k()); }
Var KeptRows(const Var& x, const Triplets& t) { return x.empty() ? x : FirstRows(x, t.k()); }
Var WithExtra(const Var& x, const Var& like, int axis) {
  Ints high(x.rank(), 0);
  high[axis] = like.dim(axis) - x.dim(axis);
  return high[axis] == 0 ? x : Pad(x, Full(x, x.dtype(), {}, false), Ints(x.rank(), 0), high);
}

void PullTriplets(const Triplets& t, const Var& u_bar, const Var& s_bar, const Var& v_bar, Var& a_bar) {
  a_bar = t.k() == 0 ? ZerosLike(t.a) : Assemble(t, SvdCore(t, u_bar, s_bar, v_bar), u_bar, v_bar);
}

void VjpSvd(const NodeView& node, absl::Span<const Var> cotangents, OperandSet, absl::Span<Var> input_cotangents) {
  PullTriplets(TripletsOfSvd(node), cotangents[0], cotangents[1],
               cotangents[2].empty() ? Var() : Adjoint(cotangents[2]), input_cotangents[0]);
}

void VjpTruncated(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                  absl::Span<Var> input_cotangents) {
  const Triplets t = TripletsOfTruncated(node, 0);
  PullTriplets(t, KeptColumns(cotangents[0], t), KeptRows(cotangents[1], t), KeptColumns(cotangents[2], t),
               input_cotangents[0]);
}

struct TripletTangents {
  Var u, s, v;
};

// (UᴴdU)_ij = σ_ij/(s_j − s_i) + δ_ij/(s_j + s_i), (VᴴdV)_ij = σ_ij/(s_j − s_i) − δ_ij/(s_j + s_i) with σ = sym(P), δ =
// skew(P); on the diagonal δ_ii/s_i and 0; ds = Re diag P.
TripletTangents PushTriplets(const Triplets& t, const Var& tangent) {
  const Var av = Matmul(tangent, t.v);
  const Var p = Matmul(Adjoint(t.u), av);
  const Var row = AlongRows(t.s);
  const Var column = AlongColumns(t.s);
  const Var even = HermitianPart(p) * InDType(CutReciprocal(t, row - column), p);
  const Var skew = SkewPart(p);
  const Var odd = skew * InDType(CutReciprocal(t, row + column), p);
  Var rotation_u = even + odd;
  Var rotation_v = even - odd;
  if (IsComplex(p.dtype())) {
    const Var phase = DiagonalMatrix(Diagonal(skew) * InDType(CutReciprocal(t, t.s) * 0.5, p));
    rotation_u = rotation_u + phase;
    rotation_v = rotation_v + phase;
  }
  TripletTangents result{Matmul(t.u, rotation_u), Real(Diagonal(p)), Matmul(t.v, rotation_v)};
  if (t.has_complement()) {
    const ComplementResult out = Complement(t, av, Matmul(Adjoint(tangent), t.u));
    result.u = result.u + out.x;
    result.v = result.v + out.y;
  }
  return result;
}

void JvpTruncated(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const Triplets t = TripletsOfTruncated(node, 0);
  if (t.k() == 0) return;
  const TripletTangents moved = PushTriplets(t, tangents[0]);
  output_tangents[0] = WithExtra(moved.u, t.all_u, 1);
  output_tangents[1] = WithExtra(moved.s, t.all_s, 0);
  output_tangents[2] = WithExtra(moved.v, t.all_v, 1);
}

void JvpSvd(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const Triplets t = TripletsOfSvd(node);
  if (t.k() == 0) return;
  const TripletTangents moved = PushTriplets(t, tangents[0]);
  output_tangents[0] = moved.u;
  output_tangents[1] = moved.s;
  output_tangents[2] = Adjoint(moved.v);
}

// Lorentz rule: F_ij = g/(g² + ε²) with g = s_j² − s_i², and r = s/(s² + ε²) for 1/s;
// dU = U[F∘(P s_j + (P s_j)ᴴ) + ½ diag(r)∘(P − Pᴴ)] + (dA V − U P) r (m > n),
// dV = V[F∘(s_i P + (s_i P)ᴴ)] + (dAᴴ U − V Pᴴ) r (n > m).
void JvpSvdLorentz(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const Triplets t = TripletsOfSvd(node);
  if (t.k() == 0) return;
  const double eps = Decode<SvdLorentzAttributes>(node.attributes).derivative_eps;
  const Var& tangent = tangents[0];
  const Var av = Matmul(tangent, t.v);
  const Var p = Matmul(Adjoint(t.u), av);
  const Var row = AlongRows(t.s);
  const Var column = AlongColumns(t.s);
  const Var all_gaps = (row + column) * (row - column);
  // The diagonal, where F is 0, is taken out: its slope 1/ε² would drown a second derivative in rounding.
  const Var diagonal =
      Eq(Iota(all_gaps, DType::kI64, all_gaps.shape(), 0), Iota(all_gaps, DType::kI64, all_gaps.shape(), 1));
  const Var gap = Select(diagonal, 1.0, all_gaps);
  const Var f = InDType(Select(diagonal, 0.0, gap / (gap * gap + eps * eps)), p);
  const Var inverse = t.s / (t.s * t.s + eps * eps);
  const Var weighted_u = ScaleColumns(p, t.s);
  const Var weighted_v = ScaleRows(t.s, p);
  const Var phase = DiagonalMatrix(Diagonal(SkewPart(p)) * InDType(inverse, p));
  Var du = Matmul(t.u, f * (weighted_u + Adjoint(weighted_u)) + phase);
  Var dv = Matmul(t.v, f * (weighted_v + Adjoint(weighted_v)));
  if (t.a.dim(0) > t.a.dim(1)) du = du + ScaleColumns(av - Matmul(t.u, p), inverse);
  if (t.a.dim(1) > t.a.dim(0)) {
    dv = dv + ScaleColumns(Matmul(Adjoint(tangent), t.u) - Matmul(t.v, Adjoint(p)), inverse);
  }
  output_tangents[0] = du;
  output_tangents[1] = Real(Diagonal(p));
  output_tangents[2] = Adjoint(dv);
}

// The bond split L = U M, R = M Vᴴ, M = √s as a matrix, in the gauge in which the bond does not rotate by itself:
// dM = sym(P)/(m_i + m_j), UᴴdU = skew(P)/(s_i + s_j) = −VᴴdV. U, M and V turn together under a rotation of the bond,
// and the equations are those of any M, not of a diagonal one (RootSylvester): so nothing is divided by a difference of
// singular values, at any order.
struct Split {
  explicit Split(const NodeView& node) : t(TripletsOfTruncated(node, 2)), m(node.outputs[5]) {
    t.values = Matmul(m, m);
  }

  // z/(m_i^power + m_j^power), 0 where s_i + s_j ≤ τ.
  Var Divide(const Var& z, int64_t power) const {
    return RootSylvester(m, z, {.power = power, .rows = std::max(t.a.dim(0), t.a.dim(1))});
  }

  Triplets t;
  Var m;
};

// Ū gains L̄ M, V̄ gains R̄ᴴ M, M̄ gains UᴴL̄ + R̄ V; P̄ = sym(M̄/(m_i + m_j)) + skew((UᴴŪ − VᴴV̄)/(s_i + s_j)); Ā = U P̄ Vᴴ +
// complement.
void VjpSplit(const NodeView& node, absl::Span<const Var> cotangents, OperandSet, absl::Span<Var> input_cotangents) {
  const Split split(node);
  const Triplets& t = split.t;
  if (t.k() == 0) {
    input_cotangents[0] = ZerosLike(t.a);
    return;
  }
  const Var& left_bar = cotangents[0];
  const Var& right_bar = cotangents[1];
  Var u_bar = KeptColumns(cotangents[2], t);
  Var v_bar = KeptColumns(cotangents[4], t);
  Var m_bar = cotangents[5];
  if (!left_bar.empty()) {
    u_bar = SumOrOther(u_bar, Matmul(left_bar, split.m));
    m_bar = SumOrOther(m_bar, Matmul(Adjoint(t.u), left_bar));
  }
  if (!right_bar.empty()) {
    v_bar = SumOrOther(v_bar, Matmul(Adjoint(right_bar), split.m));
    m_bar = SumOrOther(m_bar, Matmul(right_bar, t.v));
  }
  Var turn = u_bar.empty() ? Var() : Matmul(Adjoint(t.u), u_bar);
  if (!v_bar.empty()) turn = SumOrOther(turn, Neg(Matmul(Adjoint(t.v), v_bar)));
  Var core = m_bar.empty() ? Var() : HermitianPart(split.Divide(m_bar, 1));
  if (!turn.empty()) core = SumOrOther(core, SkewPart(split.Divide(turn, 2)));
  input_cotangents[0] = Assemble(t, core, u_bar, v_bar);
}

void JvpSplit(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const Split split(node);
  const Triplets& t = split.t;
  if (t.k() == 0) return;
  const Var& tangent = tangents[0];
  const Var av = Matmul(tangent, t.v);
  const Var p = Matmul(Adjoint(t.u), av);
  const Var dm = split.Divide(HermitianPart(p), 1);
  const Var turn = split.Divide(SkewPart(p), 2);
  Var du = Matmul(t.u, turn);
  Var dv = Neg(Matmul(t.v, turn));
  if (t.has_complement()) {
    const ComplementResult out = Complement(t, av, Matmul(Adjoint(tangent), t.u));
    du = du + out.x;
    dv = dv + out.y;
  }
  output_tangents[0] = Matmul(du, split.m) + Matmul(t.u, dm);
  output_tangents[1] = Matmul(dm, Adjoint(t.v)) + Matmul(split.m, Adjoint(dv));
  output_tangents[2] = WithExtra(du, t.all_u, 1);
  output_tangents[4] = WithExtra(dv, t.all_v, 1);
  output_tangents[5] = dm;
}

// rootᵖ x + x rootᵖ = b: dx solves it for db − d(rootᵖ) x − x d(rootᵖ).
void JvpSylvester(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const RootSylvesterAttributes attributes = Decode<RootSylvesterAttributes>(node.attributes);
  const Var& root = node.inputs[0];
  const Var& x = node.outputs[0];
  Var b = tangents[1];
  if (!tangents[0].empty()) {
    const Var moved = attributes.power == 1 ? tangents[0] : Matmul(tangents[0], root) + Matmul(root, tangents[0]);
    b = SumOrOther(b, Neg(Matmul(moved, x) + Matmul(x, moved)));
  }
  output_tangents[0] = RootSylvester(root, b, attributes);
}

// A Hermitian root makes the solution map its own transpose.
void TransposeSylvester(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                        absl::Span<Var> input_cotangents) {
  input_cotangents[1] = RootSylvester(node.inputs[0], cotangents[0], Decode<RootSylvesterAttributes>(node.attributes));
}

Triplets TripletsOfComplement(const NodeView& node) {
  Triplets t(node.inputs[0], node.inputs[1], node.inputs[2], node.inputs[3], node.inputs[5].dim(1));
  t.values = node.inputs[4];
  return t;
}

// Differentiating x S − A y = P⊥ p, y S − Aᴴ x = Q⊥ q with x ⟂ U, y ⟂ V: dx = x' − U dUᴴ x and dy = y' − V dVᴴ y, where
// (x', y') solve the same equations for dp − dU Uᴴp − x dS + dA y and dq − dV Vᴴq − y dS + dAᴴ x.
void JvpComplement(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const Triplets t = TripletsOfComplement(node);
  const Var& p = node.inputs[5];
  const Var& q = node.inputs[6];
  const Var& x = node.outputs[0];
  const Var& y = node.outputs[1];
  Var dp = tangents[5];
  Var dq = tangents[6];
  if (!tangents[0].empty()) {
    dp = SumOrOther(dp, Matmul(tangents[0], y));
    dq = SumOrOther(dq, Matmul(Adjoint(tangents[0]), x));
  }
  const Var du = KeptColumns(tangents[1], t);
  const Var& ds = tangents[4];
  const Var dv = KeptColumns(tangents[3], t);
  if (!du.empty()) dp = SumOrOther(dp, Neg(Matmul(du, Matmul(Adjoint(t.u), p))));
  if (!ds.empty()) {
    dp = SumOrOther(dp, Neg(Matmul(x, ds)));
    dq = SumOrOther(dq, Neg(Matmul(y, ds)));
  }
  if (!dv.empty()) dq = SumOrOther(dq, Neg(Matmul(dv, Matmul(Adjoint(t.v), q))));
  const ComplementResult moved = Complement(t, dp, dq);
  output_tangents[0] = moved.x;
  output_tangents[1] = moved.y;
  if (!du.empty()) output_tangents[0] = moved.x - Matmul(t.u, Matmul(Adjoint(du), x));
  if (!dv.empty()) output_tangents[1] = moved.y - Matmul(t.v, Matmul(Adjoint(dv), y));
}

// The equations are symmetric, so the solution map is its own transpose.
void TransposeComplement(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                         absl::Span<Var> input_cotangents) {
  const ComplementResult out = Complement(TripletsOfComplement(node), cotangents[0], cotangents[1]);
  input_cotangents[5] = out.x;
  input_cotangents[6] = out.y;
}

constexpr DerivativeRules kRules[] = {
    {&kSvd, JvpSvd, VjpSvd},
    {&kSvdLorentz, JvpSvdLorentz, nullptr},
    {&kSvdTruncated, JvpTruncated, VjpTruncated},
    {&kSplitSvd, JvpSplit, VjpSplit},
    {&kRootSylvester, JvpSylvester, nullptr, TransposeSylvester},
    {&kTruncatedComplement, JvpComplement, nullptr, TransposeComplement},
};
constexpr DerivativeFamily kFamily{kRules};
[[maybe_unused]] const bool filled = FillSlot(linalg_slots, &FamilySlots::derivative, &kFamily);

}  // namespace
}  // namespace tenferro::linalg
