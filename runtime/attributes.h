#ifndef TENFERRO_RUNTIME_ATTRIBUTES_H_
#define TENFERRO_RUNTIME_ATTRIBUTES_H_

#include <bit>
#include <cstdint>
#include <string>
#include <type_traits>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "tenferro/tensor/dtype.h"
#include "tenferro/tensor/shape.h"

namespace tenferro {

// An operation's attributes as the graph stores, compares and hashes them: a run of 8-byte words. A number, flag or
// dtype is one word (a double its bits); a list is its length and its values.
using Words = absl::InlinedVector<int64_t, 8>;
using WordSpan = absl::Span<const int64_t>;

// An attribute struct names its fields once, and gets storing, reading and printing for it:
//   struct Transpose { Ints permutation;  void Fields(auto&& field) { field("permutation", permutation); } };
namespace attributes_internal {

struct Writer {
  Words& words;
  void operator()(const char*, const Ints& list);
  void operator()(const char*, const Shape& shape);
  void operator()(const char*, double value) { words.push_back(std::bit_cast<int64_t>(value)); }
  template <class T>
  requires std::is_integral_v<T> || std::is_enum_v<T>
  void operator()(const char*, const T& value) { words.push_back(static_cast<int64_t>(value)); }
};

struct Reader {
  WordSpan words;
  void operator()(const char*, Ints& list);
  void operator()(const char*, Shape& shape);
  void operator()(const char*, double& value) {
    value = std::bit_cast<double>(words[0]);
    words.remove_prefix(1);
  }
  template <class T>
  requires std::is_integral_v<T> || std::is_enum_v<T>
  void operator()(const char*, T& value) {
    value = static_cast<T>(words[0]);
    words.remove_prefix(1);
  }
};

struct Printer {
  std::string& text;
  void operator()(const char* name, const Ints& list);
  void operator()(const char* name, const Shape& shape);
  void operator()(const char* name, DType dtype);
  void operator()(const char* name, bool value);
  void operator()(const char* name, int64_t value);
  void operator()(const char* name, double value);
  // Any other enumeration by its Name().
  template <class T>
  requires std::is_enum_v<T>
  void operator()(const char* name, const T& value) { (*this)(name, Name(value)); }
  void operator()(const char* name, const char* value);
};

}  // namespace attributes_internal

template <class Attributes>
Words Encode(Attributes attributes) {
  Words words;
  attributes.Fields(attributes_internal::Writer{words});
  return words;
}

template <class Attributes>
Attributes Decode(WordSpan words) {
  Attributes attributes;
  attributes.Fields(attributes_internal::Reader{words});
  return attributes;
}

// "permutation=[1,0]".
template <class Attributes>
std::string PrintAttributes(WordSpan words) {
  Attributes attributes = Decode<Attributes>(words);
  std::string text;
  attributes.Fields(attributes_internal::Printer{text});
  return text;
}

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_ATTRIBUTES_H_
