// Derivatives of matrix functions and general eigenvalue problems, batching and messages.
#include "tenferro/linalg/matrix_function.h"

#include <cmath>

#include "gtest/gtest.h"
#include "tenferro/ad/check_grads.h"
#include "tenferro/ad/grad.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/ad/vjp.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/linalg/autodiff/check_rule.h"
#include "tenferro/linalg/eig.h"
#include "tenferro/linalg/hermitian_function.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/runtime/ops/check_batching.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"

namespace tenferro::linalg {
namespace {

constexpr ScalarFunction kSine = {.name = "sin",
                                  .value = [](double x) { return std::sin(x); },
                                  .derivative = [](double x) { return std::cos(x); },
                                  .second = [](double x) { return -std::sin(x); }};
constexpr ScalarFunction kSineOnce = {.name = "sin_once",
                                      .value = [](double x) { return std::sin(x); },
                                      .derivative = [](double x) { return std::cos(x); }};

// With eigenvalues near diagonal·(1, 2.5, 4, …).
Tensor Matrix(DType dtype, const Shape& shape, double diagonal) {
  return FromEntries(dtype, shape, [diagonal](double i, double j, double b) {
    return std::complex<double>(0.5 * std::sin(1.3 * i * j + 0.7 * i - j + b) + (i == j ? diagonal * (1 + 1.5 * i) : 0),
                                0.3 * std::cos(2.1 * i + 0.3 * j * j - b));
  });
}

struct Case {
  const char* name;
  double diagonal;
  TracedFunction function;
};

std::vector<Case> Cases() {
  return {
      {"expm", 0.5, [](In x) -> Out { return {Expm(x[0])}; }},
      {"sqrtm", 2, [](In x) -> Out { return {Sqrtm(x[0])}; }},
      {"logm", 2, [](In x) -> Out { return {Logm(x[0])}; }},
      {"polar", 1,
       [](In x) -> Out {
         const PolarResult d = Polar(x[0]);
         return {d.u, d.p};
       }},
      {"eigvals", 3,
       [](In x) -> Out {
         return {Eigvals(x[0]), Eig(x[0]).values};
       }},
      {"eig_function", 3,
       [](In x) -> Out {
         // V·sin(w)·V⁻¹ does not see the vectors' lengths and phases.
         const EigWithInverse d = EigAndInverse(x[0]);
         return {Matmul(ScaleColumns(d.vectors, Sin(d.values)), d.inverse)};
       }},
      {"eig_pivot", 3, [](In x) -> Out { return {Eig(x[0], {.gauge = Gauge::kPivot}).vectors}; }},
      {"hermitian_sine", 1, [](In x) -> Out { return {HermitianFunction(x[0], kSine)}; }},
      {"hermitian_sqrt", 2, [](In x) -> Out { return {HermitianSqrt(x[0])}; }},
      {"hermitian_inverse_sqrt", 2, [](In x) -> Out { return {HermitianInverseSqrt(x[0])}; }},
      {"hermitian_exp", 0.5, [](In x) -> Out { return {HermitianExp(x[0])}; }},
      {"hermitian_log", 2, [](In x) -> Out { return {HermitianLog(x[0])}; }},
  };
}

class SpectralRuleTest : public testing::TestWithParam<std::tuple<Case, Shape, DType>> {};

TEST_P(SpectralRuleTest, AgreesWithDifferencesToSecondOrder) {
  const auto& [c, shape, dtype] = GetParam();
  ExpectDerivatives(c.function, {Matrix(dtype, shape, c.diagonal)});
}

INSTANTIATE_TEST_SUITE_P(Matrices, SpectralRuleTest,
                         testing::Combine(testing::ValuesIn(Cases()), testing::Values(Shape{3, 3}, Shape{2, 2, 2}),
                                          testing::Values(DType::kF64, DType::kC128)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) + "_" +
                                  std::to_string(std::get<1>(info.param).rank()) + "_" + Name(std::get<2>(info.param));
                         });

TEST(Polar, OfTallMatrices) {
  const TracedFunction polar = [](In x) -> Out {
    const PolarResult d = Polar(x[0]);
    return {d.u, d.p};
  };
  for (DType dtype : {DType::kF64, DType::kC128}) {
    ExpectDerivatives(polar, {Matrix(dtype, {4, 2}, 1)});
  }
}

// Where eigenvalues are equal: the identity, a repeated pair, singular values all 1.
TEST(SpectralFunctions, AreExactAtDegeneracyToSecondOrder) {
  const std::vector<std::complex<double>> identity = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  // Two eigenvalues 1 and one 4: 1 + 3·v·vᴴ with v = (2, 1, 2)/3.
  std::vector<std::complex<double>> repeated;
  const double v[] = {2 / 3.0, 1 / 3.0, 2 / 3.0};
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) repeated.push_back((i == j ? 1.0 : 0.0) + 3 * v[i] * v[j]);
  }
  for (DType dtype : {DType::kF64, DType::kC128}) {
    for (const auto& matrix : {identity, repeated}) {
      for (const Case& c : Cases()) {
        if (std::string(c.name).starts_with("eig")) continue;
        const absl::Status status =
            ad::CheckGrads(CpuEngine::Serial(), c.function, {FromNumbers(dtype, {3, 3}, matrix)},
                           {.order = 2, .tolerance = 1e-6, .dot_tolerance = 1e-10});
        EXPECT_TRUE(status.ok()) << c.name << ' ' << status;
      }
    }
  }
}

