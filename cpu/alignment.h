#ifndef TENFERRO_CPU_ALIGNMENT_H_
#define TENFERRO_CPU_ALIGNMENT_H_

#include <cstdint>

namespace tenferro {

// Where pieces of scratch memory begin: at lines of the cache, the longest vector's width.
inline constexpr int64_t kAlignment = 64;

// The next multiple of it.
constexpr int64_t Aligned(int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace tenferro

#endif  // TENFERRO_CPU_ALIGNMENT_H_
