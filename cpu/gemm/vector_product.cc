#include "tenferro/cpu/gemm/product.h"

namespace tenferro::gemm {
namespace {

// Reals of y whose sums stay in the first-level cache while the columns of A pass by.
constexpr int64_t kChunk = 4096;

template <class T>
struct Sums {
  alignas(kMostVectorBytes) T direct[kChunk];
  alignas(kMostVectorBytes) T cross[kChunk];
  T x[2 * kDepthBlock];
};

// Bytes of the terms of a dot whose chains are summed before the next ones begin.
constexpr int64_t kDotBytes = kDotChainBytes * kDepthBlock;

// x's part in one depth block, contiguous: where it lies or copied to `copy`.
template <class T>
const T* LoadX(const Product& product, int64_t begin, int64_t terms, T* copy) {
  const int parts = product.kernel.is_complex ? 2 : 1;
  const GemmAxis& axis = product.right.depth;
  const T* x = reinterpret_cast<const T*>(product.right.data);
  if (IsUnit(axis)) return x + parts * begin;
  for (int64_t p = 0; p < terms; ++p) {
    const T* from = x + parts * OffsetOf(axis, begin + p);
    for (int part = 0; part < parts; ++part) copy[p * parts + part] = from[part];
  }
  return copy;
}

// Adds the sums of one depth block to y, as the end of a tile does.
template <class T>
void Finish(const Product& product, const TileShape& shape, int64_t row, int64_t rows, int64_t begin, const T* direct,
            const T* cross) {
  const GemmAxis& axis = product.rows;
  T* y = reinterpret_cast<T*>(product.c);
  const bool keep = product.accumulate || begin > 0;
  const T direct0 = static_cast<T>(shape.direct[0]);
  if (!product.kernel.is_complex) {
    if (IsUnit(axis) && keep) {
      for (int64_t i = 0; i < rows; ++i) y[row + i] += direct[i] * direct0;
    } else if (IsUnit(axis)) {
      for (int64_t i = 0; i < rows; ++i) y[row + i] = T(0) + direct[i] * direct0;
    } else {
      for (int64_t i = 0; i < rows; ++i) {
        T& to = y[OffsetOf(axis, row + i)];
        to = (keep ? to : T(0)) + direct[i] * direct0;
      }
    }
    return;
  }
  const T direct1 = static_cast<T>(shape.direct[1]);
  const T cross0 = static_cast<T>(shape.cross[0]);
  const T cross1 = static_cast<T>(shape.cross[1]);
  for (int64_t i = 0; i < rows; ++i) {
    T* to = y + 2 * OffsetOf(axis, row + i);
    to[0] = (keep ? to[0] : T(0)) + (direct[2 * i] * direct0 + cross[2 * i + 1] * cross0);
    to[1] = (keep ? to[1] : T(0)) + (direct[2 * i + 1] * direct1 + cross[2 * i] * cross1);
  }
}

// Columns of A are contiguous: each depth block passes over a chunk of y, a few columns at a time.
template <class T>
void ByColumns(const Product& product, const TileShape& shape, Sums<T>& sums) {
  const int parts = product.kernel.is_complex ? 2 : 1;
  for (int64_t row = 0; row < product.m(); row += kChunk / parts) {
    const int64_t rows = std::min(kChunk / parts, product.m() - row);
    for (int64_t begin = 0; begin < product.depth; begin += kDepthBlock) {
      const int64_t terms = std::min(kDepthBlock, product.depth - begin);
      const T* x = LoadX(product, begin, terms, sums.x);
      std::fill_n(sums.direct, rows * parts, T(0));
      if (parts == 2) std::fill_n(sums.cross, rows * parts, T(0));
      for (int64_t p = 0; p < terms; p += kGemvColumns) {
        const void* columns[kGemvColumns];
        const int count = static_cast<int>(std::min<int64_t>(kGemvColumns, terms - p));
        for (int q = 0; q < count; ++q) {
          columns[q] = product.left.data + product.bytes(row + OffsetOf(product.left.depth, begin + p + q));
        }
        product.kernel.add_columns(columns, count, x + p * parts, rows * parts, sums.direct, sums.cross);
      }
      Finish(product, shape, row, rows, begin, sums.direct, sums.cross);
    }
  }
}

// Rows of A are contiguous and lie at equal distances, at least a vector of them. The last vectors of rows reach back
// to rows that were done before, where fewer are left.
template <class T>
void ByRows(const Product& product, const TileShape& shape, Sums<T>& sums) {
  const int64_t lanes = product.kernel.lanes;
  const int64_t step = product.bytes(product.left.lanes.stride);
  const int parts = product.kernel.is_complex ? 2 : 1;
  for (int64_t row = 0; row < product.m(); row += kGemvVectors * lanes) {
    int64_t first[kGemvVectors];
    for (int64_t g = 0; g < kGemvVectors; ++g) first[g] = std::min(row + g * lanes, product.m() - lanes);
    for (int64_t begin = 0; begin < product.depth; begin += kDepthBlock) {
      const int64_t terms = std::min(kDepthBlock, product.depth - begin);
      const void* a[kGemvVectors];
      for (int64_t g = 0; g < kGemvVectors; ++g) a[g] = product.left.data + first[g] * step + product.bytes(begin);
      product.kernel.sum_rows(a, step, terms, LoadX(product, begin, terms, sums.x), sums.direct, sums.cross);
      for (int64_t g = 0; g < kGemvVectors; ++g) {
        const int64_t skip = row + g * lanes - first[g];
        if (skip >= lanes) break;
        const int64_t from = (g * lanes + skip) * parts;
        Finish(product, shape, first[g] + skip, lanes - skip, begin, sums.direct + from, sums.cross + from);
      }
    }
  }
}

template <class T>
bool VectorProductOf(const Product& product) {
  TileShape shape;
  SetSigns(shape, product.negate, product.left.conjugate, product.right.conjugate);
  Sums<T> sums;
  if (product.m() == 1) return false;
  if (IsUnit(product.left.lanes)) {
    // What the second-level cache holds goes through tiles: no sums to keep in memory.
    if (IsStrided(product.left.depth) && product.bytes(product.m()) * product.depth <= 512 << 10) return false;
    ByColumns(product, shape, sums);
  } else if (IsUnit(product.left.depth) && IsStrided(product.left.lanes) && product.m() >= product.kernel.lanes) {
    ByRows(product, shape, sums);
  } else {
    return false;
  }
  return true;
}

// The sum of the chains, by halves, of `width` reals of neighbouring dots each: 1 or 2 of a single dot.
template <class T>
void SumChains(T* chains, int64_t reals, int64_t width) {
  for (int64_t half = reals / 2; half >= width; half /= 2) {
    for (int64_t i = 0; i < half; ++i) chains[i] += chains[i + half];
  }
}

// Terms of a factor of a dot, contiguous: where they lie or copied to `copy`.
const char* LoadTerms(const Product& product, const Factor& factor, int64_t begin, int64_t terms, char* copy) {
  if (IsUnit(factor.depth)) return factor.data + product.bytes(begin);
  product.kernel.pack(copy, 1, factor.data, {1, 1, nullptr}, 0, 1, factor.depth, begin, terms);
  return copy;
}

template <class T>
void LongDot(const Product& product, const TileShape& shape) {
  constexpr int64_t kReals = kDotChainBytes / sizeof(T);
  alignas(kMostVectorBytes) char copies[2][kDotBytes];
  T direct[kReals], cross[kReals];
  const int64_t step = kDotBytes / product.kernel.element_bytes;
  const int64_t parts = product.kernel.is_complex ? 2 : 1;
  for (int64_t begin = 0; begin < product.depth; begin += step) {
    const int64_t terms = std::min(step, product.depth - begin);
    product.kernel.sum_in_turns(LoadTerms(product, product.left, begin, terms, copies[0]),
                                LoadTerms(product, product.right, begin, terms, copies[1]), terms, direct, cross);
    SumChains(direct, kReals, parts);
    if (parts == 2) SumChains(cross, kReals, parts);
    Finish(product, shape, 0, 1, begin, direct, cross);
  }
}

// Dots [batch, batch + count) whose terms of equal place lie side by side, all of them at once.
constexpr int64_t kDotsAtOnce = 128;
template <class T>
void LongDots(Product product, const GemmBatches& batches, int64_t batch, int64_t count, const TileShape& shape) {
  constexpr int64_t kMostReals = kDotsAtOnce * kDotChainBytes / sizeof(T);
  alignas(kMostVectorBytes) T direct[kMostReals], cross[kMostReals];
  const int64_t chains = kDotChainBytes / product.kernel.element_bytes;
  const int64_t parts = product.kernel.is_complex ? 2 : 1;
  const int64_t width = count * parts;
  const int64_t a_step = product.bytes(product.left.depth.stride);
  const int64_t x_step = product.bytes(product.right.depth.stride);
  const char* a = product.left.data + product.bytes(batch);
  const char* x = product.right.data + product.bytes(batch);
  product.c += product.bytes(AxisShift(batches.c, batch));
  product.rows = AxisPart(batches.c, batch, count);
  for (int64_t begin = 0; begin < product.depth; begin += chains * kDepthBlock) {
    const int64_t end = std::min(product.depth, begin + chains * kDepthBlock);
    std::fill_n(direct, chains * width, T(0));
    if (parts == 2) std::fill_n(cross, chains * width, T(0));
    product.kernel.add_in_turns(a + begin * a_step, a_step, x + begin * x_step, x_step, end - begin, chains, width,
                                direct, cross);
    SumChains(direct, chains * width, width);
    if (parts == 2) SumChains(cross, chains * width, width);
    Finish(product, shape, 0, count, begin, direct, cross);
  }
}

template <class T>
void LongDotsOf(Product& product, const GemmBatches& batches, int64_t begin, int64_t end) {
  TileShape shape;
  SetSigns(shape, product.negate, product.left.conjugate, product.right.conjugate);
  if (end - begin > 1 && IsUnit(batches.a) && IsUnit(batches.b) && IsStrided(product.left.depth) &&
      IsStrided(product.right.depth)) {
    for (int64_t batch = begin; batch < end; batch += kDotsAtOnce)
      LongDots<T>(product, batches, batch, std::min(kDotsAtOnce, end - batch), shape);
    return;
  }
  for (int64_t batch = begin; batch < end; ++batch) {
    Product one = product;
    one.left.data += product.bytes(OffsetOf(batches.a, batch));
    one.right.data += product.bytes(OffsetOf(batches.b, batch));
    one.c += product.bytes(OffsetOf(batches.c, batch));
    LongDot<T>(one, shape);
  }
}

template <class T>
void ShortDotsOf(Product& product, const GemmBatches& batches, int64_t begin, int64_t end) {
  TileShape shape;
  SetSigns(shape, product.negate, product.left.conjugate, product.right.conjugate);
  Sums<T> sums;
  const int parts = product.kernel.is_complex ? 2 : 1;
  const int64_t a_step = product.bytes(product.left.depth.stride);
  const int64_t x_step = product.bytes(product.right.depth.stride);
  char* const c = product.c;
  for (int64_t batch = begin; batch < end; batch += kDotBlocks) {
    const int64_t count = std::min<int64_t>(end - batch, kDotBlocks);
    for (int64_t p = 0; p < product.depth; p += kDepthBlock) {
      const void* a[kDotBlocks];
      const void* x[kDotBlocks];
      for (int64_t q = 0; q < kDotBlocks; ++q) {
        const int64_t mine = batch + (q < count ? q : 0);
        a[q] = product.left.data + product.bytes(OffsetOf(batches.a, mine)) + p * a_step;
        x[q] = product.right.data + product.bytes(OffsetOf(batches.b, mine)) + p * x_step;
      }
      const int64_t terms = std::min(product.depth - p, kDepthBlock);
      product.kernel.sum_blocks(a, a_step, x, x_step, terms, sums.direct, sums.cross);
      for (int64_t q = 0; q < count; ++q) {
        product.c = c + product.bytes(OffsetOf(batches.c, batch + q));
        Finish(product, shape, 0, 1, p, sums.direct + q * parts, sums.cross + q * parts);
      }
    }
  }
}

}  // namespace

bool VectorProduct(const Product& product) {
  if (product.kernel.element_bytes >> product.kernel.is_complex == sizeof(float))
    return VectorProductOf<float>(product);
  return VectorProductOf<double>(product);
}

bool Dots(Product& product, const GemmBatches& batches, int64_t begin, int64_t end) {
  const bool is_single = product.kernel.element_bytes >> product.kernel.is_complex == sizeof(float);
  if (product.is_dot) {
    is_single ? LongDotsOf<float>(product, batches, begin, end) : LongDotsOf<double>(product, batches, begin, end);
    return true;
  }
  if (product.m() != 1 || product.n() != 1 || end - begin < kDotBlocks / 2 || product.depth >= kLongDot ||
      !IsStrided(product.left.depth) || !IsStrided(product.right.depth)) {
    return false;
  }
  is_single ? ShortDotsOf<float>(product, batches, begin, end) : ShortDotsOf<double>(product, batches, begin, end);
  return true;
}

}  // namespace tenferro::gemm
