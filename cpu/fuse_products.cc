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
  LoopBlocks ChooseBlocks(const Cluster& loop, const ResultColumns& result, const Buffer& buffer, bool stored) const;
  static void CutAlongChunks(const LoopChunks& loop, LoopBlocks& blocks);
  // Whether such blocks save more than they cost.
  static bool Pays(const ResultColumns& result, const Buffer& buffer, const LoopBlocks& blocks);
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

LoopBlocks ProductFusion::ChooseBlocks(const Cluster& loop, const ResultColumns& result, const Buffer& buffer,
                                       bool stored) const {
  LoopBlocks blocks{.rows = result.rows, .columns = result.columns};
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
  blocks.nanoseconds = loop_nanoseconds + result.nanoseconds;

  const int64_t row_blocks = (result.rows + result.row_step - 1) / result.row_step;
  const int64_t own_blocks = row_blocks * ((result.columns + result.column_step - 1) / result.column_step);
  const int64_t least_blocks = loop_nanoseconds < kForkNanoseconds ? std::min(own_blocks, kLeastBlocks) : kLeastBlocks;
  const int64_t element_size = SizeOf(buffer.dtype);
  blocks.column_step =
      std::clamp(kBlockBytes / (result.rows * element_size), int64_t{1}, (result.columns - 1) / least_blocks + 1);
  if (reduces) CutAlongChunks(chunks, blocks);
  const int64_t count = blocks.count(chunks);
  // One of so many columns may be made twice, but two workers must not write the same column of what is stored.
  constexpr int64_t kFew = 32;
  if (count < least_blocks || result.rows * blocks.column_step * element_size > 2 * kBlockBytes ||
      (blocks.makes_columns_twice && (stored || count > result.columns / kFew)) || !Pays(result, buffer, blocks)) {
    return {};
  }
  return blocks;
}

// Blocks of about column_step columns, but whole chunks, or whole lines where a line has several and there are several.
void ProductFusion::CutAlongChunks(const LoopChunks& loop, LoopBlocks& blocks) {
  const bool by_lines = loop.chunks_of_line() > 1 && loop.num_lines() > 1;
  const int64_t unit = by_lines ? loop.line : loop.longest_chunk();
  int64_t units = std::max<int64_t>(1, blocks.column_step * blocks.rows / unit);
  // Where few units are whole columns, so many.
  const int64_t even = blocks.rows / std::gcd(blocks.rows, unit);
  if (even <= units) units = units / even * even;
  if (blocks.column_step == blocks.columns) units = (loop.size + unit - 1) / unit;
  blocks.chunks = units * (by_lines ? loop.chunks_of_line() : 1);
  blocks.makes_columns_twice = units * unit < loop.size && units % even != 0;
  blocks.column_step = std::min(blocks.columns, units * unit / blocks.rows + (units % even != 0 ? 2 : 0));
}

bool ProductFusion::Pays(const ResultColumns& result, const Buffer& buffer, const LoopBlocks& blocks) {
  // Elements of operands that are put in order for each element of the result.
  const auto ordered = [](int64_t rows, int64_t columns) {
    return 1 / static_cast<double>(rows) + 1 / static_cast<double>(columns);
  };
  const double more = (ordered(result.rows, blocks.column_step) - ordered(result.row_step, result.column_step)) *
                      static_cast<double>(result.terms) * kPackedByteNanoseconds;
  return more <= ReadAgainNanoseconds(buffer.bytes());
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
      const ResultColumns columns = product.kernel->result_columns();
      if (columns.rows == 0) continue;
      const bool stored = buffer.kind != Buffer::Kind::kTemporary || uses_[result].last > index;
      if (BytesKeptLonger(product, index) > (stored ? 0 : buffer.bytes())) continue;
      if (products.empty()) {
        loop.blocks = ChooseBlocks(loop, columns, buffer, stored);
        if (loop.blocks.rows == 0) continue;
      } else if (columns.rows != loop.blocks.rows || columns.columns != loop.blocks.columns ||
                 (stored && loop.blocks.makes_columns_twice) || !Pays(columns, buffer, loop.blocks)) {
        continue;
      } else {
        loop.blocks.nanoseconds += columns.nanoseconds;
      }
      products.push_back(buffer.producer);
      // Two workers must not write the same column of what is stored, nor one after the loop's own result.
      buffer.stored = !loop.blocks.makes_columns_twice;
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
