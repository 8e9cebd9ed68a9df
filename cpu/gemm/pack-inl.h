// Copies a slice of a matrix into the order in which the tiles read it.
#ifndef TENFERRO_CPU_GEMM_PACK_INL_H_
#define TENFERRO_CPU_GEMM_PACK_INL_H_

#include "tenferro/cpu/gemm/gemm.h"
#include "tenferro/cpu/gemm/micro_kernel-inl.h"

namespace tenferro {
namespace TENFERRO_ISA {

// 16 bytes moved as one: an element of c128.
struct Wide {
  double parts[2];
};

// Element of 4, 8 or 16 bytes and, for transposing 16-byte blocks, the element of the SIMD vectors.
template <class E>
struct PackTraits;
template <>
struct PackTraits<float> {
  using Lane = float;
};
template <>
struct PackTraits<double> {
  using Lane = double;
};
template <>
struct PackTraits<Wide> {
  using Lane = double;
};

template <class E>
inline void Move(E* to, const E* from) {
  __builtin_memcpy(to, from, sizeof(E));  // the memory may hold another type of the same size
}

inline int64_t OffsetOf(const GemmAxis& axis, int64_t i) {
  return axis.offsets != nullptr ? axis.offsets[i] : i * axis.stride;
}

// The most lanes that a panel has: a full tile's rows of f32.
constexpr int kMaxLanes = kTileVectors * static_cast<int>(hn::MaxLanes(hn::ScalableTag<float>()));

// to[p * step + i] = from[p * stride + i] for i < count, p < depth.
template <class Lane>
void CopyRun(Lane* HWY_RESTRICT to, int64_t step, const Lane* HWY_RESTRICT from, const GemmAxis& depth, int64_t depth_begin,
             int64_t depth_count, int64_t scale, int64_t count) {
  const hn::ScalableTag<Lane> d;
  constexpr int64_t kVector = hn::MaxLanes(d);
  const int64_t whole = count / kVector * kVector;
  const auto rest = hn::FirstN(d, static_cast<size_t>(count - whole));
  for (int64_t p = 0; p < depth_count; ++p) {
    const Lane* HWY_RESTRICT source = from + scale * OffsetOf(depth, depth_begin + p);
    int64_t i = 0;
    for (; i < whole; i += kVector) hn::StoreU(hn::LoadU(d, source + i), d, to + i);
    if constexpr (kMaskedRows) {
      if (i < count) hn::BlendedStore(hn::MaskedLoad(rest, d, source + i), rest, d, to + i);
    } else {
      for (; i < count; ++i) Move(to + i, source + i);
    }
    to += step;
  }
}

// Two by two doubles, four by four floats: lanes at from[i], `block` terms of each contiguous.
inline void TransposeBlock(double* HWY_RESTRICT to, int64_t step, const double* const* from, int64_t p) {
  const hn::Full128<double> d;
  const auto a = hn::LoadU(d, from[0] + p);
  const auto b = hn::LoadU(d, from[1] + p);
  hn::StoreU(hn::InterleaveLower(d, a, b), d, to);
  hn::StoreU(hn::InterleaveUpper(d, a, b), d, to + step);
}
inline void TransposeBlock(float* HWY_RESTRICT to, int64_t step, const float* const* from, int64_t p) {
  const hn::Full128<float> d;
  const hn::Full128<double> wide;
  const auto a = hn::LoadU(d, from[0] + p);
  const auto b = hn::LoadU(d, from[1] + p);
  const auto c = hn::LoadU(d, from[2] + p);
  const auto e = hn::LoadU(d, from[3] + p);
  const auto ab0 = hn::BitCast(wide, hn::InterleaveLower(d, a, b));
  const auto ab1 = hn::BitCast(wide, hn::InterleaveUpper(d, a, b));
  const auto ce0 = hn::BitCast(wide, hn::InterleaveLower(d, c, e));
  const auto ce1 = hn::BitCast(wide, hn::InterleaveUpper(d, c, e));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(wide, ab0, ce0)), d, to);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(wide, ab0, ce0)), d, to + step);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(wide, ab1, ce1)), d, to + 2 * step);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(wide, ab1, ce1)), d, to + 3 * step);
}

// to[p * width + i] = lane i's term p, for lanes [lane_begin, lane_begin + lanes) and terms [depth_begin, + depth_count);
// lanes from `lanes` to `width` are 0: a padded row must not bring a NaN's slow path or a trap into the sums beside it.
template <class E>
void Pack(E* HWY_RESTRICT to, int64_t width, const E* HWY_RESTRICT from, const GemmAxis& lane, int64_t lane_begin,
          int64_t lanes, const GemmAxis& depth, int64_t depth_begin, int64_t depth_count) {
  if (lanes < width) {
    for (int64_t p = 0; p < depth_count; ++p) {
      __builtin_memset(to + p * width + lanes, 0, static_cast<size_t>(width - lanes) * sizeof(E));
    }
  }
  int64_t offsets[kMaxLanes];
  int64_t runs = 1;
  for (int64_t i = 0; i < lanes; ++i) {
    offsets[i] = OffsetOf(lane, lane_begin + i);
    runs += i > 0 && offsets[i] != offsets[i - 1] + 1;
  }
  if (2 * runs <= lanes || lanes == 1) {
    using Lane = typename PackTraits<E>::Lane;
    constexpr int64_t kScale = sizeof(E) / sizeof(Lane);
    for (int64_t begin = 0, end; begin < lanes; begin = end) {
      for (end = begin + 1; end < lanes && offsets[end] == offsets[end - 1] + 1;) ++end;
      CopyRun(reinterpret_cast<Lane*>(to + begin), kScale * width, reinterpret_cast<const Lane*>(from + offsets[begin]),
              depth, depth_begin, depth_count, kScale, kScale * (end - begin));
    }
    return;
  }
  if constexpr (sizeof(E) < 16) {
    constexpr int kBlock = 16 / sizeof(E);
    // Lanes that fill one cache line of the panel, so that it is written whole while it is near.
    constexpr int64_t kGroup = 64 / sizeof(E);
    for (int64_t group = 0; group < lanes; group += kGroup) {
      const int64_t group_end = group + kGroup < lanes ? group + kGroup : lanes;
      for (int64_t p = 0; p < depth_count;) {
        const int64_t offset = OffsetOf(depth, depth_begin + p);
        bool contiguous = p + kBlock <= depth_count;
        for (int q = 1; q < kBlock && contiguous; ++q) contiguous = OffsetOf(depth, depth_begin + p + q) == offset + q;
        const int64_t terms = contiguous ? kBlock : 1;
        int64_t i = group;
        for (; contiguous && i + kBlock <= group_end; i += kBlock) {
          const E* block[kBlock];
          for (int q = 0; q < kBlock; ++q) block[q] = from + offsets[i + q];
          TransposeBlock(to + p * width + i, width, block, offset);
        }
        for (; i < group_end; ++i) {
          for (int64_t q = 0; q < terms; ++q) Move(to + (p + q) * width + i, from + offsets[i] + offset + q);
        }
        p += terms;
      }
    }
  } else {
    for (int64_t p = 0; p < depth_count; ++p) {
      const E* source = from + OffsetOf(depth, depth_begin + p);
      for (int64_t i = 0; i < lanes; ++i) Move(to + p * width + i, source + offsets[i]);
    }
  }
}

}  // namespace TENFERRO_ISA
}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_PACK_INL_H_
