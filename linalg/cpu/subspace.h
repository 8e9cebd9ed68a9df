#ifndef TENFERRO_LINALG_CPU_SUBSPACE_H_
#define TENFERRO_LINALG_CPU_SUBSPACE_H_

#include "tenferro/linalg/cpu/panel.h"

namespace tenferro::linalg::TENFERRO_ISA {

// Subspace iteration for the leading singular triplets of one block, accelerated by Chebyshev polynomials.
//
// At the start a·z = q·r holds to rounding, with orthonormal q [m, width] and z [n, width] and upper triangular r,
// whose diagonal estimates the leading singular values.
//
// Source: Rutishauser, "Simultaneous iteration method for symmetric matrices", Numer. Math. 16 (1970);
// Zhou, Saad, "A Chebyshev–Davidson algorithm for large symmetric eigenproblems", SIAM J. Matrix Anal. Appl. 29 (2007).
template <class R, bool kComplex>
struct Subspace {
  int64_t m = 0;
  int64_t n = 0;
  int64_t width = 0;
  Panel<R, kComplex> a;          // m × n, entries of order 1
  Panel<R, kComplex> a_adjoint;  // n × m
  Panel<R, kComplex> q;
  Panel<R, kComplex> z;
  Panel<R, kComplex> r;
  // Scratch.
  Panel<R, kComplex> w;           // n × width
  Panel<R, kComplex> filtered;    // n × width
  Panel<R, kComplex> reflectors;  // max(m, n) × (width + 1)
  Panel<R, kComplex> r_adjoint;
  Panel<R, kComplex> left;
  Panel<R, kComplex> right;
  // Filled by Converge: `width` triplets in descending order. From then on q and r are those of the step before.
  bool converged_before = false;
  Panel<R, kComplex> u;
  Panel<R, kComplex> v;
  R* s = nullptr;
};

// A fixed start for blocks of up to n columns and subspaces of up to `width`: entries that look independent and
// uniform.
template <class R, bool kComplex>
Panel<R, kComplex> StartVectors(Arena& arena, int64_t n, int64_t width);

// Begins from `start` with the given width <= min(m, n).
template <class R, bool kComplex>
Subspace<R, kComplex> StartSubspace(Arena& arena, int64_t m, int64_t n, const Panel<R, kComplex>& a,
                                    const Panel<R, kComplex>& a_adjoint, const Panel<R, kComplex>& start,
                                    int64_t width);

// The singular value estimates |r_jj|.
template <class R, bool kComplex>
R Estimate(const Subspace<R, kComplex>& space, int64_t j);

// Iterates until the leading `wanted` triplets have residuals of rounding size relative to `scale`, the largest
// singular value of the whole matrix in the block's units, and fills u, s, v. May be called again with a larger
// `wanted`. False: they converge too slowly, a full decomposition is cheaper.
template <class R, bool kComplex>
bool Converge(Arena& arena, Subspace<R, kComplex>& space, int64_t wanted, R scale);

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_SUBSPACE_H_
