#include "tenferro/experiments/parity/evaluate.h"
#include "tenferro/fft/fft.h"
#include "tenferro/fft/frequencies.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"

namespace tenferro::parity {
namespace {

using Vars = std::vector<Var>;

// Along the last axis, with the n of the case.
template <Var (*kFunction)(const Arg&, int, const fft::FftOptions&)>
Vars LastAxis(const Call& x) {
  fft::FftOptions options;
  const Ints n = x.IntsOf("n");
  if (!n.empty()) options.n = n[0];
  return {kFunction(x[0], x[0].rank() - 1, options)};
}

Vars PowerSpectrum(const Call& x) {
  const Var y = fft::Rfft(x[0], 0);
  return {ReduceSum(Iota(x[0], DType::kF64, y.shape(), 0) * Real(y * Conj(y)))};
}

constexpr Formula kFormulas[] = {
    // By the name of the case, so before what its operation alone would find.
    {"fft/axis0_ortho", [](const Call& x) -> Vars { return {fft::Fft(x[0], 0, {.norm = fft::Norm::kOrtho})}; }},
    {"fft/power_spectrum", PowerSpectrum},
    {"fft/fft", LastAxis<fft::Fft>},
    {"fft/ifft", LastAxis<fft::Ifft>},
    {"fft/rfft", LastAxis<fft::Rfft>},
    {"fft/irfft", LastAxis<fft::Irfft>},
    {"fft/fft2",
     [](const Call& x) -> Vars {
       return {fft::Fft2(x[0], {0, 1})};
     }},
    {"fft/ifft2",
     [](const Call& x) -> Vars {
       return {fft::Ifft2(x[0], {0, 1})};
     }},
    {"fft/rfft2",
     [](const Call& x) -> Vars {
       return {fft::Rfft2(x[0], {0, 1})};
     }},
    {"fft/irfft2",
     [](const Call& x) -> Vars {
       return {fft::Irfft2(x[0], {0, 1}, {.s = {4, 6}})};
     }},
    {"fft/fftn",
     [](const Call& x) -> Vars {
       return {fft::Fftn(x[0], {0, 2})};
     }},
    {"fft/hfft", [](const Call& x) -> Vars { return {fft::Hfft(x[0], 0, {.n = 8})}; }},
    {"fft/fftshift", [](const Call& x) -> Vars { return {fft::FftShift(x[0])}; }},
};

}  // namespace

absl::Span<const Formula> FftFormulas() { return kFormulas; }

}  // namespace tenferro::parity
