#ifndef TENFERRO_RUNTIME_OPS_REDUCE_RECORDS_H_
#define TENFERRO_RUNTIME_OPS_REDUCE_RECORDS_H_

namespace tenferro {

struct OpDef;

// The records of the reductions, for whoever only needs their addresses, such as kernel tables.
extern const OpDef kReduceSum, kReduceProd, kReduceMax, kReduceMin;

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_REDUCE_RECORDS_H_
