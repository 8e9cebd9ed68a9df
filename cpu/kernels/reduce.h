#ifndef TENFERRO_CPU_KERNELS_REDUCE_H_
#define TENFERRO_CPU_KERNELS_REDUCE_H_

#include "tenferro/cpu/kernels/tile.h"

namespace tenferro {

enum class ReduceKind : uint8_t { kSum, kProd, kMax, kMin };

// Most elements that one call of a chunk function takes.
constexpr int64_t kReduceChunk = 4096;

// Up to so many elements a reduction over some axes takes them one after another, all results side by side.
constexpr int64_t kShortReduction = 8;

// Bytes of the largest element.
constexpr int64_t kMaxElementSize = 16;

// The pieces of a reduction over one dtype. A full reduction cuts its elements into chunks of kReduceChunk, the last
// one shorter, and puts the chunks' results together with `tree`; its bits then depend on the values alone.
struct ReduceRow {
  // out[0] = in[0] ∘ … ∘ in[n-1] for n <= kReduceChunk, in a fixed order that depends on n only; identity for n = 0.
  void (*chunk)(void* out, const void* in, int64_t n);
  // out[0] = the pairwise reduction of `count` partial results, which are overwritten; identity for count = 0.
  void (*tree)(void* out, void* partials, int64_t count);
  // out[i] = in[0][i] ∘ in[1][i]; call it with out == in[0] to accumulate rows.
  TileFn combine;
  // One element: e with e ∘ x = x.
  const void* identity;
  // out[i] = ((in[0][i] ∘ in[1][i]) ∘ …) ∘ in[rows - 1][i] with the bits of `combine`, writing `out`, which may be in[0],
  // once; nullptr where there is none.
  void (*combine_rows)(void* out, const void* const* in, int64_t rows, int64_t n) = nullptr;
  // out[line] = chunk of the n elements from in[line · n] on, with the bits of `chunk`, for line < lines; nullptr where
  // that is no faster than one after another.
  void (*lines)(void* out, const void* in, int64_t n, int64_t lines) = nullptr;
};

// Sum and product (every dtype but bool; integers wrap), maximum and minimum (every dtype but complex; NaN propagates,
// -0 is less than +0, "or" and "and" for bool). nullptr for other dtypes. `dtype` is a DType.
const ReduceRow* FindReduce(Isa isa, ReduceKind kind, uint8_t dtype);

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_REDUCE_H_
