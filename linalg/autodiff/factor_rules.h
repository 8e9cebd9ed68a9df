#ifndef TENFERRO_LINALG_AUTODIFF_FACTOR_RULES_H_
#define TENFERRO_LINALG_AUTODIFF_FACTOR_RULES_H_

#include "tenferro/runtime/op.h"

// Derivative rules of the triangular factorisations. A jvp that is written with operations that have transposes is the
// vjp too.
namespace tenferro::linalg {

void JvpCholesky(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void JvpTriangularSolve(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void TransposeTriangularSolve(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                              absl::Span<Var> input_cotangents);
void JvpLu(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void JvpFullPivotLu(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void JvpLuSolve(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void TransposeLuSolve(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                      absl::Span<Var> input_cotangents);
void JvpDet(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void JvpSlogdet(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void JvpQr(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void JvpPivotedQr(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void JvpReflectedQr(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
// Of pinv_solve and reflected_solve: x = A⁺·b with a in operand 0 and b in the last.
void JvpPinvSolve(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void TransposePinvSolve(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                        absl::Span<Var> input_cotangents);

// x's part that a triangle with an implied mirror image has: the strict lower triangle and half the diagonal.
Var HalfLower(const Var& x);
// Rows (columns) of x [m, n, batch…] in the order of `permutation` [m, batch…] ([n, batch…]).
Var PermuteRows(const Var& x, const Var& permutation);
Var PermuteColumns(const Var& x, const Var& permutation);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_AUTODIFF_FACTOR_RULES_H_
