#ifndef TENFERRO_RUNTIME_OPS_SORT_H_
#define TENFERRO_RUNTIME_OPS_SORT_H_

#include <vector>

#include "absl/types/span.h"
#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro {

// Orders along one axis, line by line. Dtypes: real and bool. The order is JAX's: NaN behind every number, −0 equal to
// +0; equal elements (NaN among themselves too) keep their places, also when descending, where NaN comes first.
// Errors, for all: a complex dtype; an axis that does not exist.

extern constinit FamilySlots sort_slots;
extern const OpDef kSort, kArgSort, kTopK, kArgMax, kArgMin;

struct SortAttributes {
  int64_t axis = 0;
  bool descending = false;
  void Fields(auto&& field) {
    field("axis", axis);
    field("descending", descending);
  }
};
struct TopKAttributes {
  int64_t count = 0;
  int64_t axis = 0;
  void Fields(auto&& field) {
    field("count", count);
    field("axis", axis);
  }
};
struct ArgExtremumAttributes {
  int64_t axis = 0;
  void Fields(auto&& field) { field("axis", axis); }
};

// The elements in order. Derivative: dx in the same order (at ties, that of equal elements' places).
// Cost: O(n log n) below some hundred elements, then proportional to n and the bytes of an element.
Var Sort(const Arg& x, int axis, bool descending = false);
// Where the elements of Sort come from, i64: TakeAlongAxis(x, ArgSort(x)) is Sort(x) in every bit. Derivative: none.
Var ArgSort(const Arg& x, int axis, bool descending = false);

struct SortedPairs {
  Var keys;
  std::vector<Var> values;
};
// The keys in order, and each of `values`, of the keys' shape and any dtype, in the keys' order. Errors: other shapes.
// Derivative: the tangents in the keys' order.
SortedPairs SortByKey(const Arg& keys, absl::Span<const Var> values, int axis, bool descending = false);

struct TopKResult {
  Var values;
  Var indices;  // i64
};
// The `count` largest elements in descending order and their places; of equal ones those with lower indices first, NaN
// counts as the largest (JAX). Shapes: `axis` has extent `count`. Errors: a count below 0 or above the axis's extent.
// Derivative: of the values, dx at the places.
TopKResult TopK(const Arg& x, int64_t count, int axis);

// The place of the first of the largest (smallest) elements, i64; of the first NaN if there is one, for both (NumPy,
// JAX). Shapes: without `axis`. Errors: the axis has no element. Derivative: none.
Var ArgMax(const Arg& x, int axis);
Var ArgMin(const Arg& x, int axis);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_SORT_H_
