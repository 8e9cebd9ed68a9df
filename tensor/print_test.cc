#include <complex>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "gtest/gtest.h"
#include "tenferro/tensor/tensor.h"

// The expected texts are those of print(array) in NumPy 2.4.
namespace tenferro {
namespace {

using C64 = std::complex<float>;
using C128 = std::complex<double>;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class T>
Tensor Row(std::initializer_list<T> elements) {
  return *Tensor::FromColMajor<T>({static_cast<int64_t>(elements.size())}, elements);
}

// 0, 1, 2, … in column-major order.
Tensor Counting(const Shape& shape) {
  Tensor tensor = *Tensor::Zeros(DType::kI64, shape);
  const absl::Span<int64_t> elements = *tensor.MutableData<int64_t>();
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<int64_t>(i);
  return tensor;
}

Tensor Sevenths(const Shape& shape) {
  Tensor tensor = *Tensor::Zeros(DType::kF64, shape);
  const absl::Span<double> elements = *tensor.MutableData<double>();
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<double>(i) / 7;
  return tensor;
}

TEST(PrintTest, ScalarsHaveAllTheirDigits) {
  EXPECT_EQ(Tensor::Scalar(1.0).ToString(), "1.0");
  EXPECT_EQ(Tensor::Scalar(1.0 / 3).ToString(), "0.3333333333333333");
  EXPECT_EQ(Tensor::Scalar(1.0f / 3).ToString(), "0.33333334");
  EXPECT_EQ(Tensor::Scalar(-0.0).ToString(), "-0.0");
  EXPECT_EQ(Tensor::Scalar(9999999999999998.0).ToString(), "9999999999999998.0");
  EXPECT_EQ(Tensor::Scalar(1e16).ToString(), "1e+16");
  EXPECT_EQ(Tensor::Scalar(1e-4).ToString(), "0.0001");
  EXPECT_EQ(Tensor::Scalar(9.9e-5).ToString(), "9.9e-05");
  EXPECT_EQ(Tensor::Scalar(999999.0f).ToString(), "999999.0");
  EXPECT_EQ(Tensor::Scalar(1e6f).ToString(), "1e+06");
  EXPECT_EQ(Tensor::Scalar(-kInf).ToString(), "-inf");
  EXPECT_EQ(Tensor::Scalar(kNan).ToString(), "nan");
  EXPECT_EQ(Tensor::Scalar(true).ToString(), "True");
  EXPECT_EQ(Tensor::Scalar(uint8_t{65}).ToString(), "65");
  EXPECT_EQ(Tensor::Scalar(C128(1, 2)).ToString(), "(1+2j)");
  EXPECT_EQ(Tensor::Scalar(C128(0, -2)).ToString(), "-2j");
  EXPECT_EQ(Tensor::Scalar(C128(-0.0, 0.5)).ToString(), "(-0+0.5j)");
  EXPECT_EQ(Tensor::Scalar(C128(kNan, kInf)).ToString(), "(nan+infj)");
  EXPECT_EQ(Tensor::Scalar(C64(0.1f, 1e9f)).ToString(), "(0.1+1e+09j)");
}

TEST(PrintTest, RealNumbersAreAlignedAtThePoint) {
  EXPECT_EQ(Row<double>({1, 2, 3}).ToString(), "[1. 2. 3.]");
  EXPECT_EQ(Row<double>({-1, 20.5, 0.125}).ToString(), "[-1.    20.5    0.125]");
  EXPECT_EQ(Row<double>({1.0 / 3, 2.0 / 3, 1}).ToString(), "[0.33333333 0.66666667 1.        ]");
  EXPECT_EQ(Row<float>({0.1f, 1.0f / 3}).ToString(), "[0.1        0.33333334]");
  EXPECT_EQ(Row<double>({0, -0.0}).ToString(), "[ 0. -0.]");
  EXPECT_EQ(Row<double>({0.0001, 0.1}).ToString(), "[0.0001 0.1   ]");
  EXPECT_EQ(Row<double>({99999999, 1e6}).ToString(), "[99999999.  1000000.]");
}

TEST(PrintTest, WideRangesAreScientific) {
  EXPECT_EQ(Row<double>({1e8, 1e6}).ToString(), "[1.e+08 1.e+06]");
  EXPECT_EQ(Row<float>({1e6f, 1}).ToString(), "[1.e+06 1.e+00]");
  EXPECT_EQ(Row<double>({0.00009, 0}).ToString(), "[9.e-05 0.e+00]");
  EXPECT_EQ(Row<float>({0.0001f, 0}).ToString(), "[0.0001 0.    ]");
  EXPECT_EQ(Row<double>({1, 1001}).ToString(), "[1.000e+00 1.001e+03]");
  EXPECT_EQ(Row<double>({1, 1000}).ToString(), "[   1. 1000.]");
  EXPECT_EQ(Row<double>({1e-300, 1e10, -1.0 / 3}).ToString(), "[ 1.00000000e-300  1.00000000e+010 -3.33333333e-001]");
  EXPECT_EQ(Row<float>({0.1f, 1e10f, 1.0f / 3}).ToString(), "[1.0000000e-01 1.0000000e+10 3.3333334e-01]");
}

TEST(PrintTest, NotANumberAndInfinity) {
  EXPECT_EQ(Row<double>({kNan, 1, -kInf}).ToString(), "[ nan   1. -inf]");
  EXPECT_EQ(Row<double>({kNan, kInf}).ToString(), "[nan inf]");
  EXPECT_EQ(Row<double>({kNan, -kInf}).ToString(), "[ nan -inf]");
  EXPECT_EQ(Row<double>({1e-30, kInf}).ToString(), "[1.e-30    inf]");
  EXPECT_EQ(Row<double>({1.25, kInf}).ToString(), "[1.25  inf]");
}

TEST(PrintTest, ComplexNumbers) {
  EXPECT_EQ(Row<C128>({{1, 2}, {-0.5, -10}}).ToString(), "[ 1.  +2.j -0.5-10.j]");
  EXPECT_EQ(Row<C64>({{0.1f, 2}, {1e-10f, -0.0f}}).ToString(), "[1.e-01+2.j 1.e-10-0.j]");
  EXPECT_EQ(Row<C128>({{kNan, 2}, {1, kNan}, {0, -kInf}}).ToString(), "[nan +2.j  1.+nanj  0.-infj]");
  EXPECT_EQ(Row<C128>({{0, 1.5}, {0, 22.25}}).ToString(), "[0. +1.5j  0.+22.25j]");
}

TEST(PrintTest, IntegersAndBooleans) {
  EXPECT_EQ(Row<int32_t>({1, -20, 300}).ToString(), "[  1 -20 300]");
  EXPECT_EQ(Row<int64_t>({INT64_MIN, INT64_MAX}).ToString(), "[-9223372036854775808  9223372036854775807]");
  EXPECT_EQ(Row<uint8_t>({0, 255}).ToString(), "[  0 255]");
  EXPECT_EQ(Row<uint32_t>({UINT32_MAX}).ToString(), "[4294967295]");
  EXPECT_EQ(Row<uint64_t>({0, UINT64_MAX}).ToString(), "[                   0 18446744073709551615]");
  EXPECT_EQ(Row<bool>({true, false}).ToString(), "[ True False]");
  EXPECT_EQ(Row<bool>({true, true}).ToString(), "[ True  True]");
}

TEST(PrintTest, EmptyTensors) {
  EXPECT_EQ(Tensor::Zeros(DType::kF64, {0})->ToString(), "[]");
  EXPECT_EQ(Tensor::Zeros(DType::kC64, {3, 0, 2})->ToString(), "[]");
}

TEST(PrintTest, AxesNestWithTheLastOneAsRows) {
  EXPECT_EQ(Counting({2, 3}).ToString(),
            R"([[0 2 4]
 [1 3 5]])");
  EXPECT_EQ(Counting({2, 2, 3}).ToString(),
            R"([[[ 0  4  8]
  [ 2  6 10]]

