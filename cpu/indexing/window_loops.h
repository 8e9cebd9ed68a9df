#ifndef TENFERRO_CPU_INDEXING_WINDOW_LOOPS_H_
#define TENFERRO_CPU_INDEXING_WINDOW_LOOPS_H_

#include <cstdint>

namespace tenferro {

// Windows of one element each, one after another, at starts on one axis of the operand. Offsets count elements.
struct StartLine {
  const int64_t* starts;
  int64_t n;
  int64_t wrap;          // added to negative starts
  int64_t limit;         // the last start inside
  int64_t stride;        // in the operand, from one start to the next
  int64_t operand_step;  // and from one window to the next,
  int64_t window_step;   // as in the tensor of windows
  bool clamp;            // windows outside are moved, not left out
};

// to[to_at[i] + …] = from[from_at[i] + …] or an update of it, for i < n one after another. Offsets count elements.
struct WindowLoops {
  // One element each, `to_shift` and `from_shift` further.
  void (*elements)(void* to, const int64_t* to_at, int64_t to_shift, const void* from, const int64_t* from_at,
                   int64_t from_shift, int64_t n);
  // The same with to_at[i] = to_at[0] + i.
  void (*gather)(void* to, const void* from, const int64_t* from_at, int64_t from_shift, int64_t n);
  // `n` consecutive elements of both.
  void (*run)(void* to, const void* from, int64_t n);
  // From the operand to the windows, `fill` to those outside; or from the windows to the operand.
  void (*gather_line)(void* to, const void* from, const StartLine& line, const void* fill);
  void (*scatter_line)(void* to, const void* from, const StartLine& line);
};

enum class WindowKind : uint8_t { kSet, kAdd, kMul, kMin, kMax };

// Null loops where the operation does not take the dtype (an ElementCode); gathers only for kSet.
WindowLoops FindWindowLoops(WindowKind kind, uint8_t dtype);

}  // namespace tenferro

#endif  // TENFERRO_CPU_INDEXING_WINDOW_LOOPS_H_
