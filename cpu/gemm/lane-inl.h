// Products of many small matrices whose elements of equal place lie side by side: a vector holds one element of as many
// matrices, and nothing is packed for the sake of lanes.
#ifndef TENFERRO_CPU_GEMM_LANE_INL_H_
#define TENFERRO_CPU_GEMM_LANE_INL_H_

#include "tenferro/cpu/gemm/tile-inl.h"

namespace tenferro {
namespace TENFERRO_ISA {
namespace {  // kernels.cc alone includes this file

// Sums that stay in registers: 16 of 32, or 8 of 16.
constexpr int kLaneRows = kTileColumns == 6 ? 4 : 2;
constexpr int kLaneColumns = 4;  // real ones

// GemmKernel::lane_tiles. Each lane goes through the chain of Tile, so that it has the bits that it has there.
template <class T, bool kComplex, int kRows, int kColumns>
void LaneTile(const TileShape& shape, const void* a_data, const int64_t* a_rows, const void* b_data,
              const int64_t* b_columns, void* c_data, const int64_t* c_rows, const int64_t* c_columns,
              int64_t last_lanes) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr int kSums = kComplex ? 2 : 1;
  const auto lanes = hn::FirstN(d, static_cast<size_t>(last_lanes));
  const auto load = [&](const T* from)
                        HWY_ATTR { return kMaskedRows ? hn::MaskedLoad(lanes, d, from) : hn::LoadU(d, from); };
  const T* a[kRows];
  const T* b[kColumns];
  V sums[kColumns][kSums][kRows];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) a[i] = Advance(static_cast<const T*>(a_data), a_rows[i]);
#pragma GCC unroll 16
  for (int j = 0; j < kColumns; ++j) {
    b[j] = Advance(static_cast<const T*>(b_data), b_columns[j]);
#pragma GCC unroll 16
    for (int i = 0; i < kRows * kSums; ++i) sums[j][i / kRows][i % kRows] = hn::Zero(d);
  }
  const int64_t a_step = shape.a_step;
  const int64_t b_step = shape.b_step;
  int64_t a_offset = 0, b_offset = 0;
  for (int64_t p = shape.depth; p > 0; --p) {
    V rows[kRows];
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) rows[i] = load(Advance(a[i], a_offset));
#pragma GCC unroll 16
    for (int j = 0; j < kColumns; ++j) {
      const V factor = load(Advance(b[j], b_offset));
      V part = factor;
      if constexpr (kComplex) part = hn::DupEven(factor);
#pragma GCC unroll 16
      for (int i = 0; i < kRows; ++i) sums[j][0][i] = hn::MulAdd(rows[i], part, sums[j][0][i]);
      if constexpr (kComplex) {
        part = hn::DupOdd(factor);
#pragma GCC unroll 16
        for (int i = 0; i < kRows; ++i) sums[j][kSums - 1][i] = hn::MulAdd(rows[i], part, sums[j][kSums - 1][i]);
      }
    }
    a_offset += a_step;
    b_offset += b_step;
  }
  const auto sign = [&](const double* by_part) HWY_ATTR {
    const V real = hn::Set(d, static_cast<T>(by_part[0]));
    return kComplex ? hn::OddEven(hn::Set(d, static_cast<T>(by_part[1])), real) : real;
  };
  const V direct = sign(shape.direct);
  const V cross = sign(shape.cross);
#pragma GCC unroll 16
  for (int j = 0; j < kColumns; ++j) {
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      T* to = Advance(static_cast<T*>(c_data), c_rows[i] + c_columns[j]);
      const V before = shape.keep ? load(to) : hn::Set(d, static_cast<T>(shape.zero));
      V sum = sums[j][0][i];
      if constexpr (kComplex) {
        sum = hn::Add(before, hn::MulAdd(hn::Reverse2(d, sums[j][kSums - 1][i]), cross, hn::Mul(sum, direct)));
      } else {
        sum = hn::MulAdd(sum, direct, before);
      }
      if (kMaskedRows) {
        hn::BlendedStore(sum, lanes, d, to);
      } else {
        hn::StoreU(sum, d, to);
      }
    }
  }
}

// GemmKernel::copy_vectors.
template <class T>
void CopyVectors(void* to_data, int64_t to_step, const void* from, const int64_t* offsets, int64_t count,
                 int64_t groups, int64_t group_step, int64_t last_lanes) {
  const hn::ScalableTag<T> d;
  const auto lanes = hn::FirstN(d, static_cast<size_t>(last_lanes));
  T* HWY_RESTRICT to = static_cast<T*>(to_data);
  for (int64_t i = 0; i < count; ++i) {
    const T* source = Advance(static_cast<const T*>(from), offsets[i]);
    for (int64_t g = 0; g < groups; ++g, source += hn::MaxLanes(d)) {
      hn::Store(kMaskedRows ? hn::MaskedLoad(lanes, d, source) : hn::LoadU(d, source), d, Advance(to, g * group_step));
    }
    to = Advance(to, to_step);
  }
}

template <class T, bool kComplex>
constexpr void FillLaneTiles(GemmKernel& kernel) {
  constexpr int kColumns = kComplex ? kLaneColumns / 2 : kLaneColumns;
  kernel.copy_vectors = CopyVectors<T>;
  // A complex column of more rows would gain less than its code takes.
  constexpr int kColumnRows = kComplex ? kLaneRows : kLaneRows * kColumns;
  kernel.lane_rows = kLaneRows;
  kernel.lane_columns = kColumns;
  kernel.lane_tiles[0][0] = LaneTile<T, kComplex, 1, 1>;
  kernel.lane_tiles[0][1] = LaneTile<T, kComplex, 1, kColumns>;
  kernel.lane_tiles[1][0] = LaneTile<T, kComplex, kLaneRows, 1>;
  kernel.lane_tiles[1][1] = LaneTile<T, kComplex, kLaneRows, kColumns>;
  kernel.lane_column_rows = kColumnRows;
  kernel.lane_column = LaneTile<T, kComplex, kColumnRows, 1>;
}

}  // namespace
}  // namespace TENFERRO_ISA
}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_LANE_INL_H_
