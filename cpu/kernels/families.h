#ifndef TENFERRO_CPU_KERNELS_FAMILIES_H_
#define TENFERRO_CPU_KERNELS_FAMILIES_H_

#include "tenferro/cpu/kernels/tile.h"

// The finders behind FindElementwise, each with its arguments, of which a kernel file defines one.

#if defined(__x86_64__)
#define TENFERRO_FOR_EACH_ISA(X) X(isa_v2, kV2) X(isa_v3, kV3) X(isa_v4, kV4)
#else
#define TENFERRO_FOR_EACH_ISA(X) X(isa_neon, kNeon)
#endif

namespace tenferro {

#define TENFERRO_DECLARE_FAMILIES(isa, unused)                                 \
  namespace isa {                                                              \
  TileFn FindRealPair(const OpDef* first, const OpDef* second, uint8_t dtype); \
  TileFn FindReal(const OpDef* op, uint8_t from, uint8_t to);                  \
  TileFn FindRealFunction(const OpDef* op, uint8_t from, uint8_t to);          \
  TileFn FindComplex(const OpDef* op, uint8_t from, uint8_t to);               \
  TileFn FindSelect(const OpDef* op, uint8_t from, uint8_t to);                \
  TileFn FindIntegerVectors(const OpDef* op, uint8_t from, uint8_t to);        \
  }
TENFERRO_FOR_EACH_ISA(TENFERRO_DECLARE_FAMILIES)
#undef TENFERRO_DECLARE_FAMILIES

TileFn FindComplexFunction(const OpDef* op, uint8_t from, uint8_t to);
TileFn FindInteger(const OpDef* op, uint8_t from, uint8_t to);
TileFn FindLogic(const OpDef* op, uint8_t from, uint8_t to);
TileFn FindConvert(const OpDef* op, uint8_t from, uint8_t to);

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_FAMILIES_H_
