#include "tenferro/linalg/svd_by_tolerance.h"

#include <cmath>
#include <complex>

#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"

namespace tenferro::linalg {
namespace {

const Engine& TestEngine() {
  static const CpuEngine& engine = *new CpuEngine(CpuEngine::Serial());
  return engine;
}

Tensor Values(const Shape& shape, const std::vector<double>& s) { return *Tensor::FromColMajor<double>(shape, s); }

int64_t Rank(const std::vector<double>& s, const Tolerance& tolerance) {
  return *RankByTolerance(Values({static_cast<int64_t>(s.size())}, s), tolerance);
}

TEST(RankByTolerance, EachCriterion) {
  const std::vector<double> s = {4, 2, 1, 0.5, 0};
  EXPECT_EQ(Rank(s, {}), 4);
  EXPECT_EQ(Rank(s, {.relative = 0.25}), 2);
  EXPECT_EQ(Rank(s, {.absolute = 0.75}), 3);
  // The weights are 16, 4, 1, 0.25 of 21.25.
  EXPECT_EQ(Rank(s, {.discarded_weight = 0.25 / 21.25}), 3);
  EXPECT_EQ(Rank(s, {.discarded_weight = 1.24 / 21.25}), 3);
  EXPECT_EQ(Rank(s, {.discarded_weight = 1.25 / 21.25}), 2);
  EXPECT_EQ(Rank(s, {.discarded_weight = 1}), 0);
  EXPECT_EQ(Rank(s, {.max_rank = 1}), 1);
  EXPECT_EQ(Rank(s, {.relative = 0.2, .absolute = 3}), 1);
  EXPECT_EQ(Rank({}, {}), 0);
  EXPECT_EQ(Rank({0, 0}, {}), 0);
  EXPECT_EQ(Rank({1e200, 1e-200}, {.discarded_weight = 1e-12}), 1);
  EXPECT_EQ(Rank({1e-200, 1e-201}, {.discarded_weight = 1e-3}), 2);
}

TEST(RankByTolerance, ABatchNeedsItsLargest) {
  EXPECT_EQ(*RankByTolerance(Values({3, 2}, {1, .01, .001, 5, 4, 3}), {.relative = 0.1}), 3);
  EXPECT_EQ(*RankByTolerance(*Tensor::FromColMajor<float>({2}, {1.0f, 0.5f}), {.relative = 0.7}), 1);
  EXPECT_EQ(*RankByTolerance(Values({3, 0}, {}), {}), 0);
}

TEST(RankByTolerance, Mistakes) {
  const auto message = [](const absl::StatusOr<int64_t>& rank) { return std::string(rank.status().message()); };
  EXPECT_EQ(message(RankByTolerance(Values({1}, {1}), {.relative = -1})), "rank_by_tolerance: a tolerance is -1");
  EXPECT_EQ(message(RankByTolerance(Values({1}, {1}), {.absolute = NAN})), "rank_by_tolerance: a tolerance is nan");
  EXPECT_EQ(message(RankByTolerance(Values({1}, {1}), {.max_rank = -2})), "rank_by_tolerance: max_rank is -2");
  EXPECT_EQ(message(RankByTolerance(Values({1}, {INFINITY}), {})), "rank_by_tolerance: a singular value is inf");
  EXPECT_EQ(message(RankByTolerance(Values({}, {1}), {})), "rank_by_tolerance: needs values [k, batch…], got f64[]");
  EXPECT_EQ(message(RankByTolerance(*Tensor::FromColMajor<int32_t>({1}, {1}), {})),
            "rank_by_tolerance: does not take i32");
}

template <class T>
void ExpectRankTwo(DType dtype) {
  // diag(2, 1, 1e-9), padded.
  std::vector<T> numbers(12, T(0));
  numbers[0] = 2;
  numbers[5] = 1;
  numbers[10] = T(1e-9);
  const Var a = Immediate(TestEngine(), *Tensor::FromColMajor<T>({4, 3}, numbers));
  ASSERT_EQ(a.dtype(), dtype);
  const absl::StatusOr<SvdByToleranceResult> d = SvdByTolerance(a, {.relative = 1e-6});
  ASSERT_TRUE(d.ok()) << d.status();
  EXPECT_EQ(d->rank, 2);
  EXPECT_EQ(d->u.shape(), (Shape{4, 2}));
  EXPECT_EQ(d->s.shape(), (Shape{2}));
  EXPECT_EQ(d->vh.shape(), (Shape{2, 3}));
  const absl::StatusOr<SplitByToleranceResult> split = SplitSvdByTolerance(a, {.relative = 1e-6});
  ASSERT_TRUE(split.ok()) << split.status();
  EXPECT_EQ(split->rank, 2);
  const Tensor product = *Matmul(split->left, split->right).ToTensor();
  const absl::Span<const T> data = *product.Data<T>();
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(std::abs(data[i] - (i == 10 ? T(0) : numbers[i])), 0, 1e-6);
  const absl::StatusOr<IsometryByToleranceResult> isometry = IsometryByTolerance(a, {.relative = 1e-6});
  ASSERT_TRUE(isometry.ok()) << isometry.status();
  EXPECT_EQ(isometry->rank, 2);
  EXPECT_EQ(isometry->u.shape(), (Shape{4, 2}));
  const Tensor u = *isometry->u.ToTensor(), thin = *d->u.ToTensor();
  for (int i = 0; i < 8; ++i) EXPECT_EQ((*u.Data<T>())[i], (*thin.Data<T>())[i]);
}

TEST(SvdByTolerance, GivesNumbersAndTheRank) {
  ExpectRankTwo<float>(DType::kF32);
  ExpectRankTwo<double>(DType::kF64);
  ExpectRankTwo<std::complex<float>>(DType::kC64);
  ExpectRankTwo<std::complex<double>>(DType::kC128);
}

TEST(SvdByTolerance, OfZerosKeepsNothing) {
  const Var a = Immediate(TestEngine(), Values({2, 3}, std::vector<double>(6, 0.0)));
  const SplitByToleranceResult split = *SplitSvdByTolerance(a, {});
  EXPECT_EQ(split.rank, 0);
  EXPECT_EQ(split.left.shape(), (Shape{2, 0}));
  EXPECT_EQ(split.right.shape(), (Shape{0, 3}));
}

TEST(SvdByTolerance, NeedsNumbers) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2, 2});
  const std::string text(SvdByTolerance(x, {}).status().message());
  EXPECT_NE(text.find("svd_by_tolerance_test.cc:"), std::string::npos) << text;
  EXPECT_NE(text.find("linalg.svd_by_tolerance: the rank depends on the numbers, which a graph does not have: find it "
                      "with RankByTolerance and truncate to it"),
            std::string::npos)
      << text;
  const Var bad = Immediate(TestEngine(), Values({1, 1}, {NAN}));
  EXPECT_NE(std::string(SplitSvdByTolerance(bad, {}).status().message()).find("an element that is not finite"),
            std::string::npos);
}

}  // namespace
}  // namespace tenferro::linalg
