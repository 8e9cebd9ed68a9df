// Values of the mathematical functions' kernels that accuracy_test does not look at: special values, branch cuts,
// integer powers, neighbours.

#include "tenferro/cpu/kernels/math.h"

#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <random>

#include "gtest/gtest.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/every_kernel.h"
#include "tenferro/runtime/ops/math_records.h"

namespace tenferro {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = std::numbers::pi;

template <class T>
constexpr uint8_t kCode = kCodeF64;
template <>
constexpr uint8_t kCode<float> = kCodeF32;
template <>
constexpr uint8_t kCode<std::complex<float>> = kCodeC64;
template <>
constexpr uint8_t kCode<std::complex<double>> = kCodeC128;
template <>
constexpr uint8_t kCode<int32_t> = kCodeI32;
template <>
constexpr uint8_t kCode<int64_t> = kCodeI64;
template <>
constexpr uint8_t kCode<uint8_t> = kCodeU8;
template <>
constexpr uint8_t kCode<uint32_t> = kCodeU32;
template <>
constexpr uint8_t kCode<uint64_t> = kCodeU64;

template <class T, class To = T>
std::vector<To> Apply(Isa isa, const OpDef& op, const std::vector<T>& x, const std::vector<T>& y = {},
                      int64_t attribute = 0) {
  std::vector<To> out(x.size());
  const void* const in[] = {x.data(), y.data(), nullptr, &attribute};
  FindMath(isa, &op, kCode<T>, kCode<To>)(out.data(), in, static_cast<int64_t>(x.size()));
  return out;
}

// Equal in value and sign of zero, or both NaN.
template <class T>
bool Same(T got, T want) {
  if (std::isnan(want)) return std::isnan(got);
  return got == want && std::signbit(got) == std::signbit(want);
}

class MathTest : public testing::TestWithParam<Isa> {
 protected:
  template <class T = double>
  T One(const OpDef& op, T x, T y = T{}, int64_t attribute = 0) {
    return Apply<T>(GetParam(), op, {x}, {y}, attribute)[0];
  }
  void ExpectUnary(const OpDef& op, std::initializer_list<std::pair<double, double>> values) {
    for (const auto& [x, want] : values) {
      EXPECT_TRUE(Same(One(op, x), want)) << x << " gives " << One(op, x) << ", not " << want;
      const float narrow = One<float>(op, static_cast<float>(x));
      EXPECT_TRUE(Same(narrow, static_cast<float>(want))) << x << " gives " << narrow << " in f32";
    }
  }
  void ExpectBinary(const OpDef& op, std::initializer_list<std::array<double, 3>> values) {
    for (const auto& [x, y, want] : values) {
      EXPECT_TRUE(Same(One(op, x, y), want)) << x << ", " << y << " gives " << One(op, x, y) << ", not " << want;
      const float narrow = One<float>(op, static_cast<float>(x), static_cast<float>(y));
      EXPECT_TRUE(Same(narrow, static_cast<float>(want))) << x << ", " << y << " gives " << narrow << " in f32";
    }
  }
};

TEST_P(MathTest, SpecialValuesOfOneArgument) {
  {
    SCOPED_TRACE("reciprocal");
    ExpectUnary(kReciprocal, {{0, kInfinity}, {-0.0, -kInfinity}, {kInfinity, 0}, {-kInfinity, -0.0}, {kNaN, kNaN}});
  }
  {
    SCOPED_TRACE("exp2");
    ExpectUnary(kExp2, {{0, 1}, {10, 1024}, {kInfinity, kInfinity}, {-kInfinity, 0}, {2000, kInfinity}, {kNaN, kNaN}});
  }
  {
    SCOPED_TRACE("log2");
    ExpectUnary(kLog2, {{0, -kInfinity}, {-0.0, -kInfinity}, {1, 0}, {1024, 10}, {-1, kNaN}, {kInfinity, kInfinity}});
  }
  {
    SCOPED_TRACE("log10");
    ExpectUnary(kLog10, {{0, -kInfinity}, {1, 0}, {1000, 3}, {-1, kNaN}, {kInfinity, kInfinity}, {kNaN, kNaN}});
  }
  {
    SCOPED_TRACE("cbrt");
    ExpectUnary(kCbrt, {{0, 0}, {-0.0, -0.0}, {-27, -3}, {kInfinity, kInfinity}, {-kInfinity, -kInfinity}});
  }
  {
    SCOPED_TRACE("logistic");
    ExpectUnary(kLogistic, {{0, 0.5}, {-0.0, 0.5}, {kInfinity, 1}, {-kInfinity, 0}, {1e4, 1}, {-1e4, 0}, {kNaN, kNaN}});
  }
  {
    SCOPED_TRACE("tan");
    ExpectUnary(kTan, {{0, 0}, {-0.0, -0.0}, {kInfinity, kNaN}, {-kInfinity, kNaN}, {kNaN, kNaN}});
  }
  {
    SCOPED_TRACE("asin");
    ExpectUnary(kAsin, {{0, 0}, {-0.0, -0.0}, {1, kPi / 2}, {-1, -kPi / 2}, {1.5, kNaN}, {kInfinity, kNaN}});
  }
  {
    SCOPED_TRACE("acos");
    ExpectUnary(kAcos, {{1, 0}, {-1, kPi}, {0, kPi / 2}, {-1.5, kNaN}, {kInfinity, kNaN}, {kNaN, kNaN}});
  }
  {
    SCOPED_TRACE("atan");
    ExpectUnary(kAtan, {{0, 0}, {-0.0, -0.0}, {kInfinity, kPi / 2}, {-kInfinity, -kPi / 2}, {kNaN, kNaN}});
  }
  {
    SCOPED_TRACE("asinh");
    ExpectUnary(kAsinh, {{0, 0}, {-0.0, -0.0}, {kInfinity, kInfinity}, {-kInfinity, -kInfinity}, {kNaN, kNaN}});
  }
  {
    SCOPED_TRACE("acosh");
    ExpectUnary(kAcosh, {{1, 0}, {0.5, kNaN}, {-2, kNaN}, {-kInfinity, kNaN}, {kInfinity, kInfinity}, {kNaN, kNaN}});
  }
  {
    SCOPED_TRACE("atanh");
    ExpectUnary(kAtanh, {{0, 0}, {-0.0, -0.0}, {1, kInfinity}, {-1, -kInfinity}, {1.5, kNaN}, {kInfinity, kNaN}});
  }
  {
    SCOPED_TRACE("angle");
    ExpectUnary(kAngle, {{2, 0}, {0, 0}, {-0.0, kPi}, {-3, kPi}, {kInfinity, 0}, {-kInfinity, kPi}, {kNaN, kNaN}});
  }
  {
    SCOPED_TRACE("erf");
    ExpectUnary(kErf, {{0, 0}, {-0.0, -0.0}, {kInfinity, 1}, {-kInfinity, -1}, {30, 1}, {kNaN, kNaN}});
  }
  {
    SCOPED_TRACE("erfc");
    ExpectUnary(kErfc, {{0, 1}, {kInfinity, 0}, {-kInfinity, 2}, {30, 0}, {-30, 2}, {kNaN, kNaN}});
  }
  {
    SCOPED_TRACE("erf_inv");
    ExpectUnary(kErfInv, {{0, 0}, {-0.0, -0.0}, {1, kInfinity}, {-1, -kInfinity}, {1.5, kNaN}, {kNaN, kNaN}});
  }
  {
    SCOPED_TRACE("lgamma");
    ExpectUnary(kLgamma, {{1, 0}, {2, 0}, {0, kInfinity}, {-0.0, kInfinity}, {-3, kInfinity}, {kNaN, kNaN}});
    ExpectUnary(kLgamma, {{kInfinity, kInfinity}, {-kInfinity, kInfinity}});
  }
  {
    SCOPED_TRACE("digamma");
    ExpectUnary(kDigamma, {{0, -kInfinity}, {-0.0, kInfinity}, {-3, kNaN}, {kInfinity, kInfinity}});
    ExpectUnary(kDigamma, {{-kInfinity, kNaN}, {kNaN, kNaN}});
  }
}

TEST_P(MathTest, SpecialValuesOfTwoArguments) {
  {
    SCOPED_TRACE("hypot");
    ExpectBinary(kHypot, {{3, 4, 5}, {0, 0, 0}, {-0.0, -0.0, 0}, {-3, 0, 3}, {kInfinity, kNaN, kInfinity}});
    ExpectBinary(kHypot, {{kNaN, -kInfinity, kInfinity}, {kNaN, 1, kNaN}, {kInfinity, 1, kInfinity}});
    EXPECT_EQ(One(kHypot, 3e300, 4e300), 5e300);
    EXPECT_EQ(One(kHypot, 3 * 0x1p-1070, 4 * 0x1p-1070), 5 * 0x1p-1070);
    EXPECT_EQ(One<float>(kHypot, 3e37f, 4e37f), 5e37f);
  }
  {
    SCOPED_TRACE("log_add_exp");
    ExpectBinary(kLogAddExp, {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}});
    ExpectBinary(kLogAddExp, {{kInfinity, -kInfinity, kInfinity}, {-kInfinity, 2, 2}, {kNaN, 1, kNaN}});
    ExpectBinary(kLogAddExp, {{1000, 1000, 1000 + std::numbers::ln2}, {-kInfinity, kNaN, kNaN}, {1e30, 0, 1e30}});
  }
  {
    SCOPED_TRACE("atan2");
    ExpectBinary(kAtan2, {{0, 1, 0}, {-0.0, 1, -0.0}, {0, -1, kPi}, {-0.0, -1, -kPi}, {0, 0, 0}, {0, -0.0, kPi}});
    ExpectBinary(kAtan2, {{-0.0, 0, -0.0}, {-0.0, -0.0, -kPi}, {1, 0, kPi / 2}, {-1, -0.0, -kPi / 2}});
    ExpectBinary(kAtan2, {{1, kInfinity, 0}, {-1, kInfinity, -0.0}, {1, -kInfinity, kPi}, {kInfinity, 1, kPi / 2}});
    ExpectBinary(kAtan2, {{kInfinity, kInfinity, kPi / 4}, {-kInfinity, -kInfinity, -3 * kPi / 4}, {kNaN, 1, kNaN}});
  }
}

