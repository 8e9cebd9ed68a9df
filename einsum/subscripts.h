#ifndef TENFERRO_EINSUM_SUBSCRIPTS_H_
#define TENFERRO_EINSUM_SUBSCRIPTS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tenferro/tensor/shape.h"

namespace tenferro::einsum {

// An index of a contraction: a letter's code, kFirstNumber + n for the integer label n, or a negative number for an
// axis under an ellipsis (-1 is the last such axis).
using Label = int64_t;
inline constexpr Label kFirstNumber = 1024;
inline constexpr Label kGreatestNumber = INT64_MAX - kFirstNumber;
std::string NameOf(Label label);

// Which operands parentheses put together: an operand, or a group of further ones.
struct Group {
  int operand = -1;
  std::vector<Group> members;
};

// A contraction: the labels of each operand's axes, those of the result, and what each label's extent is.
struct Contraction {
  std::vector<Ints> operands;
  Ints output;  // a label that stands more than once makes a diagonal
  // Pairs of label and extent, ascending by label.
  std::vector<std::pair<Label, int64_t>> extents;
  Group grouping;  // of all operands

  int64_t ExtentOf(Label label) const { return extents[NumberOf(label)].second; }
  // Position among the extents. The label must stand there.
  int NumberOf(Label label) const;
};

// Reads "ij,jk->ik" for operands of these shapes. Letters a–z and A–Z, spaces ignored, "..." for further axes that
// broadcast by NumPy's rule (an axis of extent 1 under it has no label of its own: its operand does not depend on it);
// parentheses around operands that are to be contracted first: "(ij,jk),kl->il". Without "->" the result has the labels
// that stand once, in alphabetical order, after those of the ellipsis. Errors: another number of operands or axes than
// the subscripts say; a character that is no letter; a label of the result that stands in no operand; extents of one
// label that differ; a misplaced ellipsis, parenthesis or arrow; parentheses more than 256 deep; more than 256 labels.
absl::StatusOr<Contraction> ParseSubscripts(absl::string_view subscripts, absl::Span<const Shape> shapes);

// The same from lists of integers n >= 0, one for each axis. Errors: also a label below 0 or above
// kGreatestNumber.
absl::StatusOr<Contraction> FromLabels(absl::Span<const Ints> labels, const Ints& output,
                                       absl::Span<const Shape> shapes);

}  // namespace tenferro::einsum

#endif  // TENFERRO_EINSUM_SUBSCRIPTS_H_
