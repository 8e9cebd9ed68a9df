// Derivatives of the functions written with other operations: against differences to second order, and at the places
// where a careless composition gives NaN.
#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "tenferro/ad/check_grads.h"
#include "tenferro/ad/grad.h"
#include "tenferro/ad/rule_cases.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/ops/activations.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/matrix_parts.h"
#include "tenferro/runtime/ops/products.h"
#include "tenferro/runtime/ops/rearrange.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/reductions.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;
using Doubles = std::vector<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<ad::RuleCase> Reductions() {
  const Shape m{3, 4};
  return {
      {"sum_squares", {m}, [](In x) -> Out { return {ReduceSumSquares(x[0], {1})}; }},
      {"mean", {m}, [](In x) -> Out { return {Mean(x[0] * x[0], {0})}; }},
      {"mean_kept", {m}, [](In x) -> Out { return {x[0] * Mean(x[0], {1}, KeepDims::kYes)}; }},
      {"variance", {m}, [](In x) -> Out { return {Variance(x[0], {1}, {.ddof = 1})}; }},
      {"standard_deviation", {m}, [](In x) -> Out { return {StandardDeviation(x[0], {0})}; }},
      {"norm",
       {m},
       [](In x) -> Out {
         return {Norm(x[0], {1}), Norm(x[0])};
       }},
      {"norm_1", {m}, [](In x) -> Out { return {Norm(x[0], {1}, {.order = 1})}; }, 0.3, 2},
      {"norm_3", {m}, [](In x) -> Out { return {Norm(x[0], {1}, {.order = 3})}; }, 0.3, 2},
      {"norm_half", {m}, [](In x) -> Out { return {Norm(x[0], {1}, {.order = 0.5})}; }, 0.3, 2},
      {"norm_infinity", {m}, [](In x) -> Out { return {Norm(x[0], {1}, {.order = kInfinity})}; }, 0.3, 2},
      {"log_sum_exp",
       {m},
       [](In x) -> Out {
         return {LogSumExp(x[0], {1}), LogSumExp(x[0])};
       }},
  };
}

std::vector<ad::RuleCase> Movements() {
  const Shape m{3, 4}, v{4}, s{3, 3};
  return {
      {"stack",
       {v, v},
       [](In x) -> Out {
         return {Stack({x[0], x[1] * x[0]}, 1)};
       }},
      {"split",
       {m},
       [](In x) -> Out {
         const std::vector<Var> parts = Split(x[0], 2, 1);
         return {parts[0] * parts[1]};
       }},
      {"split_at",
       {m},
       [](In x) -> Out {
         const std::vector<Var> parts = SplitAt(x[0], {1}, 0);
         return {parts[0] * parts[1]};
       }},
      {"roll",
       {m},
       [](In x) -> Out {
         return {Roll(x[0], {1, -1}, {0, 1}) * x[0]};
       }},
      {"squeeze", {Shape{3, 1}}, [](In x) -> Out { return {Squeeze(x[0]) * 2}; }},
      {"expand_dims", {v}, [](In x) -> Out { return {ExpandDims(x[0], {1}) * x[0]}; }},
      {"tile",
       {Shape{2, 3}},
       [](In x) -> Out {
         return {Square(Tile(x[0], {2, 3}))};
       }},
      {"repeat", {Shape{2, 3}}, [](In x) -> Out { return {Square(Repeat(x[0], 2, 0))}; }},
      {"move_axis", {Shape{2, 3, 4}}, [](In x) -> Out { return {MoveAxis(x[0], 0, 2) * 2}; }},
      {"swap_axes", {s}, [](In x) -> Out { return {SwapAxes(x[0], 0, 1) * x[0]}; }},
      {"flatten", {m}, [](In x) -> Out { return {Flatten(x[0]) * 2}; }},
      {"tril", {s}, [](In x) -> Out { return {Tril(x[0], -1) * x[0]}; }},
      {"triu", {Shape{3, 4, 2}}, [](In x) -> Out { return {Triu(x[0] * x[0], 1)}; }},
      {"diagonal", {Shape{2, 3, 4}}, [](In x) -> Out { return {Diagonal(x[0] * x[0], 1, 0, 2)}; }},
      {"diag", {v}, [](In x) -> Out { return {Diag(x[0] * x[0], -1)}; }},
      {"trace", {s}, [](In x) -> Out { return {Trace(x[0] * x[0], 1)}; }},
      {"tensordot", {m, m}, [](In x) -> Out { return {Tensordot(x[0], x[1], {0}, {0})}; }},
      {"outer", {v, Shape{3}}, [](In x) -> Out { return {Outer(x[0], x[1])}; }},
      {"kron", {Shape{2, 3}, Shape{3, 2}}, [](In x) -> Out { return {Kron(x[0], x[1])}; }},
      {"inner", {m, m}, [](In x) -> Out { return {Inner(x[0], x[1])}; }},
      {"vdot", {m, m}, [](In x) -> Out { return {VDot(x[0], x[1])}; }},
  };
}