std::string MessageOf(const Var& var) { return std::string(var.status().message()); }

TEST(HermitianFunction, TellsWhichDerivativesAreMissing) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2, 2});
  const Var once = ad::Grad(ReduceSum(HermitianFunction(x, kSineOnce)), x);
  EXPECT_TRUE(once.ok()) << once.status();
  EXPECT_NE(MessageOf(ad::Grad(ReduceSum(once), x)).find("the function sin_once has no second derivative"),
            std::string::npos);
  Var third = ReduceSum(HermitianFunction(x, kSine));
  for (int i = 0; i < 3; ++i) third = ReduceSum(ad::Grad(third, x));
  EXPECT_NE(MessageOf(third).find("linalg.hermitian_function_second: has no third derivative"), std::string::npos);
}

TEST(SpectralFunctions, Mistakes) {
  Graph graph;
  const Var wide = graph.Input(DType::kF64, {3, 4});
  const Var integers = graph.Input(DType::kI32, {3, 3});
  EXPECT_NE(MessageOf(Expm(wide)).find("linalg.expm: needs a square matrix [n, n, batch…], got f64[3,4]"),
            std::string::npos);
  EXPECT_NE(MessageOf(Sqrtm(integers)).find("linalg.sqrtm: does not take i32"), std::string::npos);
  EXPECT_NE(MessageOf(Logm(wide)).find("linalg.logm: needs a square matrix"), std::string::npos);
  EXPECT_NE(MessageOf(Eig(wide).values).find("linalg.eig: needs a square matrix"), std::string::npos);
  EXPECT_NE(MessageOf(Eigvals(integers)).find("linalg.eigvals: does not take i32"), std::string::npos);
  EXPECT_NE(MessageOf(Schur(wide).t).find("linalg.schur: needs a square matrix"), std::string::npos);
  EXPECT_NE(MessageOf(HermitianSqrt(wide)).find("linalg.hermitian_function: needs a square matrix"), std::string::npos);
  EXPECT_NE(MessageOf(Polar(wide).u).find("linalg.polar: needs a matrix [m, n, batch…] with m >= n, got f64[3,4]"),
            std::string::npos);
  const Var schur = Schur(graph.Input(DType::kF64, {2, 2})).t;
  EXPECT_TRUE(schur.ok());
}

