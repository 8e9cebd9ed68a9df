// Runs one fixed program once, for tools/instructions.sh to count its instructions: they repeat where times do not.
#include <cstdio>
#include <memory>
#include <string>

#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/experiments/benchmarks/row.h"
#include "tenferro/experiments/ising/trg_program.h"
#include "tenferro/tensor/status.h"

namespace {

using namespace tenferro;

absl::StatusOr<Work> MakeSmallTrg() {
  TENFERRO_ASSIGN_OR_RETURN(std::shared_ptr<const WholeTrg> trg,
                            WholeTrg::Make(CpuEngine::Serial(), FullSchedule(4, 3), BondSplit::kSplit));
  return Work([trg] { return trg->ValueAndGrad(0.4).status(); });
}

std::vector<BenchRow> Programs() {
  std::vector<BenchRow> programs;
  for (const char* name : {"value n=1000", "grad n=1000", "eager f + backward n=1000", "trg prepare", "matmul f64 64",
                           "svd 64", "einsum trg plaquette", "fft c128 4096"}) {
    for (BenchRow& row : AllRows()) {
      if (row.name == name) programs.push_back(std::move(row));
    }
  }
  programs.push_back({"trg value+grad, 3 steps, bond dimension 4", MakeSmallTrg});
  return programs;
}

}  // namespace

// What is counted: found by its name.
extern "C" __attribute__((noinline, used, visibility("default"))) void CountedRun(const Work* work,
                                                                                  absl::Status* status) {
  *status = (*work)();
}

namespace {

absl::Status Run(const std::string& name) {
  for (const BenchRow& program : Programs()) {
    if (program.name != name) continue;
    TENFERRO_ASSIGN_OR_RETURN(const Work work, program.make());
    TENFERRO_RETURN_IF_ERROR(work());  // what only the first run does is not counted
    absl::Status status;
    CountedRun(&work, &status);
    return status;
  }
  return absl::NotFoundError("no program " + name);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: instructions NAME, where NAME is one of\n", stderr);
    for (const BenchRow& program : Programs()) std::printf("%s\n", program.name.c_str());
    return argc == 1 ? 0 : 2;
  }
  const absl::Status status = Run(argv[1]);
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  return 1;
}
