#include "tenferro/cpu/instruction.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tenferro/cpu/alignment.h"
#include "tenferro/cpu/cost.h"
#include "tenferro/cpu/iota.h"
#include "tenferro/cpu/kernels/move.h"
#include "tenferro/cpu/share_work.h"
#include "tenferro/cpu/thread_pool.h"
#include "tenferro/tensor/status.h"

namespace tenferro {
namespace {

struct Place {
  int32_t base;
  int64_t offset;
};

Place PlaceOf(const Plan& plan, const PlanValue& value) {
  const LoopAddress address = AddressOf(plan, value.buffer);
  return {address.base, address.offset + value.layout.offset * SizeOf(value.type->dtype)};
}
Place PlaceOf(const Plan& plan, BufferId buffer) {
  const LoopAddress address = AddressOf(plan, buffer);
  return {address.base, address.offset};
}

char* Resolve(const Place& place, char* const* bases) { return bases[place.base] + place.offset; }

// "%3", with its layout where it is not the value's own.
std::string NameOf(const Plan& plan, PlanValueId id) {
  const PlanValue& value = plan.values[id];
  const bool copied = id >= plan.program.nodes().num_values();
  std::string text = copied ? absl::StrCat("copy", id) : absl::StrCat("%", id);
  if (value.is_dense()) return text;
  absl::StrAppend(&text, "{offset ", value.layout.offset, " strides");
  for (int64_t stride : value.layout.strides) absl::StrAppend(&text, " ", stride);
  return text + "}";
}

class LoopInstruction final : public Instruction {
 public:
  LoopInstruction(const Plan& plan, const Cluster& cluster, Loop loop) : loop_(std::move(loop)) {
    for (size_t i = 0; i < loop_.products.size(); ++i) {
      const Item& item = plan.items[cluster.items[i]];
      product_texts_.push_back(item.node->op->name);
      for (PlanValueId operand : item.operands) absl::StrAppend(&product_texts_.back(), " ", NameOf(plan, operand));
    }
  }

  absl::Status Run(const RunFrame& frame) const override {
    RunLoop(loop_, frame.bases, frame.workspace, frame.worker_memory, frame.worker_stride, frame.workers);
    return absl::OkStatus();
  }

  void Explain(std::string& text) const override {
    absl::StrAppend(&text, "loop over ", loop_.size, " elements, tile ", loop_.tile, ", registers ",
                    loop_.num_registers, "\n");
    auto name = [&](const LoopLabel& label) { return absl::StrCat(absl::string_view(&label.kind, 1), label.index); };
    for (size_t i = 0; i < loop_.products.size(); ++i) {
      absl::StrAppend(&text, "    ", name(loop_.labels[loop_.products[i].target]), " = ", product_texts_[i], ", ",
                      loop_.blocks.column_step, " columns at a time\n");
    }
    for (const LoopGather& fill : loop_.fills) {
      absl::StrAppend(&text, "    fill ", name(loop_.labels[fill.target]), "\n");
    }
    for (const LoopGather& gather : loop_.gathers) {
      absl::StrAppend(&text, "    ", name(loop_.labels[gather.target]), " = gather strides");
      for (int64_t stride : gather.walk.strides) absl::StrAppend(&text, " ", stride);
      text += '\n';
    }
    for (size_t i = 0; i < loop_.steps.size(); ++i) {
      const LoopStep& step = loop_.steps[i];
      absl::StrAppend(&text, "    ", name(loop_.labels[step.out]));
      if (loop_.step_partners[i] != nullptr) absl::StrAppend(&text, ", ", name(loop_.labels[step.in[1]]));
      absl::StrAppend(&text, " = ", loop_.step_names[i]);
      if (loop_.step_partners[i] != nullptr) absl::StrAppend(&text, " and ", loop_.step_partners[i]);
      for (int k = 0; k < loop_.step_arity[i]; ++k) absl::StrAppend(&text, " ", name(loop_.labels[step.in[k]]));
      text += '\n';
    }
    for (size_t i = 0; i < loop_.reduces.size(); ++i) {
      absl::StrAppend(&text, "    ", name(loop_.reduce_labels[i]), " = ", loop_.reduce_names[i], " ",
                      name(loop_.labels[loop_.reduces[i].source]), "\n");
    }
  }

