#include "tenferro/cpu/fused_loop.h"

#include <algorithm>

#include "tenferro/cpu/cost.h"
#include "tenferro/cpu/kernels/move.h"

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

void RunChunks(const Loop& loop, char* const* bases, char* workspace, char* worker, int64_t begin_chunk,
               int64_t end_chunk) {
  char** const at = reinterpret_cast<char**>(worker);  // the current places of the addresses
  const LoopAddress* const addresses = loop.addresses.data();
  const uint32_t num_walking = loop.num_moving + loop.num_chunked;
  const int64_t start = begin_chunk * kReduceChunk;
  for (uint32_t i = 0; i < loop.addresses.size(); ++i) {
    at[i] = Resolve(addresses[i], bases, worker);
    if (i < loop.num_moving) at[i] += start * addresses[i].advance;
  }
  for (const LoopGather& fill : loop.fills) {
    Gather(fill, bases, worker, 0, std::min(loop.size, loop.tile), at[fill.target]);
  }
  const int64_t num_chunks = loop.num_chunks();
  for (int64_t chunk = begin_chunk; chunk < end_chunk; ++chunk) {
    const int64_t begin = chunk * kReduceChunk;
    const int64_t end = std::min(loop.size, begin + kReduceChunk);
    for (int64_t tile = begin; tile < end; tile += loop.tile) {
      const int64_t n = std::min(loop.tile, end - tile);
      for (const LoopGather& gather : loop.gathers) Gather(gather, bases, worker, tile, n, at[gather.target]);
      for (const LoopStep& step : loop.steps) {
        const void* in[3] = {at[step.in[0]], at[step.in[1]], at[step.in[2]]};
        step.tile(at[step.out], in, n);
      }
      for (uint32_t i = 0; i < num_walking; ++i) at[i] += n * addresses[i].advance;
    }
    for (const LoopReduce& reduce : loop.reduces) {
      char* const result = num_chunks == 1
                               ? Resolve(reduce.result, bases, worker)
                               : workspace + reduce.partials + chunk * reduce.element_size;
      reduce.row->chunk(result, at[reduce.source] - (end - begin) * reduce.element_size, end - begin);
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
  if (workers.width() == 1 || num_chunks < 2 || work < kForkNanoseconds) {
    RunChunks(loop, bases, workspace, worker_memory, 0, num_chunks);
  } else {
    const int64_t tasks = std::min(num_chunks, static_cast<int64_t>(work / kTaskNanoseconds) + 1);
    const int64_t chunks_each = (num_chunks + tasks - 1) / tasks;
    workers.ForEachWorker((num_chunks + chunks_each - 1) / chunks_each, [&](int64_t task, int worker) {
      RunChunks(loop, bases, workspace, worker_memory + worker * worker_stride, task * chunks_each,
                std::min(num_chunks, (task + 1) * chunks_each));
    });
  }
  if (num_chunks == 1) return;
  for (const LoopReduce& reduce : loop.reduces) {
    reduce.row->tree(Resolve(reduce.result, bases, nullptr), workspace + reduce.partials, num_chunks);
  }
}

}  // namespace tenferro
