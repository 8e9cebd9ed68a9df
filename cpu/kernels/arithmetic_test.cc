// Values of the arithmetic family's kernels against definitions in wider or plainer arithmetic.

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

#include "gtest/gtest.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/every_kernel.h"

namespace tenferro {
namespace {

template <class T>
constexpr uint8_t kCode = std::is_same_v<T, float>      ? kCodeF32
                          : std::is_same_v<T, double>   ? kCodeF64
                          : std::is_same_v<T, int32_t>  ? kCodeI32
                          : std::is_same_v<T, int64_t>  ? kCodeI64
                          : std::is_same_v<T, uint8_t>  ? kCodeU8
                          : std::is_same_v<T, uint32_t> ? kCodeU32
                                                        : kCodeU64;

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

// Equal bits, or both NaN.
template <class T>
bool Same(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<BitsOf<T>>(a) == std::bit_cast<BitsOf<T>>(b);
}

template <class T>
std::vector<T> SpecialValues() {
  using Limits = std::numeric_limits<T>;
  const T last = Limits::epsilon();
  std::vector<T> values = {0,
                           T(0.5),
                           T(0.5) - last / 4,
                           T(0.5) + last / 2,
                           1,
                           1 - last / 2,
                           T(1.5),
                           2,
                           T(2.5),
                           3,
                           7,
                           T(0.1),
                           T(0.3),
                           T(1e-20),
                           T(1e20),
                           1 / last,
                           1 / last + 1,
                           T(0.5) / last,
                           T(0.5) / last + T(0.5),
                           T(0.5) / last - T(0.5),
                           2 / last,
                           2 / last - 1,
                           Limits::max(),
                           Limits::min(),
                           Limits::denorm_min(),
                           3 * Limits::denorm_min(),
                           Limits::infinity(),
                           Limits::quiet_NaN()};
  const size_t count = values.size();
  for (size_t i = 0; i < count; ++i) values.push_back(-values[i]);
  return values;
}

// Special values, then numbers of any bits, then of ordinary size with some halves.
template <class T>
std::vector<T> Arguments(int count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values = SpecialValues<T>();
  for (int i = 0; i < count; ++i) {
    const double unit = static_cast<double>(random() >> 11) / 0x1p53 - 0.5;
    const T any = std::bit_cast<T>(static_cast<BitsOf<T>>(random()));
    const T ordinary = static_cast<T>(unit * std::exp2(static_cast<int>(random() % 60) - 10));
    values.push_back(i % 4 == 0 ? any : i % 4 == 1 ? std::trunc(ordinary) + T(0.5) : ordinary);
  }
  return values;
}

template <class To, class... From>
std::vector<To> Apply(Isa isa, const char* op, uint8_t from, uint8_t to, const std::vector<From>&... operands) {
  const void* const in[] = {operands.data()...};
  const size_t size = std::min({operands.size()...});
  std::vector<To> out(size);
  FindTile(isa, OpNamed(op), from, to)(out.data(), in, static_cast<int64_t>(size));
  return out;
}

class RealArithmeticTest : public testing::TestWithParam<Isa> {
 protected:
  template <class T>
  void CheckRounding() {
    const std::vector<T> x = Arguments<T>(20000, 1);
    const auto check = [&](const char* op, T (*reference)(T)) {
      const std::vector<T> y = Apply<T>(GetParam(), op, kCode<T>, kCode<T>, x);
      for (size_t i = 0; i < x.size(); ++i) {
        ASSERT_TRUE(Same(y[i], reference(x[i]))) << op << '(' << std::hexfloat << x[i] << ") = " << y[i];
      }
    };
    check("floor", [](T v) { return std::floor(v); });
    check("ceil", [](T v) { return std::ceil(v); });
    check("trunc", [](T v) { return std::trunc(v); });
    check("round", [](T v) { return std::nearbyint(v); });
    check("round_half_away", [](T v) { return std::round(v); });
    const std::vector<uint8_t> negative = Apply<uint8_t>(GetParam(), "sign_bit", kCode<T>, kCodeBool, x);
    for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(negative[i], std::signbit(x[i])) << x[i];
  }

  template <class T>
  static T PythonMod(T a, T b) {
    const T rest = std::fmod(a, b);
    if (rest == 0) return std::copysign(rest, b);
    return std::signbit(rest) != std::signbit(b) && !std::isnan(rest) ? rest + b : rest;
  }

