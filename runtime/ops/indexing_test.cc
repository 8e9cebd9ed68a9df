#include "tenferro/runtime/ops/indexing.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/indexing_shapes.h"
#include "tenferro/runtime/ops/random_gather.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

const CpuEngine& Serial() {
  static const CpuEngine& engine = *new CpuEngine(CpuEngine::Serial());
  return engine;
}

// Numbers in column-major order.
struct Array {
  Shape shape;
  std::vector<double> numbers;

  int64_t Offset(const Ints& index) const {
    int64_t offset = 0;
    for (int i = shape.rank() - 1; i >= 0; --i) offset = offset * shape.extent(i) + index[i];
    return offset;
  }
  double& operator[](const Ints& index) { return numbers[Offset(index)]; }
  double operator[](const Ints& index) const { return numbers[Offset(index)]; }
};

Ints IndexOf(const Shape& shape, int64_t position) {
  Ints index;
  for (int i = 0; i < shape.rank(); ++i) {
    index.push_back(position % shape.extent(i));
    position /= shape.extent(i);
  }
  return index;
}

Var Make(const Array& array, DType dtype, const CpuEngine& engine = Serial()) {
  return Cast(Immediate(engine, *Tensor::FromColMajor<double>(array.shape, array.numbers)), dtype);
}

Array Read(const Var& var) {
  EXPECT_TRUE(var.ok()) << var.status();
  if (!var.ok()) return {};
  const Tensor tensor = *Cast(var, DType::kF64).ToTensor()->Dense();
  const absl::Span<const double> data = *tensor.Data<double>();
  return {tensor.shape(), std::vector<double>(data.begin(), data.end())};
}

void ExpectEqual(const Array& got, const Array& want) {
  ASSERT_EQ(got.shape, want.shape);
  for (size_t i = 0; i < want.numbers.size(); ++i) {
    if (std::isnan(want.numbers[i])) {
      EXPECT_TRUE(std::isnan(got.numbers[i])) << "element " << i;
    } else {
      ASSERT_EQ(got.numbers[i], want.numbers[i]) << "element " << i;
    }
  }
}

// The text of StableHLO's gather: where element `window` of a window starts, given one element of the windows' tensor.
// False where the window is outside and not to be moved inside.
bool OperandIndex(const GatherAttributes& a, const Shape& operand, const Array& indices, const Ints& result_index,
                  Ints& operand_index) {
  Ints batch_index, offset_index;
  for (size_t i = 0; i < result_index.size(); ++i) {
    (ContainsAxis(a.offset_dims, i) ? offset_index : batch_index).push_back(result_index[i]);
  }
  operand_index = Ints(operand.rank(), 0);
  bool inside = true;
  for (size_t c = 0; c < a.start_index_map.size(); ++c) {
    Ints at = batch_index;
    if (a.index_vector_dim < indices.shape.rank()) at.insert(at.begin() + a.index_vector_dim, c);
    const int64_t axis = a.start_index_map[c], last = operand.extent(axis) - a.slice_sizes[axis];
    int64_t start = static_cast<int64_t>(indices[at]);
    if (a.from_the_end && start < 0) start += operand.extent(axis);
    inside = inside && start >= 0 && start <= last;
    operand_index[axis] = a.mode == IndexMode::kClamp ? std::clamp<int64_t>(start, 0, last) : start;
  }
  for (size_t i = 0; i < a.operand_batching_dims.size(); ++i) {
    const int64_t axis = a.start_indices_batching_dims[i];
    operand_index[a.operand_batching_dims[i]] = batch_index[axis - (a.index_vector_dim < axis)];
  }
  size_t next = 0;
  for (int axis = 0; axis < operand.rank(); ++axis) {
    if (ContainsAxis(a.collapsed_slice_dims, axis) || ContainsAxis(a.operand_batching_dims, axis)) continue;
    operand_index[axis] += offset_index[next++];
  }
  return inside || a.mode == IndexMode::kClamp;
}

Array NaiveGather(const GatherAttributes& a, const Array& operand, const Array& indices, const Shape& result,
                  double fill) {
  Array y{result, std::vector<double>(result.size())};
  for (int64_t i = 0; i < result.size(); ++i) {
    Ints from;
    y.numbers[i] = OperandIndex(a, operand.shape, indices, IndexOf(result, i), from) ? operand[from] : fill;
  }
  return y;
}

