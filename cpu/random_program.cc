#include "tenferro/cpu/random_program.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

template <class T>
T Special(int which) {
  using Limits = std::numeric_limits<T>;
  const T numbers[] = {T(0),
                       -T(0),
                       Limits::infinity(),
                       -Limits::infinity(),
                       Limits::quiet_NaN(),
                       Limits::denorm_min(),
                       Limits::lowest(),
                       Limits::max(),
                       Limits::min(),
                       T(1)};
  return numbers[which % 10];
}

template <class T>
T Number(std::mt19937& random, bool special) {
  const int number = static_cast<int>(random() % 33) - 16;
  special = special && random() % 4 == 0;
  if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
    using R = typename T::value_type;
    const R re = Number<R>(random, special);
    return T(re, Number<R>(random, special));
  } else if constexpr (std::is_floating_point_v<T>) {
    return special ? Special<T>(static_cast<int>(random() % 10)) : T(number) / T(8);
  } else if constexpr (std::is_same_v<T, bool>) {
    return number % 2 != 0;
  } else {
    if (special) return number > 0 ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
    return static_cast<T>(std::is_signed_v<T> ? number / 2 : std::abs(number) / 2);
  }
}

constexpr DTypeSet kTameSet = SetOf(DType::kF64) | SetOf(DType::kC128);

Var Tamed(const Var& x) { return x * (Rsqrt(1 + Square(Real(x)) + Square(Imag(x))) * RandomProgram::kTame); }

}  // namespace

Tensor RandomTensor(DType dtype, const Shape& shape, std::mt19937& random, bool tame) {
  Ints strides = shape.ColMajorStrides();
  int64_t offset = 0, size = shape.size();
  if (random() % 2 == 0) {
    Ints order = FirstAxes(shape.rank());
    std::shuffle(order.begin(), order.end(), random);
    int64_t running = 1;
    for (int64_t axis : order) {
      constexpr int64_t kSteps[] = {1, 1, 2, -1, -2, 0};
      const int64_t extent = std::max<int64_t>(1, shape.extent(static_cast<int>(axis))), step = kSteps[random() % 6];
      strides[axis] = step * running;
      if (step < 0) offset -= strides[axis] * (extent - 1);
      if (step != 0) running *= extent * std::abs(step);
    }
    const int64_t before = random() % 3;
    offset += before;
    size = before + running;
  }
  Tensor whole = *Tensor::Zeros(dtype, {size});
  Dispatch(dtype, [&]<class T>() {
    const bool special = !tame && random() % 4 == 0;
    const absl::Span<T> data = *whole.MutableData<T>();
    for (T& element : data) {
      element = Number<T>(random, special);
      if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::complex<double>>) {
        if (tame) element *= RandomProgram::kTame / 3;
      }
    }
  });
  return *Tensor::FromStorage(whole.storage(), dtype, shape, strides, shape.size() == 0 ? 0 : offset);
}

RandomProgram::RandomProgram(uint32_t seed, int64_t largest)
    : random_(seed), largest_(largest), graph_(std::make_unique<Graph>()) {
  // Many of one type, so that operations find operands that go together.
  const Shape shape = RandomShape();
  const DType dtype = OneOf(kAnySet);
  for (int i = 0; i < 5; ++i) {
    const Shape own = OneIn(3) ? RandomShape() : shape;
    const Tensor tensor = RandomTensor(OneIn(2) ? OneOf(kAnySet) : dtype, own, random_);
    values_.push_back(i == 0 ? graph_->Input(tensor.dtype(), tensor.shape()) : Fresh(tensor));
    if (i > 0) continue;
    inputs_.push_back(values_.back());
    arguments_.push_back(tensor);
  }
}

RandomProgram::RandomProgram(uint32_t seed, int64_t largest, absl::Span<const Var> values,
                             absl::Span<const RandomStep> more)
    : random_(seed), largest_(largest), more_(more), values_(values.begin(), values.end()) {}

DType RandomProgram::OneOf(DTypeSet dtypes) {
  for (;;) {
    const DType dtype = kAllDTypes[Below(kNumDTypes)];
    if (Contains(dtypes, dtype)) return dtype;
  }
}

Shape RandomProgram::RandomShape() {
  static constexpr int64_t kExtents[] = {1, 2, 3, 5, 8, 17, 0, 40, 300};
  Shape shape;
  const int rank = Below(4);
  for (int i = 0; i < rank; ++i) {
    const int64_t extent = kExtents[Below(OneIn(6) ? 9 : 6)];
    if (shape.size() * extent <= largest_) shape.push_back(extent);
  }
  if (OneIn(4) && shape.size() > 0) shape.push_back(largest_ / shape.size());
  return shape;
}

Ints RandomProgram::RandomPermutation(int rank) {
  Ints permutation = FirstAxes(rank);
  std::shuffle(permutation.begin(), permutation.end(), random_);
  return permutation;
}

Ints RandomProgram::SomeAxes(int rank) {
  Ints axes;
  for (int i = 0; i < rank; ++i) {
    if (OneIn(2)) axes.push_back(i);
  }
  return axes;
}

Var RandomProgram::Fresh(const Tensor& tensor) {
  if (tame()) return ConstantLike(values_[0], tensor);
  if (OneIn(2)) return graph_->Constant(tensor);
  arguments_.push_back(tensor);
  inputs_.push_back(graph_->Input(tensor.dtype(), tensor.shape()));
  return inputs_.back();
}

Var RandomProgram::Fresh(DType dtype, const Shape& shape) { return Fresh(RandomTensor(dtype, shape, random_, tame())); }

Var RandomProgram::Indices(const Shape& shape, int64_t extent) {
  const DType dtype = OneOf(kIntegerSet);
  const bool extremes = OneIn(5);
  Tensor tensor = *Tensor::Zeros(dtype, shape);
  Dispatch(dtype, [&]<class T>() {
    const absl::Span<T> data = *tensor.MutableData<T>();
    for (T& element : data) {
      const int64_t index = Below(extent + 6) - 3;
      if constexpr (!std::is_same_v<T, std::complex<float>> && !std::is_same_v<T, std::complex<double>>) {
        element = static_cast<T>(IsUnsigned(dtype) ? std::min<int64_t>(std::max<int64_t>(index, 0), 255) : index);
        if (extremes && OneIn(4)) {
          element = OneIn(2) ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
        }
      }
    }
  });
  return Fresh(tensor);
}

Var RandomProgram::Reshaped(const Var& x, const Shape& shape) {
  const int64_t size = x.shape().size();
  if (size < shape.size()) return Fresh(x.dtype(), shape);
  return Reshape(Slice(Reshape(x, {size}), {0}, {shape.size()}), shape);
}

template <class Fits>
Var RandomProgram::Choose(const Var& otherwise, Fits fits) {
  std::vector<Var> fitting;
  for (const Var& value : values_) {
    if (fits(value.type())) fitting.push_back(value);
  }
  return fitting.empty() ? otherwise : fitting[Below(fitting.size())];
}

Var RandomProgram::Same(const Var& x) {
  return Choose(x, [&x](const ValueType& type) { return type == x.type(); });
}

Var RandomProgram::SameShape(const Var& x, DTypeSet dtypes) {
  return Choose(Contains(dtypes, x.dtype()) ? x : Cast(x, OneOf(dtypes)),
                [&](const ValueType& type) { return type.shape == x.shape() && Contains(dtypes, type.dtype); });
}

Var RandomProgram::Partner(const Var& x, DTypeSet dtypes) {
  return Choose(x, [&](const ValueType& type) {
    const absl::StatusOr<DType> dtype = Promote(x.dtype(), type.dtype);
    const absl::StatusOr<Shape> shape = BroadcastShapes(x.shape(), type.shape);
    return dtype.ok() && Contains(dtypes, *dtype) && shape.ok() && shape->size() <= largest_;
  });
}

Var RandomProgram::AnyOf(DTypeSet dtypes) {
  const Var any = values_[Below(values_.size())];
  if (Contains(dtypes, any.dtype())) return any;
  return Choose(Cast(any, OneOf(dtypes)), [dtypes](const ValueType& type) { return Contains(dtypes, type.dtype); });
}

std::vector<Var> RandomProgram::StepsOn(absl::Span<const Var> values, int count) {
  std::vector<Var> outer(values.begin(), values.end());
  std::swap(outer, values_);
  for (int i = 0; i < count; ++i) Step();
  std::vector<Var> results;
  for (size_t i = values.size(); i < values_.size(); ++i) results.push_back(values_[i]);
  values_ = std::move(outer);
  return results;
}

void RandomProgram::Step() {
  const absl::Span<const RandomStep> groups[] = {ElementwiseSteps(),
                                                 ElementwiseSteps(),
                                                 StructuralSteps(),
                                                 StructuralSteps(),
                                                 ReducingSteps(),
                                                 IndexingSteps(),
                                                 more_,
                                                 more_};
  const absl::Span<const RandomStep> group = groups[Below(more_.empty() ? 6 : 8)];
  const RandomStep& step = group[Below(group.size())];
  if (!tame()) {
    for (const Var& result : step.apply(*this, AnyOf(step.dtypes))) values_.push_back(result);
    return;
  }
  const DTypeSet dtypes = step.dtypes & kTameSet;
  if (!step.smooth || dtypes == 0) return Step();
  for (const Var& result : step.apply(*this, AnyOf(dtypes))) {
    if (!result.ok() || Contains(kTameSet, result.dtype())) values_.push_back(Tamed(result));
  }
}

absl::StatusOr<Program> RandomProgram::Finish() {
  std::vector<Var> outputs;
  const int rarity = 2 + Below(7);
  for (const Var& value : values_) {
    if (!value.ok()) return value.status();
    if (OneIn(rarity)) outputs.push_back(value);
  }
  outputs.push_back(values_.back());
  return Compile(outputs, inputs_);
}

}  // namespace tenferro
