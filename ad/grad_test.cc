#include "tenferro/ad/grad.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/ad/vjp.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/call.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

std::string Message(const Var& var) { return std::string(var.status().message()); }

std::vector<double> Evaluate(const Var& output, const Var& input, const std::vector<double>& values) {
  const Program program = *Compile({output}, {input});
  const Prepared prepared = *CpuEngine::Serial().Prepare(program);
  const absl::StatusOr<Tensor> argument = Tensor::FromColMajor<double>(input.shape(), values);
  const std::vector<Tensor> outputs = *prepared.Run({*argument});
  const absl::Span<const double> data = *outputs[0].Data<double>();
  return std::vector<double>(data.begin(), data.end());
}

TEST(Grad, OfAPolynomial) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const Var g = ad::Grad(ReduceSum(x * x * x), x);
  EXPECT_EQ(Evaluate(g, x, {1, 2, -3}), (std::vector<double>{3, 12, 27}));
}

TEST(Grad, WithRespectToSeveralAndToAnIntermediate) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2});
  const Var y = Square(x);
  const std::vector<Var> g = ad::Grad(ReduceSum(y * x), {x, y});
  // The total derivative for x, 3x²; x for y.
  EXPECT_EQ(Evaluate(g[0], x, {1, 2}), (std::vector<double>{3, 12}));
  EXPECT_EQ(Evaluate(g[1], x, {1, 2}), (std::vector<double>{1, 2}));
}

TEST(Grad, ThirdOrderMixesDirections) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {1});
  const Var one = OnesLike(x);
  const Var first = ad::Grad(ReduceSum(Square(Square(x)) * x), x);  // 5x⁴
  const Var second = ad::Jvp(first, x, one);                        // 20x³
  const Var third = ad::Grad(ReduceSum(second), x);                 // 60x²
  EXPECT_EQ(Evaluate(third, x, {2}), (std::vector<double>{240}));
}

TEST(Grad, TracedSeeds) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2});
  const Var g = ad::Vjp({Square(x)}, {x}, {x * 10})[0];
  EXPECT_EQ(Evaluate(g, x, {1, 3}), (std::vector<double>{20, 180}));
}

TEST(Grad, ThroughACallThatCapturesAnOuterValue) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2});
  const Var w = x * 3;
  const Var y = Call({x}, [&](absl::Span<const Var> in) -> std::vector<Var> { return {in[0] * w}; })[0];
  EXPECT_EQ(Evaluate(ad::Grad(ReduceSum(y), x), x, {1, 2}), (std::vector<double>{6, 12}));
}

TEST(Grad, TiesShareEqually) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {4});
  EXPECT_EQ(Evaluate(ad::Grad(ReduceMax(x), x), x, {1, 5, 5, 0}), (std::vector<double>{0, 0.5, 0.5, 0}));
  EXPECT_EQ(Evaluate(ad::Grad(ReduceSum(Max(x, 1)), x), x, {1, 5, 0, 2}), (std::vector<double>{0.5, 1, 0, 1}));
}

TEST(Grad, ProductsAreExactAtZeros) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const Var g = ad::Grad(ReduceProd(x), x);
  EXPECT_EQ(Evaluate(g, x, {0, 2, 3}), (std::vector<double>{6, 0, 0}));
  EXPECT_EQ(Evaluate(g, x, {0, 0, 3}), (std::vector<double>{0, 0, 0}));
  const Var h = ad::Hvp(ReduceProd(x), x, OnesLike(x));
  EXPECT_EQ(Evaluate(h, x, {0, 0, 3}), (std::vector<double>{3, 3, 0}));
}

TEST(Grad, KinksHaveTheAgreedValues) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  EXPECT_EQ(Evaluate(ad::Grad(ReduceSum(Abs(x)), x), x, {0, -2, 2}), (std::vector<double>{0, -1, 1}));
  EXPECT_EQ(Evaluate(ad::Grad(ReduceSum(Pow(x, 0)), x), x, {0, -2, 2}), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(Evaluate(ad::Grad(ReduceSum(Pow(x, 1)), x), x, {0, -2, 2}), (std::vector<double>{1, 1, 1}));
}

