#include "tenferro/experiments/vector_comparison.h"

#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tenferro/experiments/file.h"
#include "tenferro/tensor/npy.h"

namespace tenferro {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Tensor Vector(const std::vector<double>& numbers) {
  return *Tensor::FromColMajor<double>({static_cast<int64_t>(numbers.size())}, numbers);
}

TEST(CompareVectors, SaysEverythingInOneLine) {
  const auto result = CompareVectors(Vector({1, -4, 0}), Vector({1, -3.5, -0.0}), 0.125);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->ToString(), "n=3 max|ref|=4 max|diff|=0.5 at 1 (-4 vs -3.5) bitwise equal 1/3 bound=0.5 OK");
  EXPECT_EQ(CompareVectors(Vector({1, -4}), Vector({1, -3.5}), 0.1)->ToString(),
            "n=2 max|ref|=4 max|diff|=0.5 at 1 (-4 vs -3.5) bitwise equal 1/2 bound=0.40000000000000002 MISMATCH");
}

TEST(CompareVectors, TheBoundIsAtLeastTheTolerance) {
  EXPECT_TRUE(CompareVectors(Vector({0.001}), Vector({0.101}), 0.1)->within);
  EXPECT_FALSE(CompareVectors(Vector({0.001}), Vector({0.102}), 0.1)->within);
}

TEST(CompareVectors, NamesTheElementOfAMatrix) {
  const Tensor a = *Tensor::FromColMajor<double>({2, 3}, {0, 1, 2, 3, 4, 5});
  const Tensor b = *Tensor::FromColMajor<double>({2, 3}, {0, 1, 2, 3, 4, 6});
  EXPECT_EQ(CompareVectors(a, b, 0)->worst_index, "[1,2]");
}

TEST(CompareVectors, NonFiniteNumbers) {
  const Tensor special = Vector({kNaN, kInfinity, -kInfinity, 1});
  EXPECT_EQ(CompareVectors(special, special, 0)->ToString(),
            "n=4 max|ref|=1 max|diff|=0 at 0 (nan vs nan) bitwise equal 4/4 bound=0 OK");
  EXPECT_EQ(CompareVectors(Vector({1, kNaN}), Vector({1, 2}), 1).status().message(),
            "a NaN stands against a number at 1: nan and 2");
  EXPECT_FALSE(CompareVectors(Vector({1, 2}), Vector({1, kNaN}), 1).ok());
  for (double other : {1.0, -kInfinity}) {
    EXPECT_EQ(CompareVectors(Vector({kInfinity, 5}), Vector({other, 5}), 1)->max_difference, kInfinity);
    EXPECT_FALSE(CompareVectors(Vector({kInfinity, 5}), Vector({other, 5}), 1)->within);
  }
}

TEST(CompareVectors, ShapesMustAgree) {
  EXPECT_EQ(CompareVectors(Vector({1, 2}), Vector({1}), 1).status().message(), "shapes differ: [2] and [1]");
  EXPECT_EQ(CompareVectors(Vector({}), Vector({}), 1).status().message(), "nothing to compare");
}

std::string Written(const std::string& name, const std::string& contents) {
  const std::string path = testing::TempDir() + "/" + name;
  EXPECT_TRUE(WriteFile(path, contents).ok());
  return path;
}

TEST(ReadNumbers, ReadsText) {
  const auto numbers = ReadNumbers(Written("a.txt", "1e-3\n-2 nan\t inf\r\n4.5\n"));
  ASSERT_TRUE(numbers.ok()) << numbers.status();
  EXPECT_EQ(CompareVectors(*numbers, Vector({1e-3, -2, kNaN, kInfinity, 4.5}), 0)->max_difference, 0);
  EXPECT_EQ(ReadNumbers(Written("b.txt", "1\n2x\n")).status().message(),
            testing::TempDir() + "/b.txt: '2x' is no number");
  EXPECT_EQ(ReadNumbers(Written("c.txt", "\n")).status().message(), testing::TempDir() + "/c.txt: no numbers");
  EXPECT_EQ(ReadNumbers("nonexistent").status().message(), "cannot read nonexistent");
}

TEST(ReadNumbers, ReadsNpy) {
  const std::string path = testing::TempDir() + "/a.npy";
  ASSERT_TRUE(WriteNpy(path, *Tensor::FromColMajor<float>({2, 1}, {0.5f, -3})).ok());
  EXPECT_EQ(CompareVectors(*ReadNumbers(path), *Tensor::FromColMajor<double>({2, 1}, {0.5, -3}), 0)->max_difference, 0);
  ASSERT_TRUE(WriteNpy(path, *Tensor::FromColMajor<std::complex<double>>({2}, {{1, 2}, {3, 4}})).ok());
  EXPECT_EQ(CompareVectors(*ReadNumbers(path), *Tensor::FromColMajor<double>({2, 2}, {1, 2, 3, 4}), 0)->max_difference,
            0);
  EXPECT_FALSE(ReadNumbers(Written("b.npy", "1 2 3")).ok());
}

}  // namespace
}  // namespace tenferro
