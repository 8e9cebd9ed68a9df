#include "tenferro/linalg/autodiff/rules.h"
#include "tenferro/linalg/autodiff/triplets.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/source.h"

namespace tenferro::linalg {
namespace {

Triplets TripletsOfComplement(const NodeView& node) {
  Triplets t(node.inputs[0], node.inputs[1], node.inputs[2], node.inputs[3], node.inputs[5].dim(1));
  t.values = node.inputs[4];
  return t;
}

}  // namespace

// Differentiating x S − A y = P⊥ p, y Sᴴ − Aᴴ x = Q⊥ q with x ⟂ U, y ⟂ V: dx = x' − U dUᴴ x and dy = y' − V dVᴴ y,
// where (x', y') solve the same equations for dp − dU Uᴴp − x dS + dA y and dq − dV Vᴴq − y dSᴴ + dAᴴ x.
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
    dq = SumOrOther(dq, Neg(Matmul(y, Adjoint(ds))));
  }
  if (!dv.empty()) dq = SumOrOther(dq, Neg(Matmul(dv, Matmul(Adjoint(t.v), q))));
  const ComplementResult moved = Complement(t, dp, dq);
  output_tangents[0] = moved.x;
  output_tangents[1] = moved.y;
  if (!du.empty()) output_tangents[0] = moved.x - Matmul(t.u, Matmul(Adjoint(du), x));
  if (!dv.empty()) output_tangents[1] = moved.y - Matmul(t.v, Matmul(Adjoint(dv), y));
}

// The equations are symmetric but for the values, so the solution map with their adjoint is the transpose.
void TransposeComplement(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                         absl::Span<Var> input_cotangents) {
  Triplets t = TripletsOfComplement(node);
  t.values = Adjoint(t.values);
  const ComplementResult out = Complement(t, cotangents[0], cotangents[1]);
  input_cotangents[5] = out.x;
  input_cotangents[6] = out.y;
}

// The isometry in the gauge in which neither side turns in itself: UᴴdU = VᴴdV = 0, d(UᴴAV) = UᴴdA V, a matrix of any
// kind that starts diagonal. Only the complement is divided by differences, those across the cut. The equations hold
// for U and V turned independently, so the same is true at every order.
void VjpIsometry(const NodeView& node, absl::Span<const Var> cotangents, OperandSet, absl::Span<Var> input_cotangents) {
  Triplets t = TripletsOfTruncated(node, 0);
  t.values = Adjoint(node.outputs[3]);
  const Var a_bar =
      t.k() == 0 ? Var() : Assemble(t, cotangents[3], KeptColumns(cotangents[0], t), KeptColumns(cotangents[2], t));
  input_cotangents[0] = a_bar.empty() ? ZerosLike(t.a) : a_bar;
}

void JvpIsometry(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  Triplets t = TripletsOfTruncated(node, 0);
  t.values = node.outputs[3];
  if (t.k() == 0) return;
  const Var av = Matmul(tangents[0], t.v);
  output_tangents[3] = Matmul(Adjoint(t.u), av);
  if (!t.has_complement()) return;
  const ComplementResult out = Complement(t, av, Matmul(Adjoint(tangents[0]), t.u));
  output_tangents[0] = WithExtra(out.x, t.all_u, 1);
  output_tangents[2] = WithExtra(out.y, t.all_v, 1);
}

}  // namespace tenferro::linalg
