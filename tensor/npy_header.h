#ifndef TENFERRO_TENSOR_NPY_HEADER_H_
#define TENFERRO_TENSOR_NPY_HEADER_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tenferro/tensor/dtype.h"
#include "tenferro/tensor/shape.h"

namespace tenferro {

// What stands before the elements in an .npy file.
struct NpyHeader {
  DType dtype = DType::kF64;
  bool big_endian = false;
  bool fortran_order = false;
  Shape shape;
};

// Parses the header at the beginning of `bytes` and removes it from them. Errors: anything but a header of version 1.0,
// 2.0 or 3.0 that describes an array of one of the ten dtypes with a valid shape.
absl::StatusOr<NpyHeader> ConsumeNpyHeader(absl::string_view* bytes);

// The header byte for byte as NumPy writes it; its length is a multiple of 64. `big_endian` is ignored: elements are
// written in the machine's order, which is little-endian.
std::string NpyHeaderText(const NpyHeader& header);

}  // namespace tenferro

#endif  // TENFERRO_TENSOR_NPY_HEADER_H_
