#include "tenferro/linalg/cpu/divide.h"

#include "tenferro/linalg/cpu/bidiagonal.h"
#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/panel_gemm.h"
#include "tenferro/linalg/cpu/secular.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

// Up to this many rows QR sweeps are quicker.
constexpr int64_t kLeaf = 8;

template <class R>
using RealPanel = Panel<R, false>;

// What the parts have in common.
struct Request {
  bool vectors;  // otherwise v has two rows, the first and the last one of the vectors, and u none
  double tolerance;
};

// Part of the bidiagonal: `rows` rows and one column more, the last of v for the singular value that it has not.
template <class R>
struct Node {
  int64_t rows = 0;
  double* d = nullptr;
  int64_t* order = nullptr;
  RealPanel<R> u;
  RealPanel<R> v;
  bool ok = false;
};

template <class R>
Node<R> NewNode(Arena& arena, const Request& request, int64_t rows) {
  Node<R> node;
  node.rows = rows;
  node.d = arena.Allocate<double>(rows + 1);
  node.order = arena.Allocate<int64_t>(rows + 1);
  // Room below the last row: products are written in whole vectors from any row on.
  const auto panel = [&](int64_t length) {
    RealPanel<R> p = NewPanel<R, false>(arena, length + kPad<R>, rows + 1);
    p.rows = PadRows<R>(length);
    return p;
  };
  if (request.vectors) node.u = panel(rows + 1);
  node.v = panel(request.vectors ? rows + 1 : 2);
  return node;
}

// A zero row below makes the part square; the first QR sweep splits it off.
template <class R>
void SolveLeaf(Arena& arena, const Request& request, const double* d, const double* e, Node<R>& node) {
  const int64_t rows = node.rows;
  double* above = arena.Allocate<double>(rows + 1);
  for (int64_t i = 0; i < rows; ++i) {
    node.d[i] = d[i];
    above[i] = e[i];
  }
  node.d[rows] = 0;
  if (request.vectors) {
    for (int64_t i = 0; i <= rows; ++i) {
      node.u.column(i)[i] = 1;
      node.v.column(i)[i] = 1;
    }
  } else {
    node.v.column(0)[0] = 1;
    node.v.column(rows)[1] = 1;
  }
  node.ok = DiagonalizeBidiagonal(arena, rows + 1, node.d, above, node.u, node.v);
  for (int64_t i = 0; i < rows; ++i) node.order[i] = rows - 1 - i;
}

// A singular value of one of the two parts, or the row between them (d = 0), with its vectors: pointers to their halves
// above and below the tear, null for zero.
template <class R>
struct Entry {
  double d, z;
  const R* u[2];
  const R* v[2];
};

// Puts two parts together around row `middle` with diagonal alpha and superdiagonal beta.
template <class R>
class Merger {
 public:
  Merger(Arena& arena, const Request& request, const Node<R>& upper, const Node<R>& lower, double alpha, double beta,
         Node<R>& node)
      : arena_(arena),
        request_(request),
        upper_(upper),
        lower_(lower),
        alpha_(alpha),
        beta_(beta),
        total_(node.rows),
        node_(node) {
    u_rows_[0] = request.vectors ? upper.rows : 0;
    u_rows_[1] = request.vectors ? lower.rows : 0;
    v_rows_[0] = request.vectors ? upper.rows + 1 : 1;
    v_rows_[1] = request.vectors ? lower.rows + 1 : 1;
    entry_ = arena.Allocate<Entry<R>>(total_);
    kept_ = arena.Allocate<int64_t>(total_);
    deflated_ = arena.Allocate<int64_t>(total_);
  }

  void Run() {
    Collect();
    Deflate();
    Solve();
    for (int64_t i = 0; i < deflated_count_; ++i) {
      const Entry<R>& entry = entry_[deflated_[i]];
      const int64_t to = kept_count_ + i;
      node_.d[to] = entry.d;
      Place(node_.u.column(to), entry.u, u_rows_, upper_.rows + 1);
      Place(node_.v.column(to), entry.v, v_rows_, v_rows_[0]);
    }
    SortOrder();
    node_.ok = true;
  }

