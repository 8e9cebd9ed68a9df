// Values of the c64 and c128 kernels.

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>

#include "gtest/gtest.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/elementwise.h"
#include "tenferro/cpu/kernels/every_kernel.h"

namespace tenferro {
namespace {

using Wide = std::complex<long double>;

template <class T>
constexpr uint8_t kCode = sizeof(T) == 4 ? kCodeC64 : kCodeC128;
template <class T>
constexpr T kInfinity = std::numeric_limits<T>::infinity();
template <class T>
constexpr T kNaN = std::numeric_limits<T>::quiet_NaN();

template <class T>
using Numbers = std::vector<std::complex<T>>;

template <class To, class From>
std::vector<To> Apply(Isa isa, const char* op, uint8_t from, uint8_t to, const std::vector<From>& x,
                      const std::vector<From>& y = {}) {
  std::vector<To> out(x.size());
  const void* const in[] = {x.data(), y.data()};
  FindElementwise(isa, OpNamed(op), from, to)(out.data(), in, static_cast<int64_t>(x.size()));
  return out;
}
template <class T>
Numbers<T> Apply(Isa isa, const char* op, const Numbers<T>& x, const Numbers<T>& y = {}) {
  return Apply<std::complex<T>>(isa, op, kCode<T>, kCode<T>, x, y);
}
template <class T>
std::complex<T> One(Isa isa, const char* op, std::complex<T> x, std::complex<T> y = 0) {
  return Apply<T>(isa, op, Numbers<T>{x}, Numbers<T>{y})[0];
}

// |got - expected|/|expected| in units of T's epsilon: the error as a vector of the plane.
template <class T>
double Error(std::complex<T> got, Wide expected) {
  const long double size = std::max<long double>(std::abs(expected), std::numeric_limits<T>::min());
  return static_cast<double>(std::abs(Wide(got.real(), got.imag()) - expected) / size /
                             std::numeric_limits<T>::epsilon());
}

// Sizes from 2^-range to 2^range.
template <class T>
Numbers<T> Random(int count, double range, uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto unit = [&] { return static_cast<double>(random() >> 11) / 0x1p52 - 1; };
  Numbers<T> values;
  for (int i = 0; i < count; ++i) {
    const double size = std::exp2(range * unit());
    values.emplace_back(static_cast<T>(size * unit()), static_cast<T>(size * unit()));
  }
  return values;
}

class ComplexTest : public testing::TestWithParam<Isa> {
 protected:
  template <class T>
  void CheckArithmetic() {
    const Isa isa = GetParam();
    const Numbers<T> x = Random<T>(2000, 10, 1), y = Random<T>(2000, 10, 2);
    const auto sum = Apply<T>(isa, "add", x, y), difference = Apply<T>(isa, "sub", x, y),
               product = Apply<T>(isa, "mul", x, y);
    const auto negative = Apply<T>(isa, "neg", x), conjugate = Apply<T>(isa, "conj", x),
               square = Apply<T>(isa, "square", x);
    const auto swapped = Apply<T>(isa, "mul", y, x);
    const auto squares = Apply<T>(isa, "mul", x, conjugate);
    for (size_t i = 0; i < x.size(); ++i) {
      const T a = x[i].real(), b = x[i].imag(), c = y[i].real(), d = y[i].imag();
      ASSERT_EQ(sum[i], x[i] + y[i]);
      ASSERT_EQ(difference[i], x[i] - y[i]);
      ASSERT_EQ(negative[i], -x[i]);
      ASSERT_EQ(conjugate[i], std::conj(x[i]));
      const volatile T ac = a * c, bd = b * d, ad = a * d, bc = b * c, aa = a * a, bb = b * b, ab = a * b;
      ASSERT_EQ(product[i], std::complex<T>(ac - bd, bc + ad));
      ASSERT_EQ(square[i], std::complex<T>(aa - bb, ab + ab));
      ASSERT_EQ(swapped[i], product[i]);
      ASSERT_EQ(squares[i], std::complex<T>(aa + bb, 0));
    }
  }

