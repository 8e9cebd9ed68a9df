#include "tenferro/cpu/kernels/quotient.h"

#include <cmath>

namespace tenferro {
namespace {

// ±1 for an infinity, ±0 for any other number.
template <class T>
T Direction(T x) {
  return std::copysign(std::isinf(x) ? T{1} : T{0}, x);
}

template <class T>
void Mend(T* q, T a_re, T a_im, T b_re, T b_im) {
  const bool a_finite = std::isfinite(a_re) && std::isfinite(a_im);
  const bool b_finite = std::isfinite(b_re) && std::isfinite(b_im);
  T scale;
  if ((std::isinf(a_re) || std::isinf(a_im)) && b_finite) {
    scale = static_cast<T>(INFINITY);
    a_re = Direction(a_re);
    a_im = Direction(a_im);
  } else if ((std::isinf(b_re) || std::isinf(b_im)) && a_finite) {
    scale = 0;
    b_re = Direction(b_re);
    b_im = Direction(b_im);
  } else {
    return;
  }
  q[0] = scale * (a_re * b_re + a_im * b_im);
  q[1] = scale * (a_im * b_re - a_re * b_im);
}

template <class T>
void MendAll(T* q, const T* a, const T* b, int64_t count) {
  for (int64_t i = 0; i < 2 * count; i += 2) {
    if (std::isnan(q[i]) && std::isnan(q[i + 1])) Mend(q + i, a[i], a[i + 1], b[i], b[i + 1]);
  }
}

}  // namespace

void MendQuotients(float* q, const float* a, const float* b, int64_t count) { MendAll(q, a, b, count); }
void MendQuotients(double* q, const double* a, const double* b, int64_t count) { MendAll(q, a, b, count); }

}  // namespace tenferro
