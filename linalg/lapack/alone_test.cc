// A program without "//linalg:cpu".
#include "gtest/gtest.h"
#include "tenferro/linalg/cholesky.h"
#include "tenferro/linalg/eigh.h"
#include "tenferro/linalg/lapack/for_tests.h"
#include "tenferro/linalg/lu.h"
#include "tenferro/linalg/svd.h"

namespace tenferro::linalg::lapack {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

TEST(LapackAlone, RunsWhatItServes) {
  const Tensor a = FromNumbers(DType::kF64, {2, 2}, {2, 1, 1, 2});
  const auto function = [](In x) -> Out { return {Svd(x[0]).s, Eigvalsh(x[0]), Cholesky(x[0])}; };
  const absl::StatusOr<std::vector<Tensor>> out = RunFunction(CpuEngine::Serial(), function, {a});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_NEAR(Numbers((*out)[0])[0].real(), 3, 1e-14);
  EXPECT_NEAR(Numbers((*out)[1])[0].real(), 1, 1e-14);
  EXPECT_NEAR(Numbers((*out)[2])[0].real(), std::sqrt(2.0), 1e-14);
}

TEST(LapackAlone, NamesTheTargetOfWhatItDoesNot) {
  const Tensor a = FromNumbers(DType::kF64, {2, 2}, {2, 1, 1, 2});
  const absl::Status status =
      RunFunction(CpuEngine::Serial(), [](In x) -> Out { return {FullPivotLu(x[0]).u}; }, {a}).status();
  EXPECT_NE(status.message().find("linalg.full_pivot_lu: has no CPU kernel here: add \"//linalg:cpu\" to deps"),
            std::string::npos)
      << status;
}

}  // namespace
}  // namespace tenferro::linalg::lapack
