#include <list>
#include <map>
#include <mutex>

#include "tenferro/einsum/plan.h"
#include "tenferro/tensor/status.h"

namespace tenferro::einsum {
namespace {

// The key: everything that a plan depends on.
struct Key {
  std::string subscripts;
  std::vector<int64_t> words;
  friend auto operator<=>(const Key&, const Key&) = default;
};

class Cache {
 public:
  std::shared_ptr<const Plan> Find(const Key& key) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = entries_.find(key);
    ++(found == entries_.end() ? statistics_.misses : statistics_.hits);
    if (found == entries_.end()) return nullptr;
    order_.splice(order_.begin(), order_, found->second.place);
    return found->second.plan;
  }

  void Insert(const Key& key, std::shared_ptr<const Plan> plan) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (entries_.count(key) != 0) return;
    order_.push_front(key);
    entries_[key] = {std::move(plan), order_.begin()};
    if (entries_.size() <= kMost) return;
    entries_.erase(order_.back());
    order_.pop_back();
  }

  PlanCacheStatistics statistics() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return statistics_;
  }

 private:
  static constexpr size_t kMost = 256;
  struct Entry {
    std::shared_ptr<const Plan> plan;
    std::list<Key>::iterator place;
  };
  std::mutex mutex_;
  std::list<Key> order_;  // the one used last first
  std::map<Key, Entry> entries_;
  PlanCacheStatistics statistics_;
};

Cache& TheCache() {
  static Cache* const cache = new Cache();
  return *cache;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Plan>> CachedPlan(absl::string_view subscripts, absl::Span<const Shape> shapes,
                                                       const EinsumOptions& options, int64_t element_bytes) {
  Key key{std::string(subscripts),
          {static_cast<int64_t>(options.method), static_cast<int64_t>(options.seed), options.moves,
           options.memory_limit, options.memory_limit == 0 ? 0 : element_bytes}};
  for (const auto& [first, second] : options.path) key.words.insert(key.words.end(), {first, second});
  for (const Shape& shape : shapes) {
    key.words.push_back(-1);
    for (int axis = 0; axis < shape.rank(); ++axis) key.words.push_back(shape.extent(axis));
  }
  if (std::shared_ptr<const Plan> found = TheCache().Find(key); found != nullptr) return found;
  TENFERRO_ASSIGN_OR_RETURN(Contraction contraction, ParseSubscripts(subscripts, shapes));
  TENFERRO_ASSIGN_OR_RETURN(Plan plan, MakePlan(std::move(contraction), options, element_bytes));
  auto made = std::make_shared<const Plan>(std::move(plan));
  TheCache().Insert(key, made);
  return std::shared_ptr<const Plan>(std::move(made));
}

PlanCacheStatistics CachedPlanStatistics() { return TheCache().statistics(); }

}  // namespace tenferro::einsum
