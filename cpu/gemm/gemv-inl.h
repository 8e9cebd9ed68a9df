// The chains of a product with a vector, which the reading of the matrix bounds: each of its elements is read once.
#ifndef TENFERRO_CPU_GEMM_GEMV_INL_H_
#define TENFERRO_CPU_GEMM_GEMV_INL_H_

#include "tenferro/cpu/gemm/pack-inl.h"

namespace tenferro {
namespace TENFERRO_ISA {
namespace {  // kernels.cc alone includes this file

// direct[i] += column[q][i] Re x[q], cross[i] += column[q][i] Im x[q] for kCount columns, over the vectors of D.
template <class T, bool kComplex, int kCount, class D>
HWY_INLINE int64_t AddTo(D d, const T* const* columns, const T* x, int64_t i, int64_t n, T* HWY_RESTRICT direct,
                         T* HWY_RESTRICT cross) {
  using V = hn::Vec<D>;
  constexpr int kScale = kComplex ? 2 : 1;
  constexpr int64_t kLanes = hn::MaxLanes(d);
  V factors[kCount * kScale];
#pragma GCC unroll 16
  for (int q = 0; q < kCount * kScale; ++q) factors[q] = hn::Set(d, x[q]);
  for (; i + kLanes <= n; i += kLanes) {
    V direct_sum = hn::Load(d, direct + i);
    V cross_sum = kComplex ? hn::Load(d, cross + i) : direct_sum;
#pragma GCC unroll 8
    for (int q = 0; q < kCount; ++q) {
      const V column = hn::LoadU(d, columns[q] + i);
      direct_sum = hn::MulAdd(column, factors[q * kScale], direct_sum);
      if (kComplex) cross_sum = hn::MulAdd(column, factors[q * kScale + kScale - 1], cross_sum);
    }
    hn::Store(direct_sum, d, direct + i);
    if (kComplex) hn::Store(cross_sum, d, cross + i);
  }
  return i;
}

// GemmKernel::add_columns.
template <class T, bool kComplex>
void AddColumns(const void* const* columns_data, int count, const void* x_data, int64_t n, void* direct_data,
                void* cross_data) {
  const T* const* columns = reinterpret_cast<const T* const*>(columns_data);
  const T* x = static_cast<const T*>(x_data);
  T* direct = static_cast<T*>(direct_data);
  T* cross = static_cast<T*>(cross_data);
  const hn::ScalableTag<T> d;
  const hn::CappedTag<T, 1> one;
  constexpr int kPass = kComplex ? kGemvColumns / 2 : kGemvColumns;
  for (; count >= kPass; count -= kPass, columns += kPass, x += kPass * (kComplex ? 2 : 1)) {
    const int64_t i = AddTo<T, kComplex, kPass>(d, columns, x, 0, n, direct, cross);
    AddTo<T, kComplex, kPass>(one, columns, x, i, n, direct, cross);
  }
  for (; count > 0; --count, ++columns, x += kComplex ? 2 : 1) {
    const int64_t i = AddTo<T, kComplex, 1>(d, columns, x, 0, n, direct, cross);
    AddTo<T, kComplex, 1>(one, columns, x, i, n, direct, cross);
  }
}

// GemmKernel::sum_rows. The vectors of rows take turns: one chain alone would wait for each of its sums.
template <class T, bool kComplex>
void SumRows(const void* const* a_data, int64_t row_step, int64_t terms, const void* x_data, void* direct_data,
             void* cross_data) {
  using E = ElementOf<T, kComplex>;
  constexpr int kScale = kComplex ? 2 : 1;
  constexpr int64_t kReals = hn::MaxLanes(hn::ScalableTag<T>());
  constexpr int64_t kRows = kReals / kScale;
  constexpr int kTerms = kBlockTerms<E>;
  const hn::ScalableTag<LaneOf<E>> moved;
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const T* x = static_cast<const T*>(x_data);
  const E* a[kGemvVectors];
  V direct[kGemvVectors], cross[kGemvVectors];
#pragma GCC unroll 4
  for (int g = 0; g < kGemvVectors; ++g) {
    a[g] = static_cast<const E*>(a_data[g]);
    direct[g] = cross[g] = hn::Zero(d);
  }
  const auto add = [&](int g, V part, const T* factor) HWY_ATTR {
    direct[g] = hn::MulAdd(part, hn::Set(d, factor[0]), direct[g]);
    if (kComplex) cross[g] = hn::MulAdd(part, hn::Set(d, factor[kScale - 1]), cross[g]);
  };
  // A cache line of each row of a vector at a time: lines of rows that lie a power of two apart evict each other.
  constexpr int64_t kLine = 64 / sizeof(E);
  int64_t p = 0;
  for (int64_t n; p + kTerms <= terms; p += n) {
    n = p + kLine <= terms ? kLine : kTerms;
#pragma GCC unroll 4
    for (int g = 0; g < kGemvVectors; ++g) {
      for (int64_t s = p; s < p + n; s += kTerms) {
        hn::Vec<decltype(moved)> parts[kTerms];
        Transpose(moved, Rows<E>{a[g], row_step}, s, parts);
#pragma GCC unroll 4
        for (int q = 0; q < kTerms; ++q) add(g, hn::BitCast(d, parts[q]), x + (s + q) * kScale);
      }
    }
  }
  for (; p < terms; ++p) {
#pragma GCC unroll 4
    for (int g = 0; g < kGemvVectors; ++g) {
      alignas(64) E column[kRows];
      for (int64_t i = 0; i < kRows; ++i) Move(column + i, Advance(a[g], i * row_step) + p);
      add(g, hn::BitCast(d, hn::Load(moved, reinterpret_cast<const LaneOf<E>*>(column))), x + p * kScale);
    }
  }
#pragma GCC unroll 4
  for (int g = 0; g < kGemvVectors; ++g) {
    hn::Store(direct[g], d, static_cast<T*>(direct_data) + g * kReals);
    if (kComplex) hn::Store(cross[g], d, static_cast<T*>(cross_data) + g * kReals);
  }
}

// direct += a Re x, cross += a Im x by lanes.
template <bool kComplex, class V>
HWY_INLINE void AddProduct(V a, V x, V& direct, V& cross) {
  if constexpr (kComplex) {
    direct = hn::MulAdd(a, hn::DupEven(x), direct);
    cross = hn::MulAdd(a, hn::DupOdd(x), cross);
  } else {
    direct = hn::MulAdd(a, x, direct);
  }
}

// Blocks of any steps, an element at a time.
template <class T, bool kComplex>
void SumSpreadBlocks(const void* const* a, int64_t a_step, const void* const* x, int64_t x_step, int64_t terms,
                     void* direct_data, void* cross_data) {
  const hn::CappedTag<T, kComplex ? 2 : 1> d;
  using V = hn::Vec<decltype(d)>;
  V direct[kDotBlocks], cross[kDotBlocks];
#pragma GCC unroll 8
  for (int q = 0; q < kDotBlocks; ++q) direct[q] = cross[q] = hn::Zero(d);
  int64_t a_offset = 0;
  int64_t x_offset = 0;
  for (int64_t p = 0; p < terms; ++p) {
#pragma GCC unroll 8
    for (int q = 0; q < kDotBlocks; ++q) {
      const T* factor = Advance(static_cast<const T*>(x[q]), x_offset);
      const V part = hn::LoadU(d, Advance(static_cast<const T*>(a[q]), a_offset));
      direct[q] = hn::MulAdd(part, hn::Set(d, factor[0]), direct[q]);
      if (kComplex) cross[q] = hn::MulAdd(part, hn::Set(d, factor[1]), cross[q]);
    }
    a_offset += a_step;
    x_offset += x_step;
  }
#pragma GCC unroll 8
  for (int q = 0; q < kDotBlocks; ++q) {
    hn::StoreU(direct[q], d, static_cast<T*>(direct_data) + q * hn::MaxLanes(d));
    if (kComplex) hn::StoreU(cross[q], d, static_cast<T*>(cross_data) + q * hn::MaxLanes(d));
  }
}

// GemmKernel::sum_blocks. Contiguous terms are turned in registers, so that a vector holds a term of each block.
template <class T, bool kComplex>
void SumBlocks(const void* const* a_data, int64_t a_step, const void* const* x_data, int64_t x_step, int64_t terms,
               void* direct_data, void* cross_data) {
  using E = ElementOf<T, kComplex>;
  if (a_step != sizeof(E) || x_step != sizeof(E)) {
    return SumSpreadBlocks<T, kComplex>(a_data, a_step, x_data, x_step, terms, direct_data, cross_data);
  }
  constexpr int kReals = kDotBlocks * sizeof(E) / sizeof(T);
  const hn::CappedTag<LaneOf<E>, kDotBlocks * sizeof(E) / sizeof(LaneOf<E>)> moved;
  const hn::CappedTag<T, kReals> d;
  using V = hn::Vec<decltype(d)>;
  constexpr int kLanes = hn::MaxLanes(d);
  constexpr int kBlocks = kLanes * sizeof(T) / sizeof(E);
  constexpr int kTerms = kBlockTerms<E>;
  const E* const* a = reinterpret_cast<const E* const*>(a_data);
  const E* const* x = reinterpret_cast<const E* const*>(x_data);
  for (int g = 0; g < kDotBlocks; g += kBlocks, a += kBlocks, x += kBlocks) {
    V direct = hn::Zero(d), cross = direct;
    const auto add = [&](V part, V factor) HWY_ATTR { AddProduct<kComplex>(part, factor, direct, cross); };
    const int64_t whole = terms - terms % kTerms;
    for (int64_t p = 0; p < whole; p += kTerms) {
      hn::Vec<decltype(moved)> parts[kTerms], factors[kTerms];
      Transpose(moved, RowPointers<E>{a}, p, parts);
      Transpose(moved, RowPointers<E>{x}, p, factors);
#pragma GCC unroll 4
      for (int q = 0; q < kTerms; ++q) add(hn::BitCast(d, parts[q]), hn::BitCast(d, factors[q]));
    }
    for (int64_t p = whole; p < terms; ++p) {
      alignas(64) E part[kBlocks];
      alignas(64) E factor[kBlocks];
      for (int q = 0; q < kBlocks; ++q) {
        Move(part + q, a[q] + p);
        Move(factor + q, x[q] + p);
      }
      add(hn::BitCast(d, hn::Load(moved, reinterpret_cast<const LaneOf<E>*>(part))),
          hn::BitCast(d, hn::Load(moved, reinterpret_cast<const LaneOf<E>*>(factor))));
    }
    const int64_t place = g * static_cast<int64_t>(sizeof(E) / sizeof(T));
    hn::StoreU(direct, d, static_cast<T*>(direct_data) + place);
    if (kComplex) hn::StoreU(cross, d, static_cast<T*>(cross_data) + place);
  }
}

// direct[i] += a[i] Re x[i], cross[i] += a[i] Im x[i] for i < n reals.
template <class T, bool kComplex>
HWY_INLINE void AddProducts(const T* a, const T* x, int64_t n, T* HWY_RESTRICT direct, T* HWY_RESTRICT cross) {
  constexpr int kParts = kComplex ? 2 : 1;
  int64_t i = 0;
  const auto add = [&](auto d) HWY_ATTR {
    for (; i + static_cast<int64_t>(hn::MaxLanes(d)) <= n; i += hn::MaxLanes(d)) {
      auto direct_sum = hn::LoadU(d, direct + i);
      auto cross_sum = kComplex ? hn::LoadU(d, cross + i) : direct_sum;
      AddProduct<kComplex>(hn::LoadU(d, a + i), hn::LoadU(d, x + i), direct_sum, cross_sum);
      hn::StoreU(direct_sum, d, direct + i);
      if (kComplex) hn::StoreU(cross_sum, d, cross + i);
    }
  };
  add(hn::ScalableTag<T>());
  add(hn::CappedTag<T, kParts>());
}

// GemmKernel::add_in_turns.
template <class T, bool kComplex>
void AddInTurns(const void* a_data, int64_t a_step, const void* x_data, int64_t x_step, int64_t terms, int64_t chains,
                int64_t n, void* direct, void* cross) {
  const T* a = static_cast<const T*>(a_data);
  const T* x = static_cast<const T*>(x_data);
  for (int64_t p = 0, chain = 0; p < terms; ++p) {
    AddProducts<T, kComplex>(a, x, n, static_cast<T*>(direct) + chain, static_cast<T*>(cross) + chain);
    a = Advance(a, a_step);
    x = Advance(x, x_step);
    chain += n;
    if (chain == chains * n) chain = 0;
  }
}

// GemmKernel::sum_in_turns.
template <class T, bool kComplex>
void SumInTurns(const void* a_data, const void* x_data, int64_t terms, void* direct_data, void* cross_data) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr int64_t kLanes = hn::MaxLanes(d);
  constexpr int64_t kReals = kDotChainBytes / sizeof(T);
  constexpr int kVectors = kReals / kLanes;
  const T* a = static_cast<const T*>(a_data);
  const T* x = static_cast<const T*>(x_data);
  T* const direct = static_cast<T*>(direct_data);
  T* const cross = static_cast<T*>(cross_data);
  const int64_t n = terms * (kComplex ? 2 : 1);
  V direct_sums[kVectors], cross_sums[kVectors];
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) direct_sums[v] = cross_sums[v] = hn::Zero(d);
  int64_t i = 0;
  for (; i + kReals <= n; i += kReals) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      AddProduct<kComplex>(hn::LoadU(d, a + i + v * kLanes), hn::LoadU(d, x + i + v * kLanes), direct_sums[v],
                           cross_sums[v]);
    }
  }
#pragma GCC unroll 8
  for (int v = 0; v < kVectors; ++v) {
    hn::StoreU(direct_sums[v], d, direct + v * kLanes);
    if (kComplex) hn::StoreU(cross_sums[v], d, cross + v * kLanes);
  }
  AddProducts<T, kComplex>(a + i, x + i, n - i, direct, cross);
}

}  // namespace
}  // namespace TENFERRO_ISA
}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_GEMV_INL_H_