template <class T>
void CheckNeighbours(Isa isa) {
  std::vector<T> x, y;
  std::vector<T> values = {0, -0.0f, 1, -1, 2, 0.1f};
  using Limits = std::numeric_limits<T>;
  for (T value : {Limits::min(), Limits::max(), Limits::denorm_min(), Limits::infinity(), Limits::quiet_NaN()}) {
    values.push_back(value);
    values.push_back(-value);
  }
  for (T a : values) {
    for (T b : values) {
      x.push_back(a);
      y.push_back(b);
    }
  }
  const std::vector<T> got = Apply<T>(isa, kNextAfter, x, y);
  for (size_t i = 0; i < x.size(); ++i) {
    const T want = std::nextafter(x[i], y[i]);
    EXPECT_TRUE(Same(got[i], want)) << x[i] << " towards " << y[i] << " gives " << got[i];
  }
}
TEST_P(MathTest, NextAfterF32) { CheckNeighbours<float>(GetParam()); }
TEST_P(MathTest, NextAfterF64) { CheckNeighbours<double>(GetParam()); }

template <class T>
void CheckIntegerPowers(Isa isa) {
  std::vector<T> x;
  std::mt19937_64 random(3);
  for (int i = 0; i < 400; ++i) x.push_back(static_cast<T>(i < 20 ? i - 10 : random()));
  std::vector<T> want(x.size(), T{1});
  for (int64_t exponent = 0; exponent < 70; ++exponent) {
    ASSERT_EQ(Apply<T>(isa, kIntegerPow, x, {}, exponent), want) << exponent;
    for (size_t i = 0; i < x.size(); ++i) {
      want[i] = static_cast<T>(static_cast<uint64_t>(want[i]) * static_cast<uint64_t>(x[i]));
    }
  }
}
TEST_P(MathTest, IntegerPowersOfIntegersWrap) {
  CheckIntegerPowers<int32_t>(GetParam());
  CheckIntegerPowers<int64_t>(GetParam());
  CheckIntegerPowers<uint8_t>(GetParam());
  CheckIntegerPowers<uint32_t>(GetParam());
  CheckIntegerPowers<uint64_t>(GetParam());
}

