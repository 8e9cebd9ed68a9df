// Derivatives of derivatives in every order of the two directions, to third order, against closed forms.
#include <cmath>
#include <functional>

#include "gtest/gtest.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/ad/vjp.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

struct Case {
  const char* name;
  std::function<Var(const Var& x)> function;  // elementwise
  double (*third)(double x);
};

const Case kCases[] = {
    {"sin", [](const Var& x) { return Sin(x); }, [](double x) { return -std::cos(x); }},
    {"fifth_power", [](const Var& x) { return x * x * x * x * x; }, [](double x) { return 60 * x * x; }},
    {"quotient", [](const Var& x) { return 1 / x; }, [](double x) { return -6 / (x * x * x * x); }},
    {"exp_of_square", [](const Var& x) { return Exp(x * x); },
     [](double x) { return std::exp(x * x) * (12 * x + 8 * x * x * x); }},
    {"pow", [](const Var& x) { return Pow(x, 3.5); }, [](double x) { return 3.5 * 2.5 * 1.5 * std::sqrt(x); }},
    // x³ through a matrix product with a diagonal matrix.
    {"product",
     [](const Var& x) {
       const Var row = Reshape(x, {x.dim(0), 1});
       return Reshape(Matmul(EmbedDiag(x * x), row), x.shape());
     },
     [](double) { return 6.0; }},
};

// Bit i of `directions`: the i-th derivative, innermost first, goes backwards.
class NestingTest : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(NestingTest, ThirdDerivative) {
  const auto& [index, directions] = GetParam();
  const Case& c = kCases[index];
  Graph graph;
  const Var x = graph.Input(DType::kF64, {4});
  Var y = c.function(x);
  for (int order = 0; order < 3; ++order) {
    const bool backwards = directions >> order & 1;
    y = backwards ? ad::Vjp({y}, {x}, {OnesLike(y)})[0] : ad::Jvp(y, x, OnesLike(x));
  }
  ASSERT_TRUE(y.ok()) << y.status();
  const std::vector<double> at{0.3, 0.7, 1.1, 1.6};
  const std::vector<Tensor> outputs =
      *(*CpuEngine::Serial().Prepare(*Compile({y}, {x}))).Run({*Tensor::FromColMajor<double>({4}, at)});
  for (size_t i = 0; i < at.size(); ++i) {
    const double want = c.third(at[i]);
    EXPECT_NEAR((*outputs[0].Data<double>())[i], want, 2e-14 * std::max(1.0, std::abs(want))) << c.name << at[i];
  }
}

INSTANTIATE_TEST_SUITE_P(EveryOrder, NestingTest,
                         testing::Combine(testing::Range(0, static_cast<int>(std::size(kCases))), testing::Range(0, 8)),
                         [](const auto& info) {
                           std::string name = kCases[std::get<0>(info.param)].name;
                           for (int order = 2; order >= 0; --order) {
                             name += std::get<1>(info.param) >> order & 1 ? "_reverse" : "_forward";
                           }
                           return name;
                         });

}  // namespace
}  // namespace tenferro
