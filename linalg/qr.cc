#include "tenferro/linalg/qr.h"

#include "tenferro/linalg/factor_slots.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/matrix_shapes.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/tensor/status.h"

namespace tenferro::linalg {
namespace {

absl::Status InferQr(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ValueType& a = inputs[0];
  TENFERRO_RETURN_IF_ERROR(shapes::CheckMatrix(a));
  const Dim columns = Decode<QrOptions>(words).complete ? a.shape[0] : shapes::Smaller(a.shape);
  outputs.push_back({a.dtype, shapes::MatrixShape(a.shape[0], columns, a.shape)});
  outputs.push_back({a.dtype, shapes::MatrixShape(columns, a.shape[1], a.shape)});
  return absl::OkStatus();
}

absl::Status InferPivotedQr(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ValueType& a = inputs[0];
  TENFERRO_RETURN_IF_ERROR(shapes::CheckMatrix(a));
  TENFERRO_RETURN_IF_ERROR(shapes::CheckTolerance(Decode<RankRevealingQrOptions>(words).tolerance));
  const Dim k = shapes::Smaller(a.shape);
  outputs.push_back({a.dtype, shapes::MatrixShape(a.shape[0], k, a.shape)});
  outputs.push_back({a.dtype, shapes::MatrixShape(k, a.shape[1], a.shape)});
  outputs.push_back({DType::kI64, shapes::VectorShape(a.shape[1], a.shape)});
  outputs.push_back({DType::kI64, shapes::BatchShape(a.shape)});
  return absl::OkStatus();
}

}  // namespace

constexpr OpDef kQr{.name = "linalg.qr",
                    .infer = InferQr,
                    .dtypes = kFloatOrComplexSet,
                    .batch = BatchAllOperands,
                    .print = PrintAttributes<QrOptions>,
                    .slots = &factor_slots};
constexpr OpDef kPivotedQr{.name = "linalg.rank_revealing_qr",
                           .infer = InferPivotedQr,
                           .dtypes = kFloatOrComplexSet,
                           .batch = BatchAllOperands,
                           .print = PrintAttributes<RankRevealingQrOptions>,
                           .slots = &factor_slots};

QrResult Qr(const Arg& a, const QrOptions& options) {
  const Vars out = Emit(kQr, Encode(options), {a.Tensor(kQr.name)}, a.location(), 2);
  return {out[0], out[1]};
}

LqResult Lq(const Arg& a, const QrOptions& options) {
  LocationScope scope(a.location());
  const Var matrix = a.Tensor("linalg.lq");
  if (matrix.ok()) {
    if (absl::Status status = shapes::CheckMatrix(matrix.type()); !status.ok()) {
      const Var error = ErrorVar(a.location(), "linalg.lq", status.message());
      return {error, error};
    }
  }
  const QrResult adjoint = Qr(Adjoint(matrix), options);
  return {Adjoint(adjoint.r), Adjoint(adjoint.q)};
}

RankRevealingQrResult RankRevealingQr(const Arg& a, const RankRevealingQrOptions& options) {
  const Vars out = Emit(kPivotedQr, Encode(options), {a.Tensor(kPivotedQr.name)}, a.location(), 4);
  return {out[0], out[1], out[2], out[3]};
}

}  // namespace tenferro::linalg
