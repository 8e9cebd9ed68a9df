#ifndef TENFERRO_CPU_KERNELS_MATH_FAMILIES_H_
#define TENFERRO_CPU_KERNELS_MATH_FAMILIES_H_

#include "tenferro/cpu/kernels/families.h"

// The finders behind FindMath, of which a kernel file defines one.
namespace tenferro {

#define TENFERRO_DECLARE_MATH_FAMILIES(isa, unused)                 \
  namespace isa {                                                   \
  TileFn FindRealMath(const OpDef* op, uint8_t from, uint8_t to);   \
  TileFn FindFloatPower(const OpDef* op, uint8_t from, uint8_t to); \
  TileFn FindErfInverse(const OpDef* op, uint8_t from, uint8_t to); \
  }
TENFERRO_FOR_EACH_ISA(TENFERRO_DECLARE_MATH_FAMILIES)
#undef TENFERRO_DECLARE_MATH_FAMILIES

TileFn FindComplexMath(const OpDef* op, uint8_t from, uint8_t to);
TileFn FindGamma(const OpDef* op, uint8_t from, uint8_t to);
TileFn FindIntegerPower(const OpDef* op, uint8_t from, uint8_t to);

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_MATH_FAMILIES_H_
