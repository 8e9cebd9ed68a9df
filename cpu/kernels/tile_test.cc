// What TileFn promises, for every elementwise kernel of every instruction set that runs here.

#include "tenferro/cpu/kernels/tile.h"

#include <cstring>
#include <memory>

#include "gtest/gtest.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/every_kernel.h"
#include "tenferro/cpu/kernels/guarded_memory.h"

namespace tenferro {
namespace {

constexpr int64_t kLongest = 130;  // two blocks of 64 and a rest
constexpr int64_t kGuard = 64;
constexpr char kGuardByte = 0x5a;

// Operands in memory of exactly their size, so that a sanitizer sees reads beyond.
struct Operands {
  std::unique_ptr<char[]> bytes[3];
  const void* in[4];
};

Operands MakeOperands(const NamedKernel& kernel, int64_t n, uint64_t seed) {
  Operands operands;
  operands.in[3] = &kernel.op.attribute;
  for (int k = 0; k < kernel.op.operands; ++k) {
    const std::vector<char> values = RandomElements(OperandCode(kernel, k), kLongest, seed + static_cast<uint64_t>(k));
    const size_t size = static_cast<size_t>(n * ElementSize(OperandCode(kernel, k)));
    operands.bytes[k] = std::make_unique<char[]>(size);
    std::memcpy(operands.bytes[k].get(), values.data(), size);
    operands.in[k] = operands.bytes[k].get();
  }
  return operands;
}

// Each element by a call of its own.
std::vector<char> OneByOne(const NamedKernel& kernel, const Operands& operands, int64_t n) {
  std::vector<char> out(static_cast<size_t>(n * ElementSize(kernel.to)));
  for (int64_t i = 0; i < n; ++i) {
    const void* in[4] = {nullptr, nullptr, nullptr, &kernel.op.attribute};
    for (int k = 0; k < kernel.op.operands; ++k) {
      in[k] = operands.bytes[k].get() + i * ElementSize(OperandCode(kernel, k));
    }
    kernel.fn(&out[static_cast<size_t>(i * ElementSize(kernel.to))], in, 1);
  }
  return out;
}

class TileTest : public testing::TestWithParam<Isa> {};

TEST_P(TileTest, CoversEveryOpAndDtype) {
  // Per dtype: 12 + 10 of arithmetic and functions and 6 comparisons of floats, 11 of integers, 8 of complex numbers
  // and abs, 12 complex functions, 6 comparisons of the others (2 of complex), and/or/not, max/min of bool, conj and
  // real of reals, parts of complex numbers; 10 selects, 2 · 100 casts.
  const int elementwise = 28 * 2 + 11 * 5 + (8 + 1 + 12) * 2 + 6 * 6 + 2 * 2 + 3 * 6 + 2 + 2 * 8 + 6 + 10 + 2 * 100;
  // Remainders, rounding and clamping of floats and their sign bits; remainders, clamping and bits of integers, xor of
  // bool.
  const int arithmetic = 9 * 2 + 2 + 10 * 5 + 1;
  // 26 of floats, 15 of complex numbers, two integer powers of integers.
  const int math = 26 * 2 + 15 * 2 + 2 * 5;
  EXPECT_EQ(EveryKernel(GetParam()).size(), elementwise + arithmetic + math);
}

TEST_P(TileTest, EveryLengthGivesEachElementItsOwnResultAndTouchesNothingElse) {
  for (const NamedKernel& kernel : EveryKernel(GetParam())) {
    const std::vector<char> expected = OneByOne(kernel, MakeOperands(kernel, kLongest, 1), kLongest);
    for (int64_t n = 0; n <= kLongest; ++n) {
      const Operands operands = MakeOperands(kernel, n, 1);
      const size_t size = static_cast<size_t>(n * ElementSize(kernel.to));
      std::vector<char> out(size + 2 * kGuard, kGuardByte);
      kernel.fn(&out[kGuard], operands.in, n);
      ASSERT_EQ(std::memcmp(&out[kGuard], expected.data(), size), 0) << kernel.name << ", n = " << n;
      for (size_t i = 0; i < kGuard; ++i) {
        ASSERT_EQ(out[i], kGuardByte) << kernel.name << ", n = " << n;
        ASSERT_EQ(out[kGuard + size + i], kGuardByte) << kernel.name << ", n = " << n;
      }
    }
  }
}

TEST_P(TileTest, TouchesNoPageBesideItsElements) {
  constexpr int64_t kSpace = 4096;
  static_assert(kLongest * 16 <= kSpace);
  const GuardedMemory at_start[4] = {{kSpace, false}, {kSpace, false}, {kSpace, false}, {kSpace, false}};
  const GuardedMemory at_end[4] = {{kSpace, true}, {kSpace, true}, {kSpace, true}, {kSpace, true}};
  for (const NamedKernel& kernel : EveryKernel(GetParam())) {
    const Operands operands = MakeOperands(kernel, kLongest, 1);
    const std::vector<char> expected = OneByOne(kernel, operands, kLongest);
    for (int64_t n = 0; n <= kLongest; ++n) {
      for (const bool end : {false, true}) {
        const auto place = [&](int k, int64_t size) {
          return static_cast<char*>(end ? at_end[k].data() : at_start[k].data()) + (end ? kSpace - size : 0);
        };
        const void* in[4] = {nullptr, nullptr, nullptr, operands.in[3]};
        for (int k = 0; k < kernel.op.operands; ++k) {
          const int64_t size = n * ElementSize(OperandCode(kernel, k));
          in[k] = std::memcpy(place(k, size), operands.in[k], static_cast<size_t>(size));
        }
        const int64_t size = n * ElementSize(kernel.to);
        char* const out = place(3, size);
        kernel.fn(out, in, n);
        ASSERT_EQ(std::memcmp(out, expected.data(), static_cast<size_t>(size)), 0) << kernel.name << ", n = " << n;
      }
    }
  }
}

TEST_P(TileTest, WritesInPlace) {
  for (const NamedKernel& kernel : EveryKernel(GetParam())) {
    for (int k = 0; k < kernel.op.operands; ++k) {
      if (ElementSize(OperandCode(kernel, k)) != ElementSize(kernel.to)) continue;
      for (int64_t n : {1, 7, 33, 70}) {
        const Operands operands = MakeOperands(kernel, n, 2);
        const std::vector<char> expected = OneByOne(kernel, operands, n);
        kernel.fn(operands.bytes[k].get(), operands.in, n);
        ASSERT_EQ(std::memcmp(operands.bytes[k].get(), expected.data(), expected.size()), 0)
            << kernel.name << ", n = " << n;
      }
    }
  }
}

// Operands that are the same array, also the result's.
TEST_P(TileTest, TakesOneArrayForAllOperands) {
  for (const NamedKernel& kernel : EveryKernel(GetParam())) {
    if (kernel.op.operands != 2 || ElementSize(kernel.from) != ElementSize(kernel.to)) continue;
    Operands operands = MakeOperands(kernel, kLongest, 3);
    std::memcpy(operands.bytes[1].get(), operands.bytes[0].get(),
                static_cast<size_t>(kLongest * ElementSize(kernel.from)));
    const std::vector<char> expected = OneByOne(kernel, operands, kLongest);
    const void* const same[] = {operands.in[0], operands.in[0]};
    kernel.fn(operands.bytes[0].get(), same, kLongest);
    ASSERT_EQ(std::memcmp(operands.bytes[0].get(), expected.data(), expected.size()), 0) << kernel.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Isas, TileTest, testing::ValuesIn(SupportedIsas()),
                         [](const auto& info) { return std::string(Name(info.param)); });

}  // namespace
}  // namespace tenferro
