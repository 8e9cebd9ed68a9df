#ifndef TENFERRO_CPU_LOOP_CHUNKS_H_
#define TENFERRO_CPU_LOOP_CHUNKS_H_

#include <algorithm>
#include <cstdint>

#include "tenferro/cpu/kernels/reduce.h"

namespace tenferro {

// How a loop over `size` elements is cut: into chunks that are a part of a line, or several short lines.
struct LoopChunks {
  int64_t size = 0;
  int64_t line = 0;  // how many elements a reduction makes one of; the size when nothing is reduced

  struct Range {
    int64_t begin, end;
  };

  int64_t num_lines() const { return line == 0 ? 1 : size / line; }
  int64_t chunks_of_line() const { return (line + kReduceChunk - 1) / kReduceChunk; }
  int64_t lines_of_chunk() const { return line == 0 ? 1 : line <= kReduceChunk ? kReduceChunk / line : 1; }
  int64_t longest_chunk() const {
    return line <= kReduceChunk ? std::min(size, lines_of_chunk() * line) : kReduceChunk;
  }
  int64_t num_chunks() const {
    return chunks_of_line() > 1 ? num_lines() * chunks_of_line()
                                : (num_lines() + lines_of_chunk() - 1) / lines_of_chunk();
  }
  // The elements of a chunk.
  Range ChunkRange(int64_t chunk) const {
    const int64_t parts = chunks_of_line();
    if (parts > 1) {
      const int64_t begin = chunk / parts * line + chunk % parts * kReduceChunk;
      return {begin, std::min((chunk / parts + 1) * line, begin + kReduceChunk)};
    }
    const int64_t length = lines_of_chunk() * line;
    return {chunk * length, std::min(size, (chunk + 1) * length)};
  }
};

// How a loop takes matrices that are made in blocks of columns while it runs.
struct LoopBlocks {
  int64_t rows = 0, columns = 0;  // of the matrices, whose elements in column-major order are the loop's
  int64_t column_step = 0;        // how many a block has at most
  // Of a loop with reductions: how many chunks a block has. Where they do not end with a column, two blocks make it.
  int64_t chunks = 0;
  bool makes_columns_twice = false;
  double nanoseconds = 0;  // of matrices and loop on one thread, about

  int64_t count(const LoopChunks& loop) const {
    const int64_t whole = chunks > 0 ? loop.num_chunks() : columns, step = chunks > 0 ? chunks : column_step;
    return (whole + step - 1) / step;
  }
  LoopChunks::Range ChunksOf(const LoopChunks& loop, int64_t block) const {
    return {block * chunks, std::min(loop.num_chunks(), (block + 1) * chunks)};
  }
  LoopChunks::Range ColumnsOf(const LoopChunks& loop, int64_t block) const {
    if (chunks == 0) return {block * column_step, std::min(columns, (block + 1) * column_step)};
    const LoopChunks::Range some = ChunksOf(loop, block);
    return {loop.ChunkRange(some.begin).begin / rows, (loop.ChunkRange(some.end - 1).end + rows - 1) / rows};
  }
};

}  // namespace tenferro

#endif  // TENFERRO_CPU_LOOP_CHUNKS_H_
