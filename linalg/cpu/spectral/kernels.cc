#include "tenferro/linalg/cpu/spectral/kernels.h"

#include "tenferro/cpu/gemm/gemm.h"
#include "tenferro/linalg/cpu/isa_call.h"
#include "tenferro/linalg/cpu/spectral/isa_kernels.h"
#include "tenferro/tensor/dtype.h"

namespace tenferro::linalg {
namespace {

// Of FindSpectrum for one block of order n.
template <class T>
int64_t SpectrumBytes(Isa isa, int64_t n) {
  using R = RealOf<T>;
  GemmArgs args = {};
  args.dtype = static_cast<uint8_t>(kDTypeOf<R>);
  args.c_rows.extent = args.c_cols.extent = args.a_cols.extent = n;
  const int64_t product = (GemmWorkspaceBytes(isa, args) + 63) / 64 * 64;
  const int64_t reduction = PanelBytes<T>(n, n + 128) + 96 * n + 1024;
  const int64_t real_vectors = PanelBytes<R>(n, n);
  const int64_t divide = PanelBytes<R>(32, 32) + 48 * (n + 40) + PanelBytes<R>(n - n / 2, 2 * n) +
                         2 * PanelBytes<R>(n, n) + PanelBytes<double>(n, n) + 21 * n + 16 * (n + 8) + 1024;
  const int64_t back = PanelBytes<T>(64, 2 * n + 128);
  return product + reduction + real_vectors + divide + back;
}

}  // namespace

template <class T>
Outcome Eigh(Isa isa, int64_t n, const T* a, RealOf<T>* w, T* v, Memory memory) {
  const Loan loan(memory, EighBytes<T>(isa, n));
  return TENFERRO_CALL(isa, Eigh, n, Reals(a), w, Reals(v), loan.memory());
}

template <class T>
int64_t EighBytes(Isa isa, int64_t n) {
  // Blocks keep their matrix and their vectors; each row may cost its padding.
  return 2 * PanelBytes<T>(n + 16, n) + 512 * (n + 2) + SpectrumBytes<T>(isa, n);
}

template <class T>
Outcome Schur(Isa isa, int64_t n, const T* a, T* t, T* z, Memory memory) {
  const Loan loan(memory, SchurBytes<T>(n));
  return TENFERRO_CALL(isa, Schur, n, Reals(a), Reals(t), Reals(z), loan.memory());
}

template <class T>
int64_t SchurBytes(int64_t n) {
  // A sweep's steps, and rows of one vector of columns.
  const int64_t sweep = 32 * n + 2 * 64 * (n + 9) + 128;
  return 3 * PanelBytes<T>(n, n) + PanelBytes<T>(n, 1) + 8 * (n + 1) + sweep + 256;
}

template Outcome Schur(Isa, int64_t, const double*, double*, double*, Memory);
template int64_t SchurBytes<double>(int64_t);
template Outcome Schur(Isa, int64_t, const std::complex<double>*, std::complex<double>*, std::complex<double>*, Memory);
template int64_t SchurBytes<std::complex<double>>(int64_t);

#define TENFERRO_INSTANTIATE(T)                                          \
  template Outcome Eigh(Isa, int64_t, const T*, RealOf<T>*, T*, Memory); \
  template int64_t EighBytes<T>(Isa, int64_t);
TENFERRO_INSTANTIATE(float)
TENFERRO_INSTANTIATE(double)
TENFERRO_INSTANTIATE(std::complex<float>)
TENFERRO_INSTANTIATE(std::complex<double>)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg
