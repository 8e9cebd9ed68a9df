#ifndef TENFERRO_LINALG_CPU_KERNELS_H_
#define TENFERRO_LINALG_CPU_KERNELS_H_

#include <cstdint>

#include "tenferro/cpu/kernels/isa.h"
#include "tenferro/linalg/cpu/outcome.h"
#include "tenferro/linalg/cpu/scalar.h"
#include "tenferro/linalg/cpu/scratch.h"

// Decompositions as plain functions on dense column-major arrays. T is float, double, std::complex<float> or
// std::complex<double>. Function F works in `memory` of FBytes bytes, and takes that much from the heap where it is
// lent less. They keep no state and return the same bits for the same input on one instruction set. Outputs do not
// overlap inputs; they are untouched where a decomposition fails.
namespace tenferro::linalg {

// A = U·diag(s)·Vᴴ with s descending. U and Vᴴ have orthonormal columns and rows whatever the rank. A matrix that is
// block diagonal up to permutations of rows and columns (its exact zeros decide) is decomposed block by block: singular
// vectors are exactly zero outside their block, and of equal singular values that of the block with the lower first row
// comes first.
//
// Shapes: a [m, n], u [m, k], s [k], vt [k, n], k = min(m, n).
// Accuracy: singular values and residuals a few eps·s_1, orthogonality a few eps.
template <class T>
Outcome Svd(Isa isa, int64_t m, int64_t n, const T* a, T* u, RealOf<T>* s, T* vt, Memory memory = {});
template <class T>
int64_t SvdBytes(int64_t m, int64_t n);

// The same with square factors: u [m, m], vt [n, n]. What is added to the thin ones is orthonormal to them.
template <class T>
Outcome SvdFull(Isa isa, int64_t m, int64_t n, const T* a, T* u, RealOf<T>* s, T* vt, Memory memory = {});
template <class T>
int64_t SvdFullBytes(int64_t m, int64_t n);

// The singular values alone, s [min(m, n)].
template <class T>
Outcome SvdValues(Isa isa, int64_t m, int64_t n, const T* a, RealOf<T>* s, Memory memory = {});
template <class T>
int64_t SvdValuesBytes(int64_t m, int64_t n);

// The first k triplets of the same decomposition, and up to `extra` further approximate ones.
//
// Triplet i < k has residuals |A·v − s·u| and |Aᴴ·u − s·v| of at most 8·√max(m, n)·eps·s_1. Columns k … k + extra − 1
// hold what the iteration knows of the following triplets: orthonormal, in descending order, of unspecified accuracy;
// columns that it has nothing for are zero. TruncatedComplement converges faster with them.
//
// Shapes: a [m, n], u [m, k + extra], s [k + extra], v [n, k + extra] (V itself, not Vᴴ); k + extra <= min(m, n).
// Cost: a dozen products of A with a block of about k + 16 vectors where the singular values decay, else a full SVD.
template <class T>
Outcome SvdTruncated(Isa isa, int64_t m, int64_t n, const T* a, int64_t k, int64_t extra, T* u, RealOf<T>* s, T* v,
                     Memory memory = {});
template <class T>
int64_t SvdTruncatedBytes(int64_t m, int64_t n, int64_t k, int64_t extra);

// The part of the derivative of a truncated SVD that lies outside the kept subspaces. For every i < k, with P⊥ the
// projections on the complements of the first k columns of u and of v, finds x_i ⟂ u, y_i ⟂ v with
//   s_i·x_i − A·y_i = P⊥ p_i,    s_i·y_i − Aᴴ·x_i = P⊥ q_i.
// With p = Ū, q = V̄ the adjoint is Ā += X·Vᴴ + U·Yᴴ; with p = dA·V, q = dAᴴ·U the tangents are dU⊥ = X, dV⊥ = Y.
//
// Where s_i lies within τ = max(m, n)·eps·s_1 of a discarded singular value that component is 0, and x_i = y_i = 0
// where s_i <= τ. p or q may be null: zero.
//
// Shapes: a [m, n], u [m, k + extra], s [k + extra], v [n, k + extra] as SvdTruncated returns them, p, x [m, k], q, y
// [n, k]. Source: Francuz, Schuch, Vanhecke, "Stable and efficient differentiation of tensor network algorithms", arXiv
// 2311.11894.
template <class T>
Outcome TruncatedComplement(Isa isa, int64_t m, int64_t n, const T* a, int64_t k, int64_t extra, const T* u,
                            const RealOf<T>* s, const T* v, const T* p, const T* q, T* x, T* y, Memory memory = {});
template <class T>
int64_t TruncatedComplementBytes(int64_t m, int64_t n, int64_t k, int64_t extra);

// Connected components of the graph of rows and columns that has an edge for every entry that is not exactly zero.
// row_block [m] and column_block [n] get the component's number, −1 for a row or column of zeros; components are
// numbered by their lowest row. Returns their number.
template <class T>
int64_t ExactBlocks(Isa isa, int64_t m, int64_t n, const T* a, int32_t* row_block, int32_t* column_block,
                    Memory memory = {});
template <class T>
int64_t ExactBlocksBytes(int64_t m, int64_t n);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_KERNELS_H_
