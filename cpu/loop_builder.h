#ifndef TENFERRO_CPU_LOOP_BUILDER_H_
#define TENFERRO_CPU_LOOP_BUILDER_H_

#include <utility>
#include <vector>

#include "tenferro/cpu/fused_loop.h"
#include "tenferro/cpu/plan.h"

namespace tenferro {

// Where a buffer's bytes are during a run: base 0 is the arena; inputs, outputs and constants follow.
LoopAddress AddressOf(const Plan& plan, BufferId buffer);
inline int32_t InputBase(const Plan&, int32_t index) { return 1 + index; }
inline int32_t OutputBase(const Plan& plan, int32_t index) {
  return InputBase(plan, static_cast<int32_t>(plan.program.inputs().size())) + index;
}
inline int32_t ConstantBase(const Plan& plan, int32_t index) {
  return OutputBase(plan, static_cast<int32_t>(plan.outputs.size())) + index;
}

// Makes loops of a placed plan's clusters: gives each intermediate result a register that is free while it lives. Takes
// the kernels of products out of the plan, and may add constants to it.
class LoopBuilder {
 public:
  explicit LoopBuilder(Plan& plan)
      : plan_(plan), values_(plan.values.size()), buffers_(plan.buffers.size()), pair_of_(plan.items.size(), kNone) {}
  Loop Build(int32_t cluster);

 private:
  struct Symbol {
    enum class Kind : uint8_t { kMemory, kBlock, kChunk, kRegister, kFixed } kind = Kind::kMemory;
    int32_t element_size = 0;
    int32_t number = 0;  // of a register, chunk or block
    int32_t last_use = kNone;
    LoopAddress address;
    LoopLabel label{};
  };
  // What one Build knows of a value or buffer.
  struct Note {
    uint32_t symbol = kNoSymbol;
    int32_t last_use = kNone;
    bool needs_chunk = false;
    ItemId lone = kNone;  // an item on the value that may yet find a partner
  };
  // Two items on one value that one tile computes.
  struct Pair {
    ItemId first, second;
    TileFn tile;
  };
  struct SplatTile {
    Tensor tile;
    int32_t constant;
  };
  static constexpr uint32_t kNoSymbol = ~uint32_t{0};

  bool IsMadeHere(const PlanValue& value) const {
    const Buffer& buffer = plan_.buffers[value.buffer];
    return buffer.producer != kNone && plan_.items[buffer.producer].cluster == cluster_;
  }
  Note& NoteOf(PlanValueId id) {
    const PlanValue& value = plan_.values[id];
    return IsMadeHere(value) ? buffers_[value.buffer] : values_[id];
  }
  void TakeNotes(const std::vector<ItemId>& items);
  // Joins an item with an earlier one on the same value, if a kernel computes both.
  void FindPartner(ItemId id);
  void ForgetNotes(const std::vector<ItemId>& items);
  // The symbol of a value from outside; the value itself where a step or a gather must fill it.
  void Bring(PlanValueId id);
  // The symbol of a step's or product's result, which lies in `apart` where it is not stored.
  uint32_t ResultSymbol(const Item& item, Symbol::Kind apart);
  uint32_t StepSymbol(const Item& item) {
    return ResultSymbol(item, buffers_[item.outputs[0]].needs_chunk ? Symbol::Kind::kChunk : Symbol::Kind::kRegister);
  }
  void AddProduct(Item& item);
  void AddPair(ItemId id);
  uint32_t AddSymbol(Symbol::Kind kind, int32_t element_size, int32_t last_use);
  void Release(uint32_t symbol, int32_t item);
  LoopGather GatherOf(uint32_t target, const PlanValue& value) const;
  void Lay();
  // Index of a constant that repeats a constant value's element.
  int32_t SplatConstant(const PlanValue& value, int64_t count);

  Plan& plan_;
  std::vector<Note> values_, buffers_;
  std::vector<SplatTile> splats_;
  std::vector<int32_t> pair_of_;  // by item: an index of pairs_, or kNone

  int32_t cluster_ = kNone;
  Loop loop_;
  std::vector<Symbol> symbols_;
  std::vector<int32_t> register_sizes_;
  std::vector<int32_t> free_registers_;
  std::vector<int32_t> chunk_sizes_, block_sizes_;
  std::vector<std::pair<uint32_t, const PlanValue*>> constant_splats_;
  std::vector<Pair> pairs_;
};

}  // namespace tenferro

#endif  // TENFERRO_CPU_LOOP_BUILDER_H_
