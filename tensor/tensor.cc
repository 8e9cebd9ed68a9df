#include "tenferro/tensor/tensor.h"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tenferro/tensor/status.h"
#include "tenferro/tensor/strided_copy.h"

namespace tenferro {
namespace {

// The bytes of every default-constructed tensor: many are made only to be assigned to.
const std::shared_ptr<Storage>& ZeroStorage() {
  alignas(64) static constexpr char kZero[128] = {};
  static const auto* const storage =
      new std::shared_ptr<Storage>(Storage::Adopt(const_cast<char*>(kZero), 8, Device(), nullptr, nullptr));
  return *storage;
}

absl::Status CheckCount(const char* operation, const Shape& shape, int64_t count) {
  TENFERRO_RETURN_IF_ERROR(shape.Validate());
  if (shape.size() == count) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(operation, ": shape ", shape.ToString(), " has ", shape.size(), " elements, got ", count));
}

}  // namespace

Tensor::Tensor() : storage_(ZeroStorage()) {}

absl::StatusOr<Tensor> Tensor::Uninitialized(DType dtype, const Shape& shape) {
  TENFERRO_RETURN_IF_ERROR(shape.Validate());
  TENFERRO_ASSIGN_OR_RETURN(std::shared_ptr<Storage> storage, Storage::AllocateHost(shape.size() * SizeOf(dtype)));
  return Tensor(dtype, shape, shape.ColMajorStrides(), 0, std::move(storage));
}

absl::StatusOr<Tensor> Tensor::Zeros(DType dtype, const Shape& shape) {
  absl::StatusOr<Tensor> result = Uninitialized(dtype, shape);
  if (result.ok()) std::memset(result->storage_->data(), 0, result->storage_->bytes());
  return result;
}

absl::StatusOr<Tensor> Tensor::FromBytes(DType dtype, const Shape& shape, const void* data, int64_t count) {
  TENFERRO_RETURN_IF_ERROR(CheckCount("FromColMajor", shape, count));
  absl::StatusOr<Tensor> result = Uninitialized(dtype, shape);
  if (!result.ok()) return result;
  if (count > 0) std::memcpy(result->storage_->data(), data, count * SizeOf(dtype));
  return result;
}

absl::StatusOr<Tensor> Tensor::FromRowMajorBytes(DType dtype, const Shape& shape, const void* data, int64_t count) {
  TENFERRO_RETURN_IF_ERROR(CheckCount("FromRowMajor", shape, count));
  absl::StatusOr<Tensor> result = Uninitialized(dtype, shape);
  if (!result.ok()) return result;
  CopyToColMajor(SizeOf(dtype), shape, shape.RowMajorStrides(), data, result->storage_->data());
  return result;
}

Tensor Tensor::ScalarFromBytes(DType dtype, const void* value) {
  absl::StatusOr<std::shared_ptr<Storage>> storage = Storage::AllocateHost(SizeOf(dtype));
  if (!storage.ok()) std::abort();  // no memory for a few bytes
  std::memcpy((*storage)->data(), value, SizeOf(dtype));
  return Tensor(dtype, Shape(), Ints(), 0, *std::move(storage));
}

absl::StatusOr<Tensor> Tensor::FromStorage(std::shared_ptr<Storage> storage, DType dtype, const Shape& shape,
                                           absl::Span<const int64_t> strides, int64_t offset) {
  TENFERRO_RETURN_IF_ERROR(shape.Validate());
  if (storage == nullptr) return absl::InvalidArgumentError("FromStorage: no storage");
  if (static_cast<int64_t>(strides.size()) != shape.rank()) {
    return absl::InvalidArgumentError(absl::StrCat("FromStorage: shape ", shape.ToString(), " needs ", shape.rank(),
                                                   " strides, got ", strides.size()));
  }
  if (reinterpret_cast<uintptr_t>(storage->data()) % RealSizeOf(dtype) != 0) {
    return absl::InvalidArgumentError(absl::StrCat("FromStorage: the bytes are not aligned to the ", RealSizeOf(dtype),
                                                   " bytes that ", Name(dtype), " needs"));
  }
  __int128 first = offset, last = offset;  // wide: strides and offset may be anything
  for (int axis = 0; axis < shape.rank() && shape.size() > 0; ++axis) {
    const __int128 reach = static_cast<__int128>(strides[axis]) * (shape.extent(axis) - 1);
    (reach < 0 ? first : last) += reach;
  }
  const int64_t count = storage->bytes() / SizeOf(dtype);
  if (first < 0 || last >= count + (shape.size() == 0 ? 1 : 0)) {
    return absl::InvalidArgumentError(absl::StrCat("FromStorage: ", Describe(dtype, shape), " with strides ",
                                                   Shape(strides).ToString(), " and offset ", offset,
                                                   " reaches outside a storage of ", storage->bytes(), " bytes"));
  }
  Ints kept = shape.ColMajorStrides();
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (shape.size() > 0 && shape.extent(axis) > 1) kept[axis] = strides[axis];
  }
  return Tensor(dtype, shape, std::move(kept), offset, std::move(storage));
}

