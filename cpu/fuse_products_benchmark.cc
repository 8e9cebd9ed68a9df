// relu(x·w + b) and its gradient.

#include <vector>

#include "benchmark/benchmark.h"
#include "tenferro/ad/grad.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/activations.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"

namespace tenferro {
namespace {

template <class T>
Tensor Numbers(const Shape& shape) {
  std::vector<T> numbers(shape.size());
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<T>(static_cast<int>(i * 7919 % 257) - 128) / 128;
  return *Tensor::FromColMajor<T>(shape, numbers);
}

// Arguments: rows, columns, terms, threads.
struct Layer {
  Graph graph;
  Var x, w, b, z;

  Layer(const benchmark::State& state, DType dtype)
      : x(graph.Input(dtype, {state.range(0), state.range(2)})),
        w(graph.Input(dtype, {state.range(2), state.range(1)})),
        b(graph.Input(dtype, {state.range(1)})),
        z(Relu(Matmul(x, w) + b)) {}
};

template <class T>
void Run(benchmark::State& state, const Layer& layer, absl::Span<const Var> outputs) {
  const CpuEngine engine = CpuEngine::WithThreads(static_cast<int>(state.range(3)));
  const Prepared prepared = *engine.Prepare(*Compile(outputs, {layer.x, layer.w, layer.b}));
  const std::vector<Tensor> arguments = {Numbers<T>(layer.x.shape()), Numbers<T>(layer.w.shape()),
                                         Numbers<T>(layer.b.shape())};
  std::vector<Tensor> results(outputs.size());
  for (auto _ : state) benchmark::DoNotOptimize(prepared.RunInto(arguments, absl::MakeSpan(results)).ok());
}

template <class T>
void BM_Layer(benchmark::State& state) {
  const Layer layer(state, kDTypeOf<T>);
  Run<T>(state, layer, {layer.z});
}

// Of the sum of squares, in w and b.
template <class T>
void BM_LayerGradient(benchmark::State& state) {
  const Layer layer(state, kDTypeOf<T>);
  Run<T>(state, layer, ad::Grad(ReduceSum(Square(layer.z)), {layer.w, layer.b}));
}

// The sum alone: nothing of the size of the product is stored.
template <class T>
void BM_LayerSum(benchmark::State& state) {
  const Layer layer(state, kDTypeOf<T>);
  Run<T>(state, layer, {ReduceSum(layer.z)});
}

void Sizes(benchmark::internal::Benchmark* benchmark) {
  for (const int64_t threads : {1, 2}) {
    for (const auto& [m, n, k] : {std::tuple(1024, 1024, 1024), std::tuple(1024, 1024, 64), std::tuple(2048, 2048, 64),
                                  std::tuple(1024, 1024, 8), std::tuple(256, 256, 256), std::tuple(64, 64, 64)}) {
      benchmark->Args({m, n, k, threads});
    }
  }
  benchmark->UseRealTime();
}
BENCHMARK_TEMPLATE(BM_Layer, double)->Apply(Sizes);
BENCHMARK_TEMPLATE(BM_Layer, float)->Apply(Sizes);
BENCHMARK_TEMPLATE(BM_LayerGradient, double)->Apply(Sizes);
BENCHMARK_TEMPLATE(BM_LayerGradient, float)->Apply(Sizes);
BENCHMARK_TEMPLATE(BM_LayerSum, double)->Apply(Sizes);

}  // namespace
}  // namespace tenferro
