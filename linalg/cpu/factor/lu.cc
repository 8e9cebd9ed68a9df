#include "tenferro/linalg/cpu/factor/isa_kernels.h"
#include "tenferro/linalg/cpu/factor/triangle.h"

namespace tenferro::linalg::TENFERRO_ISA::factor {
namespace {

inline constexpr int64_t kStrip = linalg::factor::kEliminationStrip;

template <class R, bool kComplex>
void SwapRows(const Matrix<R, kComplex>& a, int64_t columns, int64_t i, int64_t j) {
  for (int64_t c = 0; c < columns && i != j; ++c) {
    const Scalar<R> x = a.Get(i, c);
    a.Set(i, c, a.Get(j, c));
    a.Set(j, c, x);
  }
}

// Rows i and pivots[i] of `columns` columns swapped, for i = begin, …, end − 1.
template <class R, bool kComplex>
HWY_NOINLINE void SwapRows(const Matrix<R, kComplex>& a, int64_t columns, const int64_t* pivots, int64_t begin,
                           int64_t end) {
  for (int64_t c = 0; c < columns; ++c) {
    R* column = a.At(0, c);
    for (int64_t i = begin; i < end; ++i) {
      R* x = column + i * kParts<kComplex>;
      R* y = column + pivots[i] * kParts<kComplex>;
      for (int64_t part = 0; part < kParts<kComplex>; ++part) {
        const R saved = x[part];
        x[part] = y[part];
        y[part] = saved;
      }
    }
  }
}

template <class R, bool kComplex>
HWY_INLINE Vector<R> SizeOfLanes(const Lanes<R, kComplex>& x) {
  if constexpr (kComplex) return hn::Add(hn::Abs(x.re), hn::Abs(x.im));
  return hn::Abs(x.re);
}

// The first row from `row` on whose element of column j is `size` in size; all above it are smaller.
template <class R, bool kComplex>
int64_t FindRow(const Panel<R, kComplex>& w, int64_t j, int64_t row, int64_t m, R size) {
  const Tag<R> d;
  const int64_t lanes = LaneCount<R>();
  const Vector<R> wanted = hn::Set(d, size);
  for (int64_t i = row / lanes * lanes; i < m; i += lanes) {
    const auto equal = hn::Eq(SizeOfLanes(LoadLanes<R, kComplex>(w.column(j) + i, w.imag)), wanted);
    if (hn::AllFalse(d, equal)) continue;
    for (int64_t r = i < row ? row : i; r < m && r < i + lanes; ++r) {
      if (Size(w.Get(r, j)) == size) return r;
    }
  }
  return row;
}

// Row j's multiples subtracted from the rows below in kCount columns from j + 1 on; column j becomes the multipliers.
// Returns the largest size in column j + 1 below row j.
template <class R, bool kComplex, int kCount>
HWY_INLINE R Eliminate(const Panel<R, kComplex>& w, int64_t j, int64_t m, Scalar<R> pivot) {
  const Tag<R> d;
  const int64_t lanes = LaneCount<R>();
  const bool scale = HasReciprocal(pivot);
  const Lanes<R, kComplex> reciprocal = SetLanes<R, kComplex>(Quotient<R, kComplex>({1, 0}, pivot));
  R* const column = w.column(j);
  if (!scale) {
    for (int64_t i = j + 1; i < m; ++i) w.Set(i, j, Quotient<R, kComplex>(w.Get(i, j), pivot));
  }
  Lanes<R, kComplex> row[kCount > 0 ? kCount : 1];
  for (int c = 0; c < kCount; ++c) row[c] = SetLanes<R, kComplex>(w.Get(j, j + 1 + c));
  Vector<R> largest = hn::Zero(d);
  const int64_t first = (j + 1) / lanes * lanes;
  for (int64_t i = first; i < m; i += lanes) {
    Lanes<R, kComplex> x = LoadLanes<R, kComplex>(column + i, w.imag);
    const Lanes<R, kComplex> before = x;
    if (scale) {
      if constexpr (kComplex) {
        x = MulAdd(x, reciprocal, ZeroLanes<R, kComplex>());
      } else {
        x.re = hn::Mul(x.re, reciprocal.re);
      }
    }
    auto below = hn::FirstN(d, 0);
    if (i <= j) {
      below = hn::Not(hn::FirstN(d, static_cast<size_t>(j + 1 - i)));
      Lanes<R, kComplex> kept = x;
      kept.re = hn::IfThenElse(below, x.re, before.re);
      x.re = hn::IfThenElseZero(below, x.re);
      if constexpr (kComplex) {
        kept.im = hn::IfThenElse(below, x.im, before.im);
        x.im = hn::IfThenElseZero(below, x.im);
      }
      StoreLanes(kept, column + i, w.imag);
    } else {
      StoreLanes(x, column + i, w.imag);
    }
    for (int c = 0; c < kCount; ++c) {
      R* const to = w.column(j + 1 + c) + i;
      const Lanes<R, kComplex> y = NegMulAdd(x, row[c], LoadLanes<R, kComplex>(to, w.imag));
      StoreLanes(y, to, w.imag);
      if (c == 0) {
        Vector<R> size = SizeOfLanes(y);
        if (i <= j) size = hn::IfThenElseZero(below, size);
        largest = hn::Max(largest, size);
      }
    }
  }
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

template <class R, bool kComplex>
R EliminateColumns(const Panel<R, kComplex>& w, int64_t j, int64_t m, Scalar<R> pivot, int64_t count) {
  switch (count) {
    case 0: return Eliminate<R, kComplex, 0>(w, j, m, pivot);
    case 1: return Eliminate<R, kComplex, 1>(w, j, m, pivot);
    case 2: return Eliminate<R, kComplex, 2>(w, j, m, pivot);
    case 3: return Eliminate<R, kComplex, 3>(w, j, m, pivot);
    case 4: return Eliminate<R, kComplex, 4>(w, j, m, pivot);
    case 5: return Eliminate<R, kComplex, 5>(w, j, m, pivot);
    case 6: return Eliminate<R, kComplex, 6>(w, j, m, pivot);
    default: return Eliminate<R, kComplex, 7>(w, j, m, pivot);
  }
}

// Largest size in column j of rows j, …; rows beyond m are zero.
template <class R, bool kComplex>
R LargestSize(const Panel<R, kComplex>& w, int64_t m) {
  const Tag<R> d;
  Vector<R> largest = hn::Zero(d);
  for (int64_t i = 0; i < m; i += LaneCount<R>()) {
    largest = hn::Max(largest, SizeOfLanes(LoadLanes<R, kComplex>(w.column(0) + i, w.imag)));
  }
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

// Factors m × n with n <= kStrip through a copy in `strip`, columns of parts.
template <class R, bool kComplex>
void FactorStrip(int64_t m, int64_t n, const Matrix<R, kComplex>& a, int64_t* pivots, const Panel<R, kComplex>& strip) {
  Panel<R, kComplex> w = strip;
  w.rows = PadRows<R>(m);
  for (int64_t j = 0; j < n; ++j) {
    Unpack<R, kComplex>(m, a.At(0, j), w.column(j), w.imag);
    for (int64_t i = m; i < w.rows; ++i) w.Set(i, j, {0, 0});
  }
  R largest = LargestSize(w, m);
  const int64_t steps = m < n ? m : n;
  for (int64_t j = 0; j < steps; ++j) {
    pivots[j] = FindRow(w, j, j, m, largest);
    for (int64_t c = 0; c < n && pivots[j] != j; ++c) {
      const Scalar<R> x = w.Get(j, c);
      w.Set(j, c, w.Get(pivots[j], c));
      w.Set(pivots[j], c, x);
    }
    Scalar<R> pivot = w.Get(j, j);
    // A column of zeros has nothing to eliminate; its multipliers are zeros.
    if (pivot.re == 0 && pivot.im == 0) pivot = {1, 0};
    largest = EliminateColumns(w, j, m, pivot, n - j - 1);
  }
  for (int64_t j = 0; j < n; ++j) Repack<R, kComplex>(m, w.column(j), w.imag, a.At(0, j));
}

// Row i was swapped with row pivots[i]. Source: S. Toledo, Locality of reference in LU decomposition with partial
// pivoting, SIAM J. Matrix Anal. Appl. 18 (1997).
template <class R, bool kComplex>
void Factor(const Products& products, int64_t m, int64_t n, const Matrix<R, kComplex>& a, int64_t* pivots,
            const Panel<R, kComplex>& strip) {
  if (n <= kStrip) return FactorStrip(m, n, a, pivots, strip);
  const int64_t steps = m < n ? m : n;
  int64_t half = steps <= kStrip ? steps : (steps / 2 + kStrip - 1) / kStrip * kStrip;
  const Matrix<R, kComplex> right = a.From(0, half);
  Factor(products, m, half, a, pivots, strip);
  SwapRows(right, n - half, pivots, 0, half);
  SolveLowerFromLeft(products, half, n - half, a, true, right);
  if (half == steps) return;
  const Matrix<R, kComplex> rest = a.From(half, half);
  Multiply(products, m - half, n - half, half, a.From(half, 0), right, Term::kSubtract, rest);
  Factor(products, m - half, n - half, rest, pivots + half, strip);
  for (int64_t i = half; i < steps; ++i) pivots[i] += half;
  SwapRows(a, half, pivots, half, steps);
}

// permutation[i]: the row of A that is row i of L·U. Returns its sign.
int64_t Permute(int64_t m, int64_t steps, const int64_t* pivots, int64_t* permutation) {
  int64_t sign = 1;
  for (int64_t i = 0; i < m; ++i) permutation[i] = i;
  for (int64_t i = 0; i < steps; ++i) {
    const int64_t p = pivots[i];
    if (p == i) continue;
    sign = -sign;
    const int64_t saved = permutation[i];
    permutation[i] = permutation[p];
    permutation[p] = saved;
  }
  return sign;
}

}  // namespace

template <class R, bool kComplex>
Ending Lu(Isa isa, uint8_t dtype, int64_t m, int64_t n, const R* a_data, R* lu_data, int64_t* permutation, R* parity,
          int64_t* pivots, Memory memory) {
  const Matrix<R, kComplex> a = {const_cast<R*>(a_data), 1, m}, lu = {lu_data, 1, m};
  const int64_t steps = m < n ? m : n;
  constexpr int64_t kSmall = linalg::factor::kSmallLuOrder;
  if (m <= kSmall && n <= kSmall) {
    alignas(64) R data[kSmall * kStrip * kParts<kComplex>];
    alignas(64) char workspace[kSmall * (kSmall + kStrip) * 16];
    if (!CopyFinite(m, n, a, lu)) return {Outcome::kNotFinite, 0};
    Factor(Products{isa, dtype, workspace}, m, n, lu, pivots, Panel<R, kComplex>{data, kSmall, kSmall});
    *parity = static_cast<R>(Permute(m, steps, pivots, permutation));
    return {Outcome::kOk, 0};
  }
  Arena arena(memory);
  const Products products = MakeProducts(arena, isa, dtype, m > n ? m : n);
  const Matrix<R, kComplex> work = NewMatrix<R, kComplex>(arena, m, n);
  const Panel<R, kComplex> strip = NewPanelUninitialized<R, kComplex>(arena, m, kStrip);
  if (!CopyFinite(m, n, a, work)) return {Outcome::kNotFinite, 0};
  Factor(products, m, n, work, pivots, strip);
  *parity = static_cast<R>(Permute(m, steps, pivots, permutation));
  for (int64_t j = 0; j < n; ++j) {
    memcpy(lu.At(0, j), work.At(0, j), static_cast<size_t>(m * kParts<kComplex>) * sizeof(R));
  }
  return {Outcome::kOk, 0};
}

template <class R, bool kComplex>
Ending LuSolve(Isa isa, uint8_t dtype, int64_t n, int64_t right_sides, bool transpose, bool conjugate, const R* lu_data,
               const int64_t* permutation, const R* b_data, R* x_data, Memory memory) {
  const Matrix<R, kComplex> lu = {const_cast<R*>(lu_data), 1, n, conjugate};
  const Matrix<R, kComplex> b = {const_cast<R*>(b_data), 1, n}, x = {x_data, 1, n};
  for (int64_t i = 0; i < n; ++i) {
    const Scalar<R> d = lu.Get(i, i);
    if (d.re == 0 && d.im == 0) return {Outcome::kSingular, i};
  }
  if (!IsFinite(n, right_sides, b)) return {Outcome::kNotFinite, 1};
  const auto solve = [&](const Products& products, R* scratch) {
    if (!transpose) {
      for (int64_t j = 0; j < right_sides; ++j) {
        for (int64_t i = 0; i < n; ++i) x.Set(i, j, b.Get(permutation[i], j));
      }
      SolveLowerFromLeft(products, n, right_sides, lu, true, x);
      SolveUpperFromLeft(products, n, right_sides, lu, false, x);
      return;
    }
    // x = P·(Lᵀ)⁻¹(Uᵀ)⁻¹b, by columns through `scratch`.
    for (int64_t j = 0; j < right_sides; ++j)
      memcpy(x.At(0, j), b.At(0, j), static_cast<size_t>(n * kParts<kComplex>) * sizeof(R));
    SolveLowerFromLeft(products, n, right_sides, lu.Transposed(), false, x);
    SolveUpperFromLeft(products, n, right_sides, lu.Transposed(), true, x);
    const Matrix<R, kComplex> column = {scratch, 1, n};
    for (int64_t j = 0; j < right_sides; ++j) {
      for (int64_t i = 0; i < n; ++i) column.Set(permutation[i], 0, x.Get(i, j));
      memcpy(x.At(0, j), scratch, static_cast<size_t>(n * kParts<kComplex>) * sizeof(R));
    }
  };
  if (n <= kLeaf) {
    alignas(64) R scratch[kLeaf * kParts<kComplex>];
    solve(Products(), scratch);
  } else {
    Arena arena(memory);
    const Products products = MakeProducts(arena, isa, dtype, n > right_sides ? n : right_sides);
    solve(products, arena.Allocate<R>(n * kParts<kComplex>));
  }
  return {Outcome::kOk, 0};
}

#define TENFERRO_INSTANTIATE(R, kComplex)                                                                              \
  template Ending Lu<R, kComplex>(Isa, uint8_t, int64_t, int64_t, const R*, R*, int64_t*, R*, int64_t*, Memory);       \
  template Ending LuSolve<R, kComplex>(Isa, uint8_t, int64_t, int64_t, bool, bool, const R*, const int64_t*, const R*, \
                                       R*, Memory);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA::factor
