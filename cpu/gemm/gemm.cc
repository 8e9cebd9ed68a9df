#include "tenferro/cpu/gemm/gemm.h"

#include "tenferro/cpu/gemm/kernels.h"
#include "tenferro/cpu/gemm/plain_gemm.h"
#include "tenferro/tensor/dtype.h"

namespace tenferro {
namespace {

// The SIMD kernel of a float or complex dtype; null for others.
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

struct Cut {
  int64_t row_blocks, row_step, col_blocks, col_step;
};

int64_t Clamp(int64_t value, int64_t low, int64_t high) { return value < low ? low : value > high ? high : value; }

int64_t RoundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

// Blocks large enough to be worth a thread's attention and to repay packing, small enough to occupy several.
Cut CutOf(const GemmArgs& args) {
  constexpr int64_t kLeastProducts = int64_t{1} << 21;
  constexpr int64_t kMostArea = 512 * 512;
  constexpr int64_t kBlocks = 16;
  constexpr int64_t kRowUnit = 64;  // a whole number of tiles at every instruction set and dtype
  constexpr int64_t kColUnit = 12;
  const int64_t m = args.c_rows.extent;
  const int64_t n = args.c_cols.extent;
  const int64_t k = args.a_cols.extent > 0 ? args.a_cols.extent : 1;
  if (m <= 0 || n <= 0) return {0, 1, 0, 1};
  const double area = static_cast<double>(m) * static_cast<double>(n);
  const double least = static_cast<double>(kLeastProducts) / static_cast<double>(k);
  double wanted = area / kBlocks;
  if (wanted > kMostArea) wanted = kMostArea;
  if (wanted < least) wanted = least;
  if (wanted >= area) return {1, m, 1, n};
  int64_t rows = Clamp(RoundUp(static_cast<int64_t>(__builtin_sqrt(wanted)), kRowUnit), 1, m);
  const int64_t cols = Clamp(RoundUp(static_cast<int64_t>(wanted / static_cast<double>(rows)), kColUnit), 1, n);
  if (cols == n) rows = Clamp(RoundUp(static_cast<int64_t>(wanted / static_cast<double>(n)), kRowUnit), 1, m);
  return {(m + rows - 1) / rows, rows, (n + cols - 1) / cols, cols};
}

}  // namespace

int64_t GemmWorkspaceBytes(Isa isa, const GemmArgs& args) {
  const GemmKernel* kernel = Kernel(isa, args.dtype);
  return kernel != nullptr ? kernel->workspace_bytes(args) : 0;
}

void GemmBlock(Isa isa, const GemmArgs& args, int64_t row_begin, int64_t row_end, int64_t col_begin, int64_t col_end,
               void* workspace) {
  const GemmKernel* kernel = Kernel(isa, args.dtype);
  if (kernel == nullptr) return PlainGemm(args, row_begin, row_end, col_begin, col_end);
  const int64_t range[4] = {row_begin, row_end, col_begin, col_end};
  kernel->run(args, range, workspace);
}

int64_t GemmBlockCount(Isa, const GemmArgs& args) {
  const Cut cut = CutOf(args);
  return cut.row_blocks * cut.col_blocks;
}

void GemmBlockRange(Isa, const GemmArgs& args, int64_t index, int64_t range[4]) {
  const Cut cut = CutOf(args);
  const int64_t row = index % cut.row_blocks * cut.row_step;
  const int64_t col = index / cut.row_blocks * cut.col_step;
  range[0] = row;
  range[1] = Clamp(row + cut.row_step, 0, args.c_rows.extent);
  range[2] = col;
  range[3] = Clamp(col + cut.col_step, 0, args.c_cols.extent);
}

}  // namespace tenferro
