#ifndef TENFERRO_LINALG_CPU_BATCH_KERNEL_H_
#define TENFERRO_LINALG_CPU_BATCH_KERNEL_H_

#include <algorithm>
#include <complex>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/linalg/cpu/outcome.h"
#include "tenferro/linalg/cpu/scratch.h"

// What the engine's kernels share that do the matrices of a batch one by one.
namespace tenferro::linalg {

// The operands, results and scratch memory of one matrix, of operands and results with `size` elements for each.
struct MatrixArguments {
  const KernelArguments& arguments;
  int64_t index;
  Memory memory;

  template <class T>
  const T* Input(int operand, int64_t size) const {
    return static_cast<const T*>(arguments.inputs[static_cast<size_t>(operand)]) + index * size;
  }
  template <class T>
  T* Output(int output, int64_t size) const {
    return static_cast<T*>(arguments.outputs[static_cast<size_t>(output)]) + index * size;
  }
  // The scratch memory from byte `place` on.
  template <class T>
  T* At(int64_t place) const {
    return reinterpret_cast<T*>(static_cast<char*>(memory.data) + place);
  }
};

// A kernel of one matrix after another, on all threads where that is worth waking them.
class BatchKernel : public Kernel {
 public:
  // Matrices [m, n, batch…] of operand `matrix`, each of which takes about `nanoseconds`: a batch is cut by that, never
  // by the number of threads.
  BatchKernel(const KernelRequest& request, int matrix, double nanoseconds);

  int64_t workspace_bytes() const final { return batch_ == 1 ? scratch_bytes() : 0; }
  int64_t worker_workspace_bytes() const final { return batch_ == 1 ? 0 : scratch_bytes(); }
  double one_thread_nanoseconds() const final { return batch_ == 1 ? nanoseconds_ : 0; }
  // The error is that of the first matrix in the batch that has one, whichever thread met it first.
  absl::Status Run(const KernelArguments& arguments) const final;

 protected:
  // Of one matrix.
  virtual int64_t scratch_bytes() const { return 0; }
  virtual Ending One(const MatrixArguments& matrix) const = 0;
  // What the error of a matrix says beyond its kind and place.
  virtual std::string Details(const MatrixArguments& /*matrix*/, Outcome /*outcome*/) const { return {}; }

  Isa isa_;
  int64_t m_, n_;
  int64_t batch_ = 1;

 private:
  double nanoseconds_;
};

// m·n·k multiplications.
inline double Volume(const ValueType& a, int64_t k) {
  return static_cast<double>(a.shape.extent(0)) * static_cast<double>(a.shape.extent(1)) * static_cast<double>(k);
}
inline int64_t Smaller(const ValueType& a) { return std::min(a.shape.extent(0), a.shape.extent(1)); }

// The kernels of a record for each scalar.
struct KernelRow {
  const OpDef* op;
  std::unique_ptr<Kernel> (*make[4])(const KernelRequest& request);  // f32, f64, c64, c128
};

// make<K> for the kernels K of a template whose first argument is the scalar.
#define TENFERRO_KERNEL_ROW(op, make, kernel, ...)                                                     \
  {                                                                                                    \
    &op, {                                                                                             \
      make<kernel<float __VA_OPT__(, ) __VA_ARGS__>>, make<kernel<double __VA_OPT__(, ) __VA_ARGS__>>, \
          make<kernel<std::complex<float> __VA_OPT__(, ) __VA_ARGS__>>,                                \
          make<kernel<std::complex<double> __VA_OPT__(, ) __VA_ARGS__>>                                \
    }                                                                                                  \
  }

template <class K>
std::unique_ptr<Kernel> Make(const KernelRequest& request) {
  return std::make_unique<K>(request);
}

// Where an element type stands in KernelRow::make, -1 where it is no scalar of linear algebra.
int ScalarIndex(DType dtype);
// The kernel of the request's record for elements of type `dtype`, null where there is none.
std::unique_ptr<Kernel> MakeFromRows(absl::Span<const KernelRow> rows, DType dtype, const KernelRequest& request);
// `kernel`, or the error that there is none for `dtype`.
absl::StatusOr<std::unique_ptr<Kernel>> KernelOrError(std::unique_ptr<Kernel> kernel, DType dtype);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_BATCH_KERNEL_H_
