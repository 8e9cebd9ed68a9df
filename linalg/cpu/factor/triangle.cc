#include "tenferro/linalg/cpu/factor/triangle.h"

namespace tenferro::linalg::TENFERRO_ISA::factor {
namespace {

// Unknowns that are eliminated together, and vectors of right-hand sides that one tile holds: their sums and what they
// are made of fit the registers.
inline constexpr int kGroup = 4;
template <bool kComplex>
inline constexpr int kTileVectors = kComplex         ? 1
                                    : kManyRegisters ? 4
                                                     : 2;

// A triangle of order at most kLeaf: its diagonal, and where the elements above it are. Real ones stay where they are
// unless the cache could not hold them there; complex ones are packed by parts, conjugated where that is asked.
template <class R, bool kComplex>
struct Triangle {
  static constexpr int64_t kImag = kLeaf * kLeaf;
  alignas(64) R packed[kImag * kParts<kComplex>];
  Scalar<R> diagonal[kLeaf];
  Scalar<R> reciprocal[kLeaf];
  const R* elements;
  int64_t n, row_step, column_step;
  bool divide;  // a reciprocal of the diagonal would overflow or lose bits

  Triangle(int64_t n, const Matrix<R, kComplex>& m, bool unit)
      : elements(m.data), n(n), row_step(m.row_step), column_step(m.column_step), divide(false) {
    if (kComplex || (n > 16 && (IsCrowded<R, kComplex>(row_step) || IsCrowded<R, kComplex>(column_step)))) {
      elements = packed;
      row_step = kLeaf;
      column_step = 1;
      for (int64_t j = 0; j < n; ++j) {
        for (int64_t k = 0; k < j; ++k) {
          const Scalar<R> x = m.Get(k, j);
          packed[k * kLeaf + j] = x.re;
          if constexpr (kComplex) packed[k * kLeaf + j + kImag] = x.im;
        }
      }
    }
    for (int64_t j = 0; j < n; ++j) diagonal[j] = unit ? Scalar<R>{1, 0} : m.Get(j, j);
    if constexpr (kComplex) {
      for (int64_t j = 0; j < n; ++j) {
        reciprocal[j] = Quotient<R, kComplex>({1, 0}, diagonal[j]);
        divide = divide || !HasReciprocal(diagonal[j]);
      }
    } else {
      R least = kLargeSize<R>, most = kSmallSize<R>;
      for (int64_t j = 0; j < n; ++j) {
        const R size = Absolute(diagonal[j].re);
        least = size < least ? size : least;
        most = size > most ? size : most;
        reciprocal[j].re = 1 / diagonal[j].re;
      }
      divide = !(least > kSmallSize<R> && most < kLargeSize<R>);
    }
  }

