#ifndef TENFERRO_CPU_RUN_TRACE_H_
#define TENFERRO_CPU_RUN_TRACE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "tenferro/cpu/instruction.h"
#include "tenferro/cpu/plan.h"

namespace tenferro {

using Instructions = absl::Span<const std::unique_ptr<Instruction>>;

// Records one run: stands between the instructions and the engine's threads.
class RunTrace : public Workers {
 public:
  // Runs an instruction and records it.
  virtual absl::Status RunInstruction(const Instruction& instruction, const Cluster& cluster, int32_t index,
                                      const RunFrame& frame) = 0;
  // Errors: not all could be written.
  virtual absl::Status Write(const Plan& plan, Instructions instructions) = 0;
};

// What //cpu:inspection adds to programs and small ones do without: filled before main, null where it is not linked.
struct ProgramInspection {
  // Counts and estimates on one line.
  std::string (*summarize)(const Plan& plan, Instructions instructions);
  // Opens the file before anything runs. Errors: it cannot be written.
  absl::StatusOr<std::unique_ptr<RunTrace>> (*trace)(const std::string& path, const Workers& workers);
};
extern constinit const ProgramInspection* program_inspection;

}  // namespace tenferro

#endif  // TENFERRO_CPU_RUN_TRACE_H_
