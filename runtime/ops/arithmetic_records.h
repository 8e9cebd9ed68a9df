#ifndef TENFERRO_RUNTIME_OPS_ARITHMETIC_RECORDS_H_
#define TENFERRO_RUNTIME_OPS_ARITHMETIC_RECORDS_H_

namespace tenferro {

struct OpDef;

// The records of the arithmetic operations, for whoever only needs their addresses, such as kernel tables.
extern const OpDef kRem, kFloorDivide, kMod, kFloor, kCeil, kRound, kRoundHalfAway, kTrunc, kSignBit, kClamp;
extern const OpDef kXor, kShiftLeft, kShiftRightArithmetic, kShiftRightLogical, kPopulationCount, kCountLeadingZeros;

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_ARITHMETIC_RECORDS_H_
