// The inverse of the error function, by Wichura's rational approximations of the normal quantile (Algorithm AS 241,
// Applied Statistics 37, 1988). f32 is computed in f64.

#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/math_families.h"
#include "tenferro/cpu/kernels/mend.h"
#include "tenferro/cpu/kernels/sleef_functions.h"
#include "tenferro/cpu/kernels/vector.h"
#include "tenferro/runtime/ops/math_records.h"

namespace tenferro::TENFERRO_ISA {
namespace {

constexpr double kRootHalf = 0.70710678118654752440;

// Coefficients from the constant upwards.
struct Rational {
  double over[8];
  double under[8];
};

// erf⁻¹(x)/x − 1 in 0.180625 − x²/4, for |x| <= 0.85: the quantile's approximation N/D as (N/√8 − D)/D, of which only a
// fraction of the error reaches the result.
constexpr Rational kMiddle = {
    {0.19753231156709125646, 4.7593574107830667603, 9.8756578518380740846, -539.30913204036242824,
     -4977.9317864190204827, -15525.854417978324879, -16909.59238865964827, -4339.4012092273994127},
    {1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3, 2.1213794301586595867e4,
     3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3}};
// In r − 1.6 for r = √−log((1 − |x|)/2) <= 5.
constexpr Rational kTail = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
     1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1, 1.48103976427480074590e-1,
     1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9}};
// In r − 5 above.
constexpr Rational kFarTail = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
     2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2, 7.86869131145613259100e-4,
     1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15}};

template <class V>
HWY_INLINE V Polynomial(const double* coefficients, V x) {
  V sum = Constant(x, coefficients[7]);
  HWY_UNROLL(7)
  for (int k = 6; k >= 0; --k) sum = hn::MulAdd(sum, x, Constant(x, coefficients[k]));
  return sum;
}
template <class V>
HWY_INLINE V Evaluate(const Rational& f, V x) {
  return hn::Div(Polynomial(f.over, x), Polynomial(f.under, x));
}

template <class V>
HWY_NOINLINE V OfTail(V x) {
  const V size = hn::Abs(x);
  const V probability = hn::Mul(hn::Sub(Constant(x, 1), size), Constant(x, 0.5));
  const V r = hn::Sqrt(hn::Neg(sleef::Log(probability)));
  const V near = Evaluate(kTail, hn::Sub(r, Constant(x, 1.6)));
  const V y = Mend(hn::Gt(r, Constant(x, 5)), near, [&] { return Evaluate(kFarTail, hn::Sub(r, Constant(x, 5))); });
  // One step of Newton's method: in the tail the complementary function's error hardly moves its argument.
  const V approximate = hn::Mul(y, Constant(x, kRootHalf));
  const V residual = hn::Sub(sleef::Erfc(approximate), hn::Sub(Constant(x, 1), size));
  const V slope = hn::Mul(sleef::Exp(hn::Neg(hn::Mul(approximate, approximate))), Constant(x, 1.1283791670955126));
  const V signed_y = hn::CopySign(hn::Add(approximate, hn::Div(residual, slope)), x);
  return hn::IfThenElse(hn::Eq(size, Constant(x, 1)), hn::CopySign(hn::Inf(hn::DFromV<V>()), x), signed_y);
}

HWY_INLINE Vector<double> ErfInverse(Vector<double> x) {
  const auto square = hn::Mul(x, x);
  const auto argument = hn::NegMulAdd(square, Constant(x, 0.25), Constant(x, 0.180625));
  // The sum of −0 and its product with a negative number is +0.
  const auto middle = hn::CopySign(hn::Add(x, hn::Mul(x, Evaluate(kMiddle, argument))), x);
  // Also where x is NaN.
  const auto tail = hn::Not(hn::Le(hn::Abs(x), Constant(x, 0.85)));
  return Mend(tail, middle, [&] { return OfTail(x); });
}

HWY_INLINE Vector<float> ErfInverse(Vector<float> x) {
  return InF64([](Vector<double> z) { return ErfInverse(z); }, x);
}

constexpr auto kErfInverse = [](auto x) { return ErfInverse(x); };

}  // namespace

TileFn FindErfInverse(const OpDef* op, uint8_t from, uint8_t to) {
  if (op != &kErfInv || to != from) return nullptr;
  if (from == kCodeF32) return Unary<float, kSingle, 1, decltype(kErfInverse)>;
  return from == kCodeF64 ? Unary<double, kSingle, 1, decltype(kErfInverse)> : nullptr;
}

}  // namespace tenferro::TENFERRO_ISA
