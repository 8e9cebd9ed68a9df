// conv_general on the CPU against loops over every product.
#include "tenferro/runtime/ops/convolution.h"

#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/cpu/kernels/isa.h"
#include "tenferro/runtime/function.h"
#include "tenferro/runtime/ops/random_convolution.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

// Small whole numbers: every sum is exact, in any order and dtype.
template <class T>
std::vector<T> WholeNumbers(int64_t size, int which) {
  std::vector<T> numbers;
  for (int64_t i = 0; i < size; ++i) {
    const int64_t a = (i * 7 + which * 5) % 9, b = (i * 5 + which) % 4;
    if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
      numbers.push_back({static_cast<typename T::value_type>(a - 4), static_cast<typename T::value_type>(b - 1)});
    } else {
      numbers.push_back(static_cast<T>(std::is_unsigned_v<T> ? a : a - 4));
    }
  }
  return numbers;
}

// Calls f with every index of a shape, the first axis fastest.
template <class F>
void ForEachIndex(const Shape& shape, F f) {
  Ints index(shape.rank(), 0);
  for (int64_t i = 0; i < shape.size(); ++i) {
    f(index);
    for (int axis = 0; axis < shape.rank() && ++index[axis] == shape.extent(axis); ++axis) index[axis] = 0;
  }
}

int64_t Offset(const Shape& shape, const Ints& index) {
  int64_t offset = 0;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) offset = offset * shape.extent(axis) + index[axis];
  return offset;
}

template <class T>
std::vector<T> ByLoops(const RandomConvolution& c, const Shape& out, const std::vector<T>& x, const std::vector<T>& w) {
  const int spatial = out.rank() - 2;
  const ConvAttributes& conv = c.attributes;
  std::vector<T> result(out.size());
  ForEachIndex(out, [&](const Ints& o) {
    T sum{};
    const int64_t groups = conv.feature_groups * conv.batch_groups;
    const int64_t group = o[spatial] / (out.extent(spatial) / groups);
    Shape window;
    for (int i = 0; i <= spatial; ++i) window.push_back(c.w[i]);
    ForEachIndex(window, [&](const Ints& k) {
      Ints of_x(spatial + 2, 0), of_w(spatial + 2, 0);
      for (int i = 0; i < spatial; ++i) {
        of_w[i] = conv.reverse_window ? c.w.extent(i) - 1 - k[i] : k[i];
        const int64_t at = o[i] * conv.strides[i] + k[i] * conv.rhs_dilation[i] - conv.low[i];
        if (at < 0 || at % conv.lhs_dilation[i] != 0 || at / conv.lhs_dilation[i] >= c.x.extent(i)) return;
        of_x[i] = at / conv.lhs_dilation[i];
      }
      of_w[spatial] = k[spatial];
      of_w[spatial + 1] = o[spatial];
      of_x[spatial] = (conv.feature_groups > 1 ? group * c.w.extent(spatial) : 0) + k[spatial];
      of_x[spatial + 1] = (conv.batch_groups > 1 ? group * out.extent(spatial + 1) : 0) + o[spatial + 1];
      sum += x[Offset(c.x, of_x)] * w[Offset(c.w, of_w)];
    });
    result[Offset(out, o)] = sum;
  });
  return result;
}

std::vector<Isa> Levels() {
  std::vector<Isa> levels;
  for (Isa isa : {Isa::kV2, Isa::kV3, Isa::kV4, Isa::kNeon}) {
    if (IsSupported(isa)) levels.push_back(isa);
  }
  return levels;
}

template <class T>
class ConvolutionTest : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>, int32_t, int64_t, uint8_t,
                             uint32_t, uint64_t>;
TYPED_TEST_SUITE(ConvolutionTest, Types);

template <class T>
void CheckAgainstLoops(const Engine& engine, const RandomConvolution& c) {
  const std::vector<T> x = WholeNumbers<T>(c.x.size(), 0), w = WholeNumbers<T>(c.w.size(), 1);
  const Var result = ConvGeneral(Immediate(engine, *Tensor::FromColMajor<T>(c.x, x)),
                                 Immediate(engine, *Tensor::FromColMajor<T>(c.w, w)), c.attributes);
  ASSERT_TRUE(result.ok()) << result.status() << "\n" << c.ToString();
  const std::vector<T> wanted = ByLoops(c, result.shape(), x, w);
  const Tensor tensor = *result.ToTensor();
  const absl::Span<const T> got = *tensor.Data<T>();
  for (size_t i = 0; i < wanted.size(); ++i) ASSERT_EQ(got[i], wanted[i]) << c.ToString() << ", element " << i;
}

