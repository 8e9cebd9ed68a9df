#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>

#include "tenferro/cpu/gemm/product.h"

namespace tenferro::gemm {
namespace {

// Packed factors stay in the second-level cache: the columns of B while A's rows pass by, or all of both.
constexpr int64_t kPackedBytes = 384 << 10;
constexpr int64_t kRowBlock = 16;
// Vectors of products taken together: their elements of equal place are lines in one page.
constexpr int64_t kMostGroups = 4;
constexpr int64_t kColumnGroups = 8;
// Beyond, single products pack each element once for so many multiplications that their way is the faster.
constexpr int64_t kMostExtent = 256;

int64_t VectorBytes(const GemmKernel& kernel) { return int64_t{kernel.lanes} * kernel.element_bytes; }

int64_t ColumnBlock(const GemmKernel& kernel, int64_t k) {
  const int64_t columns = kPackedBytes / (std::min(k, kDepthBlock) * VectorBytes(kernel));
  return columns - columns % kernel.lane_columns;
}

// Vectors from one term of `count` packed rows to the next: lines of terms fall into different sets of the cache.
int64_t PackedStep(int64_t count) { return (count + 3) / 8 * 8 + 4; }

// Of both factors for a vector of products.
int64_t PackedBytes(const GemmKernel& kernel, int64_t m, int64_t n, int64_t k) {
  return (PackedStep(m) + PackedStep(n)) * k * VectorBytes(kernel);
}

int64_t GroupsOf(const GemmKernel& kernel, int64_t m, int64_t n, int64_t k) {
  if (n == 1) return kColumnGroups;
  return k > kDepthBlock ? 1 : std::clamp<int64_t>(kPackedBytes / PackedBytes(kernel, m, n, k), 1, kMostGroups);
}

int64_t RowBlock(int64_t m, int64_t n, int64_t groups) { return groups > 1 && n > 1 ? m : kRowBlock; }

// Whether vectors of `factor` may be read over and over where they lie: they do not evict each other, as they do where
// powers of two lie between them, and are few or each in one line of the cache.
bool StaysNear(const GemmKernel& kernel, const Factor& factor) {
  constexpr int64_t kCacheBytes = 1 << 20, kWays = 8, kPage = 4096;
  constexpr int64_t kFewBytes = 40 << 10, kSomeBytes = 128 << 10;
  const int64_t lanes = std::abs(factor.lanes.stride) * kernel.element_bytes;
  const int64_t terms = std::abs(factor.depth.stride) * kernel.element_bytes;
  const int64_t step = std::min(lanes, terms);
  const int64_t vectors = factor.lanes.extent * factor.depth.extent;
  const int64_t bytes = vectors * VectorBytes(kernel);
  const int64_t places = kCacheBytes / std::gcd(step, kCacheBytes / kWays);
  const bool in_lines = lanes % VectorBytes(kernel) == 0 && terms % VectorBytes(kernel) == 0;
  return IsStrided(factor.lanes) && step % kPage != 0 && vectors <= places &&
         bytes <= (in_lines ? kSomeBytes : kFewBytes);
}

// A factor's data for one vector of products.
struct Source {
  const char* data;
  GemmAxis batch;
  // Offsets of rows of A, or of columns of B, and of their terms.
  const int64_t* lanes;
  const int64_t* depth;
  bool along_lanes;  // which are nearer to each other in memory than terms are
};

// Vector (term, i) at `to` = a vector of products' element (i, term), for `count` rows of A, or columns of B, from
// `lane` on; those of the next vectors of products, `groups` in all, follow group_step apart.
void PackLanes(const GemmKernel& kernel, const Source& source, int64_t groups, int64_t products, int64_t lane,
               int64_t count, int64_t p, int64_t terms, char* to, int64_t group_step) {
  const int64_t bytes = kernel.element_bytes;
  const int64_t vector_bytes = VectorBytes(kernel);
  const int64_t step = PackedStep(count) * vector_bytes;
  if (IsUnit(source.batch) && (kernel.masked_rows || products == kernel.lanes)) {
    const int64_t last_lanes = products << kernel.is_complex;
    if (source.along_lanes) {
      for (int64_t term = 0; term < terms; ++term) {
        kernel.copy_vectors(to + term * step, vector_bytes, source.data + source.depth[p + term], source.lanes + lane,
                            count, groups, group_step, last_lanes);
      }
    } else {
      for (int64_t i = 0; i < count; ++i) {
        kernel.copy_vectors(to + i * vector_bytes, step, source.data + source.lanes[lane + i], source.depth + p, terms,
                            groups, group_step, last_lanes);
      }
    }
    return;
  }
  for (int64_t group = 0; group < groups; ++group, to += group_step) {
    for (int64_t term = 0; term < terms; ++term) {
      for (int64_t i = 0; i < count; ++i) {
        const char* from = source.data + source.lanes[lane + i] + source.depth[p + term];
        char* const vector = to + term * step + i * vector_bytes;
        for (int64_t q = 0; q < products; ++q) {
          std::memcpy(vector + q * bytes, from + OffsetOf(source.batch, group * kernel.lanes + q) * bytes, bytes);
        }
      }
    }
  }
}

// Rows or columns of the largest tile.
constexpr int64_t kMostTile = 4;

// In bytes, along the axes.
struct Offsets {
  const int64_t *a_rows, *a_terms, *b_cols, *b_terms, *c_rows, *c_cols;
};

class LaneGroups {
 public:
  LaneGroups(const Product& product, const GemmBatches& batches, char* workspace)
      : product_(product), kernel_(product.kernel), batches_(batches), vector_bytes_(VectorBytes(product.kernel)) {
    const int64_t m = product.m(), n = product.n(), k = product.depth;
    groups_ = GroupsOf(kernel_, m, n, k);
    row_block_ = RowBlock(m, n, groups_);
    column_block_ = ColumnBlock(kernel_, k);
    aside_ = workspace;
    int64_t* offsets = reinterpret_cast<int64_t*>(aside_ + kMostTile * kMostTile * vector_bytes_);
    const auto fill = [&](const GemmAxis& axis) {
      int64_t* const filled = offsets;
      for (int64_t i = 0; i < axis.extent; ++i) *offsets++ = product.bytes(OffsetOf(axis, i));
      return filled;
    };
    offsets_ = {fill(product.left.lanes),  fill(product.left.depth), fill(product.right.lanes),
                fill(product.right.depth), fill(product.rows),       fill(product.cols)};
    packed_ = workspace + UnpackedBytes(kernel_, m, n, k);
    for (int64_t i = 0; i < kMostTile; ++i) {
      near_[i] = i * vector_bytes_;
      far_[i] = i * kMostTile * vector_bytes_;
    }
    SetSigns(shape_, product.negate, product.left.conjugate, product.right.conjugate);
    pack_a_ = !IsUnit(batches.a) || !IsStrided(product.left.depth) ||
              (n > kernel_.lane_columns && !StaysNear(kernel_, product.left));
    pack_b_ = !IsUnit(batches.b) || !IsStrided(product.right.depth) ||
              (n > 1 && m > kernel_.lane_rows && !StaysNear(kernel_, product.right));
  }

