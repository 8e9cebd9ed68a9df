#ifndef TENFERRO_CPU_COST_H_
#define TENFERRO_CPU_COST_H_

#include <cstdint>

#include "tenferro/cpu/layout.h"

namespace tenferro {

// The engine's estimates of time and size, in one place. None of them changes a bit of a result.

// Elements of one dtype in half of a 32 KiB first-level cache decide how long a loop's tiles may be.
inline constexpr int64_t kTileCacheBytes = 16 << 10;
inline constexpr int64_t kMaxTile = 512;
inline constexpr int64_t kMinTile = 128;

// A rough mean over cheap arithmetic and transcendental functions.
inline constexpr double kElementNanoseconds = 0.4;
inline constexpr double kByteCopiedNanoseconds = 0.1;
// One multiplication and addition of eight bytes in a matrix product.
inline constexpr double kProductNanoseconds = 0.025;

// A product's factors are put in order for each block of the result.
inline constexpr double kPackedByteNanoseconds = 0.03;

// How long it takes to read a byte of a result of this size where a loop does so only when all of it has been written:
// from the second-level cache, the third, or memory.
inline double ReadAgainNanoseconds(int64_t bytes) { return bytes <= 512 << 10 ? 0 : bytes <= 16 << 20 ? 0.03 : 0.1; }
// A block of a result that is read while it is in the second-level cache.
inline constexpr int64_t kBlockBytes = 512 << 10;
// Blocks of which a loop that is worth threads has at least so many.
inline constexpr int64_t kLeastBlocks = 8;

// Work below this is not worth waking threads for, or sharing with threads that are awake.
inline constexpr double kForkNanoseconds = 60e3;
inline constexpr double kShareNanoseconds = 12e3;
// What one thread takes at a time.
inline constexpr double kTaskNanoseconds = 10e3;

// Results up to this size are computed at Prepare when their operands are known then.
inline constexpr int64_t kFoldedBytes = 64 << 10;

// What frees so much memory runs before its turn.
inline constexpr int64_t kHurriedBytes = 32 << 10;

// True when a loop had better pick strided elements tile by tile than have a dense copy made: a walk along memory, one
// that repeats elements, or a source that stays in the cache.
inline bool IsCheapToGather(const Walk& walk, int64_t element_size) {
  if (walk.extents.empty()) return true;
  int64_t reach = 1;
  for (size_t i = 0; i < walk.extents.size(); ++i) {
    reach += (walk.extents[i] - 1) * (walk.strides[i] < 0 ? -walk.strides[i] : walk.strides[i]);
  }
  if (reach * element_size <= 256 << 10) return true;
  const int64_t step = (walk.strides[0] < 0 ? -walk.strides[0] : walk.strides[0]) * element_size;
  return step < 64;
}

}  // namespace tenferro

#endif  // TENFERRO_CPU_COST_H_
