#include "tenferro/linalg/cpu/jacobi.h"

#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/householder.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

// Columns with a smaller norm count as zero: the products of their squares leave the range of double or float.
template <class R>
inline constexpr double kSmallest = sizeof(R) == 8 ? 1e-70 : 1e-15;

// (x, y) ← (c·x − s·w·y, s·x + c·w·y) with a unit scalar w (1 if real), c = cos, s = sin and t = tan of half the angle.
// Written as a correction of (x, w·y), whose rounding shrinks with the angle.
template <class R, bool kComplex>
HWY_INLINE void Rotate(R* x, R* y, int64_t imag, int64_t rows, R s, R t, Scalar<R> w) {
  const int64_t lanes = LaneCount<R>();
  const Vector<R> sine = hn::Set(Tag<R>(), s), tangent = hn::Set(Tag<R>(), t);
  const Vector<R> w_re = hn::Set(Tag<R>(), w.re), w_im = hn::Set(Tag<R>(), w.im);
  for (int64_t i = 0; i < rows; i += lanes) {
    Lanes<R, kComplex> a = LoadLanes<R, kComplex>(x + i, imag);
    Lanes<R, kComplex> b = LoadLanes<R, kComplex>(y + i, imag);
    if constexpr (kComplex) {
      const Vector<R> re = hn::NegMulAdd(w_im, b.im, hn::Mul(w_re, b.re));
      b.im = hn::MulAdd(w_im, b.re, hn::Mul(w_re, b.im));
      b.re = re;
      const Vector<R> p = hn::MulAdd(tangent, a.im, b.im), q = hn::NegMulAdd(tangent, b.im, a.im);
      a.im = hn::NegMulAdd(sine, p, a.im);
      b.im = hn::MulAdd(sine, q, b.im);
    }
    const Vector<R> p = hn::MulAdd(tangent, a.re, b.re), q = hn::NegMulAdd(tangent, b.re, a.re);
    a.re = hn::NegMulAdd(sine, p, a.re);
    b.re = hn::MulAdd(sine, q, b.re);
    StoreLanes(a, x + i, imag);
    StoreLanes(b, y + i, imag);
  }
}

// Makes columns x and y orthogonal; returns the squared cosine of their angle before. The squared norms a and b are
// kept up to date. Scalars are double for float columns too: squares of small norms would leave the range of float.
template <class R, bool kComplex>
HWY_INLINE double OrthogonalizePair(R* x, R* y, int64_t imag, int64_t rows, int64_t all_rows, double& a, double& b) {
  constexpr double kSkip = double(kEpsilon<R>) * double(kEpsilon<R>) / 64;
  if (a < kSmallest<R> * kSmallest<R> || b < kSmallest<R> * kSmallest<R>) return 0;
  const Scalar<R> dot = Dot<R, kComplex>(x, imag, y, imag, rows);
  const double g2 = double(dot.re) * dot.re + double(dot.im) * dot.im;
  const double cosine2 = g2 / (a * b);
  if (!(cosine2 > kSkip)) return 0;
  const double g = kComplex ? __builtin_sqrt(g2) : double(dot.re);
  // The smaller of the two angles that annul the dot product.
  const double d = b - a;
  double t = 2 * g / (__builtin_fabs(d) + __builtin_sqrt(d * d + 4 * g2));
  if (d < 0) t = -t;
  const double c = 1 / __builtin_sqrt(1 + t * t);
  Scalar<R> w = {1, 0};
  if (kComplex) w = {R(dot.re / g), R(-dot.im / g)};
  a -= t * g;
  b += t * g;
  Rotate<R, kComplex>(x, y, imag, all_rows, R(c * t), R(c * t / (1 + c)), w);
  return cosine2;
}

}  // namespace

