// Truncated decompositions where they are hard: every dtype, exact blocks, equal values, missing rank, odd shapes. The
// best approximation of rank k, its derivative by the rules of svd_truncated and split_svd, and two references: the
// rule of the full decomposition, and the exact derivative from all singular vectors.
#include <cmath>
#include <cstring>
#include <limits>

#include "gtest/gtest.h"
#include "tenferro/ad/grad.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/linalg/cpu/test_matrices.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/function.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"

namespace tenferro::linalg {
namespace {

using testing::AdjointOf;
using testing::Conj;
using testing::Dense;

// The approximation of rank k by one of three ways.
using Approximation = Var (*)(const Var& a, int64_t k);

Var ByTruncation(const Var& a, int64_t k) {
  const SvdResult d = SvdTruncated(a, k);
  return Matmul(ScaleColumns(d.u, d.s), d.vh);
}
Var BySplit(const Var& a, int64_t k) {
  const SplitResult d = SplitSvd(a, k);
  return Matmul(d.left, d.right);
}
Var ByFullSvd(const Var& a, int64_t k) {
  const SvdResult d = Svd(a);
  return Matmul(ScaleColumns(FirstColumns(d.u, k), FirstRows(d.s, k)), FirstRows(d.vh, k));
}

template <class T>
Tensor ToTensor(const Dense<T>& a) {
  return *Tensor::FromColMajor<T>({a.rows, a.columns}, a.data);
}

template <class T>
Dense<T> ToDense(const Tensor& t) {
  Dense<T> a(t.shape().extent(0), t.shape().extent(1));
  const absl::Span<const T> data = *t.Data<T>();
  a.data.assign(data.begin(), data.end());
  return a;
}

// The approximation and the gradient of Re <weight, approximation>.
absl::StatusOr<std::vector<Tensor>> Differentiate(const Engine& engine, Approximation approximation, int64_t k,
                                                  const Tensor& a, const Tensor& weight) {
  Graph graph;
  const Var x = graph.Input(a.dtype(), a.shape());
  const Var y = approximation(x, k);
  const Var loss = ReduceSum(Real(Conj(ConstantLike(x, weight)) * y));
  const absl::StatusOr<Program> program = Compile({y, ad::Grad(loss, x)}, {x});
  if (!program.ok()) return program.status();
  const absl::StatusOr<Prepared> prepared = engine.Prepare(*program);
  if (!prepared.ok()) return prepared.status();
  return prepared->Run({a});
}

// The gradient from all singular vectors. With w = Uᴴ·weight·V it is w_ij among the kept, 0 among the discarded, and
// (s_i² w_il + s_i s_l conj(w_li))/(s_i² − s_l²) across the cut.
template <class T>
Dense<T> ExactGradient(const Dense<T>& a, int64_t k, const Dense<T>& weight) {
  using R = RealOf<T>;
  const int64_t m = a.rows, n = a.columns, rank = std::min(m, n);
  Dense<T> u(m, m), vt(n, n);
  std::vector<R> s(rank);
  EXPECT_EQ(SvdFull(BestIsa(), m, n, a.data.data(), u.data.data(), s.data(), vt.data.data()), Outcome::kOk);
  const Dense<T> w = AdjointOf(u) * weight * AdjointOf(vt);
  Dense<T> g(m, n);
  const auto value = [&](int64_t i) { return i < rank ? s[i] : R(0); };
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < m; ++i) {
      if (i < k && j < k) {
        g(i, j) = w(i, j);
      } else if (i < k || j < k) {
        const R kept = value(std::min(i, j)), gone = value(std::max(i, j));
        const T partner = j < m && i < n ? Conj(w(j, i)) : T(0);
        g(i, j) = (kept * kept * w(i, j) + kept * gone * partner) / (kept * kept - gone * gone);
      }
    }
  }
  return u * g * vt;
}

