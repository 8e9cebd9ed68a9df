// The derivative rules of the arithmetic operations: against differences to second order, and where differences cannot
// tell.
#include <limits>

#include "gtest/gtest.h"
#include "tenferro/ad/grad.h"
#include "tenferro/ad/rule_cases.h"
#include "tenferro/ad/vjp.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/ops/arithmetic.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"

namespace tenferro {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

std::vector<ad::RuleCase> Rules() {
  const Shape v{7};
  return {
      {"rem", {v, v}, [](In x) -> Out { return {Rem(4 * x[0], x[1]) * x[1]}; }, 0.5, 2, true, false},
      {"rem_negative", {v, v}, [](In x) -> Out { return {Rem(4 * x[0], x[1])}; }, -2, -0.5, true, false},
      {"rem_signs",
       {v, v},
       [](In x) -> Out {
         return {Rem(-4 * x[0], x[1]), Rem(4 * x[0], -x[1])};
       },
       0.5,
       2,
       true,
       false},
      {"mod", {v, v}, [](In x) -> Out { return {Mod(4 * x[0], x[1]) * x[1]}; }, 0.5, 2, true, false},
      {"mod_signs",
       {v, v},
       [](In x) -> Out {
         return {Mod(-4 * x[0], x[1]), Mod(4 * x[0], -x[1])};
       },
       0.5,
       2,
       true,
       false},
      {"clamp", {v}, [](In x) -> Out { return {Clamp(x[0], -0.5, 0.8) * x[0]}; }, -1.5, 1.5, true, false},
      {"clamp_tensors",
       {v, v, v},
       [](In x) -> Out { return {Clamp(x[0] * x[0], x[1], x[2] + 0.7) * x[0]}; },
       -1.5,
       1.5,
       true,
       false},
      // low > high everywhere: the result is high.
      {"clamp_crossed",
       {v, v, v},
       [](In x) -> Out { return {Clamp(x[0], x[1] + 9, x[2]) * x[0]}; },
       -1.5,
       1.5,
       true,
       false},
      {"floor_beside",
       {v},
       [](In x) -> Out { return {Floor(3 * x[0]) * x[0] + Round(x[0]) + Trunc(x[0])}; },
       -1.5,
       1.5,
       true,
       false},
  };
}

class ArithmeticRulesTest : public ad::RuleTest {};

TEST_P(ArithmeticRulesTest, AgreesWithDifferencesToSecondOrder) { Check(); }

INSTANTIATE_TEST_SUITE_P(Arithmetic, ArithmeticRulesTest, testing::ValuesIn(ad::RealAndComplex(Rules())), ad::RuleName);

std::vector<double> Evaluate(const Var& output, const std::vector<Var>& inputs,
                             const std::vector<std::vector<double>>& values) {
  const Program program = *Compile({output}, inputs);
  const Prepared prepared = *CpuEngine::Serial().Prepare(program);
  std::vector<Tensor> tensors;
  for (const std::vector<double>& value : values) {
    tensors.push_back(*Tensor::FromColMajor<double>({static_cast<int64_t>(value.size())}, value));
  }
  const Tensor result = *(*prepared.Run(tensors))[0].Dense();
  const absl::Span<const double> data = *result.Data<double>();
  return {data.begin(), data.end()};
}

TEST(ArithmeticRules, RemainderByInfinityAndAtMultiples) {
  Graph graph;
  const Var a = graph.Input(DType::kF64, {4}), b = graph.Input(DType::kF64, {4});
  const std::vector<Var> slopes = ad::Grad(ReduceSum(Rem(a, b)), {a, b});
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::vector<double>> at = {{1, 6, -7, 0.3}, {infinity, 3, 2, 0.1}};
  EXPECT_EQ(Evaluate(slopes[0], {a, b}, at), (std::vector<double>{1, 1, 1, 1}));
  // 0.3 is below three times 0.1, and the rounded quotient 0.3/0.1 is below 3 too.
  EXPECT_EQ(Evaluate(slopes[1], {a, b}, at), (std::vector<double>{0, -2, 3, -2}));
  const std::vector<Var> floored = ad::Grad(ReduceSum(Mod(a, b)), {a, b});
  EXPECT_EQ(Evaluate(floored[1], {a, b}, at), (std::vector<double>{0, -2, 4, -2}));
}

TEST(ArithmeticRules, ClampGivesNothingAtATie) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const Var low = graph.Input(DType::kF64, {3}), high = graph.Input(DType::kF64, {3});
  const std::vector<Var> slopes = ad::Grad(ReduceSum(Clamp(x, low, high)), {x, low, high});
  const std::vector<std::vector<double>> at = {{1, 2, 2}, {1, 0, 2}, {3, 2, 2}};
  for (const Var& slope : slopes) EXPECT_EQ(Evaluate(slope, {x, low, high}, at), (std::vector<double>{0, 0, 0}));
}

TEST(ArithmeticRules, SayWhyThereIsNoDerivative) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const auto why = [&](const Var& y) {
    const std::string message(ad::Vjp({y}, {x}, {y})[0].status().message());
    return message.substr(message.find("(it"));
  };
  for (const Var& y : {Floor(x), Ceil(x), Round(x), RoundHalfAway(x), Trunc(x), FloorDivide(x, 2)}) {
    EXPECT_NE(why(y).find("it is piecewise constant"), std::string::npos) << why(y);
  }
  EXPECT_EQ(why(Floor(x)), "(it passes through floor: it is piecewise constant)");
  EXPECT_EQ(why(Cast(SignBit(x), DType::kF64)), "(it passes through sign_bit: its result is bool)");
}

}  // namespace
}  // namespace tenferro