std::vector<ad::RuleCase> Activations() {
  const Shape m{3, 4}, v{9};
  const auto mask = [](const Var& x) { return Gt(x, -0.3); };
  return {
      {"sigmoid", {v}, [](In x) -> Out { return {Sigmoid(3 * x[0])}; }, -1.5, 1.5, true, false},
      {"silu", {v}, [](In x) -> Out { return {Silu(3 * x[0])}; }, -1.5, 1.5, true, false},
      {"softplus", {v}, [](In x) -> Out { return {Softplus(3 * x[0])}; }, -1.5, 1.5, true, false},
      {"relu", {v}, [](In x) -> Out { return {Relu(x[0]) * x[0]}; }, -1.5, 1.5, true, false},
      {"gelu", {v}, [](In x) -> Out { return {Gelu(2 * x[0])}; }, -1.5, 1.5, true, false},
      {"gelu_tanh", {v}, [](In x) -> Out { return {GeluTanh(2 * x[0])}; }, -1.5, 1.5, true, false},
      {"softmax",
       {m},
       [](In x) -> Out {
         return {Softmax(x[0], 1), Softmax(x[0], 0)};
       },
       -1.5,
       1.5,
       true,
       false},
      {"log_softmax", {m}, [](In x) -> Out { return {LogSoftmax(x[0], 1)}; }, -1.5, 1.5, true, false},
      {"masked_softmax",
       {m},
       [=](In x) -> Out { return {MaskedSoftmax(x[0], mask(x[0]), 0)}; },
       -1.5,
       1.5,
       true,
       false},
      {"masked_log_softmax",
       {m},
       [=](In x) -> Out {
         const Var chosen = mask(x[0]);
         return {Select(chosen, MaskedLogSoftmax(x[0], chosen, 0), 0)};
       },
       -1.5,
       1.5,
       true,
       false},
      {"layer_norm",
       {m, Shape{3}, Shape{3}},
       [](In x) -> Out { return {LayerNorm(x[0], {0}, {.epsilon = 0.1, .scale = x[1], .bias = x[2]})}; },
       -1.5,
       1.5,
       true,
       false},
      {"rms_norm",
       {m, Shape{3, 4}},
       [](In x) -> Out {
         return {RmsNorm(x[0], {0, 1}, {.epsilon = 0.1, .scale = x[1]})};
       },
       -1.5,
       1.5,
       true,
       false},
  };
}

class CompositeRulesTest : public ad::RuleTest {};

TEST_P(CompositeRulesTest, AgreesWithDifferencesToSecondOrder) { Check(); }

INSTANTIATE_TEST_SUITE_P(Reductions, CompositeRulesTest, testing::ValuesIn(ad::RealAndComplex(Reductions())),
                         ad::RuleName);
INSTANTIATE_TEST_SUITE_P(Movements, CompositeRulesTest, testing::ValuesIn(ad::RealAndComplex(Movements())),
                         ad::RuleName);
INSTANTIATE_TEST_SUITE_P(Activations, CompositeRulesTest, testing::ValuesIn(ad::RealAndComplex(Activations())),
                         ad::RuleName);

// In f32 a difference step is wide: only functions that are smooth across it.
TEST(CompositeRules, HoldInSinglePrecision) {
  std::vector<ad::RuleCase> rules = Reductions();
  for (const ad::RuleCase& rule : Activations()) rules.push_back(rule);
  int checked = 0;
  for (const ad::RuleCase& rule : rules) {
    const std::string name = rule.name;
    if (name == "norm_infinity" || name == "relu" || name.starts_with("masked")) continue;
    std::vector<Tensor> inputs;
    for (size_t i = 0; i < rule.shapes.size(); ++i) {
      inputs.push_back(ad::RuleInput(DType::kF32, rule.shapes[i], rule.low, rule.high, static_cast<int>(i)));
    }
    const absl::Status status = ad::CheckGrads(CpuEngine::Serial(), rule.function, inputs);
    EXPECT_TRUE(status.ok()) << name << ": " << status;
    ++checked;
  }
  EXPECT_EQ(checked, 19);
}

struct Derivatives {
  Doubles value, gradient, second;  // of f; of Σ f; of Σ w·gradient with weights w = 1, 2, 3, …
};

