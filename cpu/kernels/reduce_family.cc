// Reductions over some axes. The bits of an element depend on the logical shapes and the values alone:
//
//  lines  Each result is one sequence of the reduced elements in column-major order, cut into chunks of kReduceChunk
//  whose
//         results a fixed tree combines; the same as a reduction of that sequence alone.
//  rows   All results go through the reduced indices side by side: kRowsOfBlock rows are accumulated one after another,
//  and
//         the blocks' results are combined pairwise, neighbours first (block 2i with 2i + 1, and so on upwards).
//
// Rows serve when the fastest axis is kept, or when there is little to reduce; lines otherwise. Strides decide only
// whether elements are read in place or gathered first, and threads take whole chunks or whole subtrees.

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "tenferro/cpu/cost.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/cpu/kernels/move.h"
#include "tenferro/cpu/kernels/move_elements.h"
#include "tenferro/cpu/layout.h"
#include "tenferro/cpu/share_work.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/slots.h"

namespace tenferro {
namespace {

constexpr int64_t kRowsOfBlock = 32;
constexpr int64_t kBlocksOfSubtree = 64;  // a power of two, so that a subtree is a node of the whole tree
constexpr int64_t kFewestBlocks = 8;      // of a subtree, another power of two
constexpr int64_t kFewTasks = 4;
constexpr int64_t kPanel = 1024;        // results side by side
constexpr int64_t kGatheredPanel = 64;  // of which a block of rows is gathered at once
constexpr int64_t kFewResults = 8;

const ReduceRow* FindRow(Isa isa, const OpDef* op, uint8_t dtype) {
  const ReduceKind kind = op == &kReduceSum    ? ReduceKind::kSum
                          : op == &kReduceProd ? ReduceKind::kProd
                          : op == &kReduceMax  ? ReduceKind::kMax
                                               : ReduceKind::kMin;
  return FindReduce(isa, kind, dtype);
}

// Offset of element `index` of a walk.
int64_t OffsetOf(const Walk& walk, int64_t index) {
  int64_t offset = 0;
  for (size_t axis = 0; axis < walk.extents.size(); ++axis) {
    offset += index % walk.extents[axis] * walk.strides[axis];
    index /= walk.extents[axis];
  }
  return offset;
}

class ReduceKernel final : public Kernel {
 public:
  ReduceKernel(const KernelRequest& request, const ReduceRow* row) : row_(row), size_(SizeOf(request.inputs[0].dtype)) {
    const Ints axes = Decode<ReduceAttributes>(request.attributes).axes;
    const Shape& shape = request.inputs[0].shape;
    Shape kept, reduced;
    Layout kept_layout, reduced_layout;
    int64_t fastest_kept = 0;  // extent of the fastest axes as long as they are kept
    bool reduced_seen = false;
    for (int axis = 0; axis < shape.rank(); ++axis) {
      const bool is_reduced = std::find(axes.begin(), axes.end(), axis) != axes.end();
      (is_reduced ? reduced : kept).push_back(shape[axis]);
      (is_reduced ? reduced_layout : kept_layout).strides.push_back(request.input_strides[0][axis]);
      if (shape.extent(axis) == 1) continue;
      reduced_seen = reduced_seen || is_reduced;
      if (!reduced_seen) fastest_kept = std::max<int64_t>(1, fastest_kept) * shape.extent(axis);
    }
    kept_ = WalkOf(kept, kept_layout);
    reduced_ = WalkOf(reduced, reduced_layout);
    by_rows_ = fastest_kept >= kFewResults || reduced_.size <= kShortReduction;
    nanoseconds_ = kElementNanoseconds * static_cast<double>(shape.size());
    // Where there are few panels to share, more subtrees: they make no difference to the bits.
    const auto parts_of = [&](int64_t rows) { return (reduced_.size + rows - 1) / rows; };
    for (int64_t blocks = kBlocksOfSubtree;
         blocks > kFewestBlocks && (kept_.size + kPanel - 1) / kPanel * parts_of(rows_of_subtree_) < kFewTasks;) {
      blocks /= 2;
      rows_of_subtree_ = blocks * kRowsOfBlock;
    }
    parts_ = parts_of(by_rows_ ? rows_of_subtree_ : kReduceChunk);
    for (int64_t leaves = std::max(kBlocksOfSubtree, parts_); leaves > 0; leaves /= 2) ++levels_;
    lines_together_ = !by_rows_ && parts_ == 1 && row_->lines != nullptr && reduced_.is_dense() &&
                      kept_.extents.size() == 1 && kept_.strides[0] == reduced_.size;
    // Panels of results that lie together need not be gathered.
    panel_ = kPanel;
    if (!kept_.extents.empty() && kept_.strides[0] == 1 && kept_.extents[0] >= kPanel / 8) {
      panel_ = std::min(kPanel, kept_.extents[0]);
      panels_of_run_ = (kept_.extents[0] + panel_ - 1) / panel_;
      run_ = kept_.extents[0];
    } else {
      panels_of_run_ = (kept_.size + kPanel - 1) / kPanel;
      run_ = kept_.size;
    }
    if (by_rows_ && !kept_.extents.empty() && !reduced_.extents.empty() && kept_.strides[0] != 1 &&
        std::abs(reduced_.strides[0]) < std::abs(kept_.strides[0])) {
      gathers_blocks_ = true;
      panel_ = kGatheredPanel;
      panels_of_run_ = (run_ + panel_ - 1) / panel_;
    }
  }

