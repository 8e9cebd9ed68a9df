#include <vector>

#include "benchmark/benchmark.h"
#include "tenferro/tensor/tensor.h"

namespace tenferro {
namespace {

void BM_Allocate(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Storage::AllocateHost(state.range(0)));
}
BENCHMARK(BM_Allocate)->Arg(8)->Arg(800)->Arg(8000);

void BM_Uninitialized(benchmark::State& state) {
  const Shape shape = {2, 3};
  for (auto _ : state) benchmark::DoNotOptimize(Tensor::Uninitialized(DType::kF64, shape));
}
BENCHMARK(BM_Uninitialized);

void BM_Scalar(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Tensor::Scalar(1.0));
}
BENCHMARK(BM_Scalar);

void BM_Default(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Tensor());
}
BENCHMARK(BM_Default);

void BM_Copy(benchmark::State& state) {
  const Tensor tensor = *Tensor::Zeros(DType::kF64, {2, 3});
  for (auto _ : state) benchmark::DoNotOptimize(Tensor(tensor));
}
BENCHMARK(BM_Copy);

void BM_Data(benchmark::State& state) {
  const Tensor tensor = *Tensor::Zeros(DType::kF64, {2, 3});
  for (auto _ : state) benchmark::DoNotOptimize(tensor.Data<double>());
}
BENCHMARK(BM_Data);

void BM_TransposeAndDense(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Tensor tensor = *Tensor::Zeros(DType::kF64, {n, n});
  for (auto _ : state) benchmark::DoNotOptimize(tensor.Transpose({1, 0})->Dense());
  state.SetBytesProcessed(state.iterations() * n * n * 16);
}
BENCHMARK(BM_TransposeAndDense)->Arg(4)->Arg(256)->Arg(1024);

void BM_Print(benchmark::State& state) {
  Tensor tensor = *Tensor::Zeros(DType::kF64, {30, 30});
  const absl::Span<double> elements = *tensor.MutableData<double>();
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<double>(i) / 7;
  for (auto _ : state) benchmark::DoNotOptimize(tensor.ToString());
}
BENCHMARK(BM_Print);

}  // namespace
}  // namespace tenferro
