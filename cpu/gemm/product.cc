#include "tenferro/cpu/gemm/product.h"

#include <cstdlib>
#include <utility>

namespace tenferro::gemm {
namespace {

bool LeftIsDirect(const Factor& left) { return IsUnit(left.lanes) && IsStrided(left.depth); }
bool RightIsDirect(const Factor& right) { return IsStrided(right.lanes) && IsStrided(right.depth); }

// Estimated quarter cycles of packing an element, and of putting one into a C whose rows are not contiguous.
int64_t PackCost(const Factor& factor) { return IsUnit(factor.lanes) ? 1 : IsUnit(factor.depth) ? 2 : 6; }
int64_t ScatterCost(const Product& product, const GemmAxis& rows, const GemmAxis& cols) {
  return IsUnit(rows) ? 0 : !product.accumulate && IsUnit(cols) && IsStrided(rows) ? 6 : 14;
}

// Estimated quarter cycles of the product when `left` gives the tiles' rows.
int64_t Cost(const Product& product, const Factor& left, const Factor& right, const GemmAxis& rows,
             const GemmAxis& cols) {
  const int64_t lanes = product.kernel.lanes;
  const int64_t m = rows.extent;
  const int64_t n = cols.extent;
  int64_t cost = 4 * ((m + lanes - 1) / lanes) * n;
  if (!LeftIsDirect(left)) cost += PackCost(left) * m;
  if (!RightIsDirect(right)) cost += PackCost(right) * n;
  return cost * product.depth + ScatterCost(product, rows, cols) * m * n;
}

// C = A B or Cᵀ = Bᵀ Aᵀ: the sums are the same, term by term. True where it is the latter.
bool Orient(Product& product) {
  if (LeftIsDirect(product.left) && RightIsDirect(product.right) && IsUnit(product.rows) &&
      product.m() >= std::min<int64_t>(product.kernel.lanes, product.n())) {
    return false;
  }
  if (Cost(product, product.left, product.right, product.rows, product.cols) <=
      Cost(product, product.right, product.left, product.cols, product.rows)) {
    return false;
  }
  std::swap(product.left, product.right);
  std::swap(product.rows, product.cols);
  return true;
}

// How often an element must be read for its packing to pay where the factor's terms lie far apart: they evict each
// other from the second-level cache and exhaust the TLB.
constexpr int64_t kSomeReads = 64;
constexpr int64_t kManyReads = 512;

// Columns of B from which on packing A costs little; the fewer rows a tile has, the more its cache lines are torn
// otherwise.
int64_t ManyColumns(const GemmKernel& kernel) {
  return kernel.tile_vectors * kernel.lanes * kernel.element_bytes * 7 / 4;
}

bool IsWide(const Product& product, const Factor& factor) {
  constexpr int64_t kBytes = 1 << 20;
  return product.bytes(std::min(product.depth, kDepthBlock) * std::abs(factor.depth.stride)) > kBytes;
}

}  // namespace

void Multiply(Product& product, GemmBatches batches, int64_t begin, int64_t end, char* workspace) {
  if (Orient(product)) std::swap(batches.a, batches.b);
  const Factor& left = product.left;
  const Factor& right = product.right;
  const char* const a = left.data;
  const char* const b = right.data;
  char* const c = product.c;
  const auto select = [&](int64_t batch) {
    product.left.data = a + product.bytes(OffsetOf(batches.a, batch));
    product.right.data = b + product.bytes(OffsetOf(batches.b, batch));
    product.c = c + product.bytes(OffsetOf(batches.c, batch));
  };
  if (Dots(product, batches, begin, end)) return;
  if (product.n() == 1) {
    select(begin);
    if (VectorProduct(product)) {
      for (int64_t batch = begin + 1; batch < end; ++batch) {
        select(batch);
        VectorProduct(product);
      }
      return;
    }
  }
  if (product.few_sums && IsUnit(left.depth) && IsUnit(right.depth)) {
    for (int64_t batch = begin; batch < end; ++batch) {
      select(batch);
      Product rest = product;
      const int64_t done = FewSums(product, workspace);
      rest.left.data += product.bytes(done);
      rest.right.data += product.bytes(done);
      rest.depth -= done;
      rest.accumulate = true;
      if (rest.depth > 0) BlockedProduct(rest, !LeftIsDirect(left), !RightIsDirect(right), workspace);
    }
    return;
  }
  const bool pack_left =
      !LeftIsDirect(left) ||
      (product.n() >= ManyColumns(product.kernel) && product.bytes(product.m()) * product.depth > 32768) ||
      (product.n() > kSomeReads && IsWide(product, left));
  const bool pack_right = !RightIsDirect(right) || (!IsUnit(right.depth) && IsWide(product, right) &&
                                                    product.m() >= (IsUnit(right.lanes) ? kManyReads : kSomeReads));
  if (pack_left || pack_right || product.depth > kDepthBlock || !IsUnit(product.rows) || !IsStrided(product.cols)) {
    for (int64_t batch = begin; batch < end; ++batch) {
      select(batch);
      BlockedProduct(product, pack_left, pack_right, workspace);
    }
    return;
  }
  TileShape shape;
  SetSigns(shape, product.negate, left.conjugate, right.conjugate);
  shape.depth = product.depth;
  shape.a_step = product.bytes(left.depth.stride);
  shape.b_step = product.bytes(right.depth.stride);
  shape.b_column_step = product.bytes(right.lanes.stride);
  shape.c_column_step = product.bytes(product.cols.stride);
  shape.keep = product.accumulate;
  for (int64_t batch = begin; batch < end; ++batch) {
    select(batch);
    TileProduct(product.kernel, shape, product.m(), product.n(), left.data, right.data, product.c);
  }
}

}  // namespace tenferro::gemm
