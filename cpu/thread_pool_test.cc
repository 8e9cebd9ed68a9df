#include "tenferro/cpu/thread_pool.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace tenferro {
namespace {

TEST(ThreadPoolTest, RunsEachTaskOnce) {
  for (int width : {1, 2, 3, 8}) {
    const ThreadPool pool(width);
    EXPECT_EQ(pool.width(), width);
    for (int64_t count : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> runs(count);
      pool.ForEachWorker(count, [&](int64_t i, int worker) {
        EXPECT_GE(worker, 0);
        EXPECT_LT(worker, width);
        ++runs[i];
      });
      for (const std::atomic<int>& run : runs) EXPECT_EQ(run, 1);
    }
  }
}

TEST(ThreadPoolTest, NoWorkerHasTwoTasksAtOnce) {
  const ThreadPool pool(3);
  std::vector<std::atomic<int>> inside(3);
  for (int round = 0; round < 200; ++round) {
    pool.ForEachWorker(50, [&](int64_t, int worker) {
      EXPECT_EQ(inside[worker].fetch_add(1), 0);
      inside[worker].fetch_sub(1);
    });
  }
}

TEST(ThreadPoolTest, TasksMayAskAgain) {
  const ThreadPool pool(2);
  std::atomic<int> runs = 0;
  pool.ForEach(4, [&](int64_t) { pool.ForEach(5, [&](int64_t) { ++runs; }); });
  EXPECT_EQ(runs, 20);
}

TEST(ThreadPoolTest, ThreadsWithoutWorkAreSoonNotAwake) {
  const ThreadPool pool(3);
  pool.ForEach(100, [](int64_t) {});
  while (pool.awake()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  // At the end of the work they have been woken for.
  std::atomic<int> arrived = 0;
  pool.ForEach(3, [&](int64_t) {
    ++arrived;
    while (arrived < 3) std::this_thread::yield();
  });
  EXPECT_EQ(pool.threads_used(), 3);
}

TEST(ThreadPoolTest, SleepingThreadsWakeUp) {
  const ThreadPool pool(2);
  for (int round = 0; round < 20; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    // Each of the two tasks waits for the other, so both threads must take part.
    std::atomic<int> arrived = 0;
    pool.ForEach(2, [&](int64_t) {
      ++arrived;
      while (arrived < 2) std::this_thread::yield();
    });
  }
  EXPECT_EQ(pool.threads_used(), 2);
}

TEST(ThreadPoolTest, SeveralCallers) {
  const ThreadPool pool(2);
  std::vector<std::thread> callers;
  std::atomic<int> runs = 0;
  for (int caller = 0; caller < 3; ++caller) {
    callers.emplace_back([&] {
      for (int round = 0; round < 100; ++round) pool.ForEach(10, [&](int64_t) { ++runs; });
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(runs, 3000);
}

}  // namespace
}  // namespace tenferro
