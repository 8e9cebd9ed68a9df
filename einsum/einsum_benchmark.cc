// Prepared contractions, one thread, outputs reused. einsum/numpy_benchmark.py runs these beside NumPy's: it reads the
// labels, which are the subscripts and the shapes.
#include <benchmark/benchmark.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/einsum/einsum.h"
#include "tenferro/runtime/graph.h"

namespace tenferro {
namespace {

void Contract(benchmark::State& state, const char* subscripts, const std::vector<Shape>& shapes) {
  Graph graph;
  std::vector<Var> inputs;
  std::vector<Tensor> values;
  std::string label = subscripts;
  for (const Shape& shape : shapes) {
    inputs.push_back(graph.Input(DType::kF64, shape));
    std::vector<double> data;
    for (int64_t i = 0; i < shape.size(); ++i) data.push_back(static_cast<double>(i * 7 % 13) - 6);
    values.push_back(*Tensor::FromColMajor<double>(shape, data));
    absl::StrAppend(&label, " ", absl::StrJoin(shape.extents(), "x"));
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
  state.SetLabel(label);
  state.counters["flops"] = benchmark::Counter(PlanEinsum(subscripts, shapes)->cost.flops * 1e-9 * state.iterations(),
                                               benchmark::Counter::kIsRate);
}

using Shapes = std::vector<Shape>;

// Networks.
BENCHMARK_CAPTURE(Contract, five_tensors, "abc,cde,efg,bdh,fhi->agi", Shapes(5, {16, 16, 16}));
BENCHMARK_CAPTURE(Contract, trg_plaquette, "icb,jec,aep,baq->ijpq", Shapes(4, {16, 16, 16}));
BENCHMARK_CAPTURE(Contract, chain, "ab,bc,cd,de,ef,fg,gh,hi,ij,jk->ak", Shapes(10, {32, 32}));
BENCHMARK_CAPTURE(Contract, transfer, "ab,asc,bsd->cd", {{64, 64}, {64, 4, 64}, {64, 4, 64}});
BENCHMARK_CAPTURE(Contract, ring, "ij,jk,ki->", Shapes(3, {64, 64}));

// Pairs, axes in any order.
BENCHMARK_CAPTURE(Contract, pair, "ijk,klm->ijlm", Shapes(2, {32, 32, 32}));
BENCHMARK_CAPTURE(Contract, permuted, "aibj,bkal->jlik", Shapes(2, {16, 16, 16, 16}));
BENCHMARK_CAPTURE(Contract, permuted_twice, "ijkl,lkmn->mjin", {{12, 16, 20, 20}, {20, 20, 12, 16}});
BENCHMARK_CAPTURE(Contract, to_matrix, "abcd,dceb->ae", Shapes(2, {24, 24, 24, 24}));
BENCHMARK_CAPTURE(Contract, attention, "bhqd,bhkd->bhqk", Shapes(2, {2, 8, 128, 64}));

// Batches, their axis first or last.
BENCHMARK_CAPTURE(Contract, batch_first_4, "bij,bjk->bik", Shapes(2, {4096, 4, 4}));
BENCHMARK_CAPTURE(Contract, batch_first_16, "bij,bjk->bik", Shapes(2, {512, 16, 16}));
BENCHMARK_CAPTURE(Contract, batch_first_64, "bij,bjk->bik", Shapes(2, {32, 64, 64}));
BENCHMARK_CAPTURE(Contract, batch_last_4, "ijb,jkb->ikb", Shapes(2, {4, 4, 4096}));
BENCHMARK_CAPTURE(Contract, batch_last_16, "ijb,jkb->ikb", Shapes(2, {16, 16, 512}));
BENCHMARK_CAPTURE(Contract, batch_last_64, "ijb,jkb->ikb", Shapes(2, {64, 64, 32}));
BENCHMARK_CAPTURE(Contract, batched_chain, "bij,bjk,bkl->bil", Shapes(3, {256, 24, 24}));
BENCHMARK_CAPTURE(Contract, batch_first_vector_8, "bij,bj->bi", {{4096, 8, 8}, {4096, 8}});
BENCHMARK_CAPTURE(Contract, batch_first_vector_128, "bij,bj->bi", {{32, 128, 128}, {32, 128}});
BENCHMARK_CAPTURE(Contract, batch_last_vector_8, "ijb,jb->ib", {{8, 8, 4096}, {8, 4096}});
BENCHMARK_CAPTURE(Contract, batch_last_vector_128, "ijb,jb->ib", {{128, 128, 32}, {128, 32}});

// Little to sum, or much to sum to little.
BENCHMARK_CAPTURE(Contract, matrix_vector, "ij,j->i", {{1000, 1000}, {1000}});
BENCHMARK_CAPTURE(Contract, vector_matrix, "ij,i->j", {{1000, 1000}, {1000}});
BENCHMARK_CAPTURE(Contract, dot, "i,i->", Shapes(2, {1000000}));
BENCHMARK_CAPTURE(Contract, outer, "i,j->ij", Shapes(2, {1000}));
BENCHMARK_CAPTURE(Contract, outer_four, "ab,cd->acbd", Shapes(2, {32, 32}));
BENCHMARK_CAPTURE(Contract, one_term, "ia,ja->ij", Shapes(2, {1000, 1}));
BENCHMARK_CAPTURE(Contract, skinny, "ik,kj->ij", {{16384, 4}, {4, 4}});
BENCHMARK_CAPTURE(Contract, skinny_first, "ki,ij->kj", {{16384, 4}, {4, 512}});
BENCHMARK_CAPTURE(Contract, gram, "ki,kj->ij", Shapes(2, {100000, 4}));
BENCHMARK_CAPTURE(Contract, hadamard, "ij,ij->ij", Shapes(2, {512, 512}));
BENCHMARK_CAPTURE(Contract, hadamard_sum, "bi,bi->b", Shapes(2, {1000, 64}));
BENCHMARK_CAPTURE(Contract, hadamard_sum_last, "ib,ib->b", Shapes(2, {64, 1000}));
BENCHMARK_CAPTURE(Contract, hadamard_sum_all, "ij,ij->", Shapes(2, {1000, 1000}));
BENCHMARK_CAPTURE(Contract, scaled_columns, "ij,j->ij", {{1000, 1000}, {1000}});

// One operand.
BENCHMARK_CAPTURE(Contract, trace, "ii->", Shapes(1, {1000, 1000}));
BENCHMARK_CAPTURE(Contract, partial_trace, "iijk->jk", Shapes(1, {32, 32, 32, 32}));
BENCHMARK_CAPTURE(Contract, diagonal, "iij->ij", Shapes(1, {64, 64, 64}));
BENCHMARK_CAPTURE(Contract, sum_axis, "ijk->ik", Shapes(1, {64, 64, 64}));
BENCHMARK_CAPTURE(Contract, permute, "abcd->dbca", Shapes(1, {32, 32, 32, 32}));

// Planning anew, 12 operands by dynamic programming.
void PlanTwelve(benchmark::State& state) {
  const std::vector<Shape> shapes(12, Shape{4, 4, 4});
  const auto contraction = einsum::ParseSubscripts("abc,bde,cdf,egh,fgi,hij,jkl,klm,mno,nop,pqr,qra->", shapes);
  for (auto _ : state) benchmark::DoNotOptimize(einsum::MakePlan(*contraction, {}, 8));
}
BENCHMARK(PlanTwelve);

}  // namespace
}  // namespace tenferro
