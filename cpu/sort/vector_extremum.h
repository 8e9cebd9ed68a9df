#ifndef TENFERRO_CPU_SORT_VECTOR_EXTREMUM_H_
#define TENFERRO_CPU_SORT_VECTOR_EXTREMUM_H_

#include "tenferro/cpu/kernels/families.h"

namespace tenferro {

// Of n elements, a multiple of kExtremumLanes many.
template <class T>
struct ExtremumLoops {
  // Whether one is larger (smaller) than `best`, a number, or NaN.
  bool (*any_better)(const T* x, int64_t n, T best, bool largest);
  // The largest (smallest), or NaN if there is one.
  T (*extremum)(const T* x, int64_t n, bool largest);
};
template <class T>
constexpr int64_t kExtremumLanes = 64 / sizeof(T);

#define TENFERRO_DECLARE_EXTREMUM(isa, unused)      \
  namespace isa {                                   \
  extern const ExtremumLoops<float> kExtremumF32;   \
  extern const ExtremumLoops<double> kExtremumF64;  \
  extern const ExtremumLoops<int32_t> kExtremumI32; \
  extern const ExtremumLoops<int64_t> kExtremumI64; \
  }
TENFERRO_FOR_EACH_ISA(TENFERRO_DECLARE_EXTREMUM)
#undef TENFERRO_DECLARE_EXTREMUM

}  // namespace tenferro

#endif  // TENFERRO_CPU_SORT_VECTOR_EXTREMUM_H_
