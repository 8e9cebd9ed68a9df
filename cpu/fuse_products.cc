// Which matrix products a loop makes block by block, and how large the blocks are.
//
// A kernel moves to the first loop that reads its result, if everything else that reads it comes later: the kernel's
// operands are there, since they were there before, and nobody misses the result. The cutting into blocks changes no
// bit.

#include <algorithm>
#include <numeric>

#include "tenferro/cpu/cost.h"
#include "tenferro/cpu/plan.h"

namespace tenferro {
namespace {

class ProductFusion {
 public:
  explicit ProductFusion(Plan& plan) : plan_(plan), uses_(plan.buffers.size()) {}

  void Run() {
    FindUses();
    for (size_t c = 0; c < plan_.clusters.size(); ++c) {
      if (plan_.clusters[c].is_loop) TakeProducts(static_cast<int32_t>(c));
    }
    DropEmptyClusters();
  }

 private:
  static constexpr int32_t kNever = INT32_MAX;
  struct Use {
    int32_t first = kNever;        // cluster that reads the buffer, or waits for it
    int32_t first_other = kNever;  // the first that does so otherwise than a loop that walks it from start to end
    int32_t last = kNone;          // cluster that reads it
  };

  void FindUses();
  void TakeProducts(int32_t cluster);
  bool MayMove(const Item& product, int32_t cluster) const;
  // Of the product's operands, those that nobody else reads as late as in `cluster`.
  int64_t BytesKeptLonger(const Item& product, int32_t cluster) const;
  // Blocks for a loop; none where making them costs more than it saves.
  LoopBlocks ChooseBlocks(const Cluster& loop, const ResultBlocks& result, const Buffer& buffer, bool stored) const;
  void DropEmptyClusters();

