#include "tenferro/linalg/cholesky.h"

#include "tenferro/linalg/factor_slots.h"
#include "tenferro/linalg/matrix_shapes.h"
#include "tenferro/linalg/triangular_solve.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/tensor/status.h"

namespace tenferro::linalg {
namespace {

absl::Status InferCholesky(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(shapes::CheckSquare(inputs[0]));
  outputs.push_back(inputs[0]);
  return absl::OkStatus();
}

}  // namespace

constexpr OpDef kCholesky{.name = "linalg.cholesky",
                          .infer = InferCholesky,
                          .dtypes = kFloatOrComplexSet,
                          .batch = BatchAllOperands,
                          .slots = &factor_slots};

Var Cholesky(const Arg& a) { return EmitUnary(kCholesky, a); }

Var CholeskySolve(const Arg& l, const Arg& b) {
  LocationScope scope(l.location());
  const Var factor = l.Tensor("linalg.cholesky_solve");
  return TriangularSolve(factor, TriangularSolve(factor, b, {.lower = true}),
                         {.lower = true, .transpose = true, .conjugate = true});
}

}  // namespace tenferro::linalg
