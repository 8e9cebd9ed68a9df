// Mathematical functions of f32 and f64: SLEEF's, mended where SLEEF 3.5 leaves its accuracy, and what follows from
// them.

#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/library_functions.h"
#include "tenferro/cpu/kernels/math_families.h"
#include "tenferro/cpu/kernels/mend.h"
#include "tenferro/cpu/kernels/sleef_functions.h"
#include "tenferro/cpu/kernels/vector.h"
#include "tenferro/runtime/ops/math_records.h"

namespace tenferro::TENFERRO_ISA {
namespace {

HWY_INLINE Vector<double> Hypot(Vector<double> x, Vector<double> y) { return sleef::Hypot(x, y); }
// The squares of f32 fit in f64.
HWY_INLINE Vector<float> Hypot(Vector<float> x, Vector<float> y) {
  const auto root = [](auto a, auto b) { return hn::Sqrt(hn::Add(hn::Mul(a, a), hn::Mul(b, b))); };
  const auto infinity = hn::Inf(Tag<float>());
  const auto infinite = hn::Or(hn::Eq(hn::Abs(x), infinity), hn::Eq(hn::Abs(y), infinity));
  return hn::IfThenElse(infinite, infinity, InF64(root, x, y));
}

template <class V>
HWY_INLINE V Logistic(V x) {
  // The exponential of a negative number cannot overflow.
  const V e = sleef::Exp(hn::Neg(hn::Abs(x)));
  const V one = Constant(x, 1);
  return hn::Div(hn::IfThenElse(hn::Lt(x, Constant(x, 0)), e, one), hn::Add(one, e));
}

// log(e^a + e^b) = max + log1p(e^(min − max)). The rounding error of the difference is found exactly (Knuth) and enters
// as a factor of the exponential: left alone it would be multiplied by the size of the difference.
template <class V>
HWY_INLINE V LogAddExp(V a, V b) {
  const V zero = Constant(a, 0);
  const V larger = Maximum(a, b);
  const V smaller = Minimum(a, b);
  const V difference = hn::IfThenElse(hn::Eq(a, b), zero, hn::Sub(smaller, larger));
  const V part = hn::Sub(difference, smaller);
  const V error = hn::Sub(hn::Sub(smaller, hn::Sub(difference, part)), hn::Add(larger, part));
  const V e = sleef::Exp(difference);
  const V rest = hn::Mul(e, hn::IfThenElse(hn::IsNaN(error), zero, error));
  return hn::Add(larger, sleef::Log1p(hn::Add(e, rest)));
}

// Far out the inverse hyperbolic functions are log(2|x|); SLEEF's overflow there. 2|x| may overflow too.
template <class V>
HWY_INLINE auto FarOut(V x) {
  return hn::Gt(hn::Abs(x), Constant(x, kIsF32<V> ? 0x1p60 : 0x1p500));
}
template <class V>
HWY_INLINE V LogOfTwice(V x) {
  const V size = hn::Abs(x);
  const V twice = hn::Add(size, size);
  const V y = sleef::Log(twice);
  const auto overflows = hn::And(hn::Eq(twice, hn::Inf(hn::DFromV<V>())), hn::Lt(size, twice));
  return Mend(overflows, y, [&] { return hn::Add(sleef::Log(size), Constant(x, 0.69314718055994530942)); });
}
template <class V>
HWY_INLINE V Asinh(V x) {
  return Mend(FarOut(x), OrTiny(x, sleef::Asinh(x)), [&] { return hn::CopySign(LogOfTwice(x), x); });
}
template <class V>
HWY_INLINE V Acosh(V x) {
  return Mend(hn::And(FarOut(x), hn::Gt(x, Constant(x, 0))), sleef::Acosh(x), [&] { return LogOfTwice(x); });
}

// Where the quotient is tiny it is the angle; SLEEF loses bits when it is denormal.
template <class V>
HWY_INLINE V Atan2(V y, V x) {
  const auto tiny = hn::Lt(hn::Abs(y), hn::Mul(x, Constant(x, kIsF32<V> ? 0x1p-13 : 0x1p-27)));
  return Mend(tiny, sleef::Atan2(y, x), [&] { return hn::Div(y, x); });
}

// 2x/√π near 0, written so that only its last operation rounds in the last place.
template <class V>
HWY_INLINE V Erf(V x) {
  const auto tiny = hn::Lt(hn::Abs(x), Constant(x, kIsF32<V> ? 0x1p-13 : 0x1p-27));
  const V near = hn::Add(x, hn::Mul(x, Constant(x, 0.12837916709551257390)));
  return hn::IfThenElse(tiny, near, sleef::Erf(x));
}

// SLEEF loses bits where the result is denormal.
HWY_INLINE Vector<double> Erfc(Vector<double> x) { return sleef::Erfc(x); }
HWY_INLINE Vector<float> Erfc(Vector<float> x) {
  return Mend(hn::Gt(x, Constant(x, 9)), sleef::Erfc(x),
              [&] { return InF64([](Vector<double> z) { return sleef::Erfc(z); }, x); });
}

// The argument of a real number: 0, or pi where the sign bit is set.
template <class V>
HWY_INLINE V RealAngle(V x) {
  const hn::DFromV<V> d;
  const auto sign = hn::BroadcastSignBit(hn::BitCast(hn::RebindToSigned<hn::DFromV<V>>(), x));
  const V angle = hn::And(hn::BitCast(d, sign), Constant(x, 3.14159265358979323846));
  return hn::IfThenElse(hn::IsNaN(x), x, angle);
}

// The bits of a positive number as an integer grow with the number.
template <class V>
HWY_INLINE V NextAfter(V x, V y) {
  const hn::DFromV<V> d;
  const hn::RebindToSigned<hn::DFromV<V>> di;
  const V zero = Constant(x, 0);
  const auto one = hn::Set(di, 1);
  const auto bits = hn::BitCast(di, x);
  const auto away = hn::Xor(hn::Lt(x, y), hn::Lt(x, zero));
  const V moved = hn::BitCast(d, hn::IfThenElse(hn::RebindMask(di, away), hn::Add(bits, one), hn::Sub(bits, one)));
  const V smallest = hn::CopySign(hn::BitCast(d, one), y);
  const V next = hn::IfThenElse(hn::Eq(x, zero), smallest, moved);
  return hn::IfThenElse(hn::Or(hn::IsNaN(x), hn::IsNaN(y)), hn::Add(x, y), hn::IfThenElse(hn::Eq(x, y), y, next));
}

// Far out SLEEF overflows; there x(log x − 1) is all that counts.
HWY_INLINE Vector<double> PositiveLgamma(Vector<double> x) {
  return Mend(hn::Gt(x, Constant(x, 2e305)), sleef::Lgamma(x),
              [&] { return hn::Mul(x, hn::Sub(sleef::Log(x), Constant(x, 1))); });
}
HWY_INLINE Vector<float> PositiveLgamma(Vector<float> x) {
  return Mend(hn::Gt(x, Constant(x, 1e30)), sleef::Lgamma(x),
              [&] { return InF64([](Vector<double> z) { return sleef::Lgamma(z); }, x); });
}
template <class V>
HWY_INLINE V Lgamma(V x) {
  return Mend(hn::Lt(x, Constant(x, 0)), PositiveLgamma(x), [&] { return ByLibrary(x, NegativeLgamma); });
}

template <class T>
void ComplexAngle(void* out, const void* const* in, int64_t n) {
  const Tag<T> d;
  constexpr int64_t kN = kLanes<T>;
  T* to = static_cast<T*>(out);
  const T* z = static_cast<const T*>(in[0]);
  for (int64_t i = 0; i < n; i += kN) {
    const int64_t count = n - i < kN ? n - i : kN;
    Vector<T> re, im;
    if (count == kN) {
      hn::LoadInterleaved2(d, z + 2 * i, re, im);
      hn::StoreU(Atan2(im, re), d, to + i);
    } else {
      T lanes[2 * kN] = {};
      memcpy(lanes, z + 2 * i, static_cast<size_t>(2 * count) * sizeof(T));
      hn::LoadInterleaved2(d, lanes, re, im);
      StoreFirst<T>(Atan2(im, re), to + i, count);
    }
  }
}

struct Row {
  const OpDef* op;
  TileFn f32;
  TileFn f64;
};

template <int kVectors = kSingle, class F>
constexpr Row UnaryRow(const OpDef* op, F) {
  return {op, Unary<float, kVectors, 1, F>, Unary<double, kVectors, 1, F>};
}
template <int kVectors = kSingle, class F>
constexpr Row BinaryRow(const OpDef* op, F) {
  return {op, Binary<float, kVectors, 1, F>, Binary<double, kVectors, 1, F>};
}

constexpr Row kRows[] = {
    UnaryRow(&kExp2, [](auto x) { return sleef::Exp2(x); }),
    UnaryRow(&kLog2, [](auto x) { return sleef::Log2(x); }),
    UnaryRow(&kLog10, [](auto x) { return sleef::Log10(x); }),
    UnaryRow(&kCbrt, [](auto x) { return sleef::Cbrt(x); }),
    BinaryRow(&kHypot, [](auto x, auto y) { return Hypot(x, y); }),
    UnaryRow(&kLogistic, [](auto x) { return Logistic(x); }),
    BinaryRow(&kLogAddExp, [](auto x, auto y) { return LogAddExp(x, y); }),
    UnaryRow(&kTan, [](auto x) { return OrTiny(x, ByRange(x, [](auto z) { return sleef::Tan(z); })); }),
    UnaryRow(&kAsin, [](auto x) { return sleef::Asin(x); }),
    UnaryRow(&kAcos, [](auto x) { return sleef::Acos(x); }),
    UnaryRow(&kAtan, [](auto x) { return sleef::Atan(x); }),
    BinaryRow(&kAtan2, [](auto y, auto x) { return Atan2(y, x); }),
    UnaryRow(&kAsinh, [](auto x) { return Asinh(x); }),
    UnaryRow(&kAcosh, [](auto x) { return Acosh(x); }),
    UnaryRow(&kAtanh, [](auto x) { return OrTiny(x, sleef::Atanh(x)); }),
    UnaryRow<kUnrolled>(&kAngle, [](auto x) { return RealAngle(x); }),
    BinaryRow<kUnrolled>(&kNextAfter, [](auto x, auto y) { return NextAfter(x, y); }),
    UnaryRow(&kErf, [](auto x) { return Erf(x); }),
    UnaryRow(&kErfc, [](auto x) { return Erfc(x); }),
    UnaryRow(&kLgamma, [](auto x) { return Lgamma(x); }),
};

}  // namespace

TileFn FindRealMath(const OpDef* op, uint8_t from, uint8_t to) {
  if (op == &kAngle && from == kCodeC64 && to == kCodeF32) return ComplexAngle<float>;
  if (op == &kAngle && from == kCodeC128 && to == kCodeF64) return ComplexAngle<double>;
  if (to != from || (from != kCodeF32 && from != kCodeF64)) return nullptr;
  for (const Row& row : kRows) {
    if (row.op == op) return from == kCodeF32 ? row.f32 : row.f64;
  }
  return nullptr;
}

}  // namespace tenferro::TENFERRO_ISA
