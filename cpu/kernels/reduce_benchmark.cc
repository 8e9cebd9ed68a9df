// Sums and other reductions of arrays in the first-level cache and of a million elements.

#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/every_kernel.h"
#include "tenferro/cpu/kernels/reduce.h"

namespace tenferro {
namespace {

void Run(benchmark::State& state, const ReduceRow& row, int64_t size, int64_t n) {
  const std::vector<double> in(static_cast<size_t>(n * size / 8 + 1), 1.0);
  std::vector<char> partials(static_cast<size_t>((n / kReduceChunk + 1) * size));
  char out[kMaxElementSize];
  for (auto _ : state) {
    int64_t chunks = 0;
    for (int64_t i = 0; i < n; i += kReduceChunk, ++chunks) {
      const char* from = reinterpret_cast<const char*>(in.data()) + i * size;
      row.chunk(&partials[static_cast<size_t>(chunks * size)], from, n - i < kReduceChunk ? n - i : kReduceChunk);
    }
    row.tree(out, partials.data(), chunks);
    benchmark::DoNotOptimize(out);
  }
  state.SetItemsProcessed(state.iterations() * n);
  state.SetBytesProcessed(state.iterations() * n * size);
}

const bool kRegistered = [] {
  struct Case {
    const char* name;
    ReduceKind kind;
    uint8_t code;
  };
  constexpr Case kCases[] = {{"sum f64", ReduceKind::kSum, kCodeF64},   {"sum f32", ReduceKind::kSum, kCodeF32},
                             {"max f64", ReduceKind::kMax, kCodeF64},   {"prod f64", ReduceKind::kProd, kCodeF64},
                             {"sum c128", ReduceKind::kSum, kCodeC128}, {"prod c128", ReduceKind::kProd, kCodeC128},
                             {"sum i32", ReduceKind::kSum, kCodeI32}};
  for (Isa isa : SupportedIsas()) {
    for (const Case& reduction : kCases) {
      for (int64_t n : {8, 100, 1000, 4096, 1000000}) {
        const ReduceRow* row = FindReduce(isa, reduction.kind, reduction.code);
        const int64_t size = ElementSize(reduction.code);
        const std::string name = std::string(Name(isa)) + ' ' + reduction.name + '/' + std::to_string(n);
        benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { Run(state, *row, size, n); });
      }
    }
  }
  return true;
}();

}  // namespace
}  // namespace tenferro
