// One operation of f64 arrays each, as a prepared program that writes over its results: the least processor time of
// many runs, in microseconds. An argument keeps the rows whose name contains it; --threads=2 is the engine's width.

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/cumulative.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/indexing.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/sort.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;
using Function = Out (*)(In);

double Microseconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

Tensor Numbers(const Shape& shape) {
  std::mt19937_64 bits(1);
  std::normal_distribution<double> normal;
  std::vector<double> numbers;
  for (int64_t i = 0; i < shape.size(); ++i) numbers.push_back(normal(bits));
  return *Tensor::FromColMajor<double>(shape, numbers);
}

Tensor Integers(const Shape& shape, int64_t from, int64_t below) {
  std::mt19937_64 bits(2);
  std::uniform_int_distribution<int64_t> uniform(from, below - 1);
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < shape.size(); ++i) numbers.push_back(uniform(bits));
  return *Tensor::FromColMajor<int64_t>(shape, numbers);
}

class Table {
 public:
  Table(const char* filter, int threads) : filter_(filter), engine_(CpuEngine::WithThreads(threads)) {
    clock_ = threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
  }

  void Row(const char* name, const std::vector<Tensor>& arguments, Function function) const {
    if (std::strstr(name, filter_) == nullptr) return;
    Graph graph;
    std::vector<Var> inputs;
    for (const Tensor& argument : arguments) inputs.push_back(graph.Input(argument.dtype(), argument.shape()));
    const Prepared prepared = *engine_.Prepare(*Compile(function(inputs), inputs));
    std::vector<Tensor> results = *prepared.Run(arguments);
    double least = 1e30, total = 0;
    for (int run = 0; run < 1000 && total < 1e6; ++run) {
      const double begin = Microseconds(clock_);
      if (!prepared.RunInto(arguments, absl::MakeSpan(results)).ok()) std::abort();
      const double taken = Microseconds(clock_) - begin;
      least = std::min(least, taken);
      total += taken;
    }
    std::printf("%-44s %10.1f\n", name, least);
  }

 private:
  const char* filter_;
  CpuEngine engine_;
  clockid_t clock_;
};

ScatterAttributes Elements() {
  return {.update_window_dims = {},
          .inserted_window_dims = {0},
          .input_batching_dims = {},
          .scatter_indices_batching_dims = {},
          .scatter_dims_to_operand_dims = {0},
          .index_vector_dim = 1};
}

