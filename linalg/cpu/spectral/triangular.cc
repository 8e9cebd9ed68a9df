#include "tenferro/linalg/cpu/spectral/triangular.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tenferro/linalg/cpu/spectral/kernels.h"

namespace tenferro::linalg {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

// y −= x·factor over the first `count` elements.
void Subtract(int64_t count, const Complex* x, Complex factor, Complex* y) {
  const double re = factor.real(), im = factor.imag();
  for (int64_t i = 0; i < count; ++i) {
    y[i] -= Complex(x[i].real() * re - x[i].imag() * im, x[i].real() * im + x[i].imag() * re);
  }
}

// A rotation of two rows and columns that clears the subdiagonal entry of each 2 × 2 block.
void ClearBlocks(SchurForm& s) {
  DenseMatrix<Complex>&t = s.t, &z = s.z;
  const int64_t n = t.rows;
  for (int64_t m = n - 1; m > 0; --m) {
    if (t(m, m - 1) == 0.0) continue;
    // Equal diagonal entries and off-diagonal ones of opposite signs: the values are d ± i·√(−bc).
    const double d = t(m, m).real(), b = t(m - 1, m).real(), low = t(m, m - 1).real();
    const double size = std::sqrt(std::abs(b)) * std::sqrt(std::abs(low));
    const Complex mu(0, size);
    const double r = std::hypot(size, low);
    const Complex c = mu / r;
    const double sine = low / r;
    for (int64_t j = m - 1; j < n; ++j) {
      const Complex x = t(m - 1, j), y = t(m, j);
      t(m - 1, j) = std::conj(c) * x + sine * y;
      t(m, j) = c * y - sine * x;
    }
    const auto turn = [&](DenseMatrix<Complex>& a, int64_t rows) {
      for (int64_t i = 0; i < rows; ++i) {
        const Complex x = a(i, m - 1), y = a(i, m);
        a(i, m - 1) = c * x + sine * y;
        a(i, m) = std::conj(c) * y - sine * x;
      }
    };
    turn(t, m + 1);
    turn(z, n);
    t(m, m - 1) = 0;
    t(m - 1, m - 1) = Complex(d, size);
    t(m, m) = Complex(d, -size);
  }
}

// exp(x) − 1 without cancellation.
Complex ExpMinusOne(Complex x) {
  const double s = std::sin(x.imag() / 2);
  return {std::expm1(x.real()) * std::cos(x.imag()) - 2 * s * s, std::exp(x.real()) * std::sin(x.imag())};
}

// log[x, y].
Complex LogDifference(Complex x, Complex y) {
  if (x == y) return 1.0 / x;
  if (std::abs(x - y) > 0.3 * std::abs(x)) return (std::log(x) - std::log(y)) / (x - y);
  // 2·artanh(u) with u = (x − y)/(x + y), |u| below 0.2.
  const Complex u = (x - y) / (x + y), u2 = u * u;
  Complex sum = 0, power = 1;
  for (int k = 0; k < 16; ++k, power *= u2) sum += power / static_cast<double>(2 * k + 1);
  return 2.0 * sum / (x + y);
}

}  // namespace

template <class T>
SchurForm ComplexSchur(Isa isa, const DenseMatrix<T>& a) {
  const int64_t n = a.rows;
  SchurForm s{DenseMatrix<Complex>(n, n, a.pool()), DenseMatrix<Complex>(n, n, a.pool())};
  const Piece scratch(a.pool(), SchurBytes<T>(n));
  if constexpr (sizeof(T) == sizeof(Complex)) {
    s.outcome = Schur(isa, n, a.data.data(), s.t.data.data(), s.z.data.data(), scratch.memory());
  } else {
    DenseMatrix<double> t(n, n, a.pool()), z(n, n, a.pool());
    s.outcome = Schur(isa, n, a.data.data(), t.data.data(), z.data.data(), scratch.memory());
    if (s.outcome != Outcome::kOk) return s;
    std::copy(t.data.begin(), t.data.end(), s.t.data.begin());
    std::copy(z.data.begin(), z.data.end(), s.z.data.begin());
    ClearBlocks(s);
  }
  return s;
}

template SchurForm ComplexSchur(Isa, const DenseMatrix<double>&);
template SchurForm ComplexSchur(Isa, const DenseMatrix<Complex>&);

DenseMatrix<Complex> TriangularEigenvectors(const DenseMatrix<Complex>& t) {
  const int64_t n = t.rows;
  const double smallest = std::max(kEps * OneNorm(t), std::numeric_limits<double>::min());
  // The vectors of a defective matrix grow by 1/eps from entry to entry.
  constexpr double kLarge = 1e100;
  DenseMatrix<Complex> x(n, n, t.pool());
  for (int64_t j = 0; j < n; ++j) {
    Complex* column = &x(0, j);
    for (int64_t i = 0; i < j; ++i) column[i] = -t(i, j);
    column[j] = 1;
    for (int64_t i = j - 1; i >= 0; --i) {
      Complex gap = t(i, i) - t(j, j);
      if (std::abs(gap) < smallest) gap = smallest;
      column[i] /= gap;
      if (std::abs(column[i]) > kLarge) {
        for (int64_t k = 0; k <= j; ++k) column[k] /= kLarge;
      }
      Subtract(i, &t(0, i), column[i], column);
    }
  }
  return x;
}