// Negative eigenvalues of a complex matrix stand on the branch cut: which side rounding puts them on must not depend on
// whether the matrix or its transpose is factored.
TEST(SpectralFunctions, DirectionsAgreeOnTheBranchCut) {
  const std::vector<std::complex<double>> upper = {-1, 0, 0, {0.3, -0.7}, -2, 0, {1.1, 0.4}, {-0.6, 0.2}, 3};
  const Tensor a = *Tensor::FromColMajor<std::complex<double>>({3, 3}, upper);
  const Tensor e = Matrix(DType::kC128, {3, 3}, 0.2), w = Matrix(DType::kC128, {3, 3}, -0.3);
  const CpuEngine engine = CpuEngine::Serial();
  for (const auto function : {Sqrtm, Logm}) {
    Graph graph;
    const Var x = graph.Input(DType::kC128, {3, 3}), tangent = graph.Input(DType::kC128, {3, 3}),
              seed = graph.Input(DType::kC128, {3, 3});
    const Var y = function(x), forward = ad::Jvp(y, x, tangent), reverse = ad::Vjp({y}, {x}, {seed})[0];
    const Program program =
        *Compile({ReduceSum(Real(Conj(seed) * forward)), ReduceSum(Real(Conj(reverse) * tangent))}, {x, tangent, seed});
    const std::vector<Tensor> out = *engine.Prepare(program)->Run({a, e, w});
    const double forwards = *out[0].Item<double>(), backwards = *out[1].Item<double>();
    EXPECT_GT(std::abs(forwards), 1e-3);
    EXPECT_NEAR(forwards, backwards, 1e-12 * std::abs(forwards));
  }
}

// The second derivative along (e, e) is twice the upper right block of f([[a, e, 0], [0, a, e], [0, 0, a]]); on the cut
// it is the limit from above.
TEST(SpectralFunctions, SecondDerivativesOnTheBranchCutAreTheUpperSides) {
  using C = std::complex<double>;
  // Of a 1 × 1 matrix −4: −x^(−3/2)/4 and 3·x^(−5/2)/8 of the root, −1/x² and 2/x³ of the logarithm.
  const Tensor a = *Tensor::FromColMajor<C>({1, 1}, std::vector<C>{-4});
  const auto at = [&](const TracedFunction& function, int order) {
    Graph graph;
    const Var x = graph.Input(DType::kC128, {1, 1});
    Var y = function({x})[0];
    for (int i = 0; i < order; ++i) y = ad::Jvp(y, x, OnesLike(x));
    const std::vector<Tensor> out = *CpuEngine::Serial().Prepare(*Compile({y}, {x}))->Run({a});
    return (*out[0].Data<C>())[0];
  };
  const auto root = [](In x) -> Out { return {Sqrtm(x[0])}; };
  const auto log = [](In x) -> Out { return {Logm(x[0])}; };
  const auto expect_near = [](C got, C want) { EXPECT_LE(std::abs(got - want), 1e-15 * std::abs(want)) << got; };
  expect_near(at(root, 2), C(0, -1.0 / 32));
  expect_near(at(root, 3), C(0, -3.0 / 256));
  expect_near(at(log, 2), -1.0 / 16);
  expect_near(at(log, 3), -2.0 / 64);
}

// A little above the cut the functions are smooth; on it every derivative goes on from there.
TEST(SpectralFunctions, SecondDerivativesOnTheBranchCutAreLimitsFromAbove) {
  using C = std::complex<double>;
  const Tensor e = Matrix(DType::kC128, {3, 3}, 0.2), w = Matrix(DType::kC128, {3, 3}, -0.3);
  for (const auto function : {Sqrtm, Logm}) {
    std::vector<std::vector<C>> second;
    for (double above : {0.0, 1e-5}) {
      const std::vector<C> upper = {C(-1, above), 0, 0, {0.3, -0.7}, C(-2, above), 0, {1.1, 0.4}, {-0.6, 0.2}, 3};
      Graph graph;
      const Var x = graph.Input(DType::kC128, {3, 3}), tangent = graph.Input(DType::kC128, {3, 3}),
                seed = graph.Input(DType::kC128, {3, 3});
      const Var y = function(x), reverse = ad::Vjp({y}, {x}, {seed})[0];
      const Var forward = ad::Jvp(ad::Jvp(y, x, tangent), x, tangent), mixed = ad::Jvp(reverse, x, tangent);
      const Program program = *Compile({forward, mixed}, {x, tangent, seed});
      const std::vector<Tensor> out =
          *CpuEngine::Serial().Prepare(program)->Run({*Tensor::FromColMajor<C>({3, 3}, upper), e, w});
      std::vector<C> all;
      for (const Tensor& t : out) {
        const absl::Span<const C> data = *t.Data<C>();
        all.insert(all.end(), data.begin(), data.end());
      }
      second.push_back(all);
    }
    double largest = 0;
    for (const C& x : second[1]) largest = std::max(largest, std::abs(x));
    for (size_t i = 0; i < second[0].size(); ++i) {
      EXPECT_LE(std::abs(second[0][i] - second[1][i]), 1e-3 * largest) << i;
    }
  }
}

