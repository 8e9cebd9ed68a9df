#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/spectral/hermitian_blocks.h"
#include "tenferro/linalg/cpu/spectral/isa_kernels.h"
#include "tenferro/linalg/cpu/spectral/spectrum.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

// b = L·Lᴴ in place of the lower triangle; zero above. False if b is not positive definite.
template <class R, bool kComplex>
bool Factorize(int64_t n, const Panel<R, kComplex>& b) {
  const int64_t lanes = LaneCount<R>();
  for (int64_t j = 0; j < n; ++j) {
    const int64_t top = j / lanes * lanes;
    R* c = b.column(j);
    if (!(c[j] > 0)) return false;
    CopyScaled<R, kComplex>(R(1 / __builtin_sqrt(c[j])), c + top, b.imag, c + top, b.imag, b.rows - top);
    for (int64_t q = j + 1; q < n; ++q) {
      const Scalar<R> l = b.Get(q, j);
      const int64_t from = q / lanes * lanes;
      AddScaled<R, kComplex>({-l.re, l.im}, c + from, b.imag, b.column(q) + from, b.imag, b.rows - from);
      // The update reached rows of this vector above the diagonal.
      for (int64_t i = from; i < q; ++i) b.Set(i, q, {});
    }
  }
  return true;
}

// x ← L⁻¹·x and x ← L⁻ᴴ·x.
template <class R, bool kComplex>
void SolveLower(int64_t n, const Panel<R, kComplex>& l, const Panel<R, kComplex>& x) {
  const int64_t lanes = LaneCount<R>();
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < n; ++i) {
      const int64_t top = i / lanes * lanes;
      Scalar<R> value = x.Get(i, j);
      const R diagonal = l.column(i)[i];
      value = {value.re / diagonal, value.im / diagonal};
      AddScaled<R, kComplex>({-value.re, -value.im}, l.column(i) + top, l.imag, x.column(j) + top, x.imag,
                             x.rows - top);
      x.Set(i, j, value);
    }
  }
}
template <class R, bool kComplex>
void SolveLowerAdjoint(int64_t n, const Panel<R, kComplex>& l, const Panel<R, kComplex>& x) {
  const int64_t lanes = LaneCount<R>();
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = n - 1; i >= 0; --i) {
      const int64_t top = i / lanes * lanes;
      const Scalar<R> known = x.Get(i, j);
      x.Set(i, j, {});
      const Scalar<R> dot = Dot<R, kComplex>(l.column(i) + top, l.imag, x.column(j) + top, x.imag, x.rows - top);
      const R diagonal = l.column(i)[i];
      x.Set(i, j, {(known.re - dot.re) / diagonal, (known.im - dot.im) / diagonal});
    }
  }
}

template <class R, bool kComplex>
void Adjoint(int64_t n, const Panel<R, kComplex>& from, const Panel<R, kComplex>& to) {
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < n; ++i) {
      const Scalar<R> value = from.Get(j, i);
      to.Set(i, j, {value.re, -value.im});
    }
  }
}

}  // namespace

template <class R, bool kComplex>
Outcome GeneralizedEigh(int64_t n, const R* a, const R* b, R* w, R* x, Memory memory) {
  if (n == 0) return Outcome::kOk;
  constexpr int64_t kParts = kComplex ? 2 : 1;
  Arena arena(memory);
  GemmScratch scratch(arena, sizeof(R), n);
  int32_t* members = arena.Allocate<int32_t>(n);
  for (int64_t i = 0; i < n; ++i) members[i] = static_cast<int32_t>(i);
  int a_exponent = 0, b_exponent = 0;
  Panel<R, kComplex> matrix, factor;
  if (!PackHermitian(arena, n, a, members, n, a_exponent, matrix)) return Outcome::kNotFinite;
  if (!PackHermitian(arena, n, b, members, n, b_exponent, factor)) return Outcome::kNotFinite;
  if (b_exponent % 2 != 0) {
    // An even power has a square root.
    ++b_exponent;
    for (int64_t j = 0; j < n; ++j) {
      CopyScaled<R, kComplex>(R(0.5), factor.column(j), factor.imag, factor.column(j), factor.imag, factor.rows);
    }
  }
  if (!Factorize(n, factor)) return Outcome::kNotPositiveDefinite;
  // C = L⁻¹·A·L⁻ᴴ, by columns and again by the columns of the adjoint.
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = j + 1; i < n; ++i) {
      const Scalar<R> value = matrix.Get(i, j);
      matrix.Set(j, i, {value.re, -value.im});
    }
  }
  SolveLower(n, factor, matrix);
  const Panel<R, kComplex> reduced = NewPanel<R, kComplex>(arena, n, n);
  Adjoint(n, matrix, reduced);
  SolveLower(n, factor, reduced);
  R largest = 0;
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < j; ++i) reduced.Set(i, j, {});
    if constexpr (kComplex) reduced.column(j)[j + reduced.imag] = 0;
    for (int64_t i = j; i < n; ++i) {
      const Scalar<R> value = reduced.Get(i, j);
      largest = __builtin_fmax(largest, __builtin_fmax(__builtin_fabs(value.re), __builtin_fabs(value.im)));
    }
  }
  // An ill-conditioned B makes C large.
  int exponent = 0;
  if (largest > 0) exponent = __builtin_ilogb(largest) + 1;
  if (!(largest - largest == 0)) return Outcome::kNotPositiveDefinite;
  const R scale = R(__builtin_ldexp(1, -exponent));
  for (int64_t j = 0; j < n; ++j) {
    CopyScaled<R, kComplex>(scale, reduced.column(j), reduced.imag, reduced.column(j), reduced.imag, reduced.rows);
  }
  Spectrum<R, kComplex> spectrum;
  if (!FindSpectrum(arena, scratch, n, reduced, true, spectrum)) return Outcome::kNotConverged;
  SolveLowerAdjoint(n, factor, spectrum.vectors);
  for (int64_t j = 0; j < n; ++j) {
    const int64_t from = spectrum.order[j];
    w[j] = R(__builtin_ldexp(spectrum.values[from], exponent + a_exponent - b_exponent));
    const double back = __builtin_ldexp(1, -b_exponent / 2);
    for (int64_t i = 0; i < n; ++i) {
      const Scalar<R> value = spectrum.vectors.Get(i, from);
      R* out = x + (i + j * n) * kParts;
      out[0] = R(value.re * back);
      if constexpr (kComplex) out[1] = R(value.im * back);
    }
  }
  return Outcome::kOk;
}

#define TENFERRO_INSTANTIATE(R, kComplex) \
  template Outcome GeneralizedEigh<R, kComplex>(int64_t, const R*, const R*, R*, R*, Memory);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
