#include "tenferro/linalg/cpu/spectral/general_function.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "tenferro/linalg/cpu/spectral/kernels.h"
#include "tenferro/linalg/cpu/spectral/triangular.h"

namespace tenferro::linalg {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

// z·core·zᴴ as T: the imaginary part of a real function is rounding.
template <class T>
DenseMatrix<T> Back(Isa isa, const DenseMatrix<Complex>& z, const DenseMatrix<Complex>& core) {
  const DenseMatrix<Complex> result = Multiply(isa, Turn::kNone, Multiply(isa, z, core), Turn::kAdjoint, z);
  DenseMatrix<T> out(result.rows, result.columns, z.pool());
  for (size_t i = 0; i < result.data.size(); ++i) {
    if constexpr (std::is_same_v<T, double>) {
      out.data[i] = result.data[i].real();
    } else {
      out.data[i] = result.data[i];
    }
  }
  return out;
}

template <class T>
DenseMatrix<Complex> InBasis(Isa isa, const DenseMatrix<Complex>& z, const DenseMatrix<T>& e) {
  DenseMatrix<Complex> widened(e.rows, e.columns, z.pool());
  std::copy(e.data.begin(), e.data.end(), widened.data.begin());
  return Multiply(isa, Turn::kAdjoint, z, Turn::kNone, Multiply(isa, widened, z));
}

// Whether a is [[b, e], [0, b]], or where `lower` [[b, 0], [e, b]], as the higher derivatives of a function have it.
template <class T>
bool IsBlockTriangle(const DenseMatrix<T>& a, bool lower) {
  const int64_t half = a.rows / 2;
  if (a.rows == 0 || a.rows % 2 != 0) return false;
  for (int64_t j = 0; j < half; ++j) {
    for (int64_t i = 0; i < half; ++i) {
      const T zero = lower ? a(i, half + j) : a(half + i, j);
      if (zero != T(0) || a(i, j) != a(half + i, half + j)) return false;
    }
  }
  return true;
}

template <class T>
SchurForm PrincipalSchur(Isa isa, const DenseMatrix<T>& a);

// The Schur form from that of b. Taken as a whole the matrix has each eigenvalue of b twice, which rounding would part
// by √eps, and put on both sides of a branch cut.
template <class T>
SchurForm SchurOfBlockTriangle(Isa isa, const DenseMatrix<T>& a) {
  const int64_t half = a.rows / 2;
  const bool lower = !IsBlockTriangle(a, false);
  DenseMatrix<T> b(half, half, a.pool()), e(half, half, a.pool());
  SchurForm s{DenseMatrix<Complex>(a.rows, a.rows, a.pool()), DenseMatrix<Complex>(a.rows, a.rows, a.pool())};
  for (int64_t j = 0; j < half; ++j) {
    for (int64_t i = 0; i < half; ++i) {
      b(i, j) = a(i, j);
      e(i, j) = lower ? a(half + i, j) : a(i, half + j);
      if (!(std::abs(e(i, j)) - std::abs(e(i, j)) == 0)) s.outcome = Outcome::kNotFinite;
    }
  }
  if (s.outcome != Outcome::kOk) return s;
  const SchurForm part = PrincipalSchur(isa, b);
  s.outcome = part.outcome;
  if (s.outcome != Outcome::kOk) return s;
  const DenseMatrix<Complex> core = InBasis(isa, part.z, e);
  for (int64_t j = 0; j < half; ++j) {
    for (int64_t i = 0; i < half; ++i) {
      s.t(i, j) = s.t(half + i, half + j) = part.t(i, j);
      s.t(i, half + j) = core(i, j);
      s.z(lower ? half + i : i, j) = s.z(lower ? i : half + i, half + j) = part.z(i, j);
    }
  }
  return s;
}

// The Schur form of a matrix that may have a square root or a logarithm of its own dtype. Eigenvalues of a real matrix
// from −n·eps·|a| to 0 count as 0. Those of a complex one that are negative but for n·eps·|a| count as such, on the upper
// side of the branch cut: else rounding would choose the side, and another one for the adjoint derivative.
template <class T>
SchurForm PrincipalSchur(Isa isa, const DenseMatrix<T>& a) {
  if (IsBlockTriangle(a, false) || IsBlockTriangle(a, true)) return SchurOfBlockTriangle(isa, a);
  SchurForm s = ComplexSchur(isa, a);
  if (s.outcome != Outcome::kOk) return s;
  const double tau = static_cast<double>(a.rows) * kEps * OneNorm(a);
  for (int64_t i = 0; i < a.rows; ++i) {
    Complex& value = s.t(i, i);
    if constexpr (std::is_same_v<T, double>) {
      if (value.imag() != 0 || value.real() >= 0) continue;
      if (value.real() < -tau) s.outcome = Outcome::kNoPrincipalValue;
      value = 0;
    } else if (std::abs(value.imag()) <= std::min(tau, -std::sqrt(kEps) * value.real())) {
      value.imag(0);
    }
  }
  return s;
}

}  // namespace

