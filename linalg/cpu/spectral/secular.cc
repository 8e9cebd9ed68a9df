#include "tenferro/linalg/cpu/spectral/secular.h"

#include "tenferro/linalg/cpu/column.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

using V = Vector<double>;

// The sums over the poles below and above a point, and their slopes.
struct Sums {
  double below, above, slope_below, slope_above;
};

// At origin + tau, given the poles' distances from the origin.
HWY_INLINE Sums Evaluate(int64_t rows, const double* distance, const double* z2, double tau) {
  const Tag<double> tag;
  const int64_t lanes = LaneCount<double>();
  const V shift = hn::Set(tag, tau), zero = hn::Zero(tag), one = hn::Set(tag, 1.0);
  V below = zero, above = zero, slope_below = zero, slope_above = zero;
  for (int64_t i = 0; i < rows; i += lanes) {
    const V delta = hn::Sub(hn::LoadU(tag, distance + i), shift);
    const V inverse = hn::Div(one, delta);
    const V term = hn::Mul(hn::LoadU(tag, z2 + i), inverse);
    const V slope = hn::Mul(term, inverse);
    const auto left = hn::Lt(delta, zero);
    below = hn::Add(below, hn::IfThenElseZero(left, term));
    above = hn::Add(above, hn::IfThenZeroElse(left, term));
    slope_below = hn::Add(slope_below, hn::IfThenElseZero(left, slope));
    slope_above = hn::Add(slope_above, hn::IfThenZeroElse(left, slope));
  }
  return {Sum<double>(below), Sum<double>(above), Sum<double>(slope_below), Sum<double>(slope_above)};
}

HWY_INLINE void SubtractInto(int64_t rows, const double* x, double shift, double* out) {
  const Tag<double> tag;
  const int64_t lanes = LaneCount<double>();
  const V s = hn::Set(tag, shift);
  for (int64_t i = 0; i < rows; i += lanes) hn::StoreU(hn::Sub(hn::LoadU(tag, x + i), s), tag, out + i);
}

// The root x of c·x² − a·x + b that lies between the two poles of the model.
double ModelRoot(double a, double b, double c) {
  const double root = __builtin_sqrt(__builtin_fabs(a * a - 4 * b * c));
  return a <= 0 ? (a - root) / (2 * c) : 2 * b / (a + root);
}

// Root j of 1/rho + Σ z²/(d − x). `column` becomes the poles' distances from it.
bool FindRoot(int64_t k, int64_t rows, double inverse_rho, const double* poles, const int32_t* place, const double* d,
              const double* z2, double total, int64_t j, double* column, double* value) {
  constexpr double kEps = kEpsilon<double>;
  const bool last = j + 1 == k;
  double origin = poles[j], low = 0, high, tau;
  double left = 0, right = 0;  // the neighbouring poles' distances from the origin
  if (last) {
    high = total / inverse_rho;
    tau = high / 2;
    SubtractInto(rows, d, origin, column);
    // Start from the last pole alone, the others taken at the far end.
    const double zj = z2[place[j]];
    const Sums sums = Evaluate(rows, column, z2, high);
    const double rest = inverse_rho + sums.below + zj / high;
    const double guess = rest > 0 ? zj / rest : high;
    if (guess > 0 && guess < high) tau = guess;
  } else {
    const double gap = poles[j + 1] - poles[j], half = gap / 2;
    SubtractInto(rows, d, origin, column);
    const Sums sums = Evaluate(rows, column, z2, half);
    const double w = inverse_rho + sums.below + sums.above;
    const double zj = z2[place[j]], zr = z2[place[j + 1]];
    const double rest = w + zj / half - zr / half;
    if (w >= 0) {
      low = 0;
      high = half;
      right = gap;
    } else {
      origin = poles[j + 1];
      SubtractInto(rows, d, origin, column);
      low = -half;
      high = 0;
      left = -gap;
    }
    tau = ModelRoot(rest * (left + right) + zj + zr, rest * left * right + zj * right + zr * left, rest);
    if (!(tau > low && tau < high)) tau = (low + high) / 2;
  }
  for (int iteration = 0; iteration < 200; ++iteration) {
    const Sums sums = Evaluate(rows, column, z2, tau);
    const double w = inverse_rho + sums.below + sums.above, slope = sums.slope_below + sums.slope_above;
    const double error = 4 * (inverse_rho + sums.above - sums.below) + __builtin_fabs(tau) * slope;
    if (!(w - w == 0)) return false;
    if (__builtin_fabs(w) <= kEps * error) break;
    if (w < 0) {
      low = tau;
    } else {
      high = tau;
    }
    double step;
    if (last) {
      // One pole: c + s/(d_j − x) through the value and the slope.
      const double delta = -tau;
      step = delta * w / (w - delta * slope);
    } else {
      const double dl = left - tau, dr = right - tau;
      const double c = w - dl * sums.slope_below - dr * sums.slope_above;
      step = ModelRoot((dl + dr) * w - dl * dr * slope, dl * dr * w, c);
    }
    if (!(w * step < 0)) step = -w / slope;
    double next = tau + step;
    if (!(next > low && next < high)) {
      next = (low + high) / 2;
      // An end at the pole itself: halve the exponent rather than the distance.
      if (low == 0 && high > 0 && iteration > 8) next = high * 1e-3;
      if (high == 0 && low < 0 && iteration > 8) next = low * 1e-3;
    }
    const double moved = __builtin_fabs(next - tau);
    tau = next;
    if (moved <= kEps * __builtin_fabs(tau) || !(tau > low && tau < high)) break;
  }
  SubtractInto(rows, column, tau, column);
  *value = origin + tau;
  return true;
}

}  // namespace

