#include "tenferro/runtime/ops/sort.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/indexing.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

const CpuEngine& Serial() {
  static const CpuEngine& engine = *new CpuEngine(CpuEngine::Serial());
  return engine;
}

template <class T>
std::vector<T> Read(const Var& var) {
  EXPECT_TRUE(var.ok()) << var.status();
  if (!var.ok()) return {};
  const Tensor tensor = *var.ToTensor()->Dense();
  const absl::Span<const T> data = *tensor.Data<T>();
  return std::vector<T>(data.begin(), data.end());
}

template <class T>
bool Before(T a, T b) {
  if (a != a || b != b) return a == a;
  return a < b;
}
// NaN are equal to each other.
template <class T>
bool IsBefore(T a, T b) {
  return (a == a || b == b) && Before(a, b);
}

// Many equal elements, and for floats NaN with signs and payloads, both zeros, infinities and denormals.
template <class T>
std::vector<T> Numbers(int64_t n, uint32_t seed) {
  std::mt19937_64 bits(seed);
  std::vector<T> numbers;
  for (int64_t i = 0; i < n; ++i) {
    if constexpr (std::is_floating_point_v<T>) {
      using Limits = std::numeric_limits<T>;
      const T special[] = {std::copysign(Limits::quiet_NaN(), T(-1)),
                           Limits::quiet_NaN(),
                           T(0),
                           -T(0),
                           Limits::infinity(),
                           -Limits::infinity(),
                           Limits::denorm_min(),
                           -Limits::denorm_min(),
                           Limits::max(),
                           Limits::lowest()};
      const uint64_t draw = bits();
      numbers.push_back(draw % 3 == 0 ? special[draw / 3 % 10]
                                      : (static_cast<T>(bits() % 100000) - T(50000)) / static_cast<T>(draw % 7 + 1));
    } else if constexpr (std::is_same_v<T, bool>) {
      numbers.push_back(bits() % 2 == 0);
    } else {
      const uint64_t draw = bits();
      numbers.push_back(draw % 3 == 0   ? std::numeric_limits<T>::max()
                        : draw % 3 == 1 ? std::numeric_limits<T>::min()
                                        : static_cast<T>(bits() % 97 - 40));
    }
  }
  return numbers;
}

template <class T>
Tensor MakeTensor(const Shape& shape, const std::vector<T>& numbers) {
  Tensor tensor = *Tensor::Zeros(kDTypeOf<T>, shape);
  const absl::Span<T> data = *tensor.MutableData<T>();
  std::copy(numbers.begin(), numbers.end(), data.begin());
  return tensor;
}

// Bits, so that NaN and zeros count.
template <class T>
bool SameBits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](T x, T y) { return std::memcmp(&x, &y, sizeof x) == 0; });
}

template <class T>
std::vector<int64_t> Order(const std::vector<T>& x, bool descending) {
  std::vector<int64_t> order(x.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t k) {
    return descending ? IsBefore<T>(x[k], x[i]) : IsBefore<T>(x[i], x[k]);
  });
  return order;
}

// An engine of each instruction set there is.
const std::vector<CpuEngine>& Engines() {
  static const std::vector<CpuEngine>& engines = *new std::vector<CpuEngine>([] {
    std::vector<CpuEngine> list;
    for (Isa isa : {Isa::kV2, Isa::kV3, Isa::kV4, Isa::kNeon}) {
      const CpuEngine engine = CpuEngine::WithThreads(1, isa);
      if (engine.isa() == isa) list.push_back(engine);
    }
    return list;
  }());
  return engines;
}