TYPED_TEST(ConvolutionTest, AgreesWithLoops) {
  for (Isa isa : Levels()) {
    const CpuEngine engine = CpuEngine::WithThreads(1, isa);
    for (int number = 0; number < 400; ++number) {
      CheckAgainstLoops<TypeParam>(engine, MakeRandomConvolution(number, 6));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

// More than one tile of places, images, output channels and terms; windows longer than the axis has places.
TEST(Convolution, OfSeveralTiles) {
  const std::vector<RandomConvolution> cases = {
      {{37, 11, 33, 2}, {3, 3, 33, 5}, {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}},
      {{300, 2, 3}, {5, 2, 300}, {{1}, {2}, {2}, {1}, {1}}},
      {{300, 2, 3}, {290, 2, 4}, {{1}, {1}, {2}, {1}, {1}}},
      {{40, 40, 1, 30}, {35, 36, 1, 3}, {{1, 1}, {2, 2}, {2, 2}, {1, 1}, {1, 1}}},
      {{600, 4, 2}, {1, 4, 3}, {{1}, {0}, {0}, {1}, {1}}},
      {{600, 4, 2}, {1, 4, 3}, {{2}, {0}, {0}, {1}, {1}}},
      {{4, 300, 700}, {4, 300, 3}, {{1}, {0}, {0}, {1}, {1}}},
      {{300, 300}, {300, 300}, {}},
      {{4, 2, 2}, {5, 2, 3}, {{1}, {2}, {2}, {70}, {1}}},   // more phases than are told apart
      {{9, 2, 2}, {7, 2, 3}, {{3}, {4}, {2}, {12}, {10}}},  // phases without an element of the window
      {{7, 7, 64, 9}, {3, 3, 1, 64}, {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 64}},
  };
  for (const RandomConvolution& c : cases) {
    CheckAgainstLoops<double>(CpuEngine::Serial(), c);
    CheckAgainstLoops<float>(CpuEngine::WithThreads(2), c);
    CheckAgainstLoops<int32_t>(CpuEngine::Serial(), c);
  }
}

// Operands that are views, of any strides.
TEST(Convolution, OfViews) {
  for (int number = 0; number < 60; ++number) {
    const RandomConvolution c = MakeRandomConvolution(number, 6);
    const int rank = c.x.rank();
    Ints backwards, reversed;
    for (int i = 0; i < rank; ++i) {
      backwards.push_back(rank - 1 - i);
      reversed.push_back(i);
    }
    const auto view = [&](const Var& v) { return Reverse(Transpose(v, backwards), reversed); };
    const Function of_views = Compile(CpuEngine::Serial(), [&](absl::Span<const Var> in) -> std::vector<Var> {
      return {ConvGeneral(view(in[0]), view(in[1]), c.attributes)};
    });
    const auto numbers = [&](Shape shape, int which) {
      Shape turned;
      for (int i = rank - 1; i >= 0; --i) turned.push_back(shape[i]);
      return *Tensor::FromColMajor<double>(turned, WholeNumbers<double>(shape.size(), which));
    };
    const Tensor x = numbers(c.x, 0), w = numbers(c.w, 1);
    const absl::StatusOr<Tensor> got = of_views.Call1({x, w});
    ASSERT_TRUE(got.ok()) << got.status();
    const CpuEngine engine = CpuEngine::Serial();
    const auto dense = [&](const Tensor& t) {
      return Immediate(engine, *view(Immediate(engine, t)).ToTensor()->Dense());
    };
    const Var wanted = ConvGeneral(dense(x), dense(w), c.attributes);
    EXPECT_EQ(got->ToString(), wanted.ToTensor()->ToString()) << c.ToString();
  }
}

template <class T>
std::string BitsOf(int width, const RandomConvolution& c) {
  const CpuEngine engine = CpuEngine::WithThreads(width);
  std::vector<T> x = WholeNumbers<T>(c.x.size(), 0), w = WholeNumbers<T>(c.w.size(), 1);
  for (T& v : x) v *= T(0.1);
  for (T& v : w) v *= T(0.3);
  const Tensor result = *ConvGeneral(Immediate(engine, *Tensor::FromColMajor<T>(c.x, x)),
                                     Immediate(engine, *Tensor::FromColMajor<T>(c.w, w)), c.attributes)
                             .ToTensor();
  return std::string(static_cast<const char*>(*result.HostData()), result.size() * sizeof(T));
}

TEST(Convolution, HasTheSameBitsOnAnyNumberOfThreads) {
  const RandomConvolution c{{40, 30, 40, 4}, {3, 3, 20, 16}, {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 2}};
  const RandomConvolution window{{60, 50, 8, 20}, {58, 50, 8, 16}, {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}};
  for (const RandomConvolution& one : {c, window}) {
    for (int width : {2, 3, 8}) {
      EXPECT_EQ(BitsOf<double>(width, one), BitsOf<double>(1, one));
      EXPECT_EQ(BitsOf<std::complex<float>>(width, one), BitsOf<std::complex<float>>(1, one));
    }
  }
}

// A slice of the batch, and of the output channels, by itself gives the same bits.
TEST(Convolution, AnElementDependsOnItsOperandsAlone) {
  const CpuEngine engine = CpuEngine::Serial();
  std::vector<double> x = WholeNumbers<double>(12 * 9 * 40 * 5, 0), w = WholeNumbers<double>(3 * 3 * 40 * 300, 1);
  for (double& v : x) v *= 0.1;
  for (double& v : w) v *= 0.3;
  const Var a = Immediate(engine, *Tensor::FromColMajor<double>({12, 9, 40, 5}, x));
  const Var b = Immediate(engine, *Tensor::FromColMajor<double>({3, 3, 40, 300}, w));
  const Var all = Conv2d(a, b, {.padding = ConvPadding::kSame});
  const Var part = Conv2d(Slice(a, {0, 0, 0, 3}, {12, 9, 40, 4}), Slice(b, {0, 0, 0, 256}, {3, 3, 40, 259}),
                          {.padding = ConvPadding::kSame});
  const Var same = Slice(all, {0, 0, 256, 3}, {12, 9, 259, 4});
  const Tensor p = *part.ToTensor(), s = *same.ToTensor();
  ASSERT_EQ(p.shape(), s.shape());
  EXPECT_EQ(std::memcmp(*p.HostData(), *s.HostData(), p.size() * sizeof(double)), 0);
}

}  // namespace
}  // namespace tenferro
