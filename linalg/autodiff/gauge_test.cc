// Options of the decompositions: gauge, gaps, square factors, and what a loss may see.
#include <cmath>

#include "gtest/gtest.h"
#include "tenferro/ad/grad.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/function.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::linalg {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;
using C = std::complex<double>;

absl::StatusOr<std::vector<Tensor>> RunOf(const TracedFunction& function, const Tensor& at, bool gradient) {
  Graph graph;
  const Var x = graph.Input(at.dtype(), at.shape());
  Out out = function({x});
  if (gradient) out = {ad::Grad(out[0], x)};
  const absl::StatusOr<Program> program = Compile(out, {x});
  if (!program.ok()) return program.status();
  const absl::StatusOr<Prepared> prepared = CpuEngine::Serial().Prepare(*program);
  if (!prepared.ok()) return prepared.status();
  return prepared->Run({at});
}

std::vector<double> Numbers(const Tensor& t) {
  const absl::Span<const double> data = *t.Data<double>();
  return {data.begin(), data.end()};
}

Tensor Matrix(const Shape& shape, const std::vector<double>& numbers) {
  return *Tensor::FromColMajor<double>(shape, numbers);
}

Tensor ComplexMatrix(const Shape& shape) {
  std::vector<C> numbers;
  for (int64_t i = 0; i < shape.size(); ++i) {
    numbers.emplace_back(std::sin(1.3 * static_cast<double>(i * i)), std::cos(0.7 * static_cast<double>(i)));
  }
  return *Tensor::FromColMajor<C>(shape, numbers);
}

TEST(PivotGauge, LargestEntryOfEachColumnIsRealAndPositive) {
  for (bool full : {false, true}) {
    const TracedFunction function = [full](In x) -> Out {
      const SvdResult d = Svd(x[0], {.full = full, .gauge = Gauge::kPivot});
      return {d.u, Matmul(ScaleColumns(FirstColumns(d.u, 3), d.s), FirstRows(d.vh, 3)) - x[0]};
    };
    const std::vector<Tensor> out = *RunOf(function, ComplexMatrix({4, 3}), false);
    const absl::Span<const C> u = *out[0].Data<C>();
    for (int64_t j = 0; j < 3; ++j) {
      C largest = 0;
      for (int64_t i = 0; i < 4; ++i) largest = std::abs(u[i + 4 * j]) > std::abs(largest) ? u[i + 4 * j] : largest;
      EXPECT_GT(largest.real(), 0);
      EXPECT_EQ(largest.imag(), 0);
    }
    const absl::Span<const C> difference = *out[1].Data<C>();
    for (const C& x : difference) EXPECT_LE(std::abs(x), 1e-14);
  }
}

TEST(RequireGap, NamesBothValues) {
  const Tensor a = Matrix({3, 3}, {2, 0, 0, 0, 1, 0, 0, 0, 1});
  const auto error = [&](const TracedFunction& f) {
    const std::string text(RunOf(f, a, false).status().message());
    return text.substr(text.find("linalg."));
  };
  const std::string rest =
      ": there is no gap at the cut: s_2 = 1 and s_3 = 1 differ by no more than require_gap·s_1 = 2e-10";
  EXPECT_EQ(error([](In x) -> Out { return {SvdTruncated(x[0], 2, {.require_gap = 1e-10}).s}; }),
            "linalg.svd_truncated" + rest);
  EXPECT_EQ(error([](In x) -> Out { return {SplitSvd(x[0], 2, {.require_gap = 1e-10}).left}; }),
            "linalg.split_svd" + rest);
  EXPECT_EQ(error([](In x) -> Out { return {Isometry(x[0], 2, {.require_gap = 1e-10})}; }), "linalg.isometry" + rest);
  // A gap, no cut, nothing kept.
  for (int64_t k : {0, 1, 3}) {
    EXPECT_TRUE(RunOf([k](In x) -> Out { return {SvdTruncated(x[0], k, {.require_gap = 0.4}).s}; }, a, false).ok());
  }
}

TEST(RequireGap, NamesTheMatrixOfABatch) {
  const Tensor a = Matrix({2, 2, 3}, {2, 0, 0, 1, 1, 0, 0, 1, 3, 0, 0, 3});
  const std::string text(
      RunOf([](In x) -> Out { return {SvdTruncated(x[0], 1, {.require_gap = 1e-3}).s}; }, a, false).status().message());
  EXPECT_NE(text.find("there is no gap at the cut (matrix 1 of the batch): s_1 = 1 and s_2 = 1 differ"),
            std::string::npos)
      << text;
}

