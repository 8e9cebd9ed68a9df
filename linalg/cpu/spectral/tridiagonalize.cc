#include "tenferro/linalg/cpu/spectral/tridiagonalize.h"

#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/householder.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

// Columns that one pass takes together: their factors and sums stay in registers.
template <bool kComplex>
inline constexpr int kStrip = kManyRegisters ? (kComplex ? 4 : 8) : (kComplex ? 2 : 4);

template <class R>
HWY_INLINE Scalar<R> Times(Scalar<R> a, Scalar<R> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// For kCount neighbouring columns c of a: y += Σ c·x_c, and dot[c] = cᴴ·x, over rows from `top`.
template <class R, bool kComplex, int kCount>
HWY_INLINE void SymmetricStrip(const R* a, int64_t stride, int64_t a_imag, const R* x, int64_t x_imag,
                               const Scalar<R>* factor, R* y, int64_t y_imag, int64_t top, int64_t rows,
                               Scalar<R>* dot) {
  const int64_t lanes = LaneCount<R>();
  Lanes<R, kComplex> sum[kCount], f[kCount];
  for (int c = 0; c < kCount; ++c) {
    sum[c] = ZeroLanes<R, kComplex>();
    f[c] = SetLanes<R, kComplex>(factor[c]);
  }
  for (int64_t i = top; i < rows; i += lanes) {
    const Lanes<R, kComplex> xi = LoadLanes<R, kComplex>(x + i, x_imag);
    Lanes<R, kComplex> yi = LoadLanes<R, kComplex>(y + i, y_imag);
    for (int c = 0; c < kCount; ++c) {
      const Lanes<R, kComplex> entry = LoadLanes<R, kComplex>(a + c * stride + i, a_imag);
      yi = MulAdd(entry, f[c], yi);
      sum[c] = ConjMulAdd(entry, xi, sum[c]);
    }
    StoreLanes(yi, y + i, y_imag);
  }
  for (int c = 0; c < kCount; ++c) dot[c] = SumLanes(sum[c]);
}

// y = A·x for the Hermitian matrix in the lower triangle of columns first … n − 1 of a, zero above; x and y are zero
// above row `first`.
template <class R, bool kComplex>
void SymmetricProduct(const Panel<R, kComplex>& a, int64_t n, int64_t first, const R* x, int64_t x_imag, R* y,
                      int64_t y_imag) {
  const int64_t lanes = LaneCount<R>();
  constexpr int kWide = kStrip<kComplex>;
  ClearColumn<R, kComplex>(y, y_imag, a.rows);
  Scalar<R> factor[kWide], dot[kWide];
  const auto finish = [&](int64_t c, int count) {
    // Both sums had the diagonal: once is taken back.
    for (int q = 0; q < count; ++q) {
      const R diagonal = a.column(c + q)[c + q];
      y[c + q] += dot[q].re - diagonal * factor[q].re;
      if constexpr (kComplex) y[c + q + y_imag] += dot[q].im - diagonal * factor[q].im;
    }
  };
  const auto load = [&](int64_t c, int count) {
    for (int q = 0; q < count; ++q) {
      factor[q] = {x[c + q], 0};
      if constexpr (kComplex) factor[q].im = x[c + q + x_imag];
    }
  };
  int64_t c = first;
  for (; c + kWide <= n; c += kWide) {
    load(c, kWide);
    SymmetricStrip<R, kComplex, kWide>(a.column(c), a.stride(), a.imag, x, x_imag, factor, y, y_imag,
                                       c / lanes * lanes, a.rows, dot);
    finish(c, kWide);
  }
  for (; c < n; ++c) {
    load(c, 1);
    SymmetricStrip<R, kComplex, 1>(a.column(c), a.stride(), a.imag, x, x_imag, factor, y, y_imag, c / lanes * lanes,
                                   a.rows, dot);
    finish(c, 1);
  }
}

// dot[c] = column cᴴ·x for the first `count` columns of v, over rows from `top`.
template <class R, bool kComplex>
void DotColumns(const Panel<R, kComplex>& v, int64_t count, const R* x, int64_t x_imag, int64_t top, Scalar<R>* dot) {
  const int64_t lanes = LaneCount<R>();
  int64_t c = 0;
  for (; c + 4 <= count; c += 4) {
    Lanes<R, kComplex> sum[4];
    for (int q = 0; q < 4; ++q) sum[q] = ZeroLanes<R, kComplex>();
    for (int64_t i = top; i < v.rows; i += lanes) {
      const Lanes<R, kComplex> xi = LoadLanes<R, kComplex>(x + i, x_imag);
      for (int q = 0; q < 4; ++q) sum[q] = ConjMulAdd(LoadLanes<R, kComplex>(v.column(c + q) + i, v.imag), xi, sum[q]);
    }
    for (int q = 0; q < 4; ++q) dot[c + q] = SumLanes(sum[q]);
  }
  for (; c < count; ++c) dot[c] = Dot<R, kComplex>(v.column(c) + top, v.imag, x + top, x_imag, v.rows - top);
}

// y −= Σ_c column c·factor_c.
template <class R, bool kComplex>
void SubtractColumns(const Panel<R, kComplex>& v, int64_t count, const Scalar<R>* factor, R* y, int64_t y_imag,
                     int64_t top) {
  const int64_t lanes = LaneCount<R>();
  int64_t c = 0;
  for (; c + 4 <= count; c += 4) {
    Lanes<R, kComplex> f[4];
    for (int q = 0; q < 4; ++q) f[q] = SetLanes<R, kComplex>(factor[c + q]);
    for (int64_t i = top; i < v.rows; i += lanes) {
      Lanes<R, kComplex> sum = LoadLanes<R, kComplex>(y + i, y_imag);
      for (int q = 0; q < 4; ++q) sum = NegMulAdd(LoadLanes<R, kComplex>(v.column(c + q) + i, v.imag), f[q], sum);
      StoreLanes(sum, y + i, y_imag);
    }
  }
  for (; c < count; ++c) {
    AddScaled<R, kComplex>({-factor[c].re, -factor[c].im}, v.column(c) + top, v.imag, y + top, y_imag, v.rows - top);
  }
}

// Zeros in column j above the diagonal, as far up as a strip's first vector reaches.
template <class R, bool kComplex>
void ClearAbove(const Panel<R, kComplex>& a, int64_t j) {
  const int64_t lanes = LaneCount<R>();
  int64_t i = j - kStrip<kComplex> + 1;
  i = i < 0 ? 0 : i / lanes * lanes;
  for (; i < j; ++i) a.Set(i, j, {});
}

}  // namespace

