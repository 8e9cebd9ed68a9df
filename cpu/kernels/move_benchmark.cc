// Permutations of axes beside memcpy of the same bytes.

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "tenferro/cpu/kernels/every_kernel.h"
#include "tenferro/cpu/kernels/move.h"

namespace tenferro {
namespace {

using Ints = std::vector<int64_t>;

struct Freed {
  void operator()(void* bytes) const { std::free(bytes); }
};
std::unique_ptr<char, Freed> Allocate(int64_t bytes) {
  const size_t rounded = static_cast<size_t>((bytes + 63) / 64 * 64);
  std::unique_ptr<char, Freed> memory(static_cast<char*>(std::aligned_alloc(64, rounded)));
  std::memset(memory.get(), 1, rounded);
  return memory;
}

// Axis k of the result is axis order[k] of a dense source.
void Permute(benchmark::State& state, Isa isa, int size, const Ints& source, const Ints& order) {
  Ints strides, extents, to, from;
  int64_t elements = 1;
  for (int64_t extent : source) {
    strides.push_back(elements);
    elements *= extent;
  }
  int64_t stride = 1;
  for (int64_t axis : order) {
    extents.push_back(source[static_cast<size_t>(axis)]);
    from.push_back(strides[static_cast<size_t>(axis)]);
    to.push_back(stride);
    stride *= extents.back();
  }
  const auto in = Allocate(elements * size), out = Allocate(elements * size);
  for (auto _ : state) {
    StridedCopy(isa, size, static_cast<int>(order.size()), extents.data(), out.get(), to.data(), in.get(), from.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * elements * size);
}

void Memcpy(benchmark::State& state, int64_t bytes) {
  const auto in = Allocate(bytes), out = Allocate(bytes);
  for (auto _ : state) {
    std::memcpy(out.get(), in.get(), static_cast<size_t>(bytes));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * bytes);
}

// A column that is broadcast along axis 0 or 1, a tile at a time.
void Gather(benchmark::State& state, const Ints& strides) {
  constexpr int64_t kTile = 512;
  const Ints extents = {100, 1000};
  const auto in = Allocate(8 * 1000), out = Allocate(8 * kTile);
  int64_t begin = 0;
  for (auto _ : state) {
    GatherTile(8, 2, extents.data(), in.get(), strides.data(), begin, kTile, out.get());
    begin = (begin + kTile) % 90000;
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * kTile * 8);
}

const bool kRegistered = [] {
  struct Case {
    int size;
    Ints source, order;
  };
  const std::vector<Case> cases = {{8, {256, 256, 64}, {2, 1, 0}},      {8, {256, 256, 64}, {1, 0, 2}},
                                   {8, {256, 256, 64}, {0, 2, 1}},      {8, {256, 256}, {1, 0}},
                                   {8, {16, 16, 16, 16}, {3, 2, 1, 0}}, {8, {16, 16, 16, 16}, {2, 0, 3, 1}},
                                   {8, {1000, 1000}, {1, 0}},           {4, {256, 256, 64}, {2, 1, 0}},
                                   {16, {256, 256, 32}, {2, 1, 0}},     {1, {512, 512}, {1, 0}}};
  for (const Case& permutation : cases) {
    std::string name = std::to_string(permutation.size) + " bytes";
    int64_t bytes = permutation.size;
    for (int64_t extent : permutation.source) {
      name += ' ' + std::to_string(extent);
      bytes *= extent;
    }
    benchmark::RegisterBenchmark((name + " memcpy").c_str(),
                                 [bytes](benchmark::State& state) { Memcpy(state, bytes); });
    name += " to";
    for (int64_t axis : permutation.order) name += ' ' + std::to_string(axis);
    for (Isa isa : SupportedIsas()) {
      benchmark::RegisterBenchmark((name + ' ' + Name(isa)).c_str(), [=](benchmark::State& state) {
        Permute(state, isa, permutation.size, permutation.source, permutation.order);
      });
    }
  }
  benchmark::RegisterBenchmark("gather splat along axis 0", [](benchmark::State& state) { Gather(state, {0, 1}); });
  benchmark::RegisterBenchmark("gather repeat along axis 1", [](benchmark::State& state) { Gather(state, {1, 0}); });
  return true;
}();

}  // namespace
}  // namespace tenferro
