#ifndef TENFERRO_CPU_KERNELS_REDUCE_FAMILIES_H_
#define TENFERRO_CPU_KERNELS_REDUCE_FAMILIES_H_

#include "tenferro/cpu/kernels/families.h"
#include "tenferro/cpu/kernels/reduce.h"

// The finders behind FindReduce, each with its arguments but the instruction set, and what their files share.

namespace tenferro {

// The combinations are elementwise kernels: by ReduceKind, then f32, f64; or sum and product of c64, c128.
#define TENFERRO_DECLARE_REDUCE(isa, unused)                        \
  namespace isa {                                                   \
  extern const TileFn kRealCombine[4][2];                           \
  extern const TileFn kComplexCombine[2][2];                        \
  const ReduceRow* FindReduceFloat(ReduceKind kind, uint8_t dtype); \
  }
TENFERRO_FOR_EACH_ISA(TENFERRO_DECLARE_REDUCE)
#undef TENFERRO_DECLARE_REDUCE

const ReduceRow* FindReduceInteger(ReduceKind kind, uint8_t dtype);

// The tree of ReduceRow: halves the partial results until one is left. Entry i takes entry i + half.
void ReduceByHalves(void* out, void* partials, int64_t count, int64_t element_size, TileFn combine,
                    const void* identity);

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_REDUCE_FAMILIES_H_
