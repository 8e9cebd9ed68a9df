// Which items become one loop, and in which order everything runs.
//
// A level is the number of steps that do not fuse on the longest way to an item. Along any path levels do not fall, and
// they rise wherever the path leaves a loop, so items of one level and one number of elements can always share a loop:
// no path between them leads through anything else. Items that are only needed by a loop further down move to its
// level. A loop can have reductions of one length of line only: of several for arrays of one size, the first seen
// fuses.

#include <algorithm>
#include <queue>

#include "tenferro/cpu/cost.h"
#include "tenferro/cpu/plan.h"

namespace tenferro {
namespace {

class Clustering {
 public:
  Clustering(Plan& plan, bool side_by_side) : plan_(plan), side_by_side_(side_by_side), parents_(plan.items.size()) {}

  void Run() {
    ChooseLines();
    AssignLevels();
    SinkLevels();
    Unite();
    Collect();
    Order();
  }

 private:
  Item& Producer(const PlanValue& value) { return plan_.items[plan_.buffers[value.buffer].producer]; }
  bool HasProducer(const PlanValue& value) const { return plan_.buffers[value.buffer].producer != kNone; }
  // The item that must have run before this value is read, kNone without one: a barrier's.
  ItemId Before(const PlanValue& value) const {
    return value.after == kNone ? kNone : plan_.buffers[value.after].producer;
  }
  // True when `item` can take the operand from a register of the loop that makes it.
  bool Fuses(const Item& item, const PlanValue& operand) {
    if (!JoinsLoops(item) || operand.access != Access::kWhole || !HasProducer(operand)) return false;
    if (operand.after != kNone) return false;
    const Item& producer = Producer(operand);
    return producer.kind == Item::Kind::kElementwise && producer.size == item.size;
  }
  bool JoinsLoops(const Item& item) const {
    return item.kind == Item::Kind::kElementwise ||
           (item.kind == Item::Kind::kReduce && item.line == LineOf(item.size));
  }
  int64_t LineOf(int64_t size) const {
    const auto found = std::lower_bound(lines_.begin(), lines_.end(), Line{size, 0});
    return found == lines_.end() || found->first != size ? 0 : found->second;
  }
  bool IsLongKernel(const Cluster& cluster) const {
    const Item& item = plan_.items[cluster.items[0]];
    return side_by_side_ && item.kind == Item::Kind::kKernel &&
           item.kernel->one_thread_nanoseconds() >= kForkNanoseconds;
  }

  void ChooseLines();
  void AssignLevels();
  void SinkLevels();
  void Unite();
  void Collect();
  void Order();
  std::vector<BufferId> ReadBy(int32_t cluster) const;

  ItemId Root(ItemId item) {
    while (parents_[item] != item) item = parents_[item] = parents_[parents_[item]];
    return item;
  }
  void Join(ItemId a, ItemId b) {
    a = Root(a);
    b = Root(b);
    parents_[std::max(a, b)] = std::min(a, b);
  }

  using Line = std::pair<int64_t, int64_t>;  // size of an array, length of its reductions' lines

  Plan& plan_;
  bool side_by_side_;
  std::vector<Line> lines_;  // by size
  std::vector<ItemId> parents_;
};

void Clustering::ChooseLines() {
  for (const Item& item : plan_.items) {
    if (item.kind == Item::Kind::kReduce) lines_.push_back({item.size, item.line});
  }
  std::stable_sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) { return a.first < b.first; });
  lines_.erase(
      std::unique(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) { return a.first == b.first; }),
      lines_.end());
}

void Clustering::AssignLevels() {
  for (Item& item : plan_.items) {
    for (PlanValueId id : item.operands) {
      const PlanValue& operand = plan_.values[id];
      if (const ItemId before = Before(operand); before != kNone) {
        item.level = std::max(item.level, plan_.items[before].level + 1);
      }
      if (!HasProducer(operand)) continue;
      const int32_t level = Producer(operand).level + (Fuses(item, operand) ? 0 : 1);
      item.level = std::max(item.level, level);
    }
  }
}