double Combine(ScatterKind kind, double x, double update) {
  switch (kind) {
    case ScatterKind::kSet: return update;
    case ScatterKind::kAdd: return x + update;
    case ScatterKind::kMul: return x * update;
    case ScatterKind::kMin: return std::min(x, update);
    case ScatterKind::kMax: break;
  }
  return std::max(x, update);
}

Array NaiveScatter(const GatherAttributes& a, const Array& operand, const Array& indices, const Array& updates,
                   ScatterKind kind) {
  // Window by window: the axes that number them are the outer ones.
  std::vector<std::pair<Ints, int64_t>> order;
  for (int64_t i = 0; i < updates.shape.size(); ++i) {
    const Ints index = IndexOf(updates.shape, i);
    Ints key;
    for (int axis = updates.shape.rank() - 1; axis >= 0; --axis) {
      if (!ContainsAxis(a.offset_dims, axis)) key.push_back(index[axis]);
    }
    order.emplace_back(key, i);
  }
  std::sort(order.begin(), order.end());
  Array y = operand;
  for (const auto& [key, i] : order) {
    Ints to;
    if (!OperandIndex(a, operand.shape, indices, IndexOf(updates.shape, i), to)) continue;
    y[to] = Combine(kind, y[to], updates.numbers[i]);
  }
  return y;
}

// A random gather, its numbers and its operand's shape, in which axes have extent 0 and 1 now and then.
struct Random {
  explicit Random(uint32_t seed) : bits(seed) {
    for (int rank = Below(5); operand.rank() < rank;) operand.push_back(Below(8) == 0 ? Below(2) : 1 + Below(4));
    RandomGather gather = MakeRandomGather(operand, bits);
    a = gather.attributes;
    windows = gather.windows;
    indices.shape = gather.indices;
    for (int64_t i = 0; i < indices.shape.size(); ++i) indices.numbers.push_back(Below(9) - 2);
  }

  int Below(int n) { return static_cast<int>(bits() % static_cast<uint32_t>(n)); }
  Array Numbers(const Shape& shape, int below) {
    Array array{shape, {}};
    for (int64_t i = 0; i < shape.size(); ++i) array.numbers.push_back(Below(below));
    return array;
  }
  // Indices of any integer dtype; unsigned ones have no negative number.
  DType IndexDType() {
    const DType dtypes[] = {DType::kI32, DType::kI64, DType::kU8, DType::kU32, DType::kU64};
    const DType dtype = dtypes[Below(5)];
    if (IsUnsigned(dtype)) {
      for (double& index : indices.numbers) index = std::abs(index);
    }
    return dtype;
  }

  std::mt19937 bits;
  GatherAttributes a;
  Shape operand;
  Array indices;
  Shape windows;
};

constexpr int kRandomCases = 3000;

int NumbersBelow(DType dtype) { return dtype == DType::kBool ? 2 : 4; }

TEST(Gather, AgreesWithItsDefinition) {
  for (int seed = 0; seed < kRandomCases; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    Random random(seed);
    const DType dtype = kAllDTypes[random.Below(kNumDTypes)], index_dtype = random.IndexDType();
    const Array operand = random.Numbers(random.operand, NumbersBelow(dtype));
    const Var y = Gather(Make(operand, dtype), Make(random.indices, index_dtype), random.a, true);
    ExpectEqual(Read(y), NaiveGather(random.a, operand, random.indices, random.windows, 1));
    if (HasFatalFailure()) return;
  }
}

TEST(Scatter, AgreesWithItsDefinition) {
  for (int seed = 0; seed < kRandomCases; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    Random random(seed);
    const ScatterKind kind = static_cast<ScatterKind>(random.Below(5));
    DType dtype = kAllDTypes[random.Below(kNumDTypes)];
    if (kind >= ScatterKind::kMin && IsComplex(dtype)) dtype = DType::kF32;
    if (kind == ScatterKind::kAdd || kind == ScatterKind::kMul) {
      if (dtype == DType::kBool) dtype = DType::kU32;
    }
    const DType index_dtype = random.IndexDType();
    const Array operand = random.Numbers(random.operand, NumbersBelow(dtype));
    const Array updates = random.Numbers(random.windows, kind == ScatterKind::kMul ? 2 : NumbersBelow(dtype));
    const Var y = Scatter(Make(operand, dtype), Make(random.indices, index_dtype), Make(updates, dtype), kind,
                          ScatterOf(random.a));
    ExpectEqual(Read(y), NaiveScatter(random.a, operand, random.indices, updates, kind));
    if (HasFatalFailure()) return;
  }
}

