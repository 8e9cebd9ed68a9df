// Transcendental functions of f32 and f64: our own of f64 where they are faster, SLEEF's, mended where SLEEF 3.5 leaves
// its accuracy.

#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/f64_functions.h"
#include "tenferro/cpu/kernels/f64_tile.h"
#include "tenferro/cpu/kernels/families.h"
#include "tenferro/cpu/kernels/library_functions.h"
#include "tenferro/cpu/kernels/mend.h"
#include "tenferro/cpu/kernels/sleef_functions.h"
#include "tenferro/cpu/kernels/vector.h"
#include "tenferro/runtime/ops/elementwise_records.h"

namespace tenferro::TENFERRO_ISA {
namespace {

// exp(|x|)/2, also where exp(|x|) overflows: rare enough for the C library.
HWY_INLINE Vector<double> HalfExp(Vector<double> x) { return ByLibrary(x, HalfExpOfSize); }
HWY_INLINE Vector<float> HalfExp(Vector<float> x) {
  return InF64([](Vector<double> z) { return hn::Mul(sleef::Exp(hn::Abs(z)), Constant(z, 0.5)); }, x);
}
HWY_INLINE Vector<float> Exp(Vector<float> x) { return sleef::Exp(x); }
HWY_INLINE Vector<double> Exp(Vector<double> x) { return ExpOfF64::Otherwise(x); }
template <class V>
HWY_INLINE auto NearOverflow(V x) {
  return hn::And(hn::Gt(hn::Abs(x), Constant(x, kIsF32<V> ? 88.5 : 709.5)),
                 hn::Lt(hn::Abs(x), Constant(x, kIsF32<V> ? 90 : 711)));
}
template <class V>
HWY_INLINE V Sinh(V x) {
  return Mend(NearOverflow(x), OrTiny(x, sleef::Sinh(x)), [&] { return hn::CopySign(HalfExp(x), x); });
}
template <class V>
HWY_INLINE V Cosh(V x) {
  return Mend(NearOverflow(x), sleef::Cosh(x), [&] { return HalfExp(x); });
}

// SLEEF overflows when the result is within 2e-9 of the largest number. There: (|x|^(y/2))² with the sign that SLEEF
// gave.
template <class V>
HWY_INLINE V Pow(V x, V y) {
  const V power = sleef::Pow(x, y);
  const V size = hn::Abs(x);
  const V infinity = hn::Inf(hn::DFromV<V>());
  const auto finite = hn::And(hn::Gt(size, Constant(x, 0)), hn::Lt(size, infinity));
  return Mend(hn::And(finite, hn::Eq(hn::Abs(power), infinity)), power, [&] {
    const V root = sleef::Pow(size, hn::Mul(y, Constant(y, 0.5)));
    return hn::IfThenElse(hn::Eq(y, Constant(y, 1)), x, hn::CopySign(hn::Mul(root, root), power));
  });
}

struct Row {
  const OpDef* op;
  TileFn f32;
  TileFn f64;
};

template <class F>
constexpr Row UnaryRow(const OpDef* op, F) {
  return {op, Unary<float, kSingle, 1, F>, Unary<double, kSingle, 1, F>};
}
// With a function of our own for f64, where multiplication and addition round once.
template <class Own, class F>
constexpr Row OwnRow(const OpDef* op, F) {
  if constexpr (kHasFma) {
    return {op, Unary<float, kSingle, 1, F>, F64Tile<Alone<Own>>};
  } else {
    return {op, Unary<float, kSingle, 1, F>, Unary<double, kSingle, 1, F>};
  }
}
template <class F>
constexpr Row BinaryRow(const OpDef* op, F) {
  return {op, Binary<float, kSingle, 1, F>, Binary<double, kSingle, 1, F>};
}

constexpr Row kRows[] = {
    OwnRow<ExpOfF64>(&kExp, [](auto x) { return Exp(x); }),
    UnaryRow(&kExpm1, [](auto x) { return sleef::Expm1(x); }),
    OwnRow<LogOfF64>(&kLog, [](auto x) { return sleef::Log(x); }),
    UnaryRow(&kLog1p, [](auto x) { return Log1p(x); }),
    OwnRow<SinOfF64>(&kSin, [](auto x) { return ByRange(x, [](auto z) { return sleef::Sin(z); }); }),
    OwnRow<CosOfF64>(&kCos, [](auto x) { return ByRange(x, [](auto z) { return sleef::Cos(z); }); }),
    OwnRow<TanhOfF64>(&kTanh, [](auto x) { return OrTiny(x, sleef::Tanh(x)); }),
    UnaryRow(&kSinh, [](auto x) { return Sinh(x); }),
    UnaryRow(&kCosh, [](auto x) { return Cosh(x); }),
    BinaryRow(&kPow, [](auto x, auto y) { return Pow(x, y); }),
};

}  // namespace

TileFn FindRealFunction(const OpDef* op, uint8_t from, uint8_t to) {
  if (to != from || (from != kCodeF32 && from != kCodeF64)) return nullptr;
  for (const Row& row : kRows) {
    if (row.op == op) return from == kCodeF32 ? row.f32 : row.f64;
  }
  return nullptr;
}

TileFn FindRealPair(const OpDef* first, const OpDef* second, uint8_t dtype) {
  if constexpr (kHasFma) {
    if (first == &kSin && second == &kCos && dtype == kCodeF64) return F64Tile<SinAndCosOfF64>;
  }
  return nullptr;
}

}  // namespace tenferro::TENFERRO_ISA
