#include "tenferro/runtime/ops/activations.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "gtest/gtest.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/numbers_for_tests.h"
#include "tenferro/runtime/ops/reduce.h"

namespace tenferro {
namespace {

using Doubles = std::vector<double>;
using Floats = std::vector<float>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string Here(const char* rest, Location location = Location::current()) {
  return "activations_test.cc:" + std::to_string(location.line()) + ": " + rest;
}

// The largest relative error of f32 and f64 results against long double, in units of the dtype's epsilon.
template <class T>
double WorstError(Var (*function)(const Arg&), long double (*reference)(long double)) {
  std::vector<T> x;
  for (int i = -2000; i <= 2000; ++i) x.push_back(static_cast<T>(i) / 100);
  for (T far : {T(40), T(-40), T(80), T(-80)}) x.push_back(far);
  const std::vector<T> y = Values<T>(function(Now<T>(x)));
  long double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const long double expected = reference(x[i]);
    if (std::abs(expected) < std::numeric_limits<T>::min()) {
      EXPECT_LE(std::abs(y[i]), std::numeric_limits<T>::min());
    } else {
      worst = std::max(worst, std::abs((y[i] - expected) / expected));
    }
  }
  return static_cast<double>(worst / std::numeric_limits<T>::epsilon());
}

long double SigmoidOf(long double x) { return 1 / (1 + std::exp(-x)); }

TEST(Activations, AreAccurateInBothTails) {
  const auto softplus = [](long double x) { return std::log1p(std::exp(x)); };
  const auto gelu = [](long double x) { return x * std::erfc(-x / std::numbers::sqrt2_v<long double>) / 2; };
  const auto silu = [](long double x) { return x * SigmoidOf(x); };
  EXPECT_LT(WorstError<double>(Sigmoid, SigmoidOf), 3);
  EXPECT_LT(WorstError<float>(Sigmoid, SigmoidOf), 3);
  EXPECT_LT(WorstError<double>(Softplus, softplus), 3);
  EXPECT_LT(WorstError<float>(Softplus, softplus), 3);
  EXPECT_LT(WorstError<double>(Silu, silu), 4);
  EXPECT_LT(WorstError<float>(Silu, silu), 4);
  // The tail's slope makes x²/2 of the rounding of x/√2.
  EXPECT_LT(WorstError<double>(Gelu, gelu), 300);
}

TEST(Activations, AtTheEnds) {
  const Var x = Now<double>({-kInfinity, -1e300, 0, 1e300, kInfinity});
  EXPECT_EQ(Values<double>(Sigmoid(x)), (Doubles{0, 0, 0.5, 1, 1}));
  EXPECT_EQ(Values<double>(Softplus(x)), (Doubles{0, 0, std::log(2.0), 1e300, kInfinity}));
  EXPECT_EQ(Values<double>(Silu(x)), (Doubles{0, 0, 0, 1e300, kInfinity}));
  EXPECT_EQ(Values<double>(Relu(x)), (Doubles{0, 0, 0, 1e300, kInfinity}));
  EXPECT_EQ(Values<double>(Gelu(x)), (Doubles{0, 0, 0, 1e300, kInfinity}));
  EXPECT_EQ(Values<double>(GeluTanh(x)), (Doubles{0, 0, 0, 1e300, kInfinity}));
  for (Var (*function)(const Arg&) : {Sigmoid, Softplus, Silu, Relu, Gelu, GeluTanh}) {
    EXPECT_TRUE(std::isnan(Values<double>(function(Now<double>({kNan})))[0]));
  }
  EXPECT_EQ(Values<float>(GeluTanh(Now<float>({-1e38f, 1e38f}))), (Floats{0, 1e38f}));
}

TEST(Activations, GeluTanhIsItsFormula) {
  const auto formula = [](double x) {
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
  };
  for (double x : {-3.0, -1.0, 0.0, 0.5, 2.0, 6.0}) {
    EXPECT_NEAR(Values<double>(GeluTanh(Now<double>({x})))[0], formula(x), 1e-15 * (1 + std::abs(x)));
  }
}

TEST(Activations, Softmaxes) {
  const Var x = Now<double>({2, 2}, {0, std::log(3.0), 1e300, -1e300});
  const Doubles y = Values<double>(Softmax(x, 0));
  EXPECT_NEAR(y[0], 0.25, 1e-16);
  EXPECT_NEAR(y[1], 0.75, 2e-16);
  EXPECT_EQ(y[2], 1);
  EXPECT_EQ(y[3], 0);
  EXPECT_EQ(Values<double>(Softmax(Now<double>({1, 2}, {5, 5}), 1)), (Doubles{0.5, 0.5}));
  EXPECT_EQ(Values<double>(LogSoftmax(Now<double>({-1e300, 0, -kInfinity}), 0)), (Doubles{-1e300, 0, -kInfinity}));
  EXPECT_EQ(Values<float>(Softmax(Now<float>({-INFINITY, 2, 2}), 0)), (Floats{0, 0.5f, 0.5f}));
  EXPECT_TRUE(std::isnan(Values<double>(Softmax(Now<double>({-kInfinity, -kInfinity}), 0))[0]));
  EXPECT_EQ(Softmax(Now<double>({0, 2}, Doubles{}), 0).type().ToString(), "f64[0,2]");
}

TEST(Activations, MaskedSoftmaxes) {
  const Var x = Now<double>({3, 3}, {0, 0, kNan, kInfinity, kNan, -kInfinity, -kInfinity, -kInfinity, 9});
  const Var mask = Now<bool>({3, 3}, {true, true, false, false, false, false, true, true, false});
  EXPECT_EQ(Values<double>(MaskedSoftmax(x, mask, 0)), (Doubles{0.5, 0.5, 0, 0, 0, 0, 0, 0, 0}));
  const double half = std::log(0.5);
  EXPECT_EQ(Values<double>(MaskedLogSoftmax(x, mask, 0)),
            (Doubles{half, half, -kInfinity, -kInfinity, -kInfinity, -kInfinity, -kInfinity, -kInfinity, -kInfinity}));
  // A mask for the last axis alone.
  EXPECT_EQ(Values<float>(MaskedSoftmax(Now<float>({2, 2}, {1, 1, 5, 1e30f}), Now<bool>({true, false}), 1)),
            (Floats{1, 1, 0, 0}));
}

TEST(Activations, Normalizations) {
  const Var x = Now<double>({2, 2}, {1, 3, 1e300, -1e300});
  EXPECT_EQ(Values<double>(LayerNorm(x, {0}, {.epsilon = 0})), (Doubles{-1, 1, 1, -1}));
  const double root = std::sqrt(5 + 1e-5);
  const Doubles y = Values<double>(RmsNorm(x, {0}));
  EXPECT_NEAR(y[0], 1 / root, 1e-15);
  EXPECT_NEAR(y[1], 3 / root, 2e-15);
  EXPECT_EQ(y[2], 1);
  EXPECT_EQ(y[3], -1);
  EXPECT_EQ(Values<double>(LayerNorm(Now<double>({1e300, 1e300}), {0})), (Doubles{0, 0}));
  EXPECT_EQ(Values<double>(RmsNorm(Now<double>({0, 0}), {0})), (Doubles{0, 0}));
  EXPECT_EQ(Values<float>(LayerNorm(Now<float>({0x1.8p127f, 0x1p126f, -0x1p126f, -0x1.8p127f}), {0}, {.epsilon = 0})),
            Values<float>(LayerNorm(Now<float>({3, 1, -1, -3}), {0}, {.epsilon = 0})));
  const Var scale = Now<double>({2, 1}), bias = Now<double>({10, 20});
  EXPECT_EQ(Values<double>(LayerNorm(x, {0}, {.epsilon = 0, .scale = scale, .bias = bias})), (Doubles{8, 21, 12, 19}));
  EXPECT_EQ(Values<double>(LayerNorm(x, {0}, {.epsilon = 0, .scale = {}, .bias = bias})), (Doubles{9, 21, 11, 19}));
  // Over two axes given in any order.
  const Var all = Now<double>({2, 2}, {1, -1, 1, -1});
  EXPECT_EQ(Values<double>(RmsNorm(all, {1, 0}, {.epsilon = 0, .scale = Now<double>({2, 2}, {1, 2, 3, 4})})),
            (Doubles{1, -2, 3, -4}));
}

TEST(Activations, ErrorsNameTheFunctionAndLine) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2, 3}), i = graph.Input(DType::kI32, {2}), b = graph.Input(DType::kBool, {2});
  const Var z = graph.Input(DType::kC64, {2});
  EXPECT_EQ(Message(Sigmoid(i)), Here("sigmoid: does not take i32"));
  EXPECT_EQ(Message(Silu(z)), Here("silu: does not take c64"));
  EXPECT_EQ(Message(Softplus(b)), Here("softplus: does not take bool"));
  EXPECT_EQ(Message(Relu(i)), Here("relu: does not take i32"));
  EXPECT_EQ(Message(Gelu(i)), Here("gelu: does not take i32"));
  EXPECT_EQ(Message(GeluTanh(i)), Here("gelu_tanh: does not take i32"));
  EXPECT_EQ(Message(Softmax(x, 2)), Here("softmax: axis 2 does not exist in rank 2"));
  EXPECT_EQ(Message(LogSoftmax(x, -1)), Here("log_softmax: axis -1 does not exist in rank 2"));
  EXPECT_EQ(Message(MaskedSoftmax(x, b, 0)),
            Here("masked_softmax: the mask must be bool and broadcast to [2,3], got bool[2]"));
  EXPECT_EQ(Message(MaskedLogSoftmax(x, x, 0)),
            Here("masked_log_softmax: the mask must be bool and broadcast to [2,3], got f64[2,3]"));
  EXPECT_EQ(Message(MaskedSoftmax(x, Eq(x, x), 5)), Here("masked_softmax: axis 5 does not exist in rank 2"));
  EXPECT_EQ(Message(LayerNorm(x, {0}, {.epsilon = -1})), Here("layer_norm: epsilon must not be negative, got -1"));
  EXPECT_EQ(Message(LayerNorm(x, {0}, {.scale = graph.Input(DType::kF64, {3})})),
            Here("layer_norm: the scale must have shape [2], got f64[3]"));
  EXPECT_EQ(Message(RmsNorm(x, {1}, {.bias = graph.Input(DType::kF64, {2})})),
            Here("rms_norm: the bias must have shape [3], got f64[2]"));
  EXPECT_EQ(Message(RmsNorm(x, {2})), Here("rms_norm: axis 2 does not exist in rank 2"));
}

TEST(Activations, SameBitsAtEveryWidth) {
  std::vector<double> x(300 * 200 * 5);
  for (size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<double>(i)) * 3;
  ExpectSameAtEveryWidth(
      [](absl::Span<const Var> in) -> std::vector<Var> {
        const Var mask = Lt(in[0], 1);
        std::vector<Var> all = {Sigmoid(in[0]), Silu(in[0]), Softplus(in[0]), GeluTanh(in[0])};
        for (int axis : {0, 1, 2}) {
          all.insert(all.end(), {Softmax(in[0], axis), LogSoftmax(in[0], axis), MaskedSoftmax(in[0], mask, axis),
                                 LayerNorm(in[0], {axis}), RmsNorm(in[0], {axis})});
        }
        return all;
      },
      {*Tensor::FromColMajor<double>({300, 200, 5}, x)});
}

}  // namespace
}  // namespace tenferro
