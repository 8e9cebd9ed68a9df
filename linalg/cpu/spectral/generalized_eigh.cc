#include <algorithm>
#include <cmath>
#include <type_traits>

#include "tenferro/linalg/cpu/factor/kernels.h"
#include "tenferro/linalg/cpu/spectral/kernels.h"

namespace tenferro::linalg {
namespace {

template <class T>
int64_t MatrixBytes(int64_t n) {
  return (n * n * int64_t{sizeof(T)} + 63) / 64 * 64;
}

// The Hermitian matrix of a's lower triangle, divided by 2^exponent to about 1; by an even power where that is asked.
// False if an entry is not finite.
template <class T>
bool CopyScaled(int64_t n, const T* a, bool even, int& exponent, T* out) {
  RealOf<T> largest = 0, defect = 0;
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = j; i < n; ++i) {
      const RealOf<T> re = std::real(a[i + j * n]), im = i == j ? 0 : std::imag(a[i + j * n]);
      largest = std::max({largest, std::abs(re), std::abs(im)});
      defect += (re - re) + (im - im);
    }
  }
  if (!(defect == 0)) return false;
  exponent = largest > 0 ? std::ilogb(largest) + 1 : 0;
  if (std::abs(exponent) <= 8) exponent = 0;
  if (even && exponent % 2 != 0) ++exponent;
  // Of a number near the smallest the power has no inverse: in two steps.
  const RealOf<T> half = std::ldexp(RealOf<T>(1), -exponent / 2),
                  other_half = std::ldexp(RealOf<T>(1), exponent / 2 - exponent);
  for (int64_t j = 0; j < n; ++j) {
    out[j + j * n] = std::real(a[j + j * n]) * half * other_half;
    for (int64_t i = j + 1; i < n; ++i) {
      const T x = a[i + j * n] * half * other_half;
      out[i + j * n] = x;
      if constexpr (std::is_floating_point_v<T>) {
        out[j + i * n] = x;
      } else {
        out[j + i * n] = std::conj(x);
      }
    }
  }
  return true;
}

}  // namespace

// B = L·Lᴴ, and the eigenvectors V of C = L⁻¹·A·L⁻ᴴ give X = L⁻ᴴ·V.
template <class T>
Outcome GeneralizedEigh(Isa isa, int64_t n, const T* a, const T* b, RealOf<T>* w, T* x, Memory memory) {
  if (n == 0) return Outcome::kOk;
  const Loan loan(memory, GeneralizedEighBytes<T>(isa, n));
  char* const begin = static_cast<char*>(loan.memory().data);
  const auto piece = [&](int index) { return reinterpret_cast<T*>(begin + index * MatrixBytes<T>(n)); };
  T *const factor = piece(0), *const first = piece(1), *const second = piece(2);
  const Memory rest = {begin + 3 * MatrixBytes<T>(n), loan.memory().bytes - 3 * MatrixBytes<T>(n)};
  int a_exponent = 0, b_exponent = 0;
  if (!CopyScaled(n, b, true, b_exponent, first)) return Outcome::kNotFinite;
  if (factor::Cholesky(isa, n, first, factor, rest).outcome != Outcome::kOk) return Outcome::kNotPositiveDefinite;
  if (!CopyScaled(n, a, false, a_exponent, first)) return Outcome::kNotFinite;
  constexpr TriangleMode kInverse = {.lower = true};
  constexpr TriangleMode kAdjoint = {.lower = true, .transpose = true, .conjugate = !std::is_floating_point_v<T>};
  TriangleMode from_right = kAdjoint;
  from_right.right = true;
  // Numbers that are not finite come from a B that is nearly singular.
  const auto solve = [&](const TriangleMode& mode, const T* from, T* to) {
    return factor::TriangularSolve(isa, n, n, mode, factor, from, to, rest).outcome == Outcome::kOk;
  };
  if (!solve(kInverse, first, second) || !solve(from_right, second, first)) return Outcome::kNotPositiveDefinite;
  const Outcome outcome = Eigh(isa, n, first, w, second, rest);
  if (outcome == Outcome::kNotFinite) return Outcome::kNotPositiveDefinite;
  if (outcome != Outcome::kOk) return outcome;
  if (!solve(kAdjoint, second, x)) return Outcome::kNotPositiveDefinite;
  for (int64_t j = 0; j < n; ++j) w[j] = std::ldexp(w[j], a_exponent - b_exponent);
  if (b_exponent != 0) {
    const RealOf<T> back = std::ldexp(RealOf<T>(1), -b_exponent / 2);
    for (int64_t i = 0; i < n * n; ++i) x[i] *= back;
  }
  return Outcome::kOk;
}

template <class T>
int64_t GeneralizedEighBytes(Isa isa, int64_t n) {
  return 3 * MatrixBytes<T>(n) +
         std::max({EighBytes<T>(isa, n), factor::CholeskyBytes<T>(isa, n), factor::TriangularSolveBytes<T>(isa, n, n)});
}

#define TENFERRO_INSTANTIATE(T)                           \
  template int64_t GeneralizedEighBytes<T>(Isa, int64_t); \
  template Outcome GeneralizedEigh(Isa, int64_t, const T*, const T*, RealOf<T>*, T*, Memory);
TENFERRO_INSTANTIATE(float)
TENFERRO_INSTANTIATE(double)
TENFERRO_INSTANTIATE(std::complex<float>)
TENFERRO_INSTANTIATE(std::complex<double>)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg
