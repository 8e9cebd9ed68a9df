#include <cstdint>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "tenferro/tensor/tensor.h"

namespace tenferro {
namespace {

Tensor Counting(const Shape& shape) {
  Tensor tensor = *Tensor::Zeros(DType::kI64, shape);
  const absl::Span<int64_t> elements = *tensor.MutableData<int64_t>();
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<int64_t>(i);
  return tensor;
}

// The elements in column-major order, each fetched by its index.
std::vector<int64_t> Elements(const Tensor& tensor) {
  std::vector<int64_t> elements;
  Ints index(tensor.rank(), 0);
  for (int64_t i = 0; i < tensor.size(); ++i) {
    elements.push_back(*tensor.At<int64_t>(index));
    for (int axis = 0; axis < tensor.rank() && ++index[axis] == tensor.dim(axis); ++axis) index[axis] = 0;
  }
  return elements;
}

using Numbers = std::vector<int64_t>;

bool SharesBytes(const Tensor& a, const Tensor& b) { return a.storage() == b.storage(); }

TEST(TransposeTest, PermutesTheAxes) {
  const Tensor tensor = Counting({2, 3, 4});
  const absl::StatusOr<Tensor> view = tensor.Transpose({2, 0, 1});
  ASSERT_TRUE(view.ok()) << view.status();
  EXPECT_TRUE(SharesBytes(*view, tensor));
  EXPECT_EQ(view->shape(), Shape({4, 2, 3}));
  EXPECT_EQ(*view->At<int64_t>({3, 1, 2}), *tensor.At<int64_t>({1, 2, 3}));
  EXPECT_FALSE(view->IsDense());
  EXPECT_TRUE(tensor.Transpose({0, 1, 2})->IsDense());
  EXPECT_TRUE(Tensor().Transpose({}).ok());
}

TEST(TransposeTest, RejectsWhatIsNoPermutation) {
  const Tensor tensor = Counting({2, 3});
  EXPECT_EQ(tensor.Transpose({0}).status().message(), "Transpose: [0] is not a permutation of the axes of i64[2,3]");
  EXPECT_FALSE(tensor.Transpose({0, 0}).ok());
  EXPECT_FALSE(tensor.Transpose({0, 2}).ok());
  EXPECT_FALSE(tensor.Transpose({-1, 0}).ok());
  EXPECT_FALSE(tensor.Transpose({0, 1, 2}).ok());
}

TEST(SliceTest, TakesRangesWithSteps) {
  const Tensor tensor = Counting({4, 5});
  const absl::StatusOr<Tensor> view = tensor.Slice({1, 0}, {4, 5}, {2, 3});
  ASSERT_TRUE(view.ok()) << view.status();
  EXPECT_TRUE(SharesBytes(*view, tensor));
  EXPECT_EQ(view->shape(), Shape({2, 2}));
  EXPECT_EQ(Elements(*view), Numbers({1, 3, 13, 15}));
  EXPECT_EQ(Elements(*view->Slice({1, 1}, {2, 2}, {1, 1})), Numbers({15}));
}

TEST(SliceTest, LastColumnsAreDense) {
  EXPECT_TRUE(Counting({4, 5}).Slice({0, 2}, {4, 5}, {1, 1})->IsDense());
  EXPECT_FALSE(Counting({4, 5}).Slice({1, 0}, {4, 5}, {1, 1})->IsDense());
}

TEST(SliceTest, EmptyRangesStayInsideTheStorage) {
  const Tensor view = *Counting({4, 5}).Slice({4, 5}, {4, 5}, {1, 1});
  EXPECT_EQ(view.shape(), Shape({0, 0}));
  EXPECT_EQ(view.offset(), 0);
  EXPECT_TRUE(view.HostData().ok());
  EXPECT_TRUE(view.Slice({0, 0}, {0, 0}, {INT64_MAX, 1}).ok());
}

TEST(SliceTest, HugeStepsTakeOneElement) {
  const Tensor view = *Counting({4, 5}).Slice({3, 4}, {4, 5}, {INT64_MAX, INT64_MAX});
  EXPECT_EQ(Elements(view), Numbers({19}));
  EXPECT_EQ(Elements(*Counting({4}).Slice({1}, {4}, {INT64_MAX})), Numbers({1}));
}

TEST(SliceTest, Errors) {
  const Tensor tensor = Counting({4, 5});
  EXPECT_EQ(tensor.Slice({0}, {4, 5}, {1, 1, 1}).status().message(),
            "Slice: i64[4,5] needs 2 starts, limits and strides, got 1, 2 and 3");
  EXPECT_EQ(tensor.Slice({0, 0}, {4, 6}, {1, 1}).status().message(),
            "Slice: [0, 6) is not a range within axis 1 of i64[4,5]");
  EXPECT_EQ(tensor.Slice({-1, 0}, {4, 5}, {1, 1}).status().message(),
            "Slice: [-1, 4) is not a range within axis 0 of i64[4,5]");
  EXPECT_EQ(tensor.Slice({3, 0}, {2, 5}, {1, 1}).status().message(),
            "Slice: [3, 2) is not a range within axis 0 of i64[4,5]");
  EXPECT_EQ(tensor.Slice({0, 0}, {4, 5}, {1, 0}).status().message(),
            "Slice: stride 0 of axis 1 of i64[4,5] is below 1");
}

TEST(BroadcastToTest, RepeatsAlongNewAndUnitAxes) {
  const Tensor tensor = Counting({3, 1});
  const absl::StatusOr<Tensor> view = tensor.BroadcastTo({2, 3, 2});
  ASSERT_TRUE(view.ok()) << view.status();
  EXPECT_TRUE(SharesBytes(*view, tensor));
  EXPECT_EQ(Elements(*view), Numbers({0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2}));
  EXPECT_FALSE(view->IsDense());
  EXPECT_EQ(Elements(*view->Dense()), Elements(*view));
  EXPECT_EQ(tensor.BroadcastTo({0, 3, 0})->size(), 0);
}

TEST(BroadcastToTest, Errors) {
  const Tensor tensor = Counting({3, 1});
  EXPECT_EQ(tensor.BroadcastTo({4, 2}).status().message(), "BroadcastTo: i64[3,1] does not broadcast to [4,2]");
  EXPECT_EQ(tensor.BroadcastTo({3}).status().message(), "BroadcastTo: i64[3,1] does not broadcast to [3]");
  EXPECT_FALSE(tensor.BroadcastTo({1, 1}).ok());
  EXPECT_EQ(tensor.BroadcastTo({3, -1}).status().message(), "shape [3,-1]: the extent -1 of axis 1 is negative");
  EXPECT_FALSE(tensor.BroadcastTo({int64_t{1} << 40, 3, int64_t{1} << 40}).ok());
}

TEST(BroadcastToTest, TooLargeToBeMadeDense) {
  const Tensor view = *Counting({1}).BroadcastTo({int64_t{1} << 40, int64_t{1} << 14});
  EXPECT_EQ(*view.At<int64_t>({(int64_t{1} << 40) - 1, 5}), 0);
  EXPECT_EQ(view.Dense().status().code(), absl::StatusCode::kResourceExhausted);
}

TEST(ReshapeTest, DenseTensorsAreViewed) {
  const Tensor tensor = Counting({2, 3, 4});
  for (const Shape& shape : {Shape({24}), Shape({6, 4}), Shape({4, 6}), Shape({1, 24, 1}), Shape({2, 2, 2, 3})}) {
    const absl::StatusOr<Tensor> view = tensor.Reshape(shape);
    ASSERT_TRUE(view.ok()) << view.status();
    EXPECT_TRUE(SharesBytes(*view, tensor)) << shape.ToString();
    EXPECT_TRUE(view->IsDense()) << shape.ToString();
    EXPECT_EQ(view->shape(), shape);
  }
  EXPECT_EQ(Counting({1, 1}).Reshape({})->rank(), 0);
  EXPECT_EQ(Counting({}).Reshape({1, 1})->shape(), Shape({1, 1}));
}

TEST(ReshapeTest, StridedTensorsAreViewedWhereStepsAreEven) {
  const Tensor columns = *Counting({4, 6}).Slice({0, 1}, {4, 6}, {1, 2});  // i64[4,3], strides 1 and 8
  EXPECT_TRUE(SharesBytes(*columns.Reshape({2, 2, 3}), columns));
  EXPECT_TRUE(SharesBytes(*columns.Reshape({4, 1, 3, 1}), columns));
  EXPECT_FALSE(SharesBytes(*columns.Reshape({12}), columns));
  EXPECT_FALSE(SharesBytes(*columns.Reshape({2, 6}), columns));
  const Tensor rows = *Counting({5, 4}).Slice({0, 0}, {1, 4}, {1, 1});  // i64[1,4], strides 1 and 5
  EXPECT_TRUE(SharesBytes(*rows.Reshape({4}), rows));
  const Tensor repeated = *Counting({1}).BroadcastTo({6});
  EXPECT_TRUE(SharesBytes(*repeated.Reshape({2, 3}), repeated));
}

TEST(ReshapeTest, Errors) {
  EXPECT_EQ(Counting({2, 3}).Reshape({7}).status().message(), "Reshape: i64[2,3] has 6 elements, shape [7] has 7");
  EXPECT_EQ(Counting({2, 3}).Reshape({-2, -3}).status().message(),
            "shape [-2,-3]: the extent -2 of axis 0 is negative");
}

TEST(DenseTest, DenseTensorsAreTheirOwn) {
  const Tensor tensor = Counting({2, 3});
  EXPECT_TRUE(SharesBytes(*tensor.Dense(), tensor));
  const Tensor copy = *tensor.Transpose({1, 0})->Dense();
  EXPECT_FALSE(SharesBytes(copy, tensor));
  EXPECT_EQ(copy.offset(), 0);
}

// Chains of random views against the same steps on a plain list of elements.
class RandomViews {
 public:
  explicit RandomViews(int seed) : random_(seed) {}

