#ifndef TENFERRO_LINALG_CPU_SPECTRAL_SPECTRUM_H_
#define TENFERRO_LINALG_CPU_SPECTRAL_SPECTRUM_H_

#include "tenferro/linalg/cpu/spectral/product.h"

namespace tenferro::linalg::TENFERRO_ISA {

template <class R, bool kComplex>
struct Spectrum {
  int exponent = 0;           // eigenvalue of the matrix = value · 2^exponent
  double* values = nullptr;   // in no order
  int32_t* order = nullptr;   // sorts them
  Panel<R, kComplex> vectors;  // column j belongs to values[j]
};

// The eigenvalues, and the vectors where wanted, of the Hermitian matrix in the lower triangle of a (n × n, zero above,
// entries of order 1), which is overwritten. False if they do not converge.
template <class R, bool kComplex>
bool FindSpectrum(Arena& arena, GemmScratch& scratch, int64_t n, const Panel<R, kComplex>& a, bool with_vectors,
                  Spectrum<R, kComplex>& out);

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_SPECTRAL_SPECTRUM_H_