template <class T>
void CheckLines() {
  for (int64_t n : {0,   1,   2,   3,   17,  32,  39,  40,  41,  63,  64,   65,   100,  127,
                    128, 129, 159, 160, 161, 255, 256, 257, 500, 999, 1000, 3000, 20000}) {
    const std::vector<T> x = Numbers<T>(n, static_cast<uint32_t>(n));
    const Tensor tensor = MakeTensor<T>({n}, x);
    const Var a = Immediate(Serial(), tensor);
    for (bool descending : {false, true}) {
      const std::vector<int64_t> order = Order(x, descending);
      std::vector<T> sorted;
      for (int64_t i : order) sorted.push_back(x[i]);
      for (const CpuEngine& engine : Engines()) {
        EXPECT_TRUE(SameBits(Read<T>(Sort(Immediate(engine, tensor), 0, descending)), sorted))
            << Name(kDTypeOf<T>) << n << descending << static_cast<int>(engine.isa());
        EXPECT_EQ(Read<int64_t>(ArgSort(Immediate(engine, tensor), 0, descending)), order)
            << Name(kDTypeOf<T>) << n << descending << static_cast<int>(engine.isa());
      }
      if (!descending) continue;
      for (int64_t count : {int64_t{0}, int64_t{1}, n / 20, n / 2, n}) {
        if (count > n) continue;
        const TopKResult top = TopK(a, count, 0);
        EXPECT_EQ(Read<int64_t>(top.indices), std::vector<int64_t>(order.begin(), order.begin() + count)) << n;
        EXPECT_TRUE(SameBits(Read<T>(top.values), std::vector<T>(sorted.begin(), sorted.begin() + count))) << n;
      }
    }
    if (n == 0) continue;
    int64_t largest = 0, smallest = 0;
    for (int64_t i = 0; i < n; ++i) {
      const auto better = [&](int64_t best, bool less) {
        if (x[best] != x[best]) return false;
        return x[i] != x[i] || (less ? x[i] < x[best] : x[i] > x[best]);
      };
      if (better(largest, false)) largest = i;
      if (better(smallest, true)) smallest = i;
    }
    for (const CpuEngine& engine : Engines()) {
      const Var b = Immediate(engine, tensor);
      EXPECT_EQ(Read<int64_t>(ArgMax(b, 0))[0], largest) << Name(kDTypeOf<T>) << n << static_cast<int>(engine.isa());
      EXPECT_EQ(Read<int64_t>(ArgMin(b, 0))[0], smallest) << Name(kDTypeOf<T>) << n << static_cast<int>(engine.isa());
    }
  }
}

TEST(Sort, OfEveryDTypeAndLength) {
  for (DType dtype : kAllDTypes) {
    if (IsComplex(dtype)) continue;
    Dispatch(dtype, []<class T>() {
      if constexpr (!std::is_same_v<T, std::complex<float>> && !std::is_same_v<T, std::complex<double>>)
        CheckLines<T>();
    });
  }
}

// Orders that make a bad pivot of some element: few different keys, sorted ones, and one hidden among many equal.
TEST(Sort, OfKeysThatDivideBadly) {
  constexpr int64_t kLength = 5000;
  std::vector<std::vector<int64_t>> lines(5);
  for (int64_t i = 0; i < kLength; ++i) {
    lines[0].push_back(0);
    lines[1].push_back(i % 2);
    lines[2].push_back(-i);
    lines[3].push_back(i == 4711 ? -1 : INT64_MAX);
    lines[4].push_back(i % 39 == 0 ? i : 100000 - i);
  }
  for (const std::vector<int64_t>& line : lines) {
    std::vector<int64_t> sorted = line;
    std::sort(sorted.begin(), sorted.end());
    for (const CpuEngine& engine : Engines()) {
      EXPECT_EQ(Read<int64_t>(Sort(Immediate(engine, MakeTensor<int64_t>({kLength}, line)), 0)), sorted);
    }
  }
}

// Keys too long to be sorted together with their places: many differ in the highest and in the lowest bits alone.
TEST(ArgSort, OfKeysThatDifferAtBothEnds) {
  std::mt19937_64 bits(4);
  for (int64_t n : {50, 1000, 5000}) {
    for (uint64_t low : {uint64_t{1}, uint64_t{3}, uint64_t{0x7ff}}) {
      std::vector<int64_t> x;
      for (int64_t i = 0; i < n; ++i) x.push_back(static_cast<int64_t>(bits() & (uint64_t{3} << 62 | low)));
      for (bool descending : {false, true}) {
        const std::vector<int64_t> order = Order(x, descending);
        for (const CpuEngine& engine : Engines()) {
          EXPECT_EQ(Read<int64_t>(ArgSort(Immediate(engine, MakeTensor<int64_t>({n}, x)), 0, descending)), order);
        }
      }
    }
  }
}

