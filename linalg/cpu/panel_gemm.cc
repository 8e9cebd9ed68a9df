#include "tenferro/linalg/cpu/panel_gemm.h"

#include "tenferro/linalg/cpu/lanes.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

// Accumulators, a column of the left operand and one broadcast value have to fit the registers.
template <bool kComplex>
inline constexpr int kMaxTileRows = kManyRegisters ? (kComplex ? 2 : 4) : (kComplex ? 1 : 2);
template <bool kComplex>
inline constexpr int kMaxTileColumns = kManyRegisters ? 6 : (kComplex ? 5 : 6);

template <class R>
using TileFunction = void (*)(int64_t inner, const R* a, int64_t a_stride, int64_t a_imag, const Factor<R>& b,
                              const R* b_data, Update update, R* c, int64_t c_stride, int64_t c_imag);

template <class R, bool kComplex, int kRows, int kColumns>
void Tile(int64_t inner, const R* a, int64_t a_stride, int64_t a_imag, const Factor<R>& b, const R* b_data,
          Update update, R* c, int64_t c_stride, int64_t c_imag) {
  const int64_t lanes = LaneCount<R>();
  const int64_t b_row_stride = b.row_stride, b_column_stride = b.column_stride, b_imag = b.imag;
  const R sign = b.imag_sign;
  Lanes<R, kComplex> sum[kColumns][kRows];
  for (int j = 0; j < kColumns; ++j) {
    for (int i = 0; i < kRows; ++i) sum[j][i] = ZeroLanes<R, kComplex>();
  }
  for (int64_t k = 0; k < inner; ++k) {
    Lanes<R, kComplex> left[kRows];
    for (int i = 0; i < kRows; ++i) left[i] = LoadLanes<R, kComplex>(a + i * lanes, a_imag);
    for (int j = 0; j < kColumns; ++j) {
      Scalar<R> x = {0, 0};
      x.re = b_data[j * b_column_stride];
      if constexpr (kComplex) x.im = sign * b_data[j * b_column_stride + b_imag];
      const Lanes<R, kComplex> right = SetLanes<R, kComplex>(x);
      for (int i = 0; i < kRows; ++i) sum[j][i] = MulAdd(left[i], right, sum[j][i]);
    }
    a += a_stride;
    b_data += b_row_stride;
  }
  for (int j = 0; j < kColumns; ++j) {
    for (int i = 0; i < kRows; ++i) {
      R* out = c + j * c_stride + i * lanes;
      Lanes<R, kComplex> result = sum[j][i];
      if (update != Update::kAssign) {
        const Lanes<R, kComplex> old = LoadLanes<R, kComplex>(out, c_imag);
        const bool add = update == Update::kAdd;
        result.re = add ? hn::Add(old.re, result.re) : hn::Sub(old.re, result.re);
        if constexpr (kComplex) result.im = add ? hn::Add(old.im, result.im) : hn::Sub(old.im, result.im);
      }
      StoreLanes(result, out, c_imag);
    }
  }
}

template <class R, bool kComplex, int kRows, int kColumns>
constexpr TileFunction<R> FindTile(int rows, int columns) {
  if (rows == kRows && columns == kColumns) return &Tile<R, kComplex, kRows, kColumns>;
  if constexpr (kColumns > 1) {
    return FindTile<R, kComplex, kRows, kColumns - 1>(rows, columns);
  } else if constexpr (kRows > 1) {
    return FindTile<R, kComplex, kRows - 1, kMaxTileColumns<kComplex>>(rows, columns);
  } else {
    return nullptr;
  }
}

template <class R, bool kComplex>
struct TileTable {
  TileFunction<R> tile[kMaxTileRows<kComplex>][kMaxTileColumns<kComplex>];
  constexpr TileTable() : tile() {
    for (int i = 0; i < kMaxTileRows<kComplex>; ++i) {
      for (int j = 0; j < kMaxTileColumns<kComplex>; ++j) {
        tile[i][j] = FindTile<R, kComplex, kMaxTileRows<kComplex>, kMaxTileColumns<kComplex>>(i + 1, j + 1);
      }
    }
  }
};
template <class R, bool kComplex>
constexpr TileTable<R, kComplex> kTiles;

