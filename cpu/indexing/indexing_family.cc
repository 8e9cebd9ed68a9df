// Gathers, scatters and slices at places that are numbers of the program. A gather's windows are independent; a
// scatter's are written one after another wherever they can overlap, so that the bits of an element depend on the order
// of the updates alone.

#include <algorithm>
#include <cstring>

#include "tenferro/cpu/cost.h"
#include "tenferro/cpu/indexing/index_plan.h"
#include "tenferro/cpu/indexing/window_loops.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/cpu/kernels/move.h"
#include "tenferro/cpu/share_work.h"
#include "tenferro/runtime/ops/indexing.h"
#include "tenferro/runtime/ops/indexing_shapes.h"

namespace tenferro {
namespace {

// A random access and what surrounds it.
constexpr double kPlaceNanoseconds = 1.5;

// A strided array copied, in pieces that threads share.
class Copy {
 public:
  Copy(const KernelRequest& request, const Shape& shape, absl::Span<const int64_t> to, absl::Span<const int64_t> from)
      : isa_(request.isa), size_(shape.size()), element_size_(SizeOf(request.outputs[0].dtype)) {
    if (size_ == 0) return;
    const Ints extents = shape.extents();
    plan_ = PlanStridedCopy(static_cast<int>(element_size_), shape.rank(), extents.data(), to.data(), from.data());
  }

  void Run(const Workers& workers, void* to, const void* from) const {
    if (size_ == 0 || to == from) return;
    const double work = kByteCopiedNanoseconds * static_cast<double>(size_ * element_size_);
    const int64_t tasks = std::min(plan_.pieces, static_cast<int64_t>(work / kTaskNanoseconds) + 1);
    const int64_t each = (plan_.pieces + tasks - 1) / tasks;
    ForEachTask(workers, (plan_.pieces + each - 1) / each, work, [&](int64_t task, int) {
      StridedCopyPieces(isa_, plan_, task * each, std::min(plan_.pieces, (task + 1) * each), to, from);
    });
  }

 private:
  Isa isa_;
  int64_t size_, element_size_;
  StridedCopyPlan plan_;
};

// Walks windows begin … end − 1 of one element and one component in lines of starts: run(operand offset, windows
// offset, line).
template <class Run>
void ForEachLine(const IndexPlan& plan, const void* indices, int64_t begin, int64_t end, const Run& run) {
  constexpr int64_t kLoaded = 512;
  int64_t loaded[kLoaded];
  const IndexPlan::Component component = plan.components[0];
  const IndexPlan::Axis inner = plan.inner();
  for (int64_t at = begin; at < end;) {
    const Offsets start = OffsetsOf(plan.batch, at);
    int64_t n = std::min(end - at, inner.extent - at % inner.extent);
    if (!plan.starts_are_indices()) n = std::min(n, kLoaded);
    const int64_t* const starts = LoadIndices(plan.index_dtype, indices, start.indices, inner.indices, n, loaded);
    run(start.operand, start.windows,
        StartLine{starts, n, component.wrap, component.limit, component.stride, inner.operand, inner.windows,
                  plan.clamp});
    at += n;
  }
}

class GatherKernel final : public Kernel {
 public:
  explicit GatherKernel(const KernelRequest& request)
      : loops_(FindWindowLoops(WindowKind::kSet, static_cast<uint8_t>(request.inputs[0].dtype))),
        size_(SizeOf(request.inputs[0].dtype)) {
    const GatherAttributes gather = Decode<GatherAttributes>(request.attributes);
    const Shape& windows = request.outputs[0].shape;
    plan_ = MakeIndexPlan(gather, request.inputs[0].shape, request.input_strides[0], request.inputs[1],
                          request.input_strides[1], windows, windows.ColMajorStrides());
    empty_ = windows.size() == 0;
    const int64_t words[2] = {gather.fill_low, gather.fill_high};
    std::memcpy(fill_, words, sizeof fill_);
    by_elements_ = plan_.run * size_ < 32;
    // A window's parts: runs, or elements where runs are too short to be worth a call each.
    axes_ = plan_.moving;
    axes_.insert(axes_.end(), plan_.fixed.begin(), plan_.fixed.end());
    if (by_elements_ && plan_.run > 1) axes_.insert(axes_.begin(), {plan_.run, 1, 1, 0});
    for (const IndexPlan::Axis& axis : axes_) parts_ *= axis.extent;
    part_ = by_elements_ ? 1 : plan_.run;
    by_lines_ = plan_.components.size() == 1 && plan_.run == 1 && parts_ == 1;
    const double part_work = kPlaceNanoseconds + kByteCopiedNanoseconds * static_cast<double>(part_ * size_);
    work_ = part_work * static_cast<double>(parts_ * plan_.count);
    // Tasks of about one length: a block of windows, some of their parts.
    const int64_t parts_of_task = std::max<int64_t>(1, static_cast<int64_t>(kTaskNanoseconds / part_work));
    // Elements of one part lie near each other: of many parts each is read for many windows in turn.
    constexpr int64_t kManyParts = 8, kBlock = 512, kLongBlock = 4096;
    block_ = by_elements_ ? (parts_ < kManyParts ? kBlock : kLongBlock)
                          : std::clamp<int64_t>(parts_of_task / std::max<int64_t>(1, parts_), 16, kBlock);
    block_ = std::min(block_, plan_.count);
    // Finding the places costs as much as a part or two.
    parts_each_ = std::min(parts_, std::max<int64_t>(kManyParts, parts_of_task / std::max<int64_t>(1, block_)));
    windows_each_ = block_ * std::max<int64_t>(1, parts_of_task / std::max<int64_t>(1, block_ * parts_each_));
  }

