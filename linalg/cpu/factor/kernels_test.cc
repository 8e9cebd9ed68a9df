// The factorisations against what they promise: products of the factors, orthogonality, order of the pivots.
#include "tenferro/linalg/cpu/factor/kernels.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "tenferro/linalg/cpu/test_matrices.h"

namespace tenferro::linalg::factor {
namespace {

using linalg::testing::AdjointOf;
using linalg::testing::Conj;
using linalg::testing::Dense;

template <class T>
Dense<T> Random(int64_t m, int64_t n, uint64_t seed) {
  std::mt19937_64 bits(seed);
  std::normal_distribution<double> normal;
  Dense<T> a(m, n);
  for (T& x : a.data) {
    if constexpr (std::is_floating_point_v<T>) {
      x = static_cast<T>(normal(bits));
    } else {
      const double re = normal(bits);
      x = T(static_cast<RealOf<T>>(re), static_cast<RealOf<T>>(normal(bits)));
    }
  }
  return a;
}

template <class T>
double Distance(const Dense<T>& a, const Dense<T>& b) {
  double largest = 0;
  for (size_t i = 0; i < a.data.size(); ++i) {
    const double distance = std::abs(a.data[i] - b.data[i]);
    if (!(distance <= largest)) largest = distance;
  }
  return largest;
}

template <class T>
Dense<T> Identity(int64_t m, int64_t n) {
  Dense<T> a(m, n);
  for (int64_t i = 0; i < std::min(m, n); ++i) a(i, i) = 1;
  return a;
}

template <class T>
double Eps() {
  return std::numeric_limits<RealOf<T>>::epsilon();
}

constexpr int64_t kOrders[] = {0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 63, 65, 100, 131};
constexpr int64_t kShapes[][2] = {{1, 1},   {2, 5},    {5, 2},    {8, 8},     {16, 16}, {17, 16}, {16, 17},
                                  {1, 20},  {20, 1},   {33, 8},   {8, 33},    {40, 40}, {64, 64}, {65, 33},
                                  {33, 65}, {100, 70}, {70, 130}, {130, 131}, {0, 3},   {3, 0}};

template <class T>
class FactorTest : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(FactorTest, Scalars);

template <class Body>
void AtEveryLevel(Body body) {
  for (Isa isa : {Isa::kV2, Isa::kV3, Isa::kV4, Isa::kNeon}) {
    if (!IsSupported(isa)) continue;
    SCOPED_TRACE(static_cast<int>(isa));
    body(isa);
  }
}

template <class T>
Dense<T> PositiveDefinite(int64_t n) {
  Dense<T> g = Random<T>(n, n + 2, 7 + n);
  Dense<T> a = g * AdjointOf(g);
  for (int64_t i = 0; i < n; ++i) a(i, i) += T(1);
  return a;
}

TYPED_TEST(FactorTest, CholeskyReadsTheLowerTriangle) {
  using T = TypeParam;
  AtEveryLevel([](Isa isa) {
    for (int64_t n : kOrders) {
      const Dense<T> a = PositiveDefinite<T>(n);
      Dense<T> lower = a, l(n, n);
      for (int64_t j = 0; j < n; ++j) {
        for (int64_t i = 0; i < j; ++i) lower(i, j) = std::numeric_limits<RealOf<T>>::quiet_NaN();
      }
      ASSERT_EQ(Cholesky(isa, n, lower.data.data(), l.data.data()).outcome, Outcome::kOk) << n;
      for (int64_t j = 0; j < n; ++j) {
        for (int64_t i = 0; i < j; ++i) EXPECT_EQ(l(i, j), T(0));
      }
      EXPECT_LE(Distance(l * AdjointOf(l), a), 20 * Eps<T>() * (static_cast<double>(n) + 4)) << n;
    }
  });
}

TYPED_TEST(FactorTest, CholeskyNamesTheMinor) {
  using T = TypeParam;
  AtEveryLevel([](Isa isa) {
    for (int64_t n : {3, 16, 40, 100}) {
      for (int64_t bad : {int64_t{0}, n / 2, n - 1}) {
        Dense<T> a = PositiveDefinite<T>(n), l(n, n);
        a(bad, bad) = -1;
        Ending ending = Cholesky(isa, n, a.data.data(), l.data.data());
        EXPECT_EQ(ending.outcome, Outcome::kNotPositive);
        EXPECT_EQ(ending.index, bad + 1);
        a(n - 1, bad) = std::numeric_limits<RealOf<T>>::infinity();
        EXPECT_EQ(Cholesky(isa, n, a.data.data(), l.data.data()).outcome, Outcome::kNotFinite);
      }
    }
  });
}

TYPED_TEST(FactorTest, TriangularSolveInEveryMode) {
  using T = TypeParam;
  AtEveryLevel([](Isa isa) {
    for (int64_t n : {0, 1, 3, 8, 17, 32, 33, 70}) {
      for (int64_t count : {0, 1, 2, 7, 16, 33, 50}) {
        for (int bits = 0; bits < 32; ++bits) {
          const TriangleMode mode = {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0,
                                     (bits & 16) != 0};
          Dense<T> t = Random<T>(n, n, 3), stored = t;
          for (int64_t j = 0; j < n; ++j) {
            for (int64_t i = 0; i < n; ++i) {
              t(i, j) /= static_cast<RealOf<T>>(n);
              stored(i, j) = t(i, j);
              if (i == j) t(i, j) = stored(i, j) = T(2) + t(i, j);
              if (i == j && mode.unit_diagonal) {
                t(i, j) = 1;
                stored(i, j) = std::numeric_limits<RealOf<T>>::quiet_NaN();
              }
              if (mode.lower ? i < j : i > j) {
                t(i, j) = 0;
                stored(i, j) = std::numeric_limits<RealOf<T>>::quiet_NaN();
              }
            }
          }
          Dense<T> op(n, n);
          for (int64_t j = 0; j < n; ++j) {
            for (int64_t i = 0; i < n; ++i) {
              const T x = mode.transpose ? t(j, i) : t(i, j);
              op(i, j) = mode.conjugate ? Conj(x) : x;
            }
          }
          const Dense<T> b = mode.right ? Random<T>(count, n, 5) : Random<T>(n, count, 5);
          Dense<T> x(b.rows, b.columns);
          ASSERT_EQ(TriangularSolve(isa, n, count, mode, stored.data.data(), b.data.data(), x.data.data()).outcome,
                    Outcome::kOk);
          const Dense<T> product = mode.right ? x * op : op * x;
          ASSERT_LE(Distance(product, b), 100 * Eps<T>()) << n << " " << count << " " << bits;
        }
      }
    }
  });
}

TYPED_TEST(FactorTest, TriangularSolveWithTinyAndHugeDiagonals) {
  using T = TypeParam;
  using R = RealOf<T>;
  AtEveryLevel([](Isa isa) {
    const R tiny = std::numeric_limits<R>::denorm_min() * 4, huge = std::numeric_limits<R>::max() / 2;
    const std::vector<T> t = {T(tiny), 0, 0, T(huge)}, b = {T(tiny), T(huge)};
    std::vector<T> x(2);
    ASSERT_EQ(TriangularSolve(isa, 2, 1, TriangleMode{}, t.data(), b.data(), x.data()).outcome, Outcome::kOk);
    EXPECT_EQ(x[0], T(1));
    EXPECT_EQ(x[1], T(1));
  });
}

template <class T>
Dense<T> LowerFactor(const Dense<T>& lu) {
  const int64_t k = std::min(lu.rows, lu.columns);
  Dense<T> l(lu.rows, k);
  for (int64_t j = 0; j < k; ++j) {
    l(j, j) = 1;
    for (int64_t i = j + 1; i < lu.rows; ++i) l(i, j) = lu(i, j);
  }
  return l;
}
template <class T>
Dense<T> UpperFactor(const Dense<T>& lu) {
  const int64_t k = std::min(lu.rows, lu.columns);
  Dense<T> u(k, lu.columns);
  for (int64_t j = 0; j < lu.columns; ++j) {
    for (int64_t i = 0; i <= std::min(j, k - 1); ++i) u(i, j) = lu(i, j);
  }
  return u;
}

// The sign of a permutation, by its inversions.
double Sign(const std::vector<int64_t>& p) {
  double sign = 1;
  for (size_t i = 0; i < p.size(); ++i) {
    for (size_t j = i + 1; j < p.size(); ++j) sign = p[j] < p[i] ? -sign : sign;
  }
  return sign;
}

TYPED_TEST(FactorTest, LuOfEveryShape) {
  using T = TypeParam;
  AtEveryLevel([](Isa isa) {
    for (const auto& [m, n] : kShapes) {
      const Dense<T> a = Random<T>(m, n, 11);
      Dense<T> lu(m, n);
      std::vector<int64_t> permutation(static_cast<size_t>(m)), pivots(static_cast<size_t>(std::min(m, n)));
      RealOf<T> parity = 0;
      ASSERT_EQ(Lu(isa, m, n, a.data.data(), lu.data.data(), permutation.data(), &parity, pivots.data()).outcome,
                Outcome::kOk);
      const Dense<T> l = LowerFactor(lu), product = l * UpperFactor(lu);
      Dense<T> permuted(m, n);
      for (int64_t j = 0; j < n; ++j) {
        for (int64_t i = 0; i < m; ++i) permuted(i, j) = a(permutation[static_cast<size_t>(i)], j);
      }
      EXPECT_LE(Distance(product, permuted), 30 * Eps<T>() * static_cast<double>(std::min(m, n) + 1)) << m << " " << n;
      EXPECT_EQ(parity, Sign(permutation));
      std::vector<int64_t> swapped(permutation.size());
      for (size_t i = 0; i < swapped.size(); ++i) swapped[i] = static_cast<int64_t>(i);
      for (size_t i = 0; i < pivots.size(); ++i) std::swap(swapped[i], swapped[static_cast<size_t>(pivots[i])]);
      EXPECT_EQ(swapped, permutation);
      for (const T& x : l.data) EXPECT_LE(std::abs(x), 1.4143);
    }
  });
}

TYPED_TEST(FactorTest, LuOfSingularMatricesHasZeroPivots) {
  using T = TypeParam;
  AtEveryLevel([](Isa isa) {
    for (int64_t n : {4, 20}) {
      const Dense<T> zero(n, n);
      Dense<T> lu(n, n);
      std::vector<int64_t> permutation(static_cast<size_t>(n)), pivots(static_cast<size_t>(n));
      RealOf<T> parity = 0;
      ASSERT_EQ(Lu(isa, n, n, zero.data.data(), lu.data.data(), permutation.data(), &parity, pivots.data()).outcome,
                Outcome::kOk);
      EXPECT_EQ(lu.data, zero.data);
      EXPECT_EQ(parity, 1);
      const Dense<T> b = Random<T>(n, 1, 2);
      Dense<T> x = b;
      const Ending ending =
          LuSolve(isa, n, 1, false, false, lu.data.data(), permutation.data(), b.data.data(), x.data.data());
      EXPECT_EQ(ending.outcome, Outcome::kSingular);
      EXPECT_EQ(ending.index, 0);
    }
  });
}

TYPED_TEST(FactorTest, LuSolveInEveryMode) {
  using T = TypeParam;
  AtEveryLevel([](Isa isa) {
    for (int64_t n : {1, 5, 16, 33, 90}) {
      Dense<T> a = Random<T>(n, n, 23);
      for (int64_t i = 0; i < n; ++i) a(i, (i + 1) % n) += T(static_cast<RealOf<T>>(2 * std::sqrt(n)));
      Dense<T> lu(n, n);
      std::vector<int64_t> permutation(static_cast<size_t>(n)), pivots(static_cast<size_t>(n));
      RealOf<T> parity = 0;
      ASSERT_EQ(Lu(isa, n, n, a.data.data(), lu.data.data(), permutation.data(), &parity, pivots.data()).outcome,
                Outcome::kOk);
      for (int64_t count : {0, 1, 3, 40}) {
        for (int bits = 0; bits < 4; ++bits) {
          const bool transpose = (bits & 1) != 0, conjugate = (bits & 2) != 0;
          Dense<T> op = a;
          for (int64_t j = 0; j < n; ++j) {
            for (int64_t i = 0; i < n; ++i) {
              const T x = transpose ? a(j, i) : a(i, j);
              op(i, j) = conjugate ? Conj(x) : x;
            }
          }
          const Dense<T> b = Random<T>(n, count, 31);
          Dense<T> x(n, count);
          ASSERT_EQ(LuSolve(isa, n, count, transpose, conjugate, lu.data.data(), permutation.data(), b.data.data(),
                            x.data.data())
                        .outcome,
                    Outcome::kOk);
          EXPECT_LE(Distance(op * x, b), 300 * Eps<T>() * static_cast<double>(n)) << n << " " << bits;
        }
      }
    }
  });
}

TYPED_TEST(FactorTest, FullPivotLu) {
  using T = TypeParam;
  AtEveryLevel([](Isa isa) {
    for (const auto& [m, n] : kShapes) {
      const Dense<T> a = Random<T>(m, n, 13);
      Dense<T> lu(m, n);
      std::vector<int64_t> rows(static_cast<size_t>(m)), columns(static_cast<size_t>(n));
      RealOf<T> parity = 0;
      ASSERT_EQ(FullPivotLu(isa, m, n, a.data.data(), lu.data.data(), rows.data(), columns.data(), &parity).outcome,
                Outcome::kOk);
      Dense<T> permuted(m, n);
      for (int64_t j = 0; j < n; ++j) {
        for (int64_t i = 0; i < m; ++i)
          permuted(i, j) = a(rows[static_cast<size_t>(i)], columns[static_cast<size_t>(j)]);
      }
      EXPECT_LE(Distance(LowerFactor(lu) * UpperFactor(lu), permuted),
                30 * Eps<T>() * static_cast<double>(std::min(m, n) + 1));
      EXPECT_EQ(parity, Sign(rows) * Sign(columns));
    }
  });
}

template <class T>
void ExpectUpper(const Dense<T>& r) {
  for (int64_t j = 0; j < r.columns; ++j) {
    for (int64_t i = j + 1; i < r.rows; ++i) EXPECT_EQ(r(i, j), T(0));
  }
}

TYPED_TEST(FactorTest, QrThinAndComplete) {
  using T = TypeParam;
  AtEveryLevel([](Isa isa) {
    for (const auto& [m, n] : kShapes) {
      for (int64_t columns : {std::min(m, n), m}) {
        for (bool positive : {false, true}) {
          const Dense<T> a = Random<T>(m, n, 17);
          Dense<T> q(m, columns), r(columns, n);
          ASSERT_EQ(Qr(isa, m, n, columns, positive, a.data.data(), q.data.data(), r.data.data()).outcome,
                    Outcome::kOk);
          const double bound = 20 * Eps<T>() * (static_cast<double>(m) + 4);
          EXPECT_LE(Distance(q * r, a), bound) << m << " " << n;
          EXPECT_LE(Distance(AdjointOf(q) * q, Identity<T>(columns, columns)), bound) << m << " " << n;
          ExpectUpper(r);
          for (int64_t i = 0; i < std::min(columns, n); ++i) {
            EXPECT_EQ(std::imag(r(i, i)), 0);
            if (positive) {
              EXPECT_GE(std::real(r(i, i)), 0);
            }
          }
        }
      }
    }
  });
}

TYPED_TEST(FactorTest, QrAtTheEndsOfTheRange) {
  using T = TypeParam;
  using R = RealOf<T>;
  AtEveryLevel([](Isa isa) {
    for (R scale : {std::numeric_limits<R>::max() / 64, std::numeric_limits<R>::min() * 64}) {
      for (int64_t n : {6, 40}) {
        Dense<T> a = Random<T>(n, n, 19);
        const Dense<T> plain = a;
        for (T& x : a.data) x *= scale / 8;
        Dense<T> q(n, n), r(n, n), q_plain(n, n), r_plain(n, n);
        ASSERT_EQ(Qr(isa, n, n, n, false, a.data.data(), q.data.data(), r.data.data()).outcome, Outcome::kOk);
        ASSERT_EQ(Qr(isa, n, n, n, false, plain.data.data(), q_plain.data.data(), r_plain.data.data()).outcome,
                  Outcome::kOk);
        EXPECT_LE(Distance(q, q_plain), 3000 * Eps<T>());
      }
    }
  });
}

// Beyond the rank what is left shrinks by eps from column to column, through the numbers without all digits to 0.
TYPED_TEST(FactorTest, QrBeyondTheRankAndTheSmallestNumbers) {
  using T = TypeParam;
  AtEveryLevel([](Isa isa) {
    for (int64_t n : {3, 24, 33, 70}) {
      Dense<T> ones(n, n), tiny = Random<T>(n, n, 43);
      for (T& x : ones.data) x = T(1);
      for (T& x : tiny.data) x *= std::numeric_limits<RealOf<T>>::min() / 64;
      for (const Dense<T>& a : {ones, tiny}) {
        const double bound = 20 * Eps<T>() * (static_cast<double>(n) + 4);
        Dense<T> q(n, n), r(n, n), permuted(n, n);
        ASSERT_EQ(Qr(isa, n, n, n, false, a.data.data(), q.data.data(), r.data.data()).outcome, Outcome::kOk);
        EXPECT_LE(Distance(AdjointOf(q) * q, Identity<T>(n, n)), bound) << n;
        EXPECT_LE(Distance(q * r, a), bound) << n;
        std::vector<int64_t> permutation(static_cast<size_t>(n));
        ASSERT_EQ(PivotedQr(isa, n, n, a.data.data(), q.data.data(), r.data.data(), permutation.data()).outcome,
                  Outcome::kOk);
        EXPECT_LE(Distance(AdjointOf(q) * q, Identity<T>(n, n)), bound) << n;
      }
    }
  });
}

TYPED_TEST(FactorTest, PivotedQrFindsTheRank) {
  using T = TypeParam;
  AtEveryLevel([](Isa isa) {
    for (const auto& [m, n] : kShapes) {
      const int64_t k = std::min(m, n), rank = std::min<int64_t>(k, 3);
      const Dense<T> a = Random<T>(m, rank, 29) * Random<T>(rank, n, 37);
      Dense<T> q(m, k), r(k, n), permuted(m, n);
      std::vector<int64_t> permutation(static_cast<size_t>(n));
      ASSERT_EQ(PivotedQr(isa, m, n, a.data.data(), q.data.data(), r.data.data(), permutation.data()).outcome,
                Outcome::kOk);
      for (int64_t j = 0; j < n; ++j) {
        for (int64_t i = 0; i < m; ++i) permuted(i, j) = a(i, permutation[static_cast<size_t>(j)]);
      }
      const double bound = 50 * Eps<T>() * (static_cast<double>(m) + 4);
      EXPECT_LE(Distance(q * r, permuted), bound);
      EXPECT_LE(Distance(AdjointOf(q) * q, Identity<T>(k, k)), bound);
      ExpectUpper(r);
      for (int64_t i = 0; i < k; ++i) {
        if (i >= rank) {
          EXPECT_LE(std::abs(r(i, i)), bound);
        } else {
          EXPECT_GE(std::abs(r(i, i)), 0.02);
        }
        if (i > 0) {
          EXPECT_LE(std::abs(r(i, i)), std::abs(r(i - 1, i - 1)) * (1 + 10 * Eps<T>()));
        }
      }
    }
  });
}

TYPED_TEST(FactorTest, RefusesWhatIsNotFinite) {
  using T = TypeParam;
  AtEveryLevel([](Isa isa) {
    for (int64_t n : {4, 40}) {
      for (RealOf<T> bad : {std::numeric_limits<RealOf<T>>::quiet_NaN(), std::numeric_limits<RealOf<T>>::infinity()}) {
        Dense<T> a = Random<T>(n, n, 1), x(n, n), y(n, n);
        a(n - 1, n / 2) = bad;
        std::vector<int64_t> p(static_cast<size_t>(n)), s(static_cast<size_t>(n));
        RealOf<T> parity;
        EXPECT_EQ(Lu(isa, n, n, a.data.data(), x.data.data(), p.data(), &parity, s.data()).outcome,
                  Outcome::kNotFinite);
        EXPECT_EQ(FullPivotLu(isa, n, n, a.data.data(), x.data.data(), p.data(), s.data(), &parity).outcome,
                  Outcome::kNotFinite);
        EXPECT_EQ(Qr(isa, n, n, n, false, a.data.data(), x.data.data(), y.data.data()).outcome, Outcome::kNotFinite);
        EXPECT_EQ(PivotedQr(isa, n, n, a.data.data(), x.data.data(), y.data.data(), p.data()).outcome,
                  Outcome::kNotFinite);
        const Dense<T> unit = Identity<T>(n, n);
        const Ending ending =
            TriangularSolve(isa, n, n, TriangleMode{}, unit.data.data(), a.data.data(), x.data.data());
        EXPECT_EQ(ending.outcome, Outcome::kNotFinite);
        EXPECT_EQ(ending.index, 1);
      }
    }
  });
}

}  // namespace
}  // namespace tenferro::linalg::factor
