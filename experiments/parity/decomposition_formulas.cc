#include "tenferro/einsum/einsum.h"
#include "tenferro/experiments/ising/onsager.h"
#include "tenferro/experiments/parity/evaluate.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::parity {
namespace {

using Vars = std::vector<Var>;

Var Adjoint(const Var& a) { return Conj(Transpose(a, {1, 0})); }
Var Columns(const Var& a, int64_t count) { return Slice(a, {0, 0}, {a.dim(0), count}); }
Var Rows(const Var& a, int64_t count) { return Slice(a, {0, 0}, {count, a.dim(1)}); }

Vars SingularValues(const Call& x) {
  if (x[0].rank() == 2) return {linalg::Svd(x[0]).s};
  // Here the batch axis is the last, in the reference the first.
  return {Transpose(linalg::Svd(Transpose(x[0], {1, 2, 0})).s, {1, 0})};
}

Vars LowRank(const Call& x) {
  const int64_t k = x.c.attributes["k"].get<int64_t>();
  const auto [u, s, vt] = linalg::Svd(x[0]);
  return {Matmul(Columns(u, k) * Slice(s, {0}, {k}), Rows(vt, k))};
}

Vars Projectors(const Call& x) {
  const int64_t k = x.c.attributes["k"].get<int64_t>();
  const auto [u, s, vt] = linalg::Svd(x[0]);
  const Var left = Columns(u, k), right = Rows(vt, k);
  return {Matmul(left, Adjoint(left)), Matmul(Adjoint(right), right)};
}

// U S Vᴴ with the derivative that drops what happens inside a multiplet.
Vars RebuiltWithLorentzRule(const Call& x) {
  const auto [u, s, vt] = linalg::Svd(x[0], {.derivative_eps = 1e-12});
  return {Matmul(u * s, vt)};
}

Vars Chain(const Call& x) {
  Var y = x[0];
  for (int layer = 0; layer < 8; ++layer) {
    const auto [u, s, vt] = linalg::Svd(y);
    y = Matmul(Matmul(u * s, vt), Cos(y)) / 2 + 0.3 * y;
  }
  return {ReduceSum(Sin(y))};
}

// The square-lattice Ising model's T[r, u, l, d] = Σ_s W[s, r] W[s, u] W[s, l] W[s, d], by products and a sum alone: a
// contraction's fused multiply-adds would leave 1e-17 where the symmetry gives exact zeros.
Var IsingTensor(const Var& beta) {
  const Var c = Reshape(Sqrt(Cosh(beta)), {1, 1}), s = Reshape(Sqrt(Sinh(beta)), {1, 1});
  const Var w = Concatenate({Concatenate({c, s}, 1), Concatenate({c, -s}, 1)}, 0);
  const auto leg = [&](int64_t axis) { return BroadcastInDim(w, {2, 2, 2, 2, 2}, {0, axis}); };
  return ReduceSum(leg(1) * leg(2) * leg(3) * leg(4), {0});
}

// A[(a, b), (c, d)] ≈ left[a, b, k] right[k, c, d].
struct Split {
  Var left, right;
};
Split SplitTensor(const Var& t, int64_t k) {
  const int64_t d = t.dim(0);
  const auto [u, s, vt] = linalg::Svd(Reshape(t, {d * d, d * d}));
  const Var root = Sqrt(Slice(s, {0}, {k}));
  const Var left = Columns(u, k) * root, right = Rows(vt, k) * BroadcastInDim(root, {k, d * d}, {0});
  return {Reshape(left, {d, d, k}), Reshape(right, {k, d, d})};
}

// ln Z / N by Levin and Nave's renormalisation with the bond dimensions `ks`.
Var IsingLogZ(const Var& beta, const Ints& ks) {
  Var t = IsingTensor(beta);
  Var sum;
  double weight = 1;
  for (int64_t k : ks) {
    const Var norm = ReduceMax(Abs(t));
    sum = sum.empty() ? Log(norm) : sum + weight * Log(norm);
    weight /= 2;
    t = t / norm;
    const Split a = SplitTensor(t, k), b = SplitTensor(Transpose(t, {1, 2, 3, 0}), k);
    const Var top = Einsum("icb,baq->icaq", {a.right, b.left});
    const Var bottom = Einsum("jec,aep->jcap", {b.right, a.left});
    t = Einsum("icaq,jcap->ijpq", {top, bottom});
  }
  return sum + weight * Log(Einsum("ruru->", {t}));
}

// One value for each element of the input: a derivative of their sum is that of each.
Vars Trg(const Call& x) {
  Vars values;
  for (int64_t i = 0; i < x[0].dim(0); ++i) {
    const Var beta = Reshape(Slice(x[0], {i}, {i + 1}), {});
    values.push_back(Reshape(IsingLogZ(beta, x.IntsOf("ks")), {1}));
  }
  return {Concatenate(values, 0)};
}

constexpr Formula kFormulas[] = {
    {"svd/chain", Chain},
    {"svd/degenerate/identity", RebuiltWithLorentzRule},
    {"svd/degenerate/diag_exact", RebuiltWithLorentzRule},
    {"svd/degenerate/nuclear", [](const Call& x) -> Vars { return {ReduceSum(linalg::Svd(x[0]).s)}; }},
    {"svd/svd",
     [](const Call& x) -> Vars {
       const std::string& name = x.c.name;
       return name.starts_with("svd/values/")    ? SingularValues(x)
              : name.starts_with("svd/lowrank/") ? LowRank(x)
                                                 : Projectors(x);
     }},
    {"trg/trg", Trg},
    {"trg/onsager",
     [](const Call& x) -> Vars {
       std::vector<double> lnz, slope;
       const absl::StatusOr<absl::Span<const double>> betas = x.c.inputs[0].value.Data<double>();
       if (!betas.ok()) return {Var::Error(betas.status())};
       for (double beta : *betas) {
         const IsingExact exact = Onsager(beta);
         lnz.push_back(exact.lnz);
         slope.push_back(exact.dlnz);
       }
       const Shape& shape = x[0].shape();
       return {x.graph.Constant(*Tensor::FromColMajor<double>(shape, lnz)),
               x.graph.Constant(*Tensor::FromColMajor<double>(shape, slope))};
     }},
};

}  // namespace

absl::Span<const Formula> DecompositionFormulas() { return kFormulas; }

}  // namespace tenferro::parity