template <class R, bool kComplex>
Tridiagonal<R, kComplex> Tridiagonalize(Arena& arena, GemmScratch& scratch, int64_t n, const Panel<R, kComplex>& a) {
  const int64_t lanes = LaneCount<R>();
  Tridiagonal<R, kComplex> t;
  t.d = arena.AllocateZeroed<double>(n + 1);
  t.e = arena.AllocateZeroed<double>(n + 1);
  t.reflectors = NewPanel<R, kComplex>(arena, n, n);
  t.tau = arena.AllocateZeroed<R>(n + 1);
  t.phase = arena.Allocate<Scalar<R>>(n + 1);
  Scalar<R>* off = arena.AllocateZeroed<Scalar<R>>(n + 1);
  const int64_t block = n >= 128 ? 32 : n >= 32 ? 16 : 8;
  // Columns v_0, w_0, v_1, w_1, … of the block in work, and the pairs the other way round.
  const Panel<R, kComplex> pairs = NewPanel<R, kComplex>(arena, n, 2 * block);
  const Panel<R, kComplex> swapped = NewPanel<R, kComplex>(arena, n, 2 * block);
  Scalar<R> dot[64], factor[64];
  for (int64_t first = 0; first < n; first += block) {
    const int64_t last = first + block < n ? first + block : n;
    const int64_t block_top = first / lanes * lanes;
    for (int64_t j = first; j < last; ++j) {
      const int64_t known = 2 * (j - first);
      R* c = a.column(j);
      // a_j −= Σ v·conj(w_j) + w·conj(v_j).
      for (int64_t l = 0; l < known; ++l) {
        const Scalar<R> other = pairs.Get(j, l ^ 1);
        factor[l] = {other.re, -other.im};
      }
      SubtractColumns(pairs, known, factor, c, a.imag, j / lanes * lanes);
      t.d[j] = c[j];
      if (j + 1 >= n) break;
      R* v = t.reflectors.column(j);
      const int64_t top = (j + 1) / lanes * lanes;
      CopyScaled<R, kComplex>(R{1}, c + top, a.imag, v + top, t.reflectors.imag, a.rows - top);
      for (int64_t i = top; i <= j; ++i) t.reflectors.Set(i, j, {});
      const Scalar<R> lead = t.reflectors.Get(j + 1, j);
      const Reflection<R> reflection = MakeReflection(t.reflectors, j, j + 1);
      t.tau[j] = reflection.tau;
      off[j] = reflection.tau > 0 ? reflection.result : lead;
      R* pair_v = pairs.column(known);
      R* w = pairs.column(known + 1);
      // Rows of the pairs above the block are never read; those above the reflection's own must be zero.
      for (int64_t i = block_top; i < top; ++i) {
        pairs.Set(i, known, {});
        pairs.Set(i, known + 1, {});
      }
      if (reflection.tau == 0) {
        ClearColumn<R, kComplex>(pair_v + top, pairs.imag, a.rows - top);
        ClearColumn<R, kComplex>(w + top, pairs.imag, a.rows - top);
        continue;
      }
      CopyScaled<R, kComplex>(R{1}, v + top, t.reflectors.imag, pair_v + top, pairs.imag, a.rows - top);
      // w = tau·(A − V·Wᴴ − W·Vᴴ)·v, then w −= ½·tau·(wᴴv)·v.
      SymmetricProduct(a, n, j + 1, v, t.reflectors.imag, w, pairs.imag);
      DotColumns(pairs, known, v, t.reflectors.imag, top, dot);
      for (int64_t l = 0; l < known; ++l) factor[l] = dot[l ^ 1];
      SubtractColumns(pairs, known, factor, w, pairs.imag, top);
      for (int64_t i = top; i <= j; ++i) pairs.Set(i, known + 1, {});
      CopyScaled<R, kComplex>(reflection.tau, w + top, pairs.imag, w + top, pairs.imag, a.rows - top);
      const Scalar<R> along = Dot<R, kComplex>(w + top, pairs.imag, v + top, t.reflectors.imag, a.rows - top);
      const R half = R(-0.5) * reflection.tau;
      AddScaled<R, kComplex>({half * along.re, half * along.im}, v + top, t.reflectors.imag, w + top, pairs.imag,
                             a.rows - top);
    }
    if (last >= n) break;
    const int64_t inner = 2 * (last - first);
    const int64_t rest_top = last / lanes * lanes;
    for (int64_t l = 0; l < inner; ++l) {
      CopyScaled<R, kComplex>(R{1}, pairs.column(l ^ 1) + rest_top, pairs.imag, swapped.column(l) + rest_top,
                              swapped.imag, a.rows - rest_top);
    }
    constexpr int64_t kColumns = 64;
    for (int64_t j = last; j < n; j += kColumns) {
      const int64_t columns = n - j < kColumns ? n - j : kColumns;
      Product(scratch, Form::kPlain, FromRow(pairs, j), Form::kAdjoint, FromRow(swapped, j), n - j, columns, inner,
              Store::kSubtract, FromRow(a.From(j), j));
      for (int64_t q = 0; q < columns; ++q) ClearAbove(a, j + q);
    }
  }
  // Phases make the off-diagonal real.
  t.phase[0] = {1, 0};
  for (int64_t j = 0; j + 1 < n; ++j) {
    t.phase[j + 1] = t.phase[j];
    if constexpr (kComplex) {
      const double size = __builtin_sqrt(double(off[j].re) * off[j].re + double(off[j].im) * off[j].im);
      t.e[j] = size;
      if (size > 0) t.phase[j + 1] = Times(t.phase[j], Scalar<R>{R(off[j].re / size), R(off[j].im / size)});
    } else {
      t.e[j] = off[j].re;
    }
  }
  return t;
}

