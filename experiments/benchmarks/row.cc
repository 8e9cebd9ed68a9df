#include "tenferro/experiments/benchmarks/row.h"

#include <memory>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/program.h"
#include "tenferro/tensor/status.h"

namespace tenferro {

BenchRow PreparedRow(const std::string& name, int width, std::function<std::vector<Tensor>()> arguments,
                     const TracedFunction& function, double flops) {
  const auto make = [=]() -> absl::StatusOr<Work> {
    struct State {
      std::vector<Tensor> tensors;
      Arguments arguments;
      std::vector<Tensor> outputs;
    };
    const auto state = std::make_shared<State>();
    state->tensors = arguments();
    state->arguments = Arguments(state->tensors);
    Graph graph;
    std::vector<Var> inputs;
    for (const Tensor& tensor : state->tensors) inputs.push_back(graph.Input(tensor.dtype(), tensor.shape()));
    TENFERRO_ASSIGN_OR_RETURN(const Program program, Compile(function(inputs), inputs));
    TENFERRO_ASSIGN_OR_RETURN(const Prepared prepared, CpuEngine::WithThreads(width).Prepare(program));
    TENFERRO_ASSIGN_OR_RETURN(state->outputs, prepared.Run(state->arguments));
    return Work([state, prepared] { return prepared.RunInto(state->arguments, absl::MakeSpan(state->outputs)); });
  };
  return {width == 1 ? name : absl::StrCat(name, " w", width), make, flops};
}

Tensor NormalNumbers(DType dtype, const Shape& shape, int seed) {
  std::mt19937_64 bits(seed + 1);
  std::normal_distribution<double> normal;
  Tensor tensor = *Tensor::Zeros(dtype, shape);
  Dispatch(dtype, [&]<class T>() {
    const absl::Span<T> elements = *tensor.MutableData<T>();
    for (T& element : elements) {
      if constexpr (requires { typename T::value_type; }) {
        using Real = typename T::value_type;
        const double real = normal(bits);
        element = T(static_cast<Real>(real), static_cast<Real>(normal(bits)));
      } else {
        element = static_cast<T>(normal(bits));
      }
    }
  });
  return tensor;
}

std::vector<BenchRow> AllRows() {
  std::vector<BenchRow> all;
  for (std::vector<BenchRow> (*part)() : {SmallFunctionRows, TrgRows, ArrayRows, AlgebraRows}) {
    for (BenchRow& row : part()) all.push_back(std::move(row));
  }
  return all;
}

}  // namespace tenferro
