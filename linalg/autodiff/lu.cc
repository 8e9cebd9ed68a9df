#include "tenferro/linalg/lu.h"

#include "tenferro/linalg/autodiff/factor_rules.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/solve.h"
#include "tenferro/linalg/triangular_solve.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/matrix_parts.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::linalg {
namespace {

Var UnitMatrix(const Var& like, int64_t first_one) {
  const int64_t n = like.dim(0);
  const Var one = Iota(like, DType::kI64, {n, n}, 0);
  const Var on = And(Eq(one, Iota(like, DType::kI64, {n, n}, 1)), Ge(one, first_one));
  return BroadcastInDim(Convert(on, like.dtype()), like.shape(), {0, 1});
}

// x with `rows` and `columns` more of zeros.
Var Extended(const Var& x, int64_t rows, int64_t columns) {
  if (rows == 0 && columns == 0) return x;
  Ints high(x.rank(), 0);
  high[0] = rows;
  high[1] = columns;
  return Pad(x, Full(x, x.dtype(), {}, false), Ints(x.rank(), 0), high);
}

// The packed factors' tangent from that of the permuted matrix. With L and U made square by the unit matrix, X =
// L⁻¹·dA·U⁻¹: dL = L·tril(X, −1), dU = triu(X)·U.
Var PackedTangent(const Var& packed, const Var& tangent) {
  const int64_t m = packed.dim(0), n = packed.dim(1), k = std::min(m, n);
  const Var l = Extended(Tril(FirstColumns(packed, k), -1), 0, m - k);
  Var u = Extended(Triu(FirstRows(packed, k)), n - k, 0);
  if (k < n) u = u + UnitMatrix(u, k);
  const Var x =
      TriangularSolve(u, TriangularSolve(l, tangent, {.lower = true, .unit_diagonal = true}), {.right = true});
  return Matmul(l + UnitMatrix(l, 0), Tril(x, -1)) + Matmul(Triu(x), u);
}

Var Op(const Var& a, const LuSolveOptions& options) {
  if (options.transpose) return options.conjugate ? Adjoint(a) : Conj(Adjoint(a));
  return options.conjugate ? Conj(a) : a;
}

// tr(A⁻¹·dA) from the operands of det and slogdet.
Var RelativeChange(const NodeView& node, const Var& tangent) {
  const LuFactors factors = {node.inputs[3], node.inputs[2], node.inputs[1], node.inputs[0]};
  return Trace(LuSolve(factors, tangent));
}

}  // namespace

void JvpLu(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  output_tangents[0] = PackedTangent(node.outputs[0], PermuteRows(tangents[0], node.outputs[1]));
}

void JvpFullPivotLu(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  output_tangents[0] =
      PackedTangent(node.outputs[0], PermuteColumns(PermuteRows(tangents[0], node.outputs[1]), node.outputs[2]));
}

void JvpLuSolve(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const LuSolveOptions options = Decode<LuSolveOptions>(node.attributes);
  Var b = tangents[3];
  if (!tangents[0].empty()) b = SumOrOther(b, Neg(Matmul(Op(tangents[0], options), node.outputs[0])));
  if (b.empty()) return;
  output_tangents[0] = LuSolve({node.inputs[0], node.inputs[1], node.inputs[2], Var()}, b, options);
}

void TransposeLuSolve(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                      absl::Span<Var> input_cotangents) {
  const LuSolveOptions options = Decode<LuSolveOptions>(node.attributes);
  input_cotangents[3] = LuSolve({node.inputs[0], node.inputs[1], node.inputs[2], Var()}, cotangents[0],
                                {.transpose = !options.transpose, .conjugate = !options.conjugate});
}

void JvpDet(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  if (tangents[3].empty()) return;
  output_tangents[0] = node.outputs[0] * RelativeChange(node, tangents[3]);
}

void JvpSlogdet(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  if (tangents[3].empty()) return;
  const Var change = RelativeChange(node, tangents[3]);
  if (!IsComplex(change.dtype())) {
    output_tangents[1] = change;
    return;
  }
  output_tangents[0] = node.outputs[0] * MakeComplex(ZerosLike(node.outputs[1]), Imag(change));
  output_tangents[1] = Real(change);
}

}  // namespace tenferro::linalg
