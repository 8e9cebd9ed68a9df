#include "tenferro/runtime/graph.h"

#include <limits>
#include <thread>

#include "gtest/gtest.h"
#include "tenferro/runtime/ops/call.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/runtime/program.h"

namespace tenferro {
namespace {

std::string Message(const Var& var) { return std::string(var.status().message()); }

// The message of an error made in the line where this stands.
std::string Here(const char* rest, Location location = Location::current()) {
  return "graph_test.cc:" + std::to_string(location.line()) + ": " + rest;
}

TEST(Graph, ShapesAndDTypesAreKnownWhileBuilding) {
  Graph graph;
  const Var a = graph.Input(DType::kF32, {2, 3});
  const Var b = graph.Input(DType::kF64, {3});
  const Var sum = a + b;
  ASSERT_TRUE(sum.ok()) << sum.status();
  EXPECT_EQ(sum.type().ToString(), "f64[2,3]");
  EXPECT_EQ(sum.dim(1), 3);
  EXPECT_EQ(sum.dim(2), 0);
  EXPECT_EQ(sum.dim(-1), 0);
}

TEST(Graph, ScalarsTakeTheTensorsDType) {
  Graph graph;
  const Var x = graph.Input(DType::kF32, {4});
  EXPECT_EQ((x * 2).dtype(), DType::kF32);
  EXPECT_EQ((2.5 * x).dtype(), DType::kF32);
  const Var i = graph.Input(DType::kU8, {4});
  constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ((i + 255).dtype(), DType::kU8);
  EXPECT_EQ(Message(i + 256), Here("add: 256 is out of range for u8"));
  EXPECT_EQ(Message(i + -1), Here("add: -1 is out of range for u8"));
  EXPECT_EQ(Message(i * 0.5), Here("mul: a float is no u8: convert the tensor"));
  EXPECT_EQ(Message(x * std::complex<double>(0, 1)), Here("mul: a complex number is no f32: convert the tensor"));
  EXPECT_EQ(Message(x + 1e300), Here("add: 1e+300 is out of range for f32"));
  EXPECT_EQ(Message(i + kNotANumber), Here("add: a float is no u8: convert the tensor"));
  const Var b = graph.Input(DType::kBool, {4});
  EXPECT_EQ(Message(And(b, 1)), Here("and: an integer is no bool: convert the tensor"));
  const Var z = graph.Input(DType::kC64, {4});
  EXPECT_EQ(Message(z * 1e300), Here("mul: 1e+300 is out of range for c64"));
  EXPECT_EQ(Message(z * std::complex<double>(0, -1e300)), Here("mul: -1e+300 is out of range for c64"));
  EXPECT_TRUE((z * std::complex<double>(0, std::numeric_limits<double>::infinity())).ok());
}

TEST(Graph, ErrorsNameTheUsersLine) {
  Graph graph;
  const Var a = graph.Input(DType::kF64, {2, 3});
  const Var b = graph.Input(DType::kF64, {4, 5});
  EXPECT_EQ(Message(Matmul(a, b)), Here("matmul: contracting dimensions differ, got lhs f64[2,3] and rhs f64[4,5]"));
  EXPECT_EQ(Message(Sin(2.0)), Here("sin: a number alone has no dtype and no graph: make it a constant of a graph"));
  EXPECT_EQ(Message(ReduceSum(a, {2})), Here("reduce_sum: axis 2 does not exist in rank 2"));
  EXPECT_EQ(Message(ReduceSum(a, {1, 1})), Here("reduce_sum: axis 1 stands twice"));
  EXPECT_EQ(Message(And(a, a)), Here("and: does not take f64"));
  EXPECT_EQ(Message(Reshape(a, {4})), Here("reshape: f64[2,3] has 6 elements, shape [4] has 4"));
  EXPECT_EQ(Message(Convert(a, DType::kI32)), Here("convert: not every f64 is a i32: use Cast"));
  EXPECT_EQ(Message(graph.Input(DType::kU64, {1}) + graph.Input(DType::kI32, {1})).substr(0, 14), "graph_test.cc:");
}

TEST(Graph, TheFirstErrorGoesOn) {
  Graph graph;
  const Var a = graph.Input(DType::kF64, {2});
  const Var bad = Reshape(a, {3});
  const Var later = ReduceSum(Sin(bad) * bad);
  EXPECT_EQ(Message(later), Message(bad));
  EXPECT_EQ(later.rank(), 0);
  EXPECT_EQ(later.dim(0), 0);
  EXPECT_EQ(Compile({later}, {a}).status().message(), Message(bad));
}

TEST(Graph, EmptyVarsAreErrors) {
  EXPECT_EQ(Message(Var() + Var()), Here("add: an operand is an empty Var"));
  EXPECT_FALSE(Var().ok());
  EXPECT_EQ(Message(Matmul(Var(), Var())), Here("matmul: an operand is an empty Var"));
  EXPECT_EQ(Message(BroadcastTo(Var(), {2})), Here("broadcast_to: an operand is an empty Var"));
  EXPECT_EQ(Message(Pad(Var(), 0, {0}, {0})), Here("pad: an operand is an empty Var"));
  EXPECT_EQ(Message(Reshape(Var(), {})), Here("reshape: an operand is an empty Var"));
}

TEST(Graph, GraphsDoNotMix) {
  Graph first, second;
  const Var a = first.Input(DType::kF64, {2});
  const Var b = second.Input(DType::kF64, {2});
  EXPECT_EQ(Message(a * b), Here("mul: operands belong to different graphs"));
}

TEST(Graph, VarsKeepTheirGraphAlive) {
  Var x;
  {
    Graph graph;
    x = graph.Input(DType::kF64, {2});
  }
  EXPECT_TRUE(Sin(x).ok());
}

TEST(Graph, GraphsGrowOnSeveralThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::vector<size_t> nodes(4);
  for (size_t t = 0; t < nodes.size(); ++t) {
    threads.emplace_back([&nodes, t] {
      Graph graph;
      Var x = graph.Input(DType::kF64, {2});
      for (int i = 0; i < 1000; ++i) x = Sin(x);
      nodes[t] = graph.num_nodes();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t count : nodes) EXPECT_EQ(count, 1001u);
}

TEST(Call, CapturesOuterValues) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const Var scale = graph.Input(DType::kF64, {3});
  const std::vector<Var> out = Call({x}, [&](absl::Span<const Var> in) -> std::vector<Var> {
    return {in[0] * scale, Sin(in[0])};
  });
  ASSERT_EQ(out.size(), 2u);
  ASSERT_TRUE(out[0].ok()) << out[0].status();
  EXPECT_EQ(out[0].type().ToString(), "f64[3]");
  // Two inputs and the call: the body has its own graph.
  EXPECT_EQ(graph.num_nodes(), 3u);
  const Program program = *Compile({out[0]}, {x, scale});
  EXPECT_EQ(program.ToString().find("call"), std::string::npos);
  EXPECT_NE(program.ToString().find("mul"), std::string::npos);
}

TEST(Call, NestsAndCapturesThroughBothLevels) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const Var w = graph.Input(DType::kF64, {3});
  const Var y = Call({x}, [&](absl::Span<const Var> outer) -> std::vector<Var> {
    return Call({outer[0]}, [&](absl::Span<const Var> inner) -> std::vector<Var> { return {inner[0] * w + x}; });
  })[0];
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_TRUE(Compile({y}, {x, w}).ok());
  EXPECT_FALSE(Compile({y}, {x}).ok());
}

TEST(Call, RefusesAnotherGraphsValues) {
  Graph graph, other;
  const Var x = graph.Input(DType::kF64, {3});
  const Var foreign = other.Input(DType::kF64, {3});
  const Var y = Call({x}, [&](absl::Span<const Var> in) -> std::vector<Var> { return {in[0] * foreign}; })[0];
  EXPECT_NE(Message(y).find("operands belong to different graphs"), std::string::npos);
}

TEST(Call, RefusesWhatIsEmpty) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const auto identity = [](absl::Span<const Var> in) -> std::vector<Var> { return {in[0]}; };
  EXPECT_EQ(Message(Call({Var()}, identity)[0]), Here("call: an argument is an empty Var"));
  EXPECT_EQ(Message(Call({x}, nullptr)[0]), Here("call: the function is empty"));
  EXPECT_EQ(Message(Call({x}, [](absl::Span<const Var>) -> std::vector<Var> { return {Var()}; })[0]),
            Here("call: the function returned an empty Var"));
}

TEST(Call, AValueKeptFromAFailedBodyStandsAlone) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  Var kept;
  EXPECT_FALSE(Call({x},
                    [&](absl::Span<const Var> in) -> std::vector<Var> {
                      kept = in[0];
                      return {Var()};
                    })[0]
                   .ok());
  EXPECT_EQ(Message(x + kept), Here("add: operands belong to different graphs"));
  EXPECT_TRUE((kept * 2).ok());
}

TEST(Dim, IsAnOpaqueWordComparedByValue) {
  static_assert(sizeof(Dim) == 8);
  EXPECT_EQ(Dim(3), Dim(3));
  EXPECT_NE(Dim(3), Dim(4));
}

}  // namespace
}  // namespace tenferro
