// Functions that move elements, and products, on random dtypes, shapes and strides: each element against the formula of
// its index.

#include <algorithm>
#include <functional>
#include <optional>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tenferro/cpu/random_program.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/matrix_parts.h"
#include "tenferro/runtime/ops/numbers_for_tests.h"
#include "tenferro/runtime/ops/products.h"
#include "tenferro/runtime/ops/rearrange.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

constexpr uint32_t kSeeds = 300;

// The bytes of elements by index.
class Elements {
 public:
  explicit Elements(const Tensor& tensor) : tensor_(*tensor.Dense()) {}
  const Shape& shape() const { return tensor_.shape(); }
  std::string operator[](const Ints& index) const {
    int64_t offset = 0;
    for (int i = shape().rank() - 1; i >= 0; --i) offset = offset * shape().extent(i) + index[i];
    const int64_t size = SizeOf(tensor_.dtype());
    return std::string(static_cast<const char*>(*tensor_.HostData()) + offset * size, size);
  }

 private:
  Tensor tensor_;
};

Ints IndexOf(const Shape& shape, int64_t position) {
  Ints index;
  for (int i = 0; i < shape.rank(); ++i) {
    index.push_back(position % shape.extent(i));
    position /= shape.extent(i);
  }
  return index;
}

// Where an element comes from: an operand and an index in it; zeros without one.
struct Source {
  std::optional<Ints> index;
  size_t operand = 0;
};

void ExpectMoved(const Var& y, const Shape& shape, const std::vector<Elements>& operands,
                 const std::function<Source(const Ints&)>& source) {
  ASSERT_TRUE(y.ok()) << y.status();
  ASSERT_EQ(y.shape(), shape);
  const Elements got(*y.ToTensor());
  for (int64_t i = 0; i < shape.size(); ++i) {
    const Ints index = IndexOf(shape, i);
    const Source from = source(index);
    const std::string want =
        from.index.has_value() ? operands[from.operand][*from.index] : std::string(SizeOf(y.dtype()), '\0');
    ASSERT_EQ(got[index], want) << "element " << i;
  }
}

// A random value with the dice to choose how it is moved.
struct Sample {
  explicit Sample(uint32_t seed, DTypeSet dtypes = kAnySet) : dice(seed, 120) {
    const Shape shape = dice.RandomShape();
    const DType dtype = dice.OneOf(dtypes);
    for (int i = 0; i < 3; ++i) {
      const Tensor tensor = RandomTensor(dtype, shape, dice.random());
      values.push_back(Immediate(EngineForTests(), tensor));
      elements.emplace_back(tensor);
    }
  }
  const Var& x() const { return values[0]; }
  int rank() const { return x().rank(); }
  Shape shape() const { return x().shape(); }

  RandomProgram dice;
  std::vector<Var> values;
  std::vector<Elements> elements;
};

// Runs `check` on samples until one fails.
template <class Check>
void ForEach(const Check& check, DTypeSet dtypes = kAnySet) {
  for (uint32_t seed = 0; seed < kSeeds && !testing::Test::HasFailure(); ++seed) {
    Sample s(seed, dtypes);
    SCOPED_TRACE(absl::StrCat("seed ", seed, ", ", s.x().type().ToString()));
    check(s);
  }
}

int64_t Modulo(int64_t a, int64_t n) { return (a % n + n) % n; }

TEST(RandomMovements, TilesRepeatsAndRolls) {
  ForEach([](Sample& s) {
    Ints repeats, shifts;
    Shape tiled;
    for (int i = 0; i < s.rank(); ++i) {
      repeats.push_back(s.dice.Below(4));
      shifts.push_back(s.dice.Below(1000) - 500);
      tiled.push_back(s.x().dim(i) * repeats[i]);
    }
    const auto wrapped = [&](Ints index, const Ints& by) {
      for (int i = 0; i < s.rank(); ++i) index[i] = Modulo(index[i] - by[i], s.x().dim(i));
      return Source{index};
    };
    ExpectMoved(Tile(s.x(), repeats), tiled, s.elements, [&](const Ints& i) { return wrapped(i, Ints(i.size(), 0)); });
    ExpectMoved(Roll(s.x(), shifts, FirstAxes(s.rank())), s.shape(), s.elements,
                [&](const Ints& i) { return wrapped(i, shifts); });
    if (s.rank() == 0) return;
    const int axis = s.dice.Below(s.rank());
    const int64_t count = s.dice.Below(4);
    Shape repeated = s.shape();
    repeated[axis] = s.x().dim(axis) * count;
    ExpectMoved(Repeat(s.x(), count, axis), repeated, s.elements, [&](Ints i) {
      i[axis] /= count;
      return Source{i};
    });
  });
}

