#ifndef TENFERRO_LINALG_LAPACK_FORTRAN_H_
#define TENFERRO_LINALG_LAPACK_FORTRAN_H_

#include <complex>
#include <cstddef>
#include <cstdint>

// The routines of LAPACK and BLAS that the kernels call, as Fortran compilers export them: everything by address, and
// the length of each CHARACTER argument behind all others.
//
// TENFERRO_LAPACK_ILP64: the library's integers have 64 bits. TENFERRO_LAPACK_SYMBOL(name): the linker's name of a
// routine, where it is not name_, as in -D'TENFERRO_LAPACK_SYMBOL(name)=name##_64_'.
#ifndef TENFERRO_LAPACK_SYMBOL
#define TENFERRO_LAPACK_SYMBOL(name) name##_
#endif

namespace tenferro::linalg::lapack {

#ifdef TENFERRO_LAPACK_ILP64
using Int = int64_t;
#else
using Int = int32_t;
#endif

using Length = size_t;
using C64 = std::complex<float>;
using C128 = std::complex<double>;

extern "C" {

// What the four scalars have in common but for names and what complex ones need beside.
#define TENFERRO_COMMON(T, potrf, getrf, getri, trsm, geqrf, orgqr, ormqr)                                           \
  void TENFERRO_LAPACK_SYMBOL(potrf)(const char* uplo, const Int* n, T* a, const Int* lda, Int* info, Length);       \
  void TENFERRO_LAPACK_SYMBOL(getrf)(const Int* m, const Int* n, T* a, const Int* lda, Int* ipiv, Int* info);        \
  void TENFERRO_LAPACK_SYMBOL(getri)(const Int* n, T* a, const Int* lda, const Int* ipiv, T* work, const Int* lwork, \
                                     Int* info);                                                                     \
  void TENFERRO_LAPACK_SYMBOL(trsm)(const char* side, const char* uplo, const char* trans, const char* diag,         \
                                    const Int* m, const Int* n, const T* alpha, const T* a, const Int* lda, T* b,    \
                                    const Int* ldb, Length, Length, Length, Length);                                 \
  void TENFERRO_LAPACK_SYMBOL(geqrf)(const Int* m, const Int* n, T* a, const Int* lda, T* tau, T* work,              \
                                     const Int* lwork, Int* info);                                                   \
  void TENFERRO_LAPACK_SYMBOL(orgqr)(const Int* m, const Int* n, const Int* k, T* a, const Int* lda, const T* tau,   \
                                     T* work, const Int* lwork, Int* info);                                          \
  void TENFERRO_LAPACK_SYMBOL(ormqr)(const char* side, const char* trans, const Int* m, const Int* n, const Int* k,  \
                                     const T* a, const Int* lda, const T* tau, T* c, const Int* ldc, T* work,        \
                                     const Int* lwork, Int* info, Length, Length);
TENFERRO_COMMON(float, spotrf, sgetrf, sgetri, strsm, sgeqrf, sorgqr, sormqr)
TENFERRO_COMMON(double, dpotrf, dgetrf, dgetri, dtrsm, dgeqrf, dorgqr, dormqr)
TENFERRO_COMMON(C64, cpotrf, cgetrf, cgetri, ctrsm, cgeqrf, cungqr, cunmqr)
TENFERRO_COMMON(C128, zpotrf, zgetrf, zgetri, ztrsm, zgeqrf, zungqr, zunmqr)
#undef TENFERRO_COMMON

#define TENFERRO_REAL(T, geqp3, gesdd, syevd, sygvd)                                                                 \
  void TENFERRO_LAPACK_SYMBOL(geqp3)(const Int* m, const Int* n, T* a, const Int* lda, Int* jpvt, T* tau, T* work,   \
                                     const Int* lwork, Int* info);                                                   \
  void TENFERRO_LAPACK_SYMBOL(gesdd)(const char* jobz, const Int* m, const Int* n, T* a, const Int* lda, T* s, T* u, \
                                     const Int* ldu, T* vt, const Int* ldvt, T* work, const Int* lwork, Int* iwork,  \
                                     Int* info, Length);                                                             \
  void TENFERRO_LAPACK_SYMBOL(syevd)(const char* jobz, const char* uplo, const Int* n, T* a, const Int* lda, T* w,   \
                                     T* work, const Int* lwork, Int* iwork, const Int* liwork, Int* info, Length,    \
                                     Length);                                                                        \
  void TENFERRO_LAPACK_SYMBOL(sygvd)(const Int* itype, const char* jobz, const char* uplo, const Int* n, T* a,       \
                                     const Int* lda, T* b, const Int* ldb, T* w, T* work, const Int* lwork,          \
                                     Int* iwork, const Int* liwork, Int* info, Length, Length);
TENFERRO_REAL(float, sgeqp3, sgesdd, ssyevd, ssygvd)
TENFERRO_REAL(double, dgeqp3, dgesdd, dsyevd, dsygvd)
#undef TENFERRO_REAL

#define TENFERRO_COMPLEX(T, R, geqp3, gesdd, heevd, hegvd)                                                            \
  void TENFERRO_LAPACK_SYMBOL(geqp3)(const Int* m, const Int* n, T* a, const Int* lda, Int* jpvt, T* tau, T* work,    \
                                     const Int* lwork, R* rwork, Int* info);                                          \
  void TENFERRO_LAPACK_SYMBOL(gesdd)(const char* jobz, const Int* m, const Int* n, T* a, const Int* lda, R* s, T* u,  \
                                     const Int* ldu, T* vt, const Int* ldvt, T* work, const Int* lwork, R* rwork,     \
                                     Int* iwork, Int* info, Length);                                                  \
  void TENFERRO_LAPACK_SYMBOL(heevd)(const char* jobz, const char* uplo, const Int* n, T* a, const Int* lda, R* w,    \
                                     T* work, const Int* lwork, R* rwork, const Int* lrwork, Int* iwork,              \
                                     const Int* liwork, Int* info, Length, Length);                                   \
  void TENFERRO_LAPACK_SYMBOL(hegvd)(const Int* itype, const char* jobz, const char* uplo, const Int* n, T* a,        \
                                     const Int* lda, T* b, const Int* ldb, R* w, T* work, const Int* lwork, R* rwork, \
                                     const Int* lrwork, Int* iwork, const Int* liwork, Int* info, Length, Length);
TENFERRO_COMPLEX(C64, float, cgeqp3, cgesdd, cheevd, chegvd)
TENFERRO_COMPLEX(C128, double, zgeqp3, zgesdd, zheevd, zhegvd)
#undef TENFERRO_COMPLEX

// General eigenvalue problems are computed in double.
void TENFERRO_LAPACK_SYMBOL(dgeev)(const char* jobvl, const char* jobvr, const Int* n, double* a, const Int* lda,
                                   double* wr, double* wi, double* vl, const Int* ldvl, double* vr, const Int* ldvr,
                                   double* work, const Int* lwork, Int* info, Length, Length);
void TENFERRO_LAPACK_SYMBOL(zgeev)(const char* jobvl, const char* jobvr, const Int* n, C128* a, const Int* lda, C128* w,
                                   C128* vl, const Int* ldvl, C128* vr, const Int* ldvr, C128* work, const Int* lwork,
                                   double* rwork, Int* info, Length, Length);
void TENFERRO_LAPACK_SYMBOL(dgees)(const char* jobvs, const char* sort, void* select, const Int* n, double* a,
                                   const Int* lda, Int* sdim, double* wr, double* wi, double* vs, const Int* ldvs,
                                   double* work, const Int* lwork, void* bwork, Int* info, Length, Length);
void TENFERRO_LAPACK_SYMBOL(zgees)(const char* jobvs, const char* sort, void* select, const Int* n, C128* a,
                                   const Int* lda, Int* sdim, C128* w, C128* vs, const Int* ldvs, C128* work,
                                   const Int* lwork, double* rwork, void* bwork, Int* info, Length, Length);

}  // extern "C"

// The routines of a scalar.
template <class T>
struct Routines;

#define TENFERRO_ROUTINES(T, potrf, getrf, getri, trsm, geqrf, orgqr, ormqr, geqp3, gesdd, heevd, hegvd) \
  template <>                                                                                            \
  struct Routines<T> {                                                                                   \
    static constexpr auto* Potrf = &TENFERRO_LAPACK_SYMBOL(potrf);                                       \
    static constexpr auto* Getrf = &TENFERRO_LAPACK_SYMBOL(getrf);                                       \
    static constexpr auto* Getri = &TENFERRO_LAPACK_SYMBOL(getri);                                       \
    static constexpr auto* Trsm = &TENFERRO_LAPACK_SYMBOL(trsm);                                         \
    static constexpr auto* Geqrf = &TENFERRO_LAPACK_SYMBOL(geqrf);                                       \
    static constexpr auto* Orgqr = &TENFERRO_LAPACK_SYMBOL(orgqr);                                       \
    static constexpr auto* Ormqr = &TENFERRO_LAPACK_SYMBOL(ormqr);                                       \
    static constexpr auto* Geqp3 = &TENFERRO_LAPACK_SYMBOL(geqp3);                                       \
    static constexpr auto* Gesdd = &TENFERRO_LAPACK_SYMBOL(gesdd);                                       \
    static constexpr auto* Heevd = &TENFERRO_LAPACK_SYMBOL(heevd);                                       \
    static constexpr auto* Hegvd = &TENFERRO_LAPACK_SYMBOL(hegvd);                                       \
  };
TENFERRO_ROUTINES(float, spotrf, sgetrf, sgetri, strsm, sgeqrf, sorgqr, sormqr, sgeqp3, sgesdd, ssyevd, ssygvd)
TENFERRO_ROUTINES(double, dpotrf, dgetrf, dgetri, dtrsm, dgeqrf, dorgqr, dormqr, dgeqp3, dgesdd, dsyevd, dsygvd)
TENFERRO_ROUTINES(C64, cpotrf, cgetrf, cgetri, ctrsm, cgeqrf, cungqr, cunmqr, cgeqp3, cgesdd, cheevd, chegvd)
TENFERRO_ROUTINES(C128, zpotrf, zgetrf, zgetri, ztrsm, zgeqrf, zungqr, zunmqr, zgeqp3, zgesdd, zheevd, zhegvd)
#undef TENFERRO_ROUTINES

}  // namespace tenferro::linalg::lapack

#endif  // TENFERRO_LINALG_LAPACK_FORTRAN_H_
