// Copies a slice of a matrix into the order in which the tiles read it.
#ifndef TENFERRO_CPU_GEMM_PACK_INL_H_
#define TENFERRO_CPU_GEMM_PACK_INL_H_

#include "tenferro/cpu/gemm/axis.h"
#include "tenferro/cpu/gemm/tile-inl.h"

namespace tenferro {
namespace TENFERRO_ISA {

// 16 bytes moved as one: an element of c128.
struct Wide {
  double parts[2];
};

// Packing only moves elements, by their size: E is float, double (f64, c64) or Wide, held in vectors of LaneOf<E>.
template <class E>
struct LaneType {
  using Type = E;
};
template <>
struct LaneType<Wide> {
  using Type = double;
};
template <class E>
using LaneOf = typename LaneType<E>::Type;

// The packed element of T or, where kComplex, of two T.
template <class T, bool kComplex>
struct ElementType {
  using Type = T;
};
template <>
struct ElementType<float, true> {
  using Type = double;
};
template <>
struct ElementType<double, true> {
  using Type = Wide;
};
template <class T, bool kComplex>
using ElementOf = typename ElementType<T, kComplex>::Type;

template <class E>
constexpr int64_t kLanesOf = hn::MaxLanes(hn::ScalableTag<LaneOf<E>>()) * sizeof(LaneOf<E>) / sizeof(E);

// Terms of one lane that fill 16 bytes.
template <class E>
constexpr int kBlockTerms = 16 / sizeof(E);

template <class E>
void Move(E* to, const E* from) {
  __builtin_memcpy(to, from, sizeof(E));  // the memory may hold another type of the same size
}

// A vector of the 16-byte blocks at rows[0] + offset, rows[step] + offset, …
template <class L, class E>
HWY_INLINE hn::Vec<hn::Full128<L>> LoadBlocks(hn::Full128<L> d, const E* const* rows, int, int64_t offset) {
  return hn::LoadU(d, reinterpret_cast<const L*>(rows[0] + offset));
}
#if HWY_MAX_BYTES >= 32
template <class L, class E>
HWY_INLINE hn::Vec<hn::Full256<L>> LoadBlocks(hn::Full256<L> d, const E* const* rows, int step, int64_t offset) {
  const hn::Full128<L> half;
  return hn::Combine(d, LoadBlocks(half, rows + step, step, offset), LoadBlocks(half, rows, step, offset));
}
#endif
#if HWY_MAX_BYTES >= 64
template <class L, class E>
HWY_INLINE hn::Vec<hn::Full512<L>> LoadBlocks(hn::Full512<L> d, const E* const* rows, int step, int64_t offset) {
  const hn::Full256<L> half;
  return hn::Combine(d, LoadBlocks(half, rows + 2 * step, step, offset), LoadBlocks(half, rows, step, offset));
}
#endif

// out[q] lane i = rows[i][offset + q] for q < kBlockTerms and the lanes of one vector of D: 16-byte loads put each row where
// transposing within 16-byte blocks finishes the work, the cheapest shuffle there is.
template <class D>
HWY_INLINE void Transpose(D d, const Wide* const* rows, int64_t offset, hn::Vec<D>* out) {
  out[0] = LoadBlocks(d, rows, 1, offset);
}
template <class D>
HWY_INLINE void Transpose(D d, const double* const* rows, int64_t offset, hn::Vec<D>* out) {
  const auto a = LoadBlocks(d, rows, 2, offset);
  const auto b = LoadBlocks(d, rows + 1, 2, offset);
  out[0] = hn::InterleaveLower(d, a, b);
  out[1] = hn::InterleaveUpper(d, a, b);
}
template <class D>
HWY_INLINE void Transpose(D d, const float* const* rows, int64_t offset, hn::Vec<D>* out) {
  const hn::Repartition<double, D> wide;
  const auto a = LoadBlocks(d, rows, 4, offset);
  const auto b = LoadBlocks(d, rows + 1, 4, offset);
  const auto c = LoadBlocks(d, rows + 2, 4, offset);
  const auto e = LoadBlocks(d, rows + 3, 4, offset);
  const auto ab0 = hn::BitCast(wide, hn::InterleaveLower(d, a, b));
  const auto ab1 = hn::BitCast(wide, hn::InterleaveUpper(d, a, b));
  const auto ce0 = hn::BitCast(wide, hn::InterleaveLower(d, c, e));
  const auto ce1 = hn::BitCast(wide, hn::InterleaveUpper(d, c, e));
  out[0] = hn::BitCast(d, hn::InterleaveLower(wide, ab0, ce0));
  out[1] = hn::BitCast(d, hn::InterleaveUpper(wide, ab0, ce0));
  out[2] = hn::BitCast(d, hn::InterleaveLower(wide, ab1, ce1));
  out[3] = hn::BitCast(d, hn::InterleaveUpper(wide, ab1, ce1));
}

template <class E, class D>
HWY_INLINE void TransposeTo(D d, const E* const* rows, int64_t offset, E* HWY_RESTRICT to, int64_t width) {
  hn::Vec<D> terms[kBlockTerms<E>];
  Transpose(d, rows, offset, terms);
#pragma GCC unroll 4
  for (int q = 0; q < kBlockTerms<E>; ++q) hn::StoreU(terms[q], d, reinterpret_cast<LaneOf<E>*>(to + q * width));
}

// to[p * width + i] = from[offset of p + i] for i < count.
template <class E>
void CopyLanes(E* HWY_RESTRICT to, int64_t width, const E* HWY_RESTRICT from, const GemmAxis& depth, int64_t depth_begin,
               int64_t terms, int64_t count) {
  using L = LaneOf<E>;
  const hn::ScalableTag<L> d;
  constexpr int64_t kScale = sizeof(E) / sizeof(L);
  constexpr int64_t kVector = kLanesOf<E>;
  const int64_t whole = count / kVector * kVector;
  const auto rest = hn::FirstN(d, static_cast<size_t>((count - whole) * kScale));
  for (int64_t p = 0; p < terms; ++p) {
    const E* HWY_RESTRICT source = from + OffsetOf(depth, depth_begin + p);
    int64_t i = 0;
    for (; i < whole; i += kVector) {
      hn::StoreU(hn::LoadU(d, reinterpret_cast<const L*>(source + i)), d, reinterpret_cast<L*>(to + i));
    }
    if constexpr (kMaskedRows) {
      if (i < count) {
        hn::BlendedStore(hn::MaskedLoad(rest, d, reinterpret_cast<const L*>(source + i)), rest, d,
                         reinterpret_cast<L*>(to + i));
      }
    } else {
      for (; i < count; ++i) Move(to + i, source + i);
    }
    to += width;
  }
}

// Lanes [begin, end) of a panel from lanes that are each contiguous in the terms, or nearly.
template <class E>
void TransposeLanes(E* HWY_RESTRICT to, int64_t width, const E* const* rows, int64_t begin, int64_t end,
                    const GemmAxis& depth, int64_t depth_begin, int64_t terms) {
  constexpr int kTerms = kBlockTerms<E>;
  for (int64_t p = 0; p < terms;) {
    const int64_t offset = OffsetOf(depth, depth_begin + p);
    bool contiguous = p + kTerms <= terms;
    for (int q = 1; q < kTerms && contiguous; ++q) contiguous = OffsetOf(depth, depth_begin + p + q) == offset + q;
    int64_t i = begin;
    if (contiguous) {
      const hn::ScalableTag<LaneOf<E>> d;
      const hn::Full128<LaneOf<E>> block;
      for (; i + kLanesOf<E> <= end; i += kLanesOf<E>) TransposeTo(d, rows + i, offset, to + p * width + i, width);
      for (; i + kTerms <= end; i += kTerms) TransposeTo(block, rows + i, offset, to + p * width + i, width);
    }
    const int64_t count = contiguous ? kTerms : 1;
    for (; i < end; ++i) {
      for (int64_t q = 0; q < count; ++q) Move(to + (p + q) * width + i, rows[i] + offset + q);
    }
    p += count;
  }
}

// GemmKernel::pack.
template <class E>
void Pack(void* to_data, int64_t width, const void* from_data, const GemmAxis& lane, int64_t lane_begin, int64_t lanes,
          const GemmAxis& depth, int64_t depth_begin, int64_t terms) {
  E* HWY_RESTRICT to = static_cast<E*>(to_data);
  const E* HWY_RESTRICT from = static_cast<const E*>(from_data);
  if (lanes < width) {
    for (int64_t p = 0; p < terms; ++p) {
      __builtin_memset(to + p * width + lanes, 0, static_cast<size_t>(width - lanes) * sizeof(E));
    }
  }
  const E* rows[kMostTileRows];
  int64_t runs = 1;
  for (int64_t i = 0; i < lanes; ++i) {
    rows[i] = from + OffsetOf(lane, lane_begin + i);
    runs += i > 0 && rows[i] != rows[i - 1] + 1;
  }
  if (2 * runs <= lanes) {
    for (int64_t begin = 0, end; begin < lanes; begin = end) {
      for (end = begin + 1; end < lanes && rows[end] == rows[end - 1] + 1;) ++end;
      CopyLanes(to + begin, width, rows[begin], depth, depth_begin, terms, end - begin);
    }
    return;
  }
  // As many lanes at a time as fill a cache line of the panel, so that it is written whole while it is near.
  constexpr int64_t kGroup = 64 / sizeof(E);
  for (int64_t begin = 0; begin < lanes; begin += kGroup) {
    const int64_t end = begin + kGroup < lanes ? begin + kGroup : lanes;
    TransposeLanes(to, width, rows, begin, end, depth, depth_begin, terms);
  }
}

}  // namespace TENFERRO_ISA
}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_PACK_INL_H_
