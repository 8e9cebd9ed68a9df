#include "tenferro/linalg/triangular_solve.h"

#include "tenferro/linalg/factor_slots.h"
#include "tenferro/linalg/matrix_shapes.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"

namespace tenferro::linalg {
namespace {

absl::Status Infer(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ValueType &t = inputs[0], &b = inputs[1];
  TENFERRO_RETURN_IF_ERROR(shapes::CheckSquare(t));
  if (b.shape.rank() < 2) return shapes::Invalid("needs right-hand sides [n, k, batch…], got ", b.ToString());
  const Dim n = t.shape[0];
  const ValueType expected{t.dtype, Decode<TriangularSolveOptions>(words).right
                                        ? shapes::MatrixShape(b.shape[0], n, t.shape)
                                        : shapes::MatrixShape(n, b.shape[1], t.shape)};
  TENFERRO_RETURN_IF_ERROR(shapes::CheckType("b", b, expected));
  outputs.push_back(b);
  return absl::OkStatus();
}

}  // namespace

constexpr OpDef kTriangularSolve{.name = "linalg.triangular_solve",
                                 .infer = Infer,
                                 .dtypes = kFloatOrComplexSet,
                                 .linear = 0b10,
                                 .batch = BatchAllOperands,
                                 .print = PrintAttributes<TriangularSolveOptions>,
                                 .slots = &factor_slots};

Var TriangularSolve(const Arg& t, const Arg& b, const TriangularSolveOptions& options) {
  LocationScope scope(t.location());
  const Var triangle = t.Tensor(kTriangularSolve.name);
  shapes::RightSides right = shapes::AsMatrix(kTriangularSolve.name, triangle, b);
  if (right.is_vector && options.right) {
    Ints permutation{1, 0};
    for (int i = 2; i < right.matrix.rank(); ++i) permutation.push_back(i);
    const Var x = TriangularSolve(triangle, Transpose(right.matrix, permutation), options);
    return right.Restore(x.ok() ? Transpose(x, permutation) : x);
  }
  return right.Restore(EmitOne(kTriangularSolve, Encode(options), {triangle, right.matrix}, t.location()));
}

}  // namespace tenferro::linalg
