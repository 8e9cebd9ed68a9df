#ifndef TENFERRO_CPU_GEMM_ZERO_BLOCKS_H_
#define TENFERRO_CPU_GEMM_ZERO_BLOCKS_H_

#include <cstdint>

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

  // Looks for the groups; false when taking the product by groups would not be faster.
  bool Find(Isa isa, const GemmArgs& args, void* workspace);

  int64_t group_count() const { return count_; }
  // Independent pieces of work that give the elements of C in one group, and what they need of GemmWorkspaceBytes'
  // memory.
  int64_t BlockCount(int64_t group) const;
  void RunBlock(int64_t group, int64_t block, void* workspace) const;
  // Computes columns [begin, end), zeros too, to `to` on, where C is column-major and has nothing between its columns.
  void RunColumns(int64_t begin, int64_t end, void* to, void* workspace) const;
  // Sets C to 0, in parts: all columns have to be cleared before the first block runs.
  void ClearColumns(int64_t begin, int64_t end) const;

 private:
  static constexpr int kMostGroups = 8;
  // Where a group's rows, terms or columns begin in the lists.
  using Bounds = int64_t[kMostGroups + 1];

  struct Search;
  void List(const Search& search, int64_t* list);
  GemmArgs Group(int64_t group) const;
  // Rows and columns of a group.
  void RunRange(int64_t group, GemmArgs args, const int64_t (&range)[4], void* workspace) const;

  Isa isa_ = Isa();
  GemmArgs args_ = {};
  bool is_compact_;  // C's elements fill a piece of memory
  int64_t count_ = 0;
  Bounds rows_, terms_, columns_;
  // By group: terms in order, and offsets of rows, terms and columns in the matrices.
  int64_t* term_;
  int64_t *a_rows_, *c_rows_, *a_cols_, *b_rows_, *b_cols_, *c_cols_;
};

}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_ZERO_BLOCKS_H_
