#ifndef TENFERRO_TENSOR_TENSOR_H_
#define TENFERRO_TENSOR_TENSOR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/optimization.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tenferro/tensor/dtype.h"
#include "tenferro/tensor/shape.h"
#include "tenferro/tensor/storage.h"

namespace tenferro {

// A multidimensional array of numbers: a strided view of shared storage. Copies share the bytes; nothing changes them
// but MutableData, which wants to be the only owner. Column-major: axis 0 varies fastest in a dense tensor.
class Tensor {
 public:
  // Rank 0, f64, value 0; all such tensors share their bytes.
  Tensor();

  // Dense tensors. Errors: `data` has not as many elements as the shape; a negative or overflowing extent.
  template <class T>
  static absl::StatusOr<Tensor> FromColMajor(const Shape& shape, absl::Span<const T> data);
  // The same elements given with the last axis varying fastest (NumPy's and C's order); stored column-major.
  template <class T>
  static absl::StatusOr<Tensor> FromRowMajor(const Shape& shape, absl::Span<const T> data);
  template <class T>
  static Tensor Scalar(T value);
  static absl::StatusOr<Tensor> Zeros(DType dtype, const Shape& shape);
  static absl::StatusOr<Tensor> Uninitialized(DType dtype, const Shape& shape);
  // A view of bytes that somebody else made; strides, which may be 0 or negative, and offset in elements. The stride of
  // an axis that has no second element is not kept. Errors: an element outside the storage; bytes that are not aligned.
  static absl::StatusOr<Tensor> FromStorage(std::shared_ptr<Storage> storage, DType dtype, const Shape& shape,
                                            absl::Span<const int64_t> strides, int64_t offset = 0);

  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  int rank() const { return shape_.rank(); }
  int64_t dim(int axis) const { return shape_.extent(axis); }
  int64_t size() const { return shape_.size(); }
  absl::Span<const int64_t> strides() const { return strides_; }
  int64_t offset() const { return offset_; }
  // No device at all for a tensor that was moved from.
  const Device& device() const { return ABSL_PREDICT_FALSE(storage_ == nullptr) ? kMovedAway : storage_->device(); }
  const std::shared_ptr<Storage>& storage() const { return storage_; }
  // True when the elements lie densely in column-major order (extents of 1 and empty tensors have any stride).
  bool IsDense() const;

  // Address of element (0, …, 0). Errors: the bytes are not on the host.
  absl::StatusOr<const void*> HostData() const;
  // All elements in column-major order. Errors: not on the host; T is not the dtype; not dense (call Dense() first).
  // Name the span before a range-for over it: the StatusOr would be gone when the loop begins.
  template <class T>
  absl::StatusOr<absl::Span<const T>> Data() const;
  // The same for writing. Errors: those of Data; another tensor shares the bytes.
  template <class T>
  absl::StatusOr<absl::Span<T>> MutableData();
  // One element. Errors: not on the host; T is not the dtype; wrong number of indices or one out of range.
  template <class T>
  absl::StatusOr<T> At(absl::Span<const int64_t> index) const;
  // The only element. Errors: the tensor has not exactly one; not on the host; T is not the dtype.
  template <class T>
  absl::StatusOr<T> Item() const;

  // Views: no element is copied. Axes are numbered from 0.
  // Axis i of the result is axis permutation[i]. Errors: not a permutation.
  absl::StatusOr<Tensor> Transpose(absl::Span<const int64_t> permutation) const;
  // Elements start, start + stride, … below limit on each axis. Errors: limits outside the axis, stride < 1, wrong
  // lengths.
  absl::StatusOr<Tensor> Slice(absl::Span<const int64_t> starts, absl::Span<const int64_t> limits,
                               absl::Span<const int64_t> strides) const;
  // NumPy's broadcast, aligned at the last axis. Errors: extents that differ and are not 1.
  absl::StatusOr<Tensor> BroadcastTo(const Shape& shape) const;
  // The same elements in column-major order under another shape: a view where the strides allow it, else a dense copy.
  // Errors: another number of elements; a copy is needed and the bytes are not on the host.
  absl::StatusOr<Tensor> Reshape(const Shape& shape) const;
  // This tensor if it is dense, else a dense copy. Errors: a copy is needed and the bytes are not on the host.
  absl::StatusOr<Tensor> Dense() const;

  // As NumPy prints an array (rows are the last axis), cut to three elements at each end beyond 1000 elements.
  std::string ToString() const;

 private:
  Tensor(DType dtype, Shape shape, Ints strides, int64_t offset, std::shared_ptr<Storage> storage)
      : dtype_(dtype),
        shape_(std::move(shape)),
        strides_(std::move(strides)),
        offset_(offset),
        storage_(std::move(storage)) {}

  static absl::StatusOr<Tensor> FromBytes(DType dtype, const Shape& shape, const void* data, int64_t count);
  static absl::StatusOr<Tensor> FromRowMajorBytes(DType dtype, const Shape& shape, const void* data, int64_t count);
  static Tensor ScalarFromBytes(DType dtype, const void* value);
  absl::Status CheckDType(const char* operation, DType wanted) const;
  absl::StatusOr<const void*> DenseHostData(const char* operation, DType wanted) const;
  absl::StatusOr<void*> MutableDenseHostData(DType wanted);
  absl::StatusOr<const void*> ElementAddress(const char* operation, DType wanted,
                                             absl::Span<const int64_t> index) const;
  absl::StatusOr<const void*> OnlyElement(DType wanted) const;

  // Every use asks for the device first, so that a tensor without bytes is an error like one of another device.
  static constexpr Device kMovedAway{"moved-from", 0};

  DType dtype_ = DType::kF64;
  Shape shape_;
  Ints strides_;
  int64_t offset_ = 0;
  std::shared_ptr<Storage> storage_;
};

template <class T>
absl::StatusOr<Tensor> Tensor::FromColMajor(const Shape& shape, absl::Span<const T> data) {
  return FromBytes(kDTypeOf<T>, shape, data.data(), data.size());
}

template <class T>
absl::StatusOr<Tensor> Tensor::FromRowMajor(const Shape& shape, absl::Span<const T> data) {
  return FromRowMajorBytes(kDTypeOf<T>, shape, data.data(), data.size());
}

template <class T>
Tensor Tensor::Scalar(T value) {
  return ScalarFromBytes(kDTypeOf<T>, &value);
}

template <class T>
absl::StatusOr<absl::Span<const T>> Tensor::Data() const {
  absl::StatusOr<const void*> data = DenseHostData("Data", kDTypeOf<T>);
  if (!data.ok()) return data.status();
  return absl::Span<const T>(static_cast<const T*>(*data), size());
}

template <class T>
absl::StatusOr<absl::Span<T>> Tensor::MutableData() {
  absl::StatusOr<void*> data = MutableDenseHostData(kDTypeOf<T>);
  if (!data.ok()) return data.status();
  return absl::Span<T>(static_cast<T*>(*data), size());
}

template <class T>
absl::StatusOr<T> Tensor::At(absl::Span<const int64_t> index) const {
  absl::StatusOr<const void*> address = ElementAddress("At", kDTypeOf<T>, index);
  if (!address.ok()) return address.status();
  return *static_cast<const T*>(*address);
}

template <class T>
absl::StatusOr<T> Tensor::Item() const {
  absl::StatusOr<const void*> address = OnlyElement(kDTypeOf<T>);
  if (!address.ok()) return address.status();
  return *static_cast<const T*>(*address);
}

}  // namespace tenferro

#endif  // TENFERRO_TENSOR_TENSOR_H_
