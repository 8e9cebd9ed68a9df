#ifndef TENFERRO_FFT_REFERENCE_TRANSFORM_H_
#define TENFERRO_FFT_REFERENCE_TRANSFORM_H_

#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

// Fourier transforms in the widest float, for tests to compare with.
namespace tenferro::fft {

using Wide = std::complex<long double>;

// e^(−2πi·k/n) for each k < n.
inline std::vector<Wide> WideRoots(int64_t n) {
  std::vector<Wide> roots;
  for (int64_t k = 0; k < n; ++k) {
    // The angle is taken within half a turn, where it is rounded least.
    const int64_t turned = 2 * k > n ? k - n : k;
    const long double angle =
        -2 * std::numbers::pi_v<long double> * static_cast<long double>(turned) / static_cast<long double>(n);
    roots.emplace_back(std::cos(angle), std::sin(angle));
  }
  return roots;
}

// Of the elements x[first], x[first + step], …, by the smallest prime factor of their number. `roots` has step times as
// many.
inline std::vector<Wide> WideTransform(const std::vector<Wide>& x, const std::vector<Wide>& roots, int64_t first,
                                       int64_t step) {
  const int64_t n = static_cast<int64_t>(x.size()) / step;
  int64_t radix = 2;
  while (radix * radix <= n && n % radix != 0) ++radix;
  if (n % radix != 0) radix = n;
  if (n == 1) return {x[first]};
  std::vector<std::vector<Wide>> parts;
  for (int64_t i = 0; i < radix; ++i) parts.push_back(WideTransform(x, roots, first + i * step, step * radix));
  std::vector<Wide> result;
  for (int64_t k = 0; k < n; ++k) {
    Wide sum = 0;
    for (int64_t i = 0; i < radix; ++i) {
      // Without std::complex's care for what is not finite, which takes most of the time.
      const Wide a = parts[i][k % (n / radix)], b = roots[i * k % n * step];
      sum += Wide(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
    }
    result.push_back(sum);
  }
  return result;
}

// Σ_j x_j e^(∓2πi·jk/n) for each k, − unless inverse.
inline std::vector<Wide> ReferenceTransform(std::vector<Wide> x, bool inverse = false) {
  if (inverse) {
    for (Wide& z : x) z = std::conj(z);
  }
  std::vector<Wide> y = WideTransform(x, WideRoots(static_cast<int64_t>(x.size())), 0, 1);
  if (inverse) {
    for (Wide& z : y) z = std::conj(z);
  }
  return y;
}

}  // namespace tenferro::fft

#endif  // TENFERRO_FFT_REFERENCE_TRANSFORM_H_
