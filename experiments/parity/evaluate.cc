#include "tenferro/experiments/parity/evaluate.h"

#include "absl/strings/str_cat.h"

namespace tenferro::parity {

Ints Call::IntsOf(const char* attribute, const Ints& absent) const {
  const nlohmann::json value = c.attributes.value(attribute, nlohmann::json());
  if (value.is_null()) return absent;
  Ints ints;
  if (value.is_array()) {
    for (const nlohmann::json& element : value) ints.push_back(element.get<int64_t>());
  } else {
    ints.push_back(value.get<int64_t>());
  }
  return ints;
}

const Formula* FindFormula(const Case& c) {
  const std::string name = FunctionName(c), group_and_op = absl::StrCat(c.group, "/", c.op);
  for (absl::Span<const Formula> family :
       {ElementwiseFormulas(), ReduceFormulas(), StructuralFormulas(), ContractionFormulas(), DecompositionFormulas(),
        CalculusFormulas(), VmapFormulas(), IndexingFormulas(), FftFormulas(), SpectralFormulas(), SolverFormulas()}) {
    for (const Formula& formula : family) {
      if (formula.key == name || formula.key == group_and_op) return &formula;
    }
  }
  return nullptr;
}

std::vector<Var> Evaluate(Graph& graph, const Case& c, absl::Span<const Var> inputs) {
  const Formula* formula = FindFormula(c);
  if (formula == nullptr) return {Var::Error(absl::UnimplementedError(absl::StrCat(c.name, ": no formula")))};
  return formula->evaluate({graph, c, inputs});
}

}  // namespace tenferro::parity