template <class T>
void ExpectNear(const Dense<T>& got, const Dense<T>& want, double bound) {
  ASSERT_EQ(got.data.size(), want.data.size());
  double largest = 1, worst = 0;
  for (size_t i = 0; i < got.data.size(); ++i) {
    largest = std::fmax(largest, std::abs(want.data[i]));
    const double difference = std::abs(got.data[i] - want.data[i]);
    worst = difference <= worst ? worst : difference;
  }
  EXPECT_LE(worst, bound * largest);
}

// diag(blocks), rows and columns in another order.
template <class T>
Dense<T> Blocks(const std::vector<Dense<T>>& blocks, int64_t zero_rows, int64_t zero_columns) {
  int64_t m = zero_rows, n = zero_columns;
  for (const Dense<T>& block : blocks) {
    m += block.rows;
    n += block.columns;
  }
  const auto row = [m](int64_t i) { return (i * 5 + 2) % m; };
  const auto column = [n](int64_t j) { return (j * 7 + 1) % n; };
  Dense<T> a(m, n);
  int64_t top = 0, left = 0;
  for (const Dense<T>& block : blocks) {
    for (int64_t j = 0; j < block.columns; ++j) {
      for (int64_t i = 0; i < block.rows; ++i) a(row(top + i), column(left + j)) = block(i, j);
    }
    top += block.rows;
    left += block.columns;
  }
  return a;
}

template <class T>
class TruncationTest : public ::testing::Test {
 protected:
  using R = RealOf<T>;
  static constexpr double kEps = std::numeric_limits<R>::epsilon();

  // `multiplets`: the rules of svd and svd_truncated lose what rotates inside them, the same for both.
  static void Check(const Dense<T>& a, int64_t k, bool multiplets = false, double bound = 2e3) {
    const Dense<T> weight = testing::Gaussian<T>(a.rows, a.columns, 11);
    const Engine engine = CpuEngine::Serial();
    const auto run = [&](Approximation f) {
      const absl::StatusOr<std::vector<Tensor>> out = Differentiate(engine, f, k, ToTensor(a), ToTensor(weight));
      EXPECT_TRUE(out.ok()) << out.status();
      return std::pair(ToDense<T>((*out)[0]), ToDense<T>((*out)[1]));
    };
    const auto [y_truncated, g_truncated] = run(ByTruncation);
    const auto [y_split, g_split] = run(BySplit);
    const auto [y_full, g_full] = run(ByFullSvd);
    double scale = 0;
    for (const T& x : a.data) scale = std::fmax(scale, std::abs(x));
    ExpectNear(y_truncated, y_full, 100 * kEps * std::fmax(1, scale));
    ExpectNear(y_split, y_full, 100 * kEps * std::fmax(1, scale));
    ExpectNear(g_split, ExactGradient(a, k, weight), bound * kEps);
    ExpectNear(g_truncated, g_full, bound * kEps);
    if (!multiplets) ExpectNear(g_truncated, ExactGradient(a, k, weight), bound * kEps);
  }

  static void CheckFinite(const Dense<T>& a, int64_t k) {
    const Dense<T> weight = testing::Gaussian<T>(a.rows, a.columns, 11);
    for (Approximation f : {ByTruncation, BySplit, ByFullSvd}) {
      const absl::StatusOr<std::vector<Tensor>> out =
          Differentiate(CpuEngine::Serial(), f, k, ToTensor(a), ToTensor(weight));
      ASSERT_TRUE(out.ok()) << out.status();
      ExpectNear(ToDense<T>((*out)[0]), a, 100 * kEps);
      for (const T& x : ToDense<T>((*out)[1]).data) EXPECT_TRUE(std::isfinite(std::abs(x)));
    }
  }
};

using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(TruncationTest, Scalars);

TYPED_TEST(TruncationTest, SquareWideAndTall) {
  const std::vector<double> spectrum = {4, 3, 2, 1, .3, .2, .1, .05};
  for (const auto& [m, n] : {std::pair<int64_t, int64_t>{8, 8}, {8, 20}, {20, 8}}) {
    for (int64_t k : {1, 4, 7, 8}) {
      SCOPED_TRACE(std::to_string(m) + "×" + std::to_string(n) + " k " + std::to_string(k));
      this->Check(testing::WithSpectrum<TypeParam>(m, n, spectrum, 3), k);
    }
  }
}

