#include "tenferro/experiments/parity/compare.h"

#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace tenferro::parity {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
using Complex = std::complex<double>;

template <class T>
Tensor Vector(const std::vector<T>& elements) {
  return *Tensor::FromColMajor<T>({static_cast<int64_t>(elements.size())}, elements);
}

template <class T>
std::string Difference(const std::vector<T>& got, const std::vector<T>& want, Rule rule, double rtol, double atol = 0) {
  return std::string(Compare(Vector(got), {"y", Vector(want), rule, rtol, atol}).message());
}

bool Equal(const std::vector<double>& got, const std::vector<double>& want, Rule rule, double rtol, double atol = 0) {
  return Difference(got, want, rule, rtol, atol).empty();
}

TEST(Compare, ExactWantsEveryBit) {
  EXPECT_TRUE(Equal({1, -0.0, NAN, kInfinity}, {1, -0.0, -NAN, kInfinity}, Rule::kExact, 0));
  EXPECT_FALSE(Equal({0.0}, {-0.0}, Rule::kExact, 0));
  EXPECT_FALSE(Equal({1}, {1 + 2.3e-16}, Rule::kExact, 0));
  EXPECT_FALSE(Equal({1}, {NAN}, Rule::kExact, 0));
  EXPECT_EQ(Difference<int32_t>({1, 2}, {1, 3}, Rule::kExact, 0),
            "y: 1 of 2 elements differ, the worst at [1]: got 2, want 3 in every bit");
  EXPECT_EQ(Difference<Complex>({{0, 1}}, {{-0.0, 1}}, Rule::kExact, 0),
            "y: 1 of 1 elements differ, the worst at [0]: got (0,1), want (-0,1) in every bit");
}

TEST(Compare, ElementwiseBoundsEachElementByItsOwnSize) {
  EXPECT_TRUE(Equal({1000.5, 1e-3}, {1000, 1e-3}, Rule::kElementwise, 1e-3));
  EXPECT_FALSE(Equal({1000.5, 1.1e-3}, {1000, 1e-3}, Rule::kElementwise, 1e-3));
  EXPECT_TRUE(Equal({1000.5, 1.1e-3}, {1000, 1e-3}, Rule::kElementwise, 1e-3, 2e-4));
  EXPECT_TRUE(Equal({0.0}, {-0.0}, Rule::kElementwise, 0));
}

TEST(Compare, ScaleBoundsAllByTheLargest) {
  EXPECT_TRUE(Equal({1000, 0.9}, {1000, 0}, Rule::kScale, 1e-3));
  EXPECT_FALSE(Equal({1000, 1.1}, {1000, 0}, Rule::kScale, 1e-3));
  EXPECT_TRUE(Equal({1e-5 + 9e-4}, {1e-5}, Rule::kScale, 1e-3));  // at least 1
  EXPECT_FALSE(Equal({1e-5 + 1.1e-3}, {1e-5}, Rule::kScale, 1e-3));
  EXPECT_EQ(Difference<double>({1, 2.5, 3.5}, {1, 2, 3.25}, Rule::kScale, 0),
            "y: 2 of 3 elements differ, the worst at [1]: got 2.5, want 2 within 0, off by 0.5");
}

TEST(Compare, WhatIsNotFiniteMustBeTheSame) {
  for (Rule rule : {Rule::kElementwise, Rule::kScale}) {
    EXPECT_TRUE(Equal({NAN, kInfinity, 1}, {NAN, kInfinity, 1}, rule, 1e-3));
    EXPECT_FALSE(Equal({kInfinity}, {-kInfinity}, rule, 1e-3));
    EXPECT_FALSE(Equal({1e300}, {kInfinity}, rule, 1e-3));
    EXPECT_FALSE(Equal({kInfinity}, {1}, rule, 1e-3));
    EXPECT_FALSE(Equal({NAN, 1}, {1, NAN}, rule, 1e-3));
    EXPECT_FALSE(Equal({kInfinity, 1.5}, {kInfinity, 1}, rule, 1e-3));  // infinity is no scale
  }
}

TEST(Compare, ComplexUsesTheModulus) {
  EXPECT_EQ(Difference<Complex>({{300, 400.4}}, {{300, 400}}, Rule::kElementwise, 1e-3), "");
  EXPECT_NE(Difference<Complex>({{300, 400.6}}, {{300, 400}}, Rule::kElementwise, 1e-3), "");
  EXPECT_EQ(Difference<Complex>({{NAN, 1}}, {{NAN, 1}}, Rule::kElementwise, 1e-3), "");
  EXPECT_NE(Difference<Complex>({{NAN, 1}}, {{1, NAN}}, Rule::kElementwise, 1e-3), "");
}

TEST(Compare, TypesMustAgree) {
  EXPECT_EQ(Compare(Vector<float>({1}), {"y", Vector<double>({1}), Rule::kScale, 1, 1}).message(),
            "y: got f32[1], want f64[1]");
  EXPECT_EQ(Compare(Vector<double>({1, 2}), {"y", Vector<double>({1}), Rule::kScale, 1, 1}).message(),
            "y: got f64[2], want f64[1]");
}

TEST(Compare, FollowsStrides) {
  const Tensor matrix = *Tensor::FromColMajor<double>({2, 2}, {1, 2, 3, 4});
  const Tensor turned = *Tensor::FromColMajor<double>({2, 2}, {1, 3, 2, 4});
  EXPECT_TRUE(Compare(*turned.Transpose({1, 0}), {"y", matrix, Rule::kExact, 0, 0}).ok());
  EXPECT_EQ(Compare(turned, {"y", matrix, Rule::kExact, 0, 0}).message(),
            "y: 2 of 4 elements differ, the worst at [1,0]: got 3, want 2 in every bit");
}

}  // namespace
}  // namespace tenferro::parity
