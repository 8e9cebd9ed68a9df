#include "tenferro/ad/linearize.h"

#include "gtest/gtest.h"
#include "tenferro/ad/checkpoint.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/ad/vjp.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"

namespace tenferro {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

std::string Computed(In outputs, const Var& input) {
  const absl::StatusOr<Program> program = Compile(outputs, {input});
  if (!program.ok()) return std::string(program.status().message());
  const std::vector<Tensor> results = *(*CpuEngine::Serial().Prepare(*program))
                                           .Run({*Tensor::FromColMajor<double>({3}, {0.5, -1, 2})});
  std::string text;
  for (const Tensor& result : results) text += result.ToString() + "\n";
  return text;
}

TEST(Linearize, IsJvpAndVjpApplied) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const Var y = Sin(x) * x, z = ReduceSum(x * x);
  const ad::LinearMap map = ad::Linearize({y, z}, {x});
  ASSERT_TRUE(map.status().ok()) << map.status();
  for (const Var& tangent : {OnesLike(x), Cos(x)}) {
    EXPECT_EQ(Computed(map.Jvp({tangent}), x), Computed(ad::Jvp({y, z}, {x}, {tangent}), x));
  }
  const Var ct = Exp(x), scalar = FullLike(z, 2);
  EXPECT_EQ(Computed(map.Vjp({ct, scalar}), x), Computed(ad::Vjp({y, z}, {x}, {ct, scalar}), x));
}

TEST(Linearize, ThroughACheckpoint) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const Var y = ad::Checkpoint({x}, [](In in) -> Out { return {Sin(in[0]) * in[0]}; })[0];
  const Var plain = Sin(x) * x;
  EXPECT_EQ(Computed(ad::Linearize({y}, {x}).Jvp({Cos(x)}), x), Computed({ad::Jvp(plain, x, Cos(x))}, x));
  EXPECT_EQ(Computed(ad::Linearize({y}, {x}).Vjp({Cos(x)}), x), Computed(ad::Vjp({plain}, {x}, {Cos(x)}), x));
}

TEST(Linearize, FindsTheDerivativeOnce) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  Var y = x;
  for (int i = 0; i < 100; ++i) y = Sin(y);
  const ad::LinearMap map = ad::Linearize({y}, {x});
  const size_t before = graph.num_nodes();
  map.Jvp({x});
  // One product an operation; the cosines are there.
  EXPECT_EQ(graph.num_nodes() - before, 100);
}

TEST(Linearize, Mistakes) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const Var other = graph.Input(DType::kF64, {3});
  const auto message = [](const Var& var) { return std::string(var.status().message()); };
  const ad::LinearMap map = ad::Linearize({Sin(x)}, {x});
  EXPECT_NE(message(map.Jvp({ReduceSum(x)})[0]).find("linearize: tangent 0 is f64[], its value f64[3]"),
            std::string::npos);
  EXPECT_NE(message(map.Vjp({x, x})[0]).find("linearize: 2 cotangents for 1"), std::string::npos);
  EXPECT_NE(message(map.Vjp({Var()})[0]).find("linearize: cotangent 0 is an empty Var"), std::string::npos);
  EXPECT_NE(message(ad::Linearize({Sin(x)}, {other}).Jvp({x})[0]).find("jvp: no output depends on wrt 0"),
            std::string::npos);
  Graph elsewhere;
  const Var foreign = elsewhere.Input(DType::kF64, {3});
  const auto here = [](int line) {
    return "linearize_test.cc:" + std::to_string(line) + ": mul: operands belong to different graphs";
  };
  EXPECT_EQ(message(map.Jvp({foreign})[0]), here(__LINE__));
  EXPECT_EQ(message(map.Vjp({foreign})[0]), here(__LINE__));
}

TEST(Linearize, OfNoOutput) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const ad::LinearMap map = ad::Linearize({}, {x});
  EXPECT_TRUE(map.Jvp({x}).empty());
  EXPECT_EQ(Computed(map.Vjp({}), x), "[0. 0. 0.]\n");
  EXPECT_TRUE(ad::LinearMap().Jvp({}).empty());
  EXPECT_TRUE(ad::LinearMap().Vjp({}).empty());
}

}  // namespace
}  // namespace tenferro
