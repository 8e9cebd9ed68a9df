// Transcendental functions of c64 and c128: the C library's, one element at a time. Those of c64 are computed in c128,
// so that they do not overflow on the way.

#include <cmath>

#include "tenferro/cpu/kernels/complex_loop.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/families.h"
#include "tenferro/runtime/ops/elementwise_records.h"

namespace tenferro {
namespace {

// exp(x)cos(y) - 1 = expm1(x)cos(y) - 2 sin²(y/2): neither term loses digits near 0.
Complex Expm1(Complex z) {
  const long double x = __real__ z, y = __imag__ z;
  if (!(x < 40)) {
    const Complex exp = __builtin_cexp(z);
    return Make(__real__ exp - 1, __imag__ exp);
  }
  const long double half_sine = std::sin(y / 2);
  return Make(static_cast<double>(std::expm1(x) * std::cos(y) - 2 * half_sine * half_sine),
              static_cast<double>(std::exp(x) * std::sin(y)));
}

struct Sum {
  double value, error;
};
// value + error = a + b exactly (Knuth).
Sum ExactSum(double a, double b) {
  const double value = a + b;
  const double b_part = value - a;
  return {value, (a - (value - b_part)) + (b - b_part)};
}

// log|1 + z| = log1p(2x + x² + y²)/2, whose argument cancels near the circle |1 + z| = 1: it is summed exactly there.
Complex Log1p(Complex z) {
  const double x = __real__ z, y = __imag__ z;
  if (!(std::abs(x) <= 0.5 && std::abs(y) <= 4)) return __builtin_clog(Make(1 + x, y));
  const double xx = x * x, yy = y * y;
  const double rest = std::fma(x, x, -xx) + std::fma(y, y, -yy);
  const Sum squares = ExactSum(xx, yy);
  const Sum total = ExactSum(2 * x, squares.value);
  const double excess = total.value + (total.error + squares.error + rest);
  return Make(0.5 * std::log1p(excess), std::atan2(y, 1 + x));
}

Complex Rsqrt(Complex z) { return 1.0 / __builtin_csqrt(z); }

LongComplex IntegerPower(LongComplex base, int exponent) {
  LongComplex result = 1.0L;
  for (unsigned left = static_cast<unsigned>(std::abs(exponent)); left != 0; left >>= 1) {
    if (left & 1) result = result * base;
    base = base * base;
  }
  return exponent < 0 ? 1.0L / result : result;
}

// exp(w log z) in long double, whose error grows with |w log z|; small integer powers by multiplication, which keeps i²
// = -1. z^0 = 1; 0^w = 0 for a positive real part of w.
Complex Pow(Complex z, Complex w) {
  const double re = __real__ w;
  if (__real__ z == 0 && __imag__ z == 0 && re > 0) return Make(0, 0);
  const LongComplex base = z;
  if (__imag__ w == 0 && std::abs(re) <= 1024 && re == std::trunc(re)) {
    const LongComplex power = IntegerPower(base, static_cast<int>(re));
    if (std::isfinite(__real__ power) && std::isfinite(__imag__ power)) return power;
  }
  const LongComplex exponent = w;
  return __builtin_cexpl(exponent * __builtin_clogl(base));
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
    UnaryRow<+[](Complex z) { return __builtin_cexp(z); }>(&kExp),
    UnaryRow<Expm1>(&kExpm1),
    UnaryRow<+[](Complex z) { return __builtin_clog(z); }>(&kLog),
    UnaryRow<Log1p>(&kLog1p),
    UnaryRow<+[](Complex z) { return __builtin_csin(z); }>(&kSin),
    UnaryRow<+[](Complex z) { return __builtin_ccos(z); }>(&kCos),
    UnaryRow<+[](Complex z) { return __builtin_ctanh(z); }>(&kTanh),
    UnaryRow<+[](Complex z) { return __builtin_csinh(z); }>(&kSinh),
    UnaryRow<+[](Complex z) { return __builtin_ccosh(z); }>(&kCosh),
    UnaryRow<+[](Complex z) { return __builtin_csqrt(z); }>(&kSqrt),
    UnaryRow<Rsqrt>(&kRsqrt),
    {&kPow, ComplexBinary<float, Pow>, ComplexBinary<double, Pow>},
};

}  // namespace

TileFn FindComplexFunction(const OpDef* op, uint8_t from, uint8_t to) {
  if (to != from || (from != kCodeC64 && from != kCodeC128)) return nullptr;
  for (const Row& row : kRows) {
    if (row.op == op) return from == kCodeC64 ? row.c64 : row.c128;
  }
  return nullptr;
}

}  // namespace tenferro