// Operands that lie transposed in memory, in a graph of their own.
TEST(Gather, TakesOperandsOfAnyStrides) {
  for (int seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    Random random(seed);
    const Array operand = random.Numbers(random.operand, 4);
    const Array updates = random.Numbers(random.windows, 4);
    Graph graph;
    std::vector<Var> inputs;
    std::vector<Tensor> arguments;
    const auto reversed = [&](const Array& array, DType dtype) {
      const Tensor value = *Transpose(Make(array, dtype)).ToTensor();
      arguments.push_back(*value.Dense());
      inputs.push_back(graph.Input(dtype, value.shape()));
      return Transpose(inputs.back());
    };
    const Var x = reversed(operand, DType::kF32), indices = reversed(random.indices, DType::kI32);
    const Var u = reversed(updates, DType::kF32);
    const Var gathered = Gather(x, indices, random.a, 7);
    const Var scattered = Scatter(x, indices, u, ScatterKind::kAdd, ScatterOf(random.a));
    const absl::StatusOr<Prepared> prepared = Serial().Prepare(*Compile({gathered, scattered}, inputs));
    ASSERT_TRUE(prepared.ok()) << prepared.status();
    const std::vector<Tensor> results = *prepared->Run(arguments);
    ExpectEqual(Read(Immediate(Serial(), results[0])),
                NaiveGather(random.a, operand, random.indices, random.windows, 7));
    ExpectEqual(Read(Immediate(Serial(), results[1])),
                NaiveScatter(random.a, operand, random.indices, updates, ScatterKind::kAdd));
    if (HasFatalFailure()) return;
  }
}

TEST(Gather, FillsWithWhatJaxFillsWith) {
  const GatherAttributes one{.offset_dims = {},
                             .collapsed_slice_dims = {0},
                             .operand_batching_dims = {},
                             .start_indices_batching_dims = {},
                             .start_index_map = {0},
                             .index_vector_dim = 1,
                             .slice_sizes = {1},
                             .mode = IndexMode::kFill};
  const std::pair<DType, const char*> kFills[] = {{DType::kBool, "[False  True]"},
                                                  {DType::kI32, "[          0 -2147483648]"},
                                                  {DType::kI64, "[                   0 -9223372036854775808]"},
                                                  {DType::kU8, "[  0 255]"},
                                                  {DType::kU32, "[         0 4294967295]"},
                                                  {DType::kU64, "[                   0 18446744073709551615]"},
                                                  {DType::kF32, "[ 0. nan]"},
                                                  {DType::kF64, "[ 0. nan]"},
                                                  {DType::kC64, "[ 0.+0.j nan+0.j]"},
                                                  {DType::kC128, "[ 0.+0.j nan+0.j]"}};
  for (const auto& [dtype, text] : kFills) {
    const Var y = Gather(Make({{1}, {0}}, dtype), Make({{2}, {0, 1}}, DType::kI32), one);
    EXPECT_EQ(y.ToTensor()->ToString(), text) << Name(dtype);
  }
}

TEST(Scatter, ExtremaKeepNaNAndOrderZeros) {
  const double nan = std::nan("");
  const ScatterAttributes one{.update_window_dims = {},
                              .inserted_window_dims = {0},
                              .input_batching_dims = {},
                              .scatter_indices_batching_dims = {},
                              .scatter_dims_to_operand_dims = {0},
                              .index_vector_dim = 1};
  for (DType dtype : {DType::kF32, DType::kF64}) {
    const Var x = Make({{4}, {nan, 1, 0.0, -0.0}}, dtype), at = Make({{4}, {0, 1, 2, 3}}, DType::kI64);
    const Var updates = Make({{4}, {1, nan, -0.0, 0.0}}, dtype);
    const Array larger = Read(Scatter(x, at, updates, ScatterKind::kMax, one));
    const Array smaller = Read(Scatter(x, at, updates, ScatterKind::kMin, one));
    for (const Array& y : {larger, smaller}) {
      EXPECT_TRUE(std::isnan(y.numbers[0]));
      EXPECT_TRUE(std::isnan(y.numbers[1]));
    }
    EXPECT_FALSE(std::signbit(larger.numbers[2]));
    EXPECT_FALSE(std::signbit(larger.numbers[3]));
    EXPECT_TRUE(std::signbit(smaller.numbers[2]));
    EXPECT_TRUE(std::signbit(smaller.numbers[3]));
  }
}

