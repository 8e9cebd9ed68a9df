#include "tenferro/cpu/gemm/zero_blocks.h"

#include <algorithm>
#include <cstring>

#include "tenferro/cpu/gemm/axis.h"
#include "tenferro/cpu/gemm/kernels.h"
#include "tenferro/tensor/dtype.h"

namespace tenferro {
namespace {

int64_t Words(int64_t bits) { return (bits + 63) / 64; }

bool Intersect(const uint64_t* a, const uint64_t* b, int64_t words) {
  uint64_t both = 0;
  for (int64_t w = 0; w < words; ++w) both |= a[w] & b[w];
  return both != 0;
}

void Join(uint64_t* to, const uint64_t* from, int64_t words) {
  for (int64_t w = 0; w < words; ++w) to[w] |= from[w];
}

bool IsEmpty(const uint64_t* bits, int64_t words) {
  uint64_t any = 0;
  for (int64_t w = 0; w < words; ++w) any |= bits[w];
  return any == 0;
}

bool HasAll(const uint64_t* bits, int64_t count) {
  uint64_t all = ~uint64_t{0};
  for (int64_t w = 0; w < count / 64; ++w) all &= bits[w];
  if (count % 64 > 0) all &= bits[count / 64] | ~uint64_t{0} << (count % 64);
  return all == ~uint64_t{0};
}

// function(i) for every bit set.
template <class Function>
void ForEach(const uint64_t* bits, int64_t words, const Function& function) {
  for (int64_t w = 0; w < words; ++w) {
    for (uint64_t word = bits[w]; word != 0; word &= word - 1) function(64 * w + __builtin_ctzll(word));
  }
}

// Whether the offsets of each whole group of kNonzerosGroup elements follow each other.
bool IsGrouped(const GemmAxis& axis) {
  if (axis.offsets == nullptr) return axis.stride == 1;
  for (int64_t i = 0; i + kNonzerosGroup <= axis.extent; i += kNonzerosGroup) {
    for (int64_t lane = 1; lane < kNonzerosGroup; ++lane) {
      if (axis.offsets[i + lane] != axis.offsets[i] + lane) return false;
    }
  }
  return true;
}

// Bit j of word i becomes bit i of word j. Source: H. S. Warren, Hacker's Delight, 2nd edition, section 7-3.
void TransposeBits(uint64_t (&words)[64]) {
  uint64_t low = ~uint64_t{0} >> 32;
  for (int size = 32; size > 0; size /= 2, low ^= low << size) {
    for (int i = 0; i < 64; i = (i + size + 1) & ~size) {
      const uint64_t exchanged = (words[i] >> size ^ words[i + size]) & low;
      words[i] ^= exchanged << size;
      words[i + size] ^= exchanged;
    }
  }
}

// A factor seen as free indices by terms.
struct Factor {
  const GemmKernel& kernel;
  const char* data;
  GemmAxis free, terms;
  bool free_grouped = IsGrouped(free);

  int64_t words() const { return Words(free.extent); }

  // The free indices of term p whose elements are not zero; false when one is not finite.
  bool Term(int64_t p, uint64_t* bits) const {
    return kernel.nonzeros(data + OffsetOf(terms, p) * kernel.element_bytes, free, free_grouped, bits);
  }

