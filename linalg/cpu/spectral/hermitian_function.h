#ifndef TENFERRO_LINALG_CPU_SPECTRAL_HERMITIAN_FUNCTION_H_
#define TENFERRO_LINALG_CPU_SPECTRAL_HERMITIAN_FUNCTION_H_

#include "tenferro/linalg/cpu/spectral/kernels.h"
#include "tenferro/linalg/cpu/spectral/pool.h"
#include "tenferro/linalg/hermitian_function.h"

namespace tenferro::linalg {

// f(A) for the Hermitian n × n matrix in the lower triangle of a, and its derivatives along e, and along e1 and e2, in
// memory of `pool`, or of the heap.
template <class T>
Outcome HermitianFunctionOf(Isa isa, const ScalarFunction& f, int64_t n, const T* a, T* out, Pool* pool = nullptr);
template <class T>
Outcome HermitianFunctionDerivativeOf(Isa isa, const ScalarFunction& f, int64_t n, const T* a, const T* e, T* out,
                                      Pool* pool = nullptr);
template <class T>
Outcome HermitianFunctionSecondOf(Isa isa, const ScalarFunction& f, int64_t n, const T* a, const T* e1, const T* e2,
                                  T* out, Pool* pool = nullptr);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_SPECTRAL_HERMITIAN_FUNCTION_H_
