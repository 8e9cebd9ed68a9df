// Operations at once: elementwise ones go straight to their tile kernel, renamings of elements give views, the others
// keep what was prepared for them.

#include <algorithm>

#include "tenferro/cpu/cost.h"
#include "tenferro/cpu/cpu_backend.h"
#include "tenferro/cpu/kernels/move.h"
#include "tenferro/cpu/share_work.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/tensor/status.h"

namespace tenferro {

CpuBackend::CpuBackend(int width, Isa isa) : isa_(isa) {
  if (width > 1) {
    auto pool = std::make_shared<ThreadPool>(width);
    pool_ = pool.get();
    workers_ = std::move(pool);
  } else {
    workers_ = std::make_shared<SerialWorkers>();
  }
}

absl::StatusOr<Tensor> CpuBackend::Upload(const Tensor& tensor) {
  TENFERRO_RETURN_IF_ERROR(tensor.HostData().status());
  return tensor;
}

absl::StatusOr<Tensor> CpuBackend::Download(const Tensor& tensor) { return Upload(tensor); }

absl::StatusOr<Prepared> CpuBackend::Prepare(const Program& program) {
  auto evaluate = [this](const OpDef& op, WordSpan attributes, absl::Span<const Tensor> inputs) {
    return RunOp(op, attributes, inputs);
  };
  TENFERRO_ASSIGN_OR_RETURN(std::shared_ptr<const CpuProgram> prepared,
                            CpuProgram::Make(program, isa_, evaluate, workers_));
  return Prepared(std::move(prepared));
}

absl::StatusOr<bool> CpuBackend::RunElementwise(const OpDef& op, WordSpan attributes, const ValueType& type,
                                                absl::Span<const Tensor> inputs, Tensor& result) const {
  const CpuFamily* const family = op.slots == nullptr ? nullptr : op.slots->cpu;
  if (op.kind != OpKind::kElementwise || family == nullptr || family->tile == nullptr || inputs.size() > 3)
    return false;
  const DType from = inputs[inputs.size() == 3 ? 1 : 0].dtype();
  const TileFn tile = family->tile(isa_, &op, static_cast<uint8_t>(from), static_cast<uint8_t>(type.dtype));
  if (tile == nullptr) return false;
  TENFERRO_ASSIGN_OR_RETURN(result, Tensor::Uninitialized(type.dtype, type.shape));
  const int64_t size = type.shape.size();
  char* const out = static_cast<char*>(result.storage()->data());
  const char* in[3] = {};
  int64_t advance[3] = {};
  Walk walks[3];
  bool dense = true;
  for (size_t i = 0; i < inputs.size(); ++i) {
    TENFERRO_ASSIGN_OR_RETURN(const void* data, inputs[i].HostData());
    in[i] = static_cast<const char*>(data);
    advance[i] = SizeOf(inputs[i].dtype());
    if (inputs[i].IsDense()) continue;
    dense = false;
    walks[i] = WalkOf(type.shape, {0, Ints(inputs[i].strides().begin(), inputs[i].strides().end())});
  }
  auto run = [&](int64_t begin, int64_t end) {
    if (dense) {
      const void* at[4] = {in[0] + begin * advance[0], in[1] + begin * advance[1], in[2] + begin * advance[2],
                           attributes.data()};
      tile(out + begin * SizeOf(type.dtype), at, end - begin);
      return;
    }
    alignas(64) char gathered[3][kMinTile * kMaxElementSize];
    for (int64_t start = begin; start < end; start += kMinTile) {
      const int64_t n = std::min(kMinTile, end - start);
      const void* at[4] = {nullptr, nullptr, nullptr, attributes.data()};
      for (int i = 0; i < 3; ++i) {
        at[i] = in[i] + start * advance[i];
        if (walks[i].extents.empty()) continue;
        GatherTile(static_cast<int>(advance[i]), static_cast<int>(walks[i].extents.size()), walks[i].extents.data(),
                   in[i], walks[i].strides.data(), start, n, gathered[i]);
        at[i] = gathered[i];
      }
      tile(out + start * SizeOf(type.dtype), at, n);
    }
  };
  const double work = kElementNanoseconds * static_cast<double>(size);
  if (pool_ == nullptr || !IsWorthSharing(*pool_, work)) {
    run(0, size);
    return true;
  }
  const int64_t each = static_cast<int64_t>(kTaskNanoseconds / kElementNanoseconds) / kReduceChunk * kReduceChunk;
  pool_->ForEach((size + each - 1) / each, [&](int64_t task) { run(task * each, std::min(size, (task + 1) * each)); });
  return true;
}

absl::StatusOr<bool> CpuBackend::RunView(const OpDef& op, WordSpan attributes, const ValueType& type,
                                         absl::Span<const Tensor> inputs, Tensor& result) const {
  const CpuFamily* const family = op.slots == nullptr ? nullptr : op.slots->cpu;
  if (family == nullptr || family->view == nullptr || inputs.size() != 1) return false;
  const Tensor& input = inputs[0];
  Layout layout;
  if (!family->view(op, attributes, {input.dtype(), input.shape()},
                    {input.offset(), Ints(input.strides().begin(), input.strides().end())}, type, &layout)) {
    return false;
  }
  TENFERRO_ASSIGN_OR_RETURN(
      result, Tensor::FromStorage(input.storage(), type.dtype, type.shape, layout.strides, layout.offset));
  return true;
}

absl::StatusOr<std::shared_ptr<const CpuProgram>> CpuBackend::PrepareOp(const OpDef& op, WordSpan attributes,
                                                                        absl::Span<const Tensor> inputs,
                                                                        absl::Span<const ValueType> outputs) {
  const OpCache::Key key = OpCache::MakeKey(op, attributes, inputs);
  if (std::shared_ptr<const CpuProgram> found = cache_.Find(key); found != nullptr) return found;
  auto graph = std::make_shared<GraphData>();
  std::vector<ValueId> arguments, results;
  const Location nowhere;
  for (const Tensor& input : inputs) {
    const int64_t index = static_cast<int64_t>(arguments.size());
    arguments.push_back(graph->nodes.Add(kInput, {index}, {}, {{input.dtype(), input.shape()}}, nowhere));
  }
  const ValueId first = graph->nodes.Add(op, attributes, arguments, outputs, nowhere);
  for (size_t i = 0; i < outputs.size(); ++i) results.push_back(first + static_cast<ValueId>(i));
  const Program program(std::move(graph), std::move(arguments), std::move(results), {});
  auto never = [](const OpDef&, WordSpan, absl::Span<const Tensor>) -> absl::StatusOr<std::vector<Tensor>> {
    return absl::InternalError("a single operation has no constant operands");
  };
  TENFERRO_ASSIGN_OR_RETURN(std::shared_ptr<const CpuProgram> prepared,
                            CpuProgram::Make(program, isa_, never, workers_));
  cache_.Insert(key, prepared);
  return prepared;
}

absl::StatusOr<std::vector<Tensor>> CpuBackend::RunOp(const OpDef& op, WordSpan attributes,
                                                      absl::Span<const Tensor> inputs) {
  absl::InlinedVector<ValueType, 3> types;
  for (const Tensor& input : inputs) types.push_back({input.dtype(), input.shape()});
  ValueTypes outputs;
  TENFERRO_RETURN_IF_ERROR(op.infer(op, attributes, types, outputs));
  std::vector<Tensor> results(outputs.size());
  if (outputs.size() == 1) {
    TENFERRO_ASSIGN_OR_RETURN(bool done, RunElementwise(op, attributes, outputs[0], inputs, results[0]));
    if (!done) {
      TENFERRO_ASSIGN_OR_RETURN(done, RunView(op, attributes, outputs[0], inputs, results[0]));
    }
    if (done) return results;
  }
  TENFERRO_ASSIGN_OR_RETURN(std::shared_ptr<const CpuProgram> prepared, PrepareOp(op, attributes, inputs, outputs));
  TENFERRO_RETURN_IF_ERROR(prepared->Run(inputs, absl::MakeSpan(results), false));
  return results;
}

}  // namespace tenferro
