#include "tenferro/experiments/ising/results.h"

#include <cstdio>
#include <string>

#include "gtest/gtest.h"
#include "tenferro/experiments/file.h"

namespace tenferro {
namespace {

const IsingResult kResult = {0.44, 0.1, -1.0 / 3, {0.5, 2, 9}, 13.25, 1e-300};

TEST(IsingResults, HeaderAndSeventeenDigits) {
  EXPECT_EQ(ToCsv({kResult}),
            "beta,lnz,dlnz,lnz_exact,dlnz_exact,value_ms,value_and_grad_ms\n"
            "0.44,0.10000000000000001,-0.33333333333333331,0.5,2,13.25,1e-300\n");
}

TEST(IsingResults, NumbersReadBackAsTheyWere) {
  const std::string csv = ToCsv({kResult});
  double got[7];
  ASSERT_EQ(std::sscanf(csv.substr(csv.find('\n') + 1).c_str(), "%lf,%lf,%lf,%lf,%lf,%lf,%lf", &got[0], &got[1],
                        &got[2], &got[3], &got[4], &got[5], &got[6]),
            7);
  EXPECT_EQ(got[0], kResult.beta);
  EXPECT_EQ(got[2], kResult.dlnz);
  EXPECT_EQ(got[6], kResult.value_and_grad_ms);
}

TEST(IsingResults, WritesAFile) {
  const std::string path = testing::TempDir() + "/results.csv";
  ASSERT_TRUE(WriteCsv(path, {kResult, kResult}).ok());
  const absl::StatusOr<std::string> contents = ReadFile(path);
  ASSERT_TRUE(contents.ok()) << contents.status();
  EXPECT_EQ(*contents, ToCsv({kResult, kResult}));
  EXPECT_EQ(WriteCsv("/nonexistent/a.csv", {kResult}).message(), "cannot write /nonexistent/a.csv");
}

}  // namespace
}  // namespace tenferro
