#ifndef TENFERRO_TENSOR_ELEMENT_FORMAT_H_
#define TENFERRO_TENSOR_ELEMENT_FORMAT_H_

#include <string>

#include "absl/types/span.h"
#include "tenferro/tensor/decimal.h"
#include "tenferro/tensor/dtype.h"

namespace tenferro {

// The text of one number by itself, as NumPy's str() of a scalar.
std::string ScalarToString(DType dtype, const void* element);

// How NumPy writes the real numbers of one array: all positional or all scientific, at most 8 digits after the point,
// with the points aligned.
class RealFormat {
 public:
  RealFormat(absl::Span<const double> values, bool single, bool plus);
  std::string operator()(double value) const;

 private:
  bool single_;
  bool plus_;
  bool scientific_;
  FractionDigits digits_;
  size_t left_ = 0;   // columns before the point
  size_t right_ = 0;  // columns after it, the exponent included
  size_t exponent_ = 0;
};

// How NumPy writes the elements of one array: all of them as wide as the widest one of those it is made with.
class ElementFormat {
 public:
  ElementFormat(DType dtype, absl::Span<const void* const> elements);
  std::string operator()(const void* element) const;

 private:
  DType dtype_;
  RealFormat real_;
  RealFormat imaginary_;
  size_t width_ = 0;
};

}  // namespace tenferro

#endif  // TENFERRO_TENSOR_ELEMENT_FORMAT_H_
