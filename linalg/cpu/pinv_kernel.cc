// The engine's kernel of solutions by a pseudoinverse.
#include <algorithm>
#include <complex>
#include <limits>

#include "tenferro/cpu/gemm/gemm.h"
#include "tenferro/linalg/cpu/factor_kernel.h"
#include "tenferro/linalg/least_squares.h"

namespace tenferro::linalg::factor {
namespace {

// x = V·S⁺·(Uᴴ·b), or U·S⁺·(Vᴴ·b).
template <class T>
class PinvSolveKernel final : public FactorKernel {
 public:
  explicit PinvSolveKernel(const KernelRequest& request)
      : FactorKernel(request, 0, 2 * Volume(request.inputs[0], request.inputs[4].shape.extent(1))),
        attributes_(Decode<PinvSolveAttributes>(request.attributes)),
        k_(std::min(m_, n_)),
        right_sides_(request.inputs[4].shape.extent(1)) {
    if (attributes_.tolerance < 0) {
      attributes_.tolerance = static_cast<double>(std::max(m_, n_)) * std::numeric_limits<RealOf<T>>::epsilon();
    }
  }
  int64_t scratch_bytes() const override {
    GemmArgs largest = {};
    largest.dtype = static_cast<uint8_t>(kDTypeOf<T>);
    largest.c_rows.extent = largest.c_cols.extent = largest.a_cols.extent = std::max({m_, n_, right_sides_});
    return CutBytes<T>(k_ * right_sides_) + GemmWorkspaceBytes(isa_, largest);
  }
  Ending One(const MatrixArguments& matrix) const override {
    const T* const u = matrix.Input<T>(1, m_ * k_);
    const RealOf<T>* const s = matrix.Input<RealOf<T>>(2, k_);
    const T* const vh = matrix.Input<T>(3, k_ * n_);
    const int64_t b_rows = attributes_.adjoint ? n_ : m_, x_rows = attributes_.adjoint ? m_ : n_;
    const T* const b = matrix.Input<T>(4, b_rows * right_sides_);
    T* const x = matrix.Output<T>(0, x_rows * right_sides_);
    RealOf<T> defect = 0;
    for (int64_t j = 0; j < b_rows * right_sides_; ++j) {
      defect += (std::real(b[j]) - std::real(b[j])) + (std::imag(b[j]) - std::imag(b[j]));
    }
    if (!(defect == 0)) return {Outcome::kNotFinite, 1};
    Memory memory = matrix.memory;
    T* const middle = Cut<T>(memory, k_ * right_sides_);
    const GemmAxis k_axis = {k_, 1, nullptr};
    // Uᴴ·b or Vᴴ·b: the first factor's rows are u's columns or vh's rows.
    GemmArgs first = {};
    first.dtype = static_cast<uint8_t>(kDTypeOf<T>);
    GemmArgs second = first;
    const GemmAxis u_columns = {k_, m_, nullptr}, u_rows = {m_, 1, nullptr}, vh_rows = {k_, 1, nullptr},
                   vh_columns = {n_, k_, nullptr};
    first.a = attributes_.adjoint ? vh : u;
    first.conjugate_a = !attributes_.adjoint;
    first.a_rows = attributes_.adjoint ? vh_rows : u_columns;
    first.a_cols = attributes_.adjoint ? vh_columns : u_rows;
    first.b = b;
    first.b_rows = {b_rows, 1, nullptr};
    first.b_cols = {right_sides_, b_rows, nullptr};
    first.c = middle;
    first.c_rows = k_axis;
    first.c_cols = {right_sides_, k_, nullptr};
    GemmBlock(isa_, first, 0, k_, 0, right_sides_, memory.data);
    for (int64_t l = 0; l < k_; ++l) {
      const bool counts = s[l] > attributes_.tolerance * s[0];
      for (int64_t j = 0; j < right_sides_; ++j) {
        T& y = middle[l + j * k_];
        y = counts ? y / s[l] : T(0);
      }
    }
    second.a = attributes_.adjoint ? u : vh;
    second.conjugate_a = !attributes_.adjoint;
    second.a_rows = attributes_.adjoint ? u_rows : vh_columns;
    second.a_cols = attributes_.adjoint ? u_columns : vh_rows;
    second.b = middle;
    second.b_rows = k_axis;
    second.b_cols = {right_sides_, k_, nullptr};
    second.c = x;
    second.c_rows = {x_rows, 1, nullptr};
    second.c_cols = {right_sides_, x_rows, nullptr};
    GemmBlock(isa_, second, 0, x_rows, 0, right_sides_, memory.data);
    return {Outcome::kOk, 0};
  }

 private:
  PinvSolveAttributes attributes_;
  int64_t k_, right_sides_;
};

constexpr KernelRow kRows[] = {
    TENFERRO_KERNEL_ROW(kPinvSolve, Make, PinvSolveKernel),
};

}  // namespace

std::unique_ptr<Kernel> MakePinvKernel(DType dtype, const KernelRequest& request) {
  return MakeFromRows(kRows, dtype, request);
}

}  // namespace tenferro::linalg::factor
