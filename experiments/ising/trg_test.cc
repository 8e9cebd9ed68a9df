#include "tenferro/experiments/ising/trg.h"

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/experiments/ising/onsager.h"
#include "tenferro/experiments/ising/trg_program.h"
#include "tenferro/experiments/parity/cases.h"
#include "tenferro/linalg/cpu/kernels.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

struct Reference {
  std::vector<int64_t> ranks;
  std::vector<double> beta, lnz, dlnz;
};

std::vector<double> Doubles(const Tensor& tensor) {
  const absl::Span<const double> data = *tensor.Data<double>();
  return std::vector<double>(data.begin(), data.end());
}

Reference ReferenceFor(const std::string& name) {
  const absl::StatusOr<std::vector<parity::Case>> cases = parity::LoadCases("experiments/parity/data");
  EXPECT_TRUE(cases.ok()) << cases.status();
  Reference reference;
  for (const parity::Case& c : *cases) {
    if (c.name != name) continue;
    reference.ranks = c.attributes["ks"].get<std::vector<int64_t>>();
    reference.beta = Doubles(c.inputs[0].value);
    reference.lnz = Doubles(c.outputs[0].value);
    reference.dlnz = Doubles(c.outputs[1].value);
  }
  return reference;
}

void ExpectParity(const TrgProgram& program, const Reference& reference, double lnz_tolerance = 1e-14) {
  ASSERT_EQ(reference.beta.size(), 5u);
  for (size_t i = 0; i < reference.beta.size(); ++i) {
    const absl::StatusOr<TrgProgram::ValueAndGradient> both = program.ValueAndGrad(reference.beta[i]);
    ASSERT_TRUE(both.ok()) << both.status();
    EXPECT_NEAR(both->lnz, reference.lnz[i], lnz_tolerance * std::max(1.0, std::abs(reference.lnz[i])))
        << reference.beta[i];
    EXPECT_NEAR(both->dlnz, reference.dlnz[i], 1e-11 * std::max(1.0, std::abs(reference.dlnz[i]))) << reference.beta[i];
    const absl::StatusOr<double> value = program.Value(reference.beta[i]);
    ASSERT_TRUE(value.ok()) << value.status();
    EXPECT_EQ(*value, both->lnz);
  }
}

class ParityTest : public testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(ParityTest, WholeGraphAgreesWithTheReference) {
  const auto [name, width] = GetParam();
  const Reference reference = ReferenceFor(name);
  const auto program = WholeTrg::Make(CpuEngine::WithThreads(width), reference.ranks, BondSplit::kSplit);
  ASSERT_TRUE(program.ok()) << program.status();
  ExpectParity(**program, reference);
}

TEST_P(ParityTest, StagesAgreeWithTheReference) {
  const auto [name, width] = GetParam();
  const Reference reference = ReferenceFor(name);
  const auto program = StagedTrg::Make(CpuEngine::WithThreads(width), reference.ranks, BondSplit::kSplit);
  ASSERT_TRUE(program.ok()) << program.status();
  ExpectParity(**program, reference);
}

INSTANTIATE_TEST_SUITE_P(Trg, ParityTest,
                         testing::Combine(testing::Values("trg/chi16", "trg/chi8"), testing::Values(1, 2)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)).substr(4) + "_threads" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST(Trg, TruncatedAndFullDecompositionsAgreeToo) {
  const Reference reference = ReferenceFor("trg/chi8");
  for (BondSplit split : {BondSplit::kTruncated, BondSplit::kFull}) {
    const auto program = StagedTrg::Make(CpuEngine::Serial(), reference.ranks, split);
    ASSERT_TRUE(program.ok()) << program.status();
    ExpectParity(**program, reference);
  }
}

TEST(Trg, TheSchedulesAreThoseOfTheReference) {
  EXPECT_EQ(RankSchedule(16, 20), ReferenceFor("trg/chi16").ranks);
  EXPECT_EQ(RankSchedule(8, 20), ReferenceFor("trg/chi8").ranks);
  EXPECT_EQ(FullSchedule(16, 4), (std::vector<int64_t>{4, 16, 16, 16}));
}

