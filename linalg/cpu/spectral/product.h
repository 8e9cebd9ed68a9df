#ifndef TENFERRO_LINALG_CPU_SPECTRAL_PRODUCT_H_
#define TENFERRO_LINALG_CPU_SPECTRAL_PRODUCT_H_

#include "tenferro/cpu/gemm/gemm.h"
#include "tenferro/linalg/cpu/panel.h"

// Products of panels by the packed GEMM, a plane of real or imaginary parts at a time.
namespace tenferro::linalg::TENFERRO_ISA {

#if defined(__aarch64__)
inline constexpr Isa kThisIsa = Isa::kNeon;
#elif defined(__AVX512F__)
inline constexpr Isa kThisIsa = Isa::kV4;
#elif defined(__AVX2__)
inline constexpr Isa kThisIsa = Isa::kV3;
#else
inline constexpr Isa kThisIsa = Isa::kV2;
#endif

inline constexpr uint8_t kF32 = 6, kF64 = 7;  // DType's values

// Scratch memory of GEMM, which the calls of one decomposition share: of reals of `real_bytes` and, in general, extents
// of at most `order`.
class GemmScratch {
 public:
  GemmScratch(Arena& arena, size_t real_bytes, int64_t order) : arena_(arena) {
    GemmArgs args = {};
    args.dtype = real_bytes == 8 ? kF64 : kF32;
    args.c_rows.extent = args.c_cols.extent = args.a_cols.extent = order;
    Reserve(GemmWorkspaceBytes(kThisIsa, args));
  }
  void* Reserve(int64_t bytes) {
    if (bytes > bytes_) {
      bytes_ = bytes;
      memory_ = arena_.Allocate<char>(bytes_);
    }
    return memory_;
  }

 private:
  Arena& arena_;
  void* memory_ = nullptr;
  int64_t bytes_ = 0;
};

enum class Form : uint8_t { kPlain, kAdjoint };
enum class Store : uint8_t { kSet, kAdd, kSubtract };

template <class R>
void RealProduct(GemmScratch& scratch, Form a_form, const R* a, int64_t a_stride, Form b_form, const R* b,
                 int64_t b_stride, int64_t m, int64_t n, int64_t k, bool accumulate, bool negate, R* c,
                 int64_t c_stride) {
  GemmArgs args = {};
  args.dtype = sizeof(R) == 8 ? kF64 : kF32;
  args.accumulate = accumulate;
  args.negate = negate;
  const bool a_adjoint = a_form == Form::kAdjoint, b_adjoint = b_form == Form::kAdjoint;
  args.a_rows = {m, a_adjoint ? a_stride : 1, nullptr};
  args.a_cols = {k, a_adjoint ? 1 : a_stride, nullptr};
  args.b_rows = {k, b_adjoint ? b_stride : 1, nullptr};
  args.b_cols = {n, b_adjoint ? 1 : b_stride, nullptr};
  args.c_rows = {m, 1, nullptr};
  args.c_cols = {n, c_stride, nullptr};
  args.a = a;
  args.b = b;
  args.c = c;
  GemmBlock(kThisIsa, args, 0, m, 0, n, scratch.Reserve(GemmWorkspaceBytes(kThisIsa, args)));
}

// c = op(a)·op(b), c += or c −= it, for the first m × n entries of c and `k` terms.
template <class R, bool kComplex>
void Product(GemmScratch& scratch, Form a_form, const Panel<R, kComplex>& a, Form b_form, const Panel<R, kComplex>& b,
             int64_t m, int64_t n, int64_t k, Store store, const Panel<R, kComplex>& c) {
  if (m <= 0 || n <= 0) return;
  const bool keep = store != Store::kSet, minus = store == Store::kSubtract;
  const auto part = [&](int64_t a_part, int64_t b_part, bool accumulate, bool negate, int64_t c_part) {
    RealProduct(scratch, a_form, a.data + a_part * a.imag, a.stride(), b_form, b.data + b_part * b.imag, b.stride(), m,
                n, k, accumulate, negate, c.data + c_part * c.imag, c.stride());
  };
  part(0, 0, keep, minus, 0);
  if constexpr (kComplex) {
    const bool a_conjugate = a_form == Form::kAdjoint, b_conjugate = b_form == Form::kAdjoint;
    part(1, 1, true, minus != (a_conjugate == b_conjugate), 0);
    part(0, 1, keep, minus != b_conjugate, 1);
    part(1, 0, true, minus != a_conjugate, 1);
  }
}

// The panel from row `row` on; `row` must be a multiple of kPad for loops over whole vectors, not for products.
template <class R, bool kComplex>
Panel<R, kComplex> FromRow(const Panel<R, kComplex>& p, int64_t row) {
  return {p.data + row, p.rows - row, p.imag};
}

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_SPECTRAL_PRODUCT_H_
