#include "tenferro/cpu/gemm/gemm.h"

#include <cmath>

#include "tenferro/cpu/gemm/plain_gemm.h"
#include "tenferro/cpu/gemm/product.h"
#include "tenferro/tensor/dtype.h"

namespace tenferro {

const GemmKernel* KernelOf(Isa isa, uint8_t dtype) {
  const int index = dtype - static_cast<int>(DType::kF32);
  if (index < 0) return nullptr;
#if defined(__x86_64__)
  const GemmKernels& kernels = isa == Isa::kV4   ? isa_v4::kGemmKernels
                               : isa == Isa::kV3 ? isa_v3::kGemmKernels
                                                 : isa_v2::kGemmKernels;
#else
  static_cast<void>(isa);
  const GemmKernels& kernels = isa_neon::kGemmKernels;
#endif
  return &kernels.of[index];
}

namespace {

using gemm::Product;

// Makes `part` the `count` elements of an axis from `begin` on; `data` moves there. One element has every stride: 1 is
// what kernels like.
template <class Byte>
void TakePart(const GemmAxis& axis, int64_t begin, int64_t count, int64_t element_bytes, GemmAxis& part, Byte*& data) {
  part.extent = count;
  part.offsets = axis.offsets;
  part.stride = axis.stride;
  if (count == 1) {
    data += OffsetOf(axis, begin) * element_bytes;
    part.stride = 1;
    part.offsets = nullptr;
  } else if (axis.offsets != nullptr) {
    part.offsets += begin;
  } else {
    data += begin * axis.stride * element_bytes;
  }
}

void Clear(const Product& product) {
  for (int64_t j = 0; j < product.n(); ++j) {
    for (int64_t i = 0; i < product.m(); ++i) {
      const int64_t offset = product.bytes(OffsetOf(product.rows, i) + OffsetOf(product.cols, j));
      std::fill_n(product.c + offset, product.kernel.element_bytes, char{0});
    }
  }
}

struct Cut {
  int64_t row_blocks, row_step, col_blocks, col_step;
};

int64_t RoundUp(double value, int64_t unit) { return (static_cast<int64_t>(value) + unit - 1) / unit * unit; }

// Blocks large enough to be worth a thread's attention and to repay packing, small enough to occupy several.
Cut CutOf(const GemmArgs& args) {
  constexpr double kLeastProducts = 1 << 21;
  constexpr double kLeastStreamed = 1 << 23;  // of a product with a few vectors, which long contiguous reads make fast
  constexpr double kMostArea = 512 * 512;
  constexpr double kBlocks = 16;
  constexpr int64_t kRowUnit = 64;  // a whole number of tiles at every instruction set and dtype
  constexpr int64_t kColUnit = 12;
  const int64_t m = args.c_rows.extent;
  const int64_t n = args.c_cols.extent;
  if (m <= 0 || n <= 0) return {0, 1, 0, 1};
  const double area = static_cast<double>(m) * static_cast<double>(n);
  const double products = std::min(m, n) < 8 ? kLeastStreamed : kLeastProducts;
  const double least = products / static_cast<double>(std::max<int64_t>(args.a_cols.extent, 1));
  const double wanted = std::max(std::min(area / kBlocks, kMostArea), least);
  if (wanted >= area) return {1, m, 1, n};
  int64_t rows = std::min(RoundUp(std::sqrt(wanted), kRowUnit), m);
  const int64_t cols = std::min(RoundUp(wanted / static_cast<double>(rows), kColUnit), n);
  if (cols == n) rows = std::min(RoundUp(wanted / static_cast<double>(n), kRowUnit), m);
  return {(m + rows - 1) / rows, rows, (n + cols - 1) / cols, cols};
}

}  // namespace

int64_t GemmWorkspaceBytes(Isa isa, const GemmArgs& args) {
  const GemmKernel* kernel = KernelOf(isa, args.dtype);
  if (kernel == nullptr) return 0;
  return gemm::WorkspaceBytes(*kernel, args.c_rows.extent, args.c_cols.extent, args.a_cols.extent);
}

void GemmBlock(Isa isa, const GemmArgs& args, int64_t row_begin, int64_t row_end, int64_t col_begin, int64_t col_end,
               void* workspace) {
  const GemmKernel* kernel = KernelOf(isa, args.dtype);
  if (kernel == nullptr) return PlainGemm(args, row_begin, row_end, col_begin, col_end);
  const int64_t m = row_end - row_begin;
  const int64_t n = col_end - col_begin;
  const int64_t k = args.a_cols.extent;
  if (m <= 0 || n <= 0 || (k <= 0 && args.accumulate)) return;
  const int64_t bytes = kernel->element_bytes;
  Product product{*kernel};
  product.accumulate = args.accumulate;
  product.negate = args.negate;
  product.depth = k;
  product.c = static_cast<char*>(args.c);
  TakePart(args.c_rows, row_begin, m, bytes, product.rows, product.c);
  TakePart(args.c_cols, col_begin, n, bytes, product.cols, product.c);
  if (k <= 0) return Clear(product);
  product.left.conjugate = args.conjugate_a;
  product.left.data = static_cast<const char*>(args.a);
  TakePart(args.a_rows, row_begin, m, bytes, product.left.lanes, product.left.data);
  TakePart(args.a_cols, 0, k, bytes, product.left.depth, product.left.data);
  product.right.conjugate = args.conjugate_b;
  product.right.data = static_cast<const char*>(args.b);
  TakePart(args.b_cols, col_begin, n, bytes, product.right.lanes, product.right.data);
  TakePart(args.b_rows, 0, k, bytes, product.right.depth, product.right.data);
  gemm::Multiply(product, static_cast<char*>(workspace));
}

int64_t GemmBlockCount(Isa, const GemmArgs& args) {
  const Cut cut = CutOf(args);
  return cut.row_blocks * cut.col_blocks;
}

void GemmBlockRange(Isa, const GemmArgs& args, int64_t index, int64_t range[4]) {
  const Cut cut = CutOf(args);
  range[0] = index % cut.row_blocks * cut.row_step;
  range[1] = std::min(range[0] + cut.row_step, args.c_rows.extent);
  range[2] = index / cut.row_blocks * cut.col_step;
  range[3] = std::min(range[2] + cut.col_step, args.c_cols.extent);
}

}  // namespace tenferro
