// The largest error of every complex function of the library against MPFR, as a vector of the plane: |got − exact| in
// units of the precision of |exact|. Prints the table of docs/accuracy.md.

#include <complex>
#include <functional>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "tenferro/cpu/kernels/accuracy_samples.h"
#include "tenferro/cpu/kernels/accuracy_table.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/every_kernel.h"
#include "tenferro/cpu/kernels/high_precision.h"

namespace tenferro {
namespace {

// The formulas below cancel; with this many bits nothing of them is left in the result.
using Real = HighPrecision<500>;

struct Complex {
  Real re, im;
};

Real Sqrt(const Real& x) { return Real::Apply(mpfr_sqrt, x); }
Real Exp(const Real& x) { return Real::Apply(mpfr_exp, x); }
Real Sin(const Real& x) { return Real::Apply(mpfr_sin, x); }
Real Cos(const Real& x) { return Real::Apply(mpfr_cos, x); }
Real Sinh(const Real& x) { return Real::Apply(mpfr_sinh, x); }
Real Cosh(const Real& x) { return Real::Apply(mpfr_cosh, x); }
Real Log(const Real& x) { return Real::Apply(mpfr_log, x); }

Complex operator+(const Complex& a, const Complex& b) { return {a.re + b.re, a.im + b.im}; }
Complex operator-(const Complex& a, const Complex& b) { return {a.re - b.re, a.im - b.im}; }
Complex operator*(const Complex& a, const Complex& b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
Complex operator/(const Complex& a, const Complex& b) {
  const Real size = b.re * b.re + b.im * b.im;
  return {(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
}
Complex Number(double re, double im = 0) { return {Real(re), Real(im)}; }
Complex TimesI(const Complex& z) { return {-z.im, z.re}; }

Real Abs(const Complex& z) { return Sqrt(z.re * z.re + z.im * z.im); }
Real Arg(const Complex& z) { return Real::Apply(mpfr_atan2, z.im, z.re); }
Complex Log(const Complex& z) { return {Log(Abs(z)), Arg(z)}; }
Complex Exp(const Complex& z) {
  const Real size = Exp(z.re);
  return {size * Cos(z.im), size * Sin(z.im)};
}
Complex Sin(const Complex& z) { return {Sin(z.re) * Cosh(z.im), Cos(z.re) * Sinh(z.im)}; }
Complex Cos(const Complex& z) { return {Cos(z.re) * Cosh(z.im), -(Sin(z.re) * Sinh(z.im))}; }
Complex Sinh(const Complex& z) { return {Sinh(z.re) * Cos(z.im), Cosh(z.re) * Sin(z.im)}; }
Complex Cosh(const Complex& z) { return {Cosh(z.re) * Cos(z.im), Sinh(z.re) * Sin(z.im)}; }
Complex Sqrt(const Complex& z) {
  const Complex half = Log(z);
  return Exp({half.re / Real(2), half.im / Real(2)});
}
Complex Asin(const Complex& z) {
  const Complex root = Sqrt(Number(1) - z) * Sqrt(Number(1) + z);
  const Complex y = Log(TimesI(z) + root);
  return {y.im, -y.re};
}
Complex Acosh(const Complex& z) { return Log(z + Sqrt(z - Number(1)) * Sqrt(z + Number(1))); }
Complex Atanh(const Complex& z) {
  const Complex y = Log(Number(1) + z) - Log(Number(1) - z);
  return {y.re / Real(2), y.im / Real(2)};
}
Complex Minus(const Complex& z) { return Number(0) - z; }
Complex Scaled(const Complex& z, const Real& factor) { return {z.re * factor, z.im * factor}; }

struct Function {
  const char* op;
  std::function<Complex(const Complex&, const Complex&)> exact;
  double bound_c64, bound_c128;
  int operands = 1;
};

void PrintTo(const Function& function, std::ostream* out) { *out << function.op; }

std::vector<Function> Functions() {
  const auto unary = [](Complex (*f)(const Complex&)) {
    return [f](const Complex& z, const Complex&) { return f(z); };
  };
  return {
      {"exp", unary(Exp), 0.51, 1.2},
      {"expm1", [](const Complex& z, const Complex&) { return Exp(z) - Number(1); }, 0.51, 1},
      {"exp2", [](const Complex& z, const Complex&) { return Exp(Scaled(z, Log(Real(2)))); }, 0.51, 0.6},
      {"log", unary(Log), 0.51, 1},
      {"log1p", [](const Complex& z, const Complex&) { return Log(Number(1) + z); }, 0.51, 1.5},
      {"log2", [](const Complex& z, const Complex&) { return Scaled(Log(z), Real(1) / Log(Real(2))); }, 0.51, 1.2},
      {"log10", [](const Complex& z, const Complex&) { return Scaled(Log(z), Real(1) / Log(Real(10))); }, 0.51, 1.2},
      {"sqrt", unary(Sqrt), 0.51, 1},
      {"rsqrt", [](const Complex& z, const Complex&) { return Number(1) / Sqrt(z); }, 0.51, 1.5},
      {"sin", unary(Sin), 0.51, 1.5},
      {"cos", unary(Cos), 0.51, 1.5},
      {"tan", [](const Complex& z, const Complex&) { return Sin(z) / Cos(z); }, 0.51, 2.5},
      {"sinh", unary(Sinh), 0.51, 1.5},
      {"cosh", unary(Cosh), 0.51, 1.5},
      {"tanh", [](const Complex& z, const Complex&) { return Sinh(z) / Cosh(z); }, 0.51, 2.5},
      {"asin", unary(Asin), 0.51, 2},
      {"acos",
       [](const Complex& z, const Complex&) {
         const Complex y = Asin(z);
         return Complex{Real::Apply(mpfr_atan2, Real(1), Real(0)) - y.re, -y.im};
       },
       0.51, 2.5},
      {"atan", [](const Complex& z, const Complex&) { return Minus(TimesI(Atanh(TimesI(z)))); }, 0.51, 2},
      {"asinh", [](const Complex& z, const Complex&) { return Minus(TimesI(Asin(TimesI(z)))); }, 0.51, 2},
      {"acosh", unary(Acosh), 0.51, 2.5},
      {"atanh", unary(Atanh), 0.51, 2.5},
      {"logistic", [](const Complex& z, const Complex&) { return Number(1) / (Number(1) + Exp(Minus(z))); }, 0.51, 0.6},
      {"reciprocal", [](const Complex& z, const Complex&) { return Number(1) / z; }, 1.5, 1.5},
      {"integer_pow 3", [](const Complex& z, const Complex&) { return z * z * z; }, 2, 2},
      {"integer_pow -2", [](const Complex& z, const Complex&) { return Number(1) / (z * z); }, 3, 3},
      {"pow", [](const Complex& z, const Complex& w) { return Exp(w * Log(z)); }, 0.51, 0.6, 2},
      {"div", [](const Complex& z, const Complex& w) { return z / w; }, 2, 2, 2},
      {"mul", [](const Complex& z, const Complex& w) { return z * w; }, 1, 1, 2},
  };
}

// Sizes from 2^−30 to 2^30, half of the numbers near an axis, the unit circle or a branch point.
template <class T>
std::vector<std::complex<T>> Arguments(int count, double exponents, uint64_t seed) {
  Samples samples(seed);
  const auto part = [&] { return (2 * samples.Unit() - 1) * std::exp2(exponents * (2 * samples.Unit() - 1)); };
  std::vector<std::complex<T>> z;
  for (int i = 0; i < count; ++i) {
    std::complex<double> value(part(), part());
    switch (i % 8) {
      case 0: value = {value.real(), value.imag() * 0x1p-30}; break;
      case 1: value = std::polar(1 + 0x1p-20 * samples.Unit(), 6.283185307179586 * samples.Unit()); break;
      case 2: value = std::complex<double>(i % 16 < 8 ? 1 : -1, 0) + value * 0x1p-30; break;
      case 3: value = std::complex<double>(0, i % 16 < 8 ? 1 : -1) + value * 0x1p-30; break;
      case 4:
        value =
            std::complex<double>(value.real() * 0x1p-20, 3.141592653589793 * (i % 5 - 2) + 0x1p-20 * samples.Unit());
        break;
      default: break;
    }
    z.emplace_back(static_cast<T>(value.real()), static_cast<T>(value.imag()));
  }
  return z;
}

class ComplexAccuracyTest : public testing::TestWithParam<Function> {
 protected:
  template <class T>
  static void Check(const char* dtype, double bound) {
    const Function& function = GetParam();
    const NamedOp* op = nullptr;
    for (const NamedOp& named : ElementwiseOps()) {
      if (std::string(named.name) == function.op) op = &named;
    }
    const uint8_t code = sizeof(T) == 4 ? kCodeC64 : kCodeC128;
    const auto z = Arguments<T>(3000, 30, 1), w = Arguments<T>(3000, 3, 2);
    std::vector<Complex> exact;
    for (size_t i = 0; i < z.size(); ++i) {
      exact.push_back(function.exact(Number(z[i].real(), z[i].imag()), Number(w[i].real(), w[i].imag())));
    }
    AccuracyRow row(function.op, dtype);
    TileFn before = nullptr;
    for (Isa isa : SupportedIsas()) {
      const TileFn fn = FindTile(isa, op->op, code, code);
      if (fn == std::exchange(before, fn)) {
        row.Repeat();
        continue;
      }
      std::vector<std::complex<T>> got(z.size());
      const void* const in[] = {z.data(), w.data(), nullptr, &op->attribute};
      fn(got.data(), in, static_cast<int64_t>(z.size()));
      double worst = 0;
      std::complex<T> at, with;
      for (size_t i = 0; i < z.size(); ++i) {
        const Real size = Abs(exact[i]);
        // Results that overflow or lose bits to denormals are another test's.
        if (Real(std::numeric_limits<T>::max() / 4) < size || size < Real(std::numeric_limits<T>::min() * 0x1p30)) {
          continue;
        }
        const Complex difference = Number(got[i].real(), got[i].imag()) - exact[i];
        double error = (Abs(difference) / size).ToDouble() / std::numeric_limits<T>::epsilon();
        if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
        if (error > worst) {
          worst = error;
          at = z[i];
          with = w[i];
        }
      }
      const auto text = [](std::complex<T> x) { return Text("%.9g", x.real()) + Text("%+.9gi", x.imag()); };
      row.Add(worst, text(at) + (function.operands == 2 ? ", " + text(with) : ""));
      EXPECT_LE(worst, bound) << function.op << ' ' << dtype << ' ' << std::hexfloat << at << ' ' << with;
    }
    row.Print();
  }
};

TEST_P(ComplexAccuracyTest, C64) { Check<float>("c64", GetParam().bound_c64); }
TEST_P(ComplexAccuracyTest, C128) { Check<double>("c128", GetParam().bound_c128); }

INSTANTIATE_TEST_SUITE_P(Complex, ComplexAccuracyTest, testing::ValuesIn(Functions()), [](const auto& info) {
  std::string name;
  for (const char* c = info.param.op; *c != 0; ++c) {
    if (std::isalnum(static_cast<unsigned char>(*c))) name += *c;
    if (*c == '-') name += "Negative";
  }
  return name;
});

}  // namespace
}  // namespace tenferro
