#ifndef TENFERRO_CPU_GEMM_ZERO_BLOCKS_H_
#define TENFERRO_CPU_GEMM_ZERO_BLOCKS_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "tenferro/cpu/gemm/gemm.h"

namespace tenferro {

// A matrix product whose factors have exact zeros in blocks, up to the order of rows, terms and columns: these fall
// into groups, and an element of C whose row and column belong to different groups, or to none, is a sum of zeros. A
// tensor with a symmetry is of this kind, whatever the order of its indices. Nothing has to be declared: the groups are
// the connected parts of the graph in which row i, term p and column j are joined by A[i,p] ≠ 0 and B[p,j] ≠ 0.
//
// The result is that of GemmBlock bit for bit. Factors with a NaN or an infinity have no groups, since these times 0
// are not 0.
// Cost: factors without zeros are seen to have none after a row and a column; the others are read once.
class ZeroBlocks {
 public:
  // Whether groups of such a product can save more than finding them costs.
  static bool CanPay(const GemmArgs& args);
  // Scratch memory of Find, which the groups live in.
  static int64_t WorkspaceBytes(const GemmArgs& args);

  // Runs task(0) and task(1), side by side or one after the other.
  using RunBoth = absl::FunctionRef<void(absl::FunctionRef<void(int)> task)>;
  // Looks for the groups; false when taking the product by groups would not be faster. `run_both` reads the factors.
  bool Find(Isa isa, const GemmArgs& args, void* workspace, RunBoth run_both);

  int64_t group_count() const { return count_; }
  // Independent pieces of work that together give the columns of C in one group, with WorkerBytes of memory.
  int64_t BlockCount(int64_t group) const;
  void RunBlock(int64_t group, int64_t block, void* workspace) const;
  static int64_t WorkerBytes(Isa isa, const GemmArgs& args);
  // The columns of C in no group become 0.
  void ClearOtherColumns() const;
  // Columns [begin, end), of groups or none, to `to` on, where C is column-major with nothing between its columns.
  void RunColumns(int64_t begin, int64_t end, void* to, void* workspace) const;

 private:
  static constexpr int kMostGroups = 8;
  // Where a group's rows, terms or columns begin in the lists.
  using Bounds = int64_t[kMostGroups + 1];

  struct Search;
  void List(const Search& search, int64_t* list);
  GemmArgs Group(int64_t group) const;
  // A group's rows up to its row `index`, moved back to where a word of row bits begins.
  struct Cut {
    int64_t index, row;  // in the group, in C
  };
  Cut CutRows(int64_t group, int64_t index) const;
  struct Part;
  // Make a factor's part a matrix at `to`; false when it does not fit there or does not lie in vectors.
  bool SqueezeLeft(const Part& part, char* to, GemmArgs& args) const;
  bool SqueezeRight(const Part& part, char* to, GemmArgs& args) const;
  // Rows and columns of a group, of the C at `c`.
  void RunPart(int64_t group, const int64_t (&range)[4], char* c, void* workspace) const;
  void ClearColumn(char* column) const;

  Isa isa_ = Isa();
  GemmArgs args_ = {};
  int64_t count_ = 0;
  Bounds rows_, terms_, columns_;
  bool a_rows_grouped_, b_rows_grouped_, b_cols_grouped_;
  bool rows_grouped_;         // those of C
  const uint64_t* row_bits_;  // of each group, row_words_ apart
  int64_t row_words_;
  uint64_t* term_bits_;  // of each group, term_words_ apart
  int64_t term_words_;
  // By group: rows and terms in order, and offsets of rows, terms and columns in the matrices.
  int64_t *row_, *term_;
  int64_t *a_rows_, *a_cols_, *b_rows_, *b_cols_, *c_cols_;
  int64_t other_columns_;  // the last of c_cols_, in no group
};

}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_ZERO_BLOCKS_H_
