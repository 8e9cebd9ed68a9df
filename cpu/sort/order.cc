#include "tenferro/cpu/sort/order.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/sort/radix_sort.h"
#include "tenferro/cpu/sort/vector_extremum.h"
#include "tenferro/cpu/sort/vector_sort.h"

namespace tenferro {
namespace {

// Below this a comparison sort is faster than counting digits.
constexpr int64_t kShort = 160;

template <class T>
inline constexpr bool kIsFloat = std::is_floating_point_v<T>;

template <class T>
using KeyFor = std::conditional_t<sizeof(T) == 1, uint8_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;

// Unsigned numbers in the order of the elements: both zeros have one key, all NaN the greatest.
template <class T>
inline KeyFor<T> ToKey(T x) {
  using Key = KeyFor<T>;
  constexpr Key kSign = Key{1} << (8 * sizeof(T) - 1);
  if constexpr (kIsFloat<T>) {
    const Key bits = std::bit_cast<Key>(x + T(0));  // −0 + 0 = 0
    const Key key = bits & kSign ? static_cast<Key>(~bits) : static_cast<Key>(bits | kSign);
    return x == x ? key : static_cast<Key>(-1);
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<Key>(x) ^ kSign;
  } else {
    return static_cast<Key>(x);
  }
}

template <class T>
inline T FromKey(KeyFor<T> key) {
  using Key = KeyFor<T>;
  constexpr Key kSign = Key{1} << (8 * sizeof(T) - 1);
  if constexpr (kIsFloat<T>) {
    return std::bit_cast<T>(static_cast<Key>(key & kSign ? key ^ kSign : ~key));
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(key ^ kSign);
  } else {
    return static_cast<T>(key);
  }
}

template <class T>
inline KeyFor<T> OrderKey(T x, KeyFor<T> flip) {
  return ToKey(x) ^ flip;
}

template <class T>
constexpr KeyFor<T> FlipOf(bool descending) {
  return descending ? static_cast<KeyFor<T>>(-1) : KeyFor<T>{0};
}

template <class Key>
void SortWithVectors(Isa isa, Key* keys, Key* other, int64_t n) {
  switch (isa) {
#define TENFERRO_SORT(space, level)                                             \
  case Isa::level:                                                              \
    if constexpr (sizeof(Key) == 4) return space::SortVector32(keys, other, n); \
    if constexpr (sizeof(Key) == 8) return space::SortVector64(keys, other, n); \
    break;
    TENFERRO_FOR_EACH_ISA(TENFERRO_SORT)
#undef TENFERRO_SORT
    default: break;
  }
}

// Than counting digits.
bool VectorsAreFaster(Isa isa, int64_t n) {
  constexpr int64_t kVectors = 40;         // a network's worth
  constexpr int64_t kShortVectors = 1000;  // for vectors of 16 bytes
  return n >= kVectors && (isa == Isa::kV3 || isa == Isa::kV4 || n < kShortVectors);
}

// The result is in `keys` or in `other`; all ways give the same.
template <class Key>
Key* SortKeys(Isa isa, Key* keys, Key* other, int64_t n) {
  if (sizeof(Key) > 1 && VectorsAreFaster(isa, n)) {
    SortWithVectors(isa, keys, other, n);
  } else if (n >= kShort) {
    return RadixSort(keys, other, n, 0, sizeof(Key));
  } else {
    std::sort(keys, keys + n);
  }
  return keys;
}

template <class T>
const KeyLoops<T, KeyFor<T>>* FindKeyLoops([[maybe_unused]] Isa isa) {
  if constexpr (kIsFloat<T>) {
    switch (isa) {
#define TENFERRO_KEYS(space, level)                        \
  case Isa::level:                                         \
    if constexpr (sizeof(T) == 4) return &space::kKeysF32; \
    if constexpr (sizeof(T) == 8) return &space::kKeysF64; \
    break;
      TENFERRO_FOR_EACH_ISA(TENFERRO_KEYS)
#undef TENFERRO_KEYS
      default: break;
    }
  }
  return nullptr;
}

// Which of kAnyNaN and kAnyNegativeZero may be in x.
template <class T>
unsigned ToKeys(Isa isa, const T* x, int64_t n, KeyFor<T> flip, KeyFor<T>* keys) {
  if (const auto* loops = FindKeyLoops<T>(isa)) return loops->to_keys(x, n, flip, keys);
  for (int64_t i = 0; i < n; ++i) keys[i] = OrderKey(x[i], flip);
  return kIsFloat<T> ? kAnyNaN | kAnyNegativeZero : 0;
}
template <class T>
void FromKeys(Isa isa, const KeyFor<T>* keys, int64_t n, KeyFor<T> flip, T* x) {
  if (const auto* loops = FindKeyLoops<T>(isa)) return loops->from_keys(keys, n, flip, x);
  for (int64_t i = 0; i < n; ++i) x[i] = FromKey<T>(keys[i] ^ flip);
}

// The elements of x for which `is` holds, in their order.
template <class T, class Is>
void Collect(const T* x, int64_t n, T* to, const Is& is) {
  for (int64_t i = 0; i < n; ++i) {
    if (is(x[i])) *to++ = x[i];
  }
}

// Elements with equal keys have equal bits, but for zeros and NaN: those are put back in their order.
template <class T>
void Sort(Isa isa, const void* x_data, int64_t n, bool descending, void* values, void* scratch) {
  using Key = KeyFor<T>;
  const T* const x = static_cast<const T*>(x_data);
  T* const y = static_cast<T*>(values);
  if (n == 0) return;
  const Key flip = FlipOf<T>(descending);
  Key* keys = static_cast<Key*>(scratch);
  const unsigned flags = ToKeys(isa, x, n, flip, keys);
  keys = SortKeys(isa, keys, keys + n, n);
  FromKeys(isa, keys, n, flip, y);
  if constexpr (kIsFloat<T>) {
    const auto first = [&](T value) { return y + (std::lower_bound(keys, keys + n, OrderKey(value, flip)) - keys); };
    if (flags & kAnyNaN)
      Collect(x, n, first(std::bit_cast<T>(static_cast<Key>(-1))), [](T value) { return value != value; });
    if (flags & kAnyNegativeZero) Collect(x, n, first(T(0)), [](T value) { return value == 0; });
  }
}

template <class Key, class T>
const Placed<Key>* SortPlaced(const T* x, int64_t n, Key flip, Placed<Key>* records) {
  for (int64_t i = 0; i < n; ++i) records[i] = {OrderKey(x[i], flip), i};
  if (n >= kShort) return RadixSort(records, records + n, n, 0, sizeof(Key));
  std::sort(records, records + n);
  return records;
}

// Key and place in one word, for vectors to sort: the bits above the first one that differs between keys are left out,
// and of the lowest as many as the place needs. Words that only differ in the place are put right by the whole keys.
void ArgSortWords(Isa isa, const uint64_t* keys, uint64_t* words, int64_t n, int64_t* places) {
  uint64_t differing = 0;
  for (int64_t i = 0; i < n; ++i) differing |= keys[i] ^ keys[0];
  const int same = std::countl_zero(differing | 1), place_bits = std::bit_width(static_cast<uint64_t>(n - 1));
  const uint64_t place_mask = (uint64_t{1} << place_bits) - 1;
  for (int64_t i = 0; i < n; ++i) words[i] = (keys[i] << same & ~place_mask) | static_cast<uint64_t>(i);
  SortWithVectors(isa, words, words + n, n);
  for (int64_t i = 0; i < n; ++i) places[i] = static_cast<int64_t>(words[i] & place_mask);
  if (same >= place_bits) return;
  const auto alike = [&](int64_t i) { return ((words[i] ^ words[i - 1]) & ~place_mask) == 0; };
  const auto before = [&](int64_t a, int64_t b) { return keys[a] != keys[b] ? keys[a] < keys[b] : a < b; };
  for (int64_t i = 1; i < n; ++i) {
    if (!alike(i)) continue;
    const int64_t first = i - 1;
    while (i < n && alike(i)) ++i;
    if (!std::is_sorted(places + first, places + i, before)) std::sort(places + first, places + i, before);
  }
}

template <class T>
void ArgSort(Isa isa, const void* x_data, int64_t n, bool descending, int64_t* places, void* scratch) {
  using Key = KeyFor<T>;
  const T* const x = static_cast<const T*>(x_data);
  const Key flip = FlipOf<T>(descending);
  if (n == 0) return;
  if constexpr (sizeof(T) == 4) {
    // Key and place in one word.
    if (n >= kShort && n <= int64_t{UINT32_MAX}) {
      uint64_t* words = static_cast<uint64_t*>(scratch);
      for (int64_t i = 0; i < n; ++i) words[i] = uint64_t{OrderKey(x[i], flip)} << 32 | static_cast<uint64_t>(i);
      words = RadixSort(words, words + n, n, 4, 8);
      for (int64_t i = 0; i < n; ++i) places[i] = static_cast<int64_t>(words[i] & UINT32_MAX);
      return;
    }
  }
  if constexpr (sizeof(T) == 8) {
    if (VectorsAreFaster(isa, n)) {
      uint64_t* const keys = static_cast<uint64_t*>(scratch);
      ToKeys(isa, x, n, flip, keys);
      return ArgSortWords(isa, keys, keys + n, n, places);
    }
  }
  const Placed<Key>* const sorted = SortPlaced(x, n, flip, static_cast<Placed<Key>*>(scratch));
  for (int64_t i = 0; i < n; ++i) places[i] = sorted[i].place;
}

template <class T>
void Top(const void* x_data, int64_t n, int64_t count, void* values, int64_t* places, void* scratch) {
  using Key = KeyFor<T>;
  const T* const x = static_cast<const T*>(x_data);
  const Key flip = FlipOf<T>(true);
  if (count == 0) return;
  Placed<Key>* const kept = static_cast<Placed<Key>*>(scratch);
  const Placed<Key>* sorted = kept;
  if (count > n / 8) {
    sorted = SortPlaced(x, n, flip, kept);
  } else {
    // The best so far, the worst of them on top of the heap. A later element must be better, not equal.
    for (int64_t i = 0; i < count; ++i) kept[i] = {OrderKey(x[i], flip), i};
    std::make_heap(kept, kept + count);
    for (int64_t i = count; i < n; ++i) {
      const Key key = OrderKey(x[i], flip);
      if (key >= kept[0].key) continue;
      std::pop_heap(kept, kept + count);
      kept[count - 1] = {key, i};
      std::push_heap(kept, kept + count);
    }
    std::sort_heap(kept, kept + count);
  }
  for (int64_t i = 0; i < count; ++i) {
    places[i] = sorted[i].place;
    static_cast<T*>(values)[i] = x[sorted[i].place];
  }
}

// A number that comes before all others, of which the first is taken: NaN before the extremum.
template <class T, bool kLargest>
inline bool IsBetter(T x, T best) {
  if constexpr (kIsFloat<T>) {
    if (x != x) return best == best;
  }
  return kLargest ? x > best : x < best;
}

template <class T>
const ExtremumLoops<T>* FindExtremumLoops(Isa isa) {
  switch (isa) {
#define TENFERRO_EXTREMUM(space, level)                                    \
  case Isa::level:                                                         \
    if constexpr (std::is_same_v<T, float>) return &space::kExtremumF32;   \
    if constexpr (std::is_same_v<T, double>) return &space::kExtremumF64;  \
    if constexpr (std::is_same_v<T, int32_t>) return &space::kExtremumI32; \
    if constexpr (std::is_same_v<T, int64_t>) return &space::kExtremumI64; \
    break;
    TENFERRO_FOR_EACH_ISA(TENFERRO_EXTREMUM)
#undef TENFERRO_EXTREMUM
    default: break;
  }
  return nullptr;
}

// The place of the first NaN, or of the first element that equals a number. There is one.
template <class T>
int64_t PlaceOf(const T* x, T element) {
  int64_t place = 0;
  if (element != element) {
    while (x[place] == x[place]) ++place;
  } else {
    while (x[place] != element) ++place;
  }
  return place;
}

template <class T, bool kLargest>
int64_t ExtremumOfLine(const ExtremumLoops<T>* loops, const T* x, int64_t n) {
  constexpr int64_t kBlock = 256;
  int64_t place = 0;
  for (int64_t begin = 0; begin < n; begin += kBlock) {
    if (x[place] != x[place]) return place;
    const T* const block = x + begin;
    const int64_t length = std::min(kBlock, n - begin);
    const int64_t whole = loops == nullptr ? 0 : length - length % kExtremumLanes<T>;
    if (whole > 0 && loops->any_better(block, whole, x[place], kLargest)) {
      place = begin + PlaceOf(block, loops->extremum(block, whole, kLargest));
    }
    for (int64_t i = whole; i < length; ++i) {
      if (IsBetter<T, kLargest>(block[i], x[place])) place = begin + i;
    }
  }
  return place;
}

template <class T, bool kLargest>
void Extremum(Isa isa, const T* x, int64_t n, int64_t step, int64_t columns, int64_t* places) {
  if (step == 1) {
    const ExtremumLoops<T>* const loops = FindExtremumLoops<T>(isa);
    for (int64_t c = 0; c < columns; ++c) places[c] = ExtremumOfLine<T, kLargest>(loops, x + c * n, n);
    return;
  }
  constexpr int64_t kColumns = 256;
  for (int64_t first = 0; first < columns; first += kColumns) {
    const int64_t width = std::min(kColumns, columns - first);
    T best[kColumns];
    std::memcpy(best, x + first, width * sizeof(T));
    std::fill_n(places + first, width, 0);
    for (int64_t i = 1; i < n; ++i) {
      const T* const row = x + i * step + first;
      for (int64_t c = 0; c < width; ++c) {
        const bool better = IsBetter<T, kLargest>(row[c], best[c]);
        best[c] = better ? row[c] : best[c];
        places[first + c] = better ? i : places[first + c];
      }
    }
  }
}

template <class T>
void FindExtremum(Isa isa, const void* x, int64_t n, int64_t step, int64_t columns, bool largest, int64_t* places) {
  (largest ? Extremum<T, true> : Extremum<T, false>)(isa, static_cast<const T*>(x), n, step, columns, places);
}

template <class T>
OrderLoops LoopsOf() {
  return {Sort<T>, ArgSort<T>, Top<T>, FindExtremum<T>};
}

}  // namespace

OrderLoops FindOrder(uint8_t dtype) {
  switch (dtype) {
    case kCodeBool:
    case kCodeU8: return LoopsOf<uint8_t>();
    case kCodeI32: return LoopsOf<int32_t>();
    case kCodeI64: return LoopsOf<int64_t>();
    case kCodeU32: return LoopsOf<uint32_t>();
    case kCodeU64: return LoopsOf<uint64_t>();
    case kCodeF32: return LoopsOf<float>();
    case kCodeF64: return LoopsOf<double>();
  }
  return {};
}

}  // namespace tenferro
