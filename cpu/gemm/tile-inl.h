// The register-blocked inner kernel, compiled once per instruction set.
#ifndef TENFERRO_CPU_GEMM_TILE_INL_H_
#define TENFERRO_CPU_GEMM_TILE_INL_H_

#include "tenferro/cpu/gemm/kernels.h"

#ifndef HWY_COMPILE_ONLY_STATIC
#define HWY_COMPILE_ONLY_STATIC 1
#endif
#include "hwy/cache_control.h"
#include "hwy/highway.h"

namespace tenferro {
namespace TENFERRO_ISA {
namespace {  // kernels.cc alone includes this file

namespace hn = hwy::HWY_NAMESPACE;

// A tile's sums stay in registers all along: 24 of 32, 12 of 16, or 8 of 16 where a product without FMA needs a
// register of its own. AVX-512 cuts the last vector of rows by a mask at no cost.
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
static_assert(kTileVectors <= kMostTileVectors && kTileColumns <= kMostTileColumns &&
              HWY_MAX_BYTES <= kMostVectorBytes);

template <class T>
HWY_INLINE T* Advance(T* pointer, int64_t bytes) {
  return reinterpret_cast<T*>(reinterpret_cast<intptr_t>(pointer) + bytes);
}

// kColumns counts B's real columns. A complex product is a real one, of A with two real rows and B with two real
// columns for a complex one, up to its end: sums[2 j] then holds (Re a Re b, Im a Re b) and sums[2 j + 1] holds (Re a
// Im b, Im a Im b) in alternating lanes, and C is put together from them.
template <class T, bool kComplex, int kVectors, int kColumns>
void Tile(const TileShape& shape, const void* a_data, const void* b_data, void* c_data, int64_t last_lanes) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr int64_t kLanes = hn::MaxLanes(d);
  const auto last = hn::FirstN(d, static_cast<size_t>(last_lanes));
  const auto load = [&](const T* from, int i) HWY_ATTR {
    return kMaskedRows && i == kVectors - 1 ? hn::MaskedLoad(last, d, from + i * kLanes)
                                            : hn::LoadU(d, from + i * kLanes);
  };
  const T* HWY_RESTRICT a = static_cast<const T*>(a_data);
  const T* HWY_RESTRICT b = static_cast<const T*>(b_data);

  constexpr int kStep = kComplex ? 2 : 1;
  // A long sum leaves time to fetch its C; a short one finds C where the last product left it.
  if (shape.depth >= 64) {
    for (int j = 0; j < kColumns / kStep; ++j) {
      const T* to = Advance(static_cast<const T*>(c_data), j * shape.c_column_step);
      for (int i = 0; i < kVectors; ++i) hwy::Prefetch(to + i * kLanes);
    }
  }
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
      const V factor =
          hn::Set(d, kComplex ? Advance(b, (j / 2) * b_column_step)[j % 2] : Advance(b, j * b_column_step)[0]);
#pragma GCC unroll 8
      for (int i = 0; i < kVectors; ++i) sums[j][i] = hn::MulAdd(rows[i], factor, sums[j][i]);
    }
    a = Advance(a, a_step);
    b = Advance(b, b_step);
  }

  const auto sign = [&](const double* by_part) HWY_ATTR {
    const V real = hn::Set(d, static_cast<T>(by_part[0]));
    return kComplex ? hn::OddEven(hn::Set(d, static_cast<T>(by_part[1])), real) : real;
  };
  const V direct = sign(shape.direct);
  const V cross = sign(shape.cross);
  // The sums' place is taken by what C becomes. Multiplication by ±1 is exact: C and the product are rounded once.
  const auto finish = [&](V& sum, const V* cross_sum, V before) HWY_ATTR {
    if constexpr (kComplex) {
      sum = hn::Add(before, hn::MulAdd(hn::Reverse2(d, *cross_sum), cross, hn::Mul(sum, direct)));
    } else {
      sum = hn::MulAdd(sum, direct, before);
    }
  };
  // C is read only where it is kept, and all of it before any of it is written: the bytes that a mask leaves out of a
  // store may be those of the next column, and a load of them would wait until the store has reached the cache.
  if (shape.keep) {
#pragma GCC unroll 8
    for (int j = 0; j < kColumns; j += kStep) {
      const T* from = Advance(static_cast<const T*>(c_data), (j / kStep) * shape.c_column_step);
#pragma GCC unroll 8
      for (int i = 0; i < kVectors; ++i) finish(sums[j][i], &sums[j + kStep - 1][i], load(from, i));
    }
  } else {
    const V zero = hn::Set(d, static_cast<T>(shape.zero));
#pragma GCC unroll 8
    for (int j = 0; j < kColumns; j += kStep) {
#pragma GCC unroll 8
      for (int i = 0; i < kVectors; ++i) finish(sums[j][i], &sums[j + kStep - 1][i], zero);
    }
  }
#pragma GCC unroll 8
  for (int j = 0; j < kColumns; j += kStep) {
    T* to = Advance(static_cast<T*>(c_data), (j / kStep) * shape.c_column_step);
#pragma GCC unroll 8
    for (int i = 0; i < kVectors; ++i) {
      if (kMaskedRows && i == kVectors - 1) {
        hn::BlendedStore(sums[j][i], last, d, to + i * kLanes);
      } else {
        hn::StoreU(sums[j][i], d, to + i * kLanes);
      }
    }
  }
}

template <class T, bool kComplex, int kVectors, int kColumns>
constexpr void FillTiles(GemmKernel& kernel) {
  constexpr int kStep = kComplex ? 2 : 1;
  kernel.tiles[kVectors - 1][kColumns / kStep - 1] = Tile<T, kComplex, kVectors, kColumns>;
  if constexpr (kColumns > kStep) {
    FillTiles<T, kComplex, kVectors, kColumns - kStep>(kernel);
  } else if constexpr (kVectors > 1) {
    FillTiles<T, kComplex, kVectors - 1, kTileColumns>(kernel);
  }
}

}  // namespace
}  // namespace TENFERRO_ISA
}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_TILE_INL_H_
