// Products of groups: factors and result of a group lie in matrices of their own.

#include <algorithm>
#include <cstring>

#include "tenferro/cpu/gemm/axis.h"
#include "tenferro/cpu/gemm/kernels.h"
#include "tenferro/cpu/gemm/zero_blocks.h"
#include "tenferro/tensor/dtype.h"

namespace tenferro {
namespace {

// What the matrices of a group may each take of the second-level cache. Of the result some columns at a time are there
// before they are spread over C. A factor that is larger, or whose vectors cannot be squeezed, is packed element by
// element from where it lies.
constexpr int64_t kMatrixBytes = 256 << 10;
constexpr int64_t kLeastColumns = 48;

// Elements between columns: room for what is written beyond one, whole vectors, and no power of two, whose columns would
// share their sets in the cache.
constexpr int64_t kMostPadding = 23;
int64_t StrideOf(int64_t rows) {
  const int64_t stride = (rows + 7) / 8 * 8 + 8;
  return stride % 64 == 0 ? stride + 8 : stride;
}
// Kernels read and write up to a vector too far.
int64_t WithPadding(int64_t bytes) { return (bytes + kMostVectorBytes + 63) / 64 * 64; }
int64_t ColumnsAtATime(int64_t rows, int64_t bytes) {
  return std::max(kLeastColumns, kMatrixBytes / (StrideOf(rows) * bytes));
}

GemmAxis Offsets(const int64_t* offsets, int64_t count) { return {count, 0, offsets}; }

}  // namespace

int64_t ZeroBlocks::BlockCount(int64_t group) const { return GemmBlockCount(isa_, Group(group)); }

ZeroBlocks::Cut ZeroBlocks::CutRows(int64_t group, int64_t index) const {
  const int64_t* const begin = row_ + rows_[group];
  const int64_t* const end = row_ + rows_[group + 1];
  if (index == 0) return {0, 0};
  if (index == end - begin) return {index, args_.c_rows.extent};
  const int64_t row = begin[index] / 64 * 64;
  return {std::lower_bound(begin, end, row) - begin, row};
}

int64_t ZeroBlocks::WorkerBytes(Isa isa, const GemmArgs& args) {
  const int64_t m = args.c_rows.extent, n = args.c_cols.extent, bytes = KernelOf(isa, args.dtype)->element_bytes;
  // Fewer rows have more columns, in as much memory or less.
  const int64_t column_bytes = (m + kMostPadding) * bytes;
  const int64_t least = column_bytes * std::min(kLeastColumns, n);
  const int64_t product = std::max(least, std::min(column_bytes * n, kMatrixBytes));
  const int64_t depth_bytes = (std::min(args.a_cols.extent, kDepthBlock) + kMostPadding) * bytes;
  const int64_t left = std::min(kMatrixBytes, (m + kMostPadding) * depth_bytes);
  const int64_t right = std::min(kMatrixBytes, (n + kMostPadding) * depth_bytes);
  return WithPadding(GemmWorkspaceBytes(isa, args)) + WithPadding(product) + WithPadding(left) + WithPadding(right);
}

// Some rows and columns of a group, and terms of one chain of sums.
struct ZeroBlocks::Part {
  int64_t group;
  Cut begin, end;
  int64_t column, columns, term, terms;
  int64_t rows() const { return end.index - begin.index; }
};

bool ZeroBlocks::SqueezeLeft(const Part& part, char* to, GemmArgs& args) const {
  const GemmKernel& kernel = *KernelOf(isa_, args_.dtype);
  const int64_t bytes = kernel.element_bytes, stride = StrideOf(part.rows());
  if (!a_rows_grouped_ || stride * part.terms * bytes > kMatrixBytes) return false;
  const GemmAxis axis = AxisPart(args_.a_rows, part.begin.row, part.end.row - part.begin.row);
  const uint64_t* const bits = row_bits_ + part.group * row_words_ + part.begin.row / 64;
  const char* const a = static_cast<const char*>(args_.a) + AxisShift(args_.a_rows, part.begin.row) * bytes;
  const int64_t* const offsets = a_cols_ + terms_[part.group] + part.term;
  kernel.squeeze(to, stride, a, offsets, part.terms, axis, bits);
  args.a = to;
  args.a_rows = {part.rows(), 1, nullptr};
  args.a_cols = {part.terms, stride, nullptr};
  return true;
}

bool ZeroBlocks::SqueezeRight(const Part& part, char* to, GemmArgs& args) const {
  const GemmKernel& kernel = *KernelOf(isa_, args_.dtype);
  const int64_t bytes = kernel.element_bytes;
  const char* const b = static_cast<const char*>(args_.b);
  args.b = to;
  if (b_rows_grouped_ && StrideOf(part.terms) * part.columns * bytes <= kMatrixBytes) {
    const int64_t chain = term_[terms_[part.group] + part.term] / kDepthBlock * kDepthBlock;
    const GemmAxis axis = AxisPart(args_.b_rows, chain, std::min(kDepthBlock, args_.b_rows.extent - chain));
    const uint64_t* const bits = term_bits_ + part.group * term_words_ + chain / 64;
    const int64_t* const offsets = b_cols_ + columns_[part.group] + part.column;
    const int64_t stride = StrideOf(part.terms), shift = AxisShift(args_.b_rows, chain);
    kernel.squeeze(to, stride, b + shift * bytes, offsets, part.columns, axis, bits);
    args.b_rows = {part.terms, 1, nullptr};
    args.b_cols = {part.columns, stride, nullptr};
    return true;
  }
  const bool all_columns = part.columns == columns_[part.group + 1] - columns_[part.group];
  if (b_cols_grouped_ && all_columns && StrideOf(part.columns) * part.terms * bytes <= kMatrixBytes) {
    const uint64_t* const bits = row_bits_ + part.group * row_words_ + (args_.c_rows.extent + 63) / 64;
    const int64_t* const offsets = b_rows_ + terms_[part.group] + part.term;
    const int64_t stride = StrideOf(part.columns);
    kernel.squeeze(to, stride, b, offsets, part.terms, args_.b_cols, bits);
    args.b_rows = {part.terms, stride, nullptr};
    args.b_cols = {part.columns, 1, nullptr};
    return true;
  }
  return false;
}

void ZeroBlocks::RunBlock(int64_t group, int64_t block, void* workspace) const {
  int64_t range[4];
  GemmBlockRange(isa_, Group(group), block, range);
  RunPart(group, range, static_cast<char*>(args_.c), workspace);
}

void ZeroBlocks::RunPart(int64_t group, const int64_t (&range)[4], char* c, void* workspace) const {
  GemmArgs args = Group(group);
  const GemmKernel& kernel = *KernelOf(isa_, args_.dtype);
  const int64_t bytes = kernel.element_bytes;
  const int64_t* const term = term_ + terms_[group];
  const int64_t terms = args.a_cols.extent;
  Part part{group, CutRows(group, range[0]), CutRows(group, range[1]), 0, 0, 0, 0};
  const int64_t rows = part.rows(), stride = StrideOf(rows), step = ColumnsAtATime(rows, bytes);
  char* const product = static_cast<char*>(workspace) + WithPadding(GemmWorkspaceBytes(isa_, args_));
  char* const left = product + WithPadding(stride * std::min(step, args_.c_cols.extent) * bytes);
  args.c = product;
  args.c_rows = {rows, 1, nullptr};
  for (part.column = range[2]; part.column < range[3]; part.column += step) {
    part.columns = std::min(step, range[3] - part.column);
    args.c_cols = {part.columns, stride, nullptr};
    args.accumulate = false;
    // Chains of sums begin where they do in the whole product.
    for (part.term = 0; part.term < terms; part.term += part.terms) {
      const int64_t chain = term[part.term] / kDepthBlock;
      int64_t end = part.term + 1;
      while (end < terms && term[end] / kDepthBlock == chain) ++end;
      part.terms = end - part.term;
      char* right = left;
      if (SqueezeLeft(part, left, args)) {
        right += WithPadding(stride * part.terms * bytes);
      } else {
        args.a = args_.a;
        args.a_rows = Offsets(a_rows_ + rows_[group] + part.begin.index, rows);
        args.a_cols = Offsets(a_cols_ + terms_[group] + part.term, part.terms);
      }
      if (!SqueezeRight(part, right, args)) {
        args.b = args_.b;
        args.b_rows = Offsets(b_rows_ + terms_[group] + part.term, part.terms);
        args.b_cols = Offsets(b_cols_ + columns_[group] + part.column, part.columns);
      }
      GemmBlock(isa_, args, 0, rows, 0, part.columns, workspace);
      args.accumulate = true;
    }
    kernel.spread(c + AxisShift(args_.c_rows, part.begin.row) * bytes, c_cols_ + columns_[group] + part.column,
                  part.columns, AxisPart(args_.c_rows, part.begin.row, part.end.row - part.begin.row), rows_grouped_,
                  row_bits_ + group * row_words_ + part.begin.row / 64, product, stride);
  }
}

void ZeroBlocks::ClearColumn(char* column) const {
  const int64_t bytes = SizeOf(static_cast<DType>(args_.dtype));
  for (int64_t i = 0; i < args_.c_rows.extent; ++i) {
    std::memset(column + OffsetOf(args_.c_rows, i) * bytes, 0, static_cast<size_t>(bytes));
  }
}

void ZeroBlocks::ClearOtherColumns() const {
  const int64_t bytes = SizeOf(static_cast<DType>(args_.dtype));
  for (int64_t j = 0; j < other_columns_; ++j) {
    ClearColumn(static_cast<char*>(args_.c) + c_cols_[columns_[count_] + j] * bytes);
  }
}

void ZeroBlocks::RunColumns(int64_t begin, int64_t end, void* to, void* workspace) const {
  const int64_t column = args_.c_rows.extent, bytes = SizeOf(static_cast<DType>(args_.dtype));
  char* const c = static_cast<char*>(to) - begin * column * bytes;  // where column 0 would be
  for (int64_t group = 0; group <= count_; ++group) {
    // Columns of a group, and of none, are in order.
    const int64_t* const columns = c_cols_ + columns_[group];
    const int64_t count = group < count_ ? columns_[group + 1] - columns_[group] : other_columns_;
    const int64_t from = std::lower_bound(columns, columns + count, begin * column) - columns;
    const int64_t past = std::lower_bound(columns, columns + count, end * column) - columns;
    if (group < count_) {
      RunPart(group, {0, rows_[group + 1] - rows_[group], from, past}, c, workspace);
    } else {
      for (int64_t j = from; j < past; ++j) ClearColumn(c + columns[j] * bytes);
    }
  }
}

}  // namespace tenferro