// An item sinks only where that does not keep more bytes alive for longer than it saves: a chain of sums of matrix
// products would else hold all the products until its end.
void Clustering::SinkLevels() {
  constexpr int32_t kUnbounded = INT32_MAX;
  struct Bound {
    int32_t any = kUnbounded;    // the highest level that every consumer allows
    int32_t fused = kUnbounded;  // the lowest level of a consumer that would fuse
  };
  std::vector<Bound> bounds(plan_.items.size());
  std::vector<int32_t> last_read(plan_.buffers.size(), 0);  // the highest level of a consumer
  for (const Item& item : plan_.items) {
    for (PlanValueId value : item.operands) {
      int32_t& level = last_read[plan_.values[value].buffer];
      level = std::max(level, item.level);
    }
  }
  const auto bytes_kept_longer = [&](const Item& item, int32_t level) {
    absl::InlinedVector<BufferId, 3> counted;
    int64_t bytes = 0;
    for (PlanValueId value : item.operands) {
      const BufferId id = plan_.values[value].buffer;
      if (plan_.buffers[id].kind != Buffer::Kind::kTemporary || last_read[id] >= level) continue;
      if (std::find(counted.begin(), counted.end(), id) != counted.end()) continue;
      counted.push_back(id);
      bytes += plan_.buffers[id].bytes();
    }
    return bytes;
  };
  for (ItemId id = static_cast<ItemId>(plan_.items.size()) - 1; id >= 0; --id) {
    Item& item = plan_.items[id];
    const Bound& bound = bounds[id];
    if (item.kind == Item::Kind::kElementwise && bound.any == bound.fused && bound.any != kUnbounded &&
        bound.any > item.level && bytes_kept_longer(item, bound.any) <= plan_.buffers[item.outputs[0]].bytes()) {
      item.level = bound.any;
    }
    for (PlanValueId value : item.operands) {
      const PlanValue& operand = plan_.values[value];
      last_read[operand.buffer] = std::max(last_read[operand.buffer], item.level);
      if (const ItemId before = Before(operand); before != kNone) {
        bounds[before].any = std::min(bounds[before].any, item.level - 1);
      }
      if (!HasProducer(operand)) continue;
      Bound& producer = bounds[plan_.buffers[operand.buffer].producer];
      const bool fuses = Fuses(item, operand);
      producer.any = std::min(producer.any, item.level - (fuses ? 0 : 1));
      if (fuses) producer.fused = std::min(producer.fused, item.level);
    }
  }
}

void Clustering::Unite() {
  struct Reader {
    ItemId item = kNone;
    int32_t level = kNone;
    int64_t size = 0;
    int joined = 0;
  };
  // All results of one loop are in memory at once.
  constexpr int kMostJoined = 16;
  std::vector<Reader> readers(plan_.buffers.size());
  for (ItemId id = 0; id < static_cast<ItemId>(plan_.items.size()); ++id) {
    parents_[id] = id;
    const Item& item = plan_.items[id];
    if (!JoinsLoops(item)) continue;
    for (PlanValueId value : item.operands) {
      const PlanValue& operand = plan_.values[value];
      if (Fuses(item, operand) && Producer(operand).level == item.level) {
        Join(id, plan_.buffers[operand.buffer].producer);
      }
      // Loops that read the same array read it once.
      Reader& reader = readers[operand.buffer];
      if (operand.access == Access::kWhole && item.size > 1) {
        const bool joins = reader.level == item.level && reader.size == item.size && reader.joined < kMostJoined;
        if (joins) Join(id, reader.item);
        reader = {id, item.level, item.size, joins ? reader.joined + 1 : 0};
      }
    }
  }
}

void Clustering::Collect() {
  for (ItemId id = 0; id < static_cast<ItemId>(plan_.items.size()); ++id) {
    const ItemId root = Root(id);
    if (root == id) {
      plan_.items[id].cluster = static_cast<int32_t>(plan_.clusters.size());
      plan_.clusters.push_back({{}, plan_.items[id].is_loop(), {}});
    }
    plan_.items[id].cluster = plan_.items[root].cluster;
    plan_.clusters[plan_.items[id].cluster].items.push_back(id);
  }
}

// The temporaries that a cluster reads and does not make, each once.
std::vector<BufferId> Clustering::ReadBy(int32_t cluster) const {
  std::vector<BufferId> read;
  for (ItemId id : plan_.clusters[cluster].items) {
    for (PlanValueId value : plan_.items[id].operands) {
      const BufferId buffer = plan_.values[value].buffer;
      const ItemId producer = plan_.buffers[buffer].producer;
      const bool temporary = plan_.buffers[buffer].kind == Buffer::Kind::kTemporary && producer != kNone;
      if (temporary && plan_.items[producer].cluster != cluster) read.push_back(buffer);
    }
  }
  std::sort(read.begin(), read.end());
  read.erase(std::unique(read.begin(), read.end()), read.end());
  return read;
}

