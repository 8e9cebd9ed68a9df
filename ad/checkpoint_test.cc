#include "tenferro/ad/checkpoint.h"

#include "gtest/gtest.h"
#include "tenferro/ad/check_grads.h"
#include "tenferro/ad/grad.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/ops/call.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"

namespace tenferro {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

constexpr int64_t kSize = 64;

Out Layer(In in) {
  Var h = in[0];
  for (int i = 0; i < 4; ++i) h = ad::CheckpointName(Matmul(in[1], Tanh(h)), i == 1 ? "middle" : "other");
  return {h};
}

enum class Memory { kAll, kArguments, kMiddle, kProducts };

// Gradient of a chain of layers, with what each layer keeps.
struct Chain {
  explicit Chain(Memory memory, int layers = 8) {
    x = graph.Input(DType::kF64, {kSize, kSize});
    w = graph.Input(DType::kF64, {kSize, kSize});
    Var h = x;
    for (int i = 0; i < layers; ++i) {
      switch (memory) {
        case Memory::kAll: h = Layer({h, w})[0]; break;
        case Memory::kArguments: h = ad::Checkpoint({h, w}, Layer)[0]; break;
        case Memory::kMiddle: h = ad::Checkpoint({h, w}, Layer, {.save_names = {"middle"}})[0]; break;
        case Memory::kProducts: h = ad::Checkpoint({h, w}, Layer, {.save_ops = {&kDotGeneral}})[0]; break;
      }
    }
    loss = ReduceSum(h * h);
  }
  Graph graph;
  Var x, w, loss;
};

int64_t CountOf(const Program& program, const OpDef& op) {
  int64_t count = 0;
  for (const Node& node : program.nodes().nodes()) count += node.op == &op;
  return count;
}

std::vector<Tensor> Inputs() {
  std::vector<double> x, w;
  for (int64_t i = 0; i < kSize * kSize; ++i) {
    x.push_back(static_cast<double>((i * 37) % 101) / 50 - 1);
    w.push_back((static_cast<double>((i * 53) % 97) / 48 - 1) / 5);
  }
  return {*Tensor::FromColMajor<double>({kSize, kSize}, x), *Tensor::FromColMajor<double>({kSize, kSize}, w)};
}

// The largest difference, relative to the largest element.
double Difference(const Tensor& got, const Tensor& want) {
  const absl::Span<const double> a = *got.Data<double>(), b = *want.Data<double>();
  double largest = 0, difference = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(b[i]));
    difference = std::max(difference, std::abs(a[i] - b[i]));
  }
  EXPECT_GT(largest, 0);
  return difference / largest;
}

TEST(Checkpoint, TradesProductsForMemoryAndKeepsTheBits) {
  int64_t bytes[4], products[4];
  std::vector<Tensor> gradients[4];
  for (Memory memory : {Memory::kAll, Memory::kArguments, Memory::kMiddle, Memory::kProducts}) {
    const int i = static_cast<int>(memory);
    const Chain chain(memory);
    const std::vector<Var> g = ad::Grad(chain.loss, {chain.x, chain.w});
    ASSERT_TRUE(g[0].ok()) << g[0].status();
    const Program program = *Compile({chain.loss, g[0], g[1]}, {chain.x, chain.w});
    const Prepared prepared = *CpuEngine::Serial().Prepare(program);
    bytes[i] = prepared.arena_bytes();
    products[i] = CountOf(program, kDotGeneral);
    gradients[i] = *prepared.Run(Inputs());
  }
  constexpr int kAll = 0, kArguments = 1, kMiddle = 2, kProducts = 3;
  // 32 products forwards, two for each backwards; of a layer's four products the last is not needed again.
  EXPECT_EQ(products[kAll], 96);
  EXPECT_EQ(products[kArguments], 96 + 8 * 3);
  EXPECT_EQ(products[kMiddle], 96 + 8 * 2);
  EXPECT_EQ(products[kProducts], 96);
  constexpr int64_t kMatrix = kSize * kSize * 8;
  // All: a value for each of the 32 products is alive when the backward pass begins. Arguments: one for each layer, and
  // one layer's.
  EXPECT_GE(bytes[kAll], 32 * kMatrix);
  EXPECT_LE(bytes[kArguments], (8 + 10) * kMatrix);
  // A saved value costs its own bytes and not those of what follows from it alone, here its Tanh.
  EXPECT_LE(bytes[kMiddle], bytes[kArguments] + 8 * kMatrix);
  EXPECT_LE(bytes[kProducts], (32 + 10) * kMatrix);
  for (int i : {kArguments, kMiddle, kProducts}) {
    // The loss and the gradient of x have the same bits; that of w is a sum over all products, in another order.
    for (size_t k = 0; k < 2; ++k) EXPECT_EQ(Difference(gradients[i][k], gradients[kAll][k]), 0) << i << " " << k;
    EXPECT_LE(Difference(gradients[i][2], gradients[kAll][2]), 1e-14) << i;
  }
}

