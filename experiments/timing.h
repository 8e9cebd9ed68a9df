#ifndef TENFERRO_EXPERIMENTS_TIMING_H_
#define TENFERRO_EXPERIMENTS_TIMING_H_

#include <algorithm>
#include <chrono>
#include <vector>

namespace tenferro {

// Seconds that repeated runs of one thing took. The first run stands apart: it pays for cold caches and first
// allocations.
struct Timing {
  double first = 0;
  double min = 0;     // of the others
  double median = 0;  // of the others
};

// `seconds` holds the first run and at least one more.
inline Timing Summarize(std::vector<double> seconds) {
  Timing timing;
  timing.first = seconds[0];
  std::sort(seconds.begin() + 1, seconds.end());
  timing.min = seconds[1];
  const size_t others = seconds.size() - 1;
  timing.median = (seconds[1 + (others - 1) / 2] + seconds[1 + others / 2]) / 2;
  return timing;
}

// Seconds that one call of run() takes.
template <class Run>
double TimeOnce(Run&& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Calls run(0) and then run(1), …, run(repeat), repeat >= 1. The argument lets each run have inputs of its own.
template <class Run>
Timing TimeRepeats(int repeat, Run&& run) {
  std::vector<double> seconds;
  seconds.reserve(repeat + 1);
  for (int i = 0; i <= repeat; ++i) seconds.push_back(TimeOnce([&] { run(i); }));
  return Summarize(std::move(seconds));
}

}  // namespace tenferro

#endif  // TENFERRO_EXPERIMENTS_TIMING_H_