TYPED_TEST(TruncationTest, IterationOnALargeMatrix) {
  std::vector<double> spectrum;
  for (int i = 0; i < 90; ++i) spectrum.push_back(std::exp(-0.3 * i));
  this->Check(testing::WithSpectrum<TypeParam>(100, 90, spectrum, 3), 6);
}

TYPED_TEST(TruncationTest, RowsColumnsAndSingleEntries) {
  this->Check(testing::Gaussian<TypeParam>(1, 7, 1), 1);
  this->Check(testing::Gaussian<TypeParam>(7, 1, 1), 1);
  this->Check(testing::Gaussian<TypeParam>(1, 1, 1), 1);
}

TYPED_TEST(TruncationTest, NothingKeptOrEmpty) {
  for (const auto& [m, n] : {std::pair<int64_t, int64_t>{4, 3}, {0, 3}, {3, 0}, {0, 0}}) {
    const Dense<TypeParam> a = testing::Gaussian<TypeParam>(m, n, 1);
    for (Approximation f : {ByTruncation, BySplit}) {
      const std::vector<Tensor> out = *Differentiate(CpuEngine::Serial(), f, 0, ToTensor(a), ToTensor(a));
      for (const Tensor& t : out) {
        EXPECT_EQ(t.shape(), (Shape{m, n}));
        for (const TypeParam& x : ToDense<TypeParam>(t).data) EXPECT_EQ(x, TypeParam(0));
      }
    }
  }
}

TYPED_TEST(TruncationTest, EqualValuesAmongTheKept) {
  this->Check(testing::WithSpectrum<TypeParam>(9, 9, {2, 2, 2, 1, 1, .5, .2, .1, .1}, 3), 5, true);
  // Exactly equal, and in blocks of their own.
  Dense<TypeParam> diagonal(6, 5);
  const double values[] = {2, 2, 1, 1, .25};
  for (int64_t i = 0; i < 5; ++i) diagonal(i, i) = RealOf<TypeParam>(values[i]);
  this->Check(diagonal, 4, true);
  this->Check(diagonal, 5, true);
  // Equal values beyond the cut lose nothing.
  this->Check(testing::WithSpectrum<TypeParam>(9, 8, {4, 3, 1, 1, 1, 1, 1, 1}, 3), 2);
}

TYPED_TEST(TruncationTest, ExactBlocksWithDenseCotangents) {
  // The weight is dense, so cotangents reach across blocks.
  const auto big = testing::WithSpectrum<TypeParam>(10, 8, {4, 3, 2, 1, .1, .05, .02, .01}, 1);
  const auto small = testing::WithSpectrum<TypeParam>(2, 2, {2.5, 1.5}, 2);
  const Dense<TypeParam> two = Blocks<TypeParam>({big, small}, 0, 0);
  this->Check(two, 6);
  this->Check(two, 3);
  this->Check(AdjointOf(two), 6);
  this->Check(Blocks<TypeParam>({big, small}, 2, 1), 6);
}

TYPED_TEST(TruncationTest, LargeBlocksThatIterate) {
  std::vector<double> first, second;
  for (int i = 0; i < 48; ++i) {
    first.push_back(std::exp(-0.4 * i));
    second.push_back(0.9 * std::exp(-0.5 * i));
  }
  this->Check(Blocks<TypeParam>({testing::WithSpectrum<TypeParam>(50, 48, first, 1),
                                 testing::WithSpectrum<TypeParam>(48, 49, second, 2)},
                                0, 0),
              6, false, 2e4);
}

TYPED_TEST(TruncationTest, MissingRank) {
  // Kept up to the rank, the rest is zero.
  const auto low = testing::WithSpectrum<TypeParam>(9, 7, {3, 2, 1}, 3);
  this->Check(low, 3);
  this->Check(low, 2);
  // Beyond the rank there is no derivative, but no NaN either.
  this->CheckFinite(low, 5);
  this->CheckFinite(low, 7);
  this->CheckFinite(Dense<TypeParam>(5, 4), 2);
  this->CheckFinite(Dense<TypeParam>(1, 4), 1);
}