  void Run() {
    const int rank = Below(4);
    Shape shape;
    for (int axis = 0; axis < rank; ++axis) shape.push_back(1 + Below(5));
    Tensor tensor = Counting(shape);
    for (int step = 0; step < 4; ++step) {
      const Tensor before = tensor;
      switch (Below(4)) {
        case 0: CheckTranspose(before, &tensor); break;
        case 1: CheckSlice(before, &tensor); break;
        case 2: CheckBroadcast(before, &tensor); break;
        default: CheckReshape(before, &tensor);
      }
      const std::vector<int64_t> elements = Elements(tensor);
      const absl::StatusOr<Tensor> dense = tensor.Dense();
      ASSERT_TRUE(dense.ok()) << dense.status();
      const absl::Span<const int64_t> data = *dense->Data<int64_t>();
      ASSERT_EQ(elements, std::vector<int64_t>(data.begin(), data.end()));
    }
  }

 private:
  int Below(int limit) { return static_cast<int>(random_() % limit); }

  // Checks view[index] == tensor[source(index)] for every index of the view.
  template <class Source>
  void CheckElements(const Tensor& tensor, const Tensor& view, const Source& source) {
    Ints index(view.rank(), 0);
    for (int64_t i = 0; i < view.size(); ++i) {
      ASSERT_EQ(*view.At<int64_t>(index), *tensor.At<int64_t>(source(index)));
      for (int axis = 0; axis < view.rank() && ++index[axis] == view.dim(axis); ++axis) index[axis] = 0;
    }
  }