bool Tensor::IsDense() const {
  if (size() == 0) return true;
  int64_t dense_stride = 1;
  for (int axis = 0; axis < rank(); ++axis) {
    if (dim(axis) != 1 && strides_[axis] != dense_stride) return false;
    dense_stride *= dim(axis);
  }
  return true;
}

absl::StatusOr<const void*> Tensor::HostData() const {
  if (storage_ == nullptr) return absl::FailedPreconditionError("the tensor was moved from: it has no bytes");
  if (!device().is_host()) {
    return absl::FailedPreconditionError(absl::StrCat(Describe(dtype_, shape_), " lives on ", device().ToString(),
                                                      ", not on the host: download it first"));
  }
  return static_cast<const char*>(storage_->data()) + offset_ * SizeOf(dtype_);
}

absl::Status Tensor::CheckDType(const char* operation, DType wanted) const {
  if (wanted == dtype_) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(operation, "<", Name(wanted), ">: the tensor is ", Describe(dtype_, shape_)));
}

absl::StatusOr<const void*> Tensor::DenseHostData(const char* operation, DType wanted) const {
  TENFERRO_RETURN_IF_ERROR(CheckDType(operation, wanted));
  if (!IsDense()) {
    return absl::FailedPreconditionError(absl::StrCat(operation, ": ", Describe(dtype_, shape_), " with strides ",
                                                      Shape(strides_).ToString(), " is not dense: call Dense() first"));
  }
  return HostData();
}

absl::StatusOr<void*> Tensor::MutableDenseHostData(DType wanted) {
  TENFERRO_ASSIGN_OR_RETURN(const void* data, DenseHostData("MutableData", wanted));
  if (storage_.use_count() != 1) {
    return absl::FailedPreconditionError(
        absl::StrCat("MutableData: another tensor shares the bytes of ", Describe(dtype_, shape_)));
  }
  return const_cast<void*>(data);
}

absl::StatusOr<const void*> Tensor::ElementAddress(const char* operation, DType wanted,
                                                   absl::Span<const int64_t> index) const {
  TENFERRO_RETURN_IF_ERROR(CheckDType(operation, wanted));
  if (static_cast<int64_t>(index.size()) != rank()) {
    return absl::InvalidArgumentError(
        absl::StrCat(operation, ": ", Describe(dtype_, shape_), " needs ", rank(), " indices, got ", index.size()));
  }
  int64_t element = 0;
  for (int axis = 0; axis < rank(); ++axis) {
    if (index[axis] < 0 || index[axis] >= dim(axis)) {
      return absl::OutOfRangeError(absl::StrCat(operation, ": index ", Shape(index).ToString(), " is outside ",
                                                Describe(dtype_, shape_), " on axis ", axis));
    }
    element += index[axis] * strides_[axis];
  }
  TENFERRO_ASSIGN_OR_RETURN(const void* data, HostData());
  return static_cast<const char*>(data) + element * SizeOf(dtype_);
}

absl::StatusOr<const void*> Tensor::OnlyElement(DType wanted) const {
  if (size() != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("Item: ", Describe(dtype_, shape_), " has ", size(), " elements, not one"));
  }
  return ElementAddress("Item", wanted, Ints(rank(), 0));
}

}  // namespace tenferro