TEST(Checkpoint, AgreesWithDifferencesToSecondOrder) {
  const TracedFunction function = [](In x) -> Out {
    const Var outer = x[1] * 2;
    const Out y = ad::Checkpoint(
        {x[0]},
        [&](In in) -> Out {
          // A captured value, a call inside, a checkpoint inside, an unused result.
          const Var a = Call({in[0]}, [](In c) -> Out { return {Sin(c[0])}; })[0];
          const Var b = ad::Checkpoint({a}, [](In c) -> Out { return {Exp(ad::CheckpointName(Cos(c[0]), "cos"))}; })[0];
          return {b * outer, ad::CheckpointName(a * a, "square"), in[0]};
        },
        {.save_names = {"square"}});
    return {y[0] * y[1]};
  };
  const Tensor a = *Tensor::FromColMajor<double>({3}, {0.3, -0.7, 1.1});
  const Tensor b = *Tensor::FromColMajor<double>({3}, {0.9, 0.4, -1.3});
  const absl::Status status = ad::CheckGrads(CpuEngine::Serial(), function, {a, b}, {.order = 2});
  EXPECT_TRUE(status.ok()) << status;
}

// A saved value stands in the first derivative itself, so the second one goes through it.
TEST(Checkpoint, DerivativesOfHigherOrderPassThroughSavedValues) {
  const TracedFunction function = [](In in) -> Out {
    const Var a = ad::CheckpointName(Sin(in[0]), "a");
    return {a * a * in[0], ad::CheckpointName(Exp(a), "b")};
  };
  const Tensor numbers = *Tensor::FromColMajor<double>({3}, {0.3, -0.7, 1.1});
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  // The second and the third derivative, each found in both ways.
  const auto derivatives = [&](const Out& y) -> Out {
    const Var first = ad::Grad(ReduceSum(y[0] * y[1]), x);
    const Var second = ad::Grad(ReduceSum(first), x);
    return {first, second, ad::Jvp(first, x, OnesLike(x)), ad::Grad(ReduceSum(second), x),
            ad::Jvp(ad::Jvp(first, x, OnesLike(x)), x, OnesLike(x))};
  };
  const Out plain = derivatives(function({x}));
  std::vector<ad::CheckpointPolicy> policies(5);
  policies[1].save_names = {"nothing"};
  policies[2].save_names = {"a"};
  policies[3].save_names = {"a", "b"};
  policies[4].save_ops = {&ad::kCheckpointName};
  for (const ad::CheckpointPolicy& policy : policies) {
    Out outputs = derivatives(ad::Checkpoint({x}, function, policy));
    outputs.insert(outputs.end(), plain.begin(), plain.end());
    const absl::StatusOr<Program> program = Compile(outputs, {x});
    ASSERT_TRUE(program.ok()) << program.status();
    const std::vector<Tensor> results = *(*CpuEngine::Serial().Prepare(*program)).Run({numbers});
    for (size_t i = 0; i < plain.size(); ++i) EXPECT_LE(Difference(results[i], results[plain.size() + i]), 1e-12) << i;
    const absl::Status status = ad::CheckGrads(
        CpuEngine::Serial(), [&](In in) { return ad::Checkpoint(in, function, policy); }, {numbers}, {.order = 2});
    EXPECT_TRUE(status.ok()) << status;
  }
}

TEST(Checkpoint, OfAForwardDerivative) {
  const Chain chain(Memory::kArguments, 2);
  const Var tangent = ad::Jvp(chain.loss, chain.x, Cos(chain.x));
  const Chain plain(Memory::kAll, 2);
  const Var plain_tangent = ad::Jvp(plain.loss, plain.x, Cos(plain.x));
  const Tensor got = (*(*CpuEngine::Serial().Prepare(*Compile({ad::Grad(tangent, chain.x)}, {chain.x, chain.w})))
                           .Run(Inputs()))[0];
  const Tensor want =
      (*(*CpuEngine::Serial().Prepare(*Compile({ad::Grad(plain_tangent, plain.x)}, {plain.x, plain.w})))
            .Run(Inputs()))[0];
  EXPECT_LE(Difference(got, want), 1e-12);
}

TEST(Checkpoint, CostOfALongChainIsLinear) {
  const auto nodes = [](int layers) {
    Graph graph;
    const Var x = graph.Input(DType::kF64, {3});
    Var h = x;
    for (int i = 0; i < layers; ++i) h = ad::Checkpoint({h}, [](In in) -> Out { return {Sin(in[0]) * in[0]}; })[0];
    const absl::StatusOr<Program> program = Compile({ad::Grad(ReduceSum(h), x)}, {x});
    EXPECT_TRUE(program.ok()) << program.status();
    return program->statistics().nodes_visited;
  };
  const int64_t some = nodes(100), many = nodes(1000);
  EXPECT_LE(many, 10 * some + 100);
}

TEST(Checkpoint, Mistakes) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const Var y = ad::Checkpoint({x}, [](In in) -> Out { return {Matmul(in[0], in[0])}; })[0];
  EXPECT_NE(std::string(y.status().message()).find("checkpoint_test.cc:"), std::string::npos);
  EXPECT_NE(std::string(ad::Checkpoint({}, [](In) -> Out { return {}; })[0].status().message())
                .find("checkpoint: needs at least one argument"),
            std::string::npos);
  const Var number = Immediate(CpuEngine::Serial(), *Tensor::FromColMajor<double>({2}, {2, 3}));
  EXPECT_EQ(ad::Checkpoint({number}, [](In in) -> Out { return {ad::CheckpointName(in[0] * 2, "a")}; })[0]
                .ToTensor()
                ->ToString(),
            "[4. 6.]");
}

}  // namespace
}  // namespace tenferro
