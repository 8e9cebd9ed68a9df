#include "tenferro/linalg/cpu/spectral/tridiagonal_qr.h"

#include "tenferro/linalg/cpu/column.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

// Rotations of columns (i, i + 1) for i = last − 1 … first, kVectors vectors of rows at a time: the column that two
// neighbouring rotations share stays in registers.
template <class R, int kVectors>
HWY_INLINE void RotateRows(const Panel<R, false>& z, int64_t first, int64_t last, const double* rotations,
                           int64_t row) {
  const Tag<R> d;
  const int64_t lanes = LaneCount<R>();
  Vector<R> carried[kVectors];
  for (int q = 0; q < kVectors; ++q) carried[q] = hn::Load(d, z.column(last) + row + q * lanes);
  for (int64_t i = last - 1; i >= first; --i) {
    const Vector<R> c = hn::Set(d, R(rotations[2 * i])), s = hn::Set(d, R(rotations[2 * i + 1]));
    R* low = z.column(i) + row;
    R* high = z.column(i + 1) + row;
    for (int q = 0; q < kVectors; ++q) {
      const Vector<R> x = hn::Load(d, low + q * lanes);
      hn::Store(hn::MulAdd(s, x, hn::Mul(c, carried[q])), d, high + q * lanes);
      carried[q] = hn::NegMulAdd(s, carried[q], hn::Mul(c, x));
    }
  }
  for (int q = 0; q < kVectors; ++q) hn::Store(carried[q], d, z.column(first) + row + q * lanes);
}

template <class R>
void RotateColumns(const Panel<R, false>& z, int64_t first, int64_t last, const double* rotations) {
  const int64_t lanes = LaneCount<R>();
  int64_t row = 0;
  for (; row + 4 * lanes <= z.rows; row += 4 * lanes) RotateRows<R, 4>(z, first, last, rotations, row);
  for (; row + 2 * lanes <= z.rows; row += 2 * lanes) RotateRows<R, 2>(z, first, last, rotations, row);
  for (; row < z.rows; row += lanes) RotateRows<R, 1>(z, first, last, rotations, row);
}

// Entries far below the rounding of the matrix as a whole count as zero: relative to small neighbours they might never.
double Largest(int64_t n, const double* d, const double* e) {
  double largest = 0;
  for (int64_t i = 0; i < n; ++i) {
    largest = __builtin_fmax(largest, __builtin_fabs(d[i]));
    if (i + 1 < n) largest = __builtin_fmax(largest, __builtin_fabs(e[i]));
  }
  return largest;
}

}  // namespace

template <class R>
bool DiagonalizeByQl(int64_t n, double* d, double* e, const Panel<R, false>& z, double* rotations) {
  constexpr double kEps = kEpsilon<R>;
  const double negligible = kEps / 8 * Largest(n, d, e);
  for (int64_t first = 0; first < n; ++first) {
    for (int sweep = 0;; ++sweep) {
      int64_t last = first;
      while (last + 1 < n &&
             __builtin_fabs(e[last]) > kEps * (__builtin_fabs(d[last]) + __builtin_fabs(d[last + 1])) + negligible) {
        ++last;
      }
      if (last == first) break;
      if (sweep == 60) return false;
      // Wilkinson's shift: the eigenvalue of the leading 2 × 2 block that is closer to d[first].
      double g = (d[first + 1] - d[first]) / (2 * e[first]);
      double r = __builtin_sqrt(g * g + 1);
      if (!(r < 1e150)) r = __builtin_fabs(g);
      g = d[last] - d[first] + e[first] / (g + __builtin_copysign(r, g));
      double s = 1, c = 1, p = 0;
      int64_t i = last - 1;
      for (; i >= first; --i) {
        const double f = s * e[i], b = c * e[i];
        r = __builtin_sqrt(f * f + g * g);
        e[i + 1] = r;
        if (r == 0) {
          // The matrix splits here.
          d[i + 1] -= p;
          e[last] = 0;
          break;
        }
        const double inverse = 1 / r;
        s = f * inverse;
        c = g * inverse;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        rotations[2 * i] = c;
        rotations[2 * i + 1] = s;
      }
      if (i + 1 < last) RotateColumns(z, i + 1, last, rotations);
      if (i >= first) continue;
      d[first] -= p;
      e[first] = g;
      e[last] = 0;
    }
  }
  return true;
}

template <class R>
bool EigenvaluesByQl(int64_t n, double* d, double* e) {
  constexpr double kEps = kEpsilon<R>;
  const double negligible = kEps / 8 * Largest(n, d, e);
  for (int64_t i = 0; i + 1 < n; ++i) e[i] *= e[i];
  for (int64_t first = 0; first < n; ++first) {
    for (int sweep = 0;; ++sweep) {
      int64_t last = first;
      for (; last + 1 < n; ++last) {
        const double bound = kEps * (__builtin_fabs(d[last]) + __builtin_fabs(d[last + 1])) + negligible;
        if (e[last] <= bound * bound) break;
      }
      if (last == first) break;
      if (sweep == 60) return false;
      const double root = __builtin_sqrt(e[first]);
      double sigma = (d[first + 1] - d[first]) / (2 * root);
      double r = __builtin_sqrt(sigma * sigma + 1);
      if (!(r < 1e150)) r = __builtin_fabs(sigma);
      sigma = d[first] - root / (sigma + __builtin_copysign(r, sigma));
      double c = 1, s = 0, gamma = d[last] - sigma, p = gamma * gamma;
      for (int64_t i = last - 1; i >= first; --i) {
        const double square = e[i];
        r = p + square;
        if (i + 1 < last) e[i + 1] = s * r;
        const double inverse = 1 / r, old = c, before = gamma;
        c = p * inverse;
        s = square * inverse;
        gamma = c * (d[i] - sigma) - s * before;
        d[i + 1] = before + (d[i] - gamma);
        p = c != 0 ? gamma * gamma / c : old * square;
      }
      if (last + 1 < n) e[last] = 0;
      e[first] = s * p;
      d[first] = sigma + gamma;
    }
  }
  return true;
}

void SortAscending(int64_t n, const double* d, int32_t* order) {
  // Heap sort with ties by index, so that equal values keep their order.
  const auto before = [d](int32_t a, int32_t b) { return d[a] < d[b] || (d[a] == d[b] && a < b); };
  for (int64_t i = 0; i < n; ++i) order[i] = static_cast<int32_t>(i);
  const auto sink = [&](int64_t at, int64_t end) {
    for (;;) {
      int64_t child = 2 * at + 1;
      if (child >= end) return;
      if (child + 1 < end && before(order[child], order[child + 1])) ++child;
      if (!before(order[at], order[child])) return;
      const int32_t moved = order[at];
      order[at] = order[child];
      order[child] = moved;
      at = child;
    }
  };
  for (int64_t i = n / 2; i-- > 0;) sink(i, n);
  for (int64_t end = n; end-- > 1;) {
    const int32_t moved = order[0];
    order[0] = order[end];
    order[end] = moved;
    sink(0, end);
  }
}

template bool EigenvaluesByQl<float>(int64_t, double*, double*);
template bool EigenvaluesByQl<double>(int64_t, double*, double*);
template bool DiagonalizeByQl(int64_t, double*, double*, const Panel<float, false>&, double*);
template bool DiagonalizeByQl(int64_t, double*, double*, const Panel<double, false>&, double*);

}  // namespace tenferro::linalg::TENFERRO_ISA
