#include "tenferro/linalg/cpu/bidiagonal.h"
#include "tenferro/linalg/cpu/column.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

double Absolute(double x) { return __builtin_fabs(x); }
double Larger(double a, double b) { return a > b ? a : b; }
double SmallerOf(double a, double b) { return a < b ? a : b; }

struct Rotation {
  double c;
  double s;
};

// (c, s) with c·f + s·g = r, −s·f + c·g = 0.
Rotation MakeRotation(double f, double g, double& r) {
  if (g == 0) {
    r = f;
    return {1, 0};
  }
  if (f == 0) {
    r = g;
    return {0, 1};
  }
  // Entries are of order 1; where squares vanish the scaled form takes over.
  double scale = 1;
  if (f * f + g * g < 1e-280) {
    scale = Larger(Absolute(f), Absolute(g));
    f /= scale;
    g /= scale;
  }
  const double length = __builtin_sqrt(f * f + g * g);
  const double signed_length = f < 0 ? -length : length;
  r = signed_length * scale;
  return {f / signed_length, g / signed_length};
}

// The smaller singular value of [f g; 0 h].
double SmallerSingularValue(double f, double g, double h) {
  f = Absolute(f);
  g = Absolute(g);
  h = Absolute(h);
  const double low = SmallerOf(f, h), high = Larger(f, h);
  if (low == 0) return 0;
  if (g < high) {
    const double a = 1 + low / high, b = (high - low) / high, t = (g / high) * (g / high);
    return low * (2 / (__builtin_sqrt(a * a + t) + __builtin_sqrt(b * b + t)));
  }
  const double t = high / g;
  if (t == 0) return low * high / g;
  const double a = (1 + low / high) * t, b = ((high - low) / high) * t;
  return 2 * (low * t / (__builtin_sqrt(1 + a * a) + __builtin_sqrt(1 + b * b)));
}

// Applies rotation j to columns j and j + 1, for j = first … last − 1 upwards or downwards:
// (x, y) ← (c·x + s·y, c·y − s·x).
template <class R, int kVectors>
HWY_INLINE void RotateRows(R* p, int64_t stride, int64_t first, int64_t last, const Rotation* rotation, bool upwards) {
  const Tag<R> d;
  const int64_t lanes = LaneCount<R>();
  Vector<R> carry[kVectors];
  R* start = p + (upwards ? first : last) * stride;
  for (int i = 0; i < kVectors; ++i) carry[i] = hn::LoadU(d, start + i * lanes);
  if (upwards) {
    for (int64_t j = first; j < last; ++j) {
      const Vector<R> c = hn::Set(d, R(rotation[j].c)), s = hn::Set(d, R(rotation[j].s));
      R* x = p + j * stride;
      for (int i = 0; i < kVectors; ++i) {
        const Vector<R> y = hn::LoadU(d, x + stride + i * lanes);
        hn::StoreU(hn::MulAdd(s, y, hn::Mul(c, carry[i])), d, x + i * lanes);
        carry[i] = hn::MulSub(c, y, hn::Mul(s, carry[i]));
      }
    }
  } else {
    for (int64_t j = last - 1; j >= first; --j) {
      const Vector<R> c = hn::Set(d, R(rotation[j].c)), s = hn::Set(d, R(rotation[j].s));
      R* x = p + j * stride;
      for (int i = 0; i < kVectors; ++i) {
        const Vector<R> value = hn::LoadU(d, x + i * lanes);
        hn::StoreU(hn::MulSub(c, carry[i], hn::Mul(s, value)), d, x + stride + i * lanes);
        carry[i] = hn::MulAdd(s, carry[i], hn::Mul(c, value));
      }
    }
  }
  R* end = p + (upwards ? last : first) * stride;
  for (int i = 0; i < kVectors; ++i) hn::StoreU(carry[i], d, end + i * lanes);
}

template <class R, bool kComplex>
void RotateColumns(const Panel<R, kComplex>& a, int64_t first, int64_t last, const Rotation* rotation, bool upwards) {
  constexpr int kVectors = 4;
  const int64_t lanes = LaneCount<R>();
  for (int part = 0; part < (kComplex ? 2 : 1); ++part) {
    R* p = a.data + part * a.imag;
    int64_t i = 0;
    for (; i + kVectors * lanes <= a.rows; i += kVectors * lanes) {
      RotateRows<R, kVectors>(p + i, a.stride(), first, last, rotation, upwards);
    }
    for (; i < a.rows; i += lanes) RotateRows<R, 1>(p + i, a.stride(), first, last, rotation, upwards);
  }
}