  int64_t workspace_bytes() const override { return parts_ > 1 ? parts_ * kept_.size * size_ : 0; }
  // Rows: gathered, the block's sum, and those of unfinished nodes of the tree. Lines: a gathered chunk.
  int64_t worker_workspace_bytes() const override {
    return by_rows_ ? GatheredBytes() + kPanel * size_ * levels_ : kReduceChunk * size_;
  }

  absl::Status Run(const KernelArguments& arguments) const override {
    if (kept_.size == 0) return absl::OkStatus();
    const int64_t columns = by_rows_ ? (run_ == 0 ? 0 : kept_.size / run_ * panels_of_run_) : kept_.size;
    const int64_t tasks = columns * std::max<int64_t>(1, parts_);
    ForEachRange(arguments.workers, tasks, nanoseconds_, [&](int64_t begin, int64_t end, int worker) {
      char* const scratch = static_cast<char*>(arguments.WorkspaceOf(worker));
      if (lines_together_) {
        return row_->lines(static_cast<char*>(arguments.outputs[0]) + begin * size_,
                           static_cast<const char*>(arguments.inputs[0]) + begin * reduced_.size * size_, reduced_.size,
                           end - begin);
      }
      for (int64_t task = begin; task < end; ++task) {
        by_rows_
            ? ReducePanel(arguments, task % columns, task / columns, scratch)
            : ReduceLine(arguments, task / std::max<int64_t>(1, parts_), task % std::max<int64_t>(1, parts_), scratch);
      }
    });
    if (parts_ > 1) Combine(arguments);
    return absl::OkStatus();
  }

 private:
  // Chunk `part` of the sequence of result `line`.
  void ReduceLine(const KernelArguments& arguments, int64_t line, int64_t part, char* scratch) const {
    const char* in = static_cast<const char*>(arguments.inputs[0]) + OffsetOf(kept_, line) * size_;
    const int64_t begin = part * kReduceChunk;
    const int64_t n = std::min(kReduceChunk, reduced_.size - begin);
    if (reduced_.is_dense()) {
      in += begin * size_;
    } else {
      GatherTile(static_cast<int>(size_), static_cast<int>(reduced_.extents.size()), reduced_.extents.data(), in,
                 reduced_.strides.data(), begin, n, scratch);
      in = scratch;
    }
    char* const out = parts_ > 1 ? static_cast<char*>(arguments.workspace) + (line * parts_ + part) * size_
                                 : static_cast<char*>(arguments.outputs[0]) + line * size_;
    row_->chunk(out, in, n);
  }

  // The pairwise tree over items that come one after another: nodes of equal height are combined at once.
  class Tree {
   public:
    Tree(const ReduceRow* row, char* memory, int64_t n, int64_t stride)
        : row_(row), memory_(memory), n_(n), stride_(stride) {}
    // Where the next item is to be put.
    char* Next() { return memory_ + height_ * stride_; }
    void Push() {
      ++height_;
      for (int64_t done = ++count_; done % 2 == 0; done /= 2) Fold();
    }
    const char* Result() {
      while (height_ > 1) Fold();
      return memory_;
    }

   private:
    void Fold() {
      char* const first = memory_ + (height_ - 2) * stride_;
      const void* in[2] = {first, first + stride_};
      row_->combine(first, in, n_);
      --height_;
    }
    const ReduceRow* row_;
    char* memory_;
    int64_t n_, stride_;
    int64_t height_ = 0, count_ = 0;
  };

  int64_t GatheredBytes() const {
    return std::max(kPanel, gathers_blocks_ ? kRowsOfBlock * kGatheredPanel : 0) * size_;
  }

  // Rows [begin, end) of `n` results from `first` on, at most kRowsOfBlock of them, one after another: along the rows,
  // where these are nearer to each other in memory than the results are.
  template <class T>
  void GatherBlock(const char* in, int64_t first, int64_t n, int64_t begin, int64_t end, char* to) const {
    int64_t rows[kRowsOfBlock];
    for (int64_t r = begin; r < end; ++r) rows[r - begin] = OffsetOf(reduced_, r);
    for (int64_t i = 0; i < n; ++i) {
      const T* from = reinterpret_cast<const T*>(in) + OffsetOf(kept_, first + i);
      T* out = reinterpret_cast<T*>(to) + i;
      for (int64_t r = 0; r < end - begin; ++r) out[r * n] = from[rows[r]];
    }
  }
  void GatherBlock(const char* in, int64_t first, int64_t n, int64_t begin, int64_t end, char* to) const {
    switch (size_) {
      case 1: return GatherBlock<Element1>(in, first, n, begin, end, to);
      case 4: return GatherBlock<Element4>(in, first, n, begin, end, to);
      case 8: return GatherBlock<Element8>(in, first, n, begin, end, to);
      default: return GatherBlock<Element16>(in, first, n, begin, end, to);
    }
  }

