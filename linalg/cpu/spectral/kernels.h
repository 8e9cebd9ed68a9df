#ifndef TENFERRO_LINALG_CPU_SPECTRAL_KERNELS_H_
#define TENFERRO_LINALG_CPU_SPECTRAL_KERNELS_H_

#include "tenferro/linalg/cpu/kernels.h"

// Eigenvalue problems as plain functions on dense column-major n × n arrays, under the terms of
// tenferro/linalg/cpu/kernels.h. Where a problem fails the outputs are of no meaning.
namespace tenferro::linalg {

// A = V·diag(w)·Vᴴ with w ascending, A from its lower triangle; v may be null: the values alone. A matrix that is block
// diagonal up to a permutation (its exact zeros decide) is decomposed block by block, and the vectors are exactly zero
// outside their block.
template <class T>
Outcome Eigh(Isa isa, int64_t n, const T* a, RealOf<T>* w, T* v, Memory memory = {});
template <class T>
int64_t EighBytes(Isa isa, int64_t n);

// A·x = w·B·x from the lower triangles, with Xᴴ·B·X = 1 and w ascending. kNotPositiveDefinite where B is not.
template <class T>
Outcome GeneralizedEigh(Isa isa, int64_t n, const T* a, const T* b, RealOf<T>* w, T* x, Memory memory = {});
template <class T>
int64_t GeneralizedEighBytes(Isa isa, int64_t n);

// A = Z·T·Zᴴ with unitary Z, for T double and std::complex<double>. Complex: T is upper triangular. Real: T is upper
// triangular but for 2 × 2 blocks on the diagonal with equal diagonal entries and off-diagonal ones of opposite signs,
// one for each complex pair of eigenvalues. What is 0 by this shape is exactly 0.
//
// Accuracy: |A − Z·T·Zᴴ| a few eps·|A|. Cost: about 25·n³. Source: J. G. F. Francis, "The QR transformation", Computer
// J. 4 (1961–62).
template <class T>
Outcome Schur(Isa isa, int64_t n, const T* a, T* t, T* z, Memory memory = {});
template <class T>
int64_t SchurBytes(int64_t n);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_SPECTRAL_KERNELS_H_