DenseMatrix<Complex> TriangularInverse(const DenseMatrix<Complex>& x) {
  const int64_t n = x.rows;
  DenseMatrix<Complex> inverse(n, n, x.pool());
  for (int64_t j = 0; j < n; ++j) {
    inverse(j, j) = 1;
    for (int64_t i = j; i >= 0; --i) {
      inverse(i, j) /= x(i, i);
      Subtract(i, &x(0, i), inverse(i, j), &inverse(0, j));
    }
  }
  return inverse;
}

bool TriangularSqrt(const DenseMatrix<Complex>& t, DenseMatrix<Complex>& root) {
  const int64_t n = t.rows;
  root = DenseMatrix<Complex>(n, n, t.pool());
  for (int64_t j = 0; j < n; ++j) {
    Complex* column = &root(0, j);
    root(j, j) = std::sqrt(t(j, j));
    for (int64_t i = 0; i < j; ++i) column[i] = t(i, j);
    for (int64_t i = j - 1; i >= 0; --i) {
      const Complex sum = root(i, i) + root(j, j);
      if (sum == 0.0) {
        if (column[i] != 0.0) return false;
        continue;
      }
      column[i] /= sum;
      Subtract(i, &root(0, i), column[i], column);
    }
  }
  return true;
}

bool TriangularSylvester(const DenseMatrix<Complex>& r, const DenseMatrix<Complex>& c, DenseMatrix<Complex>& x) {
  const int64_t n = r.rows;
  x = c;
  for (int64_t j = 0; j < n; ++j) {
    Complex* column = &x(0, j);
    for (int64_t k = 0; k < j; ++k) Subtract(n, &x(0, k), r(k, j), column);
    for (int64_t i = n - 1; i >= 0; --i) {
      const Complex sum = r(i, i) + r(j, j);
      if (sum == 0.0) return false;
      column[i] /= sum;
      Subtract(i, &r(0, i), column[i], column);
    }
  }
  return true;
}

bool TriangularLog(const DenseMatrix<Complex>& t, DenseMatrix<Complex>& log) {
  constexpr double kTheta = 2.64e-1;  // up to here the approximant of degree 7 is accurate
  constexpr double kNodes[] = {0.5,
                               0.2970774243113014,
                               0.7029225756886986,
                               0.1292344072003028,
                               0.8707655927996972,
                               0.0254460438286207,
                               0.9745539561713793};
  constexpr double kWeights[] = {0.2089795918367347, 0.1909150252525595, 0.1909150252525595, 0.1398526957446383,
                                 0.1398526957446383, 0.0647424830844348, 0.0647424830844348};
  const int64_t n = t.rows;
  for (int64_t i = 0; i < n; ++i) {
    if (t(i, i) == 0.0) return false;
  }
  DenseMatrix<Complex> root = t;
  int halvings = 0;
  const auto distance = [&] {
    DenseMatrix<Complex> x = root;
    for (int64_t i = 0; i < n; ++i) x(i, i) = ExpMinusOne(std::ldexp(1.0, -halvings) * std::log(t(i, i)));
    return x;
  };
  DenseMatrix<Complex> x = distance();
  for (; OneNorm(x) > kTheta && halvings < 100; x = distance()) {
    DenseMatrix<Complex> next;
    if (!TriangularSqrt(root, next)) return false;
    root = std::move(next);
    ++halvings;
  }
  // Σ w_k·x·(1 + node_k·x)⁻¹, whose factors commute.
  log = DenseMatrix<Complex>(n, n, t.pool());
  for (int k = 0; k < 7; ++k) {
    DenseMatrix<Complex> matrix = x, solved = x;
    for (Complex& entry : matrix.data) entry *= kNodes[k];
    for (int64_t i = 0; i < n; ++i) matrix(i, i) += 1.0;
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t i = j; i >= 0; --i) {
        solved(i, j) /= matrix(i, i);
        Subtract(i, &matrix(0, i), solved(i, j), &solved(0, j));
      }
    }
    for (size_t i = 0; i < log.data.size(); ++i) log.data[i] += kWeights[k] * solved.data[i];
  }
  for (Complex& entry : log.data) entry *= std::ldexp(1.0, halvings);
  // The diagonal and the next are known exactly.
  for (int64_t i = 0; i < n; ++i) {
    log(i, i) = std::log(t(i, i));
    if (i + 1 < n) log(i, i + 1) = t(i, i + 1) * LogDifference(t(i, i), t(i + 1, i + 1));
  }
  return true;
}

}  // namespace tenferro::linalg
