#include "tenferro/fft/fft.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/fft/cosine.h"
#include "tenferro/fft/frequencies.h"
#include "tenferro/fft/records.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::fft {
namespace {

using C = std::complex<double>;

const Engine& TestEngine() {
  static const CpuEngine& engine = *new CpuEngine(CpuEngine::Serial());
  return engine;
}

Var Reals(const Shape& shape) {
  std::vector<double> x;
  for (int64_t i = 0; i < shape.size(); ++i) x.push_back(std::sin(1.7 * static_cast<double>(i) + 0.3));
  return Immediate(TestEngine(), *Tensor::FromColMajor<double>(shape, x));
}
Var Complexes(const Shape& shape) {
  std::vector<C> x;
  for (int64_t i = 0; i < shape.size(); ++i) {
    x.push_back(std::polar(1.0 + 0.1 * static_cast<double>(i % 7), 2.3 * static_cast<double>(i)));
  }
  return Immediate(TestEngine(), *Tensor::FromColMajor<C>(shape, x));
}

std::vector<C> NumbersOf(const Var& x) {
  const absl::StatusOr<Tensor> tensor = Cast(x, DType::kC128).ToTensor();
  EXPECT_TRUE(tensor.ok()) << tensor.status();
  if (!tensor.ok()) return {};
  const absl::Span<const C> data = *tensor->Data<C>();
  return std::vector<C>(data.begin(), data.end());
}

void ExpectNear(const Var& got, const Var& wanted, double bound = 1e-13) {
  ASSERT_TRUE(got.ok()) << got.status();
  ASSERT_EQ(got.shape(), wanted.shape());
  EXPECT_EQ(got.dtype(), wanted.dtype());
  const std::vector<C> a = NumbersOf(got), b = NumbersOf(wanted);
  for (size_t i = 0; i < a.size(); ++i) EXPECT_LE(std::abs(a[i] - b[i]), bound) << i;
}

// By the definition, of one axis.
std::vector<C> ByDefinition(const std::vector<C>& x, bool inverse, double scale) {
  const double n = static_cast<double>(x.size());
  std::vector<C> y;
  for (size_t k = 0; k < x.size(); ++k) {
    C sum = 0;
    for (size_t j = 0; j < x.size(); ++j) {
      sum += x[j] * std::polar(scale, (inverse ? 2 : -2) * M_PI * static_cast<double>(j * k) / n);
    }
    y.push_back(sum);
  }
  return y;
}
Var Line(const std::vector<C>& x) {
  return Immediate(TestEngine(), *Tensor::FromColMajor<C>({static_cast<int64_t>(x.size())}, x));
}

constexpr Norm kNorms[] = {Norm::kBackward, Norm::kOrtho, Norm::kForward};

TEST(Fft, IsTheSumThatItIsDefinedBy) {
  for (int64_t n : {1, 2, 6, 7}) {
    const Var z = Complexes({n});
    const double root = std::sqrt(static_cast<double>(n));
    const double forward[] = {1, 1 / root, 1 / static_cast<double>(n)}, inverse[] = {forward[2], forward[1], 1};
    for (int i = 0; i < 3; ++i) {
      ExpectNear(Fft(z, 0, {.norm = kNorms[i]}), Line(ByDefinition(NumbersOf(z), false, forward[i])));
      ExpectNear(Ifft(z, 0, {.norm = kNorms[i]}), Line(ByDefinition(NumbersOf(z), true, inverse[i])));
    }
  }
}

TEST(Fft, OfRealNumbersIsThatOfComplexOnes) {
  const Var x = Reals({6, 2});
  ExpectNear(Fft(x, 0), Fft(Convert(x, DType::kC128), 0));
  EXPECT_EQ(Fft(Cast(x, DType::kF32), 1).dtype(), DType::kC64);
}

TEST(Fft, CutsOffAndFillsUpAtTheEnd) {
  const Var z = Complexes({3, 5});
  ExpectNear(Fft(z, 1, {.n = 3}), Fft(Slice(z, {0, 0}, {3, 3}), 1));
  ExpectNear(Fft(z, 1, {.n = 8}), Fft(Pad(z, Full(z, z.dtype(), {}, 0), {0, 0}, {0, 3}), 1));
  EXPECT_EQ(Rfft(Reals({3, 5}), 1, {.n = 8}).shape(), Shape({3, 5}));
  EXPECT_EQ(Irfft(z, 1).shape(), Shape({3, 8}));
  EXPECT_EQ(Irfft(z, 1, {.n = 9}).shape(), Shape({3, 9}));
  EXPECT_EQ(Irfft(z, 1, {.n = 3}).shape(), Shape({3, 3}));
}

TEST(Rfft, IsHalfOfFftAndIrfftItsInverse) {
  for (int64_t n : {1, 2, 7, 8}) {
    const Var x = Reals({n, 3});
    for (Norm norm : kNorms) {
      const Var y = Rfft(x, 0, {.norm = norm});
      ExpectNear(y, Slice(Fft(x, 0, {.norm = norm}), {0, 0}, {n / 2 + 1, 3}));
      ExpectNear(Irfft(y, 0, {.n = n, .norm = norm}), x);
    }
  }
}

TEST(Irfft, DoesNotSeeTheImaginaryPartsOfTheEnds) {
  const Var a = Line({{1, 5}, {2, 3}, {4, -7}}), b = Line({1, {2, 3}, 4});
  ExpectNear(Irfft(a, 0), Irfft(b, 0), 0);
  const Var c = Line({{1, 0}, {2, 3}, {4, -7}});
  ExpectNear(Irfft(a, 0, {.n = 5}), Irfft(c, 0, {.n = 5}), 0);
}

TEST(Hfft, IsFftOfWhatItsHalfStandsFor) {
  for (Norm norm : kNorms) {
    const Var half = Line({3, {1, 2}, {-1, 0.5}, 4});
    const Var whole = Line({3, {1, 2}, {-1, 0.5}, 4, {-1, -0.5}, {1, -2}});
    ExpectNear(Hfft(half, 0, {.norm = norm}), Real(Fft(whole, 0, {.norm = norm})));
    ExpectNear(Ihfft(Hfft(half, 0, {.norm = norm}), 0, {.norm = norm}), half);
  }
}

TEST(Fftn, IsOneAxisAfterTheOther) {
  const Var z = Complexes({4, 3, 5}), x = Reals({4, 3, 5});
  for (Norm norm : kNorms) {
    const FftOptions one{.norm = norm};
    const FftnOptions all{.norm = norm};
    ExpectNear(Fftn(z, {2, 0}, all), Fft(Fft(z, 0, one), 2, one));
    ExpectNear(Ifftn(z, {1, 2}, all), Ifft(Ifft(z, 1, one), 2, one));
    ExpectNear(Rfftn(x, {2, 0}, all), Fft(Rfft(x, 0, one), 2, one));
    ExpectNear(Irfftn(Rfftn(x, {1, 0}, all), {1, 0}, all), x);
    ExpectNear(Fft2(z, {0, 1}, all), Fftn(z, {0, 1}, all));
    ExpectNear(Ifft2(Fft2(z, {0, 2}, all), {0, 2}, all), z);
    ExpectNear(Irfft2(Rfft2(x, {0, 2}, all), {0, 2}, {.s = {4, 5}, .norm = norm}), x);
  }
  ExpectNear(Fftn(z, {0, 2}, {.s = {6, 4}}), Fft(Fft(z, 0, {.n = 6}), 2, {.n = 4}));
  ExpectNear(Irfftn(z, {0, 2}, {.s = {6, 7}}), Irfft(Ifft(z, 0, {.n = 6}), 2, {.n = 7}));
}

TEST(Fft, KeepsTheSumOfSquares) {
  for (int64_t n : {8, 60, 67, 1009}) {
    const Var z = Complexes({n});
    const auto energy = [](const Var& v) { return NumbersOf(ReduceSum(Real(v * Conj(v))))[0].real(); };
    EXPECT_NEAR(energy(Fft(z, 0, {.norm = Norm::kOrtho})), energy(z), 1e-12 * energy(z));
  }
}

TEST(Fft, IsLinearAndTurnsShiftsIntoPhases) {
  const int64_t n = 30, by = 7;
  const Var a = Complexes({n}), b = Fft(a, 0);
  const C factor(0.3, -2);
  ExpectNear(Fft(a * factor + b, 0), Fft(a, 0) * factor + Fft(b, 0), 1e-11);
  std::vector<C> moved(n), turned = NumbersOf(b);
  for (int64_t j = 0; j < n; ++j) moved[(j + by) % n] = NumbersOf(a)[j];
  for (int64_t k = 0; k < n; ++k) turned[k] *= std::polar(1.0, -2 * M_PI * static_cast<double>(by * k) / n);
  ExpectNear(Fft(Line(moved), 0), Line(turned), 1e-12);
}

TEST(Frequencies, AreNumPys) {
  const Var like = Reals({});
  ExpectNear(FftFreq(like, DType::kF64, 5, 0.5), Real(Line({0, 0.4, 0.8, -0.8, -0.4})), 1e-16);
  ExpectNear(FftFreq(like, DType::kF64, 4), Real(Line({0, 0.25, -0.5, -0.25})), 0);
  ExpectNear(RfftFreq(like, DType::kF64, 5, 0.5), Real(Line({0, 0.4, 0.8})), 1e-16);
  ExpectNear(RfftFreq(like, DType::kF64, 4), Real(Line({0, 0.25, 0.5})), 0);
  EXPECT_EQ(FftFreq(like, DType::kF32, 3).type(), (ValueType{DType::kF32, {3}}));
}

TEST(Shifts, MoveFrequencyZero) {
  const Var five = Real(Line({0, 1, 2, 3, 4})), four = Real(Line({0, 1, 2, 3}));
  ExpectNear(FftShift(five), Real(Line({3, 4, 0, 1, 2})), 0);
  ExpectNear(IfftShift(five), Real(Line({2, 3, 4, 0, 1})), 0);
  ExpectNear(FftShift(four), Real(Line({2, 3, 0, 1})), 0);
  const Var x = Reals({5, 4});
  ExpectNear(FftShift(x), FftShift(FftShift(x, {0}), {1}), 0);
  ExpectNear(IfftShift(FftShift(x)), x, 0);
}

Var CosineByDefinition(const Var& x, int type, Norm norm) {
  const std::vector<C> numbers = NumbersOf(x);
  const double n = static_cast<double>(numbers.size());
  std::vector<C> y;
  for (size_t k = 0; k < numbers.size(); ++k) {
    C sum = 0;
    for (size_t j = 0; j < numbers.size(); ++j) {
      const double angle = type == 2 ? static_cast<double>(k * (2 * j + 1)) : static_cast<double>((2 * k + 1) * j);
      double factor = type == 3 && j == 0 ? 1 : 2;
      const size_t at_zero = type == 2 ? k : j;
      if (norm == Norm::kOrtho) factor = at_zero == 0 ? std::sqrt(1 / n) : std::sqrt(2 / n);
      if (norm == Norm::kForward) factor /= 2 * n;
      sum += numbers[j] * factor * std::cos(M_PI * angle / (2 * n));
    }
    y.push_back(sum);
  }
  return IsComplex(x.dtype()) ? Line(y) : Real(Line(y));
}

TEST(Cosine, IsTheSumThatItIsDefinedBy) {
  for (int64_t n : {1, 2, 3, 4, 7, 12}) {
    for (int type : {2, 3}) {
      for (Norm norm : kNorms) {
        const DctOptions options{.type = type, .norm = norm};
        for (const Var& x : {Reals({n}), Complexes({n})}) {
          ExpectNear(Dct(x, 0, options), CosineByDefinition(x, type, norm));
          ExpectNear(Idct(Dct(x, 0, options), 0, options), x);
        }
      }
    }
  }
  const Var x = Reals({3, 5});
  ExpectNear(Dct(x, 1, {.n = 4}), Dct(Slice(x, {0, 0}, {3, 4}), 1));
  EXPECT_EQ(Dct(Cast(x, DType::kF32), 0).dtype(), DType::kF32);
}

std::string Message(const Var& var) { return std::string(var.status().message()); }
std::string At(int line, absl::string_view text) { return absl::StrCat("fft_test.cc:", line, ": ", text); }

class Errors : public testing::Test {
 protected:
  Var In(DType dtype, const Shape& shape) { return graph_.Input(dtype, shape); }
  Graph graph_;
  const Var x_ = In(DType::kF64, {4, 3}), z_ = In(DType::kC128, {4, 3});
};

TEST_F(Errors, OfDTypes) {
  EXPECT_EQ(Message(Fft(In(DType::kI32, {4}), 0)),
            At(__LINE__ - 1, "fft.fft: takes real or complex numbers, got i32[4]"));
  EXPECT_EQ(Message(Rfft(z_, 0)), At(__LINE__, "fft.rfft: takes real numbers, got c128[4,3]"));
  EXPECT_EQ(Message(Ihfft(z_, 0)), At(__LINE__, "fft.ihfft: takes real numbers, got c128[4,3]"));
  EXPECT_EQ(Message(Irfft(x_, 0)), At(__LINE__, "fft.irfft: takes complex numbers, got f64[4,3]"));
  EXPECT_EQ(Message(Hfft(x_, 0)), At(__LINE__, "fft.hfft: takes complex numbers, got f64[4,3]"));
  EXPECT_EQ(Message(Dct(In(DType::kBool, {4}), 0)),
            At(__LINE__ - 1, "fft.dct: takes real or complex numbers, got bool[4]"));
  EXPECT_EQ(Message(FftFreq(x_, DType::kC64, 4)), At(__LINE__, "fft.fftfreq: makes f32 or f64, not c64"));
  EXPECT_EQ(Message(Fft(2.0, 0)),
            At(__LINE__ - 1, "fft.fft: a number alone has no dtype and no graph: make it a constant of a graph"));
}

TEST_F(Errors, OfAxes) {
  EXPECT_EQ(Message(Fft(x_, 2)), At(__LINE__, "fft.fft: axis 2 does not exist in rank 2"));
  EXPECT_EQ(Message(Ifft(x_, -1)), At(__LINE__, "fft.ifft: axis -1 does not exist in rank 2"));
  EXPECT_EQ(Message(Fftn(x_, {0, 1, 0})), At(__LINE__, "fft.fftn: axis 0 stands twice"));
  EXPECT_EQ(Message(Rfftn(x_, {})), At(__LINE__, "fft.rfftn: needs at least one axis"));
  EXPECT_EQ(Message(Fft2(x_, {0})), At(__LINE__, "fft.fft2: needs two axes, got 1"));
  EXPECT_EQ(Message(FftShift(x_, {3})), At(__LINE__, "fft.fftshift: axis 3 does not exist in rank 2"));
  EXPECT_EQ(Message(IfftShift(x_, {1, 1})), At(__LINE__, "fft.ifftshift: axis 1 stands twice"));
  EXPECT_EQ(Message(Idct(x_, 5)), At(__LINE__, "fft.idct: axis 5 does not exist in rank 2"));
}

TEST_F(Errors, OfLengths) {
  EXPECT_EQ(Message(Fft(x_, 1, {.n = 0})),
            At(__LINE__ - 1, "fft.fft: n must be at least 1, got 0 for axis 1 of f64[4,3]"));
  EXPECT_EQ(Message(Fft(In(DType::kF64, {0}), 0)),
            At(__LINE__ - 1, "fft.fft: n must be at least 1, got 0 for axis 0 of f64[0]"));
  EXPECT_EQ(Message(Irfft(In(DType::kC64, {1}), 0)),
            At(__LINE__ - 1, "fft.irfft: n must be at least 1, got 0 for axis 0 of c64[1]"));
  EXPECT_EQ(Message(Irfftn(z_, {0, 1}, {.s = {-2, 3}})),
            At(__LINE__ - 1, "fft.irfftn: n must be at least 1, got -2 for axis 0 of c128[4,3]"));
  EXPECT_EQ(Message(Ifftn(z_, {0, 1}, {.s = {3}})), At(__LINE__, "fft.ifftn: s has 1 numbers for 2 axes"));
  EXPECT_EQ(Message(Dct(x_, 0, {.n = -1})),
            At(__LINE__ - 1, "fft.dct: n must be at least 1, got -1 for axis 0 of f64[4,3]"));
  EXPECT_EQ(Message(RfftFreq(x_, DType::kF64, 0)), At(__LINE__, "fft.rfftfreq: n must be at least 1, got 0"));
  EXPECT_EQ(Message(Dct(x_, 0, {.type = 1})), At(__LINE__, "fft.dct: type must be 2 or 3, got 1"));
}

// Of lengths that no machine has the memory for.
TEST_F(Errors, OfHugeLengths) {
  constexpr int64_t kHuge = int64_t{1} << 46, kTooHuge = int64_t{1} << 60;
  for (int64_t n : {kHuge, kHuge - 1}) {
    EXPECT_EQ(Message(Dct(x_, 0, {.n = n})),
              At(__LINE__ - 1, "fft.dct: out of memory: cannot allocate " + std::to_string(16 * (n / 2 + 1)) + " bytes"));
    const absl::StatusOr<Program> program = Compile({Fft(z_, 0, {.n = n})}, {z_});
    ASSERT_TRUE(program.ok()) << program.status();
    const absl::StatusOr<Prepared> prepared = CpuEngine::Serial().Prepare(*program);
    EXPECT_EQ(prepared.status().message(),
              At(__LINE__ - 4, "fft.transform: no memory for the tables of a transform of " + std::to_string(n) +
                                   " elements"));
  }
  for (const Var& y : {Dct(x_, 0, {.n = kTooHuge}), Idct(x_, 0, {.n = kTooHuge}), Rfft(x_, 0, {.n = kTooHuge})}) {
    EXPECT_NE(Message(y).find("more than 2^58 elements"), std::string::npos) << Message(y);
  }
}

TEST_F(Errors, OfRecords) {
  EXPECT_EQ(Message(Transform(x_, {{0}})), At(__LINE__, "fft.transform: takes complex numbers, got f64[4,3]"));
  EXPECT_EQ(Message(Transform(z_, {{}})), At(__LINE__, "fft.transform: needs at least one axis"));
  EXPECT_EQ(Message(Transform(z_, {{0, 2}})), At(__LINE__, "fft.transform: axis 2 does not exist in rank 2"));
  EXPECT_EQ(Message(Transform(In(DType::kC64, {0, 3}), {{0}})),
            At(__LINE__ - 1, "fft.transform: axis 0 of c64[0,3] is empty"));
  EXPECT_EQ(Message(RealToHalf(z_, {0, 4})), At(__LINE__, "fft.real_to_half: takes real numbers, got c128[4,3]"));
  EXPECT_EQ(Message(RealToHalf(x_, {0, 5})),
            At(__LINE__ - 1, "fft.real_to_half: n = 5 needs an axis of 5, got axis 0 of f64[4,3]"));
  EXPECT_EQ(Message(RealToHalf(x_, {0, 0})), At(__LINE__, "fft.real_to_half: n must be at least 1, got 0"));
  EXPECT_EQ(Message(HalfToReal(z_, {1, 6})),
            At(__LINE__ - 1, "fft.half_to_real: n = 6 needs an axis of 4, got axis 1 of c128[4,3]"));
}

}  // namespace
}  // namespace tenferro::fft
