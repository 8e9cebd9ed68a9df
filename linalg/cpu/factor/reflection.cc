#include "tenferro/linalg/cpu/factor/reflection.h"

#include "tenferro/linalg/cpu/column.h"

namespace tenferro::linalg::TENFERRO_ISA::factor {
namespace {

template <class R, bool kComplex, int kCount>
HWY_INLINE void ReflectColumns(const R* v, int64_t v_imag, Scalar<R> tau, R* c, int64_t c_step, int64_t c_imag,
                               int64_t top, int64_t rows) {
  const int64_t lanes = LaneCount<R>();
  Lanes<R, kComplex> sum[kCount];
  for (int j = 0; j < kCount; ++j) sum[j] = ZeroLanes<R, kComplex>();
  for (int64_t i = top; i < rows; i += lanes) {
    const Lanes<R, kComplex> x = LoadLanes<R, kComplex>(v + i, v_imag);
    for (int j = 0; j < kCount; ++j) {
      sum[j] = ConjMulAdd(x, LoadLanes<R, kComplex>(c + j * c_step + i, c_imag), sum[j]);
    }
  }
  for (int j = 0; j < kCount; ++j) sum[j] = SetLanes<R, kComplex>(Times(tau, SumLanes(sum[j])));
  for (int64_t i = top; i < rows; i += lanes) {
    const Lanes<R, kComplex> x = LoadLanes<R, kComplex>(v + i, v_imag);
    for (int j = 0; j < kCount; ++j) {
      R* p = c + j * c_step + i;
      StoreLanes(NegMulAdd(x, sum[j], LoadLanes<R, kComplex>(p, c_imag)), p, c_imag);
    }
  }
}

// The norm of rows from `begin` on, of a column scaled so that its largest part is about 1.
template <class R, bool kComplex>
HWY_NOINLINE R ScaledNorm(const R* a, int64_t imag, int64_t begin, int64_t rows) {
  R largest = 0;
  for (int part = 0; part < (kComplex ? 2 : 1); ++part) {
    for (int64_t i = begin; i < rows; ++i) {
      const R x = Absolute(a[i + part * imag]);
      largest = x > largest ? x : largest;
    }
  }
  if (!(largest > 0)) return largest;
  R sum = 0;
  for (int part = 0; part < (kComplex ? 2 : 1); ++part) {
    for (int64_t i = begin; i < rows; ++i) {
      const R x = a[i + part * imag] / largest;
      sum += x * x;
    }
  }
  return largest * SquareRoot(sum);
}

}  // namespace

template <class R, bool kComplex>
R Norm(const Panel<R, kComplex>& a, int64_t j, int64_t begin) {
  const R* column = a.column(j);
  const int64_t lanes = LaneCount<R>();
  const int64_t top = (begin + lanes - 1) / lanes * lanes;
  R sum = top < a.rows ? SquaredNorm<R, kComplex>(column + top, a.imag, a.rows - top) : R{0};
  for (int64_t i = begin; i < top && i < a.rows; ++i) {
    const Scalar<R> x = a.Get(i, j);
    sum += x.re * x.re + x.im * x.im;
  }
  constexpr R kSmall = sizeof(R) == 8 ? R(1e-270) : R(1e-24f), kLarge = sizeof(R) == 8 ? R(1e300) : R(1e36f);
  if (sum > kSmall && sum < kLarge) return SquareRoot(sum);
  return ScaledNorm<R, kComplex>(column, a.imag, begin, a.rows);
}

template <class R, bool kComplex>
Scalar<R> MakeReflector(const Panel<R, kComplex>& a, int64_t j, int64_t lead, const Panel<R, kComplex>& v) {
  const int64_t lanes = LaneCount<R>(), top = lead / lanes * lanes;
  Panel<R, kComplex> from = a;
  Scalar<R> alpha = a.Get(lead, j);
  R below = Norm(a, j, lead + 1), scale = 1;
  R* const to = v.column(j);
  if (below == 0 && alpha.im == 0) {
    ClearColumn<R, kComplex>(to, v.imag, a.rows);
    return {0, 0};
  }
  // |(α, the norm below)| as the modulus of a complex number.
  R size = Modulus<R, true>({Modulus<R, kComplex>(alpha), below});
  // What follows rank deficiency shrinks by eps from column to column. Near the smallest numbers it has too few digits
  // for a vector that matches its tau.
  constexpr R kFewDigits = sizeof(R) == 8 ? R(0x1p-960) : R(0x1p-96f), kUp = sizeof(R) == 8 ? R(0x1p600) : R(0x1p80f);
  if (size < kFewDigits) {
    for (int64_t i = top; i < a.rows; ++i) {
      const Scalar<R> x = a.Get(i, j);
      v.Set(i, j, {x.re * kUp, x.im * kUp});
    }
    from = {v.data, a.rows, v.imag};
    scale = kUp;
    alpha = v.Get(lead, j);
    below = Norm(from, j, lead + 1);
    size = Modulus<R, true>({Modulus<R, kComplex>(alpha), below});
  }
  const R beta = alpha.re >= 0 ? -size : size;
  const Scalar<R> tau = {(beta - alpha.re) / beta, -alpha.im / beta};
  const Scalar<R> start = {alpha.re - beta, alpha.im};
  ClearColumn<R, kComplex>(to, v.imag, top);
  if (HasReciprocal(start)) {
    const Lanes<R, kComplex> factor = SetLanes<R, kComplex>(Quotient<R, kComplex>({1, 0}, start));
    for (int64_t i = top; i < a.rows; i += lanes) {
      StoreLanes(MulAdd(LoadLanes<R, kComplex>(from.column(j) + i, from.imag), factor, ZeroLanes<R, kComplex>()),
                 to + i, v.imag);
    }
  } else {
    for (int64_t i = top; i < a.rows; ++i) v.Set(i, j, Quotient<R, kComplex>(from.Get(i, j), start));
  }
  for (int64_t i = top; i < lead; ++i) v.Set(i, j, {0, 0});
  v.Set(lead, j, {1, 0});
  a.Set(lead, j, {beta / scale, 0});
  return tau;
}

template <class R, bool kComplex>
void Reflect(const Panel<R, kComplex>& vectors, int64_t number, int64_t lead, Scalar<R> tau,
             const Panel<R, kComplex>& c, int64_t columns) {
  if (tau.re == 0 && tau.im == 0) return;
  const R* v = vectors.column(number);
  const int64_t imag = vectors.imag, top = lead / LaneCount<R>() * LaneCount<R>();
  ForColumnGroups<kComplex>(columns, [&]<int kCount>(int64_t j) {
    ReflectColumns<R, kComplex, kCount>(v, imag, tau, c.column(j), c.stride(), c.imag, top, c.rows);
  });
}

template <class R, bool kComplex>
void FormProduct(const Panel<R, kComplex>& vectors, const Scalar<R>* tau, int64_t k, int64_t columns,
                 const Panel<R, kComplex>& q) {
  for (int64_t j = 0; j < columns; ++j) {
    ClearColumn<R, kComplex>(q.column(j), q.imag, q.rows);
    q.Set(j, j, {1, 0});
  }
  for (int64_t j = (k < columns ? k : columns) - 1; j >= 0; --j) {
    Reflect(vectors, j, j, tau[j], q.From(j), columns - j);
  }
}

#define TENFERRO_INSTANTIATE(R, kComplex)                                                                            \
  template R Norm(const Panel<R, kComplex>&, int64_t, int64_t);                                                      \
  template Scalar<R> MakeReflector(const Panel<R, kComplex>&, int64_t, int64_t, const Panel<R, kComplex>&);          \
  template void Reflect(const Panel<R, kComplex>&, int64_t, int64_t, Scalar<R>, const Panel<R, kComplex>&, int64_t); \
  template void FormProduct(const Panel<R, kComplex>&, const Scalar<R>*, int64_t, int64_t, const Panel<R, kComplex>&);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA::factor
