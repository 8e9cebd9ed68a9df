#include "tenferro/tensor/tensor.h"

#include <complex>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace tenferro {
namespace {

constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();

Tensor Counting(const Shape& shape) {
  Tensor tensor = *Tensor::Zeros(DType::kF64, shape);
  const absl::Span<double> elements = *tensor.MutableData<double>();
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<double>(i);
  return tensor;
}

Tensor OnDevice(const Shape& shape) {
  return *Tensor::FromStorage(Storage::Adopt(nullptr, 1024, Device{"tpu", 1}, nullptr, nullptr), DType::kF64, shape,
                              shape.ColMajorStrides());
}

TEST(CreateTest, FromColMajorKeepsTheOrderOfTheElements) {
  const absl::StatusOr<Tensor> tensor = Tensor::FromColMajor<double>({2, 3}, {1, 2, 3, 4, 5, 6});
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  EXPECT_EQ(tensor->dtype(), DType::kF64);
  EXPECT_EQ(tensor->rank(), 2);
  EXPECT_EQ(tensor->dim(1), 3);
  EXPECT_EQ(tensor->size(), 6);
  EXPECT_EQ(tensor->strides(), absl::MakeConstSpan({int64_t{1}, int64_t{2}}));
  EXPECT_EQ(tensor->offset(), 0);
  EXPECT_TRUE(tensor->IsDense());
  EXPECT_TRUE(tensor->device().is_host());
  EXPECT_EQ(*tensor->Data<double>(), absl::Span<const double>({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(*tensor->At<double>({1, 0}), 2);
  EXPECT_EQ(*tensor->At<double>({0, 2}), 5);
}

TEST(CreateTest, FromRowMajorReordersTheElements) {
  const absl::StatusOr<Tensor> tensor = Tensor::FromRowMajor<int32_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  EXPECT_EQ(*tensor->Data<int32_t>(), absl::Span<const int32_t>({1, 4, 2, 5, 3, 6}));
}

TEST(CreateTest, WrongNumberOfElements) {
  EXPECT_EQ(Tensor::FromColMajor<double>({2, 3}, {1, 2}).status().message(),
            "FromColMajor: shape [2,3] has 6 elements, got 2");
  EXPECT_EQ(Tensor::FromRowMajor<double>({}, {1, 2}).status().message(),
            "FromRowMajor: shape [] has 1 elements, got 2");
}

TEST(CreateTest, WrongNumberOfElementsIsFoundBeforeMemoryIsTaken) {
  EXPECT_EQ(Tensor::FromColMajor<double>({int64_t{1} << 50}, {1}).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(CreateTest, ImpossibleShapes) {
  EXPECT_EQ(Tensor::Zeros(DType::kF64, {2, -1}).status().message(),
            "shape [2,-1]: the extent -1 of axis 1 is negative");
  EXPECT_FALSE(Tensor::FromColMajor<double>({-1, -1}, {1}).ok());
  EXPECT_FALSE(Tensor::FromRowMajor<double>({kHuge, kHuge}, {1}).ok());
  EXPECT_EQ(Tensor::Uninitialized(DType::kC128, {int64_t{1} << 58}).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(CreateTest, ZerosOfEveryDType) {
  for (DType dtype : kAllDTypes) {
    const absl::StatusOr<Tensor> tensor = Tensor::Zeros(dtype, {3});
    ASSERT_TRUE(tensor.ok()) << tensor.status();
    EXPECT_EQ(tensor->dtype(), dtype);
    Dispatch(dtype, [&]<class T>() { EXPECT_EQ(*tensor->At<T>({2}), T()) << Name(dtype); });
  }
}

TEST(CreateTest, ScalarsOfEveryDType) {
  for (DType dtype : kAllDTypes) {
    Dispatch(dtype, [&]<class T>() {
      const Tensor tensor = Tensor::Scalar(T(1));
      EXPECT_EQ(tensor.dtype(), dtype);
      EXPECT_EQ(tensor.rank(), 0);
      EXPECT_EQ(*tensor.Item<T>(), T(1));
      EXPECT_EQ(tensor.Data<T>()->size(), 1u);
    });
  }
}

TEST(CreateTest, DefaultIsZero) {
  Tensor tensor;
  EXPECT_EQ(*tensor.Item<double>(), 0);
  EXPECT_FALSE(tensor.MutableData<double>().ok());
  tensor = Tensor::Scalar(2.0);
  EXPECT_EQ(*tensor.Item<double>(), 2);
  EXPECT_EQ(*Tensor().Item<double>(), 0);
}

TEST(CreateTest, EmptyTensors) {
  const absl::StatusOr<Tensor> tensor = Tensor::FromRowMajor<float>({2, 0, 3}, {});
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  EXPECT_EQ(tensor->size(), 0);
  EXPECT_TRUE(tensor->IsDense());
  EXPECT_TRUE(tensor->Data<float>()->empty());
  EXPECT_EQ(tensor->At<float>({0, 0, 0}).status().message(), "At: index [0,0,0] is outside f32[2,0,3] on axis 1");
}

TEST(AccessTest, DTypeMustBeTheTensorsOwn) {
  Tensor tensor = Counting({2, 3});
  EXPECT_EQ(tensor.Data<float>().status().message(), "Data<f32>: the tensor is f64[2,3]");
  EXPECT_EQ(tensor.MutableData<int64_t>().status().message(), "MutableData<i64>: the tensor is f64[2,3]");
  EXPECT_EQ(tensor.At<std::complex<double>>({0, 0}).status().message(), "At<c128>: the tensor is f64[2,3]");
  EXPECT_EQ(Tensor::Scalar(1.0).Item<bool>().status().message(), "Item<bool>: the tensor is f64[]");
  EXPECT_EQ(tensor.Data<float>().status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(AccessTest, IndicesMustBeInRange) {
  const Tensor tensor = Counting({2, 3});
  EXPECT_EQ(tensor.At<double>({1}).status().message(), "At: f64[2,3] needs 2 indices, got 1");
  EXPECT_EQ(tensor.At<double>({0, 3}).status().message(), "At: index [0,3] is outside f64[2,3] on axis 1");
  EXPECT_EQ(tensor.At<double>({-1, 0}).status().message(), "At: index [-1,0] is outside f64[2,3] on axis 0");
  EXPECT_EQ(tensor.At<double>({0, kHuge}).status().code(), absl::StatusCode::kOutOfRange);
}

TEST(AccessTest, ItemNeedsOneElement) {
  EXPECT_EQ(Counting({2, 3}).Item<double>().status().message(), "Item: f64[2,3] has 6 elements, not one");
  EXPECT_EQ(Counting({0}).Item<double>().status().message(), "Item: f64[0] has 0 elements, not one");
  EXPECT_EQ(*Counting({1, 1}).Item<double>(), 0);
}

TEST(AccessTest, DataNeedsADenseTensor) {
  Tensor transposed = *Counting({2, 3}).Transpose({1, 0});
  EXPECT_EQ(transposed.Data<double>().status().message(),
            "Data: f64[3,2] with strides [2,1] is not dense: call Dense() first");
  EXPECT_EQ(transposed.MutableData<double>().status().message(),
            "MutableData: f64[3,2] with strides [2,1] is not dense: call Dense() first");
  EXPECT_EQ(transposed.Data<double>().status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(*transposed.At<double>({2, 0}), 4);
}

TEST(AccessTest, WritingNeedsTheOnlyOwner) {
  Tensor tensor = Counting({2});
  {
    const Tensor other = tensor;
    EXPECT_EQ(tensor.MutableData<double>().status().message(),
              "MutableData: another tensor shares the bytes of f64[2]");
  }
  ASSERT_TRUE(tensor.MutableData<double>().ok());
  (*tensor.MutableData<double>())[1] = 7;
  EXPECT_EQ(*tensor.At<double>({1}), 7);
}

TEST(AccessTest, BytesElsewhereAreNotRead) {
  Tensor tensor = OnDevice({2, 3});
  const char kMessage[] = "f64[2,3] lives on tpu:1, not on the host: download it first";
  EXPECT_EQ(tensor.HostData().status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(tensor.HostData().status().message(), kMessage);
  EXPECT_EQ(tensor.Data<double>().status().message(), kMessage);
  EXPECT_EQ(tensor.MutableData<double>().status().message(), kMessage);
  EXPECT_EQ(tensor.At<double>({0, 0}).status().message(), kMessage);
  EXPECT_EQ(OnDevice({}).Item<double>().status().message(), "f64[] lives on tpu:1, not on the host: download it first");
  EXPECT_EQ(tensor.Transpose({1, 0})->Dense().status().message(),
            "f64[3,2] lives on tpu:1, not on the host: download it first");
  EXPECT_EQ(tensor.ToString(), "<f64[2,3] on tpu:1>");
}

TEST(AccessTest, ATensorThatWasMovedFromHasNoBytes) {
  Tensor tensor = Tensor::Scalar(1.0);
  const Tensor taken = std::move(tensor);
  EXPECT_EQ(*taken.Item<double>(), 1);
  EXPECT_FALSE(tensor.device().is_host());  // NOLINT: used after it was moved
  EXPECT_EQ(tensor.HostData().status().message(), "the tensor was moved from: it has no bytes");
  EXPECT_EQ(tensor.Item<double>().status().message(), "the tensor was moved from: it has no bytes");
  EXPECT_EQ(tensor.ToString(), "<f64[] on moved-from:0>");
}

TEST(AccessTest, ViewsOfBytesElsewhereWork) {
  const Tensor tensor = OnDevice({2, 3});
  EXPECT_EQ(tensor.Reshape({6})->device().ToString(), "tpu:1");
  EXPECT_TRUE(tensor.Dense().ok());
  EXPECT_EQ(tensor.Slice({0, 1}, {2, 3}, {1, 1})->offset(), 2);
}

class FromStorageTest : public testing::Test {
 protected:
  absl::StatusOr<Tensor> Make(const Shape& shape, absl::Span<const int64_t> strides, int64_t offset) {
    return Tensor::FromStorage(storage_, DType::kF64, shape, strides, offset);
  }

  std::shared_ptr<Storage> storage_ = Counting({12}).storage();
};

TEST_F(FromStorageTest, AnyStridesInsideTheStorage) {
  const Tensor every_other = *Make({2, 3}, {6, 2}, 1);
  EXPECT_EQ(*every_other.At<double>({1, 2}), 11);
  const Tensor backwards = *Make({3}, {-2}, 5);
  EXPECT_EQ(*backwards.At<double>({0}), 5);
  EXPECT_EQ(*backwards.At<double>({2}), 1);
  EXPECT_EQ(*backwards.Dense()->Data<double>(), absl::Span<const double>({5, 3, 1}));
  const Tensor repeated = *Make({4}, {0}, 11);
  EXPECT_EQ(*repeated.At<double>({3}), 11);
}

TEST_F(FromStorageTest, OneElementTooFarIsAnError) {
  EXPECT_TRUE(Make({12}, {1}, 0).ok());
  EXPECT_EQ(Make({12}, {1}, 1).status().message(),
            "FromStorage: f64[12] with strides [1] and offset 1 reaches outside a storage of 96 bytes");
  EXPECT_FALSE(Make({13}, {1}, 0).ok());
  EXPECT_FALSE(Make({2}, {-1}, 0).ok());
  EXPECT_FALSE(Make({2}, {12}, 0).ok());
  EXPECT_FALSE(Make({}, {}, 12).ok());
  EXPECT_FALSE(Make({}, {}, -1).ok());
}

TEST_F(FromStorageTest, LastIncompleteElementDoesNotCount) {
  double value = 0;
  const auto seven_bytes = Storage::Adopt(&value, 7, Device(), nullptr, nullptr);
  EXPECT_FALSE(Tensor::FromStorage(seven_bytes, DType::kF64, {}, {}).ok());
}

TEST_F(FromStorageTest, ExtremeNumbersDoNotOverflow) {
  EXPECT_FALSE(Make({3}, {kHuge}, kHuge).ok());
  EXPECT_FALSE(Make({3, 3}, {kHuge, -kHuge}, 0).ok());
  EXPECT_FALSE(Make({int64_t{1} << 40, int64_t{1} << 18}, {-kHuge - 1, -kHuge - 1}, kHuge).ok());
}

TEST_F(FromStorageTest, StridesThatNothingUsesAreNotKept) {
  const Tensor tensor = *Make({1, 2}, {kHuge, 3}, 0);
  EXPECT_EQ(tensor.strides(), absl::MakeConstSpan({int64_t{1}, int64_t{3}}));
  const Tensor empty = *Make({0, 2}, {kHuge, kHuge}, 12);
  EXPECT_EQ(empty.size(), 0);
  EXPECT_TRUE(empty.IsDense());
  EXPECT_FALSE(Make({0}, {1}, 13).ok());
  EXPECT_FALSE(Make({0}, {1}, -1).ok());
}

TEST_F(FromStorageTest, OtherErrors) {
  EXPECT_EQ(Make({2, 3}, {1}, 0).status().message(), "FromStorage: shape [2,3] needs 2 strides, got 1");
  EXPECT_EQ(Make({-2}, {1}, 0).status().message(), "shape [-2]: the extent -2 of axis 0 is negative");
  EXPECT_EQ(Tensor::FromStorage(nullptr, DType::kF64, {}, {}).status().message(), "FromStorage: no storage");
  double values[2] = {};
  const auto shifted = Storage::Adopt(reinterpret_cast<char*>(values) + 4, 8, Device(), nullptr, nullptr);
  EXPECT_EQ(Tensor::FromStorage(shifted, DType::kF64, {}, {}).status().message(),
            "FromStorage: the bytes are not aligned to the 8 bytes that f64 needs");
  EXPECT_TRUE(Tensor::FromStorage(shifted, DType::kC64, {}, {}).ok());
}

}  // namespace
}  // namespace tenferro
