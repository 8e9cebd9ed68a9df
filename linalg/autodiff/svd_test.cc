// Derivatives of the decompositions through functions that do not see their gauge, against differences and exact
// answers.
#include "tenferro/linalg/svd.h"

#include <cmath>

#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/linalg/autodiff/check_rule.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::linalg {
namespace {

// With decaying singular values, so that the truncations cut through a gap.
Tensor Matrix(DType dtype, const Shape& shape) {
  return FromEntries(dtype, shape, [](double i, double j, double b) {
    return std::complex<double>(std::sin(1.3 * i * j + 0.7 * i - j + b) + (i == j ? 2.0 / (1 + i) : 0),
                                0.5 * std::cos(2.1 * i + 0.3 * j * j - b));
  });
}

std::vector<RuleCase> Cases() {
  const auto values = [](In x) -> Out { return {Svd(x[0]).s}; };
  const auto low_rank = [](In x) -> Out {
    const SvdResult d = Svd(x[0]);
    return {Matmul(ScaleColumns(FirstColumns(d.u, 2), FirstRows(d.s, 2)), FirstRows(d.vh, 2))};
  };
  const auto projectors = [](In x) -> Out {
    const SvdResult d = Svd(x[0]);
    const Var u = FirstColumns(d.u, 2), vh = FirstRows(d.vh, 2);
    return {Matmul(u, Adjoint(u)), Matmul(Adjoint(vh), vh)};
  };
  const auto lorentz = [](In x) -> Out {
    const SvdResult d = Svd(x[0], {.derivative_eps = 1e-9});
    const Var u = FirstColumns(d.u, 2);
    return {d.s, Matmul(u, Adjoint(u))};
  };
  const auto truncated = [](In x) -> Out {
    const SvdResult d = SvdTruncated(x[0], 2);
    return {Matmul(ScaleColumns(d.u, d.s), d.vh), d.s, Matmul(d.u, Adjoint(d.u)), Matmul(Adjoint(d.vh), d.vh)};
  };
  const auto split = [](In x) -> Out {
    const SplitResult d = SplitSvd(x[0], 2);
    return {Matmul(d.left, d.right),
            ReduceSum(Real(Matmul(Adjoint(d.left), d.left) * Conj(Matmul(d.right, Adjoint(d.right)))))};
  };
  const auto values_alone = [](In x) -> Out { return {SvdVals(x[0])}; };
  // A pivot gauge leaves nothing free, so the vectors themselves have derivatives.
  const auto pivot = [](In x) -> Out {
    const SvdResult d = Svd(x[0], {.gauge = Gauge::kPivot});
    return {d.u, d.vh};
  };
  const auto truncated_pivot = [](In x) -> Out {
    const SvdResult d = SvdTruncated(x[0], 2, {.require_gap = 1e-6, .gauge = Gauge::kPivot});
    return {d.u, d.s, d.vh};
  };
  // The complements through their projectors, and mixed with a constant.
  const auto full = [](In x) -> Out {
    const SvdResult d = Svd(x[0], {.full = true, .gauge = Gauge::kPivot});
    const int64_t k = d.s.dim(0);
    const auto rest = [k](const Var& q) {
      Ints starts(q.rank(), 0);
      starts[1] = k;
      return Slice(q, starts, q.shape().extents());
    };
    const Var n = rest(d.u), m = rest(Adjoint(d.vh)), u = FirstColumns(d.u, k);
    return {u, d.s, Matmul(n, Adjoint(n)), Matmul(m, Adjoint(m))};
  };
  const auto isometry = [](In x) -> Out {
    const Var u = Isometry(x[0], 2), v = Isometry(Adjoint(x[0]), 1);
    return {Matmul(u, Adjoint(u)), Matmul(v, Adjoint(v))};
  };
  const auto checked_split = [](In x) -> Out {
    const SplitResult d = SplitSvd(x[0], 2, {.require_gap = 1e-6, .check_gauge = 1e-9});
    return {Matmul(d.left, d.right)};
  };
  std::vector<RuleCase> cases;
  for (const Shape& shape : {Shape{4, 4}, Shape{5, 3}, Shape{3, 5}, Shape{4, 3, 2}}) {
    cases.push_back({"values", {shape}, values});
    cases.push_back({"low_rank", {shape}, low_rank});
    cases.push_back({"projectors", {shape}, projectors});
    cases.push_back({"truncated", {shape}, truncated});
    cases.push_back({"split", {shape}, split});
    cases.push_back({"lorentz", {shape}, lorentz});
    cases.push_back({"values_alone", {shape}, values_alone});
    cases.push_back({"pivot", {shape}, pivot});
    cases.push_back({"truncated_pivot", {shape}, truncated_pivot});
    cases.push_back({"full", {shape}, full});
    cases.push_back({"isometry", {shape}, isometry});
    cases.push_back({"checked_split", {shape}, checked_split});
  }
  return cases;
}

class SvdRuleTest : public testing::TestWithParam<std::tuple<RuleCase, DType>> {};

TEST_P(SvdRuleTest, AgreesWithDifferencesToSecondOrder) {
  const auto& [c, dtype] = GetParam();
  ExpectDerivatives(c.function, {Matrix(dtype, c.shapes[0])});
}

INSTANTIATE_TEST_SUITE_P(Gauge, SvdRuleTest,
                         testing::Combine(testing::ValuesIn(Cases()), testing::Values(DType::kF64, DType::kC128)),
                         NameOf);

// A rotation of the plane of axes i and j by angle t, times the diagonal `d`: singular values d in any position.
Tensor WithValues(const std::vector<double>& d) {
  const int n = static_cast<int>(d.size());
  std::vector<double> q(n * n, 0.0);
  for (int i = 0; i < n; ++i) q[i * n + i] = d[i];
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      const double c = std::cos(0.3 + i + 2 * j), s = std::sin(0.3 + i + 2 * j);
      for (int row = 0; row < n; ++row) {
        const double a = q[row + i * n], b = q[row + j * n];
        q[row + i * n] = c * a - s * b;
        q[row + j * n] = s * a + c * b;
      }
    }
  }
  return *Tensor::FromColMajor<double>({n, n}, q);
}

