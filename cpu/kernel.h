#ifndef TENFERRO_CPU_KERNEL_H_
#define TENFERRO_CPU_KERNEL_H_

#include <cstdint>
#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tenferro/cpu/kernels/reduce.h"
#include "tenferro/cpu/kernels/tile.h"
#include "tenferro/cpu/layout.h"
#include "tenferro/runtime/op.h"

namespace tenferro {

// The engine's threads as a kernel sees them.
class Workers {
 public:
  virtual ~Workers() = default;
  virtual int width() const = 0;
  // True while the other threads would take a task at once.
  virtual bool awake() const { return false; }
  // Runs task(i, worker) for 0 <= i < count, each once, on any thread, and returns when all have ended. Which thread
  // takes which task is not fixed, so a task's result must not depend on it. Tasks that run at the same time get
  // different numbers 0 <= worker < width(), to pick scratch memory with; tasks of a task count as worker 0 and must
  // not use any. Waking the threads costs many microseconds, sharing work with those awake a few: see IsWorthSharing.
  virtual void ForEachWorker(int64_t count, absl::FunctionRef<void(int64_t, int)> task) const = 0;
  void ForEach(int64_t count, absl::FunctionRef<void(int64_t)> task) const {
    ForEachWorker(count, [&task](int64_t i, int) { task(i); });
  }
};

// What an operation is asked to be ready for: operands and results of these types.
struct KernelRequest {
  const OpDef& op;
  WordSpan attributes;
  absl::Span<const ValueType> inputs;
  absl::Span<const ValueType> outputs;
  Isa isa;
  // Strides in elements of each operand and of the (only) result, for families that take any.
  absl::Span<const Ints> input_strides = {};
  absl::Span<const int64_t> output_strides = {};
};

struct KernelArguments {
  absl::Span<const void* const> inputs;  // element (0, …, 0); dense ones aligned to 64 bytes where the engine made them
  absl::Span<void* const> outputs;       // overlap no input, but for a kernel that may overwrite one
  void* workspace;                       // workspace_bytes(), aligned to 64
  char* worker_workspace;                // width() pieces of worker_workspace_bytes(), each aligned to 64
  int64_t worker_stride;                 // bytes between the pieces
  const Workers& workers;

  void* WorkspaceOf(int worker) const { return worker_workspace + worker * worker_stride; }
};

// A result that is one dense column-major matrix and can be made some columns at a time, right before they are read.
struct ResultColumns {
  int64_t rows = 0, columns = 0;          // of the matrix; no rows where the result is of another kind
  int64_t row_step = 0, column_step = 0;  // of the blocks that Run makes
  // What a block costs beside its elements: about so many elements are read and put in order for each row and column.
  int64_t terms = 0;
  double nanoseconds = 0;  // of the whole on one thread, about
};

// One operation on one list of types, ready to run any number of times, on several threads at once.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual int64_t workspace_bytes() const { return 0; }
  // Scratch memory that each worker has to itself.
  virtual int64_t worker_workspace_bytes() const { return 0; }
  // An estimate of the time of a kernel that keeps to one thread; 0 for one that uses all of them, or is short. The
  // engine runs such kernels side by side.
  virtual double one_thread_nanoseconds() const { return 0; }
  // True when operand 0's bytes may be the (only) result's: Run then finds inputs[0] == outputs[0].
  virtual bool may_overwrite_operand() const { return false; }
  // About how many floating-point operations a run takes, for Explain and traces; 0 where nobody counted.
  virtual double flops() const { return 0; }
  // Run in parts: StartColumns once, which may write to the workspace, then RunColumns for columns [begin, end) of the
  // result as often as needed, at the same time for different workers. `to` is where column `begin` goes, the others
  // follow. The bits are Run's.
  virtual ResultColumns result_columns() const { return {}; }
  virtual void StartColumns(const KernelArguments& /*arguments*/) const {}
  virtual void RunColumns(const KernelArguments& /*arguments*/, int64_t /*begin*/, int64_t /*end*/, void* /*to*/,
                          int /*worker*/) const {}
  // The message of an error starts after the operation's name.
  virtual absl::Status Run(const KernelArguments& arguments) const = 0;
};

// A family's kernels on the CPU: the content of FamilySlots::cpu. What a family has no use for is null.
struct CpuFamily {
  // For elementwise operations: the loop over a tile, or nullptr when the dtypes have none. `from` is the dtype of the
  // first operand (of the second for three operands), `to` that of the result.
  TileFn (*tile)(Isa isa, const OpDef* op, uint8_t from, uint8_t to) = nullptr;
  // For two elementwise operations of one operand that are cheaper together: a tile that writes the second's result to
  // in[1], or nullptr. Neither result differs in a bit from what `tile` gives.
  TileFn (*pair)(Isa isa, const OpDef* first, const OpDef* second, uint8_t dtype) = nullptr;
  // For the others; null where the family has none.
  absl::StatusOr<std::unique_ptr<Kernel>> (*make)(const KernelRequest& request) = nullptr;
  // `make` takes operands (the only result) of any strides.
  bool strided_operands = false;
  bool strided_result = false;
  // For operations that only rename elements: the result as a layout of operand 0's buffer. False when the operation is
  // of another kind or strides cannot say it.
  bool (*view)(const OpDef& op, WordSpan attributes, const ValueType& input, const Layout& layout,
               const ValueType& output, Layout* result) = nullptr;
  // For reductions, whose only attribute is the list of axes.
  const ReduceRow* (*reduce)(Isa isa, const OpDef* op, uint8_t dtype) = nullptr;
};

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNEL_H_
