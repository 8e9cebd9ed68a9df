#include <complex>

#include "tenferro/experiments/parity/evaluate.h"
#include "tenferro/runtime/ops/activations.h"
#include "tenferro/runtime/ops/arithmetic.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/math.h"

namespace tenferro::parity {
namespace {

using Vars = std::vector<Var>;

// What the operation itself says: one function of one or of two arguments.
template <Var (*kFunction)(const Arg&)>
Vars Unary(const Call& x) {
  return {kFunction(x[0])};
}
template <Var (*kFunction)(const Arg&, const Arg&)>
Vars Binary(const Call& x) {
  return {kFunction(x[0], x[1])};
}

constexpr Formula kFormulas[] = {
    {"unary/neg", Unary<Neg>},
    {"unary/exp", Unary<Exp>},
    {"unary/expm1", Unary<Expm1>},
    {"unary/log", Unary<Log>},
    {"unary/log1p", Unary<Log1p>},
    {"unary/sin", Unary<Sin>},
    {"unary/cos", Unary<Cos>},
    {"unary/sinh", Unary<Sinh>},
    {"unary/cosh", Unary<Cosh>},
    {"unary/tanh", Unary<Tanh>},
    {"unary/sqrt", Unary<Sqrt>},
    {"unary/rsqrt", Unary<Rsqrt>},
    {"unary/square", Unary<Square>},
    {"unary/abs", Unary<Abs>},
    {"unary/sign", Unary<Sign>},
    {"unary/conj", Unary<Conj>},
    {"unary/real", Unary<Real>},
    {"unary/imag", Unary<Imag>},
    {"unary/tan", Unary<Tan>},
    {"unary/asin", Unary<Asin>},
    {"unary/acos", Unary<Acos>},
    {"unary/atan", Unary<Atan>},
    {"unary/asinh", Unary<Asinh>},
    {"unary/acosh", Unary<Acosh>},
    {"unary/atanh", Unary<Atanh>},
    {"unary/cbrt", Unary<Cbrt>},
    {"unary/angle", Unary<Angle>},
    {"unary/erf", Unary<Erf>},
    {"unary/erfc", Unary<Erfc>},
    {"unary/erf_inv", Unary<ErfInv>},
    {"unary/lgamma", Unary<Lgamma>},
    {"unary/digamma", Unary<Digamma>},
    {"unary/reciprocal", Unary<Reciprocal>},
    {"unary/logistic", Unary<Logistic>},
    {"unary/softplus", Unary<Softplus>},
    {"unary/integer_pow3", [](const Call& x) -> Vars { return {IntegerPow(x[0], 3)}; }},
    {"unary/integer_pow-2", [](const Call& x) -> Vars { return {IntegerPow(x[0], -2)}; }},

    {"special/sign", Unary<Sign>},
    {"special/exp", Unary<Exp>},
    {"special/log", Unary<Log>},
    {"special/sqrt", Unary<Sqrt>},
    {"special/tanh", Unary<Tanh>},
    {"special/sin", Unary<Sin>},
    {"special/erf", Unary<Erf>},
    {"special/pow2", Unary<Square>},
    {"special/max", [](const Call& x) -> Vars { return {Max(x[0], 0.5)}; }},
    {"special/min", [](const Call& x) -> Vars { return {Min(x[0], 0.5)}; }},
    {"special/isnan", Unary<IsNan>},
    {"special/is_finite", Unary<IsFinite>},
    {"special/floor", Unary<Floor>},
    {"special/ceil", Unary<Ceil>},
    {"special/round_even", Unary<Round>},
    {"special/round_away", Unary<RoundHalfAway>},
    {"special/signbit", Unary<SignBit>},

    {"binary/add", Binary<Add>},
    {"binary/sub", Binary<Sub>},
    {"binary/mul", Binary<Mul>},
    {"binary/div", Binary<Div>},
    {"binary/pow", Binary<Pow>},
    {"binary/max", Binary<Max>},
    {"binary/min", Binary<Min>},
    {"binary/rem", Binary<Rem>},
    {"binary/hypot", Binary<Hypot>},
    {"binary/logaddexp", Binary<LogAddExp>},
    {"binary/atan2", Binary<Atan2>},
    {"binary/nextafter", Binary<NextAfter>},

    {"integer/and", Binary<And>},
    {"integer/or", Binary<Or>},
    {"integer/eq", Binary<Eq>},
    {"integer/ne", Binary<Ne>},
    {"integer/lt", Binary<Lt>},
    {"integer/le", Binary<Le>},
    {"integer/max", Binary<Max>},
    {"integer/div_trunc", Binary<Div>},
    {"integer/rem_trunc", Binary<Rem>},
    {"integer/floor_divide", Binary<FloorDivide>},
    {"integer/mod_floor", Binary<Mod>},
    {"integer/xor", Binary<Xor>},
    {"integer/shift_left", Binary<ShiftLeft>},
    {"integer/shift_right_logical", Binary<ShiftRightLogical>},
    {"integer/shift_right_arithmetic", Binary<ShiftRightArithmetic>},
    {"integer/population_count", Unary<PopulationCount>},
    {"integer/clz", Unary<CountLeadingZeros>},
    {"integer/mul_wrap", [](const Call& x) -> Vars { return {x[0] * 100000007 * x[1]}; }},

    {"convert/f64_i32", [](const Call& x) -> Vars { return {Cast(x[0], DType::kI32)}; }},
    {"convert/f64_f32", [](const Call& x) -> Vars { return {Cast(x[0], DType::kF32)}; }},
    {"convert/c128_f64_real", Unary<Real>},
    {"convert/f64_c128",
     [](const Call& x) -> Vars { return {Convert(x[0], DType::kC128) * std::complex<double>(1, 2)}; }},

    {"select/select", [](const Call& x) -> Vars { return {Select(x[0], x[1], x[2])}; }},
    {"select/clamp", [](const Call& x) -> Vars { return {Clamp(x[0], -0.5, 0.8)}; }},
    {"select/max", [](const Call& x) -> Vars { return {Max(x[0], 0)}; }},

    {"complex/complex", [](const Call& x) -> Vars { return {MakeComplex(x[0], x[1]) * MakeComplex(x[1], x[0])}; }},
    {"complex/abs2", [](const Call& x) -> Vars { return {Real(x[0] * Conj(x[0]))}; }},
    {"complex/nonholo", [](const Call& x) -> Vars { return {Conj(x[0]) * Exp(x[0]) * Abs(x[0])}; }},
};

}  // namespace

absl::Span<const Formula> ElementwiseFormulas() { return kFormulas; }

}  // namespace tenferro::parity
