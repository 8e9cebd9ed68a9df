#ifndef TENFERRO_RUNTIME_OPS_RANDOM_CONVOLUTION_H_
#define TENFERRO_RUNTIME_OPS_RANDOM_CONVOLUTION_H_

#include <string>

#include "tenferro/runtime/ops/convolution.h"

namespace tenferro {

// A convolution to test with: 0 to 3 spatial axes; strides, dilations and padding of either sign that need not fit one
// another; groups; now and then an empty axis, a window larger than x, no place at all.
struct RandomConvolution {
  Shape x, w;
  ConvAttributes attributes;
  std::string ToString() const;
};
// The same for the same number. `most` bounds the extents.
RandomConvolution MakeRandomConvolution(int number, int most);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_RANDOM_CONVOLUTION_H_
