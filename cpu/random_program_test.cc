// Random programs of all operations on dense and strided numbers: one operation at a time, on views and on copies, the
// fused program, and any number of threads must agree in every bit.

#include "tenferro/cpu/random_program.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tenferro/cpu/check_program.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/cpu/kernels/isa.h"

namespace tenferro {
namespace {

RandomProgram MakeRandomProgram(uint32_t seed, int64_t largest, int steps) {
  RandomProgram random(seed, largest);
  for (int i = 0; i < steps; ++i) random.Step();
  return random;
}

void Check(uint32_t seed, int64_t largest, int steps, const std::vector<CpuEngine>& engines) {
  SCOPED_TRACE(absl::StrCat("seed ", seed, " largest ", largest));
  RandomProgram random = MakeRandomProgram(seed, largest, steps);
  const absl::StatusOr<Program> program = random.Finish();
  ASSERT_TRUE(program.ok()) << program.status();
  const absl::Status status = CheckProgram(*program, random.arguments(), engines);
  EXPECT_TRUE(status.ok()) << status;
}

std::vector<CpuEngine> EnginesOf(std::initializer_list<int> widths) {
  std::vector<CpuEngine> engines;
  for (int width : widths) engines.push_back(CpuEngine::WithThreads(width));
  return engines;
}

TEST(RandomProgramTest, SmallTensors) {
  const std::vector<CpuEngine> engines = EnginesOf({1, 2});
  for (uint32_t seed = 0; seed < 2500 && !HasFailure(); ++seed) Check(seed, 200, 25, engines);
}

// Bits may differ from one instruction set to another, but not within one.
TEST(RandomProgramTest, EveryInstructionSet) {
  for (Isa isa : {Isa::kV2, Isa::kV3, Isa::kV4, Isa::kNeon}) {
    if (!IsSupported(isa)) continue;
    SCOPED_TRACE(absl::StrCat("instruction set ", static_cast<int>(isa)));
    const std::vector<CpuEngine> engines = {CpuEngine::WithThreads(1, isa), CpuEngine::WithThreads(2, isa)};
    for (uint32_t seed = 30000; seed < 30500 && !HasFailure(); ++seed) Check(seed, 500, 25, engines);
  }
}

TEST(RandomProgramTest, TensorsOfManyTiles) {
  const std::vector<CpuEngine> engines = EnginesOf({1, 2, 3});
  for (uint32_t seed = 10000; seed < 10150 && !HasFailure(); ++seed) Check(seed, 20000, 20, engines);
}

TEST(RandomProgramTest, TensorsWorthThreads) {
  const std::vector<CpuEngine> engines = EnginesOf({1, 2, 3, 8});
  for (uint32_t seed = 20000; seed < 20020 && !HasFailure(); ++seed) Check(seed, 600000, 12, engines);
}

// What the seeds above try: every operation of the core families.
TEST(RandomProgramTest, HasEveryOperation) {
  std::set<const OpDef*> found;
  for (uint32_t seed = 0; seed < 600; ++seed) {
    const absl::StatusOr<Program> program = MakeRandomProgram(seed, 200, 25).Finish();
    ASSERT_TRUE(program.ok()) << program.status();
    for (const Node& node : program->nodes().nodes()) found.insert(node.op);
  }
  EXPECT_EQ(found.size(), 118);
}

}  // namespace
}  // namespace tenferro