void Run(const Table& table) {
  const Tensor line = Numbers({1000000}), matrix = Numbers({1000, 1000}), other = Numbers({1000000}),
               box = Numbers({256, 256, 64});
  table.Row("add 1e6", {line, other}, [](In x) -> Out { return {x[0] + x[1]}; });
  table.Row("sum 1e6", {line}, [](In x) -> Out { return {ReduceSum(x[0])}; });
  table.Row("sum 1000x1000 axis 0", {matrix}, [](In x) -> Out { return {ReduceSum(x[0], {0})}; });
  table.Row("sum 1000x1000 axis 1", {matrix}, [](In x) -> Out { return {ReduceSum(x[0], {1})}; });
  table.Row("copy 256x256x64", {box}, [](In x) -> Out { return {x[0]}; });
  table.Row("permute 256x256x64 [2,1,0]", {box}, [](In x) -> Out { return {Transpose(x[0], {2, 1, 0})}; });
  table.Row("permute 256x256x64 [1,0,2]", {box}, [](In x) -> Out { return {Transpose(x[0], {1, 0, 2})}; });

  const Tensor places = Integers({100000}, 0, 1000000), updates = Numbers({100000});
  table.Row("gather 1e5 of 1e6", {line, places},
            [](In x) -> Out { return {TakeAlongAxis(x[0], x[1], 0, IndexMode::kClamp)}; });
  table.Row("gather 1e5 of 1e6, fill", {line, places}, [](In x) -> Out { return {TakeAlongAxis(x[0], x[1], 0)}; });
  table.Row("gather 1e5 of 1e5", {updates, Integers({100000}, 0, 100000)},
            [](In x) -> Out { return {TakeAlongAxis(x[0], x[1], 0)}; });
  table.Row("scatter-add 1e5 into 1e6", {line, places, updates},
            [](In x) -> Out { return {Scatter(x[0], x[1], x[2], ScatterKind::kAdd, Elements())}; });
  table.Row("scatter-set 1e5 into 1e6", {line, places, updates},
            [](In x) -> Out { return {Scatter(x[0], x[1], x[2], ScatterKind::kSet, Elements())}; });
  table.Row("scatter-add 1e5 into 1e5", {updates, Integers({100000}, 0, 100000), updates},
            [](In x) -> Out { return {Scatter(x[0], x[1], x[2], ScatterKind::kAdd, Elements())}; });
  const Tensor lines = Integers({10000}, 0, 10000);
  table.Row("gather 1e4 columns of 100x10000", {Numbers({100, 10000}), lines},
            [](In x) -> Out { return {IndexSelect(x[0], x[1], 1)}; });
  table.Row("gather 1e4 rows of 10000x100", {Numbers({10000, 100}), lines},
            [](In x) -> Out { return {IndexSelect(x[0], x[1], 0)}; });

  table.Row("sort 1e6", {line}, [](In x) -> Out { return {Sort(x[0], 0)}; });
  table.Row("sort 1e3", {Numbers({1000})}, [](In x) -> Out { return {Sort(x[0], 0)}; });
  table.Row("argsort 1e6", {line}, [](In x) -> Out { return {ArgSort(x[0], 0)}; });
  table.Row("argsort 1e3", {Numbers({1000})}, [](In x) -> Out { return {ArgSort(x[0], 0)}; });
  table.Row("sort 1000x1000 axis 0", {matrix}, [](In x) -> Out { return {Sort(x[0], 0)}; });
  table.Row("sort 1000x1000 axis 1", {matrix}, [](In x) -> Out { return {Sort(x[0], 1)}; });
  table.Row("argmax 1e6", {line}, [](In x) -> Out { return {ArgMax(x[0], 0)}; });
  table.Row("argmax 1000x1000 axis 0", {matrix}, [](In x) -> Out { return {ArgMax(x[0], 0)}; });
  table.Row("argmax 1000x1000 axis 1", {matrix}, [](In x) -> Out { return {ArgMax(x[0], 1)}; });
  table.Row("cumsum 1e6", {line}, [](In x) -> Out { return {CumSum(x[0], 0)}; });
  table.Row("cumsum 1000x1000 axis 0", {matrix}, [](In x) -> Out { return {CumSum(x[0], 0)}; });
  table.Row("cumsum 1000x1000 axis 1", {matrix}, [](In x) -> Out { return {CumSum(x[0], 1)}; });

  const Tensor a = Integers({1000000}, -9, 9), b = Integers({1000000}, -8, 9);
  table.Row("i64 less 1e6", {a, b}, [](In x) -> Out { return {Lt(x[0], x[1])}; });
  table.Row("i64 greater or equal 1e6", {a, b}, [](In x) -> Out { return {Ge(x[0], x[1])}; });
  table.Row("i64 equal 1e6", {a, b}, [](In x) -> Out { return {Eq(x[0], x[1])}; });
  table.Row("f64 less 1e6", {line, other}, [](In x) -> Out { return {Lt(x[0], x[1])}; });
  const Tensor condition = *Cast(Immediate(CpuEngine::Serial(), a), DType::kBool).ToTensor();
  table.Row("i64 select 1e6", {condition, a, b}, [](In x) -> Out { return {Select(x[0], x[1], x[2])}; });
  table.Row("i64 less and select 1e6", {a, b}, [](In x) -> Out { return {Select(Lt(x[0], x[1]), x[0], x[1] + 1)}; });
  table.Row("f64 select 1e6", {condition, line, other}, [](In x) -> Out { return {Select(x[0], x[1], x[2])}; });
  table.Row("i64 add 1e6", {a, b}, [](In x) -> Out { return {x[0] + x[1]}; });
  table.Row("i64 multiply 1e6", {a, b}, [](In x) -> Out { return {x[0] * x[1]}; });
  table.Row("i64 maximum 1e6", {a, b}, [](In x) -> Out { return {Max(x[0], x[1])}; });
  table.Row("i64 and 1e6", {a, b}, [](In x) -> Out { return {And(x[0], x[1])}; });
  table.Row("i64 absolute 1e6", {a}, [](In x) -> Out { return {Abs(x[0])}; });
  table.Row("i64 sum 1e6", {a}, [](In x) -> Out { return {ReduceSum(x[0])}; });
}

}  // namespace
}  // namespace tenferro

int main(int argc, char** argv) {
  const char* filter = "";
  int threads = 1;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--threads=", 10) == 0) {
      threads = std::atoi(argv[i] + 10);
    } else {
      filter = argv[i];
    }
  }
  tenferro::Run(tenferro::Table(filter, threads));
}
