#ifndef TENFERRO_LINALG_LAPACK_FACTOR_KERNEL_H_
#define TENFERRO_LINALG_LAPACK_FACTOR_KERNEL_H_

#include <memory>

#include "tenferro/linalg/cpu/factor_problems.h"
#include "tenferro/linalg/lapack/batch_kernel.h"
#include "tenferro/linalg/lapack/matrix.h"

// What the kernels of the triangular factorisations share.
namespace tenferro::linalg::lapack {

inline constexpr Ending kRightSideNotFinite = {Outcome::kNotFinite, 1};

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
    if (t[j + j * ldt] == T(0)) return {Outcome::kSingular, j};
  }
  return kOk;
}

// The kernel of the request's record, null where it is none of the group, or LAPACK's integers do not hold its sizes:
// factors by elimination and what is solved with them; by reflections.
std::unique_ptr<Kernel> MakeEliminationKernel(DType dtype, const KernelRequest& request);
std::unique_ptr<Kernel> MakeReflectionKernel(DType dtype, const KernelRequest& request);

}  // namespace tenferro::linalg::lapack

#endif  // TENFERRO_LINALG_LAPACK_FACTOR_KERNEL_H_
