#include "tenferro/ad/custom_rule.h"

#include "gtest/gtest.h"
#include "tenferro/ad/check_grads.h"
#include "tenferro/ad/grad.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/ops/call.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"

namespace tenferro {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

std::vector<double> Evaluate(const Var& output, const Var& input, const std::vector<double>& values) {
  EXPECT_TRUE(output.ok()) << output.status();
  if (!output.ok()) return {};
  const Prepared prepared = *CpuEngine::Serial().Prepare(*Compile({output}, {input}));
  const absl::StatusOr<Tensor> argument = Tensor::FromColMajor<double>(input.shape(), values);
  const std::vector<Tensor> outputs = *prepared.Run({*argument});
  const absl::Span<const double> data = *outputs[0].Data<double>();
  return std::vector<double>(data.begin(), data.end());
}

// x|x| with a rule that is on purpose not its derivative.
Var WrongByVjp(const Var& x) {
  return ad::CustomVjp(
      {x}, [](In in) -> Out { return {in[0] * Abs(in[0])}; },
      [](In in, In, In ct) -> Out { return {ct[0] * in[0] * 3}; })[0];
}

Var WrongByJvp(const Var& x) {
  return ad::CustomJvp(
      {x}, [](In in) -> Out { return {in[0] * Abs(in[0])}; },
      [](In in, In, In t) -> Out { return {t[0] * in[0] * 3}; })[0];
}

TEST(CustomRule, ReplacesTheDerivativeInBothDirections) {
  for (Var (*function)(const Var&) : {WrongByVjp, WrongByJvp}) {
    Graph graph;
    const Var x = graph.Input(DType::kF64, {3});
    const Var y = function(x);
    EXPECT_EQ(Evaluate(y, x, {1, -2, 3}), (std::vector<double>{1, -4, 9}));
    EXPECT_EQ(Evaluate(ad::Grad(ReduceSum(y), x), x, {1, -2, 3}), (std::vector<double>{3, -6, 9}));
    EXPECT_EQ(Evaluate(ad::Jvp(y, x, OnesLike(x)), x, {1, -2, 3}), (std::vector<double>{3, -6, 9}));
    // The derivative of the rule, whichever way it is taken.
    const Var g = ad::Grad(ReduceSum(y), x);
    EXPECT_EQ(Evaluate(ad::Grad(ReduceSum(g * g), x), x, {1, -2, 3}), (std::vector<double>{18, -36, 54}));
    EXPECT_EQ(Evaluate(ad::Jvp(g, x, OnesLike(x)), x, {1, -2, 3}), (std::vector<double>{3, 3, 3}));
  }
}

// log(1 + eˣ) with the derivative that does not overflow; two arguments, two results, one of them used.
TEST(CustomRule, AgreesWithDifferences) {
  const TracedFunction by_vjp = [](In x) -> Out {
    const Out y = ad::CustomVjp(
        {x[0], x[1]},
        [](In in) -> Out {
          return {Log(1 + Exp(in[0])) * in[1], in[1] * in[1]};
        },
        [](In in, In out, In ct) -> Out {
          const Var p = 1 / (1 + Exp(-in[0]));
          return {ct[0] * p * in[1], ct[0] * out[0] / in[1] + ct[1] * in[1] * 2};
        });
    return {y[0] * y[0], y[1]};
  };
  const TracedFunction by_jvp = [](In x) -> Out {
    const Out y = ad::CustomJvp(
        {x[0], x[1]},
        [](In in) -> Out {
          return {Log(1 + Exp(in[0])) * in[1], in[1] * in[1]};
        },
        [](In in, In out, In t) -> Out {
          const Var p = 1 / (1 + Exp(-in[0]));
          return {t[0] * p * in[1] + t[1] * out[0] / in[1], t[1] * in[1] * 2};
        });
    return {y[0] * y[0], y[1]};
  };
  const Tensor a = *Tensor::FromColMajor<double>({3}, {0.3, -0.7, 1.1});
  const Tensor b = *Tensor::FromColMajor<double>({3}, {0.9, 0.4, -1.3});
  for (const TracedFunction& function : {by_vjp, by_jvp}) {
    const absl::Status status = ad::CheckGrads(CpuEngine::Serial(), function, {a, b}, {.order = 2});
    EXPECT_TRUE(status.ok()) << status;
  }
}

TEST(CustomRule, OfComplexNumbers) {
  const TracedFunction function = [](In x) -> Out {
    return ad::CustomVjp(
        {x[0]}, [](In in) -> Out { return {in[0] * in[0]}; },
        [](In in, In, In ct) -> Out { return {ct[0] * Conj(in[0]) * 2}; });
  };
  const Tensor z = *Tensor::FromColMajor<std::complex<double>>({2}, {{0.3, -0.7}, {1.1, 0.2}});
  const absl::Status status = ad::CheckGrads(CpuEngine::Serial(), function, {z}, {.order = 2});
  EXPECT_TRUE(status.ok()) << status;
}

TEST(CustomRule, IntegersHaveNoTangent) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2});
  const Var n = Full(x, DType::kI64, {2}, 3);
  const Var y = ad::CustomVjp(
      {x, n}, [](In in) -> Out { return {in[0] * Cast(in[1], DType::kF64)}; },
      [](In in, In, In ct) -> Out {
        return {ct[0] * Cast(in[1], DType::kF64), Var()};
      })[0];
  EXPECT_EQ(Evaluate(ad::Grad(ReduceSum(y), x), x, {1, 2}), (std::vector<double>{3, 3}));
  EXPECT_EQ(Evaluate(ad::Jvp(y, x, OnesLike(x)), x, {1, 2}), (std::vector<double>{3, 3}));
}

