#include "tenferro/linalg/eigh.h"

#include <limits>

#include "tenferro/linalg/autodiff/lorentz.h"
#include "tenferro/linalg/autodiff/spectral_rules.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

// Notation: A = V diag(w) Vᴴ, P = Vᴴ dA V, F_ij = 1/(w_j − w_i) and 0 on the diagonal; a bar is a cotangent.
namespace tenferro::linalg::spectral_internal {
namespace {

// Whether a difference of eigenvalues counts as 0: |x_ij| ≤ n·eps·max|w|.
Var IsSmall(const Var& w, const Var& differences) {
  const double eps =
      w.dtype() == DType::kF32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  const Var largest = ReduceMax(Abs(w), {0}) * (static_cast<double>(w.dim(0)) * eps);
  Ints axes;
  for (int i = 2; i < differences.rank(); ++i) axes.push_back(i);
  return Le(Abs(differences), BroadcastInDim(largest, differences.shape(), axes));
}

struct Reciprocals {
  Var f;
  Var small;  // where f is 0
};

Reciprocals ReciprocalDifferences(const Var& w, DType dtype) {
  const Var x = AlongRows(w) - AlongColumns(w);
  const Var small = IsSmall(w, x);
  return {Convert(Select(small, ZerosLike(x), 1.0 / Select(small, OnesLike(x), x)), dtype), small};
}

// x/(x² + ε²); the diagonal is taken out: its slope 1/ε² would drown a second derivative in rounding.
Var LorentzDifferences(const Var& w, double eps, DType dtype) {
  const Var all = AlongRows(w) - AlongColumns(w);
  const Var diagonal = Eq(Iota(all, DType::kI64, all.shape(), 0), Iota(all, DType::kI64, all.shape(), 1));
  return Convert(Select(diagonal, 0.0, Lorentz(Select(diagonal, 1.0, all), eps)), dtype);
}

Var Differences(const NodeView& node) {
  const double eps = Decode<EighAttributes>(node.attributes).derivative_eps;
  const Var& w = node.outputs[0];
  const DType dtype = node.outputs[1].dtype();
  return eps == 0 ? ReciprocalDifferences(w, dtype).f : LorentzDifferences(w, eps, dtype);
}

// Vᴴ x V.
Var Congruent(const Var& v, const Var& x) { return Matmul(Adjoint(v), Matmul(x, v)); }

}  // namespace

void JvpEigh(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const Var& v = node.outputs[1];
  if (v.dim(0) == 0) return;
  const Var p = Congruent(v, HermitianFromLower(tangents[0]));
  output_tangents[0] = Real(Diagonal(p));
  output_tangents[1] = Matmul(v, Differences(node) * p);
}

void VjpEigh(const NodeView& node, absl::Span<const Var> cotangents, OperandSet, absl::Span<Var> input_cotangents) {
  const Var& v = node.outputs[1];
  if (v.dim(0) == 0) {
    input_cotangents[0] = ZerosLike(node.inputs[0]);
    return;
  }
  if (cotangents[1].empty()) {
    const Var gradient = Matmul(ScaleColumns(v, cotangents[0]), Adjoint(v));
    input_cotangents[0] = LowerFromHermitian(gradient);
    return;
  }
  Var core = Differences(node) * SkewPart(Matmul(Adjoint(v), cotangents[1]));
  if (!cotangents[0].empty()) core = core + DiagonalMatrix(Convert(cotangents[0], v.dtype()));
  input_cotangents[0] = LowerFromHermitian(Matmul(v, Matmul(core, Adjoint(v))));
}

void JvpEigvalsh(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const Var v = Eigh(node.inputs[0]).vectors;
  output_tangents[0] = Real(Diagonal(Congruent(v, HermitianFromLower(tangents[0]))));
}

void VjpEigvalsh(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                 absl::Span<Var> input_cotangents) {
  const Var v = Eigh(node.inputs[0]).vectors;
  input_cotangents[0] = LowerFromHermitian(Matmul(ScaleColumns(v, cotangents[0]), Adjoint(v)));
}

// K = F∘(Xᴴ dA X) − G∘(Xᴴ dB X), G_ij = λ_j F_ij, or ½ where F_ij is cut.
struct GeneralizedCoefficients {
  explicit GeneralizedCoefficients(const NodeView& node) : x(node.outputs[1]), row(AlongRows(node.outputs[0])) {
    const Reciprocals r = ReciprocalDifferences(node.outputs[0], x.dtype());
    f = r.f;
    g = Select(r.small, FullLike(f, 0.5), f * Convert(row, x.dtype()));
  }
  Var x, row, f, g;
};

void JvpGeneralizedEigh(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const GeneralizedCoefficients c(node);
  if (c.x.dim(0) == 0) return;
  Var values, core;
  if (!tangents[0].empty()) {
    const Var p = Congruent(c.x, HermitianFromLower(tangents[0]));
    values = Real(Diagonal(p));
    core = c.f * p;
  }
  if (!tangents[1].empty()) {
    const Var q = Congruent(c.x, HermitianFromLower(tangents[1]));
    values = SumOrOther(values, Neg(node.outputs[0] * Real(Diagonal(q))));
    core = SumOrOther(core, Neg(c.g * q));
  }
  output_tangents[0] = values;
  output_tangents[1] = Matmul(c.x, core);
}

void VjpGeneralizedEigh(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                        absl::Span<Var> input_cotangents) {
  const GeneralizedCoefficients c(node);
  if (c.x.dim(0) == 0) {
    for (int i = 0; i < 2; ++i) input_cotangents[i] = ZerosLike(node.inputs[i]);
    return;
  }
  Var for_a, for_b;
  if (!cotangents[0].empty()) {
    for_a = DiagonalMatrix(Convert(cotangents[0], c.x.dtype()));
    for_b = DiagonalMatrix(Convert(Neg(cotangents[0] * node.outputs[0]), c.x.dtype()));
  }
  if (!cotangents[1].empty()) {
    const Var m = Matmul(Adjoint(c.x), cotangents[1]);
    for_a = SumOrOther(for_a, HermitianPart(c.f * m));
    for_b = SumOrOther(for_b, Neg(HermitianPart(c.g * m)));
  }
  const auto back = [&](const Var& core) { return LowerFromHermitian(Matmul(c.x, Matmul(core, Adjoint(c.x)))); };
  if (HasOperand(wanted, 0)) input_cotangents[0] = back(for_a);
  if (HasOperand(wanted, 1)) input_cotangents[1] = back(for_b);
}

}  // namespace tenferro::linalg::spectral_internal
