// Tiles: a vector holds the same element of as many lines.
#include "tenferro/fft/cpu/line.h"
#include "tenferro/fft/cpu/pass.h"
#include "tenferro/fft/cpu/transpose.h"

namespace tenferro::fft::TENFERRO_ISA {
namespace {

// True where the first scalars of W lines are neighbours, `parts` apart.
template <class T>
bool AreNeighbours(const Lines<T>& lines) {
  if (lines.count != kLanes<T>) return false;
  for (int64_t lane = 1; lane < lines.count; ++lane) {
    if (lines.first[lane] != lines.first[0] + lane * lines.parts) return false;
  }
  return true;
}

}  // namespace

template <class T>
void RunTile(const SmoothPlan<T>& plan, TileSide<const T> in, TileSide<T> out, T* workspace, Direction<T> direction) {
  constexpr int64_t W = kLanes<T>;
  // With `in` in the first buffer the first pass must not write there; `out` in a buffer is written by the last.
  T* const buffers[] = {workspace, workspace + 2 * W * plan.n};
  int which = in.data == buffers[0] ? 1 : 0;
  const bool out_is_buffer = out.data == buffers[0] || out.data == buffers[1];
  if (out_is_buffer && in.data != buffers[0] && in.data != buffers[1]) {
    // Alternating must end where the last pass writes.
    which = ((plan.count - 1) % 2 == 0) == (out.data == buffers[0]) ? 0 : 1;
  }
  TileSide<const T> from = in;
  for (int p = 0; p < plan.count; ++p) {
    const Pass<T>& pass = plan.passes[p];
    const int64_t m = pass.left;
    const TileSide<T> to =
        p + 1 == plan.count ? out : TileSide<T>{.data = buffers[which], .row = 2 * W, .im = W, .pairs = false};
    RunPass<T>({.radix = pass.radix,
                .roots = pass.roots,
                .twiddles = pass.twiddles,
                .in = {from.data, from.pairs, 1, from.im, from.row, m * from.row, m * pass.radix * from.row},
                .out = {to.data, to.pairs, 1, to.im, to.row, m * pass.done * to.row, m * to.row},
                .count_c = W,
                .count_t = m,
                .count_j = pass.done,
                .im_sign = direction.im_sign,
                .scale = direction.scale});
    from = {to.data, to.row, to.im, to.pairs};
    which = 1 - which;
  }
}

template <class T>
void Gather(const Lines<const T>& lines, int64_t scalars, T im_sign, T* rows) {
  const Tag<T> d;
  constexpr int64_t W = kLanes<T>;
  const auto sign = hn::Set(d, im_sign);
  int64_t s = 0;
  if (lines.stride == lines.parts && lines.count == W) {
    for (; s + W <= scalars; s += W) {
      hn::Vec<Tag<T>> v[W];
#pragma GCC unroll 8
      for (int64_t lane = 0; lane < W; ++lane) v[lane] = hn::LoadU(d, lines.first[lane] + s);
      TransposeSquare(d, v);
#pragma GCC unroll 8
      for (int64_t r = 0; r < W; ++r) hn::StoreU(r % 2 == 0 ? v[r] : hn::Mul(v[r], sign), d, rows + (s + r) * W);
    }
  } else if (lines.parts == 1 && AreNeighbours(lines)) {
    for (; s < scalars; ++s) {
      const auto row = hn::LoadU(d, lines.first[0] + s * lines.stride);
      hn::StoreU(s % 2 == 0 ? row : hn::Mul(row, sign), d, rows + s * W);
    }
  }
  for (; s < scalars; ++s) {
    const int64_t at = lines.parts == 1 ? s * lines.stride : s / 2 * lines.stride + s % 2;
    const T factor = s % 2 == 0 ? T(1) : im_sign;
    for (int64_t lane = 0; lane < W; ++lane) {
      rows[s * W + lane] = lane < lines.count ? lines.first[lane][at] * factor : T(0);
    }
  }
}

template <class T>
void GatherTiles(const T* from, int64_t stride, int64_t rows, int64_t tiles, T im_sign, T* to, int64_t tile_scalars) {
  const Tag<T> d;
  using D = Tag<T>;
  constexpr int64_t W = kLanes<T>;
  // Rows of a matrix lie on pages of their own, where no processor looks ahead.
  constexpr int64_t kAhead = 4;
  const auto one = hn::Set(d, T(1)), sign = hn::Set(d, im_sign);
  for (int64_t r = 0; r < rows; ++r) {
    const T* const row = from + r * stride;
    if (r + kAhead < rows) {
      const T* const ahead = row + kAhead * stride;
      for (int64_t s = 0; s < tiles * 2 * W; s += 64 / static_cast<int64_t>(sizeof(T))) __builtin_prefetch(ahead + s);
    }
    for (int64_t k = 0; k < tiles; ++k) {
      const Complex<D> x = Scaled(LoadPairs(d, row + k * 2 * W), one, sign);
      StoreSplit(d, x, to + k * tile_scalars + r * 2 * W, W);
    }
  }
}

template <class T>
void ScatterTiles(const T* from, int64_t tile_scalars, int64_t tiles, int64_t rows, Direction<T> direction, T* to,
                  int64_t stride) {
  const Tag<T> d;
  using D = Tag<T>;
  constexpr int64_t W = kLanes<T>;
  const auto re_scale = hn::Set(d, direction.scale), im_scale = hn::Set(d, direction.scale * direction.im_sign);
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t k = 0; k < tiles; ++k) {
      const Complex<D> x = LoadSplit(d, from + k * tile_scalars + r * 2 * W, W);
      StorePairs(d, Scaled(x, re_scale, im_scale), to + r * stride + k * 2 * W);
    }
  }
}

