#include "tenferro/cpu/kernels/move.h"

#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#include "tenferro/cpu/kernels/move_elements.h"
#include "tenferro/cpu/kernels/transpose.h"

namespace tenferro {
namespace {

// A rectangle of the plane of axes 0 and 1.
struct Block {
  char* out;
  const char* in;
  int64_t np, nq;
};

TransposeFn FindTranspose(Isa isa) {
  switch (isa) {
#define TENFERRO_CASE(name, value) \
  case Isa::value: return name::TransposeLines;
    TENFERRO_FOR_EACH_ISA(TENFERRO_CASE)
#undef TENFERRO_CASE
    default: return nullptr;
  }
}

bool IsLine(const void* address) { return reinterpret_cast<uintptr_t>(address) % kLineBytes == 0; }

// Past the caches; `to` is a line's address and `bytes` a number of lines.
void StreamRun(char* to, const char* from, int64_t bytes) {
#if defined(__x86_64__)
  for (int64_t i = 0; i < bytes; i += kLineBytes) {
    __m128i line[4];
    for (int k = 0; k < 4; ++k) line[k] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i) + k);
    for (int k = 0; k < 4; ++k) _mm_stream_si128(reinterpret_cast<__m128i*>(to + i) + k, line[k]);
  }
#else
  std::memcpy(to, from, static_cast<size_t>(bytes));
#endif
}

template <class T>
void CopyRuns(const StridedCopyPlan& plan, const Block& block) {
  // Shorter runs cost less than a call of memcpy.
  constexpr int64_t kShortestCall = 64;
  const int64_t bytes = block.np * static_cast<int64_t>(sizeof(T));
  const bool streams = plan.streams && IsLine(block.out);
  T* to = reinterpret_cast<T*>(block.out);
  const T* from = reinterpret_cast<const T*>(block.in);
  for (int64_t q = 0; q < block.nq; ++q, to += plan.out_strides[1], from += plan.in_strides[1]) {
    if (streams) {
      StreamRun(reinterpret_cast<char*>(to), reinterpret_cast<const char*>(from), bytes);
    } else if (bytes < kShortestCall) {
      for (int64_t p = 0; p < block.np; ++p) to[p] = from[p];
    } else {
      std::memcpy(to, from, static_cast<size_t>(bytes));
    }
  }
}

template <class T>
void CopySplats(const StridedCopyPlan& plan, const Block& block) {
  T* out = reinterpret_cast<T*>(block.out);
  const T* in = reinterpret_cast<const T*>(block.in);
  for (int64_t q = 0; q < block.nq; ++q) {
    FillElements(out + q * plan.out_strides[1], in[q * plan.in_strides[1]], block.np);
  }
}

template <class T>
void CopyElements(const StridedCopyPlan& plan, const Block& block) {
  T* out = reinterpret_cast<T*>(block.out);
  const T* in = reinterpret_cast<const T*>(block.in);
  const int64_t* const to = plan.out_strides;
  const int64_t* const from = plan.in_strides;
  if (block.np >= block.nq) {
    for (int64_t q = 0; q < block.nq; ++q) MoveElements(out + q * to[1], to[0], in + q * from[1], from[0], block.np);
  } else {
    for (int64_t p = 0; p < block.np; ++p) MoveElements(out + p * to[0], to[1], in + p * from[0], from[1], block.nq);
  }
}

// Whole lines in vector registers, what is left at the edges one by one.
template <class T>
void CopyTransposed(TransposeFn transpose, const StridedCopyPlan& plan, const Block& block) {
  constexpr int64_t kLine = kTransposeTile<static_cast<int>(sizeof(T))>;
  const int64_t np = block.np - block.np % kLine;
  const int64_t nq = block.nq - block.nq % kLine;
  if (np > 0 && nq > 0) {
    const bool streams = plan.streams && IsLine(block.out);
    transpose(plan.element_size, block.out, plan.out_strides[1], block.in, plan.in_strides[0], np, nq, streams);
  }
  const auto rest = [&](int64_t p, int64_t q, int64_t count_p, int64_t count_q) {
    const int64_t size = plan.element_size;
    const Block edge = {block.out + (p + q * plan.out_strides[1]) * size,
                        block.in + (p * plan.in_strides[0] + q) * size, count_p, count_q};
    CopyElements<T>(plan, edge);
  };
  if (np < block.np) rest(np, 0, block.np - np, nq);
  if (nq < block.nq) rest(0, nq, block.np, block.nq - nq);
}