  HWY_INLINE Lanes<R, kComplex> Factor(const R* element) const {
    return {hn::Set(Tag<R>(), *element), hn::Set(Tag<R>(), kComplex ? element[kImag * kComplex] : R{0})};
  }
};

// The quotients of a vector where a reciprocal is not to be trusted.
template <class R, bool kComplex>
HWY_NOINLINE Lanes<R, kComplex> Divide(const Lanes<R, kComplex>& x, Scalar<R> divisor) {
  const Tag<R> d;
  HWY_ALIGN R re[kMaxLanes], im[kMaxLanes];
  hn::Store(x.re, d, re);
  hn::Store(x.im, d, im);
  for (int64_t i = 0; i < LaneCount<R>(); ++i) {
    const Scalar<R> q = Quotient<R, kComplex>({re[i], im[i]}, divisor);
    re[i] = q.re;
    im[i] = q.im;
  }
  return {hn::Load(d, re), hn::Load(d, im)};
}

// Unknowns j … j + kCount − 1 of a tile, those before being known: unknown j of the right-hand sides lies at w +
// j·step, its imaginary parts `imag` further.
template <class R, bool kComplex, int kVectors, int kCount>
HWY_INLINE void SolveGroup(const Triangle<R, kComplex>& t, int64_t j, R* w, int64_t step, int64_t imag) {
  const Tag<R> d;
  const int64_t lanes = LaneCount<R>();
  const R* factors = t.elements + j * t.column_step;
  Lanes<R, kComplex> x[kCount][kVectors];
  for (int g = 0; g < kCount; ++g) {
    for (int v = 0; v < kVectors; ++v) x[g][v] = LoadLanes<R, kComplex>(w + (j + g) * step + v * lanes, imag);
  }
  const R* known_at = w;
  for (int64_t k = 0; k < j; ++k, factors += t.row_step, known_at += step) {
    Lanes<R, kComplex> known[kVectors];
    for (int v = 0; v < kVectors; ++v) known[v] = LoadLanes<R, kComplex>(known_at + v * lanes, imag);
    for (int g = 0; g < kCount; ++g) {
      const Lanes<R, kComplex> factor = t.Factor(factors + g * t.column_step);
      for (int v = 0; v < kVectors; ++v) x[g][v] = NegMulAdd(known[v], factor, x[g][v]);
    }
  }
  for (int g = 0; g < kCount; ++g) {
    for (int k = 0; k < g; ++k) {
      const Lanes<R, kComplex> factor = t.Factor(factors + k * t.row_step + g * t.column_step);
      for (int v = 0; v < kVectors; ++v) x[g][v] = NegMulAdd(x[k][v], factor, x[g][v]);
    }
    for (int v = 0; v < kVectors; ++v) {
      if (t.divide) {
        x[g][v] = Divide<R, kComplex>(x[g][v], t.diagonal[j + g]);
      } else if constexpr (kComplex) {
        x[g][v] = MulAdd(x[g][v], SetLanes<R, kComplex>(t.reciprocal[j + g]), ZeroLanes<R, kComplex>());
      } else {
        x[g][v].re = hn::Mul(x[g][v].re, hn::Set(d, t.reciprocal[j + g].re));
      }
      StoreLanes(x[g][v], w + (j + g) * step + v * lanes, imag);
    }
  }
}

template <class R, bool kComplex, int kVectors>
HWY_INLINE void SolveTile(const Triangle<R, kComplex>& t, R* w, int64_t step, int64_t imag) {
  int64_t j = 0;
  for (; j + kGroup <= t.n; j += kGroup) SolveGroup<R, kComplex, kVectors, kGroup>(t, j, w, step, imag);
  for (; j < t.n; ++j) SolveGroup<R, kComplex, kVectors, 1>(t, j, w, step, imag);
}

// lanes × lanes reals between `columns` (each contiguous) and the rows of w. Each round moves one bit of the lane
// number into the vector number and one back.
template <class R>
HWY_INLINE void TransposeVectors(Vector<R>* tile) {
  const Tag<R> d;
  const int64_t lanes = LaneCount<R>();
  for (int64_t bit = 1; bit < lanes; bit *= 2) {
    for (int64_t c = 0; c < lanes; ++c) {
      if ((c & bit) != 0) continue;
      const Vector<R> low = tile[c], high = tile[c | bit];
      tile[c] = hn::ConcatEven(d, high, low);
      tile[c | bit] = hn::ConcatOdd(d, high, low);
    }
  }
}

// Moves n unknowns of `count` right-hand sides between b and the tile.
template <class R, bool kComplex, bool kToTile>
HWY_INLINE void MoveTile(int64_t n, int64_t count, const Matrix<R, kComplex>& b, R* w, int64_t step, int64_t imag) {
  const Tag<R> d;
  const int64_t lanes = LaneCount<R>();
  if (b.row_step == 1) {
    for (int64_t j = 0; j < n; ++j) {
      if (kToTile) {
        Unpack<R, kComplex>(count, b.At(0, j), w + j * step, imag);
      } else {
        Repack<R, kComplex>(count, w + j * step, imag, b.At(0, j));
      }
    }
    return;
  }
  const bool backwards = b.column_step == -1;
  if (!kComplex && (b.column_step == 1 || backwards)) {
    int64_t r = 0;
    for (; r + lanes <= count; r += lanes) {
      int64_t j = 0;
      for (; j + lanes <= n; j += lanes) {
        Vector<R> tile[kMaxLanes];
        for (int64_t c = 0; c < lanes; ++c) {
          if (kToTile) {
            const Vector<R> x = hn::LoadU(d, b.At(r + c, backwards ? j + lanes - 1 : j));
            tile[c] = backwards ? hn::Reverse(d, x) : x;
          } else {
            tile[c] = hn::LoadU(d, w + (j + c) * step + r);
          }
        }
        TransposeVectors<R>(tile);
        for (int64_t c = 0; c < lanes; ++c) {
          if (kToTile) {
            hn::StoreU(tile[c], d, w + (j + c) * step + r);
          } else {
            hn::StoreU(backwards ? hn::Reverse(d, tile[c]) : tile[c], d, b.At(r + c, backwards ? j + lanes - 1 : j));
          }
        }
      }
      for (; j < n; ++j) {
        for (int64_t c = r; c < r + lanes; ++c) {
          if (kToTile) {
            w[j * step + c] = b.At(c, j)[0];
          } else {
            b.At(c, j)[0] = w[j * step + c];
          }
        }
      }
    }
    for (; r < count; ++r) {
      for (int64_t j = 0; j < n; ++j) {
        if (kToTile) {
          w[j * step + r] = b.At(r, j)[0];
        } else {
          b.At(r, j)[0] = w[j * step + r];
        }
      }
    }
    return;
  }
  for (int64_t r = 0; r < count; ++r) {
    for (int64_t j = 0; j < n; ++j) {
      R* const at = b.At(r, j);
      R* const in_tile = w + j * step + r;
      if (kToTile) {
        in_tile[0] = at[0];
        if constexpr (kComplex) in_tile[imag] = at[1];
      } else {
        at[0] = in_tile[0];
        if constexpr (kComplex) at[1] = in_tile[imag];
      }
    }
  }
}

template <class R, bool kComplex>
HWY_NOINLINE void SolveLeaf(int64_t rows, int64_t n, const Matrix<R, kComplex>& m, bool unit,
                            const Matrix<R, kComplex>& b) {
  const Triangle<R, kComplex> t(n, m, unit);
  constexpr int kVectors = kTileVectors<kComplex>;
  const int64_t lanes = LaneCount<R>(), most = kVectors * lanes;
  constexpr int64_t kStep = kVectors * kPad<R>;
  constexpr int64_t kImag = kLeaf * kStep;
  alignas(64) R w[kImag * kParts<kComplex>];
  const bool in_place = !kComplex && b.row_step == 1 && (n <= 8 || !IsCrowded<R, kComplex>(b.column_step));
  bool clear = true;
  for (int64_t r = 0; r < rows;) {
    if (in_place) {
      R* const at = b.At(r, 0);
      if (kVectors > 2 && rows - r >= 4 * lanes) {
        SolveTile<R, kComplex, kVectors>(t, at, b.column_step, 0);
        r += 4 * lanes;
        continue;
      }
      if (kVectors > 1 && rows - r >= 2 * lanes) {
        SolveTile < R, kComplex, kVectors<2 ? 1 : 2>(t, at, b.column_step, 0);
        r += 2 * lanes;
        continue;
      }
      if (rows - r >= lanes) {
        SolveTile<R, kComplex, 1>(t, at, b.column_step, 0);
        r += lanes;
        continue;
      }
    }
    const int64_t count = rows - r < most ? rows - r : most;
    const Matrix<R, kComplex> part = b.From(r, 0);
    // Right-hand sides that are not there are solved for too: with numbers.
    if (clear && count < most) {
      memset(w, 0, static_cast<size_t>(n * kStep) * sizeof(R));
      if constexpr (kComplex) memset(w + kImag, 0, static_cast<size_t>(n * kStep) * sizeof(R));
    }
    clear = false;
    MoveTile<R, kComplex, true>(n, count, part, w, kStep, kImag);
    if (kVectors > 2 && count > 2 * lanes) {
      SolveTile<R, kComplex, kVectors>(t, w, kStep, kImag);
    } else if (kVectors > 1 && count > lanes) {
      SolveTile < R, kComplex, kVectors<2 ? 1 : 2>(t, w, kStep, kImag);
    } else {
      SolveTile<R, kComplex, 1>(t, w, kStep, kImag);
    }
    MoveTile<R, kComplex, false>(n, count, part, w, kStep, kImag);
    r += count;
  }
}

}  // namespace

template <class R, bool kComplex>
void SolveUpperFromRight(const Products& products, int64_t rows, int64_t n, const Matrix<R, kComplex>& m, bool unit,
                         const Matrix<R, kComplex>& b) {
  if (rows == 0 || n == 0) return;
  if (n <= kLeaf) return SolveLeaf(rows, n, m, unit, b);
  const int64_t half = (n / 2 + kLeaf - 1) / kLeaf * kLeaf;
  SolveUpperFromRight(products, rows, half, m, unit, b);
  Multiply(products, rows, n - half, half, b, m.From(0, half), Term::kSubtract, b.From(0, half));
  SolveUpperFromRight(products, rows, n - half, m.From(half, half), unit, b.From(0, half));
}

#define TENFERRO_INSTANTIATE(R, kComplex)                                                                \
  template void SolveUpperFromRight(const Products&, int64_t, int64_t, const Matrix<R, kComplex>&, bool, \
                                    const Matrix<R, kComplex>&);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA::factor
