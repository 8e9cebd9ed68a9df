#include "tenferro/runtime/ops/products.h"

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/composite.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

using namespace composite_internal;

Ints AxesFrom(int first, int count) {
  Ints axes;
  for (int i = 0; i < count; ++i) axes.push_back(first + i);
  return axes;
}

// Two operands of one function; the first error among them.
struct Pair {
  Pair(const char* op, const Arg& left, const Arg& right)
      : a(Operand(op, left, kAnySet)), b(Operand(op, right, kAnySet)) {
    ok = a.ok() && b.ok();
  }
  Var Error() const { return a.ok() ? b : a; }
  std::string Types() const { return absl::StrCat("got lhs ", a.type().ToString(), " and rhs ", b.type().ToString()); }

  Var a, b;
  bool ok;
};

Var Contract(const Var& a, const Var& b, const Ints& lhs_axes, const Ints& rhs_axes) {
  return DotGeneral(a, b, {.lhs_contract = lhs_axes, .rhs_contract = rhs_axes, .lhs_batch = {}, .rhs_batch = {}});
}

// The same with the errors under the name of the function.
Var ContractChecked(const char* op, const Location& location, const Pair& in, const Ints& lhs_axes,
                    const Ints& rhs_axes) {
  const auto fail = [&](absl::string_view message) { return ErrorVar(location, op, message); };
  if (absl::Status status = CheckAxes("lhs axis", lhs_axes, in.a.rank()); !status.ok()) return fail(status.message());
  if (absl::Status status = CheckAxes("rhs axis", rhs_axes, in.b.rank()); !status.ok()) return fail(status.message());
  bool fits = lhs_axes.size() == rhs_axes.size();
  for (size_t i = 0; fits && i < lhs_axes.size(); ++i) {
    fits = in.a.shape()[static_cast<int>(lhs_axes[i])] == in.b.shape()[static_cast<int>(rhs_axes[i])];
  }
  if (!fits) return fail(absl::StrCat("contracting dimensions differ, ", in.Types()));
  return Contract(in.a, in.b, lhs_axes, rhs_axes);
}

}  // namespace

Var Tensordot(const Arg& a, const Arg& b, const Ints& lhs_axes, const Ints& rhs_axes) {
  LocationScope scope(a.location());
  const Pair in("tensordot", a, b);
  return in.ok ? ContractChecked("tensordot", a.location(), in, lhs_axes, rhs_axes) : in.Error();
}

Var Tensordot(const Arg& a, const Arg& b, int count) {
  LocationScope scope(a.location());
  const Pair in("tensordot", a, b);
  if (!in.ok) return in.Error();
  if (count < 0 || count > in.a.rank() || count > in.b.rank()) {
    return ErrorVar(a.location(), "tensordot", absl::StrCat("no ", count, " axes to contract, ", in.Types()));
  }
  return ContractChecked("tensordot", a.location(), in, AxesFrom(in.a.rank() - count, count), FirstAxes(count));
}

Var Outer(const Arg& a, const Arg& b) {
  LocationScope scope(a.location());
  const Pair in("outer", a, b);
  return in.ok ? Contract(in.a, in.b, {}, {}) : in.Error();
}

Var Kron(const Arg& a, const Arg& b) {
  LocationScope scope(a.location());
  const Pair in("kron", a, b);
  if (!in.ok) return in.Error();
  if (in.a.rank() != in.b.rank()) {
    return ErrorVar(a.location(), "kron", absl::StrCat("needs operands of one rank, ", in.Types()));
  }
  // Pairs of axes (b's, a's): in column-major order b's is the faster.
  const int rank = in.a.rank();
  Ints order;
  Shape shape;
  for (int axis = 0; axis < rank; ++axis) {
    order.push_back(rank + axis);
    order.push_back(axis);
    shape.push_back(in.a.dim(axis) * in.b.dim(axis));
  }
  return Reshape(Transpose(Contract(in.a, in.b, {}, {}), order), shape);
}

Var Inner(const Arg& a, const Arg& b) {
  LocationScope scope(a.location());
  const Pair in("inner", a, b);
  if (!in.ok) return in.Error();
  return ContractChecked("inner", a.location(), in, {in.a.rank() - 1}, {in.b.rank() - 1});
}

Var VDot(const Arg& a, const Arg& b) {
  LocationScope scope(a.location());
  const Pair in("vdot", a, b);
  if (!in.ok) return in.Error();
  if (in.a.shape() != in.b.shape()) {
    return ErrorVar(a.location(), "vdot", absl::StrCat("needs operands of one shape, ", in.Types()));
  }
  const Shape flat{in.a.shape().size()};
  return Contract(Reshape(Conj(in.a), flat), Reshape(in.b, flat), {0}, {0});
}

}  // namespace tenferro
