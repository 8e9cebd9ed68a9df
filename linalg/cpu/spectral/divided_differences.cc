#include "tenferro/linalg/cpu/spectral/divided_differences.h"

#include <cmath>
#include <limits>
#include <utility>

namespace tenferro::linalg {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

struct Estimate {
  double value;
  double error;
};

// ∫₀¹ by Gauss and Legendre with eight points; the error is judged by five.
template <class F>
Estimate Integrate(const F& f) {
  constexpr double kNodes8[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
  constexpr double kWeights8[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
  constexpr double kNodes5[] = {0.5384693101056831, 0.9061798459386640};
  constexpr double kWeights5[] = {0.4786286704993665, 0.2369268850561891};
  const auto pair = [&f](double node) { return f((1 - node) / 2) + f((1 + node) / 2); };
  double eight = 0, five = 0.5688888888888889 * f(0.5);
  for (int i = 0; i < 4; ++i) eight += kWeights8[i] * pair(kNodes8[i]);
  for (int i = 0; i < 2; ++i) five += kWeights5[i] * pair(kNodes5[i]);
  const double error = std::abs(eight - five) / 2;
  return {eight / 2, error - error == 0 ? error + kEps * std::abs(eight) : HUGE_VAL};
}

// (f(x) − f(y))/(x − y), or the mean of the derivative in between.
double FirstDifference(double (*value)(double), double (*derivative)(double), double x, double y) {
  if (x == y) return derivative(x);
  const double fx = value(x), fy = value(y);
  const double quotient = (fx - fy) / (x - y);
  const double error = kEps * (std::abs(fx) + std::abs(fy)) / std::abs(x - y);
  if (error <= 4 * kEps * std::abs(quotient)) return quotient;
  const Estimate mean = Integrate([&](double t) { return derivative(x + t * (y - x)); });
  return mean.error < error ? mean.value : quotient;
}

}  // namespace

double DividedDifference(const ScalarFunction& f, double x, double y) {
  if (x > y) std::swap(x, y);
  return f.divided != nullptr ? f.divided(x, y) : FirstDifference(f.value, f.derivative, x, y);
}

double DividedDifference(const ScalarFunction& f, double x, double y, double z) {
  if (x > y) std::swap(x, y);
  if (y > z) std::swap(y, z);
  if (x > y) std::swap(x, y);
  if (f.divided_twice != nullptr) return f.divided_twice(x, y, z);
  if (x == z) return f.second(x) / 2;
  const double low = DividedDifference(f, x, y), high = DividedDifference(f, y, z);
  const double quotient = (high - low) / (z - x);
  const double error = 2 * kEps * (std::abs(low) + std::abs(high)) / (z - x);
  if (error <= 8 * kEps * std::abs(quotient)) return quotient;
  // Hermite and Genocchi: ∫₀¹ t·f'[x + t(y − x), x + t(z − x)] dt.
  const Estimate mean = Integrate(
      [&](double t) { return t * FirstDifference(f.derivative, f.second, x + t * (y - x), x + t * (z - x)); });
  return mean.error < error ? mean.value : quotient;
}

}  // namespace tenferro::linalg
