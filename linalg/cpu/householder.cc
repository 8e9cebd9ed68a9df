#include "tenferro/linalg/cpu/householder.h"

#include "tenferro/linalg/cpu/column.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

// c −= v·(tau·vᴴc) for kCount neighbouring columns c; v is zero above `top`, a multiple of the vector length.
template <class R, bool kComplex, int kCount>
HWY_INLINE void ReflectColumns(const R* v, int64_t v_imag, R tau, R* c, int64_t c_stride, int64_t c_imag, int64_t top,
                               int64_t rows) {
  const int64_t lanes = LaneCount<R>();
  Lanes<R, kComplex> sum[kCount];
  for (int j = 0; j < kCount; ++j) sum[j] = ZeroLanes<R, kComplex>();
  for (int64_t i = top; i < rows; i += lanes) {
    const Lanes<R, kComplex> x = LoadLanes<R, kComplex>(v + i, v_imag);
    for (int j = 0; j < kCount; ++j) {
      sum[j] = ConjMulAdd(x, LoadLanes<R, kComplex>(c + j * c_stride + i, c_imag), sum[j]);
    }
  }
  for (int j = 0; j < kCount; ++j) {
    Scalar<R> w = SumLanes(sum[j]);
    w.re *= tau;
    w.im *= tau;
    sum[j] = SetLanes<R, kComplex>(w);
  }
  for (int64_t i = top; i < rows; i += lanes) {
    const Lanes<R, kComplex> x = LoadLanes<R, kComplex>(v + i, v_imag);
    for (int j = 0; j < kCount; ++j) {
      R* p = c + j * c_stride + i;
      StoreLanes(NegMulAdd(x, sum[j], LoadLanes<R, kComplex>(p, c_imag)), p, c_imag);
    }
  }
}

}  // namespace

template <class R, bool kComplex>
void Reflect(const R* v, int64_t v_imag, R tau, const Panel<R, kComplex>& c, int64_t columns, int64_t top) {
  ForColumnGroups<kComplex>(columns, [&]<int kCount>(int64_t j) {
    ReflectColumns<R, kComplex, kCount>(v, v_imag, tau, c.column(j), c.stride(), c.imag, top, c.rows);
  });
}

template <class R, bool kComplex>
Reflection<R> MakeReflection(const Panel<R, kComplex>& v, int64_t j, int64_t lead) {
  const int64_t top = lead / LaneCount<R>() * LaneCount<R>();
  Reflection<R> reflection;
  const R norm = __builtin_sqrt(SquaredNorm<R, kComplex>(v.column(j) + top, v.imag, v.rows - top));
  if (!(norm > kNegligible<R>)) return reflection;
  // I − tau·v·vᴴ is Hermitian with a real tau when v adds the norm with the phase of the leading entry to that entry.
  const Scalar<R> x = v.Get(lead, j);
  const R size = kComplex ? R(__builtin_sqrt(x.re * x.re + x.im * x.im)) : R(__builtin_fabs(x.re));
  Scalar<R> phase = {1, 0};
  if (size > 0) phase = {x.re / size, x.im / size};
  reflection.tau = 1 / (norm * (norm + size));
  reflection.result = {-phase.re * norm, -phase.im * norm};
  v.Set(lead, j, {x.re - reflection.result.re, x.im - reflection.result.im});
  return reflection;
}

template <class R, bool kComplex>
void FormOrthonormal(const Panel<R, kComplex>& reflectors, const R* tau, int64_t offset, int64_t columns,
                     const Panel<R, kComplex>& out) {
  for (int64_t j = columns - 1; j >= 0; --j) {
    R* c = out.column(j);
    ClearColumn<R, kComplex>(c, out.imag, out.rows);
    c[j] = 1;
    const int64_t number = j - offset;
    if (number < 0 || tau[number] == 0) continue;
    const R* v = reflectors.column(number);
    const int64_t top = j / LaneCount<R>() * LaneCount<R>();
    Reflect(v, reflectors.imag, tau[number], out.From(j + 1), columns - j - 1, top);
    // Column j of the reflection: e_j − tau·v·conj(v_j).
    const Scalar<R> lead = reflectors.Get(j, number);
    AddScaled<R, kComplex>({-tau[number] * lead.re, tau[number] * lead.im}, v + top, reflectors.imag, c + top, out.imag,
                           out.rows - top);
  }
}

