#include "tenferro/runtime/function.h"

#include <list>
#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tenferro {

struct Function::State {
  struct Entry {
    std::vector<ValueType> signature;
    Prepared prepared;
  };

  Engine engine;
  TracedFunction function;
  size_t cache_limit;
  std::mutex mutex;
  std::list<Entry> entries;  // the last used first
  CacheStatistics statistics;

  absl::StatusOr<Prepared> Prepare(const std::vector<ValueType>& signature) {
    if (function == nullptr) return absl::InvalidArgumentError("function: the function is empty");
    Graph graph;
    std::vector<Var> inputs;
    for (const ValueType& type : signature) inputs.push_back(graph.Input(type.dtype, type.shape));
    const std::vector<Var> outputs = function(inputs);
    absl::StatusOr<Program> program = tenferro::Compile(outputs, inputs);
    if (!program.ok()) return program.status();
    return engine.Prepare(*program);
  }
};

Function::Function(Engine engine, TracedFunction function, int64_t cache_limit)
    : state_(new State{
          std::move(engine), std::move(function), static_cast<size_t>(cache_limit < 1 ? 1 : cache_limit), {}, {}, {}}) {
}

absl::StatusOr<std::vector<Tensor>> Function::operator()(const Arguments& arguments) const {
  std::vector<ValueType> signature;
  for (size_t i = 0; i < arguments.size(); ++i) {
    signature.push_back({arguments[i].tensor().dtype(), arguments[i].tensor().shape()});
  }
  const auto find = [&]() -> const Prepared* {
    for (auto entry = state_->entries.begin(); entry != state_->entries.end(); ++entry) {
      if (entry->signature != signature) continue;
      state_->entries.splice(state_->entries.begin(), state_->entries, entry);
      return &entry->prepared;
    }
    return nullptr;
  };
  {
    std::unique_lock lock(state_->mutex);
    if (const Prepared* prepared = find(); prepared != nullptr) {
      ++state_->statistics.hits;
      const Prepared found = *prepared;
      lock.unlock();
      return found.Run(arguments);
    }
    ++state_->statistics.misses;
  }
  absl::StatusOr<Prepared> prepared = state_->Prepare(signature);
  if (!prepared.ok()) return prepared.status();
  {
    std::lock_guard lock(state_->mutex);
    if (find() == nullptr) state_->entries.push_front({signature, *prepared});
    if (state_->entries.size() > state_->cache_limit) {
      state_->entries.pop_back();
      ++state_->statistics.evictions;
    }
  }
  return prepared->Run(arguments);
}

absl::StatusOr<Tensor> Function::Call1(const Arguments& arguments) const {
  absl::StatusOr<std::vector<Tensor>> outputs = (*this)(arguments);
  if (!outputs.ok()) return outputs.status();
  if (outputs->size() != 1) {
    return absl::FailedPreconditionError(absl::StrCat("Call1: the function has ", outputs->size(), " outputs"));
  }
  return std::move((*outputs)[0]);
}

Function::CacheStatistics Function::cache_statistics() const {
  std::lock_guard lock(state_->mutex);
  return state_->statistics;
}

Function Compile(const Engine& engine, TracedFunction function) { return Function(engine, std::move(function)); }

}  // namespace tenferro
