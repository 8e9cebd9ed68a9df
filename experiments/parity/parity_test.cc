#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/experiments/parity/coverage.h"
#include "tenferro/experiments/parity/run.h"

namespace tenferro::parity {

void PrintTo(const Case* c, std::ostream* out) { *out << c->name << ": " << c->expr; }

namespace {

const std::vector<const Case*>& Included() {
  static const std::vector<Case>& cases = *new std::vector<Case>(*LoadCases("experiments/parity/data"));
  static const std::vector<const Case*>& included = *new std::vector<const Case*>(CoverageOf(cases).included);
  return included;
}

class Parity : public testing::TestWithParam<const Case*> {};

TEST_P(Parity, AgreesWithTheReference) {
  static const CpuEngine& engine = *new CpuEngine(CpuEngine::Serial());
  const absl::Status status = RunCase(engine, *GetParam());
  EXPECT_TRUE(status.ok()) << status;
}

// gtest's names allow letters, digits and underscores; two names may become alike, hence the number.
std::string TestName(const testing::TestParamInfo<const Case*>& info) {
  std::string name = std::to_string(info.index) + "_";
  for (char c : info.param->name) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Parity, testing::ValuesIn(Included()), TestName);

}  // namespace
}  // namespace tenferro::parity
