// The register-blocked inner kernel, compiled once per instruction set inside namespace TENFERRO_ISA.
#ifndef TENFERRO_CPU_GEMM_MICRO_KERNEL_INL_H_
#define TENFERRO_CPU_GEMM_MICRO_KERNEL_INL_H_

#include <stdint.h>

#ifndef HWY_COMPILE_ONLY_STATIC
#define HWY_COMPILE_ONLY_STATIC 1
#endif
#include "hwy/highway.h"

namespace tenferro {
namespace TENFERRO_ISA {

namespace hn = hwy::HWY_NAMESPACE;

// A tile is kTileVectors vectors of rows by kTileColumns columns, its sums held in registers all along: 24 of 32
// registers, 12 of 16, or 8 of 16 where a product without FMA needs one of its own. kMaskedRows: the last vector of a tile
// may be cut short by a mask at no cost; elsewhere a tile has whole vectors only.
#if HWY_TARGET <= HWY_AVX3
constexpr int kTileVectors = 4, kTileColumns = 6;
constexpr bool kMaskedRows = true;
#elif HWY_TARGET == HWY_AVX2
constexpr int kTileVectors = 3, kTileColumns = 4;
constexpr bool kMaskedRows = false;
#elif HWY_ARCH_ARM
constexpr int kTileVectors = 4, kTileColumns = 6;
constexpr bool kMaskedRows = false;
#else
constexpr int kTileVectors = 2, kTileColumns = 4;
constexpr bool kMaskedRows = false;
#endif

// What the tiles of one product have in common. Steps count reals. Complex matrices are real ones here: A and C have two
// real rows for a complex one, B two real columns.
template <class T>
struct TileShape {
  int64_t depth;          // terms of the sum, at most kDepthBlock
  int64_t a_step;         // from A's column p to p + 1; its rows are contiguous
  int64_t b_step;         // from B's row p to p + 1
  int64_t b_column_step;  // between B's columns (complex ones)
  int64_t c_column_step;  // between C's columns (complex ones); its rows are contiguous
  T keep[2];              // bits that select what C holds before: all or none
  T direct[2];            // ±1: sign of A's real and imaginary parts times B's real part (real: of the product)
  T cross[2];             // ±1: sign of A's imaginary and real parts times B's imaginary part
};

template <class T>
using TileFunction = void (*)(const TileShape<T>& shape, const T* a, const T* b, T* c, int64_t last_lanes);

// C = keep(C) ± A B for one tile; `last_lanes` are the rows in its last vector.
// For complex T, sums[2 j] holds (Re a Re b, Im a Re b) and sums[2 j + 1] holds (Re a Im b, Im a Im b) in alternating
// lanes: the loop is that of a real product, and only the end puts the parts together.
template <class T, bool kComplex, int kVectors, int kColumns>
void Tile(const TileShape<T>& shape, const T* HWY_RESTRICT a, const T* HWY_RESTRICT b, T* HWY_RESTRICT c,
          int64_t last_lanes) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr int64_t kLanes = hn::MaxLanes(d);
  const auto last = hn::FirstN(d, static_cast<size_t>(last_lanes));
  const auto load = [&](const T* from, int i) HWY_ATTR {
    return kMaskedRows && i == kVectors - 1 ? hn::MaskedLoad(last, d, from + i * kLanes) : hn::LoadU(d, from + i * kLanes);
  };

