#ifndef TENFERRO_CPU_GEMM_AXIS_H_
#define TENFERRO_CPU_GEMM_AXIS_H_

#include "tenferro/cpu/gemm/gemm.h"

namespace tenferro {

// Kernel files of every instruction set use these: always inlined, so that no copy of any level is left to the linker.
[[gnu::always_inline]] inline int64_t OffsetOf(const GemmAxis& axis, int64_t i) {
  return axis.offsets != nullptr ? axis.offsets[i] : i * axis.stride;
}

[[gnu::always_inline]] inline bool IsStrided(const GemmAxis& axis) { return axis.offsets == nullptr; }

[[gnu::always_inline]] inline bool IsUnit(const GemmAxis& axis) { return axis.offsets == nullptr && axis.stride == 1; }

}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_AXIS_H_
