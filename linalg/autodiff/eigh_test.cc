// Derivatives of Hermitian eigenvalue problems through functions that do not see their gauge.
#include "tenferro/linalg/eigh.h"

#include <cmath>

#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/linalg/autodiff/check_rule.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/runtime/ops/check_batching.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"

namespace tenferro::linalg {
namespace {

// Not Hermitian: the functions read the lower triangle alone.
Tensor Matrix(DType dtype, const Shape& shape, double diagonal = 1) {
  return FromEntries(dtype, shape, [diagonal](double i, double j, double b) {
    return std::complex<double>(0.6 * std::sin(1.3 * i * j + 0.7 * i - j + b) + (i == j ? diagonal * (1 + 1.5 * i) : 0),
                                0.5 * std::cos(2.1 * i + 0.3 * j * j - b));
  });
}

std::vector<RuleCase> Cases() {
  const auto values = [](In x) -> Out { return {Eigh(x[0]).values, Eigvalsh(x[0])}; };
  const auto projector = [](In x) -> Out {
    const Var v = FirstColumns(Eigh(x[0]).vectors, 2);
    return {Matmul(v, Adjoint(v))};
  };
  const auto rebuilt = [](In x) -> Out {
    const EighResult d = Eigh(x[0]);
    return {Matmul(ScaleColumns(d.vectors, Sin(d.values)), Adjoint(d.vectors)), d.values};
  };
  const auto lorentz = [](In x) -> Out {
    const EighResult d = Eigh(x[0], {.derivative_eps = 1e-9});
    return {Matmul(ScaleColumns(d.vectors, Sin(d.values)), Adjoint(d.vectors))};
  };
  const auto pivot = [](In x) -> Out { return {Eigh(x[0], {.gauge = Gauge::kPivot}).vectors}; };
  std::vector<RuleCase> cases;
  for (const Shape& shape : {Shape{1, 1}, Shape{4, 4}, Shape{3, 3, 2}}) {
    cases.push_back({"values", {shape}, values});
    if (shape.extent(0) > 1) cases.push_back({"projector", {shape}, projector});
    cases.push_back({"rebuilt", {shape}, rebuilt});
    cases.push_back({"lorentz", {shape}, lorentz});
    cases.push_back({"pivot", {shape}, pivot});
  }
  return cases;
}

class EighRuleTest : public testing::TestWithParam<std::tuple<RuleCase, DType>> {};

TEST_P(EighRuleTest, AgreesWithDifferencesToSecondOrder) {
  const auto& [c, dtype] = GetParam();
  ExpectDerivatives(c.function, {Matrix(dtype, c.shapes[0])});
}

INSTANTIATE_TEST_SUITE_P(Gauge, EighRuleTest,
                         testing::Combine(testing::ValuesIn(Cases()), testing::Values(DType::kF64, DType::kC128)),
                         NameOf);

class GeneralizedRuleTest : public testing::TestWithParam<std::tuple<Shape, DType>> {};

TEST_P(GeneralizedRuleTest, AgreesWithDifferencesToSecondOrder) {
  const auto& [shape, dtype] = GetParam();
  const TracedFunction function = [](In x) -> Out {
    const EighResult d = GeneralizedEigh(x[0], x[1]);
    return {d.values, Matmul(ScaleColumns(d.vectors, Sin(d.values)), Adjoint(d.vectors))};
  };
  ExpectDerivatives(function, {Matrix(dtype, shape), Matrix(dtype, shape, 3)});
}

INSTANTIATE_TEST_SUITE_P(Gauge, GeneralizedRuleTest,
                         testing::Combine(testing::Values(Shape{3, 3}, Shape{3, 3, 2}),
                                          testing::Values(DType::kF64, DType::kC128)));

Tensor SquareMatrix(int64_t n, const std::vector<double>& data) { return *Tensor::FromColMajor<double>({n, n}, data); }

TEST(Eigh, TraceOfTheIdentityAndItsSquare) {
  const Tensor identity = SquareMatrix(3, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  const TracedFunction trace = [](In x) -> Out { return {ReduceSum(Eigh(x[0]).values)}; };
  const TracedFunction alone = [](In x) -> Out { return {ReduceSum(Square(Eigvalsh(x[0])))}; };
  ExpectNear(Gradient(trace, {identity}), {1, 0, 0, 0, 1, 0, 0, 0, 1}, 1e-15);
  ExpectNear(Gradient(alone, {identity}), {2, 0, 0, 0, 2, 0, 0, 0, 2}, 1e-15);
}

TEST(Eigh, ProjectorOfAGroupOfEqualValues) {
  // d tr(Z Q) for the projector Q of the two equal values of diag(1, 1, 3): −(Z_20, Z_21)/(3 − 1), doubled for the
  // triangle that stands for both.
  const Tensor a = SquareMatrix(3, {1, 0, 0, 0, 1, 0, 0, 0, 3});
  const Tensor z = SquareMatrix(3, {5, 1, 2, 1, 4, 3, 2, 3, 6});
  const TracedFunction loss = [&](In x) -> Out {
    const Var v = FirstColumns(Eigh(x[0]).vectors, 2);
    return {ReduceSum(ConstantLike(x[0], z) * Matmul(v, Adjoint(v)))};
  };
  ExpectNear(Gradient(loss, {a}), {0, 0, -2, 0, 0, -3, 0, 0, 0}, 1e-14);
}

TEST(Eigh, GradientsAreFiniteAtDegeneracy) {
  for (double eps : {0.0, 1e-12}) {
    const TracedFunction loss = [eps](In x) -> Out {
      const EighResult d = Eigh(x[0], {.derivative_eps = eps});
      return {ReduceSum(Matmul(ScaleColumns(d.vectors, d.values), Adjoint(d.vectors)) * x[0]) + ReduceSum(d.vectors)};
    };
    for (double g : Gradient(loss, {SquareMatrix(2, {1, 0, 0, 1})})) EXPECT_TRUE(std::isfinite(g));
    for (double g : Gradient(loss, {SquareMatrix(2, {0, 0, 0, 0})})) EXPECT_TRUE(std::isfinite(g));
  }
}

TEST(Eigh, ScalesDoNotMatter) {
  const TracedFunction loss = [](In x) -> Out {
    const Var v = FirstColumns(Eigh(x[0]).vectors, 2);
    return {ReduceSum(Matmul(v, Adjoint(v)) * 3.0)};
  };
  const Tensor a = Matrix(DType::kF64, {4, 4});
  const std::vector<double> plain = Gradient(loss, {a});
  const absl::Span<const double> numbers = *a.Data<double>();
  for (double scale : {1e150, 1e-150}) {
    std::vector<double> scaled;
    for (double x : numbers) scaled.push_back(x * scale);
    std::vector<double> g = Gradient(loss, {SquareMatrix(4, scaled)});
    for (double& x : g) x *= scale;
    ExpectNear(g, plain, 1e-12);
  }
}

// With eps far below every difference the Lorentz rule is the exact one; with eps far above, x/eps².
TEST(Eigh, LorentzRuleAtAnyScale) {
  const Tensor a = Matrix(DType::kF64, {4, 4});
  const absl::Span<const double> numbers = *a.Data<double>();
  const auto at = [&](double scale, double eps) {
    const TracedFunction loss = [&](In x) -> Out {
      const Var v = FirstColumns(Eigh(x[0], {.derivative_eps = eps}).vectors, 2);
      return {ReduceSum(Matmul(v, Adjoint(v)) * 3.0)};
    };
    std::vector<double> scaled;
    for (double x : numbers) scaled.push_back(x * scale);
    std::vector<double> g = Gradient(loss, {SquareMatrix(4, scaled)});
    for (double& x : g) x *= eps < scale ? scale : eps / scale * eps;
    return g;
  };
  const std::vector<double> exact = at(1, 0), blurred = at(1, 1e9);
  for (double scale : {1e200, 1e-140}) ExpectNear(at(scale, 1e-150), exact, 1e-12);
  for (double scale : {1e-20, 1e-200}) ExpectNear(at(scale, scale == 1e-200 ? 1e-150 : 1e-11), blurred, 1e-12);
  ExpectNear(at(1e-100, 1e100), blurred, 1e-12);
}

TEST(GeneralizedEigh, InverseOfBAtEqualValues) {
  // X Xᴴ = B⁻¹ whatever A: at A = B all values are equal, and d tr B⁻¹ = −B⁻².
  const TracedFunction loss = [](In x) -> Out {
    const Var v = GeneralizedEigh(x[0], x[1]).vectors;
    return {ReduceSum(v * v)};
  };
  const Tensor b = SquareMatrix(2, {2, 0, 0, 4});
  ExpectNear(Gradient(loss, {b, b}, 1), {-0.25, 0, 0, -0.0625}, 1e-14);
  ExpectNear(Gradient(loss, {b, b}, 0), {0, 0, 0, 0}, 1e-14);
}

class Batching : public testing::TestWithParam<DType> {};

TEST_P(Batching, OfHermitianProblems) {
  const CpuEngine engine = CpuEngine::Serial();
  for (const Shape& shape : {Shape{3, 3}, Shape{2, 2, 2}, Shape{0, 0}}) {
    const std::vector<BatchSlices> a{SlicesOf({GetParam(), shape}, 3, 0)};
    EXPECT_TRUE(CheckBatching(engine, kEigh, Encode(EighAttributes{}), a).ok());
    EXPECT_TRUE(CheckBatching(engine, kEigvalsh, {}, a).ok());
    BatchSlices b;
    for (const Tensor& slice : a[0]) {
      const Var x = Immediate(engine, slice);
      const Var row = Iota(x, DType::kI64, shape, 0), column = Iota(x, DType::kI64, shape, 1);
      b.push_back(*Select(Eq(row, column), x + 9.0, x).ToTensor());
    }
    EXPECT_TRUE(CheckBatching(engine, kGeneralizedEigh, {}, {a[0], b}).ok());
  }
}

INSTANTIATE_TEST_SUITE_P(DTypes, Batching, testing::Values(DType::kF32, DType::kF64, DType::kC64, DType::kC128),
                         [](const auto& info) { return Name(info.param); });

TEST(Eigh, Mistakes) {
  Graph graph;
  const Var vector = graph.Input(DType::kF64, {3});
  const Var integers = graph.Input(DType::kI32, {3, 3});
  const Var wide = graph.Input(DType::kF64, {3, 4});
  const Var square = graph.Input(DType::kF64, {3, 3});
  const Var other = graph.Input(DType::kF32, {3, 3});
  const auto message = [](const Var& var) { return std::string(var.status().message()); };
  const std::string place = "eigh_test.cc:" + std::to_string(__LINE__ + 1);
  const std::string text = message(Eigh(vector).values);
  EXPECT_NE(text.find(place + ": linalg.eigh: needs a square matrix [n, n, batch…], got f64[3]"), std::string::npos)
      << text;
  EXPECT_NE(message(Eigvalsh(wide)).find("linalg.eigvalsh: needs a square matrix [n, n, batch…], got f64[3,4]"),
            std::string::npos);
  EXPECT_NE(message(Eigh(square, {.derivative_eps = NAN}).values)
                .find("linalg.eigh: derivative_eps = nan is neither 0 nor between 1e-150 and 1e150"),
            std::string::npos);
  EXPECT_NE(message(Eigh(integers).vectors).find("linalg.eigh: does not take i32"), std::string::npos);
  EXPECT_NE(message(GeneralizedEigh(square, other).values)
                .find("linalg.generalized_eigh: needs two matrices of one type, got f64[3,3] and f32[3,3]"),
            std::string::npos);
}

std::string RunError(const TracedFunction& function, const std::vector<Tensor>& at) {
  Graph graph;
  std::vector<Var> inputs;
  for (const Tensor& x : at) inputs.push_back(graph.Input(x.dtype(), x.shape()));
  const Program program = *Compile(function(inputs), inputs);
  return std::string(CpuEngine::Serial().Prepare(program)->Run(at).status().message());
}

TEST(Eigh, MistakesInTheNumbers) {
  const TracedFunction values = [](In x) -> Out { return {Eigh(x[0]).values}; };
  const TracedFunction pair = [](In x) -> Out { return {GeneralizedEigh(x[0], x[1]).values}; };
  const Tensor good = SquareMatrix(2, {1, 0, 0, 1}), indefinite = SquareMatrix(2, {1, 0, 0, -1});
  EXPECT_NE(RunError(values, {SquareMatrix(2, {1, NAN, 0, 1})})
                .find("linalg.eigh: the matrix has an element that is not finite"),
            std::string::npos);
  EXPECT_NE(RunError(pair, {good, indefinite}).find("linalg.generalized_eigh: b is not positive definite"),
            std::string::npos);
  const Tensor batch = *Tensor::FromColMajor<double>({1, 1, 3}, std::vector<double>{1, INFINITY, NAN});
  EXPECT_NE(RunError(values, {batch}).find("is not finite (matrix 1 of the batch)"), std::string::npos);
}

}  // namespace
}  // namespace tenferro::linalg
