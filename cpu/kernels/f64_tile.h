#ifndef TENFERRO_CPU_KERNELS_F64_TILE_H_
#define TENFERRO_CPU_KERNELS_F64_TILE_H_

// Functions of f64 as tiles.

#include "tenferro/cpu/kernels/f64_several.h"
#include "tenferro/cpu/kernels/vector.h"

namespace tenferro::TENFERRO_ISA {
namespace {

// One function as F64Tile takes it.
template <class F>
struct Alone {
  using First = F;
  using Second = F;
  static constexpr int kResults = 1;
  static HWY_INLINE void Usual(const F64& x, F64* results) { results[0] = F::Usual(x); }
};

// A sign bit as a lane's mask.
HWY_INLINE Lanes IsNegative(Doubles x) {
  const hn::RebindToSigned<Tag<double>> di;
  return hn::RebindMask(Tag<double>(), hn::Lt(hn::BitCast(di, x), hn::Zero(di)));
}

// Replaces the results of unusual arguments.
template <class F>
HWY_NOINLINE void MendLanes(double* y, const double* x, int64_t n) {
  const Tag<double> d;
  for (int64_t i = 0; i < n; i += kLanes<double>) {
    const Doubles from = hn::LoadU(d, x + i), to = hn::LoadU(d, y + i);
    hn::StoreU(hn::IfThenElse(IsNegative(F::Unusual(from, to)), F::Otherwise(from), to), d, y + i);
  }
}

// Functions as a TileFn; a second result goes where in[1] points. Lanes where the sign bit of F::Unusual(x, y) is set
// become F::Otherwise(x): only a block's end asks whether there are any, so that the loop calls no function.
template <class Functions>
void F64Tile(void* out, const void* const* in, int64_t n) {
  constexpr int64_t kStep = kTogether * kLanes<double>;
  constexpr int64_t kBlock = 64;
  constexpr int kResults = Functions::kResults;
  const Tag<double> d;
  const double* const x = static_cast<const double*>(in[0]);
  double* const first = static_cast<double*>(out);
  double* const second = kResults == 2 ? static_cast<double*>(const_cast<void*>(in[1])) : nullptr;
  HWY_ALIGN double arguments[kBlock], results[kResults][kBlock];
  for (int64_t i = 0; i < n; i += kBlock) {
    const bool whole = n - i >= kBlock;
    const int64_t count = whole ? kBlock : n - i;
    const double* from = x + i;
    double* to[2] = {first + i, kResults == 2 ? second + i : nullptr};
    if (!whole) {
      for (int result = 0; result < kResults; ++result) to[result] = results[result];
    }
    if (!whole || x == first || x == second) {
      for (int64_t j = count; j < kBlock; ++j) arguments[j] = 1;
      __builtin_memcpy(arguments, from, static_cast<size_t>(count) * sizeof(double));
      from = arguments;
    }
    Doubles unusual = hn::Zero(d);
    for (int64_t j = 0; j < count; j += kStep) {
      F64 some, found[kResults];
#pragma GCC unroll 4
      for (int k = 0; k < kTogether; ++k) some.of[k] = hn::LoadU(d, from + j + k * kLanes<double>);
      Functions::Usual(some, found);
#pragma GCC unroll 4
      for (int k = 0; k < kTogether; ++k) {
        const int64_t at = j + k * kLanes<double>;
        unusual = hn::Or(unusual, Functions::First::Unusual(some.of[k], found[0].of[k]));
        hn::StoreU(found[0].of[k], d, to[0] + at);
        if constexpr (kResults == 2) {
          unusual = hn::Or(unusual, Functions::Second::Unusual(some.of[k], found[1].of[k]));
          hn::StoreU(found[1].of[k], d, to[1] + at);
        }
      }
    }
    if (!hn::AllFalse(d, IsNegative(unusual))) {
      MendLanes<typename Functions::First>(to[0], from, count);
      if (kResults == 2) MendLanes<typename Functions::Second>(to[1], from, count);
    }
    if (!whole) {
      __builtin_memcpy(first + i, results[0], static_cast<size_t>(count) * sizeof(double));
      if (kResults == 2) __builtin_memcpy(second + i, results[1], static_cast<size_t>(count) * sizeof(double));
    }
  }
}

}  // namespace
}  // namespace tenferro::TENFERRO_ISA

#endif  // TENFERRO_CPU_KERNELS_F64_TILE_H_
