#include "tenferro/runtime/ops/elementwise.h"

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/elementwise_rules.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/slots.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/runtime/rewriter.h"
#include "tenferro/tensor/status.h"

namespace tenferro {

constinit FamilySlots elementwise_slots{
    .family = "elementwise", .cpu_target = "//cpu/kernels:elementwise", .derivative_target = nullptr};

namespace {

using namespace elementwise_internal;

absl::Status InferSelect(const OpDef& op, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(CheckOperands(op, inputs));
  TENFERRO_RETURN_IF_ERROR(CheckSameDTypes(inputs));
  if (inputs[0].dtype != DType::kBool) {
    return absl::InvalidArgumentError(absl::StrCat("the condition must be bool, got ", inputs[0].ToString()));
  }
  outputs.push_back(inputs[1]);
  return absl::OkStatus();
}

struct ConvertAttributes {
  DType dtype = DType::kF64;
  void Fields(auto&& field) { field("dtype", dtype); }
};

absl::Status InferCast(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  outputs.push_back({Decode<ConvertAttributes>(words).dtype, inputs[0].shape});
  return absl::OkStatus();
}

absl::Status InferConvert(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const DType to = Decode<ConvertAttributes>(words).dtype;
  const absl::StatusOr<DType> promoted = Promote(inputs[0].dtype, to);
  if (!promoted.ok() || *promoted != to) {
    return absl::InvalidArgumentError(
        absl::StrCat("not every ", Name(inputs[0].dtype), " is a ", Name(to), ": use Cast"));
  }
  outputs.push_back({to, inputs[0].shape});
  return absl::OkStatus();
}

// y = f(x) with dy = t·f'(x) as partial rules.
PartialRule constexpr kAddPartial = [](In, const Var&, const Var& t) { return t; };
PartialRule constexpr kMinus = [](In, const Var&, const Var& t) { return Neg(t); };

// Halves at a tie, as the mean of the two one-sided derivatives.
template <auto kBefore, int kSide>
Var ExtremumPartial(In in, const Var&, const Var& t) {
  const Var& mine = in[kSide];
  const Var& other = in[1 - kSide];
  return Select(kBefore(mine, other), t, Select(Eq(mine, other), t * 0.5, Zero(t)));
}

Var SignPartial(In in, const Var& y, const Var& t) {
  if (!IsComplex(t.dtype())) return Var();
  const Var modulus = Abs(in[0]);
  const Var along = Convert(Real(Conj(y) * t), t.dtype());
  return Select(Eq(modulus, 0.0), Zero(t), (t - y * along) / Convert(modulus, t.dtype()));
}

Var AbsPartial(In in, const Var&, const Var& t) {
  return IsComplex(in[0].dtype()) ? Real(Conj(Sign(in[0])) * t) : t * Sign(in[0]);
}

Var PowBasePartial(In in, const Var&, const Var& t) {
  const Var &base = in[0], &exponent = in[1];
  // Only where 0·a⁻¹ is no number: the product's own derivative, a⁻¹ for b = 0, is needed to the second order.
  const Var undefined = And(Eq(exponent, 0), Ne(OnesLike(base) / base * 0, 0));
  const Var slope = exponent * Pow(Select(undefined, OnesLike(base), base), exponent - 1);
  return t * Select(undefined, Zero(slope), slope);
}

Var PowExponentPartial(In in, const Var& y, const Var& t) {
  const Var at_zero = Eq(in[0], 0);
  return t * Select(at_zero, Zero(y), y * Log(Select(at_zero, OnesLike(in[0]), in[0])));
}

Var MulBack(const NodeView& node, const Var& ct, int i) { return ct * Conj(node.inputs[1 - i]); }
Var DivBack(const NodeView& node, const Var& ct, int) { return ct / Conj(node.inputs[1]); }
Var SubBack(const NodeView&, const Var& ct, int i) { return i == 0 ? ct : Neg(ct); }
Var AddBack(const NodeView&, const Var& ct, int) { return ct; }
Var NegBack(const NodeView&, const Var& ct, int) { return Neg(ct); }
Var ConjBack(const NodeView&, const Var& ct, int) { return Conj(ct); }
Var RealBack(const NodeView&, const Var& ct, int) { return MakeComplex(ct, Zero(ct)); }
Var ImagBack(const NodeView&, const Var& ct, int) { return MakeComplex(Zero(ct), ct); }
Var MakeComplexBack(const NodeView&, const Var& ct, int i) { return i == 0 ? Real(ct) : Imag(ct); }
Var SelectBack(const NodeView& node, const Var& ct, int i) {
  return i == 1 ? Select(node.inputs[0], ct, Zero(ct)) : Select(node.inputs[0], Zero(ct), ct);
}
Var CastBack(const NodeView& node, const Var& ct, int) { return Cast(ct, node.inputs[0].dtype()); }

bool IsFullOf(const Rewriter& rewriter, ValueId value, double number) {
  if (!rewriter.Is(value, kFull)) return false;
  const FullAttributes full = Decode<FullAttributes>(rewriter.Attributes(value));
  int64_t words[2];
  return WeakScalar(number).Store(full.dtype, words).ok() && full.low == words[0] && full.high == words[1];
}

// Multiplying by one is exact for real numbers; for complex ones it is not (an infinite part meets a zero).
ValueId SimplifyMul(Rewriter& rewriter, WordSpan, absl::Span<const ValueId> in, const ValueType& type) {
  if (!IsFloat(type.dtype)) return kNoValue;
  if (IsFullOf(rewriter, in[0], 1)) return in[1];
  if (IsFullOf(rewriter, in[1], 1)) return in[0];
  return kNoValue;
}

ValueId SimplifyInvolution(Rewriter& rewriter, const OpDef& op, ValueId x) {
  return rewriter.Is(x, op) ? rewriter.Operand(x, 0) : kNoValue;
}

ValueId SimplifyNeg(Rewriter& rewriter, WordSpan, absl::Span<const ValueId> in, const ValueType&) {
  return SimplifyInvolution(rewriter, kNeg, in[0]);
}

ValueId SimplifyConj(Rewriter& rewriter, WordSpan, absl::Span<const ValueId> in, const ValueType&) {
  return SimplifyInvolution(rewriter, kConj, in[0]);
}

ValueId SimplifyReal(Rewriter& rewriter, WordSpan, absl::Span<const ValueId> in, const ValueType&) {
  return rewriter.Is(in[0], kMakeComplex) ? rewriter.Operand(in[0], 0) : kNoValue;
}

ValueId SimplifyImag(Rewriter& rewriter, WordSpan, absl::Span<const ValueId> in, const ValueType&) {
  return rewriter.Is(in[0], kMakeComplex) ? rewriter.Operand(in[0], 1) : kNoValue;
}

constexpr OpDef Elementwise(OpDef op) { return ElementwiseRecord(op, &elementwise_slots); }

// y = f(x), float or complex, with its derivative along t.
constexpr OpDef Analytic(const char* name, PartialRule partial) {
  return Elementwise({.name = name, .infer = Infer<Same>, .dtypes = kFloatOrComplexSet, .partials = {partial}});
}

constexpr OpDef Discrete(const char* name, DTypeSet dtypes, InferRule infer, const char* why) {
  return Elementwise({.name = name, .infer = infer, .dtypes = dtypes, .not_differentiable = why});
}

constexpr OpDef Comparison(const char* name, DTypeSet dtypes) {
  return Discrete(name, dtypes, Infer<Bool>, "its result is bool");
}

constexpr OpDef Extremum(const char* name, PartialRule left, PartialRule right) {
  return Elementwise({.name = name, .infer = Infer<Same>, .dtypes = kRealSet, .partials = {left, right}});
}

}  // namespace

constexpr OpDef kAdd = Elementwise({.name = "add",
                                    .infer = Infer<Same>,
                                    .dtypes = kNumberSet,
                                    .linear = 0b11,
                                    .partials = {kAddPartial, kAddPartial},
                                    .transpose = TransposeEach<AddBack>});
constexpr OpDef kSub = Elementwise({.name = "sub",
                                    .infer = Infer<Same>,
                                    .dtypes = kNumberSet,
                                    .linear = 0b11,
                                    .partials = {kAddPartial, kMinus},
                                    .transpose = TransposeEach<SubBack>});
constexpr OpDef kMul = Elementwise({.name = "mul",
                                    .infer = Infer<Same>,
                                    .dtypes = kNumberSet,
                                    .linear = 0b11,
                                    .multilinear = true,
                                    .partials = {[](In in, const Var&, const Var& t) { return t * in[1]; },
                                                 [](In in, const Var&, const Var& t) { return in[0] * t; }},
                                    .transpose = TransposeEach<MulBack>,
                                    .simplify = SimplifyMul});
constexpr OpDef kDiv =
    Elementwise({.name = "div",
                 .infer = Infer<Same>,
                 .dtypes = kNumberSet,
                 .linear = 0b01,
                 .partials = {[](In in, const Var&, const Var& t) { return t / in[1]; },
                              // Backwards the cotangent is divided first, once for both operands.
                              [](In in, const Var& y, const Var& t) { return Neg(t * y) / in[1]; }},
                 .transpose = TransposeEach<DivBack>});
constexpr OpDef kNeg = Elementwise({.name = "neg",
                                    .infer = Infer<Same>,
                                    .dtypes = kNumberSet,
                                    .linear = 0b1,
                                    .partials = {kMinus},
                                    .transpose = TransposeEach<NegBack>,
                                    .simplify = SimplifyNeg});
constexpr OpDef kPow = Elementwise(
    {.name = "pow", .infer = Infer<Same>, .dtypes = kNumberSet, .partials = {PowBasePartial, PowExponentPartial}});
constexpr OpDef kMax = Extremum("max", ExtremumPartial<Gt, 0>, ExtremumPartial<Gt, 1>);
constexpr OpDef kMin = Extremum("min", ExtremumPartial<Lt, 0>, ExtremumPartial<Lt, 1>);
constexpr OpDef kAbs =
    Elementwise({.name = "abs", .infer = Infer<RealOf>, .dtypes = kNumberSet, .partials = {AbsPartial}});
constexpr OpDef kSign =
    Elementwise({.name = "sign", .infer = Infer<Same>, .dtypes = kNumberSet, .partials = {SignPartial}});
constexpr OpDef kSquare = Elementwise(
    {.name = "square", .infer = Infer<Same>, .dtypes = kNumberSet, .partials = {[](In in, const Var&, const Var& t) {
                                                                     return t * (in[0] * 2);
                                                                   }}});
constexpr OpDef kSqrt = Analytic("sqrt", [](In, const Var& y, const Var& t) { return t / (y * 2.0); });
constexpr OpDef kRsqrt = Analytic("rsqrt", [](In in, const Var& y, const Var& t) { return t * (y / in[0] * -0.5); });
constexpr OpDef kExp = Analytic("exp", [](In, const Var& y, const Var& t) { return t * y; });
constexpr OpDef kExpm1 = Analytic("expm1", [](In, const Var& y, const Var& t) { return t * (y + 1.0); });
constexpr OpDef kLog = Analytic("log", [](In in, const Var&, const Var& t) { return t / in[0]; });
constexpr OpDef kLog1p = Analytic("log1p", [](In in, const Var&, const Var& t) { return t / (in[0] + 1.0); });
constexpr OpDef kSin = Analytic("sin", [](In in, const Var&, const Var& t) { return t * Cos(in[0]); });
constexpr OpDef kCos = Analytic("cos", [](In in, const Var&, const Var& t) { return Neg(t * Sin(in[0])); });
// (1 − y)(1 + y) keeps its digits where y is near ±1.
constexpr OpDef kTanh = Analytic("tanh", [](In, const Var& y, const Var& t) { return t * ((1.0 - y) * (1.0 + y)); });
constexpr OpDef kSinh = Analytic("sinh", [](In in, const Var&, const Var& t) { return t * Cosh(in[0]); });
constexpr OpDef kCosh = Analytic("cosh", [](In in, const Var&, const Var& t) { return t * Sinh(in[0]); });

constexpr OpDef kConj = Elementwise({.name = "conj",
                                     .infer = Infer<Same>,
                                     .dtypes = kComplexSet,
                                     .linear = 0b1,
                                     .partials = {[](In, const Var&, const Var& t) { return Conj(t); }},
                                     .transpose = TransposeEach<ConjBack>,
                                     .simplify = SimplifyConj});
constexpr OpDef kReal = Elementwise({.name = "real",
                                     .infer = Infer<RealOf>,
                                     .dtypes = kComplexSet,
                                     .linear = 0b1,
                                     .partials = {[](In, const Var&, const Var& t) { return Real(t); }},
                                     .transpose = TransposeEach<RealBack>,
                                     .simplify = SimplifyReal});
constexpr OpDef kImag = Elementwise({.name = "imag",
                                     .infer = Infer<RealOf>,
                                     .dtypes = kComplexSet,
                                     .linear = 0b1,
                                     .partials = {[](In, const Var&, const Var& t) { return Imag(t); }},
                                     .transpose = TransposeEach<ImagBack>,
                                     .simplify = SimplifyImag});
constexpr OpDef kMakeComplex =
    Elementwise({.name = "make_complex",
                 .infer = Infer<ComplexOf>,
                 .dtypes = kFloatSet,
                 .linear = 0b11,
                 .partials = {[](In, const Var&, const Var& t) { return MakeComplex(t, Zero(t)); },
                              [](In, const Var&, const Var& t) { return MakeComplex(Zero(t), t); }},
                 .transpose = TransposeEach<MakeComplexBack>});

constexpr OpDef kAnd = Discrete("and", kBoolSet | kIntegerSet, Infer<Same>, "its result is not continuous");
constexpr OpDef kOr = Discrete("or", kBoolSet | kIntegerSet, Infer<Same>, "its result is not continuous");
constexpr OpDef kNot = Discrete("not", kBoolSet | kIntegerSet, Infer<Same>, "its result is not continuous");
constexpr OpDef kEq = Comparison("eq", kAnySet);
constexpr OpDef kNe = Comparison("ne", kAnySet);
constexpr OpDef kLt = Comparison("lt", kRealSet);
constexpr OpDef kLe = Comparison("le", kRealSet);
constexpr OpDef kGt = Comparison("gt", kRealSet);
constexpr OpDef kGe = Comparison("ge", kRealSet);
constexpr OpDef kSelect =
    Elementwise({.name = "select",
                 .infer = InferSelect,
                 .dtypes = kAnySet,
                 .linear = 0b110,
                 .partials = {nullptr, [](In in, const Var&, const Var& t) { return Select(in[0], t, Zero(t)); },
                              [](In in, const Var&, const Var& t) { return Select(in[0], Zero(t), t); }},
                 .transpose = TransposeEach<SelectBack>});
constexpr OpDef kConvert = Elementwise({.name = "convert",
                                        .infer = InferConvert,
                                        .dtypes = kAnySet,
                                        .linear = 0b1,
                                        .partials = {[](In, const Var& y, const Var& t) { return Cast(t, y.dtype()); }},
                                        .transpose = TransposeEach<CastBack>,
                                        .print = PrintAttributes<ConvertAttributes>});
constexpr OpDef kCast = Elementwise({.name = "cast",
                                     .infer = InferCast,
                                     .dtypes = kAnySet,
                                     .linear = 0b1,
                                     .partials = {[](In, const Var& y, const Var& t) { return Cast(t, y.dtype()); }},
                                     .transpose = TransposeEach<CastBack>,
                                     .print = PrintAttributes<ConvertAttributes>});

Var Add(const Arg& a, const Arg& b) { return EmitBinary(kAdd, a, b); }
Var Sub(const Arg& a, const Arg& b) { return EmitBinary(kSub, a, b); }
Var Mul(const Arg& a, const Arg& b) { return EmitBinary(kMul, a, b); }
Var Div(const Arg& a, const Arg& b) { return EmitBinary(kDiv, a, b); }
Var Pow(const Arg& a, const Arg& b) { return EmitBinary(kPow, a, b); }
Var Max(const Arg& a, const Arg& b) { return EmitBinary(kMax, a, b); }
Var Min(const Arg& a, const Arg& b) { return EmitBinary(kMin, a, b); }
Var MakeComplex(const Arg& re, const Arg& im) { return EmitBinary(kMakeComplex, re, im); }
Var And(const Arg& a, const Arg& b) { return EmitBinary(kAnd, a, b); }
Var Or(const Arg& a, const Arg& b) { return EmitBinary(kOr, a, b); }
Var Eq(const Arg& a, const Arg& b) { return EmitBinary(kEq, a, b); }
Var Ne(const Arg& a, const Arg& b) { return EmitBinary(kNe, a, b); }
Var Lt(const Arg& a, const Arg& b) { return EmitBinary(kLt, a, b); }
Var Le(const Arg& a, const Arg& b) { return EmitBinary(kLe, a, b); }
Var Gt(const Arg& a, const Arg& b) { return EmitBinary(kGt, a, b); }
Var Ge(const Arg& a, const Arg& b) { return EmitBinary(kGe, a, b); }

Var Neg(const Arg& x) { return EmitUnary(kNeg, x); }
Var Not(const Arg& x) { return EmitUnary(kNot, x); }
Var Abs(const Arg& x) { return EmitUnary(kAbs, x); }
Var Sign(const Arg& x) { return EmitUnary(kSign, x); }
Var Square(const Arg& x) { return EmitUnary(kSquare, x); }
Var Sqrt(const Arg& x) { return EmitUnary(kSqrt, x); }
Var Rsqrt(const Arg& x) { return EmitUnary(kRsqrt, x); }
Var Exp(const Arg& x) { return EmitUnary(kExp, x); }
Var Expm1(const Arg& x) { return EmitUnary(kExpm1, x); }
Var Log(const Arg& x) { return EmitUnary(kLog, x); }
Var Log1p(const Arg& x) { return EmitUnary(kLog1p, x); }
Var Sin(const Arg& x) { return EmitUnary(kSin, x); }
Var Cos(const Arg& x) { return EmitUnary(kCos, x); }
Var Tanh(const Arg& x) { return EmitUnary(kTanh, x); }
Var Sinh(const Arg& x) { return EmitUnary(kSinh, x); }
Var Cosh(const Arg& x) { return EmitUnary(kCosh, x); }

Var Conj(const Arg& x) {
  const Var var = x.Tensor(kConj.name);
  return var.ok() && !IsComplex(var.dtype()) ? var : EmitUnary(kConj, x);
}

Var Real(const Arg& x) {
  const Var var = x.Tensor(kReal.name);
  return var.ok() && !IsComplex(var.dtype()) ? var : EmitUnary(kReal, x);
}

Var Imag(const Arg& x) {
  const Var var = x.Tensor(kImag.name);
  return var.ok() && !IsComplex(var.dtype()) ? ZerosLike(var, x.location()) : EmitUnary(kImag, x);
}

Var Select(const Arg& condition, const Arg& a, const Arg& b) {
  LocationScope scope(condition.location());
  const Var chosen = condition.Tensor(kSelect.name);
  Vars operands;
  if (absl::Status status = MatchOperands(kSelect, {&a, &b}, chosen, operands); !status.ok()) return Var::Error(status);
  absl::StatusOr<Shape> shape = BroadcastShapes(chosen.shape(), operands[0].shape());
  if (!shape.ok()) return ErrorVar(condition.location(), kSelect.name, shape.status().message());
  return EmitOne(kSelect, {},
                 {BroadcastTo(chosen, *shape), BroadcastTo(operands[0], *shape), BroadcastTo(operands[1], *shape)},
                 condition.location());
}

Var Convert(const Arg& x, DType dtype) {
  const Var var = x.Tensor(kConvert.name);
  if (var.ok() && var.dtype() == dtype) return var;
  return EmitOne(kConvert, Encode(ConvertAttributes{dtype}), {var}, x.location());
}

Var Cast(const Arg& x, DType dtype) {
  const Var var = x.Tensor(kCast.name);
  if (var.ok() && var.dtype() == dtype) return var;
  return EmitOne(kCast, Encode(ConvertAttributes{dtype}), {var}, x.location());
}

}  // namespace tenferro