// One sweep over rows first … last of the bidiagonal; rotation j of `right` acts on columns j, j + 1, of `left` on
// rows.
void SweepDown(double* d, double* e, int64_t first, int64_t last, double shift, Rotation* left, Rotation* right) {
  if (shift == 0) {
    double c = 1, old_c = 1, old_s = 0, r;
    for (int64_t i = first; i < last; ++i) {
      right[i] = MakeRotation(d[i] * c, e[i], r);
      c = right[i].c;
      if (i > first) e[i - 1] = old_s * r;
      left[i] = MakeRotation(old_c * r, d[i + 1] * right[i].s, d[i]);
      old_c = left[i].c;
      old_s = left[i].s;
    }
    const double h = d[last] * c;
    d[last] = h * old_c;
    e[last - 1] = h * old_s;
    return;
  }
  double f = (Absolute(d[first]) - shift) * ((d[first] < 0 ? -1 : 1) + shift / d[first]), g = e[first], r;
  for (int64_t i = first; i < last; ++i) {
    const Rotation a = right[i] = MakeRotation(f, g, r);
    if (i > first) e[i - 1] = r;
    f = a.c * d[i] + a.s * e[i];
    e[i] = a.c * e[i] - a.s * d[i];
    g = a.s * d[i + 1];
    d[i + 1] = a.c * d[i + 1];
    const Rotation b = left[i] = MakeRotation(f, g, d[i]);
    f = b.c * e[i] + b.s * d[i + 1];
    d[i + 1] = b.c * d[i + 1] - b.s * e[i];
    if (i + 1 < last) {
      g = b.s * e[i + 1];
      e[i + 1] = b.c * e[i + 1];
    }
  }
  e[last - 1] = f;
}

// The same from the bottom: rotation j is to be applied after rotation j + 1.
void SweepUp(double* d, double* e, int64_t first, int64_t last, double shift, Rotation* left, Rotation* right) {
  if (shift == 0) {
    double c = 1, old_c = 1, old_s = 0, r;
    for (int64_t i = last; i > first; --i) {
      const Rotation a = MakeRotation(d[i] * c, e[i - 1], r);
      c = a.c;
      if (i < last) e[i] = old_s * r;
      const Rotation b = MakeRotation(old_c * r, d[i - 1] * a.s, d[i]);
      old_c = b.c;
      old_s = b.s;
      left[i - 1] = {a.c, -a.s};
      right[i - 1] = {b.c, -b.s};
    }
    const double h = d[first] * c;
    d[first] = h * old_c;
    e[first] = h * old_s;
    return;
  }
  double f = (Absolute(d[last]) - shift) * ((d[last] < 0 ? -1 : 1) + shift / d[last]), g = e[last - 1], r;
  for (int64_t i = last; i > first; --i) {
    const Rotation a = MakeRotation(f, g, r);
    if (i < last) e[i] = r;
    f = a.c * d[i] + a.s * e[i - 1];
    e[i - 1] = a.c * e[i - 1] - a.s * d[i];
    g = a.s * d[i - 1];
    d[i - 1] = a.c * d[i - 1];
    const Rotation b = MakeRotation(f, g, d[i]);
    f = b.c * e[i - 1] + b.s * d[i - 1];
    d[i - 1] = b.c * d[i - 1] - b.s * e[i - 1];
    if (i - 1 > first) {
      g = b.s * e[i - 2];
      e[i - 2] = b.c * e[i - 2];
    }
    left[i - 1] = {a.c, -a.s};
    right[i - 1] = {b.c, -b.s};
  }
  e[first] = f;
}

// Sets to zero an off-diagonal entry of rows first … last that no longer matters to high relative accuracy; true if it
// found one. `least` becomes a lower bound of the block's singular values.
bool Deflate(const double* d, double* e, int64_t first, int64_t last, bool downwards, double tolerance, double& least) {
  double& at_end = downwards ? e[last - 1] : e[first];
  if (Absolute(at_end) <= tolerance * Absolute(downwards ? d[last] : d[first])) {
    at_end = 0;
    return true;
  }
  double mu = least = Absolute(downwards ? d[first] : d[last]);
  for (int64_t step = 0; step < last - first; ++step) {
    const int64_t i = downwards ? first + step : last - 1 - step;
    if (Absolute(e[i]) <= tolerance * mu) {
      e[i] = 0;
      return true;
    }
    mu = Absolute(downwards ? d[i + 1] : d[i]) * (mu / (mu + Absolute(e[i])));
    least = SmallerOf(least, mu);
  }
  return false;
}

