#include "tenferro/linalg/cpu/block_svd.h"

#include "tenferro/linalg/cpu/householder.h"
#include "tenferro/linalg/cpu/jacobi.h"
#include "tenferro/linalg/cpu/pack.h"
#include "tenferro/linalg/cpu/panel_gemm.h"

namespace tenferro::linalg::TENFERRO_ISA {

template <class R, bool kComplex>
Triplets<R, kComplex> FullSvd(Arena& arena, int64_t m, int64_t n, const Panel<R, kComplex>& a) {
  const int64_t longer = m >= n ? m : n;
  const int64_t k = m >= n ? n : m;
  const Panel<R, kComplex> tall = m >= n ? a : AdjointPanel(arena, a, m, n);
  Triplets<R, kComplex> result;
  result.s = arena.Allocate<R>(k);
  const Panel<R, kComplex> r = NewPanel<R, kComplex>(arena, k, k);
  const Panel<R, kComplex> left = NewPanel<R, kComplex>(arena, k, k);
  const Panel<R, kComplex> right = NewPanel<R, kComplex>(arena, k, k);
  const Panel<R, kComplex> out = NewPanel<R, kComplex>(arena, longer, k);
  QrInPlace(tall, k, r, out);
  result.ok = JacobiSvd(arena, k, r, left, result.s, right);
  Multiply(tall, Plain(left), k, k, Update::kAssign, out);
  // tall = Q·left·s·rightᴴ
  result.u = m >= n ? out : right;
  result.v = m >= n ? right : out;
  return result;
}

#define TENFERRO_INSTANTIATE(R, kComplex) \
  template Triplets<R, kComplex> FullSvd(Arena&, int64_t, int64_t, const Panel<R, kComplex>&);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
