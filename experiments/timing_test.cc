#include "tenferro/experiments/timing.h"

#include <vector>

#include "gtest/gtest.h"

namespace tenferro {
namespace {

TEST(Timing, TheFirstRunStandsApart) {
  const Timing timing = Summarize({0.5, 4, 1, 3});
  EXPECT_EQ(timing.first, 0.5);
  EXPECT_EQ(timing.min, 1);
  EXPECT_EQ(timing.median, 3);
}

TEST(Timing, MedianOfAnEvenNumberIsTheMiddle) { EXPECT_EQ(Summarize({9, 4, 1, 2, 7}).median, 3); }

TEST(Timing, RunsOnceMoreThanItRepeats) {
  std::vector<int> runs;
  const Timing timing = TimeRepeats(3, [&](int i) { runs.push_back(i); });
  EXPECT_EQ(runs, std::vector<int>({0, 1, 2, 3}));
  EXPECT_LE(timing.min, timing.median);
}

}  // namespace
}  // namespace tenferro
