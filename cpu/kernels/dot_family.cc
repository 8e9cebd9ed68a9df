// dot_general as matrix products on the tensors where they lie: each of the four lists of axes (free of either side,
// contracted, batch) becomes one matrix axis, by a stride where its axes step evenly together, else by a table of
// offsets.

#include <algorithm>
#include <new>

#include "tenferro/cpu/alignment.h"
#include "tenferro/cpu/cost.h"
#include "tenferro/cpu/gemm/gemm.h"
#include "tenferro/cpu/gemm/zero_blocks.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/cpu/kernels/merged_axis.h"
#include "tenferro/cpu/share_work.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/slots.h"

namespace tenferro {
namespace {

Ints FreeAxes(int rank, const Ints& batch, const Ints& contract) {
  Ints free;
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (std::find(batch.begin(), batch.end(), axis) == batch.end() &&
        std::find(contract.begin(), contract.end(), axis) == contract.end()) {
      free.push_back(axis);
    }
  }
  return free;
}

Ints Consecutive(size_t first, size_t count) {
  Ints axes;
  for (size_t i = 0; i < count; ++i) axes.push_back(static_cast<int64_t>(first + i));
  return axes;
}

class DotKernel final : public Kernel {
 public:
  explicit DotKernel(const KernelRequest& request) : isa_(request.isa) {
    const DotGeneralAttributes axes = Decode<DotGeneralAttributes>(request.attributes);
    const Shape& lhs = request.inputs[0].shape;
    const Shape& rhs = request.inputs[1].shape;
    const Shape& out = request.outputs[0].shape;
    const Ints& lhs_strides = request.input_strides[0];
    const Ints& rhs_strides = request.input_strides[1];
    const absl::Span<const int64_t> out_strides = request.output_strides;
    const Ints lhs_free = FreeAxes(lhs.rank(), axes.lhs_batch, axes.lhs_contract);
    const Ints rhs_free = FreeAxes(rhs.rank(), axes.rhs_batch, axes.rhs_contract);
    const size_t batches = axes.lhs_batch.size();

    dtype_ = request.outputs[0].dtype;
    a_rows_ = MergedAxis(lhs, lhs_strides, lhs_free);
    a_cols_ = MergedAxis(lhs, lhs_strides, axes.lhs_contract);
    b_rows_ = MergedAxis(rhs, rhs_strides, axes.rhs_contract);
    b_cols_ = MergedAxis(rhs, rhs_strides, rhs_free);
    c_rows_ = MergedAxis(out, out_strides, Consecutive(batches, lhs_free.size()));
    c_cols_ = MergedAxis(out, out_strides, Consecutive(batches + lhs_free.size(), rhs_free.size()));
    a_batch_ = MergedAxis(lhs, lhs_strides, axes.lhs_batch);
    b_batch_ = MergedAxis(rhs, rhs_strides, axes.rhs_batch);
    c_batch_ = MergedAxis(out, out_strides, Consecutive(0, batches));
    // The product of the transposes, when that makes the columns of C lie together: the same sums of the same products.
    swapped_ = !c_rows_.is_consecutive() && c_cols_.is_consecutive();
    if (swapped_) {
      std::swap(a_rows_, b_cols_);
      std::swap(a_cols_, b_rows_);
      std::swap(c_rows_, c_cols_);
      std::swap(a_batch_, b_batch_);
    }
    const GemmArgs args = Args(nullptr, nullptr, nullptr, 0);
    blocks_ = c_rows_.extent() == 0 || c_cols_.extent() == 0 ? 0 : GemmBlockCount(isa_, args);
    unit_ = blocks_ == 1 ? GemmBatchUnit(isa_, args, Batches()) : 1;
    worker_bytes_ = blocks_ == 0   ? 0
                    : blocks_ == 1 ? GemmBatchWorkspaceBytes(isa_, args, Batches())
                                   : GemmWorkspaceBytes(isa_, args);
    if (blocks_ > 0 && c_batch_.extent() > 0 && ZeroBlocks::CanPay(args)) {
      zero_block_bytes_ = kFoundBytes + ZeroBlocks::WorkspaceBytes(args);
      search_nanoseconds_ = kByteCopiedNanoseconds / 2 * static_cast<double>(SizeOf(dtype_) * a_cols_.extent()) *
                            static_cast<double>(c_rows_.extent() + c_cols_.extent());
      worker_bytes_ = std::max(worker_bytes_, ZeroBlocks::WorkerBytes(isa_, args));
    }
    nanoseconds_ = kProductNanoseconds * static_cast<double>(c_rows_.extent()) * static_cast<double>(c_cols_.extent()) *
                   static_cast<double>(a_cols_.extent() + 1) * static_cast<double>(c_batch_.extent()) *
                   static_cast<double>(SizeOf(dtype_)) / 8;
  }