  static int64_t UnpackedBytes(const GemmKernel& kernel, int64_t m, int64_t n, int64_t k) {
    const int64_t bytes = 2 * (m + n + k) * static_cast<int64_t>(sizeof(int64_t));
    return kMostTile * kMostTile * VectorBytes(kernel) +
           (bytes + kMostVectorBytes - 1) / kMostVectorBytes * kMostVectorBytes;
  }

  // Vectors of products that one run had better take.
  int64_t groups() const { return groups_; }

  // The products from `batch` on: `groups` vectors of them, or `products` where they are fewer than one vector.
  void Run(int64_t batch, int64_t groups, int64_t products) {
    const Source a = SourceOf(product_.left, batches_.a, batch, offsets_.a_rows, offsets_.a_terms);
    const Source b = SourceOf(product_.right, batches_.b, batch, offsets_.b_cols, offsets_.b_terms);
    const int64_t m = product_.m(), n = product_.n();
    for (int64_t p = 0; p < product_.depth; p += kDepthBlock) {
      shape_.depth = std::min(product_.depth - p, kDepthBlock);
      shape_.keep = product_.accumulate || p > 0;
      for (int64_t column = 0; column < n; column += column_block_) {
        const int64_t columns = std::min(n - column, column_block_);
        const Packed right = LoadLanes(b, pack_b_, groups, products, column, columns, p, product_.right.depth, packed_);
        char* const packed_a = pack_b_ ? packed_ + groups * right.group_step : packed_;
        for (int64_t row = 0; row < m; row += row_block_) {
          const int64_t rows = std::min(m - row, row_block_);
          const Packed left = LoadLanes(a, pack_a_, groups, products, row, rows, p, product_.left.depth, packed_a);
          shape_.a_step = left.step;
          shape_.b_step = right.step;
          for (int64_t group = 0; group < groups; ++group) {
            GemmAxis c_batch = batches_.c;
            char* c = product_.c;
            Move(c_batch, batch + group * kernel_.lanes, c);
            RunBlock({row, rows, column, columns}, left.data + group * left.group_step,
                     right.data + group * right.group_step, c, c_batch, products);
          }
        }
      }
    }
  }

 private:
  static int64_t Width(int64_t left, int64_t most) { return left >= most ? most : 1; }

