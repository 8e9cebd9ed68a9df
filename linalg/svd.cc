#include "tenferro/linalg/svd.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/matrix_shapes.h"
#include "tenferro/linalg/slots.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/sort.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"

namespace tenferro::linalg {

constinit FamilySlots linalg_slots{
    .family = "linalg", .cpu_target = "//linalg:cpu", .derivative_target = "//linalg:autodiff"};

namespace {

using shapes::CheckMatrix;
using shapes::Invalid;
using shapes::MatrixShape;
using shapes::VectorShape;

// u, s and v of k triplets.
void PushTriplets(const ValueType& a, Dim k, ValueTypes& outputs) {
  outputs.push_back({a.dtype, MatrixShape(a.shape[0], k, a.shape)});
  outputs.push_back({RealOf(a.dtype), VectorShape(k, a.shape)});
  outputs.push_back({a.dtype, MatrixShape(a.shape[1], k, a.shape)});
}

int64_t Smaller(const Shape& a) { return std::min(a.extent(0), a.extent(1)); }

absl::Status InferSvd(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(CheckMatrix(inputs[0]));
  const Shape& shape = inputs[0].shape;
  PushTriplets(inputs[0], Smaller(shape), outputs);
  outputs[2].shape = MatrixShape(Smaller(shape), shape[1], shape);
  return absl::OkStatus();
}

// u [m, m], s and vh [n, n].
absl::Status InferLorentz(const OpDef& op, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(shapes::CheckDerivativeEps(Decode<SvdLorentzAttributes>(words).derivative_eps));
  return InferSvd(op, words, inputs, outputs);
}

absl::Status InferFull(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ValueType& a = inputs[0];
  TENFERRO_RETURN_IF_ERROR(CheckMatrix(a));
  outputs.push_back({a.dtype, MatrixShape(a.shape[0], a.shape[0], a.shape)});
  outputs.push_back({RealOf(a.dtype), VectorShape(Smaller(a.shape), a.shape)});
  outputs.push_back({a.dtype, MatrixShape(a.shape[1], a.shape[1], a.shape)});
  return absl::OkStatus();
}

absl::Status InferValues(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ValueType& a = inputs[0];
  TENFERRO_RETURN_IF_ERROR(CheckMatrix(a));
  outputs.push_back({RealOf(a.dtype), VectorShape(Smaller(a.shape), a.shape)});
  return absl::OkStatus();
}

absl::Status CheckFraction(const char* name, double value) {
  if (value >= 0 && value <= 1) return absl::OkStatus();
  return Invalid(name, " = ", value, " is not between 0 and 1");
}

absl::Status CheckTruncation(const TruncationAttributes& kept, const ValueType& a) {
  TENFERRO_RETURN_IF_ERROR(CheckMatrix(a));
  TENFERRO_RETURN_IF_ERROR(CheckFraction("require_gap", kept.require_gap));
  if (kept.k >= 0 && kept.k <= Smaller(a.shape)) return absl::OkStatus();
  return Invalid("k = ", kept.k, " is not between 0 and min(m, n) = ", Smaller(a.shape), ", got ", a.ToString());
}

absl::Status InferTruncated(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const TruncationAttributes kept = Decode<TruncationAttributes>(words);
  TENFERRO_RETURN_IF_ERROR(CheckTruncation(kept, inputs[0]));
  PushTriplets(inputs[0], kept.k + kept.extra, outputs);
  return absl::OkStatus();
}

// The triplets and, for the derivative, the values as a diagonal matrix.
absl::Status InferIsometry(const OpDef& op, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(InferTruncated(op, words, inputs, outputs));
  const Dim k = Decode<TruncationAttributes>(words).k;
  outputs.push_back({inputs[0].dtype, MatrixShape(k, k, inputs[0].shape)});
  return absl::OkStatus();
}

// The factors and, for the derivative, the triplets they are made of and √s as a diagonal matrix.
absl::Status InferSplit(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ValueType& a = inputs[0];
  const auto [kept, check_gauge] = Decode<SplitAttributes>(words);
  TENFERRO_RETURN_IF_ERROR(CheckTruncation(kept, a));
  TENFERRO_RETURN_IF_ERROR(CheckFraction("check_gauge", check_gauge));
  outputs.push_back({a.dtype, MatrixShape(a.shape[0], kept.k, a.shape)});
  outputs.push_back({a.dtype, MatrixShape(kept.k, a.shape[1], a.shape)});
  PushTriplets(a, kept.k + kept.extra, outputs);
  outputs.push_back({a.dtype, MatrixShape(kept.k, kept.k, a.shape)});
  return absl::OkStatus();
}

absl::Status InferCheckGauge(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  if (!IsFloatOrComplex(inputs[0].dtype)) return Invalid("does not take ", Name(inputs[0].dtype));
  if (inputs[1].dtype != RealOf(inputs[0].dtype)) {
    return Invalid("needs a defect of dtype ", Name(RealOf(inputs[0].dtype)), ", got ", inputs[1].ToString());
  }
  const double tolerance = Decode<CheckGaugeAttributes>(words).tolerance;
  if (!(tolerance >= 0)) return Invalid("tolerance = ", tolerance, " is not a number from 0");
  outputs.push_back(inputs[0]);
  return absl::OkStatus();
}

absl::Status InferSylvester(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ValueType& root = inputs[0];
  TENFERRO_RETURN_IF_ERROR(CheckMatrix(root));
  const int64_t power = Decode<RootSylvesterAttributes>(words).power;
  if (power != 1 && power != 2) return Invalid("power = ", power, " is neither 1 nor 2");
  if (root.shape[0] != root.shape[1] || inputs[1] != root) {
    return Invalid("needs two square matrices of one type, got ", root.ToString(), " and ", inputs[1].ToString());
  }
  outputs.push_back(root);
  return absl::OkStatus();
}

absl::Status InferComplement(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ValueType& a = inputs[0];
  TENFERRO_RETURN_IF_ERROR(CheckMatrix(a));
  if (inputs[1].shape.rank() < 2) return Invalid("u must be a matrix, got ", inputs[1].ToString());
  if (inputs[5].shape.rank() < 2) return Invalid("p must be a matrix, got ", inputs[5].ToString());
  const Dim k = inputs[5].shape[1];
  if (inputs[1].shape.extent(1) < k.extent()) {
    return Invalid("p has ", k.extent(), " columns, u only ", inputs[1].shape.extent(1));
  }
  ValueTypes triplets;
  PushTriplets(a, inputs[1].shape[1], triplets);
  const ValueType p{a.dtype, MatrixShape(a.shape[0], k, a.shape)};
  const ValueType q{a.dtype, MatrixShape(a.shape[1], k, a.shape)};
  const ValueType values{a.dtype, MatrixShape(k, k, a.shape)};
  const ValueType expected[] = {a, triplets[0], triplets[1], triplets[2], values, p, q};
  constexpr const char* kNames[] = {"a", "u", "s", "v", "values", "p", "q"};
  for (int i = 0; i < 7; ++i) {
    if (inputs[i] != expected[i]) {
      return Invalid(kNames[i], " must be ", expected[i].ToString(), ", got ", inputs[i].ToString());
    }
  }
  outputs.push_back(p);
  outputs.push_back(q);
  return absl::OkStatus();
}

}  // namespace

constexpr OpDef kSvd{.name = "linalg.svd",
                     .infer = InferSvd,
                     .dtypes = kFloatOrComplexSet,
                     .batch = BatchAllOperands,
                     .slots = &linalg_slots};
constexpr OpDef kSvdLorentz{.name = "linalg.svd",
                            .infer = InferLorentz,
                            .dtypes = kFloatOrComplexSet,
                            .batch = BatchAllOperands,
                            .print = PrintAttributes<SvdLorentzAttributes>,
                            .slots = &linalg_slots};
constexpr OpDef kSvdFull{.name = "linalg.svd_full",
                         .infer = InferFull,
                         .dtypes = kFloatOrComplexSet,
                         .batch = BatchAllOperands,
                         .slots = &linalg_slots};
constexpr OpDef kSvdVals{.name = "linalg.svdvals",
                         .infer = InferValues,
                         .dtypes = kFloatOrComplexSet,
                         .batch = BatchAllOperands,
                         .slots = &linalg_slots};
constexpr OpDef kIsometry{.name = "linalg.isometry",
                          .infer = InferIsometry,
                          .dtypes = kFloatOrComplexSet,
                          .batch = BatchAllOperands,
                          .print = PrintAttributes<TruncationAttributes>,
                          .slots = &linalg_slots};
constexpr OpDef kCheckGaugeInvariant{.name = "linalg.check_gauge_invariant",
                                     .infer = InferCheckGauge,
                                     .dtypes = kFloatSet,
                                     .batch = BatchAllOperands,
                                     .print = PrintAttributes<CheckGaugeAttributes>,
                                     .slots = &linalg_slots};
constexpr OpDef kSvdTruncated{.name = "linalg.svd_truncated",
                              .infer = InferTruncated,
                              .dtypes = kFloatOrComplexSet,
                              .batch = BatchAllOperands,
                              .print = PrintAttributes<TruncationAttributes>,
                              .slots = &linalg_slots};
constexpr OpDef kSplitSvd{.name = "linalg.split_svd",
                          .infer = InferSplit,
                          .dtypes = kFloatOrComplexSet,
                          .batch = BatchAllOperands,
                          .print = PrintAttributes<SplitAttributes>,
                          .slots = &linalg_slots};
constexpr OpDef kRootSylvester{.name = "linalg.root_sylvester",
                               .infer = InferSylvester,
                               .dtypes = kFloatOrComplexSet,
                               .linear = 0b10,
                               .batch = BatchAllOperands,
                               .print = PrintAttributes<RootSylvesterAttributes>,
                               .slots = &linalg_slots};
constexpr OpDef kTruncatedComplement{.name = "linalg.truncated_complement",
                                     .infer = InferComplement,
                                     .dtypes = kFloatOrComplexSet,
                                     .linear = 0b1100000,
                                     .batch = BatchAllOperands,
                                     .slots = &linalg_slots};

namespace {

// A few triplets beyond the cut cost little in a subspace iteration, which carries them anyway.
TruncationAttributes Truncation(int64_t k, const Var& a, double require_gap) {
  constexpr int64_t kExtra = 16;
  const int64_t room = std::min(a.dim(0), a.dim(1)) - k;
  return {k, std::clamp<int64_t>(room, 0, kExtra), require_gap};
}

Var ColumnsFrom(const Var& x, int64_t first) {
  Ints starts(x.rank(), 0);
  starts[1] = first;
  return Slice(x, starts, x.shape().extents());
}
Var RowsFrom(const Var& x, int64_t first) {
  Ints starts(x.rank(), 0);
  starts[0] = first;
  return Slice(x, starts, x.shape().extents());
}

// The pivot gauge of thin factors.
SvdResult InPivotGauge(const SvdResult& raw) {
  const Var& u = raw.u;
  if (!u.ok() || u.dim(0) == 0 || u.dim(1) == 0) return raw;
  Ints column;
  for (int i = 1; i < u.rank(); ++i) column.push_back(i);
  const Var pivot = BroadcastInDim(ArgMax(Abs(u), 0), u.shape(), column);
  const Var here = Eq(Iota(u, DType::kI64, u.shape(), 0), pivot);
  const Var entry = ReduceSum(Select(here, u, ZerosLike(u)), {0});
  const Var size = Abs(entry);
  const Var phase = Conj(entry) / Convert(size, u.dtype());
  // The pivot's imaginary part would keep a rounding error.
  const Var turned = Select(here, BroadcastInDim(Convert(size, u.dtype()), u.shape(), column), ScaleColumns(u, phase));
  return {turned, raw.s, ScaleRows(Conj(phase), raw.vh)};
}

SvdResult InPivotGaugeWithComplements(const SvdResult& raw) {
  if (!raw.u.ok()) return raw;
  const int64_t k = raw.s.dim(0);
  const SvdResult thin = InPivotGauge({FirstColumns(raw.u, k), raw.s, FirstRows(raw.vh, k)});
  return {Concatenate({thin.u, ColumnsFrom(raw.u, k)}, 1), raw.s, Concatenate({thin.vh, RowsFrom(raw.vh, k)}, 0)};
}

// Outputs that begin with u, s and v of further triplets.
SvdResult KeptTriplets(const Vars& outputs, int64_t k) {
  return {FirstColumns(outputs[0], k), FirstRows(outputs[1], k), Adjoint(FirstColumns(outputs[2], k))};
}

}  // namespace

SvdResult Svd(const Arg& a, const SvdOptions& options) {
  LocationScope scope(a.location());
  const Var matrix = a.Tensor(kSvd.name);
  const bool lorentz = options.derivative_eps != 0;
  if (lorentz && options.full) {
    const Var error = ErrorVar(a.location(), kSvdFull.name, "derivative_eps has no rule for square factors");
    return {error, error, error};
  }
  const Vars outputs =
      lorentz ? Emit(kSvdLorentz, Encode(SvdLorentzAttributes{options.derivative_eps}), {matrix}, a.location(), 3)
              : Emit(options.full ? kSvdFull : kSvd, {}, {matrix}, a.location(), 3);
  const SvdResult raw{outputs[0], outputs[1], outputs[2]};
  if (options.gauge == Gauge::kRaw) return raw;
  return options.full ? InPivotGaugeWithComplements(raw) : InPivotGauge(raw);
}

Var SvdVals(const Arg& a) { return EmitUnary(kSvdVals, a); }

SvdResult SvdTruncated(const Arg& a, int64_t k, const TruncationOptions& options) {
  LocationScope scope(a.location());
  const Var matrix = a.Tensor(kSvdTruncated.name);
  const Vars outputs =
      Emit(kSvdTruncated, Encode(Truncation(k, matrix, options.require_gap)), {matrix}, a.location(), 3);
  const SvdResult raw = KeptTriplets(outputs, k);
  return options.gauge == Gauge::kRaw ? raw : InPivotGauge(raw);
}

Var Isometry(const Arg& a, int64_t k, const TruncationOptions& options) {
  LocationScope scope(a.location());
  const Var matrix = a.Tensor(kIsometry.name);
  const Vars outputs = Emit(kIsometry, Encode(Truncation(k, matrix, options.require_gap)), {matrix}, a.location(), 4);
  const SvdResult raw = KeptTriplets(outputs, k);
  return options.gauge == Gauge::kRaw ? raw.u : InPivotGauge(raw).u;
}

SplitResult SplitSvd(const Arg& a, int64_t k, const SplitOptions& options) {
  const Var matrix = a.Tensor(kSplitSvd.name);
  const SplitAttributes attributes{Truncation(k, matrix, options.require_gap), options.check_gauge};
  const Vars outputs = Emit(kSplitSvd, Encode(attributes), {matrix}, a.location(), 6);
  return {outputs[0], outputs[1]};
}

Var BondGaugeDefect(const Var& left, const Var& right, const Var& left_bar, const Var& right_bar) {
  const Var x = Matmul(Adjoint(left), left_bar), y = Matmul(right_bar, Adjoint(right));
  const Var largest = Max(ReduceMax(Abs(x), {0, 1}), ReduceMax(Abs(y), {0, 1}));
  const Var defect = ReduceMax(Abs(SkewPart(x - y)), {0, 1});
  // 0/0 where nothing depends on the factors.
  return Select(Eq(defect, ZerosLike(defect)), defect, defect / largest);
}

Var CheckGaugeInvariant(const Arg& value, const Arg& defect, double tolerance) {
  const char* const name = kCheckGaugeInvariant.name;
  return EmitOne(kCheckGaugeInvariant, Encode(CheckGaugeAttributes{tolerance}),
                 {value.Tensor(name), defect.Tensor(name)}, value.location());
}

Var RootSylvester(const Arg& root, const Arg& b, const RootSylvesterAttributes& attributes) {
  const char* const name = kRootSylvester.name;
  return EmitOne(kRootSylvester, Encode(attributes), {root.Tensor(name), b.Tensor(name)}, root.location());
}

ComplementResult TruncatedComplement(const Arg& a, const Arg& u, const Arg& s, const Arg& v, const Arg& values,
                                     const Arg& p, const Arg& q) {
  const char* const name = kTruncatedComplement.name;
  const Vars outputs = Emit(kTruncatedComplement, {},
                            {a.Tensor(name), u.Tensor(name), s.Tensor(name), v.Tensor(name), values.Tensor(name),
                             p.Tensor(name), q.Tensor(name)},
                            a.location(), 2);
  return {outputs[0], outputs[1]};
}

}  // namespace tenferro::linalg