  int64_t worker_workspace_bytes() const override { return Places::BytesFor(block_); }

  absl::Status Run(const KernelArguments& arguments) const override {
    if (empty_) return absl::OkStatus();
    const int64_t part_groups = (parts_ + parts_each_ - 1) / parts_each_;
    const int64_t window_groups = (plan_.count + windows_each_ - 1) / windows_each_;
    ForEachTask(arguments.workers, window_groups * part_groups, work_, [&](int64_t task, int worker) {
      const int64_t part = task % part_groups * parts_each_;
      const int64_t begin = task / part_groups * windows_each_, end = std::min(plan_.count, begin + windows_each_);
      if (by_lines_) {
        ForEachLine(plan_, arguments.inputs[1], begin, end, [&](int64_t from, int64_t to, const StartLine& line) {
          loops_.gather_line(static_cast<char*>(arguments.outputs[0]) + to * size_,
                             static_cast<const char*>(arguments.inputs[0]) + from * size_, line, fill_);
        });
        return;
      }
      for (int64_t first = begin; first < end; first += block_) {
        Places places(arguments.WorkspaceOf(worker), std::min(block_, end - first));
        FindPlaces(plan_, arguments.inputs[1], first, &places);
        RunParts(arguments, places, part, std::min(parts_, part + parts_each_));
      }
    });
    return absl::OkStatus();
  }

 private:
  void RunParts(const KernelArguments& arguments, Places& places, int64_t begin, int64_t end) const {
    const char* const in = static_cast<const char*>(arguments.inputs[0]);
    char* const out = static_cast<char*>(arguments.outputs[0]);
    if (places.consecutive && (places.any_outside || !by_elements_)) places.ListWindows();
    if (places.any_outside) Fill(places, out, begin, end);
    const int64_t n = places.n;
    for (int64_t part = begin; part < end; ++part) {
      const Offsets shift = OffsetsOf(axes_, part);
      if (!by_elements_) {
        for (int64_t i = 0; i < n; ++i) {
          if (i + 1 < n) FetchWindow(in + (places.operand[i + 1] + shift.operand) * size_);
          loops_.run(out + (places.windows[i] + shift.windows) * size_,
                     in + (places.operand[i] + shift.operand) * size_, part_);
        }
      } else if (places.consecutive) {
        loops_.gather(out + (places.windows[0] + shift.windows) * size_, in, places.operand, shift.operand, n);
      } else {
        loops_.elements(out, places.windows, shift.windows, in, places.operand, shift.operand, n);
      }
    }
  }

  // No walk through memory foretells the next window.
  void FetchWindow(const char* window) const {
    constexpr int64_t kFetched = 1024, kCacheLine = 64;
    for (int64_t at = 0; at < std::min(kFetched, part_ * size_); at += kCacheLine) __builtin_prefetch(window + at);
  }

  // Writes the windows that are outside, and leaves the others.
  void Fill(Places& places, char* out, int64_t begin, int64_t end) const {
    int64_t kept = 0;
    for (int64_t i = 0; i < places.n; ++i) {
      if (places.operand[i] != Places::kOutside) {
        places.operand[kept] = places.operand[i];
        places.windows[kept++] = places.windows[i];
        continue;
      }
      for (int64_t part = begin; part < end; ++part) {
        char* const to = out + (places.windows[i] + OffsetsOf(axes_, part).windows) * size_;
        for (int64_t k = 0; k < part_; ++k) std::memcpy(to + k * size_, fill_, size_);
      }
    }
    places.n = kept;
  }