  Plan& plan_;
  std::vector<Use> uses_;  // by buffer
};

void ProductFusion::FindUses() {
  for (const Item& item : plan_.items) {
    for (PlanValueId id : item.operands) {
      const PlanValue& value = plan_.values[id];
      Use& use = uses_[value.buffer];
      use.first = std::min(use.first, item.cluster);
      use.last = std::max(use.last, item.cluster);
      if (!item.is_loop() || value.access != Access::kWhole) use.first_other = std::min(use.first_other, item.cluster);
      if (value.after == kNone) continue;
      Use& waiting = uses_[value.after];
      waiting.first = std::min(waiting.first, item.cluster);
      waiting.first_other = std::min(waiting.first_other, item.cluster);
    }
  }
}

bool ProductFusion::MayMove(const Item& product, int32_t cluster) const {
  if (product.kind != Item::Kind::kKernel || product.outputs.size() != 1 || product.cluster == cluster ||
      plan_.clusters[product.cluster].items.size() != 1) {
    return false;
  }
  const Use& use = uses_[product.outputs[0]];
  return use.first == cluster && use.first_other > cluster;
}

int64_t ProductFusion::BytesKeptLonger(const Item& product, int32_t cluster) const {
  int64_t bytes = 0;
  for (size_t i = 0; i < product.operands.size(); ++i) {
    const BufferId id = plan_.operand(product, static_cast<int>(i)).buffer;
    const bool seen = i > 0 && plan_.operand(product, 0).buffer == id;
    const Buffer& buffer = plan_.buffers[id];
    if (!seen && buffer.kind == Buffer::Kind::kTemporary && uses_[id].last < cluster) bytes += buffer.bytes();
  }
  return bytes;
}

LoopBlocks ProductFusion::ChooseBlocks(const Cluster& loop, const ResultBlocks& result, const Buffer& buffer,
                                       bool stored) const {
  const int64_t element_size = SizeOf(buffer.dtype);
  LoopBlocks blocks{result.rows, result.columns, result.row_step, result.column_step};
  LoopChunks chunks{buffer.size, buffer.size};
  double steps = 0;
  bool reduces = false;
  for (ItemId id : loop.items) {
    const Item& item = plan_.items[id];
    if (!item.is_loop()) continue;
    ++steps;
    if (item.kind != Item::Kind::kReduce) continue;
    chunks.line = item.line;
    reduces = true;
  }
  const double loop_nanoseconds = kElementNanoseconds * steps * static_cast<double>(buffer.size);
  const int64_t least_count = loop_nanoseconds < kForkNanoseconds ? 1 : kLeastBlocks;
  blocks.nanoseconds = loop_nanoseconds + result.nanoseconds;
  // Elements of operands that are put in order for each element of the result.
  const auto packed = [](int64_t rows, int64_t columns) {
    return 1 / static_cast<double>(rows) + 1 / static_cast<double>(columns);
  };
  const auto pays = [&](int64_t rows, int64_t columns) {
    const double more = (packed(rows, columns) - packed(result.row_step, result.column_step)) *
                        static_cast<double>(result.terms) * kPackedByteNanoseconds;
    return more <= (buffer.bytes() > kNearBytes ? kByteCopiedNanoseconds : 0);
  };
  if (!reduces) {
    int64_t& columns = blocks.column_step;
    const auto halve = [&] { columns = (columns + 1) / 2; };
    while (blocks.count(chunks) < least_count && columns > 1) halve();
    if (!pays(blocks.row_step, columns)) return {};
    while (blocks.row_step * columns * element_size > kBlockBytes && pays(blocks.row_step, (columns + 1) / 2)) halve();
    return blocks;
  }
  const int64_t chunk = chunks.longest_chunk();
  blocks.row_step = blocks.rows;
  blocks.chunks = std::max<int64_t>(1, kBlockBytes / element_size / chunk);
  // Whole columns where few chunks are some.
  const int64_t even = blocks.rows / std::gcd(blocks.rows, chunk);
  if (even <= blocks.chunks) blocks.chunks = blocks.chunks / even * even;
  int64_t made = 0;
  blocks.column_step = 0;
  const int64_t count = blocks.count(chunks);
  for (int64_t block = 0; block < count; ++block) {
    const int64_t begin = block * blocks.chunks;
    const MatrixRange range =
        blocks.CoveringColumns(chunks, begin, std::min(chunks.num_chunks(), begin + blocks.chunks));
    blocks.column_step = std::max(blocks.column_step, range.column_end - range.column_begin);
    made += range.column_end - range.column_begin;
  }
  // Two workers must not write the same column of what is stored.
  const int64_t most_twice = stored ? 0 : blocks.columns / 32;
  if (made - blocks.columns > most_twice || count < least_count ||
      blocks.row_step * blocks.column_step * element_size > 2 * kBlockBytes || !pays(blocks.rows, blocks.column_step)) {
    return {};
  }
  return blocks;
}

void ProductFusion::TakeProducts(int32_t index) {
  Cluster& loop = plan_.clusters[index];
  std::vector<ItemId> products;
  for (ItemId id : loop.items) {
    for (PlanValueId value : plan_.items[id].operands) {
      const BufferId result = plan_.values[value].buffer;
      Buffer& buffer = plan_.buffers[result];
      if (buffer.producer == kNone) continue;
      Item& product = plan_.items[buffer.producer];
      if (!MayMove(product, index)) continue;
      const ResultBlocks blocks = product.kernel->result_blocks();
      if (blocks.rows == 0) continue;
      const bool stored = buffer.kind != Buffer::Kind::kTemporary || uses_[result].last > index;
      if (BytesKeptLonger(product, index) > (stored ? 0 : buffer.bytes())) continue;
      if (products.empty()) {
        loop.blocks = ChooseBlocks(loop, blocks, buffer, stored);
        if (loop.blocks.rows == 0) continue;
      } else if (blocks.rows != loop.blocks.rows || blocks.columns != loop.blocks.columns || stored) {
        continue;
      }
      products.push_back(buffer.producer);
      buffer.stored = stored;
      plan_.clusters[product.cluster].items.clear();
      product.cluster = index;
      for (PlanValueId operand : product.operands) {
        int32_t& last = uses_[plan_.values[operand].buffer].last;
        last = std::max(last, index);
      }
    }
  }
  loop.items.insert(loop.items.begin(), products.begin(), products.end());
}

void ProductFusion::DropEmptyClusters() {
  const auto is_empty = [](const Cluster& cluster) { return cluster.items.empty(); };
  plan_.clusters.erase(std::remove_if(plan_.clusters.begin(), plan_.clusters.end(), is_empty), plan_.clusters.end());
  for (size_t c = 0; c < plan_.clusters.size(); ++c) {
    for (ItemId id : plan_.clusters[c].items) plan_.items[id].cluster = static_cast<int32_t>(c);
  }
}

}  // namespace

void FuseProducts(Plan& plan) { ProductFusion(plan).Run(); }

}  // namespace tenferro