 [[ 1  5  9]
  [ 3  7 11]]])");
  EXPECT_EQ(Counting({2, 1, 2, 2}).ToString(),
            R"([[[[0 4]
   [2 6]]]


 [[[1 5]
   [3 7]]]])");
  EXPECT_EQ(Counting({1, 1, 1}).ToString(), "[[[0]]]");
  EXPECT_EQ(Counting({2, 3}).Transpose({1, 0})->ToString(),
            R"([[0 1]
 [2 3]
 [4 5]])");
  EXPECT_EQ(Counting({3}).BroadcastTo({2, 3})->ToString(),
            R"([[0 1 2]
 [0 1 2]])");
}

TEST(PrintTest, LongRowsAreWrapped) {
  EXPECT_EQ(Counting({30}).ToString(),
            R"([ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
 24 25 26 27 28 29])");
  EXPECT_EQ(Counting({2, 26}).ToString(),
            R"([[ 0  2  4  6  8 10 12 14 16 18 20 22 24 26 28 30 32 34 36 38 40 42 44 46
  48 50]
 [ 1  3  5  7  9 11 13 15 17 19 21 23 25 27 29 31 33 35 37 39 41 43 45 47
  49 51]])");
  EXPECT_EQ(Counting({1, 1, 1, 25}).ToString(),
            R"([[[[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21
    22 23 24]]]])");
  EXPECT_EQ(Sevenths({12}).ToString(),
            R"([0.         0.14285714 0.28571429 0.42857143 0.57142857 0.71428571
 0.85714286 1.         1.14285714 1.28571429 1.42857143 1.57142857])");
  EXPECT_EQ(Sevenths({2, 6}).ToString(),
            R"([[0.         0.28571429 0.57142857 0.85714286 1.14285714 1.42857143]
 [0.14285714 0.42857143 0.71428571 1.         1.28571429 1.57142857]])");
}