TEST(Scatter, OfComplexNumbersAndWrappingIntegers) {
  using Complex = std::complex<double>;
  const ScatterAttributes one{.update_window_dims = {},
                              .inserted_window_dims = {0},
                              .input_batching_dims = {},
                              .scatter_indices_batching_dims = {},
                              .scatter_dims_to_operand_dims = {0},
                              .index_vector_dim = 1};
  const Var at = Make({{2}, {0, 0}}, DType::kU8);
  const Var z = Immediate(Serial(), *Tensor::FromColMajor<Complex>({1}, {Complex(1, 2)}));
  const Var w = Immediate(Serial(), *Tensor::FromColMajor<Complex>({2}, {Complex(0, 1), Complex(3, 1)}));
  EXPECT_EQ(Scatter(z, at, w, ScatterKind::kMul, one).ToTensor()->At<Complex>({0}).value(), Complex(-7, 1));
  EXPECT_EQ(Scatter(z, at, w, ScatterKind::kAdd, one).ToTensor()->At<Complex>({0}).value(), Complex(4, 4));
  const Var i = Immediate(Serial(), *Tensor::FromColMajor<int32_t>({1}, {INT32_MAX}));
  const Var one_each = Immediate(Serial(), *Tensor::FromColMajor<int32_t>({2}, {1, 1}));
  EXPECT_EQ(Scatter(i, at, one_each, ScatterKind::kAdd, one).ToTensor()->At<int32_t>({0}).value(), INT32_MIN + 1);
}

TEST(DynamicSlice, ClampsItsStarts) {
  const Array x{{3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}};
  for (DType dtype : kAllDTypes) {
    if (dtype == DType::kBool) continue;
    const Var a = Make(x, dtype);
    for (int64_t i : {-3, 0, 1, 2, 9}) {
      for (int64_t k : {-1, 1, 2, 100}) {
        const Var y = DynamicSlice(a, {Arg(i), Arg(k)}, {2, 2});
        const int64_t row = std::clamp<int64_t>(i, 0, 1), column = std::clamp<int64_t>(k, 0, 2);
        ExpectEqual(Read(y), Read(Slice(a, {row, column}, {row + 2, column + 2})));
        const Var update = Make({{2, 1}, {5, 6}}, dtype);
        const Var z = DynamicUpdateSlice(a, update, {Arg(Make({{}, {double(i)}}, DType::kI32)), Arg(k)});
        Array want = x;
        want[{row, std::clamp<int64_t>(k, 0, 3)}] = 5;
        want[{row + 1, std::clamp<int64_t>(k, 0, 3)}] = 6;
        ExpectEqual(Read(z), want);
      }
    }
  }
  const Var largest = Immediate(Serial(), *Tensor::FromColMajor<uint64_t>({2}, {UINT64_MAX, 0}));
  ExpectEqual(Read(DynamicSlice(Make(x, DType::kF64), largest, {1, 1})), {{1, 1}, {2}});
  ExpectEqual(Read(DynamicSlice(Make(x, DType::kF64), {Arg(1), Arg(1)}, {0, 2})), {{0, 2}, {}});
  // Starts of dtypes that no dtype holds together.
  const Var unsigned_start = Immediate(Serial(), Tensor::Scalar(UINT64_MAX)), start = Make({{}, {-1}}, DType::kI32);
  for (const Arg& other : {Arg(0), Arg(start)}) {
    ExpectEqual(Read(DynamicSlice(Make(x, DType::kF64), {unsigned_start, other}, {1, 1})), {{1, 1}, {2}});
  }
  ExpectEqual(Read(DynamicSlice(Make({{}, {3}}, DType::kF64), absl::Span<const Arg>(), {})), {{}, {3}});
  // A vector's start may be a number; starts may differ in dtype.
  const Var v = Make({{4}, {1, 2, 3, 4}}, DType::kF64);
  ExpectEqual(Read(DynamicSlice(v, 1, {2})), {{2}, {2, 3}});
  ExpectEqual(Read(DynamicUpdateSlice(v, Make({{1}, {7}}, DType::kF64), {Arg(9)})), {{4}, {1, 2, 3, 7}});
  const Var behind = Immediate(Serial(), Tensor::Scalar(UINT64_MAX));
  ExpectEqual(Read(DynamicSlice(Make(x, DType::kF64), {Arg(behind), Arg(Make({{}, {1}}, DType::kI32))}, {1, 1})),
              {{1, 1}, {5}});
}