  // The same of all terms, words() each, by a walk along the memory.
  bool AllTerms(uint64_t* bits) const {
    bool finite = true;
    if (free_grouped || !IsGrouped(terms)) {
      for (int64_t p = 0; p < terms.extent; ++p) finite &= Term(p, bits + p * words());
      return finite;
    }
    for (int64_t begin = 0; begin < terms.extent; begin += 64) {
      const int64_t count = std::min<int64_t>(64, terms.extent - begin);
      const GemmAxis part = AxisPart(terms, begin, count);
      for (int64_t word = 0; word < words(); ++word) {
        uint64_t block[64] = {};
        for (int64_t i = word * 64; i < std::min(free.extent, word * 64 + 64); ++i) {
          const int64_t offset = OffsetOf(free, i) + AxisShift(terms, begin);
          finite &= kernel.nonzeros(data + offset * kernel.element_bytes, part, true, &block[i % 64]);
        }
        TransposeBits(block);
        for (int64_t p = 0; p < count; ++p) bits[(begin + p) * words() + word] = block[p];
      }
    }
    return finite;
  }
};

constexpr int8_t kNone = -1;

// The product of a group lies in a matrix of its own before it is spread over C: some columns of it at a time, which
// stay in the second-level cache.
constexpr int64_t kAsideBytes = 256 << 10;
constexpr int64_t kLeastAsideColumns = 48;

constexpr int64_t kAsidePadding = 8;

// Elements between columns: not a power of two, whose columns would share their sets in the cache.
int64_t AsideStride(int64_t rows) { return rows % 64 == 0 ? rows + kAsidePadding : rows; }
int64_t AsideColumns(int64_t rows, int64_t bytes) {
  return std::max(kLeastAsideColumns, kAsideBytes / (AsideStride(rows) * bytes));
}

}  // namespace

// The groups found so far, as sets of rows and of columns side by side, and the group of each term.
struct ZeroBlocks::Search {
  Search(const GemmArgs& args, char*& memory)
      : m(args.c_rows.extent),
        n(args.c_cols.extent),
        k(args.a_cols.extent),
        row_words(Words(m)),
        column_words(Words(n)) {
    const auto take = [&memory](int64_t words) {
      uint64_t* const piece = reinterpret_cast<uint64_t*>(memory);
      memory += words * int64_t{sizeof(uint64_t)};
      return piece;
    };
    sets = take((kMostGroups + 1) * words());
    all_rows = take(k * row_words);
    all_columns = take(k * column_words);
    group_of = reinterpret_cast<int8_t*>(take(Words(8 * k)));
    std::memset(group_of, kNone, static_cast<size_t>(k));
  }

  static int64_t Bytes(int64_t m, int64_t n, int64_t k) {
    return ((kMostGroups + 1 + k) * (Words(m) + Words(n)) + Words(8 * k)) * int64_t{sizeof(uint64_t)};
  }

  int64_t words() const { return row_words + column_words; }
  uint64_t* rows(int64_t group) const { return sets + group * words(); }
  uint64_t* columns(int64_t group) const { return rows(group) + row_words; }

  // Puts term p, whose rows and columns are in set `count`, into a group: an old one, several that it joins, or a new
  // one. False when there are too many groups, or when one has all rows or all columns: in the end it has all terms.
  bool Add(int64_t p) {
    if (IsEmpty(rows(count), row_words) || IsEmpty(columns(count), column_words)) return true;
    int64_t group = -1;
    for (int64_t g = 0; g < count; ++g) {
      if (!Intersect(rows(g), rows(count), row_words) && !Intersect(columns(g), columns(count), column_words)) continue;
      if (group < 0) {
        group = g;
        Join(rows(group), rows(count), words());
      } else {
        Join(rows(group), rows(g), words());
        Replace(g--, group);
      }
    }
    if (group < 0) {
      if (count == kMostGroups) return false;
      group = count++;
    }
    group_of[p] = static_cast<int8_t>(group);
    return !HasAll(rows(group), m) && !HasAll(columns(group), n);
  }

  // Group `from` has become a part of group `to` < from. The sets behind it move up, the next term's too.
  void Replace(int64_t from, int64_t to) {
    for (int64_t p = 0; p < k; ++p) {
      if (group_of[p] == from) {
        group_of[p] = static_cast<int8_t>(to);
      } else if (group_of[p] > from) {
        --group_of[p];
      }
    }
    std::memmove(rows(from), rows(from + 1), static_cast<size_t>((count - from) * words() * 8));
    --count;
  }

