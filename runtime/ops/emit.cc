#include "tenferro/runtime/ops/emit.h"

#include <algorithm>

#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

DType OwnDType(WeakScalar::Kind kind) {
  switch (kind) {
    case WeakScalar::Kind::kBool: return DType::kBool;
    case WeakScalar::Kind::kInt: return DType::kI64;
    case WeakScalar::Kind::kUnsigned: return DType::kU64;
    case WeakScalar::Kind::kFloat: return DType::kF64;
    case WeakScalar::Kind::kComplex: break;
  }
  return DType::kC128;
}

}  // namespace

Var EmitUnary(const OpDef& op, const Arg& x) {
  LocationScope scope(x.location());
  return EmitOne(op, {}, {x.Tensor(op.name)}, x.location());
}

Var EmitBinary(const OpDef& op, const Arg& a, const Arg& b) {
  LocationScope scope(a.location());
  if (!a.is_scalar() && !b.is_scalar() && a.var().ok() && b.var().ok() && a.var().type() == b.var().type()) {
    return EmitOne(op, {}, {a.var(), b.var()}, a.location());
  }
  Vars operands;
  if (absl::Status status = MatchOperands(op, {&a, &b}, Var(), operands); !status.ok()) return Var::Error(status);
  return EmitOne(op, {}, operands, a.location());
}

absl::Status MatchOperands(const OpDef& op, std::initializer_list<const Arg*> args, const Var& like, Vars& operands) {
  const Location& location = (*args.begin())->location();
  const auto fail = [&](absl::string_view message) { return ErrorVar(location, op.name, message).status(); };
  const Var* first = nullptr;
  DType dtype{};
  Shape shape;
  for (const Arg* arg : args) {
    if (arg->is_scalar()) continue;
    const Var& var = arg->var();
    if (var.empty()) return fail("an operand is an empty Var");
    if (!var.ok()) return var.status();
    if (first == nullptr) {
      first = &var;
      dtype = var.dtype();
      shape = var.shape();
      continue;
    }
    absl::StatusOr<DType> promoted = Promote(dtype, var.dtype());
    if (!promoted.ok()) return fail(promoted.status().message());
    dtype = *promoted;
    absl::StatusOr<Shape> broadcast = BroadcastShapes(shape, var.shape());
    if (!broadcast.ok()) return fail(broadcast.status().message());
    shape = *broadcast;
  }
  if (first == nullptr) {
    if (like.empty()) return (*args.begin())->Tensor(op.name).status();
    if (!like.ok()) return like.status();
    first = &like;
    shape = like.shape();
    dtype = DType::kBool;
    for (const Arg* arg : args) {
      absl::StatusOr<DType> promoted = Promote(dtype, OwnDType(arg->scalar().kind()));
      if (!promoted.ok()) return fail(promoted.status().message());
      dtype = *promoted;
    }
  }
  for (const Arg* arg : args) {
    Var operand;
    if (arg->is_scalar()) {
      int64_t words[2];
      if (absl::Status stored = arg->scalar().Store(dtype, words); !stored.ok()) return fail(stored.message());
      operand = Full(*first, dtype, shape, arg->scalar(), location);
    } else {
      operand = BroadcastTo(Convert(arg->var(), dtype), shape);
    }
    if (!operand.ok()) return operand.status();
    operands.push_back(operand);
  }
  return absl::OkStatus();
}

Var SumOrOther(const Var& a, const Var& b) {
  if (a.empty()) return b;
  return b.empty() ? a : a + b;
}

Var WithBatchAxis(const Var& x, bool batched, Dim size) {
  if (batched) return x;
  Shape shape = x.shape();
  Ints axes;
  for (int i = 0; i < x.rank(); ++i) axes.push_back(i);
  shape.push_back(size);
  return BroadcastInDim(x, shape, axes);
}

void BatchAllOperands(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs) {
  Vars operands;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    operands.push_back(WithBatchAxis(node.inputs[i], HasOperand(batched, i), size));
  }
  const Vars results = Emit(node.op, node.attributes, operands, Location::current(), static_cast<int>(outputs.size()));
  std::copy(results.begin(), results.end(), outputs.begin());
}

}  // namespace tenferro
