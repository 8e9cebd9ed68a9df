// Eigenvalues and vectors of random symmetric matrices beside LAPACK's dsyevd and zheevd in the same run:
// OPENBLAS_NUM_THREADS=1 taskset -c 0 bazel-bin/linalg/cpu/spectral/eigh_benchmark
#include "benchmark/benchmark.h"
#include "tenferro/linalg/cpu/spectral/kernels.h"
#include "tenferro/linalg/cpu/test_matrices.h"

extern "C" {
void dsyevd_(const char* job, const char* triangle, const int* n, double* a, const int* lda, double* w, double* work,
             const int* lwork, int* iwork, const int* liwork, int* info);
void zheevd_(const char* job, const char* triangle, const int* n, void* a, const int* lda, double* w, void* work,
             const int* lwork, double* rwork, const int* lrwork, int* iwork, const int* liwork, int* info);
}

namespace tenferro::linalg {
namespace {

using testing::Dense;

template <class T>
Dense<T> Hermitian(int64_t n) {
  Dense<T> a = testing::Gaussian<T>(n, n, 1);
  for (int64_t j = 0; j < n; ++j) {
    a(j, j) = std::real(a(j, j));
    for (int64_t i = j + 1; i < n; ++i) a(j, i) = testing::Conj(a(i, j));
  }
  return a;
}

template <class T, bool kVectors>
void Ours(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Dense<T> a = Hermitian<T>(n);
  Dense<T> v(n, n);
  std::vector<double> w(n);
  const Loan loan({}, EighBytes<T>(BestIsa(), n));  // as the engine lends it
  for (auto _ : state) {
    Eigh(BestIsa(), n, a.data.data(), w.data(), kVectors ? v.data.data() : nullptr, loan.memory());
  }
}

template <class T, bool kVectors>
void Lapack(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Dense<T> a = Hermitian<T>(n);
  Dense<T> v(n, n);
  std::vector<double> w(n);
  const int room = 2 * n * n + 6 * n + 1, integers = 5 * n + 3;
  std::vector<T> work(room);
  std::vector<double> real_work(room);
  std::vector<int> integer_work(integers);
  int info = 0;
  const char* const job = kVectors ? "V" : "N";
  for (auto _ : state) {
    v = a;
    if constexpr (sizeof(T) == sizeof(double)) {
      dsyevd_(job, "L", &n, v.data.data(), &n, w.data(), work.data(), &room, integer_work.data(), &integers, &info);
    } else {
      zheevd_(job, "L", &n, v.data.data(), &n, w.data(), work.data(), &room, real_work.data(), &room,
              integer_work.data(), &integers, &info);
    }
  }
}

#define TENFERRO_PAIR(T, vectors)                                                                   \
  BENCHMARK(Ours<T, vectors>)->Arg(16)->Arg(64)->Arg(256)->Arg(512)->Unit(benchmark::kMicrosecond); \
  BENCHMARK(Lapack<T, vectors>)->Arg(16)->Arg(64)->Arg(256)->Arg(512)->Unit(benchmark::kMicrosecond)
TENFERRO_PAIR(double, true);
TENFERRO_PAIR(double, false);
TENFERRO_PAIR(std::complex<double>, true);
#undef TENFERRO_PAIR

}  // namespace
}  // namespace tenferro::linalg
