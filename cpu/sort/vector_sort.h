#ifndef TENFERRO_CPU_SORT_VECTOR_SORT_H_
#define TENFERRO_CPU_SORT_VECTOR_SORT_H_

#include "tenferro/cpu/kernels/families.h"

namespace tenferro {

// Keys are unsigned numbers in the order of the elements, or with all bits of `flip` set in the opposite one: both
// zeros have one key, all NaN the greatest.
constexpr unsigned kAnyNaN = 1, kAnyNegativeZero = 2;

template <class T, class Key>
struct KeyLoops {
  // Returns which of the two are in x.
  unsigned (*to_keys)(const T* x, int64_t n, Key flip, Key* keys);
  void (*from_keys)(const Key* keys, int64_t n, Key flip, T* x);
};

// SortVector sorts n keys, ascending; `scratch` is memory for n and 64 bytes.
#define TENFERRO_DECLARE_SORT(isa, unused)                         \
  namespace isa {                                                  \
  void SortVector32(uint32_t* keys, uint32_t* scratch, int64_t n); \
  void SortVector64(uint64_t* keys, uint64_t* scratch, int64_t n); \
  extern const KeyLoops<float, uint32_t> kKeysF32;                 \
  extern const KeyLoops<double, uint64_t> kKeysF64;                \
  }
TENFERRO_FOR_EACH_ISA(TENFERRO_DECLARE_SORT)
#undef TENFERRO_DECLARE_SORT

}  // namespace tenferro

#endif  // TENFERRO_CPU_SORT_VECTOR_SORT_H_
