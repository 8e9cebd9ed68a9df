#include "tenferro/transforms/vmap.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"
#include "tenferro/transforms/batched_body.h"

namespace tenferro {
namespace {

// One entry stands for all.
const VmapAxis& AxisOf(const std::vector<VmapAxis>& axes, size_t i) { return axes.size() == 1 ? axes[0] : axes[i]; }

// The number from 0 of an axis of a value of `rank`; −1 if there is none.
int Resolve(int axis, int rank) {
  if (axis < 0) axis += rank;
  return axis < rank ? axis : -1;
}

Var MoveToEnd(const Var& x, int axis) {
  if (axis == x.rank() - 1) return x;
  Ints order = OtherAxes({axis}, x.rank());
  order.push_back(axis);
  return Transpose(x, order);
}

Var MoveFromEnd(const Var& x, int axis) {
  if (axis == x.rank() - 1) return x;
  Ints order = FirstAxes(x.rank() - 1);
  order.insert(order.begin() + axis, x.rank() - 1);
  return Transpose(x, order);
}

class Mapping {
 public:
  Mapping(absl::Span<const Var> arguments, const VmapOptions& options, const Location& location)
      : arguments_(arguments), options_(options), location_(location) {}

  std::vector<Var> Apply(const TracedFunction& function) {
    num_outputs_ = options_.out_axes.size();
    absl::StatusOr<std::vector<Var>> outputs = TraceAndBatch(function);
    if (outputs.ok()) return *std::move(outputs);
    return std::vector<Var>(num_outputs_ == 0 ? 1 : num_outputs_, Var::Error(outputs.status()));
  }

 private:
  absl::StatusOr<std::vector<Var>> TraceAndBatch(const TracedFunction& function) {
    TENFERRO_RETURN_IF_ERROR(ReadArguments());
    Context& context = *InnermostContext(arguments_);
    TENFERRO_ASSIGN_OR_RETURN(const TracedBody traced, TraceBody(context, slice_types_, function, "vmap", location_));
    num_outputs_ = traced.num_outputs;
    std::vector<BatchedVar> operands = Operands();
    for (const Var& captured : traced.operands) operands.push_back({captured});
    TENFERRO_ASSIGN_OR_RETURN(const std::vector<BatchedVar> results, BatchBody(*traced.body, operands, size_, context));
    return Outputs(results);
  }

  absl::Status Mistake(absl::string_view message) const { return ErrorVar(location_, "vmap", message).status(); }

  // The batch axis of each argument, its extent, and the types of the slices.
  absl::Status ReadArguments() {
    if (arguments_.empty()) return Mistake("needs at least one argument");
    TENFERRO_RETURN_IF_ERROR(CheckNumber("in_axes", options_.in_axes.size(), "arguments", arguments_.size()));
    if (options_.size.has_value() && *options_.size < 0) {
      return Mistake(absl::StrCat("size ", *options_.size, " is negative"));
    }
    std::string first;  // what fixes the size
    if (options_.size.has_value()) {
      size_ = *options_.size;
      first = absl::StrCat("size is ", *options_.size);
    }
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const Var& argument = arguments_[i];
      if (argument.empty()) return Mistake(absl::StrCat("argument ", i, " is an empty Var"));
      TENFERRO_RETURN_IF_ERROR(argument.status());
      const VmapAxis& wanted = AxisOf(options_.in_axes, i);
      axes_.push_back(-1);
      slice_types_.push_back(argument.type());
      if (!wanted.has_value()) continue;
      const int axis = axes_[i] = Resolve(*wanted, argument.rank());
      if (axis < 0) {
        return Mistake(
            absl::StrCat("axis ", *wanted, " does not exist in argument ", i, ", ", argument.type().ToString()));
      }
      const std::string here = absl::StrCat("axis ", axis, " of argument ", i, ", ", argument.type().ToString(),
                                            ", is ", argument.dim(axis));
      if (first.empty()) {
        size_ = argument.shape()[axis];
        first = here;
      } else if (argument.shape()[axis] != size_) {
        return Mistake(absl::StrCat("the batch has different extents: ", first, ", but ", here));
      }
      slice_types_[i].shape = Shape();
      for (int64_t other : OtherAxes({axis}, argument.rank())) slice_types_[i].shape.push_back(argument.shape()[other]);
    }
    return first.empty() ? Mistake("no argument is mapped and no size is given") : absl::OkStatus();
  }

  absl::Status CheckNumber(const char* what, size_t axes, const char* of, size_t count) const {
    if (axes == count || axes == 1) return absl::OkStatus();
    return Mistake(absl::StrCat(axes, " ", what, " for ", count, " ", of, ": give one for each, or one for all"));
  }

  std::vector<BatchedVar> Operands() const {
    LocationScope scope(location_);
    std::vector<BatchedVar> operands;
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const bool mapped = axes_[i] >= 0;
      operands.push_back({mapped ? MoveToEnd(arguments_[i], axes_[i]) : arguments_[i], mapped});
    }
    return operands;
  }

  absl::StatusOr<std::vector<Var>> Outputs(const std::vector<BatchedVar>& results) const {
    LocationScope scope(location_);
    TENFERRO_RETURN_IF_ERROR(CheckNumber("out_axes", options_.out_axes.size(), "outputs", results.size()));
    std::vector<Var> outputs;
    for (size_t i = 0; i < results.size(); ++i) {
      const auto& [var, batched] = results[i];
      const VmapAxis& wanted = AxisOf(options_.out_axes, i);
      if (!wanted.has_value()) {
        if (batched) {
          return Mistake(absl::StrCat("output ", i, " depends on a mapped argument, so its axis cannot be kNotMapped"));
        }
        outputs.push_back(var);
        continue;
      }
      const Var whole = WithBatchAxis(var, batched, size_);
      const int axis = Resolve(*wanted, whole.rank());
      if (axis < 0) {
        return Mistake(
            absl::StrCat("axis ", *wanted, " does not exist in output ", i, ", which has rank ", whole.rank()));
      }
      outputs.push_back(MoveFromEnd(whole, axis));
    }
    return outputs;
  }

  absl::Span<const Var> arguments_;
  const VmapOptions& options_;
  const Location location_;
  std::vector<int> axes_;  // −1: not mapped
  std::vector<ValueType> slice_types_;
  Dim size_ = 0;
  size_t num_outputs_ = 0;  // as far as it is known: an error comes back so often
};

}  // namespace

std::vector<Var> Vmap(const TracedFunction& function, absl::Span<const Var> arguments, const VmapOptions& options,
                      Location location) {
  return Mapping(arguments, options, LocationScope::Resolve(location)).Apply(function);
}

TracedFunction Vmap(TracedFunction function, VmapOptions options, Location location) {
  return [function = std::move(function), options = std::move(options), location = LocationScope::Resolve(location)](
             absl::Span<const Var> arguments) { return Vmap(function, arguments, options, location); };
}

}  // namespace tenferro
