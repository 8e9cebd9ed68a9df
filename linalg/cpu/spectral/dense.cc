#include "tenferro/linalg/cpu/spectral/dense.h"

#include <algorithm>

namespace tenferro::linalg {

template <class T>
bool SolveInPlace(Isa isa, DenseMatrix<T>& a, DenseMatrix<T>& b) {
  constexpr int64_t kBlock = 32;
  const int64_t n = a.rows, m = b.columns;
  const auto exchange = [](DenseMatrix<T>& x, int64_t i, int64_t p) {
    for (int64_t j = 0; j < x.columns; ++j) std::swap(x(i, j), x(p, j));
  };
  for (int64_t first = 0; first < n; first += kBlock) {
    const int64_t last = std::min(first + kBlock, n);
    for (int64_t k = first; k < last; ++k) {
      int64_t pivot = k;
      for (int64_t i = k + 1; i < n; ++i) {
        if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
      }
      if (a(pivot, k) == T(0)) return false;
      if (pivot != k) {
        exchange(a, k, pivot);
        exchange(b, k, pivot);
      }
      const T inverse = T(1) / a(k, k);
      for (int64_t i = k + 1; i < n; ++i) a(i, k) *= inverse;
      for (int64_t j = k + 1; j < last; ++j) {
        const T factor = a(k, j);
        for (int64_t i = k + 1; i < n; ++i) a(i, j) -= a(i, k) * factor;
      }
    }
    // The rows of the block right of it, and of b; then one product each.
    const auto forward = [&](DenseMatrix<T>& x, int64_t from) {
      for (int64_t j = from; j < x.columns; ++j) {
        for (int64_t k = first; k < last; ++k) {
          const T factor = x(k, j);
          for (int64_t i = k + 1; i < last; ++i) x(i, j) -= a(i, k) * factor;
        }
      }
      if (last < n && from < x.columns) {
        MultiplyView(isa, Turn::kNone, &a(last, first), n, Turn::kNone, &x(first, from), n, n - last, x.columns - from,
                     last - first, true, &x(last, from), n, a.pool());
      }
    };
    forward(a, last);
    forward(b, 0);
  }
  for (int64_t last = n; last > 0;) {
    const int64_t first = (last - 1) / kBlock * kBlock;
    for (int64_t j = 0; j < m; ++j) {
      for (int64_t k = last - 1; k >= first; --k) {
        b(k, j) /= a(k, k);
        const T factor = b(k, j);
        for (int64_t i = first; i < k; ++i) b(i, j) -= a(i, k) * factor;
      }
    }
    if (first > 0 && m > 0) {
      MultiplyView(isa, Turn::kNone, &a(0, first), n, Turn::kNone, &b(first, 0), n, first, m, last - first, true,
                   &b(0, 0), n, a.pool());
    }
    last = first;
  }
  return true;
}

template bool SolveInPlace(Isa, DenseMatrix<double>&, DenseMatrix<double>&);
template bool SolveInPlace(Isa, DenseMatrix<std::complex<double>>&, DenseMatrix<std::complex<double>>&);

}  // namespace tenferro::linalg
