#include "tenferro/linalg/cpu/spectral/pool.h"

#include <algorithm>

#include "tenferro/cpu/alignment.h"

namespace tenferro::linalg {
namespace {

int64_t Rounded(int64_t bytes) { return std::max(kAlignment, Aligned(bytes)); }

}  // namespace

void* Pool::Take(int64_t bytes) {
  if (kPiecesApart) return TakeMemory(bytes).data;
  bytes = Rounded(bytes);
  int best = -1;
  for (int i = 0; i < gap_count_; ++i) {
    if (gaps_[i].bytes >= bytes && (best < 0 || gaps_[i].bytes < gaps_[best].bytes)) best = i;
  }
  if (best >= 0) {
    Gap& gap = gaps_[best];
    char* const piece = gap.begin;
    gap.begin += bytes;
    gap.bytes -= bytes;
    if (gap.bytes == 0) gap = gaps_[--gap_count_];
    return piece;
  }
  if (end_ - next_ < bytes) return TakeMemory(bytes).data;
  char* const piece = next_;
  next_ += bytes;
  return piece;
}

void Pool::Return(void* data, int64_t bytes) {
  char* piece = static_cast<char*>(data);
  bytes = Rounded(bytes);
  if (piece < begin_ || piece >= end_) return ReturnMemory({data, bytes});
  // Joined with the gaps beside it.
  for (int i = 0; i < gap_count_;) {
    Gap& gap = gaps_[i];
    const bool before = gap.begin + gap.bytes == piece, behind = piece + bytes == gap.begin;
    if (!before && !behind) {
      ++i;
      continue;
    }
    if (before) piece = gap.begin;
    bytes += gap.bytes;
    gap = gaps_[--gap_count_];
  }
  if (piece + bytes == next_) {
    next_ = piece;
  } else if (gap_count_ < kMostGaps) {
    gaps_[gap_count_++] = {piece, bytes};
  }
}

void* TakePiece(Pool* pool, int64_t bytes) { return pool != nullptr ? pool->Take(bytes) : TakeMemory(bytes).data; }

void ReturnPiece(Pool* pool, void* piece, int64_t bytes) {
  if (pool != nullptr) return pool->Return(piece, bytes);
  ReturnMemory({piece, bytes});
}

}  // namespace tenferro::linalg
