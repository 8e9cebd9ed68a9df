// Cumulative operations: lines along the axis are independent. Threads take whole lines, so a line's bits do not depend
// on them.

#include <algorithm>

#include "tenferro/cpu/cost.h"
#include "tenferro/cpu/cumulative/cumulative.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/cpu/share_work.h"
#include "tenferro/runtime/ops/cumulative.h"

namespace tenferro {
namespace {

CumulativeKind KindOf(const OpDef& op) {
  return &op == &kCumSum         ? CumulativeKind::kSum
         : &op == &kCumProd      ? CumulativeKind::kProd
         : &op == &kCumMax       ? CumulativeKind::kMax
         : &op == &kCumMin       ? CumulativeKind::kMin
         : &op == &kCumLogSumExp ? CumulativeKind::kLogSumExp
                                 : CumulativeKind::kRecurrence;
}

class CumulativeKernel final : public Kernel {
 public:
  CumulativeKernel(const KernelRequest& request, const CumulativeLoops& loops)
      : loops_(loops), size_(SizeOf(request.inputs[0].dtype)) {
    const CumulativeAttributes walk = Decode<CumulativeAttributes>(request.attributes);
    const Shape& shape = request.inputs[0].shape;
    for (int i = 0; i < shape.rank(); ++i) {
      (i < walk.axis ? inner_ : i == walk.axis ? n_ : outer_) *= shape.extent(i);
    }
    reverse_ = walk.reverse;
    const bool by_rows = inner_ > 1 && loops_.rows != nullptr;
    // Rows of a page at most stay in the cache until the next step; single lines go four at a time.
    columns_ = by_rows ? std::min<int64_t>(inner_, 4096 / size_) : 1;
    panels_ = inner_ == 0 ? 0 : (inner_ + columns_ - 1) / columns_;
    const double panel_work = loops_.nanoseconds * static_cast<double>(columns_ * std::max<int64_t>(1, n_));
    together_ = std::max<int64_t>(1, static_cast<int64_t>(kTaskNanoseconds / panel_work));
    if (!by_rows && together_ > 1) together_ = (together_ + 3) / 4 * 4;
    if (!by_rows && together_ == 1 && inner_ == 1) together_ = 4;
    work_ = loops_.nanoseconds * static_cast<double>(shape.size());
  }

  absl::Status Run(const KernelArguments& arguments) const override {
    const int64_t panels = panels_ * outer_;
    if (panels == 0 || n_ == 0) return absl::OkStatus();
    const int64_t tasks = (panels + together_ - 1) / together_;
    ForEachTask(arguments.workers, tasks, work_, [&](int64_t task, int) {
      RunPanels(arguments, task * together_, std::min(panels, (task + 1) * together_));
    });
    return absl::OkStatus();
  }

 private:
  void RunPanels(const KernelArguments& arguments, int64_t begin, int64_t end) const {
    const int64_t step = reverse_ ? -inner_ : inner_;
    const auto at = [&](const void* base, int64_t offset) { return static_cast<const char*>(base) + offset * size_; };
    const auto run = [&](int64_t offset, auto&& loop) {
      const void* const in[2] = {at(arguments.inputs[0], offset), at(arguments.inputs.back(), offset)};
      loop(const_cast<char*>(at(arguments.outputs[0], offset)), in);
    };
    const int64_t start = reverse_ ? (n_ - 1) * inner_ : 0;
    if (inner_ == 1) {
      run(begin * n_ + start,
          [&](void* out, const void* const* in) { loops_.lines(out, in, n_, step, end - begin, n_); });
      return;
    }
    for (int64_t panel = begin; panel < end; ++panel) {
      const int64_t first = panel % panels_ * columns_;
      const int64_t columns = std::min(columns_, inner_ - first);
      run(panel / panels_ * n_ * inner_ + first + start, [&](void* out, const void* const* in) {
        if (loops_.rows != nullptr) {
          loops_.rows(out, in, n_, step, columns);
        } else {
          loops_.lines(out, in, n_, step, columns, 1);
        }
      });
    }
  }

  CumulativeLoops loops_;
  int64_t size_;
  int64_t inner_ = 1, n_ = 1, outer_ = 1;  // extents before, along and after the axis
  bool reverse_;
  int64_t columns_, panels_;  // lines side by side, and how many such groups the extents before the axis make
  int64_t together_;          // panels of a task
  double work_;
};

absl::StatusOr<std::unique_ptr<Kernel>> MakeCumulative(const KernelRequest& request) {
  const CumulativeLoops loops = FindCumulative(KindOf(request.op), static_cast<uint8_t>(request.inputs[0].dtype));
  if (loops.lines == nullptr) return absl::UnimplementedError("has no CPU kernel for this dtype");
  return std::make_unique<CumulativeKernel>(request, loops);
}

constexpr CpuFamily kFamily{.make = MakeCumulative};

[[maybe_unused]] const bool kFilled = FillSlot(cumulative_slots, &FamilySlots::cpu, &kFamily);

}  // namespace
}  // namespace tenferro
