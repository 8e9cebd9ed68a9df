#include <algorithm>
#include <limits>

#include "gtest/gtest.h"
#include "tenferro/linalg/cpu/test_matrices.h"

namespace tenferro::linalg {
namespace {

using testing::AdjointOf;
using testing::Conj;
using testing::Dense;
using testing::MatrixCase;

template <class T>
double MaxAbs(const Dense<T>& a) {
  double largest = 0;
  for (const T& x : a.data) largest = std::fmax(largest, std::abs(x));
  return largest;
}

template <class T>
double MaxDifference(const Dense<T>& a, const Dense<T>& b) {
  double largest = 0;
  for (size_t i = 0; i < a.data.size(); ++i) largest = std::fmax(largest, std::abs(a.data[i] - b.data[i]));
  return largest;
}

// x − basis·basisᴴ·x for the first `size` columns of basis.
template <class T>
Dense<T> ProjectOut(const Dense<T>& basis, int64_t size, Dense<T> x) {
  for (int pass = 0; pass < 2; ++pass) {
    for (int64_t j = 0; j < x.columns; ++j) {
      for (int64_t l = 0; l < size; ++l) {
        T dot = 0;
        for (int64_t i = 0; i < x.rows; ++i) dot += Conj(basis(i, l)) * x(i, j);
        for (int64_t i = 0; i < x.rows; ++i) x(i, j) -= dot * basis(i, l);
      }
    }
  }
  return x;
}

template <class T>
struct Solution {
  Dense<T> u, v, p, q, x, y;
  std::vector<RealOf<T>> s;
};

template <class T>
class ComplementTest : public ::testing::Test {
 protected:
  using R = RealOf<T>;
  static constexpr double kEps = std::numeric_limits<R>::epsilon();

  static std::vector<Isa> Levels() {
    std::vector<Isa> levels;
    for (Isa isa : {Isa::kV2, Isa::kV3, Isa::kV4, Isa::kNeon}) {
      if (IsSupported(isa)) levels.push_back(isa);
    }
    return levels;
  }

  static Solution<T> Decompose(Isa isa, const Dense<T>& a, int64_t k, int64_t extra) {
    Solution<T> r;
    r.u = Dense<T>(a.rows, k + extra);
    r.v = Dense<T>(a.columns, k + extra);
    r.s.resize(k + extra);
    EXPECT_EQ(
        SvdTruncated(isa, a.rows, a.columns, a.data.data(), k, extra, r.u.data.data(), r.s.data(), r.v.data.data()),
        Outcome::kOk);
    r.p = testing::Gaussian<T>(a.rows, k, 7);
    r.q = testing::Gaussian<T>(a.columns, k, 8);
    r.x = Dense<T>(a.rows, k);
    r.y = Dense<T>(a.columns, k);
    return r;
  }

  static void Complement(Isa isa, const Dense<T>& a, int64_t k, Solution<T>& r, bool with_p = true,
                         bool with_q = true) {
    const int64_t extra = r.u.columns - k;
    ASSERT_EQ(TruncatedComplement(isa, a.rows, a.columns, a.data.data(), k, extra, r.u.data.data(), r.s.data(),
                                  r.v.data.data(), with_p ? r.p.data.data() : nullptr,
                                  with_q ? r.q.data.data() : nullptr, r.x.data.data(), r.y.data.data()),
              Outcome::kOk);
  }

