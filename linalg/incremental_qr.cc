#include "tenferro/linalg/incremental_qr.h"

#include <algorithm>

#include "tenferro/linalg/factor_slots.h"
#include "tenferro/linalg/matrix_shapes.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/stop_gradient.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"

namespace tenferro::linalg {
namespace {

constexpr const char* kName = "linalg.incremental_qr";

absl::Status CheckReflectors(const ValueType& a, const ValueType& packed, const ValueType& tau) {
  TENFERRO_RETURN_IF_ERROR(shapes::CheckType("packed", packed, a));
  return shapes::CheckType("tau", tau, {a.dtype, shapes::VectorShape(shapes::Smaller(a.shape), a.shape)});
}

// Operands: packed, tau, columns.
absl::Status InferAppend(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ValueType &packed = inputs[0], &columns = inputs[2];
  TENFERRO_RETURN_IF_ERROR(shapes::CheckMatrix(packed));
  TENFERRO_RETURN_IF_ERROR(CheckReflectors(packed, packed, inputs[1]));
  if (columns.shape.rank() < 2) return shapes::Invalid("needs columns [m, p, batch…], got ", columns.ToString());
  TENFERRO_RETURN_IF_ERROR(shapes::CheckType(
      "columns", columns, {packed.dtype, shapes::MatrixShape(packed.shape[0], columns.shape[1], packed.shape)}));
  const int64_t m = packed.shape.extent(0), n = packed.shape.extent(1) + columns.shape.extent(1);
  outputs.push_back({packed.dtype, shapes::MatrixShape(m, n, packed.shape)});
  outputs.push_back({packed.dtype, shapes::VectorShape(std::min(m, n), packed.shape)});
  return absl::OkStatus();
}

// Operands: packed, tau, a.
absl::Status InferReflectedQr(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ValueType& a = inputs[2];
  TENFERRO_RETURN_IF_ERROR(shapes::CheckMatrix(a));
  TENFERRO_RETURN_IF_ERROR(CheckReflectors(a, inputs[0], inputs[1]));
  const Dim k = shapes::Smaller(a.shape);
  outputs.push_back({a.dtype, shapes::MatrixShape(a.shape[0], k, a.shape)});
  outputs.push_back({a.dtype, shapes::MatrixShape(k, a.shape[1], a.shape)});
  return absl::OkStatus();
}

// Operands: a, packed, tau, b.
absl::Status InferReflectedSolve(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs,
                                 ValueTypes& outputs) {
  const ValueType &a = inputs[0], &b = inputs[3];
  TENFERRO_RETURN_IF_ERROR(shapes::CheckMatrix(a));
  if (a.shape.extent(0) < a.shape.extent(1)) {
    return shapes::Invalid("needs at least as many rows as columns, got ", a.ToString());
  }
  TENFERRO_RETURN_IF_ERROR(CheckReflectors(a, inputs[1], inputs[2]));
  if (b.shape.rank() < 2) return shapes::Invalid("needs right-hand sides [m, k, batch…], got ", b.ToString());
  const bool adjoint = Decode<ReflectedSolveAttributes>(words).adjoint;
  TENFERRO_RETURN_IF_ERROR(
      shapes::CheckType("b", b, {a.dtype, shapes::MatrixShape(a.shape[adjoint ? 1 : 0], b.shape[1], a.shape)}));
  outputs.push_back({a.dtype, shapes::MatrixShape(a.shape[adjoint ? 0 : 1], b.shape[1], a.shape)});
  return absl::OkStatus();
}

}  // namespace

constexpr OpDef kAppendReflectors{
    .name = "linalg.append_reflectors",
    .infer = InferAppend,
    .dtypes = kFloatOrComplexSet,
    .not_differentiable =
        "its results say how a matrix is stored: what is computed with them has the matrix' derivative",
    .batch = BatchAllOperands,
    .slots = &factor_slots};
constexpr OpDef kReflectedQr{.name = "linalg.reflected_qr",
                             .infer = InferReflectedQr,
                             .dtypes = kFloatOrComplexSet,
                             .batch = BatchAllOperands,
                             .slots = &factor_slots};
constexpr OpDef kReflectedSolve{.name = "linalg.reflected_solve",
                                .infer = InferReflectedSolve,
                                .dtypes = kFloatOrComplexSet,
                                .linear = 0b1000,
                                .batch = BatchAllOperands,
                                .print = PrintAttributes<ReflectedSolveAttributes>,
                                .slots = &factor_slots};

IncrementalQr IncrementalQr::Append(const Var& a, const Var& packed, const Var& tau, const Var& columns,
                                    const Location& location) {
  const Vars out = Emit(kAppendReflectors, {}, {packed, tau, StopGradient(columns)}, location, 2);
  if (!out[0].ok()) return {out[0], out[0], out[0]};
  return {a, out[0], out[1]};
}

IncrementalQr::IncrementalQr(const Arg& a) {
  LocationScope scope(a.location());
  const Var matrix = a.Tensor(kName);
  absl::Status status = matrix.status();
  if (status.ok()) status = shapes::CheckMatrix(matrix.type());
  if (!status.ok()) {
    a_ = packed_ = tau_ = matrix.ok() ? ErrorVar(a.location(), kName, status.message()) : matrix;
    return;
  }
  const Var none = Full(matrix, matrix.dtype(), shapes::MatrixShape(matrix.shape()[0], 0, matrix.shape()), false);
  const Var no_tau = Full(matrix, matrix.dtype(), shapes::VectorShape(0, matrix.shape()), false);
  *this = Append(matrix, none, no_tau, matrix, a.location());
}

IncrementalQr IncrementalQr::AppendColumns(const Arg& columns) const {
  LocationScope scope(columns.location());
  const Var more = columns.Tensor(kName);
  if (!a_.ok()) return *this;
  if (!more.ok()) return {more, more, more};
  IncrementalQr appended = Append(a_, packed_, tau_, more, columns.location());
  if (appended.a_.ok()) appended.a_ = Concatenate({a_, more}, 1);
  return appended;
}

Var IncrementalQr::Q() const { return Emit(kReflectedQr, {}, {packed_, tau_, a_}, Location::current(), 2)[0]; }
Var IncrementalQr::R() const { return Emit(kReflectedQr, {}, {packed_, tau_, a_}, Location::current(), 2)[1]; }

Var IncrementalQr::Solve(const Arg& b) const {
  LocationScope scope(b.location());
  const shapes::RightSides right = shapes::AsMatrix(kReflectedSolve.name, a_, b);
  return right.Restore(
      EmitOne(kReflectedSolve, Encode(ReflectedSolveAttributes{}), {a_, packed_, tau_, right.matrix}, b.location()));
}

}  // namespace tenferro::linalg