template <class R, bool kComplex, int kRows, int kColumns>
HWY_NOINLINE void AdjointTile(const Panel<R, kComplex>& a, const Panel<R, kComplex>& b, int64_t i0, int64_t j0,
                              const Panel<R, kComplex>& g) {
  const int64_t lanes = LaneCount<R>();
  Lanes<R, kComplex> sum[kColumns][kRows];
  for (int j = 0; j < kColumns; ++j) {
    for (int i = 0; i < kRows; ++i) sum[j][i] = ZeroLanes<R, kComplex>();
  }
  const R* left = a.column(i0);
  const R* right = b.column(j0);
  const int64_t a_stride = a.stride(), b_stride = b.stride();
  for (int64_t r = 0; r < a.rows; r += lanes) {
    Lanes<R, kComplex> x[kRows];
    for (int i = 0; i < kRows; ++i) x[i] = LoadLanes<R, kComplex>(left + i * a_stride + r, a.imag);
    for (int j = 0; j < kColumns; ++j) {
      const Lanes<R, kComplex> y = LoadLanes<R, kComplex>(right + j * b_stride + r, b.imag);
      for (int i = 0; i < kRows; ++i) sum[j][i] = ConjMulAdd(x[i], y, sum[j][i]);
    }
  }
  R* out = g.column(j0) + i0;
  for (int j = 0; j < kColumns; ++j) {
    for (int i = 0; i < kRows; ++i) {
      const Scalar<R> total = SumLanes(sum[j][i]);
      out[i] = total.re;
      if constexpr (kComplex) out[i + g.imag] = total.im;
    }
    out += g.stride();
  }
}

// One pass over c for a part of the inner extent.
template <class R, bool kComplex>
void MultiplyPart(const Panel<R, kComplex>& a, const Factor<R>& b, int64_t inner, int64_t columns, Update update,
                  const Panel<R, kComplex>& c) {
  const int64_t lanes = LaneCount<R>();
  const int64_t vectors = c.rows / lanes;
  const int64_t row_tiles = (vectors + kMaxTileRows<kComplex> - 1) / kMaxTileRows<kComplex>;
  const int64_t column_tiles = (columns + kMaxTileColumns<kComplex> - 1) / kMaxTileColumns<kComplex>;
  // Rows and columns are split evenly: 17 vectors become tiles of 4, 4, 3, 3, 3 instead of 4, 4, 4, 4, 1.
  int64_t row = 0;
  for (int64_t t = row_tiles; t > 0; --t) {
    const int64_t tile_rows = (vectors - row + t - 1) / t;
    int64_t column = 0;
    for (int64_t q = column_tiles; q > 0; --q) {
      const int64_t tile_columns = (columns - column + q - 1) / q;
      kTiles<R, kComplex>.tile[tile_rows - 1][tile_columns - 1](inner, a.data + row * lanes, a.stride(), a.imag, b,
                                                                b.data + column * b.column_stride, update,
                                                                c.column(column) + row * lanes, c.stride(), c.imag);
      column += tile_columns;
    }
    row += tile_rows;
  }
}

}  // namespace

template <class R, bool kComplex>
void Multiply(const Panel<R, kComplex>& a, const Factor<R>& b, int64_t inner, int64_t columns, Update update,
              const Panel<R, kComplex>& c) {
  if (columns == 0) return;
  // A tile's rows of so many columns of a stay in the first-level cache.
  constexpr int64_t kPart = 128;
  int64_t k = 0;
  do {
    const int64_t part = inner - k < kPart ? inner - k : kPart;
    Factor<R> rest = b;
    rest.data += k * b.row_stride;
    MultiplyPart(a.From(k), rest, part, columns, k > 0 && update == Update::kAssign ? Update::kAdd : update, c);
    k += part;
  } while (k < inner);
}

template <class R, bool kComplex>
void MultiplyAdjoint(const Panel<R, kComplex>& a, int64_t a_columns, const Panel<R, kComplex>& b, int64_t b_columns,
                     const Panel<R, kComplex>& g) {
  constexpr int kRows = kComplex ? 2 : (kManyRegisters ? 4 : 2);
  constexpr int kColumns = kManyRegisters ? 4 : 2;
  int64_t j = 0;
  for (; j + kColumns <= b_columns; j += kColumns) {
    int64_t i = 0;
    for (; i + kRows <= a_columns; i += kRows) AdjointTile<R, kComplex, kRows, kColumns>(a, b, i, j, g);
    for (; i < a_columns; ++i) AdjointTile<R, kComplex, 1, kColumns>(a, b, i, j, g);
  }
  for (; j < b_columns; ++j) {
    int64_t i = 0;
    for (; i + kRows <= a_columns; i += kRows) AdjointTile<R, kComplex, kRows, 1>(a, b, i, j, g);
    for (; i < a_columns; ++i) AdjointTile<R, kComplex, 1, 1>(a, b, i, j, g);
  }
}

#define TENFERRO_INSTANTIATE(R, kComplex)                                                               \
  template void Multiply(const Panel<R, kComplex>&, const Factor<R>&, int64_t, int64_t, Update,         \
                         const Panel<R, kComplex>&);                                                    \
  template void MultiplyAdjoint(const Panel<R, kComplex>&, int64_t, const Panel<R, kComplex>&, int64_t, \
                                const Panel<R, kComplex>&);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