TYPED_TEST(TruncationTest, BlocksWithFewerTripletsThanKept) {
  // A row and a column as blocks: two triplets in all, three kept.
  Dense<TypeParam> a(4, 4);
  for (int64_t i = 0; i < 3; ++i) {
    a(i, 0) = RealOf<TypeParam>(i + 1);
    a(3, i + 1) = RealOf<TypeParam>(2 - i);
  }
  this->Check(a, 2);
  this->CheckFinite(a, 3);
  this->CheckFinite(a, 4);
}

TYPED_TEST(TruncationTest, NumbersThatAreNotFinite) {
  using R = RealOf<TypeParam>;
  for (R bad : {std::numeric_limits<R>::quiet_NaN(), std::numeric_limits<R>::infinity()}) {
    Dense<TypeParam> a = testing::Gaussian<TypeParam>(5, 4, 1);
    a(3, 2) = bad;
    const auto error = [&](Approximation f) {
      const std::string text(Differentiate(CpuEngine::Serial(), f, 2, ToTensor(a), ToTensor(a)).status().message());
      return text.substr(std::min(text.size(), text.find("linalg.")));
    };
    EXPECT_EQ(error(ByTruncation), "linalg.svd_truncated: the matrix has an element that is not finite");
    EXPECT_EQ(error(BySplit), "linalg.split_svd: the matrix has an element that is not finite");
    const auto nothing_kept = [&](Approximation f) {
      return std::string(Differentiate(CpuEngine::Serial(), f, 0, ToTensor(a), ToTensor(a)).status().message());
    };
    for (Approximation f : {ByTruncation, BySplit}) {
      EXPECT_NE(nothing_kept(f).find("the matrix has an element that is not finite"), std::string::npos);
    }
  }
}

TYPED_TEST(TruncationTest, BatchesHaveTheSameBitsAtEveryWidthAndAsSlices) {
  constexpr int64_t kBatch = 9;
  for (const auto& [m, n, k] : {std::tuple<int64_t, int64_t, int64_t>{3, 2, 1}, {40, 36, 4}}) {
    std::vector<TypeParam> numbers;
    for (int64_t b = 0; b < kBatch; ++b) {
      std::vector<double> spectrum;
      for (int64_t i = 0; i < std::min(m, n); ++i) spectrum.push_back(std::exp(-0.5 * static_cast<double>(i)));
      const auto a = testing::WithSpectrum<TypeParam>(m, n, spectrum, b + 1);
      numbers.insert(numbers.end(), a.data.begin(), a.data.end());
    }
    const Tensor batch = *Tensor::FromColMajor<TypeParam>({m, n, kBatch}, numbers);
    for (Approximation f : {ByTruncation, BySplit}) {
      std::vector<Tensor> first;
      for (int width : {1, 2, 3, 8}) {
        const std::vector<Tensor> out = *Differentiate(CpuEngine::WithThreads(width), f, k, batch, batch);
        if (first.empty()) first = out;
        for (int i = 0; i < 2; ++i) {
          EXPECT_EQ(std::memcmp(*out[i].HostData(), *first[i].HostData(), numbers.size() * sizeof(TypeParam)), 0);
        }
      }
      const absl::Span<const TypeParam> all = *first[1].Data<TypeParam>();
      for (int64_t b = 0; b < kBatch; ++b) {
        Dense<TypeParam> a(m, n), gradient(m, n);
        a.data.assign(numbers.begin() + b * m * n, numbers.begin() + (b + 1) * m * n);
        gradient.data.assign(all.begin() + b * m * n, all.begin() + (b + 1) * m * n);
        const std::vector<Tensor> own = *Differentiate(CpuEngine::Serial(), f, k, ToTensor(a), ToTensor(a));
        ExpectNear(gradient, ToDense<TypeParam>(own[1]), 100 * this->kEps);
      }
    }
  }
}

}  // namespace
}  // namespace tenferro::linalg
