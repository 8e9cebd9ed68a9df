// Products beside Eigen's in the same run. Eigen gets this machine's instructions only from `--config=native`.
#include <complex>
#include <cstdlib>
#include <memory>
#include <string>

#include "Eigen/Dense"
#include "benchmark/benchmark.h"
#include "tenferro/cpu/gemm/gemm.h"
#include "tenferro/cpu/gemm/zero_blocks.h"
#include "tenferro/cpu/kernels/isa.h"
#include "tenferro/tensor/dtype.h"

namespace tenferro {
namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

template <class T>
constexpr double kFlops = Eigen::NumTraits<T>::IsComplex ? 8 : 2;

template <class T>
void CountFlops(benchmark::State& state, int64_t m, int64_t n, int64_t k) {
  state.counters["flops"] =
      benchmark::Counter(kFlops<T> * static_cast<double>(m * n * k), benchmark::Counter::kIsIterationInvariantRate);
}

// Arguments: m, n, k, A transposed, B transposed.
template <class T>
void Gemm(benchmark::State& state, Isa isa) {
  const int64_t m = state.range(0), n = state.range(1), k = state.range(2);
  const bool a_transposed = state.range(3) != 0, b_transposed = state.range(4) != 0;
  const Matrix<T> a = Matrix<T>::Random(m, k), b = Matrix<T>::Random(k, n);
  Matrix<T> c = Matrix<T>::Zero(m, n);
  GemmArgs args = {};
  args.dtype = static_cast<uint8_t>(kDTypeOf<T>);
  args.a_rows = {m, a_transposed ? k : 1, nullptr};
  args.a_cols = {k, a_transposed ? 1 : m, nullptr};
  args.b_rows = {k, b_transposed ? n : 1, nullptr};
  args.b_cols = {n, b_transposed ? 1 : k, nullptr};
  args.c_rows = {m, 1, nullptr};
  args.c_cols = {n, m, nullptr};
  args.a = a.data();
  args.b = b.data();
  args.c = c.data();
  const size_t bytes = (GemmWorkspaceBytes(isa, args) + 127) / 64 * 64;
  const std::unique_ptr<void, decltype(&std::free)> workspace(std::aligned_alloc(64, bytes), &std::free);
  for (auto _ : state) {
    GemmBlock(isa, args, 0, m, 0, n, workspace.get());
    benchmark::ClobberMemory();
  }
  CountFlops<T>(state, m, n, k);
}

// Factors whose elements are zero where the parities of row and column differ, n x n x k: the search alone, or all.
void Groups(benchmark::State& state, bool search_alone) {
  const int64_t n = state.range(0), k = state.range(1);
  Matrix<double> a = Matrix<double>::Random(n, k), b = Matrix<double>::Random(k, n), c = Matrix<double>::Zero(n, n);
  const auto parity = [](int64_t i) { return __builtin_popcountll(static_cast<uint64_t>(i)) % 2; };
  for (int64_t p = 0; p < k; ++p) {
    for (int64_t i = 0; i < n; ++i) {
      if (parity(i) != parity(p)) a(i, p) = b(p, i) = 0;
    }
  }
  GemmArgs args = {};
  args.dtype = static_cast<uint8_t>(DType::kF64);
  args.a_rows = args.c_rows = {n, 1, nullptr};
  args.a_cols = {k, n, nullptr};
  args.b_rows = {k, 1, nullptr};
  args.b_cols = {n, k, nullptr};
  args.c_cols = {n, n, nullptr};
  args.a = a.data();
  args.b = b.data();
  args.c = c.data();
  const auto allocate = [](int64_t bytes) {
    return std::unique_ptr<void, decltype(&std::free)>(std::aligned_alloc(64, (bytes + 127) / 64 * 64), &std::free);
  };
  const auto memory = allocate(ZeroBlocks::WorkspaceBytes(args));
  const auto workspace = allocate(ZeroBlocks::WorkerBytes(BestIsa(), args));
  for (auto _ : state) {
    ZeroBlocks blocks;
    const bool found = blocks.Find(BestIsa(), args, memory.get(), [](absl::FunctionRef<void(int)> task) {
      task(0);
      task(1);
    });
    if (!found) return state.SkipWithError("no groups");
    blocks.ClearOtherColumns();
    for (int64_t group = 0; !search_alone && group < blocks.group_count(); ++group) {
      for (int64_t block = 0; block < blocks.BlockCount(group); ++block) blocks.RunBlock(group, block, workspace.get());
    }
    benchmark::ClobberMemory();
  }
  CountFlops<double>(state, n, n, k);
}
BENCHMARK_CAPTURE(Groups, product, false)->Args({256, 256})->Args({256, 32})->Args({256, 16});
BENCHMARK_CAPTURE(Groups, search, true)->Args({256, 256})->Args({256, 32})->Args({256, 16});

template <class T>
void EigenProduct(benchmark::State& state) {
  const int64_t m = state.range(0), n = state.range(1), k = state.range(2);
  const bool a_transposed = state.range(3) != 0, b_transposed = state.range(4) != 0;
  const Matrix<T> a = a_transposed ? Matrix<T>::Random(k, m) : Matrix<T>::Random(m, k);
  const Matrix<T> b = b_transposed ? Matrix<T>::Random(n, k) : Matrix<T>::Random(k, n);
  Matrix<T> c = Matrix<T>::Zero(m, n);
  for (auto _ : state) {
    if (a_transposed && b_transposed) {
      c.noalias() = a.transpose() * b.transpose();
    } else if (a_transposed) {
      c.noalias() = a.transpose() * b;
    } else if (b_transposed) {
      c.noalias() = a * b.transpose();
    } else {
      c.noalias() = a * b;
    }
    benchmark::ClobberMemory();
  }
  CountFlops<T>(state, m, n, k);
}

void Shapes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"m", "n", "k", "at", "bt"});
  for (int64_t n : {8, 16, 32, 64, 256, 1024}) benchmark->Args({n, n, n, 0, 0});
  for (int64_t n : {32, 256}) benchmark->Args({n, n, n, 1, 0})->Args({n, n, n, 0, 1})->Args({n, n, n, 1, 1});
  benchmark->Args({256, 256, 16, 0, 0})->Args({128, 16, 128, 0, 0})->Args({128, 16, 128, 1, 0});
  benchmark->Args({1000, 1, 1000, 0, 0})
      ->Args({1000, 1, 1000, 1, 0})
      ->Args({1, 1000, 1000, 0, 0})
      ->Args({1, 1, 4096, 0, 0});
}

template <class T>
void Register(const char* name) {
  for (const auto& [isa, level] :
       {std::pair(Isa::kV2, "v2"), {Isa::kV3, "v3"}, {Isa::kV4, "v4"}, {Isa::kNeon, "neon"}}) {
    if (!IsSupported(isa)) continue;
    Shapes(benchmark::RegisterBenchmark((std::string("Gemm/") + name + "/" + level).c_str(), Gemm<T>, isa));
  }
  Shapes(benchmark::RegisterBenchmark((std::string("Eigen/") + name).c_str(), EigenProduct<T>));
}

const bool kRegistered = [] {
  Register<float>("f32");
  Register<double>("f64");
  Register<std::complex<float>>("c64");
  Register<std::complex<double>>("c128");
  return true;
}();

}  // namespace
}  // namespace tenferro
