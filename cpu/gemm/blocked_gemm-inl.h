// The loops around the tiles: orientation, packing, cache blocks.
#ifndef TENFERRO_CPU_GEMM_BLOCKED_GEMM_INL_H_
#define TENFERRO_CPU_GEMM_BLOCKED_GEMM_INL_H_

#include "tenferro/cpu/gemm/gemm.h"
#include "tenferro/cpu/gemm/micro_kernel-inl.h"
#include "tenferro/cpu/gemm/pack-inl.h"

namespace tenferro {
namespace TENFERRO_ISA {

// Terms of one chain of sums. It is part of the result's definition: a change of it changes bits.
constexpr int64_t kDepthBlock = 256;
// Columns of B kept in the second-level cache while rows of A pass by: 256 x 240 doubles are 480 KiB.
constexpr int64_t kColumnBlock = 240;
// Tiles of packed A kept while all column blocks pass by.
constexpr int64_t kRowTiles = 32;

template <class T>
constexpr int64_t LanesOf() {
  return hn::MaxLanes(hn::ScalableTag<T>());
}

inline int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
inline int64_t Max(int64_t a, int64_t b) { return a > b ? a : b; }
inline int64_t CeilDivide(int64_t a, int64_t b) { return (a + b - 1) / b; }

// `total` cut into `parts` as even as possible, the longer ones first.
struct Split {
  int64_t parts, base, longer;
  Split(int64_t total, int64_t most)
      : parts(CeilDivide(total, most)), base(parts > 0 ? total / parts : 0), longer(parts > 0 ? total % parts : 0) {}
  int64_t Width(int64_t part) const { return base + (part < longer); }
  int64_t Begin(int64_t part) const { return part * base + Min(part, longer); }
};

// Shifts an axis so that it starts at `begin`. One element has every stride: 1 is the one that kernels like.
template <class T>
GemmAxis Narrow(const GemmAxis& axis, int64_t begin, int64_t extent, int64_t scale, T*& data) {
  GemmAxis result = {extent, axis.stride, axis.offsets};
  if (axis.offsets != nullptr) {
    result.offsets += begin;
  } else {
    data += begin * axis.stride * scale;
  }
  if (extent == 1) {
    if (axis.offsets != nullptr) data += result.offsets[0] * scale;
    result = {1, 1, nullptr};
  }
  return result;
}

inline bool IsUnit(const GemmAxis& axis) { return axis.offsets == nullptr && axis.stride == 1; }

// A factor seen from its free axis (`lanes`) and its contracted one.
template <class T>
struct Factor {
  const T* data;
  GemmAxis lanes;
  GemmAxis depth;
  bool conjugate;
};

template <class T, bool kComplex>
class BlockedGemm {
 public:
  using E = __typeof__([] {
    if constexpr (!kComplex) {
      return T();
    } else if constexpr (sizeof(T) == 4) {
      return double();
    } else {
      return Wide();
    }
  }());
  static constexpr int64_t kScale = kComplex ? 2 : 1;              // reals of an element
  static constexpr int64_t kLanes = LanesOf<T>() / kScale;         // elements of a vector
  static constexpr int64_t kColumns = TileTable<T, kComplex>::kColumns;
  static constexpr int64_t kTileRows = kTileVectors * kLanes;

  static int64_t WorkspaceBytes(const GemmArgs& args) {
    const int64_t lanes = Max(args.c_rows.extent, args.c_cols.extent);
    const int64_t depth = Min(args.a_cols.extent, kDepthBlock);
    const int64_t a_rows = Min(CeilDivide(lanes, kLanes) * kLanes, kRowTiles * kTileRows);
    return (a_rows + Min(lanes, kColumnBlock)) * depth * static_cast<int64_t>(sizeof(E)) + 64;
  }

  static void Run(const GemmArgs& args, const int64_t range[4], void* workspace) {
    BlockedGemm gemm;
    gemm.accumulate_ = args.accumulate;
    gemm.negate_ = args.negate;
    gemm.left_ = {static_cast<const T*>(args.a), {}, args.a_cols, args.conjugate_a};
    gemm.right_ = {static_cast<const T*>(args.b), {}, args.b_rows, args.conjugate_b};
    gemm.c_ = static_cast<T*>(args.c);
    const int64_t rows = range[1] - range[0];
    const int64_t cols = range[3] - range[2];
    gemm.depth_ = args.a_cols.extent;
    if (rows <= 0 || cols <= 0) return;
    gemm.left_.lanes = Narrow(args.a_rows, range[0], rows, kScale, gemm.left_.data);
    gemm.right_.lanes = Narrow(args.b_cols, range[2], cols, kScale, gemm.right_.data);
    gemm.rows_ = Narrow(args.c_rows, range[0], rows, kScale, gemm.c_);
    gemm.cols_ = Narrow(args.c_cols, range[2], cols, kScale, gemm.c_);
    if (gemm.depth_ <= 0) return gemm.Clear();
    if (gemm.depth_ == 1) {
      gemm.left_.depth = Narrow(args.a_cols, 0, 1, kScale, gemm.left_.data);
      gemm.right_.depth = Narrow(args.b_rows, 0, 1, kScale, gemm.right_.data);
    }
    gemm.Orient();
    gemm.Loop(static_cast<E*>(workspace));
  }

