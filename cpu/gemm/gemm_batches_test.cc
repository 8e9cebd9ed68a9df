#include <algorithm>
#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "tenferro/cpu/gemm/gemm.h"
#include "tenferro/cpu/gemm/gemm_samples.h"
#include "tenferro/cpu/kernels/guarded_memory.h"

namespace tenferro {
namespace {

template <class T>
class GemmBatchesTest : public ::testing::Test {};
TYPED_TEST_SUITE(GemmBatchesTest, GemmTypes);

// Matrices [rows, cols] by the batch: the axis of neighbours in memory is the batch's (0), the rows' (1) or the
// columns' (2); a batch axis may be a table, as merged axes give it.
template <class T>
struct Stack {
  GemmAxis axes[2];
  GemmAxis batch;
  std::vector<int64_t> offsets;
  GuardedMemory memory;
  int64_t size;
  T* data() const { return static_cast<T*>(memory.data()); }
};

template <class T>
Stack<T> MakeStack(Random& random, int64_t rows, int64_t cols, int64_t count, int first, bool table) {
  Stack<T> stack;
  const int64_t gap = Uniform(random, 0, 3);
  const int64_t extents[3] = {count, rows, cols};
  int64_t strides[3];
  int64_t step = 1;
  for (int i = 0; i < 3; ++i) {
    const int axis = (first + i) % 3;
    strides[axis] = step;
    step = step * extents[axis] + gap;
  }
  stack.size = std::max<int64_t>(
      0,
      rows * cols * count == 0 ? 0 : 1 + (count - 1) * strides[0] + (rows - 1) * strides[1] + (cols - 1) * strides[2]);
  stack.axes[0] = {rows, strides[1], nullptr};
  stack.axes[1] = {cols, strides[2], nullptr};
  stack.batch = {count, strides[0], nullptr};
  if (table) {
    for (int64_t i = 0; i < count; ++i) stack.offsets.push_back((count - 1 - i) * strides[0]);
    stack.batch = {count, 0, stack.offsets.data()};
  }
  stack.memory = GuardedMemory(stack.size * sizeof(T), Uniform(random, 0, 3) != 0);
  for (int64_t i = 0; i < stack.size; ++i) stack.data()[i] = RandomValue<T>(random, false);
  return stack;
}

TYPED_TEST(GemmBatchesTest, BatchesAreTheirProducts) {
  using T = TypeParam;
  Random random(6);
  for (Isa isa : SupportedIsas<T>()) {
    for (int round = 0; round < 150; ++round) {
      const int64_t most = round % 3 == 0 ? 40 : 9;
      const bool is_dot = round % 15 == 7;
      const int64_t m = is_dot || round % 15 == 3 ? 1 : Uniform(random, 0, most);
      const int64_t n = is_dot || round % 15 == 4 ? 1 : Uniform(random, 0, most);
      const int64_t k = is_dot            ? Uniform(random, 500, 5000)
                        : round % 10 == 0 ? Uniform(random, 250, 520)
                                          : Uniform(random, 0, most);
      const int64_t count = Uniform(random, 1, round % 5 == 2 ? 90 : 40);
      // Mostly batches first, where vectors take a product each.
      const auto first = [&] { return static_cast<int>(std::max<int64_t>(0, Uniform(random, -4, 2))); };
      const auto table = [&] { return Uniform(random, 0, 5) == 0; };
      const Stack<T> a = MakeStack<T>(random, m, k, count, first(), table());
      const Stack<T> b = MakeStack<T>(random, k, n, count, first(), table());
      const Stack<T> c = MakeStack<T>(random, m, n, count, first(), table());
      const std::vector<T> before(c.data(), c.data() + c.size);
      GemmArgs args = {};
      args.dtype = static_cast<uint8_t>(kDTypeOf<T>);
      args.accumulate = round % 4 == 1;
      args.negate = round % 5 == 1;
      args.conjugate_a = round % 3 == 1;
      args.conjugate_b = round % 7 < 3;
      args.a_rows = a.axes[0];
      args.a_cols = a.axes[1];
      args.b_rows = b.axes[0];
      args.b_cols = b.axes[1];
      args.c_rows = c.axes[0];
      args.c_cols = c.axes[1];
      args.a = a.data();
      args.b = b.data();
      args.c = c.data();
      const GemmBatches batches = {a.batch, b.batch, c.batch};
      const std::unique_ptr<char[]> memory(new char[GemmBatchWorkspaceBytes(isa, args, batches) + 64]);
      char* const workspace = memory.get() + (64 - reinterpret_cast<uintptr_t>(memory.get()) % 64) % 64;
      const int64_t cut = Uniform(random, 0, count);
      GemmBatch(isa, args, batches, 0, cut, workspace);
      GemmBatch(isa, args, batches, cut, count, workspace);
      const std::vector<T> together(c.data(), c.data() + c.size);
      std::copy(before.begin(), before.end(), c.data());
      const auto at = [](const GemmAxis& axis, int64_t i) {
        return axis.offsets != nullptr ? axis.offsets[i] : i * axis.stride;
      };
      for (int64_t i = 0; i < count; ++i) {
        GemmArgs one = args;
        one.a = a.data() + at(a.batch, i);
        one.b = b.data() + at(b.batch, i);
        one.c = c.data() + at(c.batch, i);
        GemmBlock(isa, one, 0, m, 0, n, workspace);
      }
      for (int64_t i = 0; i < c.size; ++i) {
        ASSERT_TRUE(Same<T>(together[i], c.data()[i])) << m << " " << n << " " << k << " " << count << " at " << i;
      }
    }
  }
}

TEST(GemmBatches, OfNeighboursTakeAVector) {
  GemmArgs args = {};
  args.dtype = static_cast<uint8_t>(DType::kF64);
  args.a_rows = args.c_rows = {4, 100, nullptr};
  args.a_cols = args.b_rows = args.b_cols = args.c_cols = {4, 400, nullptr};
  const GemmAxis first = {100, 1, nullptr}, last = {100, 1600, nullptr};
  EXPECT_GT(GemmBatchUnit(BestIsa(), args, {first, first, first}), 1);
  EXPECT_EQ(GemmBatchUnit(BestIsa(), args, {last, last, last}), 1);
}

}  // namespace
}  // namespace tenferro
