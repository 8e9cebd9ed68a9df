#include "tenferro/linalg/cholesky.h"

#include "tenferro/linalg/autodiff/factor_rules.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/triangular_solve.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/matrix_parts.h"

namespace tenferro::linalg {

// dL = L·Φ(L⁻¹·dA·L⁻ᴴ), with the Hermitian dA that its lower triangle says.
void JvpCholesky(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const Var& l = node.outputs[0];
  const Var half = HalfLower(tangents[0]);
  const Var left = TriangularSolve(l, half + Adjoint(half), {.lower = true});
  const Var both = TriangularSolve(l, left, {.right = true, .lower = true, .transpose = true, .conjugate = true});
  output_tangents[0] = Matmul(l, HalfLower(both));
}

// op(dT)·X or X·op(dT) taken from the right-hand side.
void JvpTriangularSolve(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const TriangularSolveOptions options = Decode<TriangularSolveOptions>(node.attributes);
  const Var& x = node.outputs[0];
  Var b = tangents[1];
  if (!tangents[0].empty()) {
    const int64_t diagonal = options.unit_diagonal ? 1 : 0;
    Var dt = options.lower ? Tril(tangents[0], -diagonal) : Triu(tangents[0], diagonal);
    if (options.transpose) dt = options.conjugate ? Adjoint(dt) : Conj(Adjoint(dt));
    if (options.conjugate && !options.transpose) dt = Conj(dt);
    b = SumOrOther(b, Neg(options.right ? Matmul(x, dt) : Matmul(dt, x)));
  }
  output_tangents[0] = TriangularSolve(node.inputs[0], b, options);
}

void TransposeTriangularSolve(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                              absl::Span<Var> input_cotangents) {
  TriangularSolveOptions options = Decode<TriangularSolveOptions>(node.attributes);
  options.transpose = !options.transpose;
  options.conjugate = !options.conjugate;
  input_cotangents[1] = TriangularSolve(node.inputs[0], cotangents[0], options);
}

}  // namespace tenferro::linalg