  // CPython's float_divmod.
  template <class T>
  static T PythonFloorDivide(T a, T b) {
    if (b == 0) return a / b;
    const T rest = std::fmod(a, b);
    T quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
    if (quotient == 0) return std::copysign(T(0), a / b);
    const T below = std::floor(quotient);
    return quotient - below > T(0.5) ? below + 1 : below;
  }

  template <class T>
  void CheckDivision() {
    std::vector<T> a, b;
    for (T x : SpecialValues<T>()) {
      for (T y : SpecialValues<T>()) {
        a.push_back(x);
        b.push_back(y);
      }
    }
    const std::vector<T> x = Arguments<T>(20000, 2), y = Arguments<T>(20000, 3);
    a.insert(a.end(), x.begin(), x.end());
    b.insert(b.end(), y.begin(), y.end());
    // Multiples of the divisor and their neighbours, where a rounded quotient is one too large.
    std::mt19937_64 random(4);
    for (int i = 0; i < 20000; ++i) {
      const T divisor = static_cast<T>(0.1 + static_cast<double>(random() >> 11) / 0x1p53);
      const T multiple = divisor * static_cast<T>(random() >> (40 + random() % 24));
      a.push_back(i % 3 == 0 ? multiple : std::nextafter(multiple, i % 3 == 1 ? T(0) : T(1e30)));
      b.push_back(i % 2 ? divisor : -divisor);
    }
    const auto check = [&](const char* op, T (*reference)(T, T)) {
      const std::vector<T> c = Apply<T>(GetParam(), op, kCode<T>, kCode<T>, a, b);
      for (size_t i = 0; i < a.size(); ++i) {
        ASSERT_TRUE(Same(c[i], reference(a[i], b[i]))) << op << '(' << std::hexfloat << a[i] << ", " << b[i]
                                                       << ") = " << c[i] << ", not " << reference(a[i], b[i]);
      }
    };
    check("rem", [](T u, T v) { return std::fmod(u, v); });
    check("mod", PythonMod<T>);
    check("floor_divide", PythonFloorDivide<T>);
  }

  template <class T>
  void CheckClamp() {
    std::vector<T> x, low, high;
    for (T a : SpecialValues<T>()) {
      for (T b : SpecialValues<T>()) {
        for (T c : {T(-2), T(0), T(2), std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN()}) {
          x.push_back(a);
          low.push_back(b);
          high.push_back(c);
        }
      }
    }
    const std::vector<T> y = Apply<T>(GetParam(), "clamp", kCode<T>, kCode<T>, x, low, high);
    for (size_t i = 0; i < x.size(); ++i) {
      const bool is_nan = std::isnan(x[i]) || std::isnan(low[i]) || std::isnan(high[i]);
      const T raised = x[i] < low[i] ? low[i] : x[i];
      ASSERT_TRUE(is_nan ? std::isnan(y[i]) : y[i] == (raised < high[i] ? raised : high[i]))
          << x[i] << ' ' << low[i] << ' ' << high[i] << ": " << y[i];
    }
  }
};

TEST_P(RealArithmeticTest, RoundsF32) { CheckRounding<float>(); }
TEST_P(RealArithmeticTest, RoundsF64) { CheckRounding<double>(); }
TEST_P(RealArithmeticTest, DividesF32) { CheckDivision<float>(); }
TEST_P(RealArithmeticTest, DividesF64) { CheckDivision<double>(); }
TEST_P(RealArithmeticTest, ClampsF32) { CheckClamp<float>(); }
TEST_P(RealArithmeticTest, ClampsF64) { CheckClamp<double>(); }

// Known answers of Python.
TEST_P(RealArithmeticTest, DividesAsPython) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<double> a = {7, -7, 7, -7, -1e-20, 1, -1, 0.7, -4},
                            b = {3, 3, -3, -3, 1, kInfinity, kInfinity, 0.1, 2};
  const auto apply = [&](const char* op) { return Apply<double>(GetParam(), op, kCodeF64, kCodeF64, a, b); };
  EXPECT_EQ(apply("floor_divide"), (std::vector<double>{2, -3, -3, 2, -1, 0, -1, 6, -2}));
  EXPECT_EQ(apply("mod"), (std::vector<double>{1, 2, -2, -1, 1, 1, kInfinity, 0.09999999999999992, 0}));
}

INSTANTIATE_TEST_SUITE_P(Isas, RealArithmeticTest, testing::ValuesIn(SupportedIsas()),
                         [](const auto& info) { return std::string(Name(info.param)); });

template <class T>
class IntegerArithmeticTest : public testing::Test {
 protected:
  using Limits = std::numeric_limits<T>;
  using Wide = __int128;
  static constexpr int kBits = 8 * sizeof(T);

