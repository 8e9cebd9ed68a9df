#include "tenferro/linalg/cpu/block.h"
#include "tenferro/linalg/cpu/block_svd.h"
#include "tenferro/linalg/cpu/isa_kernels.h"
#include "tenferro/linalg/cpu/pack.h"
#include "tenferro/linalg/cpu/subspace.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

// Vectors beyond those that are expected to be wanted: they carry what would slow down the last wanted ones.
constexpr int64_t kSpare = 8;
// Blocks up to this size are decomposed at once.
constexpr int64_t kSmall = 32;

int64_t Smaller(int64_t a, int64_t b) { return a < b ? a : b; }

template <class R, bool kComplex>
class Truncation {
 public:
  Truncation(Arena& arena, int64_t m, int64_t n, const R* a, int64_t k)
      : arena_(arena), a_(a), lda_(m), k_(k), blocks_(FindBlocks<R, kComplex>(arena, m, n, a)) {
    space_ = arena.Allocate<Subspace<R, kComplex>>(blocks_.count + 1);
    taken_ = arena.Allocate<int64_t>(blocks_.count + 1);
    choice_ = arena.Allocate<Choice<R>>(k + 1);
  }

  const BlockList<R, kComplex>& blocks() const { return blocks_; }

  // Finds every block's triplets among the k largest of all.
  Outcome Run() {
    int64_t ranks = 0, longest = 1;
    for (int64_t b = 0; b < blocks_.count; ++b) {
      Block<R, kComplex>& block = blocks_.block[b];
      space_[b] = Subspace<R, kComplex>();
      if (!PackScaled(arena_, a_, lda_, block, space_[b].a)) return Outcome::kNotFinite;
      ranks += blocks_.block[b].rank_limit();
      if (blocks_.block[b].n > longest) longest = blocks_.block[b].n;
    }
    for (int64_t b = 0; b < blocks_.count; ++b) {
      const int64_t rank = blocks_.block[b].rank_limit();
      if (!Start(b, (k_ * rank + ranks - 1) / ranks + kSpare, longest)) return Outcome::kNotConverged;
    }
    // A block whose share was underestimated begins again with a larger subspace.
    bool again = true;
    while (again) {
      again = false;
      CountTaken();
      for (int64_t b = 0; b < blocks_.count; ++b) {
        if (IsComplete(b) || taken_[b] + kSpare / 2 < space_[b].width || space_[b].width >= k_ + kSpare) continue;
        if (!Start(b, Smaller(2 * space_[b].width, k_) + kSpare, longest)) return Outcome::kNotConverged;
        again = true;
      }
    }
    for (int64_t b = 0; b < blocks_.count; ++b) {
      if (!IsComplete(b) && !Finish(b, Smaller(taken_[b] + 1, k_))) return Outcome::kNotConverged;
    }
    // The first triplet of a block that is not taken has to be known too: it proves that the rest is not larger.
    again = true;
    while (again) {
      again = false;
      CountTaken();
      for (int64_t b = 0; b < blocks_.count; ++b) {
        const int64_t needed = Smaller(taken_[b] + 1, k_);
        if (IsComplete(b) || blocks_.block[b].count >= needed) continue;
        if (!Finish(b, needed)) return Outcome::kNotConverged;
        again = true;
      }
    }
    return Outcome::kOk;
  }

 private:
  bool IsComplete(int64_t b) const { return blocks_.block[b].count == blocks_.block[b].rank_limit(); }

  // How many of the k largest of all known or estimated values each block has.
  void CountTaken() {
    for (int64_t b = 0; b < blocks_.count; ++b) taken_[b] = 0;
    const int64_t chosen = ChooseLargest(arena_, blocks_, k_, choice_);
    for (int64_t g = 0; g < chosen; ++g) ++taken_[choice_[g].block];
  }

