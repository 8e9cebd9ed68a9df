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

bool Contains(const uint64_t* set, const uint64_t* part, int64_t words) {
  uint64_t outside = 0;
  for (int64_t w = 0; w < words; ++w) outside |= part[w] & ~set[w];
  return outside == 0;
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

  // The free indices of terms [begin, begin + count) whose elements are not zero, words() each; false when one is not
  // finite.
  bool Terms(int64_t begin, int64_t count, uint64_t* bits) const {
    return kernel.nonzeros(At(AxisShift(terms, begin)), free, free_grouped, AxisPart(terms, begin, count), bits,
                           words());
  }

  // The same of all terms, by a walk along the memory.
  bool AllTerms(uint64_t* bits) const {
    if (free_grouped || !IsGrouped(terms)) return Terms(0, terms.extent, bits);
    bool finite = true;
    for (int64_t begin = 0; begin < terms.extent; begin += 64) {
      const int64_t count = std::min<int64_t>(64, terms.extent - begin);
      for (int64_t word = 0; word < words(); ++word) {
        uint64_t block[64] = {};
        const GemmAxis rows = AxisPart(free, word * 64, std::min<int64_t>(64, free.extent - word * 64));
        finite &= kernel.nonzeros(At(AxisShift(free, word * 64) + AxisShift(terms, begin)),
                                  AxisPart(terms, begin, count), true, rows, block, 1);
        TransposeBits(block);
        for (int64_t p = 0; p < count; ++p) bits[(begin + p) * words() + word] = block[p];
      }
    }
    return finite;
  }

  const char* At(int64_t offset) const { return data + offset * kernel.element_bytes; }
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

  // Puts term p into a group: an old one, several that it joins, or a new one. False when there are too many groups, or
  // when one has all rows or all columns: in the end it has all terms.
  bool Add(int64_t p) {
    const uint64_t* const its_rows = all_rows + p * row_words;
    const uint64_t* const its_columns = all_columns + p * column_words;
    if (IsEmpty(its_rows, row_words) || IsEmpty(its_columns, column_words)) return true;
    for (int64_t g = 0; g < count; ++g) {
      if (Contains(rows(g), its_rows, row_words) && Contains(columns(g), its_columns, column_words)) {
        group_of[p] = static_cast<int8_t>(g);
        return true;
      }
    }
    int64_t group = -1;
    for (int64_t g = 0; g < count; ++g) {
      if (!Intersect(rows(g), its_rows, row_words) && !Intersect(columns(g), its_columns, column_words)) continue;
      if (group < 0) {
        group = g;
        Join(rows(group), its_rows, row_words);
        Join(columns(group), its_columns, column_words);
      } else {
        Join(rows(group), rows(g), words());
        Replace(g--, group);
      }
    }
    if (group < 0) {
      if (count == kMostGroups) return false;
      group = count++;
      std::copy_n(its_rows, row_words, rows(group));
      std::copy_n(its_columns, column_words, columns(group));
    }
    group_of[p] = static_cast<int8_t>(group);
    return !HasAll(rows(group), m) && !HasAll(columns(group), n);
  }

  // Group `from` has become a part of group `to` < from. The sets behind it move up.
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
  return Search::Bytes(m, n, k) + (2 * m + 2 * n + 3 * k + kMostGroups * Words(k)) * int64_t{sizeof(int64_t)};
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
    uint64_t* const rows = search.all_rows + p * search.row_words;
    uint64_t* const columns = search.all_columns + p * search.column_words;
    if (!a.Terms(p, 1, rows) || !b.Terms(p, 1, columns) || !search.Add(p)) return false;
  }
  bool finite[2];
  run_both(
      [&](int factor) { finite[factor] = factor == 0 ? a.AllTerms(search.all_rows) : b.AllTerms(search.all_columns); });
  if (!finite[0] || !finite[1]) return false;
  for (int64_t p = 0; p < search.k; ++p) {
    if (!search.Add(p)) return false;
  }
  isa_ = isa;
  args_ = args;
  a_rows_grouped_ = IsGrouped(args.a_rows);
  b_rows_grouped_ = IsGrouped(args.b_rows);
  b_cols_grouped_ = IsGrouped(args.b_cols);
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
  term_words_ = Words(search.k);
  term_bits_ = reinterpret_cast<uint64_t*>(take(count_ * term_words_));
  std::fill_n(term_bits_, count_ * term_words_, 0);
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
      term_bits_[group * term_words_ + p / 64] |= uint64_t{1} << (p % 64);
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

}  // namespace tenferro
