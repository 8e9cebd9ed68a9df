#include "tenferro/cpu/kernels/reduce.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/every_kernel.h"

namespace tenferro {
namespace {

constexpr ReduceKind kKinds[] = {ReduceKind::kSum, ReduceKind::kProd, ReduceKind::kMax, ReduceKind::kMin};

// A full reduction as ReduceRow asks for it.
std::vector<char> Reduce(const ReduceRow& row, const char* in, int64_t n, int64_t size) {
  std::vector<char> partials;
  std::vector<char> out(static_cast<size_t>(size));
  for (int64_t i = 0; i < n; i += kReduceChunk) {
    row.chunk(out.data(), in + i * size, std::min(n - i, kReduceChunk));
    partials.insert(partials.end(), out.begin(), out.end());
  }
  row.tree(out.data(), partials.data(), static_cast<int64_t>(partials.size()) / size);
  return out;
}

template <class T>
T Reduce(Isa isa, ReduceKind kind, uint8_t code, const std::vector<T>& x) {
  const std::vector<char> bytes = Reduce(*FindReduce(isa, kind, code), reinterpret_cast<const char*>(x.data()),
                                         static_cast<int64_t>(x.size()), sizeof(T));
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

// Elements with the same NaN for every one that is none: its sign depends on the order of operands.
std::vector<char> WithOneNaN(uint8_t code, std::vector<char> elements) {
  const auto replace = [&](auto number) {
    for (size_t i = 0; i < elements.size(); i += sizeof(number)) {
      std::memcpy(&number, &elements[i], sizeof(number));
      if (std::isnan(number)) number = std::numeric_limits<decltype(number)>::quiet_NaN();
      std::memcpy(&elements[i], &number, sizeof(number));
    }
  };
  if (code == kCodeF32 || code == kCodeC64) replace(float{});
  if (code == kCodeF64 || code == kCodeC128) replace(double{});
  return elements;
}

class ReduceTest : public testing::TestWithParam<Isa> {};

TEST_P(ReduceTest, CoversEveryKindAndDtype) {
  int rows = 0;
  for (ReduceKind kind : kKinds) {
    for (uint8_t code = 0; code < kElementCodes; ++code) rows += FindReduce(GetParam(), kind, code) != nullptr;
  }
  // Five integer and two float dtypes have four kinds, complex ones sum and product, bool maximum and minimum.
  EXPECT_EQ(rows, 7 * 4 + 2 * 2 + 2);
}

// Exact arithmetic: small integers, so that the order does not matter and any model will do.
template <class T>
void CheckExact(Isa isa, uint8_t code) {
  for (int64_t n :
       {1, 2, 3, 5, 8, 13, 31, 32, 33, 64, 65, 127, 128, 129, 200, 256, 257, 1000, 4095, 4096, 4097, 50000}) {
    std::vector<T> x, factors;
    for (int64_t i = 0; i < n; ++i) {
      x.push_back(static_cast<T>((i * 7919 + n) % 101));
      factors.push_back(static_cast<T>(i % 9973 == n % 97 ? 3 : 1));
    }
    T sum = 0, product = 1;
    for (const T& value : x) sum = static_cast<T>(sum + value);
    for (const T& value : factors) product = static_cast<T>(product * value);
    ASSERT_EQ(Reduce(isa, ReduceKind::kSum, code, x), sum) << n;
    ASSERT_EQ(Reduce(isa, ReduceKind::kProd, code, factors), product) << n;
    if constexpr (std::numeric_limits<T>::is_specialized) {
      ASSERT_EQ(Reduce(isa, ReduceKind::kMax, code, x), *std::max_element(x.begin(), x.end())) << n;
      ASSERT_EQ(Reduce(isa, ReduceKind::kMin, code, x), *std::min_element(x.begin(), x.end())) << n;
    }
  }
}
TEST_P(ReduceTest, ExactValues) {
  CheckExact<int32_t>(GetParam(), kCodeI32);
  CheckExact<int64_t>(GetParam(), kCodeI64);
  CheckExact<uint8_t>(GetParam(), kCodeU8);
  CheckExact<uint32_t>(GetParam(), kCodeU32);
  CheckExact<uint64_t>(GetParam(), kCodeU64);
  CheckExact<float>(GetParam(), kCodeF32);
  CheckExact<double>(GetParam(), kCodeF64);
  CheckExact<std::complex<float>>(GetParam(), kCodeC64);
  CheckExact<std::complex<double>>(GetParam(), kCodeC128);
}

TEST_P(ReduceTest, ComplexProductTakesBothParts) {
  using C = std::complex<double>;
  std::vector<C> turns(203, C(0, 1));
  turns[77] = C(2, 1);
  EXPECT_EQ(Reduce(GetParam(), ReduceKind::kProd, kCodeC128, turns), C(-2, -1));  // i^202 = -1
}

TEST_P(ReduceTest, AnyAndAllOfBooleans) {
  std::vector<uint8_t> x(300, 0), y(300, 1);
  EXPECT_EQ(Reduce(GetParam(), ReduceKind::kMax, kCodeBool, x), 0);
  EXPECT_EQ(Reduce(GetParam(), ReduceKind::kMin, kCodeBool, y), 1);
  x[217] = 1;
  y[5] = 0;
  EXPECT_EQ(Reduce(GetParam(), ReduceKind::kMax, kCodeBool, x), 1);
  EXPECT_EQ(Reduce(GetParam(), ReduceKind::kMin, kCodeBool, y), 0);
}

TEST_P(ReduceTest, NothingGivesTheIdentity) {
  for (ReduceKind kind : kKinds) {
    for (uint8_t code = 0; code < kElementCodes; ++code) {
      const ReduceRow* row = FindReduce(GetParam(), kind, code);
      if (row == nullptr) continue;
      const size_t size = static_cast<size_t>(ElementSize(code));
      char out[kMaxElementSize];
      row->chunk(out, nullptr, 0);
      EXPECT_EQ(std::memcmp(out, row->identity, size), 0) << +code;
      row->tree(out, nullptr, 0);
      EXPECT_EQ(std::memcmp(out, row->identity, size), 0) << +code;
    }
  }
}

TEST_P(ReduceTest, OneElementIsItsOwnResult) {
  for (ReduceKind kind : kKinds) {
    for (uint8_t code = 0; code < kElementCodes; ++code) {
      const ReduceRow* row = FindReduce(GetParam(), kind, code);
      if (row == nullptr) continue;
      const int64_t size = ElementSize(code);
      const std::vector<char> x = RandomElements(code, 100, 5);
      for (int64_t i = 0; i < 100; ++i) {
        ASSERT_EQ(std::memcmp(Reduce(*row, &x[static_cast<size_t>(i * size)], 1, size).data(),
                              &x[static_cast<size_t>(i * size)], static_cast<size_t>(size)),
                  0)
            << +code;
      }
    }
  }
}

TEST_P(ReduceTest, MaximumAndMinimumPropagateNaNAndOrderZeros) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (size_t at : {0u, 3u, 64u, 99u}) {
    std::vector<double> x(100, 1.0);
    x[at] = nan;
    EXPECT_TRUE(std::isnan(Reduce(GetParam(), ReduceKind::kMax, kCodeF64, x))) << at;
    EXPECT_TRUE(std::isnan(Reduce(GetParam(), ReduceKind::kMin, kCodeF64, x))) << at;
    std::vector<double> zeros(100, -0.0);
    zeros[at] = 0.0;
    EXPECT_FALSE(std::signbit(Reduce(GetParam(), ReduceKind::kMax, kCodeF64, zeros))) << at;
    EXPECT_TRUE(std::signbit(Reduce(GetParam(), ReduceKind::kMin, kCodeF64, zeros))) << at;
  }
}

TEST_P(ReduceTest, SumOfAMillion) {
  std::vector<double> x;
  for (int64_t i = 0; i < 1000000; ++i) x.push_back(static_cast<double>(7919 * i % 1000003) / 1000003 - 0.5);
  EXPECT_NEAR(Reduce(GetParam(), ReduceKind::kSum, kCodeF64, x), -1.95248614254157249, 1e-12);
}

// Terms that cancel leave what rounding takes away from the larger ones.
TEST_P(ReduceTest, SumsOfAChunkKeepTheirRoundingErrors) {
  std::vector<double> x(4096);
  for (size_t i = 0; i < x.size(); i += 2) {
    x[i] = std::sin(static_cast<double>(i)) * 1e3;
    x[(i * 7 + 2049) % x.size() | 1] -= x[i];
  }
  for (size_t i = 1; i < x.size(); i += 256) x[i] = std::ldexp(1.0, -static_cast<int>(i / 256));
  for (size_t n : {16u, 40u, 1000u, 4095u, 4096u}) {
    long double exact = 0;  // 11 bits more
    for (size_t i = 0; i < n; ++i) exact += x[i];
    const std::vector<double> part(x.begin(), x.begin() + static_cast<int64_t>(n));
    EXPECT_NEAR(Reduce(GetParam(), ReduceKind::kSum, kCodeF64, part), static_cast<double>(exact),
                1e-15 * std::fabs(static_cast<double>(exact)) + 1e-14)
        << n;
  }
}

// Terms far above those that the running sums began with.
TEST_P(ReduceTest, SumsOfGrowingTermsAreRoundedOnce) {
  for (double growth : {1.1, 2.0, 1e2}) {
    std::vector<double> x;
    double term = 1e-280, magnitudes = 0;
    for (int i = 0; i < 280; ++i, term *= growth) x.push_back(i % 3 == 1 ? -term : term), magnitudes += term;
    long double exact = 0;
    for (double value : x) exact += value;
    EXPECT_NEAR(Reduce(GetParam(), ReduceKind::kSum, kCodeF64, x), static_cast<double>(exact),
                std::numeric_limits<double>::epsilon() * magnitudes)
        << growth;
  }
}

TEST_P(ReduceTest, SumsReachTheLargestNumberAndInfinity) {
  const double most = std::numeric_limits<double>::max(), infinity = std::numeric_limits<double>::infinity();
  std::vector<double> x(100);
  for (size_t at : {0u, 8u, 17u, 99u}) {
    std::fill(x.begin(), x.end(), 1.0);
    x[at] = most;
    EXPECT_EQ(Reduce(GetParam(), ReduceKind::kSum, kCodeF64, x), most) << at;
    x[at] = -infinity;
    EXPECT_EQ(Reduce(GetParam(), ReduceKind::kSum, kCodeF64, x), -infinity) << at;
    x[50] = infinity;
    EXPECT_TRUE(std::isnan(Reduce(GetParam(), ReduceKind::kSum, kCodeF64, x))) << at;
    std::fill(x.begin(), x.end(), std::numeric_limits<double>::denorm_min());
    EXPECT_EQ(Reduce(GetParam(), ReduceKind::kSum, kCodeF64, x), 100 * x[at]) << at;
  }
}

// The order of a sum is the same with every instruction set and at every address.
TEST_P(ReduceTest, BitsDependOnValuesOnly) {
  for (ReduceKind kind : kKinds) {
    for (uint8_t code : {kCodeF32, kCodeF64, kCodeC64, kCodeC128}) {
      const ReduceRow* row = FindReduce(GetParam(), kind, code);
      if (row == nullptr) continue;
      const int64_t size = ElementSize(code);
      for (int64_t n : {7, 100, 1023, 4096, 9000}) {
        std::vector<char> x(static_cast<size_t>((n + 16) * size));
        for (int64_t i = 0; i < n * size; i += size) {
          if (code == kCodeF32 || code == kCodeC64) {
            for (int64_t part = 0; part < size; part += 4) {
              const float value = std::sin(static_cast<float>(i + part)) + 1;
              std::memcpy(&x[static_cast<size_t>(i + part)], &value, 4);
            }
          } else {
            for (int64_t part = 0; part < size; part += 8) {
              const double value = std::sin(static_cast<double>(i + part)) + 1;
              std::memcpy(&x[static_cast<size_t>(i + part)], &value, 8);
            }
          }
        }
        const ReduceRow* first = FindReduce(SupportedIsas()[0], kind, code);
        const std::vector<char> expected = Reduce(*first, x.data(), n, size);
        ASSERT_EQ(Reduce(*row, x.data(), n, size), expected) << +code << ' ' << n;
        for (int64_t shift : {1, 3, 11}) {
          std::vector<char> moved(x.size());
          std::memcpy(&moved[static_cast<size_t>(shift * size)], x.data(), static_cast<size_t>(n * size));
          ASSERT_EQ(Reduce(*row, &moved[static_cast<size_t>(shift * size)], n, size), expected) << +code << ' ' << n;
        }
      }
    }
  }
}

TEST_P(ReduceTest, CombineAccumulatesRows) {
  for (uint8_t code = 0; code < kElementCodes; ++code) {
    for (ReduceKind kind : kKinds) {
      const ReduceRow* row = FindReduce(GetParam(), kind, code);
      if (row == nullptr) continue;
      const int64_t size = ElementSize(code), n = 70;
      std::vector<char> out = RandomElements(code, n, 9);
      const std::vector<char> a = out, b = RandomElements(code, n, 10);
      const void* const in[] = {out.data(), b.data()};
      row->combine(out.data(), in, n);
      for (int64_t i = 0; i < n; ++i) {
        std::vector<char> pair(a.begin() + i * size, a.begin() + (i + 1) * size);
        pair.insert(pair.end(), b.begin() + i * size, b.begin() + (i + 1) * size);
        ASSERT_EQ(std::memcmp(Reduce(*row, pair.data(), 2, size).data(), &out[static_cast<size_t>(i * size)],
                              static_cast<size_t>(size)),
                  0)
            << +code << ' ' << i;
      }
    }
  }
}

TEST_P(ReduceTest, RowsTogetherHaveTheBitsOfOneAfterAnother) {
  for (uint8_t code : {kCodeF32, kCodeF64, kCodeC64, kCodeC128}) {
    const ReduceRow* row = FindReduce(GetParam(), ReduceKind::kSum, code);
    ASSERT_NE(row->combine_rows, nullptr);
    for (int64_t n : {1, 7, 64, 131}) {
      for (int64_t count : {1, 2, 5, 32}) {
        std::vector<std::vector<char>> rows;
        std::vector<const void*> in;
        for (int64_t r = 0; r < count; ++r) rows.push_back(RandomElements(code, n, static_cast<int>(20 + r)));
        for (const std::vector<char>& elements : rows) in.push_back(elements.data());
        std::vector<char> in_turn = rows[0], together(in_turn.size());
        for (size_t r = 1; r < in.size(); ++r) {
          const void* const pair[] = {in_turn.data(), in[r]};
          row->combine(in_turn.data(), pair, n);
        }
        row->combine_rows(together.data(), in.data(), count, n);
        EXPECT_EQ(WithOneNaN(code, together), WithOneNaN(code, in_turn)) << +code << ' ' << n << ' ' << count;
        row->combine_rows(rows[0].data(), in.data(), count, n);
        EXPECT_EQ(rows[0], together) << +code << ' ' << n << ' ' << count;
      }
    }
  }
}

TEST_P(ReduceTest, LinesHaveTheBitsOfOneAfterAnother) {
  for (uint8_t code = 0; code < kElementCodes; ++code) {
    for (ReduceKind kind : kKinds) {
      const ReduceRow* row = FindReduce(GetParam(), kind, code);
      if (row == nullptr || row->lines == nullptr) continue;
      const int64_t size = ElementSize(code);
      for (int64_t n : {0, 1, 2, 7, 16, 33, 150}) {
        for (int64_t lines : {0, 1, 15, 16, 37}) {
          const std::vector<char> x = RandomElements(code, n * lines + 1, 30);
          std::vector<char> together(static_cast<size_t>(lines * size)), in_turn(together.size());
          for (int64_t line = 0; line < lines; ++line) {
            row->chunk(&in_turn[static_cast<size_t>(line * size)], &x[static_cast<size_t>(line * n * size)], n);
          }
          row->lines(together.data(), x.data(), n, lines);
          EXPECT_EQ(together, in_turn) << +code << ' ' << n << ' ' << lines;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Isas, ReduceTest, testing::ValuesIn(SupportedIsas()),
                         [](const auto& info) { return std::string(Name(info.param)); });

}  // namespace
}  // namespace tenferro
