// Transposition of matrices in vector registers.

#include "tenferro/cpu/kernels/transpose.h"

#include "tenferro/cpu/kernels/vector.h"

namespace tenferro::TENFERRO_ISA {
namespace {

// Vectors are made of blocks of 16 bytes. T is the type of a lane; an element of 16 bytes is two lanes of 8.
template <int kSize>
using Lane = hwy::FloatFromSize<kSize == 4 ? 4 : 8>;
constexpr int kBlocks = HWY_MAX_BYTES / 16;

// Exchanges the odd blocks (or, of the longest vectors last, the upper halves) of a with the even ones of b.
template <int kStep, class V>
HWY_INLINE void ExchangeBlocks(V& a, V& b) {
#if HWY_MAX_BYTES > 16
  const hn::DFromV<V> d;
  const V x = a, y = b;
  if constexpr (kStep == kBlocks / 2) {
    a = hn::ConcatLowerLower(d, y, x);
    b = hn::ConcatUpperUpper(d, y, x);
  } else {
    a = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(y), x);
    b = hn::OddEvenBlocks(y, hn::SwapAdjacentBlocks(x));
  }
#else
  (void)a;
  (void)b;
#endif
}

// Transposes within blocks.
HWY_INLINE void TransposeInBlocks(Vector<double>* r) {
  const Tag<double> d;
  const Vector<double> x = r[0], y = r[1];
  r[0] = hn::InterleaveLower(d, x, y);
  r[1] = hn::InterleaveUpper(d, x, y);
}
HWY_INLINE void TransposeInBlocks(Vector<float>* r) {
  const Tag<float> d;
  const Tag<double> pairs;
  Vector<double> ab[2] = {hn::BitCast(pairs, hn::InterleaveLower(d, r[0], r[1])),
                          hn::BitCast(pairs, hn::InterleaveUpper(d, r[0], r[1]))};
  Vector<double> cd[2] = {hn::BitCast(pairs, hn::InterleaveLower(d, r[2], r[3])),
                          hn::BitCast(pairs, hn::InterleaveUpper(d, r[2], r[3]))};
  for (int half = 0; half < 2; ++half) {
    r[2 * half] = hn::BitCast(d, hn::InterleaveLower(pairs, ab[half], cd[half]));
    r[2 * half + 1] = hn::BitCast(d, hn::InterleaveUpper(pairs, ab[half], cd[half]));
  }
}

// A square matrix with one row of elements to a vector.
template <int kSize>
HWY_INLINE void TransposeSquare(Vector<Lane<kSize>>* r) {
  constexpr int kInBlock = 16 / kSize;
  constexpr int kRows = kBlocks * kInBlock;
  if constexpr (kSize < 16) {
    HWY_UNROLL(4)
    for (int i = 0; i < kRows; i += kInBlock) TransposeInBlocks(r + i);
  }
  HWY_UNROLL(16)
  for (int i = 0; i < kRows; ++i) {
    if constexpr (kBlocks > 1) {
      if ((i / kInBlock & 1) == 0) ExchangeBlocks<1>(r[i], r[i + kInBlock]);
    }
  }
  HWY_UNROLL(16)
  for (int i = 0; i < kRows; ++i) {
    if constexpr (kBlocks > 2) {
      if ((i / kInBlock & 2) == 0) ExchangeBlocks<2>(r[i], r[i + 2 * kInBlock]);
    }
  }
}

// Square by square through tiles of a line by a line, so that each line is read and written in one go.
template <int kSize, bool kStreams>
HWY_NOINLINE void Tiles(Lane<kSize>* out, int64_t out_stride, const Lane<kSize>* in, int64_t in_stride, int64_t np,
                        int64_t nq) {
  using T = Lane<kSize>;
  const Tag<T> d;
  constexpr int64_t kParts = kSize / sizeof(T);
  constexpr int64_t kLine = kTransposeTile<kSize>;
  constexpr int64_t kRows = HWY_MAX_BYTES / kSize;
  for (int64_t q = 0; q < nq; q += kLine) {
    for (int64_t p = 0; p < np; p += kLine) {
      for (int64_t j = q; j < q + kLine; j += kRows) {
        for (int64_t i = p; i < p + kLine; i += kRows) {
          Vector<T> r[kRows];
          HWY_UNROLL(16)
          for (int64_t k = 0; k < kRows; ++k) r[k] = hn::LoadU(d, in + (j + (i + k) * in_stride) * kParts);
          TransposeSquare<kSize>(r);
          HWY_UNROLL(16)
          for (int64_t k = 0; k < kRows; ++k) {
            T* to = out + (i + (j + k) * out_stride) * kParts;
            if constexpr (kStreams) {
              hn::Stream(r[k], d, to);
            } else {
              hn::StoreU(r[k], d, to);
            }
          }
        }
      }
    }
  }
}

// Squares of 16 bytes by 16: four perfect shuffles of the rows.
HWY_NOINLINE void ByteTiles(uint8_t* out, int64_t out_stride, const uint8_t* in, int64_t in_stride, int64_t np,
                            int64_t nq) {
  const hn::CappedTag<uint8_t, 16> d;
  constexpr int64_t kTile = kTransposeTile<1>;
  using V = hn::Vec<decltype(d)>;
  for (int64_t q = 0; q < nq; q += kTile) {
    for (int64_t p = 0; p < np; p += kTile) {
      V r[kTile];
      HWY_UNROLL(16)
      for (int64_t k = 0; k < kTile; ++k) r[k] = hn::LoadU(d, in + q + (p + k) * in_stride);
      HWY_UNROLL(4)
      for (int round = 0; round < 4; ++round) {
        V s[kTile];
        HWY_UNROLL(8)
        for (int k = 0; k < kTile / 2; ++k) {
          s[2 * k] = hn::InterleaveLower(d, r[k], r[k + kTile / 2]);
          s[2 * k + 1] = hn::InterleaveUpper(d, r[k], r[k + kTile / 2]);
        }
        HWY_UNROLL(16)
        for (int64_t k = 0; k < kTile; ++k) r[k] = s[k];
      }
      HWY_UNROLL(16)
      for (int64_t k = 0; k < kTile; ++k) hn::StoreU(r[k], d, out + p + (q + k) * out_stride);
    }
  }
}

template <int kSize>
void Transpose(void* out, int64_t out_stride, const void* in, int64_t in_stride, int64_t np, int64_t nq, bool streams) {
  const auto tiles = streams ? Tiles<kSize, true> : Tiles<kSize, false>;
  tiles(static_cast<Lane<kSize>*>(out), out_stride, static_cast<const Lane<kSize>*>(in), in_stride, np, nq);
}

}  // namespace

void TransposeLines(int element_size, void* out, int64_t out_stride, const void* in, int64_t in_stride, int64_t np,
                    int64_t nq, bool streams) {
  switch (element_size) {
    case 1:
      return ByteTiles(static_cast<uint8_t*>(out), out_stride, static_cast<const uint8_t*>(in), in_stride, np, nq);
    case 4: return Transpose<4>(out, out_stride, in, in_stride, np, nq, streams);
    case 8: return Transpose<8>(out, out_stride, in, in_stride, np, nq, streams);
    default: return Transpose<16>(out, out_stride, in, in_stride, np, nq, streams);
  }
}

}  // namespace tenferro::TENFERRO_ISA