TEST(SplitSvd, IsExactAtEqualSingularValues) {
  for (const std::vector<double>& values :
       {std::vector<double>{1, 1, 1, 1, 1}, std::vector<double>{2, 2, 2, 1, 1, 0.5}}) {
    const int64_t n = static_cast<int64_t>(values.size());
    std::vector<double> z;
    for (int64_t i = 0; i < n * n; ++i) z.push_back(std::sin(1.7 * static_cast<double>(i) + 0.2));
    const Tensor weight = *Tensor::FromColMajor<double>({n, n}, z);
    // L·R is A itself, so the gradient of <Z, L·R> is Z.
    const TracedFunction loss = [&](In x) -> Out {
      const SplitResult d = SplitSvd(x[0], n);
      return {ReduceSum(ConstantLike(x[0], weight) * Matmul(d.left, d.right))};
    };
    ExpectNear(Gradient(loss, {WithValues(values)}), z, 1e-14);
  }
  const Tensor identity = *Tensor::FromColMajor<double>({3, 3}, std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});
  const std::vector<double> z = {1, -2, 3, 0.5, 4, -1, 2, 2, 7};
  const TracedFunction loss = [&](In x) -> Out {
    const SplitResult d = SplitSvd(x[0], 3);
    return {ReduceSum(ConstantLike(x[0], *Tensor::FromColMajor<double>({3, 3}, z)) * Matmul(d.left, d.right))};
  };
  ExpectNear(Gradient(loss, {identity}), z, 1e-14);
}

TEST(Svd, GradientsAreFiniteAtDegeneracyAndAtRankDeficiency) {
  for (const std::vector<double>& values : {std::vector<double>{1, 1, 1}, std::vector<double>{2, 1, 0},
                                            std::vector<double>{1, 0, 0}, std::vector<double>{0, 0, 0}}) {
    const TracedFunction loss = [](In x) -> Out {
      const SvdResult d = Svd(x[0]);
      return {ReduceSum(Matmul(ScaleColumns(d.u, d.s), d.vh) * x[0]) + ReduceSum(d.s)};
    };
    for (double g : Gradient(loss, {WithValues(values)})) EXPECT_TRUE(std::isfinite(g));
  }
}

