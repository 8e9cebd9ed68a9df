#include "tenferro/cpu/check_program.h"

#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/engine.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/tensor/status.h"

namespace tenferro {
namespace {

// "" if nothing differs; any NaN equals any other.
std::string Difference(const Tensor& got, const Tensor& want) {
  if (got.dtype() != want.dtype() || got.shape() != want.shape()) {
    return absl::StrCat(Describe(got.dtype(), got.shape()), " is not ", Describe(want.dtype(), want.shape()));
  }
  const absl::StatusOr<Tensor> a = got.Dense(), b = want.Dense();
  if (!a.ok() || !b.ok()) return absl::StrCat(a.status().ToString(), b.status().ToString());
  if (std::memcmp(*a->HostData(), *b->HostData(), a->size() * SizeOf(a->dtype())) == 0) return "";
  return Dispatch(got.dtype(), [&]<class T>() -> std::string {
    const absl::Span<const T> x = *a->Data<T>(), y = *b->Data<T>();
    const auto same = [](auto p, auto q) { return std::memcmp(&p, &q, sizeof p) == 0 || (p != p && q != q); };
    for (size_t i = 0; i < x.size(); ++i) {
      if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
        if (same(x[i].real(), y[i].real()) && same(x[i].imag(), y[i].imag())) continue;
      } else {
        if (same(x[i], y[i])) continue;
      }
      return absl::StrCat("element ", i, " of ", x.size(), " is ", Tensor::Scalar(x[i]).ToString(), ", not ",
                          Tensor::Scalar(y[i]).ToString());
    }
    return "";
  });
}

absl::Status Compare(absl::string_view what, absl::Span<const Tensor> got, absl::Span<const Tensor> want) {
  for (size_t i = 0; i < want.size(); ++i) {
    const std::string difference = Difference(got[i], want[i]);
    if (difference.empty()) continue;
    return absl::FailedPreconditionError(absl::StrCat(what, ", output ", i, ": ", difference));
  }
  return absl::OkStatus();
}

// The same view of bytes of its own.
absl::StatusOr<Tensor> Copy(const Tensor& tensor) {
  const Storage& storage = *tensor.storage();
  TENFERRO_ASSIGN_OR_RETURN(const Tensor bytes, Tensor::Zeros(DType::kU8, {storage.bytes()}));
  std::memcpy(bytes.storage()->data(), storage.data(), storage.bytes());
  return Tensor::FromStorage(bytes.storage(), tensor.dtype(), tensor.shape(), tensor.strides(), tensor.offset());
}

absl::StatusOr<std::vector<Tensor>> OneByOne(const Engine& engine, const Program& program,
                                             absl::Span<const Tensor> arguments, bool on_copies) {
  const NodeTable& nodes = program.nodes();
  std::vector<Tensor> values(nodes.num_values());
  for (size_t i = 0; i < arguments.size(); ++i) values[program.inputs()[i]] = arguments[i];
  for (const Node& node : nodes.nodes()) {
    if (node.op == &kInput) continue;
    if (node.op == &kConstant) {
      values[node.first_output] = program.constant(nodes.attributes(node)[0]);
      continue;
    }
    std::vector<Tensor> operands;
    for (ValueId input : nodes.inputs(node)) {
      operands.push_back(values[input]);
      if (!on_copies) continue;
      TENFERRO_ASSIGN_OR_RETURN(operands.back(), operands.back().Dense());
    }
    TENFERRO_ASSIGN_OR_RETURN(const std::vector<Tensor> results,
                              engine.backend().RunOp(*node.op, nodes.attributes(node), operands));
    for (size_t i = 0; i < results.size(); ++i) values[node.first_output + i] = results[i];
  }
  std::vector<Tensor> outputs;
  for (ValueId output : program.outputs()) outputs.push_back(values[output]);
  return outputs;
}

absl::Status CheckOn(const CpuEngine& engine, const Program& program, const Prepared& prepared,
                     absl::Span<const Tensor> arguments, absl::Span<const Tensor> want) {
  TENFERRO_ASSIGN_OR_RETURN(std::vector<Tensor> got, OneByOne(engine, program, arguments, false));
  TENFERRO_RETURN_IF_ERROR(Compare("one operation at a time", got, want));
  TENFERRO_ASSIGN_OR_RETURN(got, prepared.Run(arguments));
  TENFERRO_RETURN_IF_ERROR(Compare("fused", got, want));
  TENFERRO_RETURN_IF_ERROR(prepared.RunInto(arguments, absl::MakeSpan(got)));
  TENFERRO_RETURN_IF_ERROR(Compare("over the results", got, want));
  Arguments donated;
  for (const Tensor& argument : arguments) {
    TENFERRO_ASSIGN_OR_RETURN(Tensor copy, Copy(argument));
    donated.Add(std::move(copy));
  }
  TENFERRO_ASSIGN_OR_RETURN(got, prepared.Run(donated));
  return Compare("over the arguments", got, want);
}

}  // namespace

absl::Status CheckProgram(const Program& program, absl::Span<const Tensor> arguments,
                          absl::Span<const CpuEngine> engines) {
  TENFERRO_ASSIGN_OR_RETURN(const std::vector<Tensor> want, OneByOne(engines[0], program, arguments, true));
  for (const CpuEngine& engine : engines) {
    TENFERRO_ASSIGN_OR_RETURN(const Prepared prepared, engine.Prepare(program));
    const absl::Status status = CheckOn(engine, program, prepared, arguments, want);
    if (status.ok()) continue;
    return absl::Status(status.code(), absl::StrCat(engine.width(), " threads, ", status.message(), "\n",
                                                    program.ToString(), prepared.Explain()));
  }
  return absl::OkStatus();
}

}  // namespace tenferro
