#ifndef TENFERRO_CPU_KERNELS_ARITHMETIC_H_
#define TENFERRO_CPU_KERNELS_ARITHMETIC_H_

#include "tenferro/cpu/kernels/families.h"

namespace tenferro {

// The kernel of an operation of the arithmetic family, or nullptr where it does not take the dtypes.
TileFn FindArithmetic(Isa isa, const OpDef* op, uint8_t from, uint8_t to);

// The finders behind it, of which a kernel file defines one.
#define TENFERRO_DECLARE_ARITHMETIC(isa, unused)                        \
  namespace isa {                                                       \
  TileFn FindRealArithmetic(const OpDef* op, uint8_t from, uint8_t to); \
  }
TENFERRO_FOR_EACH_ISA(TENFERRO_DECLARE_ARITHMETIC)
#undef TENFERRO_DECLARE_ARITHMETIC
TileFn FindIntegerArithmetic(const OpDef* op, uint8_t from, uint8_t to);

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_ARITHMETIC_H_
