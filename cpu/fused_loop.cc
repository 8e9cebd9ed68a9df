#include "tenferro/cpu/fused_loop.h"

#include <algorithm>

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

struct Range {
  int64_t begin, end;
};

Range ChunkRange(const Loop& loop, int64_t chunk) {
  const int64_t parts = loop.chunks_of_line();
  if (parts > 1) {
    const int64_t begin = chunk / parts * loop.line + chunk % parts * kReduceChunk;
    return {begin, std::min((chunk / parts + 1) * loop.line, begin + kReduceChunk)};
  }
  const int64_t length = loop.lines_of_chunk() * loop.line;
  return {chunk * length, std::min(loop.size, (chunk + 1) * length)};
}

// What a chunk, whose elements end at `end`, gives.
void ReduceChunk(const Loop& loop, const LoopReduce& reduce, int64_t chunk, const Range& range, const char* end,
                 char* const* bases, char* workspace) {
  const int64_t size = reduce.element_size;
  const char* in = end - (range.end - range.begin) * size;
  if (loop.chunks_of_line() > 1) {
    reduce.row->chunk(workspace + reduce.partials + chunk * size, in, range.end - range.begin);
    return;
  }
  char* out = Resolve(reduce.result, bases, nullptr);
  if (loop.line == 0) return reduce.row->chunk(out, in, 0);
  out += range.begin / loop.line * size;
  for (; in < end; in += loop.line * size, out += size) reduce.row->chunk(out, in, loop.line);
}

void RunChunks(const Loop& loop, char* const* bases, char* workspace, char* worker, int64_t begin_chunk,
               int64_t end_chunk) {
  char** const at = reinterpret_cast<char**>(worker);  // the current places of the addresses
  const LoopAddress* const addresses = loop.addresses.data();
  const uint32_t num_walking = loop.num_moving + loop.num_chunked;
  const int64_t start = ChunkRange(loop, begin_chunk).begin;
  for (uint32_t i = 0; i < loop.addresses.size(); ++i) {
    at[i] = Resolve(addresses[i], bases, worker);
    if (i < loop.num_moving) at[i] += start * addresses[i].advance;
  }
  for (const LoopGather& fill : loop.fills) {
    Gather(fill, bases, worker, 0, std::min(loop.size, loop.tile), at[fill.target]);
  }
  for (int64_t chunk = begin_chunk; chunk < end_chunk; ++chunk) {
    const auto [begin, end] = ChunkRange(loop, chunk);
    for (int64_t tile = begin; tile < end; tile += loop.tile) {
      const int64_t n = std::min(loop.tile, end - tile);
      for (const LoopGather& gather : loop.gathers) Gather(gather, bases, worker, tile, n, at[gather.target]);
      for (const LoopStep& step : loop.steps) {
        const void* in[4] = {at[step.in[0]], at[step.in[1]], at[step.in[2]], step.attributes};
        step.tile(at[step.out], in, n);
      }
      for (uint32_t i = 0; i < num_walking; ++i) at[i] += n * addresses[i].advance;
    }
    for (const LoopReduce& reduce : loop.reduces) {
      ReduceChunk(loop, reduce, chunk, {begin, end}, at[reduce.source], bases, workspace);
    }
    for (uint32_t i = loop.num_moving; i < num_walking; ++i) at[i] -= (end - begin) * addresses[i].advance;
  }
}

}  // namespace

void RunLoop(const Loop& loop, char* const* bases, char* workspace, char* worker_memory, int64_t worker_stride,
             const Workers& workers) {
  const int64_t num_chunks = loop.num_chunks();
  const double work = kElementNanoseconds * static_cast<double>(loop.size) *
                      static_cast<double>(loop.steps.size() + loop.gathers.size() + loop.reduces.size());
  if (num_chunks < 2 || !IsWorthSharing(workers, work)) {
    RunChunks(loop, bases, workspace, worker_memory, 0, num_chunks);
  } else {
    const int64_t tasks = std::min(num_chunks, static_cast<int64_t>(work / kTaskNanoseconds) + 1);
    const int64_t chunks_each = (num_chunks + tasks - 1) / tasks;
    workers.ForEachWorker((num_chunks + chunks_each - 1) / chunks_each, [&](int64_t task, int worker) {
      RunChunks(loop, bases, workspace, worker_memory + worker * worker_stride, task * chunks_each,
                std::min(num_chunks, (task + 1) * chunks_each));
    });
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