TEST(IndexSelect, CountsNegativeIndicesFromTheEnd) {
  const Array x{{2, 3}, {0, 1, 2, 3, 4, 5}};
  const Var a = Make(x, DType::kF64);
  const Var at = Make({{2, 2}, {-1, 0, 3, -4}}, DType::kI32);
  const double nan = std::nan("");
  ExpectEqual(Read(IndexSelect(a, at, 1)), {{2, 2, 2}, {4, 5, 0, 1, nan, nan, nan, nan}});
  ExpectEqual(Read(IndexSelect(a, at, 1, IndexMode::kClamp)), {{2, 2, 2}, {4, 5, 0, 1, 4, 5, 0, 1}});
  ExpectEqual(Read(IndexSelect(a, Make({{}, {-1}}, DType::kI64), 0)), {{3}, {1, 3, 5}});
  ExpectEqual(Read(IndexSelect(Make({{0, 2}, {}}, DType::kF64), Make({{0}, {}}, DType::kI64), 0)), {{0, 2}, {}});
  // Indices wider than their dtype's own range of negative numbers.
  Array long_axis{{300}, {}};
  for (int i = 0; i < 300; ++i) long_axis.numbers.push_back(i);
  ExpectEqual(Read(IndexSelect(Make(long_axis, DType::kF64), Make({{2}, {255, 3}}, DType::kU8), 0)), {{2}, {255, 3}});
}

TEST(AlongAxis, TakesAndPutsWithinLines) {
  const Array x{{2, 3}, {0, 1, 2, 3, 4, 5}};
  const Var a = Make(x, DType::kF32);
  const Var at = Make({{2, 2}, {2, -1, 0, 5}}, DType::kI64);
  ExpectEqual(Read(TakeAlongAxis(a, at, 1)), {{2, 2}, {4, 5, 0, std::nan("")}});
  ExpectEqual(Read(TakeAlongAxis(a, at, 1, IndexMode::kClamp)), {{2, 2}, {4, 5, 0, 5}});
  const Var updates = Make({{2, 2}, {10, 11, 12, 13}}, DType::kF32);
  ExpectEqual(Read(PutAlongAxis(a, at, updates, 1)), {{2, 3}, {12, 1, 2, 3, 10, 11}});
  ExpectEqual(Read(PutAlongAxis(a, at, updates, 1, IndexMode::kClamp)), {{2, 3}, {12, 1, 2, 3, 10, 13}});
  const Var empty = Make({{2, 0}, {}}, DType::kF32), none = Make({{2, 0}, {}}, DType::kI32);
  ExpectEqual(Read(TakeAlongAxis(empty, none, 1)), {{2, 0}, {}});
  ExpectEqual(Read(PutAlongAxis(empty, none, empty, 1)), {{2, 0}, {}});
}

