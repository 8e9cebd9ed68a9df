#include "tenferro/fft/cpu/plan.h"

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <mutex>

namespace tenferro::fft {
namespace {

// A line of 2 MiB with its buffers and result stays in a third-level cache, which single passes read fast enough.
template <class T>
constexpr int64_t kLongestSmooth = (int64_t{1} << 20) / static_cast<int64_t>(sizeof(T));

// What the process keeps: so many plans, with tables of so many bytes.
constexpr size_t kKeptPlans = 64;
constexpr int64_t kKeptBytes = 64 << 20;

struct Factors {
  std::vector<int64_t> odd;  // ascending
  int twos = 0;
};

Factors FactorsOf(int64_t n) {
  Factors factors;
  for (; n % 2 == 0; n /= 2) ++factors.twos;
  for (int64_t p = 3; p * p <= n; p += 2) {
    for (; n % p == 0; n /= p) factors.odd.push_back(p);
  }
  if (n > 1) factors.odd.push_back(n);
  return factors;
}

bool IsSmooth(int64_t n) {
  const Factors factors = FactorsOf(n);
  return factors.odd.empty() || factors.odd.back() <= kLargestRadix;
}

// Radices in the order of the passes. Eights stand at the end, where a single line is transposed by eight; without
// them the largest stands there, since passes with few elements left are slower.
std::vector<int64_t> RadicesOf(int64_t n) {
  const Factors factors = FactorsOf(n);
  std::vector<int64_t> radices = factors.odd;
  int twos = factors.twos;
  if (twos >= 3) {
    std::reverse(radices.begin(), radices.end());
    int eights = twos / 3;
    twos %= 3;
    if (twos == 1 && eights > 1) {
      radices.insert(radices.end(), {4, 4});
      --eights;
    } else if (twos > 0) {
      radices.push_back(int64_t{1} << twos);
    }
    radices.insert(radices.end(), eights, 8);
  } else if (twos > 0) {
    radices.insert(radices.begin(), int64_t{1} << twos);
  }
  if (radices.empty()) radices.push_back(1);
  return radices;
}

// About what a transform costs, in passes over its numbers.
double Cost(int64_t n) {
  double cost = 0;
  for (int64_t radix : RadicesOf(n)) cost += radix == 8 ? 1.2 : 0.8 + 0.12 * static_cast<double>(radix);
  return cost * static_cast<double>(n);
}

// The cheapest length from `least` on without large factors that ends in a radix of 8.
int64_t ConvolutionLength(int64_t least) {
  int64_t best = 64;
  while (best < least) best *= 2;
  for (int64_t n = (std::max<int64_t>(least, 64) + 7) / 8 * 8, end = best; n < end; n += 8) {
    int64_t rest = n;
    for (int64_t p : {2, 3, 5}) {
      while (rest % p == 0) rest /= p;
    }
    if (rest == 1 && Cost(n) < Cost(best)) best = n;
  }
  return best;
}

template <class T>
void Write(Roots::Root root, T* re, T* im) {
  *re = static_cast<T>(root.re);
  *im = static_cast<T>(root.im);
}

using Wide = std::complex<long double>;

Wide Times(Wide a, Wide b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// The transform of x[0], x[step], … in the widest float, for tables: n a product of 2, 3 and 5. `roots` are those of
// order n·root_step.
void WideTransform(const Wide* x, int64_t step, int64_t n, const Wide* roots, int64_t root_step, Wide* out) {
  if (n == 1) {
    out[0] = x[0];
    return;
  }
  const int64_t radix = n % 2 == 0 ? 2 : n % 3 == 0 ? 3 : 5, m = n / radix;
  for (int64_t i = 0; i < radix; ++i)
    WideTransform(x + i * step, step * radix, m, roots, root_step * radix, out + i * m);
  for (int64_t k = 0; k < m; ++k) {
    Wide v[5];
    for (int64_t i = 0; i < radix; ++i) v[i] = Times(out[i * m + k], roots[i * k * root_step]);
    for (int64_t q = 0; q < radix; ++q) {
      Wide sum = v[0];
      for (int64_t i = 1; i < radix; ++i) sum += Times(v[i], roots[i * q % radix * m * root_step]);
      out[q * m + k] = sum;
    }
  }
}

}  // namespace

template <class T>
void Plan<T>::Free::operator()(T* memory) const {
  std::free(memory);
}

template <class T>
T* Plan<T>::Table(int64_t scalars) {
  const size_t bytes = (static_cast<size_t>(scalars) * sizeof(T) + 63) / 64 * 64;
  bytes_ += static_cast<int64_t>(bytes);
  tables_.emplace_back(static_cast<T*>(std::aligned_alloc(64, bytes)));
  if (tables_.back() == nullptr) std::abort();
  return tables_.back().get();
}

template <class T>
Plan<T>::Plan(int64_t n, int64_t lanes) : n_(n) {
  if (!IsSmooth(n)) {
    kind_ = Kind::kBluestein;
    BuildBluestein(lanes);
  } else if (n > kLongestSmooth<T>) {
    kind_ = Kind::kSixStep;
    BuildSixStep(lanes);
  } else {
    kind_ = Kind::kSmooth;
    BuildSmooth(n, lanes, smooth_);
  }
}

template <class T>
void Plan<T>::BuildSmooth(int64_t n, int64_t lanes, SmoothPlan<T>& plan) {
  plan.n = n;
  const Roots roots(n);
  int64_t done = 1;
  int64_t largest = 1;
  for (int64_t radix : RadicesOf(n)) {
    plan.passes[plan.count++] = {.radix = radix, .done = done, .left = n / done / radix};
    done *= radix;
    largest = std::max(largest, radix);
  }
  if (n >= kShortestSingleLine && n % 8 == 0) {
    plan.single = SingleLine::kEights;
    plan.line_scalars = 2 * n;
  } else if (n >= kShortestSingleLine && n / largest >= lanes) {
    plan.single = SingleLine::kGather;
    plan.line_scalars = (2 * n + 2 * largest * lanes + 15) / 16 * 16;
  }
  for (int p = 0; p < plan.count; ++p) {
    Pass<T>& pass = plan.passes[p];
    BuildPass(roots, n, pass);
    const bool few = plan.single == SingleLine::kEights ? p + 1 == plan.count : pass.left < lanes;
    if (plan.single == SingleLine::kNone || !few) continue;
    const int64_t butterflies = pass.left * pass.done, groups = (butterflies + lanes - 1) / lanes;
    T* to = Table(groups * (pass.radix - 1) * 2 * lanes);
    pass.lane_twiddles = to;
    for (int64_t group = 0; group < groups; ++group) {
      const int64_t first = std::min(group * lanes, butterflies - lanes);
      for (int64_t i = 1; i < pass.radix; ++i, to += 2 * lanes) {
        for (int64_t lane = 0; lane < lanes; ++lane) {
          Write(roots[i * ((first + lane) / pass.left) * pass.left], to + lane, to + lanes + lane);
        }
      }
    }
  }
}

template <class T>
void Plan<T>::BuildPass(const Roots& roots, int64_t n, Pass<T>& pass) {
  if (pass.radix % 2 == 1) {
    T* const to = Table(2 * pass.radix);
    pass.roots = to;
    for (int64_t k = 0; k < pass.radix; ++k) {
      const Roots::Root root = roots[k * (n / pass.radix)];
      Write({root.re, -root.im}, to + 2 * k, to + 2 * k + 1);
    }
  }
  if (pass.done == 1) return;
  T* to = Table(pass.done * (pass.radix - 1) * 2);
  pass.twiddles = to;
  for (int64_t j = 0; j < pass.done; ++j) {
    for (int64_t i = 1; i < pass.radix; ++i, to += 2) Write(roots[i * j * pass.left], to, to + 1);
  }
}

template <class T>
void Plan<T>::BuildSixStep(int64_t lanes) {
  // As square as the factors allow, with both sides multiples of 8 if one way of it is.
  std::vector<int64_t> radices = RadicesOf(n_);
  std::vector<int64_t> divisors = {1};
  for (int64_t radix : radices) {
    const size_t count = divisors.size();
    for (size_t i = 0; i < count; ++i) {
      for (int64_t part = radix; part > 1; part /= radix % 2 == 0 ? 2 : radix) divisors.push_back(divisors[i] * part);
    }
    std::sort(divisors.begin(), divisors.end());
    divisors.erase(std::unique(divisors.begin(), divisors.end()), divisors.end());
  }
  int64_t best = 1;
  double least = 0;
  for (int64_t columns : divisors) {
    const int64_t rows = n_ / columns;
    const double unlike = static_cast<double>(std::max(rows, columns)) / static_cast<double>(std::min(rows, columns)) *
                          (columns % 8 == 0 ? 1 : 2) * (rows % 8 == 0 ? 1 : 2);
    if (best == 1 || unlike < least || (unlike == least && columns < best)) {
      best = columns;
      least = unlike;
    }
  }
  const int64_t columns = best, rows = n_ / best;
  BuildSmooth(columns, lanes, six_step_.columns);
  BuildSmooth(rows, lanes, six_step_.rows);
  const Roots roots(n_);
  T* to = Table(columns * 2 * lanes);
  six_step_.lane_roots = to;
  for (int64_t j = 0; j < columns; ++j, to += 2 * lanes) {
    for (int64_t lane = 0; lane < lanes; ++lane) Write(roots[j * lane], to + lane, to + lanes + lane);
  }
  to = Table((rows + lanes - 1) / lanes * columns * 2);
  six_step_.column_roots = to;
  for (int64_t first = 0; first < rows; first += lanes) {
    for (int64_t j = 0; j < columns; ++j, to += 2) Write(roots[j * first], to, to + 1);
  }
}

template <class T>
void Plan<T>::BuildBluestein(int64_t lanes) {
  const int64_t length = ConvolutionLength(2 * n_ - 1);
  inner_ = Get(length, lanes);
  const Roots roots(2 * n_);
  std::vector<Wide> circle(length), wide_roots(length), transformed(length);
  chirp_ = Table(2 * n_);
  int64_t square = 0;  // j² modulo 2n
  for (int64_t j = 0; j < n_; ++j) {
    const Roots::Root root = roots[square];
    Write(root, chirp_ + 2 * j, chirp_ + 2 * j + 1);
    circle[j] = Wide(root.re, -root.im);
    if (j > 0) circle[length - j] = circle[j];
    square = (square + 2 * j + 1) % (2 * n_);
  }
  const Roots circle_roots(length);
  for (int64_t k = 0; k < length; ++k) wide_roots[k] = Wide(circle_roots[k].re, circle_roots[k].im);
  WideTransform(circle.data(), 1, length, wide_roots.data(), 1, transformed.data());
  spectrum_ = Table(2 * length);
  for (int64_t k = 0; k < length; ++k) {
    const Wide value = transformed[k] / static_cast<long double>(length);
    spectrum_[2 * k] = static_cast<T>(value.real());
    spectrum_[2 * k + 1] = static_cast<T>(value.imag());
  }
}

template <class T>
bool Plan<T>::FitsInMemory(int64_t n) {
  if (n <= kLongestSmooth<T>) return true;
  // Of Bluestein's about 500 bytes a number while its tables are made, else about one number of the table.
  const size_t bytes = static_cast<size_t>(n) * (IsSmooth(n) ? sizeof(T) : 512);
  void* const memory = std::malloc(bytes);
  std::free(memory);
  return memory != nullptr;
}

template <class T>
std::shared_ptr<const Plan<T>> Plan<T>::Get(int64_t n, int64_t lanes) {
  struct Kept {
    int64_t n, lanes;
    std::shared_ptr<const Plan> plan;
  };
  static std::mutex& mutex = *new std::mutex;
  static std::vector<Kept>& kept = *new std::vector<Kept>;  // the latest used last
  {
    const std::lock_guard<std::mutex> lock(mutex);
    for (size_t i = 0; i < kept.size(); ++i) {
      if (kept[i].n != n || kept[i].lanes != lanes) continue;
      std::rotate(kept.begin() + static_cast<int64_t>(i), kept.begin() + static_cast<int64_t>(i) + 1, kept.end());
      return kept.back().plan;
    }
  }
  // Two threads may build the same plan at once; both are right.
  auto plan = std::make_shared<const Plan>(n, lanes);
  const std::lock_guard<std::mutex> lock(mutex);
  kept.push_back({n, lanes, plan});
  int64_t bytes = 0;
  for (const Kept& one : kept) bytes += one.plan->bytes_;
  while (kept.size() > kKeptPlans || (bytes > kKeptBytes && !kept.empty())) {
    bytes -= kept.front().plan->bytes_;
    kept.erase(kept.begin());
  }
  return plan;
}

template <class T>
std::vector<T> RootsOfHalfLine(int64_t n) {
  const Roots roots(n);
  std::vector<T> table(2 * (n / 4 + 1));
  for (int64_t k = 0; k <= n / 4; ++k) Write(roots[k], &table[2 * k], &table[2 * k + 1]);
  return table;
}

template class Plan<float>;
template class Plan<double>;
template std::vector<float> RootsOfHalfLine(int64_t);
template std::vector<double> RootsOfHalfLine(int64_t);

}  // namespace tenferro::fft
