#include "tenferro/runtime/ops/arithmetic.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/elementwise_rules.h"
#include "tenferro/runtime/ops/emit.h"

namespace tenferro {

constinit FamilySlots arithmetic_slots{
    .family = "arithmetic", .cpu_target = "//cpu/kernels:arithmetic", .derivative_target = nullptr};

namespace {

using namespace elementwise_internal;

constexpr DTypeSet kIntegerOrFloatSet = kIntegerSet | kFloatSet;
constexpr DTypeSet kBitsSet = kBoolSet | kIntegerSet;

absl::Status InferClamp(const OpDef& op, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(CheckOperands(op, inputs));
  TENFERRO_RETURN_IF_ERROR(CheckSameDTypes(inputs.first(2)));
  TENFERRO_RETURN_IF_ERROR(CheckSameDTypes(inputs));
  outputs.push_back(inputs[0]);
  return absl::OkStatus();
}

PartialRule constexpr kTangent = [](In, const Var&, const Var& t) { return t; };

// The quotient is rounded and not truncated: a − y is a multiple of b, but for the rounding of the difference.
Var RemDivisorPartial(In in, const Var& y, const Var& t) { return Neg(t * Round((in[0] - y) / in[1])); }
Var ModDivisorPartial(In in, const Var&, const Var& t) { return Neg(t * FloorDivide(in[0], in[1])); }

Var Where(const Var& condition, const Var& t) { return Select(condition, t, Zero(t)); }
Var ClampPartial(In in, const Var&, const Var& t) { return Where(And(Lt(in[1], in[0]), Lt(in[0], in[2])), t); }
Var ClampLowPartial(In in, const Var&, const Var& t) { return Where(And(Lt(in[0], in[1]), Lt(in[1], in[2])), t); }
Var ClampHighPartial(In in, const Var&, const Var& t) { return Where(Lt(in[2], Max(in[0], in[1])), t); }

constexpr OpDef Arithmetic(OpDef op) { return ElementwiseRecord(op, &arithmetic_slots); }

constexpr OpDef Discrete(const char* name, DTypeSet dtypes, const char* why, InferRule infer = Infer<Same>) {
  return Arithmetic({.name = name, .infer = infer, .dtypes = dtypes, .not_differentiable = why});
}

constexpr OpDef Rounding(const char* name) { return Discrete(name, kFloatSet, "it is piecewise constant"); }

constexpr OpDef Bitwise(const char* name, DTypeSet dtypes = kIntegerSet) {
  return Discrete(name, dtypes, "it works on bits");
}

Var EmitRounding(const OpDef& op, const Arg& x) {
  const Var var = x.Tensor(op.name);
  return var.ok() && IsInteger(var.dtype()) ? var : EmitUnary(op, x);
}

// A question about floating-point numbers: asked of both parts of a complex one, answered alike for all integers.
template <class Ask>
Var AskParts(const char* op, const Arg& x, Var (*combine)(const Arg&, const Arg&), bool integers, Ask ask) {
  LocationScope scope(x.location());
  const Var var = x.Tensor(op);
  if (!var.ok()) return var;
  if (IsInteger(var.dtype())) return Full(var, DType::kBool, var.shape(), integers);
  if (IsComplex(var.dtype())) return combine(ask(Real(var)), ask(Imag(var)));
  if (IsFloat(var.dtype())) return ask(var);
  return ErrorVar(x.location(), op, absl::StrCat("does not take ", Name(var.dtype())));
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Var Truth(const char* op, const Arg& x) {
  const Var var = x.Tensor(op);
  return var.ok() ? Cast(var, DType::kBool) : var;
}

Var EmitTruth(const OpDef& op, const char* name, const Arg& a, const Arg& b) {
  LocationScope scope(a.location());
  return EmitBinary(op, a.is_scalar() ? a : Truth(name, a), b.is_scalar() ? b : Truth(name, b));
}

}  // namespace

constexpr OpDef kRem = Arithmetic(
    {.name = "rem", .infer = Infer<Same>, .dtypes = kIntegerOrFloatSet, .partials = {kTangent, RemDivisorPartial}});
constexpr OpDef kFloorDivide = Discrete("floor_divide", kIntegerOrFloatSet, "it is piecewise constant");
constexpr OpDef kMod = Arithmetic(
    {.name = "mod", .infer = Infer<Same>, .dtypes = kIntegerOrFloatSet, .partials = {kTangent, ModDivisorPartial}});
constexpr OpDef kFloor = Rounding("floor");
constexpr OpDef kCeil = Rounding("ceil");
constexpr OpDef kRound = Rounding("round");
constexpr OpDef kRoundHalfAway = Rounding("round_half_away");
constexpr OpDef kTrunc = Rounding("trunc");
constexpr OpDef kSignBit = Discrete("sign_bit", kFloatSet, "its result is bool", Infer<Bool>);
constexpr OpDef kClamp = Arithmetic({.name = "clamp",
                                     .infer = InferClamp,
                                     .dtypes = kIntegerOrFloatSet,
                                     .partials = {ClampPartial, ClampLowPartial, ClampHighPartial}});
constexpr OpDef kXor = Bitwise("xor", kBitsSet);
constexpr OpDef kShiftLeft = Bitwise("shift_left");
constexpr OpDef kShiftRightArithmetic = Bitwise("shift_right_arithmetic");
constexpr OpDef kShiftRightLogical = Bitwise("shift_right_logical");
constexpr OpDef kPopulationCount = Bitwise("population_count");
constexpr OpDef kCountLeadingZeros = Bitwise("count_leading_zeros");

Var Rem(const Arg& a, const Arg& b) { return EmitBinary(kRem, a, b); }
Var FloorDivide(const Arg& a, const Arg& b) { return EmitBinary(kFloorDivide, a, b); }
Var Mod(const Arg& a, const Arg& b) { return EmitBinary(kMod, a, b); }
Var Xor(const Arg& a, const Arg& b) { return EmitBinary(kXor, a, b); }
Var ShiftLeft(const Arg& x, const Arg& amount) { return EmitBinary(kShiftLeft, x, amount); }
Var ShiftRightLogical(const Arg& x, const Arg& amount) { return EmitBinary(kShiftRightLogical, x, amount); }
Var ShiftRightArithmetic(const Arg& x, const Arg& amount) { return EmitBinary(kShiftRightArithmetic, x, amount); }

Var Floor(const Arg& x) { return EmitRounding(kFloor, x); }
Var Ceil(const Arg& x) { return EmitRounding(kCeil, x); }
Var Trunc(const Arg& x) { return EmitRounding(kTrunc, x); }
Var Round(const Arg& x) { return EmitRounding(kRound, x); }
Var RoundHalfAway(const Arg& x) { return EmitRounding(kRoundHalfAway, x); }
Var PopulationCount(const Arg& x) { return EmitUnary(kPopulationCount, x); }
Var CountLeadingZeros(const Arg& x) { return EmitUnary(kCountLeadingZeros, x); }

Var SignBit(const Arg& x) {
  LocationScope scope(x.location());
  const Var var = x.Tensor(kSignBit.name);
  return var.ok() && IsInteger(var.dtype()) ? Lt(var, 0) : EmitUnary(kSignBit, x);
}

Var IsFinite(const Arg& x) {
  return AskParts("is_finite", x, And, true, [](const Var& part) { return Lt(Abs(part), kInfinity); });
}

Var IsNan(const Arg& x) {
  return AskParts("is_nan", x, Or, false, [](const Var& part) { return Ne(part, part); });
}

Var IsInf(const Arg& x) {
  return AskParts("is_inf", x, Or, false, [](const Var& part) { return Eq(Abs(part), kInfinity); });
}

Var Clamp(const Arg& x, const Arg& low, const Arg& high) {
  LocationScope scope(x.location());
  Vars operands;
  if (absl::Status status = MatchOperands(kClamp, {&x, &low, &high}, Var(), operands); !status.ok()) {
    return Var::Error(status);
  }
  return EmitOne(kClamp, {}, operands, x.location());
}

Var LogicalAnd(const Arg& a, const Arg& b) { return EmitTruth(kAnd, "logical_and", a, b); }
Var LogicalOr(const Arg& a, const Arg& b) { return EmitTruth(kOr, "logical_or", a, b); }
Var LogicalXor(const Arg& a, const Arg& b) { return EmitTruth(kXor, "logical_xor", a, b); }

Var LogicalNot(const Arg& x) {
  LocationScope scope(x.location());
  return Not(Truth("logical_not", x));
}

}  // namespace tenferro