TEST(ArgMax, OfNumbersWithoutNaN) {
  std::mt19937 bits(2);
  for (int64_t n : {1, 255, 256, 257, 1000, 5000}) {
    std::vector<double> x;
    for (int64_t i = 0; i < n; ++i) x.push_back(static_cast<double>(bits() % 700));
    for (const CpuEngine& engine : Engines()) {
      const Var a = Immediate(engine, MakeTensor<double>({n}, x));
      EXPECT_EQ(Read<int64_t>(ArgMax(a, 0))[0], std::max_element(x.begin(), x.end()) - x.begin());
      EXPECT_EQ(Read<int64_t>(ArgMin(a, 0))[0], std::min_element(x.begin(), x.end()) - x.begin());
    }
  }
}

// One NaN or infinity at any place of a line of several blocks, the first of equal extrema.
TEST(ArgMax, OfNaNAndInfinities) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  constexpr int64_t kLength = 600;
  for (const CpuEngine& engine : Engines()) {
    for (int64_t place = 0; place < kLength; place += 7) {
      for (double special : {nan, infinity, -infinity}) {
        std::vector<double> x(kLength, 1);
        x[place] = special;
        const Var a = Immediate(engine, MakeTensor<double>({kLength}, x));
        const int64_t other = place == 0 ? 1 : 0;
        EXPECT_EQ(Read<int64_t>(ArgMax(a, 0))[0], special == -infinity ? other : place);
        EXPECT_EQ(Read<int64_t>(ArgMin(a, 0))[0], special == infinity ? other : place);
        x.assign(kLength, -infinity);
        x[place] = nan;
        EXPECT_EQ(Read<int64_t>(ArgMax(Immediate(engine, MakeTensor<double>({kLength}, x)), 0))[0], place);
      }
    }
  }
}

// Line by line against the operation on the line alone.
template <class T>
void CheckAxes(const Shape& shape) {
  const std::vector<T> x = Numbers<T>(shape.size(), 11);
  const Var a = Immediate(Serial(), MakeTensor<T>(shape, x));
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const int64_t n = shape.extent(axis), count = n / 3;
    const Var sorted = Sort(a, axis, true), order = ArgSort(a, axis), largest = n == 0 ? order : ArgMax(a, axis);
    const TopKResult top = TopK(a, count, axis);
    int64_t inner = 1;
    for (int i = 0; i < axis; ++i) inner *= shape.extent(i);
    const std::vector<T> all_sorted = Read<T>(sorted), all_top = Read<T>(top.values);
    const std::vector<int64_t> all_order = Read<int64_t>(order), all_largest = Read<int64_t>(largest);
    for (int64_t line = 0; n > 0 && line < shape.size() / n; ++line) {
      const int64_t column = line % inner, outer = line / inner;
      const auto pick = [&]<class U>(const std::vector<U>& from, int64_t length) {
        std::vector<U> picked;
        for (int64_t i = 0; i < length; ++i) picked.push_back(from[(outer * length + i) * inner + column]);
        return picked;
      };
      const Var alone = Immediate(Serial(), MakeTensor<T>({n}, pick(x, n)));
      EXPECT_TRUE(SameBits(pick(all_sorted, n), Read<T>(Sort(alone, 0, true))));
      EXPECT_EQ(pick(all_order, n), Read<int64_t>(ArgSort(alone, 0)));
      EXPECT_TRUE(SameBits(pick(all_top, count), Read<T>(TopK(alone, count, 0).values)));
      EXPECT_EQ(all_largest[line], Read<int64_t>(ArgMax(alone, 0))[0]);
    }
  }
}

TEST(Sort, AlongAnyAxis) {
  for (const Shape& shape : {Shape{5, 9}, Shape{9, 5, 7}, Shape{1, 4}, Shape{3, 0, 2}, Shape{2, 3, 4, 5}}) {
    CheckAxes<double>(shape);
    CheckAxes<uint8_t>(shape);
    CheckAxes<float>(shape);
  }
}

TEST(SortByKey, MovesTheValuesAlong) {
  const Var keys = Immediate(Serial(), MakeTensor<int32_t>({2, 3}, {3, 1, 1, 0, 2, 1}));
  const Var values = Immediate(Serial(), MakeTensor<double>({2, 3}, {0, 1, 2, 3, 4, 5}));
  const SortedPairs sorted = SortByKey(keys, {values, keys}, 1);
  EXPECT_EQ(Read<int32_t>(sorted.keys), (std::vector<int32_t>{1, 0, 2, 1, 3, 1}));
  EXPECT_EQ(Read<double>(sorted.values[0]), (std::vector<double>{2, 3, 4, 1, 0, 5}));
  EXPECT_EQ(Read<int32_t>(sorted.values[1]), (std::vector<int32_t>{1, 0, 2, 1, 3, 1}));
}

