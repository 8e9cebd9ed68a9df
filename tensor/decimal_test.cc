#include "tenferro/tensor/decimal.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace tenferro {
namespace {

constexpr FractionDigits kAll;
constexpr FractionDigits kEight = {0, 8};

std::string Positional(double value, bool single = false, FractionDigits digits = kAll) {
  const DecimalText text = PositionalText(value, single, false, digits);
  EXPECT_EQ(text.exponent, "");
  return text.whole + "." + text.fraction;
}

std::string Scientific(double value, bool single = false, FractionDigits digits = kAll) {
  const DecimalText text = ScientificText(value, single, false, digits);
  return text.whole + "." + text.fraction + "e" + text.exponent;
}

TEST(PositionalTextTest, FewestDigitsThatReadBack) {
  EXPECT_EQ(Positional(0), "0.");
  EXPECT_EQ(Positional(-0.0), "-0.");
  EXPECT_EQ(Positional(0.1), "0.1");
  EXPECT_EQ(Positional(0.1f, true), "0.1");
  EXPECT_EQ(Positional(0.1f, false), "0.10000000149011612");
  EXPECT_EQ(Positional(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(Positional(-123.456), "-123.456");
  EXPECT_EQ(Positional(0.00012), "0.00012");
  EXPECT_EQ(Positional(9007199254740993), "9007199254740992.");
  EXPECT_EQ(Positional(123456789, true), "123456790.");
  EXPECT_EQ(Positional(1e23), "100000000000000000000000.");
}

TEST(PositionalTextTest, CutDigitsRoundTheExactValue) {
  EXPECT_EQ(Positional(1.0 / 3, false, kEight), "0.33333333");
  EXPECT_EQ(Positional(2.0 / 3, false, kEight), "0.66666667");
  EXPECT_EQ(Positional(0.999999999, false, kEight), "1.");
  EXPECT_EQ(Positional(99.999999999, false, kEight), "100.");
  EXPECT_EQ(Positional(0.001953125, false, kEight), "0.00195312");
  EXPECT_EQ(Positional(1e-9, false, kEight), "0.");
  EXPECT_EQ(Positional(6e-9, false, kEight), "0.00000001");
}

TEST(PositionalTextTest, AtLeastSoManyDigits) {
  EXPECT_EQ(Positional(2, false, {1, 8}), "2.0");
  EXPECT_EQ(Positional(2.5, false, {3, 8}), "2.500");
}

TEST(ScientificTextTest, FewestDigitsThatReadBack) {
  EXPECT_EQ(Scientific(0), "0.e+00");
  EXPECT_EQ(Scientific(1e22), "1.e+22");
  EXPECT_EQ(Scientific(1.5e-7), "1.5e-07");
  EXPECT_EQ(Scientific(std::numeric_limits<double>::denorm_min()), "5.e-324");
  EXPECT_EQ(Scientific(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
  EXPECT_EQ(Scientific(std::numeric_limits<float>::max(), true), "3.4028235e+38");
  EXPECT_EQ(Scientific(std::numeric_limits<float>::denorm_min(), true), "1.e-45");
}

// Seventeen digits, or the nearest of the sixteen, would miss that the decimal above is as good.
TEST(ScientificTextTest, PowersOfTwoHaveTheirNeighboursAtUnequalDistances) {
  EXPECT_EQ(Scientific(std::ldexp(1.0, -44)), "5.684341886080802e-14");
  EXPECT_EQ(Scientific(std::ldexp(1.0, -1022)), "2.2250738585072014e-308");
}

TEST(ScientificTextTest, CutAndAddedDigitsAreThoseOfTheExactValue) {
  EXPECT_EQ(Scientific(2.0 / 3, false, kEight), "6.66666667e-01");
  EXPECT_EQ(Scientific(9.9999999999, false, kEight), "1.e+01");
  EXPECT_EQ(Scientific(0.1f, true, {8, 8}), "1.00000001e-01");
  EXPECT_EQ(Scientific(0.1, false, {3, 8}), "1.000e-01");
}

TEST(SignTest, PositiveNumbersHaveOneOnRequest) {
  EXPECT_EQ(PositionalText(1, false, true, kAll).whole, "+1");
  EXPECT_EQ(PositionalText(-1, false, true, kAll).whole, "-1");
  EXPECT_EQ(ScientificText(0, false, true, kAll).whole, "+0");
  EXPECT_EQ(ScientificText(-0.0, false, true, kAll).whole, "-0");
}

}  // namespace
}  // namespace tenferro