TEST(CheckGauge, ALossOfTheBondsBasisIsAnError) {
  const Tensor a = Matrix({3, 3}, {3, 1, 0, -1, 2, 0.5, 0, 0.25, 1});
  const TracedFunction sees_gauge = [](In x) -> Out {
    const SplitResult d = SplitSvd(x[0], 2, {.check_gauge = 1e-8});
    return {ReduceSum(d.left * d.left * d.left)};
  };
  const std::string text(RunOf(sees_gauge, a, true).status().message());
  EXPECT_NE(text.find("gauge_test.cc:"), std::string::npos) << text;
  EXPECT_NE(text.find("linalg.check_gauge_invariant: the loss changes with the gauge of the factors: defect "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(" is above 1e-08; such a loss needs Svd"), std::string::npos) << text;
  const TracedFunction invariant = [](In x) -> Out {
    const SplitResult d = SplitSvd(x[0], 2, {.check_gauge = 1e-8});
    return {ReduceSum(Square(Matmul(d.left, d.right)))};
  };
  EXPECT_TRUE(RunOf(invariant, a, true).ok());
  // The option changes nothing but that.
  const TracedFunction unchecked = [](In x) -> Out {
    const SplitResult d = SplitSvd(x[0], 2);
    return {ReduceSum(Square(Matmul(d.left, d.right)))};
  };
  EXPECT_EQ(Numbers((*RunOf(invariant, a, true))[0]), Numbers((*RunOf(unchecked, a, true))[0]));
}

TEST(CheckGauge, ANumberThatIsNoneIsAnError) {
  const std::string text(RunOf(
                             [](In x) -> Out {
                               return {CheckGaugeInvariant(x[0], ReduceMax(x[0], {0}) * NAN, 1e9)};
                             },
                             Matrix({3, 1}, {3, 1, 0}), false)
                             .status()
                             .message());
  EXPECT_NE(text.find("linalg.check_gauge_invariant: the defect is not a number: the loss or its derivative has an "
                      "element that is not finite"),
            std::string::npos)
      << text;
}

TEST(CheckGauge, DefectOfAnInvariantLossIsRounding) {
  // L = ½|left·right|²: left_bar = left·right·rightᴴ, right_bar = leftᴴ·left·right.
  const TracedFunction function = [](In x) -> Out {
    const SplitResult d = SplitSvd(x[0], 2);
    const Var product = Matmul(d.left, d.right);
    const Var left_bar = Matmul(product, Adjoint(d.right)), right_bar = Matmul(Adjoint(d.left), product);
    const Var skewed = Matmul(left_bar, ConstantLike(x[0], *Tensor::FromColMajor<C>({2, 2}, {0, 1, -1, 0})));
    return {BondGaugeDefect(d.left, d.right, left_bar, right_bar),
            BondGaugeDefect(d.left, d.right, skewed, right_bar * 0.0)};
  };
  const std::vector<Tensor> out = *RunOf(function, ComplexMatrix({4, 3}), false);
  EXPECT_LE(Numbers(out[0])[0], 1e-15);
  EXPECT_GT(Numbers(out[1])[0], 0.5);
}

TEST(Isometry, IsExactInsideMultiplets) {
  // A = diag(2, 2, 1) + t·E: the projector on the first two moves only through the entries that leave the multiplet.
  const Tensor a = Matrix({3, 3}, {2, 0, 0, 0, 2, 0, 0, 0, 1});
  const TracedFunction loss = [](In x) -> Out {
    const Var u = Isometry(x[0], 2);
    return {ReduceSum(ConstantLike(x[0], Matrix({3, 3}, {0, 1, 2, 3, 0, 4, 5, 6, 0})) * Matmul(u, Adjoint(u)))};
  };
  // dP = du uᵀ + u duᵀ with du_i = e_3 (2 dA_3i + dA_i3)/(4 − 1); the weight of entries (3, i) and (i, 3) together is 7
  // and 10.
  const std::vector<double> want = {0, 0, 14.0 / 3, 0, 0, 20.0 / 3, 7.0 / 3, 10.0 / 3, 0};
  const std::vector<double> got = Numbers((*RunOf(loss, a, true))[0]);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(got[i], want[i], 1e-14) << i;
}

TEST(Isometry, OfAllColumnsDoesNotMove) {
  const TracedFunction loss = [](In x) -> Out {
    const Var u = Isometry(x[0], 2);
    return {ReduceSum(Matmul(u, Adjoint(u)) * x[0])};
  };
  // The projector is the identity, the loss the trace.
  const std::vector<double> got = Numbers((*RunOf(loss, Matrix({2, 2}, {3, 1, -1, 2}), true))[0]);
  const std::vector<double> want = {1, 0, 0, 1};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(got[i], want[i], 1e-15) << i;
}

TEST(SvdVals, DerivativeOfTheNuclearNormAtEqualValues) {
  const Tensor a = Matrix({2, 2}, {0, 1, -1, 0});
  const TracedFunction loss = [](In x) -> Out { return {ReduceSum(SvdVals(x[0]))}; };
  const std::vector<double> got = Numbers((*RunOf(loss, a, true))[0]), want = {0, 1, -1, 0};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(got[i], want[i], 1e-15);
}

TEST(Svd, SquareFactorsOfEmptyAndThinMatrices) {
  for (const Shape& shape : {Shape{3, 0}, Shape{0, 2}, Shape{3, 1}, Shape{1, 3}, Shape{2, 2, 0}}) {
    const TracedFunction function = [](In x) -> Out {
      const SvdResult d = Svd(x[0], {.full = true, .gauge = Gauge::kPivot});
      return {Matmul(d.u, Adjoint(d.u)), Matmul(d.vh, Adjoint(d.vh))};
    };
    const absl::StatusOr<std::vector<Tensor>> out =
        RunOf(function, Matrix(shape, std::vector<double>(shape.size(), 1.5)), false);
    ASSERT_TRUE(out.ok()) << out.status();
    for (const Tensor& product : *out) {
      const std::vector<double> numbers = Numbers(product);
      const size_t n = product.shape().extent(0);
      for (size_t i = 0; i < numbers.size(); ++i) EXPECT_NEAR(numbers[i], i % (n + 1) == 0, 1e-15);
    }
  }
}

}  // namespace
}  // namespace tenferro::linalg
