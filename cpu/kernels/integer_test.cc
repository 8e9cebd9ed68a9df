// Values of the kernels of integers and booleans, and of select.

#include <limits>
#include <type_traits>

#include "gtest/gtest.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/elementwise.h"
#include "tenferro/cpu/kernels/every_kernel.h"

namespace tenferro {
namespace {

template <class T>
constexpr uint8_t kCode = 0;
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

// Results must not depend on the instruction set.
template <class To, class From>
std::vector<To> Apply(const char* op, uint8_t from, uint8_t to, const std::vector<From>& a,
                      const std::vector<From>& b) {
  std::vector<To> out(a.size());
  const void* const in[] = {a.data(), b.data()};
  FindElementwise(SupportedIsas()[0], OpNamed(op), from, to)(out.data(), in, static_cast<int64_t>(a.size()));
  return out;
}

template <class T>
class IntegerTest : public testing::Test {
 protected:
  using Limits = std::numeric_limits<T>;
  // Wide enough for every exact result.
  using Wide = __int128;

  void SetUp() override {
    const std::vector<T> values = {0,
                                   1,
                                   2,
                                   3,
                                   7,
                                   100,
                                   127,
                                   Limits::max(),
                                   Limits::min(),
                                   static_cast<T>(Limits::max() - 1),
                                   static_cast<T>(Limits::min() + 1),
                                   static_cast<T>(-1),
                                   static_cast<T>(-2),
                                   static_cast<T>(-3),
                                   static_cast<T>(-100),
                                   static_cast<T>(Limits::max() / 3)};
    for (T x : values) {
      for (T y : values) {
        a_.push_back(x);
        b_.push_back(y);
      }
    }
  }

  // Every pair against an exact result that is then reduced modulo 2^bits.
  void CheckBinary(const char* op, Wide (*exact)(Wide, Wide)) {
    const std::vector<T> got = Apply<T>(op, kCode<T>, kCode<T>, a_, b_);
    for (size_t i = 0; i < a_.size(); ++i) {
      ASSERT_EQ(+got[i], +static_cast<T>(exact(a_[i], b_[i]))) << op << '(' << +a_[i] << ", " << +b_[i] << ')';
    }
  }
  void CheckUnary(const char* op, Wide (*exact)(Wide)) {
    const std::vector<T> got = Apply<T>(op, kCode<T>, kCode<T>, a_, b_);
    for (size_t i = 0; i < a_.size(); ++i) {
      ASSERT_EQ(+got[i], +static_cast<T>(exact(a_[i]))) << op << '(' << +a_[i] << ')';
    }
  }
  void CheckComparison(const char* op, bool (*exact)(T, T)) {
    const std::vector<uint8_t> got = Apply<uint8_t>(op, kCode<T>, kCodeBool, a_, b_);
    for (size_t i = 0; i < a_.size(); ++i) ASSERT_EQ(got[i], exact(a_[i], b_[i])) << +a_[i] << op << +b_[i];
  }
  T One(const char* op, T a, T b) { return Apply<T>(op, kCode<T>, kCode<T>, std::vector<T>{a}, std::vector<T>{b})[0]; }