TEST(PrintTest, LargeTensorsAreCut) {
  EXPECT_EQ(Counting({1001}).ToString(), "[   0    1    2 ...  998  999 1000]");
  EXPECT_EQ(Counting({40, 30}).ToString(),
            R"([[   0   40   80 ... 1080 1120 1160]
 [   1   41   81 ... 1081 1121 1161]
 [   2   42   82 ... 1082 1122 1162]
 ...
 [  37   77  117 ... 1117 1157 1197]
 [  38   78  118 ... 1118 1158 1198]
 [  39   79  119 ... 1119 1159 1199]])");
  EXPECT_EQ(Counting({7, 2, 80}).ToString(),
            R"([[[   0   14   28 ... 1078 1092 1106]
  [   7   21   35 ... 1085 1099 1113]]

 [[   1   15   29 ... 1079 1093 1107]
  [   8   22   36 ... 1086 1100 1114]]

 [[   2   16   30 ... 1080 1094 1108]
  [   9   23   37 ... 1087 1101 1115]]

 ...

 [[   4   18   32 ... 1082 1096 1110]
  [  11   25   39 ... 1089 1103 1117]]

 [[   5   19   33 ... 1083 1097 1111]
  [  12   26   40 ... 1090 1104 1118]]

 [[   6   20   34 ... 1084 1098 1112]
  [  13   27   41 ... 1091 1105 1119]]])");
  EXPECT_EQ(Counting({6, 200}).ToString(),
            R"([[   0    6   12 ... 1182 1188 1194]
 [   1    7   13 ... 1183 1189 1195]
 [   2    8   14 ... 1184 1190 1196]
 [   3    9   15 ... 1185 1191 1197]
 [   4   10   16 ... 1186 1192 1198]
 [   5   11   17 ... 1187 1193 1199]])");
  EXPECT_EQ(Counting({1000, 1, 2}).ToString(),
            R"([[[   0 1000]]

 [[   1 1001]]

 [[   2 1002]]

 ...

 [[ 997 1997]]

 [[ 998 1998]]

 [[ 999 1999]]])");
}

TEST(PrintTest, AnyRank) {
  Shape shape;
  for (int axis = 0; axis < 100000; ++axis) shape.push_back(1);
  const std::string text = Counting(shape).ToString();
  EXPECT_EQ(text.size(), 200001u);
  EXPECT_EQ(text.substr(99998, 5), "[[0]]");
}

TEST(PrintTest, NumbersThatAreNotShownDoNotCount) {
  Tensor tensor = *Tensor::Zeros(DType::kF64, {2000});
  (*tensor.MutableData<double>())[1000] = 1e20;
  EXPECT_EQ(tensor.ToString(), "[0. 0. 0. ... 0. 0. 0.]");
}

}  // namespace
}  // namespace tenferro
