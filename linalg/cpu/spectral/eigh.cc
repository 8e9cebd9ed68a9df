#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/spectral/hermitian_blocks.h"
#include "tenferro/linalg/cpu/spectral/isa_kernels.h"
#include "tenferro/linalg/cpu/spectral/spectrum.h"
#include "tenferro/linalg/cpu/spectral/tridiagonal_qr.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

// Column `from` of a block's vectors to column `to` of v.
template <class R, bool kComplex>
void WriteVector(int64_t n, const int32_t* members, int64_t size, const Panel<R, kComplex>& vectors, int64_t from,
                 R* v) {
  const R* column = vectors.column(from);
  if constexpr (!kComplex) {
    if (size == n) {
      memcpy(v, column, static_cast<size_t>(n) * sizeof(R));
    } else {
      for (int64_t i = 0; i < size; ++i) v[members[i]] = column[i];
    }
  } else {
    int64_t i = 0;
    if (size == n) {
      const int64_t lanes = LaneCount<R>();
      for (; i + lanes <= n; i += lanes) {
        const Lanes<R, true> x = LoadLanes<R, true>(column + i, vectors.imag);
        hn::StoreInterleaved2(x.re, x.im, Tag<R>(), v + 2 * i);
      }
    }
    for (; i < size; ++i) {
      v[2 * members[i]] = column[i];
      v[2 * members[i] + 1] = column[i + vectors.imag];
    }
  }
}

}  // namespace

template <class R, bool kComplex>
Outcome Eigh(int64_t n, const R* a, R* w, R* v, Memory memory) {
  if (n == 0) return Outcome::kOk;
  constexpr int64_t kParts = kComplex ? 2 : 1;
  Arena arena(memory);
  GemmScratch scratch(arena, sizeof(R), n);
  const HermitianBlocks blocks = FindHermitianBlocks<R, kComplex>(arena, n, a);
  Spectrum<R, kComplex>* spectra = arena.Allocate<Spectrum<R, kComplex>>(blocks.count);
  double* all = arena.Allocate<double>(n);
  int32_t* all_order = arena.Allocate<int32_t>(n);
  int32_t* block_of = arena.Allocate<int32_t>(n);
  for (int64_t b = 0; b < blocks.count; ++b) {
    const int64_t begin = blocks.begin[b], size = blocks.begin[b + 1] - begin;
    Spectrum<R, kComplex>& spectrum = spectra[b];
    spectrum = {};
    Panel<R, kComplex> packed;
    if (!PackHermitian(arena, n, a, blocks.members + begin, size, spectrum.exponent, packed)) {
      return Outcome::kNotFinite;
    }
    if (!FindSpectrum(arena, scratch, size, packed, v != nullptr, spectrum)) return Outcome::kNotConverged;
    for (int64_t i = 0; i < size; ++i) {
      all[begin + i] = __builtin_ldexp(spectrum.values[spectrum.order[i]], spectrum.exponent);
      block_of[begin + i] = static_cast<int32_t>(b);
    }
  }
  SortAscending(n, all, all_order);
  if (v != nullptr && blocks.count > 1) memset(v, 0, static_cast<size_t>(n * n * kParts) * sizeof(R));
  for (int64_t j = 0; j < n; ++j) {
    const int64_t at = all_order[j], b = block_of[at], begin = blocks.begin[b];
    w[j] = R(all[at]);
    if (v == nullptr) continue;
    WriteVector(n, blocks.members + begin, blocks.begin[b + 1] - begin, spectra[b].vectors,
                spectra[b].order[at - begin], v + j * n * kParts);
  }
  return Outcome::kOk;
}

#define TENFERRO_INSTANTIATE(R, kComplex) template Outcome Eigh<R, kComplex>(int64_t, const R*, R*, R*, Memory);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
