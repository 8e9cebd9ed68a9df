#ifndef TENFERRO_CPU_INDEXING_WINDOW_LOOPS_H_
#define TENFERRO_CPU_INDEXING_WINDOW_LOOPS_H_

#include <cstdint>

namespace tenferro {

// to[to_at[i] + …] = from[from_at[i] + …] or an update of it, for i < n one after another. Offsets count elements.
struct WindowLoops {
  // One element each, `to_shift` and `from_shift` further.
  void (*elements)(void* to, const int64_t* to_at, int64_t to_shift, const void* from, const int64_t* from_at,
                   int64_t from_shift, int64_t n);
  // The same with to_at[i] = to_at[0] + i.
  void (*gather)(void* to, const void* from, const int64_t* from_at, int64_t from_shift, int64_t n);
  // `n` consecutive elements of both.
  void (*run)(void* to, const void* from, int64_t n);
};

enum class WindowKind : uint8_t { kSet, kAdd, kMul, kMin, kMax };

// Null loops where the operation does not take the dtype (an ElementCode); `gather` only for kSet.
WindowLoops FindWindowLoops(WindowKind kind, uint8_t dtype);

}  // namespace tenferro

#endif  // TENFERRO_CPU_INDEXING_WINDOW_LOOPS_H_
