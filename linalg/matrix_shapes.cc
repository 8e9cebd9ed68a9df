#include "tenferro/linalg/matrix_shapes.h"

#include "tenferro/linalg/factor_slots.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"

namespace tenferro::linalg {

constinit FamilySlots factor_slots{
    .family = "linalg", .cpu_target = "//linalg:cpu", .derivative_target = "//linalg:autodiff"};

namespace shapes {

absl::Status CheckMatrix(const ValueType& a) {
  if (!IsFloatOrComplex(a.dtype)) return Invalid("does not take ", Name(a.dtype));
  if (a.shape.rank() < 2) return Invalid("needs a matrix [m, n, batch…], got ", a.ToString());
  return absl::OkStatus();
}

absl::Status CheckSquare(const ValueType& a) {
  TENFERRO_RETURN_IF_ERROR(CheckMatrix(a));
  if (a.shape[0] == a.shape[1]) return absl::OkStatus();
  return Invalid("needs a square matrix [n, n, batch…], got ", a.ToString());
}

absl::Status CheckType(const char* name, const ValueType& type, const ValueType& expected) {
  if (type == expected) return absl::OkStatus();
  return Invalid(name, " must be ", expected.ToString(), ", got ", type.ToString());
}

absl::Status CheckTolerance(double tolerance) {
  return tolerance == tolerance ? absl::OkStatus() : Invalid("the tolerance is not a number");
}

absl::Status CheckDerivativeEps(double derivative_eps) {
  if (derivative_eps == 0 || (derivative_eps >= 1e-150 && derivative_eps <= 1e150)) return absl::OkStatus();
  return Invalid("derivative_eps = ", derivative_eps, " is neither 0 nor between 1e-150 and 1e150");
}

Shape MatrixShape(Dim rows, Dim columns, const Shape& a) {
  Shape shape{rows, columns};
  for (int i = 2; i < a.rank(); ++i) shape.push_back(a[i]);
  return shape;
}

Shape VectorShape(Dim length, const Shape& a) {
  Shape shape{length};
  for (int i = 2; i < a.rank(); ++i) shape.push_back(a[i]);
  return shape;
}

Shape BatchShape(const Shape& a) {
  Shape shape;
  for (int i = 2; i < a.rank(); ++i) shape.push_back(a[i]);
  return shape;
}

Dim Smaller(const Shape& a) { return a.extent(0) < a.extent(1) ? a[0] : a[1]; }

Var RightSides::Restore(const Var& x) const {
  if (!is_vector || !x.ok()) return x;
  return Reshape(x, VectorShape(x.shape()[0], x.shape()));
}

RightSides AsMatrix(const char* op, const Var& a, const Arg& b) {
  const Var var = b.Tensor(op);
  if (!a.ok() || !var.ok() || var.rank() == a.rank()) return {var};
  if (var.rank() + 1 != a.rank() || var.rank() == 0) {
    return {ErrorVar(b.location(), op,
                     absl::StrCat("needs right-hand sides [n, k, batch…] or [n, batch…] for ", a.type().ToString(),
                                  ", got ", var.type().ToString()))};
  }
  Shape shape{var.shape()[0], 1};
  for (int i = 1; i < var.rank(); ++i) shape.push_back(var.shape()[i]);
  return {Reshape(var, shape), true};
}

}  // namespace shapes
}  // namespace tenferro::linalg
