#include "tenferro/ad/rule_cases.h"

#include <cmath>
#include <complex>

#include "tenferro/ad/check_grads.h"
#include "tenferro/cpu/cpu_engine.h"

namespace tenferro::ad {

std::vector<std::tuple<RuleCase, DType>> RealAndComplex(const std::vector<RuleCase>& rules) {
  std::vector<std::tuple<RuleCase, DType>> cases;
  for (const RuleCase& rule : rules) {
    if (rule.real) cases.emplace_back(rule, DType::kF64);
    if (rule.complex) cases.emplace_back(rule, DType::kC128);
  }
  return cases;
}

Tensor RuleInput(DType dtype, const Shape& shape, double low, double high, int which) {
  std::vector<double> re, im;
  for (int64_t i = 0; i < shape.size(); ++i) {
    const double u = std::fmod(0.37 + 0.6180339887498949 * static_cast<double>(i + 7 * which), 1.0);
    re.push_back(low + (high - low) * u);
    im.push_back(0.4 * std::sin(static_cast<double>(3 * i + which)));
  }
  if (dtype == DType::kF64) return *Tensor::FromColMajor<double>(shape, re);
  if (dtype == DType::kF32) return *Tensor::FromColMajor<float>(shape, std::vector<float>(re.begin(), re.end()));
  std::vector<std::complex<double>> z;
  for (size_t i = 0; i < re.size(); ++i) z.emplace_back(re[i], im[i]);
  return *Tensor::FromColMajor<std::complex<double>>(shape, z);
}

void RuleTest::Check() {
  const auto& [rule, dtype] = GetParam();
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < rule.shapes.size(); ++i) {
    inputs.push_back(RuleInput(dtype, rule.shapes[i], rule.low, rule.high, static_cast<int>(i)));
  }
  const absl::Status status = CheckGrads(CpuEngine::Serial(), rule.function, inputs, {.order = 2});
  EXPECT_TRUE(status.ok()) << status;
}

std::string RuleName(const testing::TestParamInfo<std::tuple<RuleCase, DType>>& info) {
  return std::string(std::get<0>(info.param).name) + "_" + Name(std::get<1>(info.param));
}

}  // namespace tenferro::ad