  int64_t workspace_bytes() const override { return zero_block_bytes_; }
  int64_t worker_workspace_bytes() const override { return worker_bytes_; }
  double flops() const override {
    return (IsComplex(dtype_) ? 8.0 : 2.0) * static_cast<double>(c_rows_.extent() * c_cols_.extent()) *
           static_cast<double>(a_cols_.extent() * c_batch_.extent());
  }

  ResultColumns result_columns() const override {
    if (blocks_ == 0 || c_batch_.extent() != 1 || !c_rows_.is_consecutive() || !c_cols_.has_stride(c_rows_.extent())) {
      return {};
    }
    int64_t range[4];
    GemmBlockRange(isa_, Args(nullptr, nullptr, nullptr, 0), 0, range);
    return {c_rows_.extent(), c_cols_.extent(), range[1], range[3], a_cols_.extent(), nanoseconds_};
  }
  void StartColumns(const KernelArguments& arguments) const override {
    if (zero_block_bytes_ == 0) return;
    auto* const found = new (arguments.workspace) Found;
    found->any = Find(found->zero_blocks, ColumnArgs(arguments), arguments,
                      static_cast<char*>(arguments.workspace) + kFoundBytes);
  }
  void RunColumns(const KernelArguments& arguments, int64_t begin, int64_t end, void* to, int worker) const override {
    const auto* const found = static_cast<const Found*>(arguments.workspace);
    if (zero_block_bytes_ > 0 && found->any) {
      return found->zero_blocks.RunColumns(begin, end, to, arguments.WorkspaceOf(worker));
    }
    GemmArgs args = ColumnArgs(arguments);
    args.c = static_cast<char*>(to) - begin * c_rows_.extent() * SizeOf(dtype_);  // where column 0 would be
    GemmBlock(isa_, args, 0, c_rows_.extent(), begin, end, arguments.WorkspaceOf(worker));
  }

  absl::Status Run(const KernelArguments& arguments) const override {
    const int64_t batches = c_batch_.extent();
    const char* a = static_cast<const char*>(arguments.inputs[swapped_ ? 1 : 0]);
    const char* b = static_cast<const char*>(arguments.inputs[swapped_ ? 0 : 1]);
    char* const c = static_cast<char*>(arguments.outputs[0]);
    if (zero_block_bytes_ > 0) {
      // What the first product of a batch has, the others are likely to have.
      ZeroBlocks zero_blocks;
      bool found = Find(zero_blocks, Args(a, b, c, 0), arguments, arguments.workspace);
      if (found) {
        for (int64_t batch = 0; batch < batches; ++batch) {
          const GemmArgs args = Args(a, b, c, batch);
          if (batch > 0) found = Find(zero_blocks, args, arguments, arguments.workspace);
          found ? RunGroups(zero_blocks, arguments) : RunWhole(args, arguments);
        }
        return absl::OkStatus();
      }
    }
    if (blocks_ == 1) {
      const GemmArgs args = Args(a, b, c, 0);
      ForEachRange(arguments.workers, (batches + unit_ - 1) / unit_, nanoseconds_,
                   [&](int64_t begin, int64_t end, int worker) {
                     GemmBatch(isa_, args, Batches(), begin * unit_, std::min(end * unit_, batches),
                               arguments.WorkspaceOf(worker));
                   });
      return absl::OkStatus();
    }
    ForEachRange(arguments.workers, blocks_ * batches, nanoseconds_, [&](int64_t begin, int64_t end, int worker) {
      for (int64_t task = begin; task < end; ++task) {
        const GemmArgs args = Args(a, b, c, task / blocks_);
        int64_t range[4];
        GemmBlockRange(isa_, args, task % blocks_, range);
        GemmBlock(isa_, args, range[0], range[1], range[2], range[3], arguments.WorkspaceOf(worker));
      }
    });
    return absl::OkStatus();
  }

