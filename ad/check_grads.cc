#include "tenferro/ad/check_grads.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "absl/strings/str_cat.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/ad/vjp.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/tensor/status.h"

namespace tenferro::ad {
namespace {

// Fixed numbers in [−1, 1], so that a failure can be repeated.
class Directions {
 public:
  double Next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(static_cast<int64_t>(state_ >> 11)) / 4503599627370496.0 - 1.0;
  }

  absl::StatusOr<Tensor> Like(DType dtype, const Shape& shape) {
    TENFERRO_ASSIGN_OR_RETURN(Tensor result, Tensor::Zeros(dtype, shape));
    const absl::Status filled = Dispatch(dtype, [&]<class T>() -> absl::Status {
      TENFERRO_ASSIGN_OR_RETURN(const absl::Span<T> data, result.MutableData<T>());
      for (T& x : data) {
        if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
          const double re = Next();
          x = T(static_cast<typename T::value_type>(re), static_cast<typename T::value_type>(Next()));
        } else {
          x = static_cast<T>(Next());
        }
      }
      return absl::OkStatus();
    });
    TENFERRO_RETURN_IF_ERROR(filled);
    return result;
  }

 private:
  uint64_t state_ = 20260101;
};

// All elements as complex doubles.
absl::StatusOr<std::vector<std::complex<double>>> Numbers(const Tensor& tensor) {
  TENFERRO_ASSIGN_OR_RETURN(const Tensor dense, tensor.Dense());
  std::vector<std::complex<double>> numbers;
  const absl::Status read = Dispatch(dense.dtype(), [&]<class T>() -> absl::Status {
    TENFERRO_ASSIGN_OR_RETURN(const absl::Span<const T> data, dense.Data<T>());
    for (const T& x : data) numbers.push_back(std::complex<double>(x));
    return absl::OkStatus();
  });
  TENFERRO_RETURN_IF_ERROR(read);
  return numbers;
}

// Re Σ conj(a) b over all tensors, and the sum of the moduli of the terms.
struct Dot {
  double value = 0;
  double scale = 0;
};
absl::StatusOr<Dot> DotOf(absl::Span<const Tensor> a, absl::Span<const Tensor> b) {
  Dot dot;
  for (size_t i = 0; i < a.size(); ++i) {
    TENFERRO_ASSIGN_OR_RETURN(const auto x, Numbers(a[i]));
    TENFERRO_ASSIGN_OR_RETURN(const auto y, Numbers(b[i]));
    for (size_t k = 0; k < x.size(); ++k) {
      const double term = std::real(std::conj(x[k]) * y[k]);
      dot.value += term;
      dot.scale += std::abs(x[k]) * std::abs(y[k]);
    }
  }
  return dot;
}

struct Limits {
  double step, tolerance, dot_tolerance;
};

Limits LimitsFor(absl::Span<const Tensor> inputs, const CheckGradsOptions& options) {
  bool single = false;
  for (const Tensor& input : inputs) single |= RealOf(input.dtype()) == DType::kF32;
  Limits limits = single ? Limits{3e-2, 5e-3, 1e-4} : Limits{1e-3, 1e-8, 1e-12};
  if (options.step > 0) limits.step = options.step;
  if (options.tolerance > 0) limits.tolerance = options.tolerance;
  if (options.dot_tolerance > 0) limits.dot_tolerance = options.dot_tolerance;
  return limits;
}

absl::StatusOr<std::vector<Tensor>> RunOnce(const Engine& engine, absl::Span<const Var> outputs,
                                            absl::Span<const Var> inputs, absl::Span<const Tensor> arguments) {
  TENFERRO_ASSIGN_OR_RETURN(const Program program, Compile(outputs, inputs));
  TENFERRO_ASSIGN_OR_RETURN(const Prepared prepared, engine.Prepare(program));
  return prepared.Run(arguments);
}

// A graph of the function with its differentiable inputs, directions and outputs.
struct Traced {
  Graph graph;
  std::vector<Var> inputs, moving, directions, outputs, moving_outputs;
};

