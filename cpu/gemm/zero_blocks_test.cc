#include "tenferro/cpu/gemm/zero_blocks.h"

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tenferro/cpu/gemm/gemm.h"
#include "tenferro/cpu/gemm/kernels.h"
#include "tenferro/cpu/kernels/guarded_memory.h"
#include "tenferro/cpu/kernels/isa.h"
#include "tenferro/tensor/dtype.h"

namespace tenferro {
namespace {

using Random = std::mt19937_64;

std::vector<Isa> SupportedIsas() {
  std::vector<Isa> isas;
  for (Isa isa : {Isa::kV2, Isa::kV3, Isa::kV4, Isa::kNeon}) {
    if (IsSupported(isa)) isas.push_back(isa);
  }
  return isas;
}

template <class T>
DType DTypeFor();
template <>
DType DTypeFor<float>() {
  return DType::kF32;
}
template <>
DType DTypeFor<double>() {
  return DType::kF64;
}
template <>
DType DTypeFor<std::complex<float>>() {
  return DType::kC64;
}
template <>
DType DTypeFor<std::complex<double>>() {
  return DType::kC128;
}

template <class T>
inline constexpr bool kIsComplex = false;
template <class T>
inline constexpr bool kIsComplex<std::complex<T>> = true;

// How a matrix lies in memory.
enum class Order { kRowsTogether, kColumnsTogether, kMergedRows };

// A matrix [rows, columns] whose axes have strides or, merged of two, offsets.
template <class T>
struct Matrix {
  Matrix(int64_t rows, int64_t columns, Order order)
      : memory(rows * columns * int64_t{sizeof(T)}, true), elements(static_cast<T*>(memory.data()), rows * columns) {
    rows_axis = {rows, 1, nullptr};
    columns_axis = {columns, rows, nullptr};
    if (order == Order::kColumnsTogether) {
      rows_axis.stride = columns;
      columns_axis.stride = 1;
    } else if (order == Order::kMergedRows) {
      // [8, columns, rows / 8] in memory.
      for (int64_t i = 0; i < rows; ++i) offsets.push_back(i % 8 + i / 8 * 8 * columns);
      rows_axis = {rows, 0, offsets.data()};
      columns_axis.stride = 8;
    }
  }
  T& at(int64_t i, int64_t j) {
    const int64_t row = rows_axis.offsets != nullptr ? rows_axis.offsets[i] : i * rows_axis.stride;
    return elements[row + j * columns_axis.stride];
  }

  GuardedMemory memory;
  std::span<T> elements;
  std::vector<int64_t> offsets;
  GemmAxis rows_axis, columns_axis;
};

std::vector<int> RandomGroups(int64_t count, int groups, Random& random) {
  std::vector<int> group(count);
  for (int& g : group) g = static_cast<int>(random() % groups);
  return group;
}

template <class T>
struct Problem {
  Problem(int64_t m, int64_t n, int64_t k, Order order)
      : a(m, k, order), b(k, n, order), c(m, n, order), expected(m, n, order) {
    // What is not written shows.
    std::fill(c.elements.begin(), c.elements.end(), T(77));
    std::fill(expected.elements.begin(), expected.elements.end(), T(78));
  }

  void FillByGroups(const std::vector<int>& rows, const std::vector<int>& terms, const std::vector<int>& columns,
                    Random& random) {
    std::normal_distribution<double> normal;
    for (size_t p = 0; p < terms.size(); ++p) {
      for (size_t i = 0; i < rows.size(); ++i) a.at(i, p) = rows[i] == terms[p] ? T(normal(random)) : T(0);
      for (size_t j = 0; j < columns.size(); ++j) b.at(p, j) = columns[j] == terms[p] ? T(normal(random)) : T(-0.0);
    }
  }

  GemmArgs Args(Matrix<T>& result) {
    GemmArgs args{};
    args.dtype = static_cast<uint8_t>(DTypeFor<T>());
    args.a_rows = a.rows_axis;
    args.a_cols = a.columns_axis;
    args.b_rows = b.rows_axis;
    args.b_cols = b.columns_axis;
    args.c_rows = result.rows_axis;
    args.c_cols = result.columns_axis;
    args.a = a.elements.data();
    args.b = b.elements.data();
    args.c = result.elements.data();
    return args;
  }

