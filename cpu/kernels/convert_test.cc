// Casts between all pairs of dtypes against a plain model of them.

#include <complex>
#include <cstring>
#include <limits>
#include <type_traits>

#include "gtest/gtest.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/elementwise.h"
#include "tenferro/cpu/kernels/every_kernel.h"

namespace tenferro {
namespace {

template <class T>
constexpr bool kIsComplex = false;
template <class T>
constexpr bool kIsComplex<std::complex<T>> = true;

// One element; casts of floats to integers saturate, of integers to narrower ones wrap.
template <class To, class From>
To Model(From x) {
  if constexpr (kIsComplex<To>) {
    using Part = typename To::value_type;
    if constexpr (kIsComplex<From>) {
      return To(static_cast<Part>(x.real()), static_cast<Part>(x.imag()));
    } else {
      return To(Model<Part>(x), 0);
    }
  } else if constexpr (std::is_same_v<To, bool>) {
    return x != From(0);
  } else if constexpr (kIsComplex<From>) {
    return Model<To>(x.real());
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    if (std::isnan(x)) return 0;
    const long double whole = std::trunc(static_cast<long double>(x));
    if (whole < std::numeric_limits<To>::min()) return std::numeric_limits<To>::min();
    if (whole > std::numeric_limits<To>::max()) return std::numeric_limits<To>::max();
    return static_cast<To>(whole);
  } else {
    return static_cast<To>(x);
  }
}

template <class F>
void ForEachType(F f) {
  f(kCodeBool, bool{});
  f(kCodeI32, int32_t{});
  f(kCodeI64, int64_t{});
  f(kCodeU8, uint8_t{});
  f(kCodeU32, uint32_t{});
  f(kCodeU64, uint64_t{});
  f(kCodeF32, float{});
  f(kCodeF64, double{});
  f(kCodeC64, std::complex<float>{});
  f(kCodeC128, std::complex<double>{});
}

TEST(ConvertTest, EveryPairOfDtypes) {
  constexpr int64_t kCount = 3000;
  int pairs = 0;
  ForEachType([&](uint8_t from, auto from_value) {
    using From = decltype(from_value);
    const std::vector<char> bytes = RandomElements(from, kCount, 17);
    ForEachType([&](uint8_t to, auto to_value) {
      using To = decltype(to_value);
      for (Isa isa : SupportedIsas()) {
        for (const char* op : {"cast", "convert"}) {
          std::vector<char> got(kCount * sizeof(To));
          const void* const in = bytes.data();
          FindElementwise(isa, OpNamed(op), from, to)(got.data(), &in, kCount);
          for (int64_t i = 0; i < kCount; ++i) {
            From x;
            std::memcpy(&x, &bytes[static_cast<size_t>(i) * sizeof(From)], sizeof(From));
            const To expected = Model<To>(x);
            To y;
            std::memcpy(&y, &got[static_cast<size_t>(i) * sizeof(To)], sizeof(To));
            const bool both_nan = expected != expected && y != y;
            ASSERT_TRUE(y == expected || both_nan)
                << op << ' ' << +from << " -> " << +to << ": " << x << " gives " << y;
          }
        }
      }
      ++pairs;
    });
  });
  EXPECT_EQ(pairs, 100);
}

TEST(ConvertTest, SaturatesAtTheEndsOfTheRange) {
  Isa isa = SupportedIsas()[0];
  const auto to = [&](uint8_t code, double x, auto result) {
    const void* const in = &x;
    FindElementwise(isa, OpNamed("cast"), kCodeF64, code)(&result, &in, 1);
    return result;
  };
  for (Isa any : SupportedIsas()) {
    isa = any;
    EXPECT_EQ(to(kCodeI64, 0x1p63, int64_t{}), std::numeric_limits<int64_t>::max());
    EXPECT_EQ(to(kCodeI64, 0x1.fffffffffffffp62, int64_t{}), int64_t{0x7ffffffffffffc00});
    EXPECT_EQ(to(kCodeI64, -0x1p63, int64_t{}), std::numeric_limits<int64_t>::min());
    EXPECT_EQ(to(kCodeI64, -0x1p64, int64_t{}), std::numeric_limits<int64_t>::min());
    EXPECT_EQ(to(kCodeI64, std::numeric_limits<double>::infinity(), int64_t{}), std::numeric_limits<int64_t>::max());
    EXPECT_EQ(to(kCodeI64, -std::numeric_limits<double>::quiet_NaN(), int64_t{1}), 0);
    EXPECT_EQ(to(kCodeI64, -0.9, int64_t{1}), 0);
  }
  EXPECT_EQ(to(kCodeI32, 2147483647.9, int32_t{}), 2147483647);
  EXPECT_EQ(to(kCodeI32, -2147483648.9, int32_t{}), -2147483647 - 1);
  EXPECT_EQ(to(kCodeI32, 1e10, int32_t{}), 2147483647);
  EXPECT_EQ(to(kCodeU8, 255.9, uint8_t{}), 255);
  EXPECT_EQ(to(kCodeU8, 256, uint8_t{}), 255);
  EXPECT_EQ(to(kCodeU8, -0.9, uint8_t{}), 0);
  EXPECT_EQ(to(kCodeU64, -1, uint64_t{}), 0u);
  EXPECT_EQ(to(kCodeU64, 0x1p64, uint64_t{}), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(to(kCodeI32, std::numeric_limits<double>::quiet_NaN(), int32_t{1}), 0);
}

}  // namespace
}  // namespace tenferro
