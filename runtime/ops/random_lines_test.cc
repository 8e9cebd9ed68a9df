// Reductions, softmaxes, cumulative functions and orders on random dtypes, shapes and strides: each line of elements
// against plain code, the inexact ones in long double.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tenferro/cpu/random_program.h"
#include "tenferro/runtime/ops/activations.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/cumulative.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/numbers_for_tests.h"
#include "tenferro/runtime/ops/reductions.h"
#include "tenferro/runtime/ops/sort.h"
#include "tenferro/runtime/ops/source.h"

namespace tenferro {
namespace {

using Exact = long double;
using Exacts = std::vector<Exact>;

constexpr uint32_t kSeeds = 300;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The elements over some axes of a tensor that belong together, in column-major order, for each index of the others.
template <class T>
std::vector<std::vector<T>> LinesOf(const Tensor& x, const Ints& axes) {
  const Ints others = OtherAxes(axes, x.rank());
  int64_t count = 1;
  for (int64_t axis : others) count *= x.dim(static_cast<int>(axis));
  std::vector<std::vector<T>> lines(count);
  const Tensor dense = *x.Dense();
  const absl::Span<const T> data = *dense.Data<T>();
  for (int64_t i = 0; i < dense.size(); ++i) {
    int64_t rest = i, line = 0, stride = 1;
    for (int axis = 0; axis < x.rank(); ++axis) {
      const int64_t extent = x.dim(axis);
      if (!ContainsAxis(axes, axis)) {
        line += rest % extent * stride;
        stride *= extent;
      }
      rest /= extent;
    }
    lines[line].push_back(data[i]);
  }
  return lines;
}

Tensor Computed(const Var& y) {
  EXPECT_TRUE(y.ok()) << y.status();
  return y.ok() ? *y.ToTensor() : Tensor();
}

// Runs `check` on the lines of a random tensor and the dice that made it, until one fails.
template <class Check>
void ForEach(DTypeSet dtypes, int64_t largest, const Check& check) {
  for (uint32_t seed = 0; seed < kSeeds && !testing::Test::HasFailure(); ++seed) {
    RandomProgram dice(seed, largest);
    Shape shape = dice.RandomShape();
    if (shape.rank() == 0) shape.push_back(dice.Below(largest));
    const DType dtype = dice.OneOf(dtypes);
    const Tensor tensor = RandomTensor(dtype, shape, dice.random());
    SCOPED_TRACE(absl::StrCat("seed ", seed, ", ", Describe(dtype, shape)));
    check(dice, tensor);
  }
}

template <class T>
bool Close(T got, Exact want, Exact scale, Exact units) {
  if (std::isnan(want)) return std::isnan(got);
  if (std::isinf(want) || std::abs(want) > std::numeric_limits<T>::max()) return got == static_cast<T>(want);
  const Exact bound = units * std::numeric_limits<T>::epsilon() * std::max(scale, std::abs(want));
  return std::abs(got - want) <= bound + std::numeric_limits<T>::min();
}

// Finite numbers around an offset, so that sums of squares are not all of one size.
template <class T>
Var Finite(RandomProgram& dice, const Tensor& tensor) {
  const Var x = Immediate(EngineForTests(), tensor);
  return Select(Lt(Abs(x), 3), x, 0) + static_cast<double>(dice.Below(3)) * 10;
}

TEST(RandomLines, Reductions) {
  ForEach(kFloatSet, 3000, [](RandomProgram& dice, const Tensor& tensor) {
    Dispatch(tensor.dtype(), [&]<class T>() {
      if constexpr (std::is_floating_point_v<T>) {
        const Var x = Finite<T>(dice, tensor);
        const Ints axes = dice.SomeAxes(tensor.rank());
        const double order = 0.5 + 0.5 * dice.Below(8);
        const std::vector<std::vector<T>> lines = LinesOf<T>(Computed(x), axes);
        const auto expect = [&](const char* what, const Var& y, const auto& want) {
          const Tensor dense = *Computed(y).Dense();
          const absl::Span<const T> got = *dense.Data<T>();
          ASSERT_EQ(got.size(), lines.size()) << what;
          for (size_t i = 0; i < lines.size(); ++i) {
            Exact scale = 0;
            const Exact exact = want(lines[i], scale);
            ASSERT_TRUE(Close(got[i], exact, scale, 20)) << what << " is " << got[i] << ", not " << exact;
          }
        };
        const auto mean = [](const std::vector<T>& line) {
          return std::accumulate(line.begin(), line.end(), Exact(0)) / static_cast<Exact>(line.size());
        };
        const auto variance = [&mean](const std::vector<T>& line, Exact ddof) {
          const Exact middle = mean(line);
          Exact sum = 0;
          for (T e : line) sum += (e - middle) * (e - middle);
          return sum / (static_cast<Exact>(line.size()) - ddof);
        };
        const auto largest = [](const std::vector<T>& line) {
          Exact most = 0;
          for (T e : line) most = std::max<Exact>(most, std::abs(e));
          return most;
        };
        expect("mean", Mean(x, axes), [&](const std::vector<T>& line, Exact& scale) {
          scale = largest(line);
          return mean(line);
        });
        // The mean is rounded: what is left of the squares' size is some precisions of the elements'.
        expect("variance", Variance(x, axes), [&](const std::vector<T>& line, Exact& scale) {
          const Exact v = variance(line, 0);
          scale = std::sqrt(v) * largest(line) + largest(line) * largest(line) * std::numeric_limits<T>::epsilon();
          return v;
        });
        if (lines.empty() || lines[0].size() > 1) {
          expect("standard deviation", StandardDeviation(x, axes, {.ddof = 1}),
                 [&](const std::vector<T>& line, Exact& scale) {
                   scale = largest(line);
                   return line.empty() ? Exact(0) : std::sqrt(variance(line, 1));
                 });
        }
        expect("norm", Norm(x, axes, {.order = order}), [&](const std::vector<T>& line, Exact& scale) {
          Exact sum = 0;
          for (T e : line) sum += std::pow(std::abs(static_cast<Exact>(e)), static_cast<Exact>(order));
          const Exact norm = std::pow(sum, 1 / static_cast<Exact>(order));
          scale = norm;
          return norm;
        });
        expect("largest modulus", Norm(x, axes, {.order = kInfinity}),
               [&](const std::vector<T>& line, Exact&) { return largest(line); });
        expect("logsumexp", LogSumExp(x, axes), [&](const std::vector<T>& line, Exact& scale) {
          Exact sum = 0;
          for (T e : line) sum += std::exp(static_cast<Exact>(e));
          scale = std::max<Exact>(1, largest(line));
          return std::log(sum);
        });
        expect("sum of squares", ReduceSumSquares(x, axes), [&](const std::vector<T>& line, Exact&) {
          Exact sum = 0;
          for (T e : line) sum += static_cast<Exact>(e) * e;
          return sum;
        });
      }
    });
  });
}

// y along one axis, element by element, against a function from line to line.
template <class T, class Want>
void ExpectLines(const char* what, const Var& y, const Tensor& x, int axis, const Want& want, Exact units) {
  const Tensor got_tensor = Computed(y);
  ASSERT_EQ(got_tensor.shape(), x.shape()) << what;
  const auto lines = LinesOf<T>(x, {axis}), got = LinesOf<T>(got_tensor, {axis});
  for (size_t i = 0; i < lines.size(); ++i) {
    const Exacts exact = want(Exacts(lines[i].begin(), lines[i].end()));
    for (size_t k = 0; k < exact.size(); ++k) {
      ASSERT_TRUE(Close(got[i][k], exact[k], 1, units))
          << what << " at " << k << " of line " << i << " is " << got[i][k] << ", not " << exact[k];
    }
  }
}

// What a function makes of a line from its other end.
template <class Want>
auto MaybeReversed(bool reverse, const Want& want) {
  return [reverse, &want](Exacts line) {
    if (reverse) std::reverse(line.begin(), line.end());
    Exacts result = want(line);
    if (reverse) std::reverse(result.begin(), result.end());
    return result;
  };
}

TEST(RandomLines, CumulativeAndSoftmax) {
  ForEach(kFloatSet, 1000, [](RandomProgram& dice, const Tensor& tensor) {
    Dispatch(tensor.dtype(), [&]<class T>() {
      if constexpr (std::is_floating_point_v<T>) {
        const int axis = dice.Below(tensor.rank());
        const bool reverse = dice.OneIn(2);
        const Var any = Immediate(EngineForTests(), tensor), x = Select(Lt(Abs(any), 3), any, 0);
        const Tensor numbers = Computed(x);
        const auto running = [&](const auto& step) {
          return [&step](const Exacts& line) {
            Exacts result = line;
            for (size_t i = 1; i < line.size(); ++i) result[i] = step(result[i - 1], line[i]);
            return result;
          };
        };
        const auto expect = [&](const char* what, const Var& y, const Tensor& of, const auto& step, Exact units) {
          const auto want = running(step);
          ExpectLines<T>(what, y, of, axis, MaybeReversed(reverse, want), units);
        };
        const Exact length = static_cast<Exact>(tensor.dim(axis)) + 1;
        expect(
            "sum", CumSum(x, axis, reverse), numbers, [](Exact a, Exact b) { return a + b; }, 3 * length);
        // Numbers with NaN and infinities among them.
        const auto most = [](Exact a, Exact b) { return a != a || b != b ? a + b : std::max(a, b); };
        const auto least = [](Exact a, Exact b) { return a != a || b != b ? a + b : std::min(a, b); };
        expect("max", CumMax(any, axis, reverse), tensor, most, 0);
        expect("min", CumMin(any, axis, reverse), tensor, least, 0);
        const auto log_sum = [](Exact a, Exact b) { return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b))); };
        expect("logsumexp", CumLogSumExp(x, axis, reverse), numbers, log_sum, 3 * length);
        const auto product = [](Exact a, Exact b) { return a * b; };
        const Var near_one = 1 + x * (1.0 / 64);
        expect("product", CumProd(near_one, axis, reverse), Computed(near_one), product, 3 * length);
        // h_i = a h_{i−1} + b with a number for a.
        const auto recurrence = [](Exact h, Exact b) { return 0.75L * h + b; };
        expect("recurrence", LinearRecurrence(FullLike(x, 0.75), x, axis, reverse), numbers, recurrence, 20);

        const auto softmax = [](const Exacts& line) {
          Exacts result;
          Exact sum = 0;
          for (Exact e : line) sum += std::exp(e);
          for (Exact e : line) result.push_back(std::exp(e) / sum);
          return result;
        };
        const auto log_softmax = [&softmax](const Exacts& line) {
          Exacts result = softmax(line);
          for (Exact& e : result) e = std::log(e);
          return result;
        };
        ExpectLines<T>("softmax", Softmax(x, axis), numbers, axis, softmax, 20);
        ExpectLines<T>("log softmax", LogSoftmax(x, axis), numbers, axis, log_softmax, 20);
      }
    });
  });
}