  int64_t workspace_bytes() const override { return loop_.workspace_bytes; }
  int64_t worker_bytes() const override { return loop_.worker_bytes; }
  double flops() const override {
    double sum = 0;
    for (const LoopProduct& product : loop_.products) sum += product.kernel->flops();
    return sum;
  }

 private:
  Loop loop_;
  std::vector<std::string> product_texts_;
};

class KernelInstruction final : public Instruction {
 public:
  KernelInstruction(const Plan& plan, Item& item) : node_(*item.node), kernel_(std::move(item.kernel)) {
    for (size_t i = 0; i < item.operands.size(); ++i) {
      inputs_.push_back(PlaceOf(plan, plan.operand(item, static_cast<int>(i))));
      absl::StrAppend(&operand_names_, " ", NameOf(plan, item.operands[i]));
    }
    for (BufferId output : item.outputs) outputs_.push_back(PlaceOf(plan, output));
    const PlanValue& result = plan.values[node_.first_output];
    if (result.access != Access::kWhole) result_name_ = NameOf(plan, node_.first_output);
  }

  absl::Status Run(const RunFrame& frame) const override {
    absl::InlinedVector<const void*, 4> inputs;
    absl::InlinedVector<void*, 4> outputs;
    for (const Place& place : inputs_) inputs.push_back(Resolve(place, frame.bases));
    for (const Place& place : outputs_) outputs.push_back(Resolve(place, frame.bases));
    absl::Status status = kernel_->Run({.inputs = inputs,
                                        .outputs = outputs,
                                        .workspace = frame.workspace,
                                        .worker_workspace = frame.worker_memory,
                                        .worker_stride = frame.worker_stride,
                                        .workers = frame.workers});
    if (ABSL_PREDICT_TRUE(status.ok())) return status;
    return AtNode(node_, status);
  }

  void Explain(std::string& text) const override {
    if (result_name_.empty()) {
      absl::StrAppend(&text, "%", node_.first_output);
    } else {
      text += result_name_;
    }
    absl::StrAppend(&text, " = ", node_.op->name, operand_names_, "\n");
  }

  int64_t workspace_bytes() const override { return kernel_->workspace_bytes(); }
  int64_t worker_bytes() const override { return kernel_->worker_workspace_bytes(); }
  double flops() const override { return kernel_->flops(); }

 private:
  const Node& node_;
  std::unique_ptr<Kernel> kernel_;
  absl::InlinedVector<Place, 3> inputs_;
  absl::InlinedVector<Place, 1> outputs_;
  std::string operand_names_;
  std::string result_name_;
};

// Kernels that keep to one thread, each on one.
class SideBySideInstruction final : public Instruction {
 public:
  explicit SideBySideInstruction(std::vector<std::unique_ptr<KernelInstruction>> kernels)
      : kernels_(std::move(kernels)) {
    for (const auto& kernel : kernels_) {
      offsets_.push_back(bytes_);
      bytes_ += Aligned(kernel->workspace_bytes()) + Aligned(kernel->worker_bytes());
    }
  }

  absl::Status Run(const RunFrame& frame) const override {
    std::vector<absl::Status> statuses(kernels_.size());
    frame.workers.ForEach(static_cast<int64_t>(kernels_.size()), [&](int64_t i) {
      char* const workspace = frame.workspace + offsets_[i];
      char* const worker_memory = workspace + Aligned(kernels_[i]->workspace_bytes());
      const SerialWorkers alone;
      statuses[i] = kernels_[i]->Run({frame.bases, workspace, worker_memory, 0, alone});
    });
    for (const absl::Status& status : statuses) TENFERRO_RETURN_IF_ERROR(status);
    return absl::OkStatus();
  }

  void Explain(std::string& text) const override {
    text += "side by side\n";
    for (const auto& kernel : kernels_) {
      text += "    ";
      kernel->Explain(text);
    }
  }

