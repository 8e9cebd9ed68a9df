#ifndef TENFERRO_CPU_KERNELS_ELEMENT_H_
#define TENFERRO_CPU_KERNELS_ELEMENT_H_

#include <stdint.h>

namespace tenferro {

// The values of DType, for files that may not include its header: see TileFn.
enum ElementCode : uint8_t {
  kCodeBool,
  kCodeI32,
  kCodeI64,
  kCodeU8,
  kCodeU32,
  kCodeU64,
  kCodeF32,
  kCodeF64,
  kCodeC64,
  kCodeC128
};
constexpr int kElementCodes = 10;

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_ELEMENT_H_