bool SolveSecular(Arena& arena, int64_t k, double rho, const double* poles, const int32_t* place, double* d, double* z,
                  double* values, const Panel<double, false>& vectors) {
  const Tag<double> tag;
  const int64_t lanes = LaneCount<double>();
  const int64_t rows = (k + lanes - 1) / lanes * lanes;
  const Arena::Mark mark = arena.mark();
  double* z2 = arena.Allocate<double>(rows);
  double* product = arena.Allocate<double>(rows);
  double total = 0;
  for (int64_t i = 0; i < rows; ++i) {
    if (i >= k) {
      d[i] = poles[k - 1] + 4 * (__builtin_fabs(poles[k - 1]) + rho) + 1;
      z[i] = 0;
    }
    z2[i] = z[i] * z[i];
    total += z2[i];
    product[i] = 1;
  }
  for (int64_t j = 0; j < k; ++j) {
    double* column = vectors.column(j);
    if (!FindRoot(k, rows, 1 / rho, poles, place, d, z2, total, j, column, values + j)) return false;
    // z of the problem that these roots solve exactly: Π (d_i − x_j) / Π_{j≠i} (d_i − d_j).
    const V pole = hn::Set(tag, poles[j]);
    for (int64_t i = 0; i < rows; i += lanes) {
      const V delta = hn::LoadU(tag, column + i);
      const V gap = hn::Sub(hn::LoadU(tag, d + i), pole);
      const V own = hn::IfThenElse(hn::Eq(gap, hn::Zero(tag)), hn::Set(tag, 1.0), gap);
      hn::StoreU(hn::Mul(hn::LoadU(tag, product + i), hn::Div(delta, own)), tag, product + i);
    }
  }
  for (int64_t i = 0; i < rows; ++i) {
    product[i] = i < k ? __builtin_copysign(__builtin_sqrt(__builtin_fabs(product[i])), z[i]) : 0;
  }
  for (int64_t j = 0; j < k; ++j) {
    double* column = vectors.column(j);
    V squares = hn::Zero(tag);
    for (int64_t i = 0; i < rows; i += lanes) {
      const V x = hn::Div(hn::LoadU(tag, product + i), hn::LoadU(tag, column + i));
      squares = hn::MulAdd(x, x, squares);
      hn::StoreU(x, tag, column + i);
    }
    const V scale = hn::Set(tag, 1 / __builtin_sqrt(Sum<double>(squares)));
    for (int64_t i = 0; i < rows; i += lanes) {
      hn::StoreU(hn::Mul(hn::LoadU(tag, column + i), scale), tag, column + i);
    }
  }
  arena.Release(mark);
  return true;
}

}  // namespace tenferro::linalg::TENFERRO_ISA
