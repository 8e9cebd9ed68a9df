// Copies a slice of a matrix into the order in which the tiles read it.
#ifndef TENFERRO_CPU_GEMM_PACK_INL_H_
#define TENFERRO_CPU_GEMM_PACK_INL_H_

#include "tenferro/cpu/gemm/axis.h"
#include "tenferro/cpu/gemm/tile-inl.h"

namespace tenferro {
namespace TENFERRO_ISA {
namespace {  // kernels.cc alone includes this file

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

// Rows of a matrix by pointer, or at equal distances (in bytes).
template <class E>
struct RowPointers {
  using Element = E;
  const E* const* rows;
  HWY_INLINE const E* operator[](int i) const { return rows[i]; }
};
template <class E>
struct Rows {
  using Element = E;
  const E* first;
  int64_t step;
  HWY_INLINE const E* operator[](int i) const { return Advance(first, i * step); }
};

// A vector of the 16-byte blocks at rows[first] + offset, rows[first + step] + offset, …
template <int kFirst, int kStep, class L, class R>
HWY_INLINE hn::Vec<hn::Full128<L>> LoadBlocks(hn::Full128<L> d, R rows, int64_t offset) {
  return hn::LoadU(d, reinterpret_cast<const L*>(rows[kFirst] + offset));
}
#if HWY_MAX_BYTES >= 32
template <int kFirst, int kStep, class L, class R>
HWY_INLINE hn::Vec<hn::Full256<L>> LoadBlocks(hn::Full256<L> d, R rows, int64_t offset) {
  const hn::Full128<L> half;
  return hn::Combine(d, LoadBlocks<kFirst + kStep, kStep>(half, rows, offset),
                     LoadBlocks<kFirst, kStep>(half, rows, offset));
}
#endif
#if HWY_MAX_BYTES >= 64
template <int kFirst, int kStep, class L, class R>
HWY_INLINE hn::Vec<hn::Full512<L>> LoadBlocks(hn::Full512<L> d, R rows, int64_t offset) {
  const hn::Full256<L> half;
  return hn::Combine(d, LoadBlocks<kFirst + 2 * kStep, kStep>(half, rows, offset),
                     LoadBlocks<kFirst, kStep>(half, rows, offset));
}
#endif

// out[q] lane i = rows[i][offset + q] for q < kBlockTerms and the lanes of one vector of D: 16-byte loads put each row
// where transposing within 16-byte blocks finishes the work, the cheapest shuffle there is.
template <class D, class R>
HWY_INLINE void Transpose(D d, R rows, int64_t offset, hn::Vec<D>* out) {
  constexpr int kTerms = kBlockTerms<typename R::Element>;
  if constexpr (kTerms == 1) {
    out[0] = LoadBlocks<0, 1>(d, rows, offset);
  } else if constexpr (kTerms == 2) {
    const auto a = LoadBlocks<0, 2>(d, rows, offset);
    const auto b = LoadBlocks<1, 2>(d, rows, offset);
    out[0] = hn::InterleaveLower(d, a, b);
    out[1] = hn::InterleaveUpper(d, a, b);
  } else {
    const hn::Repartition<double, D> wide;
    const auto a = LoadBlocks<0, 4>(d, rows, offset);
    const auto b = LoadBlocks<1, 4>(d, rows, offset);
    const auto c = LoadBlocks<2, 4>(d, rows, offset);
    const auto e = LoadBlocks<3, 4>(d, rows, offset);
    const auto ab0 = hn::BitCast(wide, hn::InterleaveLower(d, a, b));
    const auto ab1 = hn::BitCast(wide, hn::InterleaveUpper(d, a, b));
    const auto ce0 = hn::BitCast(wide, hn::InterleaveLower(d, c, e));
    const auto ce1 = hn::BitCast(wide, hn::InterleaveUpper(d, c, e));
    out[0] = hn::BitCast(d, hn::InterleaveLower(wide, ab0, ce0));
    out[1] = hn::BitCast(d, hn::InterleaveUpper(wide, ab0, ce0));
    out[2] = hn::BitCast(d, hn::InterleaveLower(wide, ab1, ce1));
    out[3] = hn::BitCast(d, hn::InterleaveUpper(wide, ab1, ce1));
  }
}

template <class E, class D>
HWY_INLINE void TransposeTo(D d, const E* const* rows, int64_t offset, E* HWY_RESTRICT to, int64_t width) {
  hn::Vec<D> terms[kBlockTerms<E>];
  Transpose(d, RowPointers<E>{rows}, offset, terms);
#pragma GCC unroll 4
  for (int q = 0; q < kBlockTerms<E>; ++q) hn::StoreU(terms[q], d, reinterpret_cast<LaneOf<E>*>(to + q * width));
}

// Copies `bytes` >= sizeof(P) bytes for each term, in pieces of P: the last one reaches back over what is copied
// already.
template <class P>
void CopyPieces(char* to, int64_t to_step, const char* from, const GemmAxis& depth, int64_t depth_begin, int64_t terms,
                int64_t element_bytes, int64_t bytes) {
  const hn::CappedTag<uint8_t, sizeof(P)> d;
  const auto copy = [&](const char* source, int64_t i) HWY_ATTR {
    hn::StoreU(hn::LoadU(d, reinterpret_cast<const uint8_t*>(source + i)), d, reinterpret_cast<uint8_t*>(to + i));
  };
  for (int64_t p = 0; p < terms; ++p, to += to_step) {
    const char* source = from + element_bytes * OffsetOf(depth, depth_begin + p);
    for (int64_t i = 0; i + static_cast<int64_t>(sizeof(P)) < bytes; i += sizeof(P)) copy(source, i);
    copy(source, bytes - sizeof(P));
  }
}

template <int kBytes>
struct Piece {
  char bytes[kBytes];
};

// to[p * width + i] = from[offset of p + i] for i < count.
template <class E>
void CopyLanes(E* to, int64_t width, const E* from, const GemmAxis& depth, int64_t depth_begin, int64_t terms,
               int64_t count) {
  const int64_t bytes = count * sizeof(E);
  const auto copy = bytes >= 64 && HWY_MAX_BYTES >= 64   ? CopyPieces<Piece<(HWY_MAX_BYTES >= 64 ? 64 : 16)>>
                    : bytes >= 32 && HWY_MAX_BYTES >= 32 ? CopyPieces<Piece<(HWY_MAX_BYTES >= 32 ? 32 : 16)>>
                    : bytes >= 16                        ? CopyPieces<Piece<16>>
                    : bytes >= 8                         ? CopyPieces<Piece<8>>
                                                         : CopyPieces<Piece<4>>;
  copy(reinterpret_cast<char*>(to), width * sizeof(E), reinterpret_cast<const char*>(from), depth, depth_begin, terms,
       sizeof(E), bytes);
}

// Lanes [begin, end) of a panel, terms [0, terms) at from = rows[i] + offset: contiguous in the terms.
template <class E>
void TransposeLanes(E* HWY_RESTRICT to, int64_t width, const E* const* rows, int64_t begin, int64_t end, int64_t offset,
                    int64_t terms) {
  constexpr int kTerms = kBlockTerms<E>;
  const hn::ScalableTag<LaneOf<E>> d;
  const hn::Full128<LaneOf<E>> block;
  const int64_t whole = terms / kTerms * kTerms;
  int64_t i = begin;
  for (; i + kLanesOf<E> <= end; i += kLanesOf<E>) {
    for (int64_t p = 0; p < whole; p += kTerms) TransposeTo(d, rows + i, offset + p, to + p * width + i, width);
  }
  for (; i + kTerms <= end; i += kTerms) {
    for (int64_t p = 0; p < whole; p += kTerms) TransposeTo(block, rows + i, offset + p, to + p * width + i, width);
  }
  for (; i < end; ++i) {
    for (int64_t p = 0; p < whole; ++p) Move(to + p * width + i, rows[i] + offset + p);
  }
  for (int64_t p = whole; p < terms; ++p) {
    for (i = begin; i < end; ++i) Move(to + p * width + i, rows[i] + offset + p);
  }
}

#if HWY_TARGET <= HWY_AVX3
HWY_INLINE __m512 Squeeze(uint64_t bits, const float* from) {
  const __mmask16 mask = static_cast<__mmask16>(bits);
  return _mm512_maskz_compress_ps(mask, _mm512_maskz_loadu_ps(mask, from));
}
HWY_INLINE __m512d Squeeze(uint64_t bits, const double* from) {
  const __mmask8 mask = static_cast<__mmask8>(bits);
  return _mm512_maskz_compress_pd(mask, _mm512_maskz_loadu_pd(mask, from));
}
HWY_INLINE void StoreFirst(float* to, __m512 lanes, int count) {
  _mm512_mask_storeu_ps(to, static_cast<__mmask16>((1u << count) - 1), lanes);
}
HWY_INLINE void StoreFirst(double* to, __m512d lanes, int count) {
  _mm512_mask_storeu_pd(to, static_cast<__mmask8>((1u << count) - 1), lanes);
}

// The lanes at rows[i] of every term, which ascend by small steps: a vector's worth of memory gives several. False
// where it would give fewer than two on average.
template <class E>
bool PackSqueezed(E* HWY_RESTRICT to, int64_t width, const E* const* rows, int64_t lanes, const GemmAxis& depth,
                  int64_t depth_begin, int64_t terms) {
  struct Window {
    const E* from;
    uint64_t bits;
    int count;
  };
  Window windows[kMostTileRows];
  int64_t count = 0;
  for (int64_t i = 0; i < lanes;) {
    Window& window = windows[count++] = {rows[i], 0, 0};
    for (; i < lanes && rows[i] >= window.from && rows[i] - window.from < kLanesOf<E>; ++i, ++window.count) {
      const uint64_t bit = uint64_t{1} << (rows[i] - window.from);
      if (window.bits >= bit) return false;  // not in ascending order
      window.bits |= bit;
    }
    if (2 * count > lanes + 1) return false;
  }
  for (int64_t p = 0; p < terms; ++p, to += width) {
    const int64_t offset = OffsetOf(depth, depth_begin + p);
    E* target = to;
    for (int64_t w = 0; w < count; target += windows[w++].count) {
      StoreFirst(target, Squeeze(windows[w].bits, windows[w].from + offset), windows[w].count);
    }
  }
  return true;
}
#endif

// GemmKernel::pack.
template <class E>
void Pack(void* to_data, int64_t width, const void* from_data, const GemmAxis& lane, int64_t lane_begin, int64_t lanes,
          const GemmAxis& depth, int64_t depth_begin, int64_t terms) {
  E* HWY_RESTRICT to = static_cast<E*>(to_data);
  const E* HWY_RESTRICT from = static_cast<const E*>(from_data);
  const E* rows[kMostTileRows];
  int64_t runs = 1;
  for (int64_t i = 0; i < lanes; ++i) {
    rows[i] = from + OffsetOf(lane, lane_begin + i);
    runs += i > 0 && rows[i] != rows[i - 1] + 1;
  }
  if (2 * runs <= lanes || lanes == 1) {
    for (int64_t begin = 0, end; begin < lanes; begin = end) {
      for (end = begin + 1; end < lanes && rows[end] == rows[end - 1] + 1;) ++end;
      CopyLanes(to + begin, width, rows[begin], depth, depth_begin, terms, end - begin);
    }
    return;
  }
#if HWY_TARGET <= HWY_AVX3
  if constexpr (sizeof(E) <= 8) {
    if (!IsUnit(depth) && PackSqueezed(to, width, rows, lanes, depth, depth_begin, terms)) return;
  }
#endif
  // As many lanes at a time as fill a cache line of the panel, so that it is written whole while it is near.
  constexpr int64_t kGroup = 64 / sizeof(E);
  for (int64_t p = 0, end; p < terms; p = end) {
    const int64_t offset = OffsetOf(depth, depth_begin + p);
    end = IsUnit(depth) ? terms : p + 1;
    while (!IsStrided(depth) && end < terms && depth.offsets[depth_begin + end] == offset + (end - p)) ++end;
    if (end == p + 1) {
      for (int64_t i = 0; i < lanes; ++i) Move(to + p * width + i, rows[i] + offset);
      continue;
    }
    for (int64_t begin = 0; begin < lanes; begin += kGroup) {
      TransposeLanes(to + p * width, width, rows, begin, begin + kGroup < lanes ? begin + kGroup : lanes, offset,
                     end - p);
    }
  }
}

}  // namespace
}  // namespace TENFERRO_ISA
}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_PACK_INL_H_
