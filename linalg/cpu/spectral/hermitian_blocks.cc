#include "tenferro/linalg/cpu/spectral/hermitian_blocks.h"

#include "tenferro/linalg/cpu/block.h"
#include "tenferro/linalg/cpu/column.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

int32_t Root(int32_t* parent, int32_t i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

}  // namespace

template <class R, bool kComplex>
HermitianBlocks FindHermitianBlocks(Arena& arena, int64_t n, const R* a) {
  constexpr int64_t kParts = kComplex ? 2 : 1;
  int32_t* parent = arena.Allocate<int32_t>(n);
  for (int64_t i = 0; i < n; ++i) parent[i] = static_cast<int32_t>(i);
  int64_t count = n;
  for (int64_t j = 0; j < n && count > 1; ++j) {
    const R* column = a + j * n * kParts;
    int32_t root = Root(parent, static_cast<int32_t>(j));
    for (int64_t i = j + 1; i < n; ++i) {
      const bool zero = kComplex ? column[2 * i] == 0 && column[2 * i + 1] == 0 : column[i] == 0;
      if (zero || parent[i] == root) continue;
      const int32_t other = Root(parent, static_cast<int32_t>(i));
      if (other == root) continue;
      // The lower row is the root, so that blocks are numbered by their first row.
      if (other < root) {
        parent[root] = other;
        root = other;
      } else {
        parent[other] = root;
      }
      --count;
    }
  }
  int32_t* members = arena.Allocate<int32_t>(n);
  int64_t* begin = arena.AllocateZeroed<int64_t>(count + 2);
  if (count == 1) {
    for (int64_t i = 0; i < n; ++i) members[i] = static_cast<int32_t>(i);
    begin[1] = n;
    return {1, members, begin};
  }
  int32_t* number = arena.Allocate<int32_t>(n);
  int32_t numbered = 0;
  for (int64_t i = 0; i < n; ++i) {
    const int32_t root = Root(parent, static_cast<int32_t>(i));
    number[i] = root == i ? numbered++ : number[root];
  }
  int64_t* next = arena.AllocateZeroed<int64_t>(count + 1);
  int64_t* size = arena.AllocateZeroed<int64_t>(count + 1);
  for (int64_t i = 0; i < n; ++i) ++size[number[i]];
  for (int64_t b = 0; b < count; ++b) {
    begin[b + 1] = begin[b] + size[b];
    next[b] = begin[b];
  }
  for (int64_t i = 0; i < n; ++i) members[next[number[i]]++] = static_cast<int32_t>(i);
  return {count, members, begin};
}

template <class R, bool kComplex>
bool PackHermitian(Arena& arena, int64_t n, const R* a, const int32_t* members, int64_t size, int& exponent,
                   Panel<R, kComplex>& out) {
  const int64_t lanes = LaneCount<R>();
  const Tag<R> tag;
  out = NewPanelUninitialized<R, kComplex>(arena, size, size);
  const bool whole = size == n;
  R largest = 0, defect = 0;
  Vector<R> most = hn::Zero(tag), odd = most;
  for (int64_t j = 0; j < size; ++j) {
    R* to = out.column(j);
    for (int64_t i = 0; i < j; ++i) out.Set(i, j, {});
    int64_t i = j;
    if (whole) {
      if constexpr (kComplex) {
        const R* from = a + j * n * 2;
        for (; i + lanes <= size; i += lanes) {
          Vector<R> re, im;
          hn::LoadInterleaved2(tag, from + 2 * i, re, im);
          hn::StoreU(re, tag, to + i);
          hn::StoreU(im, tag, to + i + out.imag);
        }
        for (; i < size; ++i) out.Set(i, j, {from[2 * i], from[2 * i + 1]});
      } else {
        memcpy(to + j, a + j * n + j, static_cast<size_t>(size - j) * sizeof(R));
      }
    } else {
      for (; i < size; ++i) {
        const int64_t at = members[i] + static_cast<int64_t>(members[j]) * n;
        if constexpr (kComplex) {
          out.Set(i, j, {a[2 * at], a[2 * at + 1]});
        } else {
          to[i] = a[at];
        }
      }
    }
    if constexpr (kComplex) to[j + out.imag] = 0;
    for (i = size; i < out.rows; ++i) out.Set(i, j, {});
    for (i = j / lanes * lanes; i < out.rows; i += lanes) {
      const Lanes<R, kComplex> x = LoadLanes<R, kComplex>(to + i, out.imag);
      most = hn::Max(most, hn::Abs(x.re));
      odd = hn::Add(odd, hn::Sub(x.re, x.re));
      if constexpr (kComplex) {
        most = hn::Max(most, hn::Abs(x.im));
        odd = hn::Add(odd, hn::Sub(x.im, x.im));
      }
    }
  }
  largest = hn::GetLane(hn::MaxOfLanes(tag, most));
  defect = Sum<R>(odd);
  exponent = 0;
  if (!(defect == 0)) return false;
  exponent = PowerOfTwoAbove(largest);
  if (exponent >= -8 && exponent <= 8) {
    exponent = 0;
    return true;
  }
  const R scale = R(__builtin_ldexp(1, -exponent));
  for (int64_t j = 0; j < size; ++j) {
    CopyScaled<R, kComplex>(scale, out.column(j), out.imag, out.column(j), out.imag, out.rows);
  }
  return true;
}

#define TENFERRO_INSTANTIATE(R, kComplex)                                                          \
  template HermitianBlocks FindHermitianBlocks<R, kComplex>(Arena&, int64_t, const R*);            \
  template bool PackHermitian(Arena&, int64_t, const R*, const int32_t*, int64_t, int&, Panel<R, kComplex>&);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
