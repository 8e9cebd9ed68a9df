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
template <class T, int K> T Op(T a, T b) {
  if constexpr (K == 0) { if constexpr (std::is_integral_v<T>) return T(uint64_t(a) + uint64_t(b)); else return a + b; }
  else if constexpr (K == 1) { if constexpr (std::is_integral_v<T>) return T(uint64_t(a) * uint64_t(b)); else return a * b; }
  else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) return a;
  else if constexpr (K == 2) { if (a != a) return a; if (b != b) return b; return a > b ? a : b; }
  else { if (a != a) return a; if (b != b) return b; return a < b ? a : b; }
}
template <class T, int K> T Id() {
  if constexpr (K == 0) return T(0); else if constexpr (K == 1) return T(1);
  else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) return T(0);
  else if constexpr (K == 2) return std::is_floating_point_v<T> ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
  else return std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
}
template <class T, int K> T Pair(const T* p, int64_t n) {
  if (n == 0) return Id<T, K>(); if (n == 1) return p[0];
  int64_t h = n / 2; return Op<T, K>(Pair<T, K>(p, h), Pair<T, K>(p + h, n - h));
}
template <class T, int K> struct Row {
  static void Chunk(void* o, const void* in, int64_t n) { *(T*)o = Pair<T, K>((const T*)in, n); }
  static void Tree(void* o, void* in, int64_t n) { *(T*)o = Pair<T, K>((const T*)in, n); }
  static void Comb(void* o, const void* const* in, int64_t n) { for (int64_t i = 0; i < n; ++i) ((T*)o)[i] = Op<T, K>(((const T*)in[0])[i], ((const T*)in[1])[i]); }
  static inline const T id = Id<T, K>();
  static inline const ReduceRow row{Chunk, Tree, Comb, &id};
};
const ReduceRow* FindReduce(Isa, ReduceKind k, uint8_t d) {
  return Dispatch(DType(d), [&]<class T>() -> const ReduceRow* {
    switch (k) { case ReduceKind::kSum: return &Row<T, 0>::row; case ReduceKind::kProd: return &Row<T, 1>::row; case ReduceKind::kMax: return &Row<T, 2>::row; default: return &Row<T, 3>::row; }
  });
}
}