 private:
  // The row between in terms of the parts' right vectors: entry 0 is a turn of their two last columns, the other turn
  // has no singular value.
  void Collect() {
    // The rows of v next to the tear, and the first of those that the result has.
    const int64_t upper_end = request_.vectors ? upper_.rows : 1;
    const int64_t lower_first = request_.vectors ? 0 : 1;
    const R* last_upper = upper_.v.column(upper_.rows);
    const R* last_lower = lower_.v.column(lower_.rows);
    double c = alpha_ * double(last_upper[upper_end]), s = beta_ * double(last_lower[0]);
    const double r = __builtin_sqrt(c * c + s * s);
    c = r > 0 ? c / r : 1;
    s = r > 0 ? s / r : 0;
    R* null = node_.v.column(total_);
    R* first[2];
    for (int half = 0; half < 2; ++half) {
      const R* from = half == 0 ? last_upper : last_lower + lower_first;
      first[half] = arena_.AllocateZeroed<R>(PadRows<R>(v_rows_[half]));
      for (int64_t i = 0; i < v_rows_[half]; ++i) {
        first[half][i] = R((half == 0 ? c : s) * from[i]);
        null[(half == 0 ? 0 : v_rows_[0]) + i] = R((half == 0 ? -s : c) * from[i]);
      }
    }
    entry_[0] = {0, r, {nullptr, nullptr}, {first[0], first[1]}};
    // Both parts' values in ascending order.
    int64_t a = 0, b = 0;
    for (int64_t i = 1; i < total_; ++i) {
      const bool from_upper =
          b == lower_.rows || (a < upper_.rows && upper_.d[upper_.order[a]] <= lower_.d[lower_.order[b]]);
      if (from_upper) {
        const int64_t j = upper_.order[a++];
        const R* v = upper_.v.column(j);
        entry_[i] = {upper_.d[j], alpha_ * double(v[upper_end]), {upper_.u.column(j), nullptr}, {v, nullptr}};
      } else {
        const int64_t j = lower_.order[b++];
        const R* v = lower_.v.column(j);
        entry_[i] = {lower_.d[j], beta_ * double(v[0]), {nullptr, lower_.u.column(j)}, {nullptr, v + lower_first}};
      }
    }
  }

  // Entries that the row between hardly touches are singular values already; of two equal ones a turn makes one such.
  void Deflate() {
    const double tolerance = request_.tolerance;
    if (entry_[0].z < tolerance) entry_[0].z = tolerance;
    kept_[kept_count_++] = 0;
    int64_t candidate = -1;
    for (int64_t j = 1; j < total_; ++j) {
      if (__builtin_fabs(entry_[j].z) <= tolerance) {
        deflated_[deflated_count_++] = j;
        continue;
      }
      if (candidate >= 0) {
        if (entry_[j].d - entry_[candidate].d <= tolerance) {
          Turn(entry_[candidate], entry_[j]);
          deflated_[deflated_count_++] = candidate;
        } else {
          kept_[kept_count_++] = candidate;
        }
      }
      candidate = j;
    }
    if (candidate >= 0) kept_[kept_count_++] = candidate;
    if (kept_count_ > 1 && entry_[kept_[1]].d < tolerance / 2) entry_[kept_[1]].d = tolerance / 2;
  }

  // Turns a and b so that a.z = 0.
  void Turn(Entry<R>& a, Entry<R>& b) {
    const double length = __builtin_sqrt(a.z * a.z + b.z * b.z);
    const double c = b.z / length, s = -a.z / length;
    a.z = 0;
    b.z = length;
    for (int half = 0; half < 2; ++half) {
      TurnHalf(c, s, u_rows_[half], a.u[half], b.u[half]);
      TurnHalf(c, s, v_rows_[half], a.v[half], b.v[half]);
    }
  }

  void TurnHalf(double c, double s, int64_t rows, const R*& a, const R*& b) {
    if (rows == 0 || (a == nullptr && b == nullptr)) return;
    R* x = arena_.AllocateZeroed<R>(PadRows<R>(rows));
    R* y = arena_.AllocateZeroed<R>(PadRows<R>(rows));
    for (int64_t i = 0; i < rows; ++i) {
      const double p = a == nullptr ? 0 : a[i], q = b == nullptr ? 0 : b[i];
      x[i] = R(c * p + s * q);
      y[i] = R(c * q - s * p);
    }
    a = x;
    b = y;
  }