// ∂²(a^b)/∂a∂b = a^(b−1)(1 + b log a); its first factor ∂/∂a is 0 for b = 0, but grows with b.
TEST(Grad, OfPowersWithExponentZeroToSecondOrder) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const Var a = x + 0, b = x * 0.0;
  const auto mixed = [&](const Var& exponent) {
    return ad::Grad(ReduceSum(ad::Grad(ReduceSum(Pow(a, exponent)), a)), exponent);
  };
  EXPECT_EQ(Evaluate(mixed(b), x, {1, 2, 4}), (std::vector<double>{1, 0.5, 0.25}));
  EXPECT_EQ(Evaluate(mixed(b + 1), x, {1, 1, 1}), (std::vector<double>{1, 1, 1}));
  // Where a⁻¹ is no number: 0, in the first derivative too.
  const double smallest = std::numeric_limits<double>::denorm_min(), nan = std::nan("");
  EXPECT_EQ(Evaluate(mixed(b), x, {0, smallest, nan})[0], 0);
  EXPECT_EQ(Evaluate(ad::Grad(ReduceSum(Pow(a, ZerosLike(x))), a), x, {0, smallest, nan}),
            (std::vector<double>{0, 0, 0}));
}

TEST(Grad, Mistakes) {
  Graph graph, other;
  const Var x = graph.Input(DType::kF64, {2});
  const Var y = graph.Input(DType::kF64, {2});
  const Var z = other.Input(DType::kF64, {2});
  EXPECT_NE(Message(ad::Grad(x, x)).find("grad: needs a real scalar, got f64[2]: give Vjp a seed"), std::string::npos);
  EXPECT_NE(Message(ad::Grad(ReduceSum(x), y)).find("vjp: no output depends on wrt 0, f64[2]"), std::string::npos);
  EXPECT_NE(
      Message(ad::Grad(ReduceSum(Select(Gt(x, 0), y, y * 2)), x)).find("(it passes through gt: its result is bool)"),
      std::string::npos);
  const Var places = graph.Input(DType::kI64, {2});
  EXPECT_NE(Message(ad::Grad(ReduceSum(x * places), places))
                .find("no output depends on wrt 0, i64[2] (only floats and complex numbers have derivatives)"),
            std::string::npos);
  EXPECT_NE(Message(ad::Grad(ReduceSum(x), z)).find("wrt 0 belongs to another graph"), std::string::npos);
  EXPECT_NE(Message(ad::Grad(ReduceSum(x), Var())).find("wrt 0 is an empty Var"), std::string::npos);
  EXPECT_NE(Message(ad::Vjp({Sin(x)}, {x}, {ReduceSum(x)})[0]).find("seed 0 is f64[], output 0 is f64[2]"),
            std::string::npos);
  EXPECT_NE(Message(ad::Jvp(Sin(x), y, y)).find("jvp: no output depends on wrt 0"), std::string::npos);
  EXPECT_NE(Message(ad::Jvp(Sin(x), x, ReduceSum(x))).find("tangent 0 is f64[], wrt 0 is f64[2]"), std::string::npos);
  EXPECT_TRUE(ad::Grad(ReduceSum(x), x).ok());
  EXPECT_TRUE(ad::GradOptional(ReduceSum(x), {y})[0].empty());
  EXPECT_TRUE(ad::GradOptional(ReduceSum(x), {x})[0].ok());
}

TEST(Grad, SeedsAndTangentsBelongToTheGraph) {
  Graph graph, other;
  const Var x = graph.Input(DType::kF64, {2});
  const Var foreign = other.Input(DType::kF64, {2});
  const char kMessage[] = "operands belong to different graphs";
  EXPECT_NE(Message(ad::Vjp({x}, {x}, {foreign})[0]).find(kMessage), std::string::npos);
  EXPECT_NE(Message(ad::Jvp(x, x, foreign)).find(kMessage), std::string::npos);
  // Numbers become constants.
  const Var number = Immediate(CpuEngine::Serial(), *Tensor::FromColMajor<double>({2}, {5, 7}));
  EXPECT_EQ(Evaluate(ad::Vjp({x}, {x}, {number})[0], x, {1, 2}), (std::vector<double>{5, 7}));
  EXPECT_EQ(Evaluate(ad::Jvp(x, x, number), x, {1, 2}), (std::vector<double>{5, 7}));
}

