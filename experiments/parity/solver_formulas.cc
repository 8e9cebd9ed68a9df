#include "tenferro/experiments/parity/evaluate.h"
#include "tenferro/linalg/cholesky.h"
#include "tenferro/linalg/least_squares.h"
#include "tenferro/linalg/lu.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/qr.h"
#include "tenferro/linalg/solve.h"
#include "tenferro/linalg/triangular_solve.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/matrix_parts.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/transforms/vmap.h"

namespace tenferro::parity {
namespace {

using In = absl::Span<const Var>;
using Vars = std::vector<Var>;

// The reference's batch axis is the first, here it is the last; and back.
Var BatchLast(const Var& x) { return Transpose(x, {1, 2, 0}); }
Var BatchFirst(const Var& x) { return Transpose(x, {2, 0, 1}); }

Var HermitianCholesky(const Var& a) { return linalg::Cholesky(linalg::HermitianPart(a)); }

Vars PackedLu(const Call& x) {
  const linalg::LuResult f = linalg::Lu(x[0]);
  const Var packed = Tril(f.l, -1) + f.u;
  if (x.c.kind != "value") return {packed};
  return {packed, Cast(f.pivots, DType::kI32), Cast(f.permutation, DType::kI32)};
}

Vars Triangular(const Call& x) {
  const nlohmann::json& attributes = x.c.attributes;
  const int64_t transposed = attributes["trans"].get<int64_t>();
  return {linalg::TriangularSolve(x[0], x[1],
                                  {.lower = attributes["lower"].get<bool>(),
                                   .transpose = transposed != 0,
                                   .conjugate = transposed == 2,
                                   .unit_diagonal = attributes["unit"].get<bool>()})};
}

const VmapOptions& FirstAxis() {
  static const VmapOptions& options = *new VmapOptions{.in_axes = {0}, .out_axes = {0}};
  return options;
}

constexpr Formula kFormulas[] = {
    {"linalg/batched_solve",
     [](const Call& x) -> Vars { return {BatchFirst(linalg::Solve(BatchLast(x[0]), BatchLast(x[1])))}; }},
    {"linalg/batched_inv_det",
     [](const Call& x) -> Vars {
       const Var a = BatchLast(x[0]);
       return {BatchFirst(linalg::Inv(a)), linalg::Det(a)};
     }},
    {"cholesky/cholesky", [](const Call& x) -> Vars { return {HermitianCholesky(x[0])}; }},
    {"cholesky/cho_solve",
     [](const Call& x) -> Vars { return {linalg::CholeskySolve(HermitianCholesky(x[0]), x[1])}; }},
    {"cholesky/logdet",
     [](const Call& x) -> Vars { return {2 * ReduceSum(Log(linalg::Diagonal(HermitianCholesky(x[0]))))}; }},
    {"lu/lu", PackedLu},
    {"qr/qr",
     [](const Call& x) -> Vars {
       const linalg::QrResult f = linalg::Qr(x[0], {.positive = true});
       return {f.q, f.r};
     }},
    {"solve/solve", [](const Call& x) -> Vars { return {linalg::Solve(x[0], x[1])}; }},
    {"inv/inv", [](const Call& x) -> Vars { return {linalg::Inv(x[0])}; }},
    {"det/det", [](const Call& x) -> Vars { return {linalg::Det(x[0])}; }},
    {"slogdet/slogdet",
     [](const Call& x) -> Vars {
       const linalg::SlogDetResult d = linalg::SlogDet(x[0]);
       return {d.sign, d.log_abs};
     }},
    {"triangular_solve/triangular_solve", Triangular},
    {"pinv/pinv", [](const Call& x) -> Vars { return {linalg::Pinv(x[0])}; }},
    {"lstsq/lstsq", [](const Call& x) -> Vars { return {linalg::Lstsq(x[0], x[1])}; }},
    {"vmap/solve",
     [](const Call& x) -> Vars {
       return Vmap([](In in) -> Vars { return {linalg::Solve(in[0], in[1])}; }, x.inputs, FirstAxis());
     }},
    {"vmap/solve_shared",
     [](const Call& x) -> Vars {
       return Vmap([](In in) -> Vars { return {linalg::Solve(in[0], in[1])}; }, x.inputs,
                   {.in_axes = {kNotMapped, 0}, .out_axes = {0}});
     }},
    {"vmap/cholesky",
     [](const Call& x) -> Vars {
       return Vmap([](In in) -> Vars { return {linalg::Cholesky(Matmul(in[0], linalg::Adjoint(in[0])))}; }, x.inputs,
                   FirstAxis());
     }},
};

}  // namespace

absl::Span<const Formula> SolverFormulas() { return kFormulas; }

}  // namespace tenferro::parity
