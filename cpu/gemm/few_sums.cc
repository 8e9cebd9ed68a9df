#include <cstring>

#include "tenferro/cpu/gemm/product.h"

namespace tenferro::gemm {
namespace {

// Vectors of elements of C: beyond, tiles have chains enough for themselves.
constexpr int64_t kMostVectors = 4;
constexpr int64_t kMostTile = 4;

// Bytes between packed rows: one vector more than they have, so that they fall into different sets of the cache.
int64_t RowBytes(const GemmKernel& kernel) { return (kDepthBlock + 1) * kernel.lanes * kernel.element_bytes; }

// Row i at `to` = vectors of the terms of as many blocks of row i from term `begin` on: vector p has term p of each.
void PackBlocks(const GemmKernel& kernel, const Factor& factor, int64_t begin, char* to) {
  const GemmAxis blocks = {kernel.lanes, kDepthBlock * factor.depth.stride, nullptr};
  for (int64_t i = 0; i < factor.lanes.extent; ++i) {
    kernel.pack(to + i * RowBytes(kernel), kernel.lanes,
                factor.data + (OffsetOf(factor.lanes, i) + begin * factor.depth.stride) * kernel.element_bytes, blocks,
                0, kernel.lanes, factor.depth, 0, kDepthBlock);
  }
}

template <class T>
void AddBlocks(const Product& product, bool keep, const char* sums, T* c) {
  const int64_t lanes = product.kernel.lanes, parts = product.kernel.is_complex ? 2 : 1;
  for (int64_t i = 0; i < product.m(); ++i) {
    for (int64_t j = 0; j < product.n(); ++j, sums += product.bytes(lanes)) {
      T* const to = c + parts * (OffsetOf(product.rows, i) + OffsetOf(product.cols, j));
      for (int64_t part = 0; part < parts; ++part) {
        const T* from = reinterpret_cast<const T*>(sums) + part;
        T sum = keep ? to[part] : T(0);
        for (int64_t block = 0; block < lanes; ++block) sum += from[block * parts];
        to[part] = sum;
      }
    }
  }
}

}  // namespace

int64_t FewSumsWorkspaceBytes(const GemmKernel& kernel, int64_t m, int64_t n, int64_t k) {
  if (m * n > kMostVectors * kernel.lanes || k < kDepthBlock * kernel.lanes) return 0;
  return (m + n) * RowBytes(kernel) + m * n * kernel.lanes * kernel.element_bytes;
}

int64_t FewSums(const Product& product, char* workspace) {
  const GemmKernel& kernel = product.kernel;
  const int64_t m = product.m(), n = product.n();
  const int64_t step = kDepthBlock * kernel.lanes, vector_bytes = product.bytes(kernel.lanes);
  char* const a = workspace;
  char* const b = a + m * RowBytes(kernel);
  char* const sums = b + n * RowBytes(kernel);
  TileShape shape;
  SetSigns(shape, product.negate, product.left.conjugate, product.right.conjugate);
  shape.depth = kDepthBlock;
  shape.a_step = shape.b_step = vector_bytes;
  shape.keep = false;
  shape.zero = -0.0;
  int64_t packed[kMostTile], rows[kMostTile], columns[kMostTile];
  for (int64_t i = 0; i < kMostTile; ++i) {
    packed[i] = i * RowBytes(kernel);
    rows[i] = i * n * vector_bytes;
    columns[i] = i * vector_bytes;
  }
  const int64_t last_lanes = int64_t{kernel.lanes} << kernel.is_complex;
  const auto width = [](int64_t left, int64_t most) { return left >= most ? most : 1; };
  int64_t begin = 0;
  for (; begin + step <= product.depth; begin += step) {
    PackBlocks(kernel, product.left, begin, a);
    PackBlocks(kernel, product.right, begin, b);
    for (int64_t i = 0, height; i < m; i += height) {
      height = width(m - i, kernel.lane_rows);
      for (int64_t j = 0, breadth; j < n; j += breadth) {
        breadth = width(n - j, kernel.lane_columns);
        kernel.lane_tiles[height > 1][breadth > 1](shape, a + i * RowBytes(kernel), packed, b + j * RowBytes(kernel),
                                                   packed, sums + (i * n + j) * vector_bytes, rows, columns,
                                                   last_lanes);
      }
    }
    const bool keep = product.accumulate || begin > 0;
    if (kernel.element_bytes >> kernel.is_complex == sizeof(float)) {
      AddBlocks(product, keep, sums, reinterpret_cast<float*>(product.c));
    } else {
      AddBlocks(product, keep, sums, reinterpret_cast<double*>(product.c));
    }
  }
  return begin;
}

}  // namespace tenferro::gemm
