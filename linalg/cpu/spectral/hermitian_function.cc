#include "tenferro/linalg/cpu/spectral/hermitian_function.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tenferro/linalg/cpu/spectral/dense.h"
#include "tenferro/linalg/cpu/spectral/divided_differences.h"

namespace tenferro::linalg {
namespace {

template <class T>
struct Decomposition {
  PoolVector<double> w;
  DenseMatrix<T> v;
  Outcome outcome;
};

template <class T>
Decomposition<T> Decompose(Isa isa, const ScalarFunction& f, int64_t n, const T* a, Pool* pool) {
  Decomposition<T> d{PoolVector<double>(pool), DenseMatrix<T>(n, n, pool), Outcome::kOk};
  PoolVector<RealOf<T>> w(static_cast<size_t>(n), pool);
  const Piece scratch(pool, EighBytes<T>(isa, n));
  d.outcome = Eigh(isa, n, a, w.data(), d.v.data.data(), scratch.memory());
  d.w.assign(w.begin(), w.end());
  if (!f.nonnegative || n == 0) return d;
  const double tau = static_cast<double>(n) * std::numeric_limits<RealOf<T>>::epsilon() *
                     std::max(std::abs(d.w.front()), std::abs(d.w.back()));
  for (double& x : d.w) x = x < 0 && x >= -tau ? 0 : x;
  return d;
}

// Vᴴ·e·V.
template <class T>
DenseMatrix<T> Congruent(Isa isa, const DenseMatrix<T>& v, const T* e) {
  const int64_t n = v.rows;
  DenseMatrix<T> right(n, n, v.pool());
  MultiplyView(isa, Turn::kNone, e, n, Turn::kNone, v.data.data(), n, n, n, n, false, right.data.data(), n, v.pool());
  return Multiply(isa, Turn::kAdjoint, v, Turn::kNone, right);
}

// V·core·Vᴴ.
template <class T>
void Back(Isa isa, const DenseMatrix<T>& v, const DenseMatrix<T>& core, T* out) {
  const int64_t n = v.rows;
  const DenseMatrix<T> left = Multiply(isa, v, core);
  MultiplyView(isa, Turn::kNone, left.data.data(), n, Turn::kAdjoint, v.data.data(), n, n, n, n, false, out, n,
               v.pool());
}

}  // namespace

template <class T>
Outcome HermitianFunctionOf(Isa isa, const ScalarFunction& f, int64_t n, const T* a, T* out, Pool* pool) {
  if (n == 0) return Outcome::kOk;
  const Decomposition<T> d = Decompose(isa, f, n, a, pool);
  if (d.outcome != Outcome::kOk) return d.outcome;
  DenseMatrix<T> scaled = d.v;
  for (int64_t j = 0; j < n; ++j) {
    const RealOf<T> factor = static_cast<RealOf<T>>(f.value(d.w[j]));
    for (int64_t i = 0; i < n; ++i) scaled(i, j) *= factor;
  }
  MultiplyView(isa, Turn::kNone, scaled.data.data(), n, Turn::kAdjoint, d.v.data.data(), n, n, n, n, false, out, n,
               pool);
  return Outcome::kOk;
}

template <class T>
Outcome HermitianFunctionDerivativeOf(Isa isa, const ScalarFunction& f, int64_t n, const T* a, const T* e, T* out,
                                      Pool* pool) {
  if (n == 0) return Outcome::kOk;
  const Decomposition<T> d = Decompose(isa, f, n, a, pool);
  if (d.outcome != Outcome::kOk) return d.outcome;
  DenseMatrix<T> core = Congruent(isa, d.v, e);
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i <= j; ++i) {
      const RealOf<T> factor = static_cast<RealOf<T>>(DividedDifference(f, d.w[i], d.w[j]));
      core(i, j) *= factor;
      if (i != j) core(j, i) *= factor;
    }
  }
  Back(isa, d.v, core, out);
  return Outcome::kOk;
}

// Σ_k f[w_i, w_k, w_j]·(P_ik Q_kj + Q_ik P_kj) with P = Vᴴ·e1·V, Q = Vᴴ·e2·V.
template <class T>
Outcome HermitianFunctionSecondOf(Isa isa, const ScalarFunction& f, int64_t n, const T* a, const T* e1, const T* e2,
                                  T* out, Pool* pool) {
  if (n == 0) return Outcome::kOk;
  const Decomposition<T> d = Decompose(isa, f, n, a, pool);
  if (d.outcome != Outcome::kOk) return d.outcome;
  const DenseMatrix<T> p = Congruent(isa, d.v, e1), q = Congruent(isa, d.v, e2);
  DenseMatrix<T> core(n, n, pool);
  // Every triple i ≤ k ≤ j once: the difference is symmetric.
  const auto add = [&](int64_t i, int64_t k, int64_t j, RealOf<T> factor) {
    core(i, j) += factor * (p(i, k) * q(k, j) + q(i, k) * p(k, j));
  };
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t k = 0; k <= j; ++k) {
      for (int64_t i = 0; i <= k; ++i) {
        const RealOf<T> factor = static_cast<RealOf<T>>(DividedDifference(f, d.w[i], d.w[k], d.w[j]));
        add(i, k, j, factor);
        if (i != j) add(j, k, i, factor);
        if (k != j) {
          add(i, j, k, factor);
          if (i != k) add(k, j, i, factor);
        }
        if (i != k) {
          add(k, i, j, factor);
          if (k != j) add(j, i, k, factor);
        }
      }
    }
  }
  Back(isa, d.v, core, out);
  return Outcome::kOk;
}

#define TENFERRO_INSTANTIATE(T)                                                                                       \
  template Outcome HermitianFunctionOf(Isa, const ScalarFunction&, int64_t, const T*, T*, Pool*);                     \
  template Outcome HermitianFunctionDerivativeOf(Isa, const ScalarFunction&, int64_t, const T*, const T*, T*, Pool*); \
  template Outcome HermitianFunctionSecondOf(Isa, const ScalarFunction&, int64_t, const T*, const T*, const T*, T*,   \
                                             Pool*);
TENFERRO_INSTANTIATE(float)
TENFERRO_INSTANTIATE(double)
TENFERRO_INSTANTIATE(std::complex<float>)
TENFERRO_INSTANTIATE(std::complex<double>)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg
