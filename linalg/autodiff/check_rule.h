#ifndef TENFERRO_LINALG_AUTODIFF_CHECK_RULE_H_
#define TENFERRO_LINALG_AUTODIFF_CHECK_RULE_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "tenferro/ad/check_grads.h"
#include "tenferro/ad/grad.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/linalg/test_tensors.h"

// What the tests of the derivative rules share.
namespace tenferro::linalg {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

// A function whose derivatives are checked at operands of these shapes.
struct RuleCase {
  std::string name;
  std::vector<Shape> shapes;
  TracedFunction function;
};

// The derivatives agree with differences to second order.
inline void ExpectDerivatives(const TracedFunction& function, const std::vector<Tensor>& at, double tolerance = 1e-6) {
  const absl::Status status =
      ad::CheckGrads(CpuEngine::Serial(), function, at, {.order = 2, .tolerance = tolerance, .dot_tolerance = 1e-10});
  EXPECT_TRUE(status.ok()) << status;
}

inline std::string NameOf(const testing::TestParamInfo<std::tuple<RuleCase, DType>>& info) {
  std::string name = std::get<0>(info.param).name;
  for (const Shape& shape : std::get<0>(info.param).shapes) {
    for (int64_t extent : shape.extents()) name += "_" + std::to_string(extent);
    name += "_";
  }
  return name + Name(std::get<1>(info.param));
}

// By operand `of`.
inline std::vector<double> Gradient(const TracedFunction& loss, const std::vector<Tensor>& at, int of = 0) {
  Graph graph;
  std::vector<Var> inputs;
  for (const Tensor& x : at) inputs.push_back(graph.Input(x.dtype(), x.shape()));
  const Program program = *Compile({ad::Grad(loss(inputs)[0], inputs[of])}, inputs);
  const absl::StatusOr<Prepared> prepared = CpuEngine::Serial().Prepare(program);
  const absl::StatusOr<std::vector<Tensor>> out = prepared->Run(at);
  EXPECT_TRUE(out.ok()) << out.status();
  const absl::Span<const double> data = *(*out)[0].Data<double>();
  return std::vector<double>(data.begin(), data.end());
}

inline void ExpectNear(const std::vector<double>& got, const std::vector<double>& want, double bound) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], bound) << i;
}

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_AUTODIFF_CHECK_RULE_H_
