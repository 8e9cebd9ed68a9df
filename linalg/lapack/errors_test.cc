// What is refused is refused in the words of "//linalg:cpu".
#include <limits>
#include <string>

#include "gtest/gtest.h"
#include "tenferro/linalg/cholesky.h"
#include "tenferro/linalg/eig.h"
#include "tenferro/linalg/eigh.h"
#include "tenferro/linalg/incremental_qr.h"
#include "tenferro/linalg/lapack/for_tests.h"
#include "tenferro/linalg/lu.h"
#include "tenferro/linalg/qr.h"
#include "tenferro/linalg/solve.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/linalg/triangular_solve.h"

namespace tenferro::linalg::lapack {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

// Three 3 × 3 matrices, regular and positive definite, with element `place` of all replaced.
Tensor Matrices(DType dtype, int64_t place = -1, double value = std::numeric_limits<double>::quiet_NaN()) {
  std::vector<std::complex<double>> numbers;
  for (int64_t p = 0; p < 27; ++p) numbers.emplace_back(p % 9 % 4 == 0 ? 5 + p / 9 : 1);
  if (place >= 0) numbers[static_cast<size_t>(place)] = value;
  return FromNumbers(dtype, {3, 3, 3}, numbers);
}

class ErrorsTest : public testing::TestWithParam<DType> {
 protected:
  // The error that both give.
  std::string Error(const TracedFunction& function, const std::vector<Tensor>& arguments) {
    const absl::Status theirs = RunFunction(CpuEngine::WithThreads(2), function, arguments).status();
    const WithoutLapack without;
    const absl::Status ours = RunFunction(CpuEngine::Serial(), function, arguments).status();
    EXPECT_EQ(theirs, ours);
    EXPECT_FALSE(ours.ok());
    return std::string(theirs.message());
  }
  // The function refuses a NaN in element 16 of its only operand, in matrix 1 of the batch.
  void ExpectNotFinite(const TracedFunction& function) {
    EXPECT_NE(Error(function, {Matrices(GetParam(), 14)})
                  .find("the matrix has an element that is not finite (matrix 1 "
                        "of the batch)"),
              std::string::npos);
  }
};

TEST_P(ErrorsTest, AnElementThatIsNotFinite) {
  ExpectNotFinite([](In x) -> Out { return {Svd(x[0]).u}; });
  ExpectNotFinite([](In x) -> Out { return {Svd(x[0], {.full = true}).u}; });
  ExpectNotFinite([](In x) -> Out { return {SvdVals(x[0])}; });
  ExpectNotFinite([](In x) -> Out { return {Eigh(x[0]).vectors}; });
  ExpectNotFinite([](In x) -> Out { return {Eigvalsh(x[0])}; });
  ExpectNotFinite([](In x) -> Out { return {GeneralizedEigh(x[0], x[0]).values}; });
  ExpectNotFinite([](In x) -> Out { return {Eig(x[0]).values}; });
  ExpectNotFinite([](In x) -> Out { return {Eigvals(x[0])}; });
  ExpectNotFinite([](In x) -> Out { return {Schur(x[0]).t}; });
  ExpectNotFinite([](In x) -> Out { return {Cholesky(x[0])}; });
  ExpectNotFinite([](In x) -> Out { return {Lu(x[0]).l}; });
  ExpectNotFinite([](In x) -> Out { return {Qr(x[0]).q}; });
  ExpectNotFinite([](In x) -> Out { return {RankRevealingQr(x[0]).q}; });
  ExpectNotFinite([](In x) -> Out { return {IncrementalQr(x[0]).Q()}; });
  ExpectNotFinite([](In x) -> Out { return {TriangularSolve(x[0], x[0], {.lower = true})}; });
  const Tensor good = Matrices(GetParam()), bad = Matrices(GetParam(), 14);
  const std::string place = "the right-hand side has an element that is not finite (matrix 1 of the batch)";
  const auto triangular = [](In x) -> Out { return {TriangularSolve(x[0], x[1])}; };
  EXPECT_NE(Error(triangular, {good, bad}).find(place), std::string::npos);
  const auto solve = [](In x) -> Out { return {Solve(x[0], x[1])}; };
  EXPECT_NE(Error(solve, {good, bad}).find(place), std::string::npos);
  const auto incremental = [](In x) -> Out { return {IncrementalQr(x[0]).Solve(x[1])}; };
  EXPECT_NE(Error(incremental, {good, bad}).find(place), std::string::npos);
}

TEST_P(ErrorsTest, WhatIsNotReadMayBeAnything) {
  // Element 12 stands above the diagonal of matrix 1.
  const auto lower = [](In x) -> Out {
    return {Cholesky(x[0]), Eigvalsh(x[0]), Eigh(x[0]).values, GeneralizedEigh(x[0], x[0]).values,
            TriangularSolve(x[0], x[1], {.lower = true})};
  };
  const absl::StatusOr<std::vector<Tensor>> out =
      RunFunction(CpuEngine::Serial(), lower, {Matrices(GetParam(), 12), Matrices(GetParam())});
  ASSERT_TRUE(out.ok()) << out.status();
  for (const Tensor& result : *out) {
    for (const std::complex<double>& x : Numbers(result)) EXPECT_TRUE(std::isfinite(std::abs(x)));
  }
}

TEST_P(ErrorsTest, NotPositiveDefinite) {
  const Tensor good = Matrices(GetParam()), bad = Matrices(GetParam(), 22, -1);
  const std::string cholesky = Error([](In x) -> Out { return {Cholesky(x[0])}; }, {bad});
  EXPECT_NE(cholesky.find("the matrix is not positive definite: its leading minor of order 2 is not positive (matrix 2 "
                          "of the batch)"),
            std::string::npos);
  const std::string eigh = Error([](In x) -> Out { return {GeneralizedEigh(x[0], x[1]).values}; }, {good, bad});
  EXPECT_NE(eigh.find("b is not positive definite (matrix 2 of the batch)"), std::string::npos);
}

TEST_P(ErrorsTest, Singular) {
  // Element 13 stands at (1, 1) of matrix 1.
  const auto triangular = [](In x) -> Out { return {TriangularSolve(x[0], x[1], {.transpose = true})}; };
  const std::string place =
      "the matrix is singular: element 1 of the triangle's diagonal is zero (matrix 1 of the batch)";
  EXPECT_NE(Error(triangular, {Matrices(GetParam(), 13, 0), Matrices(GetParam())}).find(place), std::string::npos);
  std::vector<std::complex<double>> numbers(27, 1);
  const auto solve = [](In x) -> Out { return {Solve(x[0], x[0])}; };
  EXPECT_NE(Error(solve, {FromNumbers(GetParam(), {3, 3, 3}, numbers)}).find("(matrix 0 of the batch)"),
            std::string::npos);
  const auto incremental = [](In x) -> Out { return {IncrementalQr(x[0]).Solve(x[0])}; };
  EXPECT_NE(Error(incremental, {FromNumbers(GetParam(), {3, 3, 3}, std::vector<std::complex<double>>(27))})
                .find("element 0 of the triangle's diagonal is zero"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(DTypes, ErrorsTest, testing::Values(DType::kF32, DType::kF64, DType::kC64, DType::kC128),
                         [](const auto& info) { return Name(info.param); });

}  // namespace
}  // namespace tenferro::linalg::lapack
