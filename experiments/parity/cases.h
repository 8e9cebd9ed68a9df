#ifndef TENFERRO_EXPERIMENTS_PARITY_CASES_H_
#define TENFERRO_EXPERIMENTS_PARITY_CASES_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tenferro/tensor/tensor.h"

namespace tenferro::parity {

struct Array {
  std::string name;
  Tensor value;
};

// How a result is compared with the reference.
enum class Rule {
  kExact,        // every bit; any NaN equals any NaN
  kElementwise,  // |got − want| ≤ atol + rtol·|want| element by element
  kScale,        // max |got − want| ≤ atol + rtol·max(1, max |want|)
};

// One output of the reference.
struct Expected {
  std::string name;
  Tensor value;
  Rule rule;
  double rtol;
  double atol;
};

// One reference computation, made with JAX, mpmath or NumPy.
struct Case {
  std::string name;   // "binary/mul/f64/1/vjp"
  std::string group;  // "binary"
  std::string op;     // "mul"
  // value: outputs = f(inputs). vjp: outputs = cotangents of the differentiable inputs, in their order. jvp: outputs =
  // tangents of f's outputs. grad, value_and_grad, hvp, jacobian: as expr says.
  std::string kind;
  std::string expr;  // f in NumPy's and JAX's terms: axes as here, but reshapes row-major and batch axes first
  nlohmann::json attributes;
  std::vector<Array> inputs;
  std::vector<Array> cotangents;  // of f's outputs, for vjp
  std::vector<Array> tangents;    // of f's inputs, for jvp; the direction, for hvp
  std::vector<Expected> outputs;
};

// Reads index.json and ref.bin of `folder`. Arrays keep their logical shape and become column-major.
// JAX transposes without conjugating. Its (cotangent, gradient) pairs are turned into this project's, (conj(ct),
// conj(gradient)), so that a vjp of this project maps the one to the other as they are. Errors: a file that cannot be
// read; an index of another form; an array that does not lie in ref.bin.
absl::StatusOr<std::vector<Case>> LoadCases(const std::string& folder);

// The name of the function f: that of the case without a final "/vjp" or "/jvp".
std::string FunctionName(const Case& c);

}  // namespace tenferro::parity

#endif  // TENFERRO_EXPERIMENTS_PARITY_CASES_H_
