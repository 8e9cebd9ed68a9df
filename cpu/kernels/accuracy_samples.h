#ifndef TENFERRO_CPU_KERNELS_ACCURACY_SAMPLES_H_
#define TENFERRO_CPU_KERNELS_ACCURACY_SAMPLES_H_

// Arguments for tests of accuracy.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace tenferro {

struct Interval {
  double low, high;
};

// Where a function is looked at besides everywhere: intervals, of which each gets as many arguments, and points that
// arguments come close to from both sides.
struct Places {
  std::vector<Interval> intervals;
  std::vector<double> points;
};

class Samples {
 public:
  explicit Samples(uint64_t seed) : random_(seed) {}

  double Unit() { return static_cast<double>(random_() >> 11) / 0x1p53; }

  // Any finite number: every exponent, denormals too, is as likely as another.
  template <class T>
  T Anywhere() {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    const T x = std::bit_cast<T>(static_cast<Bits>(random_()));
    return std::isfinite(x) ? x : T{1};
  }

  template <class T>
  T In(const Places& places) {
    const size_t which = random_() % (places.intervals.size() + (places.points.empty() ? 0 : 1));
    if (which < places.intervals.size()) {
      const Interval& interval = places.intervals[which];
      return static_cast<T>(interval.low + (interval.high - interval.low) * Unit());
    }
    const double point = places.points[random_() % places.points.size()];
    const double distance = std::exp2(-50 * Unit()) * (1 + std::abs(point)) / 2;
    return static_cast<T>(random_() % 2 ? point + distance : point - distance);
  }

  uint64_t Bits() { return random_(); }

 private:
  std::mt19937_64 random_;
};

template <class T>
std::vector<T> SpecialArguments() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {0,
                           1,
                           2,
                           3,
                           0.5,
                           Limits::min(),
                           Limits::max(),
                           Limits::denorm_min(),
                           Limits::epsilon(),
                           std::nextafter(T{1}, T{0}),
                           std::nextafter(T{1}, T{2}),
                           Limits::infinity(),
                           Limits::quiet_NaN()};
  const size_t count = values.size();
  for (size_t i = 0; i < count; ++i) values.push_back(-values[i]);
  return values;
}

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_ACCURACY_SAMPLES_H_
