#include "tenferro/linalg/cpu/spectral/divide_and_conquer.h"

#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/spectral/secular.h"
#include "tenferro/linalg/cpu/spectral/tridiagonal_qr.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

inline constexpr int64_t kLeaf = 32;

template <class R>
struct Solver {
  Arena& arena;
  GemmScratch& scratch;
  int64_t n;
  double* d;
  double* e;
  Panel<R, false> z;
  int32_t* order;  // of each subproblem, counted from its first row
  // Scratch for the largest merge.
  Panel<R, false> leaf;
  Panel<R, false> packed;
  Panel<R, false> deflated;
  Panel<double, false> secular;
  Panel<R, false> rotated;  // `secular` in R
  double* numbers;          // six arrays of PadRows(n)
  int32_t* indices;         // five of n
  uint8_t* kind;
};

template <class R>
bool SolveLeaf(const Solver<R>& s, int64_t first, int64_t n) {
  for (int64_t j = 0; j < n; ++j) {
    ClearColumn<R, false>(s.leaf.column(j), s.leaf.imag, s.leaf.rows);
    s.leaf.column(j)[j] = 1;
  }
  Panel<R, false> z = s.leaf;
  z.rows = PadRows<R>(n);
  double off[kLeaf];
  for (int64_t j = 0; j + 1 < n; ++j) off[j] = s.e[first + j];
  off[n - 1] = 0;
  if (!DiagonalizeByQl(n, s.d + first, off, z, s.numbers)) return false;
  for (int64_t j = 0; j < n; ++j) {
    memcpy(s.z.column(first + j) + first, z.column(j), static_cast<size_t>(n) * sizeof(R));
  }
  SortAscending(n, s.d + first, s.order + first);
  return true;
}

// (x, y) ← (c·x + s·y, c·y − s·x).
template <class R>
void RotatePair(const Panel<R, false>& z, int64_t i, int64_t j, int64_t first, int64_t last, double c, double s) {
  const Tag<R> tag;
  const int64_t lanes = LaneCount<R>();
  const Vector<R> cosine = hn::Set(tag, R(c)), sine = hn::Set(tag, R(s));
  for (int64_t r = first / lanes * lanes; r < last; r += lanes) {
    const Vector<R> x = hn::Load(tag, z.column(i) + r), y = hn::Load(tag, z.column(j) + r);
    hn::Store(hn::MulAdd(cosine, x, hn::Mul(sine, y)), tag, z.column(i) + r);
    hn::Store(hn::NegMulAdd(sine, x, hn::Mul(cosine, y)), tag, z.column(j) + r);
  }
}