template <class T>
Doubles Wide(const Tensor& tensor) {
  const Tensor dense = *tensor.Dense();
  const absl::Span<const T> data = *dense.Data<T>();
  return Doubles(data.begin(), data.end());
}

template <class T = double>
Derivatives At(const TracedFunction& function, const std::vector<T>& x, const Shape& shape) {
  Graph graph;
  const Var input = graph.Input(kDTypeOf<T>, shape);
  const Var y = function({input})[0];
  const Var gradient = ad::Grad(ReduceSum(y), input);
  const Var weights = Reshape(Iota(input, kDTypeOf<T>, {shape.size()}, 0) + 1, shape);
  const Var second = ad::GradOptional(ReduceSum(gradient * weights), {input})[0];
  const Program program = *Compile({y, gradient, second.empty() ? ZerosLike(input) : second}, {input});
  const Prepared prepared = *CpuEngine::Serial().Prepare(program);
  const std::vector<Tensor> results = *prepared.Run({*Tensor::FromColMajor<T>(shape, x)});
  return {Wide<T>(results[0]), Wide<T>(results[1]), Wide<T>(results[2])};
}
template <class T = double>
Derivatives At(const TracedFunction& function, const std::vector<T>& x) {
  return At<T>(function, x, {static_cast<int64_t>(x.size())});
}

void ExpectNear(const Doubles& got, const Doubles& want, double tolerance = 1e-14) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], tolerance) << i;
}

TEST(CompositeRules, NormsAtZeroAndFarOut) {
  for (double order : {0.5, 1.0, 1.5, 2.0, 3.0, kInfinity}) {
    const Derivatives at = At([=](In x) -> Out { return {Norm(x[0], {0}, {.order = order})}; }, Doubles{0, 0});
    EXPECT_EQ(at.value, (Doubles{0})) << order;
    EXPECT_EQ(at.gradient, (Doubles{0, 0})) << order;
    EXPECT_EQ(at.second, (Doubles{0, 0})) << order;
  }
  const TracedFunction norm = [](In x) -> Out { return {Norm(x[0])}; };
  for (double size : {1e-320, 1e-300, 1e-170, 1.0, 1e170, 1e300}) {
    const Derivatives at = At(norm, Doubles{3 * size, -4 * size});
    EXPECT_NEAR(at.gradient[0], 0.6, size < 1e-310 ? 1e-3 : 1e-15) << size;
    EXPECT_NEAR(at.gradient[1], -0.8, size < 1e-310 ? 1e-3 : 1e-15) << size;
  }
  for (float size : {1e-42f, 1e-30f, 1e-18f, 1.0f, 1e18f, 5e37f}) {
    const Derivatives at = At<float>(norm, {3 * size, -4 * size});
    EXPECT_NEAR(at.gradient[0], 0.6, size < 1e-40f ? 1e-2 : 1e-6) << size;
    EXPECT_NEAR(at.gradient[1], -0.8, size < 1e-40f ? 1e-2 : 1e-6) << size;
  }
}

TEST(CompositeRules, TheDeviationOfEqualNumbersHasNoSlope) {
  const Derivatives at = At([](In x) -> Out { return {StandardDeviation(x[0])}; }, Doubles{3, 3, 3});
  EXPECT_EQ(at.value, (Doubles{0}));
  EXPECT_EQ(at.gradient, (Doubles{0, 0, 0}));
  EXPECT_EQ(at.second, (Doubles{0, 0, 0}));
}

TEST(CompositeRules, LogSumExpOfNothing) {
  const TracedFunction function = [](In x) -> Out { return {LogSumExp(x[0])}; };
  const Derivatives none = At(function, Doubles{-kInfinity, -kInfinity});
  EXPECT_EQ(none.value, (Doubles{-kInfinity}));
  EXPECT_EQ(none.gradient, (Doubles{0, 0}));
  EXPECT_EQ(none.second, (Doubles{0, 0}));
  const Derivatives far = At(function, Doubles{1e300, -1e300, -kInfinity});
  EXPECT_EQ(far.gradient, (Doubles{1, 0, 0}));
  EXPECT_EQ(far.second, (Doubles{0, 0, 0}));
}