  void SetUp() override {
    std::vector<T> values = {0, 1, 2, 3, 7, 100, static_cast<T>(-1), static_cast<T>(-2), static_cast<T>(-100)};
    for (T x : {Limits::max(), Limits::min(), static_cast<T>(Limits::max() / 3), static_cast<T>(kBits - 1),
                static_cast<T>(kBits), static_cast<T>(kBits + 1), static_cast<T>(Limits::max() - 1),
                static_cast<T>(Limits::min() + 1)}) {
      values.push_back(x);
    }
    for (T x : values) {
      for (T y : values) {
        a_.push_back(x);
        b_.push_back(y);
      }
    }
  }

  void CheckBinary(const char* op, Wide (*exact)(Wide, Wide)) {
    const std::vector<T> got = Apply<T>(SupportedIsas()[0], op, kCode<T>, kCode<T>, a_, b_);
    for (size_t i = 0; i < a_.size(); ++i) {
      ASSERT_EQ(+got[i], +static_cast<T>(exact(a_[i], b_[i]))) << op << '(' << +a_[i] << ", " << +b_[i] << ')';
    }
  }
  void CheckUnary(const char* op, int (*exact)(T)) {
    const std::vector<T> got = Apply<T>(SupportedIsas()[0], op, kCode<T>, kCode<T>, a_);
    for (size_t i = 0; i < a_.size(); ++i) ASSERT_EQ(+got[i], exact(a_[i])) << op << '(' << +a_[i] << ')';
  }

  std::vector<T> a_, b_;
};

using Integers = testing::Types<int32_t, int64_t, uint8_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(IntegerArithmeticTest, Integers);

TYPED_TEST(IntegerArithmeticTest, DividesAndNeverTraps) {
  using W = __int128;
  this->CheckBinary("rem", [](W a, W b) { return b == 0 ? a : a % b; });
  this->CheckBinary("mod", [](W a, W b) { return b == 0 ? a : (a % b + b) % b; });
  this->CheckBinary("floor_divide", [](W a, W b) {
    if (b == 0) return W{-1};
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
  });
}

TYPED_TEST(IntegerArithmeticTest, MovesAndCountsBits) {
  using T = TypeParam;
  using W = __int128;
  constexpr int kBits = 8 * sizeof(T);
  this->CheckBinary("xor", [](W a, W b) { return a ^ b; });
  this->CheckBinary("shift_left", [](W x, W n) {
    return n < 0 || n >= kBits ? W{0} : static_cast<W>(static_cast<unsigned __int128>(x) << n);
  });
  this->CheckBinary("shift_right_logical", [](W x, W n) {
    const W bits = x & ((W{1} << kBits) - 1);
    return n < 0 || n >= kBits ? W{0} : bits >> n;
  });
  this->CheckBinary("shift_right_arithmetic", [](W x, W n) {
    const W bits = x & ((W{1} << kBits) - 1);
    const W repeated = bits >> (kBits - 1) ? bits - (W{1} << kBits) : bits;
    return repeated >> (n < 0 || n >= kBits ? kBits - 1 : n);
  });
  this->CheckUnary("population_count", [](T x) {
    int count = 0;
    for (int bit = 0; bit < kBits; ++bit) count += static_cast<int>(static_cast<std::make_unsigned_t<T>>(x) >> bit & 1);
    return count;
  });
  this->CheckUnary("count_leading_zeros", [](T x) {
    int count = 0;
    while (count < kBits && !(static_cast<std::make_unsigned_t<T>>(x) >> (kBits - 1 - count) & 1)) ++count;
    return count;
  });
}

TYPED_TEST(IntegerArithmeticTest, Clamps) {
  using T = TypeParam;
  std::vector<T> low = this->b_, high = this->a_;
  std::reverse(high.begin(), high.end());
  const std::vector<T> got = Apply<T>(SupportedIsas()[0], "clamp", kCode<T>, kCode<T>, this->a_, low, high);
  for (size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], std::min(std::max(this->a_[i], low[i]), high[i]));
}

TEST(BoolArithmetic, Xor) {
  const std::vector<uint8_t> a = {0, 0, 1, 1}, b = {0, 1, 0, 1};
  EXPECT_EQ(Apply<uint8_t>(SupportedIsas()[0], "xor", kCodeBool, kCodeBool, a, b), (std::vector<uint8_t>{0, 1, 1, 0}));
}

}  // namespace
}  // namespace tenferro
