// Quicksort with vectors: a part is divided at a pivot by compressing each vector twice, and what fits into 16 vectors
// is sorted there by a network. The idea is that of Blacher, Giesen, Wassenberg, Sanders, "Vectorized and
// performance-portable Quicksort" (2022). What comes out does not depend on how: equal keys have equal bits.

#include "tenferro/cpu/sort/vector_sort.h"

#include <string.h>

#include "tenferro/cpu/kernels/vector.h"

namespace tenferro::TENFERRO_ISA {
namespace {

constexpr int kRows = 16;
template <class T>
constexpr int64_t kNetwork = kRows* kLanes<T>;

template <class V>
HWY_INLINE void Order(V& a, V& b) {
  const V smaller = hn::Min(a, b);
  b = hn::Max(a, b);
  a = smaller;
}

// Green's network of 60 comparators for 16 numbers: Knuth, The Art of Computer Programming 3, section 5.3.4.
constexpr unsigned char kGreen[60][2] = {
    {0, 1},  {2, 3},  {4, 5},   {6, 7},   {8, 9},  {10, 11}, {12, 13}, {14, 15}, {0, 2},  {4, 6},   {8, 10},  {12, 14},
    {1, 3},  {5, 7},  {9, 11},  {13, 15}, {0, 4},  {8, 12},  {1, 5},   {9, 13},  {2, 6},  {10, 14}, {3, 7},   {11, 15},
    {0, 8},  {1, 9},  {2, 10},  {3, 11},  {4, 12}, {5, 13},  {6, 14},  {7, 15},  {5, 10}, {6, 9},   {3, 12},  {13, 14},
    {4, 8},  {7, 11}, {1, 2},   {1, 4},   {7, 13}, {2, 8},   {11, 14}, {2, 4},   {5, 6},  {9, 10},  {11, 13}, {3, 8},
    {7, 12}, {6, 8},  {10, 12}, {3, 5},   {7, 9},  {3, 4},   {5, 6},   {7, 8},   {9, 10}, {11, 12}, {6, 7},   {8, 9}};

// Sorts kNetwork numbers. Each lane is a column of the matrix in v; columns are merged bitonically, two and two: first
// with the order of one turned round, then at half the distance each time, across lanes and then within them.
template <class T>
HWY_NOINLINE void SortNetwork(T* keys) {
  using V = Vector<T>;
  const Tag<T> d;
  constexpr int64_t kN = kLanes<T>;
  V v[kRows];
  HWY_UNROLL(16)
  for (int i = 0; i < kRows; ++i) v[i] = hn::LoadU(d, keys + i * kN);
  HWY_UNROLL(60)
  for (int i = 0; i < 60; ++i) Order(v[kGreen[i][0]], v[kGreen[i][1]]);
  const V lanes = hn::Iota(d, T(0));
  for (int64_t group = 1; group < kN; group *= 2) {
    {
      const auto turned = hn::IndicesFromVec(d, hn::Xor(lanes, hn::Set(d, static_cast<T>(2 * group - 1))));
      const auto first = hn::Eq(hn::And(lanes, hn::Set(d, static_cast<T>(group))), hn::Zero(d));
      HWY_UNROLL(8)
      for (int i = 0; i < kRows / 2; ++i) {
        V &a = v[i], &b = v[kRows - 1 - i];
        const V from_b = hn::TableLookupLanes(b, turned), from_a = hn::TableLookupLanes(a, turned);
        a = hn::IfThenElse(first, hn::Min(a, from_b), hn::Max(a, from_b));
        b = hn::IfThenElse(first, hn::Min(b, from_a), hn::Max(b, from_a));
      }
    }
    for (int64_t distance = group / 2; distance > 0; distance /= 2) {
      const auto other = hn::IndicesFromVec(d, hn::Xor(lanes, hn::Set(d, static_cast<T>(distance))));
      const auto first = hn::Eq(hn::And(lanes, hn::Set(d, static_cast<T>(distance))), hn::Zero(d));
      HWY_UNROLL(16)
      for (int i = 0; i < kRows; ++i) {
        const V from = hn::TableLookupLanes(v[i], other);
        v[i] = hn::IfThenElse(first, hn::Min(v[i], from), hn::Max(v[i], from));
      }
    }
    HWY_UNROLL(8)
    for (int i = 0; i < 8; ++i) Order(v[i], v[i + 8]);
    HWY_UNROLL(8)
    for (int i = 0; i < 8; ++i) Order(v[i / 4 * 8 + i % 4], v[i / 4 * 8 + i % 4 + 4]);
    HWY_UNROLL(8)
    for (int i = 0; i < 8; ++i) Order(v[i / 2 * 4 + i % 2], v[i / 2 * 4 + i % 2 + 2]);
    HWY_UNROLL(8)
    for (int i = 0; i < 8; ++i) Order(v[i * 2], v[i * 2 + 1]);
  }
  T rows[kNetwork<T>];
  HWY_UNROLL(16)
  for (int i = 0; i < kRows; ++i) hn::StoreU(v[i], d, rows + i * kN);
  for (int64_t lane = 0; lane < kN; ++lane) {
    for (int i = 0; i < kRows; ++i) keys[lane * kRows + i] = rows[i * kN + lane];
  }
}

template <class T>
void SortShort(T* keys, int64_t n) {
  if (n == kNetwork<T>) return SortNetwork(keys);
  T padded[kNetwork<T>];
  memcpy(padded, keys, n * sizeof(T));
  for (int64_t i = n; i < kNetwork<T>; ++i) padded[i] = static_cast<T>(-1);
  SortNetwork(padded);
  memcpy(keys, padded, n * sizeof(T));
}

template <class T>
HWY_INLINE T MiddleOf(T a, T b, T c) {
  const T low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c < high ? c : high;
}

// A middle one of keys spread over all of them: of many the more, the longer the part.
template <class T>
T PivotOf(const T* keys, int64_t n) {
  if (n < 32 * kNetwork<T>) {
    const int64_t step = n / 9;
    T middle[3];
    for (int i = 0; i < 3; ++i) {
      middle[i] = MiddleOf(keys[(3 * i) * step], keys[(3 * i + 1) * step], keys[(3 * i + 2) * step]);
    }
    return MiddleOf(middle[0], middle[1], middle[2]);
  }
  T samples[kNetwork<T>];
  for (int64_t i = 0; i < kNetwork<T>; ++i) samples[i] = keys[i * (n / kNetwork<T>)];
  SortNetwork(samples);
  return samples[kNetwork<T> / 2];
}

// The lanes for which the mask holds, and the others, each in front of what does not matter. Not hn::Compress: GCC 12
// copies its tables to the stack for every call.
#if HWY_TARGET == HWY_AVX3
HWY_INLINE Vector<uint32_t> Front(Vector<uint32_t> v, unsigned mask) {
  return Vector<uint32_t>{_mm512_maskz_compress_epi32(static_cast<__mmask16>(mask), v.raw)};
}
HWY_INLINE Vector<uint64_t> Front(Vector<uint64_t> v, unsigned mask) {
  return Vector<uint64_t>{_mm512_maskz_compress_epi64(static_cast<__mmask8>(mask), v.raw)};
}
#else
// Row m: the lanes of mask m.
template <class T>
struct FrontLanes {
  constexpr FrontLanes() {
    for (int mask = 0; mask < 1 << kLanes<T>; ++mask) {
      int filled = 0;
      for (int lane = 0; lane < kLanes<T>; ++lane) {
        if (mask >> lane & 1) rows[mask][filled++] = static_cast<T>(lane);
      }
    }
  }
  alignas(32) T rows[1 << kLanes<T>][kLanes<T>] = {};
};
template <class T>
constexpr FrontLanes<T> kFrontLanes;
template <class V>
HWY_INLINE V Front(V v, unsigned mask) {
  using T = hn::TFromV<V>;
  const Tag<T> d;
  return hn::TableLookupLanes(v, hn::IndicesFromVec(d, hn::LoadU(d, kFrontLanes<T>.rows[mask])));
}
#endif

template <class T, class M>
HWY_INLINE unsigned BitsOf(M mask) {
  uint8_t bits[8] = {};
  hn::StoreMaskBits(Tag<T>(), mask, bits);
  return bits[0] | (kLanes<T> > 8 ? bits[1] << 8 : 0);
}

// Moves the keys below the pivot, or with kUpTo those not above it, to the front, and says how many they are. What is
// written in front has been read; the others wait in `scratch`.
template <bool kUpTo, class T>
int64_t Divide(T* keys, T* scratch, int64_t n, T pivot) {
  const Tag<T> d;
  constexpr int64_t kN = kLanes<T>;
  const Vector<T> p = hn::Set(d, pivot);
  T *left = keys, *right = scratch;
  int64_t i = 0;
  for (; i + kN <= n; i += kN) {
    const Vector<T> v = hn::LoadU(d, keys + i);
    // Highway compares unsigned numbers by "less" alone.
    constexpr unsigned kAll = (1u << kN) - 1;
    const unsigned apart = BitsOf<T>(kUpTo ? hn::Lt(p, v) : hn::Lt(v, p));
    const unsigned below = kUpTo ? ~apart & kAll : apart;
    const int64_t count = __builtin_popcount(below);
    hn::StoreU(Front(v, below), d, left);
    left += count;
    hn::StoreU(Front(v, ~below & kAll), d, right);
    right += kN - count;
  }
  for (; i < n; ++i) {
    const T key = keys[i];
    const bool below = kUpTo ? key <= pivot : key < pivot;
    *left = key;
    left += below;
    *right = key;
    right += !below;
  }
  memcpy(left, scratch, (right - scratch) * sizeof(T));
  return left - keys;
}

template <class T>
void SiftDown(T* keys, int64_t at, int64_t n) {
  const T key = keys[at];
  for (int64_t child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && keys[child + 1] > keys[child]) ++child;
    if (keys[child] <= key) break;
    keys[at] = keys[child];
  }
  keys[at] = key;
}

// For keys that pivots keep dividing badly: never slower than n log n.
template <class T>
void HeapSort(T* keys, int64_t n) {
  for (int64_t i = n / 2; i-- > 0;) SiftDown(keys, i, n);
  for (int64_t last = n; --last > 0;) {
    const T largest = keys[0];
    keys[0] = keys[last];
    keys[last] = largest;
    SiftDown(keys, 0, last);
  }
}

template <class T>
void QuickSort(T* keys, T* scratch, int64_t n, int depth) {
  while (n > kNetwork<T>) {
    if (depth-- == 0) return HeapSort(keys, n);
    const T pivot = PivotOf(keys, n);
    int64_t left = Divide<false>(keys, scratch, n, pivot);
    if (left == 0) {
      // The pivot is the least key: all that equal it are in place.
      left = Divide<true>(keys, scratch, n, pivot);
    } else {
      QuickSort(keys, scratch, left, depth);
    }
    keys += left;
    n -= left;
  }
  SortShort(keys, n);
}

template <class T>
void Sort(T* keys, T* scratch, int64_t n) {
  int depth = 8;
  for (int64_t left = n; left > 0; left /= 2) depth += 2;
  QuickSort(keys, scratch, n, depth);
}

template <class T, class Key>
unsigned ToKeys(const T* x, int64_t n, Key flip_bits, Key* keys) {
  const Tag<T> d;
  const Tag<Key> dk;
  constexpr int64_t kN = kLanes<T>;
  const Vector<Key> sign = hn::Set(dk, Key{1} << (8 * sizeof(Key) - 1)), flip = hn::Set(dk, flip_bits);
  auto nan = hn::MaskFromVec(hn::Zero(d));
  auto negative_zero = hn::MaskFromVec(hn::Zero(dk));
  for (int64_t i = 0; i < n; i += kN) {
    const bool whole = i + kN <= n;
    const Vector<T> v = whole ? hn::LoadU(d, x + i) : LoadFirst<T>(x + i, n - i);
    const Vector<Key> bits = hn::BitCast(dk, hn::Add(v, hn::Zero(d)));  // −0 + 0 = 0
    const Vector<Key> negative = hn::BitCast(dk, hn::BroadcastSignBit(hn::BitCast(hn::RebindToSigned<Tag<T>>(), bits)));
    const auto is_nan = hn::IsNaN(v);
    const Vector<Key> key = hn::Or(hn::Xor(bits, hn::Or(negative, sign)), hn::BitCast(dk, hn::VecFromMask(d, is_nan)));
    nan = hn::Or(nan, is_nan);
    negative_zero = hn::Or(negative_zero, hn::Eq(hn::BitCast(dk, v), sign));
    if (whole) {
      hn::StoreU(hn::Xor(key, flip), dk, keys + i);
    } else {
      StoreFirst<Key>(hn::Xor(key, flip), keys + i, n - i);
    }
  }
  return (hn::AllFalse(d, nan) ? 0u : kAnyNaN) | (hn::AllFalse(dk, negative_zero) ? 0u : kAnyNegativeZero);
}

template <class T, class Key>
void FromKeys(const Key* keys, int64_t n, Key flip_bits, T* x) {
  const Tag<T> d;
  const Tag<Key> dk;
  constexpr int64_t kN = kLanes<T>;
  const Vector<Key> sign = hn::Set(dk, Key{1} << (8 * sizeof(Key) - 1)), flip = hn::Set(dk, flip_bits);
  for (int64_t i = 0; i < n; i += kN) {
    const bool whole = i + kN <= n;
    const Vector<Key> key = hn::Xor(whole ? hn::LoadU(dk, keys + i) : LoadFirst<Key>(keys + i, n - i), flip);
    const Vector<Key> positive = hn::BitCast(dk, hn::BroadcastSignBit(hn::BitCast(hn::RebindToSigned<Tag<T>>(), key)));
    const Vector<T> v = hn::BitCast(d, hn::Xor(key, hn::Or(hn::Not(positive), sign)));
    if (whole) {
      hn::StoreU(v, d, x + i);
    } else {
      StoreFirst<T>(v, x + i, n - i);
    }
  }
}

}  // namespace

constexpr KeyLoops<float, uint32_t> kKeysF32 = {ToKeys<float, uint32_t>, FromKeys<float, uint32_t>};
constexpr KeyLoops<double, uint64_t> kKeysF64 = {ToKeys<double, uint64_t>, FromKeys<double, uint64_t>};

void SortVector32(uint32_t* keys, uint32_t* scratch, int64_t n) { Sort(keys, scratch, n); }
void SortVector64(uint64_t* keys, uint64_t* scratch, int64_t n) { Sort(keys, scratch, n); }

}  // namespace tenferro::TENFERRO_ISA
