#ifndef TENFERRO_TENSOR_DECIMAL_H_
#define TENFERRO_TENSOR_DECIMAL_H_

#include <string>

namespace tenferro {

// The text of a finite number in the pieces that columns are aligned by.
// For example, -12.5 is {"-12", "5", ""} and 1e-07 is {"1", "", "-07"}.
struct DecimalText {
  std::string whole;     // with the sign
  std::string fraction;  // without the point
  std::string exponent;  // sign and at least two digits; empty in positional notation
};

// How many digits follow the point: as many as tell the number from its neighbours of the same precision, but at least
// `least` and at most `most`; where that cuts digits off or adds some, they are those of the exact value, rounded to
// even.
struct FractionDigits {
  int least = 0;
  int most = 1100;
};

// `single`: the number is an f32. `plus`: positive numbers have a sign as well. Trailing zeros of the fraction are
// dropped down to `digits.least`. Cost: microseconds a number.
DecimalText PositionalText(double value, bool single, bool plus, FractionDigits digits);
DecimalText ScientificText(double value, bool single, bool plus, FractionDigits digits);

}  // namespace tenferro

#endif  // TENFERRO_TENSOR_DECIMAL_H_
