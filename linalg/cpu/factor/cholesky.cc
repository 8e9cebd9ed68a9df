#include "tenferro/linalg/cpu/factor/isa_kernels.h"
#include "tenferro/linalg/cpu/factor/triangle.h"

namespace tenferro::linalg::TENFERRO_ISA::factor {
namespace {

template <class R>
inline constexpr R kLargest = sizeof(R) == 8 ? R(1.7976931348623157e308) : R(3.4028235e38f);

// w[i, j] −= Σ_k<j w[i, k]·conj(w[j, k]) for kVectors vectors of rows from i on. Several chains of sums go side by side
// where the vectors alone would not keep the multipliers busy.
template <class R, bool kComplex, int kVectors, int kChains>
HWY_INLINE void SubtractProducts(const Panel<R, kComplex>& w, int64_t i, int64_t j) {
  const int64_t lanes = LaneCount<R>();
  Lanes<R, kComplex> sum[kChains][kVectors];
  for (int v = 0; v < kVectors; ++v) sum[0][v] = LoadLanes<R, kComplex>(w.column(j) + i + v * lanes, w.imag);
  for (int c = 1; c < kChains; ++c) {
    for (int v = 0; v < kVectors; ++v) sum[c][v] = ZeroLanes<R, kComplex>();
  }
  const auto subtract = [&](int64_t k, int c) HWY_ATTR {
    const Lanes<R, kComplex> factor = SetLanes<R, kComplex>(Conjugate(w.Get(j, k)));
    for (int v = 0; v < kVectors; ++v) {
      sum[c][v] = NegMulAdd(LoadLanes<R, kComplex>(w.column(k) + i + v * lanes, w.imag), factor, sum[c][v]);
    }
  };
  int64_t k = 0;
  for (; k + kChains <= j; k += kChains) {
    for (int c = 0; c < kChains; ++c) subtract(k + c, c);
  }
  for (; k < j; ++k) subtract(k, 0);
  for (int v = 0; v < kVectors; ++v) {
    for (int c = 1; c < kChains; ++c) {
      sum[0][v].re = hn::Add(sum[0][v].re, sum[c][v].re);
      if constexpr (kComplex) sum[0][v].im = hn::Add(sum[0][v].im, sum[c][v].im);
    }
    StoreLanes(sum[0][v], w.column(j) + i + v * lanes, w.imag);
  }
}

// Factors the lower triangle of a, n <= kLeaf, to l, which may be a; 0, or the order of the leading minor that is not
// positive. Numbers from above a's diagonal come into registers beside others, never into results.
template <class R, bool kComplex>
HWY_NOINLINE int64_t FactorLeaf(int64_t n, const Matrix<R, kComplex>& a, const Matrix<R, kComplex>& l) {
  const int64_t lanes = LaneCount<R>();
  alignas(64) R data[kLeaf * kLeaf * kParts<kComplex>];
  const Panel<R, kComplex> w = {data, kLeaf, kLeaf};
  const int64_t padded = (n + lanes - 1) / lanes * lanes;
  for (int64_t j = 0; j < n; ++j) {
    const int64_t top = j / lanes * lanes;
    Unpack<R, kComplex>(n - top, a.At(top, j), w.column(j) + top, w.imag);
    for (int64_t i = n; i < padded; ++i) w.Set(i, j, {0, 0});
  }
  for (int64_t j = 0; j < n; ++j) {
    const int64_t top = j / lanes * lanes;
    int64_t i = top;
    constexpr int kChains = kComplex ? 1 : 2;
    for (; i + 4 * lanes <= padded; i += 4 * lanes) SubtractProducts<R, kComplex, 4, 1>(w, i, j);
    for (; i + 2 * lanes <= padded; i += 2 * lanes) SubtractProducts<R, kComplex, 2, kChains>(w, i, j);
    for (; i < padded; i += lanes) SubtractProducts<R, kComplex, 1, 2 * kChains>(w, i, j);
    const R pivot = w.Get(j, j).re;
    if (!(pivot > 0 && pivot <= kLargest<R>)) return j + 1;
    const R root = SquareRoot(pivot);
    const Vector<R> scale = hn::Set(Tag<R>(), 1 / root);
    for (i = top; i < padded; i += lanes) {
      Lanes<R, kComplex> x = LoadLanes<R, kComplex>(w.column(j) + i, w.imag);
      x.re = hn::Mul(x.re, scale);
      if constexpr (kComplex) x.im = hn::Mul(x.im, scale);
      StoreLanes(x, w.column(j) + i, w.imag);
    }
    w.Set(j, j, {root, 0});
  }
  for (int64_t j = 0; j < n; ++j) Repack<R, kComplex>(n - j, w.column(j) + j, w.imag, l.At(j, j));
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
    if (!IsFinite<R, kComplex>(n - j, 1, a.From(j, j))) return {End::kNotFinite, 0};
  }
  return {End::kNotPositive, minor};
}

}  // namespace

template <class R, bool kComplex>
Ending Cholesky(Isa isa, uint8_t dtype, int64_t n, const R* a_data, R* l_data, Memory memory) {
  const Matrix<R, kComplex> a = {const_cast<R*>(a_data), 1, n}, l = {l_data, 1, n};
  const auto copy = [&](const Matrix<R, kComplex>& from, const Matrix<R, kComplex>& to) {
    for (int64_t j = 0; j < n; ++j) {
      memcpy(to.At(j, j), from.At(j, j), static_cast<size_t>((n - j) * kParts<kComplex>) * sizeof(R));
      Clear(j, 1, to.From(0, j));
    }
  };
  if (n <= kLeaf) {
    const int64_t minor = FactorLeaf(n, a, l);
    if (minor != 0) return Fail(n, a, minor);
    for (int64_t j = 1; j < n; ++j) {
      R* const column = l.At(0, j);
      for (int64_t i = 0; i < j * kParts<kComplex>; ++i) column[i] = 0;
    }
    return {End::kOk, 0};
  }
  Arena arena(memory);
  const Products products = MakeProducts(arena, isa, dtype, n);
  const Matrix<R, kComplex> work = NewMatrix<R, kComplex>(arena, n, n);
  copy(a, work);
  const int64_t minor = Factor(products, n, work);
  if (minor != 0) return Fail(n, a, minor);
  copy(work, l);
  return {End::kOk, 0};
}

#define TENFERRO_INSTANTIATE(R, kComplex) \
  template Ending Cholesky<R, kComplex>(Isa, uint8_t, int64_t, const R*, R*, Memory);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA::factor
