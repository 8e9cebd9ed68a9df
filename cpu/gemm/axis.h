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

// `count` elements of an axis from `begin` on, which lie this far from the part's own origin: offsets are a list, and
// know their places.
[[gnu::always_inline]] inline GemmAxis AxisPart(const GemmAxis& axis, int64_t begin, int64_t count) {
  return {count, axis.stride, axis.offsets == nullptr ? nullptr : axis.offsets + begin};
}
[[gnu::always_inline]] inline int64_t AxisShift(const GemmAxis& axis, int64_t begin) {
  return axis.offsets == nullptr ? begin * axis.stride : 0;
}

}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_AXIS_H_
