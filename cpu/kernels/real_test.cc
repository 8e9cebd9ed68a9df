// Values of the f32 and f64 kernels against the C library in long double.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>

#include "gtest/gtest.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/elementwise.h"
#include "tenferro/cpu/kernels/every_kernel.h"
#include "tenferro/cpu/kernels/guarded_memory.h"

namespace tenferro {
namespace {

using Wide = long double;

template <class T>
constexpr uint8_t kCode = sizeof(T) == 4 ? kCodeF32 : kCodeF64;

// Distance in units of the last place that `expected` has in T. 0 for equal values and two NaN; infinite for a wrong
// NaN, infinity or sign of zero.
template <class T>
double Ulps(T got, Wide expected) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  const T rounded = static_cast<T>(expected);
  if (std::isnan(rounded) || std::isnan(got)) return std::isnan(rounded) && std::isnan(got) ? 0 : kFar;
  if (rounded == got) return std::signbit(rounded) == std::signbit(got) ? 0 : kFar;
  if (std::isinf(rounded) || std::isinf(got)) return kFar;
  using Limits = std::numeric_limits<T>;
  const int exponent = std::max(std::ilogb(expected) + 1, Limits::min_exponent);
  return static_cast<double>(std::abs(static_cast<Wide>(got) - expected) /
                             std::ldexp(Wide{1}, exponent - Limits::digits));
}

template <class T>
std::vector<T> SpecialValues() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {0,      1,         2,         3,    10,    11,     0.5,      0.3,      1e-20,
                           1e20,   15,        14.9,      15.1, 1e5,   39000,  125,      124,      20,
                           300,    1023,      1024,      700,  709,   709.78, 709.79,   710,      710.4,
                           710.47, 711,       745,       746,  708.5, 1074,   1075,     88,       88.72,
                           88.73,  89,        89.4,      89.5, 103,   104,    149,      150,      127,
                           128,    0.9999999, 1.0000001, 1.1,  1e14,  9.9e13, 1e15 + 1, 16777215, 9007199254740991.0,
                           1e22,   1e37,      2e37,      3e38};
  if constexpr (sizeof(T) == 8) values.insert(values.end(), {1e300, 1e307, 1.5e308});
  values.insert(values.end(),
                {Limits::max(), Limits::min(), Limits::denorm_min(), Limits::infinity(), Limits::quiet_NaN()});
  const size_t count = values.size();
  for (size_t i = 0; i < count; ++i) values.push_back(-values[i]);
  return values;
}

// Arguments of every size, and many of ordinary size.
template <class T>
std::vector<T> Arguments(int count) {
  std::mt19937_64 random(7);
  std::vector<T> values = SpecialValues<T>();
  for (int i = 0; i < count; ++i) {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    const double unit = static_cast<double>(random() >> 11) / 0x1p53;
    const T x = i % 3 == 0
                    ? std::bit_cast<T>(static_cast<Bits>(random()))
                    : static_cast<T>((random() % 2 ? unit : -unit) * std::exp2(static_cast<int>(random() % 50) - 40));
    values.push_back(std::isnan(x) ? T{1} : x);
  }
  return values;
}

template <class T>
std::vector<T> Apply(Isa isa, const char* op, const std::vector<T>& x, const std::vector<T>& y = {}) {
  const TileFn fn = FindElementwise(isa, OpNamed(op), kCode<T>, kCode<T>);
  std::vector<T> out(x.size());
  const void* const in[] = {x.data(), y.data()};
  fn(out.data(), in, static_cast<int64_t>(x.size()));
  return out;
}

struct UnaryCase {
  const char* op;
  Wide (*reference)(Wide);
  double ulps;
};

// 0: correctly rounded. The functions are SLEEF's u10, whose 1.0 holds up to a few thousandths; sinh and cosh lose up
// to half an ULP more in the last octave before they overflow.
const UnaryCase kUnary[] = {
    {"neg", [](Wide x) { return -x; }, 0},
    {"abs", [](Wide x) { return std::abs(x); }, 0},
    {"sqrt", [](Wide x) { return std::sqrt(x); }, 0.5},
    {"rsqrt", [](Wide x) { return 1 / std::sqrt(x); }, 1.5},
    {"square", [](Wide x) { return x * x; }, 0.5},
    {"sign", [](Wide x) { return x > 0   ? 1
                                 : x < 0 ? -1
                                         : x; }, 0},
    {"conj", [](Wide x) { return x; }, 0},
    {"real", [](Wide x) { return x; }, 0},
    {"exp", [](Wide x) { return std::exp(x); }, 1.01},
    {"expm1", [](Wide x) { return std::expm1(x); }, 1.01},
    {"log", [](Wide x) { return std::log(x); }, 1.01},
    {"log1p", [](Wide x) { return std::log1p(x); }, 1.01},
    {"sin", [](Wide x) { return std::sin(x); }, 1.01},
    {"cos", [](Wide x) { return std::cos(x); }, 1.01},
    {"tanh", [](Wide x) { return std::tanh(x); }, 1.9},
    {"sinh", [](Wide x) { return std::sinh(x); }, 1.5},
    {"cosh", [](Wide x) { return std::cosh(x); }, 1.5},
};

