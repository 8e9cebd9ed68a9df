#include "tenferro/cpu/indexing/window_loops.h"

#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/scalar_arithmetic.h"
#include "tenferro/cpu/kernels/scalar_loop.h"

namespace tenferro {
namespace {

struct SetElement {
  template <class T>
  static T Of(T, T update) {
    return update;
  }
};
struct AddElement {
  template <class T>
  static T Of(T x, T update) {
    return scalar::Add(x, update);
  }
};
struct MultiplyElement {
  template <class T>
  static T Of(T x, T update) {
    return scalar::Multiply(x, update);
  }
};
struct SmallerElement {
  template <class T>
  static T Of(T x, T update) {
    return scalar::Smaller(x, update);
  }
};
struct LargerElement {
  template <class T>
  static T Of(T x, T update) {
    return scalar::Larger(x, update);
  }
};

template <class T, class Update>
void Elements(void* to, const int64_t* to_at, int64_t to_shift, const void* from, const int64_t* from_at,
              int64_t from_shift, int64_t n) {
  T* const out = static_cast<T*>(to) + to_shift;
  const T* const in = static_cast<const T*>(from) + from_shift;
  for (int64_t i = 0; i < n; ++i) out[to_at[i]] = Update::Of(out[to_at[i]], in[from_at[i]]);
}

template <class T>
void GatherElements(void* to, const void* from, const int64_t* from_at, int64_t from_shift, int64_t n) {
  T* const out = static_cast<T*>(to);
  const T* const in = static_cast<const T*>(from) + from_shift;
  TENFERRO_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) out[i] = in[from_at[i]];
}

// run(place in the operand, window) for each window, outside(window) for those outside and not to be moved. What is
// outside is rare: a branch costs less than the work to be ready for it. kNeighbours: windows are neighbours, and all
// count from one place of the operand.
template <bool kNeighbours, class Run, class Outside>
inline void ForEachStartOf(const StartLine line, const Run& run, const Outside& outside) {
  for (int64_t i = 0; i < line.n; ++i) {
    const int64_t window = kNeighbours ? i : i * line.window_step, walked = kNeighbours ? 0 : i * line.operand_step;
    int64_t start = line.starts[i];
    start += start >> 63 & line.wrap;
    if (static_cast<uint64_t>(start) > static_cast<uint64_t>(line.limit)) [[unlikely]] {
      if (line.clamp) {
        run((start < 0 ? 0 : line.limit) * line.stride + walked, window);
      } else {
        outside(window);
      }
      continue;
    }
    run(start * line.stride + walked, window);
  }
}
template <class Run, class Outside>
inline void ForEachStart(const StartLine& line, const Run& run, const Outside& outside) {
  if (line.window_step == 1 && line.operand_step == 0) return ForEachStartOf<true>(line, run, outside);
  ForEachStartOf<false>(line, run, outside);
}

template <class T>
void GatherLine(void* to, const void* from, const StartLine& line, const void* fill_data) {
  T* const out = static_cast<T*>(to);
  const T* const in = static_cast<const T*>(from);
  const T fill = *static_cast<const T*>(fill_data);
  ForEachStart(
      line, [=](int64_t place, int64_t window) { out[window] = in[place]; },
      [=](int64_t window) { out[window] = fill; });
}

template <class T, class Update>
void ScatterLine(void* to, const void* from, const StartLine& line) {
  T* const out = static_cast<T*>(to);
  const T* const in = static_cast<const T*>(from);
  ForEachStart(
      line, [=](int64_t place, int64_t window) { out[place] = Update::Of(out[place], in[window]); }, [](int64_t) {});
}

template <class T, class Update>
void Run(void* to, const void* from, int64_t n) {
  T* const out = static_cast<T*>(to);
  const T* const in = static_cast<const T*>(from);
  TENFERRO_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) out[i] = Update::Of(out[i], in[i]);
}

void Copy1(void* to, const void* from, int64_t n) { std::memcpy(to, from, n); }
void Copy4(void* to, const void* from, int64_t n) { std::memcpy(to, from, n * 4); }
void Copy8(void* to, const void* from, int64_t n) { std::memcpy(to, from, n * 8); }
void Copy16(void* to, const void* from, int64_t n) { std::memcpy(to, from, n * 16); }

struct alignas(8) Bytes16 {
  uint64_t low, high;
};

template <class T>
WindowLoops SetLoops(void (*copy)(void*, const void*, int64_t)) {
  return {Elements<T, SetElement>, GatherElements<T>, copy, GatherLine<T>, ScatterLine<T, SetElement>};
}

WindowLoops FindSetLoops(uint8_t dtype) {
  switch (dtype) {
    case kCodeBool:
    case kCodeU8: return SetLoops<uint8_t>(Copy1);
    case kCodeI32:
    case kCodeU32:
    case kCodeF32: return SetLoops<uint32_t>(Copy4);
    case kCodeC128: return SetLoops<Bytes16>(Copy16);
    default: return SetLoops<uint64_t>(Copy8);
  }
}

template <class T, class Update>
WindowLoops LoopsOf() {
  return {Elements<T, Update>, nullptr, Run<T, Update>, nullptr, ScatterLine<T, Update>};
}

template <class Update>
WindowLoops NumberLoops(uint8_t dtype) {
  switch (dtype) {
    case kCodeI32:
    case kCodeU32: return LoopsOf<uint32_t, Update>();
    case kCodeI64:
    case kCodeU64: return LoopsOf<uint64_t, Update>();
    case kCodeU8: return LoopsOf<uint8_t, Update>();
    case kCodeF32: return LoopsOf<float, Update>();
    case kCodeF64: return LoopsOf<double, Update>();
    case kCodeC64: return LoopsOf<scalar::Complex<float>, Update>();
    case kCodeC128: return LoopsOf<scalar::Complex<double>, Update>();
  }
  return {};
}

template <class Update>
WindowLoops RealLoops(uint8_t dtype) {
  switch (dtype) {
    case kCodeBool:
    case kCodeU8: return LoopsOf<uint8_t, Update>();
    case kCodeI32: return LoopsOf<int32_t, Update>();
    case kCodeI64: return LoopsOf<int64_t, Update>();
    case kCodeU32: return LoopsOf<uint32_t, Update>();
    case kCodeU64: return LoopsOf<uint64_t, Update>();
    case kCodeF32: return LoopsOf<float, Update>();
    case kCodeF64: return LoopsOf<double, Update>();
  }
  return {};
}

}  // namespace

WindowLoops FindWindowLoops(WindowKind kind, uint8_t dtype) {
  switch (kind) {
    case WindowKind::kSet: return FindSetLoops(dtype);
    case WindowKind::kAdd: return NumberLoops<AddElement>(dtype);
    case WindowKind::kMul: return NumberLoops<MultiplyElement>(dtype);
    case WindowKind::kMin: return RealLoops<SmallerElement>(dtype);
    case WindowKind::kMax: break;
  }
  return RealLoops<LargerElement>(dtype);
}

}  // namespace tenferro
