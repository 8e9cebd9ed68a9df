#ifndef TENFERRO_RUNTIME_VALUE_TYPE_H_
#define TENFERRO_RUNTIME_VALUE_TYPE_H_

#include <string>

#include "tenferro/tensor/dtype.h"
#include "tenferro/tensor/shape.h"

namespace tenferro {

// Dtype and shape of one value of a graph.
struct ValueType {
  DType dtype = DType::kF64;
  Shape shape;

  std::string ToString() const;  // "f64[2,3]"
  friend bool operator==(const ValueType& a, const ValueType& b) { return a.dtype == b.dtype && a.shape == b.shape; }
};

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_VALUE_TYPE_H_
