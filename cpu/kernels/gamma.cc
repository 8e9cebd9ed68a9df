// The derivatives of log Γ of f32 and f64, one element at a time; those of f32 are computed in f64.

#include <cmath>
#include <limits>
#include <numbers>

#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/math_families.h"
#include "tenferro/runtime/ops/math_records.h"

namespace tenferro {
namespace {

using Wide = long double;
constexpr Wide kPi = std::numbers::pi_v<Wide>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// B_2j, the Bernoulli numbers.
constexpr Wide kBernoulli[] = {1.0L / 6,       -1.0L / 30,       1.0L / 42,       -1.0L / 30,
                               5.0L / 66,      -691.0L / 2730,   7.0L / 6,        -3617.0L / 510,
                               43867.0L / 798, -174611.0L / 330, 854513.0L / 138, -236364091.0L / 2730};

// cot(πx) for x that is not an integer.
Wide Cotangent(double x) {
  const Wide r = static_cast<Wide>(x) - std::nearbyint(x);
  const Wide size = std::abs(r);
  return std::copysign(size <= 0.25L ? 1 / std::tan(kPi * size) : std::tan(kPi * (0.5L - size)), r);
}

// ψ(x) for 1 <= x <= 3: (x − x0)·polynomial/(x(x + 1)), which has ψ's root x0 = 1.46… and its first two poles. The
// polynomial is the Chebyshev interpolant in x − 2, with an error of 1e-17.
double DigammaFromOneToThree(double x) {
  constexpr double kRoot = 0x1.762d86356be3fp+0, kRootRest = 0x1.b86a722197829p-54;
  constexpr double kCoefficients[] = {
      2.9388263370292185e-12, -1.1850096556961514e-11, 3.392541783650941e-11, -1.3773956517235635e-10,
      5.894335533435434e-10,  -2.413770954924552e-09,  9.920144084538013e-09, -4.1259568850754256e-08,
      1.7364296047549195e-07, -7.422971506186498e-07,  3.242462228161201e-06, -1.459898574504687e-05,
      6.867188739489138e-05,  -0.0003450802494271745,  0.0019286100146505233, -0.013045567100900076,
      0.13561226729486875,    2.362103964922518,       4.711845231624632};
  double polynomial = 0;
  for (double c : kCoefficients) polynomial = polynomial * (x - 2) + c;
  return ((x - kRoot) - kRootRest) * polynomial / (x * (x + 1));
}

// log x − 1/(2x) − Σ B_2j/(2j x^2j).
double DigammaOfLarge(double x) {
  const double inverse_square = 1 / (x * x);
  double sum = 0;
  for (int j = 8; j >= 1; --j) sum = (sum + static_cast<double>(kBernoulli[j - 1] / (2 * j))) * inverse_square;
  return std::log(x) - (0.5 / x + sum);
}

double Digamma(double x) {
  if (x >= 10) return DigammaOfLarge(x);
  if (x >= 1) {
    double steps = 0;
    for (; x > 3; x -= 1) steps += 1 / (x - 1);
    return DigammaFromOneToThree(x) + steps;
  }
  if (x > 0) return DigammaFromOneToThree(x + 1) - 1 / x;
  if (x == 0) return std::copysign(kInfinity, -x);
  if (!(x > -kInfinity) || x == std::trunc(x)) return kNaN;
  return static_cast<double>(Digamma(1 - x) - kPi * Cotangent(x));
}

Wide PowerOf(Wide base, int exponent) {
  Wide result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result *= base;
    base *= base;
  }
  return result;
}

// Σ 1/(x + k)^s over k >= 0 for s >= 2, x > 0: terms up to where Euler and Maclaurin's sum for the rest converges to
// 1e-21.
Wide HurwitzZeta(int s, Wide x) {
  Wide sum = 0;
  for (const Wide far = 10 + s; x < far; x += 1) {
    const Wide term = 1 / PowerOf(x, s);
    sum += term;
    if (term * (x + 1) < sum * 0x1p-70L) return sum;
  }
  const Wide power = 1 / PowerOf(x, s);
  sum += power * (x / (s - 1) + 0.5L);
  Wide scale = power * s / x;
  for (int j = 1; j <= 12; ++j) {
    scale /= 2 * j - 1;
    scale /= 2 * j;
    sum += kBernoulli[j - 1] * scale;
    scale *= (s + 2 * j - 1) / x * ((s + 2 * j) / x);
  }
  return sum;
}

// The n-th derivative of ψ.
class PolygammaFunction {
 public:
  explicit PolygammaFunction(int n) : n_(n) {
    for (int k = 2; k <= n; ++k) factorial_ *= k;
  }

  double operator()(double x) {
    if (x > 0) return static_cast<double>((n_ % 2 ? 1 : -1) * Positive(x));
    if (!(x > -kInfinity)) return kNaN;
    if (x == std::trunc(x)) {
      if (n_ % 2) return kInfinity;
      return x == 0 ? std::copysign(kInfinity, -x) : kNaN;
    }
    return static_cast<double>(-Positive(1 - static_cast<Wide>(x)) - CotangentDerivative(x));
  }

 private:
  Wide Positive(Wide x) const { return x == kInfinity ? 0 : factorial_ * HurwitzZeta(n_ + 1, x); }

  // π times the n-th derivative of cot(πx): a polynomial P_n in cot(πx), P_(k+1)(c) = −(1 + c²)·P_k'(c). Its terms have
  // one sign, and every other power.
  Wide CotangentDerivative(double x) {
    if (!have_polynomial_) MakePolynomial();
    const Wide c = Cotangent(x);
    Wide value = 0;
    for (int i = n_ + 1; i >= 0; i -= 2) value = value * (c * c) + polynomial_[i];
    return PowerOf(kPi, n_ + 1) * (n_ % 2 ? value : value * c);
  }

  void MakePolynomial() {
    polynomial_[1] = 1;
    for (int k = 0; k < n_; ++k) {
      Wide derivative[kLength];
      for (int i = 0; i <= k; ++i) derivative[i] = (i + 1) * polynomial_[i + 1];
      for (int i = 0; i <= k + 2; ++i) {
        polynomial_[i] = -((i <= k ? derivative[i] : 0) + (i >= 2 ? derivative[i - 2] : 0));
      }
    }
    have_polynomial_ = true;
  }

  static constexpr int kLength = 174;  // the largest order and what the derivative reads beyond
  int n_;
  Wide factorial_ = 1;
  bool have_polynomial_ = false;
  Wide polynomial_[kLength] = {};
};

template <class T>
void DigammaTile(void* out, const void* const* in, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    static_cast<T*>(out)[i] = static_cast<T>(Digamma(static_cast<const T*>(in[0])[i]));
  }
}

template <class T>
void PolygammaTile(void* out, const void* const* in, int64_t n) {
  PolygammaFunction polygamma(static_cast<int>(*static_cast<const int64_t*>(in[3])));
  for (int64_t i = 0; i < n; ++i) {
    static_cast<T*>(out)[i] = static_cast<T>(polygamma(static_cast<const T*>(in[0])[i]));
  }
}

}  // namespace

TileFn FindGamma(const OpDef* op, uint8_t from, uint8_t to) {
  if (to != from || (from != kCodeF32 && from != kCodeF64)) return nullptr;
  if (op == &kDigamma) return from == kCodeF32 ? DigammaTile<float> : DigammaTile<double>;
  if (op == &kPolygamma) return from == kCodeF32 ? PolygammaTile<float> : PolygammaTile<double>;
  return nullptr;
}

}  // namespace tenferro
