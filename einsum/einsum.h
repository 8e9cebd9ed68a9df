#ifndef TENFERRO_EINSUM_EINSUM_H_
#define TENFERRO_EINSUM_EINSUM_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tenferro/runtime/var.h"

namespace tenferro {

// Sum over products of elements, by labels of axes: Einsum("ij,jk->ik", {a, b}) is a matrix product. Repeated labels of
// one operand take its diagonal, labels that the result lacks are summed; "..." stands for further axes; without "->"
// the result has the labels that stand once, in alphabetical order. Works on traced values and on numbers alike: it is
// lowered to dot_general, reduce_sum, extract_diag and transpose, pair by pair along a greedy path. Dtypes: all but
// bool, promoted to one. Derivative: along the same pairs. Accuracy: that of the sums in the order of the path. Errors:
// those of ParseSubscripts (tenferro/einsum/subscripts.h); no operand.
Var Einsum(absl::string_view subscripts, absl::Span<const Var> operands, Location location = Location::current());

// The same along a path of the user's: each step contracts two values; operands are 0 … n − 1, the result of step i is
// n + i. Errors: also a path that uses a value twice, one that does not exist, or has not n − 1 steps.
Var EinsumAlong(const std::vector<std::pair<int, int>>& path, absl::string_view subscripts,
                absl::Span<const Var> operands, Location location = Location::current());

}  // namespace tenferro

#endif  // TENFERRO_EINSUM_EINSUM_H_
