// Prepared contractions, one thread, outputs reused.
#include <benchmark/benchmark.h>

#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/einsum/einsum.h"
#include "tenferro/runtime/graph.h"

namespace tenferro {
namespace {

void Contract(benchmark::State& state, const char* subscripts, const std::vector<Shape>& shapes) {
  Graph graph;
  std::vector<Var> inputs;
  std::vector<Tensor> values;
  for (const Shape& shape : shapes) {
    inputs.push_back(graph.Input(DType::kF64, shape));
    std::vector<double> data;
    for (int64_t i = 0; i < shape.size(); ++i) data.push_back(static_cast<double>(i * 7 % 13) - 6);
    values.push_back(*Tensor::FromColMajor<double>(shape, data));
  }
  const absl::StatusOr<Program> program = Compile({Einsum(subscripts, inputs)}, inputs);
  if (!program.ok()) return state.SkipWithError(std::string(program.status().message()).c_str());
  const absl::StatusOr<Prepared> prepared = CpuEngine::Serial().Prepare(*program);
  if (!prepared.ok()) return state.SkipWithError(std::string(prepared.status().message()).c_str());
  const Arguments arguments{values};
  std::vector<Tensor> outputs(1);
  for (auto _ : state) {
    if (!prepared->RunInto(arguments, absl::MakeSpan(outputs)).ok()) return state.SkipWithError("run");
  }
  state.counters["flops"] = benchmark::Counter(PlanEinsum(subscripts, shapes)->cost.flops * 1e-9 * state.iterations(),
                                               benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(Contract, five_tensors, "abc,cde,efg,bdh,fhi->agi",
                  {{16, 16, 16}, {16, 16, 16}, {16, 16, 16}, {16, 16, 16}, {16, 16, 16}});
BENCHMARK_CAPTURE(Contract, trg_plaquette, "icb,jec,aep,baq->ijpq",
                  {{16, 16, 16}, {16, 16, 16}, {16, 16, 16}, {16, 16, 16}});
BENCHMARK_CAPTURE(Contract, pair, "ijk,klm->ijlm", {{32, 32, 32}, {32, 32, 32}});
BENCHMARK_CAPTURE(Contract, batch_first, "bij,bjk->bik", {{32, 64, 64}, {32, 64, 64}});
BENCHMARK_CAPTURE(Contract, batch_last, "ijb,jkb->ikb", {{64, 64, 32}, {64, 64, 32}});
BENCHMARK_CAPTURE(Contract, hadamard_sum, "bi,bi->b", {{1000, 64}, {1000, 64}});
BENCHMARK_CAPTURE(Contract, trace, "iijj->", {{32, 32, 32, 32}});

// Planning anew, 12 operands by dynamic programming.
void PlanTwelve(benchmark::State& state) {
  const std::vector<Shape> shapes(12, Shape{4, 4, 4});
  const auto contraction = einsum::ParseSubscripts("abc,bde,cdf,egh,fgi,hij,jkl,klm,mno,nop,pqr,qra->", shapes);
  for (auto _ : state) benchmark::DoNotOptimize(einsum::MakePlan(*contraction, {}, 8));
}
BENCHMARK(PlanTwelve);

}  // namespace
}  // namespace tenferro
