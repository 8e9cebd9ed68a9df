#include "tenferro/experiments/parity/evaluate.h"
#include "tenferro/linalg/eig.h"
#include "tenferro/linalg/eigh.h"
#include "tenferro/linalg/matrix_function.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/sort.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/transforms/vmap.h"

namespace tenferro::parity {
namespace {

using Vars = std::vector<Var>;

Var Adjoint(const Var& a) { return Conj(Transpose(a, {1, 0})); }

Vars OfHermitianPart(const Call& x) {
  const auto [w, v] = linalg::Eigh((x[0] + Adjoint(x[0])) / 2);
  const std::string& name = x.c.name;
  if (name.starts_with("eigh/values/")) return {w};
  if (name.starts_with("eigh/expm/")) return {Matmul(v * Exp(w / 2), Adjoint(v))};
  const Var first = Slice(v, {0, 0}, {v.dim(0), 2});
  return {Matmul(first, Adjoint(first))};
}

// In the order of real parts; of a complex pair the one with positive imaginary part first.
Vars SortedEigenvalues(const Call& x) {
  const Var w = linalg::Eigvals(x[0]), re = Real(w), im = Imag(w);
  const SortedPairs by_im = SortByKey(im, {re}, 0, true);
  const SortedPairs by_re = SortByKey(by_im.values[0], {by_im.keys}, 0);
  return {MakeComplex(by_re.keys, by_re.values[0])};
}

constexpr Formula kFormulas[] = {
    {"eigh/eigh", OfHermitianPart},
    {"eig/eig", SortedEigenvalues},
    {"expm/expm", [](const Call& x) -> Vars { return {linalg::Expm(x[0])}; }},
    {"vmap/expm",
     [](const Call& x) -> Vars {
       return Vmap([](absl::Span<const Var> in) -> Vars { return {linalg::Expm(0.3 * in[0])}; }, x.inputs,
                   {.in_axes = {0}, .out_axes = {0}});
     }},
};

}  // namespace

absl::Span<const Formula> SpectralFormulas() { return kFormulas; }

}  // namespace tenferro::parity
