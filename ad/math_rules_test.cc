// Every derivative rule of the mathematical functions against differences and by the dot-product test, to second order,
// real and complex; and what the rules give where differences cannot look.
#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "tenferro/ad/check_grads.h"
#include "tenferro/ad/grad.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/function.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/math.h"
#include "tenferro/runtime/ops/source.h"

namespace tenferro {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;
using C = std::complex<double>;

struct Rule {
  const char* name;
  TracedFunction function;
  double low, high;  // of the inputs' real parts
  bool real = true, complex = true;
  int operands = 1;
  double imag = 0;  // of the inputs
};

template <Var (*kFunction)(const Arg&)>
Out Unary(In x) {
  return {kFunction(x[0])};
}
template <Var (*kFunction)(const Arg&, const Arg&)>
Out Binary(In x) {
  return {kFunction(x[0], x[1])};
}
template <int n>
Out Power(In x) {
  return {IntegerPow(x[0], n)};
}
template <int n>
Out PolygammaOf(In x) {
  return {Polygamma(n, x[0])};
}

const Rule kRules[] = {
    {"reciprocal", Unary<Reciprocal>, 0.5, 2},
    {"integer_pow_3", Power<3>, -1.5, 1.5},
    {"integer_pow_2", Power<2>, -1.5, 1.5},
    {"integer_pow_1", Power<1>, -1.5, 1.5},
    {"integer_pow_0", [](In x) -> Out { return {IntegerPow(x[0], 0) * x[0]}; }, -1.5, 1.5},
    {"integer_pow_minus_2", Power<-2>, 0.5, 2},
    {"exp2", Unary<Exp2>, -1.5, 1.5},
    {"log2", Unary<Log2>, 0.5, 2},
    {"log10", Unary<Log10>, 0.5, 2},
    {"cbrt", Unary<Cbrt>, 0.5, 2, true, false},
    {"cbrt_negative", Unary<Cbrt>, -2, -0.5, true, false},
    {"logistic", Unary<Logistic>, -2, 2},
    {"tan", Unary<Tan>, -1, 1},
    {"asin", Unary<Asin>, -0.7, 0.7},
    {"asin_far", Unary<Asin>, 2, 4, false, true, 1, 1.5},
    {"acos", Unary<Acos>, -0.7, 0.7},
    {"acos_far", Unary<Acos>, -4, -2, false, true, 1, -1.5},
    {"atan", Unary<Atan>, -2, 2, true, false},
    {"atan_far", Unary<Atan>, 1, 3, false, true, 1, 2.5},
    {"asinh", Unary<Asinh>, -2, 2, true, false},
    {"asinh_far", Unary<Asinh>, -2, -0.5, false, true, 1, 2.5},
    {"acosh", Unary<Acosh>, 1.5, 3},
    {"acosh_left", Unary<Acosh>, -3, -1.5, false, true, 1, 1.5},
    {"atanh", Unary<Atanh>, -0.7, 0.7},
    {"atanh_far", Unary<Atanh>, 2, 3, false, true, 1, -1.5},
    {"angle", [](In x) -> Out { return {Angle(x[0]) * Real(x[0])}; }, 0.5, 2},
    {"angle_left", [](In x) -> Out { return {Angle(x[0]) * Abs(x[0])}; }, -2, -0.5, false, true, 1, 1.5},
    {"erf", Unary<Erf>, -1.5, 1.5, true, false},
    {"erfc", Unary<Erfc>, -1.5, 1.5, true, false},
    {"erf_inv", Unary<ErfInv>, -0.7, 0.7, true, false},
    {"lgamma", Unary<Lgamma>, 0.7, 3, true, false},
    {"lgamma_negative", Unary<Lgamma>, -2.7, -2.3, true, false},
    {"digamma", Unary<Digamma>, 0.7, 3, true, false},
    {"polygamma_1", PolygammaOf<1>, 0.8, 3, true, false},
    {"polygamma_3", PolygammaOf<3>, 1.5, 3, true, false},
    {"hypot", Binary<Hypot>, 0.5, 2, true, false, 2},
    {"atan2", Binary<Atan2>, 0.5, 2, true, false, 2},
    {"atan2_negative", Binary<Atan2>, -2, -0.5, true, false, 2},
    {"log_add_exp", Binary<LogAddExp>, -1.5, 1.5, true, false, 2},
    {"log_add_exp_itself", [](In x) -> Out { return {LogAddExp(x[0], x[0] * x[0])}; }, -1.5, 1.5, true, false},
};

Tensor Input(const Rule& rule, DType dtype, int which) {
  std::vector<double> re;
  std::vector<C> z;
  for (int i = 0; i < 5; ++i) {
    const double u = std::fmod(0.37 + 0.6180339887498949 * (i + 7 * which), 1.0);
    re.push_back(rule.low + (rule.high - rule.low) * u);
    z.emplace_back(re.back(), rule.imag + 0.4 * std::sin(3 * i + which));
  }
  return dtype == DType::kF64 ? *Tensor::FromColMajor<double>({5}, re) : *Tensor::FromColMajor<C>({5}, z);
}

class MathRulesTest : public testing::TestWithParam<std::tuple<Rule, DType>> {};

TEST_P(MathRulesTest, AgreesWithDifferencesToSecondOrder) {
  const auto& [rule, dtype] = GetParam();
  std::vector<Tensor> inputs;
  for (int i = 0; i < rule.operands; ++i) inputs.push_back(Input(rule, dtype, i));
  const absl::Status status = ad::CheckGrads(CpuEngine::Serial(), rule.function, inputs, {.order = 2});
  EXPECT_TRUE(status.ok()) << status;
}

std::vector<std::tuple<Rule, DType>> Cases() {
  std::vector<std::tuple<Rule, DType>> cases;
  for (const Rule& rule : kRules) {
    if (rule.real) cases.emplace_back(rule, DType::kF64);
    if (rule.complex) cases.emplace_back(rule, DType::kC128);
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Math, MathRulesTest, testing::ValuesIn(Cases()), [](const auto& info) {
  return std::string(std::get<0>(info.param).name) + "_" + Name(std::get<1>(info.param));
});

// The derivative with respect to the first argument, of one number or two.
template <class T>
T Slope(const TracedFunction& function, T x, T y = T{}) {
  const Function slope =
      Compile(CpuEngine::Serial(), [&](In in) -> Out { return {ad::Jvp(function(in)[0], in[0], OnesLike(in[0]))}; });
  const absl::StatusOr<Tensor> result = slope.Call1({Tensor::Scalar(x), Tensor::Scalar(y)});
  EXPECT_TRUE(result.ok()) << result.status();
  return *result->Item<T>();
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(MathRules, KeepTheirDigitsFarOut) {
  EXPECT_NEAR(Slope(Unary<Logistic>, 40.0) / std::exp(-40), 1, 1e-15) << "1 − y is 0 there";
  EXPECT_NEAR(Slope(Unary<Logistic>, -40.0) / std::exp(-40), 1, 1e-15);
  EXPECT_EQ(Slope(Unary<Logistic>, 1e4), 0);
  EXPECT_NEAR(Slope(Unary<Asinh>, 1e200) * 1e200, 1, 1e-15) << "the square overflows";
  EXPECT_NEAR(Slope(Unary<Acosh>, 1e200) * 1e200, 1, 1e-15);
  EXPECT_NEAR(Slope(Binary<Hypot>, 3e200, 4e200), 0.6, 1e-15);
  EXPECT_NEAR(Slope(Binary<Atan2>, 3e200, 4e200) * 1e200, 0.16, 1e-15);
  EXPECT_NEAR(std::abs(Slope(Unary<Asinh>, C(1e200, 1e200)) * 1e200), std::sqrt(0.5), 1e-15);
}

TEST(MathRules, AtTheEdges) {
  EXPECT_EQ(Slope(Unary<Cbrt>, 0.0), kInfinity);
  EXPECT_EQ(Slope(Binary<Hypot>, 0.0, 0.0), 0);
  EXPECT_EQ(Slope(Binary<LogAddExp>, kInfinity, kInfinity), 0.5);
  EXPECT_EQ(Slope(Binary<LogAddExp>, -kInfinity, -kInfinity), 0.5);
  EXPECT_EQ(Slope(Binary<LogAddExp>, -kInfinity, 1.0), 0);
  EXPECT_EQ(Slope(Power<1>, 0.0), 1);
  EXPECT_EQ(Slope(Power<2>, 0.0), 0);
  EXPECT_EQ(Slope(Unary<Asin>, 1.0), kInfinity);
  EXPECT_TRUE(std::isnan(Slope(Unary<Tan>, kInfinity)));
}

// dz along one moves arg z by −Im z/|z|².
TEST(MathRules, OfTheArgument) {
  const TracedFunction angle = [](In x) -> Out { return {Convert(Angle(x[0]), DType::kC128)}; };
  EXPECT_EQ(Slope(angle, C(0, 0)), C(0));
  EXPECT_NEAR(std::abs(Slope(angle, C(0, 2)) - C(-0.5)), 0, 1e-15);
}

// The derivative belongs to the side of the cut that the sign of the zero part names.
TEST(MathRules, OnBranchCuts) {
  const double root = 1 / std::sqrt(3.0);
  const auto expect = [](const TracedFunction& function, C z, C want) {
    const C got = Slope(function, z);
    EXPECT_NEAR(got.real(), want.real(), 1e-15) << z;
    EXPECT_NEAR(got.imag(), want.imag(), 1e-15) << z;
  };
  expect(Unary<Asin>, C(2, 0.0), C(0, root));
  expect(Unary<Asin>, C(2, -0.0), C(0, -root));
  expect(Unary<Asin>, C(-2, 0.0), C(0, -root));
  expect(Unary<Asin>, C(-2, -0.0), C(0, root));
  expect(Unary<Acos>, C(2, 0.0), C(0, -root));
  expect(Unary<Acos>, C(2, -0.0), C(0, root));
  expect(Unary<Asinh>, C(0.0, 2), C(0, -root));
  expect(Unary<Asinh>, C(-0.0, 2), C(0, root));
  expect(Unary<Acosh>, C(-2, 0.0), C(-root, 0));
  expect(Unary<Acosh>, C(0.5, 0.0), C(0, -2 * root));
  expect(Unary<Acosh>, C(0.5, -0.0), C(0, 2 * root));
}

TEST(MathRules, NextAfterHasNone) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {});
  const Var slope = ad::Jvp(NextAfter(x, x + 1) * x, x, OnesLike(x));
  EXPECT_TRUE(slope.ok()) << "what does not move is a constant factor: " << slope.status();
  const Var error = ad::Grad(NextAfter(x, x + 1), x);
  EXPECT_NE(std::string(error.status().message()).find("next_after"), std::string::npos) << error.status();
}

}  // namespace
}  // namespace tenferro
