#ifndef TENFERRO_CPU_SORT_ORDER_H_
#define TENFERRO_CPU_SORT_ORDER_H_

#include <cstdint>

#include "tenferro/cpu/kernels/tile.h"

namespace tenferro {

// Orders of one line of n consecutive elements, as //runtime/ops:sort defines them. `scratch` has
// OrderScratchBytes(n).
struct OrderLoops {
  void (*sort)(Isa isa, const void* x, int64_t n, bool descending, void* values, void* scratch);
  void (*argsort)(Isa isa, const void* x, int64_t n, bool descending, int64_t* places, void* scratch);
  // The `count` largest.
  void (*top)(const void* x, int64_t n, int64_t count, void* values, int64_t* places, void* scratch);
  // The place of the first largest or smallest element of `columns` lines, each one element after the other, whose
  // elements are `step` apart.
  void (*extremum)(Isa isa, const void* x, int64_t n, int64_t step, int64_t columns, bool largest, int64_t* places);
};
// Two records of key and place for each element; or a key, a word, and room and a vector's slack to sort words.
constexpr int64_t OrderScratchBytes(int64_t n) { return 32 * n + 64; }

// Null loops for complex numbers. `dtype` is an ElementCode.
OrderLoops FindOrder(uint8_t dtype);

}  // namespace tenferro

#endif  // TENFERRO_CPU_SORT_ORDER_H_
