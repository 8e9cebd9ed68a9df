#include "tenferro/linalg/cpu/factor/isa_kernels.h"
#include "tenferro/linalg/cpu/factor/triangle.h"

namespace tenferro::linalg::TENFERRO_ISA::factor {
namespace {

template <class R>
inline constexpr R kLargest = sizeof(R) == 8 ? R(1.7976931348623157e308) : R(3.4028235e38f);

// w[i, j] −= Σ_k<j w[i, k]·conj(w[j, k]) for kVectors vectors of rows from i on, k ascending.
template <class R, bool kComplex, int kVectors>
HWY_INLINE void SubtractProducts(const Panel<R, kComplex>& w, int64_t i, int64_t j) {
  const int64_t lanes = LaneCount<R>();
  Lanes<R, kComplex> sum[kVectors];
  for (int v = 0; v < kVectors; ++v) sum[v] = LoadLanes<R, kComplex>(w.column(j) + i + v * lanes, w.imag);
  for (int64_t k = 0; k < j; ++k) {
    const Lanes<R, kComplex> factor = SetLanes<R, kComplex>(Conjugate(w.Get(j, k)));
    for (int v = 0; v < kVectors; ++v) {
      sum[v] = NegMulAdd(LoadLanes<R, kComplex>(w.column(k) + i + v * lanes, w.imag), factor, sum[v]);
    }
  }
  for (int v = 0; v < kVectors; ++v) StoreLanes(sum[v], w.column(j) + i + v * lanes, w.imag);
}

// x − |a|², by parts.
template <class R, bool kComplex>
HWY_INLINE Vector<R> SubtractNorm(const Lanes<R, kComplex>& a, Vector<R> x) {
  x = hn::NegMulAdd(a.re, a.re, x);
  if constexpr (kComplex) x = hn::NegMulAdd(a.im, a.im, x);
  return x;
}

// Factors the lower triangle of a, n <= kLeaf, to l, which may be a, with zeros above the diagonal; 0, or the order of
// the leading minor that is not positive. Numbers from above a's diagonal come into registers beside others, never into
// results. From one root to the next lead a product, a square and the root alone: what is left of the diagonal is kept
// apart, and of column j − 1 the element in row j is scaled once more for it.
template <class R, bool kComplex>
HWY_NOINLINE int64_t FactorLeaf(int64_t n, const Matrix<R, kComplex>& a, const Matrix<R, kComplex>& l) {
  const Tag<R> d;
  const int64_t lanes = LaneCount<R>();
  alignas(64) R data[kLeaf * kLeaf * kParts<kComplex>];
  alignas(64) R diagonal[kLeaf];
  const Panel<R, kComplex> w = {data, kLeaf, kLeaf};
  const int64_t padded = (n + lanes - 1) / lanes * lanes;
  for (int64_t j = 0; j < n; ++j) {
    const int64_t top = j / lanes * lanes;
    Unpack<R, kComplex>(n - top, a.At(top, j), w.column(j) + top, w.imag);
    for (int64_t i = n; i < padded; ++i) w.Set(i, j, {0, 0});
    diagonal[j] = a.At(j, j)[0];
  }
  for (int64_t j = n; j < padded; ++j) diagonal[j] = 0;
  Vector<R> rest = hn::Set(d, diagonal[0]);             // of element (j, j), but for column j − 1
  Vector<R> scale = hn::Zero(d);                        // of column j − 1
  Lanes<R, kComplex> below = ZeroLanes<R, kComplex>();  // its element in row j, not scaled
  for (int64_t j = 0; j < n; ++j) {
    const int64_t top = j / lanes * lanes;
    below.re = hn::Mul(below.re, scale);
    if constexpr (kComplex) below.im = hn::Mul(below.im, scale);
    const Vector<R> pivot = SubtractNorm<R, kComplex>(below, rest);
    const R size = hn::GetLane(pivot);
    if (!(size > 0 && size <= kLargest<R>)) return j + 1;
    const Vector<R> root = hn::Sqrt(pivot), one = hn::Set(d, R{1});
    // 1/√p as √p·(1/p), which are found side by side, unless 1/p could lose bits.
    scale = size > kSmallSize<R> && size < kLargeSize<R> ? hn::Mul(root, hn::Div(one, pivot)) : hn::Div(one, root);

    int64_t i = top;
    for (; i + 4 * lanes <= padded; i += 4 * lanes) SubtractProducts<R, kComplex, 4>(w, i, j);
    for (; i + 2 * lanes <= padded; i += 2 * lanes) SubtractProducts<R, kComplex, 2>(w, i, j);
    for (; i < padded; i += lanes) SubtractProducts<R, kComplex, 1>(w, i, j);
    if (j + 1 < n) {
      below = SetLanes<R, kComplex>(w.Get(j + 1, j));
      rest = hn::Set(d, diagonal[j + 1]);
    }
    const auto above = hn::FirstN(d, static_cast<size_t>(j - top)),
               until = hn::FirstN(d, static_cast<size_t>(j - top + 1));
    for (i = top; i < padded; i += lanes) {
      Lanes<R, kComplex> x = LoadLanes<R, kComplex>(w.column(j) + i, w.imag);
      x.re = hn::Mul(x.re, scale);
      if constexpr (kComplex) x.im = hn::Mul(x.im, scale);
      if (i == top) {
        x.re = hn::IfThenZeroElse(above, hn::IfThenElse(until, root, x.re));
        if constexpr (kComplex) x.im = hn::IfThenZeroElse(until, x.im);
      }
      StoreLanes(x, w.column(j) + i, w.imag);
      hn::Store(SubtractNorm<R, kComplex>(x, hn::Load(d, diagonal + i)), d, diagonal + i);
    }
  }
  for (int64_t j = 0; j < n; ++j) {
    const int64_t top = j / lanes * lanes;
    R* const column = l.At(0, j);
    for (int64_t i = 0; i < top * kParts<kComplex>; i += lanes) hn::StoreU(hn::Zero(d), d, column + i);
    Repack<R, kComplex>(n - top, w.column(j) + top, w.imag, l.At(top, j));
  }
  return 0;
}

// The lower triangle of c −= a·aᴴ, and some of what lies above its diagonal.
template <class R, bool kComplex>
void SubtractSquare(const Products& products, int64_t n, int64_t k, const Matrix<R, kComplex>& a,
                    const Matrix<R, kComplex>& c) {
  constexpr int64_t kWhole = 96;
  if (n <= kWhole) return Multiply(products, n, n, k, a, a.Adjoint(), Term::kSubtract, c);
  const int64_t half = (n / 2 + kLeaf - 1) / kLeaf * kLeaf;
  SubtractSquare(products, half, k, a, c);
  Multiply(products, n - half, half, k, a.From(half, 0), a.Adjoint(), Term::kSubtract, c.From(half, 0));
  SubtractSquare(products, n - half, k, a.From(half, 0), c.From(half, half));
}

template <class R, bool kComplex>
int64_t Factor(const Products& products, int64_t n, const Matrix<R, kComplex>& a) {
  if (n <= kLeaf) return FactorLeaf(n, a, a);
  const int64_t half = (n / 2 + kLeaf - 1) / kLeaf * kLeaf;
  int64_t minor = Factor(products, half, a);
  if (minor != 0) return minor;
  SolveUpperFromRight(products, n - half, half, a.Adjoint(), false, a.From(half, 0));
  SubtractSquare(products, n - half, half, a.From(half, 0), a.From(half, half));
  minor = Factor(products, n - half, a.From(half, half));
  return minor == 0 ? 0 : half + minor;
}

template <class R, bool kComplex>
Ending Fail(int64_t n, const Matrix<R, kComplex>& a, int64_t minor) {
  for (int64_t j = 0; j < n; ++j) {
    if (!IsFinite<R, kComplex>(n - j, 1, a.From(j, j))) return {Outcome::kNotFinite, 0};
  }
  return {Outcome::kNotPositive, minor};
}

}  // namespace

template <class R, bool kComplex>
Ending Cholesky(Isa isa, uint8_t dtype, int64_t n, const R* a_data, R* l_data, Memory memory) {
  const Matrix<R, kComplex> a = {const_cast<R*>(a_data), 1, n}, l = {l_data, 1, n};
  if (n <= kLeaf) {
    const int64_t minor = FactorLeaf(n, a, l);
    return minor == 0 ? Ending{Outcome::kOk, 0} : Fail(n, a, minor);
  }
  Arena arena(memory);
  const Products products = MakeProducts(arena, isa, dtype, n);
  // In place, but for steps between columns that few cache sets would have to hold.
  const bool in_place = !IsCrowded<R, kComplex>(n);
  const Matrix<R, kComplex> work = in_place ? l : NewMatrix<R, kComplex>(arena, n, n);
  const auto copy = [&](const Matrix<R, kComplex>& from, const Matrix<R, kComplex>& to) {
    for (int64_t j = 0; j < n; ++j) {
      memcpy(to.At(j, j), from.At(j, j), static_cast<size_t>((n - j) * kParts<kComplex>) * sizeof(R));
    }
  };
  copy(a, work);
  const int64_t minor = Factor(products, n, work);
  if (minor != 0) return Fail(n, a, minor);
  if (!in_place) copy(work, l);
  for (int64_t j = 0; j < n; ++j) Clear(j, 1, l.From(0, j));
  return {Outcome::kOk, 0};
}

#define TENFERRO_INSTANTIATE(R, kComplex) \
  template Ending Cholesky<R, kComplex>(Isa, uint8_t, int64_t, const R*, R*, Memory);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA::factor
