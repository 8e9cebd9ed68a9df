#include "tenferro/linalg/autodiff/rules.h"
#include "tenferro/linalg/autodiff/triplets.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/source.h"

namespace tenferro::linalg {
namespace {

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

}  // namespace

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
  const Var a_bar = Assemble(t, core, u_bar, v_bar);
  const double check_gauge = Decode<SplitAttributes>(node.attributes).check_gauge;
  // Cotangents of the triplets come from second derivatives, whose invariance follows from that of the first.
  const bool first_order = cotangents[2].empty() && cotangents[4].empty() && cotangents[5].empty();
  if (check_gauge == 0 || !first_order) {
    input_cotangents[0] = a_bar;
    return;
  }
  const Var &left = node.outputs[0], &right = node.outputs[1];
  const Var defect = BondGaugeDefect(left, right, left_bar.empty() ? ZerosLike(left) : left_bar,
                                     right_bar.empty() ? ZerosLike(right) : right_bar);
  input_cotangents[0] = CheckGaugeInvariant(a_bar, defect, check_gauge);
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

void JvpCheckGauge(const NodeView&, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  output_tangents[0] = tangents[0];
}

void VjpCheckGauge(const NodeView&, absl::Span<const Var> cotangents, OperandSet, absl::Span<Var> input_cotangents) {
  input_cotangents[0] = cotangents[0];
}

}  // namespace tenferro::linalg