std::string RunError(const TracedFunction& function, const Tensor& at) {
  Graph graph;
  const Var x = graph.Input(at.dtype(), at.shape());
  const Program program = *Compile(function({x}), {x});
  return std::string(CpuEngine::Serial().Prepare(program)->Run({at}).status().message());
}

TEST(SpectralFunctions, MistakesInTheNumbers) {
  const Tensor negative = *Tensor::FromColMajor<double>({1, 1}, std::vector<double>{-1});
  const Tensor infinite = *Tensor::FromColMajor<double>({1, 1, 2}, std::vector<double>{1, INFINITY});
  const std::string no_value = "the matrix has an eigenvalue where the function has no value of its dtype";
  EXPECT_NE(RunError([](In x) -> Out { return {Sqrtm(x[0])}; }, negative).find("linalg.sqrtm: " + no_value),
            std::string::npos);
  EXPECT_NE(RunError([](In x) -> Out { return {Logm(x[0])}; }, negative).find("linalg.logm: " + no_value),
            std::string::npos);
  const std::string not_finite = "the matrix has an element that is not finite (matrix 1 of the batch)";
  EXPECT_NE(RunError([](In x) -> Out { return {Expm(x[0])}; }, infinite).find("linalg.expm: " + not_finite),
            std::string::npos);
  EXPECT_NE(RunError([](In x) -> Out { return {Eig(x[0]).values}; }, infinite).find("linalg.eig: " + not_finite),
            std::string::npos);
  EXPECT_NE(RunError([](In x) -> Out { return {Schur(x[0]).t}; }, infinite).find("linalg.schur: " + not_finite),
            std::string::npos);
  EXPECT_NE(RunError([](In x) -> Out { return {Polar(x[0]).p}; }, infinite).find("linalg.polar: " + not_finite),
            std::string::npos);
}

class SpectralBatching : public testing::TestWithParam<DType> {};

TEST_P(SpectralBatching, OfEveryRecord) {
  const CpuEngine engine = CpuEngine::Serial();
  const Words sine = Encode(HermitianFunctionAttributes{reinterpret_cast<int64_t>(&kSine)});
  const auto check = [&](const OpDef& op, WordSpan words, const std::vector<BatchSlices>& operands) {
    const absl::Status status = CheckBatching(engine, op, words, operands);
    EXPECT_TRUE(status.ok()) << op.name << ' ' << status;
  };
  for (const Shape& shape : {Shape{3, 3}, Shape{2, 2, 2}, Shape{0, 0}}) {
    // Positive definite, so that every function has a value.
    BatchSlices a;
    for (const Tensor& slice : SlicesOf({GetParam(), shape}, 3, 0)) {
      const Var x = Immediate(engine, slice);
      const Var row = Iota(x, DType::kI64, shape, 0), column = Iota(x, DType::kI64, shape, 1);
      a.push_back(*Select(Eq(row, column), x + 9.0, x).ToTensor());
    }
    const BatchSlices e = SlicesOf({GetParam(), shape}, 3, 1), f = SlicesOf({GetParam(), shape}, 3, 2);
    for (const OpDef* op : {&kExpm, &kSqrtm, &kLogm, &kEig, &kEigvals, &kSchur, &kPolar}) check(*op, {}, {a});
    for (const OpDef* op : {&kExpmDerivative, &kSqrtmDerivative, &kLogmDerivative, &kHermitianSylvester}) {
      check(*op, {}, {a, e});
    }
    check(kHermitianFunction, sine, {a});
    check(kHermitianFunctionDerivative, sine, {a, e});
    check(kHermitianFunctionSecond, sine, {a, e, f});
  }
}

INSTANTIATE_TEST_SUITE_P(DTypes, SpectralBatching, testing::Values(DType::kF32, DType::kF64, DType::kC64, DType::kC128),
                         [](const auto& info) { return Name(info.param); });

}  // namespace
}  // namespace tenferro::linalg
