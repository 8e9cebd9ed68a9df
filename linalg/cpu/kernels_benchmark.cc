#include "benchmark/benchmark.h"
#include "tenferro/linalg/cpu/trg_matrices.h"

namespace tenferro::linalg {
namespace {

using testing::Dense;

// All 40 decompositions of 20 steps of the tensor renormalisation group at beta = argument / 100.
void TrgDecompositions(benchmark::State& state) {
  const testing::TrgRun run = testing::RunTrg(BestIsa(), state.range(0) / 100.0, 20);
  Dense<double> u(256, 32), v(256, 32);
  std::vector<double> s(32);
  for (auto _ : state) {
    for (size_t i = 0; i < run.matrices.size(); ++i) {
      const int64_t n = run.matrices[i].rows, k = run.kept[i];
      SvdTruncated(BestIsa(), n, n, run.matrices[i].data.data(), k, std::min<int64_t>(16, n - k), u.data.data(),
                   s.data(), v.data.data());
    }
  }
}
BENCHMARK(TrgDecompositions)->Arg(20)->Arg(35)->Arg(44)->Arg(50)->Arg(80)->Unit(benchmark::kMillisecond);

// The complement solves of the same steps, right-hand sides inside the symmetry sectors.
void TrgComplements(benchmark::State& state) {
  const testing::TrgRun run = testing::RunTrg(BestIsa(), state.range(0) / 100.0, 20);
  struct Case {
    Dense<double> u, v, p, q;
    std::vector<double> s;
  };
  std::vector<Case> cases;
  for (size_t i = 0; i < run.matrices.size(); ++i) {
    const Dense<double>& a = run.matrices[i];
    const int64_t n = a.rows, k = run.kept[i], extra = std::min<int64_t>(16, n - k);
    Case c{{n, k + extra}, {n, k + extra}, testing::Gaussian<double>(n, k, 1), testing::Gaussian<double>(n, k, 2), {}};
    c.s.resize(k + extra);
    SvdTruncated(BestIsa(), n, n, a.data.data(), k, extra, c.u.data.data(), c.s.data(), c.v.data.data());
    std::vector<int32_t> rows(n), columns(n);
    ExactBlocks(BestIsa(), n, n, a.data.data(), rows.data(), columns.data());
    for (int64_t j = 0; j < k; ++j) {
      int64_t inside = 0;
      while (c.u(inside, j) == 0) ++inside;
      for (int64_t r = 0; r < n; ++r) {
        if (rows[r] != rows[inside]) c.p(r, j) = 0;
        if (columns[r] != rows[inside]) c.q(r, j) = 0;
      }
    }
    cases.push_back(std::move(c));
  }
  Dense<double> x(256, 16), y(256, 16);
  for (auto _ : state) {
    for (size_t i = 0; i < cases.size(); ++i) {
      const Case& c = cases[i];
      const int64_t n = run.matrices[i].rows, k = run.kept[i];
      TruncatedComplement(BestIsa(), n, n, run.matrices[i].data.data(), k, c.u.columns - k, c.u.data.data(), c.s.data(),
                          c.v.data.data(), c.p.data.data(), c.q.data.data(), x.data.data(), y.data.data());
    }
  }
}
BENCHMARK(TrgComplements)->Arg(20)->Arg(44)->Arg(80)->Unit(benchmark::kMillisecond);

void FullSvd(benchmark::State& state) {
  const int64_t n = state.range(0);
  const auto a = testing::Gaussian<double>(n, n, 3);
  Dense<double> u(n, n), vt(n, n);
  std::vector<double> s(n);
  for (auto _ : state) Svd(BestIsa(), n, n, a.data.data(), u.data.data(), s.data(), vt.data.data());
}
BENCHMARK(FullSvd)->Arg(8)->Arg(16)->Arg(24)->Arg(32)->Arg(48)->Arg(64)->Arg(128)->Arg(256)->Arg(512)->Unit(
    benchmark::kMicrosecond);

// Singular values exp(−rate·i), or 1/(i + 1) for rate 0.
template <class T>
void Truncated(benchmark::State& state, double rate) {
  const int64_t n = 256, k = 16;
  std::vector<double> spectrum(n);
  for (int64_t i = 0; i < n; ++i) spectrum[i] = rate > 0 ? std::exp(-rate * i) : 1.0 / (i + 1);
  const auto a = testing::WithSpectrum<T>(n, n, spectrum, 5);
  Dense<T> u(n, k), v(n, k);
  std::vector<RealOf<T>> s(k);
  for (auto _ : state) SvdTruncated(BestIsa(), n, n, a.data.data(), k, 0, u.data.data(), s.data(), v.data.data());
}
void TruncatedF64(benchmark::State& state, double rate) { Truncated<double>(state, rate); }
void TruncatedF32(benchmark::State& state, double rate) { Truncated<float>(state, rate); }
void TruncatedC128(benchmark::State& state, double rate) { Truncated<std::complex<double>>(state, rate); }
BENCHMARK_CAPTURE(TruncatedF64, fast_decay, 0.3)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(TruncatedF64, slow_decay, 0.1)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(TruncatedF64, harmonic, 0.0)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(TruncatedF32, fast_decay, 0.3)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(TruncatedC128, fast_decay, 0.3)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tenferro::linalg