TEST(Svd, ProductOfTheFactorsIsTheMatrix) {
  // For distinct values U diag(s) Vᴴ has the derivative of the matrix itself.
  const std::vector<double> z = {1, -2, 3, 0.5, 4, -1, 2, 2, 7};
  const TracedFunction loss = [&](In x) -> Out {
    const SvdResult d = Svd(x[0]);
    return {
        ReduceSum(ConstantLike(x[0], *Tensor::FromColMajor<double>({3, 3}, z)) * Matmul(ScaleColumns(d.u, d.s), d.vh))};
  };
  ExpectNear(Gradient(loss, {WithValues({3, 2, 1})}), z, 1e-13);
}

TEST(Svd, NuclearNormOfTheIdentity) {
  const Tensor identity = *Tensor::FromColMajor<double>({2, 2}, std::vector<double>{1, 0, 0, 1});
  const TracedFunction nuclear = [](In x) -> Out { return {ReduceSum(Svd(x[0]).s)}; };
  ExpectNear(Gradient(nuclear, {identity}), {1, 0, 0, 1}, 1e-15);
}

TEST(Svd, ScalesDoNotMatter) {
  const TracedFunction loss = [](In x) -> Out {
    const SvdResult d = SvdTruncated(x[0], 2);
    return {ReduceSum(Matmul(d.u, Adjoint(d.u)) * 3.0)};
  };
  const Tensor a = Matrix(DType::kF64, {4, 4});
  const std::vector<double> plain = Gradient(loss, {a});
  for (double scale : {1e150, 1e-150}) {
    std::vector<double> scaled;
    const absl::Span<const double> numbers = *a.Data<double>();
    for (double x : numbers) scaled.push_back(x * scale);
    std::vector<double> g = Gradient(loss, {*Tensor::FromColMajor<double>({4, 4}, scaled)});
    for (double& x : g) x *= scale;
    ExpectNear(g, plain, 1e-12);
  }
}

TEST(Svd, LorentzRuleAtAnyScale) {
  const Tensor a = Matrix(DType::kF64, {5, 4});
  const absl::Span<const double> numbers = *a.Data<double>();
  const auto at = [&](double scale, double eps) {
    const TracedFunction loss = [&](In x) -> Out {
      const SvdResult d = Svd(x[0], {.derivative_eps = eps});
      const Var u = FirstColumns(d.u, 2), vh = FirstRows(d.vh, 2);
      return {ReduceSum(Matmul(u, Adjoint(u)) * 3.0) + ReduceSum(Matmul(Adjoint(vh), vh))};
    };
    std::vector<double> scaled;
    for (double x : numbers) scaled.push_back(x * scale);
    std::vector<double> g = Gradient(loss, {*Tensor::FromColMajor<double>({5, 4}, scaled)});
    for (double& x : g) x *= scale;
    return g;
  };
  const std::vector<double> exact = at(1, 0);
  for (double scale : {1e200, 1e-70}) ExpectNear(at(scale, 1e-150), exact, 1e-11);
  // The rule does not know units: (scale², eps) counts, but for 1/s.
  const std::vector<double> blurred = at(1, 0.5);
  for (double g : at(1e-200, 1e-150)) EXPECT_LE(std::abs(g), 1e-40);
  double change = 0;
  for (size_t i = 0; i < exact.size(); ++i) change = std::fmax(change, std::abs(exact[i] - blurred[i]));
  EXPECT_GT(change, 0.1);
  // Equal values and zero ones, at the ends of the range.
  for (double scale : {1e200, 1.0, 1e-200}) {
    const TracedFunction loss = [](In x) -> Out {
      const SvdResult d = Svd(x[0], {.derivative_eps = 1e-12});
      return {ReduceSum(d.u) + ReduceSum(d.vh) + ReduceSum(d.s)};
    };
    const Tensor equal = *Tensor::FromColMajor<double>({2, 2}, std::vector<double>{0, scale, -scale, 0});
    for (double g : Gradient(loss, {equal})) EXPECT_TRUE(std::isfinite(g)) << scale;
    const Tensor rank_one = *Tensor::FromColMajor<double>({2, 2}, std::vector<double>{scale, scale, scale, scale});
    for (double g : Gradient(loss, {rank_one})) EXPECT_TRUE(std::isfinite(g)) << scale;
  }
}

