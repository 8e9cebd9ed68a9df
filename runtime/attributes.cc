#include "tenferro/runtime/attributes.h"

#include "absl/strings/str_cat.h"

namespace tenferro::attributes_internal {
namespace {

void Name(std::string& text, const char* name) { absl::StrAppend(&text, text.empty() ? "" : ", ", name, "="); }

}  // namespace

void Writer::operator()(const char*, const Ints& list) {
  words.push_back(static_cast<int64_t>(list.size()));
  words.insert(words.end(), list.begin(), list.end());
}

void Writer::operator()(const char* name, const Shape& shape) { (*this)(name, shape.extents()); }

void Reader::operator()(const char*, Ints& list) {
  list.assign(words.begin() + 1, words.begin() + 1 + words[0]);
  words.remove_prefix(1 + words[0]);
}

void Reader::operator()(const char* name, Shape& shape) {
  Ints extents;
  (*this)(name, extents);
  shape = Shape(absl::MakeConstSpan(extents));
}

void Printer::operator()(const char* name, const Ints& list) {
  Name(text, name);
  text += '[';
  for (size_t i = 0; i < list.size(); ++i) absl::StrAppend(&text, i == 0 ? "" : ",", list[i]);
  text += ']';
}

void Printer::operator()(const char* name, const Shape& shape) { (*this)(name, shape.extents()); }

void Printer::operator()(const char* name, DType dtype) {
  Name(text, name);
  text += tenferro::Name(dtype);
}

void Printer::operator()(const char* name, const char* value) {
  Name(text, name);
  text += value;
}

void Printer::operator()(const char* name, bool value) {
  Name(text, name);
  text += value ? "true" : "false";
}

void Printer::operator()(const char* name, int64_t value) {
  Name(text, name);
  absl::StrAppend(&text, value);
}

void Printer::operator()(const char* name, double value) {
  Name(text, name);
  absl::StrAppend(&text, value);
}

}  // namespace tenferro::attributes_internal
