#ifndef TENFERRO_CPU_IOTA_H_
#define TENFERRO_CPU_IOTA_H_

#include <cstdint>

#include "tenferro/tensor/dtype.h"

namespace tenferro {

// 0, 1, 2, … in a numeric dtype.
void FillIota(DType dtype, int64_t size, void* out);

}  // namespace tenferro

#endif  // TENFERRO_CPU_IOTA_H_
