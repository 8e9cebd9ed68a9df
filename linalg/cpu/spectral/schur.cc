#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/householder.h"
#include "tenferro/linalg/cpu/spectral/isa_kernels.h"
#include "tenferro/linalg/cpu/spectral/sweep.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

constexpr double kEps = kEpsilon<double>;

template <bool kComplex>
using Matrix = Panel<double, kComplex>;
using Number = Scalar<double>;

double Size(Number x) { return __builtin_fabs(x.re) + __builtin_fabs(x.im); }

// a = q·h·qᴴ with h zero below the first subdiagonal, in place of a.
template <bool kComplex>
void ReduceToHessenberg(Arena& arena, int64_t n, const Matrix<kComplex>& a, const Matrix<kComplex>& q) {
  const int64_t lanes = LaneCount<double>();
  const Matrix<kComplex> reflectors = NewPanel<double, kComplex>(arena, n, n);
  const Matrix<kComplex> y = NewPanel<double, kComplex>(arena, n, 1);
  double* tau = arena.AllocateZeroed<double>(n + 1);
  for (int64_t k = 0; k + 2 < n; ++k) {
    const int64_t top = (k + 1) / lanes * lanes;
    double* v = reflectors.column(k);
    CopyScaled<double, kComplex>(1, a.column(k) + top, a.imag, v + top, reflectors.imag, a.rows - top);
    for (int64_t i = top; i <= k; ++i) reflectors.Set(i, k, {});
    const Reflection<double> reflection = MakeReflection(reflectors, k, k + 1);
    tau[k] = reflection.tau;
    for (int64_t i = k + 2; i < n; ++i) a.Set(i, k, {});
    if (reflection.tau == 0) {
      a.Set(k + 1, k, {});
      continue;
    }
    a.Set(k + 1, k, reflection.result);
    ClearColumn<double, kComplex>(y.data, y.imag, y.rows);
    for (int64_t c = k + 1; c < n; ++c) {
      double* column = a.column(c);
      const Number dot = Dot<double, kComplex>(v + top, reflectors.imag, column + top, a.imag, a.rows - top);
      AddScaled<double, kComplex>({-tau[k] * dot.re, -tau[k] * dot.im}, v + top, reflectors.imag, column + top, a.imag,
                                  a.rows - top);
      AddScaled<double, kComplex>(reflectors.Get(c, k), column, a.imag, y.data, y.imag, a.rows);
    }
    for (int64_t c = k + 1; c < n; ++c) {
      const Number x = reflectors.Get(c, k);
      AddScaled<double, kComplex>({-tau[k] * x.re, tau[k] * x.im}, y.data, y.imag, a.column(c), a.imag, a.rows);
    }
  }
  FormOrthonormal(reflectors, tau, 1, n, q);
}

// The start of the active block that ends at `end`: below it a subdiagonal entry is negligible and set to 0.
template <bool kComplex>
int64_t ActiveStart(const Matrix<kComplex>& h, int64_t end) {
  int64_t start = end;
  for (; start > 0; --start) {
    const double neighbours = Size(h.Get(start - 1, start - 1)) + Size(h.Get(start, start));
    if (Size(h.Get(start, start - 1)) <= kEps * neighbours || Size(h.Get(start, start - 1)) < 1e-290) {
      h.Set(start, start - 1, {});
      break;
    }
  }
  return start;
}

// Columns i and i + 1 of rows `from`, a multiple of the vector length, to `rows` − 1: (x, y) ← (c·x + conj(s)·y, c·y − s·x) with real c.
template <bool kComplex>
void RotateColumns(const Matrix<kComplex>& a, int64_t i, int64_t from, int64_t rows, double c, Number s) {
  const Tag<double> tag;
  const int64_t lanes = LaneCount<double>();
  const Lanes<double, kComplex> sine = SetLanes<double, kComplex>(s);
  const Vector<double> cosine = hn::Set(tag, c);
  double* p = a.column(i);
  double* q = a.column(i + 1);
  for (int64_t r = from; r < rows; r += lanes) {
    const Lanes<double, kComplex> x = LoadLanes<double, kComplex>(p + r, a.imag),
                                  y = LoadLanes<double, kComplex>(q + r, a.imag);
    Lanes<double, kComplex> cx = x, cy = y;
    cx.re = hn::Mul(x.re, cosine);
    cy.re = hn::Mul(y.re, cosine);
    if constexpr (kComplex) {
      cx.im = hn::Mul(x.im, cosine);
      cy.im = hn::Mul(y.im, cosine);
    }
    StoreLanes(ConjMulAdd(sine, y, cx), p + r, a.imag);
    StoreLanes(NegMulAdd(sine, x, cy), q + r, a.imag);
  }
}