template <class R, bool kComplex>
bool JacobiSvd(Arena& arena, int64_t p, const Panel<R, kComplex>& r, const Panel<R, kComplex>& left, R* s,
               const Panel<R, kComplex>& right) {
  if (p == 0) return true;
  // Column j: that of X = rᴴ, below it that of J; X·J = right·diag(s), so left = J.
  const int64_t rows = PadRows<R>(p);
  const Arena::Mark mark = arena.mark();
  const Panel<R, kComplex> x = NewPanel<R, kComplex>(arena, 2 * rows, p);
  for (int64_t j = 0; j < p; ++j) {
    for (int64_t i = 0; i < p; ++i) {
      const Scalar<R> value = r.Get(j, i);
      x.Set(i, j, {value.re, -value.im});
    }
    x.Set(rows + j, j, {1, 0});
  }
  double* norm2 = arena.Allocate<double>(p + 1);
  int64_t* order = arena.Allocate<int64_t>(p + 1);
  const int64_t players = p + p % 2;  // with an odd p the last player is a bye
  for (int64_t j = 0; j < players; ++j) order[j] = j;
  const double root = __builtin_sqrt(double(p));
  const double tolerance = double(kEpsilon<R>) * (root > 14 ? root : 14);
  bool converged = p == 1;
  for (int sweep = 0; sweep < 80 && !converged; ++sweep) {
    for (int64_t j = 0; j < p; ++j) norm2[j] = SquaredNorm<R, kComplex>(x.column(j), x.imag, rows);
    double worst = 0;
    // Every pair meets once in the rounds of a circle tournament.
    for (int64_t round = 0; round + 1 < players; ++round) {
      for (int64_t q = 0; q < players / 2; ++q) {
        int64_t a = order[q], b = order[players - 1 - q];
        if (a > b) {
          const int64_t swap = a;
          a = b;
          b = swap;
        }
        if (b == p) continue;
        const double cosine2 =
            OrthogonalizePair<R, kComplex>(x.column(a), x.column(b), x.imag, rows, 2 * rows, norm2[a], norm2[b]);
        if (cosine2 > worst) worst = cosine2;
      }
      const int64_t last = order[players - 1];
      for (int64_t i = players - 1; i > 1; --i) order[i] = order[i - 1];
      order[1] = last;
    }
    // Not at a larger angle in the hope of quadratic convergence: clusters would stay correlated at 1e-10.
    converged = worst <= tolerance * tolerance;
  }
  // Hundreds of rotations let the norms of J's columns, and those of X with them, drift by some eps.
  double* unit = arena.Allocate<double>(p);
  for (int64_t j = 0; j < p; ++j) {
    unit[j] = 1 / __builtin_sqrt(double(SquaredNorm<R, kComplex>(x.column(j) + rows, x.imag, rows)));
    norm2[j] = unit[j] * __builtin_sqrt(double(SquaredNorm<R, kComplex>(x.column(j), x.imag, rows)));
    int64_t i = j;
    for (; i > 0 && norm2[order[i - 1]] < norm2[j]; --i) order[i] = order[i - 1];
    order[i] = j;
  }
  int64_t rank = 0;
  for (int64_t j = 0; j < p; ++j) {
    const R* c = x.column(order[j]);
    const double norm = norm2[order[j]];
    CopyScaled<R, kComplex>(R(unit[order[j]]), c + rows, x.imag, left.column(j), left.imag, rows);
    const bool negligible = norm < kSmallest<R>;
    s[j] = negligible ? R{0} : R(norm);
    if (negligible) continue;
    CopyScaled<R, kComplex>(R(unit[order[j]] / norm), c, x.imag, right.column(j), right.imag, rows);
    rank = j + 1;
  }
  CompleteOrthonormal(arena, p, right, rank, p);
  arena.Release(mark);
  return converged;
}

#define TENFERRO_INSTANTIATE(R, kComplex)                                                            \
  template bool JacobiSvd(Arena&, int64_t, const Panel<R, kComplex>&, const Panel<R, kComplex>&, R*, \
                          const Panel<R, kComplex>&);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
