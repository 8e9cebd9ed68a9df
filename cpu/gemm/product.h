#ifndef TENFERRO_CPU_GEMM_PRODUCT_H_
#define TENFERRO_CPU_GEMM_PRODUCT_H_

#include <algorithm>

#include "tenferro/cpu/gemm/axis.h"
#include "tenferro/cpu/gemm/kernels.h"

namespace tenferro::gemm {

// A factor seen from its free axis (`lanes`) and its contracted one (`depth`).
struct Factor {
  const char* data;
  GemmAxis lanes;
  GemmAxis depth;
  bool conjugate;
};

// C[i,j] = (accumulate ? C[i,j] : 0) ± Σ_p left(i,p) right(j,p), all extents at least 1.
struct Product {
  explicit Product(const GemmKernel& the_kernel) : kernel(the_kernel) {}

  const GemmKernel& kernel;
  bool accumulate;
  bool negate;
  bool is_dot = false;  // C is a single element with at least kLongDot terms, not a part of a larger one
  bool few_sums = false;  // FewSums takes it, or the product that it is a part of: there is memory for it
  int64_t depth;
  Factor left, right;
  GemmAxis rows, cols;
  char* c;

  int64_t m() const { return rows.extent; }
  int64_t n() const { return cols.extent; }
  int64_t bytes(int64_t elements) const { return elements * kernel.element_bytes; }
};

// `total` cut into the fewest parts of at most `most`, as even as possible, the longer ones first.
struct Split {
  int64_t parts, base, longer;
  Split(int64_t total, int64_t most) : parts(1), base(total), longer(0) {
    if (total <= most) return;
    parts = (total + most - 1) / most;
    base = total / parts;
    longer = total - base * parts;
  }
  int64_t Width(int64_t part) const { return base + (part < longer); }
  int64_t Begin(int64_t part) const { return part * base + std::min(part, longer); }
};

// The factors ±1 of the parts of a product.
inline void SetSigns(TileShape& shape, bool negate, bool conjugate_left, bool conjugate_right) {
  const double sign = negate ? -1 : 1;
  const double left = conjugate_left ? -1 : 1;
  const double right = conjugate_right ? -1 : 1;
  shape.direct[0] = sign;
  shape.direct[1] = sign * left;
  shape.cross[0] = -sign * left * right;
  shape.cross[1] = sign * right;
}

// Computes products [begin, end), the data of each by an axis from the product's, perhaps as their transposes;
// `workspace` holds WorkspaceBytes of the extents.
void Multiply(Product& product, GemmBatches batches, int64_t begin, int64_t end, char* workspace);
int64_t WorkspaceBytes(const GemmKernel& kernel, int64_t m, int64_t n, int64_t k);

// A product with a vector, where n() is 1 and a way that reads the matrix once without packing is known; false
// otherwise.
bool VectorProduct(const Product& product);

// Products [begin, end) of vectors with vectors: dots, and several short ones at a time; false where that is not what
// they are.
bool Dots(Product& product, const GemmBatches& batches, int64_t begin, int64_t end);

// The first terms of a product of few sums of many terms, contiguous ones: of their blocks a vector takes one each.
// Returns how many terms these are. A product of other extents needs no memory.
int64_t FewSums(const Product& product, char* workspace);
int64_t FewSumsWorkspaceBytes(const GemmKernel& kernel, int64_t m, int64_t n, int64_t k);

// Products of small matrices that lie side by side, as many at a time as a vector has elements.
bool AreLanes(const Product& product, const GemmBatches& batches);
void LaneProduct(Product& product, GemmBatches batches, int64_t begin, int64_t end, char* workspace);
int64_t LaneWorkspaceBytes(const GemmKernel& kernel, int64_t m, int64_t n, int64_t k);

// A product of any layout and size, through packed copies of the factors named; those that are not direct must be.
void BlockedProduct(const Product& product, bool pack_left, bool pack_right, char* workspace);

// Packs `rows` rows of the left factor for tiles of `width`; rows that are not there become 0: numbers that lay there
// before could be slow to compute with.
void PackRows(const GemmKernel& kernel, char* to, int64_t width, const char* from, const GemmAxis& lanes, int64_t row,
              int64_t rows, const GemmAxis& depth, int64_t p, int64_t terms);

// C = keep(C) ± A B where A and C are contiguous in rows, by tiles, without packing.
void TileProduct(const GemmKernel& kernel, const TileShape& shape, int64_t m, int64_t n, const char* a, const char* b,
                 char* c);

// One tile put into a C of any layout, element by element.
void TileAside(const GemmKernel& kernel, const TileShape& shape, int64_t rows, int64_t cols, const char* a,
               const char* b, char* c, const GemmAxis& c_rows, const GemmAxis& c_cols);

}  // namespace tenferro::gemm

#endif  // TENFERRO_CPU_GEMM_PRODUCT_H_
