#include "tenferro/runtime/ops/check_batching.h"

#include <cmath>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"

namespace tenferro {
namespace {

Shape WithAxis(Shape shape, int64_t size) {
  shape.push_back(size);
  return shape;
}

// The slices one after another along a new last axis.
Var Stack(const Engine& engine, const BatchSlices& slices, int count) {
  const Shape one = WithAxis(slices[0].shape(), 1);
  if (count == 0) return Immediate(engine, *Tensor::Zeros(slices[0].dtype(), WithAxis(slices[0].shape(), 0)));
  std::vector<Var> parts;
  for (int i = 0; i < count; ++i) parts.push_back(Reshape(Immediate(engine, slices[i]), one));
  return Concatenate(parts, one.rank() - 1);
}

Var SliceAt(const Var& x, int index) {
  Ints starts(x.rank(), 0), limits = x.shape().extents();
  starts.back() = index;
  limits.back() = index + 1;
  return Reshape(Slice(x, starts, limits), Shape(x.shape().dims().subspan(0, x.rank() - 1)));
}

absl::Status CheckSame(const Var& got, const Var& want, absl::string_view where) {
  TENFERRO_ASSIGN_OR_RETURN(const Tensor a, got.ToTensor());
  TENFERRO_ASSIGN_OR_RETURN(const Tensor b, want.ToTensor());
  TENFERRO_ASSIGN_OR_RETURN(const void* a_bytes, a.HostData());
  TENFERRO_ASSIGN_OR_RETURN(const void* b_bytes, b.HostData());
  if (got.type() == want.type() && std::memcmp(a_bytes, b_bytes, a.size() * SizeOf(a.dtype())) == 0) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(where, ": batched ", got.type().ToString(), " ", a.ToString(),
                                                    ", by itself ", want.type().ToString(), " ", b.ToString()));
}

class Checker {
 public:
  Checker(const Engine& engine, const OpDef& op, WordSpan attributes, absl::Span<const BatchSlices> operands)
      : engine_(engine), op_(op), attributes_(attributes), operands_(operands) {}

  absl::Status Check(OperandSet batched, int count) const {
    Vars inputs;
    for (size_t i = 0; i < operands_.size(); ++i) {
      inputs.push_back(HasOperand(batched, i) ? Stack(engine_, operands_[i], count) : Operand(i, 0));
    }
    TENFERRO_ASSIGN_OR_RETURN(const Vars first, Apply(batched, 0));
    Vars outputs(first.size());
    op_.batch({op_, attributes_, inputs, {}}, batched, count, absl::MakeSpan(outputs));
    const std::string where = absl::StrCat(op_.name, ", operands ", batched, ", ", count, " slices");
    for (size_t k = 0; k < outputs.size(); ++k) {
      TENFERRO_RETURN_IF_ERROR(outputs[k].status());
      const ValueType type{first[k].dtype(), WithAxis(first[k].shape(), count)};
      if (outputs[k].type() != type) {
        return absl::FailedPreconditionError(
            absl::StrCat(where, ": output ", k, " is ", outputs[k].type().ToString(), ", not ", type.ToString()));
      }
      TENFERRO_RETURN_IF_ERROR(outputs[k].ToTensor().status());
    }
    for (int slice = 0; slice < count; ++slice) {
      TENFERRO_ASSIGN_OR_RETURN(const Vars wanted, Apply(batched, slice));
      for (size_t k = 0; k < outputs.size(); ++k) {
        TENFERRO_RETURN_IF_ERROR(
            CheckSame(SliceAt(outputs[k], slice), wanted[k], absl::StrCat(where, ", output ", k, ", slice ", slice)));
      }
    }
    return absl::OkStatus();
  }

 private:
  Var Operand(size_t i, int slice) const { return Immediate(engine_, operands_[i][slice]); }

  // The operation on one slice.
  absl::StatusOr<Vars> Apply(OperandSet batched, int slice) const {
    Vars inputs;
    for (size_t i = 0; i < operands_.size(); ++i) inputs.push_back(Operand(i, HasOperand(batched, i) ? slice : 0));
    Vars outputs = inputs[0].context()->Emit(op_, attributes_, inputs, Location::current());
    for (const Var& output : outputs) TENFERRO_RETURN_IF_ERROR(output.status());
    return outputs;
  }

  const Engine& engine_;
  const OpDef& op_;
  WordSpan attributes_;
  absl::Span<const BatchSlices> operands_;
};

}  // namespace

BatchSlices SlicesOf(const ValueType& type, int count, int which) {
  BatchSlices slices;
  for (int slice = 0; slice < count; ++slice) {
    Tensor tensor = *Tensor::Zeros(type.dtype, type.shape);
    Dispatch(type.dtype, [&]<class T>() {
      const absl::Span<T> data = *tensor.MutableData<T>();
      for (size_t i = 0; i < data.size(); ++i) {
        const double u = std::fmod(0.618 * static_cast<double>(i + 11 * slice + 5 * which) + 0.31, 1.0);
        if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
          data[i] = T(static_cast<typename T::value_type>(0.25 + 2 * u), static_cast<typename T::value_type>(u - 0.5));
        } else if constexpr (std::is_same_v<T, bool>) {
          data[i] = u < 0.5;
        } else if constexpr (std::is_floating_point_v<T>) {
          data[i] = static_cast<T>(0.25 + 2 * u);
        } else {
          data[i] = static_cast<T>(10 * u);
        }
      }
    });
    slices.push_back(std::move(tensor));
  }
  return slices;
}

absl::Status CheckBatching(const Engine& engine, const OpDef& op, WordSpan attributes,
                           absl::Span<const BatchSlices> operands) {
  if (op.batch == nullptr) return absl::FailedPreconditionError(absl::StrCat(op.name, " has no batching rule"));
  const Checker checker(engine, op, attributes, operands);
  const int all = static_cast<int>(operands[0].size());
  for (OperandSet batched = 1; batched < OperandSet{1} << operands.size(); ++batched) {
    for (int count : {0, 1, all}) TENFERRO_RETURN_IF_ERROR(checker.Check(batched, count));
  }
  return absl::OkStatus();
}

absl::Status CheckBatching(const Engine& engine, const OpDef& op, WordSpan attributes,
                           absl::Span<const ValueType> operands) {
  constexpr int kCount = 3;
  std::vector<BatchSlices> slices;
  for (size_t i = 0; i < operands.size(); ++i) slices.push_back(SlicesOf(operands[i], kCount, static_cast<int>(i)));
  return CheckBatching(engine, op, attributes, slices);
}

}  // namespace tenferro
