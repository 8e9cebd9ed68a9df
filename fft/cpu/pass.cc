#include "tenferro/fft/cpu/pass.h"

#include "tenferro/fft/cpu/butterfly.h"
#include "tenferro/fft/cpu/plan_tables.h"

namespace tenferro::fft::TENFERRO_ISA {
namespace {

template <class T, int R, bool kInPairs, bool kOutPairs>
HWY_NOINLINE void Loop(const PassRun<T>& run) {
  const Tag<T> d;
  using D = Tag<T>;
  constexpr int64_t W = kLanes<T>;
  const int64_t radix = R == 0 ? run.radix : R;
  const Side<const T> in = run.in;
  const Side<T> out = run.out;
  const T* const roots = run.roots;
  const auto one = hn::Set(d, T(1));
  const auto in_sign = hn::Set(d, run.im_sign);
  const auto re_scale = hn::Set(d, run.scale), im_scale = hn::Set(d, run.scale * run.im_sign);
  const int64_t count_c = run.count_c, count_t = run.count_t;
  for (int64_t j = 0; j < run.count_j; ++j) {
    const T* const twiddles = run.twiddles == nullptr ? nullptr : run.twiddles + j * 2 * (radix - 1);
    for (int64_t t = 0; t < count_t; ++t) {
      const T* const from = in.base + t * in.of_t + j * in.of_j;
      T* const to = out.base + t * out.of_t + j * out.of_j;
      for (int64_t c = 0; c < count_c; c += W) {
        // The last vector begins earlier where they do not divide the neighbours.
        const int64_t at = c + W <= count_c ? c : count_c - W;
        Complex<D> v[R == 0 ? kLargestRadix : R];
        const T* const first = from + (at << in.shift);
#pragma GCC unroll 16
        for (int64_t i = 0; i < radix; ++i) {
          if constexpr (kInPairs) {
            v[i] = Scaled(LoadPairs(d, first + i * in.of_index), one, in_sign);
          } else {
            v[i] = LoadSplit(d, first + i * in.of_index, in.im);
          }
        }
        if (twiddles != nullptr) {
#pragma GCC unroll 16
          for (int64_t i = 1; i < radix; ++i) v[i] = v[i] * Repeated(d, twiddles + 2 * (i - 1));
        }
        Butterfly<R>(d, radix, v, roots);
        T* const last = to + (at << out.shift);
#pragma GCC unroll 16
        for (int64_t k = 0; k < radix; ++k) {
          if constexpr (kOutPairs) {
            StorePairs(d, Scaled(v[k], re_scale, im_scale), last + k * out.of_index);
          } else {
            StoreSplit(d, v[k], last + k * out.of_index, out.im);
          }
        }
      }
    }
  }
}

template <class T, int R>
void WithSides(const PassRun<T>& run) {
  if (run.in.pairs) {
    run.out.pairs ? Loop<T, R, true, true>(run) : Loop<T, R, true, false>(run);
  } else {
    run.out.pairs ? Loop<T, R, false, true>(run) : Loop<T, R, false, false>(run);
  }
}

}  // namespace

template <class T>
void RunPass(const PassRun<T>& run) {
  switch (run.radix) {
    case 1: return WithSides<T, 1>(run);
    case 2: return WithSides<T, 2>(run);
    case 3: return WithSides<T, 3>(run);
    case 4: return WithSides<T, 4>(run);
    case 5: return WithSides<T, 5>(run);
    case 7: return WithSides<T, 7>(run);
    case 8: return WithSides<T, 8>(run);
    case 11: return WithSides<T, 11>(run);
    case 13: return WithSides<T, 13>(run);
    default: return WithSides<T, 0>(run);
  }
}

template void RunPass<float>(const PassRun<float>&);
template void RunPass<double>(const PassRun<double>&);

}  // namespace tenferro::fft::TENFERRO_ISA
