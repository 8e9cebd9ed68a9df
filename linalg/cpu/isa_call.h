#ifndef TENFERRO_LINALG_CPU_ISA_CALL_H_
#define TENFERRO_LINALG_CPU_ISA_CALL_H_

#include <cstdint>

#include "tenferro/cpu/kernels/isa.h"
#include "tenferro/linalg/cpu/scalar.h"

// Calls the function of the instruction set for the scalar T.
#if defined(__aarch64__)
#define TENFERRO_CALL(isa, function, ...) isa_neon::function<RealOf<T>, kIsComplex<T>>(__VA_ARGS__)
#else
#define TENFERRO_CALL(isa, function, ...)                                      \
  (isa == Isa::kV4   ? isa_v4::function<RealOf<T>, kIsComplex<T>>(__VA_ARGS__) \
   : isa == Isa::kV3 ? isa_v3::function<RealOf<T>, kIsComplex<T>>(__VA_ARGS__) \
                     : isa_v2::function<RealOf<T>, kIsComplex<T>>(__VA_ARGS__))
#endif

namespace tenferro::linalg {

// At least what a scratch matrix takes: columns of each part padded to 64 bytes, and once more.
template <class T>
int64_t PanelBytes(int64_t rows, int64_t count) {
  const int64_t part = (rows * int64_t{sizeof(RealOf<T>)} + 63) / 64 * 64 + 64;
  return (kIsComplex<T> ? 2 : 1) * part * count + 64;
}

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_ISA_CALL_H_