  template <class T>
  void CheckQuotients(double range) {
    const Numbers<T> x = Random<T>(4000, range, 3), y = Random<T>(4000, range, 4);
    const Numbers<T> q = Apply<T>(GetParam(), "div", x, y);
    for (size_t i = 0; i < x.size(); ++i) {
      const Wide expected = Wide(x[i]) / Wide(y[i]);
      if (std::abs(expected) > std::numeric_limits<T>::max() / 2) continue;
      ASSERT_LE(Error(q[i], expected), 4) << x[i] << " / " << y[i] << " = " << q[i];
      const std::complex<T> one = One<T>(GetParam(), "div", y[i], y[i]);
      ASSERT_EQ(one, std::complex<T>(1)) << y[i];
    }
  }

  template <class T>
  void CheckSizes(double range) {
    const Numbers<T> z = Random<T>(4000, range, 5);
    const uint8_t real = kCode<T> == kCodeC64 ? kCodeF32 : kCodeF64;
    const std::vector<T> size = Apply<T>(GetParam(), "abs", kCode<T>, real, z);
    const Numbers<T> sign = Apply<T>(GetParam(), "sign", z);
    for (size_t i = 0; i < z.size(); ++i) {
      const long double expected = std::abs(Wide(z[i]));
      ASSERT_LE(Error<T>(size[i], expected), 1.01) << z[i];
      ASSERT_LE(Error(sign[i], Wide(z[i]) / expected), 2) << z[i];
    }
  }
};

TEST_P(ComplexTest, ArithmeticC64) { CheckArithmetic<float>(); }
TEST_P(ComplexTest, ArithmeticC128) { CheckArithmetic<double>(); }

TEST_P(ComplexTest, QuotientsC64) {
  CheckQuotients<float>(5);
  CheckQuotients<float>(120);
}
TEST_P(ComplexTest, QuotientsC128) {
  CheckQuotients<double>(5);
  CheckQuotients<double>(1015);
}

TEST_P(ComplexTest, SizesC64) {
  CheckSizes<float>(5);
  CheckSizes<float>(120);
}
TEST_P(ComplexTest, SizesC128) {
  CheckSizes<double>(5);
  CheckSizes<double>(1015);
}

TEST_P(ComplexTest, QuotientsAtTheEndsOfTheRange) {
  using C = std::complex<double>;
  const double max = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
  const auto divide = [&](C a, C b) { return One<double>(GetParam(), "div", a, b); };
  EXPECT_EQ(divide(C(max, max), C(max, max)), C(1));
  EXPECT_EQ(divide(C(tiny, tiny), C(tiny, tiny)), C(1));
  EXPECT_EQ(divide(C(tiny, 0), C(0, tiny)), C(0, -1));
  EXPECT_EQ(divide(C(0x1p-100, 0), C(0, tiny)), C(0, -0x1p974));
  EXPECT_EQ(divide(C(0, max), C(0, 0x1p1023)), C(max * 0x1p-1023));
  EXPECT_EQ(divide(C(0x1p1000, 0), C(0x1p-200, 0x1p500)).real(), 0x1p-200);  // cos of a very small angle: not lost
  // Part by part for a real divisor.
  EXPECT_EQ(divide(C(1, 2), C(3, 0)), C(1.0 / 3, 2.0 / 3));
}

TEST_P(ComplexTest, QuotientsOfInfinitiesAndZeros) {
  using C = std::complex<double>;
  const double inf = kInfinity<double>;
  const auto divide = [&](C a, C b) { return One<double>(GetParam(), "div", a, b); };
  EXPECT_EQ(divide(C(1, 1), C(0, 0)), C(inf, inf));
  EXPECT_EQ(divide(C(1, 1), C(-0.0, 0)), C(-inf, -inf));
  EXPECT_EQ(divide(C(1, 2), C(inf, 0)), C(0, 0));
  EXPECT_EQ(divide(C(1, 2), C(inf, inf)), C(0, 0));
  EXPECT_EQ(divide(C(1, 2), C(3, inf)), C(0, 0));
  EXPECT_EQ(divide(C(1, 2), C(inf, kNaN<double>)), C(0, 0));
  EXPECT_EQ(divide(C(inf, 0), C(1, 1)), C(inf, -inf));
  EXPECT_EQ(divide(C(inf, inf), C(1, 1)).real(), inf);
  EXPECT_TRUE(std::isnan(divide(C(0, 0), C(0, 0)).real()));
  EXPECT_TRUE(std::isnan(divide(C(kNaN<double>, 1), C(1, 1)).real()));
  EXPECT_TRUE(std::isnan(divide(C(inf, inf), C(inf, inf)).real()));
}

TEST_P(ComplexTest, SizesOfSpecialNumbers) {
  using C = std::complex<double>;
  const auto size = [&](C z) { return Apply<double>(GetParam(), "abs", kCodeC128, kCodeF64, std::vector<C>{z})[0]; };
  const double inf = kInfinity<double>, nan = kNaN<double>;
  EXPECT_EQ(size(C(3, -4)), 5);
  EXPECT_EQ(size(C(-inf, nan)), inf);
  EXPECT_EQ(size(C(nan, inf)), inf);
  EXPECT_TRUE(std::isnan(size(C(nan, 1))));
  EXPECT_EQ(size(C(0, 0)), 0);
  EXPECT_EQ(One<double>(GetParam(), "sign", C(0, 0)), C(0, 0));
  EXPECT_EQ(One<double>(GetParam(), "sign", C(0, -3)), C(0, -1));
  EXPECT_EQ(One<double>(GetParam(), "sign", C(3e300, 4e300)), C(0.6, 0.8));
  EXPECT_TRUE(std::isnan(One<double>(GetParam(), "sign", C(nan, 1)).real()));
}

TEST_P(ComplexTest, ComparesBothParts) {
  const Numbers<double> x = {{1, 2}, {1, 2}, {1, 2}, {kNaN<double>, 0}, {0.0, 0}};
  const Numbers<double> y = {{1, 2}, {1, 3}, {2, 2}, {kNaN<double>, 0}, {-0.0, 0}};
  EXPECT_EQ(Apply<uint8_t>(GetParam(), "eq", kCodeC128, kCodeBool, x, y), (std::vector<uint8_t>{1, 0, 0, 0, 1}));
  EXPECT_EQ(Apply<uint8_t>(GetParam(), "ne", kCodeC128, kCodeBool, x, y), (std::vector<uint8_t>{0, 1, 1, 1, 0}));
}

TEST_P(ComplexTest, TakesPartsAndPutsThemTogether) {
  const Numbers<float> z = Random<float>(100, 3, 6);
  const std::vector<float> re = Apply<float>(GetParam(), "real", kCodeC64, kCodeF32, z);
  const std::vector<float> im = Apply<float>(GetParam(), "imag", kCodeC64, kCodeF32, z);
  for (size_t i = 0; i < z.size(); ++i) {
    ASSERT_EQ(re[i], z[i].real());
    ASSERT_EQ(im[i], z[i].imag());
  }
  EXPECT_EQ(Apply<std::complex<float>>(GetParam(), "make_complex", kCodeF32, kCodeC64, re, im), z);
}

INSTANTIATE_TEST_SUITE_P(Isas, ComplexTest, testing::ValuesIn(SupportedIsas()),
                         [](const auto& info) { return std::string(Name(info.param)); });

// The functions are the same kernels for every instruction set.
Isa AnyIsa() { return SupportedIsas()[0]; }

struct FunctionCase {
  const char* op;
  Wide (*reference)(Wide);
};

Wide Expm1(Wide z) {
  const long double s = std::sin(z.imag() / 2);
  return {std::expm1(z.real()) * std::cos(z.imag()) - 2 * s * s, std::exp(z.real()) * std::sin(z.imag())};
}
Wide Log1p(Wide z) {
  if (std::abs(z) > 0.1L) return std::log(Wide(1) + z);
  return {std::log1p(z.real() * (2 + z.real()) + z.imag() * z.imag()) / 2, std::atan2(z.imag(), 1 + z.real())};
}

const FunctionCase kFunctions[] = {
    {"exp", [](Wide z) { return std::exp(z); }},
    {"expm1", Expm1},
    {"log", [](Wide z) { return std::log(z); }},
    {"log1p", Log1p},
    {"sin", [](Wide z) { return std::sin(z); }},
    {"cos", [](Wide z) { return std::cos(z); }},
    {"tanh", [](Wide z) { return std::tanh(z); }},
    {"sinh", [](Wide z) { return std::sinh(z); }},
    {"cosh", [](Wide z) { return std::cosh(z); }},
    {"sqrt", [](Wide z) { return std::sqrt(z); }},
    {"rsqrt", [](Wide z) { return Wide(1) / std::sqrt(z); }},
};

template <class T>
void CheckFunctions() {
  for (double range : {2.0, 6.0, 40.0}) {
    const Numbers<T> z = Random<T>(3000, range, 8);
    for (const FunctionCase& op : kFunctions) {
      const Numbers<T> y = Apply<T>(AnyIsa(), op.op, z);
      for (size_t i = 0; i < z.size(); ++i) {
        const Wide expected = op.reference(Wide(z[i]));
        if (!(std::abs(expected) < std::numeric_limits<T>::max() / 4)) continue;
        ASSERT_LE(Error(y[i], expected), 3) << op.op << z[i] << " = " << y[i];
      }
    }
  }
}
TEST(ComplexFunctionTest, C64) { CheckFunctions<float>(); }
TEST(ComplexFunctionTest, C128) { CheckFunctions<double>(); }

TEST(ComplexFunctionTest, SmallArgumentsKeepTheirDigits) {
  using C = std::complex<double>;
  for (const C z : {C(1e-20, 0), C(0, 1e-20), C(1e-20, -1e-9), C(-1e-10, 1e-5)}) {
    EXPECT_NEAR(One<double>(AnyIsa(), "expm1", z).real() / static_cast<double>(Expm1(Wide(z)).real()), 1, 1e-14) << z;
    EXPECT_NEAR(One<double>(AnyIsa(), "expm1", z).imag(), z.imag(), 2e-10 * std::abs(z.imag())) << z;
  }
  EXPECT_EQ(One<double>(AnyIsa(), "log1p", C(1e-20, 0)), C(1e-20, 0));
  // |1 + z| is nearly 1: 2x and y² cancel.
  const double x = -0x1p-41, y = 0x1p-20;
  const long double excess =
      2 * static_cast<long double>(x) + static_cast<long double>(x) * x + static_cast<long double>(y) * y;
  EXPECT_NEAR(One<double>(AnyIsa(), "log1p", C(x, y)).real() / static_cast<double>(std::log1p(excess) / 2), 1, 1e-14);
}

TEST(ComplexFunctionTest, Powers) {
  using C = std::complex<double>;
  const auto power = [](C z, C w) { return One<double>(AnyIsa(), "pow", z, w); };
  EXPECT_EQ(power(C(0, 1), C(2)), C(-1));
  EXPECT_EQ(power(C(1, 2), C(3)), C(-11, -2));
  EXPECT_EQ(power(C(0, 2), C(-2)), C(-0.25));
  EXPECT_EQ(power(C(0), C(0)), C(1));
  EXPECT_EQ(power(C(0), C(0.5, 3)), C(0));
  EXPECT_EQ(power(C(0x1p40, 0), C(26)), C(kInfinity<double>, 0)) << "overflow keeps the zero part";
  const Numbers<double> z = Random<double>(2000, 6, 11), w = Random<double>(2000, 5, 12);
  const Numbers<double> y = Apply<double>(AnyIsa(), "pow", z, w);
  for (size_t i = 0; i < z.size(); ++i) {
    const Wide expected = std::exp(Wide(w[i]) * std::log(Wide(z[i])));
    if (!(std::abs(expected) < 1e300)) continue;
    ASSERT_LE(Error(y[i], expected), 2) << z[i] << " ^ " << w[i];
  }
}

}  // namespace
}  // namespace tenferro
