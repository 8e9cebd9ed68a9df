#ifndef TENFERRO_RUNTIME_OPS_MATH_RECORDS_H_
#define TENFERRO_RUNTIME_OPS_MATH_RECORDS_H_

namespace tenferro {

struct OpDef;

// The records of the mathematical functions, for whoever only needs their addresses, such as kernel tables.
extern const OpDef kReciprocal, kIntegerPow, kExp2, kLog2, kLog10, kCbrt, kHypot, kLogistic, kLogAddExp;
extern const OpDef kTan, kAsin, kAcos, kAtan, kAtan2, kAsinh, kAcosh, kAtanh, kAngle, kNextAfter;
extern const OpDef kErf, kErfc, kErfInv, kLgamma, kDigamma, kPolygamma;

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_MATH_RECORDS_H_
