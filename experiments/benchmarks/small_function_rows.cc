#include "absl/strings/str_cat.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/experiments/benchmarks/row.h"
#include "tenferro/experiments/small_function.h"
#include "tenferro/runtime/program.h"
#include "tenferro/tensor/status.h"

namespace tenferro {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

std::function<std::vector<Tensor>()> PointsAndDirection(int64_t n, bool direction) {
  return [=] {
    std::vector<Tensor> tensors = {*Tensor::FromColMajor<double>({n}, SmallFunctionPoints(n))};
    if (direction) tensors.push_back(*Tensor::FromColMajor<double>({n}, SmallFunctionDirection(n)));
    return tensors;
  };
}

// From nothing to the gradient: trace, differentiate, compile, prepare, run once. Peers that keep no program do as much
// for every gradient.
BenchRow FromNothing(const std::string& name, int64_t n) {
  const auto make = [n]() -> absl::StatusOr<Work> {
    TENFERRO_ASSIGN_OR_RETURN(const Tensor points, Tensor::FromColMajor<double>({n}, SmallFunctionPoints(n)));
    const CpuEngine engine = CpuEngine::Serial();
    return Work([=]() -> absl::Status {
      Graph graph;
      const Var x = graph.Input(DType::kF64, {n});
      TENFERRO_ASSIGN_OR_RETURN(const Program program, Compile({SmallFunctionGrad(x)}, {x}));
      TENFERRO_ASSIGN_OR_RETURN(const Prepared prepared, engine.Prepare(program));
      return prepared.Run({points}).status();
    });
  };
  return {name, make};
}

}  // namespace

std::vector<BenchRow> SmallFunctionRows() {
  const auto value = [](In x) -> Out { return {SmallFunction(x[0])}; };
  const auto grad = [](In x) -> Out { return {SmallFunctionGrad(x[0])}; };
  const auto jvp = [](In x) -> Out { return {SmallFunctionJvp(x[0], x[1])}; };
  const auto hvp = [](In x) -> Out { return {SmallFunctionHvp(x[0], x[1])}; };
  const auto thousand = PointsAndDirection(1000, false), both = PointsAndDirection(1000, true);
  std::vector<BenchRow> rows = {PreparedRow("value n=1000", 1, thousand, value),
                                PreparedRow("grad n=1000", 1, thousand, grad), PreparedRow("jvp n=1000", 1, both, jvp),
                                PreparedRow("hvp n=1000", 1, both, hvp)};
  for (const auto& [n, text] : {std::pair<int64_t, const char*>{100000, "1e5"}, {1000000, "1e6"}}) {
    for (int width : {1, 2}) {
      rows.push_back(PreparedRow(absl::StrCat("grad n=", text), width, PointsAndDirection(n, false), grad));
    }
  }
  rows.push_back(FromNothing("eager f + backward n=1000", 1000));
  rows.push_back(FromNothing("eager f + backward n=1e6", 1000000));
  return rows;
}

}  // namespace tenferro
