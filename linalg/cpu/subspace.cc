#include "tenferro/linalg/cpu/subspace.h"

#include <math.h>

#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/householder.h"
#include "tenferro/linalg/cpu/jacobi.h"
#include "tenferro/linalg/cpu/panel_gemm.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

// Products with the block or its adjoint that cost as much as a full decomposition.
template <class R, bool kComplex>
int ProductBudget(const Subspace<R, kComplex>& space) {
  const int64_t rank = space.m < space.n ? space.m : space.n;
  return int((kComplex ? 10 : 16) * rank / space.width);
}

template <class R, bool kComplex>
void Swap(Panel<R, kComplex>& a, Panel<R, kComplex>& b) {
  const Panel<R, kComplex> t = a;
  a = b;
  b = t;
}

// One column's entry of the start: splitmix64 of the position.
double StartEntry(uint64_t position) {
  uint64_t x = position * 0x9E3779B97F4A7C15u + 0xD1B54A32D192ED03u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  x ^= x >> 31;
  return double(int64_t(x)) * (1.0 / 9223372036854775808.0);
}

// target = α·target + β·source, real factors.
template <class R, bool kComplex>
void Combine(R alpha, const Panel<R, kComplex>& target, R beta, const Panel<R, kComplex>& source, int64_t columns) {
  const int64_t lanes = LaneCount<R>();
  const Vector<R> va = hn::Set(Tag<R>(), alpha), vb = hn::Set(Tag<R>(), beta);
  for (int64_t j = 0; j < columns; ++j) {
    for (int part = 0; part < (kComplex ? 2 : 1); ++part) {
      R* t = target.column(j) + part * target.imag;
      const R* s = source.column(j) + part * source.imag;
      for (int64_t i = 0; i < target.rows; i += lanes) {
        const Vector<R> x = hn::Mul(va, hn::LoadU(Tag<R>(), t + i));
        hn::StoreU(hn::MulAdd(vb, hn::LoadU(Tag<R>(), s + i), x), Tag<R>(), t + i);
      }
    }
  }
}

// Replaces z by T_degree(2·aᴴa/edge² − 1)·z, which multiplies singular directions below `edge` by at most 1 and those
// above by up to T_degree. q is scratch.
template <class R, bool kComplex>
void Filter(Subspace<R, kComplex>& space, int degree, double edge) {
  const double half = edge * edge / 2;
  Panel<R, kComplex> previous = space.filtered, current = space.z;
  for (int step = 1; step <= degree; ++step) {
    // T_1(x) = x, T_{j+1}(x) = 2·x·T_j(x) − T_{j−1}(x) with x = aᴴa/half − 1.
    const R factor = R((step == 1 ? 1 : 2) / half);
    Multiply(space.a, Plain(current), space.n, space.width, Update::kAssign, space.q);
    for (int64_t j = 0; j < space.width; ++j) {
      R* c = space.q.column(j);
      CopyScaled<R, kComplex>(factor, c, space.q.imag, c, space.q.imag, space.q.rows);
    }
    if (step == 1) {
      for (int64_t j = 0; j < space.width; ++j) {
        CopyScaled<R, kComplex>(R{-1}, current.column(j), current.imag, previous.column(j), previous.imag,
                                previous.rows);
      }
    } else {
      Combine<R, kComplex>(R{-1}, previous, R{-2}, current, space.width);
    }
    Multiply(space.a_adjoint, Plain(space.q), space.m, space.width, Update::kAdd, previous);
    Swap(previous, current);
  }
  space.z = current;
  space.filtered = previous;
}

template <class R, bool kComplex>
double LargestColumnNorm(const Panel<R, kComplex>& x, int64_t columns) {
  double largest = 0;
  for (int64_t j = 0; j < columns; ++j) {
    const double norm2 = SquaredNorm<R, kComplex>(x.column(j), x.imag, x.rows);
    if (!(norm2 <= largest)) largest = norm2;
  }
  return __builtin_sqrt(largest);
}

