#include "tenferro/tensor/npy_header.h"

#include <algorithm>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "tenferro/tensor/status.h"

namespace tenferro {
namespace {

constexpr char kMagic[] = "\x93NUMPY";
constexpr size_t kAlignment = 64;

struct Code {
  absl::string_view text;
  DType dtype;
};
constexpr Code kCodes[] = {{"b1", DType::kBool}, {"i4", DType::kI32},  {"i8", DType::kI64}, {"u1", DType::kU8},
                           {"u4", DType::kU32},  {"u8", DType::kU64},  {"f4", DType::kF32}, {"f8", DType::kF64},
                           {"c8", DType::kC64},  {"c16", DType::kC128}};

template <class... Pieces>
absl::Status Malformed(const Pieces&... pieces) {
  return absl::InvalidArgumentError(absl::StrCat("not a readable .npy array: ", pieces...));
}

std::string Quoted(absl::string_view text) {
  constexpr size_t kLongest = 40;
  std::string quoted = "\"";
  for (char c : text.substr(0, kLongest)) {
    if (c >= ' ' && c <= '~') {
      quoted += c;
    } else {
      absl::StrAppend(&quoted, "\\x", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
    }
  }
  return quoted + (text.size() > kLongest ? "…\"" : "\"");
}

// Reads the header's text: the Python dictionary {'descr': …, 'fortran_order': …, 'shape': (…), }.
class Parser {
 public:
  explicit Parser(absl::string_view text) : text_(text) {}

  absl::StatusOr<NpyHeader> Parse() {
    if (!Consume("{")) return Malformed("the header is not a dictionary: ", Quoted(text_));
    while (!Consume("}")) {
      TENFERRO_ASSIGN_OR_RETURN(const absl::string_view key, String("a key"));
      if (!Consume(":")) return Malformed("no colon after the header's key ", Quoted(key));
      TENFERRO_RETURN_IF_ERROR(Value(key));
      if (!Consume(",") && !At("}")) return Malformed("no comma after the header's value of ", Quoted(key));
    }
    SkipSpace();
    if (!text_.empty()) return Malformed("text after the header's dictionary: ", Quoted(text_));
    if (!has_descr_) return Malformed("the header has no 'descr'");
    if (!has_order_) return Malformed("the header has no 'fortran_order'");
    if (!has_shape_) return Malformed("the header has no 'shape'");
    return std::move(header_);
  }

 private:
  void SkipSpace() { text_.remove_prefix(std::min(text_.find_first_not_of(" \t\r\n\f"), text_.size())); }
  bool At(absl::string_view token) {
    SkipSpace();
    return absl::ConsumePrefix(&token, text_.substr(0, token.size())) && token.empty();
  }
  bool Consume(absl::string_view token) {
    SkipSpace();
    return absl::ConsumePrefix(&text_, token);
  }

  absl::StatusOr<absl::string_view> String(absl::string_view what) {
    SkipSpace();
    const char quote = text_.empty() ? '\0' : text_[0];
    const size_t end = quote == '\'' || quote == '"' ? text_.find(quote, 1) : absl::string_view::npos;
    if (end == absl::string_view::npos) return Malformed("expected ", what, " in quotes, got ", Quoted(text_));
    const absl::string_view content = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return content;
  }

  absl::Status Value(absl::string_view key) {
    bool* seen = key == "descr" ? &has_descr_ : key == "fortran_order" ? &has_order_ : &has_shape_;
    if (key != "descr" && key != "fortran_order" && key != "shape") {
      return Malformed("unknown key ", Quoted(key), " in the header");
    }
    if (*seen) return Malformed("the key ", Quoted(key), " stands twice in the header");
    *seen = true;
    return seen == &has_descr_ ? Descr() : seen == &has_order_ ? Order() : ShapeTuple();
  }

  absl::Status Descr() {
    if (At("[") || At("(")) return Malformed("its dtype is structured: ", Quoted(text_));
    TENFERRO_ASSIGN_OR_RETURN(const absl::string_view descr, String("the dtype"));
    absl::string_view code = descr;
    if (code.find_first_of("<>|=") == 0) code.remove_prefix(1);
    if (code == "O") return Malformed("it holds Python objects");
    for (const Code& known : kCodes) {
      if (known.text != code) continue;
      header_.dtype = known.dtype;
      header_.big_endian = descr[0] == '>';
      return absl::OkStatus();
    }
    return Malformed("no dtype here for ", Quoted(descr));
  }

  absl::Status Order() {
    header_.fortran_order = Consume("True");
    if (header_.fortran_order || Consume("False")) return absl::OkStatus();
    return Malformed("'fortran_order' is neither True nor False: ", Quoted(text_));
  }

  absl::Status ShapeTuple() {
    if (!Consume("(")) return Malformed("'shape' is not a tuple: ", Quoted(text_));
    bool comma = true;
    while (!Consume(")")) {
      if (!comma) return Malformed("'shape' lacks a comma or parenthesis: ", Quoted(text_));
      TENFERRO_RETURN_IF_ERROR(Extent());
      comma = Consume(",");
    }
    if (!comma && header_.shape.rank() == 1) {
      return Malformed("'shape' is not a tuple: one number needs a comma after it");
    }
    const absl::Status valid = header_.shape.Validate();
    return valid.ok() ? valid : Malformed(valid.message());
  }

  absl::Status Extent() {
    SkipSpace();
    const absl::string_view from = text_;
    const bool negative = Consume("-");
    const size_t length = std::min(text_.find_first_not_of("0123456789"), text_.size());
    int64_t extent;
    if (length == 0 || !absl::SimpleAtoi(text_.substr(0, length), &extent)) {
      return Malformed("'shape' holds what is no 64-bit integer: ", Quoted(from));
    }
    text_.remove_prefix(length);
    Consume("L");  // Python 2's long integers
    header_.shape.push_back(negative ? -extent : extent);
    return absl::OkStatus();
  }

  absl::string_view text_;
  NpyHeader header_;
  bool has_descr_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
};

}  // namespace

absl::StatusOr<NpyHeader> ConsumeNpyHeader(absl::string_view* bytes) {
  if (!absl::ConsumePrefix(bytes, kMagic)) {
    return Malformed("it begins with ", Quoted(bytes->substr(0, 6)), ", not with \"\\x93NUMPY\"");
  }
  if (bytes->size() < 2) return Malformed("it ends within the version");
  const int major = static_cast<unsigned char>((*bytes)[0]);
  const int minor = static_cast<unsigned char>((*bytes)[1]);
  if (major < 1 || major > 3 || minor != 0) return Malformed("unknown format version ", major, ".", minor);
  bytes->remove_prefix(2);
  const size_t length_bytes = major == 1 ? 2 : 4;
  if (bytes->size() < length_bytes) return Malformed("it ends within the length of the header");
  size_t length = 0;
  for (size_t i = 0; i < length_bytes; ++i) {
    length |= static_cast<size_t>(static_cast<unsigned char>((*bytes)[i])) << (8 * i);
  }
  bytes->remove_prefix(length_bytes);
  if (bytes->size() < length) {
    return Malformed("truncated header: ", length, " bytes announced, ", bytes->size(), " left");
  }
  const absl::string_view text = bytes->substr(0, length);
  bytes->remove_prefix(length);
  return Parser(text).Parse();
}

std::string NpyHeaderText(const NpyHeader& header) {
  constexpr size_t kDigitsOfGrowingAxis = 21;
  const Ints extents = header.shape.extents();
  absl::string_view code;
  for (const Code& known : kCodes) {
    if (known.dtype == header.dtype) code = known.text;
  }
  std::string text = absl::StrCat("{'descr': '", SizeOf(header.dtype) == 1 ? "|" : "<", code,
                                  "', 'fortran_order': ", header.fortran_order ? "True" : "False", ", 'shape': (",
                                  absl::StrJoin(extents, ", "), extents.size() == 1 ? "," : "", "), }");
  if (!extents.empty()) {  // room to append along the slowest axis without moving the data
    text.append(kDigitsOfGrowingAxis - absl::StrCat(header.fortran_order ? extents.back() : extents[0]).size(), ' ');
  }
  const auto pad = [&](size_t before) {
    text.append(kAlignment - (before + text.size() + 1) % kAlignment, ' ');
    text.push_back('\n');
  };
  const bool short_header = text.size() + 1 + kAlignment < 65536;
  const size_t before = short_header ? 10 : 12;
  pad(before);
  std::string result = absl::StrCat(kMagic, absl::string_view(short_header ? "\1\0" : "\2\0", 2));
  for (size_t i = 8; i < before; ++i) result.push_back(static_cast<char>(text.size() >> (8 * (i - 8))));
  return result + text;
}

}  // namespace tenferro
