#ifndef TENFERRO_CPU_OP_CACHE_H_
#define TENFERRO_CPU_OP_CACHE_H_

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/cpu/cpu_program.h"

namespace tenferro {

// Prepared programs of single operations: the most recently used ones, up to a limit. Thread-safe.
class OpCache {
 public:
  static constexpr size_t kLimit = 256;

  // An operation, its attributes and its operands' types in words.
  using Key = absl::InlinedVector<int64_t, 24>;
  static Key MakeKey(const OpDef& op, WordSpan attributes, absl::Span<const Tensor> inputs);

  // Null when it is not there.
  std::shared_ptr<const CpuProgram> Find(const Key& key);
  void Insert(const Key& key, std::shared_ptr<const CpuProgram> program);
  CpuEngine::CacheStatistics statistics() const;

 private:
  static constexpr size_t kBuckets = 512;
  struct Entry {
    Key key;
    size_t hash;
    std::shared_ptr<const CpuProgram> program;
  };
  static size_t Hash(const Key& key);
  std::list<Entry>::iterator* FindLocked(const Key& key, size_t hash);

  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // the last used first
  std::vector<std::vector<std::list<Entry>::iterator>> buckets_{kBuckets};
  CpuEngine::CacheStatistics statistics_;
};

}  // namespace tenferro

#endif  // TENFERRO_CPU_OP_CACHE_H_
