#ifndef TENFERRO_LINALG_LAPACK_FACTOR_KERNEL_H_
#define TENFERRO_LINALG_LAPACK_FACTOR_KERNEL_H_

#include <memory>

#include "tenferro/linalg/cpu/factor/batch_ending.h"
#include "tenferro/linalg/lapack/batch_kernel.h"
#include "tenferro/linalg/lapack/matrix.h"

// What the kernels of the triangular factorisations share.
namespace tenferro::linalg::lapack {

using FactorKernel = BatchKernel<Ending, BatchEnding>;
inline constexpr Ending kOk = {End::kOk, 0};
inline constexpr Ending kMatrixNotFinite = {End::kNotFinite, 0};
inline constexpr Ending kRightSideNotFinite = {End::kNotFinite, 1};

// x of op(t)·x = b or x·op(t) = b in place of b [m, n].
template <class T>
void SolveTriangle(char side, char triangle, char operation, char diagonal, int64_t m, int64_t n, const T* t,
                   int64_t ldt, T* b, int64_t ldb) {
  const Int rows = ToInt(m), columns = ToInt(n), lda = Leading(ldt), ldx = Leading(ldb);
  const T one = 1;
  Routines<T>::Trsm(&side, &triangle, &operation, &diagonal, &rows, &columns, &one, t, &lda, b, &ldx, 1, 1, 1, 1);
}

// kSingular where a triangle's diagonal has a zero.
template <class T>
Ending CheckDiagonal(int64_t n, const T* t, int64_t ldt) {
  for (int64_t j = 0; j < n; ++j) {
    if (t[j + j * ldt] == T(0)) return {End::kSingular, j};
  }
  return kOk;
}

// The kernel of the request's record for elements of type T, null where it is none of the group, or LAPACK's integers
// do not hold its sizes: factors by elimination and what is solved with them; by reflections.
template <class T>
std::unique_ptr<Kernel> MakeEliminationKernel(const KernelRequest& request);
template <class T>
std::unique_ptr<Kernel> MakeReflectionKernel(const KernelRequest& request);

}  // namespace tenferro::linalg::lapack

#endif  // TENFERRO_LINALG_LAPACK_FACTOR_KERNEL_H_
