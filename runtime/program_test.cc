#include "tenferro/runtime/program.h"

#include "gtest/gtest.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

int CountOf(const Program& program, const OpDef& op) {
  int count = 0;
  for (const Node& node : program.nodes().nodes()) count += node.op == &op;
  return count;
}

TEST(Compile, DropsDeadCode) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2});
  const Var dead = Cos(x);
  ASSERT_TRUE(dead.ok());
  const Program program = *Compile({Sin(x)}, {x});
  EXPECT_EQ(CountOf(program, kCos), 0);
  EXPECT_EQ(program.nodes().num_nodes(), 2u);
  EXPECT_EQ(program.statistics().nodes_visited, 1);  // arguments are not visited
}

TEST(Compile, MergesCommonSubexpressionsButNotInputs) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2});
  const Var y = graph.Input(DType::kF64, {2});
  const Program program = *Compile({Sin(x) * Sin(x) + Sin(y)}, {x, y});
  EXPECT_EQ(CountOf(program, kSin), 2);
  EXPECT_EQ(program.statistics().nodes_merged, 1);
}

TEST(Compile, MergesEqualSmallConstantsAndSharedLargeOnes) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2});
  const std::vector<double> numbers = {1, 2};
  const Var a = graph.Constant(*Tensor::FromColMajor<double>({2}, numbers));
  const Var b = graph.Constant(*Tensor::FromColMajor<double>({2}, numbers));
  const Tensor large = *Tensor::Zeros(DType::kF64, {2, 50});
  const Var c = graph.Constant(large);
  const Var d = graph.Constant(large);
  const Var e = graph.Constant(*Tensor::Zeros(DType::kF64, {2, 50}));
  const Var sum = ReduceSum(c) + ReduceSum(d) + ReduceSum(e);
  const Program program = *Compile({x + a, x * b, sum}, {x});
  EXPECT_EQ(CountOf(program, kConstant), 3);
}

TEST(Compile, OnlyExactRewrites) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2, 3});
  const Program program = *Compile(
      {x + 0.0, x * 0.0, x - x, x * 1.0, Neg(Neg(x)), Transpose(Transpose(x)), Reshape(Reshape(x, {6}), {2, 3})}, {x});
  EXPECT_EQ(CountOf(program, kAdd), 1);  // −0 + 0 is not −0
  EXPECT_EQ(CountOf(program, kSub), 1);
  EXPECT_EQ(CountOf(program, kMul), 1);  // x·0, which may be NaN; x·1 is x
  EXPECT_EQ(CountOf(program, kNeg), 0);
  EXPECT_EQ(CountOf(program, kTranspose), 0);
  EXPECT_EQ(CountOf(program, kReshape), 0);
  for (int i = 3; i < 7; ++i) EXPECT_EQ(program.outputs()[i], program.inputs()[0]) << i;
}

TEST(Compile, MovesOfOneNumberStayOneNumber) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2, 3});
  const Var ones = Slice(Transpose(OnesLike(x)), {0, 0}, {2, 2});
  const Program program = *Compile({ones + Slice(x, {0, 0}, {2, 2})}, {x});
  EXPECT_EQ(CountOf(program, kTranspose), 0);
  EXPECT_EQ(CountOf(program, kFull), 1);
}

TEST(Compile, Mistakes) {
  Graph graph, other;
  const Var x = graph.Input(DType::kF64, {2});
  const Var y = other.Input(DType::kF64, {2});
  const Var s = Sin(x);
  const auto message = [](const absl::StatusOr<Program>& program) { return std::string(program.status().message()); };
  EXPECT_EQ(message(Compile({}, {x})), "compile: no output is asked for");
  EXPECT_EQ(message(Compile({s}, {x, x})), "compile: input 1 stands twice");
  EXPECT_EQ(message(Compile({s}, {s})), "compile: input 0 is no input of the graph but the result of an operation");
  EXPECT_EQ(message(Compile({s}, {y})), "compile: input 0 belongs to another graph");
  EXPECT_EQ(message(Compile({s, y}, {x})), "compile: output 1 belongs to another graph");
  EXPECT_EQ(message(Compile({Var()}, {x})), "compile: output 0 is an empty Var");
  EXPECT_NE(message(Compile({s}, {})).find("the outputs need the input f64[2] made at program_test.cc:"),
            std::string::npos);
}

TEST(Program, PrintsItsOperations) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2, 3});
  const Program program = *Compile({ReduceSum(Transpose(x) * 2, {0})}, {x});
  const std::string text = program.ToString();
  EXPECT_NE(text.find("%0: f64[2,3] = input  (program_test.cc:"), std::string::npos) << text;
  EXPECT_NE(text.find("= transpose %0 {permutation=[1,0]}  (program_test.cc:"), std::string::npos) << text;
  EXPECT_NE(text.find("= full {value=2}"), std::string::npos) << text;
  EXPECT_NE(text.find("f64[2] = reduce_sum %"), std::string::npos) << text;
  EXPECT_NE(text.find("return %"), std::string::npos) << text;
  const std::string dot = program.ToDot();
  EXPECT_EQ(dot.substr(0, 15), "digraph program");
  EXPECT_NE(dot.find("label=\"transpose\\nf64[3,2]\\npermutation=[1,0]\""), std::string::npos) << dot;
  EXPECT_NE(dot.find("n0 -> n"), std::string::npos) << dot;
}

TEST(Compile, VisitsEachNodeOnceHoweverOftenItIsUsed) {
  Graph graph;
  Var x = graph.Input(DType::kF64, {});
  const Var input = x;
  for (int i = 0; i < 60; ++i) x = x * x;
  const Program program = *Compile({x}, {input});
  EXPECT_EQ(program.statistics().nodes_visited, 60);
}

}  // namespace
}  // namespace tenferro