// The program's order, as far as loops that wait for a late operand allow; but what leaves less in memory than it finds
// there runs at once, while that is still in the cache.
void Clustering::Order() {
  const size_t count = plan_.clusters.size();
  std::vector<std::vector<int32_t>> consumers(count);
  std::vector<int32_t> waiting(count, 0);
  for (Buffer& buffer : plan_.buffers) {
    // A reduction writes its result also where only a barrier waits for it.
    buffer.stored =
        buffer.kind != Buffer::Kind::kTemporary || plan_.items[buffer.producer].kind != Item::Kind::kElementwise;
  }
  const auto wait = [&](int32_t from, int32_t cluster) {
    consumers[from].push_back(cluster);
    ++waiting[cluster];
  };
  for (const Item& item : plan_.items) {
    for (PlanValueId value : item.operands) {
      const PlanValue& operand = plan_.values[value];
      if (const ItemId before = Before(operand); before != kNone) wait(plan_.items[before].cluster, item.cluster);
      if (!HasProducer(operand)) continue;
      const int32_t from = Producer(operand).cluster;
      if (from == item.cluster) continue;
      plan_.buffers[operand.buffer].stored = true;
      wait(from, item.cluster);
    }
  }
  std::vector<std::vector<BufferId>> read(count);
  std::vector<int32_t> readers(plan_.buffers.size(), 0);  // clusters that are still to run
  for (size_t cluster = 0; cluster < count; ++cluster) {
    read[cluster] = ReadBy(static_cast<int32_t>(cluster));
    for (BufferId buffer : read[cluster]) ++readers[buffer];
  }
  const auto frees_memory = [&](int32_t cluster) {
    int64_t bytes = 0;
    for (BufferId buffer : read[cluster]) bytes += readers[buffer] == 1 ? plan_.buffers[buffer].bytes() : 0;
    for (ItemId item : plan_.clusters[cluster].items) {
      for (BufferId output : plan_.items[item].outputs) {
        if (plan_.buffers[output].stored) bytes -= plan_.buffers[output].bytes();
      }
    }
    return bytes >= kHurriedBytes;
  };

  using Entry = std::pair<ItemId, int32_t>;  // last item, cluster
  std::vector<Entry> heap;
  std::vector<int32_t> long_kernels;  // wait until nothing else can run
  auto ready = [&](int32_t cluster) {
    if (IsLongKernel(plan_.clusters[cluster])) {
      long_kernels.push_back(cluster);
      return;
    }
    heap.push_back({frees_memory(cluster) ? kNone : plan_.clusters[cluster].items.back(), cluster});
    std::push_heap(heap.begin(), heap.end(), std::greater<Entry>());
  };
  for (size_t cluster = 0; cluster < count; ++cluster) {
    if (waiting[cluster] == 0) ready(static_cast<int32_t>(cluster));
  }
  std::vector<Cluster> ordered;
  ordered.reserve(count);
  while (!heap.empty() || !long_kernels.empty()) {
    std::vector<int32_t> next;
    if (heap.empty()) {
      next.swap(long_kernels);
      std::sort(next.begin(), next.end());
    } else {
      std::pop_heap(heap.begin(), heap.end(), std::greater<Entry>());
      next.push_back(heap.back().second);
      heap.pop_back();
    }
    Cluster together{{}, plan_.clusters[next[0]].is_loop, {}};
    for (int32_t cluster : next) {
      for (ItemId item : plan_.clusters[cluster].items) {
        plan_.items[item].cluster = static_cast<int32_t>(ordered.size());
        together.items.push_back(item);
      }
    }
    ordered.push_back(std::move(together));
    for (int32_t cluster : next) {
      for (BufferId buffer : read[cluster]) --readers[buffer];
    }
    for (int32_t cluster : next) {
      for (int32_t consumer : consumers[cluster]) {
        if (--waiting[consumer] == 0) ready(consumer);
      }
    }
  }
  plan_.clusters = std::move(ordered);
}

}  // namespace

void FormClusters(Plan& plan, bool side_by_side) { Clustering(plan, side_by_side).Run(); }

}  // namespace tenferro
