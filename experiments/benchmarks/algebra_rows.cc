#include "absl/strings/str_cat.h"
#include "tenferro/einsum/einsum.h"
#include "tenferro/experiments/benchmarks/row.h"
#include "tenferro/fft/fft.h"
#include "tenferro/linalg/cholesky.h"
#include "tenferro/linalg/eigh.h"
#include "tenferro/linalg/qr.h"
#include "tenferro/linalg/solve.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/ops/dot.h"

namespace tenferro {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;
using Values = std::vector<Tensor>;

std::function<Values()> Numbers(DType dtype, const std::vector<Shape>& shapes) {
  return [=] {
    Values values;
    for (size_t i = 0; i < shapes.size(); ++i) {
      values.push_back(NormalNumbers(dtype, shapes[i], static_cast<int>(i)));
    }
    return values;
  };
}

BenchRow MatrixProduct(DType dtype, int64_t n, int width) {
  const double size = static_cast<double>(n);
  return PreparedRow(absl::StrCat("matmul ", Name(dtype), " ", n), width, Numbers(dtype, {{n, n}, {n, n}}),
                     [](In x) -> Out { return {Matmul(x[0], x[1])}; },
                     (IsComplex(dtype) ? 8 : 2) * size * size * size);
}

BenchRow OfMatrix(const std::string& name, int64_t n, int width, const TracedFunction& function) {
  return PreparedRow(absl::StrCat(name, " ", n), width, Numbers(DType::kF64, {{n, n}}), function);
}

Out SvdOf(In x) {
  const linalg::SvdResult result = linalg::Svd(x[0]);
  return {result.u, result.s, result.vh};
}

Out EighOf(In x) {
  const linalg::EighResult result = linalg::Eigh(x[0]);
  return {result.values, result.vectors};
}

Out QrOf(In x) {
  const linalg::QrResult result = linalg::Qr(x[0]);
  return {result.q, result.r};
}

// `diagonal` added to random numbers, which makes a matrix well conditioned or positive definite.
Tensor Dominated(int64_t n, double diagonal, bool symmetric) {
  Tensor tensor = NormalNumbers(DType::kF64, {n, n});
  const absl::Span<double> a = *tensor.MutableData<double>();
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; symmetric && i < j; ++i) a[i + j * n] = a[j + i * n];
    a[j + j * n] += diagonal;
  }
  return tensor;
}

BenchRow SolveRow(int64_t right_sides) {
  return PreparedRow(absl::StrCat("solve 256 rhs ", right_sides), 1,
                     [right_sides] {
                       return Values{Dominated(256, 256, false), NormalNumbers(DType::kF64, {256, right_sides}, 1)};
                     },
                     [](In x) -> Out { return {linalg::Solve(x[0], x[1])}; });
}

BenchRow EinsumRow(const std::string& name, const std::string& subscripts, int operands) {
  const std::vector<Shape> shapes(operands, Shape{16, 16, 16});
  return PreparedRow(name, 1, Numbers(DType::kF64, shapes),
                     [subscripts](In x) -> Out { return {Einsum(subscripts, x)}; },
                     PlanEinsum(subscripts, shapes)->cost.flops);
}

}  // namespace

std::vector<BenchRow> AlgebraRows() {
  const auto line = [](In x) -> Out { return {fft::Fft(x[0], 0)}; };
  return {
      MatrixProduct(DType::kF64, 64, 1),
      MatrixProduct(DType::kF64, 256, 1),
      MatrixProduct(DType::kF64, 256, 2),
      MatrixProduct(DType::kF64, 1024, 1),
      MatrixProduct(DType::kF64, 1024, 2),
      MatrixProduct(DType::kF32, 1024, 1),
      MatrixProduct(DType::kC64, 1024, 1),
      MatrixProduct(DType::kC128, 1024, 1),
      OfMatrix("svd", 64, 1, SvdOf),
      OfMatrix("svd", 256, 1, SvdOf),
      OfMatrix("svd", 256, 2, SvdOf),
      PreparedRow("eigh 256", 1, [] { return Values{Dominated(256, 0, true)}; }, EighOf),
      PreparedRow("eigh 256", 2, [] { return Values{Dominated(256, 0, true)}; }, EighOf),
      OfMatrix("qr", 256, 1, QrOf),
      SolveRow(1),
      SolveRow(256),
      PreparedRow("cholesky 256", 1, [] { return Values{Dominated(256, 256, true)}; },
                  [](In x) -> Out { return {linalg::Cholesky(x[0])}; }),
      EinsumRow("einsum five tensors", "abc,cde,efg,bdh,fhi->agi", 5),
      EinsumRow("einsum trg plaquette", "icb,jec,aep,baq->ijpq", 4),
      PreparedRow("fft c128 4096", 1, Numbers(DType::kC128, {{4096}}), line),
      PreparedRow("fft c128 2^20", 1, Numbers(DType::kC128, {{1 << 20}}), line),
      PreparedRow("rfft f64 2^20", 1, Numbers(DType::kF64, {{1 << 20}}),
                  [](In x) -> Out { return {fft::Rfft(x[0], 0)}; }),
      PreparedRow("fft2 c128 512x512", 1, Numbers(DType::kC128, {{512, 512}}),
                  [](In x) -> Out {
                    return {fft::Fft2(x[0], {0, 1})};
                  }),
  };
}

}  // namespace tenferro
