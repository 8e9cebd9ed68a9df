#include "tenferro/linalg/cpu/secular.h"

#include "tenferro/linalg/cpu/column.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

using D = Tag<double>;

struct Sums {
  double below, below_slope;  // over the poles up to the root's own
  double above, above_slope;  // over those behind it
};

// Σ z²/(pole − x) and Σ z²/(pole − x)² over j < split and the rest.
Sums Evaluate(int64_t k, int64_t split, const double* pole, const double* z2, double x) {
  const D d;
  const int64_t lanes = LaneCount<double>();
  const Vector<double> at = hn::Set(d, x);
  Vector<double> below = hn::Zero(d), below_slope = below, above = below, above_slope = below;
  int64_t j = 0;
  for (; j + lanes <= split; j += lanes) {
    const Vector<double> inverse = hn::Div(hn::Set(d, 1.0), hn::Sub(hn::LoadU(d, pole + j), at));
    const Vector<double> term = hn::Mul(hn::LoadU(d, z2 + j), inverse);
    below = hn::Add(below, term);
    below_slope = hn::MulAdd(term, inverse, below_slope);
  }
  for (; j < k; j += lanes) {
    const Vector<double> inverse = hn::Div(hn::Set(d, 1.0), hn::Sub(hn::LoadU(d, pole + j), at));
    const Vector<double> term = hn::Mul(hn::LoadU(d, z2 + j), inverse);
    if (j < split) {
      const auto first = hn::FirstN(d, static_cast<size_t>(split - j));
      below = hn::Add(below, hn::IfThenElseZero(first, term));
      below_slope = hn::Add(below_slope, hn::IfThenElseZero(first, hn::Mul(term, inverse)));
      above = hn::Add(above, hn::IfThenZeroElse(first, term));
      above_slope = hn::Add(above_slope, hn::IfThenZeroElse(first, hn::Mul(term, inverse)));
    } else {
      above = hn::Add(above, term);
      above_slope = hn::MulAdd(term, inverse, above_slope);
    }
  }
  return {Sum<double>(below), Sum<double>(below_slope), Sum<double>(above), Sum<double>(above_slope)};
}

// The root of c·x² − a·x + b in (low, high), or NaN.
double RootBetween(double c, double a, double b, double low, double high) {
  const double discriminant = a * a - 4 * b * c;
  const double root = __builtin_sqrt(discriminant > 0 ? discriminant : 0);
  const double q = (a + (a < 0 ? -root : root)) / 2;
  const double small = b / q, large = q / c;
  if (small > low && small < high) return small;
  if (large > low && large < high) return large;
  return __builtin_nan("");
}

class Solver {
 public:
  Solver(Arena& arena, int64_t k, const double* d, const double* z) : k_(k), padded_(PadRows<double>(k)), d_(d) {
    pole_ = arena.Allocate<double>(padded_);
    z2_ = arena.AllocateZeroed<double>(padded_);
    for (int64_t j = 0; j < k; ++j) {
      z2_[j] = z[j] * z[j];
      total_ += z2_[j];
    }
  }

  // Root i, and d_j² − root² for every j.
  double Find(int64_t i, double* difference) {
    double origin, x;
    if (i + 1 < k_) {
      const double gap = (d_[i + 1] - d_[i]) * (d_[i + 1] + d_[i]);
      origin = d_[i];
      MovePoles(origin);
      const double middle = gap / 2;
      const Sums sums = Evaluate(k_, i + 1, pole_, z2_, middle);
      const double f = 1 + sums.below + sums.above;
      // What the other poles give is nearly constant between the two.
      const double rest = f + z2_[i] / middle - z2_[i + 1] / (gap - middle);
      double low, high, a, b;
      if (f >= 0) {
        low = 0;
        high = middle;
        a = rest * gap + z2_[i] + z2_[i + 1];
        b = z2_[i] * gap;
      } else {
        origin = d_[i + 1];
        MovePoles(origin);
        low = -middle;
        high = 0;
        a = -rest * gap + z2_[i] + z2_[i + 1];
        b = -z2_[i + 1] * gap;
      }
      const double guess = RootBetween(rest, a, b, low, high);
      x = Iterate(i, low, high, guess == guess ? guess : (low + high) / 2);
    } else {
      origin = d_[i];
      MovePoles(origin);
      x = Iterate(i, 0, total_, total_ / 2);
    }
    const Tag<double> tag;
    const int64_t lanes = LaneCount<double>();
    for (int64_t j = 0; j < padded_; j += lanes) {
      hn::StoreU(hn::Sub(hn::LoadU(tag, pole_ + j), hn::Set(tag, x)), tag, difference + j);
    }
    return origin + x / (origin + __builtin_sqrt(origin * origin + x));
  }