// Windows of more than one element, several components, outside on both sides of an axis and below its start.
TEST(Gather, CountsNegativeStartsFromTheEnd) {
  GatherAttributes a{.offset_dims = {1},
                     .collapsed_slice_dims = {0},
                     .operand_batching_dims = {},
                     .start_indices_batching_dims = {},
                     .start_index_map = {0, 1},
                     .index_vector_dim = 0,
                     .slice_sizes = {1, 2},
                     .mode = IndexMode::kFill,
                     .from_the_end = true};
  const Var x = Make({{2, 3}, {0, 1, 2, 3, 4, 5}}, DType::kF64);
  const Var at = Make({{2, 5}, {-1, -2, -2, -3, -3, 0, 0, -1, 1, 1}}, DType::kI32);
  ExpectEqual(Read(Gather(x, at, a, 9)), {{5, 2}, {3, 0, 9, 9, 3, 5, 2, 9, 9, 5}});
  a.mode = IndexMode::kClamp;
  ExpectEqual(Read(Gather(x, at, a)), {{5, 2}, {3, 0, 0, 2, 3, 5, 2, 2, 4, 5}});
  const Var u = Make({{5, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}, DType::kF64);
  ExpectEqual(Read(Scatter(Make({{2, 3}, {0, 0, 0, 0, 0, 0}}, DType::kF64), at, u, ScatterKind::kAdd, ScatterOf(a))),
              {{2, 3}, {5, 0, 19, 6, 9, 16}});
}

// The operand's bytes become the result's where nothing reads them later.
TEST(Scatter, WritesOverWhatIsNotReadAgain) {
  const ScatterAttributes one{.update_window_dims = {},
                              .inserted_window_dims = {0},
                              .input_batching_dims = {},
                              .scatter_indices_batching_dims = {},
                              .scatter_dims_to_operand_dims = {0},
                              .index_vector_dim = 1};
  const std::vector<double> numbers = {1, 2, 3, 4, 5, 6, 7, 8};
  Graph graph;
  const Var x = graph.Input(DType::kF64, {8}), at = graph.Input(DType::kI64, {8});
  const Tensor places = *Tensor::FromColMajor<int64_t>({8}, {1, 1, 0, 7, 6, 5, 1, 9});
  struct Case {
    std::vector<Var> outputs;
    bool in_place;
    std::vector<double> want;
  };
  const Var two = Full(x, DType::kF64, {8}, 2), start = Full(x, DType::kI64, {1}, 3);
  const Case cases[] = {
      {{Scatter(x, at, two, ScatterKind::kAdd, one)}, true, {3, 8, 3, 4, 5, 8, 9, 10}},
      {{DynamicUpdateSlice(x, Full(x, DType::kF64, {2}, 2), start)}, true, {1, 2, 3, 2, 2, 6, 7, 8}},
      {{Scatter(x * x, at, two, ScatterKind::kSet, one)}, true, {2, 2, 9, 16, 25, 2, 2, 2}},
      {{Scatter(x, at, x, ScatterKind::kAdd, one)}, false, {4, 12, 3, 4, 5, 12, 12, 12}},
      {{Scatter(x, at, two, ScatterKind::kAdd, one), x * 1}, false, {3, 8, 3, 4, 5, 8, 9, 10}},
      {{Scatter(Reverse(x, {0}), at, two, ScatterKind::kAdd, one)}, false, {10, 13, 6, 5, 4, 5, 4, 3}},
  };
  for (const Case& test : cases) {
    const Prepared prepared = *Serial().Prepare(*Compile(test.outputs, {x, at}));
    Tensor donated = *Tensor::FromColMajor<double>({8}, numbers);
    const void* const bytes = donated.storage()->data();
    const std::vector<Tensor> results = *prepared.Run({std::move(donated), places});
    EXPECT_EQ(std::vector<double>(results[0].Data<double>()->begin(), results[0].Data<double>()->end()), test.want);
    EXPECT_EQ(results[0].storage()->data() == bytes, test.in_place);
    if (results.size() > 1) {
      EXPECT_EQ(std::vector<double>(results[1].Data<double>()->begin(), results[1].Data<double>()->end()), numbers);
    }
  }
}

// Large enough for several threads; the sums round.
TEST(Indexing, SameBitsAtAnyWidth) {
  constexpr int64_t kRows = 3000, kWindows = 50000;
  Array x{{kRows, 3}, {}}, at{{kWindows}, {}}, updates{{kWindows, 3}, {}};
  std::mt19937 bits(7);
  for (int64_t i = 0; i < kRows * 3; ++i) x.numbers.push_back(bits() * 1e-9);
  for (int64_t i = 0; i < kWindows; ++i) at.numbers.push_back(bits() % (kRows + 2));
  for (int64_t i = 0; i < kWindows * 3; ++i) updates.numbers.push_back(bits() * 1e-9);
  const GatherAttributes rows{.offset_dims = {1},
                              .collapsed_slice_dims = {0},
                              .operand_batching_dims = {},
                              .start_indices_batching_dims = {},
                              .start_index_map = {0},
                              .index_vector_dim = 1,
                              .slice_sizes = {1, 3},
                              .mode = IndexMode::kFill};
  const GatherAttributes batched{.offset_dims = {},
                                 .collapsed_slice_dims = {0},
                                 .operand_batching_dims = {1},
                                 .start_indices_batching_dims = {1},
                                 .start_index_map = {0},
                                 .index_vector_dim = 2,
                                 .slice_sizes = {1, 1},
                                 .mode = IndexMode::kFill};
  std::vector<std::string> results;
  for (int width : {1, 2, 3, 8}) {
    const CpuEngine engine = CpuEngine::WithThreads(width);
    const Var a = Make(x, DType::kF64, engine), i = Make(at, DType::kI32, engine);
    const Var u = Make(updates, DType::kF64, engine);
    std::string bytes;
    for (const Var& y :
         {Gather(a, i, rows), Scatter(a, i, u, ScatterKind::kAdd, ScatterOf(rows)),
          Scatter(a, i, u, ScatterKind::kSet, ScatterOf(rows)), Scatter(a, i, u, ScatterKind::kMul, ScatterOf(rows)),
          Scatter(a, BroadcastInDim(i, {kWindows, 3}, {0}), u, ScatterKind::kAdd, ScatterOf(batched))}) {
      ASSERT_TRUE(y.ok()) << y.status();
      const Tensor tensor = *y.ToTensor();
      bytes.append(static_cast<const char*>(*tensor.HostData()), tensor.size() * 8);
    }
    results.push_back(bytes);
    EXPECT_EQ(results.back(), results.front()) << "width " << width;
  }
}

// An operation on operands with a further last axis is the operation on each slice.
Var Part(const Var& x, bool batched, int64_t index) {
  if (!batched) return x;
  Ints starts(x.rank(), 0), limits = x.shape().extents();
  starts.back() = index;
  limits.back() = index + 1;
  Shape shape(x.shape().dims().subspan(0, x.rank() - 1));
  return Reshape(Slice(x, starts, limits), shape);
}

void CheckBatching(const OpDef& op, const Words& attributes, absl::Span<const Array> operands,
                   absl::Span<const DType> dtypes, Random& random) {
  constexpr int64_t kSize = 3;
  for (OperandSet batched = 1; batched < OperandSet{1} << operands.size(); ++batched) {
    Vars inputs;
    for (size_t i = 0; i < operands.size(); ++i) {
      Array array = operands[i];
      if (HasOperand(batched, i)) {
        array.shape.push_back(kSize);
        for (int64_t k = 0; k < 2 * operands[i].shape.size(); ++k) array.numbers.push_back(random.Below(4));
      }
      inputs.push_back(Make(array, dtypes[i]));
    }
    Vars outputs(1);
    op.batch({op, attributes, inputs, {}}, batched, kSize, absl::MakeSpan(outputs));
    ASSERT_TRUE(outputs[0].ok()) << op.name << batched << outputs[0].status();
    for (int64_t b = 0; b < kSize; ++b) {
      Vars parts;
      for (size_t i = 0; i < inputs.size(); ++i) parts.push_back(Part(inputs[i], HasOperand(batched, i), b));
      ExpectEqual(Read(Part(outputs[0], true, b)), Read(EmitOne(op, attributes, parts, Location::current())));
    }
  }
}

TEST(Batching, OfGathersAndScatters) {
  const OpDef* const scatters[] = {&kScatterSet, &kScatterAdd, &kScatterMul, &kScatterMin, &kScatterMax};
  for (int seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    Random random(seed);
    const Array x = random.Numbers(random.operand, 4), updates = random.Numbers(random.windows, 4);
    CheckBatching(kGather, Encode(random.a), {x, random.indices}, {DType::kF64, DType::kI64}, random);
    CheckBatching(*scatters[seed % 5], Encode(ScatterOf(random.a)), {x, random.indices, updates},
                  {DType::kF64, DType::kI32, DType::kF64}, random);
    if (HasFatalFailure()) return;
  }
}

TEST(Batching, OfDynamicSlices) {
  Random random(1);
  const Array x = random.Numbers({3, 4}, 9), update = random.Numbers({2, 3}, 9), starts{{2}, {-1, 1}};
  CheckBatching(kDynamicSlice, Encode(DynamicSliceAttributes{{2, 3}}), {x, starts}, {DType::kF64, DType::kI32}, random);
  CheckBatching(kDynamicUpdateSlice, {}, {x, update, starts}, {DType::kF64, DType::kF64, DType::kI64}, random);
}

}  // namespace
}  // namespace tenferro
