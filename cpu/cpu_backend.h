#ifndef TENFERRO_CPU_CPU_BACKEND_H_
#define TENFERRO_CPU_CPU_BACKEND_H_

#include <memory>

#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/cpu/op_cache.h"
#include "tenferro/cpu/thread_pool.h"

namespace tenferro {

class CpuBackend final : public EngineBackend {
 public:
  CpuBackend(int width, Isa isa);

  absl::StatusOr<Prepared> Prepare(const Program& program) override;
  absl::StatusOr<std::vector<Tensor>> RunOp(const OpDef& op, WordSpan attributes,
                                            absl::Span<const Tensor> inputs) override;
  absl::StatusOr<Tensor> Upload(const Tensor& tensor) override;
  absl::StatusOr<Tensor> Download(const Tensor& tensor) override;

  const Workers& workers() const { return *workers_; }
  Isa isa() const { return isa_; }
  int threads_used() const { return pool_ == nullptr ? 1 : std::max(1, pool_->threads_used()); }
  CpuEngine::CacheStatistics cache_statistics() const { return cache_.statistics(); }

 private:
  // Those that need no preparation: true when `op` is one, and `result` then set.
  absl::StatusOr<bool> RunElementwise(const OpDef& op, WordSpan attributes, const ValueType& type,
                                      absl::Span<const Tensor> inputs, Tensor& result) const;
  absl::StatusOr<bool> RunView(const OpDef& op, WordSpan attributes, const ValueType& type,
                               absl::Span<const Tensor> inputs, Tensor& result) const;
  absl::StatusOr<std::shared_ptr<const CpuProgram>> PrepareOp(const OpDef& op, WordSpan attributes,
                                                              absl::Span<const Tensor> inputs,
                                                              absl::Span<const ValueType> outputs);

  Isa isa_;
  ThreadPool* pool_ = nullptr;  // owned by workers_
  std::shared_ptr<const Workers> workers_;
  OpCache cache_;
};

}  // namespace tenferro

#endif  // TENFERRO_CPU_CPU_BACKEND_H_