  // The entries' vectors times those of the secular equation, by halves, each with the entries that are not zero there.
  void Solve() {
    const int64_t k = kept_count_;
    const int64_t padded = PadRows<double>(k);
    double* d = arena_.AllocateZeroed<double>(padded);
    double* z = arena_.AllocateZeroed<double>(padded);
    for (int64_t j = 0; j < k; ++j) {
      d[j] = entry_[kept_[j]].d;
      z[j] = entry_[kept_[j]].z;
    }
    const Secular secular = SolveSecular(arena_, k, d, z);
    // Slots: entries of the upper half alone, of both, of the lower half alone.
    int64_t* slot = arena_.Allocate<int64_t>(k);
    int64_t next = 0, both_first = 0, lower_first = 0;
    for (int group = 0; group < 3; ++group) {
      if (group == 1) both_first = next;
      if (group == 2) lower_first = next;
      for (int64_t j = 0; j < k; ++j) {
        const Entry<R>& entry = entry_[kept_[j]];
        const int own = entry.v[1] == nullptr ? 0 : entry.v[0] == nullptr ? 2 : 1;
        if (own == group) slot[j] = next++;
      }
    }
    const RealPanel<R> left = NewPanel<R, false>(arena_, k, k);
    const RealPanel<R> right = NewPanel<R, false>(arena_, k, k);
    double* x = arena_.Allocate<double>(padded);
    double* y = arena_.Allocate<double>(padded);
    for (int64_t i = 0; i < k; ++i) {
      node_.d[i] = secular.root[i];
      const auto [x2, y2] = VectorsOf(padded, d, secular.z, secular.difference + i * secular.stride, k, x, y);
      const double x_factor = 1 / __builtin_sqrt(x2), y_factor = 1 / __builtin_sqrt(y2);
      R* to_left = left.column(i);
      R* to_right = right.column(i);
      for (int64_t j = 0; j < k; ++j) {
        to_left[slot[j]] = R(x_factor * x[j]);
        to_right[slot[j]] = R(y_factor * y[j]);
      }
      // Entry 0 is the row between in u, which belongs to neither half.
      to_left[slot[0]] = R(-x_factor);
    }
    const int64_t first[2] = {0, both_first}, last[2] = {lower_first, k};
    for (int half = 0; half < 2; ++half) {
      const int64_t u_row = half == 0 ? 0 : upper_.rows + 1, v_row = half == 0 ? 0 : v_rows_[0];
      Combine(half, true, u_rows_[half], slot, first[half], last[half], left, node_.u, u_row);
      Combine(half, false, v_rows_[half], slot, first[half], last[half], right, node_.v, v_row);
      if (half == 1 || !request_.vectors) continue;
      for (int64_t i = 0; i < k; ++i) node_.u.column(i)[upper_.rows] = left.column(i)[slot[0]];
    }
  }

  struct SquaredNorms {
    double x, y;
  };
  // y_j = z_j/difference_j and x_j = d_j·y_j, but x_0 = −1, which only its norm gets.
  static SquaredNorms VectorsOf(int64_t padded, const double* d, const double* z, const double* difference, int64_t k,
                                double* x, double* y) {
    const Tag<double> tag;
    const int64_t lanes = LaneCount<double>();
    Vector<double> x2 = hn::Zero(tag), y2 = x2;
    for (int64_t j = 0; j < padded; j += lanes) {
      Vector<double> value = hn::Div(hn::LoadU(tag, z + j), hn::LoadU(tag, difference + j));
      if (j + lanes > k) value = hn::IfThenElseZero(hn::FirstN(tag, static_cast<size_t>(k - j)), value);
      const Vector<double> scaled = hn::Mul(value, hn::LoadU(tag, d + j));
      hn::StoreU(value, tag, y + j);
      hn::StoreU(scaled, tag, x + j);
      x2 = hn::MulAdd(scaled, scaled, x2);
      y2 = hn::MulAdd(value, value, y2);
    }
    return {Sum<double>(x2) + 1, Sum<double>(y2)};
  }