  template <class Byte>
  void Move(GemmAxis& axis, int64_t begin, Byte*& data) const {
    if (axis.offsets != nullptr) {
      axis.offsets += begin;
    } else {
      data += product_.bytes(begin * axis.stride);
    }
  }
  Source SourceOf(const Factor& factor, GemmAxis batch_axis, int64_t batch, const int64_t* lanes,
                  const int64_t* depth) const {
    const char* data = factor.data;
    Move(batch_axis, batch, data);
    const bool along_lanes = factor.lanes.extent > 1 && (factor.depth.extent == 1 ||
                                                         std::abs(lanes[1] - lanes[0]) < std::abs(depth[1] - depth[0]));
    return {data, batch_axis, lanes, depth, along_lanes};
  }

  // Rows or columns of a factor, packed or where they lie: bytes from one term to the next, and from one vector of
  // products.
  struct Packed {
    const char* data;
    int64_t step, group_step;
  };
  Packed LoadLanes(const Source& source, bool pack, int64_t groups, int64_t products, int64_t lane, int64_t count,
                   int64_t p, const GemmAxis& depth, char* to) const {
    if (!pack) return {source.data + source.depth[p], product_.bytes(depth.stride), vector_bytes_};
    const int64_t step = PackedStep(count) * vector_bytes_;
    const Packed packed = {to, step, step * shape_.depth};
    PackLanes(kernel_, source, groups, products, lane, count, p, shape_.depth, to, packed.group_step);
    return packed;
  }

  struct Block {
    int64_t row, rows, column, columns;
  };
  void RunBlock(const Block& block, const char* a, const char* b, char* c, const GemmAxis& c_batch, int64_t products) {
    const int64_t last_lanes = products << kernel_.is_complex;
    for (int64_t i = 0, rows; i < block.rows; i += rows) {
      const bool is_column =
          block.columns == 1 && block.rows - i >= kernel_.lane_column_rows && IsUnit(c_batch) && !pack_a_;
      rows = is_column ? kernel_.lane_column_rows : Width(block.rows - i, kernel_.lane_rows);
      const char* const a_tile = pack_a_ ? a + i * vector_bytes_ : a;
      const int64_t* const a_rows = pack_a_ ? near_ : offsets_.a_rows + block.row + i;
      const int64_t* const c_rows = offsets_.c_rows + block.row + i;
      for (int64_t j = 0, columns; j < block.columns; j += columns) {
        columns = Width(block.columns - j, kernel_.lane_columns);
        const char* const b_tile = pack_b_ ? b + j * vector_bytes_ : b;
        const int64_t* const b_columns = pack_b_ ? near_ : offsets_.b_cols + block.column + j;
        const int64_t* const c_columns = offsets_.c_cols + block.column + j;
        const LaneTileFunction run = is_column ? kernel_.lane_column : kernel_.lane_tiles[rows > 1][columns > 1];
        if (IsUnit(c_batch)) {
          run(shape_, a_tile, a_rows, b_tile, b_columns, c, c_rows, c_columns, last_lanes);
          continue;
        }
        run(shape_, a_tile, a_rows, b_tile, b_columns, aside_, near_, far_, last_lanes);
        for (int64_t y = 0; y < columns; ++y) {
          for (int64_t x = 0; x < rows; ++x) {
            char* to = c + c_rows[x] + c_columns[y];
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
  int64_t groups_, row_block_, column_block_;
  TileShape shape_;
  bool pack_a_, pack_b_;
  char *aside_, *packed_;
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
  if (m == 1) std::swap(m, n);
  const int64_t terms = std::min(k, kDepthBlock);
  const int64_t groups = GroupsOf(kernel, m, n, k);
  const int64_t rows = std::min(m, RowBlock(m, n, groups));
  return LaneGroups::UnpackedBytes(kernel, m, n, k) +
         groups * PackedBytes(kernel, rows, std::min(n, ColumnBlock(kernel, k)), terms);
}

void LaneProduct(Product& product, GemmBatches batches, int64_t begin, int64_t end, char* workspace) {
  if (product.m() == 1) {
    std::swap(product.left, product.right);
    std::swap(product.rows, product.cols);
    std::swap(batches.a, batches.b);
  }
  LaneGroups lanes(product, batches, workspace);
  const int64_t vector = product.kernel.lanes;
  int64_t batch = begin;
  for (int64_t groups; (groups = std::min(lanes.groups(), (end - batch) / vector)) > 0; batch += groups * vector) {
    lanes.Run(batch, groups, vector);
  }
  if (batch == end) return;
  if (product.kernel.masked_rows) return lanes.Run(batch, 1, end - batch);
  Multiply(product, batches, batch, end, workspace);
}

}  // namespace tenferro::gemm
