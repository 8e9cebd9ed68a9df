#include "tenferro/linalg/cpu/spectral/kernels.h"

#include "tenferro/linalg/cpu/spectral/isa_kernels.h"

namespace tenferro::linalg {
namespace {

// Calls the function of the instruction set.
#if defined(__aarch64__)
#define TENFERRO_CALL(isa, function, ...) isa_neon::function<RealOf<T>, kIsComplex<T>>(__VA_ARGS__)
#else
#define TENFERRO_CALL(isa, function, ...)                                        \
  (isa == Isa::kV4   ? isa_v4::function<RealOf<T>, kIsComplex<T>>(__VA_ARGS__)   \
   : isa == Isa::kV3 ? isa_v3::function<RealOf<T>, kIsComplex<T>>(__VA_ARGS__)   \
                     : isa_v2::function<RealOf<T>, kIsComplex<T>>(__VA_ARGS__))
#endif

template <class T>
const RealOf<T>* Reals(const T* p) {
  return reinterpret_cast<const RealOf<T>*>(p);
}
template <class T>
RealOf<T>* Reals(T* p) {
  return reinterpret_cast<RealOf<T>*>(p);
}

template <class T>
inline constexpr bool kIsComplex = sizeof(T) != sizeof(RealOf<T>);

}  // namespace

template <class T>
Outcome Eigh(Isa isa, int64_t n, const T* a, RealOf<T>* w, T* v) {
  return TENFERRO_CALL(isa, Eigh, n, Reals(a), w, Reals(v));
}

template <class T>
Outcome GeneralizedEigh(Isa isa, int64_t n, const T* a, const T* b, RealOf<T>* w, T* x) {
  return TENFERRO_CALL(isa, GeneralizedEigh, n, Reals(a), Reals(b), w, Reals(x));
}

template <class T>
Outcome Schur(Isa isa, int64_t n, const T* a, T* t, T* z) {
  return TENFERRO_CALL(isa, Schur, n, Reals(a), Reals(t), Reals(z));
}

template Outcome Schur(Isa, int64_t, const double*, double*, double*);
template Outcome Schur(Isa, int64_t, const std::complex<double>*, std::complex<double>*, std::complex<double>*);

#define TENFERRO_INSTANTIATE(T)                                   \
  template Outcome Eigh(Isa, int64_t, const T*, RealOf<T>*, T*);  \
  template Outcome GeneralizedEigh(Isa, int64_t, const T*, const T*, RealOf<T>*, T*);
TENFERRO_INSTANTIATE(float)
TENFERRO_INSTANTIATE(double)
TENFERRO_INSTANTIATE(std::complex<float>)
TENFERRO_INSTANTIATE(std::complex<double>)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg
