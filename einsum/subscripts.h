#ifndef TENFERRO_EINSUM_SUBSCRIPTS_H_
#define TENFERRO_EINSUM_SUBSCRIPTS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tenferro/tensor/shape.h"

namespace tenferro::einsum {

// An index of a contraction: a letter's code, or a negative number for an axis under an ellipsis (-1 is the last such
// axis).
using Label = int64_t;

// A contraction: the labels of each operand's axes, those of the result, and what each label's extent is.
struct Contraction {
  std::vector<Ints> operands;
  Ints output;
  int64_t ExtentOf(Label label) const;
  // Pairs of label and extent, ascending by label.
  std::vector<std::pair<Label, int64_t>> extents;
};

// Reads "ij,jk->ik" for operands of these shapes. Letters a–z and A–Z, spaces ignored, "..." for further axes that
// broadcast by NumPy's rule (an axis of extent 1 under it has no label of its own: its operand does not depend on it).
// Without "->" the result has the labels that stand once, in alphabetical order, after those of the ellipsis. Errors:
// another number of operands or axes than the subscripts say; a character that is no letter; a label of the result that
// stands twice or in no operand; extents of one label that differ; a misplaced ellipsis or arrow.
absl::StatusOr<Contraction> ParseSubscripts(absl::string_view subscripts, absl::Span<const Shape> shapes);

}  // namespace tenferro::einsum

#endif  // TENFERRO_EINSUM_SUBSCRIPTS_H_
