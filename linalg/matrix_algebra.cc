#include "tenferro/linalg/matrix_algebra.h"

#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::linalg {
namespace {

// d [k, batch…] along `axis` (0 or 1) of [rows, columns, batch…].
Var Along(const Var& d, const Shape& shape, int axis) {
  Ints axes{axis};
  for (int i = 2; i < shape.rank(); ++i) axes.push_back(i);
  return BroadcastInDim(d, shape, axes);
}

Shape Square(const Var& d) {
  Shape shape{d.dim(0), d.dim(0)};
  for (int i = 1; i < d.rank(); ++i) shape.push_back(d.shape()[i]);
  return shape;
}

Var First(const Var& x, int axis, int64_t count) {
  if (!x.ok() || x.dim(axis) == count) return x;
  Ints limits = x.shape().extents();
  limits[axis] = count;
  return Slice(x, Ints(x.rank(), 0), limits);
}

}  // namespace

Var Adjoint(const Var& x) {
  Ints permutation = FirstAxes(x.rank());
  if (x.rank() >= 2) std::swap(permutation[0], permutation[1]);
  return Conj(Transpose(x, permutation));
}

Var HermitianPart(const Var& x) { return (x + Adjoint(x)) * 0.5; }
Var SkewPart(const Var& x) { return (x - Adjoint(x)) * 0.5; }
Var ScaleColumns(const Var& x, const Var& d) { return x * Along(Convert(d, x.dtype()), x.shape(), 1); }
Var ScaleRows(const Var& d, const Var& x) { return Along(Convert(d, x.dtype()), x.shape(), 0) * x; }
Var AlongRows(const Var& d) { return Along(d, Square(d), 1); }
Var AlongColumns(const Var& d) { return Along(d, Square(d), 0); }

// The diagonal's axis comes out last and belongs first.
Var Diagonal(const Var& x) {
  const Var last = ExtractDiag(x, 0, 1);
  Ints permutation{last.rank() - 1};
  for (int i = 0; i + 1 < last.rank(); ++i) permutation.push_back(i);
  return Transpose(last, permutation);
}

Var DiagonalMatrix(const Var& d) {
  Ints permutation;
  for (int i = 1; i < d.rank(); ++i) permutation.push_back(i);
  permutation.push_back(0);
  return EmbedDiag(Transpose(d, permutation), 0, 1);
}

Var FirstColumns(const Var& x, int64_t count) { return First(x, 1, count); }

Var FirstRows(const Var& x, int64_t count) { return First(x, 0, count); }

}  // namespace tenferro::linalg