  // First result and number of results of a panel.
  void PanelRange(int64_t panel, int64_t* first, int64_t* n) const {
    const int64_t in_run = panel % panels_of_run_ * panel_;
    *first = panel / panels_of_run_ * run_ + in_run;
    *n = std::min(panel_, run_ - in_run);
  }

  // Subtree `part` of the rows of a panel of results.
  void ReducePanel(const KernelArguments& arguments, int64_t panel, int64_t part, char* scratch) const {
    int64_t first, n;
    PanelRange(panel, &first, &n);
    char* const out = parts_ > 1 ? static_cast<char*>(arguments.workspace) + (part * kept_.size + first) * size_
                                 : static_cast<char*>(arguments.outputs[0]) + first * size_;
    if (reduced_.size == 0) {
      for (int64_t i = 0; i < n; ++i) std::memcpy(out + i * size_, row_->identity, size_);
      return;
    }
    const char* const in = static_cast<const char*>(arguments.inputs[0]);
    const bool in_place = !gathers_blocks_ && (n <= 1 || (kept_.strides[0] == 1 && run_ == kept_.extents[0]));
    const char* const base = in + (in_place ? OffsetOf(kept_, first) * size_ : 0);
    const int64_t stride = kPanel * size_;
    const int64_t begin = part * rows_of_subtree_;
    const int64_t end = std::min(reduced_.size, begin + rows_of_subtree_);
    Tree tree(row_, scratch + GatheredBytes(), n, stride);
    for (int64_t block = begin; block < end; block += kRowsOfBlock) {
      char* const sum = tree.Next();
      const int64_t last = std::min(end, block + kRowsOfBlock);
      if (gathers_blocks_) GatherBlock(in, first, n, block, last, scratch);
      const auto row_at = [&](int64_t r) {
        return gathers_blocks_ ? scratch + (r - block) * n * size_ : base + OffsetOf(reduced_, r) * size_;
      };
      const bool are_there = in_place || gathers_blocks_;
      if (are_there && row_->combine_rows != nullptr) {
        const void* rows[kRowsOfBlock];
        for (int64_t r = block; r < last; ++r) rows[r - block] = row_at(r);
        row_->combine_rows(sum, rows, last - block, n);
        tree.Push();
        continue;
      }
      for (int64_t r = block; r < last; ++r) {
        const char* row = row_at(r);
        if (!are_there) {
          char* const gathered = r == block ? sum : scratch;
          GatherTile(static_cast<int>(size_), static_cast<int>(kept_.extents.size()), kept_.extents.data(), row,
                     kept_.strides.data(), first, n, gathered);
          row = gathered;
        } else if (r == block) {
          std::memcpy(sum, row, n * size_);
        }
        if (r == block) continue;
        const void* both[2] = {sum, row};
        row_->combine(sum, both, n);
      }
      tree.Push();
    }
    std::memcpy(out, tree.Result(), n * size_);
  }

  void Combine(const KernelArguments& arguments) const {
    char* const parts = static_cast<char*>(arguments.workspace);
    char* const out = static_cast<char*>(arguments.outputs[0]);
    if (!by_rows_) {
      for (int64_t line = 0; line < kept_.size; ++line) {
        row_->tree(out + line * size_, parts + line * parts_ * size_, parts_);
      }
      return;
    }
    char* const scratch = static_cast<char*>(arguments.WorkspaceOf(0));
    for (int64_t first = 0; first < kept_.size; first += kPanel) {
      const int64_t n = std::min(kPanel, kept_.size - first);
      Tree tree(row_, scratch, n, kPanel * size_);
      for (int64_t part = 0; part < parts_; ++part) {
        std::memcpy(tree.Next(), parts + (part * kept_.size + first) * size_, n * size_);
        tree.Push();
      }
      std::memcpy(out + first * size_, tree.Result(), n * size_);
    }
  }

  const ReduceRow* row_;
  int64_t size_;
  Walk kept_, reduced_;
  bool by_rows_;
  bool gathers_blocks_ = false;
  bool lines_together_;  // each is one chunk, and follows the one before
  int64_t rows_of_subtree_ = kRowsOfBlock * kBlocksOfSubtree;
  int64_t parts_;       // chunks of a line, subtrees of a panel
  int64_t levels_ = 1;  // of a tree over a subtree's blocks or over the parts
  int64_t panel_, panels_of_run_, run_;
  double nanoseconds_;
};

absl::StatusOr<std::unique_ptr<Kernel>> MakeReduce(const KernelRequest& request) {
  const ReduceRow* row = FindRow(request.isa, &request.op, static_cast<uint8_t>(request.inputs[0].dtype));
  if (row == nullptr) return absl::UnimplementedError("has no CPU kernel for this dtype");
  return std::make_unique<ReduceKernel>(request, row);
}

constexpr CpuFamily kFamily{.make = MakeReduce, .strided_operands = true, .reduce = FindRow};

[[maybe_unused]] const bool kFilled = FillSlot(reduce_slots, &FamilySlots::cpu, &kFamily);

}  // namespace
}  // namespace tenferro
