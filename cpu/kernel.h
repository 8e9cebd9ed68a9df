#ifndef TENFERRO_CPU_KERNEL_H_
#define TENFERRO_CPU_KERNEL_H_

#include <cstdint>
#include "absl/functional/function_ref.h"
#include <memory>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tenferro/cpu/kernels/tile.h"
#include "tenferro/runtime/op.h"

namespace tenferro {

// The engine's threads as a kernel sees them.
class Workers {
 public:
  virtual ~Workers() = default;
  virtual int width() const = 0;
  // Runs task(0) … task(count − 1), each once, on any thread, and returns when all have ended. Which thread takes which task
  // is not fixed, so a task's result must not depend on it.
  virtual void ForEach(int64_t count, absl::FunctionRef<void(int64_t)> task) const = 0;
};

// What an operation is asked to be ready for: dense column-major operands of these types.
struct KernelRequest {
  const OpDef& op;
  WordSpan attributes;
  absl::Span<const ValueType> inputs;
  absl::Span<const ValueType> outputs;
  Isa isa;
};

struct KernelArguments {
  absl::Span<const void* const> inputs;  // dense, aligned to 64 bytes where the engine made them
  absl::Span<void* const> outputs;       // never overlap the inputs
  void* workspace;                       // workspace_bytes(), aligned to 64
  const Workers& workers;
};

// One operation on one list of types, ready to run any number of times, on several threads at once.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual int64_t workspace_bytes() const { return 0; }
  // The message of an error starts after the operation's name.
  virtual absl::Status Run(const KernelArguments& arguments) const = 0;
};

// A family's kernels on the CPU: the content of FamilySlots::cpu.
struct CpuFamily {
  // For elementwise operations: the loop over a tile, or nullptr when the dtypes have none.
  TileFn (*tile)(Isa isa, const OpDef* op, uint8_t from, uint8_t to);
  // For the others.
  absl::StatusOr<std::unique_ptr<Kernel>> (*make)(const KernelRequest& request);
};

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNEL_H_