template <class T>
void Scatter(const T* rows, int64_t scalars, Direction<T> direction, const Lines<T>& lines) {
  const Tag<T> d;
  constexpr int64_t W = kLanes<T>;
  const auto re_scale = hn::Set(d, direction.scale), im_scale = hn::Set(d, direction.scale * direction.im_sign);
  int64_t s = 0;
  if (lines.stride == lines.parts && lines.count == W) {
    for (; s + W <= scalars; s += W) {
      hn::Vec<Tag<T>> v[W];
#pragma GCC unroll 8
      for (int64_t r = 0; r < W; ++r) {
        v[r] = hn::Mul(hn::LoadU(d, rows + (s + r) * W), r % 2 == 0 ? re_scale : im_scale);
      }
      TransposeSquare(d, v);
#pragma GCC unroll 8
      for (int64_t lane = 0; lane < W; ++lane) hn::StoreU(v[lane], d, lines.first[lane] + s);
    }
  } else if (lines.parts == 1 && AreNeighbours(lines)) {
    for (; s < scalars; ++s) {
      const auto row = hn::Mul(hn::LoadU(d, rows + s * W), s % 2 == 0 ? re_scale : im_scale);
      hn::StoreU(row, d, lines.first[0] + s * lines.stride);
    }
  }
  for (; s < scalars; ++s) {
    const int64_t at = lines.parts == 1 ? s * lines.stride : s / 2 * lines.stride + s % 2;
    const T factor = s % 2 == 0 ? direction.scale : direction.scale * direction.im_sign;
    for (int64_t lane = 0; lane < lines.count; ++lane) lines.first[lane][at] = rows[s * W + lane] * factor;
  }
}

#define TENFERRO_INSTANTIATE(T)                                                                     \
  template void RunTile<T>(const SmoothPlan<T>&, TileSide<const T>, TileSide<T>, T*, Direction<T>); \
  template void Gather<T>(const Lines<const T>&, int64_t, T, T*);                                   \
  template void GatherTiles<T>(const T*, int64_t, int64_t, int64_t, T, T*, int64_t);                \
  template void ScatterTiles<T>(const T*, int64_t, int64_t, int64_t, Direction<T>, T*, int64_t);    \
  template void Scatter<T>(const T*, int64_t, Direction<T>, const Lines<T>&);
TENFERRO_INSTANTIATE(float)
TENFERRO_INSTANTIATE(double)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::fft::TENFERRO_ISA