struct BinaryCase {
  const char* op;
  Wide (*reference)(Wide, Wide);
  double ulps;
};

Wide Maximum(Wide a, Wide b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<Wide>::quiet_NaN();
  return a > b || (a == b && std::signbit(b)) ? a : b;
}

// A long double holds the sum of two f64 up to a double rounding: 0.5 and a little.
const BinaryCase kBinary[] = {
    {"add", [](Wide a, Wide b) { return a + b; }, 0.501},
    {"sub", [](Wide a, Wide b) { return a - b; }, 0.501},
    {"mul", [](Wide a, Wide b) { return a * b; }, 0.501},
    {"div", [](Wide a, Wide b) { return a / b; }, 0.501},
    {"max", Maximum, 0},
    {"min", [](Wide a, Wide b) { return -Maximum(-a, -b); }, 0},
    {"pow", [](Wide a, Wide b) { return std::pow(a, b); }, 1.01},
};

class RealTest : public testing::TestWithParam<Isa> {
 protected:
  template <class T>
  void CheckUnary() {
    const std::vector<T> x = Arguments<T>(30000);
    for (const UnaryCase& op : kUnary) {
      const std::vector<T> y = Apply<T>(GetParam(), op.op, x);
      for (size_t i = 0; i < x.size(); ++i) {
        ASSERT_LE(Ulps(y[i], op.reference(x[i])), op.ulps)
            << op.op << '(' << std::hexfloat << x[i] << ") = " << y[i] << std::defaultfloat << ", f" << 8 * sizeof(T);
      }
    }
  }

  template <class T>
  void CheckBinary() {
    std::vector<T> x, y;
    for (T a : SpecialValues<T>()) {
      for (T b : SpecialValues<T>()) {
        x.push_back(a);
        y.push_back(b);
      }
    }
    std::mt19937_64 random(5);
    const std::vector<T> some = Arguments<T>(10000);
    for (T a : some) {
      x.push_back(a);
      y.push_back(some[random() % some.size()]);
    }
    for (const BinaryCase& op : kBinary) {
      const std::vector<T> z = Apply<T>(GetParam(), op.op, x, y);
      for (size_t i = 0; i < x.size(); ++i) {
        ASSERT_LE(Ulps(z[i], op.reference(x[i], y[i])), op.ulps)
            << op.op << '(' << std::hexfloat << x[i] << ", " << y[i] << ") = " << z[i] << std::defaultfloat << ", f"
            << 8 * sizeof(T);
      }
    }
  }

  template <class T>
  void CheckComparisons() {
    std::vector<T> x, y;
    for (T a : SpecialValues<T>()) {
      for (T b : SpecialValues<T>()) {
        x.push_back(a);
        y.push_back(b);
      }
    }
    const void* const in[] = {x.data(), y.data()};
    std::vector<uint8_t> out(x.size());
    const auto check = [&](const char* op, bool (*reference)(T, T)) {
      FindElementwise(GetParam(), OpNamed(op), kCode<T>, kCodeBool)(out.data(), in, static_cast<int64_t>(x.size()));
      for (size_t i = 0; i < x.size(); ++i)
        ASSERT_EQ(out[i], reference(x[i], y[i])) << x[i] << ' ' << op << ' ' << y[i];
    };
    check("eq", [](T a, T b) { return a == b; });
    check("ne", [](T a, T b) { return a != b; });
    check("lt", [](T a, T b) { return a < b; });
    check("le", [](T a, T b) { return a <= b; });
    check("gt", [](T a, T b) { return a > b; });
    check("ge", [](T a, T b) { return a >= b; });
  }
};

TEST_P(RealTest, UnaryF32) { CheckUnary<float>(); }
TEST_P(RealTest, UnaryF64) { CheckUnary<double>(); }
TEST_P(RealTest, BinaryF32) { CheckBinary<float>(); }
TEST_P(RealTest, BinaryF64) { CheckBinary<double>(); }
TEST_P(RealTest, ComparisonsF32) { CheckComparisons<float>(); }
TEST_P(RealTest, ComparisonsF64) { CheckComparisons<double>(); }

