#include <algorithm>
#include <cmath>

#include "tenferro/linalg/cpu/spectral/general_function.h"

namespace tenferro::linalg {
namespace {

// |a|^power in the 1-norm: one vector times a matrix of moduli, `power` times.
template <class T>
double NormOfPowerOfModuli(const DenseMatrix<T>& a, int power) {
  const int64_t n = a.rows;
  PoolVector<double> row(static_cast<size_t>(n), 1.0, a.pool()), next(row);
  for (int k = 0; k < power; ++k) {
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t i = 0; i < n; ++i) sum += row[i] * std::abs(a(i, j));
      next[j] = sum;
    }
    row.swap(next);
  }
  return *std::max_element(row.begin(), row.end());
}

// How many more halvings the approximant of degree m needs because |a|ᵏ may be larger than the powers of a: its leading
// error term is |c|·‖|a|^(2m+1)‖.
template <class T>
int MoreHalvings(const DenseMatrix<T>& a, int m, double norm) {
  const double reciprocal = m == 3   ? 100800.
                            : m == 5 ? 10059033600.
                            : m == 7 ? 4487938430976000.
                            : m == 9 ? 5914384781877411840000.
                                     : 113250775606021113483283660800000000.;
  const double power = NormOfPowerOfModuli(a, 2 * m + 1);
  if (power == 0 || norm == 0) return 0;
  const double excess = std::log2(power / (norm * reciprocal) * 0x1p53);
  return std::max(0, static_cast<int>(std::ceil(excess / (2 * m))));
}

// a ← Σ coefficients[k]·powers[k], the identity being power 0.
template <class T>
DenseMatrix<T> Combine(const DenseMatrix<T>& like, std::initializer_list<double> coefficients,
                       std::initializer_list<const DenseMatrix<T>*> powers) {
  const int64_t n = like.rows;
  DenseMatrix<T> sum(n, n, like.pool());
  auto power = powers.begin();
  for (double c : coefficients) {
    const DenseMatrix<T>* p = *power++;
    if (p == nullptr) {
      for (int64_t i = 0; i < n; ++i) sum(i, i) += c;
    } else {
      for (size_t i = 0; i < sum.data.size(); ++i) sum.data[i] += c * p->data[i];
    }
  }
  return sum;
}

// (v − u)⁻¹·(v + u).
template <class T>
bool Quotient(Isa isa, const DenseMatrix<T>& u, const DenseMatrix<T>& v, DenseMatrix<T>& out) {
  DenseMatrix<T> denominator = v;
  out = v;
  for (size_t i = 0; i < u.data.size(); ++i) {
    denominator.data[i] -= u.data[i];
    out.data[i] += u.data[i];
  }
  return SolveInPlace(isa, denominator, out);
}

}  // namespace

