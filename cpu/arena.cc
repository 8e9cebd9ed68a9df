#include <algorithm>

#include "tenferro/cpu/alignment.h"
#include "tenferro/cpu/plan.h"

namespace tenferro {
namespace {

constexpr size_t kMostTakeovers = 8;
// An arena of this size stands for any larger one, whose size might not fit an int64_t: no machine can allocate either.
constexpr int64_t kMostBytes = int64_t{1} << 61;

// Offsets of blocks that come and go, the smallest hole that fits first.
class Arena {
 public:
  int64_t Take(int64_t bytes) {
    bytes = Rounded(bytes);
    size_t best = holes_.size();
    for (size_t i = 0; i < holes_.size(); ++i) {
      if (holes_[i].bytes >= bytes && (best == holes_.size() || holes_[i].bytes < holes_[best].bytes)) best = i;
    }
    if (best < holes_.size()) {
      const int64_t offset = holes_[best].offset;
      holes_[best].offset += bytes;
      holes_[best].bytes -= bytes;
      if (holes_[best].bytes == 0) holes_.erase(holes_.begin() + best);
      return offset;
    }
    int64_t offset = end_;
    if (!holes_.empty() && holes_.back().offset + holes_.back().bytes == end_) {
      offset = holes_.back().offset;
      holes_.pop_back();
    }
    end_ = std::min(offset + bytes, kMostBytes);
    return offset;
  }

  void Give(int64_t offset, int64_t bytes) {
    bytes = Rounded(bytes);
    auto next = std::lower_bound(holes_.begin(), holes_.end(), offset,
                                 [](const Hole& hole, int64_t at) { return hole.offset < at; });
    next = holes_.insert(next, {offset, bytes});
    if (next + 1 != holes_.end() && offset + bytes == (next + 1)->offset) {
      next->bytes += (next + 1)->bytes;
      holes_.erase(next + 1);
    }
    if (next != holes_.begin() && (next - 1)->offset + (next - 1)->bytes == offset) {
      (next - 1)->bytes += next->bytes;
      holes_.erase(next);
    }
  }

  int64_t bytes() const { return end_; }

 private:
  struct Hole {
    int64_t offset;
    int64_t bytes;
  };
  static int64_t Rounded(int64_t bytes) { return std::max(kAlignment, Aligned(bytes)); }

  std::vector<Hole> holes_;  // by offset
  int64_t end_ = 0;
};

class Placement {
 public:
  explicit Placement(Plan& plan)
      : plan_(plan), lives_(plan.buffers.size()), first_writers_(plan.outputs.size(), kNone) {}

  void Run() {
    FindLives();
    for (size_t c = plan_.clusters.size(); c-- > 0;) WorkInOutputs(plan_.clusters[c]);
    for (const Cluster& cluster : plan_.clusters) ReuseInPlace(cluster);
    KeepBlocksApart();
    FindTakeovers();
    Place();
  }

 private:
  struct Life {
    int32_t defined = kNone;     // cluster
    int32_t last_use = kNone;    // cluster
    ItemId last_reader = kNone;  // within the cluster of the last use
    bool whole = true;           // read there from start to end, tile by tile, and not after a tile's steps
    bool reused = false;
  };

  void FindLives();
  // Where an output is computed from a temporary of its size that nothing else needs, the temporary lives in its bytes.
  void WorkInOutputs(const Cluster& cluster);
  // Likewise a temporary in the bytes of an older one.
  void ReuseInPlace(const Cluster& cluster);
  // The first temporary that the item's result may be written over.
  BufferId FindOld(const Cluster& cluster, ItemId item) const;
  // What a loop makes block by block, where nothing else reads it and it has found no bytes of a result: in the
  // workers' memory.
  void KeepBlocksApart();
  void FindTakeovers();
  void Place();

  // Made while the cluster runs, or before.
  bool IsThereInTime(BufferId buffer, const Cluster& cluster, int32_t index) const {
    const Buffer& old = plan_.buffers[buffer];
    return lives_[buffer].defined != index || (cluster.blocks.rows > 0 && !plan_.items[old.producer].is_loop());
  }
  static bool MayOverwriteAny(const Item& item) {
    return item.kind == Item::Kind::kElementwise ||
           (item.kind == Item::Kind::kKernel && item.kernel->may_overwrite_operand());
  }
  // True when `item` may write its result over `old`, a buffer of the same size that is not needed later.
  bool MayOverwrite(ItemId item, BufferId result, BufferId old) const {
    const Life& life = lives_[old];
    const Item& writer = plan_.items[item];
    if (life.last_use < writer.cluster) return true;
    if (life.last_use > writer.cluster) return false;
    if (writer.kind == Item::Kind::kKernel) return MayKernelOverwrite(writer, old);
    return writer.kind == Item::Kind::kElementwise && life.whole && life.last_reader <= item &&
           SizeOf(plan_.buffers[old].dtype) == SizeOf(plan_.buffers[result].dtype);
  }
  // The kernel's operand 0 alone; not beside other kernels, which may read it.
  bool MayKernelOverwrite(const Item& writer, BufferId old) const {
    if (!writer.kernel->may_overwrite_operand() || plan_.clusters[writer.cluster].items.size() > 1) return false;
    for (size_t i = 0; i < writer.operands.size(); ++i) {
      const PlanValue& operand = plan_.values[writer.operands[i]];
      if ((operand.buffer == old) != (i == 0) || (i == 0 && operand.access != Access::kWhole)) return false;
    }
    return true;
  }