// Rows i and i + 1 of columns `from` … to − 1: (x, y) ← (c·x + s·y, c·y − conj(s)·x).
template <bool kComplex>
void RotateRows(const Matrix<kComplex>& a, int64_t i, int64_t from, int64_t to, double c, Number s) {
  for (int64_t j = from; j < to; ++j) {
    const Number x = a.Get(i, j), y = a.Get(i + 1, j);
    a.Set(i, j, {c * x.re + s.re * y.re - s.im * y.im, c * x.im + s.re * y.im + s.im * y.re});
    a.Set(i + 1, j, {c * y.re - s.re * x.re - s.im * x.im, c * y.im - s.re * x.im + s.im * x.re});
  }
}

double Modulus(Number x) {
  const double square = x.re * x.re + x.im * x.im;
  // Of tiny parts the squares would lose bits.
  return square > 1e-280 ? __builtin_sqrt(square) : __builtin_hypot(x.re, x.im);
}

// The rotation (c, s) with [c s; −conj(s) c]·(x, y) = (r, 0).
void MakeRotation(Number x, Number y, double& c, Number& s) {
  const double ax = Modulus(x), ay = Modulus(y);
  if (ay == 0) {
    c = 1;
    s = {0, 0};
    return;
  }
  const double size = Modulus({ax, ay});
  c = ax / size;
  // s = (x/|x|)·conj(y)/size.
  const Number phase = ax > 0 ? Number{x.re / ax, x.im / ax} : Number{1, 0};
  s = {(phase.re * y.re + phase.im * y.im) / size, (phase.im * y.re - phase.re * y.im) / size};
}

Number ComplexRoot(Number x) {
  const double size = __builtin_hypot(x.re, x.im);
  if (size == 0) return {0, 0};
  const double a = __builtin_sqrt((size + __builtin_fabs(x.re)) / 2), b = __builtin_fabs(x.im) / (2 * a);
  const double re = x.re >= 0 ? a : b, im = x.re >= 0 ? b : a;
  return {re, __builtin_copysign(im, x.im)};
}

// Wilkinson's shift of the block that ends at `end`: the eigenvalue of its last 2 × 2 that is closer to the last entry.
Number WilkinsonShift(const Matrix<true>& h, int64_t end) {
  const Number a = h.Get(end - 1, end - 1), b = h.Get(end - 1, end), c = h.Get(end, end - 1), d = h.Get(end, end);
  const Number half = {(a.re - d.re) / 2, (a.im - d.im) / 2};
  const Number product = {b.re * c.re - b.im * c.im, b.re * c.im + b.im * c.re};
  Number root = ComplexRoot({half.re * half.re - half.im * half.im + product.re, 2 * half.re * half.im + product.im});
  if (half.re * root.re + half.im * root.im < 0) root = {-root.re, -root.im};
  // d − b·c/(half + root), which does not cancel.
  const Number sum = {half.re + root.re, half.im + root.im};
  const double size = sum.re * sum.re + sum.im * sum.im;
  if (size == 0) return d;
  return {d.re - (product.re * sum.re + product.im * sum.im) / size,
          d.im - (product.im * sum.re - product.re * sum.im) / size};
}

// The columns of a sweep's rows whose turn has not come yet, a whole number of vectors of them.
template <bool kComplex>
class FarColumns {
 public:
  FarColumns(Arena& arena, int64_t n, const Matrix<kComplex>& h)
      : steps(arena.Allocate<SweepStep<kComplex>>(n)),
        n_(n),
        h_(h),
        scratch_(arena.Allocate<double>(2 * (h.rows + 1) * LaneCount<double>())) {}