template <class R, bool kComplex>
void QrInPlace(const Panel<R, kComplex>& y, int64_t columns, const Panel<R, kComplex>& r,
               const Panel<R, kComplex>& reflectors) {
  const int64_t lanes = LaneCount<R>();
  Panel<R, kComplex> vectors = reflectors;
  vectors.rows = y.rows;
  R* tau = reflectors.column(columns);
  for (int64_t j = 0; j < columns; ++j) {
    const int64_t top = j / lanes * lanes;
    for (int64_t i = 0; i < j; ++i) r.Set(i, j, y.Get(i, j));
    for (int64_t i = j + 1; i < columns; ++i) r.Set(i, j, {});
    R* v = vectors.column(j);
    CopyScaled<R, kComplex>(R{1}, y.column(j) + top, y.imag, v + top, vectors.imag, y.rows - top);
    for (int64_t i = top; i < j; ++i) vectors.Set(i, j, {});
    const Reflection<R> reflection = MakeReflection(vectors, j, j);
    r.Set(j, j, reflection.result);
    if (reflection.tau > 0) {
      Reflect(v, vectors.imag, reflection.tau, y.From(j + 1), columns - j - 1, top);
    }
    tau[j] = reflection.tau;
  }
  FormOrthonormal(vectors, tau, 0, columns, y);
}

template <class R, bool kComplex>
void CompleteOrthonormal(Arena& arena, int64_t m, const Panel<R, kComplex>& q, int64_t first, int64_t last) {
  if (first >= last) return;
  // covered[i] = |projection of unit vector i on the columns so far|²; the least covered one leaves the most.
  R* covered = arena.AllocateZeroed<R>(m);
  for (int64_t j = 0; j < last; ++j) {
    R* c = q.column(j);
    if (j >= first) {
      int64_t best = 0;
      for (int64_t i = 1; i < m; ++i) {
        if (covered[i] < covered[best]) best = i;
      }
      ClearColumn<R, kComplex>(c, q.imag, q.rows);
      c[best] = 1;
      // After one pass the rest may be as small as 1/√m of the start, and its error that much larger.
      for (int pass = 0; pass < 3; ++pass) {
        for (int64_t l = 0; l < j; ++l) {
          const Scalar<R> x = Dot<R, kComplex>(q.column(l), q.imag, c, q.imag, q.rows);
          AddScaled<R, kComplex>({-x.re, -x.im}, q.column(l), q.imag, c, q.imag, q.rows);
        }
        const R norm = __builtin_sqrt(SquaredNorm<R, kComplex>(c, q.imag, q.rows));
        CopyScaled<R, kComplex>(1 / norm, c, q.imag, c, q.imag, q.rows);
      }
    }
    for (int64_t i = 0; i < m; ++i) {
      const Scalar<R> x = q.Get(i, j);
      covered[i] += x.re * x.re + x.im * x.im;
    }
  }
}

#define TENFERRO_INSTANTIATE(R, kComplex)                                                                            \
  template Reflection<R> MakeReflection(const Panel<R, kComplex>&, int64_t, int64_t);                                \
  template void Reflect(const R*, int64_t, R, const Panel<R, kComplex>&, int64_t, int64_t);                          \
  template void FormOrthonormal(const Panel<R, kComplex>&, const R*, int64_t, int64_t, const Panel<R, kComplex>&);   \
  template void QrInPlace(const Panel<R, kComplex>&, int64_t, const Panel<R, kComplex>&, const Panel<R, kComplex>&); \
  template void CompleteOrthonormal(Arena&, int64_t, const Panel<R, kComplex>&, int64_t, int64_t);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