  bool DecomposeFully(int64_t b) {
    Block<R, kComplex>& block = blocks_.block[b];
    const Triplets<R, kComplex> triplets = FullSvd(arena_, block.m, block.n, space_[b].a);
    block.u = triplets.u;
    block.s = triplets.s;
    block.v = triplets.v;
    block.available = block.count = block.rank_limit();
    return triplets.ok;
  }

  bool Start(int64_t b, int64_t width, int64_t longest) {
    Block<R, kComplex>& block = blocks_.block[b];
    if (width > k_ + kSpare) width = k_ + kSpare;
    if (block.rank_limit() <= kSmall || 2 * width > block.rank_limit()) return DecomposeFully(b);
    if (start_width_ < width) {
      start_width_ = width;
      start_ = StartVectors<R, kComplex>(arena_, longest, width);
    }
    Subspace<R, kComplex>& space = space_[b];
    if (space.a_adjoint.data == nullptr) space.a_adjoint = AdjointPanel(arena_, space.a, block.m, block.n);
    space = StartSubspace(arena_, block.m, block.n, space.a, space.a_adjoint, start_, width);
    block.s = arena_.Allocate<R>(width);
    block.available = width;
    for (int64_t j = 0; j < width; ++j) {
      const R estimate = Estimate(space, j);
      block.s[j] = j > 0 && block.s[j - 1] < estimate ? block.s[j - 1] : estimate;
    }
    return true;
  }

  bool Finish(int64_t b, int64_t wanted) {
    Block<R, kComplex>& block = blocks_.block[b];
    Subspace<R, kComplex>& space = space_[b];
    R largest = 0;
    for (int64_t c = 0; c < blocks_.count; ++c) {
      const double s = ScaleByPowerOfTwo(blocks_.block[c].s[0], blocks_.block[c].exponent - block.exponent);
      if (s > largest) largest = R(s);
    }
    if (wanted + kSpare / 2 > space.width || !Converge(arena_, space, wanted, largest)) return DecomposeFully(b);
    block.u = space.u;
    block.s = space.s;
    block.v = space.v;
    block.count = wanted;
    return true;
  }

  Arena& arena_;
  const R* a_;
  int64_t lda_;
  int64_t k_;
  BlockList<R, kComplex> blocks_;
  Subspace<R, kComplex>* space_;
  int64_t* taken_;
  Choice<R>* choice_;
  Panel<R, kComplex> start_;
  int64_t start_width_ = 0;
};

}  // namespace

template <class R, bool kComplex>
Outcome SvdTruncated(int64_t m, int64_t n, const R* a, int64_t k, int64_t extra, R* u, R* s, R* v, Memory memory) {
  constexpr int64_t kParts = kComplex ? 2 : 1;
  if (k == 0) {
    for (int64_t i = 0; i < m * n * kParts; ++i) {
      if (!(a[i] - a[i] == 0)) return Outcome::kNotFinite;
    }
    for (int64_t i = 0; i < m * extra * kParts; ++i) u[i] = 0;
    for (int64_t i = 0; i < extra; ++i) s[i] = 0;
    for (int64_t i = 0; i < n * extra * kParts; ++i) v[i] = 0;
    return Outcome::kOk;
  }
  Arena arena(memory);
  Truncation<R, kComplex> truncation(arena, m, n, a, k);
  const Outcome outcome = truncation.Run();
  if (outcome != Outcome::kOk) return outcome;
  Choice<R>* choice = arena.Allocate<Choice<R>>(k + extra);
  const int64_t chosen = ChooseLargest(arena, truncation.blocks(), k + extra, choice);
  const Columns columns{.written = k + extra, .orthonormal = k};
  WriteTriplets<R, kComplex>(arena, m, n, truncation.blocks(), choice, chosen, columns, columns, k + extra, u, s, v,
                             nullptr);
  return Outcome::kOk;
}

#define TENFERRO_INSTANTIATE(R, kComplex) \
  template Outcome SvdTruncated<R, kComplex>(int64_t, int64_t, const R*, int64_t, int64_t, R*, R*, R*, Memory);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
