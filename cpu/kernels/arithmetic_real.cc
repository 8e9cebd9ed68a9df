// Remainders, rounding and clamping of f32 and f64.

#include "tenferro/cpu/kernels/arithmetic.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/vector.h"
#include "tenferro/runtime/ops/arithmetic_records.h"

namespace tenferro::TENFERRO_ISA {
namespace {

HWY_INLINE float ScalarRemainder(float a, float b) { return __builtin_fmodf(a, b); }
HWY_INLINE double ScalarRemainder(double a, double b) { return __builtin_fmod(a, b); }

// `remainder` with the lanes of `chosen` as the C library says: exact too, for any operands, but a digit at a time.
template <class V, class M>
HWY_NOINLINE V RemainderOneByOne(V a, V b, V remainder, M chosen) {
  using T = hn::TFromV<V>;
  const hn::DFromV<V> d;
  T numerators[kLanes<T>], divisors[kLanes<T>], results[kLanes<T>];
  hn::StoreU(hn::IfThenElseZero(chosen, a), d, numerators);
  hn::StoreU(hn::IfThenElse(chosen, b, Constant(b, 1)), d, divisors);
  for (int64_t i = 0; i < kLanes<T>; ++i) results[i] = ScalarRemainder(numerators[i], divisors[i]);
  return hn::IfThenElse(chosen, hn::LoadU(d, results), remainder);
}

// fmod, exact. Where the quotient has fewer bits than the mantissa, the truncated rounded quotient q is the true one or
// one more; a, q·b and so a − q·b are multiples of b's last place and the difference is below b in size, so one fused
// multiply-add gives it without error, and one addition of b mends it where it is negative.
template <class V>
HWY_INLINE V Remainder(V a, V b) {
  const hn::DFromV<V> d;
#if HWY_NATIVE_FMA
  const V size = hn::Abs(a), divisor = hn::Abs(b);
  const V quotient = hn::Trunc(hn::Div(size, divisor));
  const V rest = hn::NegMulAdd(quotient, divisor, size);
  const V mended = hn::IfThenElse(hn::Lt(rest, Constant(a, 0)), hn::Add(rest, divisor), rest);
  const V remainder = hn::IfThenElse(hn::Lt(size, divisor), a, hn::CopySign(mended, a));
  // Also false for a quotient that is no number.
  const auto small = hn::Lt(quotient, Constant(a, sizeof(hn::TFromV<V>) == 4 ? 0x1p23 : 0x1p52));
  return hn::AllTrue(d, small) ? remainder : RemainderOneByOne(a, b, remainder, hn::Not(small));
#else
  return RemainderOneByOne(a, b, a, hn::Eq(hn::Zero(d), hn::Zero(d)));
#endif
}

// Where the remainder is not 0 and has the other sign than the divisor.
template <class V>
HWY_INLINE auto RoundsUp(V remainder, V b) {
  const V zero = Constant(b, 0);
  return hn::AndNot(hn::Eq(remainder, zero), hn::Xor(hn::Lt(remainder, zero), hn::Lt(b, zero)));
}

template <class V>
HWY_INLINE V FlooredRemainder(V a, V b) {
  const V remainder = Remainder(a, b);
  const V signed_zero = hn::IfThenElse(hn::Eq(remainder, Constant(b, 0)), hn::CopySign(remainder, b), remainder);
  return hn::IfThenElse(RoundsUp(remainder, b), hn::Add(remainder, b), signed_zero);
}

// As CPython's float_floor_div: the quotient that belongs to the floored remainder is an integer but for rounding, and
// is set on the nearest one.
template <class V>
HWY_INLINE V FlooredQuotient(V a, V b) {
  const V zero = Constant(b, 0), one = Constant(b, 1);
  const V remainder = Remainder(a, b);
  const V exact = hn::Div(hn::Sub(a, remainder), b);
  const V lowered = hn::IfThenElse(RoundsUp(remainder, b), hn::Sub(exact, one), exact);
  const V below = hn::Floor(lowered);
  const V nearest = hn::IfThenElse(hn::Gt(hn::Sub(lowered, below), Constant(b, 0.5)), hn::Add(below, one), below);
  const V plain = hn::Div(a, b);
  const V result = hn::IfThenElse(hn::Eq(lowered, zero), hn::CopySign(zero, plain), nearest);
  return hn::IfThenElse(hn::Eq(b, zero), plain, result);
}

// Adding the number next below one half cannot carry a number that is nearer to the lower integer.
template <class V>
HWY_INLINE V RoundHalvesAway(V x) {
  const V half = Constant(x, sizeof(hn::TFromV<V>) == 4 ? 0x1.fffffep-2 : 0x1.fffffffffffffp-2);
  return hn::Trunc(hn::Add(x, hn::CopySign(half, x)));
}

template <class T, class F>
void Ternary(void* out, const void* const* in, int64_t n) {
  Map<T, kUnrolled, F>(static_cast<T*>(out), n, static_cast<const T*>(in[0]), static_cast<const T*>(in[1]),
                       static_cast<const T*>(in[2]));
}

struct Row {
  const OpDef* op;
  TileFn f32;
  TileFn f64;
};

template <class F>
constexpr Row UnaryRow(const OpDef* op, F) {
  return {op, Unary<float, kUnrolled, 1, F>, Unary<double, kUnrolled, 1, F>};
}
template <class F>
constexpr Row DivisionRow(const OpDef* op, F) {
  return {op, Binary<float, kSingle, 1, F>, Binary<double, kSingle, 1, F>};
}
template <class F>
constexpr Row TernaryRow(const OpDef* op, F) {
  return {op, Ternary<float, F>, Ternary<double, F>};
}

constexpr Row kRows[] = {
    DivisionRow(&kRem, [](auto a, auto b) { return Remainder(a, b); }),
    DivisionRow(&kMod, [](auto a, auto b) { return FlooredRemainder(a, b); }),
    DivisionRow(&kFloorDivide, [](auto a, auto b) { return FlooredQuotient(a, b); }),
    UnaryRow(&kFloor, [](auto x) { return hn::Floor(x); }),
    UnaryRow(&kCeil, [](auto x) { return hn::Ceil(x); }),
    UnaryRow(&kTrunc, [](auto x) { return hn::Trunc(x); }),
    UnaryRow(&kRound, [](auto x) { return hn::Round(x); }),
    UnaryRow(&kRoundHalfAway, [](auto x) { return RoundHalvesAway(x); }),
    TernaryRow(&kClamp, [](auto x, auto low, auto high) { return Minimum(Maximum(x, low), high); }),
};

}  // namespace

TileFn FindRealArithmetic(const OpDef* op, uint8_t from, uint8_t to) {
  if (to != from || (from != kCodeF32 && from != kCodeF64)) return nullptr;
  for (const Row& row : kRows) {
    if (row.op == op) return from == kCodeF32 ? row.f32 : row.f64;
  }
  return nullptr;
}

}  // namespace tenferro::TENFERRO_ISA