  int64_t m, n, k, row_words, column_words;
  uint64_t* sets;
  uint64_t *all_rows, *all_columns;  // of each term
  int8_t* group_of;
  int64_t count = 0;
};

bool ZeroBlocks::CanPay(const GemmArgs& args) {
  constexpr int64_t kLeast = 48, kLeastTerms = 8;
  return KernelOf(Isa::kV2, args.dtype) != nullptr && std::min(args.c_rows.extent, args.c_cols.extent) >= kLeast &&
         args.a_cols.extent >= kLeastTerms;
}

int64_t ZeroBlocks::WorkspaceBytes(const GemmArgs& args) {
  const int64_t m = args.c_rows.extent, n = args.c_cols.extent, k = args.a_cols.extent;
  return Search::Bytes(m, n, k) + (2 * m + 2 * n + 3 * k) * int64_t{sizeof(int64_t)};
}

bool ZeroBlocks::Find(Isa isa, const GemmArgs& args, void* workspace, RunBoth run_both) {
  constexpr double kWorthwhile = 0.7;  // of the products
  const GemmKernel& kernel = *KernelOf(isa, args.dtype);
  char* memory = static_cast<char*>(workspace);
  Search search(args, memory);
  const Factor a = {kernel, static_cast<const char*>(args.a), args.a_rows, args.a_cols};
  const Factor b = {kernel, static_cast<const char*>(args.b), args.b_cols, args.b_rows};
  // Most factors have no zeros, and triangular ones have rows or columns without: a few terms show it.
  for (const int64_t p : {int64_t{0}, search.k / 2, search.k - 1}) {
    if (!a.Term(p, search.rows(search.count)) || !b.Term(p, search.columns(search.count)) || !search.Add(p)) {
      return false;
    }
  }
  bool finite[2];
  run_both(
      [&](int factor) { finite[factor] = factor == 0 ? a.AllTerms(search.all_rows) : b.AllTerms(search.all_columns); });
  if (!finite[0] || !finite[1]) return false;
  for (int64_t p = 0; p < search.k; ++p) {
    std::copy_n(search.all_rows + p * search.row_words, search.row_words, search.rows(search.count));
    std::copy_n(search.all_columns + p * search.column_words, search.column_words, search.columns(search.count));
    if (!search.Add(p)) return false;
  }
  isa_ = isa;
  args_ = args;
  rows_grouped_ = IsGrouped(args.c_rows);
  List(search, reinterpret_cast<int64_t*>(memory));
  double products = 0;
  for (int64_t group = 0; group < count_; ++group) {
    const GemmArgs part = Group(group);
    products += static_cast<double>(part.c_rows.extent) * static_cast<double>(part.c_cols.extent) *
                static_cast<double>(part.a_cols.extent);
  }
  return products <=
         kWorthwhile * static_cast<double>(search.m) * static_cast<double>(search.n) * static_cast<double>(search.k);
}

void ZeroBlocks::List(const Search& search, int64_t* list) {
  const auto take = [&list](int64_t count) {
    int64_t* const piece = list;
    list += count;
    return piece;
  };
  term_ = take(search.k);
  a_cols_ = take(search.k);
  b_rows_ = take(search.k);
  a_rows_ = take(search.m);
  row_ = take(search.m);
  b_cols_ = take(search.n);
  c_cols_ = take(search.n);
  count_ = search.count;
  int64_t terms = 0, rows = 0, columns = 0;
  uint64_t* const found = search.columns(count_);  // that set is free now
  std::fill_n(found, search.column_words, 0);
  for (int64_t group = 0; group < count_; ++group) {
    terms_[group] = terms;
    rows_[group] = rows;
    columns_[group] = columns;
    for (int64_t p = 0; p < search.k; ++p) {
      if (search.group_of[p] != group) continue;
      term_[terms] = p;
      a_cols_[terms] = OffsetOf(args_.a_cols, p);
      b_rows_[terms++] = OffsetOf(args_.b_rows, p);
    }
    ForEach(search.rows(group), search.row_words, [&](int64_t i) {
      a_rows_[rows] = OffsetOf(args_.a_rows, i);
      row_[rows++] = i;
    });
    ForEach(search.columns(group), search.column_words, [&](int64_t j) {
      b_cols_[columns] = OffsetOf(args_.b_cols, j);
      c_cols_[columns++] = OffsetOf(args_.c_cols, j);
      found[j / 64] |= uint64_t{1} << (j % 64);
    });
  }
  terms_[count_] = terms;
  rows_[count_] = rows;
  columns_[count_] = columns;
  for (int64_t j = 0; j < search.n; ++j) {
    if ((found[j / 64] >> (j % 64) & 1) == 0) c_cols_[columns++] = OffsetOf(args_.c_cols, j);
  }
  other_columns_ = columns - columns_[count_];
  row_bits_ = search.sets;
  row_words_ = search.words();
}

GemmArgs ZeroBlocks::Group(int64_t group) const {
  const auto part = [group](const Bounds& bounds, const int64_t* offsets) {
    return GemmAxis{bounds[group + 1] - bounds[group], 0, offsets + bounds[group]};
  };
  GemmArgs args = args_;
  args.a_rows = part(rows_, a_rows_);
  args.c_rows = {args.a_rows.extent, 1, nullptr};
  args.a_cols = part(terms_, a_cols_);
  args.b_rows = part(terms_, b_rows_);
  args.b_cols = part(columns_, b_cols_);
  args.c_cols = part(columns_, c_cols_);
  return args;
}

int64_t ZeroBlocks::BlockCount(int64_t group) const { return GemmBlockCount(isa_, Group(group)); }

ZeroBlocks::Cut ZeroBlocks::CutRows(int64_t group, int64_t index) const {
  const int64_t* const begin = row_ + rows_[group];
  const int64_t* const end = row_ + rows_[group + 1];
  if (index == 0) return {0, 0};
  if (index == end - begin) return {index, args_.c_rows.extent};
  const int64_t row = begin[index] / 64 * 64;
  return {std::lower_bound(begin, end, row) - begin, row};
}

void ZeroBlocks::SpreadColumn(int64_t group, const Cut& begin, const Cut& end, char* column, const char* from) const {
  const GemmKernel& kernel = *KernelOf(isa_, args_.dtype);
  kernel.spread(column + AxisShift(args_.c_rows, begin.row) * kernel.element_bytes,
                AxisPart(args_.c_rows, begin.row, end.row - begin.row), rows_grouped_,
                row_bits_ + group * row_words_ + begin.row / 64, from);
}

int64_t ZeroBlocks::WorkerBytes(Isa isa, const GemmArgs& args) {
  const int64_t m = args.c_rows.extent, bytes = KernelOf(isa, args.dtype)->element_bytes;
  // Fewer rows have more columns, in as much memory or less.
  const int64_t column_bytes = (m + kAsidePadding) * bytes;
  const int64_t least = column_bytes * std::min(kLeastAsideColumns, args.c_cols.extent);
  const int64_t most = column_bytes * args.c_cols.extent;
  const int64_t aside = std::max(least, std::min(most, kAsideBytes)) + kMostVectorBytes;
  return (GemmWorkspaceBytes(isa, args) + 63) / 64 * 64 + aside;
}

void ZeroBlocks::RunBlock(int64_t group, int64_t block, void* workspace) const {
  int64_t range[4];
  GemmBlockRange(isa_, Group(group), block, range);
  RunPart(group, range, static_cast<char*>(args_.c), workspace);
}

void ZeroBlocks::RunPart(int64_t group, const int64_t (&range)[4], char* c, void* workspace) const {
  GemmArgs args = Group(group);
  const Cut begin = CutRows(group, range[0]), end = CutRows(group, range[1]);
  const int64_t rows = end.index - begin.index;
  if (rows == 0 && begin.row == end.row) return;
  const int64_t bytes = KernelOf(isa_, args.dtype)->element_bytes;
  const int64_t* const c_cols = args.c_cols.offsets;
  const int64_t* const b_cols = args.b_cols.offsets;
  const int64_t* const term = term_ + terms_[group];
  const int64_t terms = args.a_cols.extent;
  const int64_t *const a_cols = args.a_cols.offsets, *const b_rows = args.b_rows.offsets;
  char* const aside = static_cast<char*>(workspace) + (GemmWorkspaceBytes(isa_, args_) + 63) / 64 * 64;
  const int64_t step = AsideColumns(rows, bytes);
  args.a_rows = {rows, 0, args.a_rows.offsets + begin.index};
  args.c_rows = {rows, 1, nullptr};
  args.c = aside;
  for (int64_t column = range[2]; column < range[3]; column += step) {
    const int64_t columns = std::min(step, range[3] - column);
    args.b_cols = {columns, 0, b_cols + column};
    args.c_cols = {columns, AsideStride(rows), nullptr};
    args.accumulate = false;
    // Chains of sums begin where they do in the whole product.
    for (int64_t first = 0, last; first < terms; first = last) {
      const int64_t chain = term[first] / kDepthBlock;
      for (last = first + 1; last < terms && term[last] / kDepthBlock == chain;) ++last;
      args.a_cols = {last - first, 0, a_cols + first};
      args.b_rows = {last - first, 0, b_rows + first};
      GemmBlock(isa_, args, 0, rows, 0, columns, workspace);
      args.accumulate = true;
    }
    for (int64_t j = 0; j < columns; ++j) {
      SpreadColumn(group, begin, end, c + c_cols[column + j] * bytes, aside + j * AsideStride(rows) * bytes);
    }
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
