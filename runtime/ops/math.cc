#include "tenferro/runtime/ops/math.h"

#include <complex>
#include <limits>
#include <numbers>

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/elementwise_rules.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/rewriter.h"
#include "tenferro/tensor/status.h"

namespace tenferro {

constinit FamilySlots math_slots{.family = "math", .cpu_target = "//cpu/kernels:math", .derivative_target = nullptr};

namespace {

using namespace elementwise_internal;
using std::numbers::inv_sqrtpi;
using std::numbers::ln10;
using std::numbers::ln2;

constexpr int64_t kLargestOrder = 170;

struct IntegerPowAttributes {
  int64_t exponent = 0;
  void Fields(auto&& field) { field("exponent", exponent); }
};
struct PolygammaAttributes {
  int64_t order = 1;
  void Fields(auto&& field) { field("order", order); }
};

absl::Status InferIntegerPow(const OpDef& op, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(Infer<Same>(op, words, inputs, outputs));
  const int64_t exponent = Decode<IntegerPowAttributes>(words).exponent;
  if (exponent >= 0 || IsFloatOrComplex(inputs[0].dtype)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("integers have no negative powers, got the exponent ", exponent, " for ", inputs[0].ToString()));
}

absl::Status InferPolygamma(const OpDef& op, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(Infer<Same>(op, words, inputs, outputs));
  const int64_t order = Decode<PolygammaAttributes>(words).order;
  if (order >= 1 && order <= kLargestOrder) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("the order must be between 0 and ", kLargestOrder, ", got ", order));
}

Var EmitIntegerPow(const Var& x, int64_t exponent, const Location& location) {
  return EmitOne(kIntegerPow, Encode(IntegerPowAttributes{exponent}), {x}, location);
}
Var EmitPolygamma(int64_t order, const Var& x, const Location& location) {
  return EmitOne(kPolygamma, Encode(PolygammaAttributes{order}), {x}, location);
}

void IntegerPowJvp(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const int64_t exponent = Decode<IntegerPowAttributes>(node.attributes).exponent;
  if (exponent == 0) return;
  const Var power = EmitIntegerPow(node.inputs[0], exponent - 1, Location::current());
  output_tangents[0] = tangents[0] * (power * exponent);
}

void PolygammaJvp(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const int64_t order = Decode<PolygammaAttributes>(node.attributes).order;
  output_tangents[0] = tangents[0] * EmitPolygamma(order + 1, node.inputs[0], Location::current());
}

ValueId SimplifyIntegerPow(Rewriter&, WordSpan words, absl::Span<const ValueId> in, const ValueType&) {
  return Decode<IntegerPowAttributes>(words).exponent == 1 ? in[0] : kNoValue;
}

// x + 1 and 1 − x such that a zero imaginary part keeps the sign that says on which side of a branch cut x lies: adding
// +0 would lose −0, subtracting +0 does not.
Var OnePlus(const Var& x) { return x - (-1.0); }
Var OneMinus(const Var& x) { return Neg(x - 1.0); }

// t/√(1 − x²). Two roots keep the branch of arcsine, which one root of the product would not for huge x.
Var OverRootOfOneMinusSquare(const Var& x, const Var& t) {
  if (IsComplex(x.dtype())) return t * (Rsqrt(OneMinus(x)) * Rsqrt(OnePlus(x)));
  return t * Rsqrt((1.0 - x) * (1.0 + x));
}

// t/√(1 + x²): complex, by x = −i·(ix).
Var OverRootOfOnePlusSquare(const Var& x, const Var& t) {
  if (IsComplex(x.dtype())) return OverRootOfOneMinusSquare(MakeComplex(Neg(Imag(x)), Real(x)), t);
  return t / Hypot(x, 1.0);
}

// t/(1 + x²) = t/((x − i)(x + i)).
Var AtanPartial(In in, const Var&, const Var& t) {
  const Var& x = in[0];
  if (!IsComplex(x.dtype())) return t / (1.0 + Square(x));
  const std::complex<double> i(0, 1);
  return t / (x - i) / (x + i);
}

// d atan2(y, x) = (x·dy − y·dx)/(x² + y²), without squares that overflow.
Var Atan2Partial(const Var& factor, In in, const Var& t) {
  const Var size = Hypot(in[0], in[1]);
  return t * (factor / size / size);
}

// The share of operand i in √(x² + y²): its quotient with the result, 0 at the origin.
template <int i>
Var HypotPartial(In in, const Var& y, const Var& t) {
  const Var at_origin = Eq(y, 0);
  return t * Select(at_origin, Zero(y), in[i] / Select(at_origin, OnesLike(y), y));
}

// e^mine/(e^mine + e^other); two equal infinities, whose difference is NaN, share alike.
template <int i>
Var LogAddExpPartial(In in, const Var&, const Var& t) {
  const Var& mine = in[i];
  const Var& other = in[1 - i];
  const Var both_infinite = And(Eq(mine, other), Eq(Abs(mine), std::numeric_limits<double>::infinity()));
  return t * Logistic(Select(both_infinite, Zero(mine), mine - other));
}

// d arg z = Im(dz/z), 0 at 0. The argument of a real number is constant.
Var AnglePartial(In in, const Var&, const Var& t) {
  const Var& z = in[0];
  if (!IsComplex(z.dtype())) return Var();
  const Var at_zero = Eq(z, 0);
  return Imag(Select(at_zero, Zero(z), t / Select(at_zero, OnesLike(z), z)));
}

constexpr OpDef Math(OpDef op) { return ElementwiseRecord(op, &math_slots); }

// y = f(x), float or complex, with its derivative along t.
constexpr OpDef Analytic(const char* name, PartialRule partial) {
  return Math({.name = name, .infer = Infer<Same>, .dtypes = kFloatOrComplexSet, .partials = {partial}});
}

// The same for floats only.
constexpr OpDef Float(const char* name, PartialRule partial, PartialRule second = nullptr) {
  return Math({.name = name, .infer = Infer<Same>, .dtypes = kFloatSet, .partials = {partial, second}});
}

}  // namespace