 private:
  // Poles relative to one of them, so that the distance of a root to it is accurate.
  void MovePoles(double origin) {
    const Tag<double> tag;
    const int64_t lanes = LaneCount<double>();
    const Vector<double> o = hn::Set(tag, origin);
    for (int64_t j = 0; j < padded_; j += lanes) {
      const Vector<double> p = hn::LoadU(tag, d_ + j);
      hn::StoreU(hn::Mul(hn::Sub(p, o), hn::Add(p, o)), tag, pole_ + j);
    }
    // Padding has z = 0 and must not have a zero difference.
    for (int64_t j = k_; j < padded_; ++j) pole_[j] = 4 * total_ + 1e300;
  }

  double Iterate(int64_t i, double low, double high, double x) {
    constexpr double kEps = kEpsilon<double>;
    for (int step = 0; step < 100; ++step) {
      const Sums sums = Evaluate(k_, i + 1, pole_, z2_, x);
      const double f = 1 + sums.below + sums.above;
      const double slope = sums.below_slope + sums.above_slope;
      const double rounding = 4 * kEps * (1 - sums.below + sums.above) + kEps * __builtin_fabs(x) * slope;
      if (!(__builtin_fabs(f) > rounding)) break;
      (f < 0 ? low : high) = x;
      const double left = pole_[i] - x;
      double next;
      if (i + 1 == k_) {
        // 1 + r + s/(left − η) through value and slope.
        const double rest = 1 + sums.below - sums.below_slope * left;
        next = x + left + sums.below_slope * left * left / rest;
      } else {
        // r + s/(left − η) + R + S/(right − η), each half through its value and slope.
        const double right = pole_[i + 1] - x;
        const double c = f - sums.below_slope * left - sums.above_slope * right;
        const double a = (left + right) * f - left * right * slope;
        const double b = left * right * f;
        next = x + RootBetween(c, a, b, low - x, high - x);
      }
      // Bisection where the interpolation leaves the bracket, or takes long.
      if (!(next > low && next < high) || step % 12 == 11) next = low + (high - low) / 2;
      if (next == x || !(next > low && next < high)) break;
      x = next;
    }
    return x;
  }

  int64_t k_, padded_;
  const double* d_;
  double* pole_;
  double* z2_;
  double total_ = 0;
};

// |z_j| = √(Π_i (root_i² − d_j²) / Π_{i≠j} (d_i² − d_j²)), factors paired so that each ratio is about 1.
void RecomputeWeights(int64_t k, const double* d, const Secular& secular, const double* given) {
  const Tag<double> tag;
  const int64_t lanes = LaneCount<double>();
  double* z = secular.z;
  const double* last = secular.difference + (k - 1) * secular.stride;
  for (int64_t j = 0; j < k; j += lanes) {
    const Vector<double> own = hn::LoadU(tag, d + j);
    Vector<double> product = hn::LoadU(tag, last + j);
    for (int64_t i = 0; i + 1 < k; ++i) {
      // Pole j is paired with root i through pole i if j > i, else through pole i + 1.
      Vector<double> other = hn::Set(tag, d[i]);
      if (j <= i) {
        const Vector<double> next = hn::Set(tag, d[i + 1]);
        const int64_t up_to = i + 1 - j;
        other = up_to >= lanes ? next : hn::IfThenElse(hn::FirstN(tag, static_cast<size_t>(up_to)), next, other);
      }
      const Vector<double> pole = hn::Mul(hn::Sub(own, other), hn::Add(own, other));
      product = hn::Mul(product, hn::Div(hn::LoadU(tag, secular.difference + i * secular.stride + j), pole));
    }
    hn::StoreU(hn::Sqrt(hn::Abs(product)), tag, z + j);
  }
  for (int64_t j = 0; j < k; ++j) z[j] = given[j] < 0 ? -z[j] : z[j];
}

}  // namespace

Secular SolveSecular(Arena& arena, int64_t k, const double* d, const double* z) {
  Secular secular;
  secular.stride = PadRows<double>(k);
  secular.root = arena.Allocate<double>(k);
  secular.difference = arena.Allocate<double>(secular.stride * k);
  secular.z = arena.Allocate<double>(secular.stride);
  if (k == 1) {
    secular.root[0] = secular.z[0] = __builtin_fabs(z[0]);
    secular.difference[0] = -z[0] * z[0];
    return secular;
  }
  Solver solver(arena, k, d, z);
  for (int64_t i = 0; i < k; ++i) secular.root[i] = solver.Find(i, secular.difference + i * secular.stride);
  RecomputeWeights(k, d, secular, z);
  return secular;
}

}  // namespace tenferro::linalg::TENFERRO_ISA
