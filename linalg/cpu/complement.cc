#include <string.h>

#include "tenferro/linalg/cpu/block.h"
#include "tenferro/linalg/cpu/block_svd.h"
#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/complement_solver.h"
#include "tenferro/linalg/cpu/isa_kernels.h"
#include "tenferro/linalg/cpu/pack.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

int32_t FindRoot(int32_t* parent, int32_t label) {
  while (parent[label] != label) label = parent[label] = parent[parent[label]];
  return label;
}

template <class R, bool kComplex>
bool IsNonzero(const R* x, int64_t i) {
  if constexpr (kComplex) return (x[2 * i] != 0) | (x[2 * i + 1] != 0);
  return x[i] != 0;
}

// Joins the labels that one triplet touches, so that the projections too act inside groups; labels zero rows that it
// touches. Triplets from this library's own SVD touch one block each, or a zero row and a zero column.
template <class R, bool kComplex>
void JoinSupport(const R* x, int64_t extent, int32_t* label, int32_t* parent, int32_t& labels, int32_t& joined) {
  for (int64_t i = 0; i < extent; ++i) {
    if (!IsNonzero<R, kComplex>(x, i) || (label[i] >= 0 && label[i] == joined)) continue;
    if (label[i] < 0) {
      parent[labels] = labels;
      label[i] = labels++;
    }
    if (joined >= 0) {
      parent[FindRoot(parent, label[i])] = FindRoot(parent, joined);
    } else {
      joined = label[i];
    }
  }
}

// The blocks of a that the triplets do not connect. group_of[i] is triplet i's, −1 if it is zero.
template <class R, bool kComplex>
BlockList<R, kComplex> FindGroups(Arena& arena, int64_t m, int64_t n, const R* a, int64_t total, const R* u, const R* v,
                                  int32_t* group_of) {
  constexpr int64_t kParts = kComplex ? 2 : 1;
  int32_t* row = arena.Allocate<int32_t>(m);
  int32_t* column = arena.Allocate<int32_t>(n);
  int32_t labels = static_cast<int32_t>(ExactBlocks<R, kComplex>(m, n, a, row, column, arena.rest()));
  int32_t* parent = arena.Allocate<int32_t>(labels + m + n);
  for (int32_t l = 0; l < labels; ++l) parent[l] = l;
  for (int64_t t = 0; t < total; ++t) {
    int32_t joined = -1;
    JoinSupport<R, kComplex>(u + t * m * kParts, m, row, parent, labels, joined);
    if (joined >= 0) JoinSupport<R, kComplex>(v + t * n * kParts, n, column, parent, labels, joined);
    group_of[t] = joined;
  }
  int32_t* number = arena.Allocate<int32_t>(labels + 1);
  for (int32_t l = 0; l < labels; ++l) number[l] = -1;
  int32_t count = 0;
  const auto renumber = [&](int32_t* label) {
    if (*label < 0) return;
    const int32_t root = FindRoot(parent, *label);
    if (number[root] < 0) number[root] = count++;
    *label = number[root];
  };
  for (int64_t i = 0; i < m; ++i) renumber(row + i);
  for (int64_t j = 0; j < n; ++j) renumber(column + j);
  for (int64_t t = 0; t < total; ++t) renumber(group_of + t);
  return GroupBlocks<R, kComplex>(arena, m, n, count, row, column);
}

// to = scale·from[index].
template <class R, bool kComplex>
void GatherColumn(const R* from, const int32_t* index, int64_t count, R scale, const Panel<R, kComplex>& panel,
                  int64_t j) {
  R* to = panel.column(j);
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (kComplex) {
      to[i] = scale * from[2 * index[i]];
      to[i + panel.imag] = scale * from[2 * index[i] + 1];
    } else {
      to[i] = scale * from[index[i]];
    }
  }
}

