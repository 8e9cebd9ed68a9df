#include "tenferro/experiments/parity/coverage.h"

#include <cstdio>
#include <set>
#include <vector>

#include "gtest/gtest.h"
#include "tenferro/experiments/parity/evaluate.h"

namespace tenferro::parity {
namespace {

const std::vector<Case>& Cases() {
  static const std::vector<Case>& cases = *new std::vector<Case>(*LoadCases("experiments/parity/data"));
  return cases;
}

TEST(Coverage, IncludesWhatTheOperationsExpress) {
  const Coverage coverage = CoverageOf(Cases());
  const std::string text = ToText(coverage);
  std::fputs(text.c_str(), stdout);
  EXPECT_EQ(coverage.included.size(), 854);
  EXPECT_NE(text.find("included: 854 cases\n"), std::string::npos);
  EXPECT_NE(text.find("excluded: 215 cases\n"), std::string::npos);
  EXPECT_EQ(coverage.included_per_op.at("dot_general/dot_general"), 29);
  EXPECT_EQ(coverage.included_per_op.at("eigh/eigh"), 15);
}

// What is left out needs random numbers or control flow; nothing else is.
TEST(Coverage, OnlyWholePackagesAreLeftOut) {
  const std::set<std::string> control = {"cond", "fori_loop", "scan", "switch", "while_loop"};
  const std::set<std::string> mapped = {"vmap/while", "vmap/scan", "vmap/random"};
  for (const Case& c : Cases()) {
    if (FindFormula(c) != nullptr) continue;
    EXPECT_TRUE(c.group == "random" || (c.group == "control" && control.count(c.op) == 1) ||
                mapped.count(FunctionName(c)) == 1)
        << c.name;
  }
}

TEST(Coverage, EveryFormulaServesACase) {
  std::set<const Formula*> used;
  for (const Case& c : Cases()) used.insert(FindFormula(c));
  for (absl::Span<const Formula> family :
       {ElementwiseFormulas(), ReduceFormulas(), StructuralFormulas(), ContractionFormulas(), DecompositionFormulas(),
        CalculusFormulas(), VmapFormulas(), IndexingFormulas(), FftFormulas(), SpectralFormulas(), SolverFormulas()}) {
    for (const Formula& formula : family) EXPECT_EQ(used.count(&formula), 1) << formula.key;
  }
}

TEST(Coverage, ACaseWithoutFormulaIsAnError) {
  for (const Case& c : Cases()) {
    if (FindFormula(c) != nullptr) continue;
    Graph graph;
    const std::vector<Var> outputs = Evaluate(graph, c, {});
    ASSERT_EQ(outputs.size(), 1);
    EXPECT_EQ(outputs[0].status().message(), c.name + ": no formula");
  }
}

}  // namespace
}  // namespace tenferro::parity
