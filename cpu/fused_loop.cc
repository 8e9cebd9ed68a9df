#include "tenferro/cpu/fused_loop.h"

#include <algorithm>

#include "absl/container/inlined_vector.h"
#include "tenferro/cpu/cost.h"
#include "tenferro/cpu/kernels/move.h"
#include "tenferro/cpu/share_work.h"

namespace tenferro {
namespace {

char* Resolve(const LoopAddress& address, char* const* bases, char* worker) {
  return (address.base < 0 ? worker : bases[address.base]) + address.offset;
}

// The gather's elements begin … begin + n, to the start of its target.
void Gather(const LoopGather& gather, char* const* bases, char* worker, int64_t begin, int64_t n, char* target) {
  GatherTile(gather.element_size, static_cast<int>(gather.walk.extents.size()), gather.walk.extents.data(),
             Resolve(gather.source, bases, worker), gather.walk.strides.data(), begin, n, target);
}

char** PlacesOf(char* worker) { return reinterpret_cast<char**>(worker); }

// Sets the places of all addresses for a pass that begins at `element`, `in_block` elements after the start of blocks.
void Start(const Loop& loop, char* const* bases, char* worker, int64_t element, int64_t in_block) {
  char** const at = PlacesOf(worker);
  for (uint32_t i = 0; i < loop.addresses.size(); ++i) {
    const LoopAddress& address = loop.addresses[i];
    at[i] = Resolve(address, bases, worker);
    if (i < loop.num_moving + loop.num_blocks) at[i] += (i < loop.num_moving ? element : in_block) * address.advance;
  }
}

// Fills what stays, at places that are set.
void Fill(const Loop& loop, char* const* bases, char* worker) {
  for (const LoopGather& fill : loop.fills) {
    Gather(fill, bases, worker, 0, std::min(loop.size, loop.tile), PlacesOf(worker)[fill.target]);
  }
}

// True when nothing is computed before the reductions.
bool IsInMemory(const Loop& loop) { return loop.steps.empty() && loop.gathers.empty(); }

// The steps on consecutive elements, from the current places on, which move past them.
void RunTiles(const Loop& loop, char* const* bases, char* worker, int64_t begin, int64_t end) {
  char** const at = PlacesOf(worker);
  const LoopAddress* const addresses = loop.addresses.data();
  const uint32_t num_walking = loop.num_moving + loop.num_blocks + loop.num_chunked;
  const int64_t longest = IsInMemory(loop) ? end - begin : loop.tile;
  for (int64_t tile = begin; tile < end; tile += longest) {
    const int64_t n = std::min(longest, end - tile);
    for (const LoopGather& gather : loop.gathers) Gather(gather, bases, worker, tile, n, at[gather.target]);
    for (const LoopStep& step : loop.steps) {
      const void* in[4] = {at[step.in[0]], at[step.in[1]], at[step.in[2]], step.attributes};
      step.tile(at[step.out], in, n);
    }
    for (uint32_t i = 0; i < num_walking; ++i) at[i] += n * addresses[i].advance;
  }
}

// Results of lines of n elements, one after another.
void ReduceLines(const LoopReduce& reduce, char* out, const char* in, int64_t n, int64_t lines) {
  const int64_t size = reduce.element_size;
  if (lines > 1 && reduce.row->lines != nullptr) return reduce.row->lines(out, in, n, lines);
  for (int64_t line = 0; line < lines; ++line) reduce.row->chunk(out + line * size, in + line * n * size, n);
}

// What chunks, whose elements end at `end`, give.
void ReduceChunks(const Loop& loop, const LoopReduce& reduce, int64_t begin_chunk, int64_t end_chunk, const char* end,
                  char* const* bases, char* workspace) {
  const int64_t size = reduce.element_size, parts = loop.chunks_of_line();
  const int64_t first = loop.ChunkRange(begin_chunk).begin;
  const int64_t count = loop.ChunkRange(end_chunk - 1).end - first;
  const char* in = end - count * size;
  if (parts <= 1) {
    char* const out = Resolve(reduce.result, bases, nullptr);
    if (loop.line == 0) return reduce.row->chunk(out, in, 0);
    return ReduceLines(reduce, out + first / loop.line * size, in, loop.line, count / loop.line);
  }
  char* const partials = workspace + reduce.partials;
  for (int64_t chunk = begin_chunk; chunk < end_chunk;) {
    // As many as are whole, or the short one at the end of a line.
    const int64_t whole = std::min(end_chunk, chunk / parts * parts + loop.line / kReduceChunk) - chunk;
    const int64_t n = whole > 0 ? kReduceChunk : loop.line % kReduceChunk, lines = std::max<int64_t>(1, whole);
    ReduceLines(reduce, partials + chunk * size, in, n, lines);
    in += n * lines * size;
    chunk += lines;
  }
}

void RunChunks(const Loop& loop, char* const* bases, char* workspace, char* worker, int64_t begin_chunk,
               int64_t end_chunk) {
  char** const at = PlacesOf(worker);
  const uint32_t first_chunked = loop.num_moving + loop.num_blocks;
  // Several reductions take chunk by chunk in turn, from the cache.
  const int64_t together = IsInMemory(loop) && loop.reduces.size() == 1 ? end_chunk - begin_chunk : 1;
  for (int64_t chunk = begin_chunk; chunk < end_chunk; chunk += together) {
    const int64_t begin = loop.ChunkRange(chunk).begin, end = loop.ChunkRange(chunk + together - 1).end;
    RunTiles(loop, bases, worker, begin, end);
    for (const LoopReduce& reduce : loop.reduces) {
      ReduceChunks(loop, reduce, chunk, chunk + together, at[reduce.source], bases, workspace);
    }
    for (uint32_t i = first_chunked; i < first_chunked + loop.num_chunked; ++i) {
      at[i] -= (end - begin) * loop.addresses[i].advance;
    }
  }
}

void RunInMemory(const Loop& loop, char* const* bases, char* workspace, char* worker_memory, int64_t worker_stride,
                 const Workers& workers) {
  const double work = kElementNanoseconds * static_cast<double>(loop.size) *
                      static_cast<double>(loop.steps.size() + loop.gathers.size() + loop.reduces.size());
  ForEachRange(workers, loop.num_chunks(), work, [&](int64_t begin, int64_t end, int worker) {
    char* const memory = worker_memory + worker * worker_stride;
    Start(loop, bases, memory, loop.ChunkRange(begin).begin, 0);
    Fill(loop, bases, memory);
    RunChunks(loop, bases, workspace, memory, begin, end);
  });
}

void RunOnBlocks(const Loop& loop, char* const* bases, char* workspace, char* worker_memory, int64_t worker_stride,
                 const Workers& workers) {
  const LoopBlocks& blocks = loop.blocks;
  absl::InlinedVector<const void*, 8> operands;
  for (const LoopProduct& product : loop.products) {
    for (const LoopAddress& operand : product.operands) operands.push_back(Resolve(operand, bases, nullptr));
  }
  absl::InlinedVector<KernelArguments, 2> arguments;
  size_t first = 0;
  for (const LoopProduct& product : loop.products) {
    arguments.push_back({.inputs = absl::MakeConstSpan(operands).subspan(first, product.operands.size()),
                         .outputs = {},
                         .workspace = workspace + product.workspace,
                         .worker_workspace = worker_memory + loop.kernel_memory,
                         .worker_stride = worker_stride,
                         .workers = workers});
    first += product.operands.size();
    product.kernel->StartColumns(arguments.back());
  }
  ForEachRange(workers, blocks.count(loop), blocks.nanoseconds, [&](int64_t begin, int64_t end, int worker) {
    char* const memory = worker_memory + worker * worker_stride;
    Start(loop, bases, memory, 0, 0);
    Fill(loop, bases, memory);
    for (int64_t block = begin; block < end; ++block) {
      const LoopChunks::Range columns = blocks.ColumnsOf(loop, block);
      const int64_t made = columns.begin * blocks.rows;  // elements before
      Start(loop, bases, memory, made, 0);
      for (size_t i = 0; i < loop.products.size(); ++i) {
        const LoopProduct& product = loop.products[i];
        product.kernel->RunColumns(arguments[i], columns.begin, columns.end, PlacesOf(memory)[product.target], worker);
      }
      if (blocks.chunks == 0) {
        RunTiles(loop, bases, memory, made, columns.end * blocks.rows);
      } else {
        const LoopChunks::Range chunks = blocks.ChunksOf(loop, block);
        const int64_t element = loop.ChunkRange(chunks.begin).begin;
        Start(loop, bases, memory, element, element - made);
        RunChunks(loop, bases, workspace, memory, chunks.begin, chunks.end);
      }
    }
  });
}

}  // namespace

void RunLoop(const Loop& loop, char* const* bases, char* workspace, char* worker_memory, int64_t worker_stride,
             const Workers& workers) {
  if (loop.products.empty()) {
    RunInMemory(loop, bases, workspace, worker_memory, worker_stride, workers);
  } else {
    RunOnBlocks(loop, bases, workspace, worker_memory, worker_stride, workers);
  }
  const int64_t parts = loop.chunks_of_line();
  if (parts <= 1) return;
  for (const LoopReduce& reduce : loop.reduces) {
    char* const out = Resolve(reduce.result, bases, nullptr);
    char* const partials = workspace + reduce.partials;
    for (int64_t line = 0; line < loop.num_lines(); ++line) {
      reduce.row->tree(out + line * reduce.element_size, partials + line * parts * reduce.element_size, parts);
    }
  }
}

}  // namespace tenferro
