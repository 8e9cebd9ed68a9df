#include "tenferro/fft/roots.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace tenferro::fft {
namespace {

// 0 <= k < n. The symmetries of the circle are exact; what is left is at most an eighth of a turn.
Roots::Root Exact(int64_t k, int64_t n) {
  const bool lower = 2 * k > n;  // e^(−i(2π − φ)) = conj e^(−iφ)
  if (lower) k = n - k;
  int64_t numerator = 8 * k;            // in eighths of a turn over n; at most 4n here
  const bool left = numerator > 2 * n;  // beyond a quarter turn
  if (left) numerator = 4 * n - numerator;
  const bool upper = numerator > n;  // beyond an eighth
  if (upper) numerator = 2 * n - numerator;
  const long double angle =
      std::numbers::pi_v<long double> * static_cast<long double>(numerator) / (4 * static_cast<long double>(n));
  long double cosine = std::cos(angle), sine = std::sin(angle);
  if (upper) std::swap(cosine, sine);
  if (left) cosine = -cosine;
  return {cosine, lower ? sine : -sine};
}

}  // namespace

Roots::Roots(int64_t n) : n_(n), step_(1) {
  while (step_ * step_ < n) step_ *= 2;
  if (n <= 4096) step_ = n;
  for (int64_t k = 0; k < step_; ++k) fine_.push_back(Exact(k, n));
  for (int64_t k = 0; k < n; k += step_) coarse_.push_back(Exact(k, n));
}

Roots::Root Roots::operator[](int64_t k) const {
  k %= n_;
  const Root a = coarse_[k / step_], b = fine_[k % step_];
  if (k < step_) return b;
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

}  // namespace tenferro::fft
