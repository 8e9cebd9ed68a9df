#include "tenferro/cpu/cpu_program.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "tenferro/cpu/alignment.h"
#include "tenferro/tensor/status.h"

namespace tenferro {
namespace {

char* DataOf(const Tensor& tensor) { return static_cast<char*>(tensor.storage()->data()); }

}  // namespace

constinit const ProgramInspection* program_inspection = nullptr;

absl::StatusOr<std::shared_ptr<const CpuProgram>> CpuProgram::Make(const Program& program, Isa isa, EvaluateOp evaluate,
                                                                   std::shared_ptr<const Workers> workers) {
  TENFERRO_ASSIGN_OR_RETURN(Plan plan, LowerProgram(program, isa, evaluate));
  FormClusters(plan, workers->width() > 1);
  FuseProducts(plan);
  PlaceBuffers(plan);
  std::shared_ptr<CpuProgram> result(new CpuProgram(std::move(plan), std::move(workers)));
  LoopBuilder loops(result->plan_);
  for (size_t c = 0; c < result->plan_.clusters.size(); ++c) {
    std::unique_ptr<Instruction> instruction = MakeInstruction(result->plan_, static_cast<int32_t>(c), loops);
    result->workspace_bytes_ = std::max(result->workspace_bytes_, Aligned(instruction->workspace_bytes()));
    result->worker_stride_ = std::max(result->worker_stride_, Aligned(instruction->worker_bytes()));
    result->instructions_.push_back(std::move(instruction));
  }
  for (ValueId output : program.outputs()) result->output_types_.push_back(program.type(output));
  return result;
}

CpuProgram::~CpuProgram() {
  delete spare_.load();
  while (spares_ != nullptr) {
    Scratch* const scratch = spares_;
    spares_ = scratch->next;
    delete scratch;
  }
}

namespace {

// Memory to be freed with std::free, or nullptr. A large piece asks for huge pages: the first run of a program touches
// all of it, and thousands of small pages cost as much as the work.
char* AllocateScratch(int64_t bytes) {
  constexpr int64_t kHugePage = int64_t{2} << 20;
  if (bytes < 2 * kHugePage) return static_cast<char*>(std::aligned_alloc(kAlignment, bytes));
  const int64_t whole_pages = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  void* const memory = std::aligned_alloc(kHugePage, whole_pages);
#ifdef MADV_HUGEPAGE
  if (memory != nullptr) madvise(memory, whole_pages, MADV_HUGEPAGE);  // a wish: refusing it changes nothing
#endif
  return static_cast<char*>(memory);
}

}  // namespace

absl::StatusOr<CpuProgram::Scratch*> CpuProgram::TakeScratch() const {
  if (Scratch* const spare = spare_.exchange(nullptr, std::memory_order_acquire)) return spare;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (Scratch* const spare = spares_) {
      spares_ = spare->next;
      return spare;
    }
  }
  const int64_t arena = Aligned(plan_.arena_bytes);
  const int64_t bytes = std::max(kAlignment, arena + workspace_bytes_ + worker_stride_ * workers_->width());
  char* const memory = AllocateScratch(bytes);
  if (memory == nullptr) {
    return absl::ResourceExhaustedError(absl::StrCat("out of memory: a run needs ", bytes, " bytes of its own"));
  }
  auto* scratch = new Scratch{{memory, std::free}, {}, memory + arena, memory + arena + workspace_bytes_, nullptr};
  scratch->bases.resize(ConstantBase(plan_, static_cast<int32_t>(plan_.constants.size())), nullptr);
  scratch->bases[0] = memory;
  for (size_t i = 0; i < plan_.constants.size(); ++i) {
    scratch->bases[ConstantBase(plan_, static_cast<int32_t>(i))] = DataOf(plan_.constants[i]);
  }
  return scratch;
}

void CpuProgram::GiveScratch(Scratch* scratch) const {
  Scratch* none = nullptr;
  if (spare_.compare_exchange_strong(none, scratch, std::memory_order_release, std::memory_order_relaxed)) return;
  std::lock_guard<std::mutex> lock(mutex_);
  scratch->next = spares_;
  spares_ = scratch;
}

absl::Status CpuProgram::CheckArgument(const Tensor& argument, size_t index) const {
  const ValueType& type = plan_.program.type(plan_.program.inputs()[index]);
  if (argument.dtype() != type.dtype || argument.shape() != type.shape) {
    return absl::InvalidArgumentError(absl::StrCat("run: argument ", index, ": expected ", type.ToString(), ", got ",
                                                   Describe(argument.dtype(), argument.shape())));
  }
  if (!argument.device().is_host()) {
    return absl::InvalidArgumentError(
        absl::StrCat("run: argument ", index, ": lives on ", argument.device().ToString(), ", not on the host"));
  }
  return absl::OkStatus();
}

bool CpuProgram::MayTakeOver(size_t output, size_t input) const {
  const auto& inputs = plan_.takeovers[output];
  return std::find(inputs.begin(), inputs.end(), static_cast<int32_t>(input)) != inputs.end();
}

