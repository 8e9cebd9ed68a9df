#include "tenferro/cpu/gemm/gemm.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tenferro/cpu/gemm/gemm_samples.h"
#include "tenferro/cpu/gemm/small_gemm.h"
#include "tenferro/cpu/kernels/guarded_memory.h"
#include "tenferro/cpu/kernels/isa.h"
#include "tenferro/tensor/dtype.h"

namespace tenferro {
namespace {

// A matrix in one of many layouts: memory of exactly the elements that it spans, `axes` into it from `origin`.
template <class T>
struct Matrix {
  std::vector<int64_t> offsets[2];
  GemmAxis axes[2];
  int64_t size;
  int64_t origin;
  GuardedMemory guarded;
  T* memory;
  T* data() { return memory + origin; }
  int64_t Index(int64_t i, int64_t j) const {
    const auto offset = [this](int axis, int64_t x) {
      return axes[axis].offsets != nullptr ? axes[axis].offsets[x] : x * axes[axis].stride;
    };
    return origin + offset(0, i) + offset(1, j);
  }
  T& operator()(int64_t i, int64_t j) { return memory[Index(i, j)]; }
};

constexpr int kLayouts = 8;
constexpr int kWideColumns = 8, kWideRows = 9;

// 0 column-major, 1 row-major, 2 and 3 the same with gaps between, 4 strides in both axes, 5 negative strides, 6
// offsets in random order, 7 offsets in runs as merged axes give them; kWideColumns and kWideRows: 0 and 1 with gaps of
// pages.
template <class T>
Matrix<T> MakeMatrix(Random& random, int64_t rows, int64_t cols, int layout) {
  Matrix<T> matrix;
  const int64_t extents[2] = {rows, cols};
  const bool wide = layout >= kWideColumns;
  const int inner =
      layout == 1 || layout == 3 || layout == kWideRows ? 1 : Uniform(random, 0, 1) * (layout >= 4 && !wide);
  const int64_t gap = wide ? 5000 : layout == 2 || layout == 3 ? Uniform(random, 1, 9) : 0;
  const int64_t step = layout == 4 ? Uniform(random, 2, 3) : 1;
  int64_t strides[2];
  strides[inner] = step;
  strides[1 - inner] = std::max<int64_t>(1, extents[inner] * step + gap);
  matrix.size = rows * cols > 0 ? 1 + (rows - 1) * strides[0] + (cols - 1) * strides[1] : 0;
  matrix.origin = 0;
  for (int axis = 0; axis < 2; ++axis) {
    const int64_t extent = extents[axis];
    matrix.axes[axis] = {extent, strides[axis], nullptr};
    if (layout == 5 && extent > 0) {
      matrix.axes[axis].stride = -strides[axis];
      if (matrix.size > 0) matrix.origin += (extent - 1) * strides[axis];
    }
    if (!wide && layout >= 6 && (layout == 6 || axis == inner)) {
      std::vector<int64_t> order(extent);
      std::iota(order.begin(), order.end(), 0);
      if (layout == 6) {
        std::shuffle(order.begin(), order.end(), random);
      } else {
        const int64_t run = Uniform(random, 2, 40);
        for (int64_t i = 0; i < extent; i += run) {
          const int64_t end = std::min(extent, i + run);
          for (int64_t x = i; x < end; ++x) order[x] = extent - end + (x - i);
        }
      }
      for (int64_t& x : order) x *= strides[axis];
      matrix.offsets[axis] = std::move(order);
      matrix.axes[axis] = {extent, 0, matrix.offsets[axis].data()};
    }
  }
  matrix.guarded = GuardedMemory(matrix.size * sizeof(T), Uniform(random, 0, 3) != 0);
  matrix.memory = static_cast<T*>(matrix.guarded.data());
  return matrix;
}

template <class T>
void Fill(Random& random, Matrix<T>& matrix, bool special) {
  for (int64_t i = 0; i < matrix.size; ++i) matrix.memory[i] = RandomValue<T>(random, special);
}

template <class R>
void AddProduct(Isa isa, R a, R b, R& sum) {
  sum = isa == Isa::kV2 ? static_cast<R>(a * b) + sum : std::fma(a, b, sum);
}

// Chains that take turns, added by halves.
template <class R>
R SumOf(std::vector<R> chains) {
  for (size_t half = chains.size() / 2; half > 0; half /= 2) {
    for (size_t j = 0; j < half; ++j) chains[j] += chains[j + half];
  }
  return chains[0];
}

// The result as the header defines it; `is_dot`: all of C is this element.
template <class T>
T Defined(Isa isa, const GemmArgs& args, Matrix<T>& a, Matrix<T>& b, T c, int64_t i, int64_t j, bool is_dot) {
  const int64_t k = args.a_cols.extent;
  T result = args.accumulate ? c : T(0);
  if constexpr (kIsComplex<T> || kIsReal<T>) {
    const bool in_turns = is_dot && k >= 512;
    const int64_t count = in_turns ? 128 / sizeof(T) : 1;
    for (int64_t begin = 0; begin < k; begin += 256 * count) {
      const int64_t end = std::min(k, begin + 256 * count);
      if constexpr (kIsComplex<T>) {
        using R = typename T::value_type;
        std::vector<R> real_real(count), imag_imag(count), imag_real(count), real_imag(count);
        for (int64_t p = begin; p < end; ++p) {
          const T& x = a(i, p);
          const T& y = b(p, j);
          AddProduct(isa, x.real(), y.real(), real_real[p % count]);
          AddProduct(isa, x.imag(), y.imag(), imag_imag[p % count]);
          AddProduct(isa, x.imag(), y.real(), imag_real[p % count]);
          AddProduct(isa, x.real(), y.imag(), real_imag[p % count]);
        }
        const R left = args.conjugate_a ? -1 : 1;
        const R right = args.conjugate_b ? -1 : 1;
        const R sign = args.negate ? -1 : 1;
        result = T(result.real() + (sign * SumOf(real_real) - sign * left * right * SumOf(imag_imag)),
                   result.imag() + (sign * left * SumOf(imag_real) + sign * right * SumOf(real_imag)));
      } else {
        std::vector<T> chains(count);
        for (int64_t p = begin; p < end; ++p) AddProduct(isa, a(i, p), b(p, j), chains[p % count]);
        result = args.negate ? result - SumOf(chains) : result + SumOf(chains);
      }
    }
  } else if constexpr (std::is_same_v<T, bool>) {
    for (int64_t p = 0; p < k; ++p) result = result || (a(i, p) && b(p, j));
  } else {
    uint64_t sum = static_cast<uint64_t>(result);
    for (int64_t p = 0; p < k; ++p) {
      const uint64_t term = static_cast<uint64_t>(a(i, p)) * static_cast<uint64_t>(b(p, j));
      sum = args.negate ? sum - term : sum + term;
    }
    result = static_cast<T>(sum);
  }
  return result;
}

// The error allowed against exact summation, relative to Σ|a||b|; covers the chain's k roundings.
template <class T>
void ExpectNearExact(const GemmArgs& args, Matrix<T>& a, Matrix<T>& b, T before, T got, int64_t i, int64_t j) {
  if constexpr (kIsReal<T> || kIsComplex<T>) {
    using R = typename std::conditional_t<kIsComplex<T>, T, std::complex<T>>::value_type;
    using Z = std::complex<long double>;
    Z sum = args.accumulate ? Z(std::real(before), std::imag(before)) : Z(0);
    long double size = std::abs(sum);
    for (int64_t p = 0; p < args.a_cols.extent; ++p) {
      Z x(std::real(a(i, p)), std::imag(a(i, p)));
      Z y(std::real(b(p, j)), std::imag(b(p, j)));
      if (kIsComplex<T> && args.conjugate_a) x = std::conj(x);
      if (kIsComplex<T> && args.conjugate_b) y = std::conj(y);
      sum += args.negate ? -x * y : x * y;
      size += std::abs(x * y);
    }
    const long double error = std::abs(Z(std::real(got), std::imag(got)) - sum);
    const long double terms = std::min<int64_t>(args.a_cols.extent, 256) + args.a_cols.extent / 256 + 2;
    EXPECT_LE(error, terms * 2 * std::numeric_limits<R>::epsilon() * size);
  }
}

struct Shape {
  int64_t m, n, k;
};

struct Case {
  Shape shape;
  int layouts[3];
  bool accumulate, negate, conjugate_a, conjugate_b, special;
  enum Cutting { kWhole, kRandom, kBlocks } cutting;
};

std::string Describe(Isa isa, const Case& c) {
  std::string text = "isa " + std::to_string(static_cast<int>(isa));
  for (int64_t x : {c.shape.m, c.shape.n, c.shape.k}) text += " " + std::to_string(x);
  text += " layouts";
  for (int layout : c.layouts) text += " " + std::to_string(layout);
  for (bool flag : {c.accumulate, c.negate, c.conjugate_a, c.conjugate_b, c.special}) text += flag ? " 1" : " 0";
  return text + " cutting " + std::to_string(c.cutting);
}

std::vector<int64_t> RandomCuts(Random& random, int64_t extent) {
  std::vector<int64_t> cuts = {0, extent};
  for (int64_t i = Uniform(random, 0, 3); i > 0; --i) cuts.push_back(Uniform(random, 0, extent));
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

void RunCut(Isa isa, const GemmArgs& args, Case::Cutting cutting, Random& random) {
  constexpr unsigned char kGuard = 0xa5;
  constexpr int64_t kGuardBytes = 64;
  const int64_t bytes = GemmWorkspaceBytes(isa, args);
  std::unique_ptr<unsigned char[]> memory(new unsigned char[bytes + 64 + kGuardBytes]);
  unsigned char* workspace = memory.get() + (64 - reinterpret_cast<uintptr_t>(memory.get()) % 64) % 64;
  std::memset(workspace + bytes, kGuard, kGuardBytes);
  const int64_t m = args.c_rows.extent;
  const int64_t n = args.c_cols.extent;
  if (cutting == Case::kWhole) {
    GemmBlock(isa, args, 0, m, 0, n, workspace);
  } else if (cutting == Case::kRandom) {
    const std::vector<int64_t> rows = RandomCuts(random, m);
    const std::vector<int64_t> cols = RandomCuts(random, n);
    for (size_t i = 0; i + 1 < rows.size(); ++i) {
      for (size_t j = 0; j + 1 < cols.size(); ++j) {
        GemmBlock(isa, args, rows[i], rows[i + 1], cols[j], cols[j + 1], workspace);
      }
    }
  } else {
    for (int64_t index = GemmBlockCount(isa, args) - 1; index >= 0; --index) {
      int64_t range[4];
      GemmBlockRange(isa, args, index, range);
      GemmBlock(isa, args, range[0], range[1], range[2], range[3], workspace);
    }
  }
  for (int64_t i = 0; i < kGuardBytes; ++i) ASSERT_EQ(workspace[bytes + i], kGuard) << "workspace overrun";
}

// Every element bit for bit, and not a byte between or around them touched.
template <class T>
void Check(Isa isa, const Case& c, Random& random) {
  SCOPED_TRACE(Describe(isa, c));
  const auto [m, n, k] = c.shape;
  Matrix<T> a = MakeMatrix<T>(random, m, k, c.layouts[0]);
  Matrix<T> b = MakeMatrix<T>(random, k, n, c.layouts[1]);
  Matrix<T> out = MakeMatrix<T>(random, m, n, c.layouts[2]);
  Fill(random, a, c.special);
  Fill(random, b, c.special);
  Fill(random, out, c.special);
  GemmArgs args = {};
  args.dtype = static_cast<uint8_t>(kDTypeOf<T>);
  args.accumulate = c.accumulate;
  args.negate = c.negate;
  args.conjugate_a = c.conjugate_a;
  args.conjugate_b = c.conjugate_b;
  args.a_rows = a.axes[0];
  args.a_cols = a.axes[1];
  args.b_rows = b.axes[0];
  args.b_cols = b.axes[1];
  args.c_rows = out.axes[0];
  args.c_cols = out.axes[1];
  args.a = a.data();
  args.b = b.data();
  args.c = out.data();

  std::vector<T> expected(out.memory, out.memory + out.size);
  const bool small = m * n * k < 20000;
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < m; ++i) {
      const T before = out(i, j);
      const T value = Defined(isa, args, a, b, before, i, j, m * n == 1);
      if (small && !c.special) ExpectNearExact(args, a, b, before, value, i, j);
      expected[out.Index(i, j)] = value;
    }
  }
  RunCut(isa, args, c.cutting, random);
  int64_t wrong = 0;
  for (int64_t i = 0; i < out.size; ++i) wrong += !Same<T>(out.memory[i], expected[i]);
  EXPECT_EQ(wrong, 0);
}

Case RandomCase(Random& random, Shape shape) {
  const auto flag = [&] { return Uniform(random, 0, 1) != 0; };
  Case c = {shape, {}, flag(), flag(), flag(), flag(), Uniform(random, 0, 7) == 0, Case::kWhole};
  for (int& layout : c.layouts) layout = static_cast<int>(Uniform(random, 0, kLayouts - 1));
  c.cutting = static_cast<Case::Cutting>(Uniform(random, 0, 2));
  return c;
}

template <class T>
class GemmTest : public ::testing::Test {};
TYPED_TEST_SUITE(GemmTest, GemmTypes);

TYPED_TEST(GemmTest, SmallShapesEveryLayout) {
  Random random(1);
  for (Isa isa : SupportedIsas<TypeParam>()) {
    for (int round = 0; round < 300; ++round) {
      const int64_t most = round % 2 == 0 ? 9 : 60;
      const Shape shape = {Uniform(random, 0, most), Uniform(random, 0, most), Uniform(random, 0, most)};
      Check<TypeParam>(isa, RandomCase(random, shape), random);
    }
  }
}

TYPED_TEST(GemmTest, VectorsAndThinMatrices) {
  Random random(2);
  for (Isa isa : SupportedIsas<TypeParam>()) {
    for (int round = 0; round < 70; ++round) {
      int64_t extents[3] = {Uniform(random, 1, 700), Uniform(random, 1, 4),
                            Uniform(random, 1, round % 3 == 0 ? 4 : 90)};
      std::shuffle(extents, extents + 3, random);
      Check<TypeParam>(isa, RandomCase(random, {extents[0], extents[1], extents[2]}), random);
    }
    for (int64_t k : {255, 256, 511, 512, 1029, 2047, 2048, 2049, 4099, 8209}) {
      for (int layout = 0; layout < kLayouts; ++layout) {
        Case c = RandomCase(random, {1, 1, k});
        c.layouts[0] = layout;
        Check<TypeParam>(isa, c, random);
        c = RandomCase(random, {Uniform(random, 1, 20), Uniform(random, 1, 2), k});
        c.layouts[1] = layout;
        Check<TypeParam>(isa, c, random);
      }
    }
  }
}

// Beyond the depth block of 256, the column block of 240 and the row blocks of up to 2048.
TYPED_TEST(GemmTest, BeyondEveryBlock) {
  Random random(3);
  for (Isa isa : SupportedIsas<TypeParam>()) {
    for (const Shape shape : {Shape{67, 31, 300}, Shape{130, 250, 11}, Shape{50, 41, 513}, Shape{2100, 241, 2},
                              Shape{241, 2100, 1}, Shape{1100, 250, 3}, Shape{18, 490, 258}}) {
      for (int round = 0; round < 2; ++round) Check<TypeParam>(isa, RandomCase(random, shape), random);
    }
  }
}

TYPED_TEST(GemmTest, FewSumsOfManyTerms) {
  Random random(7);
  for (Isa isa : SupportedIsas<TypeParam>()) {
    for (int round = 0; round < 24; ++round) {
      const int64_t k = Uniform(random, 1000, 9000);
      Case c = RandomCase(random, {Uniform(random, 1, 7), Uniform(random, 1, 7), k});
      // Contiguous terms: rows of A and columns of B.
      if (round % 3 != 0) {
        c.layouts[0] = round % 2 == 0 ? 1 : 3;
        c.layouts[1] = round % 4 < 2 ? 0 : 2;
      }
      Check<TypeParam>(isa, c, random);
    }
  }
}

// Factors that are packed for the sake of the caches alone.
TYPED_TEST(GemmTest, TermsFarApart) {
  Random random(5);
  for (Isa isa : SupportedIsas<TypeParam>()) {
    for (const Shape shape : {Shape{520, 20, 70}, Shape{20, 90, 70}, Shape{70, 521, 70}}) {
      Case c = RandomCase(random, shape);
      c.layouts[0] = kWideColumns;
      c.layouts[1] = kWideRows;
      Check<TypeParam>(isa, c, random);
    }
  }
}

TYPED_TEST(GemmTest, BlocksCoverEveryElementOnce) {
  for (const Shape shape : {Shape{0, 5, 5}, Shape{5, 0, 5}, Shape{5, 5, 0}, Shape{1, 1, 100}, Shape{256, 256, 256},
                            Shape{1024, 1024, 1024}, Shape{100000, 3, 500}, Shape{3, 100000, 500}, Shape{1, 4000, 4000},
                            Shape{4000, 1, 4000}, Shape{1000, 1000, 7}, Shape{5000, 6001, 2000}}) {
    GemmArgs args = {};
    args.dtype = static_cast<uint8_t>(kDTypeOf<TypeParam>);
    args.a_rows.extent = args.c_rows.extent = shape.m;
    args.b_cols.extent = args.c_cols.extent = shape.n;
    args.a_cols.extent = args.b_rows.extent = shape.k;
    int64_t area = 0;
    std::vector<int64_t> begins;
    for (int64_t index = 0; index < GemmBlockCount(BestIsa(), args); ++index) {
      int64_t range[4];
      GemmBlockRange(BestIsa(), args, index, range);
      EXPECT_TRUE(0 <= range[0] && range[0] < range[1] && range[1] <= shape.m);
      EXPECT_TRUE(0 <= range[2] && range[2] < range[3] && range[3] <= shape.n);
      area += (range[1] - range[0]) * (range[3] - range[2]);
      begins.push_back(range[0] + range[2] * shape.m);
    }
    std::sort(begins.begin(), begins.end());
    EXPECT_EQ(std::adjacent_find(begins.begin(), begins.end()), begins.end());
    EXPECT_EQ(area, shape.m * shape.n) << shape.m << " " << shape.n << " " << shape.k;
  }
}

const GemmKernel& KernelOf(Isa isa, DType dtype) {
#if defined(__x86_64__)
  const GemmKernels& kernels = isa == Isa::kV4   ? isa_v4::kGemmKernels
                               : isa == Isa::kV3 ? isa_v3::kGemmKernels
                                                 : isa_v2::kGemmKernels;
#else
  const GemmKernels& kernels = isa_neon::kGemmKernels;
#endif
  return kernels.of[static_cast<int>(dtype) - static_cast<int>(DType::kF32)];
}

template <class T>
void CheckSmall(Isa isa, Random& random) {
  for (int round = 0; round < 60; ++round) {
    const int64_t m = Uniform(random, 0, 70);
    const int64_t n = Uniform(random, 0, 14);
    const int64_t k = round % 8 == 0 ? Uniform(random, 250, 600) : Uniform(random, 0, 40);
    Matrix<T> a = MakeMatrix<T>(random, m, k, 2);
    Matrix<T> b = MakeMatrix<T>(random, k, n, static_cast<int>(Uniform(random, 0, 5)));
    Matrix<T> out = MakeMatrix<T>(random, m, n, 2);
    Matrix<T> expected = MakeMatrix<T>(random, m, n, 0);
    Fill(random, a, false);
    Fill(random, b, false);
    Fill(random, out, false);
    GemmArgs args = {};
    args.dtype = static_cast<uint8_t>(kDTypeOf<T>);
    const GemmMode mode = static_cast<GemmMode>(round % 3);
    args.accumulate = mode != GemmMode::kSet;
    args.negate = mode == GemmMode::kSubtract;
    args.conjugate_a = round % 5 < 2;
    args.conjugate_b = round % 7 < 3;
    args.a_cols.extent = k;
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t i = 0; i < m; ++i) expected(i, j) = Defined(isa, args, a, b, out(i, j), i, j, false);
    }
    SmallGemm(KernelOf(isa, kDTypeOf<T>), m, n, k, a.data(), a.axes[1].stride, b.data(), b.axes[0].stride,
              b.axes[1].stride, out.data(), out.axes[1].stride, mode, args.conjugate_a, args.conjugate_b);
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t i = 0; i < m; ++i) {
        ASSERT_TRUE(Same<T>(out(i, j), expected(i, j))) << m << " " << n << " " << k << " at " << i << " " << j;
      }
    }
  }
}

TEST(SmallGemm, EqualsTheDefinedSums) {
  Random random(4);
  for (Isa isa : SupportedIsas<double>()) {
    CheckSmall<float>(isa, random);
    CheckSmall<double>(isa, random);
    CheckSmall<std::complex<float>>(isa, random);
    CheckSmall<std::complex<double>>(isa, random);
  }
}

TEST(GemmBlocks, LargeProductsGiveSeveralThreadsWork) {
  GemmArgs args = {};
  args.dtype = static_cast<uint8_t>(DType::kF64);
  args.a_rows.extent = args.c_rows.extent = args.b_cols.extent = args.c_cols.extent = 1024;
  args.a_cols.extent = args.b_rows.extent = 1024;
  EXPECT_GE(GemmBlockCount(BestIsa(), args), 8);
  args.a_rows.extent = args.c_rows.extent = args.b_cols.extent = args.c_cols.extent = 512;
  args.a_cols.extent = args.b_rows.extent = 1;
  EXPECT_EQ(GemmBlockCount(BestIsa(), args), 1);
}

}  // namespace
}  // namespace tenferro
