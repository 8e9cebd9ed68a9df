// Convolutions beside the matrix product of the same number of multiplications in the same run: `of_gemm` is the ratio
// of their speeds. Forward, and the two transposes that a gradient runs.
#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>

#include "benchmark/benchmark.h"
#include "tenferro/ad/vjp.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/function.h"
#include "tenferro/runtime/ops/convolution.h"
#include "tenferro/runtime/ops/dot.h"

namespace tenferro {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

enum class Part { kForward, kGradientOfX, kGradientOfW };

double SecondsOf(const Prepared& prepared, const std::vector<Tensor>& inputs, std::vector<Tensor>& outputs) {
  const auto start = std::chrono::steady_clock::now();
  if (!prepared.RunInto(inputs, absl::MakeSpan(outputs)).ok()) std::abort();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Prepared Make(const TracedFunction& function, const std::vector<Tensor>& inputs) {
  Graph graph;
  std::vector<Var> vars;
  for (const Tensor& input : inputs) vars.push_back(graph.Input(input.dtype(), input.shape()));
  return *CpuEngine::Serial().Prepare(*Compile(function(vars), vars));
}

Tensor Numbers(DType dtype, const Shape& shape) {
  Tensor tensor = *Tensor::Zeros(dtype, shape);
  Dispatch(dtype, [&]<class T>() {
    const absl::Span<T> elements = *tensor.MutableData<T>();
    for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<T>(i % 7);
  });
  return tensor;
}

// Arguments: image side, window side, input and output channels, stride, groups, batch.
void Convolution(benchmark::State& state, DType dtype, Part part) {
  const int64_t side = state.range(0), window = state.range(1), channels = state.range(2), made = state.range(3);
  const int64_t groups = state.range(5), images = state.range(6);
  const ConvOptions options{
      .strides = {state.range(4), state.range(4)}, .padding = ConvPadding::kSame, .groups = groups};
  const Tensor x = Numbers(dtype, {side, side, channels, images});
  const Tensor w = Numbers(dtype, {window, window, channels / groups, made});
  const int64_t places = (side - 1) / state.range(4) + 1;
  const Tensor seed = Numbers(dtype, {places, places, made, images});
  const std::vector<Tensor> inputs{x, w, seed};
  const Prepared convolution = Make(
      [&](In in) -> Out {
        const Var y = Conv2d(in[0], in[1], options);
        if (part == Part::kForward) return {y};
        return ad::Vjp({y}, {in[part == Part::kGradientOfX ? 0 : 1]}, {in[2]});
      },
      inputs);
  const int64_t rows = places * places * images, depth = window * window * channels / groups;
  const std::vector<Tensor> factors{Numbers(dtype, {rows, depth}), Numbers(dtype, {depth, made})};
  const Prepared product = Make([](In in) -> Out { return {Matmul(in[0], in[1])}; }, factors);
  std::vector<Tensor> of_convolution(1), of_product(1);
  double best = std::numeric_limits<double>::infinity(), best_product = best;
  for (auto _ : state) {
    best = std::min(best, SecondsOf(convolution, inputs, of_convolution));
    state.PauseTiming();
    best_product = std::min(best_product, SecondsOf(product, factors, of_product));
    state.ResumeTiming();
  }
  const double products = static_cast<double>(rows) * static_cast<double>(depth) * static_cast<double>(made);
  state.counters["gflops"] = 2e-9 * products / best;
  state.counters["of_gemm"] = best_product / best;
}

void Sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"side", "window", "in", "out", "stride", "groups", "batch"})->Unit(benchmark::kMillisecond);
  benchmark->Args({56, 3, 64, 64, 1, 1, 4})
      ->Args({28, 3, 128, 128, 1, 1, 4})
      ->Args({14, 3, 256, 256, 1, 1, 4})
      ->Args({7, 3, 512, 512, 1, 1, 4})
      ->Args({56, 1, 64, 256, 1, 1, 4})
      ->Args({56, 1, 256, 128, 2, 1, 4})
      ->Args({112, 7, 3, 64, 2, 1, 4})
      ->Args({28, 3, 16, 16, 1, 1, 4})
      ->Args({28, 5, 1, 8, 1, 1, 16})
      ->Args({56, 3, 64, 64, 1, 64, 4});
}

BENCHMARK_CAPTURE(Convolution, f32, DType::kF32, Part::kForward)->Apply(Sizes);
BENCHMARK_CAPTURE(Convolution, f64, DType::kF64, Part::kForward)->Apply(Sizes);
BENCHMARK_CAPTURE(Convolution, f32_gradient_of_x, DType::kF32, Part::kGradientOfX)->Apply(Sizes);
BENCHMARK_CAPTURE(Convolution, f32_gradient_of_w, DType::kF32, Part::kGradientOfW)->Apply(Sizes);

}  // namespace
}  // namespace tenferro
