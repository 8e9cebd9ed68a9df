#include <algorithm>
#include <limits>
#include <thread>

#include "gtest/gtest.h"
#include "tenferro/linalg/cpu/test_matrices.h"

namespace tenferro::linalg {
namespace {

using testing::AdjointOf;
using testing::Dense;
using testing::MatrixCase;

template <class T>
class SvdTest : public ::testing::Test {
 protected:
  using R = RealOf<T>;
  static constexpr double kEps = std::numeric_limits<R>::epsilon();

  // Square factors begin with the thin ones, in every bit.
  static void CheckFull(Isa isa, const Dense<T>& a, const Dense<T>& thin_u, const Dense<T>& thin_vt) {
    const int64_t m = a.rows, n = a.columns, rank = std::min(m, n);
    Dense<T> u(m, m), vt(n, n);
    std::vector<R> s(rank);
    ASSERT_EQ(SvdFull(isa, m, n, a.data.data(), u.data.data(), s.data(), vt.data.data()), Outcome::kOk);
    EXPECT_LE(testing::OrthogonalityDefect(u), 45 * kEps);
    EXPECT_LE(testing::OrthogonalityDefect(vt), 45 * kEps);
    EXPECT_TRUE(std::equal(thin_u.data.begin(), thin_u.data.end(), u.data.begin()));
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t i = 0; i < rank; ++i) EXPECT_EQ(vt(i, j), thin_vt(i, j));
    }
  }

  static std::vector<Isa> Levels() {
    std::vector<Isa> levels;
    for (Isa isa : {Isa::kV2, Isa::kV3, Isa::kV4, Isa::kNeon}) {
      if (IsSupported(isa)) levels.push_back(isa);
    }
    return levels;
  }

  // Full and truncated decomposition of a·2^exponent agree with the definition and with each other. Everything is
  // compared at the scale of a.
  static void Check(Isa isa, const Dense<T>& a, int64_t k, const std::vector<double>& spectrum, int exponent = 0) {
    Dense<T> input = a;
    for (T& x : input.data) x *= std::ldexp(R(1), exponent);
    const int64_t m = a.rows, n = a.columns, rank = std::min(m, n);
    const double bound = 8 * std::sqrt(static_cast<double>(std::max(m, n))) * kEps;
    Dense<T> u(m, rank), vt(rank, n);
    std::vector<R> s(rank);
    ASSERT_EQ(Svd(isa, m, n, input.data.data(), u.data.data(), s.data(), vt.data.data()), Outcome::kOk);
    for (R& x : s) x = std::ldexp(x, -exponent);
    EXPECT_TRUE(std::is_sorted(s.rbegin(), s.rend()));
    const double s1 = s.empty() ? 0 : s[0];
    const Dense<T> v = AdjointOf(vt);
    EXPECT_LE(testing::OrthogonalityDefect(u), 45 * kEps);
    EXPECT_LE(testing::OrthogonalityDefect(v), 45 * kEps);
    EXPECT_LE(testing::Residual(a, u, s, v, rank), bound * s1);
    EXPECT_LE(testing::Residual(AdjointOf(a), v, s, u, rank), bound * s1);
    for (int64_t i = 0; i < rank && !spectrum.empty(); ++i) {
      const double known = i < static_cast<int64_t>(spectrum.size()) ? spectrum[i] : 0;
      EXPECT_NEAR(s[i] / spectrum[0], known / spectrum[0], 20 * kEps) << i;
    }

    std::vector<R> values(rank, R(-1));
    ASSERT_EQ(SvdValues(isa, m, n, input.data.data(), values.data()), Outcome::kOk);
    EXPECT_TRUE(std::is_sorted(values.rbegin(), values.rend()));
    for (int64_t i = 0; i < rank; ++i) EXPECT_NEAR(std::ldexp(values[i], -exponent), s[i], 20 * kEps * s1) << i;
    if (m + n <= 300) CheckFull(isa, input, u, vt);

    for (int64_t extra : {int64_t{0}, std::min<int64_t>(16, rank - k)}) {
      Dense<T> uk(m, k + extra), vk(n, k + extra);
      std::vector<R> sk(k + extra, R(-1));
      ASSERT_EQ(SvdTruncated(isa, m, n, input.data.data(), k, extra, uk.data.data(), sk.data(), vk.data.data()),
                Outcome::kOk);
      for (R& x : sk) x = std::ldexp(x, -exponent);
      EXPECT_TRUE(std::is_sorted(sk.rbegin(), sk.rend()));
      for (int64_t i = 0; i < k; ++i) EXPECT_NEAR(sk[i], s[i], 9 * kEps * s1) << i;
      EXPECT_LE(testing::Residual(a, uk, sk, vk, k), bound * s1);
      EXPECT_LE(testing::Residual(AdjointOf(a), vk, sk, uk, k), bound * s1);
      int64_t filled = k + extra;
      while (filled > k && std::norm(uk(0, filled - 1)) == 0 && sk[filled - 1] == 0) --filled;
      Dense<T> uf(m, filled), vf(n, filled);
      uf.data.assign(uk.data.begin(), uk.data.begin() + m * filled);
      vf.data.assign(vk.data.begin(), vk.data.begin() + n * filled);
      EXPECT_LE(testing::OrthogonalityDefect(uf), 45 * kEps);
      EXPECT_LE(testing::OrthogonalityDefect(vf), 45 * kEps);

      Dense<T> again_u(m, k + extra), again_v(n, k + extra);
      std::vector<R> again_s(k + extra);
      SvdTruncated(isa, m, n, input.data.data(), k, extra, again_u.data.data(), again_s.data(), again_v.data.data());
      for (R& x : again_s) x = std::ldexp(x, -exponent);
      EXPECT_EQ(again_u.data, uk.data);
      EXPECT_EQ(again_s, sk);
      EXPECT_EQ(again_v.data, vk.data);
    }
  }
};