TEST(Sort, SameBitsAtAnyWidth) {
  const Shape shape{40, 300, 20};
  const std::vector<double> x = Numbers<double>(shape.size(), 1);
  std::vector<double> first;
  std::vector<int64_t> first_places;
  for (int width : {1, 2, 3, 8}) {
    const CpuEngine engine = CpuEngine::WithThreads(width);
    const Var a = Immediate(engine, MakeTensor<double>(shape, x));
    const std::vector<double> sorted = Read<double>(Sort(a, 1));
    std::vector<int64_t> places = Read<int64_t>(ArgSort(a, 1, true));
    for (const Var& more : {TopK(a, 7, 1).indices, ArgMax(a, 1), ArgMin(a, 0)}) {
      const std::vector<int64_t> numbers = Read<int64_t>(more);
      places.insert(places.end(), numbers.begin(), numbers.end());
    }
    if (width == 1) {
      first = sorted;
      first_places = places;
    }
    EXPECT_TRUE(SameBits(sorted, first)) << width;
    EXPECT_EQ(places, first_places) << width;
  }
}

TEST(Batching, IsTheOperationOnEachSlice) {
  const Var full = Immediate(Serial(), MakeTensor<double>({4, 5, 3}, Numbers<double>(60, 4)));
  const std::pair<const OpDef*, Words> ops[] = {{&kSort, Encode(SortAttributes{1, true})},
                                                {&kArgSort, Encode(SortAttributes{0, false})},
                                                {&kTopK, Encode(TopKAttributes{2, 1})},
                                                {&kArgMax, Encode(ArgExtremumAttributes{0})},
                                                {&kArgMin, Encode(ArgExtremumAttributes{1})}};
  const auto part = [](const Var& x, int64_t b) {
    Ints starts(x.rank(), 0), limits = x.shape().extents();
    starts.back() = b;
    limits.back() = b + 1;
    return Reshape(Slice(x, starts, limits), Shape(x.shape().dims().subspan(0, x.rank() - 1)));
  };
  for (const auto& [op, words] : ops) {
    const int count = op == &kTopK ? 2 : 1;
    Vars outputs(count);
    op->batch({*op, words, {full}, {}}, 1, 3, absl::MakeSpan(outputs));
    for (int64_t b = 0; b < 3; ++b) {
      const Vars want = Emit(*op, words, {part(full, b)}, Location::current(), count);
      for (int k = 0; k < count; ++k) {
        EXPECT_EQ(part(outputs[k], b).ToTensor()->ToString(), want[k].ToTensor()->ToString()) << op->name;
      }
    }
  }
}

TEST(Errors, NameTheOperationAndItsOperand) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3, 4});
  const auto here = [](const char* rest, Location location = Location::current()) {
    return "sort_test.cc:" + std::to_string(location.line()) + ": " + rest;
  };
  EXPECT_EQ(Sort(x, 2).status().message(), here("sort: axis 2 does not exist in f64[3,4]"));
  EXPECT_EQ(ArgSort(x, -1).status().message(), here("argsort: axis -1 does not exist in f64[3,4]"));
  EXPECT_EQ(Sort(graph.Input(DType::kC64, {3}), 0).status().message(), here("sort: does not take c64"));
  EXPECT_EQ(TopK(x, 5, 1).indices.status().message(), here("top_k: there are no 5 elements along axis 1 of f64[3,4]"));
  EXPECT_EQ(TopK(x, -1, 1).values.status().message(), here("top_k: there are no -1 elements along axis 1 of f64[3,4]"));
  EXPECT_EQ(ArgMax(graph.Input(DType::kF64, {2, 0}), 1).status().message(),
            here("argmax: axis 1 of f64[2,0] has no element"));
  EXPECT_EQ(ArgMin(x, 2).status().message(), here("argmin: axis 2 does not exist in f64[3,4]"));
  EXPECT_EQ(SortByKey(x, {graph.Input(DType::kF64, {4, 3})}, 0).values[0].status().message(),
            here("sort_by_key: shapes differ, got keys f64[3,4] and values f64[4,3]"));
}

}  // namespace
}  // namespace tenferro
