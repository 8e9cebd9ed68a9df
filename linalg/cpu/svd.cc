#include "tenferro/linalg/cpu/block.h"
#include "tenferro/linalg/cpu/block_svd.h"
#include "tenferro/linalg/cpu/isa_kernels.h"

namespace tenferro::linalg::TENFERRO_ISA {

template <class R, bool kComplex>
Outcome Svd(int64_t m, int64_t n, const R* a, R* u, R* s, R* vt) {
  const int64_t k = m < n ? m : n;
  if (k == 0) return Outcome::kOk;
  constexpr int64_t kParts = kComplex ? 2 : 1;
  Arena arena(4 * m * n * kParts * int64_t{sizeof(R)});
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
  Choice<R>* choice = arena.Allocate<Choice<R>>(k);
  const int64_t chosen = ChooseLargest(arena, blocks, k, choice);
  WriteTriplets<R, kComplex>(arena, m, n, blocks, choice, chosen, k, k, u, s, nullptr, vt);
  return Outcome::kOk;
}

#define TENFERRO_INSTANTIATE(R, kComplex) template Outcome Svd<R, kComplex>(int64_t, int64_t, const R*, R*, R*, R*);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