TEST(RandomMovements, StacksAndSplits) {
  ForEach([](Sample& s) {
    const int place = s.dice.Below(s.rank() + 1);
    Ints extents = s.shape().extents();
    extents.insert(extents.begin() + place, 3);
    ExpectMoved(Stack(s.values, place), Shape(absl::MakeConstSpan(extents)), s.elements, [&](Ints i) {
      const size_t operand = static_cast<size_t>(i[place]);
      i.erase(i.begin() + place);
      return Source{i, operand};
    });
    if (s.rank() == 0) return;
    const int axis = s.dice.Below(s.rank());
    const int64_t extent = s.x().dim(axis), first = s.dice.Below(extent + 1),
                  second = first + s.dice.Below(extent - first + 1);
    const int64_t starts[] = {0, first, second, extent};
    const std::vector<Var> parts = SplitAt(s.x(), {first, second}, axis);
    ASSERT_EQ(parts.size(), 3);
    for (int k = 0; k < 3; ++k) {
      Shape part = s.shape();
      part[axis] = starts[k + 1] - starts[k];
      ExpectMoved(parts[k], part, s.elements, [&](Ints i) {
        i[axis] += starts[k];
        return Source{i};
      });
    }
    const int sections = extent % 3 == 0 ? 3 : extent % 2 == 0 ? 2 : 1;
    const std::vector<Var> equal = Split(s.x(), sections, axis);
    ASSERT_EQ(equal.size(), sections);
    for (int k = 0; k < sections; ++k) {
      Shape part = s.shape();
      part[axis] = extent / sections;
      ExpectMoved(equal[k], part, s.elements, [&](Ints i) {
        i[axis] += k * (extent / sections);
        return Source{i};
      });
    }
  });
}

TEST(RandomMovements, AxesMove) {
  ForEach([](Sample& s) {
    if (s.rank() == 0) return;
    const int from = s.dice.Below(s.rank()), to = s.dice.Below(s.rank());
    Ints order = FirstAxes(s.rank());
    order.erase(order.begin() + from);
    order.insert(order.begin() + to, from);
    Shape moved;
    for (int64_t axis : order) moved.push_back(s.shape()[static_cast<int>(axis)]);
    ExpectMoved(MoveAxis(s.x(), from, to), moved, s.elements, [&](const Ints& i) {
      Ints source(i.size());
      for (size_t k = 0; k < i.size(); ++k) source[order[k]] = i[k];
      return Source{source};
    });
    Shape flat{s.shape().size()};
    ExpectMoved(Flatten(s.x()), flat, s.elements, [&](const Ints& i) { return Source{IndexOf(s.shape(), i[0])}; });
  });
}

TEST(RandomMovements, TrianglesAndDiagonals) {
  ForEach([](Sample& s) {
    if (s.rank() < 2) return;
    const int64_t k = s.dice.Below(9) - 4;
    ExpectMoved(Tril(s.x(), k), s.shape(), s.elements,
                [&](const Ints& i) { return i[1] - i[0] <= k ? Source{i} : Source{}; });
    ExpectMoved(Triu(s.x(), k), s.shape(), s.elements,
                [&](const Ints& i) { return i[1] - i[0] >= k ? Source{i} : Source{}; });
    const int axis1 = s.dice.Below(s.rank()), axis2 = (axis1 + 1 + s.dice.Below(s.rank() - 1)) % s.rank();
    const Ints others = OtherAxes({axis1, axis2}, s.rank());
    Shape shape;
    for (int64_t axis : others) shape.push_back(s.shape()[static_cast<int>(axis)]);
    const int64_t row = std::max<int64_t>(0, -k), column = std::max<int64_t>(0, k);
    shape.push_back(std::max<int64_t>(0, std::min(s.x().dim(axis1) - row, s.x().dim(axis2) - column)));
    ExpectMoved(Diagonal(s.x(), k, axis1, axis2), shape, s.elements, [&](const Ints& i) {
      Ints source(s.rank());
      for (size_t n = 0; n < others.size(); ++n) source[others[n]] = i[n];
      source[axis1] = i.back() + row;
      source[axis2] = i.back() + column;
      return Source{source};
    });
  });
}

