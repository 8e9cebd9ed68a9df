#ifndef TENFERRO_TENSOR_SHAPE_H_
#define TENFERRO_TENSOR_SHAPE_H_

#include <cstdint>
#include <initializer_list>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tenferro/tensor/dtype.h"

namespace tenferro {

// One extent of a shape: an opaque 8-byte value, compared by value. Shape rules pass it on or compare it; whoever needs
// the number calls extent().
class Dim {
 public:
  constexpr Dim(int64_t extent) : bits_(extent) {}  // NOLINT: an extent is a Dim
  constexpr int64_t extent() const { return bits_; }
  friend constexpr bool operator==(Dim a, Dim b) = default;

 private:
  int64_t bits_;
};

// Signed numbers, one an axis: strides in elements, axes, permutations, starts.
using Ints = absl::InlinedVector<int64_t, 6>;

// The extents of a tensor; any rank, up to 6 without allocation. Axis 0 varies fastest in memory (column-major).
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<Dim> dims) : dims_(dims) {}
  explicit Shape(absl::Span<const Dim> dims) : dims_(dims.begin(), dims.end()) {}
  explicit Shape(absl::Span<const int64_t> extents) : dims_(extents.begin(), extents.end()) {}

  int rank() const { return static_cast<int>(dims_.size()); }
  Dim operator[](int axis) const { return dims_[axis]; }
  Dim& operator[](int axis) { return dims_[axis]; }
  int64_t extent(int axis) const { return dims_[axis].extent(); }
  absl::Span<const Dim> dims() const { return dims_; }
  void push_back(Dim dim) { dims_.push_back(dim); }

  // Number of elements, 1 for rank 0. Meaningful for shapes that passed Validate().
  int64_t size() const;
  // Errors: a negative extent; more than 2^58 elements (2^62 bytes of the widest dtype), counting an empty axis as 1.
  absl::Status Validate() const;
  // Strides in elements of a dense tensor whose first (last) axis varies fastest.
  Ints ColMajorStrides() const;
  Ints RowMajorStrides() const;
  Ints extents() const;
  std::string ToString() const;  // "[2,3]"

  friend bool operator==(const Shape& a, const Shape& b) { return a.dims_ == b.dims_; }

 private:
  absl::InlinedVector<Dim, 6> dims_;
};

// "f64[2,3]", as messages name a tensor.
std::string Describe(DType dtype, const Shape& shape);

// NumPy's broadcast of two shapes, aligned at the last axis. Errors: extents that differ and are not 1.
absl::StatusOr<Shape> BroadcastShapes(const Shape& a, const Shape& b);

}  // namespace tenferro

#endif  // TENFERRO_TENSOR_SHAPE_H_