template <class T>
void CopyBlock(TransposeFn transpose, const StridedCopyPlan& plan, const Block& block) {
  using Kind = StridedCopyPlan::Kind;
  switch (plan.kind) {
    case Kind::kRuns: return CopyRuns<T>(plan, block);
    case Kind::kSplats: return CopySplats<T>(plan, block);
    case Kind::kTranspose: return CopyTransposed<T>(transpose, plan, block);
    case Kind::kElements: return CopyElements<T>(plan, block);
  }
}

int64_t BlocksAlong(const StridedCopyPlan& plan, int axis) {
  return (plan.extents[axis] + plan.block[axis] - 1) / plan.block[axis];
}

template <class T>
void CopyPieces(TransposeFn transpose, const StridedCopyPlan& plan, int64_t begin, int64_t end, char* out,
                const char* in) {
  // Pieces count blocks along axis 1, then along axis 0, then the other axes.
  const int64_t counts[2] = {BlocksAlong(plan, 0), BlocksAlong(plan, 1)};
  int64_t index[StridedCopyPlan::kMaxRank];
  int64_t rest = begin;
  index[1] = rest % counts[1];
  rest /= counts[1];
  index[0] = rest % counts[0];
  rest /= counts[0];
  for (int axis = 2; axis < plan.rank; ++axis) {
    index[axis] = rest % plan.extents[axis];
    rest /= plan.extents[axis];
  }
  for (int64_t piece = begin; piece < end; ++piece) {
    int64_t start[2], count[2];
    int64_t to = 0, from = 0;
    for (int axis = 0; axis < plan.rank; ++axis) {
      int64_t at = index[axis];
      if (axis < 2) {
        at = start[axis] = index[axis] * plan.block[axis];
        const int64_t left = plan.extents[axis] - at;
        count[axis] = left < plan.block[axis] ? left : plan.block[axis];
      }
      to += at * plan.out_strides[axis];
      from += at * plan.in_strides[axis];
    }
    const int64_t size = sizeof(T);
    CopyBlock<T>(transpose, plan, {out + to * size, in + from * size, count[0], count[1]});
    for (int k = 0; k < plan.rank; ++k) {
      const int axis = k == 0 ? 1 : k == 1 ? 0 : k;
      if (++index[axis] < (axis < 2 ? counts[axis] : plan.extents[axis])) break;
      index[axis] = 0;
    }
  }
}

}  // namespace

void StridedCopyPieces(Isa isa, const StridedCopyPlan& plan, int64_t begin, int64_t end, void* out, const void* in) {
  const TransposeFn transpose = FindTranspose(isa);
  char* const to = static_cast<char*>(out);
  const char* const from = static_cast<const char*>(in);
  switch (plan.element_size) {
    case 1: CopyPieces<Element1>(transpose, plan, begin, end, to, from); break;
    case 4: CopyPieces<Element4>(transpose, plan, begin, end, to, from); break;
    case 8: CopyPieces<Element8>(transpose, plan, begin, end, to, from); break;
    default: CopyPieces<Element16>(transpose, plan, begin, end, to, from); break;
  }
#if defined(__x86_64__)
  // Stores past the caches are not ordered with later ones, such as that which tells another thread to go on.
  if (plan.streams) _mm_sfence();
#endif
}

void StridedCopy(Isa isa, int element_size, int rank, const int64_t* extents, void* out, const int64_t* out_strides,
                 const void* in, const int64_t* in_strides) {
  const StridedCopyPlan plan = PlanStridedCopy(element_size, rank, extents, out_strides, in_strides);
  StridedCopyPieces(isa, plan, 0, plan.pieces, out, in);
}

}  // namespace tenferro
