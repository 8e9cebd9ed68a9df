#include <string.h>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>
#include "tenferro/cpu/kernels/move.h"
#include "tenferro/cpu/kernels/reduce.h"
#include "tenferro/tensor/dtype.h"
namespace tenferro {
StridedCopyPlan PlanStridedCopy(int es, int rank, const int64_t* e, const int64_t* os, const int64_t* is) {
  StridedCopyPlan p{}; p.element_size = es; p.rank = 0; p.pieces = 1;
  for (int i = 0; i < rank; ++i) { p.extents[p.rank] = e[i]; p.out_strides[p.rank] = os[i]; p.in_strides[p.rank++] = is[i]; }
  if (rank > 0) p.pieces = e[rank - 1];
  return p;
}
static void Rec(const StridedCopyPlan& p, int axis, char* out, const char* in, int64_t b, int64_t n) {
  if (axis < 0) { memcpy(out, in, p.element_size); return; }
  for (int64_t i = b; i < n; ++i) Rec(p, axis - 1, out + i * p.out_strides[axis] * p.element_size, in + i * p.in_strides[axis] * p.element_size, 0, axis ? p.extents[axis - 1] : 0);
}
void StridedCopyPieces(Isa, const StridedCopyPlan& p, int64_t b, int64_t e, void* out, const void* in) {
  if (p.rank == 0) { if (b < e) memcpy(out, in, p.element_size); return; }
  Rec(p, p.rank - 1, (char*)out, (const char*)in, b, e);
}
void StridedCopy(Isa isa, int es, int rank, const int64_t* e, void* out, const int64_t* os, const void* in, const int64_t* is) {
  auto p = PlanStridedCopy(es, rank, e, os, is); StridedCopyPieces(isa, p, 0, p.pieces, out, in);
}
void GatherTile(int es, int rank, const int64_t* e, const void* in, const int64_t* s, int64_t begin, int64_t n, void* out) {
  for (int64_t i = 0; i < n; ++i) {
    int64_t idx = begin + i, off = 0;
    for (int k = 0; k < rank; ++k) { off += idx % e[k] * s[k]; idx /= e[k]; }
    memcpy((char*)out + i * es, (const char*)in + off * es, es);
  }
}
}
