#include "tenferro/linalg/cpu/kernels.h"

#include "tenferro/linalg/cpu/isa_kernels.h"

namespace tenferro::linalg {
namespace {

// Calls the function of the instruction set.
#if defined(__aarch64__)
#define TENFERRO_CALL(isa, function, ...) isa_neon::function<R, kComplex>(__VA_ARGS__)
#else
#define TENFERRO_CALL(isa, function, ...)                         \
  (isa == Isa::kV4   ? isa_v4::function<R, kComplex>(__VA_ARGS__) \
   : isa == Isa::kV3 ? isa_v3::function<R, kComplex>(__VA_ARGS__) \
                     : isa_v2::function<R, kComplex>(__VA_ARGS__))
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
Outcome Svd(Isa isa, int64_t m, int64_t n, const T* a, T* u, RealOf<T>* s, T* vt) {
  using R = RealOf<T>;
  constexpr bool kComplex = kIsComplex<T>;
  return TENFERRO_CALL(isa, Svd, m, n, Reals(a), false, Reals(u), s, Reals(vt));
}

template <class T>
Outcome SvdFull(Isa isa, int64_t m, int64_t n, const T* a, T* u, RealOf<T>* s, T* vt) {
  using R = RealOf<T>;
  constexpr bool kComplex = kIsComplex<T>;
  return TENFERRO_CALL(isa, Svd, m, n, Reals(a), true, Reals(u), s, Reals(vt));
}

template <class T>
Outcome SvdValues(Isa isa, int64_t m, int64_t n, const T* a, RealOf<T>* s) {
  using R = RealOf<T>;
  constexpr bool kComplex = kIsComplex<T>;
  return TENFERRO_CALL(isa, SvdValues, m, n, Reals(a), s);
}

template <class T>
Outcome SvdTruncated(Isa isa, int64_t m, int64_t n, const T* a, int64_t k, int64_t extra, T* u, RealOf<T>* s, T* v) {
  using R = RealOf<T>;
  constexpr bool kComplex = kIsComplex<T>;
  return TENFERRO_CALL(isa, SvdTruncated, m, n, Reals(a), k, extra, Reals(u), s, Reals(v));
}

template <class T>
Outcome TruncatedComplement(Isa isa, int64_t m, int64_t n, const T* a, int64_t k, int64_t extra, const T* u,
                            const RealOf<T>* s, const T* v, const T* p, const T* q, T* x, T* y) {
  using R = RealOf<T>;
  constexpr bool kComplex = kIsComplex<T>;
  return TENFERRO_CALL(isa, TruncatedComplement, m, n, Reals(a), k, extra, Reals(u), s, Reals(v), Reals(p), Reals(q),
                       Reals(x), Reals(y));
}

template <class T>
int64_t ExactBlocks(Isa isa, int64_t m, int64_t n, const T* a, int32_t* row_block, int32_t* column_block) {
  using R = RealOf<T>;
  constexpr bool kComplex = kIsComplex<T>;
  return TENFERRO_CALL(isa, ExactBlocks, m, n, Reals(a), row_block, column_block);
}

#define TENFERRO_INSTANTIATE(T)                                                                                       \
  template Outcome Svd(Isa, int64_t, int64_t, const T*, T*, RealOf<T>*, T*);                                          \
  template Outcome SvdFull(Isa, int64_t, int64_t, const T*, T*, RealOf<T>*, T*);                                      \
  template Outcome SvdValues(Isa, int64_t, int64_t, const T*, RealOf<T>*);                                            \
  template Outcome SvdTruncated(Isa, int64_t, int64_t, const T*, int64_t, int64_t, T*, RealOf<T>*, T*);               \
  template Outcome TruncatedComplement(Isa, int64_t, int64_t, const T*, int64_t, int64_t, const T*, const RealOf<T>*, \
                                       const T*, const T*, const T*, T*, T*);                                         \
  template int64_t ExactBlocks(Isa, int64_t, int64_t, const T*, int32_t*, int32_t*);
TENFERRO_INSTANTIATE(float)
TENFERRO_INSTANTIATE(double)
TENFERRO_INSTANTIATE(std::complex<float>)
TENFERRO_INSTANTIATE(std::complex<double>)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg
