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

// In 0.180625 − x²/4, for |x| <= 0.85; times x.
constexpr Rational kMiddle = {
    {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
     4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3},
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
  const V signed_y = hn::CopySign(hn::Mul(y, Constant(x, kRootHalf)), x);
  return hn::IfThenElse(hn::Eq(size, Constant(x, 1)), hn::CopySign(hn::Inf(hn::DFromV<V>()), x), signed_y);
}

HWY_INLINE Vector<double> ErfInverse(Vector<double> x) {
  const auto square = hn::Mul(x, x);
  const auto argument = hn::NegMulAdd(square, Constant(x, 0.25), Constant(x, 0.180625));
  const auto middle = hn::Mul(x, hn::Mul(Evaluate(kMiddle, argument), Constant(x, 0.5 * kRootHalf)));
  // Also where x is NaN.
  const auto tail = hn::Not(hn::Le(hn::Abs(x), Constant(x, 0.85)));
  return Mend(tail, middle, [&] { return OfTail(x); });
}

HWY_INLINE Vector<float> ErfInverse(Vector<float> x) {
  const Tag<float> d;
  const hn::Half<Tag<float>> half;
  const Tag<double> wide;
  const auto low = ErfInverse(hn::PromoteTo(wide, hn::LowerHalf(half, x)));
  const auto high = ErfInverse(hn::PromoteTo(wide, hn::UpperHalf(half, x)));
  return hn::Combine(d, hn::DemoteTo(half, high), hn::DemoteTo(half, low));
}

constexpr auto kErfInverse = [](auto x) { return ErfInverse(x); };

}  // namespace

TileFn FindErfInverse(const OpDef* op, uint8_t from, uint8_t to) {
  if (op != &kErfInv || to != from) return nullptr;
  if (from == kCodeF32) return Unary<float, kSingle, 1, decltype(kErfInverse)>;
  return from == kCodeF64 ? Unary<double, kSingle, 1, decltype(kErfInverse)> : nullptr;
}

}  // namespace tenferro::TENFERRO_ISA
