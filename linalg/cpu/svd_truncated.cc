#include "tenferro/linalg/cpu/block.h"
#include "tenferro/linalg/cpu/block_svd.h"
#include "tenferro/linalg/cpu/isa_kernels.h"

namespace tenferro::linalg::TENFERRO_ISA {

template <class R, bool kComplex>
Outcome SvdTruncated(int64_t m, int64_t n, const R* a, int64_t k, int64_t extra, R* u, R* s, R* v) {
  if (k + extra == 0) return Outcome::kOk;
  constexpr int64_t kParts = kComplex ? 2 : 1;
  if (!AllFinite(m * n * kParts, a)) return Outcome::kNotFinite;
  Arena arena(4 * m * n * kParts * int64_t{sizeof(R)});
  const BlockList<R, kComplex> blocks = FindBlocks<R, kComplex>(arena, m, n, a);
  for (int64_t b = 0; b < blocks.count; ++b) {
    Block<R, kComplex>& block = blocks.block[b];
    const Panel<R, kComplex> tall =
        block.m >= block.n ? PackBlock(arena, a, m, block) : PackBlockAdjoint(arena, a, m, block);
    const Triplets<R, kComplex> triplets = FullSvd(arena, block.m, block.n, tall);
    if (!triplets.ok) return Outcome::kNotConverged;
    block.u = triplets.u;
    block.s = triplets.s;
    block.v = triplets.v;
    block.available = block.count = block.rank_limit();
  }
  Choice<R>* choice = arena.Allocate<Choice<R>>(k + extra);
  const int64_t chosen = ChooseLargest(arena, blocks, k + extra, choice);
  WriteTriplets<R, kComplex>(arena, m, n, blocks, choice, chosen, k, k + extra, u, s, v, nullptr);
  return Outcome::kOk;
}

#define TENFERRO_INSTANTIATE(R, kComplex) \
  template Outcome SvdTruncated<R, kComplex>(int64_t, int64_t, const R*, int64_t, int64_t, R*, R*, R*);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