 private:
  // What StartColumns leaves for RunColumns, with the groups' lists after it.
  struct Found {
    ZeroBlocks zero_blocks;
    bool any = false;
  };
  static constexpr int64_t kFoundBytes = Aligned(sizeof(Found));

  GemmBatches Batches() const { return {a_batch_.ToGemm(), b_batch_.ToGemm(), c_batch_.ToGemm()}; }

  bool Find(ZeroBlocks& zero_blocks, const GemmArgs& args, const KernelArguments& arguments, void* memory) const {
    return zero_blocks.Find(isa_, args, memory, [&](absl::FunctionRef<void(int)> task) {
      ForEachTask(arguments.workers, 2, search_nanoseconds_,
                  [&](int64_t factor, int) { task(static_cast<int>(factor)); });
    });
  }

  void RunWhole(const GemmArgs& args, const KernelArguments& arguments) const {
    ForEachTask(arguments.workers, blocks_, nanoseconds_, [&](int64_t task, int worker) {
      int64_t range[4];
      GemmBlockRange(isa_, args, task, range);
      GemmBlock(isa_, args, range[0], range[1], range[2], range[3], arguments.WorkspaceOf(worker));
    });
  }

  void RunGroups(const ZeroBlocks& zero_blocks, const KernelArguments& arguments) const {
    zero_blocks.ClearOtherColumns();
    int64_t tasks = 0;
    for (int64_t group = 0; group < zero_blocks.group_count(); ++group) tasks += zero_blocks.BlockCount(group);
    ForEachTask(arguments.workers, tasks, nanoseconds_, [&](int64_t task, int worker) {
      int64_t group = 0;
      for (; task >= zero_blocks.BlockCount(group); ++group) task -= zero_blocks.BlockCount(group);
      zero_blocks.RunBlock(group, task, arguments.WorkspaceOf(worker));
    });
  }

  GemmArgs Args(const char* a, const char* b, char* c, int64_t batch) const {
    const int64_t size = SizeOf(dtype_);
    GemmArgs args{};
    args.dtype = static_cast<uint8_t>(dtype_);
    args.a_rows = a_rows_.ToGemm();
    args.a_cols = a_cols_.ToGemm();
    args.b_rows = b_rows_.ToGemm();
    args.b_cols = b_cols_.ToGemm();
    args.c_rows = c_rows_.ToGemm();
    args.c_cols = c_cols_.ToGemm();
    if (c != nullptr) {
      args.a = a + a_batch_.offset(batch) * size;
      args.b = b + b_batch_.offset(batch) * size;
      args.c = c + c_batch_.offset(batch) * size;
    }
    return args;
  }

  // The only product, whose C is a dense matrix.
  GemmArgs ColumnArgs(const KernelArguments& arguments) const {
    GemmArgs args = Args(nullptr, nullptr, nullptr, 0);
    args.a = arguments.inputs[swapped_ ? 1 : 0];
    args.b = arguments.inputs[swapped_ ? 0 : 1];
    args.c_rows = {c_rows_.extent(), 1, nullptr};
    args.c_cols = {c_cols_.extent(), c_rows_.extent(), nullptr};
    return args;
  }

  Isa isa_;
  DType dtype_;
  MergedAxis a_rows_, a_cols_, b_rows_, b_cols_, c_rows_, c_cols_, a_batch_, b_batch_, c_batch_;
  bool swapped_;
  int64_t blocks_;  // of one product
  int64_t unit_;    // products a thread takes at a time
  int64_t worker_bytes_;
  int64_t zero_block_bytes_ = 0;
  double search_nanoseconds_ = 0;  // of reading both factors
  double nanoseconds_;
};

absl::StatusOr<std::unique_ptr<Kernel>> MakeDot(const KernelRequest& request) {
  return std::make_unique<DotKernel>(request);
}

constexpr CpuFamily kFamily{.make = MakeDot, .strided_operands = true, .strided_result = true};

[[maybe_unused]] const bool kFilled = FillSlot(dot_slots, &FamilySlots::cpu, &kFamily);

}  // namespace
}  // namespace tenferro
