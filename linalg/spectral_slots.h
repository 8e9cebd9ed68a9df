#ifndef TENFERRO_LINALG_SPECTRAL_SLOTS_H_
#define TENFERRO_LINALG_SPECTRAL_SLOTS_H_

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/op.h"
#include "tenferro/tensor/status.h"

namespace tenferro::linalg {

// Of the eigenvalue problems and matrix functions. Filled by "//linalg:cpu", "//linalg:autodiff" and, asked first,
// "//linalg:lapack".
extern constinit FamilySlots spectral_slots;

// What the shape rules of the family share.
namespace spectral_internal {

template <class... Pieces>
absl::Status Invalid(const Pieces&... pieces) {
  return absl::InvalidArgumentError(absl::StrCat(pieces...));
}

// Whether `a` is a matrix [n, n, batch…] of a float or complex dtype.
absl::Status CheckSquare(const ValueType& a);

// A shape rule: square matrices of one type, and a result like them.
absl::Status InferAlike(const OpDef& op, WordSpan attributes, absl::Span<const ValueType> inputs, ValueTypes& outputs);

// [length, batch…] with the batch of `a`.
Shape VectorShape(const ValueType& a);

}  // namespace spectral_internal
}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_SPECTRAL_SLOTS_H_