  // For a sweep from row `start` to row `end`.
  void Begin(int64_t start, int64_t end) {
    constexpr int64_t kNear = 4;
    start_ = start;
    end_ = end;
    const int64_t rest = n_ - start - kNear;
    near_ = rest <= 0 ? n_ : start + kNear + rest % LaneCount<double>();
  }
  // The end of the columns that steps act on at once, before step k: beyond those that it turns from the right.
  int64_t NearUntil(int64_t k) {
    if (near_ < n_ && near_ < k + 4) Catch(k);
    return near_;
  }
  void Finish() {
    while (near_ < n_) Catch(end_);
  }

  SweepStep<kComplex>* const steps;

 private:
  void Catch(int64_t k) {
    ActOnRows(steps, start_, k, end_, h_, near_, scratch_);
    near_ += LaneCount<double>();
  }

  const int64_t n_;
  const Matrix<kComplex> h_;
  double* const scratch_;
  int64_t start_ = 0, end_ = 0, near_ = 0;
};

bool Iterate(Arena& arena, int64_t n, const Matrix<true>& h, const Matrix<true>& z) {
  FarColumns<true> far(arena, n, h);
  int64_t end = n - 1;
  for (int sweep = 0; end > 0; ++sweep) {
    const int64_t start = ActiveStart(h, end);
    if (start == end) {
      --end;
      sweep = -1;
      continue;
    }
    if (sweep == 300) return false;
    Number shift = WilkinsonShift(h, end);
    if (sweep % 10 == 9) shift.re = h.Get(end, end).re + 0.75 * Size(h.Get(end, end - 1));
    const Number first = h.Get(start, start);
    Number x = {first.re - shift.re, first.im - shift.im}, y = h.Get(start + 1, start);
    const int64_t own = start / LaneCount<double>() * LaneCount<double>();
    far.Begin(start, end);
    for (int64_t k = start; k < end; ++k) {
      if (k > start) {
        x = h.Get(k, k - 1);
        y = h.Get(k + 1, k - 1);
      }
      double c;
      Number s;
      MakeRotation(x, y, c, s);
      far.steps[k] = {c, s};
      RotateRows(h, k, k > start ? k - 1 : k, far.NearUntil(k), c, s);
      if (k > start) h.Set(k + 1, k - 1, {});
      RotateColumns(h, k, own, (k + 2 < end ? k + 2 : end) + 1, c, s);
    }
    far.Finish();
    ActOnColumns(far.steps, start, end, h, own);
    ActOnColumns(far.steps, start, end, z, z.rows);
  }
  return true;
}

// Turns rows and columns i, i + 1 so that the block there is upper triangular, or has equal diagonal entries and
// off-diagonal ones of opposite signs: a complex pair.
void Standardize(int64_t n, const Matrix<false>& h, const Matrix<false>& z, int64_t i) {
  double a = h.column(i)[i], b = h.column(i + 1)[i], c = h.column(i)[i + 1], d = h.column(i + 1)[i + 1];
  double cosine = 1, sine = 0;
  bool real = true;
  const auto sign = [](double x) { return __builtin_copysign(1.0, x); };
  if (c == 0) return;
  if (a - d == 0 && b != 0 && sign(b) != sign(c)) return;
  const double p = (a - d) / 2, larger = __builtin_fmax(__builtin_fabs(b), __builtin_fabs(c));
  const double smaller = __builtin_fmin(__builtin_fabs(b), __builtin_fabs(c)) * sign(b) * sign(c);
  const double scale = __builtin_fmax(__builtin_fabs(p), larger);
  const double discriminant = p / scale * p + larger / scale * smaller;
  if (discriminant >= 4 * kEps) {
    const double root = p + sign(p) * __builtin_sqrt(scale) * __builtin_sqrt(discriminant);
    const double size = __builtin_hypot(c, root);
    cosine = root / size;
    sine = c / size;
  } else {
    const double sum = b + c, size = __builtin_hypot(sum, a - d);
    cosine = __builtin_sqrt((1 + __builtin_fabs(sum) / size) / 2);
    sine = -(p / (size * cosine)) * sign(sum);
    const double aa = a * cosine + b * sine, bb = b * cosine - a * sine, cc = c * cosine + d * sine,
                 dd = d * cosine - c * sine;
    const double upper = bb * cosine + dd * sine, lower = cc * cosine - aa * sine;
    if (lower != 0 && upper == 0) {
      const double old = cosine;
      cosine = -sine;
      sine = old;
    } else if (lower != 0 && sign(upper) != sign(lower)) {
      real = false;
    } else if (lower != 0) {
      // Two real values, nearly equal.
      const double root_upper = __builtin_sqrt(__builtin_fabs(upper)),
                   root_lower = __builtin_sqrt(__builtin_fabs(lower));
      const double scale_by = 1 / __builtin_sqrt(__builtin_fabs(upper + lower));
      const double c1 = root_upper * scale_by, s1 = root_lower * scale_by, old = cosine;
      cosine = old * c1 - sine * s1;
      sine = old * s1 + sine * c1;
    }
  }
  RotateRows(h, i, i, n, cosine, {sine, 0});
  RotateColumns(h, i, 0, i + 2, cosine, {sine, 0});
  RotateColumns(z, i, 0, n, cosine, {sine, 0});
  if (real) {
    h.column(i)[i + 1] = 0;
  } else {
    const double mean = (h.column(i)[i] + h.column(i + 1)[i + 1]) / 2;
    h.column(i)[i] = h.column(i + 1)[i + 1] = mean;
  }
}