constexpr OpDef kReciprocal = Analytic("reciprocal", [](In, const Var& y, const Var& t) { return Neg(t * (y * y)); });
constexpr OpDef kIntegerPow = Math({.name = "integer_pow",
                                    .infer = InferIntegerPow,
                                    .dtypes = kNumberSet,
                                    .jvp = IntegerPowJvp,
                                    .print = PrintAttributes<IntegerPowAttributes>,
                                    .simplify = SimplifyIntegerPow});
constexpr OpDef kExp2 = Analytic("exp2", [](In, const Var& y, const Var& t) { return t * (y * ln2); });
constexpr OpDef kLog2 = Analytic("log2", [](In in, const Var&, const Var& t) { return t / (in[0] * ln2); });
constexpr OpDef kLog10 = Analytic("log10", [](In in, const Var&, const Var& t) { return t / (in[0] * ln10); });
constexpr OpDef kCbrt = Float("cbrt", [](In, const Var& y, const Var& t) { return t / (y * y * 3.0); });
constexpr OpDef kHypot = Float("hypot", HypotPartial<0>, HypotPartial<1>);
// y(1 − y) would lose its digits where y is near 1.
constexpr OpDef kLogistic =
    Analytic("logistic", [](In in, const Var& y, const Var& t) { return t * (y * Logistic(Neg(in[0]))); });
constexpr OpDef kLogAddExp = Float("log_add_exp", LogAddExpPartial<0>, LogAddExpPartial<1>);

constexpr OpDef kTan = Analytic("tan", [](In, const Var& y, const Var& t) { return t * (1.0 + Square(y)); });
constexpr OpDef kAsin =
    Analytic("asin", [](In in, const Var&, const Var& t) { return OverRootOfOneMinusSquare(in[0], t); });
constexpr OpDef kAcos =
    Analytic("acos", [](In in, const Var&, const Var& t) { return Neg(OverRootOfOneMinusSquare(in[0], t)); });
constexpr OpDef kAtan = Analytic("atan", AtanPartial);
constexpr OpDef kAtan2 = Float(
    "atan2", [](In in, const Var&, const Var& t) { return Atan2Partial(in[1], in, t); },
    [](In in, const Var&, const Var& t) { return Atan2Partial(Neg(in[0]), in, t); });
constexpr OpDef kAsinh =
    Analytic("asinh", [](In in, const Var&, const Var& t) { return OverRootOfOnePlusSquare(in[0], t); });
