#ifndef TENFERRO_CPU_CHECK_PROGRAM_H_
#define TENFERRO_CPU_CHECK_PROGRAM_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/program.h"
#include "tenferro/tensor/tensor.h"

namespace tenferro {

// For tests: runs a program one operation at a time on copies of the operands, and compares with that, bit by bit but
// for NaN, on each engine: one operation at a time on the views that operations make, the fused program, the same
// writing over its results, and over its arguments. Returns OK, or an error with the first difference and the program.
absl::Status CheckProgram(const Program& program, absl::Span<const Tensor> arguments,
                          absl::Span<const CpuEngine> engines);

}  // namespace tenferro

#endif  // TENFERRO_CPU_CHECK_PROGRAM_H_