  IndexPlan plan_;
  WindowLoops loops_;
  int64_t size_;
  bool empty_, by_elements_, by_lines_;
  alignas(16) char fill_[16];
  std::vector<IndexPlan::Axis> axes_;
  int64_t part_, parts_ = 1, parts_each_, block_, windows_each_;
  double work_;
};

WindowKind KindOf(const OpDef& op) {
  return &op == &kScatterSet   ? WindowKind::kSet
         : &op == &kScatterAdd ? WindowKind::kAdd
         : &op == &kScatterMul ? WindowKind::kMul
         : &op == &kScatterMin ? WindowKind::kMin
                               : WindowKind::kMax;
}

class ScatterKernel final : public Kernel {
 public:
  ScatterKernel(const KernelRequest& request, const WindowLoops& loops)
      : loops_(loops),
        size_(SizeOf(request.inputs[0].dtype)),
        copy_(request, request.outputs[0].shape, request.outputs[0].shape.ColMajorStrides(), request.input_strides[0]) {
    const ScatterAttributes scatter = Decode<ScatterAttributes>(request.attributes);
    const Shape &out = request.outputs[0].shape, &updates = request.inputs[2].shape;
    plan_ = MakeIndexPlan(GatherOf(scatter, out, updates), out, out.ColMajorStrides(), request.inputs[1],
                          request.input_strides[1], updates, request.input_strides[2]);
    empty_ = updates.size() == 0;
    // Windows that a batching axis keeps apart, and parts of windows that lie beside each other, may run side by side.
    if (!plan_.batch.empty() && plan_.batch.back().operand != 0) groups_ = plan_.batch.back().extent;
    const double work = kPlaceNanoseconds * static_cast<double>(plan_.count * plan_.moving_size * plan_.fixed_size) +
                        kByteCopiedNanoseconds * static_cast<double>(updates.size() * size_);
    work_ = work;
    const int64_t tasks = static_cast<int64_t>(work / kTaskNanoseconds) + 1;
    group_each_ = std::max<int64_t>(1, groups_ / tasks);
    const int64_t tasks_of_group = std::max<int64_t>(1, tasks / std::max<int64_t>(1, groups_));
    fixed_each_ = std::max<int64_t>(1, plan_.fixed_size / tasks_of_group);
  }

  bool may_overwrite_operand() const override { return true; }

  absl::Status Run(const KernelArguments& arguments) const override {
    copy_.Run(arguments.workers, arguments.outputs[0], arguments.inputs[0]);
    if (empty_) return absl::OkStatus();
    const int64_t windows_of_group = plan_.count / groups_;
    const int64_t fixed_tasks = (plan_.fixed_size + fixed_each_ - 1) / fixed_each_;
    const int64_t group_tasks = (groups_ + group_each_ - 1) / group_each_;
    ForEachTask(arguments.workers, group_tasks * fixed_tasks, work_, [&](int64_t task, int) {
      const int64_t group = task / fixed_tasks * group_each_, fixed = task % fixed_tasks * fixed_each_;
      RunWindows(arguments, group * windows_of_group, std::min(groups_, group + group_each_) * windows_of_group, fixed,
                 std::min(plan_.fixed_size, fixed + fixed_each_));
    });
    return absl::OkStatus();
  }

 private:
  void RunWindows(const KernelArguments& arguments, int64_t begin, int64_t end, int64_t fixed_begin,
                  int64_t fixed_end) const {
    char* const out = static_cast<char*>(arguments.outputs[0]);
    const char* const updates = static_cast<const char*>(arguments.inputs[2]);
    if (plan_.components.size() == 1 && plan_.run == 1 && plan_.moving_size == 1 && plan_.fixed_size == 1) {
      ForEachLine(plan_, arguments.inputs[1], begin, end, [&](int64_t to, int64_t from, const StartLine& line) {
        loops_.scatter_line(out + to * size_, updates + from * size_, line);
      });
      return;
    }
    constexpr int64_t kBlock = 512;
    alignas(64) char memory[Places::BytesFor(kBlock)];
    for (int64_t first = begin; first < end; first += kBlock) {
      Places places(memory, std::min(kBlock, end - first));
      FindPlaces(plan_, arguments.inputs[1], first, &places);
      if (places.consecutive) places.ListWindows();
      if (places.any_outside) DropOutside(places);
      if (plan_.run == 1 && plan_.moving_size == 1) {
        // Elements that only differ in the window are the same place's updates in order.
        for (int64_t fixed = fixed_begin; fixed < fixed_end; ++fixed) {
          const Offsets shift = OffsetsOf(plan_.fixed, fixed);
          loops_.elements(out, places.operand, shift.operand, updates, places.windows, shift.windows, places.n);
        }
        continue;
      }
      for (int64_t i = 0; i < places.n; ++i) {
        for (int64_t fixed = fixed_begin; fixed < fixed_end; ++fixed) {
          const Offsets outer = OffsetsOf(plan_.fixed, fixed);
          for (int64_t moving = 0; moving < plan_.moving_size; ++moving) {
            const Offsets inner = OffsetsOf(plan_.moving, moving);
            loops_.run(out + (places.operand[i] + outer.operand + inner.operand) * size_,
                       updates + (places.windows[i] + outer.windows + inner.windows) * size_, plan_.run);
          }
        }
      }
    }
  }