template <class R, bool kComplex>
void ScatterColumn(const Panel<R, kComplex>& panel, int64_t j, const int32_t* index, int64_t count, R scale, R* to) {
  const R* from = panel.column(j);
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (kComplex) {
      to[2 * index[i]] = scale * from[i];
      to[2 * index[i] + 1] = scale * from[i + panel.imag];
    } else {
      to[index[i]] = scale * from[i];
    }
  }
}

template <class R, bool kComplex>
bool AnyNonzero(const R* x, const int32_t* index, int64_t count) {
  if (x == nullptr) return false;
  for (int64_t i = 0; i < count; ++i) {
    if (IsNonzero<R, kComplex>(x, index[i])) return true;
  }
  return false;
}

template <class R>
struct BitsType {
  using Type = uint64_t;
};
template <>
struct BitsType<float> {
  using Type = uint32_t;
};

// The largest number in absolute value; NaN if there is one: without their signs, numbers are in the order of their
// bits.
template <class R>
R Largest(const R* x, int64_t reals, R largest) {
  using Bits = typename BitsType<R>::Type;
  constexpr Bits kNoSign = ~Bits{0} >> 1;
  Bits most = __builtin_bit_cast(Bits, largest);
  for (int64_t i = 0; x != nullptr && i < reals; ++i) {
    const Bits bits = __builtin_bit_cast(Bits, x[i]) & kNoSign;
    most = bits > most ? bits : most;
  }
  return __builtin_bit_cast(R, most);
}

template <class R>
void FillNan(R* x, int64_t reals) {
  for (int64_t i = 0; i < reals; ++i) x[i] = R(__builtin_nan(""));
}

}  // namespace