  V sums[kColumns][kVectors];
#pragma GCC unroll 8
  for (int j = 0; j < kColumns; ++j) {
#pragma GCC unroll 8
    for (int i = 0; i < kVectors; ++i) sums[j][i] = hn::Zero(d);
  }
  const int64_t a_step = shape.a_step;
  const int64_t b_step = shape.b_step;
  const int64_t b_column_step = shape.b_column_step;
  for (int64_t p = shape.depth; p > 0; --p) {
    V rows[kVectors];
#pragma GCC unroll 8
    for (int i = 0; i < kVectors; ++i) rows[i] = load(a, i);
#pragma GCC unroll 8
    for (int j = 0; j < kColumns; ++j) {
      const V factor = hn::Set(d, kComplex ? b[(j / 2) * b_column_step + j % 2] : b[j * b_column_step]);
#pragma GCC unroll 8
      for (int i = 0; i < kVectors; ++i) sums[j][i] = hn::MulAdd(rows[i], factor, sums[j][i]);
    }
    a += a_step;
    b += b_step;
  }

  const V keep = hn::Set(d, shape.keep[0]);
  const V direct = kComplex ? hn::OddEven(hn::Set(d, shape.direct[1]), hn::Set(d, shape.direct[0]))
                            : hn::Set(d, shape.direct[0]);
  const V cross = hn::OddEven(hn::Set(d, shape.cross[1]), hn::Set(d, shape.cross[0]));
  constexpr int kStep = kComplex ? 2 : 1;
#pragma GCC unroll 8
  for (int j = 0; j < kColumns; j += kStep) {
    T* HWY_RESTRICT to = c + (j / kStep) * shape.c_column_step;
#pragma GCC unroll 8
    for (int i = 0; i < kVectors; ++i) {
      const V before = hn::And(load(to, i), keep);
      V result;
      if constexpr (kComplex) {
        const V parts = hn::MulAdd(hn::Reverse2(d, sums[j + 1][i]), cross, hn::Mul(sums[j][i], direct));
        result = hn::Add(before, parts);
      } else {
        // Multiplication by ±1 is exact: the sum of the two is rounded once.
        result = hn::MulAdd(sums[j][i], direct, before);
      }
      if (kMaskedRows && i == kVectors - 1) {
        hn::BlendedStore(result, last, d, to + i * kLanes);
      } else {
        hn::StoreU(result, d, to + i * kLanes);
      }
    }
  }
}

// The tile function of 1 <= vectors <= kTileVectors and 1 <= columns <= kTileColumns (complex: half as many).
template <class T, bool kComplex>
struct TileTable {
  static constexpr int kColumns = kComplex ? kTileColumns / 2 : kTileColumns;
  TileFunction<T> functions[kTileVectors][kColumns];
};

template <class T, bool kComplex, int kVectors>
constexpr void FillRow(TileTable<T, kComplex>& table) {
  constexpr int kStep = kComplex ? 2 : 1;
  table.functions[kVectors - 1][0] = Tile<T, kComplex, kVectors, kStep>;
  table.functions[kVectors - 1][1] = Tile<T, kComplex, kVectors, 2 * kStep>;
  if constexpr (TileTable<T, kComplex>::kColumns >= 3) {
    table.functions[kVectors - 1][2] = Tile<T, kComplex, kVectors, 3 * kStep>;
  }
  if constexpr (TileTable<T, kComplex>::kColumns >= 4) {
    table.functions[kVectors - 1][3] = Tile<T, kComplex, kVectors, 4 * kStep>;
  }
  if constexpr (TileTable<T, kComplex>::kColumns >= 6) {
    table.functions[kVectors - 1][4] = Tile<T, kComplex, kVectors, 5 * kStep>;
    table.functions[kVectors - 1][5] = Tile<T, kComplex, kVectors, 6 * kStep>;
  }
  if constexpr (kVectors > 1) FillRow<T, kComplex, kVectors - 1>(table);
}

template <class T, bool kComplex>
constexpr TileTable<T, kComplex> MakeTileTable() {
  TileTable<T, kComplex> table{};
  FillRow<T, kComplex, kTileVectors>(table);
  return table;
}

template <class T, bool kComplex>
inline constexpr TileTable<T, kComplex> kTiles = MakeTileTable<T, kComplex>();

}  // namespace TENFERRO_ISA
}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_MICRO_KERNEL_INL_H_
