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
  if (count == 1) {
    part = {1, 1, nullptr};
    data += OffsetOf(axis, begin) * element_bytes;
  } else {
    part = AxisPart(axis, begin, count);
    data += AxisShift(axis, begin) * element_bytes;
  }
}

// Rows [row_begin, row_end) of columns [col_begin, col_end), at least one of each.
Product PartOf(const GemmKernel& kernel, const GemmArgs& args, int64_t row_begin, int64_t row_end, int64_t col_begin,
               int64_t col_end) {
  const int64_t m = row_end - row_begin;
  const int64_t n = col_end - col_begin;
  const int64_t k = std::max<int64_t>(args.a_cols.extent, 0);
  const int64_t bytes = kernel.element_bytes;
  Product product{kernel};
  product.accumulate = args.accumulate;
  product.negate = args.negate;
  product.is_dot = args.c_rows.extent == 1 && args.c_cols.extent == 1 && k >= kLongDot;
  product.few_sums = gemm::FewSumsWorkspaceBytes(kernel, args.c_rows.extent, args.c_cols.extent, k) > 0;
  product.depth = k;
  product.c = static_cast<char*>(args.c);
  TakePart(args.c_rows, row_begin, m, bytes, product.rows, product.c);
  TakePart(args.c_cols, col_begin, n, bytes, product.cols, product.c);
  product.left.conjugate = args.conjugate_a;
  product.left.data = static_cast<const char*>(args.a);
  product.right.conjugate = args.conjugate_b;
  product.right.data = static_cast<const char*>(args.b);
  if (k == 0) return product;
  TakePart(args.a_rows, row_begin, m, bytes, product.left.lanes, product.left.data);
  TakePart(args.a_cols, 0, k, bytes, product.left.depth, product.left.data);
  TakePart(args.b_cols, col_begin, n, bytes, product.right.lanes, product.right.data);
  TakePart(args.b_rows, 0, k, bytes, product.right.depth, product.right.data);
  return product;
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
  constexpr double kLeastUnpacked = 1 << 19;  // of a product that repays no packing
  constexpr int64_t kFew = 32;
  constexpr double kLeastStreamed = 1 << 23;  // of a product with a few vectors, which long contiguous reads make fast
  constexpr double kMostArea = 512 * 512;
  constexpr double kBlocks = 16;
  constexpr int64_t kRowUnit = 64;  // a whole number of tiles at every instruction set and dtype
  constexpr int64_t kColUnit = 12;
  const int64_t m = args.c_rows.extent;
  const int64_t n = args.c_cols.extent;
  if (m <= 0 || n <= 0) return {0, 1, 0, 1};
  const double area = static_cast<double>(m) * static_cast<double>(n);
  const int64_t terms = std::max<int64_t>(args.a_cols.extent, 1);
  const double products = std::min(m, n) < 8                ? kLeastStreamed
                          : std::min({m, n, terms}) <= kFew ? kLeastUnpacked
                                                            : kLeastProducts;
  const double least = products / static_cast<double>(terms);
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
  if (row_end <= row_begin || col_end <= col_begin) return;
  Product product = PartOf(*kernel, args, row_begin, row_end, col_begin, col_end);
  if (product.depth > 0) {
    constexpr GemmAxis kOne = {1, 0, nullptr};
    gemm::Multiply(product, {kOne, kOne, kOne}, 0, 1, static_cast<char*>(workspace));
  } else if (!args.accumulate) {
    Clear(product);
  }
}

void GemmBatch(Isa isa, const GemmArgs& args, const GemmBatches& batches, int64_t begin, int64_t end, void* workspace) {
  const GemmKernel* kernel = KernelOf(isa, args.dtype);
  const int64_t m = args.c_rows.extent;
  const int64_t n = args.c_cols.extent;
  if (m <= 0 || n <= 0 || begin >= end) return;
  if (kernel != nullptr && args.a_cols.extent > 0) {
    Product product = PartOf(*kernel, args, 0, m, 0, n);
    if (gemm::AreLanes(product, batches)) {
      gemm::LaneProduct(product, batches, begin, end, static_cast<char*>(workspace));
    } else {
      gemm::Multiply(product, batches, begin, end, static_cast<char*>(workspace));
    }
    return;
  }
  const int64_t bytes = SizeOf(static_cast<DType>(args.dtype));
  for (int64_t batch = begin; batch < end; ++batch) {
    GemmArgs one = args;
    one.a = static_cast<const char*>(args.a) + OffsetOf(batches.a, batch) * bytes;
    one.b = static_cast<const char*>(args.b) + OffsetOf(batches.b, batch) * bytes;
    one.c = static_cast<char*>(args.c) + OffsetOf(batches.c, batch) * bytes;
    GemmBlock(isa, one, 0, m, 0, n, workspace);
  }
}

int64_t GemmBatchWorkspaceBytes(Isa isa, const GemmArgs& args, const GemmBatches& batches) {
  const GemmKernel* kernel = KernelOf(isa, args.dtype);
  const int64_t bytes = GemmWorkspaceBytes(isa, args);
  if (GemmBatchUnit(isa, args, batches) == 1) return bytes;
  return std::max(bytes, gemm::LaneWorkspaceBytes(*kernel, args.c_rows.extent, args.c_cols.extent, args.a_cols.extent));
}

int64_t GemmBatchUnit(Isa isa, const GemmArgs& args, const GemmBatches& batches) {
  const GemmKernel* kernel = KernelOf(isa, args.dtype);
  const int64_t m = args.c_rows.extent;
  const int64_t n = args.c_cols.extent;
  if (kernel == nullptr || m <= 0 || n <= 0 || args.a_cols.extent <= 0) return 1;
  return gemm::AreLanes(PartOf(*kernel, args, 0, m, 0, n), batches) ? kernel->lanes : 1;
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
