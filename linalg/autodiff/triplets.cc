#include "tenferro/linalg/autodiff/triplets.h"

#include <algorithm>
#include <limits>

#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::linalg {

Triplets::Triplets(const Var& a, const Var& all_u, const Var& all_s, const Var& all_v, int64_t k)
    : a(a),
      all_u(all_u),
      all_s(all_s),
      all_v(all_v),
      u(FirstColumns(all_u, k)),
      s(FirstRows(all_s, k)),
      v(FirstColumns(all_v, k)),
      values(DiagonalMatrix(Convert(s, a.dtype()))) {}

Triplets TripletsOfTruncated(const NodeView& node, int first) {
  return Triplets(node.inputs[0], node.outputs[first], node.outputs[first + 1], node.outputs[first + 2],
                  Decode<TruncationAttributes>(node.attributes).k);
}

Var KeptColumns(const Var& x, const Triplets& t) { return x.empty() ? x : FirstColumns(x, t.k()); }
Var KeptRows(const Var& x, const Triplets& t) { return x.empty() ? x : FirstRows(x, t.k()); }
Var WithExtra(const Var& x, const Var& like, int axis) {
  Ints high(x.rank(), 0);
  high[axis] = like.dim(axis) - x.dim(axis);
  return high[axis] == 0 ? x : Pad(x, Full(x, x.dtype(), {}, false), Ints(x.rank(), 0), high);
}

namespace {

double Epsilon(DType dtype) {
  return RealOf(dtype) == DType::kF32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
}

// τ = max(m, n)·eps·s_1 in the shape of `like` [k, …, batch…], below which a singular value or a difference counts as
// 0.
Var Threshold(const Triplets& t, const Var& like) {
  const double scale = static_cast<double>(std::max(t.a.dim(0), t.a.dim(1))) * Epsilon(t.a.dtype());
  const Var largest = ReduceMax(t.s, {0}) * scale;
  Ints axes;
  for (int i = like.rank() - largest.rank(); i < like.rank(); ++i) axes.push_back(i);
  return BroadcastInDim(largest, like.shape(), axes);
}

}  // namespace

Var CutReciprocal(const Triplets& t, const Var& x) {
  const Var small = Le(Abs(x), Threshold(t, x));
  return Select(small, ZerosLike(x), 1.0 / Select(small, OnesLike(x), x));
}

Var InDType(const Var& x, const Var& like) { return Convert(x, like.dtype()); }

ComplementResult Complement(const Triplets& t, const Var& p, const Var& q) {
  return TruncatedComplement(t.a, t.all_u, t.all_s, t.all_v, t.values, p.empty() ? ZerosLike(t.u) : p,
                             q.empty() ? ZerosLike(t.v) : q);
}

namespace {

// Gauge-split rule (MatrixAlgebraKit.jl): a = skew(UᴴŪ), b = skew(VᴴV̄);
// M_ij = (a + b)_ij/(s_j − s_i) + (a − b)_ij/(s_j + s_i), M_ii = s̄_i + a_ii/s_i. No s² is formed, which would overflow.
Var SvdCore(const Triplets& t, const Var& u_bar, const Var& s_bar, const Var& v_bar) {
  Var core;
  if (!u_bar.empty() || !v_bar.empty()) {
    const Var a = u_bar.empty() ? Var() : SkewPart(Matmul(Adjoint(t.u), u_bar));
    const Var b = v_bar.empty() ? Var() : SkewPart(Matmul(Adjoint(t.v), v_bar));
    const Var sum = SumOrOther(a, b);
    const Var difference = SumOrOther(a, b.empty() ? b : Neg(b));
    const Var row = AlongRows(t.s);
    const Var column = AlongColumns(t.s);
    core =
        sum * InDType(CutReciprocal(t, row - column), sum) + difference * InDType(CutReciprocal(t, row + column), sum);
    if (IsComplex(sum.dtype())) {
      // On the diagonal the phase belongs to U: a_ii/s_i where the line above gave (a − b)_ii/(2 s_i).
      core = core + DiagonalMatrix(Diagonal(sum) * InDType(CutReciprocal(t, t.s) * 0.5, sum));
    }
  }
  if (!s_bar.empty()) core = SumOrOther(core, DiagonalMatrix(InDType(s_bar, t.u)));
  return core;
}

}  // namespace

Var Assemble(const Triplets& t, const Var& core, const Var& p, const Var& q) {
  Var left = core.empty() ? Var() : Matmul(t.u, core);
  if (!t.has_complement() || (p.empty() && q.empty())) return left.empty() ? left : Matmul(left, Adjoint(t.v));
  const ComplementResult out = Complement(t, p, q);
  left = SumOrOther(left, out.x);
  // left Vᴴ + U yᴴ, whose terms need not be written twice.
  return Matmul(Concatenate({left, t.u}, 1), Adjoint(Concatenate({t.v, out.y}, 1)));
}

Var PullTriplets(const Triplets& t, const Var& u_bar, const Var& s_bar, const Var& v_bar) {
  return t.k() == 0 ? ZerosLike(t.a) : Assemble(t, SvdCore(t, u_bar, s_bar, v_bar), u_bar, v_bar);
}

// (UᴴdU)_ij = σ_ij/(s_j − s_i) + δ_ij/(s_j + s_i), (VᴴdV)_ij = σ_ij/(s_j − s_i) − δ_ij/(s_j + s_i) with σ = sym(P), δ =
// skew(P); on the diagonal δ_ii/s_i and 0; ds = Re diag P.
TripletTangents PushTriplets(const Triplets& t, const Var& tangent) {
  const Var av = Matmul(tangent, t.v);
  const Var p = Matmul(Adjoint(t.u), av);
  const Var row = AlongRows(t.s);
  const Var column = AlongColumns(t.s);
  const Var even = HermitianPart(p) * InDType(CutReciprocal(t, row - column), p);
  const Var skew = SkewPart(p);
  const Var odd = skew * InDType(CutReciprocal(t, row + column), p);
  Var rotation_u = even + odd;
  Var rotation_v = even - odd;
  if (IsComplex(p.dtype())) {
    const Var phase = DiagonalMatrix(Diagonal(skew) * InDType(CutReciprocal(t, t.s) * 0.5, p));
    rotation_u = rotation_u + phase;
    rotation_v = rotation_v + phase;
  }
  TripletTangents result{Matmul(t.u, rotation_u), Real(Diagonal(p)), Matmul(t.v, rotation_v)};
  if (t.has_complement()) {
    const ComplementResult out = Complement(t, av, Matmul(Adjoint(tangent), t.u));
    result.u = result.u + out.x;
    result.v = result.v + out.y;
  }
  return result;
}

}  // namespace tenferro::linalg
