// What transforms cost: nodes made, nodes visited and bytes allocated grow linearly with the graph, for a long chain of
// operations, a long chain of decompositions, and a graph with exponentially many paths.
#include <cstdlib>
#include <new>

#include "gtest/gtest.h"
#include "tenferro/ad/grad.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/ad/linearize.h"
#include "tenferro/experiments/svd_chain.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/program.h"
#include "tenferro/transforms/vmap.h"

namespace {
int64_t bytes_allocated = 0;
}  // namespace

void* operator new(size_t size) {
  bytes_allocated += static_cast<int64_t>(size);
  if (void* bytes = std::malloc(size)) return bytes;
  std::abort();
}
void operator delete(void* bytes) noexcept { std::free(bytes); }
void operator delete(void* bytes, size_t) noexcept { std::free(bytes); }

namespace tenferro {
namespace {

struct Cost {
  int64_t nodes, visited, bytes;
};

using Loss = Var (*)(const Var& x, int64_t size);
using Transform = Var (*)(const Var& loss, const Var& x);

Cost CostOf(Loss function, Transform transform, const Shape& shape, int64_t size) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, shape);
  const Var loss = function(x, size);
  const size_t nodes = graph.num_nodes();
  const int64_t before = bytes_allocated;
  const Var result = transform(loss, x);
  EXPECT_TRUE(result.ok()) << result.status();
  const int64_t made = static_cast<int64_t>(graph.num_nodes() - nodes);
  const absl::StatusOr<Program> program = Compile({result}, {x});
  EXPECT_TRUE(program.ok()) << program.status();
  return {made, program->statistics().nodes_visited, bytes_allocated - before};
}

// `large` is `times` as large a graph as `small`. The first and last operations differ from the others by a few nodes;
// the bytes of vectors that grow by doubling may be up to twice as many.
void ExpectLinear(const Cost& small, const Cost& large, int64_t times) {
  EXPECT_LE(large.nodes, times * small.nodes * 11 / 10);
  EXPECT_LE(large.visited, times * small.visited * 11 / 10);
  EXPECT_LE(large.bytes, 2 * times * small.bytes);
}

Var Gradient(const Var& loss, const Var& x) { return ad::Grad(loss, x); }
Var Tangent(const Var& loss, const Var& x) { return ad::Jvp(loss, x, OnesLike(x)); }
Var HessianProduct(const Var& loss, const Var& x) { return ad::Hvp(loss, x, OnesLike(x)); }
Var Linear(const Var& loss, const Var& x) { return ad::Linearize({loss}, {x}).Vjp({OnesLike(loss)})[0]; }

Var Chain(const Var& x, int64_t size) {
  Var y = x;
  for (int64_t i = 0; i < size; ++i) y = Sin(y);
  return ReduceSum(y);
}

Var FanOut(const Var& x, int64_t levels) {
  Var y = x;
  for (int64_t i = 0; i < levels; ++i) y = y * y;
  return ReduceSum(y);
}

TEST(TransformCost, OfAHundredThousandOperations) {
  for (Transform transform : {Gradient, Tangent, HessianProduct, Linear}) {
    ExpectLinear(CostOf(Chain, transform, {3}, 10000), CostOf(Chain, transform, {3}, 100000), 10);
  }
}

TEST(TransformCost, OfTenThousandDecompositions) {
  for (Transform transform : {Gradient, Tangent}) {
    ExpectLinear(CostOf(SvdChain, transform, {3, 3}, 1000), CostOf(SvdChain, transform, {3, 3}, 10000), 10);
  }
}

TEST(TransformCost, OfExponentiallyManyPaths) {
  for (Transform transform : {Gradient, Tangent, HessianProduct, Linear}) {
    const Cost some = CostOf(FanOut, transform, {3}, 6), many = CostOf(FanOut, transform, {3}, 60);
    ExpectLinear(some, many, 10);
    EXPECT_LT(many.nodes, 60 * 30);
  }
}

TEST(TransformCost, OfAMap) {
  const auto mapped = [](int64_t size) {
    Graph graph;
    const Var x = graph.Input(DType::kF64, {3, 2});
    const int64_t before = bytes_allocated;
    const Var y = Vmap([size](absl::Span<const Var> in) { return std::vector<Var>{Chain(in[0], size)}; }, {x})[0];
    EXPECT_TRUE(y.ok()) << y.status();
    return Cost{static_cast<int64_t>(graph.num_nodes()), 0, bytes_allocated - before};
  };
  ExpectLinear(mapped(10000), mapped(100000), 10);
}

}  // namespace
}  // namespace tenferro
