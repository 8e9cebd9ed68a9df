#include "tenferro/cpu/gemm/product.h"

namespace tenferro::gemm {
namespace {

template <class T, int kParts>
void AddTile(const T* tile, int64_t tile_step, bool keep, int64_t rows, int64_t cols, T* c, const GemmAxis& c_rows,
             const GemmAxis& c_cols) {
  const auto add = [keep](T* to, const T* from) {
    for (int part = 0; part < kParts; ++part) to[part] = (keep ? to[part] : T(0)) + from[part];
  };
  if (!IsStrided(c_rows) || !IsStrided(c_cols)) {
    for (int64_t j = 0; j < cols; ++j, tile += tile_step) {
      for (int64_t i = 0; i < rows; ++i)
        add(c + kParts * (OffsetOf(c_rows, i) + OffsetOf(c_cols, j)), tile + i * kParts);
    }
    return;
  }
  const int64_t row_step = c_rows.stride * kParts;
  const int64_t col_step = c_cols.stride * kParts;
  for (int64_t i = 0; i < rows; ++i, tile += kParts, c += row_step) {
    const T* from = tile;
    T* to = c;
    for (int64_t j = 0; j < cols; ++j, from += tile_step, to += col_step) add(to, from);
  }
}

template <class T, int kParts>
void TileAsideOf(const GemmKernel& kernel, TileShape shape, int64_t rows, int64_t cols, const char* a, const char* b,
                 T* c, const GemmAxis& c_rows, const GemmAxis& c_cols) {
  alignas(kMostVectorBytes) T tile[kMostTileBytes / sizeof(T)];
  const int64_t vectors = (rows + kernel.lanes - 1) / kernel.lanes;
  const int64_t step = vectors * kernel.lanes * kParts;
  const bool keep = shape.keep;
  const bool transposed = !keep && IsUnit(c_cols) && IsStrided(c_rows);
  shape.c_column_step = step * static_cast<int64_t>(sizeof(T));
  shape.keep = false;
  if (!transposed) shape.zero = -0.0;
  kernel.tiles[vectors - 1][cols - 1](shape, a, b, tile, (rows - (vectors - 1) * kernel.lanes) * kParts);
  if (transposed) {
    kernel.pack(c, c_rows.stride, tile, {cols, step / kParts, nullptr}, 0, cols, {rows, 1, nullptr}, 0, rows);
  } else {
    AddTile<T, kParts>(tile, step, keep, rows, cols, c, c_rows, c_cols);
  }
}

// The last rows, fewer than a vector, where a tile cannot mask them: through a copy of A's rows.
[[gnu::noinline]] void EdgeRows(const GemmKernel& kernel, TileShape shape, int64_t m, int64_t n, const char* a,
                                const char* b, char* c) {
  constexpr int kMostUnmaskedBytes = 32;
  alignas(kMostVectorBytes) char panel[kMostUnmaskedBytes * kDepthBlock];
  const int64_t bytes = kernel.element_bytes;
  PackRows(kernel, panel, kernel.lanes, a, {m, 1, nullptr}, 0, m, {shape.depth, shape.a_step / bytes, nullptr}, 0,
           shape.depth);
  shape.a_step = kernel.lanes * bytes;
  const GemmAxis rows = {m, 1, nullptr};
  const Split columns(n, kernel.tile_columns);
  for (int64_t part = 0; part < columns.parts; ++part) {
    const int64_t width = columns.Width(part);
    TileAside(kernel, shape, m, width, panel, b, c, rows, {width, shape.c_column_step / bytes, nullptr});
    b += width * shape.b_column_step;
    c += width * shape.c_column_step;
  }
}

}  // namespace

void PackRows(const GemmKernel& kernel, char* to, int64_t width, const char* from, const GemmAxis& lanes, int64_t row,
              int64_t rows, const GemmAxis& depth, int64_t p, int64_t terms) {
  const int64_t bytes = kernel.element_bytes;
  for (int64_t q = 0; q < terms && rows < width; ++q)
    std::fill_n(to + (q * width + rows) * bytes, (width - rows) * bytes, 0);
  kernel.pack(to, width, from, lanes, row, rows, depth, p, terms);
}

void TileAside(const GemmKernel& kernel, const TileShape& shape, int64_t rows, int64_t cols, const char* a,
               const char* b, char* c, const GemmAxis& c_rows, const GemmAxis& c_cols) {
  const auto run = [&]<class T, int kParts>() {
    TileAsideOf<T, kParts>(kernel, shape, rows, cols, a, b, reinterpret_cast<T*>(c), c_rows, c_cols);
  };
  const bool single = kernel.element_bytes >> kernel.is_complex == sizeof(float);
  if (kernel.is_complex) {
    single ? run.operator()<float, 2>() : run.operator()<double, 2>();
  } else {
    single ? run.operator()<float, 1>() : run.operator()<double, 1>();
  }
}

void TileProduct(const GemmKernel& kernel, const TileShape& shape, int64_t m, int64_t n, const char* a, const char* b,
                 char* c) {
  const int64_t lanes = kernel.lanes;
  const int64_t tail = m % lanes;
  const int64_t vectors = m / lanes + (kernel.masked_rows && tail > 0);
  if (vectors > 0) {
    const Split tiles(vectors, kernel.tile_vectors);
    const Split columns(n, kernel.tile_columns);
    const auto tile = [&](int64_t row_part, int64_t column_part) {
      const int64_t width = tiles.Width(row_part);
      const int64_t row = tiles.Begin(row_part) * lanes;
      const int64_t rows = std::min(m - row, width * lanes);
      const int64_t last_lanes = (rows - (width - 1) * lanes) << kernel.is_complex;
      const int64_t column = columns.Begin(column_part);
      const int64_t begin = row * kernel.element_bytes;
      kernel.tiles[width - 1][columns.Width(column_part) - 1](shape, a + begin, b + column * shape.b_column_step,
                                                              c + begin + column * shape.c_column_step, last_lanes);
    };
    // A sum of few terms writes more than it reads: along C's columns.
    constexpr int64_t kFewTerms = 16;
    constexpr int64_t kNearBytes = 256 << 10;
    const bool by_columns = shape.depth <= kFewTerms && m * shape.depth * kernel.element_bytes <= kNearBytes;
    const int64_t outer = by_columns ? columns.parts : tiles.parts;
    const int64_t inner = by_columns ? tiles.parts : columns.parts;
    for (int64_t x = 0; x < outer; ++x) {
      for (int64_t y = 0; y < inner; ++y) by_columns ? tile(y, x) : tile(x, y);
    }
    const int64_t done = std::min(m, vectors * lanes);
    a += done * kernel.element_bytes;
    c += done * kernel.element_bytes;
    m -= done;
  }
  if (m > 0) EdgeRows(kernel, shape, m, n, a, b, c);
}

}  // namespace tenferro::gemm
