#ifndef TENFERRO_CPU_SHARE_WORK_H_
#define TENFERRO_CPU_SHARE_WORK_H_

#include <algorithm>
#include <cstdint>

#include "tenferro/cpu/cost.h"
#include "tenferro/cpu/kernel.h"

namespace tenferro {

// Work that takes `nanoseconds` on one thread, shared by the workers where that is worth it. How it is cut does not
// depend on their number.

inline bool IsWorthSharing(const Workers& workers, double nanoseconds) {
  return workers.width() > 1 && nanoseconds >= (workers.awake() ? kShareNanoseconds : kForkNanoseconds);
}

// Runs task(i, worker) for 0 <= i < tasks.
template <class Task>
void ForEachTask(const Workers& workers, int64_t tasks, double nanoseconds, const Task& task) {
  if (tasks < 2 || !IsWorthSharing(workers, nanoseconds)) {
    for (int64_t i = 0; i < tasks; ++i) task(i, 0);
  } else {
    workers.ForEachWorker(tasks, task);
  }
}

// The same for tasks so short that a thread had better take several: task(begin, end, worker) for parts of 0 … count.
template <class Task>
void ForEachRange(const Workers& workers, int64_t count, double nanoseconds, const Task& task) {
  if (count < 2 || !IsWorthSharing(workers, nanoseconds)) return task(0, count, 0);
  const int64_t pieces = std::min(count, static_cast<int64_t>(nanoseconds / kTaskNanoseconds) + 1);
  const int64_t each = (count + pieces - 1) / pieces;
  workers.ForEachWorker((count + each - 1) / each, [&](int64_t piece, int worker) {
    task(piece * each, std::min(count, (piece + 1) * each), worker);
  });
}

}  // namespace tenferro

#endif  // TENFERRO_CPU_SHARE_WORK_H_
