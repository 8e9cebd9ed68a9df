// The records' kernels against transforms in the widest float: every kind of length, layout, dtype and instruction set.
#include <cstring>
#include <random>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/cpu/kernels/isa.h"
#include "tenferro/fft/records.h"
#include "tenferro/fft/reference_transform.h"
#include "tenferro/runtime/function.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::fft {
namespace {

std::vector<Isa> Levels() {
  std::vector<Isa> levels;
  for (Isa isa : {Isa::kV2, Isa::kV3, Isa::kV4, Isa::kNeon}) {
    if (IsSupported(isa)) levels.push_back(isa);
  }
  return levels;
}

// `before`·`after` lines of n elements.
struct Layout {
  int64_t before, n, after;
  Shape shape() const { return {before, n, after}; }
  std::string ToString() const { return absl::StrCat(before, " x ", n, " x ", after); }
};

template <class T>
T MakeNumber(double re, double im) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(re);
  } else {
    return {static_cast<typename T::value_type>(re), static_cast<typename T::value_type>(im)};
  }
}
template <class T>
Wide ToWide(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    return {static_cast<long double>(x), 0};
  } else {
    return {x.real(), x.imag()};
  }
}

template <class T>
std::vector<T> Numbers(int64_t count) {
  std::mt19937_64 random(static_cast<uint64_t>(count) + 7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<T> numbers;
  for (int64_t i = 0; i < count; ++i) {
    const double re = uniform(random);
    numbers.push_back(MakeNumber<T>(re, uniform(random)));
  }
  return numbers;
}

template <class T>
constexpr double kEpsilon = std::numeric_limits<decltype(std::real(T()))>::epsilon();

// Lines of `got` against `reference` of the line of `x`; the error is relative, in the mean square.
template <class In, class Out, class Reference>
void CheckLines(const std::vector<In>& x, const Tensor& result, const Layout& in, int64_t made, double bound,
                Reference reference) {
  const absl::Span<const Out> got = *result.Data<Out>();
  ASSERT_EQ(static_cast<int64_t>(got.size()), in.before * made * in.after);
  // Of long lines the first, one in the middle and the last.
  const int64_t lines = in.before * in.after, step = in.n > 64 ? std::max<int64_t>(1, (lines - 1) / 2) : 1;
  for (int64_t line = 0; line < lines; line += step) {
    const int64_t a = line % in.before, b = line / in.before;
    std::vector<Wide> elements;
    for (int64_t t = 0; t < in.n; ++t) elements.push_back(ToWide(x[a + in.before * (t + in.n * b)]));
    const std::vector<Wide> wanted = reference(elements);
    long double error = 0, size = 0;
    for (int64_t k = 0; k < made; ++k) {
      error += std::norm(ToWide(got[a + in.before * (k + made * b)]) - wanted[k]);
      size += std::norm(wanted[k]);
    }
    ASSERT_LE(static_cast<double>(std::sqrt(error)), bound * static_cast<double>(std::sqrt(size)))
        << in.ToString() << ", line " << line;
  }
}

template <class R>
void CheckAll(const Engine& engine, const Layout& layout) {
  using C = std::complex<R>;
  const int64_t n = layout.n, frequencies = n / 2 + 1;
  const double bound = 2.5 * kEpsilon<R>;
  const auto run = [&](const auto& numbers, const Layout& shape, auto function) {
    using T = typename std::decay_t<decltype(numbers)>::value_type;
    const absl::StatusOr<Tensor> result =
        function(Immediate(engine, *Tensor::FromColMajor<T>(shape.shape(), numbers))).ToTensor();
    EXPECT_TRUE(result.ok()) << result.status();
    return *result;
  };
  const std::vector<C> x = Numbers<C>(layout.shape().size());
  for (bool inverse : {false, true}) {
    const Tensor y = run(x, layout, [&](const Var& v) { return Transform(v, {{1}, inverse, 0.5}); });
    CheckLines<C, C>(x, y, layout, n, bound, [&](std::vector<Wide> line) {
      for (Wide& z : line) z *= 0.5L;
      return ReferenceTransform(line, inverse);
    });
  }
  const HalfAttributes half{1, n, 0.5, 3};
  const auto weigh = [&](std::vector<Wide> y) {
    for (int64_t k = 0; k < static_cast<int64_t>(y.size()); ++k) y[k] *= k == 0 || 2 * k == n ? 0.5L : 3;
    return y;
  };
  const std::vector<R> reals = Numbers<R>(layout.shape().size());
  const Tensor y = run(reals, layout, [&](const Var& v) { return RealToHalf(v, half); });
  CheckLines<R, C>(reals, y, layout, frequencies, bound, [&](const std::vector<Wide>& line) {
    std::vector<Wide> all = ReferenceTransform(line);
    all.resize(frequencies);
    return weigh(all);
  });
  const Layout halves{layout.before, frequencies, layout.after};
  const std::vector<C> z = Numbers<C>(halves.shape().size());
  const Tensor back = run(z, halves, [&](const Var& v) { return HalfToReal(v, half); });
  CheckLines<C, R>(z, back, halves, n, bound, [&](const std::vector<Wide>& line) {
    std::vector<Wide> all = weigh(line);
    all.resize(n);
    for (int64_t k = 1; k < frequencies; ++k) {
      all[k] *= 2 * k == n ? 1 : 0.5L;
      if (2 * k != n) all[n - k] = std::conj(all[k]);
    }
    all[0] = all[0].real();
    if (n % 2 == 0) all[n / 2] = all[n / 2].real();
    return ReferenceTransform(all, true);
  });
}

class TransformTest : public testing::TestWithParam<Isa> {
 protected:
  void Check(const Layout& layout) {
    CheckAll<double>(engine_, layout);
    CheckAll<float>(engine_, layout);
  }
  const CpuEngine engine_ = CpuEngine::WithThreads(1, GetParam());
};

TEST_P(TransformTest, OfShortLines) {
  for (int64_t n = 1; n <= 64; ++n) {
    Check({1, n, 1});
    Check({1, n, 11});
    Check({3, n, 5});
    Check({8, n, 2});
  }
}

TEST_P(TransformTest, OfPrimesAndTheirMultiples) {
  for (int64_t n : {67, 73, 101, 122, 127, 134, 209, 257, 529, 1009, 1018}) {
    Check({1, n, 1});
    Check({1, n, 3});
    Check({9, n, 1});
  }
}

TEST_P(TransformTest, OfManyFactors) {
  for (int64_t n : {72,  81,  88,  96,  105, 125, 143,  144,  168,  169,  240,  243,  256,  343,  360, 488,
                    500, 512, 625, 720, 729, 999, 1000, 1001, 1024, 1155, 1331, 1536, 2048, 2187, 2500}) {
    Check({1, n, 1});
    Check({1, n, 9});
    Check({9, n, 1});
  }
}

// Beyond what is done in one go: two smooth transforms, convolutions made of them, lines that are copied.
TEST_P(TransformTest, OfLongLines) {
  CheckAll<double>(engine_, {1, 1 << 18, 1});
  CheckAll<double>(engine_, {2, 8 * 59049, 1});  // rows and columns that fill no whole tiles
  CheckAll<double>(engine_, {3, 16384, 1});
  CheckAll<float>(engine_, {1, 131080, 1});  // 2³·5·29·113
}

INSTANTIATE_TEST_SUITE_P(Levels, TransformTest, testing::ValuesIn(Levels()),
                         [](const auto& info) { return absl::StrCat("isa", static_cast<int>(info.param)); });

TEST(Transform, OfSeveralAxes) {
  const CpuEngine engine = CpuEngine::Serial();
  const Shape shape{5, 4, 9, 3};
  using C = std::complex<double>;
  const std::vector<C> x = Numbers<C>(shape.size());
  const Var v = Immediate(engine, *Tensor::FromColMajor<C>(shape, x));
  const Var one_by_one = Transform(Transform(Transform(v, {{2}, true, 1}), {{0}, true, 1}), {{3}, true, 0.25});
  const Tensor wanted = *one_by_one.ToTensor(), got = *Transform(v, {{2, 0, 3}, true, 0.25}).ToTensor();
  for (int64_t i = 0; i < shape.size(); ++i) {
    EXPECT_LT(std::abs((*got.Data<C>())[i] - (*wanted.Data<C>())[i]), 1e-13) << i;
  }
}

std::string Bits(const Tensor& tensor) {
  return std::string(static_cast<const char*>(*tensor.HostData()), tensor.size() * SizeOf(tensor.dtype()));
}

TEST(Transform, OfViews) {
  const CpuEngine engine = CpuEngine::Serial();
  const Function of_view = Compile(engine, [](absl::Span<const Var> in) -> std::vector<Var> {
    const Var view = Reverse(Slice(Transpose(in[0], {2, 0, 1}), {0, 1, 0}, {6, 5, 4}, {1, 2, 1}), {0});
    return {Transform(view, {{0, 2}, false, 1})};
  });
  using C = std::complex<double>;
  const Tensor x = *Tensor::FromColMajor<C>({5, 4, 6}, Numbers<C>(120));
  const Var v = Immediate(engine, x);
  const Var view = Reverse(Slice(Transpose(v, {2, 0, 1}), {0, 1, 0}, {6, 5, 4}, {1, 2, 1}), {0});
  const Var dense = Immediate(engine, *view.ToTensor()->Dense());
  EXPECT_EQ(Bits(*of_view.Call1({x})), Bits(*Transform(dense, {{0, 2}, false, 1}).ToTensor()));
}

TEST(Transform, HasTheSameBitsOnAnyNumberOfThreads) {
  using C = std::complex<double>;
  for (const Shape& shape : {Shape{1 << 18}, Shape{300, 77}, Shape{1009, 40}, Shape{70001}, Shape{64, 64, 9}}) {
    const Tensor x = *Tensor::FromColMajor<C>(shape, Numbers<C>(shape.size()));
    const Tensor reals = *Tensor::FromColMajor<double>(shape, Numbers<double>(shape.size()));
    std::vector<std::string> first;
    for (int width : {1, 2, 3, 8}) {
      const CpuEngine engine = CpuEngine::WithThreads(width);
      Ints axes;
      for (int i = 0; i < shape.rank(); ++i) axes.push_back(i);
      const Var half = RealToHalf(Immediate(engine, reals), {0, shape.extent(0), 1, 1});
      const std::vector<std::string> bits = {Bits(*Transform(Immediate(engine, x), {axes, false, 1}).ToTensor()),
                                             Bits(*half.ToTensor()),
                                             Bits(*HalfToReal(half, {0, shape.extent(0), 1, 2}).ToTensor())};
      if (first.empty()) first = bits;
      EXPECT_EQ(bits == first, true) << shape.ToString() << " at width " << width;
    }
  }
}

// Alone, among others, contiguous or not: a line has its bits from its numbers and length.
TEST(Transform, OfALineDependsOnTheLineAlone) {
  using C = std::complex<double>;
  for (Isa isa : Levels()) {
    const CpuEngine engine = CpuEngine::WithThreads(1, isa);
    for (int64_t n : {6, 16, 30, 64, 99, 100, 122, 128, 254, 1000, 1024, 2187}) {
      const auto bits = [&](const Layout& layout) {
        std::vector<C> x(layout.shape().size());
        std::vector<double> reals(x.size());
        const std::vector<C> line = Numbers<C>(n);
        const int64_t lines = layout.before * layout.after, place = lines / 2;
        const int64_t a = place % layout.before, b = place / layout.before;
        const auto at = [&](int64_t t, int64_t made) { return a + layout.before * (t + made * b); };
        for (size_t i = 0; i < x.size(); ++i) x[i] = {std::sin(static_cast<double>(i)), 0.5};
        for (int64_t t = 0; t < n; ++t) x[at(t, n)] = line[t];
        for (size_t i = 0; i < x.size(); ++i) reals[i] = x[i].real();
        std::string text;
        const Var v = Immediate(engine, *Tensor::FromColMajor<C>(layout.shape(), x));
        const Var half =
            RealToHalf(Immediate(engine, *Tensor::FromColMajor<double>(layout.shape(), reals)), {1, n, 1, 1});
        const Tensor y = *Transform(v, {{1}, true, 0.3}).ToTensor(), h = *half.ToTensor(),
                     back = *HalfToReal(half, {1, n, 1, 2}).ToTensor();
        for (int64_t k = 0; k < n; ++k) {
          text.append(reinterpret_cast<const char*>(&(*y.Data<C>())[at(k, n)]), sizeof(C));
          text.append(reinterpret_cast<const char*>(&(*back.Data<double>())[at(k, n)]), sizeof(double));
          if (k > n / 2) continue;
          text.append(reinterpret_cast<const char*>(&(*h.Data<C>())[at(k, n / 2 + 1)]), sizeof(C));
        }
        return text;
      };
      const std::string alone = bits({1, n, 1});
      EXPECT_EQ(bits({1, n, 21}) == alone, true) << n << " contiguous";
      EXPECT_EQ(bits({16, n, 1}) == alone, true) << n << " side by side";
      EXPECT_EQ(bits({3, n, 5}) == alone, true) << n << " in groups";
    }
  }
}

TEST(Transform, OfNoLines) {
  const CpuEngine engine = CpuEngine::Serial();
  const Var x = Immediate(engine, *Tensor::Zeros(DType::kC128, {4, 0}));
  EXPECT_EQ(Transform(x, {{0}, false, 1}).ToTensor()->shape(), Shape({4, 0}));
  const Var r = Immediate(engine, *Tensor::Zeros(DType::kF32, {0, 5}));
  EXPECT_EQ(RealToHalf(r, {1, 5, 1, 1}).ToTensor()->shape(), Shape({0, 3}));
}

// One that is not finite spoils its own line.
TEST(Transform, NanStaysInItsLine) {
  const CpuEngine engine = CpuEngine::Serial();
  for (int64_t n : {5, 64, 67}) {
    std::vector<double> x(n * 20, 1);
    x[n * 7 + 2] = std::nan("");
    const Tensor y = *RealToHalf(Immediate(engine, *Tensor::FromColMajor<double>({n, 20}, x)), {0, n, 1, 1}).ToTensor();
    const auto data = *y.Data<std::complex<double>>();
    for (int64_t i = 0; i < y.size(); ++i) EXPECT_EQ(std::isnan(data[i].real()), i / (n / 2 + 1) == 7) << n << " " << i;
  }
}

}  // namespace
}  // namespace tenferro::fft