  Plan& plan_;
  std::vector<Life> lives_;            // by buffer
  std::vector<ItemId> first_writers_;  // by output whose bytes temporaries use
};

void Placement::FindLives() {
  for (size_t c = 0; c < plan_.clusters.size(); ++c) {
    const int32_t cluster = static_cast<int32_t>(c);
    for (ItemId id : plan_.clusters[c].items) {
      const Item& item = plan_.items[id];
      for (PlanValueId value : item.operands) {
        const PlanValue& operand = plan_.values[value];
        Life& life = lives_[operand.buffer];
        if (life.last_use != cluster) life.whole = true;
        life.last_use = cluster;
        life.last_reader = id;
        // A reduction reads its operand at the end of a chunk, a gathered one is read at the start of a tile or loop,
        // a product's for every block.
        if (operand.access != Access::kWhole || item.kind != Item::Kind::kElementwise) life.whole = false;
      }
      for (BufferId output : item.outputs)
        lives_[output] = {.defined = cluster, .last_use = cluster, .last_reader = id};
    }
  }
}

BufferId Placement::FindOld(const Cluster& cluster, ItemId id) const {
  const Item& item = plan_.items[id];
  const int64_t size = plan_.buffers[item.outputs[0]].size;
  for (ItemId reader : cluster.items) {
    if (reader > id) break;
    for (PlanValueId value : plan_.items[reader].operands) {
      const BufferId old = plan_.values[value].buffer;
      const Buffer& buffer = plan_.buffers[old];
      const Life& life = lives_[old];
      if (buffer.kind == Buffer::Kind::kTemporary && buffer.stored && !life.reused &&
          IsThereInTime(old, cluster, item.cluster) && life.last_use == item.cluster && buffer.size == size &&
          MayOverwrite(id, item.outputs[0], old)) {
        return old;
      }
    }
  }
  return kNone;
}

void Placement::WorkInOutputs(const Cluster& cluster) {
  for (ItemId id : cluster.items) {
    const Item& item = plan_.items[id];
    const Buffer& result = plan_.buffers[item.outputs[0]];
    if (!MayOverwriteAny(item) || result.kind != Buffer::Kind::kOutput) continue;
    const BufferId old = FindOld(cluster, id);
    if (old == kNone) continue;
    plan_.buffers[old].kind = Buffer::Kind::kOutput;
    plan_.buffers[old].index = result.index;
    first_writers_[result.index] = plan_.buffers[old].producer;
  }
}

void Placement::ReuseInPlace(const Cluster& cluster) {
  for (ItemId id : cluster.items) {
    const Item& item = plan_.items[id];
    Buffer& result = plan_.buffers[item.outputs[0]];
    if (!MayOverwriteAny(item) || !result.stored || result.kind != Buffer::Kind::kTemporary) continue;
    result.reuses = FindOld(cluster, id);
    if (result.reuses != kNone) lives_[result.reuses].reused = true;
  }
}

void Placement::KeepBlocksApart() {
  for (const Cluster& cluster : plan_.clusters) {
    if (cluster.blocks.rows == 0) continue;
    for (ItemId id : cluster.items) {
      const BufferId result = plan_.items[id].outputs[0];
      Buffer& buffer = plan_.buffers[result];
      const Life& life = lives_[result];
      if (plan_.items[id].is_loop() || buffer.kind != Buffer::Kind::kTemporary || life.reused) continue;
      buffer.stored = life.last_use != life.defined;
    }
  }
}

void Placement::FindTakeovers() {
  for (BufferId output : plan_.outputs) {
    const Buffer& result = plan_.buffers[output];
    const ItemId writer = first_writers_[result.index] == kNone ? result.producer : first_writers_[result.index];
    const BufferId written = plan_.items[writer].outputs[0];
    // The likeliest pair of a state and its successor first: those of one position.
    const size_t count = plan_.program.inputs().size();
    plan_.takeovers.emplace_back();
    for (size_t k = 0; k < count && plan_.takeovers.back().size() < kMostTakeovers; ++k) {
      const size_t i = (static_cast<size_t>(result.index) + k) % count;
      const BufferId input = plan_.values[plan_.program.inputs()[i]].buffer;
      if (plan_.buffers[input].bytes() == result.bytes() && MayOverwrite(writer, written, input)) {
        plan_.takeovers.back().push_back(static_cast<int32_t>(i));
      }
    }
  }
}

void Placement::Place() {
  std::vector<std::vector<BufferId>> ends(plan_.clusters.size());
  Arena arena;
  for (size_t c = 0; c < plan_.clusters.size(); ++c) {
    for (ItemId id : plan_.clusters[c].items) {
      for (BufferId output : plan_.items[id].outputs) {
        Buffer& buffer = plan_.buffers[output];
        if (buffer.kind != Buffer::Kind::kTemporary || !buffer.stored) continue;
        buffer.offset = buffer.reuses != kNone ? plan_.buffers[buffer.reuses].offset : arena.Take(buffer.bytes());
        if (!lives_[output].reused) ends[lives_[output].last_use].push_back(output);
      }
    }
    for (BufferId end : ends[c]) arena.Give(plan_.buffers[end].offset, plan_.buffers[end].bytes());
  }
  plan_.arena_bytes = arena.bytes();
}

}  // namespace

void PlaceBuffers(Plan& plan) { Placement(plan).Run(); }

}  // namespace tenferro
