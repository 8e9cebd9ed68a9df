#include "tenferro/linalg/matrix_function.h"

#include <limits>

#include "tenferro/linalg/autodiff/spectral_rules.h"
#include "tenferro/linalg/eig.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::linalg::spectral_internal {
namespace {

using Derivative = Var (*)(const Var& a, const Var& e);

Derivative DerivativeOf(const OpDef& op) {
  if (&op == &kExpm || &op == &kExpmDerivative) return ExpmDerivative;
  if (&op == &kSqrtm || &op == &kSqrtmDerivative) return SqrtmDerivative;
  return LogmDerivative;
}

// [[a, b], [0, a]].
Var BlockTriangle(const Var& a, const Var& b) {
  return Concatenate({Concatenate({a, b}, 1), Concatenate({ZerosLike(a), a}, 1)}, 0);
}

// The adjoint of the derivative at a. That at aᴴ would be it too, but for a negative eigenvalue of a complex matrix: on
// the branch cut f(aᴴ) is not f(a)ᴴ, while f(aᵀ) = f(a)ᵀ holds everywhere.
Var PullBack(const OpDef& op, const Var& a, const Var& cotangent) {
  return Conj(DerivativeOf(op)(Conj(Adjoint(a)), Conj(cotangent)));
}

Var UpperRight(const Var& x) {
  Ints starts(x.rank(), 0), limits = x.shape().extents();
  starts[1] = limits[0] = x.dim(0) / 2;
  return Slice(x, starts, limits);
}

}  // namespace

void JvpMatrixFunction(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  output_tangents[0] = DerivativeOf(node.op)(node.inputs[0], tangents[0]);
}

void VjpMatrixFunction(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                       absl::Span<Var> input_cotangents) {
  input_cotangents[0] = PullBack(node.op, node.inputs[0], cotangents[0]);
}

// The derivative along e is the upper right block of f([[a, e], [0, a]]); the derivative of that along [[da, de], [0,
// da]] is again one of the function, and linear in the tangents.
void JvpMatrixFunctionDerivative(const NodeView& node, absl::Span<const Var> tangents,
                                 absl::Span<Var> output_tangents) {
  const Derivative derivative = DerivativeOf(node.op);
  const Var &a = node.inputs[0], &e = node.inputs[1];
  if (tangents[0].empty()) {
    output_tangents[0] = derivative(a, tangents[1]);
    return;
  }
  const Var moved = tangents[1].empty() ? ZerosLike(e) : tangents[1];
  output_tangents[0] = UpperRight(derivative(BlockTriangle(a, e), BlockTriangle(tangents[0], moved)));
}

void TransposeMatrixFunctionDerivative(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                                       absl::Span<Var> input_cotangents) {
  input_cotangents[1] = PullBack(node.op, node.inputs[0], cotangents[0]);
}

// p·x + x·p = c: dx solves it for dc − dp·x − x·dp.
void JvpHermitianSylvester(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const Var& x = node.outputs[0];
  Var c = tangents[1];
  if (!tangents[0].empty()) {
    const Var moved = HermitianFromLower(tangents[0]);
    c = SumOrOther(c, Neg(Matmul(moved, x) + Matmul(x, moved)));
  }
  output_tangents[0] = HermitianSylvester(node.inputs[0], c);
}

void TransposeHermitianSylvester(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                                 absl::Span<Var> input_cotangents) {
  input_cotangents[1] = HermitianSylvester(node.inputs[0], cotangents[0]);
}

void JvpPolar(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const Var &u = node.outputs[0], &p = node.outputs[1];
  const Var b = Matmul(Adjoint(u), tangents[0]);
  const Var turn = HermitianSylvester(p, b - Adjoint(b));
  Var du = Matmul(u, turn);
  if (u.dim(0) > u.dim(1)) {
    const Var row = Iota(p, DType::kI64, p.shape(), 0), column = Iota(p, DType::kI64, p.shape(), 1);
    const Var half_inverse = HermitianSylvester(p, Select(Eq(row, column), OnesLike(p), ZerosLike(p)));
    du = du + Matmul(tangents[0] - Matmul(u, b), half_inverse * 2);
  }
  output_tangents[0] = du;
  output_tangents[1] = HermitianPart(b - Matmul(turn, p));
}

namespace {

// K of dV = V K and P = V⁻¹ dA V, of which dw is the diagonal.
struct EigMotion {
  EigMotion(const Var& values, const Var& vectors, const Var& inverse, const Var& tangent) {
    const Var moved = Convert(tangent, vectors.dtype());
    p = Matmul(inverse, Matmul(moved, vectors));
    const Var x = AlongRows(values) - AlongColumns(values);
    const double eps = RealOf(values.dtype()) == DType::kF32 ? std::numeric_limits<float>::epsilon()
                                                             : std::numeric_limits<double>::epsilon();
    const Var tau = ReduceMax(Abs(values), {0}) * (static_cast<double>(values.dim(0)) * eps);
    Ints axes;
    for (int i = 2; i < x.rank(); ++i) axes.push_back(i);
    const Var small = Le(Abs(x), BroadcastInDim(tau, x.shape(), axes));
    const Var k = p * Select(small, ZerosLike(x), 1.0 / Select(small, OnesLike(x), x));
    // A vector moves orthogonally to itself.
    const Var along = Diagonal(Matmul(Matmul(Adjoint(vectors), vectors), k));
    rotation = k - DiagonalMatrix(along);
  }
  Var p, rotation;
};

}  // namespace

void JvpEig(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  if (node.inputs[0].dim(0) == 0) return;
  const EigMotion motion(node.outputs[0], node.outputs[1], node.outputs[2], tangents[0]);
  output_tangents[0] = Diagonal(motion.p);
  output_tangents[1] = Matmul(node.outputs[1], motion.rotation);
  output_tangents[2] = Neg(Matmul(motion.rotation, node.outputs[2]));
}

void JvpEigvals(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  const EigWithInverse d = EigAndInverse(node.inputs[0]);
  output_tangents[0] = Diagonal(Matmul(d.inverse, Matmul(Convert(tangents[0], d.vectors.dtype()), d.vectors)));
}

}  // namespace tenferro::linalg::spectral_internal
