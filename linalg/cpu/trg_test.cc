#include "gtest/gtest.h"
#include "tenferro/linalg/cpu/trg_matrices.h"

namespace tenferro::linalg {
namespace {

struct Point {
  double beta;
  double log_z;
};

// Values of the same truncated network from a full LAPACK decomposition.
constexpr Point kPoints[] = {{0.2, 0.7345308122642187},
                             {0.35, 0.8300186998051780},
                             {0.44, 0.9287239625770713},
                             {0.5, 1.0257928584559470},
                             {0.8, 1.6018116496983310}};

TEST(TrgTest, FreeEnergyAndSymmetryBlocks) {
  for (Isa isa : {Isa::kV2, Isa::kV3, Isa::kV4, Isa::kNeon}) {
    if (!IsSupported(isa)) continue;
    for (const Point& point : kPoints) {
      if (isa != BestIsa() && point.beta != 0.44) continue;
      const testing::TrgRun run = testing::RunTrg(isa, point.beta, 20);
      ASSERT_TRUE(run.ok);
      EXPECT_NEAR(run.log_z, point.log_z, 1e-14) << point.beta;
      ASSERT_EQ(run.matrices.size(), 40u);
      for (size_t i = 0; i < run.matrices.size(); ++i) {
        const auto& a = run.matrices[i];
        std::vector<int32_t> rows(a.rows), columns(a.columns);
        EXPECT_EQ(ExactBlocks(isa, a.rows, a.columns, a.data.data(), rows.data(), columns.data()), 2) << i;
        int64_t first = 0;
        for (int32_t label : rows) first += label == 0;
        EXPECT_NEAR(first, a.rows / 2, a.rows / 16) << i;
      }
    }
  }
}

TEST(TrgTest, TruncationAgreesWithFullDecomposition) {
  const testing::TrgRun run = testing::RunTrg(BestIsa(), 0.44, 8);
  for (size_t i = 8; i < run.matrices.size(); ++i) {
    const auto& a = run.matrices[i];
    const int64_t n = a.rows, k = run.kept[i], extra = 16;
    if (n < 2 * k) continue;
    testing::Dense<double> u(n, k + extra), v(n, k + extra), full_u(n, n), full_vt(n, n);
    std::vector<double> s(k + extra), full_s(n);
    ASSERT_EQ(SvdTruncated(BestIsa(), n, n, a.data.data(), k, extra, u.data.data(), s.data(), v.data.data()),
              Outcome::kOk);
    ASSERT_EQ(Svd(BestIsa(), n, n, a.data.data(), full_u.data.data(), full_s.data(), full_vt.data.data()),
              Outcome::kOk);
    for (int64_t j = 0; j < k; ++j) EXPECT_NEAR(s[j], full_s[j], 2e-15 * s[0]);
    EXPECT_LE(testing::OrthogonalityDefect(u), 1e-14);
    EXPECT_LE(testing::OrthogonalityDefect(v), 1e-14);
    EXPECT_LE(testing::Residual(a, u, s, v, k), 1e-14 * s[0]);
    EXPECT_LE(testing::Residual(testing::AdjointOf(a), v, s, u, k), 1e-14 * s[0]);
  }
}

TEST(TrgTest, ComplementDoesNotDependOnTheExtraTriplets) {
  const testing::TrgRun run = testing::RunTrg(BestIsa(), 0.44, 8);
  for (size_t i = 8; i < run.matrices.size(); ++i) {
    const auto& a = run.matrices[i];
    const int64_t n = a.rows, k = run.kept[i];
    const auto p = testing::Gaussian<double>(n, k, 1), q = testing::Gaussian<double>(n, k, 2);
    testing::Dense<double> x[2] = {{n, k}, {n, k}}, y[2] = {{n, k}, {n, k}};
    double largest = 0;
    for (int with : {0, 1}) {
      const int64_t extra = with * std::min<int64_t>(16, n - k);
      testing::Dense<double> u(n, k + extra), v(n, k + extra);
      std::vector<double> s(k + extra);
      SvdTruncated(BestIsa(), n, n, a.data.data(), k, extra, u.data.data(), s.data(), v.data.data());
      ASSERT_EQ(TruncatedComplement(BestIsa(), n, n, a.data.data(), k, extra, u.data.data(), s.data(), v.data.data(),
                                    p.data.data(), q.data.data(), x[with].data.data(), y[with].data.data()),
                Outcome::kOk);
      for (double value : x[with].data) largest = std::fmax(largest, std::fabs(value));
      for (double value : y[with].data) largest = std::fmax(largest, std::fabs(value));
    }
    for (size_t j = 0; j < x[0].data.size(); ++j) {
      EXPECT_NEAR(x[0].data[j], x[1].data[j], 1e-12 * largest);
      EXPECT_NEAR(y[0].data[j], y[1].data[j], 1e-12 * largest);
    }
  }
}

}  // namespace
}  // namespace tenferro::linalg