TEST(CompositeRules, ActivationsAtTheEndsAndAtZero) {
  const Doubles ends{-kInfinity, -1e300, -800, 800, 1e300, kInfinity};
  const Doubles step{0, 0, 0, 1, 1, 1}, nothing(6, 0.0);
  for (Var (*function)(const Arg&) : {Softplus, Relu, Silu, Gelu, GeluTanh}) {
    const Derivatives at = At([=](In x) -> Out { return {function(x[0])}; }, ends);
    EXPECT_EQ(at.gradient, step);
    EXPECT_EQ(at.second, nothing);
  }
  const Derivatives flat = At([](In x) -> Out { return {Sigmoid(x[0])}; }, ends);
  EXPECT_EQ(flat.gradient, nothing);
  EXPECT_EQ(flat.second, nothing);
  const auto at_zero = [](Var (*function)(const Arg&)) {
    const Derivatives at = At([=](In x) -> Out { return {function(x[0])}; }, Doubles{0});
    return Doubles{at.value[0], at.gradient[0], at.second[0]};
  };
  ExpectNear(at_zero(Sigmoid), {0.5, 0.25, 0});
  ExpectNear(at_zero(Softplus), {std::log(2.0), 0.5, 0.25});
  ExpectNear(at_zero(Silu), {0, 0.5, 0.5});
  ExpectNear(at_zero(Relu), {0, 0, 0});
  ExpectNear(at_zero(Gelu), {0, 0.5, std::sqrt(2 / std::acos(-1.0))});
  ExpectNear(at_zero(GeluTanh), {0, 0.5, std::sqrt(2 / std::acos(-1.0))});
}

TEST(CompositeRules, SoftmaxesFarOut) {
  const Doubles x{1e300, -1e300, 1e300, -kInfinity};
  const Derivatives soft = At([](In in) -> Out { return {Softmax(in[0], 0)}; }, x);
  EXPECT_EQ(soft.value, (Doubles{0.5, 0, 0.5, 0}));
  EXPECT_EQ(soft.gradient, (Doubles{0, 0, 0, 0}));
  EXPECT_EQ(soft.second, (Doubles{0, 0, 0, 0}));
}

TEST(CompositeRules, MaskedSoftmaxesOfNothing) {
  const double nan = std::nan("");
  // Columns: all masked with anything inside; all −∞; one kept.
  const Doubles x{nan, kInfinity, 5, -kInfinity, -kInfinity, -kInfinity, nan, 1e300, -kInfinity};
  const std::vector<bool> kept{false, false, false, true, true, false, false, true, false};
  const auto mask = [&](const Var& like) {
    std::vector<char> bytes(kept.begin(), kept.end());
    const absl::Span<const bool> data(reinterpret_cast<const bool*>(bytes.data()), bytes.size());
    return Immediate(CpuEngine::Serial(), *Tensor::FromColMajor<bool>(like.shape(), data));
  };
  const Derivatives soft = At([&](In in) -> Out { return {MaskedSoftmax(in[0], mask(in[0]), 0)}; }, x, {3, 3});
  EXPECT_EQ(soft.value, (Doubles{0, 0, 0, 0, 0, 0, 0, 1, 0}));
  EXPECT_EQ(soft.gradient, Doubles(9, 0.0));
  EXPECT_EQ(soft.second, Doubles(9, 0.0));
  const Derivatives log = At([&](In in) -> Out { return {MaskedLogSoftmax(in[0], mask(in[0]), 0)}; }, x, {3, 3});
  for (size_t i = 0; i < 9; ++i) EXPECT_EQ(log.value[i], i == 7 ? 0 : -kInfinity);
  // The kept elements of the second column are −∞ themselves, which moves with x.
  EXPECT_EQ(log.gradient, (Doubles{0, 0, 0, 1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(log.second, Doubles(9, 0.0));
}

TEST(CompositeRules, NormalizationsFarOut) {
  const TracedFunction layer = [](In x) -> Out { return {LayerNorm(x[0], {0}) * Iota(x[0], x[0].dtype(), {3}, 0)}; };
  for (double size : {1e200, 1e300}) {
    const Derivatives at = At(layer, Doubles{size, -size, 0});
    ExpectNear(at.value, {0, -std::sqrt(1.5), 0});
    for (double slope : at.gradient) EXPECT_LT(std::abs(slope), 10 / size) << size;
    EXPECT_NE(at.gradient[0], 0) << size;
  }
  const Derivatives equal = At(layer, Doubles{1e300, 1e300, 1e300});
  for (double slope : equal.gradient) EXPECT_TRUE(std::isfinite(slope));
  const Derivatives single =
      At<float>([](In x) -> Out { return {RmsNorm(x[0], {0}) * Iota(x[0], x[0].dtype(), {2}, 0)}; }, {2e38f, -2e38f});
  ExpectNear(single.value, {0, -1}, 1e-6);
  for (double slope : single.gradient) EXPECT_TRUE(std::isfinite(slope));
}

}  // namespace
}  // namespace tenferro