using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SvdTest, Scalars);

TYPED_TEST(SvdTest, MatricesOfKnownSpectrum) {
  for (const MatrixCase& c : testing::MatrixCases()) {
    const Dense<TypeParam> a = testing::MakeMatrix<TypeParam>(c);
    for (Isa isa : this->Levels()) {
      SCOPED_TRACE(c.name + " isa " + std::to_string(static_cast<int>(isa)));
      this->Check(isa, a, c.k, c.spectrum);
    }
  }
}

TYPED_TEST(SvdTest, Scales) {
  const int top = sizeof(RealOf<TypeParam>) == 8 ? 498 : 60;
  const auto a = testing::WithSpectrum<TypeParam>(80, 70, {1, .9, .5, .25, .2, .1, .05, .01, 1e-3, 1e-4}, 5);
  for (int exponent : {-2 * top + 30, -top, top, 2 * top}) {
    for (Isa isa : this->Levels()) {
      SCOPED_TRACE(exponent);
      this->Check(isa, a, 6, {}, exponent);
    }
  }
}

TYPED_TEST(SvdTest, BlocksUnderPermutations) {
  // Blocks 50×60, 7×3 and 2×9, interleaved, with zero rows and columns and scales far apart.
  const auto big = testing::Gaussian<TypeParam>(50, 60, 1);
  const auto tall = testing::Gaussian<TypeParam>(7, 3, 2);
  const auto wide = testing::Gaussian<TypeParam>(2, 9, 3);
  Dense<TypeParam> a(67, 80);
  const auto row = [](int64_t i) { return i * 29 % 67; };
  const auto column = [](int64_t j) { return j * 33 % 80; };
  for (int64_t j = 0; j < 60; ++j) {
    for (int64_t i = 0; i < 50; ++i) a(row(i), column(j)) = big(i, j);
  }
  for (int64_t j = 0; j < 3; ++j) {
    for (int64_t i = 0; i < 7; ++i) a(row(50 + i), column(60 + j)) = tall(i, j) * RealOf<TypeParam>(1e-12);
  }
  for (int64_t j = 0; j < 9; ++j) {
    for (int64_t i = 0; i < 2; ++i) a(row(57 + i), column(63 + j)) = wide(i, j) * RealOf<TypeParam>(100);
  }
  for (Isa isa : this->Levels()) {
    std::vector<int32_t> rows(67), columns(80);
    ASSERT_EQ(ExactBlocks(isa, 67, 80, a.data.data(), rows.data(), columns.data()), 3);
    for (int64_t i = 0; i < 67; ++i) {
      EXPECT_EQ(rows[row(i)] < 0, i >= 59);
      if (i < 59) {
        EXPECT_EQ(rows[row(i)], i < 50 ? rows[row(0)] : i < 57 ? columns[column(60)] : columns[column(71)]);
      }
    }
    int32_t highest = -1;
    for (int32_t label : rows) {
      EXPECT_LE(label, highest + 1);
      highest = std::max(highest, label);
    }
    this->Check(isa, a, 20, {});
    this->Check(isa, a, 67, {});
    this->Check(isa, AdjointOf(a), 60, {});
  }
}

TYPED_TEST(SvdTest, CompletionInsideBlocks) {
  // A column and a row as blocks: rank 2 of 4, no zero row or column to complete from.
  Dense<TypeParam> a(4, 4);
  for (int64_t i = 0; i < 3; ++i) {
    a(i, 0) = RealOf<TypeParam>(i + 1);
    a(3, i + 1) = RealOf<TypeParam>(2 - i);
  }
  for (Isa isa : this->Levels()) {
    this->Check(isa, a, 3, {std::sqrt(14), std::sqrt(5)});
    this->Check(isa, a, 4, {});
  }
}

