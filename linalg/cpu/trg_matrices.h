#ifndef TENFERRO_LINALG_CPU_TRG_MATRICES_H_
#define TENFERRO_LINALG_CPU_TRG_MATRICES_H_

#include <algorithm>
#include <cmath>
#include <vector>

#include "tenferro/linalg/cpu/test_matrices.h"

namespace tenferro::linalg::testing {

// A tensor network's matrices as test input: all that the tensor renormalisation group of the two-dimensional Ising
// model decomposes, 16 states per bond.
struct TrgRun {
  std::vector<Dense<double>> matrices;  // two a step
  std::vector<int64_t> kept;            // triplets kept of each
  double log_z;                         // per site
  bool ok = true;
};

// Source: Levin and Nave, "Tensor renormalization group approach to two-dimensional classical lattice models",
// Phys. Rev. Lett. 99 (2007).
inline TrgRun RunTrg(Isa isa, double beta, int steps) {
  // T[r, u, l, d] = Σ_s w[s][r]·w[s][u]·w[s][l]·w[s][d]; odd sums cancel exactly as long as nothing is fused.
  const double w[2][2] = {{std::sqrt(std::cosh(beta)), std::sqrt(std::sinh(beta))},
                          {std::sqrt(std::cosh(beta)), -std::sqrt(std::sinh(beta))}};
  int64_t d = 2;
  std::vector<double> t(16);
  for (int i = 0; i < 16; ++i) {
    for (int s = 0; s < 2; ++s) t[i] += w[s][i & 1] * w[s][i >> 1 & 1] * w[s][i >> 2 & 1] * w[s][i >> 3];
  }
  TrgRun run;
  run.log_z = 0;
  for (int step = 0; step < steps; ++step) {
    double largest = 0;
    for (double x : t) largest = std::fmax(largest, std::fabs(x));
    for (double& x : t) x /= largest;
    run.log_z += std::ldexp(std::log(largest), -step);
    const int64_t n = d * d, k = std::min<int64_t>(16, step == 0 ? 2 : step < 3 ? 4 : 16);
    Dense<double> a1(n, n), a2(n, n);
    a1.data = t;
    for (int64_t r = 0; r < d; ++r) {
      for (int64_t u = 0; u < d; ++u) {
        for (int64_t l = 0; l < d; ++l) {
          for (int64_t q = 0; q < d; ++q) a2(u + d * l, q + d * r) = t[r + d * (u + d * (l + d * q))];
        }
      }
    }
    // left[·, ·, k] = U√s, right[k, ·, ·] = √s·Vᵀ of both.
    std::vector<double> left[2], right[2];
    for (int i = 0; i < 2; ++i) {
      const Dense<double>& a = i == 0 ? a1 : a2;
      Dense<double> u(n, k), v(n, k);
      std::vector<double> s(k);
      run.ok &= SvdTruncated(isa, n, n, a.data.data(), k, 0, u.data.data(), s.data(), v.data.data()) == Outcome::kOk;
      left[i].resize(n * k);
      right[i].resize(n * k);
      for (int64_t j = 0; j < k; ++j) {
        for (int64_t r = 0; r < n; ++r) {
          left[i][r + n * j] = u(r, j) * std::sqrt(s[j]);
          right[i][j + k * r] = v(r, j) * std::sqrt(s[j]);
        }
      }
      run.matrices.push_back(a);
      run.kept.push_back(k);
    }
    // x[i, q; c, a] = Σ_b s3[i, c, b]·s2[b, a, q], y[j, p; c, a] = Σ_e s4[j, e, c]·s1[a, e, p], t'[i, j, p, q] = Σ x·y.
    const std::vector<double>&s1 = left[0], &s2 = left[1], &s3 = right[0], &s4 = right[1];
    std::vector<double> x(k * k * n), y(k * k * n), next(k * k * k * k);
    for (int64_t c = 0; c < d; ++c) {
      for (int64_t a = 0; a < d; ++a) {
        for (int64_t b = 0; b < d; ++b) {
          for (int64_t q = 0; q < k; ++q) {
            for (int64_t i = 0; i < k; ++i) {
              x[i + k * (q + k * (c + d * a))] += s3[i + k * (c + d * b)] * s2[b + d * (a + d * q)];
              y[i + k * (q + k * (c + d * a))] += s4[i + k * (b + d * c)] * s1[a + d * (b + d * q)];
            }
          }
        }
      }
    }
    for (int64_t ca = 0; ca < n; ++ca) {
      for (int64_t q = 0; q < k; ++q) {
        for (int64_t p = 0; p < k; ++p) {
          for (int64_t j = 0; j < k; ++j) {
            const double factor = y[j + k * (p + k * ca)];
            if (factor == 0) continue;
            for (int64_t i = 0; i < k; ++i) next[i + k * (j + k * (p + k * q))] += x[i + k * (q + k * ca)] * factor;
          }
        }
      }
    }
    t = next;
    d = k;
  }
  double trace = 0;
  for (int64_t r = 0; r < d; ++r) {
    for (int64_t u = 0; u < d; ++u) trace += t[r + d * (u + d * (r + d * u))];
  }
  run.log_z += std::ldexp(std::log(trace), -steps);
  return run;
}

}  // namespace tenferro::linalg::testing

#endif  // TENFERRO_LINALG_CPU_TRG_MATRICES_H_
