#include "tenferro/ad/jacobian.h"

#include <complex>

#include "gtest/gtest.h"
#include "tenferro/ad/grad.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

using Complex = std::complex<double>;

template <class T>
std::string Computed(const Var& output, const Var& input, const std::vector<T>& values) {
  const absl::StatusOr<Program> program = Compile({output}, {input});
  if (!program.ok()) return std::string(program.status().message());
  return (*(*CpuEngine::Serial().Prepare(*program)).Run({*Tensor::FromColMajor<T>(input.shape(), values)}))[0]
      .ToString();
}

TEST(Jacobian, OfAVectorFunction) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  // (x0 x1, x2²)
  const Var y = Concatenate({Slice(x, {0}, {1}) * Slice(x, {1}, {2}), Square(Slice(x, {2}, {3}))}, 0);
  const char* expected = "[[2. 1. 0.]\n [0. 0. 6.]]";
  EXPECT_EQ(Computed<double>(ad::Jacfwd(y, x), x, {1, 2, 3}), expected);
  EXPECT_EQ(Computed<double>(ad::Jacrev(y, x), x, {1, 2, 3}), expected);
}

TEST(Jacobian, HasTheOutputsAxesFirst) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2, 3});
  const Var y = Matmul(x, Transpose(x));
  for (const Var& j : {ad::Jacfwd(y, x), ad::Jacrev(y, x)}) {
    ASSERT_TRUE(j.ok()) << j.status();
    EXPECT_EQ(j.type().ToString(), "f64[2,2,2,3]");
  }
  const std::vector<double> at{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(Computed<double>(ad::Jacfwd(y, x), x, at), Computed<double>(ad::Jacrev(y, x), x, at));
}

TEST(Jacobian, OfScalarsAndEmptyTensors) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {});
  EXPECT_EQ(Computed<double>(ad::Jacfwd(x * x, x), x, {3}), "6.0");
  EXPECT_EQ(Computed<double>(ad::Jacrev(x * x, x), x, {3}), "6.0");
  const Var none = graph.Input(DType::kF64, {0});
  EXPECT_EQ(ad::Jacfwd(Sin(none), none).type().ToString(), "f64[0,0]");
  EXPECT_EQ(Computed<double>(ad::Jacrev(Sin(none), none), none, {}), "[]");
}

TEST(Jacobian, Hessian) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2});
  // x0² x1
  const Var a = Slice(x, {0}, {1}), b = Slice(x, {1}, {2});
  const Var loss = ReduceSum(a * a * b);
  EXPECT_EQ(Computed<double>(ad::Hessian(loss, x), x, {3, 5}), "[[10.  6.]\n [ 6.  0.]]");
  EXPECT_EQ(Computed<double>(ad::Jacfwd(ad::Hessian(loss, x), x), x, {3, 5}),
            Computed<double>(ad::Jacrev(ad::Jacrev(ad::Jacrev(loss, x), x), x), x, {3, 5}));
}

TEST(Jacobian, OfComplexFunctions) {
  Graph graph;
  const Var z = graph.Input(DType::kC128, {1});
  const Var y = z * z;
  const std::vector<Complex> at{{1, 2}};
  EXPECT_EQ(Computed<Complex>(ad::Jacfwd(y, z, {.holomorphic = true}), z, at), "[[2.+4.j]]");
  EXPECT_EQ(Computed<Complex>(ad::Jacrev(y, z, {.holomorphic = true}), z, at), "[[2.+4.j]]");
  // A real function: the gradient in the convention of Vjp.
  const Var modulus = ReduceSum(Real(z * Conj(z)));
  EXPECT_EQ(Computed<Complex>(ad::Jacrev(modulus, z), z, at), "[2.+4.j]");
  const Var x = graph.Input(DType::kF64, {1});
  EXPECT_EQ(Computed<double>(ad::Jacfwd(MakeComplex(x, x * x), x), x, {3}), "[[1.+6.j]]");
}

TEST(Jacobian, Mistakes) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const Var z = graph.Input(DType::kC128, {3});
  const auto message = [](const Var& var) { return std::string(var.status().message()); };
  EXPECT_NE(message(ad::Jacfwd(z * z, z)).find(
                "jacfwd: wrt is c128[3]: say that the function is holomorphic, or split it"),
            std::string::npos);
  EXPECT_NE(message(ad::Jacrev(MakeComplex(x, x), x)).find(
                "jacrev: the output is c128[3]: say that the function is holomorphic, or use Jacfwd"),
            std::string::npos);
  EXPECT_NE(message(ad::Jacfwd(x, x, {.holomorphic = true})).find(
                "jacfwd: a holomorphic function takes complex to complex, got f64[3] to f64[3]"),
            std::string::npos);
  EXPECT_NE(message(ad::Jacfwd(x, z)).find("jacfwd: wrt is c128[3]"), std::string::npos);
  EXPECT_NE(message(ad::Jacfwd(Var(), x)).find("jacfwd: the output is an empty Var"), std::string::npos);
  EXPECT_NE(message(ad::Jacrev(x, Var())).find("jacrev: a wrt is an empty Var"), std::string::npos);
  EXPECT_NE(message(ad::Hessian(Sin(x), x)).find("grad: needs a real scalar"), std::string::npos);
}

}  // namespace
}  // namespace tenferro
