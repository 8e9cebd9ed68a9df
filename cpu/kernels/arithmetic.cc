#include "tenferro/cpu/kernels/arithmetic.h"

namespace tenferro {

TileFn FindArithmetic(Isa isa, const OpDef* op, uint8_t from, uint8_t to) {
  switch (isa) {
#define TENFERRO_FIND(isa_namespace, level)                                     \
  case Isa::level:                                                              \
    if (TileFn fn = isa_namespace::FindRealArithmetic(op, from, to)) return fn; \
    break;
    TENFERRO_FOR_EACH_ISA(TENFERRO_FIND)
#undef TENFERRO_FIND
    default: return nullptr;
  }
  return FindIntegerArithmetic(op, from, to);
}

}  // namespace tenferro
