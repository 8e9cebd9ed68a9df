#ifndef TENFERRO_LINALG_CPU_TEST_MATRICES_H_
#define TENFERRO_LINALG_CPU_TEST_MATRICES_H_

#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "tenferro/linalg/cpu/kernels.h"

// Matrices with known singular values, and measures of how far a decomposition is from exact.
namespace tenferro::linalg::testing {

// Column-major.
template <class T>
struct Dense {
  int64_t rows = 0;
  int64_t columns = 0;
  std::vector<T> data;

  Dense() = default;
  Dense(int64_t m, int64_t n) : rows(m), columns(n), data(m * n, T(0)) {}
  T& operator()(int64_t i, int64_t j) { return data[i + j * rows]; }
  const T& operator()(int64_t i, int64_t j) const { return data[i + j * rows]; }
};

inline double Conj(double x) { return x; }
inline float Conj(float x) { return x; }
template <class R>
std::complex<R> Conj(std::complex<R> x) {
  return std::conj(x);
}

// A fixed sequence of normal numbers (sum of twelve uniform ones).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  double Uniform() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) / 9007199254740992.0;
  }
  double Normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += Uniform();
    return sum;
  }
  template <class T>
  T Scalar() {
    if constexpr (sizeof(T) == sizeof(RealOf<T>)) {
      return static_cast<T>(Normal());
    } else {
      const RealOf<T> re = static_cast<RealOf<T>>(Normal());
      return T(re, static_cast<RealOf<T>>(Normal()));
    }
  }

 private:
  uint64_t state_;
};

template <class T>
Dense<T> Gaussian(int64_t m, int64_t n, uint64_t seed) {
  Random random(seed);
  Dense<T> a(m, n);
  for (T& x : a.data) x = random.Scalar<T>();
  return a;
}

template <class T>
Dense<T> operator*(const Dense<T>& a, const Dense<T>& b) {
  Dense<T> c(a.rows, b.columns);
  for (int64_t j = 0; j < b.columns; ++j) {
    for (int64_t l = 0; l < a.columns; ++l) {
      const T x = b(l, j);
      for (int64_t i = 0; i < a.rows; ++i) c(i, j) += a(i, l) * x;
    }
  }
  return c;
}

template <class T>
Dense<T> AdjointOf(const Dense<T>& a) {
  Dense<T> b(a.columns, a.rows);
  for (int64_t j = 0; j < a.columns; ++j) {
    for (int64_t i = 0; i < a.rows; ++i) b(j, i) = Conj(a(i, j));
  }
  return b;
}

// Orthonormal columns, by Gram and Schmidt twice over.
template <class T>
Dense<T> RandomIsometry(int64_t m, int64_t k, uint64_t seed) {
  Dense<T> q = Gaussian<T>(m, k, seed);
  for (int64_t j = 0; j < k; ++j) {
    for (int pass = 0; pass < 2; ++pass) {
      for (int64_t l = 0; l < j; ++l) {
        T dot = 0;
        for (int64_t i = 0; i < m; ++i) dot += Conj(q(i, l)) * q(i, j);
        for (int64_t i = 0; i < m; ++i) q(i, j) -= dot * q(i, l);
      }
      RealOf<T> norm = 0;
      for (int64_t i = 0; i < m; ++i) norm += std::norm(q(i, j));
      norm = std::sqrt(norm);
      for (int64_t i = 0; i < m; ++i) q(i, j) /= norm;
    }
  }
  return q;
}

// U·diag(s)·Vᴴ with random U and V; s may be shorter than min(m, n).
template <class T>
Dense<T> WithSpectrum(int64_t m, int64_t n, const std::vector<double>& s, uint64_t seed) {
  const int64_t k = static_cast<int64_t>(s.size());
  Dense<T> u = RandomIsometry<T>(m, k, seed);
  const Dense<T> v = RandomIsometry<T>(n, k, seed + 1000);
  for (int64_t j = 0; j < k; ++j) {
    for (int64_t i = 0; i < m; ++i) u(i, j) *= static_cast<RealOf<T>>(s[j]);
  }
  return u * AdjointOf(v);
}

// max over entries of |qᴴq − 1|.
template <class T>
double OrthogonalityDefect(const Dense<T>& q) {
  const Dense<T> gram = AdjointOf(q) * q;
  double worst = 0;
  for (int64_t j = 0; j < q.columns; ++j) {
    for (int64_t i = 0; i < q.columns; ++i) {
      worst = std::fmax(worst, std::abs(gram(i, j) - (i == j ? T(1) : T(0))));
    }
  }
  return worst;
}

