// Sorting and searching along one axis. A line is ordered by one thread; lines that do not lie in one piece are copied
// together, a few neighbours at a time, and their results put back.

#include <algorithm>

#include "tenferro/cpu/alignment.h"
#include "tenferro/cpu/cost.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/cpu/share_work.h"
#include "tenferro/cpu/sort/order.h"
#include "tenferro/runtime/ops/sort.h"

namespace tenferro {
namespace {

constexpr double kSortedNanoseconds = 15;  // an element

// Extents before, along and after an axis.
struct Lines {
  Lines(const Shape& shape, int64_t axis) {
    for (int i = 0; i < shape.rank(); ++i) (i < axis ? inner : i == axis ? n : outer) *= shape.extent(i);
  }
  int64_t inner = 1, n = 1, outer = 1;
};

// line[i] = strided[i · step] or the other way, for `count` neighbouring lines, the i-th element of all together.
template <class Bits, bool kToLines>
void CopyLinesOf(void* lines, void* strided, int64_t n, int64_t step, int64_t count) {
  Bits *const line = static_cast<Bits*>(lines), *const at = static_cast<Bits*>(strided);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t k = 0; k < count; ++k) {
      (kToLines ? line[k * n + i] : at[i * step + k]) = kToLines ? at[i * step + k] : line[k * n + i];
    }
  }
}
template <bool kToLines>
void CopyLines(int64_t size, void* lines, void* strided, int64_t n, int64_t step, int64_t count) {
  (size == 1   ? CopyLinesOf<uint8_t, kToLines>
   : size == 4 ? CopyLinesOf<uint32_t, kToLines>
               : CopyLinesOf<uint64_t, kToLines>)(lines, strided, n, step, count);
}

class SortKernel final : public Kernel {
 public:
  SortKernel(const KernelRequest& request, const OrderLoops& loops, int64_t axis)
      : isa_(request.isa),
        loops_(loops),
        op_(&request.op),
        size_(SizeOf(request.inputs[0].dtype)),
        lines_(request.inputs[0].shape, axis) {
    count_ = request.outputs[0].shape.extent(static_cast<int>(axis));
    if (op_ != &kTopK) descending_ = Decode<SortAttributes>(request.attributes).descending;
    constexpr int64_t kTogether = 8, kCopiedBytes = 1 << 20;
    if (lines_.inner > 1) {
      together_ = std::clamp<int64_t>(kCopiedBytes / std::max<int64_t>(1, lines_.n * size_), 1,
                                      std::min(kTogether, lines_.inner));
    }
    const double line_work = kSortedNanoseconds * static_cast<double>(std::max<int64_t>(1, lines_.n));
    work_ = line_work * static_cast<double>(lines_.inner * lines_.outer);
    groups_ = lines_.inner == 0 ? 0 : (lines_.inner + together_ - 1) / together_;
    groups_each_ =
        std::max<int64_t>(1, static_cast<int64_t>(kTaskNanoseconds / (line_work * static_cast<double>(together_))));
    values_bytes_ = lines_.inner > 1 && op_ != &kArgSort ? Aligned(together_ * count_ * size_) : 0;
    places_bytes_ = lines_.inner > 1 && op_ != &kSort ? Aligned(together_ * count_ * 8) : 0;
    copy_bytes_ = lines_.inner > 1 ? Aligned(together_ * lines_.n * size_) : 0;
  }

  int64_t worker_workspace_bytes() const override {
    return copy_bytes_ + values_bytes_ + places_bytes_ + OrderScratchBytes(lines_.n);
  }

  absl::Status Run(const KernelArguments& arguments) const override {
    const int64_t groups = groups_ * lines_.outer;
    if (groups == 0 || count_ == 0) return absl::OkStatus();
    ForEachTask(arguments.workers, (groups + groups_each_ - 1) / groups_each_, work_, [&](int64_t task, int worker) {
      char* const scratch = static_cast<char*>(arguments.WorkspaceOf(worker));
      const int64_t end = std::min(groups, (task + 1) * groups_each_);
      for (int64_t group = task * groups_each_; group < end; ++group) RunGroup(arguments, group, scratch);
    });
    return absl::OkStatus();
  }

