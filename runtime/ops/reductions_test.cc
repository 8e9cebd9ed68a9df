#include "tenferro/runtime/ops/reductions.h"

#include <cmath>
#include <complex>
#include <limits>

#include "gtest/gtest.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/numbers_for_tests.h"

namespace tenferro {
namespace {

using Doubles = std::vector<double>;
using Floats = std::vector<float>;
using Complex = std::complex<double>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

std::string Here(const char* rest, Location location = Location::current()) {
  return "reductions_test.cc:" + std::to_string(location.line()) + ": " + rest;
}

Var Matrix() { return Now<double>({2, 3}, {1, 2, 3, 4, 5, 6}); }

TEST(Reductions, SumsOfSquares) {
  EXPECT_EQ(Values<double>(ReduceSumSquares(Matrix())), (Doubles{91}));
  EXPECT_EQ(Values<double>(ReduceSumSquares(Matrix(), {0})), (Doubles{5, 25, 61}));
  const Var z = Now<Complex>({{3, 4}, {0, 1}});
  EXPECT_EQ(ReduceSumSquares(z).type().ToString(), "f64[]");
  EXPECT_EQ(Values<double>(ReduceSumSquares(z)), (Doubles{26}));
  EXPECT_EQ(Values<uint8_t>(ReduceSumSquares(Now<uint8_t>({16, 3}))), (std::vector<uint8_t>{9}));
}

TEST(Reductions, KeepTheAxes) {
  const Var x = Matrix();
  EXPECT_EQ(Mean(x, {1}, KeepDims::kYes).type().ToString(), "f64[2,1]");
  EXPECT_EQ(Mean(x, KeepDims::kYes).type().ToString(), "f64[1,1]");
  EXPECT_EQ(Variance(x, {0}, {.keep = KeepDims::kYes}).type().ToString(), "f64[1,3]");
  EXPECT_EQ(StandardDeviation(x, VarianceOptions{.keep = KeepDims::kYes}).type().ToString(), "f64[1,1]");
  EXPECT_EQ(Norm(x, {0}, {.keep = KeepDims::kYes, .order = 1}).type().ToString(), "f64[1,3]");
  EXPECT_EQ(Any(x, {0}, KeepDims::kYes).type().ToString(), "bool[1,3]");
  EXPECT_EQ(All(x, KeepDims::kYes).type().ToString(), "bool[1,1]");
  EXPECT_EQ(LogSumExp(x, {0, 1}, KeepDims::kYes).type().ToString(), "f64[1,1]");
  EXPECT_EQ(ReduceSumSquares(x, {1}, KeepDims::kYes).type().ToString(), "f64[2,1]");
  EXPECT_EQ(Values<double>(x - Mean(x, {1}, KeepDims::kYes)), (Doubles{-2, -2, 0, 0, 2, 2}));
}

TEST(Reductions, Means) {
  EXPECT_EQ(Values<double>(Mean(Matrix(), {0})), (Doubles{1.5, 3.5, 5.5}));
  EXPECT_EQ(Values<Complex>(Mean(Now<Complex>({{1, 2}, {3, 6}}))), (std::vector<Complex>{{2, 4}}));
  EXPECT_TRUE(std::isnan(Values<double>(Mean(Now<double>(Doubles{})))[0]));
}

TEST(Reductions, Variances) {
  EXPECT_EQ(Values<double>(Variance(Matrix(), {1})), (Doubles{8.0 / 3, 8.0 / 3}));
  EXPECT_EQ(Values<double>(Variance(Matrix(), {1}, {.ddof = 1})), (Doubles{4, 4}));
  EXPECT_EQ(Values<double>(Variance(Now<Complex>({{1, 2}, {3, 6}}))), (Doubles{5}));
  // In one pass the squares would drown the difference.
  EXPECT_EQ(Values<double>(Variance(Now<double>({1e9, 1e9 + 2}))), (Doubles{1}));
  EXPECT_TRUE(std::isnan(Values<double>(Variance(Now<double>({3}), VarianceOptions{.ddof = 1}))[0]));
  EXPECT_TRUE(std::isnan(Values<double>(Variance(Now<double>({3}), VarianceOptions{.ddof = 2}))[0]));
  EXPECT_EQ(Values<double>(StandardDeviation(Matrix(), {0})), (Doubles{0.5, 0.5, 0.5}));
  EXPECT_DOUBLE_EQ(Values<double>(StandardDeviation(Now<double>({-3e200, 3e200})))[0], 3e200);
  EXPECT_EQ(Values<double>(StandardDeviation(Now<double>({7, 7, 7}))), (Doubles{0}));
}

TEST(Reductions, Norms) {
  const Var x = Now<double>({2, 2}, {3, -4, 0, -2});
  EXPECT_EQ(Values<double>(Norm(x, {0})), (Doubles{5, 2}));
  EXPECT_EQ(Values<double>(Norm(x)), (Doubles{std::sqrt(29.0)}));
  EXPECT_EQ(Values<double>(Norm(x, {0}, {.order = 1})), (Doubles{7, 2}));
  EXPECT_EQ(Values<double>(Norm(x, {1}, {.order = kInfinity})), (Doubles{3, 4}));
  EXPECT_NEAR(Values<double>(Norm(x, {0}, {.order = 3}))[0], std::cbrt(91.0), 4e-15);
  EXPECT_NEAR(Values<double>(Norm(x, {0}, {.order = 0.5}))[0], 7 + 2 * std::sqrt(12.0), 4e-14);
  EXPECT_EQ(Values<double>(Norm(Now<Complex>({{3, 4}, {0, 12}}))), (Doubles{13}));
  EXPECT_EQ(Values<double>(Norm(Now<Complex>({{3, 4}, {0, 12}}), NormOptions{.order = 1})), (Doubles{17}));
  for (double order : {0.5, 1.0, 2.0, 3.0, kInfinity}) {
    EXPECT_EQ(Values<double>(Norm(Now<double>({0, 0}), NormOptions{.order = order})), (Doubles{0})) << order;
    EXPECT_EQ(Values<double>(Norm(Now<double>(Doubles{}), NormOptions{.order = order})), (Doubles{0})) << order;
    EXPECT_EQ(Values<double>(Norm(Now<double>({1, -kInfinity}), NormOptions{.order = order})), (Doubles{kInfinity}))
        << order;
    EXPECT_TRUE(std::isnan(Values<double>(Norm(Now<double>({1, kNan}), NormOptions{.order = order}))[0])) << order;
  }
}

TEST(Reductions, NormsNeitherOverflowNorVanish) {
  EXPECT_EQ(Values<double>(Norm(Now<double>({3e300, 4e300}))), (Doubles{5e300}));
  EXPECT_EQ(Values<double>(Norm(Now<double>({3 * kTiny, 4 * kTiny}))), (Doubles{5 * kTiny}));
  EXPECT_EQ(Values<double>(Norm(Now<double>({0x1p1023}))), (Doubles{0x1p1023}));
  EXPECT_EQ(Values<double>(Norm(Now<double>({3e-310, 4e-310, 1e-320}))), (Doubles{5e-310}));
  EXPECT_EQ(Values<float>(Norm(Now<float>({0x1.8p126f, 0x1p127f}))), (Floats{0x1.4p127f}));
  EXPECT_EQ(Values<float>(Norm(Now<float>({0x1.8p-140f, 0x1p-139f}))), (Floats{0x1.4p-139f}));
  EXPECT_EQ(Values<double>(Norm(Now<Complex>({{3e300, 0}, {0, -4e300}}))), (Doubles{5e300}));
  EXPECT_EQ(Values<double>(Norm(Now<double>({2e300, 0}), NormOptions{.order = 7})), (Doubles{2e300}));
  EXPECT_EQ(Values<double>(Norm(Now<double>({2e-300, 0}), NormOptions{.order = 5000})), (Doubles{2e-300}));
}

TEST(Reductions, Truth) {
  const Var x = Now<double>({2, 2}, {0, kNan, 0, -0.0});
  EXPECT_EQ(Values<bool>(Any(x, {0})), (std::vector<bool>{true, false}));
  EXPECT_EQ(Values<bool>(All(x, {1})), (std::vector<bool>{false, false}));
  EXPECT_EQ(Values<bool>(All(Now<Complex>({{0, 1}, {2, 0}}))), (std::vector<bool>{true}));
  EXPECT_EQ(Values<bool>(Any(Now<bool>(std::vector<bool>{}))), (std::vector<bool>{false}));
  EXPECT_EQ(Values<bool>(All(Now<int32_t>(std::vector<int32_t>{}))), (std::vector<bool>{true}));
}

TEST(Reductions, LogSumsOfExponentials) {
  EXPECT_NEAR(Values<double>(LogSumExp(Now<double>({0, 0, 0})))[0], std::log(3.0), 3e-16);
  EXPECT_EQ(Values<double>(LogSumExp(Now<double>({1e300, -1e300}))), (Doubles{1e300}));
  EXPECT_EQ(Values<double>(LogSumExp(Now<double>({-1e300, -1e300}))), (Doubles{-1e300}));
  EXPECT_EQ(Values<double>(LogSumExp(Now<double>({-kInfinity, 7}))), (Doubles{7}));
  EXPECT_EQ(Values<double>(LogSumExp(Now<double>({2, 2}, {-kInfinity, -kInfinity, kInfinity, 7}), {0})),
            (Doubles{-kInfinity, kInfinity}));
  EXPECT_EQ(Values<double>(LogSumExp(Now<double>(Doubles{}))), (Doubles{-kInfinity}));
  EXPECT_TRUE(std::isnan(Values<double>(LogSumExp(Now<double>({kNan, 7})))[0]));
  EXPECT_EQ(Values<float>(LogSumExp(Now<float>({1000, 0}))), (Floats{1000}));
  const Complex z = Values<Complex>(LogSumExp(Now<Complex>({{800, 0.5}, {799, -2}})))[0];
  const Complex expected = 800.0 + std::log(std::exp(Complex(0, 0.5)) + std::exp(Complex(-1, -2)));
  EXPECT_LT(std::abs(z - expected), 1e-12);
}

TEST(Reductions, ErrorsNameTheFunctionAndLine) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2, 3}), i = graph.Input(DType::kI32, {2});
  EXPECT_EQ(Message(Mean(x, {2})), Here("mean: axis 2 does not exist in rank 2"));
  EXPECT_EQ(Message(Mean(i)), Here("mean: does not take i32"));
  EXPECT_EQ(Message(Variance(x, {1, 1})), Here("variance: axis 1 stands twice"));
  EXPECT_EQ(Message(StandardDeviation(x, {-1})), Here("standard_deviation: axis -1 does not exist in rank 2"));
  EXPECT_EQ(Message(Norm(x, NormOptions{.order = 0})), Here("norm: the order must be above 0, got 0"));
  EXPECT_EQ(Message(Norm(x, {0}, {.order = kNan})), Here("norm: the order must be above 0, got nan"));
  EXPECT_EQ(Message(Norm(i)), Here("norm: does not take i32"));
  const Var single = graph.Input(DType::kF32, {2});
  EXPECT_EQ(Message(Norm(single, {0}, {.order = 1e300})), Here("norm: the order 1e+300 is out of range for f32"));
  EXPECT_EQ(Message(Norm(single, {0}, {.order = 1e-300})), Here("norm: the order 1e-300 is out of range for f32"));
  EXPECT_EQ(Message(Any(x, {5})), Here("any: axis 5 does not exist in rank 2"));
  EXPECT_EQ(Message(All(x, {5})), Here("all: axis 5 does not exist in rank 2"));
  EXPECT_EQ(Message(LogSumExp(i)), Here("log_sum_exp: does not take i32"));
  EXPECT_EQ(Message(ReduceSumSquares(Eq(x, x))), Here("reduce_sum_squares: does not take bool"));
  EXPECT_EQ(Message(Mean(2.0)), Here("mean: a number alone has no dtype and no graph: make it a constant of a graph"));
}

TEST(Reductions, SameBitsAtEveryWidth) {
  std::vector<double> x(300 * 200 * 5);
  for (size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<double>(i)) * 3;
  ExpectSameAtEveryWidth(
      [](absl::Span<const Var> in) -> std::vector<Var> {
        std::vector<Var> all;
        for (const Ints& axes : {Ints{0}, Ints{1, 2}, Ints{0, 1, 2}}) {
          all.insert(all.end(), {Mean(in[0], axes), Variance(in[0], axes), StandardDeviation(in[0], axes),
                                 Norm(in[0], axes), Norm(in[0], axes, {.order = 3}), LogSumExp(in[0], axes),
                                 ReduceSumSquares(in[0], axes), Any(Gt(in[0], 2.9), axes)});
        }
        return all;
      },
      {*Tensor::FromColMajor<double>({300, 200, 5}, x)});
}

}  // namespace
}  // namespace tenferro