// Small integers, so that every order of summation gives the same.
Var Integers(RandomProgram& dice, DType dtype, const Shape& shape) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < shape.size(); ++i) numbers.push_back(dice.Below(4));
  return Cast(Now<double>(shape, numbers), dtype);
}
std::complex<double> At(const Tensor& numbers, const Ints& index) { return *numbers.At<std::complex<double>>(index); }
Tensor Numbers(const Var& x) { return *Cast(x, DType::kC128).ToTensor(); }

TEST(RandomProducts, Tensordots) {
  for (uint32_t seed = 0; seed < kSeeds && !HasFailure(); ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    RandomProgram dice(seed, 60);
    const DType dtype = dice.OneOf(kNumberSet & ~SetOf(DType::kU8));  // which would wrap
    // Some axes of a in some order, and further ones between them.
    const Var a = Integers(dice, dtype, dice.RandomShape());
    const Ints permuted = dice.RandomPermutation(a.rank());
    const size_t count = dice.Below(a.rank() + 1);
    const Ints lhs(permuted.begin(), permuted.begin() + count);
    Ints extents, rhs;
    for (int64_t axis : lhs) {
      if (dice.OneIn(2)) extents.push_back(1 + dice.Below(3));
      rhs.push_back(static_cast<int64_t>(extents.size()));
      extents.push_back(a.dim(static_cast<int>(axis)));
    }
    extents.push_back(dice.Below(3));
    const Var b = Transpose(Integers(dice, dtype, Shape(absl::MakeConstSpan(extents))));
    for (int64_t& axis : rhs) axis = b.rank() - 1 - axis;
    const Var y = Tensordot(a, b, lhs, rhs);
    ASSERT_TRUE(y.ok()) << y.status();
    const Ints lhs_free = OtherAxes(lhs, a.rank()), rhs_free = OtherAxes(rhs, b.rank());
    Shape shape, summed;
    for (int64_t axis : lhs_free) shape.push_back(a.dim(static_cast<int>(axis)));
    for (int64_t axis : rhs_free) shape.push_back(b.dim(static_cast<int>(axis)));
    for (int64_t axis : lhs) summed.push_back(a.dim(static_cast<int>(axis)));
    ASSERT_EQ(y.shape(), shape);
    const Tensor x = Numbers(a), w = Numbers(b), got = Numbers(y);
    for (int64_t i = 0; i < shape.size(); ++i) {
      const Ints index = IndexOf(shape, i);
      std::complex<double> want = 0;
      for (int64_t k = 0; k < summed.size(); ++k) {
        const Ints inner = IndexOf(summed, k);
        Ints left(a.rank()), right(b.rank());
        for (size_t n = 0; n < lhs_free.size(); ++n) left[lhs_free[n]] = index[n];
        for (size_t n = 0; n < rhs_free.size(); ++n) right[rhs_free[n]] = index[lhs_free.size() + n];
        for (size_t n = 0; n < lhs.size(); ++n) left[lhs[n]] = right[rhs[n]] = inner[n];
        want += At(x, left) * At(w, right);
      }
      ASSERT_EQ(At(got, index), want) << "element " << i;
    }
  }
}

TEST(RandomProducts, KroneckersAndOuters) {
  for (uint32_t seed = 0; seed < kSeeds && !HasFailure(); ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    RandomProgram dice(seed, 40);
    const DType dtype = dice.OneOf(kNumberSet);
    const Var a = Integers(dice, dtype, dice.RandomShape());
    Shape inner;
    for (int i = 0; i < a.rank(); ++i) inner.push_back(dice.Below(4));
    const Var b = Integers(dice, dtype, inner);
    Shape kron, outer = a.shape();
    for (int i = 0; i < a.rank(); ++i) kron.push_back(a.dim(i) * b.dim(i));
    for (Dim extent : inner.dims()) outer.push_back(extent);
    const Var y = Kron(a, b), z = Outer(a, b);
    ASSERT_EQ(y.shape(), kron) << y.status();
    ASSERT_EQ(z.shape(), outer) << z.status();
    const Tensor x = Numbers(a), w = Numbers(b), got_kron = Numbers(y), got_outer = Numbers(z);
    for (int64_t i = 0; i < outer.size(); ++i) {
      const Ints index = IndexOf(outer, i);
      const Ints left(index.begin(), index.begin() + a.rank()), right(index.begin() + a.rank(), index.end());
      Ints both;
      for (int k = 0; k < a.rank(); ++k) both.push_back(left[k] * b.dim(k) + right[k]);
      ASSERT_EQ(At(got_outer, index), At(x, left) * At(w, right)) << "element " << i;
      ASSERT_EQ(At(got_kron, both), At(x, left) * At(w, right)) << "element " << i;
    }
  }
}

}  // namespace
}  // namespace tenferro
