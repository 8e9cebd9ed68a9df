#ifndef TENFERRO_EXPERIMENTS_PARITY_EVALUATE_H_
#define TENFERRO_EXPERIMENTS_PARITY_EVALUATE_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "tenferro/experiments/parity/cases.h"
#include "tenferro/runtime/graph.h"

namespace tenferro::parity {

// What a formula gets: the case, whose attributes it may ask for, and the inputs as values of `graph`.
struct Call {
  Graph& graph;
  const Case& c;
  absl::Span<const Var> inputs;
  const Var& operator[](int i) const { return inputs[i]; }

  // The integer or list of integers `attribute`; null stands for `absent`.
  Ints IntsOf(const char* attribute, const Ints& absent = {}) const;
};

// How one function of the reference is written with this project's operations.
struct Formula {
  const char* key;  // "group/op", or the function's whole name where one op stands for several functions
  std::vector<Var> (*evaluate)(const Call& call);
};

// The formulas of each file of this name.
absl::Span<const Formula> ElementwiseFormulas();
absl::Span<const Formula> ReduceFormulas();
absl::Span<const Formula> StructuralFormulas();
absl::Span<const Formula> ContractionFormulas();
absl::Span<const Formula> DecompositionFormulas();
absl::Span<const Formula> CalculusFormulas();
absl::Span<const Formula> VmapFormulas();
absl::Span<const Formula> IndexingFormulas();
absl::Span<const Formula> FftFormulas();
absl::Span<const Formula> SpectralFormulas();
absl::Span<const Formula> SolverFormulas();

// The formula of the case's function f; nullptr if the operations it needs are not there.
const Formula* FindFormula(const Case& c);

// The outputs of f; for a case without a formula a single error that says so.
std::vector<Var> Evaluate(Graph& graph, const Case& c, absl::Span<const Var> inputs);

}  // namespace tenferro::parity

#endif  // TENFERRO_EXPERIMENTS_PARITY_EVALUATE_H_
