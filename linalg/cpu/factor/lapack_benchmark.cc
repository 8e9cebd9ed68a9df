// The factorisations beside LAPACK's, in one process and one thread, both with the copy of their input and with scratch
// memory that is there already, as the engine has it:
//   OPENBLAS_NUM_THREADS=1 taskset -c 0 bazel-bin/linalg/cpu/factor/lapack_benchmark
// Prints the least time of many runs in microseconds and the ratio to LAPACK's.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#include "tenferro/linalg/cpu/factor/kernels.h"

extern "C" {
void dpotrf_(const char*, const int*, double*, const int*, int*);
void dgetrf_(const int*, const int*, double*, const int*, int*, int*);
void dgetrs_(const char*, const int*, const int*, const double*, const int*, const int*, double*, const int*, int*);
void dgeqrf_(const int*, const int*, double*, const int*, double*, double*, const int*, int*);
void dorgqr_(const int*, const int*, const int*, double*, const int*, const double*, double*, const int*, int*);
void dtrsm_(const char*, const char*, const char*, const char*, const int*, const int*, const double*, const double*,
            const int*, double*, const int*);
}

namespace tenferro::linalg::factor {
namespace {

template <class Ours, class Theirs>
void Compare(const char* name, int n, Ours ours, Theirs theirs) {
  using Clock = std::chrono::steady_clock;
  const int repeats = n <= 16 ? 2000 : n <= 64 ? 500 : 1;
  const int rounds = n <= 64 ? 60 : n <= 256 ? 60 : 25;
  double least[2] = {1e30, 1e30};
  for (int round = 0; round < rounds; ++round) {
    for (int who = 0; who < 2; ++who) {
      const auto start = Clock::now();
      for (int i = 0; i < repeats; ++i) who == 0 ? ours() : theirs();
      const double micros = std::chrono::duration<double, std::micro>(Clock::now() - start).count() / repeats;
      least[who] = std::min(least[who], micros);
    }
  }
  std::printf("%-10s %4d %10.2f %10.2f %6.2f\n", name, n, least[0], least[1], least[0] / least[1]);
}

void Run(Isa isa, int n) {
  std::mt19937_64 bits(1);
  std::normal_distribution<double> normal;
  const size_t size = static_cast<size_t>(n) * static_cast<size_t>(n);
  std::vector<double> a(size), positive(size), x(size), y(size), tau(n), rhs(n), solution(n),
      work(64 * size / n + size);
  for (double& v : a) v = normal(bits);
  for (double& v : rhs) v = normal(bits);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) positive[i + j * n] = a[i + j * n] + a[j + i * n] + (i == j ? 4.0 * n : 0);
  }
  std::vector<int64_t> permutation(n), swaps(n);
  std::vector<int> pivots(n);
  double parity;
  const Loan memory(
      {}, std::max({CholeskyBytes<double>(isa, n), LuBytes<double>(isa, n, n), LuSolveBytes<double>(isa, n, n),
                    QrBytes<double>(isa, n, n, n), TriangularSolveBytes<double>(isa, n, n)}));
  const Memory scratch = memory.memory();
  int info, lwork = static_cast<int>(work.size());
  const int one = 1;
  const double unit = 1;
  Compare(
      "cholesky", n, [&] { Cholesky(isa, n, positive.data(), x.data(), scratch); },
      [&] {
        std::memcpy(x.data(), positive.data(), size * sizeof(double));
        dpotrf_("L", &n, x.data(), &n, &info);
      });
  Compare(
      "lu", n, [&] { Lu(isa, n, n, a.data(), x.data(), permutation.data(), &parity, swaps.data(), scratch); },
      [&] {
        std::memcpy(x.data(), a.data(), size * sizeof(double));
        dgetrf_(&n, &n, x.data(), &n, pivots.data(), &info);
      });
  Compare(
      "lu+solve", n,
      [&] {
        Lu(isa, n, n, a.data(), x.data(), permutation.data(), &parity, swaps.data(), scratch);
        LuSolve(isa, n, 1, false, false, x.data(), permutation.data(), rhs.data(), solution.data(), scratch);
      },
      [&] {
        std::memcpy(x.data(), a.data(), size * sizeof(double));
        dgetrf_(&n, &n, x.data(), &n, pivots.data(), &info);
        std::memcpy(solution.data(), rhs.data(), n * sizeof(double));
        dgetrs_("N", &n, &one, x.data(), &n, pivots.data(), solution.data(), &n, &info);
      });
  Compare(
      "lu+solve n", n,
      [&] {
        Lu(isa, n, n, a.data(), x.data(), permutation.data(), &parity, swaps.data(), scratch);
        LuSolve(isa, n, n, false, false, x.data(), permutation.data(), positive.data(), y.data(), scratch);
      },
      [&] {
        std::memcpy(x.data(), a.data(), size * sizeof(double));
        dgetrf_(&n, &n, x.data(), &n, pivots.data(), &info);
        std::memcpy(y.data(), positive.data(), size * sizeof(double));
        dgetrs_("N", &n, &n, x.data(), &n, pivots.data(), y.data(), &n, &info);
      });
  Compare(
      "qr", n, [&] { Qr(isa, n, n, n, false, a.data(), x.data(), y.data(), scratch); },
      [&] {
        std::memcpy(x.data(), a.data(), size * sizeof(double));
        dgeqrf_(&n, &n, x.data(), &n, tau.data(), work.data(), &lwork, &info);
        for (int j = 0; j < n; ++j) {
          std::memcpy(y.data() + j * n, x.data() + j * n, (j + 1) * sizeof(double));
          std::memset(y.data() + j * n + j + 1, 0, (n - j - 1) * sizeof(double));
        }
        dorgqr_(&n, &n, &n, x.data(), &n, tau.data(), work.data(), &lwork, &info);
      });
  std::memcpy(y.data(), positive.data(), size * sizeof(double));
  Compare(
      "trsm left", n,
      [&] { TriangularSolve(isa, n, n, TriangleMode{.lower = true}, y.data(), a.data(), x.data(), scratch); },
      [&] {
        std::memcpy(x.data(), a.data(), size * sizeof(double));
        dtrsm_("L", "L", "N", "N", &n, &n, &unit, y.data(), &n, x.data(), &n);
      });
  Compare(
      "trsm right", n,
      [&] { TriangularSolve(isa, n, n, TriangleMode{.right = true}, y.data(), a.data(), x.data(), scratch); },
      [&] {
        std::memcpy(x.data(), a.data(), size * sizeof(double));
        dtrsm_("R", "U", "N", "N", &n, &n, &unit, y.data(), &n, x.data(), &n);
      });
}

}  // namespace
}  // namespace tenferro::linalg::factor

int main(int argc, char** argv) {
  const tenferro::Isa isa = argc > 1 && std::strcmp(argv[1], "v3") == 0 ? tenferro::Isa::kV3 : tenferro::BestIsa();
  std::printf("%-10s %4s %10s %10s %6s\n", "", "n", "us", "LAPACK us", "ratio");
  for (int n : {8, 16, 32, 64, 128, 256, 512}) tenferro::linalg::factor::Run(isa, n);
}
