#include "tenferro/einsum/einsum.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tenferro/einsum/labelled.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"

namespace tenferro {
namespace {

using einsum::Label;
using einsum::Labelled;
using einsum::Plan;

constexpr char kName[] = "einsum";

// For messages: the beginning is enough to know which.
std::string Quoted(absl::string_view subscripts) {
  constexpr size_t kMost = 200;
  return absl::StrCat("\"", subscripts.substr(0, kMost), subscripts.size() > kMost ? "…\"" : "\"");
}

bool Contains(const Ints& labels, Label label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

// The result of one slice with a label on each axis. `output` are the labels that it keeps.
Labelled Contract(const Plan& plan, std::vector<Labelled> values, const Ints& output) {
  const auto needed_elsewhere = [&](int a, int b, Label label) {
    for (int i = 0; i < static_cast<int>(values.size()); ++i) {
      if (i != a && i != b && !values[i].value.empty() && values[i].Has(label)) return true;
    }
    return Contains(output, label);
  };
  for (const auto& step : plan.path) {
    const int first = step.first, second = step.second;
    // A label that only one of the two has and nobody else needs is summed before the product.
    for (const auto& [mine, other] : {std::pair(first, second), std::pair(second, first)}) {
      const Labelled& partner = values[other];
      values[mine] = SumUnneeded(
          values[mine], [&](Label label) { return partner.Has(label) || needed_elsewhere(first, second, label); });
    }
    Labelled product = ContractPair(
        values[first], values[second], [&](Label label) { return needed_elsewhere(first, second, label); }, output);
    values[first].value = values[second].value = Var();
    values.push_back(std::move(product));
  }
  return SumUnneeded(values.back(), [&](Label label) { return Contains(output, label); });
}

// The parts for all values of the sliced labels from number `depth` on, summed or, where the result has the label,
// joined along a last axis.
Labelled ContractSlices(const Plan& plan, const std::vector<Labelled>& values, const Ints& output, size_t depth) {
  if (depth == plan.sliced.size()) return Contract(plan, values, output);
  const Label label = plan.sliced[depth];
  const bool joined = Contains(output, label);
  Ints inner_output;
  for (Label other : output) {
    if (other != label) inner_output.push_back(other);
  }
  Labelled result;
  std::vector<Var> parts;
  for (int64_t index = 0; index < plan.contraction.ExtentOf(label); ++index) {
    std::vector<Labelled> sliced;
    for (const Labelled& value : values) sliced.push_back(At(value, label, index));
    Labelled part = ContractSlices(plan, sliced, inner_output, depth + 1);
    result.labels = part.labels;
    if (joined) {
      Shape shape = part.value.shape();
      shape.push_back(1);
      parts.push_back(Reshape(part.value, shape));
    } else {
      result.value = result.value.empty() ? part.value : result.value + part.value;
    }
  }
  if (joined) {
    // Not more operands than a record takes.
    while (parts.size() > 1) {
      std::vector<Var> fewer;
      for (size_t i = 0; i < parts.size(); i += 64) {
        fewer.push_back(Concatenate(absl::MakeConstSpan(parts).subspan(i, 64), parts[0].rank() - 1));
      }
      parts = std::move(fewer);
    }
    result.value = parts[0];
    result.labels.push_back(label);
  }
  return result;
}

// The operands' common dtype and their shapes.
absl::StatusOr<DType> CheckOperands(absl::Span<const Var> operands, std::vector<Shape>& shapes,
                                    const Location& location) {
  const auto fail = [&](absl::string_view message) { return ErrorVar(location, kName, message).status(); };
  if (operands.empty()) return fail("needs at least one operand");
  DType dtype{};
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].empty()) return fail("an operand is an empty Var");
    TENFERRO_RETURN_IF_ERROR(operands[i].status());
    shapes.push_back(operands[i].shape());
    const absl::StatusOr<DType> promoted = i == 0 ? operands[0].dtype() : Promote(dtype, operands[i].dtype());
    if (!promoted.ok()) return fail(promoted.status().message());
    dtype = *promoted;
  }
  if (dtype == DType::kBool) return fail("does not take bool");
  return dtype;
}

Var Evaluate(const Plan& plan, absl::Span<const Var> operands, DType dtype) {
  std::vector<Labelled> values;
  for (size_t i = 0; i < operands.size(); ++i) {
    values.push_back(Prepared(Convert(operands[i], dtype), plan.contraction.operands[i], plan.contraction));
  }
  Ints distinct;
  for (Label label : plan.contraction.output) {
    if (!Contains(distinct, label)) distinct.push_back(label);
  }
  return Arranged(ContractSlices(plan, values, distinct, 0), plan.contraction.output);
}

}  // namespace

Var Einsum(absl::string_view subscripts, absl::Span<const Var> operands, const EinsumOptions& options,
           Location location) {
  const Location here = LocationScope::Resolve(location);
  LocationScope scope(here);
  std::vector<Shape> shapes;
  const absl::StatusOr<DType> dtype = CheckOperands(operands, shapes, here);
  if (!dtype.ok()) return Var::Error(dtype.status());
  const auto plan = einsum::CachedPlan(subscripts, shapes, options, SizeOf(*dtype));
  if (!plan.ok()) return ErrorVar(here, kName, absl::StrCat(Quoted(subscripts), ": ", plan.status().message()));
  return Evaluate(**plan, operands, *dtype);
}

Var Einsum(absl::string_view subscripts, absl::Span<const Var> operands, Location location) {
  return Einsum(subscripts, operands, EinsumOptions(), location);
}

Var Einsum(absl::Span<const Ints> labels, const Ints& result, absl::Span<const Var> operands,
           const EinsumOptions& options, Location location) {
  const Location here = LocationScope::Resolve(location);
  LocationScope scope(here);
  std::vector<Shape> shapes;
  const absl::StatusOr<DType> dtype = CheckOperands(operands, shapes, here);
  if (!dtype.ok()) return Var::Error(dtype.status());
  const absl::StatusOr<Plan> plan = [&]() -> absl::StatusOr<Plan> {
    TENFERRO_ASSIGN_OR_RETURN(einsum::Contraction contraction, einsum::FromLabels(labels, result, shapes));
    return einsum::MakePlan(std::move(contraction), options, SizeOf(*dtype));
  }();
  if (!plan.ok()) return ErrorVar(here, kName, plan.status().message());
  return Evaluate(*plan, operands, *dtype);
}

absl::StatusOr<einsum::Plan> PlanEinsum(absl::string_view subscripts, absl::Span<const Shape> shapes,
                                        const EinsumOptions& options, DType dtype) {
  TENFERRO_ASSIGN_OR_RETURN(const std::shared_ptr<const Plan> plan,
                            einsum::CachedPlan(subscripts, shapes, options, SizeOf(dtype)));
  return *plan;
}

}  // namespace tenferro
