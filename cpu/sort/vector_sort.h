#ifndef TENFERRO_CPU_SORT_VECTOR_SORT_H_
#define TENFERRO_CPU_SORT_VECTOR_SORT_H_

#include "tenferro/cpu/kernels/families.h"

namespace tenferro {

// Sorts n unsigned numbers, ascending. `scratch` is memory for n numbers and 64 bytes.
#define TENFERRO_DECLARE_SORT(isa, unused)                         \
  namespace isa {                                                  \
  void SortVector32(uint32_t* keys, uint32_t* scratch, int64_t n); \
  void SortVector64(uint64_t* keys, uint64_t* scratch, int64_t n); \
  }
TENFERRO_FOR_EACH_ISA(TENFERRO_DECLARE_SORT)
#undef TENFERRO_DECLARE_SORT

}  // namespace tenferro

#endif  // TENFERRO_CPU_SORT_VECTOR_SORT_H_
