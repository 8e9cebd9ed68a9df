// Mathematical functions of c64 and c128: the C library's, with its branch cuts and special values, one element at a
// time. Those of c64 are computed in c128, so that they do not overflow on the way.

#include <cmath>
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

// 2^x·(cos(y ln 2) + i sin(y ln 2)), as the C library's exp for special values.
Complex Exp2(Complex z) {
  const double x = __real__ z, y = __imag__ z;
  if (!std::isfinite(x) || !std::isfinite(y)) return __builtin_cexp(z);
  const Wide size = std::exp2(static_cast<Wide>(x));
  const Wide angle = y * std::numbers::ln2_v<Wide>;
  return Make(static_cast<double>(size * std::cos(angle)), y == 0 ? y : static_cast<double>(size * std::sin(angle)));
}

// e^z/(1 + e^z) for Re z <= 0. Near the poles πi·(odd) the real part of 1 + e^z is the sum of two small terms,
// (e^x − 1)cos(y) and 1 + cos(y) = 2cos²(y/2).
Complex LogisticOfLeft(Complex z) {
  const Wide x = __real__ z, y = __imag__ z;
  const Wide size = std::exp(x), cosine = std::cos(y), sine = std::sin(y), half = std::cos(y / 2);
  LongComplex numerator, denominator;
  __real__ numerator = size * cosine;
  __imag__ numerator = size * sine;
  __real__ denominator = std::expm1(x) * cosine + 2 * half * half;
  __imag__ denominator = size * sine;
  return numerator / denominator;
}

// 1/(1 + e^−z) = 1 − logistic(−z), without overflow; the limits 0 and 1 at the infinities of the real part.
Complex Logistic(Complex z) {
  const double x = __real__ z, y = __imag__ z;
  if (y == 0 && !std::isnan(x)) {
    const double e = std::exp(-std::abs(x));
    return Make((x < 0 ? e : 1) / (1 + e), y);
  }
  if (std::isinf(x)) return Make(x < 0 ? 0 : 1, 0);
  if (x <= 0) return LogisticOfLeft(z);
  // logistic(z) = e^z·logistic(−z), and logistic(−z) has the factor e^−z.
  const Wide size = std::exp(-static_cast<Wide>(x)), cosine = std::cos(static_cast<Wide>(y));
  const Wide half = std::cos(static_cast<Wide>(y) / 2);
  LongComplex one = 1.0L, denominator;
  __real__ denominator = std::expm1(-static_cast<Wide>(x)) * cosine + 2 * half * half;
  __imag__ denominator = -size * std::sin(static_cast<Wide>(y));
  return one / denominator;
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
