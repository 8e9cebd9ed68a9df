#include "tenferro/cpu/gemm/product.h"

namespace tenferro::gemm {
namespace {

template <class T>
void AddTile(const GemmKernel& kernel, const T* tile, int64_t tile_step, bool keep, int64_t rows, int64_t cols, T* c,
             const GemmAxis& c_rows, const GemmAxis& c_cols) {
  const int parts = kernel.is_complex ? 2 : 1;
  const auto add = [&](T* to, const T* from) {
    for (int part = 0; part < parts; ++part) to[part] = (keep ? to[part] : T(0)) + from[part];
  };
  if (IsStrided(c_rows) && IsStrided(c_cols)) {
    const int64_t col_step = c_cols.stride * parts;
    for (int64_t i = 0; i < rows; ++i, tile += parts, c += c_rows.stride * parts) {
      T* to = c;
      for (int64_t j = 0; j < cols; ++j, to += col_step) add(to, tile + j * tile_step);
    }
    return;
  }
  for (int64_t j = 0; j < cols; ++j, tile += tile_step) {
    for (int64_t i = 0; i < rows; ++i) add(c + parts * (OffsetOf(c_rows, i) + OffsetOf(c_cols, j)), tile + i * parts);
  }
}

template <class T>
void TileAsideOf(const GemmKernel& kernel, TileShape shape, int64_t rows, int64_t cols, const char* a, const char* b, T* c,
                 const GemmAxis& c_rows, const GemmAxis& c_cols) {
  alignas(kMostVectorBytes) T tile[kMostTileBytes / sizeof(T)];
  const int64_t vectors = (rows + kernel.lanes - 1) / kernel.lanes;
  const bool keep = shape.keep != 0;
  shape.c_column_step = vectors * kernel.lanes * kernel.element_bytes;
  shape.keep = -1;
  const int64_t step = shape.c_column_step / static_cast<int64_t>(sizeof(T));
  std::fill_n(tile, cols * step, -T(0));  // x + (-0) is x, also where x is -0
  kernel.tiles[vectors - 1][cols - 1](shape, a, b, tile, kernel.lanes * kernel.element_bytes / sizeof(T));
  AddTile(kernel, tile, step, keep, rows, cols, c, c_rows, c_cols);
}

// The last rows, fewer than a vector, where a tile cannot mask them: through a copy of A's rows.
[[gnu::noinline]] void EdgeRows(const GemmKernel& kernel, TileShape shape, int64_t m, int64_t n, const char* a, const char* b,
                                char* c) {
  constexpr int kMostUnmaskedBytes = 32;
  alignas(kMostVectorBytes) char panel[kMostUnmaskedBytes * kDepthBlock];
  const int64_t bytes = kernel.element_bytes;
  kernel.pack(panel, kernel.lanes, a, {m, 1, nullptr}, 0, m, {shape.depth, shape.a_step / bytes, nullptr}, 0, shape.depth);
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

void TileAside(const GemmKernel& kernel, const TileShape& shape, int64_t rows, int64_t cols, const char* a, const char* b,
               char* c, const GemmAxis& c_rows, const GemmAxis& c_cols) {
  if (kernel.element_bytes >> kernel.is_complex == sizeof(float)) {
    TileAsideOf(kernel, shape, rows, cols, a, b, reinterpret_cast<float*>(c), c_rows, c_cols);
  } else {
    TileAsideOf(kernel, shape, rows, cols, a, b, reinterpret_cast<double*>(c), c_rows, c_cols);
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
    for (int64_t tile = 0; tile < tiles.parts; ++tile) {
      const int64_t width = tiles.Width(tile);
      const int64_t rows = std::min(m, width * lanes);
      const int64_t last_lanes = (rows - (width - 1) * lanes) << kernel.is_complex;
      const TileFunction* functions = kernel.tiles[width - 1];
      const char* b_tile = b;
      char* c_tile = c;
      for (int64_t part = 0; part < columns.parts; ++part) {
        const int64_t count = columns.Width(part);
        functions[count - 1](shape, a, b_tile, c_tile, last_lanes);
        b_tile += count * shape.b_column_step;
        c_tile += count * shape.c_column_step;
      }
      a += rows * kernel.element_bytes;
      c += rows * kernel.element_bytes;
      m -= rows;
    }
  }
  if (m > 0) EdgeRows(kernel, shape, m, n, a, b, c);
}

}  // namespace tenferro::gemm
