// Mathematical functions of c64 and c128: the C library's, with its branch cuts and special values, one element at a
// time. Those of c64 are computed in c128, so that they do not overflow on the way.

#include <cmath>
#include <limits>
#include <numbers>

#include "tenferro/cpu/kernels/complex_loop.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/math_families.h"
#include "tenferro/runtime/ops/math_records.h"

namespace tenferro {
namespace {

using Wide = long double;

Complex Scaled(Complex z, Wide factor) {
  return Make(static_cast<double>(__real__ z * factor), static_cast<double>(__imag__ z * factor));
}

// 2^x·(cos(y ln 2) + i sin(y ln 2)), as the C library's exp for special values. The product y ln 2 is a sum of two, for
// its absolute error is the result's relative one.
Complex Exp2(Complex z) {
  const double x = __real__ z, y = __imag__ z;
  if (!std::isfinite(x) || !std::isfinite(y) || y == 0) {
    return y == 0 && !std::isnan(x) ? Make(std::exp2(x), y) : __builtin_cexp(z);
  }
  constexpr Wide kLn2 = std::numbers::ln2_v<Wide>;
  constexpr Wide kLn2Rest = sizeof(Wide) == 16 && std::numeric_limits<Wide>::digits == 64 ? -0x1.b0e2633fe0685p-67L : 0;
  const Wide angle = y * kLn2;
  const Wide rest = std::fma(static_cast<Wide>(y), kLn2, -angle) + y * kLn2Rest;
  const Wide size = std::exp2(static_cast<Wide>(x)), cosine = std::cos(angle), sine = std::sin(angle);
  return Make(static_cast<double>(size * (cosine - rest * sine)), static_cast<double>(size * (sine + rest * cosine)));
}

LongComplex ExpOf(Wide x, Wide y) {
  LongComplex z;
  __real__ z = std::exp(x) * std::cos(y);
  __imag__ z = std::exp(x) * std::sin(y);
  return z;
}

// 1 + e^(x + iy), x <= 0, whose imaginary part is known. Near the poles of 1/(1 + e^z), odd multiples of πi, the real
// part is a sum of two small terms: (e^x − 1)cos(y) and 1 + cos(y) = 2cos²(y/2).
LongComplex OnePlusExp(Wide x, Wide y, Wide imag) {
  const Wide half = std::cos(y / 2);
  LongComplex z;
  __real__ z = std::expm1(x) * std::cos(y) + 2 * half * half;
  __imag__ z = imag;
  return z;
}

// 1/(1 + e^−z) = e^z/(1 + e^z), of which one cannot overflow; the limits 0 and 1 at the infinities of the real part.
Complex Logistic(Complex z) {
  const double x = __real__ z, y = __imag__ z;
  if (y == 0 && !std::isnan(x)) {
    const double e = std::exp(-std::abs(x));
    return Make((x < 0 ? e : 1) / (1 + e), y);
  }
  if (std::isinf(x)) return Make(x < 0 ? 0 : 1, 0);
  const LongComplex e = ExpOf(-std::abs(static_cast<Wide>(x)), x < 0 ? y : -y);
  const LongComplex numerator = x < 0 ? e : LongComplex{1.0L};
  return numerator / OnePlusExp(-std::abs(static_cast<Wide>(x)), x < 0 ? y : -y, __imag__ e);
}

struct Row {
  const OpDef* op;
  TileFn c64;
  TileFn c128;
};

template <ComplexFn kFn>
constexpr Row UnaryRow(const OpDef* op) {
  return {op, ComplexUnary<float, kFn>, ComplexUnary<double, kFn>};
}

constexpr Row kRows[] = {
    UnaryRow<Exp2>(&kExp2),
    UnaryRow<+[](Complex z) { return Scaled(__builtin_clog(z), 1 / std::numbers::ln2_v<Wide>); }>(&kLog2),
    UnaryRow<+[](Complex z) { return Scaled(__builtin_clog(z), 1 / std::numbers::ln10_v<Wide>); }>(&kLog10),
    UnaryRow<Logistic>(&kLogistic),
    UnaryRow<+[](Complex z) { return __builtin_ctan(z); }>(&kTan),
    UnaryRow<+[](Complex z) { return __builtin_casin(z); }>(&kAsin),
    UnaryRow<+[](Complex z) { return __builtin_cacos(z); }>(&kAcos),
    UnaryRow<+[](Complex z) { return __builtin_catan(z); }>(&kAtan),
    UnaryRow<+[](Complex z) { return __builtin_casinh(z); }>(&kAsinh),
    UnaryRow<+[](Complex z) { return __builtin_cacosh(z); }>(&kAcosh),
    UnaryRow<+[](Complex z) { return __builtin_catanh(z); }>(&kAtanh),
};

}  // namespace

TileFn FindComplexMath(const OpDef* op, uint8_t from, uint8_t to) {
  if (to != from || (from != kCodeC64 && from != kCodeC128)) return nullptr;
  for (const Row& row : kRows) {
    if (row.op == op) return from == kCodeC64 ? row.c64 : row.c128;
  }
  return nullptr;
}

}  // namespace tenferro