TEST_P(MathTest, IntegerPowersOfFloats) {
  std::vector<double> x;
  for (int i = 0; i < 101; ++i) x.push_back(-2.1 + 0.041 * i);
  for (int64_t exponent : {0, 1, 2, 3, 4, 5, 7, 10, 31, 64, -1, -2, -3, -8, -31}) {
    const std::vector<double> got = Apply<double>(GetParam(), kIntegerPow, x, {}, exponent);
    for (size_t i = 0; i < x.size(); ++i) {
      const double want = std::pow(x[i], static_cast<double>(exponent));
      const double bound = static_cast<double>(std::abs(exponent) + 1) / 2 * std::numeric_limits<double>::epsilon();
      EXPECT_NEAR(got[i], want, bound * std::abs(want)) << x[i] << " ^ " << exponent;
    }
  }
  EXPECT_EQ(One(kIntegerPow, kNaN, 0.0, 0), 1) << "also of NaN";
  EXPECT_EQ(One(kIntegerPow, -0.0, 0.0, -1), -kInfinity);
  EXPECT_EQ(One(kIntegerPow, -0.0, 0.0, -2), kInfinity);
  EXPECT_EQ(One(kIntegerPow, -2.0, 0.0, -1060), 0x1p-1060) << "2^1060 is infinite, its inverse is not 0";
  EXPECT_EQ(One(kIntegerPow, 0x1p-1023, 0.0, -1), 0x1p1023) << "a denormal operand";
  EXPECT_EQ(One<float>(kIntegerPow, 0.5f, 0.0f, -127), 0x1p127f);
  EXPECT_EQ(One(kIntegerPow, 2.0, 0.0, std::numeric_limits<int64_t>::min()), 0);
  EXPECT_EQ(One(kIntegerPow, -1.0, 0.0, std::numeric_limits<int64_t>::max()), -1);
}

