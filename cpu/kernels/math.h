#ifndef TENFERRO_CPU_KERNELS_MATH_H_
#define TENFERRO_CPU_KERNELS_MATH_H_

#include "tenferro/cpu/kernels/tile.h"

namespace tenferro {

// The kernel of a mathematical function (tenferro/runtime/ops/math.h), or nullptr where it does not take the dtypes.
// `from` is the DType of the operands, `to` that of the result.
TileFn FindMath(Isa isa, const OpDef* op, uint8_t from, uint8_t to);

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_MATH_H_