absl::Status Trace(const TracedFunction& function, absl::Span<const Tensor> values, Traced& traced) {
  for (const Tensor& value : values) {
    traced.inputs.push_back(traced.graph.Input(value.dtype(), value.shape()));
    if (!IsFloatOrComplex(value.dtype())) continue;
    traced.moving.push_back(traced.inputs.back());
    traced.directions.push_back(traced.graph.Input(value.dtype(), value.shape()));
  }
  traced.outputs = function(traced.inputs);
  for (const Var& output : traced.outputs) {
    if (!output.ok()) return output.status();
    if (IsFloatOrComplex(output.dtype())) traced.moving_outputs.push_back(output);
  }
  return absl::OkStatus();
}

absl::Status CompareWithDifferences(absl::Span<const Tensor> tangents, const std::vector<std::vector<Tensor>>& shifted,
                                    const Limits& limits) {
  for (size_t i = 0; i < tangents.size(); ++i) {
    TENFERRO_ASSIGN_OR_RETURN(const auto jvp, Numbers(tangents[i]));
    std::vector<std::vector<std::complex<double>>> f;
    for (const std::vector<Tensor>& run : shifted) {
      TENFERRO_ASSIGN_OR_RETURN(auto numbers, Numbers(run[i]));
      f.push_back(std::move(numbers));
    }
    double scale = 1;
    for (const std::complex<double>& x : jvp) scale = std::max(scale, std::abs(x));
    for (size_t k = 0; k < jvp.size(); ++k) {
      // f at −2h, −h, h, 2h: the error is of order h⁴.
      const std::complex<double> difference = (f[0][k] - 8.0 * f[1][k] + 8.0 * f[2][k] - f[3][k]) / (12 * limits.step);
      if (!(std::abs(jvp[k] - difference) <= limits.tolerance * scale)) {
        return absl::FailedPreconditionError(absl::StrCat(
            "jvp of output ", i, " at element ", k, " is ", jvp[k].real(), "+", jvp[k].imag(), "i, differences give ",
            difference.real(), "+", difference.imag(), "i, allowed ", limits.tolerance * scale));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CheckFirst(const Engine& engine, const TracedFunction& function, absl::Span<const Tensor> values,
                        const Limits& limits) {
  Traced traced;
  TENFERRO_RETURN_IF_ERROR(Trace(function, values, traced));
  Directions random;
  std::vector<Tensor> directions, seeds;
  for (const Var& x : traced.moving) {
    TENFERRO_ASSIGN_OR_RETURN(directions.emplace_back(), random.Like(x.dtype(), x.shape()));
  }
  std::vector<Var> seed_inputs;
  for (const Var& y : traced.moving_outputs) {
    seed_inputs.push_back(traced.graph.Input(y.dtype(), y.shape()));
    TENFERRO_ASSIGN_OR_RETURN(seeds.emplace_back(), random.Like(y.dtype(), y.shape()));
  }
  std::vector<Var> all_inputs = traced.inputs;
  all_inputs.insert(all_inputs.end(), traced.directions.begin(), traced.directions.end());
  std::vector<Tensor> all_values(values.begin(), values.end());
  all_values.insert(all_values.end(), directions.begin(), directions.end());

  // An input without influence has the derivative 0, which differences must confirm.
  const std::vector<Var> optional = VjpOptional(traced.moving_outputs, traced.moving, seed_inputs);
  std::vector<Var> active, active_directions, cotangents;
  for (size_t i = 0; i < optional.size(); ++i) {
    cotangents.push_back(optional[i].empty() ? ZerosLike(traced.moving[i]) : optional[i]);
    if (optional[i].empty()) continue;
    active.push_back(traced.moving[i]);
    active_directions.push_back(traced.directions[i]);
  }
  const std::vector<Var> tangents = Jvp(traced.moving_outputs, active, active_directions);
  TENFERRO_ASSIGN_OR_RETURN(const std::vector<Tensor> jvp, RunOnce(engine, tangents, all_inputs, all_values));
  std::vector<std::vector<Tensor>> shifted;
  for (double multiple : {-2.0, -1.0, 1.0, 2.0}) {
    Graph graph;
    std::vector<Var> inputs, at;
    for (const Tensor& value : values) {
      inputs.push_back(graph.Input(value.dtype(), value.shape()));
      at.push_back(inputs.back());
    }
    for (Var& x : at) {
      if (!IsFloatOrComplex(x.dtype())) continue;
      inputs.push_back(graph.Input(x.dtype(), x.shape()));
      x = x + inputs.back() * (multiple * limits.step);
    }
    std::vector<Var> outputs;
    for (const Var& output : function(at)) {
      if (IsFloatOrComplex(output.dtype())) outputs.push_back(output);
    }
    TENFERRO_ASSIGN_OR_RETURN(shifted.emplace_back(), RunOnce(engine, outputs, inputs, all_values));
  }
  TENFERRO_RETURN_IF_ERROR(CompareWithDifferences(jvp, shifted, limits));

  std::vector<Var> reverse_inputs = traced.inputs;
  reverse_inputs.insert(reverse_inputs.end(), seed_inputs.begin(), seed_inputs.end());
  std::vector<Tensor> reverse_values(values.begin(), values.end());
  reverse_values.insert(reverse_values.end(), seeds.begin(), seeds.end());
  TENFERRO_ASSIGN_OR_RETURN(const std::vector<Tensor> vjp, RunOnce(engine, cotangents, reverse_inputs, reverse_values));
  TENFERRO_ASSIGN_OR_RETURN(const Dot forward, DotOf(seeds, jvp));
  TENFERRO_ASSIGN_OR_RETURN(const Dot backward, DotOf(vjp, directions));
  const double bound = limits.dot_tolerance * std::max({1.0, forward.scale, backward.scale});
  if (!(std::abs(forward.value - backward.value) <= bound)) {
    return absl::FailedPreconditionError(absl::StrCat("the dot-product test fails: <w, J v> = ", forward.value,
                                                      ", <Jᵀ w, v> = ", backward.value, ", allowed ", bound));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckGrads(const Engine& engine, const TracedFunction& function, absl::Span<const Tensor> inputs,
                        const CheckGradsOptions& options) {
  const Limits limits = LimitsFor(inputs, options);
  if (absl::Status first = CheckFirst(engine, function, inputs, limits); !first.ok() || options.order < 2) return first;
  // The reverse derivative as a function of the inputs and the seeds.
  Traced traced;
  TENFERRO_RETURN_IF_ERROR(Trace(function, inputs, traced));
  Directions random;
  std::vector<Tensor> values(inputs.begin(), inputs.end());
  for (const Var& y : traced.moving_outputs) {
    TENFERRO_ASSIGN_OR_RETURN(values.emplace_back(), random.Like(y.dtype(), y.shape()));
  }
  const size_t count = inputs.size();
  const TracedFunction reverse = [&function, count](absl::Span<const Var> in) -> std::vector<Var> {
    std::vector<Var> moving, outputs;
    for (const Var& x : in.subspan(0, count)) {
      if (IsFloatOrComplex(x.dtype())) moving.push_back(x);
    }
    for (const Var& y : function(in.subspan(0, count))) {
      if (IsFloatOrComplex(y.dtype())) outputs.push_back(y);
    }
    std::vector<Var> cotangents = VjpOptional(outputs, moving, in.subspan(count));
    for (size_t i = 0; i < cotangents.size(); ++i) {
      if (cotangents[i].empty()) cotangents[i] = ZerosLike(moving[i]);
    }
    return cotangents;
  };
  CheckGradsOptions next = options;
  next.order = options.order - 1;
  absl::Status second = CheckGrads(engine, reverse, values, next);
  if (second.ok()) return second;
  return absl::Status(second.code(), absl::StrCat("order ", options.order, ": ", second.message()));
}

}  // namespace tenferro::ad
