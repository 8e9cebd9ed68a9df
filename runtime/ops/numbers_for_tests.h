#ifndef TENFERRO_RUNTIME_OPS_NUMBERS_FOR_TESTS_H_
#define TENFERRO_RUNTIME_OPS_NUMBERS_FOR_TESTS_H_

// For tests: operations on numbers at once, and their results as vectors.

#include <cstring>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/program.h"

namespace tenferro {

inline const CpuEngine& EngineForTests() {
  static const CpuEngine& engine = *new CpuEngine(CpuEngine::Serial());
  return engine;
}

// The elements in column-major order, to compute with at once.
template <class T>
Var Now(const Shape& shape, const std::vector<T>& elements) {
  absl::Span<const T> data;
  // A std::vector<bool> has no bytes of its own.
  std::vector<char> bytes;
  if constexpr (std::is_same_v<T, bool>) {
    bytes.assign(elements.begin(), elements.end());
    data = absl::MakeConstSpan(reinterpret_cast<const bool*>(bytes.data()), bytes.size());
  } else {
    data = elements;
  }
  return Immediate(EngineForTests(), *Tensor::FromColMajor<T>(shape, data));
}
template <class T>
Var Now(const std::vector<T>& elements) {
  return Now<T>(Shape{static_cast<int64_t>(elements.size())}, elements);
}

// The elements of an immediate value in column-major order; none, and a failure, for an error or another dtype.
template <class T>
std::vector<T> Values(const Var& var) {
  const absl::StatusOr<Tensor> tensor = var.ToTensor();
  EXPECT_TRUE(tensor.ok()) << tensor.status();
  if (!tensor.ok()) return {};
  const Tensor dense = *tensor->Dense();
  const absl::StatusOr<absl::Span<const T>> data = dense.Data<T>();
  EXPECT_TRUE(data.ok()) << data.status();
  if (!data.ok()) return {};
  return std::vector<T>(data->begin(), data->end());
}

inline std::string Message(const Var& var) { return std::string(var.status().message()); }

// Runs a function on engines of 1, 2, 3 and 8 threads and compares the bits.
inline void ExpectSameAtEveryWidth(const TracedFunction& function, const std::vector<Tensor>& arguments) {
  Graph graph;
  std::vector<Var> inputs;
  for (const Tensor& argument : arguments) inputs.push_back(graph.Input(argument.dtype(), argument.shape()));
  const absl::StatusOr<Program> program = Compile(function(inputs), inputs);
  ASSERT_TRUE(program.ok()) << program.status();
  std::vector<Tensor> first;
  for (int width : {1, 2, 3, 8}) {
    const Prepared prepared = *CpuEngine::WithThreads(width).Prepare(*program);
    const absl::StatusOr<std::vector<Tensor>> results = prepared.Run(arguments);
    ASSERT_TRUE(results.ok()) << results.status();
    if (first.empty()) first = *results;
    for (size_t i = 0; i < first.size(); ++i) {
      const Tensor a = *first[i].Dense(), b = *(*results)[i].Dense();
      const size_t bytes = static_cast<size_t>(a.size() * SizeOf(a.dtype()));
      EXPECT_EQ(std::memcmp(*a.HostData(), *b.HostData(), bytes), 0) << "output " << i << " at width " << width;
    }
  }
}

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_NUMBERS_FOR_TESTS_H_