template <class T>
Outcome Sqrtm(Isa isa, const DenseMatrix<T>& a, DenseMatrix<T>& out) {
  const SchurForm s = PrincipalSchur(isa, a);
  if (s.outcome != Outcome::kOk) return s.outcome;
  DenseMatrix<Complex> root;
  if (!TriangularSqrt(s.t, root)) return Outcome::kNoPrincipalValue;
  out = Back<T>(isa, s.z, root);
  return Outcome::kOk;
}

template <class T>
Outcome SqrtmDerivative(Isa isa, const DenseMatrix<T>& a, const DenseMatrix<T>& e, DenseMatrix<T>& out) {
  const SchurForm s = PrincipalSchur(isa, a);
  if (s.outcome != Outcome::kOk) return s.outcome;
  DenseMatrix<Complex> root, moved;
  if (!TriangularSqrt(s.t, root)) return Outcome::kNoPrincipalValue;
  if (!TriangularSylvester(root, InBasis(isa, s.z, e), moved)) return Outcome::kNoPrincipalValue;
  out = Back<T>(isa, s.z, moved);
  return Outcome::kOk;
}

template <class T>
Outcome Logm(Isa isa, const DenseMatrix<T>& a, DenseMatrix<T>& out) {
  const SchurForm s = PrincipalSchur(isa, a);
  if (s.outcome != Outcome::kOk) return s.outcome;
  DenseMatrix<Complex> log;
  if (!TriangularLog(s.t, log)) return Outcome::kNoPrincipalValue;
  out = Back<T>(isa, s.z, log);
  return Outcome::kOk;
}

template <class T>
Outcome LogmDerivative(Isa isa, const DenseMatrix<T>& a, const DenseMatrix<T>& e, DenseMatrix<T>& out) {
  const int64_t n = a.rows;
  const SchurForm s = PrincipalSchur(isa, a);
  if (s.outcome != Outcome::kOk) return s.outcome;
  const DenseMatrix<Complex> core = InBasis(isa, s.z, e);
  out = DenseMatrix<T>(n, n, a.pool());
  const double size = OneNorm(core);
  if (!(size - size == 0)) return Outcome::kNotFinite;
  if (n == 0 || size == 0) return Outcome::kOk;
  // [[t, core], [0, t]] is triangular already; linear in core, which is brought to the size of t's distance from 0.
  double smallest = std::abs(s.t(0, 0));
  for (int64_t i = 1; i < n; ++i) smallest = std::min(smallest, std::abs(s.t(i, i)));
  if (smallest == 0) return Outcome::kNoPrincipalValue;
  int exponent = 0;
  std::frexp(size / smallest, &exponent);
  exponent = std::clamp(exponent, -1000, 1000);
  DenseMatrix<Complex> pair(2 * n, 2 * n, a.pool()), log, moved(n, n, a.pool());
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < n; ++i) {
      pair(i, j) = pair(n + i, n + j) = s.t(i, j);
      pair(i, n + j) = core(i, j) * std::ldexp(1.0, -exponent);
    }
  }
  if (!TriangularLog(pair, log)) return Outcome::kNoPrincipalValue;
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < n; ++i) moved(i, j) = log(i, n + j) * std::ldexp(1.0, exponent);
  }
  out = Back<T>(isa, s.z, moved);
  return Outcome::kOk;
}

