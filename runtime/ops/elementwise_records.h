#ifndef TENFERRO_RUNTIME_OPS_ELEMENTWISE_RECORDS_H_
#define TENFERRO_RUNTIME_OPS_ELEMENTWISE_RECORDS_H_

namespace tenferro {

struct OpDef;

// The records of the elementwise operations, for whoever only needs their addresses, such as kernel tables.
extern const OpDef kAdd, kSub, kMul, kDiv, kNeg, kPow, kMax, kMin, kAbs, kSign, kSqrt, kRsqrt, kSquare;
extern const OpDef kExp, kExpm1, kLog, kLog1p, kSin, kCos, kTanh, kSinh, kCosh;
extern const OpDef kConj, kReal, kImag, kMakeComplex;
extern const OpDef kAnd, kOr, kNot, kEq, kNe, kLt, kLe, kGt, kGe, kSelect, kConvert, kCast;

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_ELEMENTWISE_RECORDS_H_
