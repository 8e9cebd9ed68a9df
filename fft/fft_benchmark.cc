// One transform on one thread, into a result that is there. fft/scipy_benchmark.py runs these beside SciPy's and
// NumPy's.
#include <complex>
#include <vector>

#include "benchmark/benchmark.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/fft/cosine.h"
#include "tenferro/fft/records.h"
#include "tenferro/runtime/function.h"

namespace tenferro::fft {
namespace {

using C = std::complex<double>;

template <class T>
Tensor Numbers(const Shape& shape) {
  std::vector<T> numbers;
  for (int64_t i = 0; i < shape.size(); ++i) {
    const double re = static_cast<double>((i * 7919) % 1009) / 1009 - 0.5;
    if constexpr (std::is_floating_point_v<T>) {
      numbers.push_back(static_cast<T>(re));
    } else {
      using R = typename T::value_type;
      numbers.emplace_back(static_cast<R>(re), static_cast<R>((i * 104729) % 997) / 997);
    }
  }
  return *Tensor::FromColMajor<T>(shape, numbers);
}

template <class F>
void Run(benchmark::State& state, const Tensor& x, F function) {
  Graph graph;
  const Var in = graph.Input(x.dtype(), x.shape());
  const Prepared prepared = *CpuEngine::Serial().Prepare(*Compile({function(in)}, {in}));
  const std::vector<Tensor> inputs = {x};
  std::vector<Tensor> out = *prepared.Run(inputs);
  for (auto _ : state) {
    if (!prepared.RunInto(inputs, absl::MakeSpan(out)).ok()) std::abort();
  }
}

template <class T>
void BM_Line(benchmark::State& state) {
  Run(state, Numbers<T>({state.range(0)}), [](const Var& x) { return Transform(x, {{0}, false, 1}); });
}
BENCHMARK_TEMPLATE(BM_Line, C)
    ->ArgName("n")
    ->Arg(64)
    ->Arg(256)
    ->Arg(1000)
    ->Arg(1024)
    ->Arg(4096)
    ->Arg(10000)
    ->Arg(10007)
    ->Arg(65536)
    ->Arg(1 << 20);
BENCHMARK_TEMPLATE(BM_Line, std::complex<float>)->ArgName("n")->Arg(1024)->Arg(4096)->Arg(1 << 20);

void BM_Square(benchmark::State& state) {
  Run(state, Numbers<C>({512, 512}), [](const Var& x) { return Transform(x, {{0, 1}, false, 1}); });
}
BENCHMARK(BM_Square);

void BM_RealToHalf(benchmark::State& state) {
  const int64_t n = state.range(0);
  Run(state, Numbers<double>({n}), [n](const Var& x) { return RealToHalf(x, {0, n, 1, 1}); });
}
BENCHMARK(BM_RealToHalf)->ArgName("n")->Arg(4096)->Arg(10007)->Arg(1 << 20);

void BM_HalfToReal(benchmark::State& state) {
  const int64_t n = state.range(0);
  Run(state, Numbers<C>({n / 2 + 1}), [n](const Var& x) { return HalfToReal(x, {0, n, 1, 2}); });
}
BENCHMARK(BM_HalfToReal)->ArgName("n")->Arg(4096)->Arg(1 << 20);

void BM_Cosine(benchmark::State& state) {
  Run(state, Numbers<double>({state.range(0)}), [](const Var& x) { return Dct(x, 0); });
}
BENCHMARK(BM_Cosine)->ArgName("n")->Arg(4096)->Arg(1 << 20);

void BM_CosineBack(benchmark::State& state) {
  Run(state, Numbers<double>({state.range(0)}), [](const Var& x) { return Dct(x, 0, {.type = 3}); });
}
BENCHMARK(BM_CosineBack)->ArgName("n")->Arg(4096)->Arg(1 << 20);

}  // namespace
}  // namespace tenferro::fft
