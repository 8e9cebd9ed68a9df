#include "tenferro/cpu/gemm/product.h"

namespace tenferro::gemm {
namespace {

// Columns of B kept in the second-level cache while rows of A pass by: 256 x 240 doubles are 480 KiB.
constexpr int64_t kColumnBlock = 240;
// Tiles of packed A kept while all column blocks pass by.
constexpr int64_t kRowTiles = 32;

int64_t RoundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

// A block of B's columns, packed or where it lies.
struct Columns {
  int64_t begin;
  Split split;
  const char* packed;
};

void PackColumns(const Product& product, const Columns& columns, int64_t p, int64_t terms, char* to) {
  for (int64_t part = 0; part < columns.split.parts; ++part) {
    const int64_t j = columns.split.Begin(part);
    const int64_t width = columns.split.Width(part);
    product.kernel.pack(to + product.bytes(j * terms), width, product.right.data, product.right.lanes,
                        columns.begin + j, width, product.right.depth, p, terms);
  }
}

// One row of tiles, of `rows` rows from `row` on, times a block of columns.
void TileRow(const Product& product, TileShape& shape, int64_t row, int64_t rows, const char* a, const Columns& columns,
             int64_t p) {
  const GemmKernel& kernel = product.kernel;
  const int64_t vectors = (rows + kernel.lanes - 1) / kernel.lanes;
  const int64_t last_lanes = (rows - (vectors - 1) * kernel.lanes) << kernel.is_complex;
  const bool in_place =
      IsUnit(product.rows) && IsStrided(product.cols) && (kernel.masked_rows || rows % kernel.lanes == 0);
  for (int64_t part = 0; part < columns.split.parts; ++part) {
    const int64_t width = columns.split.Width(part);
    const int64_t j = columns.split.Begin(part);
    const int64_t col = columns.begin + j;
    const char* b;
    if (columns.packed != nullptr) {
      b = columns.packed + product.bytes(j * shape.depth);
      shape.b_step = product.bytes(width);
      shape.b_column_step = kernel.element_bytes;
    } else {
      b = product.right.data + product.bytes(col * product.right.lanes.stride + p * product.right.depth.stride);
    }
    if (in_place) {
      kernel.tiles[vectors - 1][width - 1](shape, a, b, product.c + product.bytes(row + col * product.cols.stride),
                                           last_lanes);
    } else {
      TileAside(kernel, shape, rows, width, a, b,
                product.c + product.bytes(AxisShift(product.rows, row) + AxisShift(product.cols, col)),
                AxisPart(product.rows, row, rows), AxisPart(product.cols, col, width));
    }
  }
}

}  // namespace

int64_t WorkspaceBytes(const GemmKernel& kernel, int64_t m, int64_t n, int64_t k) {
  // Which factor's lanes become the tiles' rows depends on more than the extents.
  const int64_t lanes = std::max(m, n);
  const int64_t left = std::min<int64_t>(RoundUp(lanes, kernel.lanes), kRowTiles * kernel.tile_vectors * kernel.lanes);
  return std::max(FewSumsWorkspaceBytes(kernel, m, n, k),
                  (left + std::min(lanes, kColumnBlock)) * std::min(k, kDepthBlock) * kernel.element_bytes);
}

void BlockedProduct(const Product& product, bool pack_left, bool pack_right, char* workspace) {
  const GemmKernel& kernel = product.kernel;
  const int64_t m = product.m();
  const Split column_blocks(product.n(), kColumnBlock);
  const int64_t vectors = m / kernel.lanes + (kernel.masked_rows && m % kernel.lanes > 0);
  // Rows beyond the last vector, where tiles cannot mask them, are a row of tiles of their own.
  const bool edge = vectors * kernel.lanes < m;
  const Split tiles(vectors, kernel.tile_vectors);
  const int64_t tile_count = (vectors > 0 ? tiles.parts : 0) + edge;
  const bool keep_left = pack_left && column_blocks.parts > 1;
  const int64_t tile_block = keep_left ? kRowTiles : tile_count;
  const int64_t block_depth = std::min(product.depth, kDepthBlock);
  char* const packed_right = workspace;
  char* const packed_left =
      workspace + (pack_right ? product.bytes(std::min(product.n(), kColumnBlock) * block_depth) : 0);
  TileShape shape;
  SetSigns(shape, product.negate, product.left.conjugate, product.right.conjugate);
  shape.c_column_step = product.bytes(product.cols.stride);
  for (int64_t tile_begin = 0; tile_begin < tile_count; tile_begin += tile_block) {
    const int64_t tile_end = std::min(tile_count, tile_begin + tile_block);
    for (int64_t p = 0; p < product.depth; p += kDepthBlock) {
      shape.depth = std::min(product.depth - p, kDepthBlock);
      shape.keep = product.accumulate || p > 0;
      for (int64_t block = 0; block < column_blocks.parts; ++block) {
        Columns columns = {column_blocks.Begin(block), Split(column_blocks.Width(block), kernel.tile_columns), nullptr};
        if (pack_right) {
          PackColumns(product, columns, p, shape.depth, packed_right);
          columns.packed = packed_right;
        }
        char* to = packed_left;
        for (int64_t tile = tile_begin; tile < tile_end; ++tile) {
          const bool is_edge = edge && tile + 1 == tile_count;
          const int64_t row = (is_edge ? vectors : tiles.Begin(tile)) * kernel.lanes;
          const int64_t width = (is_edge ? 1 : tiles.Width(tile)) * kernel.lanes;
          const int64_t rows = std::min(width, m - row);
          shape.b_step = product.bytes(product.right.depth.stride);
          shape.b_column_step = product.bytes(product.right.lanes.stride);
          const char* a;
          if (pack_left || is_edge) {
            if (block == 0 || !keep_left) {
              PackRows(kernel, to, width, product.left.data, product.left.lanes, row, rows, product.left.depth, p,
                       shape.depth);
            }
            a = to;
            shape.a_step = product.bytes(width);
            if (keep_left) to += product.bytes(width * shape.depth);
          } else {
            a = product.left.data + product.bytes(row + p * product.left.depth.stride);
            shape.a_step = product.bytes(product.left.depth.stride);
          }
          TileRow(product, shape, row, rows, a, columns, p);
        }
      }
    }
  }
}

}  // namespace tenferro::gemm
