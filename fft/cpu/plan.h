#ifndef TENFERRO_FFT_CPU_PLAN_H_
#define TENFERRO_FFT_CPU_PLAN_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "tenferro/fft/cpu/plan_tables.h"
#include "tenferro/fft/roots.h"

namespace tenferro::fft {

// How complex transforms of one length are done on vectors of a number of lanes. A plan depends on these alone, never
// on how many lines there are, so that a line has the same bits by itself and among others.
template <class T>
class Plan {
 public:
  enum class Kind {
    kSmooth,     // passes over small radices
    kSixStep,    // two smooth transforms over a matrix: for lines that the second-level cache does not hold
    kBluestein,  // a convolution by transforms of another length: for large prime factors
  };

  // False where there is not the memory for a plan's tables.
  static bool FitsInMemory(int64_t n);
  // From the plans that the process keeps, or built.
  static std::shared_ptr<const Plan> Get(int64_t n, int64_t lanes);

  Kind kind() const { return kind_; }
  int64_t n() const { return n_; }
  const SmoothPlan<T>& smooth() const { return smooth_; }
  const SixStepPlan<T>& six_step() const { return six_step_; }

  // Of Bluestein's: the transform of length inner().n() >= 2n − 1; c_j = e^(−πi·j²/n) as n pairs; the transform of conj
  // c laid round the circle, divided by its length.
  const Plan& inner() const { return *inner_; }
  const T* chirp() const { return chirp_; }
  const T* spectrum() const { return spectrum_; }

  Plan(int64_t n, int64_t lanes);
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

 private:
  struct Free {
    void operator()(T* memory) const;
  };

  void BuildSmooth(int64_t n, int64_t lanes, SmoothPlan<T>& plan);
  void BuildPass(const Roots& roots, int64_t n, Pass<T>& pass);
  void BuildSixStep(int64_t lanes);
  void BuildBluestein(int64_t lanes);
  // A table of this many numbers, aligned to 64 bytes.
  T* Table(int64_t scalars);

  int64_t n_;
  Kind kind_;
  SmoothPlan<T> smooth_;
  SixStepPlan<T> six_step_;
  std::shared_ptr<const Plan> inner_;
  T* chirp_ = nullptr;
  T* spectrum_ = nullptr;
  std::vector<std::unique_ptr<T[], Free>> tables_;
  int64_t bytes_ = 0;  // of the tables
};

// e^(−2πi·k/n) for k <= n/4, as pairs: what a real line of even length n is finished with.
template <class T>
std::vector<T> RootsOfHalfLine(int64_t n);

extern template class Plan<float>;
extern template class Plan<double>;

}  // namespace tenferro::fft

#endif  // TENFERRO_FFT_CPU_PLAN_H_
