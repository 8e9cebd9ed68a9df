#include "tenferro/cpu/gemm/product.h"

namespace tenferro::gemm {
namespace {

// Reals of y whose sums stay in the first-level cache while the columns of A pass by.
constexpr int64_t kChunk = 1024;

template <class T>
struct Sums {
  alignas(kMostVectorBytes) T direct[kChunk];
  alignas(kMostVectorBytes) T cross[kChunk];
  T x[2 * kDepthBlock];
};

// x's part in one depth block, contiguous.
template <class T>
void LoadX(const Product& product, int64_t begin, int64_t terms, T* x) {
  const int parts = product.kernel.is_complex ? 2 : 1;
  const T* from = reinterpret_cast<const T*>(product.right.data);
  for (int64_t p = 0; p < terms; ++p) {
    const T* element = from + parts * OffsetOf(product.right.depth, begin + p);
    for (int part = 0; part < parts; ++part) *x++ = element[part];
  }
}

// Adds the sums of one depth block to y, as the end of a tile does.
template <class T>
void Finish(const Product& product, const TileShape& shape, int64_t row, int64_t rows, int64_t begin, const T* direct,
            const T* cross) {
  T* y = reinterpret_cast<T*>(product.c);
  const bool keep = product.accumulate || begin > 0;
  const T direct0 = static_cast<T>(shape.direct[0]);
  if (!product.kernel.is_complex) {
    for (int64_t i = 0; i < rows; ++i) {
      T* to = y + OffsetOf(product.rows, row + i);
      *to = (keep ? *to : T(0)) + direct[i] * direct0;
    }
    return;
  }
  const T direct1 = static_cast<T>(shape.direct[1]);
  const T cross0 = static_cast<T>(shape.cross[0]);
  const T cross1 = static_cast<T>(shape.cross[1]);
  for (int64_t i = 0; i < rows; ++i) {
    T* to = y + 2 * OffsetOf(product.rows, row + i);
    to[0] = (keep ? to[0] : T(0)) + (direct[2 * i] * direct0 + cross[2 * i + 1] * cross0);
    to[1] = (keep ? to[1] : T(0)) + (direct[2 * i + 1] * direct1 + cross[2 * i] * cross1);
  }
}

// Columns of A are contiguous: each depth block passes over a chunk of y, a few columns at a time.
template <class T>
void ByColumns(const Product& product, const TileShape& shape, Sums<T>& sums) {
  const int parts = product.kernel.is_complex ? 2 : 1;
  for (int64_t row = 0; row < product.m(); row += kChunk / parts) {
    const int64_t rows = std::min(kChunk / parts, product.m() - row);
    for (int64_t begin = 0; begin < product.depth; begin += kDepthBlock) {
      const int64_t terms = std::min(kDepthBlock, product.depth - begin);
      LoadX(product, begin, terms, sums.x);
      std::fill_n(sums.direct, rows * parts, T(0));
      std::fill_n(sums.cross, rows * parts, T(0));
      for (int64_t p = 0; p < terms; p += kGemvColumns) {
        const void* columns[kGemvColumns];
        const int count = static_cast<int>(std::min<int64_t>(kGemvColumns, terms - p));
        for (int q = 0; q < count; ++q) {
          columns[q] = product.left.data + product.bytes(row + OffsetOf(product.left.depth, begin + p + q));
        }
        product.kernel.add_columns(columns, count, sums.x + p * parts, rows * parts, sums.direct, sums.cross);
      }
      Finish(product, shape, row, rows, begin, sums.direct, sums.cross);
    }
  }
}

// Rows of A are contiguous: a few vectors of rows at a time. Where rows run out the first of them stands in.
template <class T>
void ByRows(const Product& product, const TileShape& shape, Sums<T>& sums) {
  const int64_t lanes = product.kernel.lanes;
  const void* rows[kGemvVectors * kMostVectorBytes / sizeof(T)];
  for (int64_t row = 0; row < product.m(); row += kGemvVectors * lanes) {
    const int64_t count = std::min(kGemvVectors * lanes, product.m() - row);
    const int64_t vectors = (count + lanes - 1) / lanes;
    for (int64_t i = 0; i < vectors * lanes; ++i) {
      rows[i] = product.left.data + product.bytes(OffsetOf(product.left.lanes, row + (i < count ? i : 0)));
    }
    for (int64_t begin = 0; begin < product.depth; begin += kDepthBlock) {
      const int64_t terms = std::min(kDepthBlock, product.depth - begin);
      LoadX(product, begin, terms, sums.x);
      product.kernel.sum_rows(rows, static_cast<int>(vectors), begin, terms, sums.x, sums.direct, sums.cross);
      Finish(product, shape, row, count, begin, sums.direct, sums.cross);
    }
  }
}

// One row: its depth blocks are independent chains. The first of them stands in for those that are missing.
template <class T>
void ByBlocks(const Product& product, const TileShape& shape, Sums<T>& sums) {
  const int parts = product.kernel.is_complex ? 2 : 1;
  const int64_t a_step = product.bytes(product.left.depth.stride);
  const int64_t x_step = product.bytes(product.right.depth.stride);
  for (int64_t begin = 0; begin < product.depth;) {
    const int64_t left = product.depth - begin;
    const int64_t blocks = std::clamp<int64_t>(left / kDepthBlock, 1, kDotBlocks);
    const int64_t terms = std::min(left, kDepthBlock);
    const void* a[kDotBlocks];
    const void* x[kDotBlocks];
    for (int64_t q = 0; q < kDotBlocks; ++q) {
      const int64_t p = begin + (q < blocks ? q * kDepthBlock : 0);
      a[q] = product.left.data + p * a_step;
      x[q] = product.right.data + p * x_step;
    }
    product.kernel.sum_blocks(a, a_step, x, x_step, terms, sums.direct, sums.cross);
    for (int64_t q = 0; q < blocks; ++q) {
      Finish(product, shape, 0, 1, begin + q * kDepthBlock, sums.direct + q * parts, sums.cross + q * parts);
    }
    begin += blocks * terms;
  }
}

template <class T>
bool VectorProductOf(const Product& product) {
  TileShape shape;
  SetSigns(shape, product.negate, product.left.conjugate, product.right.conjugate);
  Sums<T> sums;
  if (product.m() == 1) {
    if (!IsStrided(product.left.depth) || !IsStrided(product.right.depth) || product.depth < 2 * kDepthBlock) return false;
    ByBlocks(product, shape, sums);
  } else if (IsUnit(product.left.lanes)) {
    // Small ones go through tiles: no sums to keep in memory.
    if (IsStrided(product.left.depth) && product.m() * product.depth < 4096) return false;
    ByColumns(product, shape, sums);
  } else if (IsUnit(product.left.depth)) {
    ByRows(product, shape, sums);
  } else {
    return false;
  }
  return true;
}

}  // namespace

bool VectorProduct(const Product& product) {
  if (product.kernel.element_bytes >> product.kernel.is_complex == sizeof(float)) return VectorProductOf<float>(product);
  return VectorProductOf<double>(product);
}

}  // namespace tenferro::gemm