// NaN behind every number, −0 equal to +0.
template <class T>
bool Before(T a, T b) {
  if (a != a || b != b) return a == a && b != b;
  return a < b;
}

TEST(RandomLines, Orders) {
  ForEach(kRealSet, 3000, [](RandomProgram& dice, const Tensor& tensor) {
    Dispatch(tensor.dtype(), [&]<class T>() {
      if constexpr (std::is_arithmetic_v<T>) {
        const int axis = dice.Below(tensor.rank());
        const bool descending = dice.OneIn(2);
        const int64_t extent = tensor.dim(axis), count = dice.Below(extent + 1);
        const Var x = Immediate(EngineForTests(), tensor);
        const auto lines = LinesOf<T>(tensor, {axis});
        const auto sorted = LinesOf<T>(Computed(Sort(x, axis, descending)), {axis});
        const auto places = LinesOf<int64_t>(Computed(ArgSort(x, axis, descending)), {axis});
        const TopKResult top = TopK(x, count, axis);
        const auto top_values = LinesOf<T>(Computed(top.values), {axis});
        const auto top_places = LinesOf<int64_t>(Computed(top.indices), {axis});
        std::vector<int64_t> largest, smallest;
        if (extent > 0) {
          largest = LinesOf<int64_t>(Computed(ArgMax(x, axis)), FirstAxes(tensor.rank() - 1))[0];
          smallest = LinesOf<int64_t>(Computed(ArgMin(x, axis)), FirstAxes(tensor.rank() - 1))[0];
        }
        const auto same = [](T a, T b) { return std::memcmp(&a, &b, sizeof(T)) == 0 || (a != a && b != b); };
        for (size_t i = 0; i < lines.size(); ++i) {
          const std::vector<T>& line = lines[i];
          std::vector<int64_t> ascends(line.size());
          std::iota(ascends.begin(), ascends.end(), 0);
          std::vector<int64_t> descends = ascends;
          std::stable_sort(ascends.begin(), ascends.end(),
                           [&](int64_t a, int64_t b) { return Before<T>(line[a], line[b]); });
          std::stable_sort(descends.begin(), descends.end(),
                           [&](int64_t a, int64_t b) { return Before<T>(line[b], line[a]); });
          ASSERT_EQ(places[i], descending ? descends : ascends) << "line " << i;
          for (size_t k = 0; k < line.size(); ++k) ASSERT_TRUE(same(sorted[i][k], line[places[i][k]])) << k;
          if (extent == 0) continue;
          if (count > 0) {
            ASSERT_EQ(top_places[i], std::vector<int64_t>(descends.begin(), descends.begin() + count)) << "line " << i;
            for (int64_t k = 0; k < count; ++k) ASSERT_TRUE(same(top_values[i][k], line[descends[k]])) << k;
          }
          ASSERT_EQ(largest[i], descends[0]) << "line " << i;
          // The first NaN if there is one, for the smallest too.
          const auto nan = std::find_if(line.begin(), line.end(), [](T e) { return e != e; });
          ASSERT_EQ(smallest[i], nan == line.end() ? ascends[0] : nan - line.begin()) << "line " << i;
        }
      }
    });
  });
}

}  // namespace
}  // namespace tenferro
