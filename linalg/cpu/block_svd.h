#ifndef TENFERRO_LINALG_CPU_BLOCK_SVD_H_
#define TENFERRO_LINALG_CPU_BLOCK_SVD_H_

#include "tenferro/linalg/cpu/panel.h"

namespace tenferro::linalg::TENFERRO_ISA {

// All min(m, n) triplets of a matrix with entries of order 1. u, s, v are allocated. False: not converged.
template <class R, bool kComplex>
struct Triplets {
  Panel<R, kComplex> u;
  R* s = nullptr;
  Panel<R, kComplex> v;
  bool ok = false;
};

// Overwrites a.
template <class R, bool kComplex>
Triplets<R, kComplex> FullSvd(Arena& arena, int64_t m, int64_t n, const Panel<R, kComplex>& a);

// The singular values alone, into s [min(m, n)]. False: not converged. Overwrites a.
template <class R, bool kComplex>
bool ValuesOf(Arena& arena, int64_t m, int64_t n, const Panel<R, kComplex>& a, R* s);

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_BLOCK_SVD_H_
