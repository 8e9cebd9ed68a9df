// Starts a program many times, one after the other, its output thrown away: prints the least and the median time from
// start to end in microseconds, and the largest resident memory in KiB. A program of its own, since a process inherits
// the resident memory of the one that starts it, which a benchmark has much of and this one little.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

extern char** environ;

int main(int argc, char** argv) {
  const int count = argc < 3 ? 0 : std::atoi(argv[1]);
  if (count < 1) {
    std::fputs("usage: spawn COUNT PROGRAM [ARGUMENT...]\n", stderr);
    return 2;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  std::vector<double> times;
  long resident = 0;
  for (int i = 0; i < count; ++i) {
    const auto start = std::chrono::steady_clock::now();
    pid_t child;
    if (posix_spawn(&child, argv[2], &actions, nullptr, argv + 2, environ) != 0) {
      std::fprintf(stderr, "cannot run %s\n", argv[2]);
      return 1;
    }
    int status;
    rusage usage;
    if (wait4(child, &status, 0, &usage) != child || status != 0) {
      std::fprintf(stderr, "%s failed\n", argv[2]);
      return 1;
    }
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    resident = std::max(resident, usage.ru_maxrss);
  }
  std::sort(times.begin(), times.end());
  std::printf("%.1f %.1f %ld\n", times.front(), times[times.size() / 2], resident);
}
