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
  EXPECT_EQ(coverage.included.size(), 780);
  EXPECT_NE(text.find("included: 780 cases\n"), std::string::npos);
  EXPECT_NE(text.find("excluded: 289 cases\n"), std::string::npos);
  EXPECT_EQ(coverage.included_per_op.at("dot_general/dot_general"), 29);
  EXPECT_EQ(coverage.included_per_op.count("eigh/eigh"), 0);
}

// What is left out needs random numbers, control flow, transforms of Fourier or decompositions; nothing else is.
TEST(Coverage, OnlyWholePackagesAreLeftOut) {
  const std::set<std::string> packages = {"random", "fft", "eig", "eigh", "expm"};
  const std::set<std::string> control = {"cond", "fori_loop", "scan", "switch", "while_loop"};
  const std::set<std::string> mapped = {"vmap/expm", "vmap/while", "vmap/scan", "vmap/fft", "vmap/random"};
  for (const Case& c : Cases()) {
    if (FindFormula(c) != nullptr) continue;
    EXPECT_TRUE(packages.count(c.group) == 1 || (c.group == "control" && control.count(c.op) == 1) ||
                mapped.count(FunctionName(c)) == 1)
        << c.name;
  }
}

TEST(Coverage, EveryFormulaServesACase) {
  std::set<const Formula*> used;
  for (const Case& c : Cases()) used.insert(FindFormula(c));
  for (absl::Span<const Formula> family :
       {ElementwiseFormulas(), ReduceFormulas(), StructuralFormulas(), ContractionFormulas(), DecompositionFormulas(),
        CalculusFormulas(), VmapFormulas(), IndexingFormulas(), SolverFormulas()}) {
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