// A kernel of two operations writes what the kernels of each write, in place too.
TEST_P(RealTest, SineAndCosineTogether) {
  const TileFn pair = FindElementwisePair(GetParam(), OpNamed("sin"), OpNamed("cos"), kCode<double>);
  ASSERT_EQ(pair == nullptr, GetParam() == Isa::kV2);
  if (pair == nullptr) return;
  EXPECT_EQ(FindElementwisePair(GetParam(), OpNamed("cos"), OpNamed("sin"), kCode<double>), nullptr);
  EXPECT_EQ(FindElementwisePair(GetParam(), OpNamed("sin"), OpNamed("cos"), kCode<float>), nullptr);
  const std::vector<double> all = Arguments<double>(30000);
  for (size_t length : {size_t{1}, size_t{63}, size_t{64}, size_t{200}, all.size()}) {
    const std::vector<double> x(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(length));
    const std::vector<double> sine = Apply<double>(GetParam(), "sin", x), cosine = Apply<double>(GetParam(), "cos", x);
    const auto same = [length](const std::vector<double>& a, const std::vector<double>& b) {
      return std::memcmp(a.data(), b.data(), length * sizeof(double)) == 0;
    };
    std::vector<double> first(length), second(length);
    const auto run = [&](const std::vector<double>& from) {
      const void* const in[] = {from.data(), second.data()};
      pair(first.data(), in, static_cast<int64_t>(length));
    };
    run(x);
    EXPECT_TRUE(same(first, sine) && same(second, cosine));
    first = x;
    run(first);
    EXPECT_TRUE(same(first, sine) && same(second, cosine));
    second = x;
    run(second);
    EXPECT_TRUE(same(first, sine) && same(second, cosine));
  }
}

TEST_P(RealTest, SineAndCosineTogetherTouchNoPageBesideTheirElements) {
  const TileFn pair = FindElementwisePair(GetParam(), OpNamed("sin"), OpNamed("cos"), kCode<double>);
  ASSERT_EQ(pair == nullptr, GetParam() == Isa::kV2);
  if (pair == nullptr) return;
  // Among them some that need the library.
  const std::vector<double> all = Arguments<double>(130);
  const std::vector<double> sine = Apply<double>(GetParam(), "sin", all), cosine = Apply<double>(GetParam(), "cos", all);
  for (size_t length = 0; length <= 130; ++length) {
    for (const bool guard_end : {false, true}) {
      const size_t bytes = length * sizeof(double);
      const auto memory = [&] { return GuardedMemory(static_cast<int64_t>(bytes), guard_end); };
      const GuardedMemory x = memory(), first = memory(), second = memory();
      std::memcpy(x.data(), all.data(), bytes);
      const void* const in[] = {x.data(), second.data()};
      pair(first.data(), in, static_cast<int64_t>(length));
      EXPECT_EQ(std::memcmp(first.data(), sine.data(), bytes), 0) << length;
      EXPECT_EQ(std::memcmp(second.data(), cosine.data(), bytes), 0) << length;
    }
  }
}

// Results just below the largest number, where SLEEF's own functions already answer infinity.
TEST_P(RealTest, ReachesTheLargestNumbers) {
  std::vector<double> x, one, two;
  for (int i = 1; i <= 1000; ++i) {
    x.push_back(std::numeric_limits<double>::max() * (1 - i * 1e-12));
    one.push_back(1);
    two.push_back(2);
  }
  EXPECT_EQ(Apply<double>(GetParam(), "pow", x, one), x);
  std::vector<double> roots, large;
  for (double value : x) {
    roots.push_back(std::sqrt(value));
    large.push_back(std::log(value) + std::log(2.0));
  }
  const std::vector<double> powers = Apply<double>(GetParam(), "pow", roots, two);
  const std::vector<double> sinh = Apply<double>(GetParam(), "sinh", large);
  for (size_t i = 0; i < x.size(); ++i) {
    ASSERT_LE(Ulps(powers[i], std::pow(static_cast<Wide>(roots[i]), Wide{2})), 2.0) << roots[i];
    ASSERT_LE(Ulps(sinh[i], std::sinh(static_cast<Wide>(large[i]))), 1.5) << large[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Isas, RealTest, testing::ValuesIn(SupportedIsas()),
                         [](const auto& info) { return std::string(Name(info.param)); });

}  // namespace
}  // namespace tenferro
