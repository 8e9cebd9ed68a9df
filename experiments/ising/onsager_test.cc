#include "tenferro/experiments/ising/onsager.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "tenferro/experiments/parity/compare.h"

namespace tenferro {
namespace {

struct Reference {
  double beta, lnz, dlnz, specific_heat;
};

// Computed with 50 digits: the integral and the elliptic integrals of Onsager's paper as they stand there.
constexpr Reference kReferences[] = {
    {1e-08, 0.69314718055994540942, 2.0000000000000003752e-8, 2.0000000000000010837e-16},
    {0.001, 0.69314818056077864346, 0.0020000033333376000551, 2.000010000021333511e-6},
    {0.05, 0.69565240007066647352, 0.10041801062029366745, 0.005062837058469272859},
    {0.2, 0.7345308122763260498, 0.42822883324034808493, 0.097652177588479708191},
    {0.35, 0.83001878236087613105, 0.87980604528870276714, 0.4773841564198076136},
    {0.44, 0.92872854045688847922, 1.4022269600314212094, 2.8896870923765877152},
    {0.4406, 0.92957274407902303817, 1.4122432575740456504, 3.9132424202838546391},
    {0.4406867935097715, 0.9296953983416102309, 1.4142135623730961545, 18.588269629626002353},
    {0.4406867935097716, 0.9296953983416103094, 1.4142135623731013064, 17.707718198320761443},
    {0.441, 0.93013935423694720471, 1.4202951847338083575, 3.2790708444632030899},
    {0.5, 1.0257928126949175757, 1.7455645753125539646, 0.72487144860157392778},
    {0.8, 1.6018109886784252381, 1.9848513307168299829, 0.08300073352809003104},
    {1.5, 3.0000061748433255219, 1.9999504780408943895, 0.00089473447922076185555},
    {5, 10.000000000000000004, 1.999999999999999966, 6.7973668715134204037e-15},
    {1000, 2000, 2, 0},
};

TEST(Onsager, AgreesWithFiftyDigits) {
  for (const Reference& want : kReferences) {
    const IsingExact got = Onsager(want.beta);
    EXPECT_NEAR(got.lnz, want.lnz, 2e-15 * want.lnz) << want.beta;
    EXPECT_NEAR(got.dlnz, want.dlnz, 2e-15 * want.dlnz) << want.beta;
    EXPECT_NEAR(got.specific_heat, want.specific_heat, 2e-15 * want.specific_heat) << want.beta;
  }
}

TEST(Onsager, AgreesWithTheParityReference) {
  const absl::StatusOr<std::vector<parity::Case>> cases = parity::LoadCases("experiments/parity/data");
  ASSERT_TRUE(cases.ok()) << cases.status();
  int found = 0;
  for (const parity::Case& c : *cases) {
    if (c.name != "trg/onsager") continue;
    ++found;
    std::vector<double> lnz, dlnz;
    const absl::Span<const double> betas = *c.inputs[0].value.Data<double>();
    for (double beta : betas) {
      lnz.push_back(Onsager(beta).lnz);
      dlnz.push_back(Onsager(beta).dlnz);
    }
    const Shape& shape = c.inputs[0].value.shape();
    EXPECT_EQ(parity::Compare(*Tensor::FromColMajor<double>(shape, lnz), c.outputs[0]), absl::OkStatus());
    EXPECT_EQ(parity::Compare(*Tensor::FromColMajor<double>(shape, dlnz), c.outputs[1]), absl::OkStatus());
  }
  EXPECT_EQ(found, 1);
}

TEST(Onsager, InfiniteTemperature) {
  const IsingExact got = Onsager(0);
  EXPECT_EQ(got.lnz, std::log(2.0));
  EXPECT_EQ(got.dlnz, 0);
  EXPECT_EQ(got.specific_heat, 0);
}

TEST(Onsager, LnZIsEvenInBeta) {
  EXPECT_EQ(Onsager(-0.3).lnz, Onsager(0.3).lnz);
  EXPECT_EQ(Onsager(-0.3).dlnz, -Onsager(0.3).dlnz);
  EXPECT_EQ(Onsager(-0.3).specific_heat, Onsager(0.3).specific_heat);
}

}  // namespace
}  // namespace tenferro
