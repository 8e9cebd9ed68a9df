#include <cstring>

#include "tenferro/cpu/gemm/product.h"

namespace tenferro::gemm {
namespace {

// The packed columns of B stay in the second-level cache while A's rows pass by.
constexpr int64_t kPackedBytes = 384 << 10;
// Beyond, single products pack each element once for so many multiplications that their way is the faster.
constexpr int64_t kMostExtent = 256;

int64_t VectorBytes(const GemmKernel& kernel) { return int64_t{kernel.lanes} * kernel.element_bytes; }

int64_t ColumnBlock(const GemmKernel& kernel, int64_t k) {
  const int64_t columns = kPackedBytes / (std::min(k, kDepthBlock) * VectorBytes(kernel));
  return columns - columns % kernel.lane_columns;
}

// Offsets in bytes along an axis.
void Fill(const GemmAxis& axis, int64_t bytes, int64_t* offsets) {
  for (int64_t i = 0; i < axis.extent; ++i) offsets[i] = OffsetOf(axis, i) * bytes;
}

// A factor's data for one vector of products.
struct Source {
  const char* data;
  GemmAxis batch;
  const int64_t* lanes;  // offsets of rows of A, or of columns of B
  const GemmAxis& depth;
};

template <int kBytes>
void CopyVectors(const Source& source, int64_t lane, int64_t count, int64_t p, int64_t terms, int64_t bytes, char* to) {
  for (int64_t term = p; term < p + terms; ++term) {
    const char* from = source.data + OffsetOf(source.depth, term) * bytes;
    for (int64_t i = lane; i < lane + count; ++i, to += kBytes) std::memcpy(to, from + source.lanes[i], kBytes);
  }
}

// to[(term, i)] = a vector of products' element (i, term), for `count` rows of A, or columns of B, from `lane` on.
void PackLanes(const GemmKernel& kernel, const Source& source, int64_t products, int64_t lane, int64_t count, int64_t p,
               int64_t terms, char* to) {
  const int64_t bytes = kernel.element_bytes;
  const int64_t vector_bytes = VectorBytes(kernel);
  if (IsUnit(source.batch) && products == kernel.lanes) {
    const auto copy = vector_bytes == 64 ? CopyVectors<64> : vector_bytes == 32 ? CopyVectors<32> : CopyVectors<16>;
    return copy(source, lane, count, p, terms, bytes, to);
  }
  for (int64_t term = p; term < p + terms; ++term) {
    for (int64_t i = lane; i < lane + count; ++i, to += vector_bytes) {
      const char* from = source.data + source.lanes[i] + OffsetOf(source.depth, term) * bytes;
      for (int64_t q = 0; q < products; ++q) {
        std::memcpy(to + q * bytes, from + OffsetOf(source.batch, q) * bytes, bytes);
      }
    }
  }
}

// Rows or columns of the largest tile.
constexpr int64_t kMostTile = 4;

// In bytes, along the axes.
struct Offsets {
  const int64_t *a, *b, *c_rows, *c_cols;
};

class LaneGroups {
 public:
  LaneGroups(const Product& product, const GemmBatches& batches, char* workspace)
      : product_(product), kernel_(product.kernel), batches_(batches), vector_bytes_(VectorBytes(product.kernel)) {
    const int64_t m = product.m(), n = product.n();
    const int64_t bytes = kernel_.element_bytes;
    packed_b_ = workspace;
    packed_a_ = packed_b_ + std::min(n, ColumnBlock(kernel_, product.depth)) * Terms() * vector_bytes_;
    aside_ = packed_a_ + kMostTile * Terms() * vector_bytes_;
    int64_t* offsets = reinterpret_cast<int64_t*>(aside_ + kMostTile * kMostTile * vector_bytes_);
    offsets_ = {offsets, offsets + m, offsets + m + n, offsets + 2 * m + n};
    Fill(product.left.lanes, bytes, offsets);
    Fill(product.right.lanes, bytes, offsets + m);
    Fill(product.rows, bytes, offsets + m + n);
    Fill(product.cols, bytes, offsets + 2 * m + n);
    for (int64_t i = 0; i < kMostTile; ++i) {
      near_[i] = i * vector_bytes_;
      far_[i] = i * kMostTile * vector_bytes_;
    }
    SetSigns(shape_, product.negate, product.left.conjugate, product.right.conjugate);
    pack_a_ = !IsUnit(batches.a) || !IsStrided(product.left.depth) || n > kernel_.lane_columns;
    pack_b_ = !IsUnit(batches.b) || !IsStrided(product.right.depth) || m > kernel_.lane_rows;
  }

  // The products from `batch` on, at most a vector of them.
  void Run(int64_t batch, int64_t products) {
    const Source a = SourceOf(product_.left, batches_.a, batch, offsets_.a);
    const Source b = SourceOf(product_.right, batches_.b, batch, offsets_.b);
    GemmAxis c_batch = batches_.c;
    char* c = product_.c;
    Move(c_batch, batch, c);
    const int64_t n = product_.n();
    const int64_t block = ColumnBlock(kernel_, product_.depth);
    for (int64_t p = 0; p < product_.depth; p += kDepthBlock) {
      shape_.depth = std::min(product_.depth - p, kDepthBlock);
      shape_.keep = product_.accumulate || p > 0;
      for (int64_t begin = 0; begin < n; begin += block) {
        const int64_t end = std::min(n, begin + block);
        if (pack_b_) {
          for (int64_t j = begin, width; j < end; j += width) {
            width = Width(end - j, kernel_.lane_columns);
            PackLanes(kernel_, b, products, j, width, p, shape_.depth,
                      packed_b_ + (j - begin) * shape_.depth * vector_bytes_);
          }
        }
        RunBlock(a, b, c, c_batch, products, p, begin, end);
      }
    }
  }