// Triplets from aᴴ·q = z·r_adjoint; returns the largest residual |a·v − s·u| of the first `wanted`. The other residual,
// |aᴴ·u − s·v|, is at rounding level by construction.
template <class R, bool kComplex>
double ExtractTriplets(Arena& arena, Subspace<R, kComplex>& space, int64_t wanted) {
  const int64_t width = space.width;
  if (space.s == nullptr) {
    space.u = NewPanelUninitialized<R, kComplex>(arena, space.m, width);
    space.v = NewPanelUninitialized<R, kComplex>(arena, space.n, width);
    space.s = arena.Allocate<R>(width);
  }
  if (!JacobiSvd(arena, width, space.r_adjoint, space.left, space.s, space.right)) return HUGE_VAL;
  Multiply(space.q, Plain(space.right), width, width, Update::kAssign, space.u);
  Multiply(space.z, Plain(space.left), width, width, Update::kAssign, space.v);
  Panel<R, kComplex> residual = space.reflectors;
  residual.rows = space.u.rows;
  Multiply(space.a, Plain(space.v), space.n, wanted, Update::kAssign, residual);
  for (int64_t j = 0; j < wanted; ++j) {
    AddScaled<R, kComplex>({-space.s[j], 0}, space.u.column(j), space.u.imag, residual.column(j), residual.imag,
                           residual.rows);
  }
  return LargestColumnNorm(residual, wanted);
}

}  // namespace

template <class R, bool kComplex>
Panel<R, kComplex> StartVectors(Arena& arena, int64_t n, int64_t width) {
  const Panel<R, kComplex> start = NewPanel<R, kComplex>(arena, n, width);
  for (int64_t j = 0; j < width; ++j) {
    for (int64_t i = 0; i < n; ++i) {
      const uint64_t position = uint64_t(j) << 40 | uint64_t(i) << 1;
      start.Set(i, j, {R(StartEntry(position)), kComplex ? R(StartEntry(position + 1)) : R{0}});
    }
  }
  return start;
}

template <class R, bool kComplex>
Subspace<R, kComplex> StartSubspace(Arena& arena, int64_t m, int64_t n, const Panel<R, kComplex>& a,
                                    const Panel<R, kComplex>& a_adjoint, const Panel<R, kComplex>& start,
                                    int64_t width) {
  Subspace<R, kComplex> space;
  space.m = m;
  space.n = n;
  space.width = width;
  space.a = a;
  space.a_adjoint = a_adjoint;
  space.q = NewPanelUninitialized<R, kComplex>(arena, m, width);
  space.z = NewPanelUninitialized<R, kComplex>(arena, n, width);
  space.w = NewPanelUninitialized<R, kComplex>(arena, n, width);
  space.filtered = NewPanelUninitialized<R, kComplex>(arena, n, width);
  space.reflectors = NewPanelUninitialized<R, kComplex>(arena, m > n ? m : n, width + 1);
  space.r = NewPanel<R, kComplex>(arena, width, width);
  space.r_adjoint = NewPanel<R, kComplex>(arena, width, width);
  space.left = NewPanel<R, kComplex>(arena, width, width);
  space.right = NewPanel<R, kComplex>(arena, width, width);
  Multiply(a, Plain(start), n, width, Update::kAssign, space.q);
  QrInPlace(space.q, width, space.r, space.reflectors);
  Multiply(a_adjoint, Plain(space.q), m, width, Update::kAssign, space.z);
  QrInPlace(space.z, width, space.r, space.reflectors);
  Multiply(a, Plain(space.z), n, width, Update::kAssign, space.q);
  QrInPlace(space.q, width, space.r, space.reflectors);
  return space;
}

template <class R, bool kComplex>
R Estimate(const Subspace<R, kComplex>& space, int64_t j) {
  const Scalar<R> d = space.r.Get(j, j);
  return kComplex ? R(__builtin_sqrt(d.re * d.re + d.im * d.im)) : R(__builtin_fabs(d.re));
}

