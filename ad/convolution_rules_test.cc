// The derivatives of convolutions against differences and by the dot-product test, to second order, real and complex.
#include <cmath>

#include "gtest/gtest.h"
#include "tenferro/ad/check_grads.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/ops/convolution.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/random_convolution.h"

namespace tenferro {
namespace {

Tensor Input(DType dtype, const Shape& shape, int which) {
  std::vector<std::complex<double>> numbers;
  for (int64_t i = 0; i < shape.size(); ++i) {
    numbers.emplace_back(std::sin(static_cast<double>(5 * i + which)),
                         std::cos(static_cast<double>(3 * i + 2 * which)));
  }
  const CpuEngine engine = CpuEngine::Serial();
  return *Cast(Immediate(engine, *Tensor::FromColMajor<std::complex<double>>(shape, numbers)), dtype).ToTensor();
}

void Check(const RandomConvolution& c, DType dtype) {
  const TracedFunction function = [&c](absl::Span<const Var> in) -> std::vector<Var> {
    return {ConvGeneral(in[0], in[1], c.attributes)};
  };
  const absl::Status status =
      ad::CheckGrads(CpuEngine::Serial(), function, {Input(dtype, c.x, 0), Input(dtype, c.w, 1)}, {.order = 2});
  ASSERT_TRUE(status.ok()) << status << "\n" << c.ToString();
}

TEST(ConvolutionRules, AgreeWithDifferencesToSecondOrder) {
  for (int number = 0; number < 240; ++number) {
    Check(MakeRandomConvolution(number, 5), number % 3 == 0 ? DType::kC128 : DType::kF64);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(ConvolutionRules, OfAConvolutionWithItself) {
  const TracedFunction square = [](absl::Span<const Var> in) -> std::vector<Var> {
    return {Sin(Conv1d(in[0], in[0], {.padding = ConvPadding::kSame}))};
  };
  const absl::Status status =
      ad::CheckGrads(CpuEngine::Serial(), square, {Input(DType::kF64, {4, 2, 2}, 0)}, {.order = 2});
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace tenferro
