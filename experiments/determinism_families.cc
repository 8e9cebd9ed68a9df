// Determinism of the families beyond the core, and of derivatives and other transformed programs.
#include "tenferro/ad/checkpoint.h"
#include "tenferro/ad/grad.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/einsum/einsum.h"
#include "tenferro/experiments/determinism_cases.h"
#include "tenferro/experiments/small_function.h"
#include "tenferro/fft/fft.h"
#include "tenferro/linalg/cholesky.h"
#include "tenferro/linalg/eig.h"
#include "tenferro/linalg/eigh.h"
#include "tenferro/linalg/least_squares.h"
#include "tenferro/linalg/lu.h"
#include "tenferro/linalg/matrix_function.h"
#include "tenferro/linalg/qr.h"
#include "tenferro/linalg/solve.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/ops/convolution.h"
#include "tenferro/runtime/ops/cumulative.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/indexing.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/sort.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"
#include "tenferro/transforms/vmap.h"

namespace tenferro {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

struct FamilyCase {
  const char* name;
  std::vector<Shape> shapes;  // of the arguments: numbers in [−0.5, 0.5], f64
  TracedFunction function;
};

// Numbers in [−0.5, 0.5) without the pattern that a linear sequence has as a matrix; another part of the sequence for
// each argument.
absl::StatusOr<Tensor> Numbers(const Shape& shape, size_t argument) {
  std::vector<double> data(shape.size());
  for (size_t i = 0; i < data.size(); ++i) {
    const size_t k = i + 1234567 * argument;
    data[i] = static_cast<double>(7919 * k * k % 1000003) / 1000003.0 - 0.5;
  }
  return Tensor::FromColMajor<double>(shape, data);
}

// With 3 more on the diagonals of matrices: none is singular.
Var Regular(const Var& a) {
  return a + BroadcastInDim(EmbedDiag(Full(a, DType::kF64, {a.dim(0)}, 3)), a.shape(), {0, 1});
}
Var Positive(const Var& a) { return Matmul(Regular(a), Transpose(Regular(a))); }
Var Symmetric(const Var& a) { return a + Transpose(a); }

// Numbers as places of an axis of extent `n`, many of them equal.
Var Places(const Var& x, int64_t n) { return Cast((x + 0.5) * static_cast<double>(n - 1), DType::kI64); }

Var Norm(const Var& x) { return ReduceSum(x * x); }

std::vector<FamilyCase> LinalgCases() {
  return {
      {"svd 200x120", {{200, 120}},
       [](In x) -> Out {
         const linalg::SvdResult r = linalg::Svd(x[0]);
         return {r.u, r.s, r.vh};
       }},
      {"svd of 300 matrices 12x8", {{12, 8, 300}},
       [](In x) -> Out {
         const linalg::SvdResult r = linalg::Svd(x[0]);
         return {r.u, r.s, r.vh};
       }},
      {"svd_truncated 160x160", {{160, 160}},
       [](In x) -> Out {
         const linalg::SvdResult r = linalg::SvdTruncated(x[0], 16);
         return {r.u, r.s, r.vh};
       }},
      {"split_svd 160x160", {{160, 160}},
       [](In x) -> Out {
         const linalg::SplitResult r = linalg::SplitSvd(x[0], 16);
         return {r.left, r.right};
       }},
      {"four svds side by side", {{90, 90}, {90, 90}, {90, 90}, {90, 90}},
       [](In x) -> Out {
         return {linalg::Svd(x[0]).s, linalg::Svd(x[1]).u, linalg::Svd(x[2]).vh, linalg::Svd(x[3]).s};
       }},
      {"eigh 150", {{150, 150}},
       [](In x) -> Out {
         const linalg::EighResult r = linalg::Eigh(Symmetric(x[0]));
         return {r.values, r.vectors};
       }},
      {"eig 60", {{60, 60}},
       [](In x) -> Out {
         const linalg::EigResult r = linalg::Eig(x[0]);
         return {r.values, r.vectors};
       }},
      {"qr 300x150", {{300, 150}},
       [](In x) -> Out {
         const linalg::QrResult r = linalg::Qr(x[0]);
         return {r.q, r.r};
       }},
      {"lu 200", {{200, 200}},
       [](In x) -> Out {
         const linalg::LuResult r = linalg::Lu(x[0]);
         return {r.l, r.u, r.permutation};
       }},
      {"cholesky 200", {{200, 200}}, [](In x) -> Out { return {linalg::Cholesky(Positive(x[0]))}; }},
      {"solve 200, 200 sides", {{200, 200}, {200, 200}},
       [](In x) -> Out { return {linalg::Solve(Regular(x[0]), x[1])}; }},
      {"solve 500 matrices 8x8", {{8, 8, 500}, {8, 3, 500}},
       [](In x) -> Out { return {linalg::Solve(Regular(x[0]), x[1])}; }},
      {"lstsq 200x80", {{200, 80}, {200, 10}}, [](In x) -> Out { return {linalg::Lstsq(x[0], x[1])}; }},
      {"expm 80", {{80, 80}}, [](In x) -> Out { return {linalg::Expm(x[0])}; }},
  };
}

std::vector<FamilyCase> TransformAndContractionCases() {
  const Shape t = {16, 16, 16};
  return {
      {"fft 2^17", {{1 << 17}, {1 << 17}}, [](In x) -> Out { return {fft::Fft(MakeComplex(x[0], x[1]), 0)}; }},
      {"fft of a prime length", {{20011}}, [](In x) -> Out { return {fft::Fft(x[0], 0)}; }},
      {"fft2 300x256", {{300, 256}, {300, 256}},
       [](In x) -> Out {
         return {fft::Fft2(MakeComplex(x[0], x[1]), {0, 1})};
       }},
      {"rfft and back", {{1000, 200}},
       [](In x) -> Out {
         const Var half = fft::Rfft(x[0], 0);
         return {half, fft::Irfft(half * half, 0)};
       }},
      {"einsum five tensors", {t, t, t, t, t}, [](In x) -> Out { return {Einsum("abc,cde,efg,bdh,fhi->agi", x)}; }},
      {"einsum plaquette", {t, t, t, t}, [](In x) -> Out { return {Einsum("icb,jec,aep,baq->ijpq", x)}; }},
      {"einsum of batches", {{40, 50, 30}, {50, 60, 30}},
       [](In x) -> Out { return {Einsum("ijb,jkb->ikb", x), Einsum("ijb,jkb->bik", x)}; }},
      {"matmul 257 odd", {{257, 301}, {301, 259}}, [](In x) -> Out { return {Matmul(x[0], x[1])}; }},
      {"conv2d", {{60, 50, 8, 6}, {5, 3, 8, 16}},
       [](In x) -> Out {
         return {Conv2d(x[0], x[1]), Conv2d(x[0], x[1], {.strides = {2, 3}, .padding = ConvPadding::kSame})};
       }},
  };
}

std::vector<FamilyCase> IndexingCases() {
  return {
      {"sort", {{300000}, {500, 400}},
       [](In x) -> Out {
         return {Sort(x[0], 0), Sort(x[1], 0), Sort(x[1], 1, true)};
       }},
      {"argsort and top_k", {{200000}, {500, 400}},
       [](In x) -> Out {
         const TopKResult top = TopK(x[0], 1000, 0);
         return {ArgSort(x[0], 0), ArgSort(x[1], 1), top.values, top.indices, ArgMax(x[1], 0), ArgMin(x[1], 1)};
       }},
      {"cumulative", {{300000}, {500, 400}},
       [](In x) -> Out {
         return {CumSum(x[0], 0), CumSum(x[1], 0), CumSum(x[1], 1, true), CumProd(x[1] + 1, 0), CumMax(x[1], 1),
                 CumMin(x[1], 0), CumLogSumExp(x[1], 0), LinearRecurrence(x[1], x[1] + 1, 1)};
       }},
      {"index_select", {{400, 500}, {700}},
       [](In x) -> Out {
         return {IndexSelect(x[0], Places(x[1], 400), 0), IndexSelect(x[0], Places(x[1], 500), 1)};
       }},
      {"take_along_axis", {{300000}, {200000}},
       [](In x) -> Out { return {TakeAlongAxis(x[0], Places(x[1], 300000), 0)}; }},
      {"put_along_axis", {{1000}, {200000}, {200000}},
       [](In x) -> Out { return {PutAlongAxis(x[0], Places(x[1], 1000), x[2], 0)}; }},
      {"scatter-add, equal places", {{1000}, {200000}, {200000}},
       [](In x) -> Out {
         const ScatterAttributes elements = {.update_window_dims = {},
                                             .inserted_window_dims = {0},
                                             .input_batching_dims = {},
                                             .scatter_indices_batching_dims = {},
                                             .scatter_dims_to_operand_dims = {0},
                                             .index_vector_dim = 1};
         return {Scatter(x[0], Places(x[1], 1000), x[2], ScatterKind::kAdd, elements)};
       }},
      {"dynamic slices", {{400, 500}, {2}, {100, 90}},
       [](In x) -> Out {
         const Var starts = Places(x[1], 200);
         return {DynamicSlice(x[0], starts, {300, 310}), DynamicUpdateSlice(x[0], x[2], starts)};
       }},
  };
}

std::vector<FamilyCase> DerivativeCases() {
  const auto network = [](In x) -> Out {
    Var h = x[0];
    for (int layer = 0; layer < 4; ++layer) h = Tanh(Matmul(x[1], h));
    return {Norm(h)};
  };
  return {
      {"grad, jvp, hvp of a million", {{1000000}, {1000000}},
       [](In x) -> Out {
         return {SmallFunctionGrad(x[0]), SmallFunctionJvp(x[0], x[1]), SmallFunctionHvp(x[0], x[1])};
       }},
      {"grad of einsum", {{30, 40, 20}, {20, 40, 50}},
       [](In x) -> Out { return ad::Grad(Norm(Einsum("abc,cbd->ad", x)), x); }},
      {"hvp of a network", {{100, 80}, {100, 100}, {100, 100}},
       [network](In x) -> Out { return {ad::Hvp(network(x)[0], x[1], x[2])}; }},
      {"grad of a checkpointed network", {{100, 80}, {100, 100}},
       [network](In x) -> Out { return ad::Grad(ad::Checkpoint(x, network)[0], x); }},
      {"grad of svd, eigh and solve", {{60, 60}, {60, 60}},
       [](In x) -> Out {
         const linalg::SvdResult svd = linalg::Svd(x[0]);
         const linalg::EighResult eigh = linalg::Eigh(Symmetric(x[1]));
         const Var loss = ReduceSum(svd.s) + Norm(Matmul(svd.u, svd.vh) * x[1]) +
                          Norm(Matmul(eigh.vectors * Exp(eigh.vectors), x[0])) +
                          Norm(linalg::Solve(Regular(x[0]), x[1]));
         return ad::Grad(loss, x);
       }},
      {"grad of fft and convolution", {{64, 64, 3, 4}, {5, 5, 3, 8}},
       [](In x) -> Out {
         const Var spectrum = fft::Rfft(x[0], 0);
         return ad::Grad(Norm(Abs(spectrum)) + Norm(Conv2d(x[0], x[1])), x);
       }},
      {"grad of sort, cumsum and gather", {{200000}, {100000}},
       [](In x) -> Out {
         const Var taken = TakeAlongAxis(x[0], Places(x[1], 200000), 0);
         return {ad::Grad(Norm(Sort(x[0], 0)) + Norm(CumSum(x[0], 0)) + Norm(taken), x[0])};
       }},
      {"vmap of matmul, tanh and svd", {{20, 20, 100}, {20, 20}},
       [](In x) -> Out {
         const auto each = [w = x[1]](In a) -> Out { return {Tanh(Matmul(w, a[0])), linalg::Svd(a[0]).s}; };
         return Vmap(each, {x[0]}, {.out_axes = {-1, -1}});
       }},
      {"vmap of a gradient", {{30, 200}, {30, 30}},
       [](In x) -> Out {
         const auto each = [w = x[1]](In a) -> Out {
           return {ad::Grad(Norm(Sin(Matmul(w, Reshape(a[0], {30, 1})))), a[0])};
         };
         return Vmap(each, {x[0]});
       }},
  };
}

}  // namespace

absl::Status AddFamilyCases(std::vector<DeterminismCase>& cases) {
  for (std::vector<FamilyCase> (*family)() :
       {LinalgCases, TransformAndContractionCases, IndexingCases, DerivativeCases}) {
    for (const FamilyCase& c : family()) {
      std::vector<Tensor> arguments;
      for (const Shape& shape : c.shapes) {
        TENFERRO_ASSIGN_OR_RETURN(Tensor numbers, Numbers(shape, arguments.size()));
        arguments.push_back(std::move(numbers));
      }
      TENFERRO_ASSIGN_OR_RETURN(DeterminismCase made, MakeDeterminismCase(c.name, arguments, c.function));
      cases.push_back(std::move(made));
    }
  }
  return absl::OkStatus();
}

}  // namespace tenferro
