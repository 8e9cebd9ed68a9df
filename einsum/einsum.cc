#include "tenferro/einsum/einsum.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tenferro/einsum/path.h"
#include "tenferro/einsum/subscripts.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

using einsum::Contraction;
using einsum::Label;
using einsum::Path;

// A tensor with a label on each axis; no label twice.
struct Labelled {
  Var value;
  Ints labels;

  int64_t AxisOf(Label label) const { return std::find(labels.begin(), labels.end(), label) - labels.begin(); }
  bool Has(Label label) const { return AxisOf(label) < static_cast<int64_t>(labels.size()); }
};

// Drops axes of extent 1 that broadcast against a longer one under the ellipsis.
Labelled WithoutBroadcastAxes(const Labelled& x, const Contraction& contraction) {
  Labelled result;
  Shape shape;
  for (size_t i = 0; i < x.labels.size(); ++i) {
    const Label label = x.labels[i];
    if (label < 0 && x.value.dim(i) == 1 && contraction.ExtentOf(label) != 1) continue;
    result.labels.push_back(label);
    shape.push_back(x.value.shape()[i]);
  }
  result.value = Reshape(x.value, shape);
  return result;
}

// One axis for each label: the diagonal over those that repeat.
Labelled WithDistinctLabels(Labelled x) {
  for (size_t i = 0; i < x.labels.size();) {
    const auto again = std::find(x.labels.begin() + i + 1, x.labels.end(), x.labels[i]);
    if (again == x.labels.end()) {
      ++i;
      continue;
    }
    const Label label = x.labels[i];
    const int j = static_cast<int>(again - x.labels.begin());
    x.value = ExtractDiag(x.value, static_cast<int>(i), j);
    x.labels.erase(x.labels.begin() + j);
    x.labels.erase(x.labels.begin() + i);
    x.labels.push_back(label);
    i = 0;
  }
  return x;
}

// Sums over the labels that `needed` lacks.
template <class Needed>
Labelled SumUnneeded(const Labelled& x, Needed needed) {
  Ints axes;
  Labelled result;
  for (size_t i = 0; i < x.labels.size(); ++i) {
    if (needed(x.labels[i])) {
      result.labels.push_back(x.labels[i]);
    } else {
      axes.push_back(i);
    }
  }
  result.value = axes.empty() ? x.value : ReduceSum(x.value, axes);
  return result;
}

// Contracts two tensors over the labels they share and `kept` lacks.
Labelled ContractPair(const Labelled& a, const Labelled& b, const Ints& kept) {
  DotGeneralAttributes axes;
  Labelled result;
  for (Label label : a.labels) {
    if (!b.Has(label)) continue;
    const bool is_batch = std::find(kept.begin(), kept.end(), label) != kept.end();
    (is_batch ? axes.lhs_batch : axes.lhs_contract).push_back(a.AxisOf(label));
    (is_batch ? axes.rhs_batch : axes.rhs_contract).push_back(b.AxisOf(label));
    if (is_batch) result.labels.push_back(label);
  }
  for (Label label : a.labels) {
    if (!b.Has(label)) result.labels.push_back(label);
  }
  for (Label label : b.labels) {
    if (!a.Has(label)) result.labels.push_back(label);
  }
  result.value = DotGeneral(a.value, b.value, axes);
  return result;
}

absl::Status CheckPath(const Path& path, size_t operands) {
  std::vector<bool> used(operands + path.size());
  if (path.size() + 1 != operands) {
    return absl::InvalidArgumentError(absl::StrCat("the path has ", path.size(), " steps for ", operands, " operands"));
  }
  for (size_t step = 0; step < path.size(); ++step) {
    for (int id : {path[step].first, path[step].second}) {
      if (id < 0 || id >= static_cast<int>(operands + step) || used[id]) {
        return absl::InvalidArgumentError(
            absl::StrCat("step ", step, " of the path uses value ", id, ", which does not exist or was used before"));
      }
      used[id] = true;
    }
  }
  return absl::OkStatus();
}

Var Contract(const Contraction& contraction, const Path& path, absl::Span<const Var> operands) {
  std::vector<Labelled> values;
  for (size_t i = 0; i < operands.size(); ++i) {
    values.push_back(WithDistinctLabels(WithoutBroadcastAxes({operands[i], contraction.operands[i]}, contraction)));
  }
  const auto in_result = [&](Label label) {
    return std::find(contraction.output.begin(), contraction.output.end(), label) != contraction.output.end();
  };
  const auto needed_elsewhere = [&](int a, int b, Label label) {
    for (int i = 0; i < static_cast<int>(values.size()); ++i) {
      if (i != a && i != b && !values[i].value.empty() && values[i].Has(label)) return true;
    }
    return in_result(label);
  };
  for (const auto& [first, second] : path) {
    // A label that only one of the two has and nobody else needs is summed before the product.
    for (const auto& [mine, other] : {std::pair(first, second), std::pair(second, first)}) {
      values[mine] = SumUnneeded(values[mine], [&](Label label) {
        return values[other].Has(label) || needed_elsewhere(first, second, label);
      });
    }
    Ints kept;
    for (Label label : values[first].labels) {
      if (needed_elsewhere(first, second, label)) kept.push_back(label);
    }
    Labelled product = ContractPair(values[first], values[second], kept);
    values[first].value = values[second].value = Var();
    values.push_back(std::move(product));
  }
  const Labelled last = SumUnneeded(values.back(), in_result);
  Ints permutation;
  for (Label label : contraction.output) permutation.push_back(last.AxisOf(label));
  return permutation == FirstAxes(permutation.size()) ? last.value : Transpose(last.value, permutation);
}

Var Evaluate(const Path* path, absl::string_view subscripts, absl::Span<const Var> operands, const Location& location) {
  constexpr char kName[] = "einsum";
  LocationScope scope(location);
  if (operands.empty()) return ErrorVar(location, kName, "needs at least one operand");
  std::vector<Shape> shapes;
  DType dtype{};
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].empty()) return ErrorVar(location, kName, "an operand is an empty Var");
    if (!operands[i].ok()) return operands[i];
    shapes.push_back(operands[i].shape());
    const absl::StatusOr<DType> promoted = i == 0 ? operands[0].dtype() : Promote(dtype, operands[i].dtype());
    if (!promoted.ok()) return ErrorVar(location, kName, promoted.status().message());
    dtype = *promoted;
  }
  if (dtype == DType::kBool) return ErrorVar(location, kName, "does not take bool");
  const absl::StatusOr<Contraction> contraction = einsum::ParseSubscripts(subscripts, shapes);
  if (!contraction.ok()) {
    return ErrorVar(location, kName, absl::StrCat("\"", subscripts, "\": ", contraction.status().message()));
  }
  std::vector<Var> converted;
  for (const Var& operand : operands) converted.push_back(Convert(operand, dtype));
  if (path == nullptr) return Contract(*contraction, einsum::GreedyPath(*contraction), converted);
  if (absl::Status s = CheckPath(*path, operands.size()); !s.ok()) return ErrorVar(location, kName, s.message());
  return Contract(*contraction, *path, converted);
}

}  // namespace

Var Einsum(absl::string_view subscripts, absl::Span<const Var> operands, Location location) {
  return Evaluate(nullptr, subscripts, operands, location);
}

Var EinsumAlong(const std::vector<std::pair<int, int>>& path, absl::string_view subscripts,
                absl::Span<const Var> operands, Location location) {
  return Evaluate(&path, subscripts, operands, location);
}

}  // namespace tenferro