template <class R, bool kComplex>
void ApplyReflections(Arena& arena, GemmScratch& scratch, int64_t n, const Tridiagonal<R, kComplex>& t,
                      int64_t columns, const Panel<R, kComplex>& x) {
  const int64_t count = n - 1;
  if (count <= 0) return;
  const int64_t lanes = LaneCount<R>();
  if constexpr (kComplex) {
    for (int64_t j = 0; j < columns; ++j) {
      for (int64_t i = 0; i < n; ++i) x.Set(i, j, Times(t.phase[i], x.Get(i, j)));
    }
  }
  const int64_t block = n >= 128 ? 64 : 32;
  const Panel<R, kComplex> gram = NewPanel<R, kComplex>(arena, block, block);
  const Panel<R, kComplex> triangle = NewPanel<R, kComplex>(arena, block, block);
  const Panel<R, kComplex> inner = NewPanel<R, kComplex>(arena, block, columns);
  const Panel<R, kComplex> turned = NewPanel<R, kComplex>(arena, block, columns);
  for (int64_t first = (count - 1) / block * block; first >= 0; first -= block) {
    const int64_t width = count - first < block ? count - first : block;
    const int64_t top = (first + 1) / lanes * lanes;
    Panel<R, kComplex> v = t.reflectors.From(first);
    v = FromRow(v, top);
    const Panel<R, kComplex> rest = FromRow(x, top);
    const int64_t rows = n - top;
    // H_first·…·H_last = I − V·T·Vᴴ with T upper triangular: T_jj = tau_j, T_{<j, j} = −tau_j·T·(Vᴴv_j).
    Product(scratch, Form::kAdjoint, v, Form::kPlain, v, width, width, rows, Store::kSet, gram);
    for (int64_t j = 0; j < width; ++j) {
      const R tau = t.tau[first + j];
      for (int64_t i = 0; i < width; ++i) triangle.Set(i, j, {});
      for (int64_t l = 0; l < j; ++l) {
        const Scalar<R> g = gram.Get(l, j);
        AddScaled<R, kComplex>({-tau * g.re, -tau * g.im}, triangle.column(l), triangle.imag, triangle.column(j),
                               triangle.imag, triangle.rows);
      }
      triangle.Set(j, j, {tau, 0});
    }
    Product(scratch, Form::kAdjoint, v, Form::kPlain, rest, width, columns, rows, Store::kSet, inner);
    Product(scratch, Form::kPlain, triangle, Form::kPlain, inner, width, columns, width, Store::kSet, turned);
    Product(scratch, Form::kPlain, v, Form::kPlain, turned, rows, columns, width, Store::kSubtract, rest);
  }
}

#define TENFERRO_INSTANTIATE(R, kComplex)                                                                         \
  template Tridiagonal<R, kComplex> Tridiagonalize(Arena&, GemmScratch&, int64_t, const Panel<R, kComplex>&);     \
  template void ApplyReflections(Arena&, GemmScratch&, int64_t, const Tridiagonal<R, kComplex>&, int64_t,         \
                                 const Panel<R, kComplex>&);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