 private:
  static int64_t Width(int64_t left, int64_t most) { return left >= most ? most : 1; }
  int64_t Terms() const { return std::min(product_.depth, kDepthBlock); }

  template <class Byte>
  void Move(GemmAxis& axis, int64_t begin, Byte*& data) const {
    if (axis.offsets != nullptr) {
      axis.offsets += begin;
    } else {
      data += product_.bytes(begin * axis.stride);
    }
  }
  Source SourceOf(const Factor& factor, GemmAxis batch_axis, int64_t batch, const int64_t* lanes) const {
    const char* data = factor.data;
    Move(batch_axis, batch, data);
    return {data, batch_axis, lanes, factor.depth};
  }

  void RunBlock(const Source& a, const Source& b, char* c, const GemmAxis& c_batch, int64_t products, int64_t p,
                int64_t begin, int64_t end) {
    const int64_t m = product_.m();
    const int64_t last_lanes = products << kernel_.is_complex;
    for (int64_t i = 0, rows; i < m; i += rows) {
      rows = Width(m - i, kernel_.lane_rows);
      const char* a_tile = packed_a_;
      const int64_t* a_rows = near_;
      if (pack_a_) {
        PackLanes(kernel_, a, products, i, rows, p, shape_.depth, packed_a_);
        shape_.a_step = rows * vector_bytes_;
      } else {
        a_tile = a.data + product_.bytes(p * a.depth.stride);
        a_rows = a.lanes + i;
        shape_.a_step = product_.bytes(a.depth.stride);
      }
      for (int64_t j = begin, width; j < end; j += width) {
        width = Width(end - j, kernel_.lane_columns);
        const char* b_tile = packed_b_ + (j - begin) * shape_.depth * vector_bytes_;
        const int64_t* b_columns = near_;
        shape_.b_step = width * vector_bytes_;
        if (!pack_b_) {
          b_tile = b.data + product_.bytes(p * b.depth.stride);
          b_columns = b.lanes + j;
          shape_.b_step = product_.bytes(b.depth.stride);
        }
        const LaneTileFunction run = kernel_.lane_tiles[rows > 1][width > 1];
        if (IsUnit(c_batch)) {
          run(shape_, a_tile, a_rows, b_tile, b_columns, c, offsets_.c_rows + i, offsets_.c_cols + j, last_lanes);
          continue;
        }
        run(shape_, a_tile, a_rows, b_tile, b_columns, aside_, near_, far_, last_lanes);
        for (int64_t y = 0; y < width; ++y) {
          for (int64_t x = 0; x < rows; ++x) {
            char* to = c + offsets_.c_rows[i + x] + offsets_.c_cols[j + y];
            for (int64_t q = 0; q < products; ++q) {
              std::memcpy(to + product_.bytes(OffsetOf(c_batch, q)), aside_ + near_[x] + far_[y] + product_.bytes(q),
                          kernel_.element_bytes);
            }
          }
        }
      }
    }
  }

  const Product& product_;
  const GemmKernel& kernel_;
  const GemmBatches& batches_;
  const int64_t vector_bytes_;
  TileShape shape_;
  bool pack_a_, pack_b_;
  char *packed_a_, *packed_b_, *aside_;
  Offsets offsets_;
  // Offsets of a tile's vectors: near where rows of A or columns of B are packed and for the rows of a tile of C that
  // is put aside, far for its columns.
  int64_t near_[kMostTile], far_[kMostTile];
};

}  // namespace

bool AreLanes(const Product& product, const GemmBatches& batches) {
  const GemmKernel& kernel = product.kernel;
  const int64_t count = batches.c.extent;
  const int64_t m = product.m(), n = product.n(), k = product.depth;
  if (product.is_dot || kernel.lanes < 2 || 2 * count < kernel.lanes || (!kernel.masked_rows && count < kernel.lanes) ||
      std::min(m, n) > kMostExtent) {
    return false;
  }
  // Elements aside of C would have to be read again for another depth block.
  if (!IsUnit(batches.c) && (k > kDepthBlock || product.accumulate)) return false;
  const double a = static_cast<double>(m) * static_cast<double>(k);
  const double b = static_cast<double>(k) * static_cast<double>(n);
  const double c = static_cast<double>(m) * static_cast<double>(n);
  return 2 * (IsUnit(batches.a) * a + IsUnit(batches.b) * b + IsUnit(batches.c) * c) > a + b + c;
}

int64_t LaneWorkspaceBytes(const GemmKernel& kernel, int64_t m, int64_t n, int64_t k) {
  const int64_t vectors =
      (std::min(n, ColumnBlock(kernel, k)) + kMostTile) * std::min(k, kDepthBlock) + kMostTile * kMostTile;
  return vectors * VectorBytes(kernel) + 2 * (m + n) * static_cast<int64_t>(sizeof(int64_t));
}

void LaneProduct(const Product& product, const GemmBatches& batches, int64_t begin, int64_t end, char* workspace) {
  LaneGroups groups(product, batches, workspace);
  const int64_t lanes = product.kernel.lanes;
  int64_t batch = begin;
  for (; batch + lanes <= end; batch += lanes) groups.Run(batch, lanes);
  if (batch == end) return;
  if (product.kernel.masked_rows) return groups.Run(batch, end - batch);
  Product rest = product;
  Multiply(rest, batches, batch, end, workspace);
}

}  // namespace tenferro::gemm
