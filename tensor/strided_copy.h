#ifndef TENFERRO_TENSOR_STRIDED_COPY_H_
#define TENFERRO_TENSOR_STRIDED_COPY_H_

#include <cstdint>

#include "tenferro/tensor/shape.h"

namespace tenferro {

// Gathers a strided array into dense column-major memory. `element_bytes` is 1, 4, 8 or 16; strides count elements, may
// be zero or negative, and belong to `source`, the address of element (0, …, 0). The two must not overlap. Cost: one
// pass; where another axis than the first is the closest in memory, by tiles that keep to the cache.
void CopyToColMajor(int64_t element_bytes, const Shape& shape, absl::Span<const int64_t> strides, const void* source,
                    void* destination);

}  // namespace tenferro

#endif  // TENFERRO_TENSOR_STRIDED_COPY_H_
