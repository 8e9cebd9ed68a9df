#ifndef TENFERRO_CPU_KERNELS_ELEMENTWISE_H_
#define TENFERRO_CPU_KERNELS_ELEMENTWISE_H_

#include "tenferro/cpu/kernels/tile.h"

namespace tenferro {

// The kernel of an elementwise operation, or nullptr where the operation does not take the dtypes. `from` is the DType
// of the first operand (of the second for select), `to` that of the result.
TileFn FindElementwise(Isa isa, const OpDef* op, uint8_t from, uint8_t to);

// A kernel of both operations of one operand that takes less time than two, or nullptr: it writes the first's result to
// `out` and the second's to in[1], bit for bit what each kernel alone writes.
TileFn FindElementwisePair(Isa isa, const OpDef* first, const OpDef* second, uint8_t dtype);

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_ELEMENTWISE_H_
