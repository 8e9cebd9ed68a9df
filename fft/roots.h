#ifndef TENFERRO_FFT_ROOTS_H_
#define TENFERRO_FFT_ROOTS_H_

#include <cstdint>
#include <vector>

namespace tenferro::fft {

// The roots of unity e^(−2πi·k/n), as near to exact as the widest float: of an angle reduced to an eighth of a turn, or
// for large n the product of two such.
class Roots {
 public:
  struct Root {
    long double re, im;
  };

  explicit Roots(int64_t n);

  // Any k >= 0.
  Root operator[](int64_t k) const;

 private:
  int64_t n_, step_;
  std::vector<Root> coarse_, fine_;  // of multiples of step_, and of 0 … step_ − 1
};

}  // namespace tenferro::fft

#endif  // TENFERRO_FFT_ROOTS_H_
