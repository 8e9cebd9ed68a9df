#include "tenferro/linalg/svd.h"

#include "tenferro/linalg/autodiff/lorentz.h"
#include "tenferro/linalg/autodiff/rules.h"
#include "tenferro/linalg/autodiff/triplets.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/stop_gradient.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::linalg {
namespace {

Var AdjointOrNone(const Var& x) { return x.empty() ? x : Adjoint(x); }

Triplets TripletsOfSvd(const NodeView& node) {
  const Var& u = node.outputs[0];
  return Triplets(node.inputs[0], u, node.outputs[1], Adjoint(node.outputs[2]), u.dim(1));
}

// The complements N of U and M of V turn with them: dN = −U dUᴴ N, so a cotangent of N is one of −N N̄ᴴ U for U.
struct FullFactors {
  explicit FullFactors(const NodeView& node)
      : u(node.outputs[0]),
        v(Adjoint(node.outputs[2])),
        k(node.outputs[1].dim(0)),
        t(node.inputs[0], FirstColumns(u, k), node.outputs[1], FirstColumns(v, k), k) {}

  // Of the columns of q from k on; empty without any.
  Var Rest(const Var& q) const {
    if (q.empty() || q.dim(1) == k) return Var();
    Ints starts(q.rank(), 0);
    starts[1] = k;
    return Slice(q, starts, q.shape().extents());
  }
  Var Pull(const Var& q, const Var& q_bar) const {
    if (q_bar.empty()) return q_bar;
    const Var thin = FirstColumns(q_bar, k);
    const Var rest = Rest(q), rest_bar = Rest(q_bar);
    return rest.empty() ? thin : thin - Matmul(rest, Matmul(Adjoint(rest_bar), FirstColumns(q, k)));
  }
  Var Push(const Var& q, const Var& dq) const {
    const Var rest = Rest(q);
    if (rest.empty()) return dq;
    return Concatenate({dq, Neg(Matmul(FirstColumns(q, k), Matmul(Adjoint(dq), rest)))}, 1);
  }

  Var u, v;
  int64_t k;
  Triplets t;
};

}  // namespace

void VjpSvd(const NodeView& node, absl::Span<const Var> cotangents, OperandSet, absl::Span<Var> input_cotangents) {
  input_cotangents[0] = PullTriplets(TripletsOfSvd(node), cotangents[0], cotangents[1], AdjointOrNone(cotangents[2]));
}

void VjpTruncated(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                  absl::Span<Var> input_cotangents) {
  const Triplets t = TripletsOfTruncated(node, 0);
  input_cotangents[0] =
      PullTriplets(t, KeptColumns(cotangents[0], t), KeptRows(cotangents[1], t), KeptColumns(cotangents[2], t));
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
  // In units of s_1, which is a constant here: F s = (1/s_1) g/(g² + (ε/s_1²)²) (s/s_1), and no s² overflows.
  const Var largest = StopGradient(ReduceMax(t.s, {0}));
  const Var one = OnesLike(largest), unit = Select(Eq(largest, 0.0), one, largest);
  const Var relative_eps = one * eps / unit / unit;
  const auto for_all = [](const Var& x, const Var& like) {
    Ints batch;
    for (int i = like.rank() - x.rank(); i < like.rank(); ++i) batch.push_back(i);
    return BroadcastInDim(x, like.shape(), batch);
  };
  const Var s = t.s / for_all(unit, t.s);
  const Var row = AlongRows(s);
  const Var column = AlongColumns(s);
  const Var all_gaps = (row + column) * (row - column);
  // The diagonal, where F is 0, is taken out: its slope 1/ε² would drown a second derivative in rounding.
  const Var diagonal =
      Eq(Iota(all_gaps, DType::kI64, all_gaps.shape(), 0), Iota(all_gaps, DType::kI64, all_gaps.shape(), 1));
  const Var slope = Lorentz(Select(diagonal, 1.0, all_gaps), for_all(relative_eps, all_gaps));
  const Var f = InDType(Select(diagonal, 0.0, slope / for_all(unit, slope)), p);
  const Var inverse = Lorentz(t.s, eps);
  const Var weighted_u = ScaleColumns(p, s);
  const Var weighted_v = ScaleRows(s, p);
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

void VjpSvdFull(const NodeView& node, absl::Span<const Var> cotangents, OperandSet, absl::Span<Var> input_cotangents) {
  const FullFactors f(node);
  input_cotangents[0] =
      PullTriplets(f.t, f.Pull(f.u, cotangents[0]), cotangents[1], f.Pull(f.v, AdjointOrNone(cotangents[2])));
}

void JvpSvdFull(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const FullFactors f(node);
  if (f.k == 0) return;
  const TripletTangents moved = PushTriplets(f.t, tangents[0]);
  output_tangents[0] = f.Push(f.u, moved.u);
  output_tangents[1] = moved.s;
  output_tangents[2] = Adjoint(f.Push(f.v, moved.v));
}

// The vectors are computed here, where they are first needed.
void VjpSvdVals(const NodeView& node, absl::Span<const Var> cotangents, OperandSet, absl::Span<Var> input_cotangents) {
  const SvdResult d = Svd(node.inputs[0]);
  input_cotangents[0] = Matmul(ScaleColumns(d.u, cotangents[0]), d.vh);
}

void JvpSvdVals(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const SvdResult d = Svd(node.inputs[0]);
  output_tangents[0] = ReduceSum(Real(Conj(d.u) * Matmul(tangents[0], Adjoint(d.vh))), {0});
}

}  // namespace tenferro::linalg