constexpr OpDef kAcosh =
    Analytic("acosh", [](In in, const Var&, const Var& t) { return t * (Rsqrt(in[0] - 1.0) * Rsqrt(OnePlus(in[0]))); });
constexpr OpDef kAtanh =
    Analytic("atanh", [](In in, const Var&, const Var& t) { return t / (1.0 - in[0]) / (1.0 + in[0]); });
constexpr OpDef kAngle =
    Math({.name = "angle", .infer = Infer<RealOf>, .dtypes = kFloatOrComplexSet, .partials = {AnglePartial}});
constexpr OpDef kNextAfter = Math({.name = "next_after",
                                   .infer = Infer<Same>,
                                   .dtypes = kFloatSet,
                                   .not_differentiable = "it moves by one unit in the last place"});

constexpr OpDef kErf =
    Float("erf", [](In in, const Var&, const Var& t) { return t * (Exp(Neg(Square(in[0]))) * (2 * inv_sqrtpi)); });
constexpr OpDef kErfc =
    Float("erfc", [](In in, const Var&, const Var& t) { return t * (Exp(Neg(Square(in[0]))) * (-2 * inv_sqrtpi)); });
constexpr OpDef kErfInv =
    Float("erf_inv", [](In, const Var& y, const Var& t) { return t * (Exp(Square(y)) * (0.5 / inv_sqrtpi)); });
constexpr OpDef kLgamma = Float("lgamma", [](In in, const Var&, const Var& t) { return t * Digamma(in[0]); });
constexpr OpDef kDigamma = Float("digamma", [](In in, const Var&, const Var& t) { return t * Polygamma(1, in[0]); });
constexpr OpDef kPolygamma = Math({.name = "polygamma",
                                   .infer = InferPolygamma,
                                   .dtypes = kFloatSet,
                                   .jvp = PolygammaJvp,
                                   .print = PrintAttributes<PolygammaAttributes>});

Var Reciprocal(const Arg& x) { return EmitUnary(kReciprocal, x); }
Var IntegerPow(const Arg& x, int n) {
  LocationScope scope(x.location());
  return EmitIntegerPow(x.Tensor(kIntegerPow.name), n, x.location());
}
Var Exp2(const Arg& x) { return EmitUnary(kExp2, x); }
Var Log2(const Arg& x) { return EmitUnary(kLog2, x); }
Var Log10(const Arg& x) { return EmitUnary(kLog10, x); }
Var Cbrt(const Arg& x) { return EmitUnary(kCbrt, x); }
Var Hypot(const Arg& a, const Arg& b) { return EmitBinary(kHypot, a, b); }
Var Logistic(const Arg& x) { return EmitUnary(kLogistic, x); }
Var LogAddExp(const Arg& a, const Arg& b) { return EmitBinary(kLogAddExp, a, b); }
Var Tan(const Arg& x) { return EmitUnary(kTan, x); }
Var Asin(const Arg& x) { return EmitUnary(kAsin, x); }
Var Acos(const Arg& x) { return EmitUnary(kAcos, x); }
Var Atan(const Arg& x) { return EmitUnary(kAtan, x); }
Var Atan2(const Arg& y, const Arg& x) { return EmitBinary(kAtan2, y, x); }
Var Asinh(const Arg& x) { return EmitUnary(kAsinh, x); }
Var Acosh(const Arg& x) { return EmitUnary(kAcosh, x); }
Var Atanh(const Arg& x) { return EmitUnary(kAtanh, x); }
Var Angle(const Arg& x) { return EmitUnary(kAngle, x); }
Var NextAfter(const Arg& a, const Arg& b) { return EmitBinary(kNextAfter, a, b); }
Var Erf(const Arg& x) { return EmitUnary(kErf, x); }
Var Erfc(const Arg& x) { return EmitUnary(kErfc, x); }
Var ErfInv(const Arg& x) { return EmitUnary(kErfInv, x); }
Var Lgamma(const Arg& x) { return EmitUnary(kLgamma, x); }
Var Digamma(const Arg& x) { return EmitUnary(kDigamma, x); }
Var Polygamma(int n, const Arg& x) {
  if (n == 0) return Digamma(x);
  LocationScope scope(x.location());
  return EmitPolygamma(n, x.Tensor(kPolygamma.name), x.location());
}

}  // namespace tenferro