// Joins the halves [first, first + n1) and [first + n1, first + n) that the off-diagonal `coupling` connects.
template <class R>
bool Merge(const Solver<R>& s, int64_t first, int64_t n, int64_t n1, double coupling) {
  enum : uint8_t { kTop, kBoth, kBottom };
  const int64_t pad = PadRows<double>(s.n);
  double *const d = s.d + first, *const zeta = s.numbers, *const poles = zeta + pad, *const pole_of_row = poles + pad,
                *const z_of_row = pole_of_row + pad, *const values = z_of_row + pad, *const kept = values + pad;
  int32_t *const sorted = s.indices, *const accepted = sorted + s.n, *const place = accepted + s.n,
                 *const gone = place + s.n, *const row = gone + s.n;
  const double sign = coupling < 0 ? -1 : 1;
  const double rho = 2 * __builtin_fabs(coupling);
  double largest_d = 0, largest_z = 0;
  for (int64_t j = 0; j < n; ++j) {
    const bool top = j < n1;
    s.kind[j] = top ? kTop : kBottom;
    const double edge = top ? s.z.column(first + j)[first + n1 - 1] : sign * s.z.column(first + j)[first + n1];
    zeta[j] = edge * 0.70710678118654752440;
    largest_d = __builtin_fmax(largest_d, __builtin_fabs(d[j]));
    largest_z = __builtin_fmax(largest_z, __builtin_fabs(zeta[j]));
  }
  for (int64_t i = 0, a = 0, b = n1; i < n; ++i) {
    const bool take_top = b == n || (a < n1 && d[s.order[first + a]] <= d[n1 + s.order[first + b]]);
    sorted[i] = take_top ? s.order[first + a++] : static_cast<int32_t>(n1 + s.order[first + b++]);
  }
  // Deflation: components that hardly couple, and of two close poles one after a rotation.
  const double tolerance = 8 * double(kEpsilon<R>) * __builtin_fmax(largest_d, largest_z);
  int64_t k = 0, deflated = 0;
  int32_t pending = -1;
  for (int64_t i = 0; i < n; ++i) {
    const int32_t j = sorted[i];
    if (rho * __builtin_fabs(zeta[j]) <= tolerance) {
      gone[deflated++] = j;
      continue;
    }
    if (pending < 0) {
      pending = j;
      continue;
    }
    const double size = __builtin_sqrt(zeta[j] * zeta[j] + zeta[pending] * zeta[pending]);
    const double c = zeta[j] / size, sine = -zeta[pending] / size;
    if (__builtin_fabs((d[j] - d[pending]) * c * sine) > tolerance) {
      accepted[k++] = pending;
      pending = j;
      continue;
    }
    zeta[j] = size;
    RotatePair(s.z, first + pending, first + j, first, first + n, c, sine);
    if (s.kind[j] != s.kind[pending]) s.kind[j] = kBoth;
    const double low = d[pending] * c * c + d[j] * sine * sine;
    d[j] = d[pending] * sine * sine + d[j] * c * c;
    d[pending] = low;
    gone[deflated++] = pending;
    pending = j;
  }
  if (pending >= 0) accepted[k++] = pending;

  // Rows of the small problem: columns with a top half alone, with both, with a bottom half alone.
  int64_t counts[3] = {};
  for (int64_t i = 0; i < k; ++i) ++counts[s.kind[accepted[i]]];
  int64_t next[3] = {0, counts[kTop], counts[kTop] + counts[kBoth]};
  for (int64_t i = 0; i < k; ++i) {
    const int32_t j = accepted[i];
    const int64_t at = next[s.kind[j]]++;
    place[i] = static_cast<int32_t>(at);
    row[at] = j;
    poles[i] = pole_of_row[at] = d[j];
    z_of_row[at] = zeta[j];
  }
  const int64_t with_top = counts[kTop] + counts[kBoth], with_bottom = counts[kBoth] + counts[kBottom];
  const int64_t n2 = n - n1;
  const Panel<R, false> bottom = s.packed.From(with_top);
  for (int64_t at = 0; at < k; ++at) {
    const R* column = s.z.column(first + row[at]) + first;
    if (at < with_top) memcpy(s.packed.column(at), column, static_cast<size_t>(n1) * sizeof(R));
    if (at >= counts[kTop]) {
      memcpy(bottom.column(at - counts[kTop]), column + n1, static_cast<size_t>(n2) * sizeof(R));
    }
  }
  for (int64_t i = 0; i < deflated; ++i) {
    memcpy(s.deflated.column(i), s.z.column(first + gone[i]) + first, static_cast<size_t>(n) * sizeof(R));
    kept[i] = d[gone[i]];
  }
  if (k > 0) {
    if (!SolveSecular(s.arena, k, rho, poles, place, pole_of_row, z_of_row, values, s.secular)) return false;
    Panel<R, false> turn;
    if constexpr (sizeof(R) == sizeof(double)) {
      turn = s.secular;
    } else {
      turn = s.rotated;
      for (int64_t j = 0; j < k; ++j) {
        for (int64_t i = 0; i < k; ++i) turn.column(j)[i] = R(s.secular.column(j)[i]);
      }
    }
    const Panel<R, false> out = s.z.From(first);
    Product(s.scratch, Form::kPlain, s.packed, Form::kPlain, turn, n1, k, with_top, Store::kSet, FromRow(out, first));
    Product(s.scratch, Form::kPlain, bottom, Form::kPlain, FromRow(turn, counts[kTop]), n2, k, with_bottom,
            Store::kSet, FromRow(out, first + n1));
  }
  for (int64_t i = 0; i < k; ++i) d[i] = values[i];
  for (int64_t i = 0; i < deflated; ++i) {
    memcpy(s.z.column(first + k + i) + first, s.deflated.column(i), static_cast<size_t>(n) * sizeof(R));
    d[k + i] = kept[i];
  }
  SortAscending(n, d, s.order + first);
  return true;
}

template <class R>
bool Solve(const Solver<R>& s, int64_t first, int64_t n) {
  if (n <= kLeaf) return SolveLeaf(s, first, n);
  const int64_t n1 = n / 2;
  const double coupling = s.e[first + n1 - 1];
  s.d[first + n1 - 1] -= __builtin_fabs(coupling);
  s.d[first + n1] -= __builtin_fabs(coupling);
  return Solve(s, first, n1) && Solve(s, first + n1, n - n1) && Merge(s, first, n, n1, coupling);
}

}  // namespace

template <class R>
bool DivideAndConquer(Arena& arena, GemmScratch& scratch, int64_t n, double* d, double* e, const Panel<R, false>& z,
                      int32_t* order) {
  Solver<R> s{arena, scratch, n, d, e, z, order, {}, {}, {}, {}, {}, nullptr, nullptr, nullptr};
  s.leaf = NewPanelUninitialized<R, false>(arena, kLeaf, kLeaf);
  s.numbers = arena.Allocate<double>(6 * PadRows<double>(n < kLeaf ? kLeaf : n));
  if (n > kLeaf) {
    // A column in both halves is packed twice.
    s.packed = NewPanelUninitialized<R, false>(arena, n - n / 2, 2 * n);
    s.deflated = NewPanelUninitialized<R, false>(arena, n, n);
    s.secular = NewPanelUninitialized<double, false>(arena, n, n);
    if constexpr (sizeof(R) != sizeof(double)) s.rotated = NewPanelUninitialized<R, false>(arena, n, n);
    s.indices = arena.Allocate<int32_t>(5 * n);
    s.kind = arena.Allocate<uint8_t>(n);
  }
  return Solve(s, 0, n);
}

template bool DivideAndConquer(Arena&, GemmScratch&, int64_t, double*, double*, const Panel<float, false>&, int32_t*);
template bool DivideAndConquer(Arena&, GemmScratch&, int64_t, double*, double*, const Panel<double, false>&, int32_t*);

}  // namespace tenferro::linalg::TENFERRO_ISA