namespace {

// Powers of two d such that rows and columns of d⁻¹·a·d are of about equal size.
//
// Source: B. N. Parlett and C. Reinsch, "Balancing a matrix for calculation of eigenvalues and eigenvectors", Numer.
// Math. 13 (1969).
template <class T>
PoolVector<double> Balance(DenseMatrix<T>& a) {
  const int64_t n = a.rows;
  PoolVector<double> d(static_cast<size_t>(n), 1.0, a.pool());
  bool changed = true;
  for (int round = 0; changed && round < 20; ++round) {
    changed = false;
    for (int64_t i = 0; i < n; ++i) {
      double column = 0, row = 0;
      for (int64_t j = 0; j < n; ++j) {
        if (j == i) continue;
        column += std::abs(a(j, i));
        row += std::abs(a(i, j));
      }
      if (!(column > 0 && row > 0)) continue;
      int exponent = static_cast<int>(std::lround(std::log2(row / column) / 2));
      if (exponent == 0) continue;
      exponent = std::clamp(exponent, -60, 60);
      const double factor = std::ldexp(1.0, exponent);
      if (column * factor + row / factor >= 0.95 * (column + row)) continue;
      changed = true;
      d[i] *= factor;
      for (int64_t j = 0; j < n; ++j) {
        a(j, i) *= factor;
        a(i, j) /= factor;
      }
    }
  }
  return d;
}

// That of the largest element where it is far from 1, else 0.
template <class T>
int ExponentFarFrom1(const DenseMatrix<T>& a) {
  double largest = 0;
  for (const T& x : a.data) largest = std::max({largest, std::abs(std::real(x)), std::abs(std::imag(x))});
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::abs(exponent) > 500 ? exponent : 0;
}

}  // namespace

template <class T>
Outcome Eig(Isa isa, const DenseMatrix<T>& a, Complex* values, DenseMatrix<Complex>* vectors,
            DenseMatrix<Complex>* inverse) {
  const int64_t n = a.rows;
  for (const T& x : a.data) {
    if (!(std::abs(x) - std::abs(x) == 0)) return Outcome::kNotFinite;
  }
  DenseMatrix<T> balanced = a;
  // Near the smallest numbers the vectors' equations have no digits left, near the largest they overflow.
  const int exponent = ExponentFarFrom1(a);
  const double half = std::ldexp(1.0, -exponent / 2), other_half = std::ldexp(1.0, exponent / 2 - exponent);
  for (T& x : balanced.data) x = x * half * other_half;
  const PoolVector<double> d = Balance(balanced);
  const SchurForm s = ComplexSchur(isa, balanced);
  if (s.outcome != Outcome::kOk) return s.outcome;
  for (int64_t i = 0; i < n; ++i) {
    values[i] = {std::ldexp(s.t(i, i).real(), exponent), std::ldexp(s.t(i, i).imag(), exponent)};
  }
  if (vectors == nullptr) return Outcome::kOk;
  const DenseMatrix<Complex> x = TriangularEigenvectors(s.t);
  *vectors = Multiply(isa, s.z, x);
  *inverse = Multiply(isa, Turn::kNone, TriangularInverse(x), Turn::kAdjoint, s.z);
  for (int64_t j = 0; j < n; ++j) {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) {
      (*vectors)(i, j) *= d[i];
      (*inverse)(i, j) /= d[j];
      sum += std::norm((*vectors)(i, j));
    }
    const double norm = std::sqrt(sum);
    for (int64_t i = 0; i < n; ++i) (*vectors)(i, j) /= norm;
    for (int64_t i = 0; i < n; ++i) (*inverse)(j, i) *= norm;
  }
  if (!std::is_same_v<T, double>) return Outcome::kOk;
  // Conjugate pairs are so in every bit.
  for (int64_t j = 0; j < n; ++j) {
    if (values[j].imag() == 0) {
      continue;
    }
    for (int64_t i = 0; i < n; ++i) {
      (*vectors)(i, j + 1) = std::conj((*vectors)(i, j));
      (*inverse)(j + 1, i) = std::conj((*inverse)(j, i));
    }
    ++j;
  }
  return Outcome::kOk;
}

#define TENFERRO_INSTANTIATE(T)                                                                         \
  template Outcome Sqrtm(Isa, const DenseMatrix<T>&, DenseMatrix<T>&);                                  \
  template Outcome Logm(Isa, const DenseMatrix<T>&, DenseMatrix<T>&);                                   \
  template Outcome SqrtmDerivative(Isa, const DenseMatrix<T>&, const DenseMatrix<T>&, DenseMatrix<T>&); \
  template Outcome LogmDerivative(Isa, const DenseMatrix<T>&, const DenseMatrix<T>&, DenseMatrix<T>&);  \
  template Outcome Eig(Isa, const DenseMatrix<T>&, Complex*, DenseMatrix<Complex>*, DenseMatrix<Complex>*);
TENFERRO_INSTANTIATE(double)
TENFERRO_INSTANTIATE(Complex)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg
