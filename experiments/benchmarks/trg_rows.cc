#include <memory>

#include "absl/strings/str_cat.h"
#include "tenferro/ad/grad.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/experiments/benchmarks/row.h"
#include "tenferro/experiments/ising/trg_program.h"
#include "tenferro/runtime/program.h"
#include "tenferro/tensor/status.h"

namespace tenferro {
namespace {

constexpr int64_t kBondDimension = 16;
constexpr int64_t kSteps = 20;

BenchRow TrgRow(bool gradient, double beta, int width) {
  const auto make = [=]() -> absl::StatusOr<Work> {
    TENFERRO_ASSIGN_OR_RETURN(
        std::shared_ptr<const WholeTrg> trg,
        WholeTrg::Make(CpuEngine::WithThreads(width), RankSchedule(kBondDimension, kSteps), BondSplit::kSplit));
    if (gradient) return Work([=] { return trg->ValueAndGrad(beta).status(); });
    return Work([=] { return trg->Value(beta).status(); });
  };
  return {absl::StrCat("trg ", gradient ? "value+grad" : "value", " beta=", beta, width == 1 ? "" : " w2"), make};
}

// Trace, derivative, compile and prepare of the program of value and gradient.
absl::StatusOr<Work> MakePreparation() {
  const CpuEngine engine = CpuEngine::Serial();
  return Work([engine]() -> absl::Status {
    Graph graph;
    const Var beta = graph.Input(DType::kF64, {});
    const Var lnz = LogPartitionPerSite(beta, RankSchedule(kBondDimension, kSteps), BondSplit::kSplit);
    TENFERRO_ASSIGN_OR_RETURN(const Program program, Compile({lnz, ad::Grad(lnz, beta)}, {beta}));
    return engine.Prepare(program).status();
  });
}

}  // namespace

std::vector<BenchRow> TrgRows() {
  std::vector<BenchRow> rows;
  for (int width : {1, 2}) {
    // The fastest and the slowest of the five temperatures of the other experiments.
    for (double beta : {0.2, 0.44}) {
      for (bool gradient : {false, true}) rows.push_back(TrgRow(gradient, beta, width));
    }
  }
  rows.push_back({"trg prepare", MakePreparation});
  return rows;
}

}  // namespace tenferro