TEST(CustomRule, WhatTheRuleComputesAgainIsComputedOnce) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const Var y = ad::CustomVjp(
      {x}, [](In in) -> Out { return {Exp(Sin(in[0]))}; },
      [](In in, In, In ct) -> Out { return {ct[0] * Exp(Sin(in[0])) * Cos(in[0])}; })[0];
  const Program program = *Compile({y, ad::Grad(ReduceSum(y), x)}, {x});
  const std::string text = program.ToString();
  EXPECT_EQ(text.find(" = exp "), text.rfind(" = exp "));
}

TEST(CustomRule, OnNumbersRunsTheFunction) {
  const Var x = Immediate(CpuEngine::Serial(), *Tensor::FromColMajor<double>({2}, {2, -3}));
  EXPECT_EQ(WrongByVjp(x).ToTensor()->ToString(), "[ 4. -9.]");
}

TEST(CustomRule, InsideACall) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2});
  const Var y = Call({x}, [](In in) -> Out { return {WrongByJvp(in[0]) * 2}; })[0];
  EXPECT_EQ(Evaluate(ad::Grad(ReduceSum(y), x), x, {1, -2}), (std::vector<double>{6, -12}));
}

std::string GradMessage(const std::function<Var(const Var& x)>& function) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2});
  return std::string(ad::Grad(ReduceSum(function(x)), x).status().message());
}

TEST(CustomRule, Mistakes) {
  const auto identity = [](In in) -> Out { return {in[0] * 1}; };
  EXPECT_NE(GradMessage([&](const Var& x) {
              return ad::CustomVjp({x}, identity, [](In, In, In ct) -> Out { return {ct[0], ct[0]}; })[0];
            }).find("custom_vjp: the rule gives 2 cotangents for 1 values"),
            std::string::npos);
  EXPECT_NE(GradMessage([&](const Var& x) {
              return ad::CustomVjp({x}, identity, [](In, In, In ct) -> Out { return {ReduceSum(ct[0])}; })[0];
            }).find("custom_vjp: the rule's cotangent 0 is f64[], its value f64[2]"),
            std::string::npos);
  EXPECT_NE(GradMessage([&](const Var& x) {
              return ad::CustomJvp({x}, identity, [](In, In, In t) -> Out { return {t[0] * t[0]}; })[0];
            }).find("mul: is not linear in a tangent, so it cannot be reversed"),
            std::string::npos);
  EXPECT_NE(GradMessage([&](const Var& x) {
              const Var outer = x * 2;
              return ad::CustomJvp(
                  {OnesLike(x)}, [&](In in) -> Out { return {in[0] * outer}; },
                  [](In, In, In t) -> Out { return {t[0]}; })[0];
            }).find("custom_jvp: the function uses an outer value that is differentiated: make it an argument"),
            std::string::npos);
  EXPECT_NE(
      GradMessage([&](const Var& x) { return ad::CustomVjp({x}, identity, nullptr)[0]; }).find("custom_rule_test.cc"),
      std::string::npos);
  Graph elsewhere;
  const Var foreign = elsewhere.Input(DType::kF64, {2});
  const auto stray = [&](In, In, In) -> Out { return {foreign}; };
  EXPECT_NE(GradMessage([&](const Var& x) {
              return ad::CustomVjp({x}, identity, stray)[0];
            }).find("custom_vjp: the rule's cotangent 0 belongs to another graph"),
            std::string::npos);
  EXPECT_NE(GradMessage([&](const Var& x) {
              return ad::CustomJvp({x}, identity, stray)[0];
            }).find("custom_jvp: the rule's tangent 0 belongs to another graph"),
            std::string::npos);
  const Var number = Immediate(CpuEngine::Serial(), *Tensor::Zeros(DType::kF64, {2}));
  EXPECT_EQ(ad::CustomVjp({number}, identity, nullptr)[0].status().message(),
            "custom_rule_test.cc:" + std::to_string(__LINE__ - 1) + ": custom_vjp: the rule is empty");
}

}  // namespace
}  // namespace tenferro
