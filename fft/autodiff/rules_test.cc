// Derivatives of every function against differences and by the dot-product test, to second order.
#include <cmath>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tenferro/ad/check_grads.h"
#include "tenferro/ad/grad.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/fft/cosine.h"
#include "tenferro/fft/fft.h"
#include "tenferro/fft/frequencies.h"
#include "tenferro/runtime/function.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"

namespace tenferro::fft {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

struct Case {
  std::string name;
  DType dtype;
  Shape shape;
  std::function<Var(const Var&)> function;
};

Tensor Numbers(DType dtype, const Shape& shape) {
  std::vector<double> re;
  std::vector<std::complex<double>> z;
  for (int64_t i = 0; i < shape.size(); ++i) {
    const double p = static_cast<double>(i);
    re.push_back(std::sin(1.3 * p + 0.2));
    z.emplace_back(re.back(), 0.6 * std::cos(2.1 * p));
  }
  return dtype == DType::kF64 ? *Tensor::FromColMajor<double>(shape, re)
                              : *Tensor::FromColMajor<std::complex<double>>(shape, z);
}

std::vector<Case> Cases() {
  std::vector<Case> cases;
  constexpr std::pair<const char*, Norm> kNorms[] = {
      {"backward", Norm::kBackward}, {"ortho", Norm::kOrtho}, {"forward", Norm::kForward}};
  using Function = Var (*)(const Arg&, int, const FftOptions&);
  const std::tuple<const char*, Function, bool, bool> kFunctions[] = {
      // Takes real numbers, takes complex ones.
      {"fft", Fft, true, true},      {"ifft", Ifft, true, true},  {"rfft", Rfft, true, false},
      {"irfft", Irfft, false, true}, {"hfft", Hfft, false, true}, {"ihfft", Ihfft, true, false}};
  for (const auto& [name, function, of_real, of_complex] : kFunctions) {
    for (DType dtype : {DType::kF64, DType::kC128}) {
      if (!(dtype == DType::kF64 ? of_real : of_complex)) continue;
      // As many as there are, cropped and padded; odd, even and 1.
      for (int64_t extent : {4, 5}) {
        for (int64_t n : {0, 1, 2, 3, 4, 7, 8}) {
          const auto& [norm_name, norm] = kNorms[(n + extent) % 3];
          FftOptions options{.norm = norm};
          if (n > 0) options.n = n;
          cases.push_back({absl::StrCat(name, "_", Name(dtype), "_", extent, "_", n, "_", norm_name),
                           dtype,
                           {extent, 2},
                           [f = function, options](const Var& x) { return f(x, 0, options); }});
        }
      }
    }
  }
  const auto add = [&](const char* name, DType dtype, const Shape& shape, std::function<Var(const Var&)> function) {
    cases.push_back({name, dtype, shape, std::move(function)});
  };
  const Shape shape{3, 2, 4};
  add("fftn", DType::kC128, shape, [](const Var& x) { return Fftn(x, {2, 0}, {.norm = Norm::kOrtho}); });
  add("ifftn", DType::kC128, shape, [](const Var& x) { return Ifftn(x, {0, 1, 2}, {.s = {2, 2, 5}}); });
  add("rfftn", DType::kF64, shape, [](const Var& x) { return Rfftn(x, {2, 0}, {.s = {3, 4}}); });
  add("irfftn", DType::kC128, shape, [](const Var& x) { return Irfftn(x, {0, 2}); });
  add("fft2", DType::kF64, shape, [](const Var& x) { return Fft2(x, {0, 2}); });
  add("ifft2", DType::kC128, shape, [](const Var& x) { return Ifft2(x, {0, 2}); });
  add("rfft2", DType::kF64, shape, [](const Var& x) { return Rfft2(x, {1, 0}); });
  add("irfft2", DType::kC128, shape, [](const Var& x) { return Irfft2(x, {1, 2}, {.s = {2, 7}}); });
  add("fftshift", DType::kC128, {5, 4}, [](const Var& x) { return FftShift(x); });
  add("ifftshift", DType::kF64, {5, 4}, [](const Var& x) { return IfftShift(x, {0}); });
  for (int64_t n : {1, 2, 5, 6}) {
    for (int type : {2, 3}) {
      for (Norm norm : {Norm::kBackward, Norm::kOrtho}) {
        const DctOptions options{.type = type, .norm = norm};
        const std::string name = absl::StrCat("_", n, "_", type, norm == Norm::kOrtho ? "_ortho" : "");
        cases.push_back({"dct" + name, DType::kF64, {n, 2}, [=](const Var& x) { return Dct(x, 0, options); }});
        cases.push_back({"idct" + name, DType::kC128, {n, 2}, [=](const Var& x) { return Idct(x, 0, options); }});
      }
    }
  }
  return cases;
}

class FftRule : public testing::TestWithParam<Case> {};

TEST_P(FftRule, AgreesWithDifferencesToSecondOrder) {
  const Case& c = GetParam();
  const auto linear = [&](In x) -> Out { return {c.function(x[0])}; };
  // The modulus squared makes the second derivative pass through both directions.
  const auto energy = [&](In x) -> Out {
    const Var y = c.function(x[0] * x[0]);
    return {ReduceSum(Real(y * Conj(y)))};
  };
  for (const TracedFunction& function : {TracedFunction(linear), TracedFunction(energy)}) {
    const absl::Status status =
        ad::CheckGrads(CpuEngine::Serial(), function, {Numbers(c.dtype, c.shape)}, {.order = 2});
    EXPECT_TRUE(status.ok()) << status;
  }
}

INSTANTIATE_TEST_SUITE_P(All, FftRule, testing::ValuesIn(Cases()), [](const auto& info) { return info.param.name; });

// d/dx Σ_k k |X_k|² of real x, where the frequencies between count twice: 2·Re Σ_k k X_k e^(2πi·jk/n).
TEST(FftRules, GradientOfAPowerSpectrum) {
  const int64_t n = 6;
  const Tensor x = *Tensor::FromColMajor<double>({n}, {0.3, -1.2, 0.7, 2.0, -0.4, 0.9});
  const CpuEngine engine = CpuEngine::Serial();
  const Function gradient = Compile(engine, [](In in) -> Out {
    const Var y = Rfft(in[0], 0);
    const Var k = Cast(RfftFreq(in[0], DType::kF64, 6) * 6.0, DType::kF64);
    return {ad::Grad(ReduceSum(k * Real(y * Conj(y))), in[0])};
  });
  const Tensor got = *gradient.Call1({x});
  for (int64_t j = 0; j < n; ++j) {
    double wanted = 0;
    for (int64_t k = 0; k <= n / 2; ++k) {
      std::complex<double> sum = 0;
      for (int64_t i = 0; i < n; ++i) {
        sum += (*x.Data<double>())[i] * std::polar(1.0, 2 * M_PI * static_cast<double>((j - i) * k) / 6);
      }
      wanted += 2 * static_cast<double>(k) * sum.real();
    }
    EXPECT_NEAR((*got.Data<double>())[j], wanted, 1e-13);
  }
}

}  // namespace
}  // namespace tenferro::fft
