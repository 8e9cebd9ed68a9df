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

int64_t Count(const uint64_t* bits, int64_t words) {
  int64_t count = 0;
  for (int64_t w = 0; w < words; ++w) count += __builtin_popcountll(bits[w]);
  return count;
}

bool Has(const uint64_t* bits, int64_t i) { return bits[i / 64] >> (i % 64) & 1; }

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

// The distance from the first element to the last, when no element lies before the first; else −1.
int64_t Reach(const GemmAxis& axis) {
  if (axis.offsets == nullptr) return axis.stride < 0 ? -1 : (axis.extent - 1) * axis.stride;
  const auto [least, most] = std::minmax_element(axis.offsets, axis.offsets + axis.extent);
  return *least < 0 ? -1 : *most;
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
    if (Count(rows(count), row_words) == 0 || Count(columns(count), column_words) == 0) return true;
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
    return Count(rows(group), row_words) < m && Count(columns(group), column_words) < n;
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
  constexpr int64_t kLeast = 48;
  return KernelOf(Isa::kV2, args.dtype) != nullptr &&
         std::min({args.c_rows.extent, args.c_cols.extent, args.a_cols.extent}) >= kLeast;
}

int64_t ZeroBlocks::WorkspaceBytes(const GemmArgs& args) {
  const int64_t m = args.c_rows.extent, n = args.c_cols.extent, k = args.a_cols.extent;
  return Search::Bytes(m, n, k) + (2 * m + 2 * n + 3 * k) * int64_t{sizeof(int64_t)};
}

bool ZeroBlocks::Find(Isa isa, const GemmArgs& args, void* workspace) {
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
  if (!a.AllTerms(search.all_rows) || !b.AllTerms(search.all_columns)) return false;
  for (int64_t p = 0; p < search.k; ++p) {
    std::copy_n(search.all_rows + p * search.row_words, search.row_words, search.rows(search.count));
    std::copy_n(search.all_columns + p * search.column_words, search.column_words, search.columns(search.count));
    if (!search.Add(p)) return false;
  }
  isa_ = isa;
  args_ = args;
  const int64_t row_reach = Reach(args.c_rows), column_reach = Reach(args.c_cols);
  is_compact_ = row_reach >= 0 && column_reach >= 0 && row_reach + column_reach + 1 == search.m * search.n;
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
  c_rows_ = take(search.m);
  b_cols_ = take(search.n);
  c_cols_ = take(search.n);
  count_ = search.count;
  int64_t terms = 0, rows = 0, columns = 0;
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
    for (int64_t i = 0; i < search.m; ++i) {
      if (!Has(search.rows(group), i)) continue;
      a_rows_[rows] = OffsetOf(args_.a_rows, i);
      c_rows_[rows++] = OffsetOf(args_.c_rows, i);
    }
    for (int64_t j = 0; j < search.n; ++j) {
      if (!Has(search.columns(group), j)) continue;
      b_cols_[columns] = OffsetOf(args_.b_cols, j);
      c_cols_[columns++] = OffsetOf(args_.c_cols, j);
    }
  }
  terms_[count_] = terms;
  rows_[count_] = rows;
  columns_[count_] = columns;
}

GemmArgs ZeroBlocks::Group(int64_t group) const {
  const auto part = [group](const Bounds& bounds, const int64_t* offsets) {
    return GemmAxis{bounds[group + 1] - bounds[group], 0, offsets + bounds[group]};
  };
  GemmArgs args = args_;
  args.a_rows = part(rows_, a_rows_);
  args.c_rows = part(rows_, c_rows_);
  args.a_cols = part(terms_, a_cols_);
  args.b_rows = part(terms_, b_rows_);
  args.b_cols = part(columns_, b_cols_);
  args.c_cols = part(columns_, c_cols_);
  return args;
}

int64_t ZeroBlocks::BlockCount(int64_t group) const { return GemmBlockCount(isa_, Group(group)); }

void ZeroBlocks::RunBlock(int64_t group, int64_t block, void* workspace) const {
  const GemmArgs args = Group(group);
  int64_t range[4];
  GemmBlockRange(isa_, args, block, range);
  RunRange(group, args, range, workspace);
}

void ZeroBlocks::RunColumns(int64_t begin, int64_t end, void* to, void* workspace) const {
  const int64_t column = args_.c_rows.extent;
  const int64_t bytes = SizeOf(static_cast<DType>(args_.dtype));
  std::memset(to, 0, static_cast<size_t>((end - begin) * column * bytes));
  for (int64_t group = 0; group < count_; ++group) {
    GemmArgs args = Group(group);
    args.c = static_cast<char*>(to) - begin * column * bytes;  // where column 0 would be
    // A group's columns are in order.
    const auto place = [&](int64_t j) {
      return std::lower_bound(args.c_cols.offsets, args.c_cols.offsets + args.c_cols.extent, j * column) -
             args.c_cols.offsets;
    };
    RunRange(group, args, {0, args.c_rows.extent, place(begin), place(end)}, workspace);
  }
}

void ZeroBlocks::RunRange(int64_t group, GemmArgs args, const int64_t (&range)[4], void* workspace) const {
  // Chains of sums begin where they do in the whole product.
  const int64_t* const term = term_ + terms_[group];
  const int64_t terms = args.a_cols.extent;
  const int64_t *const a_cols = args.a_cols.offsets, *const b_rows = args.b_rows.offsets;
  for (int64_t begin = 0, end; begin < terms; begin = end) {
    const int64_t chain = term[begin] / kDepthBlock;
    for (end = begin + 1; end < terms && term[end] / kDepthBlock == chain;) ++end;
    args.a_cols = {end - begin, 0, a_cols + begin};
    args.b_rows = {end - begin, 0, b_rows + begin};
    GemmBlock(isa_, args, range[0], range[1], range[2], range[3], workspace);
    args.accumulate = true;
  }
}

void ZeroBlocks::ClearColumns(int64_t begin, int64_t end) const {
  const int64_t bytes = SizeOf(static_cast<DType>(args_.dtype));
  const int64_t m = args_.c_rows.extent;
  char* const c = static_cast<char*>(args_.c);
  if (is_compact_) {  // as much of the memory: all columns together are all of it
    std::memset(c + begin * m * bytes, 0, static_cast<size_t>((end - begin) * m * bytes));
    return;
  }
  for (int64_t j = begin; j < end; ++j) {
    for (int64_t i = 0; i < m; ++i) {
      std::fill_n(c + (OffsetOf(args_.c_rows, i) + OffsetOf(args_.c_cols, j)) * bytes, bytes, char{0});
    }
  }
}

}  // namespace tenferro
