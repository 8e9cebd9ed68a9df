#include "tenferro/cpu/gemm/product.h"

#include <cstdlib>
#include <utility>

namespace tenferro::gemm {
namespace {

bool LeftIsDirect(const Factor& left) { return IsUnit(left.lanes) && IsStrided(left.depth); }
bool RightIsDirect(const Factor& right) { return IsStrided(right.lanes) && IsStrided(right.depth); }

// Estimated quarter cycles of packing an element.
int64_t PackCost(const Factor& factor) { return IsUnit(factor.lanes) ? 1 : IsUnit(factor.depth) ? 2 : 6; }

// Estimated quarter cycles of the product when `left` gives the tiles' rows.
int64_t Cost(const GemmKernel& kernel, const Factor& left, const Factor& right, const GemmAxis& rows, int64_t depth) {
  const int64_t m = left.lanes.extent;
  const int64_t n = right.lanes.extent;
  int64_t cost = 4 * ((m + kernel.lanes - 1) / kernel.lanes) * n;
  if (!LeftIsDirect(left)) cost += PackCost(left) * m;
  if (!RightIsDirect(right)) cost += PackCost(right) * n;
  cost *= depth;
  if (!IsUnit(rows)) cost += 8 * m * n;
  return cost;
}

// C = A B or Cᵀ = Bᵀ Aᵀ: the sums are the same, term by term.
void Orient(Product& product) {
  if (LeftIsDirect(product.left) && RightIsDirect(product.right) && IsUnit(product.rows) &&
      product.m() >= std::min<int64_t>(product.kernel.lanes, product.n())) {
    return;
  }
  if (Cost(product.kernel, product.left, product.right, product.rows, product.depth) <=
      Cost(product.kernel, product.right, product.left, product.cols, product.depth)) {
    return;
  }
  std::swap(product.left, product.right);
  std::swap(product.rows, product.cols);
}

// How often an element of a factor must be read for its packing to cost little, and for it to pay where the factor's terms
// lie so far apart that they evict each other from the second-level cache and exhaust the TLB.
constexpr int64_t kManyColumns = 448;
constexpr int64_t kSomeColumns = 64;

bool IsWide(const Product& product, const Factor& factor) {
  constexpr int64_t kBytes = 1 << 20;
  return product.bytes(std::min(product.depth, kDepthBlock) * std::abs(factor.depth.stride)) > kBytes;
}

}  // namespace

void Multiply(Product& product, char* workspace) {
  Orient(product);
  if (product.n() == 1 && VectorProduct(product)) return;
  const Factor& left = product.left;
  const Factor& right = product.right;
  const bool pack_left = !LeftIsDirect(left) || product.n() >= kManyColumns ||
                         (product.n() > kSomeColumns && IsWide(product, left));
  const bool pack_right = !RightIsDirect(right) ||
                          (!IsUnit(right.depth) && IsWide(product, right) &&
                           product.m() >= (IsUnit(right.lanes) ? kManyColumns : kSomeColumns));
  if (pack_left || pack_right || product.depth > kDepthBlock || !IsUnit(product.rows) || !IsStrided(product.cols)) {
    return BlockedProduct(product, pack_left, pack_right, workspace);
  }
  TileShape shape;
  SetSigns(shape, product.negate, left.conjugate, right.conjugate);
  shape.depth = product.depth;
  shape.a_step = product.bytes(left.depth.stride);
  shape.b_step = product.bytes(right.depth.stride);
  shape.b_column_step = product.bytes(right.lanes.stride);
  shape.c_column_step = product.bytes(product.cols.stride);
  shape.keep = product.accumulate ? -1 : 0;
  TileProduct(product.kernel, shape, product.m(), product.n(), left.data, right.data, product.c);
}

}  // namespace tenferro::gemm
