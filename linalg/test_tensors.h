#ifndef TENFERRO_LINALG_TEST_TENSORS_H_
#define TENFERRO_LINALG_TEST_TENSORS_H_

#include <complex>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "tenferro/tensor/tensor.h"

// Tensors that the tests of linear algebra begin with.
namespace tenferro::linalg {

// Of the numbers, or for a real dtype their real parts.
inline Tensor FromNumbers(DType dtype, const Shape& shape, const std::vector<std::complex<double>>& numbers) {
  const auto make = [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> values;
    for (const std::complex<double>& x : numbers) {
      if constexpr (std::is_floating_point_v<T>) {
        values.push_back(static_cast<T>(x.real()));
      } else {
        values.push_back(T(x));
      }
    }
    return *Tensor::FromColMajor<T>(shape, values);
  };
  switch (dtype) {
    case DType::kF32: return make(float{});
    case DType::kF64: return make(double{});
    case DType::kC64: return make(std::complex<float>{});
    default: return make(std::complex<double>{});
  }
}

// Of the numbers entry(i, j, b) in row i and column j of matrix b of a batch.
template <class Entry>
Tensor FromEntries(DType dtype, const Shape& shape, Entry entry) {
  const int64_t m = shape.rank() > 0 ? shape.extent(0) : 1, n = shape.rank() > 1 ? shape.extent(1) : 1;
  std::vector<std::complex<double>> numbers;
  for (int64_t p = 0; p < shape.size(); ++p) {
    numbers.push_back(
        entry(static_cast<double>(p % m), static_cast<double>(p / m % n), static_cast<double>(p / (m * n))));
  }
  return FromNumbers(dtype, shape, numbers);
}

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_TEST_TENSORS_H_