template <class R, bool kComplex>
void SwapColumns(const Panel<R, kComplex>& a, int64_t i, int64_t j) {
  const int64_t lanes = LaneCount<R>();
  for (int64_t r = 0; r < a.rows; r += lanes) {
    const Lanes<R, kComplex> x = LoadLanes<R, kComplex>(a.column(i) + r, a.imag);
    StoreLanes(LoadLanes<R, kComplex>(a.column(j) + r, a.imag), a.column(i) + r, a.imag);
    StoreLanes(x, a.column(j) + r, a.imag);
  }
}

}  // namespace

template <class R, bool kComplex>
void SortDescending(int64_t n, double* d, const Panel<R, kComplex>& u, const Panel<R, kComplex>& v) {
  for (int64_t i = 0; i < n; ++i) {
    int64_t best = i;
    for (int64_t j = i + 1; j < n; ++j) {
      if (d[j] > d[best]) best = j;
    }
    if (best == i) continue;
    const double value = d[i];
    d[i] = d[best];
    d[best] = value;
    SwapColumns(u, i, best);
    SwapColumns(v, i, best);
  }
}

template <class R, bool kComplex>
bool DiagonalizeBidiagonal(Arena& arena, int64_t n, double* d, double* e, const Panel<R, kComplex>& u,
                           const Panel<R, kComplex>& v) {
  const double eps = double(kEpsilon<R>);
  Rotation* left = arena.Allocate<Rotation>(n);
  Rotation* right = arena.Allocate<Rotation>(n);
  double largest = 0;
  for (int64_t i = 0; i < n; ++i) largest = Larger(largest, Larger(Absolute(d[i]), i + 1 < n ? Absolute(e[i]) : 0));
  // Below this an entry drowns in the errors of the reduction.
  const double negligible = eps / 8 * largest;
  const double tolerance = 10 * eps;
  int64_t last = n - 1;
  bool downwards = true;
  int64_t block_first = -1, block_last = -1;
  for (int64_t work = 0; last > 0;) {
    if (work > 6 * n * n) return false;
    int64_t first = last;
    double block_largest = Absolute(d[last]);
    while (first > 0) {
      if (Absolute(e[first - 1]) <= negligible) {
        e[first - 1] = 0;
        break;
      }
      --first;
      block_largest = Larger(block_largest, Larger(Absolute(d[first]), Absolute(e[first])));
    }
    if (first == last) {
      --last;
      continue;
    }
    // A new block: chase from its larger to its smaller end.
    if (first > block_last || last < block_first) downwards = Absolute(d[first]) >= Absolute(d[last]);
    double least = 0;
    if (Deflate(d, e, first, last, downwards, tolerance, least)) continue;
    block_first = first;
    block_last = last;
    double shift = 0;
    // Without shift where a shift would spoil the smallest values.
    if (double(n) * tolerance * (least / block_largest) > Larger(eps, 0.01 * tolerance)) {
      const double end = Absolute(downwards ? d[first] : d[last]);
      shift = downwards ? SmallerSingularValue(d[last - 1], e[last - 1], d[last])
                        : SmallerSingularValue(d[first], e[first], d[first + 1]);
      if (end > 0 && (shift / end) * (shift / end) < eps) shift = 0;
    }
    work += last - first;
    (downwards ? SweepDown : SweepUp)(d, e, first, last, shift, left, right);
    RotateColumns(u, first, last, left, downwards);
    RotateColumns(v, first, last, right, downwards);
  }
  for (int64_t i = 0; i < n; ++i) {
    if (d[i] < 0) {
      d[i] = -d[i];
      CopyScaled<R, kComplex>(R{-1}, v.column(i), v.imag, v.column(i), v.imag, v.rows);
    }
  }
  SortDescending(n, d, u, v);
  return true;
}

#define TENFERRO_INSTANTIATE(R, kComplex)                                                               \
  template void SortDescending(int64_t, double*, const Panel<R, kComplex>&, const Panel<R, kComplex>&); \
  template bool DiagonalizeBidiagonal(Arena&, int64_t, double*, double*, const Panel<R, kComplex>&,     \
                                      const Panel<R, kComplex>&);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
