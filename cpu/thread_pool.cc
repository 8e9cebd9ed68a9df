#include "tenferro/cpu/thread_pool.h"

#include <sched.h>

#include <chrono>

namespace tenferro {
namespace {

constexpr auto kSpin = std::chrono::microseconds(50);

inline void Pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

ThreadPool::ThreadPool(int width) : used_(width) {
  for (int worker = 1; worker < width; ++worker) {
    threads_.emplace_back([this, worker] { ThreadMain(worker); });
  }
}

ThreadPool::~ThreadPool() {
  ending_ = true;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    wake_.notify_all();
  }
  for (std::thread& thread : threads_) thread.join();
}

int ThreadPool::threads_used() const {
  int count = 0;
  for (const std::atomic<bool>& used : used_) count += used.load(std::memory_order_relaxed);
  return count;
}

void ThreadPool::TakeTasks(int worker) const {
  const Task& task = *task_;
  const int64_t count = count_;
  for (;;) {
    const int64_t i = next_.fetch_add(1, std::memory_order_relaxed);
    if (i >= count) return;
    used_[worker].store(true, std::memory_order_relaxed);
    task(i, worker);
  }
}

void ThreadPool::ForEachWorker(int64_t count, absl::FunctionRef<void(int64_t, int)> task) const {
  if (count <= 1 || threads_.empty() || busy_.exchange(true, std::memory_order_acquire)) {
    for (int64_t i = 0; i < count; ++i) task(i, 0);
    return;
  }
  task_ = &task;
  count_ = count;
  next_.store(0, std::memory_order_relaxed);
  gate_.store(kOpen, std::memory_order_release);
  // After the gate, so that whoever sees the number finds it open. Sequentially consistent with `sleepers_`: either
  // this thread sees the sleeper or the sleeper sees the number.
  announced_.fetch_add(1);
  if (sleepers_.load() > 0) {
    std::lock_guard<std::mutex> lock(mutex_);
    wake_.notify_all();
  }
  TakeTasks(0);
  gate_.fetch_and(~kOpen, std::memory_order_acq_rel);
  for (int spins = 0; gate_.load(std::memory_order_acquire) != 0; ++spins) {
    if (spins < 4000) {
      Pause();
    } else {
      sched_yield();  // the thread that still works may be waiting for this core
    }
  }
  busy_.store(false, std::memory_order_release);
}

bool ThreadPool::WaitForJob(uint32_t seen) {
  const auto start = std::chrono::steady_clock::now();
  do {
    for (int i = 0; i < 64; ++i) {
      if (announced_.load(std::memory_order_acquire) != seen) return true;
      Pause();
    }
    if (ending_.load(std::memory_order_relaxed)) return false;
  } while (std::chrono::steady_clock::now() - start < kSpin);
  std::unique_lock<std::mutex> lock(mutex_);
  sleepers_.fetch_add(1);
  wake_.wait(lock, [&] { return announced_.load() != seen || ending_.load(); });
  sleepers_.fetch_sub(1);
  return !ending_.load();
}

void ThreadPool::ThreadMain(int worker) {
  uint32_t seen = 0;
  while (WaitForJob(seen)) {
    seen = announced_.load(std::memory_order_acquire);
    uint32_t gate = gate_.load(std::memory_order_relaxed);
    while ((gate & kOpen) != 0 && !gate_.compare_exchange_weak(gate, gate + 1, std::memory_order_acquire)) {
    }
    if ((gate & kOpen) == 0) continue;
    TakeTasks(worker);
    gate_.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace tenferro
