#ifndef TENFERRO_CPU_DESCRIBE_H_
#define TENFERRO_CPU_DESCRIBE_H_

#include <string>

#include "tenferro/cpu/instruction.h"
#include "tenferro/cpu/plan.h"
#include "tenferro/cpu/run_trace.h"

namespace tenferro {

// What an instruction is made of and about what it costs. Floating-point operations are one for each element of an
// elementwise operation or reduction (two where it is complex, six for complex products) and what the kernels say of
// themselves. Bytes are those of the values that it reads from memory and writes there, each once.
struct Description {
  std::string operations;  // "sin, mul, reduce_sum"
  std::string places;      // where the user called them: "model.cc:17, model.cc:20"
  double flops = 0;
  double bytes = 0;
};

Description Describe(const Plan& plan, const Cluster& cluster, const Instruction& instruction);

// The name of one item's operation; "copy" for a copy that the engine put in.
const char* NameOf(const Item& item);

// "12 instructions, 5 fused loops of 31 operations, about 3.1e+04 flops, 5.2e+05 bytes read and written".
std::string Summarize(const Plan& plan, Instructions instructions);

}  // namespace tenferro

#endif  // TENFERRO_CPU_DESCRIBE_H_
