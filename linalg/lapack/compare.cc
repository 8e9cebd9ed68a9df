// Programs of one record on one thread, prepared with the kernels of "//linalg:cpu" and with LAPACK's, run by turns:
//   OPENBLAS_NUM_THREADS=1 taskset -c 0 bazel-bin/linalg/lapack/compare [order]
// Prints the least time of each in microseconds and the ratio.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "tenferro/linalg/cholesky.h"
#include "tenferro/linalg/eig.h"
#include "tenferro/linalg/eigh.h"
#include "tenferro/linalg/lapack/for_tests.h"
#include "tenferro/linalg/lu.h"
#include "tenferro/linalg/qr.h"
#include "tenferro/linalg/solve.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/ops/dot.h"

namespace tenferro::linalg::lapack {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

struct Row {
  const char* name;
  TracedFunction function;
};

void Compare(const Row& row, const Tensor& argument) {
  using Clock = std::chrono::steady_clock;
  const CpuEngine engine = CpuEngine::Serial();
  const absl::StatusOr<Prepared> theirs = PrepareFunction(engine, row.function, {argument});
  absl::StatusOr<Prepared> ours = theirs;
  {
    const WithoutLapack without;
    ours = PrepareFunction(engine, row.function, {argument});
  }
  if (!theirs.ok() || !ours.ok()) return;
  double least[2] = {1e300, 1e300};
  const auto start = Clock::now();
  for (int round = 0; round < 10 || Clock::now() - start < std::chrono::seconds(3); ++round) {
    for (int who = 0; who < 2; ++who) {
      const auto begin = Clock::now();
      const absl::StatusOr<std::vector<Tensor>> out = (who == 0 ? *ours : *theirs).Run({argument});
      const double micros = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
      if (!out.ok()) return;
      least[who] = std::min(least[who], micros);
    }
  }
  std::printf("%-12s %-5s %10.0f %10.0f %6.2f\n", row.name, Name(argument.dtype()), least[0], least[1],
              least[0] / least[1]);
}

}  // namespace
}  // namespace tenferro::linalg::lapack

int main(int argc, char** argv) {
  using namespace tenferro;
  using namespace tenferro::linalg;
  using namespace tenferro::linalg::lapack;
  const int64_t n = argc > 1 ? std::atoll(argv[1]) : 256;
  const Row rows[] = {
      {"svd",
       [](In x) -> Out {
         const SvdResult f = Svd(x[0]);
         return {f.u, f.s, f.vh};
       }},
      {"svdvals", [](In x) -> Out { return {SvdVals(x[0])}; }},
      {"eigh",
       [](In x) -> Out {
         const EighResult f = Eigh(x[0]);
         return {f.values, f.vectors};
       }},
      {"eigvalsh", [](In x) -> Out { return {Eigvalsh(x[0])}; }},
      {"qr",
       [](In x) -> Out {
         const QrResult f = Qr(x[0]);
         return {f.q, f.r};
       }},
      {"pivoted qr",
       [](In x) -> Out {
         const RankRevealingQrResult f = RankRevealingQr(x[0]);
         return {f.q, f.r};
       }},
      {"lu",
       [](In x) -> Out {
         const LuFactors f = LuFactor(x[0]);
         return {f.lu, f.permutation};
       }},
      {"cholesky", [](In x) -> Out { return {Cholesky(x[0])}; }},
      {"solve", [](In x) -> Out { return {Solve(x[0], x[0])}; }},
      {"eig",
       [](In x) -> Out {
         const EigResult f = Eig(x[0]);
         return {f.values, f.vectors};
       }},
      {"schur",
       [](In x) -> Out {
         const SchurResult f = Schur(x[0]);
         return {f.t, f.z};
       }},
  };
  std::printf("order %d    own, µs  LAPACK, µs  ratio\n", static_cast<int>(n));
  for (const DType dtype : {DType::kF64, DType::kC128}) {
    for (const Row& row : rows) {
      // A diagonal that makes the lower triangle positive definite, where that is asked.
      const double diagonal = row.name == rows[7].name ? 2.0 * static_cast<double>(n) : 0;
      Compare(row, Random(dtype, {n, n}, 1, diagonal));
    }
  }
  return 0;
}