  // The equations hold to a backward error of some eps, and x, y are orthogonal to the kept vectors.
  static void CheckEquations(const Dense<T>& a, int64_t k, const Solution<T>& r) {
    const Dense<T> p = ProjectOut(r.u, k, r.p), q = ProjectOut(r.v, k, r.q);
    const Dense<T> ay = a * r.y, ax = AdjointOf(a) * r.x;
    const double tau = std::max(a.rows, a.columns) * kEps * r.s[0];
    for (int64_t j = 0; j < k; ++j) {
      double size = 0, right = 0, error = 0;
      for (int64_t i = 0; i < a.rows; ++i) {
        size += std::norm(r.x(i, j));
        right += std::norm(p(i, j));
        error += std::norm(r.x(i, j) * r.s[j] - ay(i, j) - p(i, j));
      }
      for (int64_t i = 0; i < a.columns; ++i) {
        size += std::norm(r.y(i, j));
        right += std::norm(q(i, j));
        error += std::norm(r.y(i, j) * r.s[j] - ax(i, j) - q(i, j));
      }
      if (r.s[j] <= tau) {
        EXPECT_EQ(size, 0);
        continue;
      }
      const double scale = r.s[0] * std::sqrt(size) + std::sqrt(right) + kEps;
      EXPECT_LE(std::sqrt(error), 40 * std::sqrt(double(std::max(a.rows, a.columns))) * kEps * scale) << "column " << j;
    }
    // Overlaps with kept vectors are at rounding level column by column.
    const Dense<T> along_u = AdjointOf(r.u) * r.x, along_v = AdjointOf(r.v) * r.y;
    for (int64_t j = 0; j < k; ++j) {
      double size = 0;
      for (int64_t i = 0; i < a.rows; ++i) size += std::norm(r.x(i, j));
      for (int64_t i = 0; i < a.columns; ++i) size += std::norm(r.y(i, j));
      for (int64_t l = 0; l < k; ++l) {
        EXPECT_LE(std::abs(along_u(l, j)), 100 * kEps * (std::sqrt(size) + kEps / r.s[j]));
        EXPECT_LE(std::abs(along_v(l, j)), 100 * kEps * (std::sqrt(size) + kEps / r.s[j]));
      }
    }
  }

