#include "tenferro/cpu/gemm/gemm.h"

#include <cmath>

#include "tenferro/cpu/gemm/plain_gemm.h"
#include "tenferro/cpu/gemm/product.h"
#include "tenferro/tensor/dtype.h"

namespace tenferro {
namespace {

using gemm::Product;

// The kernel of a float or complex dtype; null for others.
const GemmKernel* Kernel(Isa isa, uint8_t dtype) {
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

// `count` elements of an axis from `begin` on; `data` moves there. One element has every stride: 1 is what kernels like.
template <class Byte>
GemmAxis Part(const GemmAxis& axis, int64_t begin, int64_t count, int64_t element_bytes, Byte*& data) {
  if (count == 1) {
    data += OffsetOf(axis, begin) * element_bytes;
    return {1, 1, nullptr};
  }
  if (!IsStrided(axis)) return {count, 0, axis.offsets + begin};
  data += begin * axis.stride * element_bytes;
  return {count, axis.stride, nullptr};
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
  constexpr double kMostArea = 512 * 512;
  constexpr double kBlocks = 16;
  constexpr int64_t kRowUnit = 64;  // a whole number of tiles at every instruction set and dtype
  constexpr int64_t kColUnit = 12;
  const int64_t m = args.c_rows.extent;
  const int64_t n = args.c_cols.extent;
  if (m <= 0 || n <= 0) return {0, 1, 0, 1};
  const double area = static_cast<double>(m) * static_cast<double>(n);
  const double least = kLeastProducts / static_cast<double>(std::max<int64_t>(args.a_cols.extent, 1));
  const double wanted = std::max(std::min(area / kBlocks, kMostArea), least);
  if (wanted >= area) return {1, m, 1, n};
  int64_t rows = std::min(RoundUp(std::sqrt(wanted), kRowUnit), m);
  const int64_t cols = std::min(RoundUp(wanted / static_cast<double>(rows), kColUnit), n);
  if (cols == n) rows = std::min(RoundUp(wanted / static_cast<double>(n), kRowUnit), m);
  return {(m + rows - 1) / rows, rows, (n + cols - 1) / cols, cols};
}

}  // namespace

int64_t GemmWorkspaceBytes(Isa isa, const GemmArgs& args) {
  const GemmKernel* kernel = Kernel(isa, args.dtype);
  if (kernel == nullptr) return 0;
  return gemm::WorkspaceBytes(*kernel, args.c_rows.extent, args.c_cols.extent, args.a_cols.extent);
}

void GemmBlock(Isa isa, const GemmArgs& args, int64_t row_begin, int64_t row_end, int64_t col_begin, int64_t col_end,
               void* workspace) {
  const GemmKernel* kernel = Kernel(isa, args.dtype);
  if (kernel == nullptr) return PlainGemm(args, row_begin, row_end, col_begin, col_end);
  const int64_t m = row_end - row_begin;
  const int64_t n = col_end - col_begin;
  const int64_t k = args.a_cols.extent;
  if (m <= 0 || n <= 0 || (k <= 0 && args.accumulate)) return;
  const int64_t bytes = kernel->element_bytes;
  const char* a = static_cast<const char*>(args.a);
  const char* b = static_cast<const char*>(args.b);
  char* c = static_cast<char*>(args.c);
  const GemmAxis rows = Part(args.c_rows, row_begin, m, bytes, c);
  const GemmAxis cols = Part(args.c_cols, col_begin, n, bytes, c);
  if (k <= 0) return Clear({*kernel, false, false, 0, {}, {}, rows, cols, c});
  const GemmAxis a_rows = Part(args.a_rows, row_begin, m, bytes, a);
  const GemmAxis a_cols = Part(args.a_cols, 0, k, bytes, a);
  const GemmAxis b_rows = Part(args.b_rows, 0, k, bytes, b);
  const GemmAxis b_cols = Part(args.b_cols, col_begin, n, bytes, b);
  Product product = {*kernel,
                     args.accumulate,
                     args.negate,
                     k,
                     {a, a_rows, a_cols, args.conjugate_a},
                     {b, b_cols, b_rows, args.conjugate_b},
                     rows,
                     cols,
                     c};
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
