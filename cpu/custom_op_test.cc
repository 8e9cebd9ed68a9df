// Mistakes in the rules of a user's own operation: an error at the call or at the derivative, never a crash.
#include "tenferro/cpu/custom_op.h"

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/engine.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/transforms/vmap.h"

namespace tenferro {
namespace {

absl::Status SameType(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  outputs.push_back(inputs[0]);
  return absl::OkStatus();
}

absl::Status NoType(const OpDef&, WordSpan, absl::Span<const ValueType>, ValueTypes&) { return absl::OkStatus(); }

absl::Status Twice(WordSpan, absl::Span<const ConstArray> inputs, absl::Span<const MutableArray> outputs) {
  for (int64_t i = 0; i < inputs[0].size(); ++i) outputs[0].data<double>()[i] = 2 * inputs[0].data<double>()[i];
  return absl::OkStatus();
}

const CustomOp kNothing({.name = nullptr, .shape = nullptr, .kernel = nullptr});
const CustomOp kNoKernel({.name = "no_kernel", .shape = SameType, .kernel = nullptr});
const CustomOp kNoOutput({.name = "no_output", .num_outputs = 0, .shape = NoType, .kernel = Twice});
const CustomOp kTooFewTypes({.name = "too_few_types", .num_outputs = 2, .shape = SameType, .kernel = Twice});
const CustomOp kNoTypes({.name = "no_types", .shape = NoType, .kernel = Twice});
const CustomOp kWrongRules({.name = "wrong_rules",
                            .shape = SameType,
                            .kernel = Twice,
                            .jvp = [](const NodeView&, absl::Span<const Var> tangents,
                                      absl::Span<Var> outputs) { outputs[0] = ReduceSum(tangents[0]); },
                            .batch = [](const NodeView&, OperandSet, Dim, absl::Span<Var>) {}});

std::string At(int line, absl::string_view text) { return absl::StrCat("custom_op_test.cc:", line, ": ", text); }

TEST(CustomOp, IncompleteRulesAreErrorsOfTheCall) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const Var number = Immediate(CpuEngine::Serial(), *Tensor::Zeros(DType::kF64, {3}));
  for (const Var& operand : {x, number}) {
    const auto message = [&](const CustomOp& op, size_t count, Location location = Location::current()) {
      const std::vector<Var> results = op({operand}, {}, location);
      EXPECT_EQ(results.size(), count);
      return std::string(results.back().status().message());
    };
    EXPECT_EQ(message(kNothing, 1), At(__LINE__, "custom_op: has no shape rule"));
    EXPECT_EQ(message(kNoKernel, 1), At(__LINE__, "no_kernel: has no kernel"));
    EXPECT_EQ(message(kNoOutput, 1), At(__LINE__, "no_output: has no output"));
    EXPECT_EQ(message(kTooFewTypes, 2), At(__LINE__, "too_few_types: the shape rule gives 1 types for 2 outputs"));
    EXPECT_EQ(message(kNoTypes, 1), At(__LINE__, "no_types: the shape rule gives 0 types for 1 outputs"));
  }
}

TEST(CustomOp, WrongRulesAreErrorsOfTheTransform) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const int line = __LINE__ + 1;
  const Var y = kWrongRules({x})[0];
  EXPECT_EQ(ad::Jvp(y, x, x).status().message(),
            At(line, "wrong_rules: its rule gives the tangent f64[] for output 0, which is f64[3]"));
  const std::vector<Var> mapped = Vmap([](absl::Span<const Var> in) { return kWrongRules({in[0]}); }, {x});
  EXPECT_EQ(mapped[0].status().message(), At(__LINE__ - 1, "wrong_rules: its batching rule gives no output 0"));
}

}  // namespace
}  // namespace tenferro
