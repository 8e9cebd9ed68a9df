// A line that stands alone: vectors run along it.
#include "tenferro/fft/cpu/line.h"

#include "tenferro/fft/cpu/butterfly.h"
#include "tenferro/fft/cpu/pass.h"
#include "tenferro/fft/cpu/transpose.h"

namespace tenferro::fft::TENFERRO_ISA {
namespace {

// The last pass where its radix is 8: W neighbouring j are rows of 8 numbers in memory, which are transposed. `in`
// alternates vectors of real and imaginary parts.
template <class T>
HWY_NOINLINE void LastEight(const Pass<T>& pass, const T* in, T* out, Direction<T> direction) {
  const Tag<T> d;
  using D = Tag<T>;
  constexpr int64_t W = kLanes<T>;
  const auto re_scale = hn::Set(d, direction.scale), im_scale = hn::Set(d, direction.scale * direction.im_sign);
  const T* twiddles = pass.lane_twiddles;
  for (int64_t begin = 0; begin < pass.done; begin += W, twiddles += 7 * 2 * W) {
    const int64_t j = begin + W <= pass.done ? begin : pass.done - W;
    Complex<D> v[8];
#pragma GCC unroll 8
    for (int64_t part = 0; part < 8 / W; ++part) {
      hn::Vec<D> re[W], im[W];
#pragma GCC unroll 8
      for (int64_t r = 0; r < W; ++r) {
        const T* const row = in + 2 * (8 * (j + r) + part * W);
        re[r] = hn::LoadU(d, row);
        im[r] = hn::LoadU(d, row + W);
      }
      TransposeSquare(d, re);
      TransposeSquare(d, im);
#pragma GCC unroll 8
      for (int64_t r = 0; r < W; ++r) v[part * W + r] = {re[r], im[r]};
    }
#pragma GCC unroll 8
    for (int64_t i = 1; i < 8; ++i) v[i] = v[i] * LoadSplit(d, twiddles + (i - 1) * 2 * W, W);
    Butterfly8(d, v);
#pragma GCC unroll 8
    for (int64_t k = 0; k < 8; ++k) StorePairs(d, Scaled(v[k], re_scale, im_scale), out + 2 * (j + pass.done * k));
  }
}

// Every buffer alternates vectors of real and imaginary parts: all neighbours come in whole vectors.
template <class T>
void RunEights(const SmoothPlan<T>& plan, const T* in, T* out, T* workspace, Direction<T> direction) {
  constexpr int64_t W = kLanes<T>;
  const T* from = in;
  T* to = workspace;
  for (int p = 0; p + 1 < plan.count; ++p) {
    const Pass<T>& pass = plan.passes[p];
    const int64_t m = pass.left;
    RunPass<T>({.radix = pass.radix,
                .roots = pass.roots,
                .twiddles = pass.twiddles,
                .in = {from, p == 0, 1, W, 0, 2 * m, 2 * m * pass.radix},
                .out = {to, false, 1, W, 0, 2 * m * pass.done, 2 * m},
                .count_c = m,
                .count_t = 1,
                .count_j = pass.done,
                .im_sign = direction.im_sign,
                .scale = direction.scale});
    from = to;
    to = to == workspace ? workspace + plan.line_scalars : workspace;
  }
  LastEight(plan.passes[plan.count - 1], from, out, direction);
}

// The inputs of butterflies on lanes of neighbouring (t, j), gathered from planes and multiplied by their twiddles:
// radix rows of W real and W imaginary parts for each group of lanes.
template <class T>
void GatherLanes(const Pass<T>& pass, const T* re, const T* im, T* groups) {
  const Tag<T> d;
  constexpr int64_t W = kLanes<T>;
  const int64_t butterflies = pass.left * pass.done, radix = pass.radix;
  const T* twiddles = pass.lane_twiddles;
  for (int64_t begin = 0; begin < butterflies; begin += W, groups += radix * 2 * W) {
    const int64_t first = begin + W <= butterflies ? begin : butterflies - W;
    for (int64_t lane = 0; lane < W; ++lane) {
      const int64_t j = (first + lane) / pass.left;
      const int64_t at = first + lane + pass.left * (radix - 1) * j;
      for (int64_t i = 0; i < radix; ++i) {
        groups[i * 2 * W + lane] = re[at + i * pass.left];
        groups[i * 2 * W + W + lane] = im[at + i * pass.left];
      }
    }
    for (int64_t i = 1; i < radix; ++i, twiddles += 2 * W) {
      T* const row = groups + i * 2 * W;
      StoreSplit(d, LoadSplit(d, row, W) * LoadSplit(d, twiddles, W), row, W);
    }
  }
}

// Buffers hold a plane of real parts and one of imaginary parts.
template <class T>
void RunGather(const SmoothPlan<T>& plan, const T* in, T* out, T* workspace, Direction<T> direction) {
  constexpr int64_t W = kLanes<T>;
  const int64_t plane = plan.n;
  T* buffer = workspace;
  T* other = workspace + plan.line_scalars;
  for (int p = 0; p < plan.count; ++p) {
    const Pass<T>& pass = plan.passes[p];
    const int64_t m = pass.left, radix = pass.radix, butterflies = m * pass.done;
    const bool first = p == 0, last = p + 1 == plan.count;
    PassRun<T> run{.radix = radix,
                   .roots = pass.roots,
                   .twiddles = pass.twiddles,
                   .in = {buffer, false, 0, plane, 0, m, m * radix},
                   .out = {other, false, 0, plane, 0, butterflies, m},
                   .count_c = m,
                   .count_t = 1,
                   .count_j = pass.done,
                   .im_sign = direction.im_sign,
                   .scale = direction.scale};
    if (first) run.in = {in, true, 1, 0, 0, 2 * m, 2 * m * radix};
    if (m >= W) {
      RunPass(run);
      T* const filled = other;
      other = buffer;
      buffer = filled;
      continue;
    }
    // The butterflies' outputs k lie one after another, so that lanes of neighbouring (t, j) are stored as vectors; the
    // last group begins earlier where W does not divide their number.
    GatherLanes(pass, buffer, buffer + plane, other);
    const int64_t whole = butterflies / W;
    run.twiddles = nullptr;
    run.in = {other, false, 1, W, 0, 2 * W, radix * 2 * W};
    run.out = last ? Side<T>{out, true, 1, 0, 0, 2 * butterflies, 2 * W}
                   : Side<T>{buffer, false, 0, plane, 0, butterflies, W};
    run.count_c = W;
    run.count_j = whole;
    RunPass(run);
    if (whole * W < butterflies) {
      run.in.base += whole * radix * 2 * W;
      run.out.base += (butterflies - W) << run.out.shift;
      run.count_j = 1;
      RunPass(run);
    }
  }
}

}  // namespace

template <class T>
void RunLine(const SmoothPlan<T>& plan, const T* in, T* out, T* workspace, Direction<T> direction) {
  plan.single == SingleLine::kEights ? RunEights(plan, in, out, workspace, direction)
                                     : RunGather(plan, in, out, workspace, direction);
}

template void RunLine<float>(const SmoothPlan<float>&, const float*, float*, float*, Direction<float>);
template void RunLine<double>(const SmoothPlan<double>&, const double*, double*, double*, Direction<double>);

}  // namespace tenferro::fft::TENFERRO_ISA
