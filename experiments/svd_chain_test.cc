#include "tenferro/experiments/svd_chain.h"

#include "gtest/gtest.h"
#include "tenferro/ad/grad.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/program.h"

namespace tenferro {
namespace {

struct Counts {
  int64_t value_nodes, gradient_nodes, visited;
};

Counts CountsFor(int64_t layers) {
  Graph graph;
  const Var y = graph.Input(DType::kF64, {3, 3});
  const Var loss = SvdChain(y, layers);
  const int64_t value_nodes = graph.num_nodes();
  const Var gradient = ad::Grad(loss, y);
  EXPECT_TRUE(gradient.ok()) << gradient.status();
  const absl::StatusOr<Program> program = Compile({gradient}, {y});
  EXPECT_TRUE(program.ok()) << program.status();
  return {value_nodes, static_cast<int64_t>(graph.num_nodes()) - value_nodes, program->statistics().nodes_visited};
}

// Nodes made and nodes visited, which neither time nor machine change: each layer costs the same.
TEST(SvdChain, DerivativeAndCompilationAreLinearInTheDepth) {
  const Counts ten = CountsFor(10), twenty = CountsFor(20), two_hundred = CountsFor(200);
  EXPECT_EQ(two_hundred.value_nodes - twenty.value_nodes, 18 * (twenty.value_nodes - ten.value_nodes));
  EXPECT_EQ(two_hundred.gradient_nodes - twenty.gradient_nodes, 18 * (twenty.gradient_nodes - ten.gradient_nodes));
  EXPECT_EQ(two_hundred.visited - twenty.visited, 18 * (twenty.visited - ten.visited));
  EXPECT_LT(twenty.gradient_nodes - ten.gradient_nodes, 1000);
}

}  // namespace
}  // namespace tenferro
