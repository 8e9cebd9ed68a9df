#ifndef TENFERRO_CPU_THREAD_POOL_H_
#define TENFERRO_CPU_THREAD_POOL_H_

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "tenferro/cpu/kernel.h"

namespace tenferro {

// One thread: the caller's.
class SerialWorkers final : public Workers {
 public:
  int width() const override { return 1; }
  void ForEachWorker(int64_t count, absl::FunctionRef<void(int64_t, int)> task) const override {
    for (int64_t i = 0; i < count; ++i) task(i, 0);
  }
};

// The caller and width − 1 threads of the pool's own, which spin for some microseconds after each piece of work and
// then sleep: waking a sleeping thread costs far more than the work is worth below about 100 µs. While one caller has
// the threads, others (and tasks that ask again) do their work alone.
class ThreadPool final : public Workers {
 public:
  explicit ThreadPool(int width);
  ~ThreadPool() override;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int width() const override { return static_cast<int>(threads_.size()) + 1; }
  bool awake() const override { return sleepers_.load(std::memory_order_relaxed) == 0; }
  void ForEachWorker(int64_t count, absl::FunctionRef<void(int64_t, int)> task) const override;

  // How many distinct threads have run a task that was offered to all.
  int threads_used() const;

 private:
  using Task = absl::FunctionRef<void(int64_t, int)>;
  // A job is entered by adding 1 while the gate is open, so that a thread that wakes up late finds no stale job.
  static constexpr uint32_t kOpen = uint32_t{1} << 31;

  void ThreadMain(int worker);
  // Waits until a job newer than `seen` was announced; false when the pool ends.
  bool WaitForJob(uint32_t seen);
  void TakeTasks(int worker) const;

  std::vector<std::thread> threads_;
  mutable std::vector<std::atomic<bool>> used_;  // by worker

  alignas(64) mutable std::atomic<bool> busy_ = false;
  mutable const Task* task_ = nullptr;
  mutable int64_t count_ = 0;
  alignas(64) mutable std::atomic<int64_t> next_ = 0;
  alignas(64) mutable std::atomic<uint32_t> gate_ = 0;
  alignas(64) mutable std::atomic<uint32_t> announced_ = 0;
  std::atomic<bool> ending_ = false;

  mutable std::mutex mutex_;
  mutable std::condition_variable wake_;
  mutable std::atomic<int> sleepers_ = 0;
};

}  // namespace tenferro

#endif  // TENFERRO_CPU_THREAD_POOL_H_
