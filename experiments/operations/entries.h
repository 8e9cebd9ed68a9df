#ifndef TENFERRO_EXPERIMENTS_OPERATIONS_ENTRIES_H_
#define TENFERRO_EXPERIMENTS_OPERATIONS_ENTRIES_H_

#include <functional>
#include <vector>

#include "absl/types/span.h"
#include "tenferro/runtime/op.h"
#include "tenferro/runtime/var.h"

namespace tenferro {

// Makes the operands of an example, in the order in which it asks for them.
class Operands {
 public:
  enum class Kind { kNumbers, kIndices, kBools };
  using Make = std::function<Var(DType dtype, const Shape& shape, Kind kind)>;
  Operands(DType dtype, Make make) : dtype_(dtype), make_(std::move(make)) {}

  // Numbers of the dtype that is tried, all different, between 0.2 and 0.9 where it is a float.
  Var operator()(const Shape& shape) { return make_(dtype_, shape, Kind::kNumbers); }
  // i64 numbers 0, 1, 2, 0, 1, …
  Var Indices(const Shape& shape) { return make_(DType::kI64, shape, Kind::kIndices); }
  Var Bools(const Shape& shape) { return make_(DType::kBool, shape, Kind::kBools); }

 private:
  DType dtype_;
  Make make_;
};

// One operation of the library: what no program can find out from its record, and an example to try it on.
struct OpEntry {
  const OpDef* op;
  const char* stablehlo;  // its name there; nullptr: none
  std::vector<Var> (*example)(Operands& x);
};

// Every record of the core families, of derivatives, of fft and of linalg.
absl::Span<const OpEntry> OpEntries();

}  // namespace tenferro

#endif  // TENFERRO_EXPERIMENTS_OPERATIONS_ENTRIES_H_
