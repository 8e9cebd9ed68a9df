#ifndef TENFERRO_EINSUM_EINSUM_H_
#define TENFERRO_EINSUM_EINSUM_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tenferro/einsum/plan.h"
#include "tenferro/runtime/var.h"

namespace tenferro {

// Sum over products of elements, by labels of axes: Einsum("ij,jk->ik", {a, b}) is a matrix product.
// A label that repeats in one operand takes its diagonal; one that repeats in the result puts the values on a diagonal
// ("i->ii"); labels that the result lacks are summed; "..." stands for further axes, which broadcast; parentheses say
// what to contract first; without "->" the result has the labels that stand once, in alphabetical order. Works on
// traced values and on numbers alike. It is lowered, pair by pair along the path of `options`, to dot_general, whose
// kernel takes operands of any axis order, or to elementwise products where nothing is summed.
// Dtypes: all but bool, promoted to one. Derivative: along the same pairs, sharing what the forward computed: two
// products for each of its own. Accuracy: that of the sums in the order of the path. Cost: that of the path, see
// PlanEinsum; paths are found once for each string, shapes and options.
// Errors: those of ParseSubscripts and MakePlan (tenferro/einsum/subscripts.h, plan.h); no operand.
Var Einsum(absl::string_view subscripts, absl::Span<const Var> operands, Location location = Location::current());
Var Einsum(absl::string_view subscripts, absl::Span<const Var> operands, const EinsumOptions& options,
           Location location = Location::current());

// The same with integers >= 0 for labels, one list for each operand: Einsum({{0, 1}, {1, 2}}, {0, 2}, {a, b}).
Var Einsum(absl::Span<const Ints> labels, const Ints& result, absl::Span<const Var> operands,
           const EinsumOptions& options = {}, Location location = Location::current());

// What Einsum would do for operands of these shapes: the path, its flops and its largest intermediate result. Print it
// with ToString. The dtype counts where options.memory_limit does.
absl::StatusOr<einsum::Plan> PlanEinsum(absl::string_view subscripts, absl::Span<const Shape> shapes,
                                        const EinsumOptions& options = {}, DType dtype = DType::kF64);

}  // namespace tenferro

#endif  // TENFERRO_EINSUM_EINSUM_H_