// Columns i, i + 1 (and i + 2) of rows `from` to `rows` − 1 times I − v·(tau·v)ᵀ.
void ReflectColumns(const Matrix<false>& a, int64_t i, int count, int64_t from, int64_t rows, const double* v,
                    double tau) {
  const Tag<double> tag;
  const int64_t lanes = LaneCount<double>();
  const Vector<double> v0 = hn::Set(tag, v[0]), v1 = hn::Set(tag, v[1]), v2 = hn::Set(tag, v[2]);
  const Vector<double> factor = hn::Set(tag, tau);
  double *p = a.column(i), *q = a.column(i + 1), *t = count == 3 ? a.column(i + 2) : q;
  for (int64_t r = from; r < rows; r += lanes) {
    const Vector<double> x = hn::LoadU(tag, p + r), y = hn::LoadU(tag, q + r), w = hn::LoadU(tag, t + r);
    Vector<double> sum = hn::MulAdd(v1, y, hn::Mul(v0, x));
    if (count == 3) sum = hn::MulAdd(v2, w, sum);
    sum = hn::Mul(sum, factor);
    hn::StoreU(hn::NegMulAdd(sum, v0, x), tag, p + r);
    hn::StoreU(hn::NegMulAdd(sum, v1, y), tag, q + r);
    if (count == 3) hn::StoreU(hn::NegMulAdd(sum, v2, w), tag, t + r);
  }
}

