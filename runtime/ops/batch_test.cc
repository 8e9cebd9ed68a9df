// The batching rules: an operation on operands with a further last axis is the operation on each slice.
#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/ops/arithmetic.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

constexpr int64_t kSize = 3;

struct Batched {
  const OpDef* op;
  int operands;
  DType dtype;
};

const Batched kElementwise[] = {
    {&kAdd, 2, DType::kF64},    {&kSub, 2, DType::kF64},         {&kMul, 2, DType::kC128},  {&kDiv, 2, DType::kF64},
    {&kNeg, 1, DType::kF64},    {&kPow, 2, DType::kF64},         {&kMax, 2, DType::kF64},   {&kMin, 2, DType::kI32},
    {&kAbs, 1, DType::kC128},   {&kSign, 1, DType::kF64},        {&kSqrt, 1, DType::kF64},  {&kRsqrt, 1, DType::kF64},
    {&kSquare, 1, DType::kF64}, {&kExp, 1, DType::kF64},         {&kExpm1, 1, DType::kF64}, {&kLog, 1, DType::kF64},
    {&kLog1p, 1, DType::kF64},  {&kSin, 1, DType::kF64},         {&kCos, 1, DType::kF64},   {&kTanh, 1, DType::kF64},
    {&kSinh, 1, DType::kF64},   {&kCosh, 1, DType::kF64},        {&kConj, 1, DType::kC128}, {&kReal, 1, DType::kC64},
    {&kImag, 1, DType::kC128},  {&kMakeComplex, 2, DType::kF32}, {&kAnd, 2, DType::kU8},    {&kOr, 2, DType::kBool},
    {&kNot, 1, DType::kI64},    {&kEq, 2, DType::kF64},          {&kNe, 2, DType::kF64},    {&kLt, 2, DType::kF64},
    {&kLe, 2, DType::kF64},     {&kGt, 2, DType::kF64},          {&kGe, 2, DType::kF64},
};
const Batched kArithmetic[] = {
    {&kRem, 2, DType::kF64},
    {&kFloorDivide, 2, DType::kF64},
    {&kMod, 2, DType::kI32},
    {&kFloor, 1, DType::kF64},
    {&kCeil, 1, DType::kF32},
    {&kRound, 1, DType::kF64},
    {&kRoundHalfAway, 1, DType::kF64},
    {&kTrunc, 1, DType::kF64},
    {&kSignBit, 1, DType::kF64},
    {&kClamp, 3, DType::kF64},
    {&kXor, 2, DType::kBool},
    {&kShiftLeft, 2, DType::kI32},
    {&kShiftRightArithmetic, 2, DType::kI64},
    {&kShiftRightLogical, 2, DType::kU8},
    {&kPopulationCount, 1, DType::kU32},
    {&kCountLeadingZeros, 1, DType::kU64},
};
const OpDef* const kReductions[] = {&kReduceSum, &kReduceProd, &kReduceMax, &kReduceMin};

Var Operand(const CpuEngine& engine, DType dtype, const Shape& shape, int which) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < shape.size(); ++i)
    numbers.push_back(0.25 + 0.5 * static_cast<double>((i * 7 + which * 3) % 5));
  return Cast(Immediate(engine, *Tensor::FromColMajor<double>(shape, numbers)), dtype);
}

// Slice `index` along the last axis.
Var Part(const Var& x, int64_t index) {
  Ints starts(x.rank(), 0), limits = x.shape().extents();
  Shape shape;
  starts.back() = index;
  limits.back() = index + 1;
  for (int i = 0; i + 1 < x.rank(); ++i) shape.push_back(x.shape()[i]);
  return Reshape(Slice(x, starts, limits), shape);
}

void ExpectSame(const Var& got, const Var& want, const char* what) {
  ASSERT_TRUE(got.ok()) << what << got.status();
  ASSERT_TRUE(want.ok()) << what << want.status();
  ASSERT_EQ(got.type(), want.type()) << what;
  EXPECT_EQ(got.ToTensor()->ToString(), want.ToTensor()->ToString()) << what;
}

// Applies the rule with every choice of operands that carry the batch axis.
void Check(const OpDef& op, WordSpan attributes, int operands, DType dtype, const Shape& shape) {
  ASSERT_NE(op.batch, nullptr) << op.name;
  const CpuEngine engine = CpuEngine::Serial();
  Shape batched_shape = shape;
  batched_shape.push_back(kSize);
  for (OperandSet batched = 1; batched < OperandSet{1} << operands; ++batched) {
    Vars inputs;
    for (int i = 0; i < operands; ++i) {
      inputs.push_back(Operand(engine, dtype, HasOperand(batched, i) ? batched_shape : shape, i));
    }
    Vars outputs(1);
    op.batch({op, attributes, inputs, {}}, batched, kSize, absl::MakeSpan(outputs));
    for (int64_t b = 0; b < kSize; ++b) {
      Vars parts;
      for (int i = 0; i < operands; ++i) parts.push_back(HasOperand(batched, i) ? Part(inputs[i], b) : inputs[i]);
      ExpectSame(Part(outputs[0], b), EmitOne(op, attributes, parts, Location::current()), op.name);
    }
  }
}

TEST(Batching, OfElementwiseOperations) {
  for (const Batched& c : kElementwise) Check(*c.op, {}, c.operands, c.dtype, {2, 4});
}

TEST(Batching, OfArithmeticOperations) {
  for (const Batched& c : kArithmetic) Check(*c.op, {}, c.operands, c.dtype, {2, 4});
}

TEST(Batching, OfReductions) {
  for (const OpDef* op : kReductions) {
    for (const Ints& axes : {Ints{}, Ints{0}, Ints{1}, Ints{0, 2}, Ints{0, 1, 2}}) {
      Check(*op, Encode(ReduceAttributes{axes}), 1, DType::kF64, {2, 3, 4});
    }
  }
}

}  // namespace
}  // namespace tenferro