absl::Status CpuProgram::MakeOutput(const Arguments& arguments, size_t index, bool reuse, Tensor& output,
                                    std::vector<Tensor>& kept) const {
  const ValueType& type = output_types_[index];
  bool is_argument = false, may_take_over = true;
  for (size_t i = 0; reuse && i < arguments.size(); ++i) {
    if (arguments[i].tensor().storage() != output.storage()) continue;
    is_argument = true;
    may_take_over = may_take_over && MayTakeOver(index, i);
  }
  if (reuse && output.dtype() == type.dtype && output.shape() == type.shape && output.device().is_host() &&
      output.storage().use_count() == 1 && output.IsDense() && may_take_over) {
    return absl::OkStatus();
  }
  // The argument may be this very tensor, whose bytes are still to be read.
  if (is_argument) kept.push_back(output);
  for (int32_t input : plan_.takeovers[index]) {
    const Argument& argument = arguments[input];
    const Tensor& tensor = argument.tensor();
    // Bytes that became an earlier output's have two owners now.
    if (!argument.donates() || tensor.storage().use_count() != 1 || tensor.offset() != 0 || !tensor.IsDense()) continue;
    TENFERRO_ASSIGN_OR_RETURN(
        output, Tensor::FromStorage(tensor.storage(), type.dtype, type.shape, type.shape.ColMajorStrides()));
    return absl::OkStatus();
  }
  TENFERRO_ASSIGN_OR_RETURN(output, Tensor::Uninitialized(type.dtype, type.shape));
  return absl::OkStatus();
}

absl::Status CpuProgram::Run(const Arguments& arguments, absl::Span<Tensor> outputs, bool reuse_outputs) const {
  return RunWith(nullptr, arguments, outputs, reuse_outputs);
}

absl::Status CpuProgram::RunTraced(const Arguments& arguments, absl::Span<Tensor> outputs, bool reuse_outputs,
                                   const std::string& path) const {
  if (program_inspection == nullptr) {
    return absl::UnimplementedError("run: the program links no traces; depend on //cpu:inspection");
  }
  TENFERRO_ASSIGN_OR_RETURN(const std::unique_ptr<RunTrace> trace, program_inspection->trace(path, *workers_));
  const absl::Status status = RunWith(trace.get(), arguments, outputs, reuse_outputs);
  const absl::Status written = trace->Write(plan_, instructions_);  // of a run that failed, as far as it came
  return status.ok() ? written : status;
}

absl::Status CpuProgram::RunWith(RunTrace* trace, const Arguments& arguments, absl::Span<Tensor> outputs,
                                 bool reuse_outputs) const {
  const size_t num_inputs = plan_.program.inputs().size();
  if (arguments.size() != num_inputs) {
    return absl::InvalidArgumentError(
        absl::StrCat("run: the program has ", num_inputs, " inputs, got ", arguments.size(), " arguments"));
  }
  for (size_t i = 0; i < num_inputs; ++i) TENFERRO_RETURN_IF_ERROR(CheckArgument(arguments[i].tensor(), i));

  TENFERRO_ASSIGN_OR_RETURN(Scratch* const scratch, TakeScratch());
  struct Giver {
    const CpuProgram* program;
    Scratch* scratch;
    ~Giver() { program->GiveScratch(scratch); }
  } giver{this, scratch};

  char** const bases = scratch->bases.data();
  std::vector<Tensor> kept;
  for (size_t i = 0; i < num_inputs; ++i) {
    const Tensor& tensor = arguments[i].tensor();
    char*& base = bases[InputBase(plan_, static_cast<int32_t>(i))];
    if (ABSL_PREDICT_TRUE(tensor.IsDense())) {
      base = DataOf(tensor) + tensor.offset() * SizeOf(tensor.dtype());
    } else {
      TENFERRO_ASSIGN_OR_RETURN(Tensor dense, tensor.Dense());
      base = DataOf(dense);
      kept.push_back(std::move(dense));
    }
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    TENFERRO_RETURN_IF_ERROR(MakeOutput(arguments, i, reuse_outputs, outputs[i], kept));
    bases[OutputBase(plan_, static_cast<int32_t>(i))] =
        DataOf(outputs[i]) + outputs[i].offset() * SizeOf(outputs[i].dtype());
  }
  if (ABSL_PREDICT_FALSE(trace != nullptr)) {
    const RunFrame traced{bases, scratch->workspace, scratch->worker_memory, worker_stride_, *trace};
    for (size_t i = 0; i < instructions_.size(); ++i) {
      TENFERRO_RETURN_IF_ERROR(
          trace->RunInstruction(*instructions_[i], plan_.clusters[i], static_cast<int32_t>(i), traced));
    }
    return absl::OkStatus();
  }
  const RunFrame frame{bases, scratch->workspace, scratch->worker_memory, worker_stride_, *workers_};
  for (const std::unique_ptr<Instruction>& instruction : instructions_) {
    TENFERRO_RETURN_IF_ERROR(instruction->Run(frame));
  }
  return absl::OkStatus();
}

std::string CpuProgram::Explain() const {
  std::string text = absl::StrCat("arena ", plan_.arena_bytes, " bytes, workspace ", workspace_bytes_, " bytes and ",
                                  worker_stride_, " bytes a thread");
  if (program_inspection != nullptr) absl::StrAppend(&text, "; ", program_inspection->summarize(plan_, instructions_));
  text += '\n';
  for (size_t i = 0; i < instructions_.size(); ++i) {
    absl::StrAppend(&text, i, ": ");
    instructions_[i]->Explain(text);
  }
  return text;
}

}  // namespace tenferro
