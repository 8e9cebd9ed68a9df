#include "tenferro/linalg/cpu/kernels.h"

#include <algorithm>

#include "tenferro/linalg/cpu/isa_call.h"
#include "tenferro/linalg/cpu/isa_kernels.h"

namespace tenferro::linalg {
namespace {

// The counts below are bounds of what the functions allocate, whatever blocks a matrix has: a matrix in blocks takes
// less than a dense one, but that each row and column costs its padding.

// Of blocks: their lists, and what is kept of them to the end.
template <class T>
int64_t BlockBytes(int64_t m, int64_t n) {
  return 1024 + 768 * (m + n);
}

// Groups of reflections of a matrix of `rows` rows that act on `columns` columns.
template <class T>
int64_t ReflectionBytes(int64_t rows, int64_t count, int64_t columns) {
  constexpr int64_t kGroup = 32;
  const int64_t groups = count / kGroup + 1;
  return groups * (PanelBytes<T>(kGroup, rows + 16) + PanelBytes<T>(kGroup, kGroup)) +
         PanelBytes<T>(kGroup, rows + columns + 2 * kGroup);
}

// The divide and conquer method: nodes, its parts' nodes, the secular equation, turned columns.
template <class T>
int64_t DivideBytes(int64_t k, bool vectors) {
  using R = RealOf<T>;
  const int64_t equation = PanelBytes<double>(k, k) + 2 * PanelBytes<R>(k, k) + 400 * k + 8192;
  return equation + (vectors ? 10 * PanelBytes<R>(k + 16, k + 8) : 256 * k);
}

// The temporary part of FullSvd.
template <class T>
int64_t TemporaryBytes(int64_t m, int64_t n, bool vectors) {
  const int64_t longer = std::max(m, n), k = std::min(m, n);
  const int64_t adjoint = m < n ? PanelBytes<T>(longer, k + 16) : 0;
  const int64_t factor = PanelBytes<T>(k, k) + PanelBytes<T>(longer, k) + ReflectionBytes<T>(longer, k, k);
  const int64_t bidiagonal = PanelBytes<T>(longer, k + 2) + PanelBytes<T>(k, k) + 160 * k + 1024;
  return adjoint + factor + bidiagonal + std::max(DivideBytes<T>(k, vectors), PanelBytes<T>(2 * k + 16, 2 * k + 4));
}

// A full decomposition with its blocks.
template <class T>
int64_t DecompositionBytes(int64_t m, int64_t n) {
  const int64_t longer = std::max(m, n), k = std::min(m, n);
  return BlockBytes<T>(m, n) + PanelBytes<T>(m + 16, n) + PanelBytes<T>(longer + 16, k + 1) + PanelBytes<T>(k + 16, k) +
         TemporaryBytes<T>(m, n, true);
}

}  // namespace

template <class T>
Outcome Svd(Isa isa, int64_t m, int64_t n, const T* a, T* u, RealOf<T>* s, T* vt, Memory memory) {
  const Loan loan(memory, SvdBytes<T>(m, n));
  return TENFERRO_CALL(isa, Svd, m, n, Reals(a), false, Reals(u), s, Reals(vt), loan.memory());
}
template <class T>
int64_t SvdBytes(int64_t m, int64_t n) {
  return DecompositionBytes<T>(m, n);
}

template <class T>
Outcome SvdFull(Isa isa, int64_t m, int64_t n, const T* a, T* u, RealOf<T>* s, T* vt, Memory memory) {
  const Loan loan(memory, SvdFullBytes<T>(m, n));
  return TENFERRO_CALL(isa, Svd, m, n, Reals(a), true, Reals(u), s, Reals(vt), loan.memory());
}
template <class T>
int64_t SvdFullBytes(int64_t m, int64_t n) {
  const int64_t longer = std::max(m, n);
  // Completing a side that has more rows than vectors.
  return DecompositionBytes<T>(m, n) + PanelBytes<T>(longer, 2 * longer) + ReflectionBytes<T>(longer, longer, longer);
}

template <class T>
Outcome SvdValues(Isa isa, int64_t m, int64_t n, const T* a, RealOf<T>* s, Memory memory) {
  const Loan loan(memory, SvdValuesBytes<T>(m, n));
  return TENFERRO_CALL(isa, SvdValues, m, n, Reals(a), s, loan.memory());
}
template <class T>
int64_t SvdValuesBytes(int64_t m, int64_t n) {
  return BlockBytes<T>(m, n) + PanelBytes<T>(m + 16, n) + TemporaryBytes<T>(m, n, false);
}

template <class T>
Outcome SvdTruncated(Isa isa, int64_t m, int64_t n, const T* a, int64_t k, int64_t extra, T* u, RealOf<T>* s, T* v,
                     Memory memory) {
  const Loan loan(memory, SvdTruncatedBytes<T>(m, n, k, extra));
  return TENFERRO_CALL(isa, SvdTruncated, m, n, Reals(a), k, extra, Reals(u), s, Reals(v), loan.memory());
}
template <class T>
int64_t SvdTruncatedBytes(int64_t m, int64_t n, int64_t k, int64_t extra) {
  // Subspaces that begin again double, up to their last width and never beyond half a block's rank.
  const int64_t width = std::min(k + 8, std::min(m, n) / 2 + 8), longer = std::max(m, n);
  return DecompositionBytes<T>(m, n) + PanelBytes<T>(n + 16, m + 16) + 2 * PanelBytes<T>(longer, 2 * width) +
         2 * PanelBytes<T>(m + n + 2 * longer + 6 * width + 64, 4 * width) + 64 * (k + extra);
}

template <class T>
Outcome TruncatedComplement(Isa isa, int64_t m, int64_t n, const T* a, int64_t k, int64_t extra, const T* u,
                            const RealOf<T>* s, const T* v, const T* p, const T* q, T* x, T* y, Memory memory) {
  const Loan loan(memory, TruncatedComplementBytes<T>(m, n, k, extra));
  return TENFERRO_CALL(isa, TruncatedComplement, m, n, Reals(a), k, extra, Reals(u), s, Reals(v), Reals(p), Reals(q),
                       Reals(x), Reals(y), loan.memory());
}
template <class T>
int64_t TruncatedComplementBytes(int64_t m, int64_t n, int64_t k, int64_t extra) {
  const int64_t total = k + extra, longer = std::max(m, n);
  return DecompositionBytes<T>(m, n) + PanelBytes<T>(n, m + 16) + PanelBytes<T>(m, n) +
         PanelBytes<T>(longer + 16, 12 * total + 16) + PanelBytes<T>(total, 4 * total) + 256 * total;
}

template <class T>
int64_t ExactBlocks(Isa isa, int64_t m, int64_t n, const T* a, int32_t* row_block, int32_t* column_block,
                    Memory memory) {
  const Loan loan(memory, ExactBlocksBytes<T>(m, n));
  return TENFERRO_CALL(isa, ExactBlocks, m, n, Reals(a), row_block, column_block, loan.memory());
}
template <class T>
int64_t ExactBlocksBytes(int64_t m, int64_t n) {
  return BlockBytes<T>(m, n) + n * (m / 8 + 72);
}

#define TENFERRO_INSTANTIATE(T)                                                                                       \
  template int64_t SvdBytes<T>(int64_t, int64_t);                                                                     \
  template int64_t SvdFullBytes<T>(int64_t, int64_t);                                                                 \
  template int64_t SvdValuesBytes<T>(int64_t, int64_t);                                                               \
  template int64_t SvdTruncatedBytes<T>(int64_t, int64_t, int64_t, int64_t);                                          \
  template int64_t TruncatedComplementBytes<T>(int64_t, int64_t, int64_t, int64_t);                                   \
  template int64_t ExactBlocksBytes<T>(int64_t, int64_t);                                                             \
  template Outcome Svd(Isa, int64_t, int64_t, const T*, T*, RealOf<T>*, T*, Memory);                                  \
  template Outcome SvdFull(Isa, int64_t, int64_t, const T*, T*, RealOf<T>*, T*, Memory);                              \
  template Outcome SvdValues(Isa, int64_t, int64_t, const T*, RealOf<T>*, Memory);                                    \
  template Outcome SvdTruncated(Isa, int64_t, int64_t, const T*, int64_t, int64_t, T*, RealOf<T>*, T*, Memory);       \
  template Outcome TruncatedComplement(Isa, int64_t, int64_t, const T*, int64_t, int64_t, const T*, const RealOf<T>*, \
                                       const T*, const T*, const T*, T*, T*, Memory);                                 \
  template int64_t ExactBlocks(Isa, int64_t, int64_t, const T*, int32_t*, int32_t*, Memory);
TENFERRO_INSTANTIATE(float)
TENFERRO_INSTANTIATE(double)
TENFERRO_INSTANTIATE(std::complex<float>)
TENFERRO_INSTANTIATE(std::complex<double>)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg
