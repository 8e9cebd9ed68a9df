#ifndef TENFERRO_EXPERIMENTS_PROGRESS_H_
#define TENFERRO_EXPERIMENTS_PROGRESS_H_

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

namespace tenferro {

// A bar on stderr that fills up to `total` steps; silent where stderr is no terminal, gone when it is destroyed.
class Progress {
 public:
  Progress(std::string label, int64_t total)
      : label_(std::move(label)), total_(total), visible_(total > 0 && isatty(STDERR_FILENO)) {
    Draw();
  }
  ~Progress() {
    if (visible_) std::fputs("\r\x1b[K", stderr);
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Advance() {
    ++done_;
    Draw();
  }

 private:
  void Draw() const {
    if (!visible_) return;
    constexpr int64_t kWidth = 40;
    const int64_t filled = kWidth * done_ / total_;
    std::fprintf(stderr, "\r%s [%s%s] %lld/%lld", label_.c_str(), std::string(filled, '#').c_str(),
                 std::string(kWidth - filled, ' ').c_str(), static_cast<long long>(done_),
                 static_cast<long long>(total_));
  }

  std::string label_;
  int64_t total_;
  bool visible_;
  int64_t done_ = 0;
};

}  // namespace tenferro

#endif  // TENFERRO_EXPERIMENTS_PROGRESS_H_
