#ifndef TENFERRO_FFT_CPU_LINES_H_
#define TENFERRO_FFT_CPU_LINES_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "tenferro/cpu/kernel.h"
#include "tenferro/fft/cpu/isa_kernels.h"
#include "tenferro/fft/cpu/plan.h"

namespace tenferro::fft {

enum class LineKind {
  kComplex,     // n numbers to n numbers
  kRealToHalf,  // n real numbers to n/2 + 1 frequencies
  kHalfToReal,  // the other way
};

// Transforms along one axis of a dense tensor: of `before`·`after` lines, where `before` elements of other lines lie
// between two of a line.
struct LinesOptions {
  LineKind kind = LineKind::kComplex;
  int64_t n = 1;
  int64_t before = 1, after = 1;
  bool inverse = false;
  double scale = 1;  // of all numbers
  double inner = 1;  // of the frequencies between the first and the last, of real kinds, in place of `scale`
};

// Ready to run on scalars T any number of times.
template <class T>
class LineTransform {
 public:
  LineTransform(Isa isa, const LinesOptions& options);

  int64_t workspace_bytes() const { return shared_ * static_cast<int64_t>(sizeof(T)); }
  int64_t worker_workspace_bytes() const { return own_ * static_cast<int64_t>(sizeof(T)); }
  // `out` may be `in` of the complex kind.
  void Run(const T* in, T* out, const KernelArguments& arguments) const;

 private:
  enum class Way {
    kOneByOne,  // lines that are contiguous
    kTiles,     // as many as a vector has lanes at a time
    kCopied,    // copied to contiguous ones and back, a few at a time
  };
  // Scratch memory of a line, and the threads if it may use them.
  struct Work {
    T* shared;
    const KernelArguments* arguments;  // null: one thread, which has all its memory in `shared`
  };

  bool real() const { return options_.kind != LineKind::kComplex; }
  bool even() const { return options_.n % 2 == 0; }
  int64_t lines() const { return options_.before * options_.after; }
  int64_t in_scalars() const;  // of a line
  int64_t out_scalars() const;
  int64_t in_parts() const { return options_.kind == LineKind::kRealToHalf ? 1 : 2; }
  int64_t out_parts() const { return options_.kind == LineKind::kHalfToReal ? 1 : 2; }
  HalfLine<T> half() const;
  Direction<T> direction() const;

  void ChooseWay();
  void SizeWorkspaces();
  int64_t FirstOf(int64_t line, int64_t scalars, int64_t parts) const;
  template <class P>
  Lines<P> LinesFrom(P* memory, int64_t first, int64_t scalars, int64_t parts) const;

  void RunTile(int64_t first, const T* in, T* out, T* workspace) const;
  void RunRealTile(int64_t first, const T* in, T* out, T* workspace) const;
  void RunCopied(int64_t first, const T* in, T* out, const Work& work) const;
  void RunOne(const T* in, T* out, const Work& work) const;
  void RunOddLine(const T* in, T* out, const Work& work) const;
  // The complex transform of one contiguous line.
  void RunComplex(const Plan<T>& plan, const T* in, T* out, Direction<T> direction, const Work& work) const;
  void RunSixStep(const SixStepPlan<T>& plan, const T* in, T* out, Direction<T> direction, const Work& work) const;
  void RunBluestein(const Plan<T>& plan, const T* in, T* out, Direction<T> direction, const Work& work) const;

  LinesOptions options_;
  Kernels<T> kernels_;
  std::shared_ptr<const Plan<T>> plan_;  // of n, or n/2 for real lines of even n
  std::vector<T> half_roots_;
  Way way_ = Way::kOneByOne;
  bool long_ = false;  // lines one after the other, each by all threads
  int64_t shared_ = 0, own_ = 0;
};

extern template class LineTransform<float>;
extern template class LineTransform<double>;

}  // namespace tenferro::fft

#endif  // TENFERRO_FFT_CPU_LINES_H_
