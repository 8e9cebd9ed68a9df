#include "tenferro/experiments/parity/cases.h"

#include <complex>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tenferro/experiments/file.h"
#include "tenferro/experiments/parity/reference_errors.h"
#include "tenferro/tensor/status.h"

namespace tenferro::parity {
namespace {

using Json = nlohmann::json;

absl::Status Malformed(absl::string_view what) { return absl::DataLossError(absl::StrCat("index.json: ", what)); }

absl::StatusOr<std::string> Text(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return Malformed(absl::StrCat("no text '", key, "'"));
  return found->get<std::string>();
}

absl::StatusOr<double> Number(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return Malformed(absl::StrCat("no number '", key, "'"));
  return found->get<double>();
}

absl::StatusOr<DType> ParseDType(const std::string& name) {
  for (DType dtype : kAllDTypes) {
    if (name == Name(dtype)) return dtype;
  }
  return Malformed(absl::StrCat("unknown dtype ", name));
}

template <class T>
absl::StatusOr<Tensor> TensorOf(const Shape& shape, const char* bytes) {
  // Through a vector, since the bytes in the file's text need not be aligned.
  std::vector<std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>> elements(shape.size());
  std::memcpy(elements.data(), bytes, elements.size() * sizeof(T));
  return Tensor::FromRowMajor<T>(shape,
                                 absl::MakeConstSpan(reinterpret_cast<const T*>(elements.data()), elements.size()));
}

absl::StatusOr<Tensor> ParseTensor(const Json& array, const std::string& data) {
  TENFERRO_ASSIGN_OR_RETURN(const std::string dtype_name, Text(array, "dtype"));
  TENFERRO_ASSIGN_OR_RETURN(const DType dtype, ParseDType(dtype_name));
  TENFERRO_ASSIGN_OR_RETURN(const double offset, Number(array, "offset"));
  const auto extents = array.find("shape");
  if (extents == array.end() || !extents->is_array()) return Malformed("an array without a shape");
  Shape shape;
  for (const Json& extent : *extents) {
    if (!extent.is_number_integer()) return Malformed("an extent that is no integer");
    shape.push_back(extent.get<int64_t>());
  }
  TENFERRO_RETURN_IF_ERROR(shape.Validate());
  if (offset < 0 || offset + shape.size() * SizeOf(dtype) > data.size()) return Malformed("an array beyond ref.bin");
  const char* bytes = data.data() + static_cast<size_t>(offset);
  return Dispatch(dtype, [&]<class T>() { return TensorOf<T>(shape, bytes); });
}

absl::StatusOr<std::vector<Array>> ParseArrays(const Json& object, const char* key, const std::string& data) {
  std::vector<Array> arrays;
  const auto list = object.find(key);
  if (list == object.end()) return arrays;
  if (!list->is_array()) return Malformed(absl::StrCat("'", key, "' is no list"));
  for (const Json& array : *list) {
    TENFERRO_ASSIGN_OR_RETURN(std::string name, Text(array, "name"));
    TENFERRO_ASSIGN_OR_RETURN(Tensor value, ParseTensor(array, data));
    arrays.push_back({std::move(name), std::move(value)});
  }
  return arrays;
}

absl::StatusOr<Rule> ParseRule(const std::string& text) {
  if (text == "exact") return Rule::kExact;
  if (text == "elem") return Rule::kElementwise;
  if (text == "scale") return Rule::kScale;
  return Malformed(absl::StrCat("unknown comparison ", text));
}

absl::StatusOr<std::vector<Expected>> ParseOutputs(const Json& object, const std::string& data) {
  TENFERRO_ASSIGN_OR_RETURN(std::vector<Array> arrays, ParseArrays(object, "outputs", data));
  std::vector<Expected> outputs;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const Json& output = object["outputs"][i];
    TENFERRO_ASSIGN_OR_RETURN(const std::string rule_name, Text(output, "compare"));
    TENFERRO_ASSIGN_OR_RETURN(const Rule rule, ParseRule(rule_name));
    TENFERRO_ASSIGN_OR_RETURN(const double rtol, Number(output, "rtol"));
    TENFERRO_ASSIGN_OR_RETURN(const double atol, Number(output, "atol"));
    outputs.push_back({std::move(arrays[i].name), std::move(arrays[i].value), rule, rtol, atol});
  }
  if (outputs.empty()) return Malformed("a case without outputs");
  return outputs;
}

template <class T>
absl::Status ConjugateOf(Tensor& tensor) {
  TENFERRO_ASSIGN_OR_RETURN(const absl::Span<T> elements, tensor.MutableData<T>());
  for (T& element : elements) element = std::conj(element);
  return absl::OkStatus();
}

absl::Status Conjugate(Tensor& tensor) {
  if (tensor.dtype() == DType::kC64) return ConjugateOf<std::complex<float>>(tensor);
  if (tensor.dtype() == DType::kC128) return ConjugateOf<std::complex<double>>(tensor);
  return absl::OkStatus();
}

absl::StatusOr<Case> ParseCase(const Json& object, const std::string& data) {
  Case c;
  TENFERRO_ASSIGN_OR_RETURN(c.name, Text(object, "name"));
  TENFERRO_ASSIGN_OR_RETURN(c.group, Text(object, "group"));
  TENFERRO_ASSIGN_OR_RETURN(c.op, Text(object, "op"));
  TENFERRO_ASSIGN_OR_RETURN(c.kind, Text(object, "kind"));
  TENFERRO_ASSIGN_OR_RETURN(c.expr, Text(object, "expr"));
  c.attributes = object.value("attrs", Json::object());
  TENFERRO_ASSIGN_OR_RETURN(c.inputs, ParseArrays(object, "inputs", data));
  TENFERRO_ASSIGN_OR_RETURN(c.cotangents, ParseArrays(object, "cotangents", data));
  TENFERRO_ASSIGN_OR_RETURN(c.tangents, ParseArrays(object, "tangents", data));
  TENFERRO_ASSIGN_OR_RETURN(c.outputs, ParseOutputs(object, data));
  if (c.kind == "vjp") {
    for (Array& cotangent : c.cotangents) TENFERRO_RETURN_IF_ERROR(Conjugate(cotangent.value));
    for (Expected& output : c.outputs) TENFERRO_RETURN_IF_ERROR(Conjugate(output.value));
  }
  TENFERRO_RETURN_IF_ERROR(CorrectReference(c));
  return c;
}

}  // namespace

absl::StatusOr<std::vector<Case>> LoadCases(const std::string& folder) {
  TENFERRO_ASSIGN_OR_RETURN(const std::string text, ReadFile(folder + "/index.json"));
  TENFERRO_ASSIGN_OR_RETURN(const std::string data, ReadFile(folder + "/ref.bin"));
  const Json index = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!index.is_object() || !index.contains("cases") || !index["cases"].is_array())
    return Malformed("no list of cases");
  std::vector<Case> cases;
  for (const Json& object : index["cases"]) {
    absl::StatusOr<Case> c = ParseCase(object, data);
    if (!c.ok()) return absl::DataLossError(absl::StrCat("case ", cases.size(), " of ", c.status().message()));
    cases.push_back(*std::move(c));
  }
  return cases;
}

std::string FunctionName(const Case& c) {
  if (c.kind != "vjp" && c.kind != "jvp") return c.name;
  const std::string suffix = "/" + c.kind;
  return c.name.ends_with(suffix) ? c.name.substr(0, c.name.size() - suffix.size()) : c.name;
}

}  // namespace tenferro::parity
