#include "tenferro/cpu/kernels/reduce.h"

#include "tenferro/cpu/kernels/reduce_families.h"

namespace tenferro {

const ReduceRow* FindReduce(Isa isa, ReduceKind kind, uint8_t dtype) {
  if (const ReduceRow* row = FindReduceInteger(kind, dtype)) return row;
  switch (isa) {
#define TENFERRO_CASE(name, value) \
  case Isa::value: return name::FindReduceFloat(kind, dtype);
    TENFERRO_FOR_EACH_ISA(TENFERRO_CASE)
#undef TENFERRO_CASE
    default: return nullptr;
  }
}

}  // namespace tenferro
