#include "tenferro/cpu/loop_builder.h"

#include <algorithm>
#include <cstring>

#include "tenferro/cpu/alignment.h"
#include "tenferro/cpu/cost.h"
#include "tenferro/cpu/kernels/move.h"

namespace tenferro {
namespace {

// Registers a power of two apart would share their sets in the cache and look alike to the store buffer.
constexpr int64_t kGap = 64;

int32_t SizeOfElement(const PlanValue& value) { return static_cast<int32_t>(SizeOf(value.type->dtype)); }

}  // namespace

LoopAddress AddressOf(const Plan& plan, BufferId id) {
  const Buffer& buffer = plan.buffers[id];
  const int32_t advance = static_cast<int32_t>(SizeOf(buffer.dtype));
  switch (buffer.kind) {
    case Buffer::Kind::kTemporary: return {0, advance, buffer.offset};
    case Buffer::Kind::kConstant: return {ConstantBase(plan, buffer.index), advance, 0};
    case Buffer::Kind::kInput: return {InputBase(plan, buffer.index), advance, 0};
    case Buffer::Kind::kOutput: break;
  }
  return {OutputBase(plan, buffer.index), advance, 0};
}

void LoopBuilder::TakeNotes(const std::vector<ItemId>& items) {
  for (ItemId id : items) {
    const Item& item = plan_.items[id];
    if (!item.is_loop()) continue;
    for (PlanValueId value : item.operands) {
      Note& note = NoteOf(value);
      note.last_use = id;
      const PlanValue& operand = plan_.values[value];
      const bool in_memory = IsMadeHere(operand) ? plan_.buffers[operand.buffer].stored : operand.is_dense();
      if (item.kind == Item::Kind::kReduce && !in_memory) note.needs_chunk = true;
    }
    if (item.kind == Item::Kind::kElementwise && item.operands.size() == 1) FindPartner(id);
  }
}

void LoopBuilder::FindPartner(ItemId id) {
  const Item& item = plan_.items[id];
  const Buffer& result = plan_.buffers[item.outputs[0]];
  const auto pair = item.node->op->slots->cpu->pair;
  // Computed earlier than it stands: its result must not take the place of what others still read.
  if (pair == nullptr || result.stored || plan_.operand(item, 0).type->dtype != result.dtype) return;
  ItemId& lone = NoteOf(item.operands[0]).lone;
  const auto tile_of = [&](ItemId first, ItemId second) {
    return pair(plan_.isa, plan_.items[first].node->op, plan_.items[second].node->op,
                static_cast<uint8_t>(result.dtype));
  };
  for (const auto& [first, second] : {std::pair(lone, id), std::pair(id, lone)}) {
    const TileFn tile = lone == kNone ? nullptr : tile_of(first, second);
    if (tile == nullptr) continue;
    pair_of_[id] = pair_of_[lone] = static_cast<int32_t>(pairs_.size());
    pairs_.push_back({first, second, tile});
    lone = kNone;
    return;
  }
  lone = id;
}

void LoopBuilder::ForgetNotes(const std::vector<ItemId>& items) {
  for (ItemId id : items) {
    for (PlanValueId value : plan_.items[id].operands) values_[value] = Note();
    for (BufferId buffer : plan_.items[id].outputs) buffers_[buffer] = Note();
  }
}

uint32_t LoopBuilder::AddSymbol(Symbol::Kind kind, int32_t element_size, int32_t last_use) {
  Symbol symbol;
  symbol.kind = kind;
  symbol.element_size = element_size;
  symbol.last_use = last_use;
  if (kind == Symbol::Kind::kChunk) {
    symbol.number = static_cast<int32_t>(chunk_sizes_.size());
    symbol.label = {'c', static_cast<uint32_t>(symbol.number)};
    chunk_sizes_.push_back(element_size);
  } else if (kind == Symbol::Kind::kBlock) {
    symbol.number = static_cast<int32_t>(block_sizes_.size());
    symbol.label = {'b', static_cast<uint32_t>(symbol.number)};
    block_sizes_.push_back(element_size);
  } else if (kind == Symbol::Kind::kRegister) {
    auto match = [&](int32_t r) { return register_sizes_[r] == element_size; };
    auto found = std::find_if(free_registers_.rbegin(), free_registers_.rend(), match);
    if (found != free_registers_.rend()) {
      symbol.number = *found;
      free_registers_.erase(std::next(found).base());
    } else {
      symbol.number = static_cast<int32_t>(register_sizes_.size());
      register_sizes_.push_back(element_size);
    }
    symbol.label = {'r', static_cast<uint32_t>(symbol.number)};
  }
  symbols_.push_back(symbol);
  return static_cast<uint32_t>(symbols_.size()) - 1;
}

void LoopBuilder::Release(uint32_t id, int32_t item) {
  Symbol& symbol = symbols_[id];
  if (symbol.kind != Symbol::Kind::kRegister || symbol.last_use != item) return;
  symbol.last_use = kNone;  // an operand that stands twice is released once
  free_registers_.push_back(symbol.number);
}

LoopGather LoopBuilder::GatherOf(uint32_t target, const PlanValue& value) const {
  LoopAddress source = AddressOf(plan_, value.buffer);
  source.offset += value.layout.offset * SizeOfElement(value);
  return {target, SizeOfElement(value), source, WalkOf(value.type->shape, value.layout)};
}

void LoopBuilder::Bring(PlanValueId id) {
  const PlanValue& value = plan_.values[id];
  if (IsMadeHere(value) || values_[id].symbol != kNoSymbol) return;
  Note& note = values_[id];
  const int32_t size = SizeOfElement(value);
  if (value.is_dense()) {
    note.symbol = AddSymbol(Symbol::Kind::kMemory, size, kNone);
    Symbol& symbol = symbols_[note.symbol];
    symbol.address = AddressOf(plan_, value.buffer);
    symbol.address.offset += value.layout.offset * size;
    symbol.label = {'%', id};
  } else if (value.access == Access::kSplat && !note.needs_chunk) {
    note.symbol = AddSymbol(Symbol::Kind::kFixed, size, kNone);
    symbols_[note.symbol].label = {'%', id};
    if (plan_.buffers[value.buffer].kind == Buffer::Kind::kConstant) {
      constant_splats_.push_back({note.symbol, &value});
      return;
    }
    // A register that no other value may use.
    symbols_[note.symbol].number = static_cast<int32_t>(register_sizes_.size());
    register_sizes_.push_back(size);
    loop_.fills.push_back(GatherOf(note.symbol, value));
  } else {
    note.symbol = AddSymbol(note.needs_chunk ? Symbol::Kind::kChunk : Symbol::Kind::kRegister, size, note.last_use);
    loop_.gathers.push_back(GatherOf(note.symbol, value));
  }
}

uint32_t LoopBuilder::ResultSymbol(const Item& item, Symbol::Kind apart) {
  const BufferId id = item.outputs[0];
  const Buffer& buffer = plan_.buffers[id];
  const int32_t size = static_cast<int32_t>(SizeOf(buffer.dtype));
  if (!buffer.stored) return AddSymbol(apart, size, buffers_[id].last_use);
  const uint32_t symbol = AddSymbol(Symbol::Kind::kMemory, size, kNone);
  symbols_[symbol].address = AddressOf(plan_, id);
  symbols_[symbol].label = {'%', item.node->first_output};
  return symbol;
}

void LoopBuilder::AddProduct(Item& item) {
  LoopProduct product{std::move(item.kernel), {}, 0, loop_.workspace_bytes};
  for (PlanValueId id : item.operands) {
    const PlanValue& value = plan_.values[id];
    product.operands.push_back(AddressOf(plan_, value.buffer));
    product.operands.back().offset += value.layout.offset * SizeOfElement(value);
  }
  product.target = buffers_[item.outputs[0]].symbol = ResultSymbol(item, Symbol::Kind::kBlock);
  loop_.workspace_bytes += Aligned(product.kernel->workspace_bytes());
  loop_.products.push_back(std::move(product));
}

Loop LoopBuilder::Build(int32_t cluster) {
  cluster_ = cluster;
  loop_ = Loop();
  symbols_.clear();
  register_sizes_.clear();
  free_registers_.clear();
  chunk_sizes_.clear();
  block_sizes_.clear();
  constant_splats_.clear();
  pairs_.clear();
  const std::vector<ItemId>& items = plan_.clusters[cluster].items;
  loop_.size = loop_.line = plan_.items[items.back()].size;
  loop_.blocks = plan_.clusters[cluster].blocks;
  for (ItemId id : items) {
    if (plan_.items[id].kind == Item::Kind::kReduce) loop_.line = plan_.items[id].line;
  }
  TakeNotes(items);
  // Everything gathered is there before the first step.
  for (ItemId id : items) {
    if (!plan_.items[id].is_loop()) {
      AddProduct(plan_.items[id]);
    } else {
      for (PlanValueId value : plan_.items[id].operands) Bring(value);
    }
  }
  for (ItemId id : items) {
    const Item& item = plan_.items[id];
    if (!item.is_loop()) continue;
    if (item.kind == Item::Kind::kReduce) {
      const uint32_t source = NoteOf(item.operands[0]).symbol;
      const int32_t size = symbols_[source].element_size;
      loop_.reduces.push_back({item.reduce, source, size, AddressOf(plan_, item.outputs[0]), loop_.workspace_bytes});
      if (loop_.chunks_of_line() > 1) loop_.workspace_bytes += Aligned(loop_.num_chunks() * size);
      loop_.reduce_labels.push_back({'%', item.node->first_output});
      loop_.reduce_names.push_back(item.node->op->name);
      continue;
    }
    if (pair_of_[id] != kNone) {
      AddPair(id);
      continue;
    }
    LoopStep step{item.tile, 0, {0, 0, 0}, plan_.program.nodes().attributes(*item.node).data()};
    const int32_t out_size = static_cast<int32_t>(SizeOf(plan_.buffers[item.outputs[0]].dtype));
    for (size_t i = 0; i < 3; ++i) {
      step.in[i] = i < item.operands.size() ? NoteOf(item.operands[i]).symbol : step.in[0];
    }
    // A kernel may write over an operand of the same element size.
    for (size_t i = 0; i < item.operands.size(); ++i) {
      if (symbols_[step.in[i]].element_size == out_size) Release(step.in[i], id);
    }
    step.out = StepSymbol(item);
    buffers_[item.outputs[0]].symbol = step.out;
    for (size_t i = 0; i < item.operands.size(); ++i) Release(step.in[i], id);
    Release(step.out, kNone);
    loop_.steps.push_back(step);
    loop_.step_names.push_back(item.node->op->name);
    loop_.step_partners.push_back(nullptr);
    loop_.step_arity.push_back(static_cast<uint8_t>(item.operands.size()));
  }
  Lay();
  ForgetNotes(items);
  return std::move(loop_);
}

void LoopBuilder::AddPair(ItemId id) {
  const Pair& pair = pairs_[pair_of_[id]];
  const Item &first = plan_.items[pair.first], &second = plan_.items[pair.second];
  if (buffers_[second.outputs[0]].symbol != kNoSymbol) {
    // Both stand where the earlier one stood: the operand is read no more.
    Release(NoteOf(first.operands[0]).symbol, id);
    return;
  }
  const uint32_t operand = NoteOf(first.operands[0]).symbol;
  LoopStep step{pair.tile, 0, {operand, 0, operand}, nullptr};
  step.out = buffers_[first.outputs[0]].symbol = StepSymbol(first);
  step.in[1] = buffers_[second.outputs[0]].symbol = StepSymbol(second);
  for (uint32_t result : {step.out, step.in[1]}) Release(result, kNone);
  loop_.steps.push_back(step);
  loop_.step_names.push_back(first.node->op->name);
  loop_.step_partners.push_back(second.node->op->name);
  loop_.step_arity.push_back(1);
}

void LoopBuilder::Lay() {
  // Tiles as long as the cache allows, all of about the same length.
  int64_t bytes_of_element = 0;
  for (const Symbol& symbol : symbols_) {
    if (symbol.kind <= Symbol::Kind::kBlock) bytes_of_element += symbol.element_size;
  }
  for (int32_t size : register_sizes_) bytes_of_element += size;
  for (const auto& [symbol, value] : constant_splats_) bytes_of_element += SizeOfElement(*value);
  const int64_t longest = std::clamp(kTileCacheBytes / std::max<int64_t>(1, bytes_of_element), kMinTile, kMaxTile);
  const int64_t chunk = loop_.longest_chunk();
  const int64_t tiles = std::max<int64_t>(1, (chunk + longest - 1) / longest);
  loop_.tile = std::min(longest, ((chunk + tiles - 1) / tiles + 15) & ~int64_t{15});
  loop_.tile = std::max<int64_t>(loop_.tile, 1);
  loop_.num_registers = static_cast<int>(register_sizes_.size());

  std::vector<uint32_t> order;
  for (Symbol::Kind kind : {Symbol::Kind::kMemory, Symbol::Kind::kBlock, Symbol::Kind::kChunk, Symbol::Kind::kRegister,
                            Symbol::Kind::kFixed}) {
    for (uint32_t i = 0; i < symbols_.size(); ++i) {
      if (symbols_[i].kind == kind) order.push_back(i);
    }
    const uint32_t count = static_cast<uint32_t>(order.size());
    if (kind == Symbol::Kind::kMemory) loop_.num_moving = count;
    if (kind == Symbol::Kind::kBlock) loop_.num_blocks = count - loop_.num_moving;
    if (kind == Symbol::Kind::kChunk) loop_.num_chunked = count - loop_.num_moving - loop_.num_blocks;
  }
  int64_t used = Aligned(static_cast<int64_t>(symbols_.size() * sizeof(char*)));
  std::vector<int64_t> register_offsets, chunk_offsets, block_offsets;
  const int64_t register_length = std::min(loop_.tile, chunk);
  for (int32_t size : register_sizes_) {
    register_offsets.push_back(used);
    used += Aligned(register_length * size) + kGap;
  }
  for (int32_t size : chunk_sizes_) {
    chunk_offsets.push_back(used);
    used += Aligned(chunk * size) + kGap;
  }
  for (int32_t size : block_sizes_) {
    block_offsets.push_back(used);
    used += Aligned(loop_.blocks.rows * loop_.blocks.column_step * size) + kGap;
  }
  loop_.kernel_memory = used;
  loop_.worker_bytes = used;
  for (const LoopProduct& product : loop_.products) {
    loop_.worker_bytes = std::max(loop_.worker_bytes, used + product.kernel->worker_workspace_bytes());
  }

  for (const auto& [symbol, value] : constant_splats_) {
    symbols_[symbol].address = {ConstantBase(plan_, SplatConstant(*value, register_length)), 0, 0};
  }
  for (const LoopGather& fill : loop_.fills) {
    symbols_[fill.target].address = {-1, 0, register_offsets[symbols_[fill.target].number]};
  }
  std::vector<uint32_t> place(symbols_.size());
  for (uint32_t i = 0; i < order.size(); ++i) {
    Symbol& symbol = symbols_[order[i]];
    place[order[i]] = i;
    if (symbol.kind == Symbol::Kind::kRegister) symbol.address = {-1, 0, register_offsets[symbol.number]};
    if (symbol.kind == Symbol::Kind::kChunk) symbol.address = {-1, symbol.element_size, chunk_offsets[symbol.number]};
    if (symbol.kind == Symbol::Kind::kBlock) symbol.address = {-1, symbol.element_size, block_offsets[symbol.number]};
    loop_.addresses.push_back(symbol.address);
    loop_.labels.push_back(symbol.label);
  }
  for (LoopStep& step : loop_.steps) {
    step.out = place[step.out];
    for (uint32_t& in : step.in) in = place[in];
  }
  for (LoopGather& fill : loop_.fills) fill.target = place[fill.target];
  for (LoopGather& gather : loop_.gathers) gather.target = place[gather.target];
  for (LoopReduce& reduce : loop_.reduces) reduce.source = place[reduce.source];
  for (LoopProduct& product : loop_.products) product.target = place[product.target];
}

int32_t LoopBuilder::SplatConstant(const PlanValue& value, int64_t count) {
  const Tensor& source = plan_.constants[plan_.buffers[value.buffer].index];
  const int64_t size = SizeOf(value.type->dtype);
  const char* element = static_cast<const char*>(source.storage()->data()) + value.layout.offset * size;
  for (const SplatTile& splat : splats_) {
    const bool fits = splat.tile.dtype() == value.type->dtype && splat.tile.size() >= count;
    if (fits && std::memcmp(splat.tile.storage()->data(), element, size) == 0) return splat.constant;
  }
  absl::StatusOr<Tensor> tile = Tensor::Uninitialized(value.type->dtype, {count});
  if (!tile.ok()) return plan_.buffers[value.buffer].index;
  const int64_t stride = 0;
  GatherTile(static_cast<int>(size), 1, &count, element, &stride, 0, count, tile->storage()->data());
  const int32_t constant = static_cast<int32_t>(plan_.constants.size());
  plan_.constants.push_back(*tile);
  splats_.push_back({*std::move(tile), constant});
  return constant;
}

}  // namespace tenferro
