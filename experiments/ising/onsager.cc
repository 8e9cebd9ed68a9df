#include "tenferro/experiments/ising/onsager.h"

#include <cmath>
#include <numbers>

namespace tenferro {
namespace {

using std::numbers::pi;

// The critical point asinh(1)/2 as a sum of two doubles.
constexpr double kCriticalHigh = 0.4406867935097715;
constexpr double kCriticalLow = -1.125272946412933e-17;

// (1/π) ∫_0^{π/2} ln[(1 + √(1 − k² cos² t))/2] dt. The integrand has branch points at ±i·complement, so close to t = 0
// at criticality that only the double-exponential rule, which does not feel singularities at the ends, keeps its
// accuracy.
double LogIntegral(double k, double complement) {
  constexpr double kStep = 1.0 / 32;
  constexpr int kHalf = 112;  // the weight at the ends, 3.5 away, is below 1e-20
  double sum = 0;
  for (int i = -kHalf; i <= kHalf; ++i) {
    const double u = i * kStep;
    const double e = std::exp(-pi * std::sinh(u));
    const double t = pi / 2 / (1 + e);
    const double weight = pi * std::cosh(u) * e / (1 + e) * t;
    const double c = std::cos(t), s = std::sin(t);
    const double root = std::sqrt(complement * complement + k * k * s * s);
    sum += weight * std::log1p(-k * k * c * c / (1 + root) / 2);
  }
  return sum * kStep / pi;
}

}  // namespace

IsingExact Onsager(double beta) {
  const double b = std::abs(beta);
  if (b == 0) return {std::numbers::ln2, 0, 0};

  // sinh(2b) − sinh(2 b_c): the difference of the arguments keeps every digit next to the critical point.
  const double from_critical = 2 * std::cosh(b + kCriticalHigh) * std::sinh((b - kCriticalHigh) - kCriticalLow);
  const bool ordered = from_critical > 0;
  // Duality maps s to 1/s and leaves the modulus alone: r is the smaller of the two.
  const double s = std::sinh(2 * b);
  const double r = ordered ? 1 / s : s;
  const double gap = b > 1 ? 1 - r : std::abs(from_critical) * (ordered ? r : 1);  // 1 − r
  const double norm = 1 + r * r;
  const double k = 2 * r / norm;
  const double complement = gap * (1 + r) / norm;  // √(1 − k²)
  const double coth = 1 / std::tanh(2 * b);

  // Arithmetic-geometric mean M of 1 and the complement, with c_n half their distance before step n, gives both
  // elliptic integrals: K = π/(2 M), K − E = K (k²/2 + Σ 2^{n−1} c_n²), M = complement + c_1 − c_2 − c_3 − …
  double mean = 1, other = complement;
  const double c1 = r * r / norm;
  double sum = 0, weighted = 0;  // of c_n and of 2^{n−1} c_n², from n = 2 on
  double c = c1;
  for (double weight = 2; c > 1e-18; weight *= 2) {
    const double next = (mean + other) / 2;
    other = std::sqrt(mean * other);
    mean = next;
    c *= c / (2 * (mean + other));
    sum += c;
    weighted += weight * c * c;
  }

  // Onsager's energy coth(2b) [1 + (2/π)(2 tanh²(2b) − 1) K] and specific heat
  // (4/π)(b coth(2b))² {K − E − (1 − tanh²(2b)) [π/2 + (2 tanh²(2b) − 1) K]} in terms of these: no term cancels
  // another, neither for high nor for low temperatures.
  const double energy = ordered ? mean + complement : r < 0.5 ? c1 - sum : mean - complement;
  const double heat = weighted + (ordered ? c1 * (2 * c1 + sum) : c1 + sum / norm);

  IsingExact exact;
  exact.lnz = 2 * b + std::log1p(std::exp(-4 * b)) + LogIntegral(k, complement);
  exact.dlnz = std::copysign(coth * energy / mean, beta);
  exact.specific_heat = 2 * (b * coth) * (b * coth) * heat / mean;
  return exact;
}

}  // namespace tenferro