TEST_P(MathTest, IntegerPowersOfComplexNumbers) {
  using C = std::complex<double>;
  EXPECT_EQ(One<C>(kIntegerPow, C(0, 1), C(), 2), C(-1));
  EXPECT_EQ(One<C>(kIntegerPow, C(0, 1), C(), 1001), C(0, 1));
  EXPECT_EQ(One<C>(kIntegerPow, C(1, 2), C(), 3), C(-11, -2));
  EXPECT_EQ(One<C>(kIntegerPow, C(0, 2), C(), -2), C(-0.25));
  EXPECT_EQ(One<C>(kIntegerPow, C(3, -1), C(), 0), C(1));
  EXPECT_EQ(One<C>(kIntegerPow, C(3, -1), C(), 1), C(3, -1));
  EXPECT_EQ(One<C>(kIntegerPow, C(1e200, 1e200), C(), -2), C(0));
  EXPECT_EQ(One<C>(kReciprocal, C(0, 0.5)), C(0, -2));
  EXPECT_EQ(One<C>(kReciprocal, C(3e300, 0)), C(1 / 3e300));
  std::vector<C> z;
  for (int i = 0; i < 300; ++i) z.emplace_back(std::polar(1.0 + i * 0.01, i * 0.37));
  const std::vector<C> inverses = Apply<C>(GetParam(), kReciprocal, z);
  const std::vector<C> cubes = Apply<C>(GetParam(), kIntegerPow, z, {}, -3);
  for (size_t i = 0; i < z.size(); ++i) {
    ASSERT_LT(std::abs(inverses[i] * z[i] - 1.0), 1e-15);
    ASSERT_LT(std::abs(cubes[i] * z[i] * z[i] * z[i] - 1.0), 4e-15);
  }
}

