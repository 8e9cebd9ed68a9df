#ifndef TENFERRO_LINALG_INCREMENTAL_QR_H_
#define TENFERRO_LINALG_INCREMENTAL_QR_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro::linalg {

extern const OpDef kAppendReflectors, kReflectedQr, kReflectedSolve;

struct ReflectedSolveAttributes {
  bool adjoint = false;
  void Fields(auto&& field) { field("adjoint", adjoint); }
};

// Householder's factorisation of a matrix [m, n, batch…] that grows by columns: what was factored stays as it is, in
// reflections. A value, of numbers or of traced Vars; a mistake is carried by all that is made of it.
//   IncrementalQr qr(a);
//   qr = qr.AppendColumns(b);  // of [a, b]
// Dtypes: float, complex. Errors: rank below 2, another dtype, columns that do not fit (carried); an element that is
// not finite (when run).
class IncrementalQr {
 public:
  // Cost: that of Qr without q.
  explicit IncrementalQr(const Arg& a);

  // With `columns` [m, p, batch…] after those that are there. Cost: 4mnp + 2mp² for the n that are.
  IncrementalQr AppendColumns(const Arg& columns) const;

  const Var& matrix() const { return a_; }
  // The factors of matrix(), as Qr gives them: [m, k, batch…] and [k, n, batch…]. Derivative: Qr's. Cost: 2mk².
  Var Q() const;
  Var R() const;
  // The x of least |a·x − b| for an a of full column rank. Shapes: b [m, k, batch…] or [m, batch…]. Errors: more
  // columns than rows (carried); a zero on R's diagonal (when run). Derivative: Lstsq's. Cost: 4mnk + n²k, no new
  // factorisation.
  Var Solve(const Arg& b) const;

 private:
  IncrementalQr(Var a, Var packed, Var tau) : a_(std::move(a)), packed_(std::move(packed)), tau_(std::move(tau)) {}
  static IncrementalQr Append(const Var& a, const Var& packed, const Var& tau, const Var& columns,
                              const Location& location);

  Var a_;       // all columns: what derivatives belong to
  Var packed_;  // R, and below it the reflections' vectors without their leading ones; a constant to derivatives
  Var tau_;     // [k, batch…], the reflections' factors
};

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_INCREMENTAL_QR_H_
