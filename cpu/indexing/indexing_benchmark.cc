// Gathers, scatters, sorts and cumulative sums of f64, with random indices and numbers, as one operation of a prepared
// program.
#include <random>

#include "benchmark/benchmark.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/cumulative.h"
#include "tenferro/runtime/ops/indexing.h"
#include "tenferro/runtime/ops/sort.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

Tensor RandomNumbers(const Shape& shape) {
  std::mt19937_64 bits(1);
  std::normal_distribution<double> normal;
  std::vector<double> numbers;
  for (int64_t i = 0; i < shape.size(); ++i) numbers.push_back(normal(bits));
  return *Tensor::FromColMajor<double>(shape, numbers);
}

Tensor RandomIndices(int64_t count, int64_t below) {
  std::mt19937_64 bits(2);
  std::vector<int64_t> indices;
  for (int64_t i = 0; i < count; ++i) indices.push_back(static_cast<int64_t>(bits() % static_cast<uint64_t>(below)));
  return *Tensor::FromColMajor<int64_t>({count}, indices);
}

// The engine's width is the last argument of every benchmark.
void Run(benchmark::State& state, int64_t width, const std::vector<Tensor>& arguments, const TracedFunction& function) {
  const CpuEngine engine = CpuEngine::WithThreads(static_cast<int>(width));
  Graph graph;
  std::vector<Var> inputs;
  for (const Tensor& argument : arguments) inputs.push_back(graph.Input(argument.dtype(), argument.shape()));
  const Prepared prepared = *engine.Prepare(*Compile(function(inputs), inputs));
  std::vector<Tensor> results = *prepared.Run(arguments);
  for (auto _ : state) benchmark::DoNotOptimize(prepared.RunInto(arguments, absl::MakeSpan(results)));
}

ScatterAttributes Elements() {
  return {.update_window_dims = {},
          .inserted_window_dims = {0},
          .input_batching_dims = {},
          .scatter_indices_batching_dims = {},
          .scatter_dims_to_operand_dims = {0},
          .index_vector_dim = 1};
}

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

// Arguments: elements of x, indices.
void GatherElements(benchmark::State& state) {
  Run(state, state.range(2), {RandomNumbers({state.range(0)}), RandomIndices(state.range(1), state.range(0))},
      [](In x) -> Out { return {TakeAlongAxis(x[0], x[1], 0, IndexMode::kClamp)}; });
}
BENCHMARK(GatherElements)->Args({100000, 100000, 1})->Args({1000000, 100000, 1})->Args({1000000, 100000, 2});

void ScatterAddElements(benchmark::State& state) {
  Run(state, state.range(2),
      {RandomNumbers({state.range(0)}), RandomIndices(state.range(1), state.range(0)), RandomNumbers({state.range(1)})},
      [](In x) -> Out { return {Scatter(x[0], x[1], x[2], ScatterKind::kAdd, Elements())}; });
}
BENCHMARK(ScatterAddElements)->Args({100000, 100000, 1})->Args({1000000, 100000, 1});

// Columns of a matrix, which lie in one piece, and rows, which do not.
void GatherColumns(benchmark::State& state) {
  Run(state, state.range(0), {RandomNumbers({100, 10000}), RandomIndices(10000, 10000)},
      [](In x) -> Out { return {IndexSelect(x[0], x[1], 1)}; });
}
BENCHMARK(GatherColumns)->Arg(1)->Arg(2);

void GatherRows(benchmark::State& state) {
  Run(state, state.range(0), {RandomNumbers({10000, 100}), RandomIndices(10000, 10000)},
      [](In x) -> Out { return {IndexSelect(x[0], x[1], 0)}; });
}
BENCHMARK(GatherRows)->Arg(1)->Arg(2);

// Argument: elements of the only line.
void SortLine(benchmark::State& state) {
  Run(state, state.range(1), {RandomNumbers({state.range(0)})}, [](In x) -> Out { return {Sort(x[0], 0)}; });
}
BENCHMARK(SortLine)->Args({1000, 1})->Args({1000000, 1})->Args({1000000, 2});

void ArgSortLine(benchmark::State& state) {
  Run(state, state.range(1), {RandomNumbers({state.range(0)})}, [](In x) -> Out { return {ArgSort(x[0], 0)}; });
}
BENCHMARK(ArgSortLine)->Args({1000, 1})->Args({1000000, 1});

void SortColumns(benchmark::State& state) {
  Run(state, state.range(0), {RandomNumbers({1000, 1000})}, [](In x) -> Out { return {Sort(x[0], 0)}; });
}
BENCHMARK(SortColumns)->Arg(1)->Arg(2);

void SortRows(benchmark::State& state) {
  Run(state, state.range(0), {RandomNumbers({1000, 1000})}, [](In x) -> Out { return {Sort(x[0], 1)}; });
}
BENCHMARK(SortRows)->Arg(1)->Arg(2);

void TopHundred(benchmark::State& state) {
  Run(state, 1, {RandomNumbers({1000000})}, [](In x) -> Out { return {TopK(x[0], 100, 0).values}; });
}
BENCHMARK(TopHundred);

void ArgMaxLine(benchmark::State& state) {
  Run(state, 1, {RandomNumbers({1000000})}, [](In x) -> Out { return {ArgMax(x[0], 0)}; });
}
BENCHMARK(ArgMaxLine);

// Argument: the axis of a matrix of 1000 × 1000.
void CumulativeSum(benchmark::State& state) {
  Run(state, state.range(1), {RandomNumbers({1000, 1000})},
      [axis = static_cast<int>(state.range(0))](In x) -> Out { return {CumSum(x[0], axis)}; });
}
BENCHMARK(CumulativeSum)->Args({0, 1})->Args({1, 1})->Args({0, 2})->Args({1, 2});

void CumulativeSumLine(benchmark::State& state) {
  Run(state, 1, {RandomNumbers({1000000})}, [](In x) -> Out { return {CumSum(x[0], 0)}; });
}
BENCHMARK(CumulativeSumLine);

}  // namespace
}  // namespace tenferro
