#ifndef TENFERRO_CPU_KERNELS_REDUCE_FAMILIES_H_
#define TENFERRO_CPU_KERNELS_REDUCE_FAMILIES_H_

#include "tenferro/cpu/kernels/families.h"
#include "tenferro/cpu/kernels/reduce.h"

// The finders behind FindReduce, each with its arguments but the instruction set.

namespace tenferro {

#define TENFERRO_DECLARE_REDUCE(isa, unused)                               \
  namespace isa {                                                          \
  const ReduceRow* FindReduceFloat(ReduceKind kind, uint8_t dtype);        \
  }
TENFERRO_FOR_EACH_ISA(TENFERRO_DECLARE_REDUCE)
#undef TENFERRO_DECLARE_REDUCE

const ReduceRow* FindReduceInteger(ReduceKind kind, uint8_t dtype);

// The tree of ReduceRow: halves the partial results until one is left. Entry i takes entry i + half.
template <TileFn kCombine, int64_t kElementSize>
void ReduceByHalves(void* out, void* partials, int64_t count) {
  char* const bytes = static_cast<char*>(partials);
  while (count > 1) {
    const int64_t half = (count + 1) / 2;
    const void* const in[] = {bytes, bytes + half * kElementSize};
    kCombine(bytes, in, count - half);
    count = half;
  }
  __builtin_memcpy(out, bytes, kElementSize);
}

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_REDUCE_FAMILIES_H_