  void CheckTranspose(const Tensor& tensor, Tensor* view) {
    Ints permutation(tensor.rank());
    for (int axis = 0; axis < tensor.rank(); ++axis) permutation[axis] = axis;
    std::shuffle(permutation.begin(), permutation.end(), random_);
    *view = *tensor.Transpose(permutation);
    CheckElements(tensor, *view, [&](const Ints& index) {
      Ints source = index;
      for (size_t axis = 0; axis < index.size(); ++axis) source[permutation[axis]] = index[axis];
      return source;
    });
  }

  void CheckSlice(const Tensor& tensor, Tensor* view) {
    Ints starts, limits, strides;
    for (int axis = 0; axis < tensor.rank(); ++axis) {
      starts.push_back(Below(static_cast<int>(tensor.dim(axis))));
      limits.push_back(starts[axis] + 1 + Below(static_cast<int>(tensor.dim(axis) - starts[axis])));
      strides.push_back(1 + Below(3));
    }
    *view = *tensor.Slice(starts, limits, strides);
    CheckElements(tensor, *view, [&](const Ints& index) {
      Ints source = index;
      for (size_t axis = 0; axis < index.size(); ++axis) source[axis] = starts[axis] + strides[axis] * index[axis];
      return source;
    });
  }

  void CheckBroadcast(const Tensor& tensor, Tensor* view) {
    Shape shape = tensor.shape();
    for (int axis = 0; axis < tensor.rank(); ++axis) {
      if (shape.extent(axis) == 1) shape[axis] = 1 + Below(3);
    }
    if (tensor.rank() < 5 && Below(2) == 0) {
      Shape longer = {1 + Below(3)};
      for (Dim dim : shape.dims()) longer.push_back(dim);
      shape = longer;
    }
    *view = *tensor.BroadcastTo(shape);
    CheckElements(tensor, *view, [&](const Ints& index) {
      Ints source(index.end() - tensor.rank(), index.end());
      for (int axis = 0; axis < tensor.rank(); ++axis) source[axis] %= tensor.dim(axis);
      return source;
    });
  }

  void CheckReshape(const Tensor& tensor, Tensor* view) {
    Shape shape;
    for (int64_t left = tensor.size(); left > 1 || Below(2) == 0;) {
      int64_t divisor = 1 + Below(6);
      while (left % divisor != 0) --divisor;
      shape.push_back(shape.rank() > 6 ? left : divisor);
      left /= shape.extent(shape.rank() - 1);
    }
    *view = *tensor.Reshape(shape);
    ASSERT_EQ(view->shape(), shape);
    ASSERT_EQ(Elements(*view), Elements(tensor));
  }

  std::mt19937 random_;
};

TEST(RandomViewsTest, ChainsOfViewsShowTheRightElements) {
  for (int seed = 0; seed < 2000; ++seed) {
    RandomViews(seed).Run();
    if (HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

}  // namespace
}  // namespace tenferro
