#include "tenferro/cpu/kernels/move.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tenferro/cpu/kernels/every_kernel.h"

namespace tenferro {
namespace {

using Ints = std::vector<int64_t>;

// A strided array inside a buffer: `offset` is the element with index 0.
struct Layout {
  Ints strides;
  int64_t offset = 0;
  int64_t elements = 0;
};

int64_t Product(const Ints& extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t{1}, std::multiplies<>());
}

// Axes in memory order `order` (fastest first); each axis may be reversed, spread by a step, or (for sources)
// broadcast.
Layout MakeLayout(const Ints& extents, const Ints& order, std::mt19937_64& random, bool plain, bool may_broadcast) {
  Layout layout;
  layout.strides.resize(extents.size());
  int64_t stride = 1;
  for (int64_t axis : order) {
    const size_t k = static_cast<size_t>(axis);
    const uint64_t kind = plain ? 9 : random() % 10;
    if (may_broadcast && kind == 0) {
      layout.strides[k] = 0;
      continue;
    }
    const int64_t step = kind == 1 ? 2 : kind == 2 ? 3 : 1;
    layout.strides[k] = kind == 3 ? -stride : stride * step;
    if (kind == 3) layout.offset += stride * (extents[k] - 1);
    stride *= extents[k] * step;
  }
  layout.elements = stride;
  return layout;
}

std::vector<char> Bytes(int64_t count, std::mt19937_64& random) {
  std::vector<char> bytes(static_cast<size_t>(count));
  for (size_t i = 0; i < bytes.size(); i += 8) {
    const uint64_t word = random();
    std::memcpy(&bytes[i], &word, std::min<size_t>(8, bytes.size() - i));
  }
  return bytes;
}

// Position of each element in column-major order.
std::vector<int64_t> Positions(const Ints& extents, const Layout& layout) {
  std::vector<int64_t> positions;
  Ints index(extents.size(), 0);
  for (int64_t i = 0; i < Product(extents); ++i) {
    int64_t at = layout.offset;
    for (size_t k = 0; k < extents.size(); ++k) at += index[k] * layout.strides[k];
    positions.push_back(at);
    for (size_t k = 0; k < extents.size(); ++k) {
      if (++index[k] < extents[k]) break;
      index[k] = 0;
    }
  }
  return positions;
}

class MoveTest : public testing::TestWithParam<Isa> {
 protected:
  // Copies between the layouts, and checks every byte of the destination's buffer.
  void Check(int size, const Ints& extents, const Layout& from, const Layout& to, bool in_pieces) {
    const std::vector<char> in = Bytes(from.elements * size, random_);
    const std::vector<char> before = Bytes(to.elements * size, random_);
    std::vector<char> expected = before;
    const std::vector<int64_t> sources = Positions(extents, from), targets = Positions(extents, to);
    for (size_t i = 0; i < sources.size(); ++i) {
      std::memcpy(&expected[static_cast<size_t>(targets[i] * size)], &in[static_cast<size_t>(sources[i] * size)],
                  static_cast<size_t>(size));
    }
    // On a line of the cache, for the copies that write whole ones.
    std::vector<char> out(before.size() + 64);
    char* const base = out.data() + (-reinterpret_cast<uintptr_t>(out.data()) & 63);
    std::copy(before.begin(), before.end(), base);
    char* const out_data = base + to.offset * size;
    const char* const in_data = in.data() + from.offset * size;
    const int rank = static_cast<int>(extents.size());
    if (in_pieces) {
      const StridedCopyPlan plan = PlanStridedCopy(size, rank, extents.data(), to.strides.data(), from.strides.data());
      // From the last to the first, in groups of uneven size.
      for (int64_t end = plan.pieces, group = 1; end > 0; end -= std::min(end, group), group = group % 5 + 1) {
        StridedCopyPieces(GetParam(), plan, end - std::min(end, group), end, out_data, in_data);
      }
    } else {
      StridedCopy(GetParam(), size, rank, extents.data(), out_data, to.strides.data(), in_data, from.strides.data());
    }
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), base))
        << "size " << size << ", extents " << testing::PrintToString(extents) << ", from "
        << testing::PrintToString(from.strides) << ", to " << testing::PrintToString(to.strides);
  }

  Ints Shuffled(size_t rank) {
    Ints order(rank);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random_);
    return order;
  }

  std::mt19937_64 random_{1};
};

