#ifndef TENFERRO_FFT_CPU_PASS_H_
#define TENFERRO_FFT_CPU_PASS_H_

#include <stdint.h>

namespace tenferro::fft::TENFERRO_ISA {

// Where one side of a pass lies in memory, in scalars. Element (c, t, index, j) stands at base + (c << shift) + t·of_t
// + index·of_index + j·of_j, its imaginary part `im` scalars further, or with `pairs` right after it.
template <class T>
struct Side {
  T* base;
  bool pairs;
  int shift;  // 1 with pairs, and where vectors of real and imaginary parts alternate
  int64_t im;
  int64_t of_t, of_index, of_j;
};

// Butterflies over count_c neighbours (at least one vector), count_t and count_j. On loading pairs imaginary parts are
// multiplied by im_sign; on storing pairs numbers are multiplied by scale, and imaginary parts by im_sign.
template <class T>
struct PassRun {
  int64_t radix;
  const T* roots;
  const T* twiddles;  // for each j; may be null
  Side<const T> in;
  Side<T> out;
  int64_t count_c, count_t, count_j;
  T im_sign, scale;
};

template <class T>
void RunPass(const PassRun<T>& run);

}  // namespace tenferro::fft::TENFERRO_ISA

#endif  // TENFERRO_FFT_CPU_PASS_H_
