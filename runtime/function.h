#ifndef TENFERRO_RUNTIME_FUNCTION_H_
#define TENFERRO_RUNTIME_FUNCTION_H_

#include <functional>
#include <memory>
#include <vector>

#include "tenferro/runtime/engine.h"
#include "tenferro/runtime/graph.h"

namespace tenferro {

// A C++ function of traced values, compiled once for each list of argument dtypes and shapes and then run. Copies share
// the cache, which keeps the signatures used last. Thread-safe.
class Function {
 public:
  struct CacheStatistics {
    int64_t hits = 0;
    int64_t misses = 0;
    int64_t evictions = 0;
  };

  // At most `cache_limit` signatures are kept.
  Function(Engine engine, TracedFunction function, int64_t cache_limit = 64);

  // Errors: those of the operations called in the function, of Compile, Prepare and Run.
  absl::StatusOr<std::vector<Tensor>> operator()(const Arguments& arguments) const;
  // The only output. Errors: also when there is another number of outputs.
  absl::StatusOr<Tensor> Call1(const Arguments& arguments) const;

  CacheStatistics cache_statistics() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// Function f = Compile(engine, [](absl::Span<const Var> in) -> std::vector<Var> { return {Sin(in[0])}; });
Function Compile(const Engine& engine, TracedFunction function);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_FUNCTION_H_
