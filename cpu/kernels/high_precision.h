#ifndef TENFERRO_CPU_KERNELS_HIGH_PRECISION_H_
#define TENFERRO_CPU_KERNELS_HIGH_PRECISION_H_

// Numbers of many digits, for tests of accuracy: MPFR's as values.

#include <mpfr.h>

namespace tenferro {

// MPFR's own limits of the exponent are smaller than what exp of a few f64 needs.
inline const bool kWidestExponents = mpfr_set_emin(mpfr_get_emin_min()) == 0 && mpfr_set_emax(mpfr_get_emax_max()) == 0;

// kBits of significand.
template <int kBits>
class HighPrecision {
 public:
  HighPrecision(double x = 0) {  // NOLINT: numbers convert
    mpfr_init2(value_, kBits);
    mpfr_set_d(value_, x, MPFR_RNDN);
  }
  HighPrecision(const HighPrecision& other) {
    mpfr_init2(value_, kBits);
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  HighPrecision& operator=(const HighPrecision& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~HighPrecision() { mpfr_clear(value_); }

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }
  double ToDouble() const { return mpfr_get_d(value_, MPFR_RNDN); }
  // 2^(e−1) <= |x| < 2^e for an x that is neither 0, infinite nor NaN.
  long Exponent() const { return mpfr_get_exp(value_); }
  HighPrecision TimesPowerOfTwo(long exponent) const {
    HighPrecision y;
    mpfr_mul_2si(y.value_, value_, exponent, MPFR_RNDN);
    return y;
  }
  bool IsNaN() const { return mpfr_nan_p(value_) != 0; }
  bool IsInteger() const { return mpfr_integer_p(value_) != 0; }
  bool SignBit() const { return mpfr_signbit(value_) != 0; }
  bool IsZero() const { return mpfr_zero_p(value_) != 0; }

  friend HighPrecision operator+(const HighPrecision& a, const HighPrecision& b) { return Apply(mpfr_add, a, b); }
  friend HighPrecision operator-(const HighPrecision& a, const HighPrecision& b) { return Apply(mpfr_sub, a, b); }
  friend HighPrecision operator*(const HighPrecision& a, const HighPrecision& b) { return Apply(mpfr_mul, a, b); }
  friend HighPrecision operator/(const HighPrecision& a, const HighPrecision& b) { return Apply(mpfr_div, a, b); }
  friend HighPrecision operator-(const HighPrecision& a) { return Apply(mpfr_neg, a); }
  friend bool operator<(const HighPrecision& a, const HighPrecision& b) { return mpfr_less_p(a.value_, b.value_) != 0; }
  friend bool operator==(const HighPrecision& a, const HighPrecision& b) {
    return mpfr_equal_p(a.value_, b.value_) != 0;
  }

  // One of MPFR's functions.
  static HighPrecision Apply(int (*f)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t), const HighPrecision& x) {
    HighPrecision y;
    f(y.value_, x.value_, MPFR_RNDN);
    return y;
  }
  static HighPrecision Apply(int (*f)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t), const HighPrecision& a,
                             const HighPrecision& b) {
    HighPrecision y;
    f(y.value_, a.value_, b.value_, MPFR_RNDN);
    return y;
  }

 private:
  mpfr_t value_;
};

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_HIGH_PRECISION_H_