  // The same solution from a full SVD of what the truncation leaves.
  static void Reference(Isa isa, const Dense<T>& a, int64_t k, const Solution<T>& r, Dense<T>& x, Dense<T>& y) {
    Dense<T> rest = a;
    for (int64_t l = 0; l < k; ++l) {
      for (int64_t j = 0; j < a.columns; ++j) {
        for (int64_t i = 0; i < a.rows; ++i) rest(i, j) -= r.u(i, l) * r.s[l] * Conj(r.v(j, l));
      }
    }
    const int64_t rank = std::min(a.rows, a.columns);
    Dense<T> w(a.rows, rank), zt(rank, a.columns);
    std::vector<R> t(rank);
    ASSERT_EQ(Svd(isa, a.rows, a.columns, rest.data.data(), w.data.data(), t.data(), zt.data.data()), Outcome::kOk);
    const Dense<T> p = ProjectOut(r.u, k, r.p), q = ProjectOut(r.v, k, r.q);
    const Dense<T> wp = AdjointOf(w) * p, zq = zt * q;
    const Dense<T> z = AdjointOf(zt);
    x = ProjectOut(w, rank, p);
    y = ProjectOut(z, rank, q);
    const double tau = std::max(a.rows, a.columns) * kEps * r.s[0];
    for (int64_t j = 0; j < k; ++j) {
      const R s = r.s[j];
      for (int64_t i = 0; i < a.rows; ++i) x(i, j) = s > tau ? x(i, j) / s : T(0);
      for (int64_t i = 0; i < a.columns; ++i) y(i, j) = s > tau ? y(i, j) / s : T(0);
      for (int64_t l = 0; l < rank; ++l) {
        if (s <= tau || std::abs(s - t[l]) <= tau) continue;
        const R d = 1 / ((s - t[l]) * (s + t[l]));
        const T along_w = d * (s * wp(l, j) + t[l] * zq(l, j)), along_z = d * (t[l] * wp(l, j) + s * zq(l, j));
        for (int64_t i = 0; i < a.rows; ++i) x(i, j) += w(i, l) * along_w;
        for (int64_t i = 0; i < a.columns; ++i) y(i, j) += z(i, l) * along_z;
      }
    }
  }
};

using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(ComplementTest, Scalars);

TYPED_TEST(ComplementTest, EquationsHold) {
  for (const MatrixCase& c : testing::MatrixCases()) {
    if (c.gap == 0 && !c.spectrum.empty()) continue;
    if (sizeof(RealOf<TypeParam>) == 4 && c.gap != 0 && c.gap < 1e-4) continue;
    const Dense<TypeParam> a = testing::MakeMatrix<TypeParam>(c);
    for (Isa isa : this->Levels()) {
      for (int64_t extra : {int64_t{0}, std::min<int64_t>(16, std::min(c.m, c.n) - c.k)}) {
        SCOPED_TRACE(c.name + " isa " + std::to_string(static_cast<int>(isa)) + " extra " + std::to_string(extra));
        auto r = this->Decompose(isa, a, c.k, extra);
        this->Complement(isa, a, c.k, r);
        this->CheckEquations(a, c.k, r);
      }
    }
  }
}

TYPED_TEST(ComplementTest, AgreesWithFullDecomposition) {
  const double eps = this->kEps;
  for (const MatrixCase& c : testing::MatrixCases()) {
    if (c.name == "graded, noise at the cut" || (sizeof(RealOf<TypeParam>) == 4 && c.name == "cluster")) continue;
    const Dense<TypeParam> a = testing::MakeMatrix<TypeParam>(c);
    for (int64_t extra : {int64_t{0}, std::min<int64_t>(16, std::min(c.m, c.n) - c.k)}) {
      SCOPED_TRACE(c.name + " extra " + std::to_string(extra));
      auto r = this->Decompose(BestIsa(), a, c.k, extra);
      this->Complement(BestIsa(), a, c.k, r);
      Dense<TypeParam> x, y;
      this->Reference(BestIsa(), a, c.k, r, x, y);
      // The smaller the gap and the smallest kept value, the larger the error that any method has.
      const double smallest = std::min<double>(r.s[c.k - 1] / r.s[0], c.gap > 0 ? c.gap : 1.0);
      const double bound = 400 * eps / smallest * (std::max(MaxAbs(x), MaxAbs(y)) + 1 / r.s[c.k - 1]);
      EXPECT_LE(MaxDifference(r.x, x), bound);
      EXPECT_LE(MaxDifference(r.y, y), bound);
    }
  }
}

TYPED_TEST(ComplementTest, IsTheDerivativeOfTheProjectors) {
  // d(U·Uᴴ) = X·Uᴴ + U·Xᴴ for p = dA·V, q = dAᴴ·U.
  const Isa isa = BestIsa();
  const int64_t k = 3;
  const auto a = testing::WithSpectrum<TypeParam>(9, 7, {3, 2.5, 2, 1, .5, .2, .1}, 3);
  const auto direction = testing::Gaussian<TypeParam>(9, 7, 4);
  auto r = this->Decompose(isa, a, k, 0);
  r.p = direction * r.v;
  r.q = AdjointOf(direction) * r.u;
  this->Complement(isa, a, k, r);
  const auto projector = [&](const Dense<TypeParam>& basis) { return basis * AdjointOf(basis); };
  const RealOf<TypeParam> h = std::cbrt(this->kEps);
  Dense<TypeParam> above = a, below = a;
  for (size_t i = 0; i < a.data.size(); ++i) {
    above.data[i] += h * direction.data[i];
    below.data[i] -= h * direction.data[i];
  }
  const auto up = this->Decompose(isa, above, k, 0), down = this->Decompose(isa, below, k, 0);
  for (bool left : {true, false}) {
    const Dense<TypeParam>& basis = left ? r.u : r.v;
    const Dense<TypeParam>& tangent = left ? r.x : r.y;
    const auto high = projector(left ? up.u : up.v), low = projector(left ? down.u : down.v);
    const auto product = tangent * AdjointOf(basis);
    for (int64_t j = 0; j < high.columns; ++j) {
      for (int64_t i = 0; i < high.rows; ++i) {
        const TypeParam got = product(i, j) + Conj(product(j, i));
        EXPECT_NEAR(std::abs(got - (high(i, j) - low(i, j)) / (2 * h)), 0, 40 * h * h);
      }
    }
  }
}

// Two blocks and some zero rows and columns, permuted.
template <class T>
Dense<T> TwoBlocks() {
  const auto first = testing::WithSpectrum<T>(40, 44, {3, 2, 1.5, 1, .5, .25, .2, .1, .05, .01}, 31);
  const auto second = testing::WithSpectrum<T>(43, 38, {2.5, 1.7, 1.2, .7, .3, .15, .12, .03}, 32);
  Dense<T> a(86, 83);
  for (int64_t j = 0; j < 44; ++j) {
    for (int64_t i = 0; i < 40; ++i) a(i * 2, j) = first(i, j);
  }
  for (int64_t j = 0; j < 38; ++j) {
    for (int64_t i = 0; i < 43; ++i) a(i * 2 + 1, 45 + j) = second(i, j);
  }
  return a;
}

TYPED_TEST(ComplementTest, DenseRightHandSidesOnBlocks) {
  const Dense<TypeParam> a = TwoBlocks<TypeParam>();
  for (Isa isa : this->Levels()) {
    for (int64_t extra : {0, 12, 40}) {
      SCOPED_TRACE(extra);
      auto r = this->Decompose(isa, a, 9, extra);
      this->Complement(isa, a, 9, r);
      this->CheckEquations(a, 9, r);
      Dense<TypeParam> x, y;
      this->Reference(isa, a, 9, r, x, y);
      EXPECT_LE(MaxDifference(r.x, x), 400 * this->kEps * MaxAbs(x));
      EXPECT_LE(MaxDifference(r.y, y), 400 * this->kEps * MaxAbs(y));
      auto only_p = r, only_q = r;
      this->Complement(isa, a, 9, only_p, true, false);
      this->Complement(isa, a, 9, only_q, false, true);
      for (size_t i = 0; i < x.data.size(); ++i) only_p.x.data[i] += only_q.x.data[i];
      EXPECT_LE(MaxDifference(r.x, only_p.x), 400 * this->kEps * MaxAbs(x));
    }
  }
}

TYPED_TEST(ComplementTest, StaysInsideBlocks) {
  const Dense<TypeParam> a = TwoBlocks<TypeParam>();
  auto r = this->Decompose(BestIsa(), a, 9, 0);
  for (int64_t j = 0; j < 9; ++j) {
    const bool first = std::abs(r.u(0, j)) > 0;
    for (int64_t i = 0; i < 86; ++i) r.p(i, j) *= (i % 2 == 0) == first ? 1 : 0;
    for (int64_t i = 0; i < 83; ++i) r.q(i, j) *= (i < 45) == first ? 1 : 0;
  }
  this->Complement(BestIsa(), a, 9, r);
  this->CheckEquations(a, 9, r);
  for (int64_t j = 0; j < 9; ++j) {
    const bool first = std::abs(r.u(0, j)) > 0;
    for (int64_t i = first ? 1 : 0; i < 86; i += 2) EXPECT_EQ(r.x(i, j), TypeParam(0));
  }
}

TYPED_TEST(ComplementTest, VectorsThatMixBlocks) {
  // Equal singular values of two blocks, their vectors rotated into each other by the caller.
  Dense<TypeParam> a(12, 12);
  const auto block = testing::WithSpectrum<TypeParam>(6, 6, {2, 1, .5, .2, .1, .05}, 3);
  for (int64_t j = 0; j < 6; ++j) {
    for (int64_t i = 0; i < 6; ++i) a(i, j) = a(6 + i, 6 + j) = block(i, j);
  }
  auto r = this->Decompose(BestIsa(), a, 2, 0);
  const auto mix = [](Dense<TypeParam>& q) {
    for (int64_t i = 0; i < q.rows; ++i) {
      const TypeParam x = q(i, 0), y = q(i, 1);
      q(i, 0) = RealOf<TypeParam>(.6) * x + RealOf<TypeParam>(.8) * y;
      q(i, 1) = RealOf<TypeParam>(.8) * x - RealOf<TypeParam>(.6) * y;
    }
  };
  mix(r.u);
  mix(r.v);
  this->Complement(BestIsa(), a, 2, r);
  this->CheckEquations(a, 2, r);
}

TYPED_TEST(ComplementTest, ScalesOfMatrixAndRightHandSide) {
  using R = RealOf<TypeParam>;
  const int top = sizeof(R) == 8 ? 498 : 60;
  const auto a = testing::WithSpectrum<TypeParam>(50, 40, {1, .9, .5, .25, .2, .1, .05, .01, 1e-3, 1e-4}, 5);
  auto expected = this->Decompose(BestIsa(), a, 6, 4);
  this->Complement(BestIsa(), a, 6, expected);
  for (int a_exponent : {-top, 0, top}) {
    for (int right_exponent : {-top, 0, top}) {
      auto scaled = a;
      for (TypeParam& x : scaled.data) x *= std::ldexp(R(1), a_exponent);
      auto r = this->Decompose(BestIsa(), scaled, 6, 4);
      for (TypeParam& x : r.p.data) x *= std::ldexp(R(1), right_exponent);
      for (TypeParam& x : r.q.data) x *= std::ldexp(R(1), right_exponent);
      if (std::abs(right_exponent - a_exponent) > top) continue;
      this->Complement(BestIsa(), scaled, 6, r);
      for (TypeParam& x : r.x.data) x *= std::ldexp(R(1), a_exponent - right_exponent);
      EXPECT_LE(MaxDifference(r.x, expected.x), 10 * this->kEps * MaxAbs(expected.x));
    }
  }
}

TYPED_TEST(ComplementTest, SpecialValues) {
  const auto a = testing::WithSpectrum<TypeParam>(30, 20, {1, .5, .25}, 5);
  // A kept value that is zero has no derivative; a column with a NaN is NaN and leaves the others alone.
  auto r = this->Decompose(BestIsa(), a, 5, 0);
  this->Complement(BestIsa(), a, 5, r);
  for (int64_t i = 0; i < 30; ++i) EXPECT_EQ(r.x(i, 4), TypeParam(0));
  auto with_nan = r;
  with_nan.q(3, 1) = std::numeric_limits<RealOf<TypeParam>>::quiet_NaN();
  this->Complement(BestIsa(), a, 5, with_nan);
  for (int64_t i = 0; i < 30; ++i) {
    EXPECT_TRUE(std::isnan(std::abs(with_nan.x(i, 1))));
    EXPECT_LE(std::abs(with_nan.x(i, 0) - r.x(i, 0)), 100 * this->kEps * MaxAbs(r.x));
  }
  // Zero right-hand sides.
  std::fill(r.p.data.begin(), r.p.data.end(), TypeParam(0));
  std::fill(r.q.data.begin(), r.q.data.end(), TypeParam(0));
  this->Complement(BestIsa(), a, 5, r);
  EXPECT_EQ(MaxAbs(r.x) + MaxAbs(r.y), 0);
  // Zero matrix, no columns.
  const Dense<TypeParam> zero(8, 6);
  auto none = this->Decompose(BestIsa(), zero, 2, 0);
  this->Complement(BestIsa(), zero, 2, none);
  EXPECT_EQ(MaxAbs(none.x) + MaxAbs(none.y), 0);
  EXPECT_EQ(TruncatedComplement<TypeParam>(BestIsa(), 4, 4, nullptr, 0, 0, nullptr, nullptr, nullptr, nullptr, nullptr,
                                           nullptr, nullptr),
            Outcome::kOk);
}

}  // namespace
}  // namespace tenferro::linalg