TEST(Grad, AnExtremumOverNothingDoesNotMove) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2, 0});
  EXPECT_EQ(Evaluate(ad::Jvp(ReduceMax(x, {1}), x, x), x, {}), (std::vector<double>{0, 0}));
  EXPECT_EQ(Evaluate(ad::Grad(ReduceSum(ReduceMin(x, {1})), x), x, {}), (std::vector<double>{}));
}

TEST(Grad, AnEarlierErrorComesBack) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2});
  const Var bad = Reshape(x, {3});
  EXPECT_EQ(Message(ad::Grad(ReduceSum(bad), x)), Message(bad));
}

TEST(Grad, IsLinearInTheGraph) {
  // Nodes that the gradient adds, which neither time nor machine change.
  const auto added = [](int layers) {
    Graph graph;
    const Var x = graph.Input(DType::kF64, {});
    Var y = x;
    for (int i = 0; i < layers; ++i) y = Sin(y) * y + y;
    const size_t before = graph.num_nodes();
    EXPECT_TRUE(ad::Grad(y, x).ok());
    return graph.num_nodes() - before;
  };
  const size_t ten = added(10), twenty = added(20), forty = added(40);
  EXPECT_EQ(forty - twenty, 2 * (twenty - ten));
}

TEST(Grad, AnOperandThatStandsManyTimesIsSummedOnce) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2});
  const Var y = Concatenate(std::vector<Var>(60, x), 0);
  const size_t before = graph.num_nodes();
  const Var g = ad::Grad(ReduceSum(y * y), x);
  EXPECT_LT(graph.num_nodes() - before, 150u);  // 60 slices, 59 sums and the rest
  EXPECT_EQ(Evaluate(g, x, {1, 2}), (std::vector<double>{120, 240}));
}

TEST(Grad, FanOutIsFollowedOnce) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {});
  Var y = x;
  for (int i = 0; i < 60; ++i) y = y * y;
  EXPECT_TRUE(ad::Grad(y, x).ok());
  EXPECT_LT(graph.num_nodes(), 600u);
}

TEST(Grad, OfAVeryLongChainKeepsTheStack) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {});
  Var y = x;
  for (int i = 0; i < 100000; ++i) y = Sin(y);
  const Var g = ad::Grad(y, x);
  ASSERT_TRUE(g.ok()) << g.status();
  const absl::StatusOr<Program> program = Compile({g}, {x});
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_LT(program->nodes().num_nodes(), 400000u);
}

TEST(Grad, DoesNotKeepTheGraphAlive) {
  std::weak_ptr<Context> graph_lives;
  {
    Graph graph;
    const Var x = graph.Input(DType::kF64, {3});
    EXPECT_TRUE(ad::Grad(ReduceSum(Sin(x) * Exp(x) / Pow(x, 3)), x).ok());
    EXPECT_TRUE(ad::Hvp(ReduceProd(Tanh(x)), x, x).ok());
    graph_lives = x.context();
  }
  EXPECT_TRUE(graph_lives.expired());
}

TEST(Grad, IsBitwiseTheFormula) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {1000});
  const Var g = ad::Grad(ReduceSum(Sin(x) * (x * x)), x);
  const Var formula = Sin(x) * (x * 2) + x * x * Cos(x);
  std::vector<double> points;
  for (int i = 0; i < 1000; ++i) points.push_back(-2.0 + 4.0 * i / 999);
  EXPECT_EQ(Evaluate(g, x, points), Evaluate(formula, x, points));
}

TEST(Grad, ValueAndGradSharesTheForward) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const ad::LossAndGradients both =
      ad::ValueAndGrad([](absl::Span<const Var> in) { return ReduceSum(Exp(in[0])); }, {x});
  const Program program = *Compile({both.loss, both.gradients[0]}, {x});
  int exps = 0;
  for (const Node& node : program.nodes().nodes()) exps += node.op == &kExp;
  EXPECT_EQ(exps, 1);
}

}  // namespace
}  // namespace tenferro
