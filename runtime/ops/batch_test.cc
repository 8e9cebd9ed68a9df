// The batching rules: an operation on operands with a further last axis is the operation on each slice.
#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/runtime/ops/arithmetic.h"
#include "tenferro/runtime/ops/check_batching.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/slots.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

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

void Check(const OpDef& op, WordSpan attributes, absl::Span<const ValueType> operands) {
  const absl::Status status = CheckBatching(CpuEngine::Serial(), op, attributes, operands);
  EXPECT_TRUE(status.ok()) << status;
}

TEST(Batching, OfElementwiseOperations) {
  for (const Batched& c : kElementwise) {
    const ValueType type{c.dtype, {2, 4}};
    Check(*c.op, {}, c.operands == 1 ? std::vector{type} : std::vector{type, type});
  }
  const ValueType x{DType::kF64, {2, 4}};
  Check(kSelect, {}, {{DType::kBool, {2, 4}}, x, x});
  Check(kConvert, {static_cast<int64_t>(DType::kC64)}, {{DType::kF32, {3}}});
  Check(kCast, {static_cast<int64_t>(DType::kI32)}, {x});
}

TEST(Batching, OfArithmeticOperations) {
  for (const Batched& c : kArithmetic) Check(*c.op, {}, std::vector<ValueType>(c.operands, {c.dtype, {2, 4}}));
}

TEST(Batching, OfReductions) {
  for (const OpDef* op : kReductions) {
    for (const Ints& axes : {Ints{}, Ints{0}, Ints{1}, Ints{0, 2}, Ints{0, 1, 2}}) {
      Check(*op, Encode(ReduceAttributes{axes}), {{DType::kF64, {2, 3, 4}}});
    }
  }
}

TEST(Batching, OfMovements) {
  const ValueType x{DType::kF64, {2, 3, 4}}, z{DType::kC128, {3, 1}}, scalar{DType::kF64, {}};
  Check(kTranspose, Encode(TransposeAttributes{{2, 0, 1}}), {x});
  Check(kTranspose, Encode(TransposeAttributes{{}}), {scalar});
  Check(kReshape, Encode(ReshapeAttributes{{4, 6}}), {x});
  Check(kReshape, Encode(ReshapeAttributes{{1, 1}}), {scalar});
  Check(kBroadcastInDim, Encode(BroadcastInDimAttributes{{5, 2, 3}, {2, 0}}), {z});
  Check(kBroadcastInDim, Encode(BroadcastInDimAttributes{{2, 3}, {}}), {scalar});
  Check(kSlice, Encode(SliceAttributes{{0, 1, 0}, {2, 3, 4}, {1, 1, 3}}), {x});
  Check(kReverse, Encode(ReverseAttributes{{0, 2}}), {x});
  Check(kConcatenate, Encode(ConcatenateAttributes{1}), {z, {DType::kC128, {3, 2}}, z});
  const ValueType square{DType::kI32, {3, 2, 3}};
  Check(kExtractDiag, Encode(DiagonalAttributes{0, 2}), {square});
  Check(kExtractDiag, Encode(DiagonalAttributes{2, 0}), {square});
  for (const auto& [axis1, axis2] : {std::pair(0, 1), {0, 3}, {3, 1}, {2, 3}}) {
    Check(kEmbedDiag, Encode(DiagonalAttributes{axis1, axis2}), {x});
  }
  Check(kEmbedDiag, Encode(DiagonalAttributes{0, 1}), {{DType::kF32, {3}}});
}

TEST(Batching, OfPadWithANumberForEachSlice) {
  for (DType dtype : {DType::kF64, DType::kC64, DType::kI32, DType::kBool}) {
    Check(kPad, Encode(PadAttributes{{1, -1}, {-1, 2}, {2, 1}}), {{dtype, {3, 4}}, {dtype, {}}});
    Check(kPad, Encode(PadAttributes{{1}, {0}, {0}}), {{dtype, {0}}, {dtype, {}}});
    Check(kPad, Encode(PadAttributes{}), {{dtype, {}}, {dtype, {}}});
  }
}

TEST(Batching, OfContractions) {
  const DotGeneralAttributes product{.lhs_contract = {1}, .rhs_contract = {0}};
  for (DType dtype : {DType::kF64, DType::kC128, DType::kI32}) {
    Check(kDotGeneral, Encode(product), {{dtype, {3, 4}}, {dtype, {4, 5}}});
  }
  const auto of = [](const DotGeneralAttributes& axes, const Shape& lhs, const Shape& rhs) {
    Check(kDotGeneral, Encode(axes), {{DType::kF64, lhs}, {DType::kF64, rhs}});
  };
  of({.lhs_contract = {0}, .rhs_contract = {0}}, {4}, {4});
  of({.lhs_contract = {1}, .rhs_contract = {0}}, {3, 4}, {4});
  of({.lhs_contract = {0}, .rhs_contract = {1}}, {4}, {3, 4});
  of({}, {2}, {3});
  of({}, {}, {});
  of({.lhs_contract = {2, 0}, .rhs_contract = {0, 2}}, {2, 3, 4}, {4, 5, 2});
  of({.lhs_contract = {1}, .rhs_contract = {1}, .lhs_batch = {2, 0}, .rhs_batch = {0, 2}}, {2, 3, 4}, {4, 3, 2, 5});
  of({.lhs_contract = {}, .rhs_contract = {}, .lhs_batch = {0}, .rhs_batch = {1}}, {4, 2}, {3, 4});
  of({.lhs_contract = {1}, .rhs_contract = {0}}, {3, 0}, {0, 5});
}

TEST(Batching, AnOperationWithoutARuleIsFound) {
  constexpr OpDef kNone{.name = "none"};
  const absl::Status status =
      CheckBatching(CpuEngine::Serial(), kNone, {}, absl::Span<const ValueType>({{DType::kF64, {}}}));
  EXPECT_EQ(status.message(), "none has no batching rule");
}

// A negation with a rule of its own.
absl::Status CheckRule(BatchRule rule) {
  static constexpr CpuFamily kFamily{.tile = [](Isa isa, const OpDef*, uint8_t from, uint8_t to) {
    return elementwise_slots.cpu->tile(isa, &kNeg, from, to);
  }};
  FamilySlots slots = elementwise_slots;
  slots.cpu = &kFamily;
  OpDef negation = kNeg;
  negation.batch = rule;
  negation.slots = &slots;
  return CheckBatching(CpuEngine::Serial(), negation, {}, absl::Span<const ValueType>({{DType::kF64, {2}}}));
}

TEST(Batching, ARuleThatForgetsTheAxisIsFound) {
  const absl::Status status = CheckRule([](const NodeView& node, OperandSet, Dim, absl::Span<Var> outputs) {
    outputs[0] = ReduceSum(node.inputs[0], {1});
  });
  EXPECT_EQ(status.message(), "neg, operands 1, 0 slices: output 0 is f64[2], not f64[2,0]");
}

TEST(Batching, ARuleThatMixesUpTheSlicesIsFound) {
  const absl::Status status = CheckRule([](const NodeView& node, OperandSet, Dim, absl::Span<Var> outputs) {
    outputs[0] = Neg(Reverse(node.inputs[0], {1}));
  });
  EXPECT_NE(status.message().find("neg, operands 1, 3 slices, output 0, slice 0: batched f64[2]"),
            absl::string_view::npos)
      << status;
}

}  // namespace
}  // namespace tenferro
