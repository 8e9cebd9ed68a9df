#include "tenferro/cpu/op_cache.h"

#include <algorithm>

namespace tenferro {

OpCache::Key OpCache::MakeKey(const OpDef& op, WordSpan attributes, absl::Span<const Tensor> inputs) {
  Key key;
  key.push_back(reinterpret_cast<int64_t>(&op));
  key.push_back(static_cast<int64_t>(attributes.size()));
  key.insert(key.end(), attributes.begin(), attributes.end());
  for (const Tensor& input : inputs) {
    key.push_back(static_cast<int64_t>(input.dtype()) << 32 | input.rank());
    for (Dim dim : input.shape().dims()) key.push_back(dim.extent());
  }
  return key;
}

size_t OpCache::Hash(const Key& key) {
  uint64_t hash = key.size();
  for (int64_t word : key) {
    hash = (hash ^ static_cast<uint64_t>(word)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash;
}

std::list<OpCache::Entry>::iterator* OpCache::FindLocked(const Key& key, size_t hash) {
  for (std::list<Entry>::iterator& entry : buckets_[hash % kBuckets]) {
    if (entry->hash == hash && entry->key == key) return &entry;
  }
  return nullptr;
}

std::shared_ptr<const CpuProgram> OpCache::Find(const Key& key) {
  const size_t hash = Hash(key);
  std::lock_guard<std::mutex> lock(mutex_);
  std::list<Entry>::iterator* const found = FindLocked(key, hash);
  if (found == nullptr) {
    ++statistics_.misses;
    return nullptr;
  }
  ++statistics_.hits;
  entries_.splice(entries_.begin(), entries_, *found);
  return (*found)->program;
}

void OpCache::Insert(const Key& key, std::shared_ptr<const CpuProgram> program) {
  const size_t hash = Hash(key);
  std::lock_guard<std::mutex> lock(mutex_);
  if (FindLocked(key, hash) != nullptr) return;  // another thread was faster
  if (entries_.size() >= kLimit) {
    const std::list<Entry>::iterator last = std::prev(entries_.end());
    auto& bucket = buckets_[last->hash % kBuckets];
    bucket.erase(std::find(bucket.begin(), bucket.end(), last));
    entries_.pop_back();
    ++statistics_.evictions;
  }
  entries_.push_front({key, hash, std::move(program)});
  buckets_[hash % kBuckets].push_back(entries_.begin());
}

CpuEngine::CacheStatistics OpCache::statistics() const {
  std::lock_guard<std::mutex> lock(mutex_);
  CpuEngine::CacheStatistics statistics = statistics_;
  statistics.entries = static_cast<int64_t>(entries_.size());
  statistics.limit = kLimit;
  return statistics;
}

}  // namespace tenferro
