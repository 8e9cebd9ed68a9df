#ifndef TENFERRO_LINALG_TRIANGULAR_SOLVE_H_
#define TENFERRO_LINALG_TRIANGULAR_SOLVE_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro::linalg {

extern const OpDef kTriangularSolve;

struct TriangularSolveOptions {
  bool right = false;      // x·op(t) = b in place of op(t)·x = b
  bool lower = false;      // which triangle of t is read
  bool transpose = false;  // op(t) = tᵀ; with `conjugate` tᴴ
  bool conjugate = false;
  bool unit_diagonal = false;  // t's diagonal counts as ones and is not read
  void Fields(auto&& field) {
    field("right", right);
    field("lower", lower);
    field("transpose", transpose);
    field("conjugate", conjugate);
    field("unit_diagonal", unit_diagonal);
  }
};

// The x with op(t)·x = b or x·op(t) = b for a triangular t; the other triangle is not read. Shapes: t [n, n, batch…]; b
// [n, k, batch…], [k, n, batch…] for `right`, or [n, batch…], a vector on either side. Dtypes: float, complex, alike.
// Errors: shapes or dtypes that do not fit (carried); an element of the triangle or of b that is not finite, a zero on
// the diagonal, which is named (when run). Derivative: op(t)⁻¹·(db − op(dt)·x), dt's triangle alone. Accuracy: backward
// stable, row by row. Cost: k·n² , in products.
Var TriangularSolve(const Arg& t, const Arg& b, const TriangularSolveOptions& options = {});

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_TRIANGULAR_SOLVE_H_