  int64_t workspace_bytes() const override { return bytes_; }
  double flops() const override {
    double sum = 0;
    for (const auto& kernel : kernels_) sum += kernel->flops();
    return sum;
  }

 private:
  std::vector<std::unique_ptr<KernelInstruction>> kernels_;
  std::vector<int64_t> offsets_;
  int64_t bytes_ = 0;
};

class CopyInstruction final : public Instruction {
 public:
  CopyInstruction(const Plan& plan, const Item& item)
      : isa_(plan.isa),
        source_(PlaceOf(plan, plan.operand(item, 0))),
        target_(PlaceOf(plan, item.outputs[0])),
        name_(NameOf(plan, item.operands[0])) {
    const PlanValue& value = plan.operand(item, 0);
    const Walk walk = WalkOf(value.type->shape, value.layout);
    const Ints dense = Shape(absl::MakeConstSpan(walk.extents)).ColMajorStrides();
    copy_ = PlanStridedCopy(static_cast<int>(SizeOf(value.type->dtype)), static_cast<int>(walk.extents.size()),
                            walk.extents.data(), dense.data(), walk.strides.data());
    const Buffer& buffer = plan.buffers[item.outputs[0]];
    bytes_ = buffer.bytes();
    output_ = buffer.kind == Buffer::Kind::kOutput ? buffer.index : kNone;
  }

  absl::Status Run(const RunFrame& frame) const override {
    void* const out = Resolve(target_, frame.bases);
    const void* const in = Resolve(source_, frame.bases);
    const double work = kByteCopiedNanoseconds * static_cast<double>(bytes_);
    ForEachRange(frame.workers, copy_.pieces, work,
                 [&](int64_t begin, int64_t end, int) { StridedCopyPieces(isa_, copy_, begin, end, out, in); });
    return absl::OkStatus();
  }

  void Explain(std::string& text) const override {
    if (output_ == kNone) {
      absl::StrAppend(&text, "copy of ", name_, "\n");
    } else {
      absl::StrAppend(&text, "output ", output_, " = ", name_, "\n");
    }
  }

 private:
  Isa isa_;
  Place source_;
  Place target_;
  StridedCopyPlan copy_;
  int64_t bytes_;
  int32_t output_;
  std::string name_;
};

class IotaInstruction final : public Instruction {
 public:
  IotaInstruction(const Plan& plan, const Item& item)
      : dtype_(plan.buffers[item.outputs[0]].dtype),
        size_(plan.buffers[item.outputs[0]].size),
        target_(PlaceOf(plan, item.outputs[0])),
        value_(item.node->first_output) {}

  absl::Status Run(const RunFrame& frame) const override {
    FillIota(dtype_, size_, Resolve(target_, frame.bases));
    return absl::OkStatus();
  }

  void Explain(std::string& text) const override { absl::StrAppend(&text, "%", value_, " = iota ", size_, "\n"); }

 private:
  DType dtype_;
  int64_t size_;
  Place target_;
  ValueId value_;
};

}  // namespace

std::unique_ptr<Instruction> MakeInstruction(Plan& plan, int32_t cluster, LoopBuilder& loops) {
  if (plan.clusters[cluster].is_loop) {
    Loop loop = loops.Build(cluster);
    return std::make_unique<LoopInstruction>(plan, plan.clusters[cluster], std::move(loop));
  }
  const std::vector<ItemId>& items = plan.clusters[cluster].items;
  if (items.size() > 1) {
    std::vector<std::unique_ptr<KernelInstruction>> kernels;
    for (ItemId id : items) kernels.push_back(std::make_unique<KernelInstruction>(plan, plan.items[id]));
    return std::make_unique<SideBySideInstruction>(std::move(kernels));
  }
  Item& item = plan.items[items[0]];
  switch (item.kind) {
    case Item::Kind::kKernel: return std::make_unique<KernelInstruction>(plan, item);
    case Item::Kind::kIota: return std::make_unique<IotaInstruction>(plan, item);
    default: return std::make_unique<CopyInstruction>(plan, item);
  }
}

}  // namespace tenferro
