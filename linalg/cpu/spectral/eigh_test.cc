#include <algorithm>
#include <limits>
#include <thread>

#include "gtest/gtest.h"
#include "tenferro/linalg/cpu/spectral/kernels.h"
#include "tenferro/linalg/cpu/test_matrices.h"

namespace tenferro::linalg {
namespace {

using testing::AdjointOf;
using testing::Dense;

std::vector<Isa> Levels() {
  std::vector<Isa> levels;
  for (Isa isa : {Isa::kV2, Isa::kV3, Isa::kV4, Isa::kNeon}) {
    if (IsSupported(isa)) levels.push_back(isa);
  }
  return levels;
}

// Hermitian with eigenvalues w and random eigenvectors.
template <class T>
Dense<T> WithEigenvalues(const std::vector<double>& w, uint64_t seed) {
  const int64_t n = static_cast<int64_t>(w.size());
  const Dense<T> q = testing::RandomIsometry<T>(n, n, seed);
  Dense<T> scaled = q;
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < n; ++i) scaled(i, j) *= static_cast<RealOf<T>>(w[j]);
  }
  Dense<T> a = scaled * AdjointOf(q);
  for (int64_t j = 0; j < n; ++j) {
    a(j, j) = std::real(a(j, j));
    for (int64_t i = j + 1; i < n; ++i) a(j, i) = testing::Conj(a(i, j));
  }
  return a;
}

std::vector<double> Values(int64_t n, double (*f)(double)) {
  std::vector<double> values;
  for (int64_t i = 0; i < n; ++i) values.push_back(f(static_cast<double>(i)));
  return values;
}

template <class T>
class EighTest : public ::testing::Test {
 protected:
  using R = RealOf<T>;
  static constexpr double kEps = std::numeric_limits<R>::epsilon();

  // `known` are the eigenvalues where they are known.
  static void Check(Isa isa, const Dense<T>& a, std::vector<double> known = {}, int exponent = 0) {
    const int64_t n = a.rows;
    Dense<T> input = a, v(n, n);
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t i = 0; i < n; ++i) {
        input(i, j) *= std::ldexp(R(1), exponent);
        // The upper triangle and the diagonal's imaginary part do not count.
        if (i < j) input(i, j) = std::numeric_limits<R>::quiet_NaN();
      }
      if constexpr (sizeof(T) != sizeof(R)) input(j, j).imag(7);
    }
    std::vector<R> w(n), alone(n);
    ASSERT_EQ(Eigh(isa, n, input.data.data(), w.data(), v.data.data()), Outcome::kOk);
    ASSERT_EQ(Eigh<T>(isa, n, input.data.data(), alone.data(), nullptr), Outcome::kOk);
    double largest = 0;
    for (int64_t i = 0; i < n; ++i) {
      w[i] = std::ldexp(w[i], -exponent);
      alone[i] = std::ldexp(alone[i], -exponent);
      largest = std::max<double>(largest, std::abs(w[i]));
    }
    EXPECT_TRUE(std::is_sorted(w.begin(), w.end()));
    const double root = std::sqrt(static_cast<double>(n));
    EXPECT_LE(testing::OrthogonalityDefect(v), 6 * root * kEps) << n;
    EXPECT_LE(testing::Residual(a, v, w, v, n), 8 * root * kEps * largest) << n;
    std::sort(known.begin(), known.end());
    for (int64_t i = 0; i < n; ++i) {
      EXPECT_NEAR(w[i], alone[i], 8 * root * kEps * largest) << i << " of " << n;
      if (!known.empty()) {
        EXPECT_NEAR(w[i], known[i], 8 * root * kEps * largest) << i << " of " << n;
      }
    }
  }

  static Dense<T> RandomHermitian(int64_t n) {
    const Dense<T> g = testing::Gaussian<T>(n, n, 5);
    Dense<T> a(n, n);
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t i = 0; i < n; ++i) a(i, j) = g(i, j) + testing::Conj(g(j, i));
    }
    return a;
  }
};

using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(EighTest, Scalars);

TYPED_TEST(EighTest, RandomMatricesOfEverySize) {
  for (Isa isa : Levels()) {
    for (int64_t n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 34, 47, 63, 64, 65, 100, 129, 150}) {
      TestFixture::Check(isa, TestFixture::RandomHermitian(n));
    }
  }
}

TYPED_TEST(EighTest, KnownSpectra) {
  using T = TypeParam;
  for (Isa isa : Levels()) {
    for (int64_t n : {12, 70, 110}) {
      for (double (*f)(double) : {+[](double) { return 1.0; },                               // a multiple of 1
                                  +[](double i) { return std::floor(i / 3) - 5; },           // triplets
                                  +[](double i) { return i < 2 ? 3.0 - i : 0.0; },           // rank 2
                                  +[](double i) { return std::pow(10, -i / 4); },            // graded
                                  +[](double i) { return 1 + 1e-9 * i; },                    // a cluster
                                  +[](double i) { return std::fmod(i, 2) == 0 ? 1 : -1.0; },  // a reflection
                                  +[](double i) { return i * i - 40; }}) {
        const std::vector<double> values = Values(n, f);
        TestFixture::Check(isa, WithEigenvalues<T>(values, 11), values);
      }
    }
  }
}

