#include "tenferro/tensor/strided_copy.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "gtest/gtest.h"

namespace tenferro {
namespace {

struct Case {
  Shape shape;
  Ints strides;
  int64_t first;  // where element (0, …, 0) lies
};

// Tiles with and without remainder, unit and empty axes, steps backwards, repeats, axes that merge and axes that do
// not.
std::vector<Case> Cases() {
  return {{{}, {}, 3},
          {{5}, {1}, 0},
          {{5}, {-2}, 9},
          {{5}, {0}, 4},
          {{0, 3}, {1, 1}, 0},
          {{1, 7, 1}, {9, 2, 9}, 1},
          {{64, 32}, {32, 1}, 0},
          {{70, 45}, {45, 1}, 0},
          {{33, 70}, {-70, -1}, 33 * 70 - 1},
          {{6, 7, 8}, {56, 8, 1}, 0},
          {{6, 7, 8}, {1, 48, 6}, 0},
          {{6, 7, 8}, {7, 1, 42}, 0},
          {{3, 40, 2, 5}, {0, 7, 2, -280}, 1300},
          {{4, 3, 5}, {1, 4, 20}, 2},
          {{2, 2, 2, 2, 2, 2, 2, 2}, {1, 4, 2, 8, 128, 64, 32, 16}, 0}};
}

void CheckAll(int64_t element_bytes, int64_t misalignment) {
  for (const Case& c : Cases()) {
    constexpr int64_t kElements = 4096;
    std::vector<char> source(kElements * element_bytes + misalignment);
    for (size_t i = 0; i < source.size(); ++i) source[i] = static_cast<char>(i * 37 + i / 251);
    const char* const first = source.data() + misalignment + c.first * element_bytes;
    std::vector<char> copied(c.shape.size() * element_bytes + 1, 'x');
    CopyToColMajor(element_bytes, c.shape, c.strides, first, copied.data());

    std::vector<char> expected(copied.size(), 'x');
    Ints index(c.shape.rank(), 0);
    for (int64_t i = 0; i < c.shape.size(); ++i) {
      int64_t from = 0;
      for (int axis = 0; axis < c.shape.rank(); ++axis) from += index[axis] * c.strides[axis];
      std::memcpy(&expected[i * element_bytes], first + from * element_bytes, element_bytes);
      for (int axis = 0; axis < c.shape.rank() && ++index[axis] == c.shape.extent(axis); ++axis) index[axis] = 0;
    }
    EXPECT_TRUE(copied == expected) << c.shape.ToString() << " strides "
                                    << Shape(absl::MakeConstSpan(c.strides)).ToString() << " bytes " << element_bytes;
  }
}

TEST(CopyToColMajorTest, EveryElementSizeAtAnyAddress) {
  for (int64_t bytes : {1, 4, 8, 16}) {
    CheckAll(bytes, 0);
    CheckAll(bytes, 1);
  }
}

}  // namespace
}  // namespace tenferro
