#include "tenferro/einsum/labelled.h"

#include <utility>

#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::einsum {
namespace {

// x along the axes of `labels`, repeated over those that it lacks.
Var Spread(const Labelled& x, const Ints& labels, const Shape& shape) {
  Ints axes;
  for (Label label : x.labels) axes.push_back(std::find(labels.begin(), labels.end(), label) - labels.begin());
  return BroadcastInDim(x.value, shape, axes);
}

bool Covers(const Ints& set, const Ints& labels) {
  return std::all_of(labels.begin(), labels.end(),
                     [&](Label label) { return std::find(set.begin(), set.end(), label) != set.end(); });
}

// The result has the axes of one tensor before those of the other: a matrix of one column times one of one row.
bool IsOuter(const Ints& a, const Ints& b, const Ints& wanted) {
  if (a.empty() || b.empty()) return false;
  if (!Covers(wanted, a) || !Covers(wanted, b)) return true;
  const auto leads = [&](const Ints& labels) {
    return Covers(labels, Ints(wanted.begin(), wanted.begin() + static_cast<int64_t>(labels.size())));
  };
  return leads(a) || leads(b);
}

}  // namespace

Labelled Prepared(const Var& operand, const Ints& labels, const Contraction& contraction) {
  Labelled x;
  Shape shape;
  for (size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < 0 && operand.dim(i) == 1 && contraction.ExtentOf(labels[i]) != 1) continue;
    x.labels.push_back(labels[i]);
    shape.push_back(operand.shape()[i]);
  }
  x.value = shape == operand.shape() ? operand : Reshape(operand, shape);
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

Labelled SumUnneeded(const Labelled& x, absl::FunctionRef<bool(Label)> needed) {
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

Labelled At(const Labelled& x, Label label, int64_t index) {
  if (!x.Has(label)) return x;
  const int64_t axis = x.AxisOf(label);
  Ints starts(x.value.rank(), 0), limits = x.value.shape().extents();
  starts[axis] = index;
  limits[axis] = index + 1;
  Labelled result;
  Shape shape;
  for (size_t i = 0; i < x.labels.size(); ++i) {
    if (static_cast<int64_t>(i) == axis) continue;
    result.labels.push_back(x.labels[i]);
    shape.push_back(x.value.shape()[i]);
  }
  result.value = Reshape(Slice(x.value, starts, limits), shape);
  return result;
}

Labelled ContractPair(const Labelled& a, const Labelled& b, absl::FunctionRef<bool(Label)> kept, const Ints& wanted) {
  DotGeneralAttributes axes;
  Labelled result;
  Ints batch, summed, free;
  for (Label label : a.labels) {
    if (!b.Has(label)) {
      free.push_back(label);
      continue;
    }
    const bool is_batch = kept(label);
    (is_batch ? axes.lhs_batch : axes.lhs_contract).push_back(a.AxisOf(label));
    (is_batch ? axes.rhs_batch : axes.rhs_contract).push_back(b.AxisOf(label));
    (is_batch ? batch : summed).push_back(label);
  }
  for (Label label : b.labels) {
    if (!a.Has(label)) free.push_back(label);
  }
  result.labels = batch;
  result.labels.insert(result.labels.end(), free.begin(), free.end());
  if (!summed.empty() || (batch.empty() && IsOuter(a.labels, b.labels, wanted))) {
    result.value = DotGeneral(a.value, b.value, axes);
    return result;
  }
  // One loop, which fuses with its neighbours. It goes along the result's memory, else the larger factor's.
  if (Covers(wanted, result.labels)) {
    const Ints all = std::exchange(result.labels, {});
    for (Label label : wanted) {
      if (std::find(all.begin(), all.end(), label) != all.end()) result.labels.push_back(label);
    }
  } else {
    const bool a_leads = a.labels.size() >= b.labels.size();
    result.labels = (a_leads ? a : b).labels;
    for (Label label : (a_leads ? b : a).labels) {
      if (!result.Has(label)) result.labels.push_back(label);
    }
  }
  Shape shape;
  for (Label label : result.labels) {
    const Labelled& owner = a.Has(label) ? a : b;
    shape.push_back(owner.value.shape()[owner.AxisOf(label)]);
  }
  result.value = Spread(a, result.labels, shape) * Spread(b, result.labels, shape);
  return result;
}

Var Arranged(Labelled x, const Ints& output) {
  // A label that x has less often than the result: its axis goes to the end and becomes the diagonal of two.
  for (Label label : output) {
    while (std::count(x.labels.begin(), x.labels.end(), label) < std::count(output.begin(), output.end(), label)) {
      const int64_t axis = x.AxisOf(label);
      Ints order = OtherAxes({axis}, x.value.rank());
      order.push_back(axis);
      x.value = EmbedDiag(Transpose(x.value, order), x.value.rank() - 1, x.value.rank());
      x.labels.erase(x.labels.begin() + axis);
      x.labels.push_back(label);
      x.labels.push_back(label);
    }
  }
  Ints permutation;
  for (Label label : output) {
    int64_t axis = x.AxisOf(label);
    while (ContainsAxis(permutation, axis)) {
      axis = std::find(x.labels.begin() + axis + 1, x.labels.end(), label) - x.labels.begin();
    }
    permutation.push_back(axis);
  }
  return permutation == FirstAxes(permutation.size()) ? x.value : Transpose(x.value, permutation);
}

}  // namespace tenferro::einsum
