#ifndef TENFERRO_CPU_KERNELS_F64_FUNCTIONS_H_
#define TENFERRO_CPU_KERNELS_F64_FUNCTIONS_H_

// The most used functions of f64, faster than SLEEF's; no tables. Lanes outside the usual range of arguments are
// SLEEF's. The polynomials are near-minimax on the reduced range. Accuracy: docs/accuracy.md has the largest errors
// found.

#include "tenferro/cpu/kernels/f64_several.h"
#include "tenferro/cpu/kernels/library_functions.h"
#include "tenferro/cpu/kernels/mend.h"
#include "tenferro/cpu/kernels/sleef_functions.h"
#include "tenferro/cpu/kernels/vector.h"

namespace tenferro::TENFERRO_ISA {
namespace {

// c0 + x (c1 + x (c2 + …)).
template <int kCount>
HWY_INLINE F64 Polynomial(const F64& x, const double (&c)[kCount]) {
  F64 sum = MulAdd(x, c[kCount - 1], c[kCount - 2]);
#pragma GCC unroll 16
  for (int i = kCount - 3; i >= 0; --i) {
    sum = Each([&](auto s, auto y) { return hn::MulAdd(s, y, Splat(c[i])); }, sum, x);
  }
  return sum;
}

// The same as two polynomials in x², which do not wait for each other.
template <int kCount>
HWY_INLINE F64 Polynomial(const F64& x, const F64& square, const double (&c)[kCount]) {
  static_assert(kCount % 2 == 0);
  F64 even = MulAdd(square, c[kCount - 2], c[kCount - 4]), odd = MulAdd(square, c[kCount - 1], c[kCount - 3]);
#pragma GCC unroll 16
  for (int i = kCount - 6; i >= 0; i -= 2) {
    even = Each([&](auto s, auto y) { return hn::MulAdd(s, y, Splat(c[i])); }, even, square);
    odd = Each([&](auto s, auto y) { return hn::MulAdd(s, y, Splat(c[i + 1])); }, odd, square);
  }
  return MulAdd(odd, x, even);
}

// The nearest integer n to a·b, |n| < 2^31: as a number, and in the low bits of `bits`.
struct Nearest {
  HWY_INLINE Nearest(const F64& a, double b) {
    constexpr double kShift = 0x1.8p52;
    const F64 sum = MulAdd(a, b, kShift);
    value = sum - kShift;
    bits = Each([](auto x) { return hn::BitCast(hn::RebindToSigned<Tag<double>>(), x); }, sum);
  }
  F64 value;
  I64 bits;
};

// 2^n where that is a normal number.
HWY_INLINE F64 Power(const Nearest& n) {
  return Each(
      [](auto bits) {
        const auto one = hn::BitCast(hn::RebindToSigned<Tag<double>>(), Splat(1));
        return hn::BitCast(Tag<double>(), hn::Add(one, hn::ShiftLeft<52>(bits)));
      },
      n.bits);
}

constexpr double kLog2E = 0x1.71547652b82fep+0;
constexpr double kLog2 = 0x1.62e42fefa39efp-1;
// log 2 in two parts: integers below 2^11 times the first are exact.
constexpr double kLog2High = 0x1.62e42fefa3800p-1;
constexpr double kLog2Low = 0x1.ef35793c76730p-45;

// (e^r − 1 − r)/r² for |r| <= log(2)/2.
constexpr double kExpTail[] = {
    0x1.000000000000bp-1,  0x1.5555555555561p-3,  0x1.555555555002fp-5,  0x1.111111110d642p-7,  0x1.6c16c185a7728p-10,
    0x1.a01a01badf7d5p-13, 0x1.a0199693790d2p-16, 0x1.71dddfd15a92ap-19, 0x1.28b0494d25b8ep-22, 0x1.af85802d17f80p-26};

// e^x = 2^n e^r, r = x − n log 2.
struct ExpOfF64 {
  static HWY_INLINE F64 Usual(const F64& x) {
    const Nearest n(x, kLog2E);
    const F64 near = NegMulAdd(n.value, kLog2High, x);
    const F64 r = NegMulAdd(n.value, kLog2Low, near);
    const F64 rest = NegMulAdd(n.value, kLog2Low, near - r);
    const F64 square = r * r;
    const F64 minus = r + MulAdd(square, Polynomial(r, square, kExpTail), rest);
    const F64 power = Power(n);
    return MulAdd(minus, power, power);
  }
  static HWY_INLINE Doubles Unusual(Doubles x, Doubles) { return hn::Sub(Splat(707), hn::Abs(x)); }
  // SLEEF's overflows a little early.
  static HWY_INLINE Doubles Otherwise(Doubles x) {
    const Lanes last = hn::And(hn::Gt(x, Splat(709.7827)), hn::Lt(x, Splat(709.79)));
    return Mend(last, sleef::Exp(x), [&] { return ByLibrary(x, LastExp); });
  }
};

// tanh|x| = t/(t + 2) with t = e^(2|x|) − 1 = 2^n (e^r − 1) + (2^n − 1), of which the terms up to r add up without
// rounding where t is small; what the quotient and the sum below it leave is divided once more.
struct TanhOfF64 {
  static HWY_INLINE F64 Usual(const F64& x) {
    const F64 size = Each([](auto y) { return hn::Min(Splat(20), hn::Abs(y)); }, x);  // or NaN
    const F64 twice = size + size;
    const Nearest n(twice, kLog2E);
    const F64 r = NegMulAdd(n.value, kLog2, twice);
    const F64 square = r * r;
    const F64 power = Power(n);
    const F64 t = MulAdd(power * square, Polynomial(r, square, kExpTail), MulAdd(power, r, power - 1.0));
    const F64 below = t + 2.0;
    const F64 below_rest = t - (below - 2.0);
    const F64 inverse = Each([](auto y) { return hn::Div(Splat(1), y); }, below);
    const F64 quotient = t * inverse;
    const F64 error = NegMulAdd(quotient, below_rest, NegMulAdd(quotient, below, t));
    return Each([](auto y, auto z) { return hn::CopySign(y, z); }, MulAdd(error, inverse, quotient), x);
  }
  static HWY_INLINE Doubles Unusual(Doubles, Doubles) { return Splat(0); }
  static HWY_INLINE Doubles Otherwise(Doubles x) { return x; }
};

// (log((1 + s)/(1 − s)) − 2s)/s³ as a polynomial in s², for (1 + s)/(1 − s) from √½ to √2.
constexpr double kLogTail[] = {0x1.5555555555592p-1, 0x1.999999997fd39p-2, 0x1.24924941f8b88p-2, 0x1.c71c5202bf8ffp-3,
                               0x1.7466405a66d47p-3, 0x1.39a19347b28acp-3, 0x1.2f07057f069bbp-3};

// log x = k log 2 + log(1 + f), √½ <= 1 + f < √2, and log(1 + f) = f − (f²/2 − s (f²/2 + R)), s = f/(2 + f): only the
// last subtraction rounds in the last place. Source: FreeBSD's e_log.c describes this arrangement.
struct LogOfF64 {
  static HWY_INLINE F64 Usual(const F64& x) {
    constexpr hn::RebindToSigned<Tag<double>> kInteger;
    constexpr double kShift = 0x1.8p52;
    const I64 bits = Each([=](auto y) { return hn::BitCast(kInteger, y); }, x);
    // 0x3fe6a09e667f3bcd is √½.
    const I64 k =
        Each([=](auto b) { return hn::ShiftRight<52>(hn::Sub(b, hn::Set(kInteger, 0x3fe6a09e667f3bcd))); }, bits);
    const F64 f =
        Each([](auto b, auto e) { return hn::BitCast(Tag<double>(), hn::Sub(b, hn::ShiftLeft<52>(e))); }, bits, k) -
        1.0;
    const F64 exponent =
        Each([=](auto e) { return hn::BitCast(Tag<double>(), hn::Add(hn::BitCast(kInteger, Splat(kShift)), e)); }, k) -
        kShift;
    const F64 s = Each([](auto a, auto b) { return hn::Div(a, b); }, f, f + 2.0);
    const F64 square = s * s;
    const F64 half = (f * 0.5) * f;
    const F64 low = MulAdd(s, MulAdd(square, Polynomial(square, kLogTail), half), exponent * kLog2Low);
    return MulAdd(exponent, kLog2High, f - (half - low));
  }
  static HWY_INLINE Doubles Unusual(Doubles x, Doubles) {
    // By the bits, from those of the least normal number on: −0 and all below 0 wrap around.
    constexpr hn::RebindToSigned<Tag<double>> kInteger;
    const Integers from_least = hn::Sub(hn::BitCast(kInteger, x), hn::Set(kInteger, 0x0010000000000000));
    const Integers to_most = hn::Sub(hn::Set(kInteger, 0x7fdfffffffffffff), from_least);
    return hn::BitCast(Tag<double>(), hn::Or(from_least, to_most));
  }
  static HWY_INLINE Doubles Otherwise(Doubles x) { return sleef::Log(x); }
};

// π/2 in three parts: integers below 2^20 times the first two are exact.
constexpr double kHalfPi[] = {0x1.921fb54400000p+0, 0x1.0b4611a600000p-34, 0x1.3198a2e037073p-69};

// (sin r − r)/r³ and (cos r − 1 + r²/2)/r⁴ as polynomials in r², for |r| <= π/4.
constexpr double kSinTail[] = {-0x1.5555555555549p-3, 0x1.111111110f87ap-7,   -0x1.a01a019c11978p-13,
                               0x1.71de3577b56b1p-19, -0x1.ae5e6639d428fp-26, 0x1.5d9300cf18812p-33};
constexpr double kCosTail[] = {0x1.555555555554cp-5,   -0x1.6c16c16c1517ep-10, 0x1.a01a019cb1bebp-16,
                               -0x1.27e4f809f15ecp-22, 0x1.1ee9ebe9aae80p-29,  -0x1.8fae9cb4449ffp-37};

// x = n π/2 + r − rest, |r| <= π/4, and what the sine and cosine of r − rest have in common.
struct Reduced {
  HWY_INLINE explicit Reduced(const F64& x) {
    const Nearest n(x, 0x1.45f306dc9c883p-1);
    bits = n.bits;
    const F64 near = NegMulAdd(n.value, kHalfPi[0], x);
    r = NegMulAdd(n.value, kHalfPi[1], near);
    rest = MulAdd(n.value, kHalfPi[2], MulAdd(n.value, kHalfPi[1], r - near));
    square = r * r;
    const F64 half = square * 0.5;
    parabola = 1.0 - half;
    rounding = half - (1.0 - parabola);
  }
  I64 bits;
  F64 r, rest, square, parabola, rounding;
};

HWY_INLINE I64 Plus(const I64& n, int64_t more) {
  return Each([=](auto b) { return hn::Add(b, hn::Set(hn::RebindToSigned<Tag<double>>(), more)); }, n);
}
HWY_INLINE Choice IsOdd(const I64& n) {
  return Each(
      [](auto b) {
        return hn::RebindMask(Tag<double>(), hn::TestBit(b, hn::Set(hn::RebindToSigned<Tag<double>>(), 1)));
      },
      n);
}
// −x where bit 1 of n is set.
HWY_INLINE F64 NegateByBit1(const F64& x, const I64& n) {
  return Each(
      [](auto y, auto b) { return hn::Xor(y, hn::And(hn::BitCast(Tag<double>(), hn::ShiftLeft<62>(b)), Splat(-0.0))); },
      x, n);
}

// sin(x + quarters·π/2): the sine or the cosine of r − rest, and a sign. Both are base − (correction −
// factor·tail(r²)), so that one polynomial with chosen coefficients does; written so, −0 comes out as −0.
template <int kQuarters>
HWY_INLINE F64 SinOfQuarters(const F64& x) {
  const Reduced c(x);
  const I64 quarter = Plus(c.bits, kQuarters);
  const Choice odd = IsOdd(quarter);
  F64 tail = Choose(odd, kCosTail[5], kSinTail[5]);
#pragma GCC unroll 5
  for (int i = 4; i >= 0; --i) tail = MulAdd(tail, c.square, Choose(odd, kCosTail[i], kSinTail[i]));
  const F64 correction = Choose(odd, NegMulAdd(c.r, c.rest, c.rounding), c.rest * c.parabola);
  const F64 factor = Choose(odd, c.square, c.r) * c.square;
  return NegateByBit1(Choose(odd, c.parabola, c.r) - NegMulAdd(factor, tail, correction), quarter);
}

// Far from 0, and beside a multiple of π/2 where the reduction cancels most of the digits, arguments are SLEEF's.
HWY_INLINE Doubles HardToReduce(Doubles x, Doubles y) {
  const Doubles size = hn::Abs(x);
  return hn::Or(hn::Sub(Splat(1e5), size), hn::MulSub(hn::Abs(y), Splat(0x1p30), size));
}
struct SinOfF64 {
  static HWY_INLINE F64 Usual(const F64& x) { return SinOfQuarters<0>(x); }
  static HWY_INLINE Doubles Unusual(Doubles x, Doubles y) { return HardToReduce(x, y); }
  static HWY_INLINE Doubles Otherwise(Doubles x) {
    return ByRange(x, [](auto z) { return sleef::Sin(z); });
  }
};
struct CosOfF64 {
  static HWY_INLINE F64 Usual(const F64& x) { return SinOfQuarters<1>(x); }
  static HWY_INLINE Doubles Unusual(Doubles x, Doubles y) { return HardToReduce(x, y); }
  static HWY_INLINE Doubles Otherwise(Doubles x) {
    return ByRange(x, [](auto z) { return sleef::Cos(z); });
  }
};

// Both with one reduction, and bit for bit what each gives alone.
struct SinAndCosOfF64 {
  using First = SinOfF64;
  using Second = CosOfF64;
  static constexpr int kResults = 2;
  static HWY_INLINE void Usual(const F64& x, F64* results) {
    const Reduced c(x);
    const F64 sine = c.r - NegMulAdd(c.r * c.square, Polynomial(c.square, kSinTail), c.rest * c.parabola);
    const F64 cosine =
        c.parabola - NegMulAdd(c.square * c.square, Polynomial(c.square, kCosTail), NegMulAdd(c.r, c.rest, c.rounding));
    const Choice odd = IsOdd(c.bits);
    results[0] = NegateByBit1(Choose(odd, cosine, sine), c.bits);
    results[1] = NegateByBit1(Choose(odd, sine, cosine), Plus(c.bits, 1));
  }
};

}  // namespace
}  // namespace tenferro::TENFERRO_ISA

#endif  // TENFERRO_CPU_KERNELS_F64_FUNCTIONS_H_
