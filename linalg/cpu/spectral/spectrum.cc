#include "tenferro/linalg/cpu/spectral/spectrum.h"

#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/spectral/divide_and_conquer.h"
#include "tenferro/linalg/cpu/spectral/tridiagonal_qr.h"
#include "tenferro/linalg/cpu/spectral/tridiagonalize.h"

namespace tenferro::linalg::TENFERRO_ISA {

template <class R, bool kComplex>
bool FindSpectrum(Arena& arena, GemmScratch& scratch, int64_t n, const Panel<R, kComplex>& a, bool with_vectors,
                  Spectrum<R, kComplex>& out) {
  out.order = arena.Allocate<int32_t>(n);
  out.values = arena.Allocate<double>(n);
  if (with_vectors) out.vectors = NewPanel<R, kComplex>(arena, n, n);
  const Arena::Mark mark = arena.mark();
  const Tridiagonal<R, kComplex> t = Tridiagonalize(arena, scratch, n, a);
  if (!with_vectors) {
    if (!EigenvaluesByQl<R>(n, t.d, t.e)) return false;
    SortAscending(n, t.d, out.order);
    memcpy(out.values, t.d, static_cast<size_t>(n) * sizeof(double));
    arena.Release(mark);
    return true;
  }
  const Panel<R, false> z = kComplex ? NewPanel<R, false>(arena, n, n)
                                     : Panel<R, false>{out.vectors.data, out.vectors.rows, out.vectors.imag};
  if (!DivideAndConquer(arena, scratch, n, t.d, t.e, z, out.order)) return false;
  memcpy(out.values, t.d, static_cast<size_t>(n) * sizeof(double));
  if constexpr (kComplex) {
    for (int64_t j = 0; j < n; ++j) {
      CopyScaled<R, false>(R{1}, z.column(j), z.imag, out.vectors.column(j), out.vectors.imag, z.rows);
    }
  }
  ApplyReflections(arena, scratch, n, t, n, out.vectors);
  arena.Release(mark);
  return true;
}

#define TENFERRO_INSTANTIATE(R, kComplex) \
  template bool FindSpectrum(Arena&, GemmScratch&, int64_t, const Panel<R, kComplex>&, bool, Spectrum<R, kComplex>&);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
