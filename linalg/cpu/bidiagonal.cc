#include "tenferro/linalg/cpu/bidiagonal.h"

#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/householder.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

// Columns of one pass: their factors and sums fit the registers.
template <bool kComplex>
inline constexpr int kMaxColumns = kManyRegisters && !kComplex ? 8 : 4;

template <int kValue>
struct Count {
  static constexpr int value = kValue;
};

// For kCount neighbouring columns c of a: a_c −= v·conj(y_c) + z·conj(w_c), and sums vᴴ_next·a_c of the result.
template <class R, bool kComplex, int kCount>
HWY_INLINE void UpdateColumns(const R* v, int64_t v_imag, const R* z, int64_t z_imag, const R* next, int64_t next_imag,
                              const Scalar<R>* y, const Scalar<R>* w, R* a, int64_t a_stride, int64_t a_imag,
                              int64_t top, int64_t rows, Scalar<R>* dot) {
  const int64_t lanes = LaneCount<R>();
  Lanes<R, kComplex> sum[kCount], along_v[kCount], along_z[kCount];
  for (int c = 0; c < kCount; ++c) {
    sum[c] = ZeroLanes<R, kComplex>();
    along_v[c] = SetLanes<R, kComplex>({y[c].re, -y[c].im});
    along_z[c] = SetLanes<R, kComplex>({w[c].re, -w[c].im});
  }
  for (int64_t i = top; i < rows; i += lanes) {
    const Lanes<R, kComplex> vi = LoadLanes<R, kComplex>(v + i, v_imag), zi = LoadLanes<R, kComplex>(z + i, z_imag);
    const Lanes<R, kComplex> xi = LoadLanes<R, kComplex>(next + i, next_imag);
    for (int c = 0; c < kCount; ++c) {
      R* p = a + c * a_stride + i;
      const Lanes<R, kComplex> value =
          NegMulAdd(zi, along_z[c], NegMulAdd(vi, along_v[c], LoadLanes<R, kComplex>(p, a_imag)));
      StoreLanes(value, p, a_imag);
      sum[c] = ConjMulAdd(xi, value, sum[c]);
    }
  }
  for (int c = 0; c < kCount; ++c) dot[c] = SumLanes(sum[c]);
}

// z += Σ_c a_c·factor_c for kCount neighbouring columns.
template <class R, bool kComplex, int kCount>
HWY_INLINE void AddColumns(const R* a, int64_t a_stride, int64_t a_imag, const Scalar<R>* factor, R* z, int64_t z_imag,
                           int64_t top, int64_t rows) {
  const int64_t lanes = LaneCount<R>();
  Lanes<R, kComplex> f[kCount];
  for (int q = 0; q < kCount; ++q) f[q] = SetLanes<R, kComplex>(factor[q]);
  for (int64_t i = top; i < rows; i += lanes) {
    Lanes<R, kComplex> sum = LoadLanes<R, kComplex>(z + i, z_imag);
    for (int q = 0; q < kCount; ++q) sum = MulAdd(LoadLanes<R, kComplex>(a + q * a_stride + i, a_imag), f[q], sum);
    StoreLanes(sum, z + i, z_imag);
  }
}

template <class R>
Scalar<R> Product(Scalar<R> a, Scalar<R> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// x/|x|, or 1; the length goes to `size`.
template <class R>
Scalar<R> Phase(Scalar<R> x, double& size) {
  size = __builtin_sqrt(double(x.re) * x.re + double(x.im) * x.im);
  if (!(size > 0)) return {1, 0};
  return {R(x.re / size), R(x.im / size)};
}

}  // namespace

