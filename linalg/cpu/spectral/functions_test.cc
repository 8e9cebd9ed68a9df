#include <cmath>
#include <functional>
#include <limits>

#include "gtest/gtest.h"
#include "tenferro/cpu/kernels/isa.h"
#include "tenferro/linalg/cpu/spectral/divided_differences.h"
#include "tenferro/linalg/cpu/spectral/general_function.h"
#include "tenferro/linalg/cpu/spectral/kernels.h"
#include "tenferro/linalg/cpu/spectral/triangular.h"

namespace tenferro::linalg {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

std::vector<Isa> Levels() {
  std::vector<Isa> levels;
  for (Isa isa : {Isa::kV2, Isa::kV3, Isa::kV4, Isa::kNeon}) {
    if (IsSupported(isa)) levels.push_back(isa);
  }
  return levels;
}

template <class T>
DenseMatrix<T> Fill(int64_t n, const std::function<std::complex<double>(int64_t, int64_t)>& f) {
  DenseMatrix<T> a(n, n);
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < n; ++i) {
      if constexpr (sizeof(T) == sizeof(double)) {
        a(i, j) = f(i, j).real();
      } else {
        a(i, j) = f(i, j);
      }
    }
  }
  return a;
}

// Numbers without structure, and matrices that QR iterations find hard.
std::complex<double> Noise(int64_t i, int64_t j) {
  const double x = static_cast<double>(i), y = static_cast<double>(j);
  return {std::sin(12.9898 * x + 78.233 * y + x * y), std::cos(39.3468 * x - 11.135 * y + 0.7 * x * y)};
}
struct Case {
  const char* name;
  std::complex<double> (*entry)(int64_t i, int64_t j);
};
constexpr Case kCases[] = {
    {"noise", Noise},
    {"diagonally dominant", [](int64_t i, int64_t j) { return Noise(i, j) + (i == j ? 40.0 : 0.0); }},
    {"cyclic shift", [](int64_t i, int64_t j) -> std::complex<double> { return (j + 1) % 12 == i % 12 ? 1 : 0; }},
    {"Jordan block", [](int64_t i, int64_t j) -> std::complex<double> { return i == j ? 2 : j == i + 1 ? 1 : 0; }},
    {"zero", [](int64_t, int64_t) -> std::complex<double> { return 0; }},
    {"large", [](int64_t i, int64_t j) { return 1e150 * Noise(i, j); }},
    {"small", [](int64_t i, int64_t j) { return 1e-150 * Noise(i, j); }},
    {"badly scaled", [](int64_t i, int64_t j) { return Noise(i, j) * std::pow(10.0, static_cast<double>(i - j)); }},
};

template <class T>
void ExpectNear(const DenseMatrix<T>& got, const DenseMatrix<T>& want, double bound, const char* what) {
  ASSERT_EQ(got.data.size(), want.data.size());
  for (size_t i = 0; i < got.data.size(); ++i) {
    EXPECT_LE(std::abs(got.data[i] - want.data[i]), bound) << what << ' ' << i;
  }
}

DenseMatrix<Complex> Wide(const DenseMatrix<double>& a) {
  DenseMatrix<Complex> out(a.rows, a.columns);
  std::copy(a.data.begin(), a.data.end(), out.data.begin());
  return out;
}
DenseMatrix<Complex> Wide(const DenseMatrix<Complex>& a) { return a; }

template <class T>
DenseMatrix<T> Identity(int64_t n) {
  return Fill<T>(n, [](int64_t i, int64_t j) -> std::complex<double> { return i == j ? 1 : 0; });
}

template <class T>
class FunctionsTest : public ::testing::Test {};
using Scalars = ::testing::Types<double, Complex>;
TYPED_TEST_SUITE(FunctionsTest, Scalars);

TYPED_TEST(FunctionsTest, SchurAndEigenvectors) {
  using T = TypeParam;
  constexpr bool kReal = sizeof(T) == sizeof(double);
  for (Isa isa : Levels()) {
    for (const Case& c : kCases) {
      for (int64_t n : {1, 2, 3, 4, 7, 12, 33, 100}) {
        const DenseMatrix<T> a = Fill<T>(n, c.entry);
        const double norm = OneNorm(a), bound = 20 * static_cast<double>(n) * kEps * norm;
        DenseMatrix<T> t(n, n), z(n, n);
        ASSERT_EQ(Schur(isa, n, a.data.data(), t.data.data(), z.data.data()), Outcome::kOk) << c.name;
        ExpectNear(Multiply(isa, Turn::kNone, Multiply(isa, z, t), Turn::kAdjoint, z), a, bound, c.name);
        ExpectNear(Multiply(isa, Turn::kAdjoint, z, Turn::kNone, z), Identity<T>(n), 40 * static_cast<double>(n) * kEps,
                   c.name);
        for (int64_t j = 0; j < n; ++j) {
          for (int64_t i = j + 1; i < n; ++i) {
            if (!kReal || i > j + 1) {
              EXPECT_EQ(t(i, j), T(0));
            } else if (t(i, j) != T(0)) {
              EXPECT_EQ(t(i, i), t(j, j));
              EXPECT_LT(std::real(t(i, j)) * std::real(t(j, i)) / norm, 0);
              EXPECT_TRUE(j == 0 || t(j, j - 1) == T(0));
            }
          }
        }
        std::vector<Complex> values(n);
        DenseMatrix<Complex> vectors, inverse;
        ASSERT_EQ(Eig(isa, a, values.data(), &vectors, &inverse), Outcome::kOk) << c.name;
        DenseMatrix<Complex> scaled = vectors;
        for (int64_t j = 0; j < n; ++j) {
          for (int64_t i = 0; i < n; ++i) scaled(i, j) *= values[j];
          EXPECT_TRUE(!kReal || values[j].imag() <= 0 || values[j + 1] == std::conj(values[j]));
        }
        ExpectNear(Multiply(isa, Wide(a), vectors), scaled, 2 * bound, c.name);
        if (std::string(c.name) == "noise") {
          ExpectNear(Multiply(isa, inverse, vectors), Identity<Complex>(n), 1e-11, c.name);
        }
      }
    }
  }
}

