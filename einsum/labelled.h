#ifndef TENFERRO_EINSUM_LABELLED_H_
#define TENFERRO_EINSUM_LABELLED_H_

#include <algorithm>

#include "absl/functional/function_ref.h"
#include "tenferro/einsum/subscripts.h"
#include "tenferro/runtime/var.h"

namespace tenferro::einsum {

// A tensor with a label on each axis; no label twice.
struct Labelled {
  Var value;
  Ints labels;

  int64_t AxisOf(Label label) const { return std::find(labels.begin(), labels.end(), label) - labels.begin(); }
  bool Has(Label label) const { return AxisOf(label) < static_cast<int64_t>(labels.size()); }
};

// An operand with one axis for each label: without axes of extent 1 that broadcast under the ellipsis, the diagonal
// over labels that repeat.
Labelled Prepared(const Var& operand, const Ints& labels, const Contraction& contraction);

// Sums over the labels that are not needed.
Labelled SumUnneeded(const Labelled& x, absl::FunctionRef<bool(Label)> needed);

// The element `index` along a label, without its axis; x itself where it lacks the label.
Labelled At(const Labelled& x, Label label, int64_t index);

// Multiplies two tensors and sums over the labels that they share and `kept` lacks. A product without sums has its
// labels in the order of `wanted`, where that has them all.
Labelled ContractPair(const Labelled& a, const Labelled& b, absl::FunctionRef<bool(Label)> kept, const Ints& wanted);

// x with its axes in the order of `output`, on a diagonal where a label stands there more than once.
Var Arranged(Labelled x, const Ints& output);

}  // namespace tenferro::einsum

#endif  // TENFERRO_EINSUM_LABELLED_H_
