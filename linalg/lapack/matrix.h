#ifndef TENFERRO_LINALG_LAPACK_MATRIX_H_
#define TENFERRO_LINALG_LAPACK_MATRIX_H_

#include <algorithm>
#include <cmath>
#include <limits>

#include "tenferro/linalg/cpu/copies.h"
#include "tenferro/linalg/cpu/scalar.h"

// What is done to matrices before and after LAPACK's part.
namespace tenferro::linalg::lapack {

template <class T>
bool IsFinite(const T* x, int64_t count) {
  const RealOf<T>* const parts = reinterpret_cast<const RealOf<T>*>(x);
  int others = 0;  // without a branch the loop is one of vectors
  for (int64_t i = 0; i < count * (kIsComplex<T> ? 2 : 1); ++i) {
    others |= !(std::abs(parts[i]) <= std::numeric_limits<RealOf<T>>::max());
  }
  return others == 0;
}

// Copies, and says whether all was finite.
template <class T>
bool CopyFinite(const T* from, int64_t count, T* to) {
  std::copy_n(from, count, to);
  return IsFinite(from, count);
}

// The lower triangle, of its diagonal the real part, with zeros above; says whether all that was read was finite.
template <class T>
bool CopyLower(const T* from, int64_t n, T* to) {
  bool finite = true;
  for (int64_t j = 0; j < n; ++j) {
    const T* const column = from + j * n;
    T* const out = to + j * n;
    std::fill_n(out, j, T(0));
    out[j] = std::real(column[j]);
    std::copy_n(column + j + 1, n - j - 1, out + j + 1);
    finite = IsFinite(out + j, n - j) && finite;
  }
  return finite;
}

}  // namespace tenferro::linalg::lapack

#endif  // TENFERRO_LINALG_LAPACK_MATRIX_H_
