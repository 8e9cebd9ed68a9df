#include "tenferro/cpu/gemm/small_gemm.h"

#include "tenferro/cpu/gemm/product.h"

namespace tenferro {

void SmallGemm(const GemmKernel& kernel, int64_t m, int64_t n, int64_t k, const void* a, int64_t a_step, const void* b,
               int64_t b_row_step, int64_t b_column_step, void* c, int64_t c_step, GemmMode mode, bool conjugate_a,
               bool conjugate_b) {
  if (m <= 0 || n <= 0) return;
  const int64_t bytes = kernel.element_bytes;
  const char* a_block = static_cast<const char*>(a);
  const char* b_block = static_cast<const char*>(b);
  char* c_data = static_cast<char*>(c);
  if (k <= 0) {
    for (int64_t j = 0; j < n && mode == GemmMode::kSet; ++j)
      std::fill_n(c_data + j * c_step * bytes, m * bytes, char{0});
    return;
  }
  TileShape shape;
  gemm::SetSigns(shape, mode == GemmMode::kSubtract, conjugate_a, conjugate_b);
  shape.a_step = a_step * bytes;
  shape.b_step = b_row_step * bytes;
  shape.b_column_step = b_column_step * bytes;
  shape.c_column_step = c_step * bytes;
  for (int64_t p = 0; p < k; p += kDepthBlock) {
    shape.depth = std::min(k - p, kDepthBlock);
    shape.keep = mode != GemmMode::kSet || p > 0;
    gemm::TileProduct(kernel, shape, m, n, a_block, b_block, c_data);
    a_block += kDepthBlock * shape.a_step;
    b_block += kDepthBlock * shape.b_step;
  }
}

}  // namespace tenferro
