#ifndef TENFERRO_CPU_CPU_PROGRAM_H_
#define TENFERRO_CPU_CPU_PROGRAM_H_

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tenferro/cpu/instruction.h"
#include "tenferro/cpu/plan.h"
#include "tenferro/cpu/run_trace.h"
#include "tenferro/runtime/engine.h"

namespace tenferro {

// A prepared program: a list of instructions, and the memory of finished runs kept for the next ones.
class CpuProgram final : public PreparedProgram {
 public:
  static absl::StatusOr<std::shared_ptr<const CpuProgram>> Make(const Program& program, Isa isa, EvaluateOp evaluate,
                                                                std::shared_ptr<const Workers> workers);
  ~CpuProgram() override;

  absl::Status Run(const Arguments& arguments, absl::Span<Tensor> outputs, bool reuse_outputs) const override;
  absl::Status RunTraced(const Arguments& arguments, absl::Span<Tensor> outputs, bool reuse_outputs,
                         const std::string& path) const override;
  std::string Explain() const override;
  int64_t arena_bytes() const override { return plan_.arena_bytes; }
  size_t num_outputs() const override { return plan_.outputs.size(); }

 private:
  // The memory of one run at a time.
  struct Scratch {
    std::unique_ptr<char, void (*)(void*)> memory;
    std::vector<char*> bases;
    char* workspace;
    char* worker_memory;
    Scratch* next;  // in the list of spares
  };

  CpuProgram(Plan plan, std::shared_ptr<const Workers> workers)
      : plan_(std::move(plan)), workers_(std::move(workers)) {}

  absl::Status RunWith(RunTrace* trace, const Arguments& arguments, absl::Span<Tensor> outputs,
                       bool reuse_outputs) const;
  absl::StatusOr<Scratch*> TakeScratch() const;
  void GiveScratch(Scratch* scratch) const;
  absl::Status CheckArgument(const Tensor& argument, size_t index) const;
  absl::Status MakeOutput(const Arguments& arguments, size_t index, bool reuse, Tensor& output,
                          std::vector<Tensor>& kept) const;
  // True when writing over the argument's bytes as output `output` is safe.
  bool MayTakeOver(size_t output, size_t input) const;

  Plan plan_;
  std::shared_ptr<const Workers> workers_;
  std::vector<std::unique_ptr<Instruction>> instructions_;
  std::vector<ValueType> output_types_;
  int64_t workspace_bytes_ = 0;
  int64_t worker_stride_ = 0;

  mutable std::atomic<Scratch*> spare_ = nullptr;  // the usual case of one run at a time
  mutable std::mutex mutex_;
  mutable Scratch* spares_ = nullptr;
};

}  // namespace tenferro

#endif  // TENFERRO_CPU_CPU_PROGRAM_H_
