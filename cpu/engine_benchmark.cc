// What a run costs beside its arithmetic.

#include <vector>

#include "benchmark/benchmark.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"

namespace tenferro {
namespace {

Tensor Points(int64_t n) {
  std::vector<double> data(n);
  for (int64_t i = 0; i < n; ++i) data[i] = -2 + 4.0 * static_cast<double>(i) / static_cast<double>(n - 1);
  return *Tensor::FromColMajor<double>({n}, data);
}

// Additions and products of one number.
void BM_ScalarOperations(benchmark::State& state) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {});
  Var y = x;
  for (int64_t i = 0; i < state.range(0); ++i) y = i % 2 == 0 ? y + x : y * x;
  const Prepared prepared = *CpuEngine::Serial().Prepare(*Compile({y}, {x}));
  const Tensor one = Tensor::Scalar(1.0);
  std::vector<Tensor> out(1);
  for (auto _ : state) benchmark::DoNotOptimize(prepared.RunInto({one}, absl::MakeSpan(out)).ok());
}
BENCHMARK(BM_ScalarOperations)->Arg(1)->Arg(10)->Arg(100);

void BM_ImmediateSum(benchmark::State& state) {
  const Var x = Immediate(CpuEngine::Serial(), Points(3));
  for (auto _ : state) benchmark::DoNotOptimize(x + x);
}
BENCHMARK(BM_ImmediateSum);

void BM_ImmediateReduction(benchmark::State& state) {
  const Var x = Immediate(CpuEngine::Serial(), Points(3));
  for (auto _ : state) benchmark::DoNotOptimize(ReduceSum(x));
}
BENCHMARK(BM_ImmediateReduction);

// Compile and Prepare of a chain, for each of its operations.
void BM_PrepareChain(benchmark::State& state) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {100});
  Var y = x;
  for (int64_t i = 0; i < state.range(0); ++i) y = Sin(y) + x;
  const Program program = *Compile({y}, {x});
  const CpuEngine engine = CpuEngine::Serial();
  for (auto _ : state) benchmark::DoNotOptimize(engine.Prepare(program).ok());
  state.SetItemsProcessed(state.iterations() * state.range(0) * 2);
}
BENCHMARK(BM_PrepareChain)->Arg(100)->Arg(10000);

}  // namespace
}  // namespace tenferro