  std::vector<T> a_, b_;
};

using Integers = testing::Types<int32_t, int64_t, uint8_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(IntegerTest, Integers);

TYPED_TEST(IntegerTest, WrapsAndNeverTraps) {
  using W = __int128;
  this->CheckBinary("add", [](W a, W b) { return a + b; });
  this->CheckBinary("sub", [](W a, W b) { return a - b; });
  this->CheckBinary("mul", [](W a, W b) { return static_cast<W>(static_cast<unsigned __int128>(a) * b); });
  this->CheckBinary("div", [](W a, W b) { return b == 0 ? W{-1} : a / b; });
  this->CheckBinary("max", [](W a, W b) { return a < b ? b : a; });
  this->CheckBinary("min", [](W a, W b) { return a < b ? a : b; });
  this->CheckBinary("and", [](W a, W b) { return a & b; });
  this->CheckBinary("or", [](W a, W b) { return a | b; });
  this->CheckUnary("neg", [](W a) { return -a; });
  this->CheckUnary("abs", [](W a) { return a < 0 ? -a : a; });
  this->CheckUnary("square", [](W a) { return static_cast<W>(static_cast<unsigned __int128>(a) * a); });
  this->CheckUnary("sign", [](W a) { return W{a > 0} - W{a < 0}; });
  this->CheckUnary("not", [](W a) { return ~a; });
  this->CheckUnary("conj", [](W a) { return a; });
}

TYPED_TEST(IntegerTest, Powers) {
  using W = __int128;
  this->CheckBinary("pow", [](W base, W exponent) -> W {
    if (exponent < 0) {
      if (base == 0) return -1;
      return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
    }
    // Modulo 2^64 from the highest bit down, where the kernel goes up.
    uint64_t power = 1;
    for (int bit = 63; bit >= 0; --bit) {
      power *= power;
      if (exponent >> bit & 1) power *= static_cast<uint64_t>(base);
    }
    return static_cast<W>(power);
  });
  EXPECT_EQ(this->One("pow", 3, 4), TypeParam{81});
}

TYPED_TEST(IntegerTest, Comparisons) {
  using T = TypeParam;
  this->CheckComparison("eq", [](T a, T b) { return a == b; });
  this->CheckComparison("ne", [](T a, T b) { return a != b; });
  this->CheckComparison("lt", [](T a, T b) { return a < b; });
  this->CheckComparison("le", [](T a, T b) { return a <= b; });
  this->CheckComparison("gt", [](T a, T b) { return a > b; });
  this->CheckComparison("ge", [](T a, T b) { return a >= b; });
}

TEST(BoolTest, Logic) {
  const std::vector<uint8_t> a = {0, 0, 1, 1}, b = {0, 1, 0, 1};
  const auto apply = [&](const char* op) { return Apply<uint8_t>(op, kCodeBool, kCodeBool, a, b); };
  using Bools = std::vector<uint8_t>;
  EXPECT_EQ(apply("and"), (Bools{0, 0, 0, 1}));
  EXPECT_EQ(apply("min"), (Bools{0, 0, 0, 1}));
  EXPECT_EQ(apply("or"), (Bools{0, 1, 1, 1}));
  EXPECT_EQ(apply("max"), (Bools{0, 1, 1, 1}));
  EXPECT_EQ(apply("not"), (Bools{1, 1, 0, 0}));
  EXPECT_EQ(apply("eq"), (Bools{1, 0, 0, 1}));
  EXPECT_EQ(apply("ne"), (Bools{0, 1, 1, 0}));
  EXPECT_EQ(apply("lt"), (Bools{0, 1, 0, 0}));
  EXPECT_EQ(apply("ge"), (Bools{1, 0, 1, 1}));
}

TEST(SelectTest, TakesAWhereTrueForEveryDtype) {
  for (Isa isa : SupportedIsas()) {
    for (uint8_t code = 0; code < kElementCodes; ++code) {
      const int64_t n = 53, size = ElementSize(code);
      const std::vector<char> condition = RandomElements(kCodeBool, n, 1);
      const std::vector<char> a = RandomElements(code, n, 2), b = RandomElements(code, n, 3);
      std::vector<char> out(a.size());
      const void* const in[] = {condition.data(), a.data(), b.data()};
      FindElementwise(isa, OpNamed("select"), code, code)(out.data(), in, n);
      for (int64_t i = 0; i < n * size; ++i) {
        ASSERT_EQ(out[static_cast<size_t>(i)],
                  (condition[static_cast<size_t>(i / size)] ? a : b)[static_cast<size_t>(i)])
            << Name(isa) << " code " << +code << " byte " << i;
      }
    }
  }
}

}  // namespace
}  // namespace tenferro