template <class R, bool kComplex>
bool Converge(Arena& arena, Subspace<R, kComplex>& space, int64_t wanted, R scale) {
  const int64_t width = space.width;
  const double eps = kEpsilon<R>;
  const double extent = double(space.m > space.n ? space.m : space.n);
  // The stopping test aims well below what the verification accepts: 8·√extent·eps.
  const double target = 9 * eps * (extent > 128 ? __builtin_sqrt(extent / 128) : 1) * scale;
  const double accepted = 6 * __builtin_sqrt(extent) * eps * scale;
  const double contrast = 1 / __builtin_sqrt(eps);
  double previous_error = HUGE_VAL;
  const int budget = ProductBudget(space);
  int products = 0;
  if (space.converged_before) {
    Multiply(space.a, Plain(space.z), space.n, width, Update::kAssign, space.q);
    QrInPlace(space.q, width, space.r, space.reflectors);
    space.converged_before = false;
  }
  for (int check = 0; products < budget; ++check) {
    // aᴴ·q would be z·rᴴ if the subspaces were invariant.
    Multiply(space.a_adjoint, Plain(space.q), space.m, width, Update::kAssign, space.w);
    ++products;
    Panel<R, kComplex> error_panel = space.filtered;
    for (int64_t j = 0; j < wanted; ++j) {
      CopyScaled<R, kComplex>(R{1}, space.w.column(j), space.w.imag, error_panel.column(j), error_panel.imag,
                              error_panel.rows);
    }
    Multiply(space.z, Adjoint(space.r), width, wanted, Update::kSubtract, error_panel);
    const double error = LargestColumnNorm(error_panel, wanted);

    // What a product gains on the error: the ratio of the first singular value outside the subspace, taken to be the
    // least of the last estimates inside, to the last wanted one.
    const double leading = Estimate(space, 0), last = Estimate(space, wanted - 1);
    double edge = Estimate(space, width - 1), highest_tail = edge;
    for (int64_t j = width - 3 > wanted ? width - 3 : wanted; j < width; ++j) {
      const double e = Estimate(space, j);
      edge = e < edge ? e : edge;
      highest_tail = e > highest_tail ? e : highest_tail;
    }
    const double rate = last > highest_tail ? highest_tail / last : 1;
    const bool stop = error * rate <= target;
    if (!stop && check >= 3 && error > previous_error * 0.5) return false;
    previous_error = error;

    int degree = 0;
    if (!stop && edge > 1e3 * eps * leading && edge < last) {
      // The steps up to the next check gain rate³; the filter has to gain the rest.
      const double missing = error * rate * rate * rate / target;
      const double step = acosh(2 * (last / edge) * (last / edge) - 1);
      if (missing > 1) {
        const double needed = acosh(missing) / step;
        // Early estimates are poor.
        if (2 * needed > (check == 0 ? 4 : check == 1 ? 2 : 1) * (budget - products)) return false;
        degree = needed > 10 ? 10 : int(ceil(needed));
        // Leading directions grow faster: beyond this they would drown the last wanted one in their rounding errors.
        const double top = acosh(2 * (leading / edge) * (leading / edge) - 1);
        while (degree > 0 && cosh(degree * (top - step)) * (leading / last) > contrast) --degree;
      }
    }
    if (degree > 0) {
      Swap(space.z, space.w);
      Filter(space, degree, edge);
      products += 2 * degree;
      QrInPlace(space.z, width, space.r_adjoint, space.reflectors);
    } else {
      Swap(space.z, space.w);
      QrInPlace(space.z, width, space.r_adjoint, space.reflectors);
      if (stop && ExtractTriplets(arena, space, wanted) <= accepted) {
        space.converged_before = true;
        return true;
      }
    }
    Multiply(space.a, Plain(space.z), space.n, width, Update::kAssign, space.q);
    QrInPlace(space.q, width, space.r, space.reflectors);
    ++products;
  }
  return false;
}

#define TENFERRO_INSTANTIATE(R, kComplex)                                                                      \
  template Panel<R, kComplex> StartVectors(Arena&, int64_t, int64_t);                                          \
  template Subspace<R, kComplex> StartSubspace(Arena&, int64_t, int64_t, const Panel<R, kComplex>&,            \
                                               const Panel<R, kComplex>&, const Panel<R, kComplex>&, int64_t); \
  template R Estimate(const Subspace<R, kComplex>&, int64_t);                                                  \
  template bool Converge(Arena&, Subspace<R, kComplex>&, int64_t, R);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