TEST(Trg, MeasuredRanksStartAsTheExactOnes) {
  const absl::StatusOr<std::vector<int64_t>> ranks = MeasuredSchedule(CpuEngine::Serial(), 18, 4, {0.44});
  ASSERT_TRUE(ranks.ok()) << ranks.status();
  EXPECT_EQ(std::vector<int64_t>(ranks->begin(), ranks->begin() + 4), (std::vector<int64_t>{2, 4, 4, 16}));
}

TEST(Trg, TheWholeProgramHasFortySplits) {
  const auto program = WholeTrg::Make(CpuEngine::Serial(), RankSchedule(16, 20), BondSplit::kSplit);
  ASSERT_TRUE(program.ok()) << program.status();
  int splits = 0;
  for (const Node& node : (*program)->program().nodes().nodes()) splits += node.op == &linalg::kSplitSvd;
  EXPECT_EQ(splits, 40);
  EXPECT_EQ((*program)->program().inputs().size(), 1u);
  EXPECT_EQ((*program)->program().outputs().size(), 2u);
}

TEST(Trg, ComesCloseToOnsager) {
  const auto program = WholeTrg::Make(CpuEngine::Serial(), RankSchedule(16, 20), BondSplit::kSplit);
  ASSERT_TRUE(program.ok()) << program.status();
  for (double beta : {0.2, 0.35, 0.44, 0.5, 0.8}) {
    const auto both = (*program)->ValueAndGrad(beta);
    ASSERT_TRUE(both.ok()) << both.status();
    EXPECT_NEAR(both->lnz, Onsager(beta).lnz, 6e-6);
    EXPECT_NEAR(both->dlnz, Onsager(beta).dlnz, 6e-4);
  }
}

TEST(Trg, TheDerivativeIsThatOfTheValue) {
  const auto program = WholeTrg::Make(CpuEngine::Serial(), RankSchedule(8, 20), BondSplit::kSplit);
  ASSERT_TRUE(program.ok()) << program.status();
  constexpr double kStep = 1e-4;
  const double above = *(*program)->Value(0.35 + kStep), below = *(*program)->Value(0.35 - kStep);
  EXPECT_NEAR((*program)->ValueAndGrad(0.35)->dlnz, (above - below) / (2 * kStep), 1e-7);
}

TEST(Trg, OnlyTheWholeProgramHasATrace) {
  const CpuEngine engine = CpuEngine::Serial();
  const std::string path = testing::TempDir() + "/trace.json";
  const auto whole = WholeTrg::Make(engine, RankSchedule(4, 3), BondSplit::kSplit);
  ASSERT_TRUE((*whole)->Trace(0.44, path).ok());
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_NE(text.find("linalg.split_svd"), std::string::npos);
  const auto staged = StagedTrg::Make(engine, RankSchedule(4, 3), BondSplit::kSplit);
  EXPECT_EQ((*staged)->Trace(0.44, path).message(), "the staged form runs many programs: trace trg_whole");
}

// The Z2 symmetry of the model as exact zeros: each of the 40 matrices that are split has two blocks, to the last step.
TEST(Trg, EveryDecompositionHasTwoExactBlocks) {
  const CpuEngine engine = CpuEngine::Serial();
  Var tensor = IsingTensor(Immediate(engine, Tensor::Scalar(0.44)));
  int matrices = 0;
  for (int64_t k : RankSchedule(16, 20)) {
    const int64_t d = tensor.dim(0);
    const Var t = tensor / ReduceMax(Abs(tensor));
    for (const Var& matrix : {Reshape(t, {d * d, d * d}), Reshape(Transpose(t, {1, 2, 3, 0}), {d * d, d * d})}) {
      const absl::StatusOr<Tensor> numbers = matrix.ToTensor();
      ASSERT_TRUE(numbers.ok()) << numbers.status();
      std::vector<int32_t> rows(d * d), columns(d * d);
      EXPECT_EQ(linalg::ExactBlocks<double>(BestIsa(), d * d, d * d, numbers->Data<double>()->data(), rows.data(),
                                            columns.data()),
                2)
          << "matrix " << matrices;
      ++matrices;
    }
    tensor = Renormalize(tensor, k, BondSplit::kSplit).next;
  }
  EXPECT_EQ(matrices, 40);
}

}  // namespace
}  // namespace tenferro
