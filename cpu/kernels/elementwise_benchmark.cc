// Time of each elementwise kernel on a tile in the first-level cache: bytes are those read and written.

#include <cmath>
#include <cstring>

#include "benchmark/benchmark.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/every_kernel.h"

namespace tenferro {
namespace {

constexpr int64_t kTile = 512;

// Moderate positive values, which every function takes.
std::vector<char> Operand(uint8_t code) {
  std::vector<char> bytes = RandomElements(code, kTile, 1);
  const auto fill = [&](auto zero) {
    using T = decltype(zero);
    for (size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
      const T value = static_cast<T>(0.5 + 0.4 * std::sin(static_cast<double>(i)));
      std::memcpy(&bytes[i * sizeof(T)], &value, sizeof(T));
    }
  };
  if (code == kCodeF32 || code == kCodeC64) fill(0.0f);
  if (code == kCodeF64 || code == kCodeC128) fill(0.0);
  return bytes;
}

void Run(benchmark::State& state, const NamedKernel& kernel) {
  std::vector<char> operands[3];
  const void* in[4] = {nullptr, nullptr, nullptr, &kernel.op.attribute};
  int64_t bytes = kTile * ElementSize(kernel.to);
  for (int k = 0; k < kernel.op.operands; ++k) {
    operands[k] = Operand(OperandCode(kernel, k));
    in[k] = operands[k].data();
    bytes += static_cast<int64_t>(operands[k].size());
  }
  std::vector<char> out(static_cast<size_t>(kTile * ElementSize(kernel.to)));
  for (auto _ : state) {
    kernel.fn(out.data(), in, kTile);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kTile);
  state.SetBytesProcessed(state.iterations() * bytes);
}

const bool kRegistered = [] {
  for (Isa isa : SupportedIsas()) {
    for (const NamedKernel& kernel : EveryKernel(isa)) {
      benchmark::RegisterBenchmark(kernel.name.c_str(), [kernel](benchmark::State& state) { Run(state, kernel); });
    }
  }
  return true;
}();

}  // namespace
}  // namespace tenferro