TYPED_TEST(SvdTest, ZeroAndIdentity) {
  Dense<TypeParam> zero(30, 20), identity(60, 60);
  for (int64_t i = 0; i < 60; ++i) identity(i, i) = 1;
  for (Isa isa : this->Levels()) {
    this->Check(isa, zero, 7, {});
    this->Check(isa, identity, 16, std::vector<double>(60, 1.0));
    // Equal values of different blocks: the block with the lower first row first.
    Dense<TypeParam> u(60, 3), v(60, 3);
    std::vector<RealOf<TypeParam>> s(3);
    SvdTruncated(isa, 60, 60, identity.data.data(), 3, 0, u.data.data(), s.data(), v.data.data());
    for (int64_t i = 0; i < 3; ++i) EXPECT_EQ(std::abs(u(i, i)), 1);
  }
}

TYPED_TEST(SvdTest, SameBitsOnSeveralThreadsAtOnce) {
  const auto a = testing::WithSpectrum<TypeParam>(90, 80, {1, .9, .5, .25, .2, .1, .05, .01, 1e-3, 1e-4}, 5);
  const auto decompose = [&a](Dense<TypeParam>& u) {
    Dense<TypeParam> v(80, 6);
    std::vector<RealOf<TypeParam>> s(6);
    SvdTruncated(BestIsa(), 90, 80, a.data.data(), 6, 0, u.data.data(), s.data(), v.data.data());
  };
  std::vector<Dense<TypeParam>> u(4, Dense<TypeParam>(90, 6));
  std::vector<std::thread> threads;
  for (auto& result : u) threads.emplace_back([&] { decompose(result); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& result : u) EXPECT_EQ(result.data, u[0].data);
}

TYPED_TEST(SvdTest, EmptyMatrices) {
  using R = RealOf<TypeParam>;
  for (Isa isa : this->Levels()) {
    TypeParam x = 5;
    R s = 5;
    EXPECT_EQ(Svd<TypeParam>(isa, 0, 3, nullptr, nullptr, nullptr, nullptr), Outcome::kOk);
    EXPECT_EQ(Svd<TypeParam>(isa, 3, 0, nullptr, nullptr, nullptr, nullptr), Outcome::kOk);
    EXPECT_EQ(SvdValues<TypeParam>(isa, 3, 0, nullptr, nullptr), Outcome::kOk);
    // Square factors of an empty matrix are the identity.
    Dense<TypeParam> square(3, 3);
    EXPECT_EQ(SvdFull<TypeParam>(isa, 3, 0, nullptr, square.data.data(), nullptr, nullptr), Outcome::kOk);
    for (int64_t i = 0; i < 9; ++i) EXPECT_EQ(square.data[i], TypeParam(i % 4 == 0 ? 1 : 0));
    TypeParam u = 5, v = 5;
    EXPECT_EQ(SvdTruncated<TypeParam>(isa, 1, 1, &x, 0, 0, &u, &s, &v), Outcome::kOk);
    EXPECT_EQ(s, 5);
    EXPECT_EQ(SvdTruncated<TypeParam>(isa, 1, 1, &x, 0, 1, &u, &s, &v), Outcome::kOk);
    EXPECT_EQ(s, 0);
    EXPECT_EQ(ExactBlocks<TypeParam>(isa, 0, 0, nullptr, nullptr, nullptr), 0);
    int32_t label = 5;
    EXPECT_EQ(ExactBlocks<TypeParam>(isa, 1, 0, nullptr, &label, nullptr), 0);
    EXPECT_EQ(label, -1);
  }
}

TYPED_TEST(SvdTest, NonFiniteInputIsACode) {
  using R = RealOf<TypeParam>;
  for (R bad : {std::numeric_limits<R>::quiet_NaN(), std::numeric_limits<R>::infinity()}) {
    for (int64_t position : {0, 37, 98}) {
      Dense<TypeParam> a = testing::Gaussian<TypeParam>(9, 11, 1);
      a.data[position] = bad;
      Dense<TypeParam> u(9, 9), v(11, 9);
      std::vector<R> s(9, R(7));
      for (Isa isa : this->Levels()) {
        EXPECT_EQ(Svd(isa, 9, 11, a.data.data(), u.data.data(), s.data(), v.data.data()), Outcome::kNotFinite);
        EXPECT_EQ(SvdTruncated(isa, 9, 11, a.data.data(), 4, 0, u.data.data(), s.data(), v.data.data()),
                  Outcome::kNotFinite);
        EXPECT_EQ(SvdValues(isa, 9, 11, a.data.data(), s.data()), Outcome::kNotFinite);
        EXPECT_EQ(s[0], R(7));
      }
    }
  }
}

}  // namespace
}  // namespace tenferro::linalg
