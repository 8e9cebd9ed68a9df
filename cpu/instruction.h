#ifndef TENFERRO_CPU_INSTRUCTION_H_
#define TENFERRO_CPU_INSTRUCTION_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/cpu/loop_builder.h"
#include "tenferro/cpu/plan.h"

namespace tenferro {

// What one run of a program has for itself.
struct RunFrame {
  char* const* bases;  // as AddressOf numbers them
  char* workspace;     // of the instruction that runs
  char* worker_memory;
  int64_t worker_stride;
  const Workers& workers;
};

// One step of a prepared program.
class Instruction {
 public:
  virtual ~Instruction() = default;
  virtual absl::Status Run(const RunFrame& frame) const = 0;
  virtual void Explain(std::string& text) const = 0;
  virtual int64_t workspace_bytes() const { return 0; }
  virtual int64_t worker_bytes() const { return 0; }
  // Those of its kernels.
  virtual double flops() const { return 0; }
};

// The instruction of a placed plan's cluster. Takes the kernels out of the plan.
std::unique_ptr<Instruction> MakeInstruction(Plan& plan, int32_t cluster, LoopBuilder& loops);

}  // namespace tenferro

#endif  // TENFERRO_CPU_INSTRUCTION_H_