TEST(Svd, Mistakes) {
  Graph graph;
  const Var vector = graph.Input(DType::kF64, {3});
  const Var integers = graph.Input(DType::kI32, {3, 3});
  const Var matrix = graph.Input(DType::kF64, {3, 4});
  // Line numbers are left out.
  const auto message = [](const Var& var) {
    const std::string text(var.status().message());
    const size_t line = text.find(".cc:") + 4;
    return text.substr(0, line) + "@@" + text.substr(text.find(':', line));
  };
  EXPECT_NE(message(Svd(vector).s).find("linalg.svd: needs a matrix [m, n, batch…], got f64[3]"), std::string::npos);
  EXPECT_NE(message(Svd(integers).u).find("linalg.svd: does not take i32"), std::string::npos);
  EXPECT_NE(message(SvdTruncated(matrix, 4).s).find("k = 4 is not between 0 and min(m, n) = 3, got f64[3,4]"),
            std::string::npos);
  EXPECT_EQ(message(SvdTruncated(matrix, 1, {.require_gap = 2}).s),
            "svd_test.cc:@@: linalg.svd_truncated: require_gap = 2 is not between 0 and 1");
  EXPECT_EQ(message(SplitSvd(matrix, 1, {.check_gauge = -1}).left),
            "svd_test.cc:@@: linalg.split_svd: check_gauge = -1 is not between 0 and 1");
  EXPECT_EQ(message(Isometry(matrix, 5)),
            "svd_test.cc:@@: linalg.isometry: k = 5 is not between 0 and min(m, n) = 3, got f64[3,4]");
  EXPECT_EQ(message(SvdVals(vector)), "svd_test.cc:@@: linalg.svdvals: needs a matrix [m, n, batch…], got f64[3]");
  EXPECT_EQ(message(Svd(matrix, {.derivative_eps = 1e-9, .full = true}).u),
            "svd_test.cc:@@: linalg.svd_full: derivative_eps has no rule for square factors");
  EXPECT_EQ(message(Svd(matrix, {.derivative_eps = -1}).s),
            "svd_test.cc:@@: linalg.svd: derivative_eps = -1 is neither 0 nor between 1e-150 and 1e150");
  EXPECT_EQ(message(CheckGaugeInvariant(matrix, integers, 1e-9)),
            "svd_test.cc:@@: linalg.check_gauge_invariant: needs a defect of dtype f64, got i32[3,3]");
  EXPECT_EQ(message(CheckGaugeInvariant(matrix, vector, -1.0)),
            "svd_test.cc:@@: linalg.check_gauge_invariant: tolerance = -1 is not a number from 0");
  EXPECT_NE(message(SplitSvd(matrix, -1).left).find("linalg.split_svd: k = -1 is not between"), std::string::npos);
}

TEST(Svd, RefusesNumbersThatAreNotFinite) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2, 2});
  const Program program = *Compile({Svd(x).s}, {x});
  const Prepared prepared = *CpuEngine::Serial().Prepare(program);
  const absl::StatusOr<std::vector<Tensor>> out =
      prepared.Run({*Tensor::FromColMajor<double>({2, 2}, std::vector<double>{1, NAN, 0, 1})});
  ASSERT_FALSE(out.ok());
  EXPECT_NE(std::string(out.status().message()).find("svd_test.cc:"), std::string::npos) << out.status();
  EXPECT_NE(std::string(out.status().message()).find("linalg.svd: the matrix has an element that is not finite"),
            std::string::npos)
      << out.status();
}

TEST(SplitSvd, ZeroColumnsHaveAZeroGradient) {
  const TracedFunction loss = [](In x) -> Out {
    const SplitResult d = SplitSvd(x[0], 0);
    return {ReduceSum(Matmul(d.left, d.right)) + ReduceSum(x[0])};
  };
  ExpectNear(Gradient(loss, {Matrix(DType::kF64, {2, 2})}), {1, 1, 1, 1}, 0);
}

}  // namespace
}  // namespace tenferro::linalg
