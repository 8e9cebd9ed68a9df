#ifndef TENFERRO_CPU_LOOP_BUILDER_H_
#define TENFERRO_CPU_LOOP_BUILDER_H_

#include <vector>

#include "tenferro/cpu/fused_loop.h"
#include "tenferro/cpu/plan.h"

namespace tenferro {

// Where a buffer's bytes are during a run: 0 is the arena; constants, inputs and outputs follow.
LoopAddress AddressOf(const Plan& plan, BufferId buffer);
int32_t FirstInputBase(const Plan& plan);
int32_t FirstOutputBase(const Plan& plan);

// Makes loops of a placed plan's clusters: gives each intermediate result a register that is free while it lives.
// May add constants to the plan, so bases of inputs and outputs hold only when all loops are made; they are numbered
// from kInputBase and kOutputBase until then.
class LoopBuilder {
 public:
  explicit LoopBuilder(Plan& plan);
  Loop Build(const Cluster& cluster);

 private:
  struct Symbol {
    enum class Kind : uint8_t { kMemory, kChunk, kRegister, kFixed } kind;
    int32_t element_size;
    LoopAddress memory;  // for kMemory and kFixed
    int32_t number = 0;  // of a chunk or register
    LoopLabel label;
  };
  struct Register {
    int32_t element_size;
    bool free = false;
  };
  static constexpr uint32_t kNoSymbol = ~uint32_t{0};

  uint32_t OperandSymbol(PlanValueId value);
  uint32_t ResultSymbol(BufferId buffer, PlanValueId label);
  uint32_t AddSymbol(Symbol symbol);
  uint32_t NewRegister(int32_t element_size);
  uint32_t NewChunk(int32_t element_size);
  // A constant tensor that repeats the element `n` times.
  uint32_t SplatSymbol(const PlanValue& value, PlanValueId label);
  void CountUses(const Cluster& cluster);
  void Use(uint32_t symbol);
  void Lay(Loop& loop);

  Plan& plan_;
  // By buffer and value: scratch of one Build, reset at its end.
  std::vector<uint32_t> buffer_symbol_, value_symbol_;
  std::vector<int32_t> uses_left_;       // by buffer made in the loop and by gathered value
  std::vector<bool> needs_chunk_;
};

}  // namespace tenferro

#endif  // TENFERRO_CPU_LOOP_BUILDER_H_