  static void DropOutside(Places& places) {
    int64_t kept = 0;
    for (int64_t i = 0; i < places.n; ++i) {
      if (places.operand[i] == Places::kOutside) continue;
      places.operand[kept] = places.operand[i];
      places.windows[kept++] = places.windows[i];
    }
    places.n = kept;
  }

  IndexPlan plan_;
  WindowLoops loops_;
  int64_t size_;
  Copy copy_;
  bool empty_;
  int64_t groups_ = 1, group_each_, fixed_each_;
  double work_;
};

// The offset of a window of these extents that starts at `starts`, clamped.
class Window {
 public:
  Window(const KernelRequest& request, int starts, const Shape& window, absl::Span<const int64_t> strides)
      : dtype_(static_cast<uint8_t>(request.inputs[starts].dtype)), step_(request.input_strides[starts][0]) {
    for (int axis = 0; axis < window.rank(); ++axis) {
      limits_.push_back(request.inputs[0].shape.extent(axis) - window.extent(axis));
      strides_.push_back(strides[axis]);
    }
  }

  int64_t Offset(const void* starts) const {
    int64_t offset = 0;
    for (size_t axis = 0; axis < limits_.size(); ++axis) {
      const int64_t start = LoadIndex(dtype_, starts, static_cast<int64_t>(axis) * step_);
      offset += std::clamp<int64_t>(start, 0, limits_[axis]) * strides_[axis];
    }
    return offset;
  }

 private:
  uint8_t dtype_;
  int64_t step_;
  Ints limits_, strides_;
};

class DynamicSliceKernel final : public Kernel {
 public:
  explicit DynamicSliceKernel(const KernelRequest& request)
      : size_(SizeOf(request.outputs[0].dtype)),
        window_(request, 1, request.outputs[0].shape, request.input_strides[0]),
        copy_(request, request.outputs[0].shape, request.outputs[0].shape.ColMajorStrides(), request.input_strides[0]) {
  }

  absl::Status Run(const KernelArguments& arguments) const override {
    const int64_t offset = window_.Offset(arguments.inputs[1]);
    copy_.Run(arguments.workers, arguments.outputs[0], static_cast<const char*>(arguments.inputs[0]) + offset * size_);
    return absl::OkStatus();
  }

 private:
  int64_t size_;
  Window window_;
  Copy copy_;
};

class DynamicUpdateSliceKernel final : public Kernel {
 public:
  explicit DynamicUpdateSliceKernel(const KernelRequest& request)
      : size_(SizeOf(request.outputs[0].dtype)),
        window_(request, 2, request.inputs[1].shape, request.outputs[0].shape.ColMajorStrides()),
        all_(request, request.outputs[0].shape, request.outputs[0].shape.ColMajorStrides(), request.input_strides[0]),
        update_(request, request.inputs[1].shape, request.outputs[0].shape.ColMajorStrides(),
                request.input_strides[1]) {}

  bool may_overwrite_operand() const override { return true; }

  absl::Status Run(const KernelArguments& arguments) const override {
    all_.Run(arguments.workers, arguments.outputs[0], arguments.inputs[0]);
    const int64_t offset = window_.Offset(arguments.inputs[2]);
    update_.Run(arguments.workers, static_cast<char*>(arguments.outputs[0]) + offset * size_, arguments.inputs[1]);
    return absl::OkStatus();
  }

 private:
  int64_t size_;
  Window window_;
  Copy all_, update_;
};

absl::StatusOr<std::unique_ptr<Kernel>> MakeIndexing(const KernelRequest& request) {
  if (&request.op == &kGather) return std::make_unique<GatherKernel>(request);
  if (&request.op == &kDynamicSlice) return std::make_unique<DynamicSliceKernel>(request);
  if (&request.op == &kDynamicUpdateSlice) return std::make_unique<DynamicUpdateSliceKernel>(request);
  const WindowLoops loops = FindWindowLoops(KindOf(request.op), static_cast<uint8_t>(request.inputs[0].dtype));
  if (loops.run == nullptr) return absl::UnimplementedError("has no CPU kernel for this dtype");
  return std::make_unique<ScatterKernel>(request, loops);
}

constexpr CpuFamily kFamily{.make = MakeIndexing, .strided_operands = true};

[[maybe_unused]] const bool kFilled = FillSlot(indexing_slots, &FamilySlots::cpu, &kFamily);

}  // namespace
}  // namespace tenferro