bool Iterate(Arena& arena, int64_t n, const Matrix<false>& h, const Matrix<false>& z) {
  FarColumns<false> far(arena, n, h);
  const auto at = [&h](int64_t i, int64_t j) -> double& { return h.column(j)[i]; };
  int64_t end = n - 1;
  for (int sweep = 0; end > 0; ++sweep) {
    const int64_t start = ActiveStart(h, end);
    if (start == end) {
      --end;
      sweep = -1;
      continue;
    }
    if (start + 1 == end) {
      Standardize(n, h, z, start);
      end -= 2;
      sweep = -1;
      continue;
    }
    if (sweep == 300) return false;
    // The first column of (H − s)(H − t) for the eigenvalues s, t of the last 2 × 2.
    double a = at(end - 1, end - 1), b = at(end - 1, end), c = at(end, end - 1), d = at(end, end);
    if (sweep % 10 == 9) {
      const double size = __builtin_fabs(c) + __builtin_fabs(at(end - 1, end - 2));
      a = d = at(end, end) + 0.75 * size;
      b = -0.4375 * size;
      c = size;
    }
    // Everything is taken relative to the first entry: in a matrix close to a multiple of 1 the rest would cancel.
    const double h00 = at(start, start);
    a -= h00;
    d -= h00;
    double v[3] = {(a * d - b * c) / at(start + 1, start) + at(start, start + 1),
                   at(start + 1, start + 1) - h00 - a - d, at(start + 2, start + 1)};
    const int64_t own = start / LaneCount<double>() * LaneCount<double>();
    far.Begin(start, end);
    for (int64_t k = start; k < end; ++k) {
      const int64_t near = far.NearUntil(k);
      const int count = k + 2 <= end ? 3 : 2;
      if (k > start) {
        v[0] = at(k, k - 1);
        v[1] = at(k + 1, k - 1);
        v[2] = count == 3 ? at(k + 2, k - 1) : 0;
      } else if (count == 2) {
        v[2] = 0;
      }
      const double scale =
          __builtin_fmax(__builtin_fabs(v[0]), __builtin_fmax(__builtin_fabs(v[1]), __builtin_fabs(v[2])));
      if (scale == 0) {
        far.steps[k] = {};
        continue;
      }
      for (double& x : v) x /= scale;
      const double norm = __builtin_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      const double signed_norm = __builtin_copysign(norm, v[0]);
      const double tau = 1 / (norm * (norm + __builtin_fabs(v[0])));
      v[0] += signed_norm;
      if (k > start) {
        at(k, k - 1) = -signed_norm * scale;
        at(k + 1, k - 1) = 0;
        if (count == 3) at(k + 2, k - 1) = 0;
      }
      far.steps[k] = {{v[0], v[1], v[2]}, tau};
      for (int64_t j = k; j < near; ++j) {
        double* x = h.column(j) + k;
        double sum = v[0] * x[0] + v[1] * x[1];
        if (count == 3) sum += v[2] * x[2];
        sum *= tau;
        x[0] -= sum * v[0];
        x[1] -= sum * v[1];
        if (count == 3) x[2] -= sum * v[2];
      }
      ReflectColumns(h, k, count, own, (k + 3 < end ? k + 3 : end) + 1, v, tau);
    }
    far.Finish();
    ActOnColumns(far.steps, start, end, h, own);
    ActOnColumns(far.steps, start, end, z, z.rows);
  }
  return true;
}

}  // namespace

template <class R, bool kComplex>
Outcome Schur(int64_t n, const R* a, R* t, R* z, Memory memory) {
  if (n == 0) return Outcome::kOk;
  constexpr int64_t kParts = kComplex ? 2 : 1;
  Arena arena(memory);
  R largest = 0;
  for (int64_t i = 0; i < n * n * kParts; ++i) {
    if (!(a[i] - a[i] == 0)) return Outcome::kNotFinite;
    largest = __builtin_fmax(largest, __builtin_fabs(a[i]));
  }
  int exponent = largest > 0 ? __builtin_ilogb(largest) + 1 : 0;
  if (exponent > 1000) exponent = 1000;
  if (exponent < -1000) exponent = -1000;
  const double scale = __builtin_ldexp(1, -exponent), back = __builtin_ldexp(1, exponent);
  const Panel<double, kComplex> h = NewPanel<double, kComplex>(arena, n, n),
                                q = NewPanel<double, kComplex>(arena, n, n);
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < n; ++i) {
      const R* from = a + (i + j * n) * kParts;
      h.Set(i, j, {from[0] * scale, kComplex ? from[kParts - 1] * scale : 0});
    }
  }
  ReduceToHessenberg<kComplex>(arena, n, h, q);
  if (!Iterate(arena, n, h, q)) return Outcome::kNotConverged;
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < n; ++i) {
      const Number x = h.Get(i, j), y = q.Get(i, j);
      R* to = t + (i + j * n) * kParts;
      R* factor = z + (i + j * n) * kParts;
      to[0] = x.re * back;
      factor[0] = y.re;
      if constexpr (kComplex) {
        to[1] = x.im * back;
        factor[1] = y.im;
      }
    }
  }
  return Outcome::kOk;
}

template Outcome Schur<double, false>(int64_t, const double*, double*, double*, Memory);
template Outcome Schur<double, true>(int64_t, const double*, double*, double*, Memory);

}  // namespace tenferro::linalg::TENFERRO_ISA
