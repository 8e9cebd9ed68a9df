#ifndef TENFERRO_LINALG_CPU_FACTOR_KERNEL_H_
#define TENFERRO_LINALG_CPU_FACTOR_KERNEL_H_

#include <algorithm>
#include <complex>
#include <cstdint>
#include <memory>

#include "tenferro/cpu/alignment.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/linalg/cpu/factor/batch_ending.h"
#include "tenferro/linalg/cpu/factor/kernels.h"
#include "tenferro/linalg/cpu/matrix_batch.h"

// What the engine's kernels of the triangular factorisations share.
namespace tenferro::linalg::factor {

// Bytes that Cut takes.
template <class T>
int64_t CutBytes(int64_t count) {
  return Aligned(count * int64_t{sizeof(T)});
}
// The next `count` elements of lent memory, which begins behind them then.
template <class T>
T* Cut(Memory& memory, int64_t count) {
  const int64_t bytes = CutBytes<T>(count);
  T* const piece = static_cast<T*>(memory.data);
  memory = {static_cast<char*>(memory.data) + bytes, memory.bytes - bytes};
  return piece;
}

// A kernel that does the matrices of a batch one by one, with the memory that a worker has to itself.
class FactorKernel : public Kernel {
 public:
  // An estimate of one matrix' time, which a batch is cut by: never by the number of threads.
  FactorKernel(const KernelRequest& request, int matrix, double multiplications)
      : isa_(request.isa), multiplications_(multiplications) {
    const Shape& a = request.inputs[static_cast<size_t>(matrix)].shape;
    m_ = a.extent(0);
    n_ = a.extent(1);
    for (int i = 2; i < a.rank(); ++i) batch_ *= a.extent(i);
    nanoseconds_ = 500 + multiplications / 10;
  }

  double one_thread_nanoseconds() const override { return batch_ == 1 ? nanoseconds_ : 0; }
  double flops() const override { return 2 * multiplications_ * static_cast<double>(batch_); }
  absl::Status Run(const KernelArguments& arguments) const override {
    constexpr double kTask = 30000;
    const int64_t together = std::max<int64_t>(1, static_cast<int64_t>(kTask / nanoseconds_));
    const int64_t tasks = (batch_ + together - 1) / together;
    BatchEnding ending;
    const auto run = [&](int64_t task, int worker) {
      const Memory memory = {arguments.WorkspaceOf(worker), worker_workspace_bytes()};
      for (int64_t i = task * together; i < std::min(batch_, (task + 1) * together); ++i) {
        ending.Set(One(arguments, i, memory), i);
      }
    };
    if (tasks == 1) {
      run(0, 0);
    } else {
      arguments.workers.ForEachWorker(tasks, run);
    }
    return ending.status(batch_);
  }

 protected:
  virtual Ending One(const KernelArguments& arguments, int64_t i, Memory memory) const = 0;

  Isa isa_;
  int64_t m_, n_;
  int64_t batch_ = 1;

 private:
  double multiplications_;
  double nanoseconds_;
};

// The kernel of the request's record for elements of type T, null where it is none of the group: factors by elimination
// and what is solved with them; by reflections; pseudoinverses.
template <class T>
std::unique_ptr<Kernel> MakeEliminationKernel(const KernelRequest& request);
template <class T>
std::unique_ptr<Kernel> MakeReflectionKernel(const KernelRequest& request);
template <class T>
std::unique_ptr<Kernel> MakePinvKernel(const KernelRequest& request);

}  // namespace tenferro::linalg::factor

#endif  // TENFERRO_LINALG_CPU_FACTOR_KERNEL_H_