template <class T>
Outcome Expm(Isa isa, const DenseMatrix<T>& a, DenseMatrix<T>& out) {
  const int64_t n = a.rows;
  out = DenseMatrix<T>(n, n, a.pool());
  if (n == 0) return Outcome::kOk;
  const double norm = OneNorm(a);
  if (!(norm - norm == 0)) return Outcome::kNotFinite;
  if (norm > 1e5) {
    // Far beyond: the powers below could overflow before the halvings are known.
    int exponent = 0;
    std::frexp(norm, &exponent);
    exponent = std::min(exponent, 1000);
    DenseMatrix<T> scaled = a;
    for (T& x : scaled.data) x *= std::ldexp(1.0, -exponent);
    if (const Outcome outcome = Expm(isa, scaled, out); outcome != Outcome::kOk) return outcome;
    for (int k = 0; k < exponent; ++k) out = Multiply(isa, out, out);
    return Outcome::kOk;
  }
  using M = DenseMatrix<T>;
  const auto root = [](double x, int k) { return std::pow(x, 1.0 / k); };
  const M a2 = Multiply(isa, a, a), a4 = Multiply(isa, a2, a2), a6 = Multiply(isa, a4, a2);
  const double d4 = root(OneNorm(a4), 4), d6 = root(OneNorm(a6), 6);
  M odd, even;
  const auto finish = [&](const M& matrix) {
    return Quotient(isa, Multiply(isa, matrix, odd), even, out) ? Outcome::kOk : Outcome::kNotConverged;
  };
  const double eta1 = std::max(d4, d6);
  if (eta1 < 1.495585217958292e-2 && MoreHalvings(a, 3, norm) == 0) {
    odd = Combine<T>(a, {60, 1}, {nullptr, &a2});
    even = Combine<T>(a, {120, 12}, {nullptr, &a2});
    return finish(a);
  }
  if (eta1 < 2.539398330063230e-1 && MoreHalvings(a, 5, norm) == 0) {
    odd = Combine<T>(a, {15120, 420, 1}, {nullptr, &a2, &a4});
    even = Combine<T>(a, {30240, 3360, 30}, {nullptr, &a2, &a4});
    return finish(a);
  }
  const M a8 = Multiply(isa, a4, a4);
  const double d8 = root(OneNorm(a8), 8), eta3 = std::max(d6, d8);
  if (eta3 < 9.504178996162932e-1 && MoreHalvings(a, 7, norm) == 0) {
    odd = Combine<T>(a, {8648640, 277200, 1512, 1}, {nullptr, &a2, &a4, &a6});
    even = Combine<T>(a, {17297280, 1995840, 25200, 56}, {nullptr, &a2, &a4, &a6});
    return finish(a);
  }
  if (eta3 < 2.097847961257068 && MoreHalvings(a, 9, norm) == 0) {
    odd = Combine<T>(a, {8821612800, 302702400, 2162160, 3960, 1}, {nullptr, &a2, &a4, &a6, &a8});
    even = Combine<T>(a, {17643225600, 2075673600, 30270240, 110880, 90}, {nullptr, &a2, &a4, &a6, &a8});
    return finish(a);
  }
  const double d10 = root(OneNorm(Multiply(isa, a4, a6)), 10);
  const double eta5 = std::min(eta3, std::max(d8, d10));
  int halvings = eta5 == 0 ? 0 : std::max(0, static_cast<int>(std::ceil(std::log2(eta5 / 4.25))));
  const auto scaled = [](const M& x, int exponent) {
    M y = x;
    for (T& entry : y.data) entry *= std::ldexp(1.0, -exponent);
    return y;
  };
  halvings += MoreHalvings(scaled(a, halvings), 13, std::ldexp(norm, -halvings));
  const M b = scaled(a, halvings), b2 = scaled(a2, 2 * halvings), b4 = scaled(a4, 4 * halvings),
          b6 = scaled(a6, 6 * halvings);
  odd = Multiply(isa, b6, Combine<T>(a, {40840800, 16380, 1}, {&b2, &b4, &b6}));
  const M low_odd =
      Combine<T>(a, {32382376266240000, 1187353796428800, 10559470521600, 33522128640}, {nullptr, &b2, &b4, &b6});
  even = Multiply(isa, b6, Combine<T>(a, {1323241920, 960960, 182}, {&b2, &b4, &b6}));
  const M low_even =
      Combine<T>(a, {64764752532480000, 7771770303897600, 129060195264000, 670442572800}, {nullptr, &b2, &b4, &b6});
  for (size_t i = 0; i < odd.data.size(); ++i) {
    odd.data[i] += low_odd.data[i];
    even.data[i] += low_even.data[i];
  }
  if (const Outcome outcome = finish(b); outcome != Outcome::kOk) return outcome;
  for (int k = 0; k < halvings; ++k) out = Multiply(isa, out, out);
  return Outcome::kOk;
}

template <class T>
Outcome ExpmDerivative(Isa isa, const DenseMatrix<T>& a, const DenseMatrix<T>& e, DenseMatrix<T>& out) {
  const int64_t n = a.rows;
  out = DenseMatrix<T>(n, n, a.pool());
  const double norm = OneNorm(a), size = OneNorm(e);
  if (!(norm - norm == 0) || !(size - size == 0)) return Outcome::kNotFinite;
  if (n == 0 || size == 0) return Outcome::kOk;
  // Linear in e, which is brought to a size that does not ask for halvings of its own.
  int exponent = 0;
  std::frexp(size / std::max(norm, 1e-2), &exponent);
  exponent = std::clamp(exponent, -1000, 1000);
  DenseMatrix<T> pair(2 * n, 2 * n, a.pool()), result;
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < n; ++i) {
      pair(i, j) = pair(n + i, n + j) = a(i, j);
      pair(i, n + j) = e(i, j) * std::ldexp(1.0, -exponent);
    }
  }
  if (const Outcome outcome = Expm(isa, pair, result); outcome != Outcome::kOk) return outcome;
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < n; ++i) out(i, j) = result(i, n + j) * std::ldexp(1.0, exponent);
  }
  return Outcome::kOk;
}

#define TENFERRO_INSTANTIATE(T)                                       \
  template Outcome Expm(Isa, const DenseMatrix<T>&, DenseMatrix<T>&); \
  template Outcome ExpmDerivative(Isa, const DenseMatrix<T>&, const DenseMatrix<T>&, DenseMatrix<T>&);
TENFERRO_INSTANTIATE(double)
TENFERRO_INSTANTIATE(std::complex<double>)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg
