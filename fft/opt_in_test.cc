// What a program without "//fft:autodiff" is told.
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tenferro/ad/grad.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/fft/fft.h"
#include "tenferro/fft/records.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"

namespace tenferro::fft {
namespace {

TEST(OptIn, DerivativesNameTheirTarget) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {4});
  const Var y = ReduceSum(Real(Rfft(x, 0)));
  const int line = __LINE__ - 1;
  const std::string wanted = absl::StrCat(
      "opt_in_test.cc:", line, ": fft.real_to_half: has no derivative rule here: add \"//fft:autodiff\" to deps");
  EXPECT_EQ(ad::Grad(y, x).status().message(), wanted);
  EXPECT_EQ(ad::Jvp(y, x, x).status().message(), wanted);
}

}  // namespace
}  // namespace tenferro::fft