template <class R, bool kComplex>
Bidiagonal<R, kComplex> Bidiagonalize(Arena& arena, int64_t m, int64_t n, const Panel<R, kComplex>& a) {
  const int64_t lanes = LaneCount<R>();
  const Panel<R, kComplex> left = NewPanel<R, kComplex>(arena, m, n);
  const Panel<R, kComplex> right = NewPanel<R, kComplex>(arena, n, n);
  Panel<R, kComplex> z = NewPanel<R, kComplex>(arena, m, 1), next_z = NewPanel<R, kComplex>(arena, m, 1);
  R* left_tau = arena.AllocateZeroed<R>(n);
  R* right_tau = arena.AllocateZeroed<R>(n);
  Scalar<R>* diagonal = arena.Allocate<Scalar<R>>(n);
  Scalar<R>* above = arena.Allocate<Scalar<R>>(n);
  Scalar<R>* y = arena.AllocateZeroed<Scalar<R>>(n);
  Scalar<R>* w = arena.AllocateZeroed<Scalar<R>>(n);
  Scalar<R>* row = arena.AllocateZeroed<Scalar<R>>(n);
  // Step j: column j of a is brought up to date, cleared below the diagonal by the left reflection; then one pass over
  // the columns behind it applies the reflections of step j − 1, a −= v·yᴴ + z·wᴴ, and prepares those of step j: with a
  // column's y known, so is its entry of the row to reflect from the right, and what it adds to z.
  for (int64_t j = 0; j < n; ++j) {
    const int64_t top = j / lanes * lanes;
    const R* v_before = j > 0 ? left.column(j - 1) : left.column(0);
    if (j > 0) {
      R* c = a.column(j);
      AddScaled<R, kComplex>({-y[j].re, y[j].im}, v_before, left.imag, c, a.imag, a.rows);
      AddScaled<R, kComplex>({-w[j].re, w[j].im}, z.data, z.imag, c, a.imag, a.rows);
    }
    R* x = left.column(j);
    CopyScaled<R, kComplex>(R{1}, a.column(j) + top, a.imag, x + top, left.imag, left.rows - top);
    for (int64_t i = top; i < j; ++i) left.Set(i, j, {});
    const Reflection<R> left_reflection = MakeReflection(left, j, j);
    left_tau[j] = left_reflection.tau;
    // A column too small for a reflection counts as zero, and its diagonal entry with it.
    diagonal[j] = left_reflection.result;
    if (j + 1 == n) break;

    Scalar<R> dot[kMaxColumns<kComplex>];
    int64_t c = j + 1;
    const Scalar<R> x_j = left.Get(j, j);
    ClearColumn<R, kComplex>(next_z.data, next_z.imag, next_z.rows);
    const auto pass = [&](auto count) {
      constexpr int kCount = decltype(count)::value;
      UpdateColumns<R, kComplex, kCount>(v_before, left.imag, z.data, z.imag, x, left.imag, y + c, w + c, a.column(c),
                                         a.stride(), a.imag, top, a.rows, dot);
      // y = tau·aᴴ·x and row j of a − x·yᴴ, conjugated.
      for (int q = 0; q < kCount; ++q) {
        y[c + q] = {left_reflection.tau * dot[q].re, -left_reflection.tau * dot[q].im};
        const Scalar<R> entry = a.Get(j, c + q);
        const Scalar<R> change = Product(x_j, Scalar<R>{y[c + q].re, -y[c + q].im});
        row[c + q] = {entry.re - change.re, change.im - entry.im};
        right.Set(c + q, j, row[c + q]);
      }
      AddColumns<R, kComplex, kCount>(a.column(c), a.stride(), a.imag, row + c, next_z.data, next_z.imag, top, a.rows);
      c += kCount;
    };
    while (c + kMaxColumns<kComplex> <= n) pass(Count<kMaxColumns<kComplex>>());
    while (c + 2 <= n) pass(Count<2>());
    while (c < n) pass(Count<1>());
    const Reflection<R> right_reflection = MakeReflection(right, j, j + 1);
    right_tau[j] = right_reflection.tau;
    above[j] = {right_reflection.result.re, -right_reflection.result.im};
    // z = tau·(a − x·yᴴ)·w, where w is the row but for its first entry.
    Scalar<R> y_w = {0, 0};
    for (int64_t q = j + 1; q < n; ++q) {
      w[q] = right.Get(q, j);
      const Scalar<R> term = Product(Scalar<R>{y[q].re, -y[q].im}, w[q]);
      y_w.re += term.re;
      y_w.im += term.im;
    }
    const Scalar<R> lead = {w[j + 1].re - row[j + 1].re, w[j + 1].im - row[j + 1].im};
    AddScaled<R, kComplex>(lead, a.column(j + 1) + top, a.imag, next_z.data + top, next_z.imag, z.rows - top);
    AddScaled<R, kComplex>({-y_w.re, -y_w.im}, x + top, left.imag, next_z.data + top, next_z.imag, z.rows - top);
    CopyScaled<R, kComplex>(right_reflection.tau, next_z.data, next_z.imag, z.data, z.imag, z.rows);
  }
  Bidiagonal<R, kComplex> result;
  result.left = {left, left_tau, 0, n};
  result.right = {right, right_tau, 1, n - 1};
  result.d = arena.AllocateZeroed<double>(n);
  result.e = arena.AllocateZeroed<double>(n);
  result.left_phase = arena.Allocate<Scalar<R>>(n);
  result.right_phase = arena.Allocate<Scalar<R>>(n);
  // Unit factors of the columns of u and v make the bidiagonal real.
  Scalar<R> v_phase = {1, 0};
  for (int64_t j = 0; j < n; ++j) {
    result.right_phase[j] = v_phase;
    const Scalar<R> u_phase = Phase(Product(diagonal[j], v_phase), result.d[j]);
    result.left_phase[j] = u_phase;
    if (j + 1 == n) break;
    const Scalar<R> phase = Phase(Product(Scalar<R>{u_phase.re, -u_phase.im}, above[j]), result.e[j]);
    v_phase = {phase.re, -phase.im};
  }
  return result;
}

#define TENFERRO_INSTANTIATE(R, kComplex) \
  template Bidiagonal<R, kComplex> Bidiagonalize(Arena&, int64_t, int64_t, const Panel<R, kComplex>&);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