// max over columns of |a·right − left·diag(s)|.
template <class T>
double Residual(const Dense<T>& a, const Dense<T>& left, const std::vector<RealOf<T>>& s, const Dense<T>& right,
                int64_t columns) {
  Dense<T> part(right.rows, columns);
  part.data.assign(right.data.begin(), right.data.begin() + right.rows * columns);
  const Dense<T> product = a * part;
  double worst = 0;
  for (int64_t j = 0; j < columns; ++j) {
    double sum = 0;
    for (int64_t i = 0; i < a.rows; ++i) sum += std::norm(product(i, j) - left(i, j) * s[j]);
    worst = std::fmax(worst, std::sqrt(sum));
  }
  return worst;
}

// A matrix and what is known of it.
struct MatrixCase {
  std::string name;
  int64_t m;
  int64_t n;
  int64_t k;                     // how many triplets a truncation keeps
  std::vector<double> spectrum;  // empty: unknown
  double gap = 0;                // (s_k − s_{k+1})/s_1 when derivatives of the truncation make sense, else 0
};

// The rows of the robustness table; T's matrix of a case is MakeMatrix<T>.
std::vector<MatrixCase> MatrixCases();

template <class T>
Dense<T> MakeMatrix(const MatrixCase& c) {
  if (c.spectrum.empty()) return Gaussian<T>(c.m, c.n, 17);
  return WithSpectrum<T>(c.m, c.n, c.spectrum, 23);
}

inline std::vector<MatrixCase> MatrixCases() {
  const auto spectrum = [](int64_t count, auto f) {
    std::vector<double> s;
    for (int64_t i = 0; i < count; ++i) s.push_back(f(static_cast<double>(i)));
    return s;
  };
  const auto decay = [](double rate) { return [rate](double i) { return std::exp(-rate * i); }; };
  std::vector<MatrixCase> cases = {
      {"flat", 96, 96, 16, {}},
      {"fast decay", 120, 120, 16, spectrum(120, decay(0.3))},
      {"slow decay", 120, 120, 16, spectrum(120, decay(0.1))},
      {"harmonic", 120, 120, 16, spectrum(120, [](double i) { return 1 / (i + 1); })},
      {"graded, noise at the cut", 120, 120, 16, spectrum(120, [](double i) { return std::pow(10, -i); })},
      {"graded", 120, 120, 8, spectrum(120, [](double i) { return std::pow(10, -i / 2); })},
      {"pairs, cut between", 120, 120, 16, spectrum(120, [](double i) { return std::exp(-.3 * std::floor(i / 2)); })},
      {"four equal across the cut", 120, 120, 16,
       spectrum(120,
                [](double i) { return i < 14   ? std::exp(-.1 * i)
                                      : i < 18 ? .2
                                               : .2 * std::exp(-.3 * (i - 17)); })},
      {"close across the cut", 120, 120, 16,
       spectrum(120,
                [](double i) {
                  return i < 14 ? std::exp(-.1 * i) : i < 18 ? .2 - 1e-3 * i : .1 * std::exp(-.3 * (i - 17));
                })},
      {"forty equal", 120, 120, 16, spectrum(120, [](double i) { return i < 40 ? 1 : std::exp(-.3 * (i - 39)); })},
      {"cluster", 120, 120, 16, spectrum(30, [](double i) { return 1 + 1e-10 * (30 - i); })},
      {"orthogonal", 120, 120, 16, spectrum(120, [](double) { return 1.0; })},
      {"rank 5", 120, 120, 16, spectrum(5, [](double i) { return 1 / (i + 1); })},
      {"rank 1", 120, 120, 16, {1.0}},
      {"tall", 300, 110, 16, spectrum(110, decay(0.3))},
      {"wide", 110, 300, 16, spectrum(110, decay(0.3))},
      {"small", 40, 40, 16, {}},
      {"small tall", 60, 33, 16, {}},
      {"all kept, tall", 50, 20, 20, {}},
      {"all kept, wide", 20, 50, 20, {}},
      {"row", 1, 30, 1, {}},
      {"column", 30, 1, 1, {}},
      {"one entry", 1, 1, 1, {}},
  };
  for (MatrixCase& c : cases) {
    if (c.k == std::min(c.m, c.n)) c.gap = 1;
    if (c.spectrum.size() > static_cast<size_t>(c.k)) {
      c.gap = (c.spectrum[c.k - 1] - c.spectrum[c.k]) / c.spectrum[0];
    }
  }
  return cases;
}

}  // namespace tenferro::linalg::testing

#endif  // TENFERRO_LINALG_CPU_TEST_MATRICES_H_