  bool Find(Isa isa) {
    const GemmArgs args = Args(c);
    memory.assign(ZeroBlocks::WorkspaceBytes(args) / 8 + 1, 0);
    return blocks.Find(isa, args, memory.data(), [](absl::FunctionRef<void(int)> task) {
      task(1);
      task(0);
    });
  }

  // Whether the product by groups has the bits of the whole product.
  bool SameBits(Isa isa) {
    const GemmArgs args = Args(expected);
    std::vector<double> scratch(ZeroBlocks::WorkerBytes(isa, args) / 8 + 8);
    void* aligned = scratch.data();
    size_t space = scratch.size() * 8;
    std::align(64, space - 64, aligned, space);
    GemmBlock(isa, args, 0, args.c_rows.extent, 0, args.c_cols.extent, aligned);
    blocks.ClearOtherColumns();
    for (int64_t group = 0; group < blocks.group_count(); ++group) {
      for (int64_t block = 0; block < blocks.BlockCount(group); ++block) blocks.RunBlock(group, block, aligned);
    }
    return std::memcmp(c.elements.data(), expected.elements.data(), c.elements.size() * sizeof(T)) == 0;
  }

  Matrix<T> a, b, c, expected;
  ZeroBlocks blocks;
  std::vector<double> memory;
};

template <class T>
class ZeroBlocksTest : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(ZeroBlocksTest, Types);

TYPED_TEST(ZeroBlocksTest, GroupsGiveTheBitsOfTheWholeProduct) {
  Random random(1);
  for (Isa isa : SupportedIsas()) {
    for (Order order : {Order::kRowsTogether, Order::kColumnsTogether, Order::kMergedRows}) {
      for (int groups : {2, 3, 8}) {
        // The second has terms of several chains of sums, the third a tail of every vector; the others are of several
        // blocks, the last with more rows than are squeezed.
        for (auto [m, n, k] :
             {std::array<int64_t, 3>{64, 64, 64}, {64, 72, 600}, {72, 101, 67}, {704, 520, 300}, {2000, 60, 300}}) {
          if (groups == 8 && m > 100) continue;
          if (order == Order::kMergedRows) k = (k + 7) / 8 * 8;
          Problem<TypeParam> problem(m, n, k, order);
          problem.FillByGroups(RandomGroups(m, groups, random), RandomGroups(k, groups, random),
                               RandomGroups(n, groups, random), random);
          ASSERT_TRUE(problem.Find(isa));
          EXPECT_EQ(problem.blocks.group_count(), groups);
          EXPECT_TRUE(problem.SameBits(isa)) << static_cast<int>(isa) << " " << groups << " " << k;
        }
      }
    }
  }
}

TYPED_TEST(ZeroBlocksTest, EmptyRowsAndColumnsBelongToNoGroup) {
  Random random(2);
  for (Isa isa : SupportedIsas()) {
    Problem<TypeParam> problem(64, 64, 64, Order::kRowsTogether);
    std::vector<int> half(64, 0);
    std::fill(half.begin(), half.begin() + 20, -1);
    std::vector<int> other = half;
    for (int& g : other) g = g < 0 ? -2 : 0;  // −1 and −2 never meet
    problem.FillByGroups(half, std::vector<int>(64, 0), other, random);
    ASSERT_TRUE(problem.Find(isa));
    EXPECT_EQ(problem.blocks.group_count(), 1);
    EXPECT_TRUE(problem.SameBits(isa));
  }
}

TYPED_TEST(ZeroBlocksTest, AllZero) {
  for (Isa isa : SupportedIsas()) {
    Problem<TypeParam> problem(64, 65, 66, Order::kRowsTogether);
    ASSERT_TRUE(problem.Find(isa));
    EXPECT_EQ(problem.blocks.group_count(), 0);
    EXPECT_TRUE(problem.SameBits(isa));
  }
}

TYPED_TEST(ZeroBlocksTest, NotFiniteFactorsAreTakenWhole) {
  Random random(3);
  for (Isa isa : SupportedIsas()) {
    for (double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
      for (Order order : {Order::kRowsTogether, Order::kColumnsTogether}) {
        Problem<TypeParam> problem(64, 70, 64, order);
        problem.FillByGroups(RandomGroups(64, 2, random), RandomGroups(64, 2, random), RandomGroups(70, 2, random),
                             random);
        ASSERT_TRUE(problem.Find(isa));
        const TypeParam before = problem.b.at(33, 69);
        problem.b.at(33, 69) = TypeParam(bad);
        EXPECT_FALSE(problem.Find(isa));
        problem.b.at(33, 69) = before;
        problem.a.at(5, 40) = TypeParam(bad);
        EXPECT_FALSE(problem.Find(isa));
      }
    }
  }
}

TYPED_TEST(ZeroBlocksTest, WhatSavesNothingIsTakenWhole) {
  Random random(4);
  const Isa isa = BestIsa();
  const std::vector<int> one(64, 0);
  Problem<TypeParam> dense(64, 64, 64, Order::kRowsTogether);
  dense.FillByGroups(one, one, one, random);
  EXPECT_FALSE(dense.Find(isa));
  // A diagonal has a group for each term, more than are kept.
  Problem<TypeParam> diagonal(64, 64, 64, Order::kRowsTogether);
  std::vector<int> each(64);
  std::iota(each.begin(), each.end(), 0);
  diagonal.FillByGroups(each, each, each, random);
  EXPECT_FALSE(diagonal.Find(isa));
  // One element joins the two groups.
  Problem<TypeParam> joined(64, 64, 64, Order::kRowsTogether);
  joined.FillByGroups(RandomGroups(64, 2, random), RandomGroups(64, 2, random), RandomGroups(64, 2, random), random);
  for (int64_t i = 0; i < 64; ++i) joined.a.at(i, 10) = TypeParam(1);
  EXPECT_FALSE(joined.Find(isa));
}

TYPED_TEST(ZeroBlocksTest, BitsOfAnyExtentAreReadFromNothingElse) {
  Random random(5);
  for (Isa isa : SupportedIsas()) {
    const GemmKernel& kernel = *KernelOf(isa, static_cast<uint8_t>(DTypeFor<TypeParam>()));
    for (int64_t n = 0; n <= 200; ++n) {
      for (const bool guard_end : {false, true}) {
        const GuardedMemory memory(n * int64_t{sizeof(TypeParam)}, guard_end);
        TypeParam* const elements = static_cast<TypeParam*>(memory.data());
        std::vector<uint64_t> expected((n + 63) / 64);
        for (int64_t i = 0; i < n; ++i) {
          const bool is_zero = random() % 2 == 0;
          elements[i] = is_zero ? TypeParam(-0.0) : TypeParam(1);
          // Of a complex number, the imaginary part alone.
          if constexpr (kIsComplex<TypeParam>) {
            if (!is_zero && i % 3 == 0) elements[i] = {0, 1};
          }
          if (!is_zero) expected[i / 64] |= uint64_t{1} << (i % 64);
        }
        for (const bool grouped : {false, true}) {
          std::vector<uint64_t> bits(expected.size());
          EXPECT_TRUE(kernel.nonzeros(elements, {n, 1, nullptr}, grouped, {1, 0, nullptr}, bits.data(), 1));
          EXPECT_EQ(bits, expected) << n;
          if (n == 0) continue;
          TypeParam& one = elements[random() % n];
          const TypeParam before = std::exchange(one, TypeParam(std::numeric_limits<double>::infinity()));
          EXPECT_FALSE(kernel.nonzeros(elements, {n, 1, nullptr}, grouped, {1, 0, nullptr}, bits.data(), 1)) << n;
          one = before;
        }
      }
    }
  }
}

TEST(ZeroBlocksCanPayTest, OnlyLargeProductsOfFloats) {
  Problem<double> large(64, 64, 64, Order::kRowsTogether), small(64, 64, 7, Order::kRowsTogether);
  GemmArgs args = large.Args(large.c);
  EXPECT_TRUE(ZeroBlocks::CanPay(args));
  args.dtype = static_cast<uint8_t>(DType::kI64);
  EXPECT_FALSE(ZeroBlocks::CanPay(args));
  EXPECT_FALSE(ZeroBlocks::CanPay(small.Args(small.c)));
}

}  // namespace
}  // namespace tenferro
