#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tenferro/tensor/status.h"
#include "tenferro/tensor/strided_copy.h"
#include "tenferro/tensor/tensor.h"

namespace tenferro {
namespace {

// Strides that show the same elements, in the same column-major order, under another shape of the same size; false
// where a new axis would have to step unevenly. Axes are taken in the smallest groups of old and new ones with equal
// products.
bool StridesOfReshape(const Shape& from, absl::Span<const int64_t> from_strides, const Shape& to, Ints* to_strides) {
  *to_strides = to.ColMajorStrides();  // what empty tensors and axes of extent 1 keep
  if (to.size() == 0) return true;
  int old_axis = 0;
  int new_axis = 0;
  while (new_axis < to.rank()) {
    if (to.extent(new_axis) == 1) {
      ++new_axis;
      continue;
    }
    while (from.extent(old_axis) == 1) ++old_axis;  // the products are equal, so another axis remains
    int64_t old_product = from.extent(old_axis);
    int64_t new_product = to.extent(new_axis);
    int64_t next_stride = from_strides[old_axis] * old_product;
    int64_t stride = from_strides[old_axis++];
    (*to_strides)[new_axis] = stride;
    stride *= to.extent(new_axis++);
    while (old_product != new_product) {
      if (new_product < old_product) {
        if (to.extent(new_axis) != 1) (*to_strides)[new_axis] = stride;
        stride *= to.extent(new_axis);
        new_product *= to.extent(new_axis++);
      } else {
        if (from.extent(old_axis) != 1 && from_strides[old_axis] != next_stride) return false;
        next_stride *= from.extent(old_axis);
        old_product *= from.extent(old_axis++);
      }
    }
  }
  return true;
}

}  // namespace

absl::StatusOr<Tensor> Tensor::Transpose(absl::Span<const int64_t> permutation) const {
  Shape shape = shape_;
  Ints strides = strides_;
  absl::InlinedVector<bool, 6> seen(rank(), false);
  bool valid = static_cast<int64_t>(permutation.size()) == rank();
  for (int axis = 0; valid && axis < rank(); ++axis) {
    const int64_t source = permutation[axis];
    valid = source >= 0 && source < rank() && !seen[source];
    if (!valid) break;
    seen[source] = true;
    shape[axis] = shape_[static_cast<int>(source)];
    strides[axis] = strides_[source];
  }
  if (!valid) {
    return absl::InvalidArgumentError(absl::StrCat("Transpose: ", Shape(permutation).ToString(),
                                                   " is not a permutation of the axes of ", Describe(dtype_, shape_)));
  }
  return Tensor(dtype_, std::move(shape), std::move(strides), offset_, storage_);
}

absl::StatusOr<Tensor> Tensor::Slice(absl::Span<const int64_t> starts, absl::Span<const int64_t> limits,
                                     absl::Span<const int64_t> strides) const {
  const size_t wanted = rank();
  if (starts.size() != wanted || limits.size() != wanted || strides.size() != wanted) {
    return absl::InvalidArgumentError(absl::StrCat("Slice: ", Describe(dtype_, shape_), " needs ", wanted,
                                                   " starts, limits and strides, got ", starts.size(), ", ",
                                                   limits.size(), " and ", strides.size()));
  }
  Shape shape = shape_;
  Ints new_strides = strides_;
  int64_t offset = offset_;
  for (int axis = 0; axis < rank(); ++axis) {
    if (starts[axis] < 0 || starts[axis] > limits[axis] || limits[axis] > dim(axis)) {
      return absl::InvalidArgumentError(absl::StrCat("Slice: [", starts[axis], ", ", limits[axis],
                                                     ") is not a range within axis ", axis, " of ",
                                                     Describe(dtype_, shape_)));
    }
    if (strides[axis] < 1) {
      return absl::InvalidArgumentError(absl::StrCat("Slice: stride ", strides[axis], " of axis ", axis, " of ",
                                                     Describe(dtype_, shape_), " is below 1"));
    }
    const int64_t range = limits[axis] - starts[axis];
    const int64_t extent = range == 0 ? 0 : (range - 1) / strides[axis] + 1;
    shape[axis] = extent;
    offset += starts[axis] * strides_[axis];
    if (extent > 1) new_strides[axis] *= strides[axis];
  }
  if (shape.size() == 0) offset = offset_;  // an empty range may start past the end of the storage
  return Tensor(dtype_, std::move(shape), std::move(new_strides), offset, storage_);
}

absl::StatusOr<Tensor> Tensor::BroadcastTo(const Shape& shape) const {
  TENFERRO_RETURN_IF_ERROR(shape.Validate());
  const int lead = shape.rank() - rank();
  Ints strides(shape.rank(), 0);
  bool valid = lead >= 0;
  for (int axis = 0; valid && axis < rank(); ++axis) {
    if (shape_[axis] == shape[lead + axis]) {
      strides[lead + axis] = strides_[axis];
    } else {
      valid = shape_[axis] == 1;
    }
  }
  if (!valid) {
    return absl::InvalidArgumentError(
        absl::StrCat("BroadcastTo: ", Describe(dtype_, shape_), " does not broadcast to ", shape.ToString()));
  }
  return Tensor(dtype_, shape, std::move(strides), offset_, storage_);
}

absl::StatusOr<Tensor> Tensor::Reshape(const Shape& shape) const {
  TENFERRO_RETURN_IF_ERROR(shape.Validate());
  if (shape.size() != size()) {
    return absl::InvalidArgumentError(absl::StrCat("Reshape: ", Describe(dtype_, shape_), " has ", size(),
                                                   " elements, shape ", shape.ToString(), " has ", shape.size()));
  }
  Ints strides;
  if (StridesOfReshape(shape_, strides_, shape, &strides)) {
    return Tensor(dtype_, shape, std::move(strides), offset_, storage_);
  }
  TENFERRO_ASSIGN_OR_RETURN(Tensor dense, Dense());
  return Tensor(dtype_, shape, shape.ColMajorStrides(), 0, std::move(dense.storage_));
}

absl::StatusOr<Tensor> Tensor::Dense() const {
  if (IsDense()) return *this;
  TENFERRO_ASSIGN_OR_RETURN(const void* source, HostData());
  absl::StatusOr<Tensor> result = Uninitialized(dtype_, shape_);
  if (result.ok()) CopyToColMajor(SizeOf(dtype_), shape_, strides_, source, result->storage_->data());
  return result;
}

}  // namespace tenferro
