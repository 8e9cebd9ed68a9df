// What long lines and lines of any length need between their smooth transforms.
#include "tenferro/fft/cpu/complex_vector.h"
#include "tenferro/fft/cpu/line.h"
#include "tenferro/fft/cpu/transpose.h"

namespace tenferro::fft::TENFERRO_ISA {

template <class T>
void TurnColumns(const SixStepPlan<T>& plan, const T* tile, int64_t first, T* workspace) {
  const Tag<T> d;
  using D = Tag<T>;
  constexpr int64_t W = kLanes<T>;
  const int64_t rows = plan.columns.n, columns = plan.rows.n;
  const int64_t count = first + W <= columns ? W : columns - first;
  const T* const column_roots = plan.column_roots + first / W * rows * 2;
  for (int64_t j = 0; j < rows; j += W) {
    hn::Vec<D> re[W], im[W];
#pragma GCC unroll 8
    for (int64_t r = 0; r < W; ++r) {
      if (j + r < rows) {
        const Complex<D> root =
            LoadSplit(d, plan.lane_roots + (j + r) * 2 * W, W) * Repeated(d, column_roots + 2 * (j + r));
        const Complex<D> v = LoadSplit(d, tile + (j + r) * 2 * W, W) * root;
        re[r] = v.re;
        im[r] = v.im;
      } else {
        re[r] = im[r] = hn::Zero(d);
      }
    }
    TransposeSquare(d, re);
    TransposeSquare(d, im);
    T* const to = workspace + (j * columns + first * W) * 2;
#pragma GCC unroll 8
    for (int64_t c = 0; c < W; ++c) {
      if (c < count) StoreSplit(d, Complex<D>{re[c], im[c]}, to + c * 2 * W, W);
    }
  }
}

namespace {

template <class D, class T>
HWY_INLINE void MultiplyAt(D d, int64_t i, const T* in, const T* factors, T in_sign, T* out, Direction<T> direction) {
  const Complex<D> x = Scaled(LoadPairs(d, in + 2 * i), hn::Set(d, T(1)), hn::Set(d, in_sign));
  const Complex<D> product = x * LoadPairs(d, factors + 2 * i);
  StorePairs(d, Scaled(product, hn::Set(d, direction.scale), hn::Set(d, direction.scale * direction.im_sign)),
             out + 2 * i);
}

}  // namespace

template <class T>
void Multiply(int64_t count, const T* in, const T* factors, T in_sign, T* out, Direction<T> direction) {
  int64_t i = 0;
  for (; i + kLanes<T> <= count; i += kLanes<T>) MultiplyAt(Tag<T>(), i, in, factors, in_sign, out, direction);
  for (; i < count; ++i) MultiplyAt(OneLane<T>(), i, in, factors, in_sign, out, direction);
}

template <class T>
void GetKernels(Kernels<T>* all) {
  *all = {.lanes = kLanes<T>,
          .line = RunLine<T>,
          .tile = RunTile<T>,
          .gather = Gather<T>,
          .gather_tiles = GatherTiles<T>,
          .scatter_tiles = ScatterTiles<T>,
          .scatter = Scatter<T>,
          .finish_half_line = FinishHalfLine<T>,
          .finish_half_tile = FinishHalfTile<T>,
          .begin_half_line = BeginHalfLine<T>,
          .begin_half_tile = BeginHalfTile<T>,
          .turn_columns = TurnColumns<T>,
          .multiply = Multiply<T>};
}

#define TENFERRO_INSTANTIATE(T)                                                \
  template void TurnColumns<T>(const SixStepPlan<T>&, const T*, int64_t, T*);  \
  template void Multiply<T>(int64_t, const T*, const T*, T, T*, Direction<T>); \
  template void GetKernels<T>(Kernels<T>*);
TENFERRO_INSTANTIATE(float)
TENFERRO_INSTANTIATE(double)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::fft::TENFERRO_ISA
