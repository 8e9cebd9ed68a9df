// Factorisations that keep their reflections: R and below it the vectors without their leading ones, as LAPACK's.
#include "tenferro/linalg/cpu/factor/block_reflection.h"
#include "tenferro/linalg/cpu/factor/isa_kernels.h"

namespace tenferro::linalg::TENFERRO_ISA::factor {

template <class R, bool kComplex>
Ending Reflectors(Isa isa, uint8_t dtype, int64_t m, int64_t n, const R* a_data, R* packed_data, R* tau_data,
                  Memory memory) {
  const Matrix<R, kComplex> a = {const_cast<R*>(a_data), 1, m}, packed = {packed_data, 1, m};
  const int64_t k = m < n ? m : n;
  if (!CopyFinite(m, n, a, packed)) return {Outcome::kNotFinite, 0};
  if (k == 0) return {Outcome::kOk, 0};
  Arena arena(memory);
  const Reflections<R, kComplex> reflections(arena, isa, dtype, m, k, n);
  const Panel<R, kComplex> panel = NewPanelUninitialized<R, kComplex>(arena, m, kBlock),
                           vectors = NewPanelUninitialized<R, kComplex>(arena, m, kBlock);
  Scalar<R>* const tau = arena.Allocate<Scalar<R>>(k);
  reflections.Factor(n, packed, panel, vectors, tau);
  for (int64_t j = 0; j < k; ++j) {
    memcpy(packed.At(j + 1, j), reflections.v.At(j + 1, j),
           static_cast<size_t>((m - j - 1) * kParts<kComplex>) * sizeof(R));
    tau_data[j * kParts<kComplex>] = tau[j].re;
    if constexpr (kComplex) tau_data[2 * j + 1] = tau[j].im;
  }
  return {Outcome::kOk, 0};
}

template <class R, bool kComplex>
Ending ApplyReflectors(Isa isa, uint8_t dtype, int64_t m, int64_t k, int64_t columns, bool adjoint,
                       const R* packed_data, const R* tau_data, const R* c_data, R* result_data, Memory memory) {
  const Matrix<R, kComplex> packed = {const_cast<R*>(packed_data), 1, m}, c = {const_cast<R*>(c_data), 1, m},
                            result = {result_data, 1, m};
  if (!CopyFinite(m, columns, c, result)) return {Outcome::kNotFinite, 1};
  if (k == 0 || columns == 0) return {Outcome::kOk, 0};
  Arena arena(memory);
  const Reflections<R, kComplex> reflections(arena, isa, dtype, m, k, columns);
  for (int64_t j = 0; j < k; ++j) {
    Clear(j, 1, reflections.v.From(0, j));
    reflections.v.Set(j, j, {1, 0});
    memcpy(reflections.v.At(j + 1, j), packed.At(j + 1, j),
           static_cast<size_t>((m - j - 1) * kParts<kComplex>) * sizeof(R));
  }
  for (int64_t j = 0; j < k; j += kBlock) {
    Scalar<R> tau[kBlock];
    for (int64_t i = 0; i < reflections.BlockSize(j); ++i) {
      const R* const from = tau_data + (j + i) * kParts<kComplex>;
      tau[i] = {from[0], kComplex ? from[kParts<kComplex> - 1] : R{0}};
    }
    reflections.FinishBlock(j, tau);
  }
  reflections.Apply(adjoint, columns, false, result);
  return {Outcome::kOk, 0};
}

#define TENFERRO_INSTANTIATE(R, kComplex)                                                                         \
  template Ending Reflectors<R, kComplex>(Isa, uint8_t, int64_t, int64_t, const R*, R*, R*, Memory);              \
  template Ending ApplyReflectors<R, kComplex>(Isa, uint8_t, int64_t, int64_t, int64_t, bool, const R*, const R*, \
                                               const R*, R*, Memory);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA::factor