TEST_P(MathTest, ArgumentsOfComplexNumbers) {
  std::vector<std::complex<double>> z = {{1, 0}, {-1, 0.0}, {-1, -0.0}, {0, 2}, {0, 0}, {-0.0, -0.0}, {-kInfinity, 1}};
  const std::vector<double> got = Apply<std::complex<double>, double>(GetParam(), kAngle, z);
  EXPECT_EQ(got, (std::vector<double>{0, kPi, -kPi, kPi / 2, 0, -kPi, kPi}));
}

INSTANTIATE_TEST_SUITE_P(Isas, MathTest, testing::ValuesIn(SupportedIsas()),
                         [](const auto& info) { return std::string(Name(info.param)); });

// The functions below are the same kernels for every instruction set.
Isa AnyIsa() { return SupportedIsas()[0]; }

struct PolygammaCase {
  int order;
  double x, want;
};
const PolygammaCase kPolygammaCases[] = {
    {1, 1.0, 1.6449340668482264365},         {1, 0.5, 4.9348022005446793094},
    {1, -0.25, 18.541879647671606498},       {1, 1e+300, 9.999999999999999475e-301},
    {2, 1.0, -2.4041138063191885708},        {2, -1.75, -124.21382135423058192},
    {2, -3.125, 1022.2196793127599222},      {3, -2.25, 1558.45502318871434},
    {3, 40.0, 0.000032441400151563500322},   {5, 0.3, 164634.84609922303643},
    {10, -7.125, 31171154632675905.38},      {10, 1000.0, -3.6469772639135140324e-25},
    {60, 2.5, -4.4241956145239480888e+57},   {60, -0.75, -4.4241956091285407352e+118},
    {150, 1.0, -5.7133839564458545905e+262}, {150, 7.0, -1.4031024066105652226e+135},
};
TEST(GammaTest, PolygammaOfAllOrders) {
  for (const PolygammaCase& c : kPolygammaCases) {
    const double got = Apply<double>(AnyIsa(), kPolygamma, {c.x}, {}, c.order)[0];
    EXPECT_NEAR(got / c.want, 1, 4e-16) << c.order << ", " << c.x;
    const float narrow = Apply<float>(AnyIsa(), kPolygamma, {static_cast<float>(c.x)}, {}, c.order)[0];
    const double narrow_want =
        Apply<double>(AnyIsa(), kPolygamma, {static_cast<double>(static_cast<float>(c.x))}, {}, c.order)[0];
    EXPECT_EQ(narrow, static_cast<float>(narrow_want)) << c.order << ", " << c.x;
  }
  const auto special = [](int order, double x) { return Apply<double>(AnyIsa(), kPolygamma, {x}, {}, order)[0]; };
  EXPECT_EQ(special(1, 0), kInfinity);
  EXPECT_EQ(special(1, -2), kInfinity);
  EXPECT_EQ(special(2, 0.0), -kInfinity);
  EXPECT_EQ(special(2, -0.0), kInfinity);
  EXPECT_TRUE(std::isnan(special(2, -2)));
  EXPECT_EQ(special(1, kInfinity), 0);
  EXPECT_TRUE(std::isnan(special(1, -kInfinity)));
  EXPECT_TRUE(std::isnan(special(3, kNaN)));
  EXPECT_EQ(special(170, 1e-10), -kInfinity);
}

