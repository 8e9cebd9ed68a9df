#ifndef TENFERRO_CPU_FUSED_LOOP_H_
#define TENFERRO_CPU_FUSED_LOOP_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "tenferro/cpu/kernel.h"
#include "tenferro/cpu/layout.h"
#include "tenferro/cpu/loop_chunks.h"

namespace tenferro {

// One pass over all elements of some arrays: a list of tile kernels applied to tile after tile, whose intermediate
// results stay in registers of a tile's length in the first-level cache. Reductions at the end make one result of each
// line of consecutive elements, from chunks of kReduceChunk elements that a fixed tree combines, so that neither fusion
// nor threads change a bit.
//
// A matrix product that is read may be made on the way: a block of it, and the loop over the block's elements while
// they are in the second-level cache.

// An address that steps read or write. It starts at bases[base] + offset, or in the worker's own memory when base < 0.
struct LoopAddress {
  int32_t base = 0;
  int32_t advance = 0;  // bytes between elements; 0 for registers, which every tile uses anew
  int64_t offset = 0;
};

struct LoopStep {
  TileFn tile;
  uint32_t out;
  uint32_t in[3];             // of a pair of operations, in[1] is the second result
  const int64_t* attributes;  // words in the prepared program, or null
};

// Fills an address with elements of a strided array, in column-major order.
struct LoopGather {
  uint32_t target;
  int32_t element_size;
  LoopAddress source;
  Walk walk;
};

struct LoopReduce {
  const ReduceRow* row;
  uint32_t source;
  int32_t element_size;
  LoopAddress result;
  int64_t partials;  // offset in the workspace of one result for each chunk, where a line has several
};

// A kernel whose result the loop reads and which it runs block by block.
struct LoopProduct {
  std::unique_ptr<Kernel> kernel;
  std::vector<LoopAddress> operands;
  uint32_t target;    // a block in the worker's memory, or the whole result
  int64_t workspace;  // offset
};

// What Explain writes: "%3" (a value of the program), "r0" (a register), "c0" (a chunk of a reduction's operand), "b0"
// (a block of a product).
struct LoopLabel {
  char kind;
  uint32_t index;
};

struct Loop : LoopChunks {
  int64_t tile = 0;
  // Those that move through memory, then those that start again with each block, then those that start again with each
  // chunk, then those that stay.
  std::vector<LoopAddress> addresses;
  uint32_t num_moving = 0;
  uint32_t num_blocks = 0;
  uint32_t num_chunked = 0;
  std::vector<LoopGather> fills;    // once for each call
  std::vector<LoopGather> gathers;  // at the start of each tile
  std::vector<LoopStep> steps;
  std::vector<LoopReduce> reduces;
  std::vector<LoopProduct> products;
  LoopBlocks blocks;
  int64_t kernel_memory = 0;  // offset of the products' own in the worker's
  int64_t worker_bytes = 0;
  int64_t workspace_bytes = 0;

  int num_registers = 0;
  std::vector<LoopLabel> labels;  // of the addresses
  std::vector<const char*> step_names;
  std::vector<const char*> step_partners;  // the second operation of a pair, whose result is in[1], or null
  std::vector<uint8_t> step_arity;
  std::vector<LoopLabel> reduce_labels;  // of their results
  std::vector<const char*> reduce_names;
};

// Runs a loop. `worker_memory` is width() pieces of loop.worker_bytes.
void RunLoop(const Loop& loop, char* const* bases, char* workspace, char* worker_memory, int64_t worker_stride,
             const Workers& workers);

}  // namespace tenferro

#endif  // TENFERRO_CPU_FUSED_LOOP_H_
