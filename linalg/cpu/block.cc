#include "tenferro/linalg/cpu/block.h"

#include <math.h>

#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/isa_kernels.h"
#include "tenferro/linalg/cpu/pack.h"
#include "tenferro/linalg/cpu/reflections.h"

namespace tenferro::linalg::TENFERRO_ISA {

double ScaleByPowerOfTwo(double x, int exponent) { return ldexp(x, exponent); }

template <class R>
int PowerOfTwoAbove(R size) {
  int exponent = 0;
  frexp(double(size), &exponent);
  const int limit = sizeof(R) == 8 ? 1020 : 124;
  return exponent > limit ? limit : exponent < -limit ? -limit : exponent;
}

template <class R, bool kComplex>
BlockList<R, kComplex> GroupBlocks(Arena& arena, int64_t m, int64_t n, int64_t count, const int32_t* row_block,
                                   const int32_t* column_block) {
  BlockList<R, kComplex> list;
  list.count = count;
  list.block = arena.Allocate<Block<R, kComplex>>(count + 1);
  for (int64_t b = 0; b < count; ++b) list.block[b] = Block<R, kComplex>();
  for (int64_t i = 0; i < m; ++i) {
    if (row_block[i] >= 0) ++list.block[row_block[i]].m;
  }
  for (int64_t j = 0; j < n; ++j) {
    if (column_block[j] >= 0) ++list.block[column_block[j]].n;
  }
  // A counting sort; the group of label −1 comes last.
  const auto group = [&arena, count](int64_t extent, const int32_t* label, const auto& size, const auto& assign) {
    int32_t* members = arena.Allocate<int32_t>(extent + 1);
    int64_t* next = arena.Allocate<int64_t>(count + 1);
    int64_t offset = 0;
    for (int64_t b = 0; b <= count; ++b) {
      next[b] = offset;
      assign(b, members + offset);
      if (b < count) offset += size(b);
    }
    for (int64_t i = 0; i < extent; ++i) members[next[label[i] >= 0 ? label[i] : count]++] = static_cast<int32_t>(i);
    return extent - offset;
  };
  list.zero_row_count = group(
      m, row_block, [&](int64_t b) { return list.block[b].m; },
      [&](int64_t b, const int32_t* members) { (b < count ? list.block[b].rows : list.zero_rows) = members; });
  list.zero_column_count = group(
      n, column_block, [&](int64_t b) { return list.block[b].n; },
      [&](int64_t b, const int32_t* members) { (b < count ? list.block[b].columns : list.zero_columns) = members; });
  return list;
}

template <class R, bool kComplex>
BlockList<R, kComplex> FindBlocks(Arena& arena, int64_t m, int64_t n, const R* a) {
  int32_t* row_block = arena.Allocate<int32_t>(m);
  int32_t* column_block = arena.Allocate<int32_t>(n);
  const int64_t count = ExactBlocks<R, kComplex>(m, n, a, row_block, column_block, arena.rest());
  return GroupBlocks<R, kComplex>(arena, m, n, count, row_block, column_block);
}

template <class R, bool kComplex>
bool PackScaled(Arena& arena, const R* a, int64_t lda, Block<R, kComplex>& block, Panel<R, kComplex>& out) {
  const R largest = Pack(arena, a, lda, R{1}, block.rows, block.m, block.columns, block.n, out);
  if (!(largest - largest == 0)) return false;
  block.exponent = PowerOfTwoAbove(largest);
  // Near enough to 1 already: no second pass.
  if (block.exponent >= -8 && block.exponent <= 8) {
    block.exponent = 0;
    return true;
  }
  const R scale = R(ScaleByPowerOfTwo(1, -block.exponent));
  for (int64_t j = 0; j < block.n; ++j) {
    CopyScaled<R, kComplex>(scale, out.column(j), out.imag, out.column(j), out.imag, out.rows);
  }
  return true;
}

template <class R, bool kComplex>
int64_t ChooseLargest(Arena& arena, const BlockList<R, kComplex>& blocks, int64_t wanted, Choice<R>* choice) {
  const Arena::Mark mark = arena.mark();
  int64_t* next = arena.AllocateZeroed<int64_t>(blocks.count + 1);
  R* head = arena.Allocate<R>(blocks.count + 1);
  const auto load = [&](int64_t b) {
    const Block<R, kComplex>& block = blocks.block[b];
    head[b] = next[b] < block.available ? R(ScaleByPowerOfTwo(block.s[next[b]], block.exponent)) : R{-1};
  };
  for (int64_t b = 0; b < blocks.count; ++b) load(b);
  int64_t chosen = 0;
  for (; chosen < wanted; ++chosen) {
    int64_t best = -1;
    for (int64_t b = 0; b < blocks.count; ++b) {
      if (head[b] >= 0 && (best < 0 || head[b] > head[best])) best = b;
    }
    if (best < 0) break;
    choice[chosen] = {static_cast<int32_t>(best), static_cast<int32_t>(next[best]), head[best]};
    ++next[best];
    load(best);
  }
  arena.Release(mark);
  return chosen;
}

namespace {

// One side's vectors: m is the matrix's extent there, `index` a block's rows or columns, `panel` its vectors.
template <class R, bool kComplex, class Index, class Extent, class Vectors>
void WriteSide(Arena& arena, int64_t m, const BlockList<R, kComplex>& blocks, const Choice<R>* choice, int64_t chosen,
               Columns columns, const int32_t* zeros, int64_t zero_count, const Index& index, const Extent& extent,
               const Vectors& vectors, bool adjoint, R* out) {
  constexpr int64_t kParts = kComplex ? 2 : 1;
  const auto [wanted, completed] = columns;
  if (m == 0 || wanted == 0) return;  // `out` may be null
  memset(out, 0, static_cast<size_t>(m * wanted * kParts) * sizeof(R));
  const int64_t row_stride = adjoint ? wanted * kParts : kParts;
  const int64_t column_stride = adjoint ? kParts : m * kParts;
  const auto write = [&](const Block<R, kComplex>& block, const Panel<R, kComplex>& panel, int64_t from, int64_t to) {
    R* target = out + to * column_stride;
    const R* source = panel.column(from);
    const int32_t* position = index(block);
    for (int64_t i = 0; i < extent(block); ++i) {
      target[position[i] * row_stride] = source[i];
      if constexpr (kComplex) {
        target[position[i] * row_stride + 1] = adjoint ? -source[i + panel.imag] : source[i + panel.imag];
      }
    }
  };
  for (int64_t g = 0; g < chosen; ++g) {
    const Block<R, kComplex>& block = blocks.block[choice[g].block];
    write(block, vectors(block), choice[g].index, g);
  }
  int64_t g = chosen;
  for (int64_t z = 0; z < zero_count && g < completed; ++z, ++g) out[g * column_stride + zeros[z] * row_stride] = 1;
  for (int64_t b = 0; b < blocks.count && g < completed; ++b) {
    const Block<R, kComplex>& block = blocks.block[b];
    const int64_t have = block.available;
    int64_t add = extent(block) - have;
    add = add < completed - g ? add : completed - g;
    if (add <= 0) continue;
    // Unit vectors under the reflections that make the present columns unit vectors.
    const Arena::Mark mark = arena.mark();
    const Panel<R, kComplex> present = NewPanel<R, kComplex>(arena, extent(block), have);
    for (int64_t j = 0; j < have; ++j) {
      const Panel<R, kComplex>& panel = vectors(block);
      CopyScaled<R, kComplex>(R{1}, panel.column(j), panel.imag, present.column(j), present.imag, present.rows);
    }
    const Reflections<R, kComplex> q = FactorQr(arena, present, have, NewPanel<R, kComplex>(arena, have, have));
    const Panel<R, kComplex> further = NewPanel<R, kComplex>(arena, extent(block), add);
    for (int64_t j = 0; j < add; ++j) further.Set(have + j, j, {1, 0});
    Apply(arena, q, further, add);
    for (int64_t j = 0; j < add; ++j, ++g) write(block, further, j, g);
    arena.Release(mark);
  }
}

}  // namespace

template <class R, bool kComplex>
void WriteTriplets(Arena& arena, int64_t m, int64_t n, const BlockList<R, kComplex>& blocks, const Choice<R>* choice,
                   int64_t chosen, Columns left, Columns right, int64_t values, R* u, R* s, R* v, R* vt) {
  using BlockType = Block<R, kComplex>;
  WriteSide<R, kComplex>(
      arena, m, blocks, choice, chosen, left, blocks.zero_rows, blocks.zero_row_count,
      [](const BlockType& b) { return b.rows; }, [](const BlockType& b) { return b.m; },
      [](const BlockType& b) { return b.u; }, false, u);
  WriteSide<R, kComplex>(
      arena, n, blocks, choice, chosen, right, blocks.zero_columns, blocks.zero_column_count,
      [](const BlockType& b) { return b.columns; }, [](const BlockType& b) { return b.n; },
      [](const BlockType& b) { return b.v; }, vt != nullptr, vt != nullptr ? vt : v);
  for (int64_t g = 0; g < values; ++g) s[g] = g < chosen ? choice[g].s : R{0};
}

template int PowerOfTwoAbove(float);
template int PowerOfTwoAbove(double);
#define TENFERRO_INSTANTIATE(R, kComplex)                                                                         \
  template BlockList<R, kComplex> GroupBlocks(Arena&, int64_t, int64_t, int64_t, const int32_t*, const int32_t*); \
  template BlockList<R, kComplex> FindBlocks(Arena&, int64_t, int64_t, const R*);                                 \
  template bool PackScaled(Arena&, const R*, int64_t, Block<R, kComplex>&, Panel<R, kComplex>&);                  \
  template int64_t ChooseLargest(Arena&, const BlockList<R, kComplex>&, int64_t, Choice<R>*);                     \
  template void WriteTriplets(Arena&, int64_t, int64_t, const BlockList<R, kComplex>&, const Choice<R>*, int64_t, \
                              Columns, Columns, int64_t, R*, R*, R*, R*);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
