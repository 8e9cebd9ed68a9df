#include "tenferro/cpu/gemm/plain_gemm.h"

#include "tenferro/tensor/dtype.h"

namespace tenferro {
namespace {

int64_t Offset(const GemmAxis& axis, int64_t i) { return axis.offsets != nullptr ? axis.offsets[i] : i * axis.stride; }

// Signed integers run as unsigned of the same width: wrap-around is defined there and has the same bits.
template <class T>
struct Wrap {
  static T MultiplyAdd(T a, T b, T c) { return static_cast<T>(c + a * b); }
  static T Finish(T c, T sum, bool negate) { return static_cast<T>(negate ? c - sum : c + sum); }
};

struct Logical {
  static uint8_t MultiplyAdd(uint8_t a, uint8_t b, uint8_t c) { return c | (a & b); }
  static uint8_t Finish(uint8_t c, uint8_t sum, bool) { return c | sum; }
};

template <class T, class Op>
void Run(const GemmArgs& args, int64_t row_begin, int64_t row_end, int64_t col_begin, int64_t col_end) {
  // Sums of a few rows at a time: one load of B serves them all, and they fit registers.
  constexpr int kRows = 8;
  const T* a = static_cast<const T*>(args.a);
  const T* b = static_cast<const T*>(args.b);
  T* c = static_cast<T*>(args.c);
  for (int64_t i0 = row_begin; i0 < row_end; i0 += kRows) {
    const int64_t rows = row_end - i0 < kRows ? row_end - i0 : kRows;
    const T* a_row[kRows];
    for (int64_t i = 0; i < kRows; ++i) a_row[i] = a + Offset(args.a_rows, i0 + (i < rows ? i : 0));
    for (int64_t j = col_begin; j < col_end; ++j) {
      const T* b_col = b + Offset(args.b_cols, j);
      T sum[kRows] = {};
      for (int64_t p = 0; p < args.a_cols.extent; ++p) {
        const T factor = b_col[Offset(args.b_rows, p)];
        const int64_t a_offset = Offset(args.a_cols, p);
        for (int i = 0; i < kRows; ++i) sum[i] = Op::MultiplyAdd(a_row[i][a_offset], factor, sum[i]);
      }
      for (int64_t i = 0; i < rows; ++i) {
        T& out = c[Offset(args.c_rows, i0 + i) + Offset(args.c_cols, j)];
        out = Op::Finish(args.accumulate ? out : T{0}, sum[i], args.negate);
      }
    }
  }
}

}  // namespace

void PlainGemm(const GemmArgs& args, int64_t row_begin, int64_t row_end, int64_t col_begin, int64_t col_end) {
  const DType dtype = static_cast<DType>(args.dtype);
  if (dtype == DType::kBool) return Run<uint8_t, Logical>(args, row_begin, row_end, col_begin, col_end);
  switch (SizeOf(dtype)) {
    case 1: return Run<uint8_t, Wrap<uint8_t>>(args, row_begin, row_end, col_begin, col_end);
    case 4: return Run<uint32_t, Wrap<uint32_t>>(args, row_begin, row_end, col_begin, col_end);
    default: return Run<uint64_t, Wrap<uint64_t>>(args, row_begin, row_end, col_begin, col_end);
  }
}

}  // namespace tenferro