 private:
  void Clear() {
    if (accumulate_) return;
    for (int64_t j = 0; j < cols_.extent; ++j) {
      for (int64_t i = 0; i < rows_.extent; ++i) {
        T* to = c_ + kScale * (OffsetOf(rows_, i) + OffsetOf(cols_, j));
        for (int64_t part = 0; part < kScale; ++part) to[part] = 0;
      }
    }
  }

  // Estimated quarter cycles when the left factor's lanes are the tiles' rows.
  static int64_t PackCost(const Factor<T>& factor) {
    return IsUnit(factor.lanes) ? 1 : IsUnit(factor.depth) ? 3 : 6;
  }
  static int64_t Cost(const Factor<T>& left, const Factor<T>& right, const GemmAxis& rows, int64_t depth) {
    const int64_t m = left.lanes.extent;
    const int64_t n = right.lanes.extent;
    int64_t cost = 4 * CeilDivide(m, kLanes) * n;
    if (MustPackLeft(left)) cost += PackCost(left) * m;
    if (MustPackRight(right)) cost += PackCost(right) * n;
    cost *= depth;
    if (!IsUnit(rows)) cost += 8 * m * n;
    return cost;
  }
  static bool MustPackLeft(const Factor<T>& left) { return !IsUnit(left.lanes) || left.depth.offsets != nullptr; }
  static bool MustPackRight(const Factor<T>& right) {
    return right.lanes.offsets != nullptr || right.depth.offsets != nullptr;
  }

  // C = A B or Cᵀ = Bᵀ Aᵀ: the sums are the same, term by term.
  void Orient() {
    if (!MustPackLeft(left_) && !MustPackRight(right_) && IsUnit(rows_) && rows_.extent >= kLanes) return;
    if (Cost(left_, right_, rows_, depth_) <= Cost(right_, left_, cols_, depth_)) return;
    const Factor<T> left = left_;
    left_ = right_;
    right_ = left;
    const GemmAxis rows = rows_;
    rows_ = cols_;
    cols_ = rows;
  }

  bool PackLeft() const { return MustPackLeft(left_) || (right_.lanes.extent > 64 && depth_ * left_.depth.stride > 32768); }
  bool PackRight() const {
    return MustPackRight(right_) || (left_.lanes.extent > 64 && depth_ * right_.lanes.extent > 32768);
  }

  void Loop(E* workspace) {
    const int64_t m = rows_.extent;
    const int64_t n = cols_.extent;
    const bool pack_left = PackLeft();
    const bool pack_right = PackRight();
    const Split column_blocks(n, kColumnBlock);
    const int64_t vectors = kMaskedRows ? CeilDivide(m, kLanes) : m / kLanes;
    const bool edge = vectors * kLanes < m;  // a last vector that is not whole, where tiles cannot mask it
    const Split tiles(vectors, kTileVectors);
    const int64_t tile_count = tiles.parts + edge;
    const int64_t tile_block = column_blocks.parts > 1 && pack_left ? kRowTiles : tile_count;
    const int64_t block_depth = Min(depth_, kDepthBlock);
    E* const packed_right = workspace;
    E* const packed_left = workspace + (pack_right ? Min(n, kColumnBlock) * block_depth : 0);
    const int64_t left_step = kTileRows * block_depth;

    TileShape<T> shape;
    SetSigns(shape);
    shape.c_column_step = cols_.stride * kScale;
    for (int64_t tile_begin = 0; tile_begin < tile_count; tile_begin += tile_block) {
      const int64_t tile_end = Min(tile_count, tile_begin + tile_block);
      for (int64_t p = 0; p < depth_; p += kDepthBlock) {
        shape.depth = Min(depth_ - p, kDepthBlock);
        SetKeep(shape, accumulate_ || p > 0);
        for (int64_t block = 0; block < column_blocks.parts; ++block) {
          const int64_t j0 = column_blocks.Begin(block);
          const Split columns(column_blocks.Width(block), kColumns);
          if (pack_right) {
            for (int64_t part = 0; part < columns.parts; ++part) {
              const int64_t j = columns.Begin(part);
              Pack(packed_right + j * shape.depth, columns.Width(part), reinterpret_cast<const E*>(right_.data),
                   right_.lanes, j0 + j, columns.Width(part), right_.depth, p, shape.depth);
            }
          }
          for (int64_t tile = tile_begin; tile < tile_end; ++tile) {
            const bool is_edge = tile == tiles.parts;
            const int64_t row = (is_edge ? vectors : tiles.Begin(tile)) * kLanes;
            const int64_t tile_vectors = is_edge ? 1 : tiles.Width(tile);
            const int64_t tile_rows = Min(tile_vectors * kLanes, m - row);
            const T* a;
            alignas(64) E edge_rows[kMaskedRows ? 1 : kLanes * kDepthBlock];
            if (pack_left || is_edge) {
              E* to = is_edge && !kMaskedRows ? edge_rows
                      : column_blocks.parts > 1 ? packed_left + (tile - tile_begin) * left_step
                                                : packed_left;
              const int64_t width = tile_vectors * kLanes;
              if (block == 0 || to == edge_rows) {
                Pack(to, width, reinterpret_cast<const E*>(left_.data), left_.lanes, row, tile_rows, left_.depth, p,
                     shape.depth);
              }
              a = reinterpret_cast<const T*>(to);
              shape.a_step = width * kScale;
            } else {
              a = left_.data + (row + p * left_.depth.stride) * kScale;
              shape.a_step = left_.depth.stride * kScale;
            }
            Columns(shape, tile_vectors, row, tile_rows, a, pack_right ? packed_right : nullptr, p, j0, columns);
          }
        }
      }
    }
  }

