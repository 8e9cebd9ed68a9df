// Vmap of functions with rules of their own and of checkpoints, and of their derivatives.
#include "gtest/gtest.h"
#include "tenferro/ad/checkpoint.h"
#include "tenferro/ad/custom_rule.h"
#include "tenferro/ad/grad.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/function.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/transforms/vmap.h"

namespace tenferro {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

// x|x|·w with a rule that is on purpose not its derivative.
Var Wrong(const Var& x, const Var& w) {
  return ad::CustomVjp(
      {x, w}, [](In in) -> Out { return {in[0] * Abs(in[0]) * in[1]}; },
      [](In in, In, In ct) -> Out {
        return {ReduceSum(ct[0]) * in[0] * 3, Var()};
      })[0];
}
Var WrongJvp(const Var& x, const Var& w) {
  return ad::CustomJvp(
      {x}, [&](In in) -> Out { return {in[0] * Abs(in[0]) * w}; },
      [](In in, In, In t) -> Out { return {t[0] * in[0] * 3}; })[0];
}
Var Remembered(const Var& x, const Var& w) {
  return ad::Checkpoint({x}, [&](In in) -> Out { return {Sin(ad::CheckpointName(in[0] * in[0], "square")) * w}; },
                        {.save_names = {"square"}})[0];
}

using Binary = Var (*)(const Var& x, const Var& w);

class VmapBody : public testing::TestWithParam<Binary> {};

std::string Results(const TracedFunction& function) {
  std::vector<double> x, w;
  for (int i = 0; i < 6; ++i) x.push_back(0.25 * (i - 2));
  for (int i = 0; i < 3; ++i) w.push_back(1 + i);
  const absl::StatusOr<std::vector<Tensor>> outputs = Compile(
      CpuEngine::Serial(), function)({*Tensor::FromColMajor<double>({3, 2}, x), *Tensor::FromColMajor<double>({3}, w)});
  EXPECT_TRUE(outputs.ok()) << outputs.status();
  std::string text;
  if (outputs.ok()) {
    for (const Tensor& output : *outputs) text += output.ToString() + "\n";
  }
  return text;
}

// f on each column of x; w is the same for all.
TracedFunction Loop(const TracedFunction& f) {
  return [f](In in) -> Out {
    Out columns;
    for (int64_t j = 0; j < 2; ++j) {
      const Out y = f({Reshape(Slice(in[0], {0, j}, {3, j + 1}), {3}), in[1]});
      columns.push_back(Reshape(y[0], {3, 1}));
    }
    return {Concatenate(columns, 1)};
  };
}
TracedFunction Map(const TracedFunction& f) { return Vmap(f, {.in_axes = {1, kNotMapped}, .out_axes = {1}}); }

TEST_P(VmapBody, ValueAndDerivativesAreThoseOfEachSlice) {
  const Binary f = GetParam();
  const TracedFunction value = [f](In in) -> Out { return {f(in[0], in[1])}; };
  const TracedFunction gradient = [f](In in) -> Out {
    const Var loss = ReduceSum(f(in[0], in[1]));
    return {ad::Grad(loss, in[0])};
  };
  const TracedFunction tangent = [f](In in) -> Out { return {ad::Jvp(f(in[0], in[1]), in[0], Cos(in[0]))}; };
  for (const TracedFunction& function : {value, gradient, tangent})
    EXPECT_EQ(Results(Map(function)), Results(Loop(function)));
  // The derivative of the mapped function: the rule itself is mapped.
  const auto of = [](const TracedFunction& mapped) -> TracedFunction {
    return [mapped](In in) -> Out { return {ad::Grad(ReduceSum(mapped(in)[0]), in[0])}; };
  };
  EXPECT_EQ(Results(of(Map(value))), Results(of(Loop(value))));
  const auto along = [](const TracedFunction& mapped) -> TracedFunction {
    return [mapped](In in) -> Out { return {ad::Jvp(mapped(in)[0], in[0], Cos(in[0]))}; };
  };
  EXPECT_EQ(Results(along(Map(value))), Results(along(Loop(value))));
}

INSTANTIATE_TEST_SUITE_P(All, VmapBody, testing::Values(Wrong, WrongJvp, Remembered));

}  // namespace
}  // namespace tenferro