TYPED_TEST(EighTest, TridiagonalMatricesThatAreHardToSeparate) {
  using T = TypeParam;
  for (Isa isa : Levels()) {
    // Wilkinson's matrix has pairs of eigenvalues that agree to rounding.
    const int64_t n = 121;
    Dense<T> a(n, n), laplace(n, n);
    std::vector<double> known;
    for (int64_t i = 0; i < n; ++i) {
      a(i, i) = static_cast<RealOf<T>>(std::abs(i - n / 2));
      laplace(i, i) = 2;
      if (i + 1 < n) {
        a(i + 1, i) = a(i, i + 1) = 1;
        laplace(i + 1, i) = laplace(i, i + 1) = -1;
      }
      known.push_back(2 - 2 * std::cos(M_PI * static_cast<double>(i + 1) / static_cast<double>(n + 1)));
    }
    TestFixture::Check(isa, a);
    TestFixture::Check(isa, laplace, known);
  }
}

TYPED_TEST(EighTest, ScalesAndZeros) {
  using T = TypeParam;
  const int most = sizeof(RealOf<T>) == 8 ? 990 : 110;
  for (Isa isa : Levels()) {
    const Dense<T> a = TestFixture::RandomHermitian(40);
    TestFixture::Check(isa, a, {}, most);
    TestFixture::Check(isa, a, {}, -most);
    TestFixture::Check(isa, Dense<T>(9, 9), std::vector<double>(9, 0.0));
  }
}

TYPED_TEST(EighTest, ExactBlocksStayApart) {
  using T = TypeParam;
  for (Isa isa : Levels()) {
    const int64_t n = 41;
    Dense<T> a = TestFixture::RandomHermitian(n), v(n, n);
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t i = 0; i < n; ++i) {
        if (i % 3 != j % 3) a(i, j) = 0;
      }
    }
    TestFixture::Check(isa, a);
    std::vector<RealOf<T>> w(n);
    ASSERT_EQ(Eigh(isa, n, a.data.data(), w.data(), v.data.data()), Outcome::kOk);
    for (int64_t j = 0; j < n; ++j) {
      int64_t nonzero = 0;
      for (int64_t i = 0; i < n; ++i) nonzero += v(i, j) != T(0);
      EXPECT_LE(nonzero, 14);
    }
    // Of equal values that of the block with the lower first row comes first.
    Dense<T> identity(3, 3), vectors(3, 3);
    for (int64_t i = 0; i < 3; ++i) identity(i, i) = 1;
    ASSERT_EQ(Eigh(isa, 3, identity.data.data(), w.data(), vectors.data.data()), Outcome::kOk);
    EXPECT_EQ(vectors.data, identity.data);
  }
}

TYPED_TEST(EighTest, RefusesNumbersThatAreNotFinite) {
  using T = TypeParam;
  for (Isa isa : Levels()) {
    for (double bad : {HUGE_VAL, static_cast<double>(NAN)}) {
      for (int64_t n : {3, 40}) {
        Dense<T> a = TestFixture::RandomHermitian(n), v(n, n);
        std::vector<RealOf<T>> w(n);
        a(n - 1, 1) = static_cast<RealOf<T>>(bad);
        EXPECT_EQ(Eigh(isa, n, a.data.data(), w.data(), v.data.data()), Outcome::kNotFinite);
      }
    }
  }
}

TYPED_TEST(EighTest, Generalized) {
  using T = TypeParam;
  using R = RealOf<T>;
  for (Isa isa : Levels()) {
    for (int64_t n : {1, 2, 9, 40}) {
      for (int exponent : {0, 61, -60}) {
        const Dense<T> a = TestFixture::RandomHermitian(n);
        Dense<T> b = WithEigenvalues<T>(Values(n, [](double i) { return 1 + std::fmod(i, 5); }), 3), x(n, n);
        const Dense<T> plain = b;
        for (T& entry : b.data) entry *= std::ldexp(R(1), exponent);
        std::vector<R> w(n);
        ASSERT_EQ(GeneralizedEigh(isa, n, a.data.data(), b.data.data(), w.data(), x.data.data()), Outcome::kOk);
        EXPECT_TRUE(std::is_sorted(w.begin(), w.end()));
        for (R& value : w) value = std::ldexp(value, exponent);
        const R back = static_cast<R>(std::exp2(exponent / 2.0));
        for (T& entry : x.data) entry *= back;
        const Dense<T> left = a * x, right = plain * x, gram = AdjointOf(x) * right;
        for (int64_t j = 0; j < n; ++j) {
          for (int64_t i = 0; i < n; ++i) {
            EXPECT_LE(std::abs(left(i, j) - right(i, j) * w[j]), 400 * static_cast<double>(n) * TestFixture::kEps);
            EXPECT_LE(std::abs(gram(i, j) - T(i == j)), 100 * static_cast<double>(n) * TestFixture::kEps);
          }
        }
      }
    }
    Dense<T> a = TestFixture::RandomHermitian(4), b(4, 4), x(4, 4);
    std::vector<R> w(4);
    for (int64_t i = 0; i < 4; ++i) b(i, i) = static_cast<R>(i == 2 ? -1 : 1);
    EXPECT_EQ(GeneralizedEigh(isa, 4, a.data.data(), b.data.data(), w.data(), x.data.data()),
              Outcome::kNotPositiveDefinite);
  }
}

TYPED_TEST(EighTest, ManyThreadsGetTheSameBits) {
  using T = TypeParam;
  const int64_t n = 70;
  const Dense<T> a = TestFixture::RandomHermitian(n);
  std::vector<Dense<T>> v(4, Dense<T>(n, n));
  std::vector<std::thread> threads;
  for (Dense<T>& out : v) {
    threads.emplace_back([&] {
      std::vector<RealOf<T>> w(n);
      Eigh(BestIsa(), n, a.data.data(), w.data(), out.data.data());
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Dense<T>& out : v) EXPECT_EQ(out.data, v[0].data);
}

}  // namespace
}  // namespace tenferro::linalg
