#ifndef TENFERRO_CPU_KERNELS_COMPLEX_LOOP_H_
#define TENFERRO_CPU_KERNELS_COMPLEX_LOOP_H_

#include <cstdint>

namespace tenferro {

// Loops over tiles of c64 and c128 for functions of one element, computed in c128.
using Complex = __complex__ double;
using LongComplex = __complex__ long double;
using ComplexFn = Complex (*)(Complex);
using ComplexBinaryFn = Complex (*)(Complex, Complex);

inline Complex Make(double re, double im) {
  Complex z;
  __real__ z = re;
  __imag__ z = im;
  return z;
}

// T is the type of a part.
template <class T, ComplexFn kFn>
void ComplexUnary(void* out, const void* const* in, int64_t n) {
  T* to = static_cast<T*>(out);
  const T* x = static_cast<const T*>(in[0]);
  for (int64_t i = 0; i < 2 * n; i += 2) {
    const Complex y = kFn(Make(x[i], x[i + 1]));
    to[i] = static_cast<T>(__real__ y);
    to[i + 1] = static_cast<T>(__imag__ y);
  }
}

template <class T, ComplexBinaryFn kFn>
void ComplexBinary(void* out, const void* const* in, int64_t n) {
  T* to = static_cast<T*>(out);
  const T* a = static_cast<const T*>(in[0]);
  const T* b = static_cast<const T*>(in[1]);
  for (int64_t i = 0; i < 2 * n; i += 2) {
    const Complex y = kFn(Make(a[i], a[i + 1]), Make(b[i], b[i + 1]));
    to[i] = static_cast<T>(__real__ y);
    to[i + 1] = static_cast<T>(__imag__ y);
  }
}

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_COMPLEX_LOOP_H_