  // Rows of `to` from `row`: the half's vectors of the slots first … last − 1 times those rows of `factor`.
  void Combine(int half, bool left, int64_t rows, const int64_t* slot, int64_t first, int64_t last,
               const RealPanel<R>& factor, const RealPanel<R>& to, int64_t row) {
    if (rows == 0) return;
    const Arena::Mark mark = arena_.mark();
    const RealPanel<R> vectors = NewPanelUninitialized<R, false>(arena_, rows, last - first);
    for (int64_t j = 0; j < kept_count_; ++j) {
      if (slot[j] < first || slot[j] >= last) continue;
      const Entry<R>& entry = entry_[kept_[j]];
      const R* from = left ? entry.u[half] : entry.v[half];
      R* column = vectors.column(slot[j] - first);
      ClearColumn<R, false>(column, vectors.imag, vectors.rows);
      if (from != nullptr) memcpy(column, from, static_cast<size_t>(rows) * sizeof(R));
    }
    // The padding below is zero, and what it covers is written later.
    RealPanel<R> target = to;
    target.data += row;
    target.rows = vectors.rows;
    Factor<R> part = Plain(factor);
    part.data += first;
    Multiply(vectors, part, last - first, kept_count_, Update::kAssign, target);
    arena_.Release(mark);
  }

  static void Place(R* to, const R* const* halves, const int64_t* rows, int64_t lower_row) {
    for (int half = 0; half < 2; ++half) {
      if (halves[half] == nullptr || rows[half] == 0) continue;
      memcpy(to + (half == 0 ? 0 : lower_row), halves[half], static_cast<size_t>(rows[half]) * sizeof(R));
    }
  }

  // Roots ascend already.
  void SortOrder() {
    for (int64_t i = 0; i < total_; ++i) {
      int64_t j = i;
      for (; j > 0 && node_.d[node_.order[j - 1]] > node_.d[i]; --j) node_.order[j] = node_.order[j - 1];
      node_.order[j] = i;
    }
  }

  Arena& arena_;
  const Request& request_;
  const Node<R>& upper_;
  const Node<R>& lower_;
  double alpha_, beta_;
  int64_t total_;
  int64_t u_rows_[2], v_rows_[2];
  Entry<R>* entry_;
  int64_t* kept_;
  int64_t* deflated_;
  int64_t kept_count_ = 0, deflated_count_ = 0;
  Node<R>& node_;
};

template <class R>
Node<R> SolvePart(Arena& arena, const Request& request, int64_t rows, const double* d, const double* e) {
  Node<R> node = NewNode<R>(arena, request, rows);
  const Arena::Mark mark = arena.mark();
  if (rows <= kLeaf) {
    SolveLeaf(arena, request, d, e, node);
  } else {
    const int64_t middle = rows / 2;
    const Node<R> upper = SolvePart<R>(arena, request, middle, d, e);
    const Node<R> lower = SolvePart<R>(arena, request, rows - middle - 1, d + middle + 1, e + middle + 1);
    if (upper.ok && lower.ok) Merger<R>(arena, request, upper, lower, d[middle], e[middle], node).Run();
  }
  arena.Release(mark);
  return node;
}

}  // namespace

template <class R>
BidiagonalSvd<R> DivideAndConquer(Arena& arena, int64_t n, const double* d, const double* e, bool vectors) {
  double largest = 0;
  for (int64_t i = 0; i < n; ++i) {
    largest = d[i] > largest ? d[i] : largest;
    largest = e[i] > largest ? e[i] : largest;
  }
  const double tolerance = 4 * double(kEpsilon<R>) * largest;
  const Node<R> root = SolvePart<R>(arena, {vectors, tolerance > 1e-140 ? tolerance : 1e-140}, n, d, e);
  return {root.d, root.order, root.u, root.v, root.ok};
}

template BidiagonalSvd<float> DivideAndConquer(Arena&, int64_t, const double*, const double*, bool);
template BidiagonalSvd<double> DivideAndConquer(Arena&, int64_t, const double*, const double*, bool);

}  // namespace tenferro::linalg::TENFERRO_ISA