  // One tile of rows times a block of columns.
  void Columns(TileShape<T>& shape, int64_t tile_vectors, int64_t row, int64_t rows, const T* a, const E* packed_right,
               int64_t p, int64_t j0, const Split& columns) const {
    const TileFunction<T>* functions = kTiles<T, kComplex>.functions[tile_vectors - 1];
    const int64_t last_lanes = (rows - (tile_vectors - 1) * kLanes) * kScale;
    const bool direct = IsUnit(rows_) && cols_.offsets == nullptr && (kMaskedRows || rows == tile_vectors * kLanes);
    for (int64_t part = 0; part < columns.parts; ++part) {
      const int64_t j = columns.Begin(part);
      const int64_t width = columns.Width(part);
      const T* b;
      if (packed_right != nullptr) {
        b = reinterpret_cast<const T*>(packed_right + j * shape.depth);
        shape.b_step = width * kScale;
        shape.b_column_step = kScale;
      } else {
        b = right_.data + ((j0 + j) * right_.lanes.stride + p * right_.depth.stride) * kScale;
        shape.b_step = right_.depth.stride * kScale;
        shape.b_column_step = right_.lanes.stride * kScale;
      }
      if (direct) {
        functions[width - 1](shape, a, b, c_ + (row + (j0 + j) * cols_.stride) * kScale, last_lanes);
      } else {
        Scattered(shape, functions[width - 1], a, b, row, rows, j0 + j, width);
      }
    }
  }

  // A tile whose place in C is not one of whole contiguous vectors: computed aside, then added element by element.
  void Scattered(const TileShape<T>& shape, TileFunction<T> function, const T* a, const T* b, int64_t row, int64_t rows,
                 int64_t col, int64_t cols) const {
    alignas(64) T tile[kColumns * kTileRows * kScale];
    for (T& x : tile) x = -T(0);  // x + (-0) is x, also where x is -0
    TileShape<T> aside = shape;
    aside.c_column_step = kTileRows * kScale;
    SetKeep(aside, true);
    const bool keep = KeepsC(shape);
    function(aside, a, b, tile, LanesOf<T>());
    for (int64_t j = 0; j < cols; ++j) {
      for (int64_t i = 0; i < rows; ++i) {
        T* to = c_ + kScale * (OffsetOf(rows_, row + i) + OffsetOf(cols_, col + j));
        const T* from = tile + (j * kTileRows + i) * kScale;
        for (int64_t part = 0; part < kScale; ++part) to[part] = (keep ? to[part] : T(0)) + from[part];
      }
    }
  }

  static void SetKeep(TileShape<T>& shape, bool keep) { __builtin_memset(shape.keep, keep ? 0xff : 0, sizeof(shape.keep)); }
  static bool KeepsC(const TileShape<T>& shape) {
    unsigned char byte;
    __builtin_memcpy(&byte, shape.keep, 1);
    return byte != 0;
  }

  void SetSigns(TileShape<T>& shape) const {
    const T sign = negate_ ? T(-1) : T(1);
    const T left = left_.conjugate ? T(-1) : T(1);
    const T right = right_.conjugate ? T(-1) : T(1);
    shape.direct[0] = sign;
    shape.direct[1] = sign * left;
    shape.cross[0] = -sign * left * right;
    shape.cross[1] = sign * right;
  }

  bool accumulate_, negate_;
  Factor<T> left_, right_;
  T* c_;
  GemmAxis rows_, cols_;
  int64_t depth_;
};

}  // namespace TENFERRO_ISA
}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_BLOCKED_GEMM_INL_H_
