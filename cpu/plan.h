#ifndef TENFERRO_CPU_PLAN_H_
#define TENFERRO_CPU_PLAN_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/cpu/layout.h"
#include "tenferro/cpu/loop_chunks.h"
#include "tenferro/runtime/program.h"
#include "tenferro/tensor/tensor.h"

namespace tenferro {

// A program on its way to instructions: what is computed (items), where it is kept (buffers), and how values lie in
// buffers.

using BufferId = int32_t;
using PlanValueId = uint32_t;  // the program's ValueIds first, then dense copies
using ItemId = int32_t;
inline constexpr int32_t kNone = -1;

struct Buffer {
  enum class Kind : uint8_t { kTemporary, kConstant, kInput, kOutput };
  Kind kind = Kind::kTemporary;
  DType dtype = DType::kF64;
  int32_t index = 0;  // among the constants, inputs or outputs
  int64_t size = 0;   // elements
  ItemId producer = kNone;
  // False for what only ever exists in the registers of one loop.
  bool stored = true;
  // The buffer of the same size whose bytes it takes over.
  BufferId reuses = kNone;
  int64_t offset = 0;  // of a temporary, in bytes

  int64_t bytes() const { return size * SizeOf(dtype); }
};

// How the elements of a value are met when they are walked in column-major order.
enum class Access : uint8_t {
  kWhole,    // the buffer from start to end
  kDense,    // consecutive elements
  kSplat,    // one element, again and again
  kStrided,  // anything else
};

struct PlanValue {
  const ValueType* type = nullptr;
  BufferId buffer = kNone;
  Access access = Access::kWhole;
  Layout layout;
  BufferId after = kNone;  // what reads this value runs after that buffer is written
  PlanValueId dense_copy = static_cast<PlanValueId>(kNone);

  bool is_dense() const { return access <= Access::kDense; }
};

struct Item {
  enum class Kind : uint8_t {
    kElementwise,
    kReduce,  // of the leading axes, or of all
    kKernel,
    kCopy,  // to a dense buffer
    kIota,  // 0, 1, 2, …
  };
  Kind kind = Kind::kCopy;
  const Node* node = nullptr;  // null for copies
  absl::InlinedVector<PlanValueId, 3> operands;
  absl::InlinedVector<BufferId, 1> outputs;
  int64_t size = 0;  // elements that a loop walks
  int64_t line = 0;  // how many consecutive ones of them a reduction makes one of
  TileFn tile = nullptr;
  const ReduceRow* reduce = nullptr;
  std::unique_ptr<Kernel> kernel;
  int32_t level = 0;
  int32_t cluster = kNone;

  bool is_loop() const { return kind == Kind::kElementwise || kind == Kind::kReduce; }
};

// What runs as one instruction: one item, the items of one loop in order (before them the kernels whose results it
// makes block by block), or long kernels side by side.
struct Cluster {
  std::vector<ItemId> items;
  bool is_loop = false;
  LoopBlocks blocks;
};

struct Plan {
  Plan(const Program& program, Isa isa) : program(program), isa(isa) {}

  Program program;
  Isa isa;
  std::vector<PlanValue> values;
  std::vector<Buffer> buffers;
  std::vector<Item> items;
  std::vector<Tensor> constants;
  std::vector<BufferId> outputs;  // by output
  std::vector<Cluster> clusters;  // in the order in which they run
  // By output: some inputs whose bytes may become the output's, since they are not read any more when it is written.
  std::vector<absl::InlinedVector<int32_t, 2>> takeovers;
  int64_t arena_bytes = 0;

  const PlanValue& operand(const Item& item, int i) const { return values[item.operands[i]]; }
};

// Runs one operation now, on numbers known at Prepare.
using EvaluateOp = absl::FunctionRef<absl::StatusOr<std::vector<Tensor>>(const OpDef& op, WordSpan attributes,
                                                                         absl::Span<const Tensor> inputs)>;

// Items, buffers and layouts of a program: arithmetic on constants done, renamings of elements turned into layouts,
// dense copies put where a consumer needs them. Errors: an operation without kernels here.
absl::StatusOr<Plan> LowerProgram(const Program& program, Isa isa, EvaluateOp evaluate);

// Groups the items into clusters and puts these in an order in which they can run; marks the buffers that need memory.
// With `side_by_side`, long kernels that keep to one thread wait for one another to run together.
void FormClusters(Plan& plan, bool side_by_side);

// Moves kernels whose results can be made block by block into the loops that read them, where that saves time or
// memory.
void FuseProducts(Plan& plan);

// Gives temporaries their places in one arena, for the order of the clusters. Buffers whose lives overlap do not.
void PlaceBuffers(Plan& plan);

// A kernel's error with the operation's place and name before it; operations run at once have no place of their own.
absl::Status AtNode(const Node& node, const absl::Status& status);

}  // namespace tenferro

#endif  // TENFERRO_CPU_PLAN_H_
