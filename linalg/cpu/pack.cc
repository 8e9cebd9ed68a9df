#include "tenferro/linalg/cpu/pack.h"

#include "tenferro/linalg/cpu/lanes.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

inline constexpr int64_t kMaxLanes = 16;

template <class R>
struct LaneIndex;
template <>
struct LaneIndex<float> {
  using type = int32_t;
};
template <>
struct LaneIndex<double> {
  using type = int64_t;
};

// Which rows of an array are wanted: for every vector of lanes a permutation that brings the wanted ones to the front.
template <class R>
struct RowSelection {
  int64_t groups = 0;  // whole vectors to look at
  const typename LaneIndex<R>::type* lanes_first = nullptr;
  const uint8_t* counts = nullptr;
};

template <class R>
RowSelection<R> SelectRows(Arena& arena, int64_t extent, const int32_t* rows, int64_t m) {
  const int64_t lanes = LaneCount<R>();
  RowSelection<R> selection;
  selection.groups = m > 0 ? rows[m - 1] / lanes + 1 : 0;
  if (selection.groups * lanes > extent) selection.groups = extent / lanes;
  typename LaneIndex<R>::type* index = arena.AllocateZeroed<typename LaneIndex<R>::type>(selection.groups * lanes);
  uint8_t* counts = arena.AllocateZeroed<uint8_t>(selection.groups);
  for (int64_t i = 0; i < m && rows[i] < selection.groups * lanes; ++i) {
    const int64_t group = rows[i] / lanes;
    index[group * lanes + counts[group]++] = rows[i] % lanes;
  }
  selection.lanes_first = index;
  selection.counts = counts;
  return selection;
}

// Writes the selected lanes of v at `to`, where `room` entries may be overwritten.
template <class R>
HWY_INLINE void Append(Vector<R> v, const RowSelection<R>& selection, int64_t group, R* to, int64_t room) {
  const Tag<R> d;
  const int64_t lanes = LaneCount<R>();
  const int64_t selected = selection.counts[group];
  if (selected < lanes) v = hn::TableLookupLanes(v, hn::SetTableIndices(d, selection.lanes_first + group * lanes));
  if (room >= lanes) {
    hn::StoreU(v, d, to);
    return;
  }
  HWY_ALIGN R buffer[kMaxLanes];
  hn::Store(v, d, buffer);
  for (int64_t i = 0; i < selected; ++i) to[i] = buffer[i];
}

}  // namespace

template <class R, bool kComplex>
R Pack(Arena& arena, const R* a, int64_t lda, R scale, const int32_t* rows, int64_t m, const int32_t* columns,
       int64_t n, Panel<R, kComplex>& out) {
  constexpr int64_t kParts = kComplex ? 2 : 1;
  const Tag<R> d;
  const int64_t lanes = LaneCount<R>();
  out = NewPanelUninitialized<R, kComplex>(arena, m, n);
  const RowSelection<R> selection = SelectRows<R>(arena, lda, rows, m);
  const Vector<R> factor = hn::Set(d, scale);
  Vector<R> largest = hn::Zero(d), defect = hn::Zero(d);
  R largest_single = 0, defect_single = 0;
  for (int64_t j = 0; j < n; ++j) {
    const R* from = a + columns[j] * lda * kParts;
    R* to = out.column(j);
    int64_t i = 0;
    for (int64_t g = 0; g < selection.groups; ++g) {
      const int64_t selected = selection.counts[g];
      if (selected == 0) continue;
      // Entries outside the block take part in the search for NaN and the largest; in a column of the block they are
      // zero.
      if constexpr (kComplex) {
        Vector<R> re, im;
        hn::LoadInterleaved2(d, from + 2 * g * lanes, re, im);
        largest = hn::Max(largest, hn::Max(hn::Abs(re), hn::Abs(im)));
        defect = hn::Add(defect, hn::Add(hn::Sub(re, re), hn::Sub(im, im)));
        Append<R>(hn::Mul(factor, re), selection, g, to + i, m - i);
        Append<R>(hn::Mul(factor, im), selection, g, to + out.imag + i, m - i);
      } else {
        const Vector<R> x = hn::LoadU(d, from + g * lanes);
        largest = hn::Max(largest, hn::Abs(x));
        defect = hn::Add(defect, hn::Sub(x, x));
        Append<R>(hn::Mul(factor, x), selection, g, to + i, m - i);
      }
      i += selected;
    }
    for (; i < m; ++i) {
      for (int64_t part = 0; part < kParts; ++part) {
        const R x = from[rows[i] * kParts + part];
        const R size = __builtin_fabs(x);
        largest_single = size > largest_single ? size : largest_single;
        defect_single += x - x;
        to[part * out.imag + i] = scale * x;
      }
    }
    for (; i < out.rows; ++i) {
      to[i] = 0;
      if constexpr (kComplex) to[i + out.imag] = 0;
    }
  }
  const R vector_largest = hn::GetLane(hn::MaxOfLanes(d, largest));
  const R result = vector_largest > largest_single ? vector_largest : largest_single;
  // x − x is NaN for an infinite or NaN x.
  return result + hn::GetLane(hn::SumOfLanes(d, defect)) + defect_single;
}

template <class R, bool kComplex>
Panel<R, kComplex> AdjointPanel(Arena& arena, const Panel<R, kComplex>& a, int64_t m, int64_t n) {
  const Tag<R> d;
  const int64_t lanes = LaneCount<R>();
  const Panel<R, kComplex> out = NewPanelUninitialized<R, kComplex>(arena, n, PadRows<R>(m));
  for (int part = 0; part < (kComplex ? 2 : 1); ++part) {
    for (int64_t j = 0; j < out.rows; j += lanes) {
      for (int64_t i = 0; i < m; i += lanes) {
        Vector<R> tile[kMaxLanes];
        for (int64_t c = 0; c < lanes; ++c) {
          tile[c] = j + c < n ? hn::LoadU(d, a.column(j + c) + part * a.imag + i) : hn::Zero(d);
        }
        // Each round moves one bit of the lane number into the vector number and one back.
        for (int64_t bit = 1; bit < lanes; bit *= 2) {
          for (int64_t c = 0; c < lanes; ++c) {
            if ((c & bit) != 0) continue;
            const Vector<R> low = tile[c], high = tile[c | bit];
            tile[c] = hn::ConcatEven(d, high, low);
            tile[c | bit] = hn::ConcatOdd(d, high, low);
          }
        }
        for (int64_t c = 0; c < lanes; ++c) {
          hn::StoreU(part == 0 ? tile[c] : hn::Neg(tile[c]), d, out.column(i + c) + part * out.imag + j);
        }
      }
    }
  }
  return out;
}

#define TENFERRO_INSTANTIATE(R, kComplex)                                                         \
  template R Pack(Arena&, const R*, int64_t, R, const int32_t*, int64_t, const int32_t*, int64_t, \
                  Panel<R, kComplex>&);                                                           \
  template Panel<R, kComplex> AdjointPanel(Arena&, const Panel<R, kComplex>&, int64_t, int64_t);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