 private:
  void RunGroup(const KernelArguments& arguments, int64_t group, char* scratch) const {
    const int64_t inner = lines_.inner, n = lines_.n;
    const int64_t first = group % groups_ * together_, lines = std::min(together_, inner - first);
    const int64_t outer = group / groups_;
    char* const x =
        const_cast<char*>(static_cast<const char*>(arguments.inputs[0])) + (outer * n * inner + first) * size_;
    const int64_t result = outer * count_ * inner + first;
    char* const values = op_ == &kArgSort ? nullptr : static_cast<char*>(arguments.outputs[0]) + result * size_;
    int64_t* const places = op_ == &kSort ? nullptr : static_cast<int64_t*>(arguments.outputs.back()) + result;
    if (inner == 1) return Order(x, values, places, scratch);
    char* const copied = scratch;
    char* const own_values = copied + copy_bytes_;
    char* const own_places = own_values + values_bytes_;
    char* const records = own_places + places_bytes_;
    CopyLines<true>(size_, copied, x, n, inner, lines);
    for (int64_t line = 0; line < lines; ++line) {
      Order(copied + line * n * size_, own_values + line * count_ * size_,
            reinterpret_cast<int64_t*>(own_places) + line * count_, records);
    }
    if (values != nullptr) CopyLines<false>(size_, own_values, values, count_, inner, lines);
    if (places != nullptr) CopyLines<false>(8, own_places, places, count_, inner, lines);
  }

  void Order(const void* x, void* values, int64_t* places, void* scratch) const {
    if (op_ == &kSort) {
      loops_.sort(isa_, x, lines_.n, descending_, values, scratch);
    } else if (op_ == &kArgSort) {
      loops_.argsort(isa_, x, lines_.n, descending_, places, scratch);
    } else {
      loops_.top(x, lines_.n, count_, values, places, scratch);
    }
  }

  Isa isa_;
  OrderLoops loops_;
  const OpDef* op_;
  int64_t size_;
  Lines lines_;
  int64_t count_;
  bool descending_ = true;
  int64_t together_ = 1;  // lines that are copied together
  int64_t groups_, groups_each_;
  int64_t copy_bytes_, values_bytes_, places_bytes_;
  double work_;
};

class ArgExtremumKernel final : public Kernel {
 public:
  ArgExtremumKernel(const KernelRequest& request, const OrderLoops& loops)
      : isa_(request.isa),
        loops_(loops),
        largest_(&request.op == &kArgMax),
        size_(SizeOf(request.inputs[0].dtype)),
        lines_(request.inputs[0].shape, Decode<ArgExtremumAttributes>(request.attributes).axis) {
    work_ = kElementNanoseconds * static_cast<double>(request.inputs[0].shape.size());
    const double line_work = kElementNanoseconds * static_cast<double>(lines_.n);
    each_ = std::max<int64_t>(1, static_cast<int64_t>(kTaskNanoseconds / line_work));
    if (lines_.inner > 1) each_ = std::min(lines_.inner, std::max<int64_t>(each_, 64));
    panels_ = lines_.inner > 1 ? (lines_.inner + each_ - 1) / each_ : 1;
  }

  absl::Status Run(const KernelArguments& arguments) const override {
    const auto& [inner, n, outer] = lines_;
    if (inner == 0 || outer == 0) return absl::OkStatus();
    const char* const x = static_cast<const char*>(arguments.inputs[0]);
    int64_t* const places = static_cast<int64_t*>(arguments.outputs[0]);
    const int64_t tasks = inner > 1 ? panels_ * outer : (outer + each_ - 1) / each_;
    ForEachTask(arguments.workers, tasks, work_, [&, inner = inner, n = n, outer = outer](int64_t task, int) {
      if (inner == 1) {
        const int64_t first = task * each_;
        loops_.extremum(isa_, x + first * n * size_, n, 1, std::min(each_, outer - first), largest_, places + first);
        return;
      }
      const int64_t first = task % panels_ * each_, block = task / panels_;
      loops_.extremum(isa_, x + (block * n * inner + first) * size_, n, inner, std::min(each_, inner - first), largest_,
                      places + block * inner + first);
    });
    return absl::OkStatus();
  }

 private:
  Isa isa_;
  OrderLoops loops_;
  bool largest_;
  int64_t size_;
  Lines lines_;
  int64_t each_, panels_;  // lines of a task; such groups that the extents before the axis make
  double work_;
};

absl::StatusOr<std::unique_ptr<Kernel>> MakeSort(const KernelRequest& request) {
  const OrderLoops loops = FindOrder(static_cast<uint8_t>(request.inputs[0].dtype));
  if (loops.sort == nullptr) return absl::UnimplementedError("has no CPU kernel for this dtype");
  if (&request.op == &kArgMax || &request.op == &kArgMin) return std::make_unique<ArgExtremumKernel>(request, loops);
  const int64_t axis = &request.op == &kTopK ? Decode<TopKAttributes>(request.attributes).axis
                                             : Decode<SortAttributes>(request.attributes).axis;
  return std::make_unique<SortKernel>(request, loops, axis);
}

constexpr CpuFamily kFamily{.make = MakeSort};

[[maybe_unused]] const bool kFilled = FillSlot(sort_slots, &FamilySlots::cpu, &kFamily);

}  // namespace
}  // namespace tenferro