// On a cut the sign of the zero part says on which side the argument lies.
struct CutCase {
  const OpDef* op;
  std::complex<double> z, want;
};
const double kLog2Plus = std::log(2 + std::sqrt(3.0));  // acosh(2)
const CutCase kCutCases[] = {
    {&kAsin, {2, 0.0}, {kPi / 2, kLog2Plus}},
    {&kAsin, {2, -0.0}, {kPi / 2, -kLog2Plus}},
    {&kAsin, {-2, 0.0}, {-kPi / 2, kLog2Plus}},
    {&kAsin, {-2, -0.0}, {-kPi / 2, -kLog2Plus}},
    {&kAcos, {2, 0.0}, {0, -kLog2Plus}},
    {&kAcos, {2, -0.0}, {0, kLog2Plus}},
    {&kAcos, {-2, 0.0}, {kPi, -kLog2Plus}},
    {&kAcos, {-2, -0.0}, {kPi, kLog2Plus}},
    {&kAcosh, {-2, 0.0}, {kLog2Plus, kPi}},
    {&kAcosh, {-2, -0.0}, {kLog2Plus, -kPi}},
    {&kAcosh, {0.5, 0.0}, {0, kPi / 3}},
    {&kAcosh, {0.5, -0.0}, {0, -kPi / 3}},
    {&kAsinh, {0.0, 2}, {kLog2Plus, kPi / 2}},
    {&kAsinh, {-0.0, 2}, {-kLog2Plus, kPi / 2}},
    {&kAtanh, {2, 0.0}, {std::log(3) / 2, kPi / 2}},
    {&kAtanh, {2, -0.0}, {std::log(3) / 2, -kPi / 2}},
    {&kAtan, {0.0, 2}, {kPi / 2, std::log(3) / 2}},
    {&kAtan, {-0.0, 2}, {-kPi / 2, std::log(3) / 2}},
    {&kLog2, {-4, 0.0}, {2, kPi / std::log(2)}},
    {&kLog2, {-4, -0.0}, {2, -kPi / std::log(2)}},
    {&kLog10, {-10, 0.0}, {1, kPi / std::log(10)}},
    {&kLog10, {-10, -0.0}, {1, -kPi / std::log(10)}},
};
TEST(ComplexMathTest, BranchCuts) {
  for (const CutCase& c : kCutCases) {
    const std::complex<double> got = Apply<std::complex<double>>(AnyIsa(), *c.op, {c.z})[0];
    EXPECT_NEAR(got.real(), c.want.real(), 1e-15) << c.z;
    EXPECT_NEAR(got.imag(), c.want.imag(), 2e-15) << c.z;
    const std::complex<float> narrow = Apply<std::complex<float>>(AnyIsa(), *c.op, {std::complex<float>(c.z)})[0];
    EXPECT_NEAR(narrow.imag(), c.want.imag(), 1e-6) << c.z;
  }
}

TEST(ComplexMathTest, SpecialValues) {
  using C = std::complex<double>;
  const auto one = [](const OpDef& op, C z) { return Apply<C>(AnyIsa(), op, {z})[0]; };
  EXPECT_EQ(one(kTan, C(1, 400)), C(0, 1));
  EXPECT_EQ(one(kTan, C(kInfinity, kInfinity)).imag(), 1);
  EXPECT_EQ(one(kAsin, C(0, kInfinity)), C(0, kInfinity));
  EXPECT_EQ(one(kAcos, C(kInfinity, 1)), C(0, -kInfinity));
  EXPECT_EQ(one(kAtan, C(kInfinity, kNaN)), C(kPi / 2, 0));
  EXPECT_EQ(one(kAsinh, C(kInfinity, kInfinity)), C(kInfinity, kPi / 4));
  EXPECT_EQ(one(kAcosh, C(-kInfinity, 1)), C(kInfinity, kPi));
  EXPECT_EQ(one(kAtanh, C(1, 0)), C(kInfinity, 0));
  EXPECT_EQ(one(kAtanh, C(0, kInfinity)), C(0, kPi / 2));
  EXPECT_EQ(one(kLog2, C(0, 0)), C(-kInfinity, 0));
  EXPECT_EQ(one(kExp2, C(3, 0)), C(8, 0));
  EXPECT_EQ(one(kExp2, C(-kInfinity, 1)), C(0, 0));
  EXPECT_TRUE(std::isnan(one(kExp2, C(1, kInfinity)).real()));
  EXPECT_EQ(one(kLogistic, C(0, 0)), C(0.5, 0));
  EXPECT_EQ(one(kLogistic, C(kInfinity, 1)), C(1, 0));
  EXPECT_EQ(one(kLogistic, C(-kInfinity, 1)), C(0, 0));
  EXPECT_EQ(one(kLogistic, C(1000, 3)), C(1, 0));
  EXPECT_EQ(one(kLogistic, C(-1000, 3)), C(0, 0));
  EXPECT_TRUE(std::isnan(one(kLogistic, C(kNaN, 0)).real()));
}

}  // namespace
}  // namespace tenferro
