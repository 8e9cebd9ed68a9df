#include "tenferro/linalg/qr.h"

#include "tenferro/linalg/autodiff/factor_rules.h"
#include "tenferro/linalg/incremental_qr.h"
#include "tenferro/linalg/least_squares.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/triangular_solve.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/matrix_parts.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::linalg {
namespace {

struct Tangents {
  Var q, r;
};

// A = Q·R and its first k columns A₁ = Q·R₁: P = Qᴴ·dA₁·R₁⁻¹ is Ω = QᴴdQ plus an upper triangular matrix with a real
// diagonal, and Ω is skew-Hermitian, so that P's strict lower triangle and the imaginary part of its diagonal say it.
// dQ = Q·Ω and what leaves the span of a thin Q; dR = QᴴdA − Ω·R.
Tangents QrTangents(const Var& q, const Var& r, const Var& da) {
  const int64_t m = q.dim(0), columns = q.dim(1), k = std::min(m, r.dim(1));
  if (k == 0) return {ZerosLike(q), ZerosLike(r)};
  const Var x = TriangularSolve(FirstColumns(FirstRows(r, k), k), FirstColumns(da, k), {.right = true});
  const Var adjoint = Adjoint(q);
  const Var p = Matmul(adjoint, x);
  Var lower = Tril(p, -1);
  if (columns > k) {
    Ints high(p.rank(), 0);
    high[1] = columns - k;
    lower = Pad(lower, Full(p, p.dtype(), {}, false), Ints(p.rank(), 0), high);
  }
  Var turn = lower - Adjoint(lower);
  if (IsComplex(p.dtype())) {
    const Var imaginary = Imag(p);
    Var phase = Tril(Triu(MakeComplex(ZerosLike(imaginary), imaginary)));
    if (columns > k) {
      Ints high(p.rank(), 0);
      high[1] = columns - k;
      phase = Pad(phase, Full(p, p.dtype(), {}, false), Ints(p.rank(), 0), high);
    }
    turn = turn + phase;
  }
  Tangents out{Matmul(q, turn), Triu(Matmul(adjoint, da) - Matmul(turn, r))};
  if (columns < m) out.q = out.q + (x - Matmul(q, p));
  return out;
}

}  // namespace

void JvpQr(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const Tangents out = QrTangents(node.outputs[0], node.outputs[1], tangents[0]);
  output_tangents[0] = out.q;
  output_tangents[1] = out.r;
}

void JvpPivotedQr(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const Tangents out = QrTangents(node.outputs[0], node.outputs[1], PermuteColumns(tangents[0], node.outputs[2]));
  output_tangents[0] = out.q;
  output_tangents[1] = out.r;
}

void JvpReflectedQr(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  if (tangents[2].empty()) return;
  const Tangents out = QrTangents(node.outputs[0], node.outputs[1], tangents[2]);
  output_tangents[0] = out.q;
  output_tangents[1] = out.r;
}

namespace {

bool IsAdjoint(const NodeView& node) {
  return &node.op == &kPinvSolve ? Decode<PinvSolveAttributes>(node.attributes).adjoint
                                 : Decode<ReflectedSolveAttributes>(node.attributes).adjoint;
}

// A⁺·b or A⁺ᴴ·b from the node's own matrix and factors.
Var SolveAgain(const NodeView& node, const Var& b, bool adjoint) {
  Vars operands(node.inputs.begin(), node.inputs.end());
  operands.back() = b;
  if (&node.op == &kReflectedSolve) {
    return EmitOne(node.op, Encode(ReflectedSolveAttributes{adjoint}), operands, Location::current());
  }
  PinvSolveAttributes attributes = Decode<PinvSolveAttributes>(node.attributes);
  attributes.adjoint = adjoint;
  return EmitOne(node.op, Encode(attributes), operands, Location::current());
}

}  // namespace

// With M = op(A), of constant rank: dx = M⁺(db − dM·x + M⁺ᴴ·dMᴴ·(b − M·x)) + (1 − M⁺M)·dMᴴ·M⁺ᴴ·x.
void JvpPinvSolve(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const auto times = [](const Var& a, const Var& y, bool adjoint) { return Matmul(adjoint ? Adjoint(a) : a, y); };
  const bool turned = IsAdjoint(node);
  const Var &a = node.inputs[0], &b = node.inputs.back(), &x = node.outputs[0], &da = tangents[0];
  Var right = tangents.back();
  Var beside;
  if (!da.empty()) {
    const Var residual = b - times(a, x, turned);
    right = SumOrOther(right, SolveAgain(node, times(da, residual, !turned), !turned) - times(da, x, turned));
    beside = times(da, SolveAgain(node, x, !turned), !turned);
    beside = beside - SolveAgain(node, times(a, beside, turned), turned);
  }
  if (right.empty()) return;
  output_tangents[0] = SumOrOther(SolveAgain(node, right, turned), beside);
}

void TransposePinvSolve(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                        absl::Span<Var> input_cotangents) {
  input_cotangents[node.inputs.size() - 1] = SolveAgain(node, cotangents[0], !IsAdjoint(node));
}

}  // namespace tenferro::linalg
