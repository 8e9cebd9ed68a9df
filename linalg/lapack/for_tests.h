#ifndef TENFERRO_LINALG_LAPACK_FOR_TESTS_H_
#define TENFERRO_LINALG_LAPACK_FOR_TESTS_H_

#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/linalg/factor_slots.h"
#include "tenferro/linalg/slots.h"
#include "tenferro/linalg/spectral_slots.h"
#include "tenferro/linalg/test_tensors.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/tensor/status.h"

namespace tenferro::linalg::lapack {

// While it lives, programs are prepared with the kernels of "//linalg:cpu" alone.
class WithoutLapack {
 public:
  WithoutLapack() {
    for (int i = 0; i < 3; ++i) {
      kept_[i] = slots_[i]->cpu_first;
      slots_[i]->cpu_first = nullptr;
    }
  }
  ~WithoutLapack() {
    for (int i = 0; i < 3; ++i) slots_[i]->cpu_first = kept_[i];
  }
  WithoutLapack(const WithoutLapack&) = delete;
  WithoutLapack& operator=(const WithoutLapack&) = delete;

 private:
  FamilySlots* const slots_[3] = {&linalg_slots, &factor_slots, &spectral_slots};
  const CpuFamily* kept_[3];
};

inline absl::StatusOr<Prepared> PrepareFunction(const CpuEngine& engine, const TracedFunction& function,
                                                const std::vector<Tensor>& arguments) {
  Graph graph;
  std::vector<Var> inputs;
  for (const Tensor& argument : arguments) inputs.push_back(graph.Input(argument.dtype(), argument.shape()));
  const std::vector<Var> outputs = function(inputs);
  TENFERRO_ASSIGN_OR_RETURN(const Program program, Compile(outputs, inputs));
  return engine.Prepare(program);
}

inline absl::StatusOr<std::vector<Tensor>> RunFunction(const CpuEngine& engine, const TracedFunction& function,
                                                       const std::vector<Tensor>& arguments) {
  TENFERRO_ASSIGN_OR_RETURN(const Prepared prepared, PrepareFunction(engine, function, arguments));
  return prepared.Run(arguments);
}

inline double Epsilon(DType dtype) { return dtype == DType::kF32 || dtype == DType::kC64 ? 0x1p-23 : 0x1p-52; }

inline std::vector<std::complex<double>> Numbers(const Tensor& tensor) {
  std::vector<std::complex<double>> numbers;
  const auto append = [&numbers](const auto& data) {
    for (const auto& x : *data) numbers.emplace_back(x);
  };
  switch (tensor.dtype()) {
    case DType::kF32: append(tensor.Data<float>()); break;
    case DType::kF64: append(tensor.Data<double>()); break;
    case DType::kC64: append(tensor.Data<std::complex<float>>()); break;
    case DType::kC128: append(tensor.Data<std::complex<double>>()); break;
    default: append(tensor.Data<int64_t>());
  }
  return numbers;
}

// Numbers in (−1, 1), other ones for each seed, with `diagonal` added at (i, i).
inline Tensor Random(DType dtype, const Shape& shape, uint64_t seed, double diagonal = 0) {
  uint64_t state = 88172645463325252u + seed * 0x9E3779B97F4A7C15u;
  const auto next = [&state] {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<double>(state >> 11) * 0x1p-52 - 1;
  };
  const int64_t m = shape.extent(0), n = shape.rank() > 1 ? shape.extent(1) : 1;
  std::vector<std::complex<double>> numbers;
  for (int64_t i = 0; i < shape.size(); ++i) {
    const double re = next(), im = next();
    numbers.emplace_back(re + (i % m == i / m % n ? diagonal : 0), im);
  }
  return FromNumbers(dtype, shape, numbers);
}

}  // namespace tenferro::linalg::lapack

#endif  // TENFERRO_LINALG_LAPACK_FOR_TESTS_H_