TEST_P(MoveTest, RandomLayouts) {
  for (int round = 0; round < 1000; ++round) {
    const size_t rank = random_() % 7;
    const int64_t largest = rank <= 3 ? 40 : 6;
    Ints extents(rank);
    for (int64_t& extent : extents) extent = 1 + static_cast<int64_t>(random_() % static_cast<uint64_t>(largest));
    const int size = std::vector<int>{1, 4, 8, 16}[random_() % 4];
    const Layout from = MakeLayout(extents, Shuffled(rank), random_, random_() % 2 == 0, true);
    const Layout to = MakeLayout(extents, Shuffled(rank), random_, random_() % 2 == 0, false);
    Check(size, extents, from, to, random_() % 2 == 0);
  }
}

TEST_P(MoveTest, EveryPermutationOfThreeAxes) {
  for (int size : {1, 4, 8, 16}) {
    for (const Ints& extents :
         {Ints{64, 64, 3}, Ints{70, 33, 17}, Ints{2, 100, 65}, Ints{4, 5, 200}, Ints{1, 130, 31}}) {
      Ints order = {0, 1, 2};
      do {
        const Layout from = MakeLayout(extents, order, random_, true, false);
        Check(size, extents, from, MakeLayout(extents, {0, 1, 2}, random_, true, false), true);
      } while (std::next_permutation(order.begin(), order.end()));
    }
  }
}

TEST_P(MoveTest, EmptyAxesCopyNothing) {
  const Ints extents = {3, 0, 2};
  const Layout layout = MakeLayout(extents, {0, 1, 2}, random_, true, false);
  EXPECT_EQ(PlanStridedCopy(8, 3, extents.data(), layout.strides.data(), layout.strides.data()).pieces, 0);
  Check(8, extents, layout, layout, false);
}

TEST_P(MoveTest, ManyAxesOfTwo) {
  const Ints extents(16, 2);
  Ints order(16), back(16);
  std::iota(order.begin(), order.end(), 0);
  std::reverse_copy(order.begin(), order.end(), back.begin());
  Check(4, extents, MakeLayout(extents, back, random_, true, false), MakeLayout(extents, order, random_, true, false),
        false);
}

// Larger than StridedCopy's limit for writing past the caches.
TEST_P(MoveTest, LargeTranspositions) {
  for (int size : {4, 8, 16}) {
    const Ints extents = {1024, int64_t{17} * 1024 / size};
    const Layout from = MakeLayout(extents, {1, 0}, random_, true, false);
    const Layout to = MakeLayout(extents, {0, 1}, random_, true, false);
    ASSERT_TRUE(PlanStridedCopy(size, 2, extents.data(), to.strides.data(), from.strides.data()).streams);
    Check(size, extents, from, to, true);
  }
}

INSTANTIATE_TEST_SUITE_P(Isas, MoveTest, testing::ValuesIn(SupportedIsas()),
                         [](const auto& info) { return std::string(Name(info.param)); });

TEST(GatherTileTest, AnyPartOfAnyLayout) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 2000; ++round) {
    const size_t rank = random() % 6;
    Ints extents(rank), order(rank);
    for (int64_t& extent : extents) extent = 1 + static_cast<int64_t>(random() % 9);
    std::iota(order.begin(), order.end(), 0);
    if (random() % 2 == 0) std::shuffle(order.begin(), order.end(), random);
    const int size = std::vector<int>{1, 4, 8, 16}[random() % 4];
    const Layout from = MakeLayout(extents, order, random, random() % 2 == 0, true);
    const std::vector<char> in = Bytes(from.elements * size, random);
    const std::vector<int64_t> positions = Positions(extents, from);
    const int64_t total = static_cast<int64_t>(positions.size());
    const int64_t begin = static_cast<int64_t>(random() % static_cast<uint64_t>(total));
    const int64_t n = static_cast<int64_t>(random() % static_cast<uint64_t>(total - begin + 1));
    constexpr char kGuard = 0x5a;
    std::vector<char> out(static_cast<size_t>(n * size) + 16, kGuard), expected = out;
    for (int64_t i = 0; i < n; ++i) {
      std::memcpy(&expected[static_cast<size_t>(i * size)],
                  &in[static_cast<size_t>(positions[static_cast<size_t>(begin + i)] * size)],
                  static_cast<size_t>(size));
    }
    GatherTile(size, static_cast<int>(rank), extents.data(), in.data() + from.offset * size, from.strides.data(), begin,
               n, out.data());
    ASSERT_TRUE(out == expected) << "size " << size << ", extents " << testing::PrintToString(extents) << ", strides "
                                 << testing::PrintToString(from.strides) << ", from " << begin << ", " << n;
  }
}

}  // namespace
}  // namespace tenferro
