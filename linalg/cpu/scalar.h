#ifndef TENFERRO_LINALG_CPU_SCALAR_H_
#define TENFERRO_LINALG_CPU_SCALAR_H_

#include <complex>

// The scalars float, double, std::complex<float> and std::complex<double>.
namespace tenferro::linalg {

template <class T>
struct RealOfScalar {
  using type = T;
};
template <class R>
struct RealOfScalar<std::complex<R>> {
  using type = R;
};
template <class T>
using RealOf = typename RealOfScalar<T>::type;

template <class T>
inline constexpr bool kIsComplex = sizeof(T) != sizeof(RealOf<T>);

template <class T>
T Conjugate(const T& x) {
  if constexpr (kIsComplex<T>) {
    return std::conj(x);
  } else {
    return x;
  }
}

// An array as one of its real and imaginary parts.
template <class T>
const RealOf<T>* Reals(const T* p) {
  return reinterpret_cast<const RealOf<T>*>(p);
}
template <class T>
RealOf<T>* Reals(T* p) {
  return reinterpret_cast<RealOf<T>*>(p);
}

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_SCALAR_H_
