#include "tenferro/linalg/cpu/block.h"
#include "tenferro/linalg/cpu/block_svd.h"
#include "tenferro/linalg/cpu/isa_kernels.h"

namespace tenferro::linalg::TENFERRO_ISA {

template <class R, bool kComplex>
Outcome Svd(int64_t m, int64_t n, const R* a, bool full, R* u, R* s, R* vt, Memory memory) {
  const int64_t k = m < n ? m : n;
  if (k == 0 && !full) return Outcome::kOk;
  Arena arena(memory);
  const BlockList<R, kComplex> blocks = FindBlocks<R, kComplex>(arena, m, n, a);
  for (int64_t b = 0; b < blocks.count; ++b) {
    Block<R, kComplex>& block = blocks.block[b];
    Panel<R, kComplex> packed;
    if (!PackScaled(arena, a, m, block, packed)) return Outcome::kNotFinite;
    const Triplets<R, kComplex> triplets = FullSvd(arena, block.m, block.n, packed);
    if (!triplets.ok) return Outcome::kNotConverged;
    block.u = triplets.u;
    block.s = triplets.s;
    block.v = triplets.v;
    block.available = block.count = block.rank_limit();
  }
  Choice<R>* choice = arena.Allocate<Choice<R>>(k + 1);
  const int64_t chosen = ChooseLargest(arena, blocks, k, choice);
  const int64_t left = full ? m : k, right = full ? n : k;
  WriteTriplets<R, kComplex>(arena, m, n, blocks, choice, chosen, {.written = left, .orthonormal = left},
                             {.written = right, .orthonormal = right}, k, u, s, nullptr, vt);
  return Outcome::kOk;
}

template <class R, bool kComplex>
Outcome SvdValues(int64_t m, int64_t n, const R* a, R* s, Memory memory) {
  const int64_t k = m < n ? m : n;
  if (k == 0) return Outcome::kOk;
  Arena arena(memory);
  const BlockList<R, kComplex> blocks = FindBlocks<R, kComplex>(arena, m, n, a);
  for (int64_t b = 0; b < blocks.count; ++b) {
    Block<R, kComplex>& block = blocks.block[b];
    Panel<R, kComplex> packed;
    if (!PackScaled(arena, a, m, block, packed)) return Outcome::kNotFinite;
    block.s = arena.Allocate<R>(block.rank_limit());
    if (!ValuesOf(arena, block.m, block.n, packed, block.s)) return Outcome::kNotConverged;
    block.available = block.count = block.rank_limit();
  }
  Choice<R>* choice = arena.Allocate<Choice<R>>(k);
  const int64_t chosen = ChooseLargest(arena, blocks, k, choice);
  for (int64_t g = 0; g < k; ++g) s[g] = g < chosen ? choice[g].s : R{0};
  return Outcome::kOk;
}

#define TENFERRO_INSTANTIATE(R, kComplex)                                                  \
  template Outcome Svd<R, kComplex>(int64_t, int64_t, const R*, bool, R*, R*, R*, Memory); \
  template Outcome SvdValues<R, kComplex>(int64_t, int64_t, const R*, R*, Memory);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