TYPED_TEST(FunctionsTest, EigenvectorsOfTheSmallestAndLargestMatrices) {
  using T = TypeParam;
  const int64_t n = 5;
  for (Isa isa : Levels()) {
    for (int exponent : {-1030, -1000, 1000}) {
      DenseMatrix<T> a = Fill<T>(n, [](int64_t i, int64_t j) { return Noise(i, j); });
      for (T& x : a.data) x = x * std::ldexp(1.0, exponent / 2) * std::ldexp(1.0, exponent / 2);
      std::vector<Complex> values(n);
      DenseMatrix<Complex> vectors, inverse;
      ASSERT_EQ(Eig(isa, a, values.data(), &vectors, &inverse), Outcome::kOk);
      // Back to the size of 1, which is exact.
      const auto up = [&](Complex x) { return x * std::ldexp(1.0, -exponent / 2) * std::ldexp(1.0, -exponent / 2); };
      DenseMatrix<Complex> raised = Wide(a), scaled = vectors;
      for (Complex& x : raised.data) x = up(x);
      for (int64_t j = 0; j < n; ++j) {
        for (int64_t i = 0; i < n; ++i) scaled(i, j) *= up(values[j]);
      }
      // 2⁻¹⁰³⁰ leaves 44 digits.
      ExpectNear(Multiply(isa, raised, vectors), scaled, exponent < -1022 ? 1e-11 : 1e-13, "scaled");
    }
  }
}

// Near a multiple of 1, so that every function has a principal value for real matrices too.
template <class T>
DenseMatrix<T> Near(int64_t n, double shift, double size) {
  return Fill<T>(n, [=](int64_t i, int64_t j) { return size * Noise(i, j) + (i == j ? shift : 0.0); });
}

TYPED_TEST(FunctionsTest, RootsLogarithmsAndExponentials) {
  using T = TypeParam;
  for (Isa isa : Levels()) {
    for (int64_t n : {1, 2, 3, 6, 17}) {
      for (double size : {0.0, 1e-9, 0.02, 0.4}) {
        const double room = 1 + size * static_cast<double>(n);
        const DenseMatrix<T> a = Near<T>(n, room, size);
        DenseMatrix<T> root, log, back;
        ASSERT_EQ(Sqrtm(isa, a, root), Outcome::kOk);
        ExpectNear(Multiply(isa, root, root), a, 100 * room * kEps, "root");
        ASSERT_EQ(Logm(isa, a, log), Outcome::kOk);
        ASSERT_EQ(Expm(isa, log, back), Outcome::kOk);
        ExpectNear(back, a, 300 * room * kEps, "exp of log");
      }
    }
  }
}

TYPED_TEST(FunctionsTest, ExponentialsThatAreKnown) {
  using T = TypeParam;
  const Isa isa = BestIsa();
  DenseMatrix<T> out;
  // A rotation by the angle, of every size that chooses another approximant; a Jordan block; a nilpotent matrix with
  // entries whose powers would ask for halvings.
  for (double angle : {1e-9, 0.01, 0.2, 0.7, 1.5, 3.0, 40.0, 1e6}) {
    const DenseMatrix<T> a =
        Fill<T>(2, [=](int64_t i, int64_t j) -> std::complex<double> { return i == j ? 0 : i < j ? -angle : angle; });
    ASSERT_EQ(Expm(isa, a, out), Outcome::kOk);
    const double bound = 4 * kEps * (1 + angle);
    EXPECT_LE(std::abs(out(0, 0) - std::cos(angle)), bound);
    EXPECT_LE(std::abs(out(1, 0) - std::sin(angle)), bound);
    EXPECT_LE(std::abs(out(0, 1) + std::sin(angle)), bound);
  }
  const DenseMatrix<T> nilpotent =
      Fill<T>(2, [](int64_t i, int64_t j) -> std::complex<double> { return i < j ? 1e8 : 0; });
  ASSERT_EQ(Expm(isa, nilpotent, out), Outcome::kOk);
  EXPECT_EQ(out(0, 0), T(1));
  EXPECT_EQ(out(0, 1), T(1e8));
  EXPECT_EQ(out(1, 0), T(0));
  const DenseMatrix<T> jordan =
      Fill<T>(2, [](int64_t i, int64_t j) -> std::complex<double> { return i == j ? -3 : i < j ? 1 : 0; });
  ASSERT_EQ(Expm(isa, jordan, out), Outcome::kOk);
  EXPECT_NEAR(std::real(out(0, 1)), std::exp(-3.0), 1e-16);
}

TYPED_TEST(FunctionsTest, DerivativesAgreeWithDifferences) {
  using T = TypeParam;
  const Isa isa = BestIsa();
  const double h = 1e-3;
  for (int64_t n : {1, 2, 5}) {
    const DenseMatrix<T> a = Near<T>(n, 2 + 0.3 * static_cast<double>(n), 0.3), e = Near<T>(n, 0.2, 0.7);
    const auto check = [&](auto function, auto derivative) {
      // Central differences of fourth order.
      DenseMatrix<T> sum(n, n), exact;
      for (const auto& [step, weight] : {std::pair{-2.0, 1.0}, {-1.0, -8.0}, {1.0, 8.0}, {2.0, -1.0}}) {
        DenseMatrix<T> moved = a, out;
        for (size_t i = 0; i < a.data.size(); ++i) moved.data[i] += step * h * e.data[i];
        ASSERT_EQ(function(isa, moved, out), Outcome::kOk);
        for (size_t i = 0; i < a.data.size(); ++i) sum.data[i] += weight / (12 * h) * out.data[i];
      }
      for (double scale : {1.0, 1e120}) {
        DenseMatrix<T> along = e;
        for (T& x : along.data) x *= scale;
        ASSERT_EQ(derivative(isa, a, along, exact), Outcome::kOk);
        for (T& x : exact.data) x /= scale;
        ExpectNear(exact, sum, 1e-9 * (1 + OneNorm(sum)), "derivative");
      }
    };
    check(Expm<T>, ExpmDerivative<T>);
    check(Sqrtm<T>, SqrtmDerivative<T>);
    check(Logm<T>, LogmDerivative<T>);
  }
}

TEST(Functions, WhatHasNoPrincipalValue) {
  const Isa isa = BestIsa();
  DenseMatrix<double> out, negative = Identity<double>(2), zero(2, 2), defective(2, 2);
  negative(1, 1) = -1;
  defective(0, 1) = 1;
  EXPECT_EQ(Sqrtm(isa, negative, out), Outcome::kNoPrincipalValue);
  EXPECT_EQ(Logm(isa, negative, out), Outcome::kNoPrincipalValue);
  EXPECT_EQ(Logm(isa, zero, out), Outcome::kNoPrincipalValue);
  EXPECT_EQ(Sqrtm(isa, zero, out), Outcome::kOk);
  EXPECT_EQ(Sqrtm(isa, defective, out), Outcome::kNoPrincipalValue);
  DenseMatrix<Complex> complex;
  ASSERT_EQ(Sqrtm(isa, Wide(negative), complex), Outcome::kOk);
  EXPECT_EQ(complex(1, 1), Complex(0, 1));
  negative(0, 0) = NAN;
  EXPECT_EQ(Sqrtm(isa, negative, out), Outcome::kNotFinite);
  EXPECT_EQ(Expm(isa, negative, out), Outcome::kNotFinite);
}

TEST(DividedDifferences, AgreeWithTheDerivativesWhereArgumentsMeet) {
  constexpr ScalarFunction kSine = {.name = "sin",
                                    .value = [](double x) { return std::sin(x); },
                                    .derivative = [](double x) { return std::cos(x); },
                                    .second = [](double x) { return -std::sin(x); }};
  for (double x : {0.3, 1.0, -2.0}) {
    EXPECT_EQ(DividedDifference(kSine, x, x), std::cos(x));
    EXPECT_EQ(DividedDifference(kSine, x, x, x), -std::sin(x) / 2);
    for (double h : {1e-12, 1e-8, 1e-5, 1e-3, 0.1, 0.7, 3.0}) {
      // sin(x + h) − sin(x) = 2·sin(h/2)·cos(x + h/2).
      const double first = 2 * std::sin(h / 2) / h * std::cos(x + h / 2);
      EXPECT_NEAR(DividedDifference(kSine, x + h, x), first, 4e-15) << h;
      // sin[x − h, x, x + h] = −sin(x)·(2 sin(h/2)/h)²/2.
      const double ratio = 2 * std::sin(h / 2) / h;
      EXPECT_NEAR(DividedDifference(kSine, x + h, x - h, x), -std::sin(x) * ratio * ratio / 2, 2e-14) << h;
    }
  }
}

}  // namespace
}  // namespace tenferro::linalg
