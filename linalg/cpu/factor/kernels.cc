#include "tenferro/linalg/cpu/factor/kernels.h"

#include "tenferro/linalg/cpu/factor/isa_kernels.h"
#include "tenferro/tensor/dtype.h"

namespace tenferro::linalg::factor {
namespace {

// Calls the function of the instruction set.
#if defined(__aarch64__)
#define TENFERRO_CALL(isa, function, ...) isa_neon::factor::function<R, kComplex>(__VA_ARGS__)
#else
#define TENFERRO_CALL(isa, function, ...)                                 \
  (isa == Isa::kV4   ? isa_v4::factor::function<R, kComplex>(__VA_ARGS__) \
   : isa == Isa::kV3 ? isa_v3::factor::function<R, kComplex>(__VA_ARGS__) \
                     : isa_v2::factor::function<R, kComplex>(__VA_ARGS__))
#endif

template <class T>
const Real<T>* Reals(const T* p) {
  return reinterpret_cast<const Real<T>*>(p);
}
template <class T>
Real<T>* Reals(T* p) {
  return reinterpret_cast<Real<T>*>(p);
}
template <class T>
inline constexpr bool kIsComplex = sizeof(T) != sizeof(Real<T>);
template <class T>
inline constexpr uint8_t kDType = static_cast<uint8_t>(kDTypeOf<T>);

}  // namespace

template <class T>
Ending Cholesky(Isa isa, int64_t n, const T* a, T* l) {
  using R = Real<T>;
  constexpr bool kComplex = kIsComplex<T>;
  return TENFERRO_CALL(isa, Cholesky, isa, kDType<T>, n, Reals(a), Reals(l));
}

template <class T>
Ending TriangularSolve(Isa isa, int64_t n, int64_t right_sides, TriangleMode mode, const T* t, const T* b, T* x) {
  using R = Real<T>;
  constexpr bool kComplex = kIsComplex<T>;
  return TENFERRO_CALL(isa, TriangularSolve, isa, kDType<T>, n, right_sides, mode, Reals(t), Reals(b), Reals(x));
}

template <class T>
Ending Lu(Isa isa, int64_t m, int64_t n, const T* a, T* lu, int64_t* permutation, Real<T>* parity, int64_t* pivots) {
  using R = Real<T>;
  constexpr bool kComplex = kIsComplex<T>;
  return TENFERRO_CALL(isa, Lu, isa, kDType<T>, m, n, Reals(a), Reals(lu), permutation, parity, pivots);
}

template <class T>
Ending LuSolve(Isa isa, int64_t n, int64_t right_sides, bool transpose, bool conjugate, const T* lu,
               const int64_t* permutation, const T* b, T* x) {
  using R = Real<T>;
  constexpr bool kComplex = kIsComplex<T>;
  return TENFERRO_CALL(isa, LuSolve, isa, kDType<T>, n, right_sides, transpose, conjugate, Reals(lu), permutation,
                       Reals(b), Reals(x));
}

template <class T>
Ending FullPivotLu(Isa isa, int64_t m, int64_t n, const T* a, T* lu, int64_t* rows, int64_t* columns, Real<T>* parity) {
  using R = Real<T>;
  constexpr bool kComplex = kIsComplex<T>;
  return TENFERRO_CALL(isa, FullPivotLu, m, n, Reals(a), Reals(lu), rows, columns, parity);
}

template <class T>
Ending Qr(Isa isa, int64_t m, int64_t n, int64_t q_columns, bool positive, const T* a, T* q, T* r) {
  using R = Real<T>;
  constexpr bool kComplex = kIsComplex<T>;
  return TENFERRO_CALL(isa, Qr, isa, kDType<T>, m, n, q_columns, positive, Reals(a), Reals(q), Reals(r));
}

template <class T>
Ending Reflectors(Isa isa, int64_t m, int64_t n, const T* a, T* packed, T* tau) {
  using R = Real<T>;
  constexpr bool kComplex = kIsComplex<T>;
  return TENFERRO_CALL(isa, Reflectors, isa, kDType<T>, m, n, Reals(a), Reals(packed), Reals(tau));
}

template <class T>
Ending ApplyReflectors(Isa isa, int64_t m, int64_t k, int64_t columns, bool adjoint, const T* packed, const T* tau,
                       const T* c, T* result) {
  using R = Real<T>;
  constexpr bool kComplex = kIsComplex<T>;
  return TENFERRO_CALL(isa, ApplyReflectors, isa, kDType<T>, m, k, columns, adjoint, Reals(packed), Reals(tau),
                       Reals(c), Reals(result));
}

template <class T>
Ending PivotedQr(Isa isa, int64_t m, int64_t n, const T* a, T* q, T* r, int64_t* permutation) {
  using R = Real<T>;
  constexpr bool kComplex = kIsComplex<T>;
  return TENFERRO_CALL(isa, PivotedQr, m, n, Reals(a), Reals(q), Reals(r), permutation);
}

#define TENFERRO_INSTANTIATE(T)                                                                            \
  template Ending Cholesky(Isa, int64_t, const T*, T*);                                                    \
  template Ending TriangularSolve(Isa, int64_t, int64_t, TriangleMode, const T*, const T*, T*);            \
  template Ending Lu(Isa, int64_t, int64_t, const T*, T*, int64_t*, Real<T>*, int64_t*);                   \
  template Ending LuSolve(Isa, int64_t, int64_t, bool, bool, const T*, const int64_t*, const T*, T*);      \
  template Ending FullPivotLu(Isa, int64_t, int64_t, const T*, T*, int64_t*, int64_t*, Real<T>*);          \
  template Ending Qr(Isa, int64_t, int64_t, int64_t, bool, const T*, T*, T*);                              \
  template Ending Reflectors(Isa, int64_t, int64_t, const T*, T*, T*);                                     \
  template Ending ApplyReflectors(Isa, int64_t, int64_t, int64_t, bool, const T*, const T*, const T*, T*); \
  template Ending PivotedQr(Isa, int64_t, int64_t, const T*, T*, T*, int64_t*);
TENFERRO_INSTANTIATE(float)
TENFERRO_INSTANTIATE(double)
TENFERRO_INSTANTIATE(std::complex<float>)
TENFERRO_INSTANTIATE(std::complex<double>)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::factor
