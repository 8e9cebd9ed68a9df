#include "tenferro/linalg/cpu/reflections.h"

#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/householder.h"
#include "tenferro/linalg/cpu/pack.h"
#include "tenferro/linalg/cpu/panel_gemm.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

// Reflections applied together.
constexpr int64_t kGroup = 32;

// Rows from `top` on, a multiple of the vector length.
template <class R, bool kComplex>
Panel<R, kComplex> RowsFrom(const Panel<R, kComplex>& a, int64_t top) {
  Panel<R, kComplex> part = a;
  part.data += top;
  part.rows -= top;
  return part;
}

// I − v·t·vᴴ, t upper triangular, is a group's product.
template <class R, bool kComplex>
class Group {
 public:
  explicit Group(Arena& arena)
      : arena_(arena),
        gram_(NewPanel<R, kComplex>(arena, kGroup, kGroup)),
        t_(NewPanel<R, kComplex>(arena, kGroup, kGroup)) {}

  void Set(const Reflections<R, kComplex>& all, int64_t first, int64_t count) {
    count_ = count;
    top_ = (first + all.offset) / LaneCount<R>() * LaneCount<R>();
    v_ = RowsFrom(all.vectors.From(first), top_);
    MultiplyAdjoint(v_, count, v_, count, gram_);
    for (int64_t j = 0; j < kGroup; ++j) ClearColumn<R, kComplex>(t_.column(j), t_.imag, t_.rows);
    for (int64_t j = 0; j < count; ++j) {
      const R tau = all.tau[first + j];
      for (int64_t l = 0; l < j; ++l) {
        const Scalar<R> g = gram_.Get(l, j);
        AddScaled<R, kComplex>({-tau * g.re, -tau * g.im}, t_.column(l), t_.imag, t_.column(j), t_.imag, t_.rows);
      }
      t_.Set(j, j, {tau, 0});
    }
    v_adjoint_ = AdjointPanel(arena_, v_, v_.rows, count);
    if (weighted_.data == nullptr) weighted_ = NewPanelUninitialized<R, kComplex>(arena_, kGroup, all.vectors.rows);
    weighted_.rows = v_adjoint_.rows;
  }

  // c −= v·t·vᴴ·c, or with tᴴ.
  void Apply(const Panel<R, kComplex>& c, int64_t columns, bool adjoint) {
    const Panel<R, kComplex> t = adjoint ? AdjointPanel(arena_, t_, kGroup, kGroup) : t_;
    Multiply(t, Plain(v_adjoint_), count_, v_.rows, Update::kAssign, weighted_);
    if (product_columns_ < columns) {
      product_columns_ = columns;
      product_ = NewPanelUninitialized<R, kComplex>(arena_, kGroup, columns);
    }
    product_.rows = weighted_.rows;
    const Panel<R, kComplex> part = RowsFrom(c, top_);
    Multiply(weighted_, Plain(part), v_.rows, columns, Update::kAssign, product_);
    Multiply(v_, Plain(product_), count_, columns, Update::kSubtract, part);
  }

 private:
  Arena& arena_;
  int64_t count_ = 0;
  int64_t top_ = 0;
  int64_t product_columns_ = 0;
  Panel<R, kComplex> gram_, t_;
  Panel<R, kComplex> v_, v_adjoint_;
  Panel<R, kComplex> weighted_;  // t·vᴴ
  Panel<R, kComplex> product_;
};

}  // namespace

template <class R, bool kComplex>
void Apply(Arena& arena, const Reflections<R, kComplex>& reflections, const Panel<R, kComplex>& c, int64_t columns) {
  if (reflections.count <= 0 || columns == 0) return;
  const Arena::Mark mark = arena.mark();
  Group<R, kComplex> group(arena);
  const int64_t groups = (reflections.count + kGroup - 1) / kGroup;
  for (int64_t g = groups - 1; g >= 0; --g) {
    const int64_t first = g * kGroup;
    const int64_t rest = reflections.count - first;
    group.Set(reflections, first, rest < kGroup ? rest : kGroup);
    group.Apply(c, columns, false);
  }
  arena.Release(mark);
}

template <class R, bool kComplex>
Reflections<R, kComplex> FactorQr(Arena& arena, const Panel<R, kComplex>& y, int64_t columns,
                                  const Panel<R, kComplex>& r) {
  Reflections<R, kComplex> q;
  q.vectors = NewPanel<R, kComplex>(arena, y.rows, columns);
  q.tau = arena.Allocate<R>(columns);
  q.count = columns;
  const int64_t lanes = LaneCount<R>();
  const Arena::Mark mark = arena.mark();
  Group<R, kComplex> group(arena);
  for (int64_t first = 0; first < columns; first += kGroup) {
    const int64_t count = columns - first < kGroup ? columns - first : kGroup;
    for (int64_t j = first; j < first + count; ++j) {
      const int64_t top = j / lanes * lanes;
      R* v = q.vectors.column(j);
      CopyScaled<R, kComplex>(R{1}, y.column(j) + top, y.imag, v + top, q.vectors.imag, y.rows - top);
      for (int64_t i = top; i < j; ++i) q.vectors.Set(i, j, {});
      const Reflection<R> reflection = MakeReflection(q.vectors, j, j);
      y.Set(j, j, reflection.result);
      q.tau[j] = reflection.tau;
      if (reflection.tau > 0) Reflect(v, q.vectors.imag, reflection.tau, y.From(j + 1), first + count - j - 1, top);
    }
    if (first + count == columns) break;
    group.Set(q, first, count);
    group.Apply(y.From(first + count), columns - first - count, true);
  }
  arena.Release(mark);
  for (int64_t j = 0; j < columns; ++j) {
    for (int64_t i = 0; i < columns; ++i) r.Set(i, j, i <= j ? y.Get(i, j) : Scalar<R>{0, 0});
  }
  return q;
}

#define TENFERRO_INSTANTIATE(R, kComplex)                                                           \
  template void Apply(Arena&, const Reflections<R, kComplex>&, const Panel<R, kComplex>&, int64_t); \
  template Reflections<R, kComplex> FactorQr(Arena&, const Panel<R, kComplex>&, int64_t, const Panel<R, kComplex>&);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
