// Derivatives of values that LAPACK computed.
#include "gtest/gtest.h"
#include "tenferro/ad/check_grads.h"
#include "tenferro/linalg/cholesky.h"
#include "tenferro/linalg/eig.h"
#include "tenferro/linalg/eigh.h"
#include "tenferro/linalg/incremental_qr.h"
#include "tenferro/linalg/lapack/for_tests.h"
#include "tenferro/linalg/lu.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/qr.h"
#include "tenferro/linalg/solve.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"

namespace tenferro::linalg::lapack {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

struct Case {
  const char* name;
  TracedFunction function;
};

std::vector<Case> Cases() {
  return {
      {"svd",
       [](In x) -> Out {
         const SvdResult f = Svd(x[0], {.gauge = Gauge::kPivot});
         return {f.u, f.s, f.vh, SvdVals(x[0])};
       }},
      {"eigh",
       [](In x) -> Out {
         const EighResult f = Eigh(x[0], {.gauge = Gauge::kPivot});
         return {f.values, f.vectors, Eigvalsh(x[0]), GeneralizedEigh(x[0], Matmul(x[0], Adjoint(x[0]))).values};
       }},
      {"eig",
       [](In x) -> Out {
         const EigResult f = Eig(x[0], {.gauge = Gauge::kPivot});
         return {f.values, f.vectors};
       }},
      {"factors",
       [](In x) -> Out {
         const LuResult lu = Lu(x[0]);
         const QrResult qr = Qr(x[0]);
         return {lu.l, lu.u, qr.q, qr.r, Cholesky(Matmul(x[0], Adjoint(x[0])))};
       }},
      {"solutions",
       [](In x) -> Out {
         return {Solve(x[0], x[0] * x[0]), Inv(x[0]), Det(x[0]), IncrementalQr(x[0]).Solve(x[0] * x[0])};
       }},
  };
}

class DerivativeTest : public testing::TestWithParam<std::tuple<Case, DType>> {};

TEST_P(DerivativeTest, AgreesWithDifferencesToSecondOrder) {
  const auto& [c, dtype] = GetParam();
  std::vector<std::complex<double>> numbers;
  for (int p = 0; p < 9; ++p) {
    numbers.emplace_back(0.5 * std::sin(1.7 * p + 0.3) + (p % 4 == 0 ? 2 + p : 0), 0.4 * std::cos(2.3 * p));
  }
  const absl::Status status = ad::CheckGrads(CpuEngine::Serial(), c.function, {FromNumbers(dtype, {3, 3}, numbers)},
                                             {.order = 2, .tolerance = 1e-6, .dot_tolerance = 1e-10});
  EXPECT_TRUE(status.ok()) << status;
}

INSTANTIATE_TEST_SUITE_P(All, DerivativeTest,
                         testing::Combine(testing::ValuesIn(Cases()), testing::Values(DType::kF64, DType::kC128)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) + "_" + Name(std::get<1>(info.param));
                         });

}  // namespace
}  // namespace tenferro::linalg::lapack