template <class R, bool kComplex>
Outcome TruncatedComplement(int64_t m, int64_t n, const R* a, int64_t k, int64_t extra, const R* u, const R* s,
                            const R* v, const R* p, const R* q, R* x, R* y, Memory memory) {
  constexpr int64_t kParts = kComplex ? 2 : 1;
  if (k == 0) return Outcome::kOk;
  memset(x, 0, static_cast<size_t>(m * k * kParts) * sizeof(R));
  memset(y, 0, static_cast<size_t>(n * k * kParts) * sizeof(R));
  if (!(s[0] > 0)) return Outcome::kOk;
  Arena arena(memory);
  const int64_t total = k + extra;
  int32_t* group_of = arena.Allocate<int32_t>(total);
  const BlockList<R, kComplex> groups = FindGroups<R, kComplex>(arena, m, n, a, total, u, v, group_of);

  const int exponent = PowerOfTwoAbove(s[0]);
  R* scaled_s = arena.Allocate<R>(total);
  for (int64_t t = 0; t < total; ++t) scaled_s[t] = R(ScaleByPowerOfTwo(s[t], -exponent));
  const R tau = R(m > n ? m : n) * kEpsilon<R> * scaled_s[0];

  // Right-hand sides are scaled to about 1, one by one: they may be as large or small as their type allows.
  int* column_exponent = arena.Allocate<int>(k);
  bool* active = arena.Allocate<bool>(k);
  for (int64_t i = 0; i < k; ++i) {
    const R* p_i = p == nullptr ? nullptr : p + i * m * kParts;
    const R* q_i = q == nullptr ? nullptr : q + i * n * kParts;
    R* x_i = x + i * m * kParts;
    R* y_i = y + i * n * kParts;
    active[i] = scaled_s[i] > tau;
    if (!active[i]) continue;
    const R size = Largest(q_i, n * kParts, Largest(p_i, m * kParts, R{0}));
    if (!(size - size == 0)) {
      FillNan(x_i, m * kParts);
      FillNan(y_i, n * kParts);
      active[i] = false;
      continue;
    }
    column_exponent[i] = PowerOfTwoAbove(size);
    // Where the matrix and the kept vectors vanish.
    for (int64_t z = 0; p_i != nullptr && z < groups.zero_row_count; ++z) {
      const int64_t r = groups.zero_rows[z];
      for (int64_t part = 0; part < kParts; ++part) x_i[r * kParts + part] = p_i[r * kParts + part] / s[i];
    }
    for (int64_t z = 0; q_i != nullptr && z < groups.zero_column_count; ++z) {
      const int64_t c = groups.zero_columns[z];
      for (int64_t part = 0; part < kParts; ++part) y_i[c * kParts + part] = q_i[c * kParts + part] / s[i];
    }
  }

  int64_t* members = arena.Allocate<int64_t>(k);
  const Arena::Mark mark = arena.mark();
  for (int64_t g = 0; g < groups.count; ++g, arena.Release(mark)) {
    const Block<R, kComplex>& block = groups.block[g];
    ComplementProblem<R, kComplex> problem;
    problem.m = block.m;
    problem.n = block.n;
    problem.tau = tau;
    R* problem_s = arena.Allocate<R>(total);
    R* s_of_column = arena.Allocate<R>(k);
    problem.s = problem_s;
    problem.s_of_column = s_of_column;
    for (int64_t i = 0; i < k; ++i) {
      if (!active[i]) continue;
      if (!AnyNonzero<R, kComplex>(p == nullptr ? nullptr : p + i * m * kParts, block.rows, block.m) &&
          !AnyNonzero<R, kComplex>(q == nullptr ? nullptr : q + i * n * kParts, block.columns, block.n)) {
        continue;
      }
      s_of_column[problem.columns] = scaled_s[i];
      members[problem.columns++] = i;
    }
    if (problem.columns == 0) continue;
    int64_t own = 0;
    for (int64_t t = 0; t < total; ++t) own += group_of[t] == g;
    problem.u = NewPanel<R, kComplex>(arena, block.m, own);
    problem.v = NewPanel<R, kComplex>(arena, block.n, own);
    for (int64_t t = 0; t < total; ++t) {
      if (group_of[t] != g) continue;
      const int64_t j = problem.kept + problem.extra;
      GatherColumn(u + t * m * kParts, block.rows, block.m, R{1}, problem.u, j);
      GatherColumn(v + t * n * kParts, block.columns, block.n, R{1}, problem.v, j);
      problem_s[j] = scaled_s[t];
      ++(t < k ? problem.kept : problem.extra);
    }
    const R scale = R(ScaleByPowerOfTwo(1, -exponent));
    const R largest = Pack(arena, a, m, scale, block.rows, block.m, block.columns, block.n, problem.a);
    if (!(largest - largest == 0)) return Outcome::kNotFinite;
    problem.a_adjoint = AdjointPanel(arena, problem.a, block.m, block.n);
    problem.p = NewPanel<R, kComplex>(arena, block.m, problem.columns);
    problem.q = NewPanel<R, kComplex>(arena, block.n, problem.columns);
    for (int64_t c = 0; c < problem.columns; ++c) {
      const int64_t i = members[c];
      const R scale = R(ScaleByPowerOfTwo(1, -column_exponent[i]));
      if (p != nullptr) GatherColumn(p + i * m * kParts, block.rows, block.m, scale, problem.p, c);
      if (q != nullptr) GatherColumn(q + i * n * kParts, block.columns, block.n, scale, problem.q, c);
    }
    if (!SolveComplement(arena, problem)) return Outcome::kNotConverged;
    for (int64_t c = 0; c < problem.columns; ++c) {
      const int64_t i = members[c];
      const R scale = R(ScaleByPowerOfTwo(1, column_exponent[i] - exponent));
      ScatterColumn(problem.p, c, block.rows, block.m, scale, x + i * m * kParts);
      ScatterColumn(problem.q, c, block.columns, block.n, scale, y + i * n * kParts);
    }
  }
  return Outcome::kOk;
}

#define TENFERRO_INSTANTIATE(R, kComplex)                                                                             \
  template Outcome TruncatedComplement<R, kComplex>(int64_t, int64_t, const R*, int64_t, int64_t, const R*, const R*, \
                                                    const R*, const R*, const R*, R*, R*, Memory);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
