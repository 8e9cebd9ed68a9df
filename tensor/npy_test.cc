#include "tenferro/tensor/npy.h"

#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tenferro {
namespace {

// A file that NumPy 2.4 wrote, in base64, and what it holds.
struct NumpyFile {
  const char* name;
  const char* type;
  const char* text;
  NpyOrder order;
  bool written_alike;  // SerializeNpy gives the same bytes
  const char* base64;

  std::string Bytes() const {
    std::string bytes;
    absl::Base64Unescape(base64, &bytes);
    return bytes;
  }
};

// clang-format off
const NumpyFile kFiles[] = {
    {"bool", "bool[2,3]", "[[ True False  True]\n [False False  True]]", NpyOrder::kC, true,
     "k05VTVBZAQB2AHsnZGVzY3InOiAnfGIxJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsIDMpLCB9ICAgICAgICAgICAgICAg"
     "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoBAAEAAAE="},
    {"<i4", "i32[2,3]", "[[-1  0  1]\n [ 2  3  4]]", NpyOrder::kC, true,
     "k05VTVBZAQB2AHsnZGVzY3InOiAnPGk0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsIDMpLCB9ICAgICAgICAgICAgICAg"
     "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAr/////AAAAAAEAAAACAAAAAwAAAAQAAAA="},
    {"<i8", "i64[2,3]", "[[-1  0  1]\n [ 2  3  4]]", NpyOrder::kC, true,
     "k05VTVBZAQB2AHsnZGVzY3InOiAnPGk4JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsIDMpLCB9ICAgICAgICAgICAgICAg"
     "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAr//////////wAAAAAAAAAAAQAAAAAAAAACAAAAAAAAAAMAAAAAAAAA"
     "BAAAAAAAAAA="},
    {"|u1", "u8[2,3]", "[[0 1 2]\n [3 4 5]]", NpyOrder::kC, true,
     "k05VTVBZAQB2AHsnZGVzY3InOiAnfHUxJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsIDMpLCB9ICAgICAgICAgICAgICAg"
     "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAQIDBAU="},
    {"<u4", "u32[2,3]", "[[0 1 2]\n [3 4 5]]", NpyOrder::kC, true,
     "k05VTVBZAQB2AHsnZGVzY3InOiAnPHU0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsIDMpLCB9ICAgICAgICAgICAgICAg"
     "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAAQAAAAIAAAADAAAABAAAAAUAAAA="},
    {"<u8", "u64[2,3]", "[[0 1 2]\n [3 4 5]]", NpyOrder::kC, true,
     "k05VTVBZAQB2AHsnZGVzY3InOiAnPHU4JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsIDMpLCB9ICAgICAgICAgICAgICAg"
     "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAAAAAAAEAAAAAAAAAAgAAAAAAAAADAAAAAAAAAAQAAAAAAAAA"
     "BQAAAAAAAAA="},
    {"<f4", "f32[2,3]", "[[-0.25  0.    0.25]\n [ 0.5   0.75  1.  ]]", NpyOrder::kC, true,
     "k05VTVBZAQB2AHsnZGVzY3InOiAnPGY0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsIDMpLCB9ICAgICAgICAgICAgICAg"
     "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAIC+AAAAAAAAgD4AAAA/AABAPwAAgD8="},
    {"<f8", "f64[2,3]", "[[-0.25  0.    0.25]\n [ 0.5   0.75  1.  ]]", NpyOrder::kC, true,
     "k05VTVBZAQB2AHsnZGVzY3InOiAnPGY4JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsIDMpLCB9ICAgICAgICAgICAgICAg"
     "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAAADQvwAAAAAAAAAAAAAAAAAA0D8AAAAAAADgPwAAAAAAAOg/"
     "AAAAAAAA8D8="},
    {"<c8", "c64[2,3]", "[[-0.25+0.5j  0.  +0.5j  0.25+0.5j]\n [ 0.5 +0.5j  0.75+0.5j  1.  +0.5j]]", NpyOrder::kC, true,
     "k05VTVBZAQB2AHsnZGVzY3InOiAnPGM4JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsIDMpLCB9ICAgICAgICAgICAgICAg"
     "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAIC+AAAAPwAAAAAAAAA/AACAPgAAAD8AAAA/AAAAPwAAQD8AAAA/"
     "AACAPwAAAD8="},
    {"<c16", "c128[2,3]", "[[-0.25+0.5j  0.  +0.5j  0.25+0.5j]\n [ 0.5 +0.5j  0.75+0.5j  1.  +0.5j]]", NpyOrder::kC, true,
     "k05VTVBZAQB2AHsnZGVzY3InOiAnPGMxNicsICdmb3J0cmFuX29yZGVyJzogRmFsc2UsICdzaGFwZSc6ICgyLCAzKSwgfSAgICAgICAgICAgICAg"
     "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAAADQvwAAAAAAAOA/AAAAAAAAAAAAAAAAAADgPwAAAAAAANA/"
     "AAAAAAAA4D8AAAAAAADgPwAAAAAAAOA/AAAAAAAA6D8AAAAAAADgPwAAAAAAAPA/AAAAAAAA4D8="},
    {"Fortran order", "f64[2,3]", "[[-0.25  0.    0.25]\n [ 0.5   0.75  1.  ]]", NpyOrder::kFortran, true,
     "k05VTVBZAQB2AHsnZGVzY3InOiAnPGY4JywgJ2ZvcnRyYW5fb3JkZXInOiBUcnVlLCAnc2hhcGUnOiAoMiwgMyksIH0gICAgICAgICAgICAgICAg"
     "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAAADQvwAAAAAAAOA/AAAAAAAAAAAAAAAAAADoPwAAAAAAANA/"
     "AAAAAAAA8D8="},
    {"three axes, Fortran order", "i32[2,2,2]", "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]", NpyOrder::kFortran, true,
     "k05VTVBZAQB2AHsnZGVzY3InOiAnPGk0JywgJ2ZvcnRyYW5fb3JkZXInOiBUcnVlLCAnc2hhcGUnOiAoMiwgMiwgMiksIH0gICAgICAgICAgICAg"
     "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAABAAAAAIAAAAGAAAAAQAAAAUAAAADAAAABwAAAA=="},
    {"rank 0", "f64[]", "2.5", NpyOrder::kFortran, true,
     "k05VTVBZAQB2AHsnZGVzY3InOiAnPGY4JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKCksIH0gICAgICAgICAgICAgICAgICAg"
     "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAAAAEQA=="},
    {"rank 1", "f64[3]", "[0. 1. 2.]", NpyOrder::kFortran, true,
     "k05VTVBZAQB2AHsnZGVzY3InOiAnPGY4JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDMsKSwgfSAgICAgICAgICAgICAgICAg"
     "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAAAAAAAAAAAAAAPA/AAAAAAAAAEA="},
    {"empty", "f32[2,0]", "[]", NpyOrder::kFortran, true,
     "k05VTVBZAQB2AHsnZGVzY3InOiAnPGY0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsIDApLCB9ICAgICAgICAgICAgICAg"
     "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAo="},
    {"big-endian >f8", "f64[2,3]", "[[-0.25  0.    0.25]\n [ 0.5   0.75  1.  ]]", NpyOrder::kC, false,
     "k05VTVBZAQB2AHsnZGVzY3InOiAnPmY4JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsIDMpLCB9ICAgICAgICAgICAgICAg"
     "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAq/0AAAAAAAAAAAAAAAAAAAP9AAAAAAAAA/4AAAAAAAAD/oAAAAAAAA"
     "P/AAAAAAAAA="},
    {"big-endian >c8", "c64[2,3]", "[[-0.25+0.5j  0.  +0.5j  0.25+0.5j]\n [ 0.5 +0.5j  0.75+0.5j  1.  +0.5j]]", NpyOrder::kC, false,
     "k05VTVBZAQB2AHsnZGVzY3InOiAnPmM4JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsIDMpLCB9ICAgICAgICAgICAgICAg"
     "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAq+gAAAPwAAAAAAAAA/AAAAPoAAAD8AAAA/AAAAPwAAAD9AAAA/AAAA"
     "P4AAAD8AAAA="},
    {"big-endian >i4, Fortran order", "i32[2,3]", "[[-1  0  1]\n [ 2  3  4]]", NpyOrder::kFortran, false,
     "k05VTVBZAQB2AHsnZGVzY3InOiAnPmk0JywgJ2ZvcnRyYW5fb3JkZXInOiBUcnVlLCAnc2hhcGUnOiAoMiwgMyksIH0gICAgICAgICAgICAgICAg"
     "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAr/////AAAAAgAAAAAAAAADAAAAAQAAAAQ="},
    {"version 2.0", "i32[3]", "[0 1 2]", NpyOrder::kC, false,
     "k05VTVBZAgB0AAAAeydkZXNjcic6ICc8aTQnLCAnZm9ydHJhbl9vcmRlcic6IEZhbHNlLCAnc2hhcGUnOiAoMywpLCB9ICAgICAgICAgICAgICAg"
     "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAAQAAAAIAAAA="},
    {"version 3.0", "i32[3]", "[0 1 2]", NpyOrder::kC, false,
     "k05VTVBZAwB0AAAAeydkZXNjcic6ICc8aTQnLCAnZm9ydHJhbl9vcmRlcic6IEZhbHNlLCAnc2hhcGUnOiAoMywpLCB9ICAgICAgICAgICAgICAg"
     "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAAQAAAAIAAAA="},
};
// clang-format on

TEST(ParseNpyTest, WhatNumpyWrote) {
  for (const NumpyFile& file : kFiles) {
    const absl::StatusOr<Tensor> tensor = ParseNpy(file.Bytes());
    ASSERT_TRUE(tensor.ok()) << file.name << ": " << tensor.status();
    EXPECT_EQ(Describe(tensor->dtype(), tensor->shape()), file.type) << file.name;
    EXPECT_TRUE(tensor->IsDense()) << file.name;
    EXPECT_EQ(tensor->ToString(), file.text) << file.name;
  }
}

TEST(SerializeNpyTest, TheBytesOfNumpy) {
  for (const NumpyFile& file : kFiles) {
    const absl::StatusOr<std::string> bytes = SerializeNpy(*ParseNpy(file.Bytes()), file.order);
    ASSERT_TRUE(bytes.ok()) << file.name << ": " << bytes.status();
    EXPECT_EQ(*bytes == file.Bytes(), file.written_alike) << file.name;
  }
}

TEST(SerializeNpyTest, BothOrdersReadBack) {
  for (const NumpyFile& file : kFiles) {
    for (NpyOrder order : {NpyOrder::kFortran, NpyOrder::kC}) {
      const Tensor tensor = *ParseNpy(file.Bytes());
      const absl::StatusOr<std::string> bytes = SerializeNpy(tensor, order);
      ASSERT_TRUE(bytes.ok()) << file.name << ": " << bytes.status();
      EXPECT_EQ(absl::StrContains(*bytes, "'fortran_order': True"),
                order == NpyOrder::kFortran && tensor.rank() > 1 && tensor.size() > 0);
      EXPECT_EQ((bytes->size() - tensor.size() * SizeOf(tensor.dtype())) % 64, 0u) << file.name;
      const absl::StatusOr<Tensor> again = ParseNpy(*bytes);
      ASSERT_TRUE(again.ok()) << file.name << ": " << again.status();
      EXPECT_EQ(Describe(again->dtype(), again->shape()), file.type) << file.name;
      EXPECT_EQ(again->ToString(), file.text) << file.name;
    }
  }
}

TEST(SerializeNpyTest, Views) {
  const Tensor tensor = *Tensor::FromColMajor<int32_t>({2, 3}, {0, 1, 2, 3, 4, 5});
  for (NpyOrder order : {NpyOrder::kFortran, NpyOrder::kC}) {
    const Tensor view = *tensor.Transpose({1, 0})->Slice({0, 1}, {3, 2}, {2, 1});
    EXPECT_EQ(ParseNpy(*SerializeNpy(view, order))->ToString(), "[[1]\n [5]]");
    EXPECT_EQ(ParseNpy(*SerializeNpy(*tensor.BroadcastTo({2, 2, 3}), order))->ToString(),
              "[[[0 2 4]\n  [1 3 5]]\n\n [[0 2 4]\n  [1 3 5]]]");
  }
}

TEST(SerializeNpyTest, HeadersBeyondTheFirstVersion) {
  Shape shape;
  for (int axis = 0; axis < 30000; ++axis) shape.push_back(1);
  const std::string bytes = *SerializeNpy(*Tensor::Zeros(DType::kU8, shape));
  EXPECT_EQ(bytes[6], 2);
  EXPECT_EQ(bytes.size() % 64, 1u);
  EXPECT_EQ(ParseNpy(bytes)->shape(), shape);
}

TEST(SerializeNpyTest, BytesElsewhere) {
  const Tensor tensor =
      *Tensor::FromStorage(Storage::Adopt(nullptr, 64, Device{"tpu", 0}, nullptr, nullptr), DType::kF64, {2}, {1});
  EXPECT_EQ(SerializeNpy(tensor).status().message(), "f64[2] lives on tpu:0, not on the host: download it first");
}

// A version 1.0 file with the given header, ended and padded as it is.
std::string File(absl::string_view header, absl::string_view data = "") {
  const char length[] = {static_cast<char>(header.size()), static_cast<char>(header.size() >> 8)};
  return absl::StrCat(absl::string_view("\x93NUMPY\1\0", 8), absl::string_view(length, 2), header, data);
}

std::string FileOf(absl::string_view descr, absl::string_view shape, absl::string_view data = "") {
  return File(absl::StrCat("{'descr': '", descr, "', 'fortran_order': False, 'shape': ", shape, "}"), data);
}

TEST(ParseNpyTest, HeadersAsPythonMayWriteThem) {
  const char kFour[] = {1, 0, 0, 0};
  const absl::string_view data(kFour, 4);
  for (absl::string_view header : {"{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }",
                                   "{'descr':'i4','fortran_order':True,'shape':(1,)}\n",
                                   "{\"shape\": (1L, ), \"descr\": \"=i4\", \"fortran_order\": False}",
                                   " { 'shape' : ( 1 , 1 ) ,\n'descr' : '<i4' , "
                                   "'fortran_order' : False , } \n"}) {
    const absl::StatusOr<Tensor> tensor = ParseNpy(File(header, data));
    ASSERT_TRUE(tensor.ok()) << header << tensor.status();
    EXPECT_EQ(*tensor->Item<int32_t>(), 1) << header;
  }
}

TEST(ParseNpyTest, AnyByteButZeroIsTrue) {
  const absl::StatusOr<Tensor> tensor = ParseNpy(FileOf("|b1", "(4,)", absl::string_view("\0\1\2\xff", 4)));
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  EXPECT_EQ(tensor->ToString(), "[False  True  True  True]");
}

TEST(ParseNpyTest, MalformedFiles) {
  const std::string good = FileOf("|u1", "(2,)", "ab");
  ASSERT_TRUE(ParseNpy(good).ok());
  const struct {
    std::string bytes;
    const char* message;
  } kCases[] = {
      {"", "it begins with \"\", not with \"\\x93NUMPY\""},
      {"PK\3\4....", "it begins with \"PK\\x03\\x04..\", not with \"\\x93NUMPY\""},
      {good.substr(0, 7), "it ends within the version"},
      {absl::StrCat(good.substr(0, 6), "\4", good.substr(7)), "unknown format version 4.0"},
      {absl::StrCat(good.substr(0, 7), "\1", good.substr(8)), "unknown format version 1.1"},
      {good.substr(0, 9), "it ends within the length of the header"},
      {absl::StrCat(good.substr(0, 6), "\2", good.substr(7, 3)), "it ends within the length of the header"},
      {good.substr(0, 20), "truncated header: 55 bytes announced, 10 left"},
      {File(""), "the header is not a dictionary: \"\""},
      {File("[1, 2]"), "the header is not a dictionary: \"[1, 2]\""},
      {File("{"), "expected a key in quotes, got \"\""},
      {File("{descr: '<f8'}"), "expected a key in quotes, got \"descr: '<f8'}\""},
      {File("{'descr"), "expected a key in quotes, got \"'descr\""},
      {File("{'descr' '<f8'}"), "no colon after the header's key \"descr\""},
      {File("{'descr': '<f8' 'shape': ()}"), "no comma after the header's value of \"descr\""},
      {File("{'descr': '<f8', 'shape': ()"), "no comma after the header's value of \"shape\""},
      {File("{'color': 'red'}"), "unknown key \"color\" in the header"},
      {File("{'shape': (), 'shape': ()}"), "the key \"shape\" stands twice in the header"},
      {File("{}"), "the header has no 'descr'"},
      {File("{'descr': '<f8', 'shape': ()}"), "the header has no 'fortran_order'"},
      {File("{'descr': '<f8', 'fortran_order': True}"), "the header has no 'shape'"},
      {File("{'descr': '<f8', 'fortran_order': True, 'shape': ()} ()"), "text after the header's dictionary: \"()\""},
      {File("{'descr': 8}"), "expected the dtype in quotes, got \"8}\""},
      {File("{'descr': [('x', '<f8')]}"), "its dtype is structured: \"[('x', '<f8')]}\""},
      {FileOf("|O", "()"), "it holds Python objects"},
      {FileOf("<f2", "()"), "no dtype here for \"<f2\""},
      {FileOf("<U5", "()"), "no dtype here for \"<U5\""},
      {FileOf("", "()"), "no dtype here for \"\""},
      {FileOf("<<f8", "()"), "no dtype here for \"<<f8\""},
      {File("{'fortran_order': 1}"), "'fortran_order' is neither True nor False: \"1}\""},
      {FileOf("<f8", "[2]"), "'shape' is not a tuple: \"[2]}\""},
      {FileOf("<f8", "2"), "'shape' is not a tuple: \"2}\""},
      {FileOf("<f8", "(2)"), "'shape' is not a tuple: one number needs a comma after it"},
      {FileOf("<f8", "(2 3)"), "'shape' lacks a comma or parenthesis: \"3)}\""},
      {FileOf("<f8", "(2, "), "'shape' holds what is no 64-bit integer: \"}\""},
      {FileOf("<f8", "(x,)"), "'shape' holds what is no 64-bit integer: \"x,)}\""},
      {FileOf("<f8", "(2.5,)"), "'shape' lacks a comma or parenthesis: \".5,)}\""},
      {FileOf("<f8", "(,)"), "'shape' holds what is no 64-bit integer: \",)}\""},
      {FileOf("<f8", "(9223372036854775808,)"), "'shape' holds what is no 64-bit integer: \"9223372036854775808,)}\""},
      {FileOf("<f8", "(2, -3)"), "shape [2,-3]: the extent -3 of axis 1 is negative"},
      {FileOf("<f8", "(4294967296, 4294967296)"), "shape [4294967296,4294967296]: more than 2^58 elements"},
      {FileOf("<f8", "(0, 9223372036854775807)"), "shape [0,9223372036854775807]: more than 2^58 elements"},
      {good.substr(0, good.size() - 1), "u8[2] has 2 bytes of data, but only 1 follow the header"},
      {absl::StrCat(good, "c"), "u8[2] has 2 bytes of data, but 3 follow the header"},
      {FileOf("<f8", "(144115188075855872,)"),
       "f64[144115188075855872] has 1152921504606846976 bytes of data, but only 0 follow the header"},
      {FileOf(std::string(100, 'f'), "()"), "no dtype here for \"ffffffffffffffffffffffffffffffffffffffff…\""},
  };
  for (const auto& [bytes, message] : kCases) {
    const absl::Status status = ParseNpy(bytes).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message(), absl::StrCat("not a readable .npy array: ", message));
  }
}

// What a parser takes must be a whole tensor: reading all of it is what the sanitizers watch.
bool IsSound(const absl::StatusOr<Tensor>& tensor) {
  if (!tensor.ok()) return !tensor.status().message().empty();
  const absl::StatusOr<std::string> bytes = SerializeNpy(*tensor);
  return bytes.ok() && ParseNpy(*bytes).ok() && !tensor->ToString().empty();
}

TEST(ParseNpyTest, TruncatedAnywhere) {
  for (const NumpyFile& file : kFiles) {
    const std::string bytes = file.Bytes();
    for (size_t length = 0; length < bytes.size(); ++length) {
      const std::vector<char> exact(bytes.begin(), bytes.begin() + length);  // without the end mark of a string
      EXPECT_FALSE(ParseNpy(absl::string_view(exact.data(), exact.size())).ok()) << file.name << " at " << length;
    }
  }
}

TEST(ParseNpyTest, AnyByteChanged) {
  for (const NumpyFile& file : kFiles) {
    const std::string bytes = file.Bytes();
    const bool every_value = &file == kFiles;  // for one file; single bits for the others
    for (size_t i = 0; i < bytes.size(); ++i) {
      for (int flip = 1; flip < 256; flip = every_value ? flip + 1 : flip * 2) {
        std::vector<char> changed(bytes.begin(), bytes.end());
        changed[i] = static_cast<char>(changed[i] ^ flip);
        ASSERT_TRUE(IsSound(ParseNpy(absl::string_view(changed.data(), changed.size()))))
            << file.name << " at " << i << " by " << flip;
      }
    }
  }
}

TEST(ParseNpyTest, AnyByteRemovedOrDoubled) {
  for (const NumpyFile& file : kFiles) {
    const std::string bytes = file.Bytes();
    for (size_t i = 0; i < bytes.size(); ++i) {
      std::string changed = bytes;
      changed.erase(i, 1);
      ASSERT_TRUE(IsSound(ParseNpy(changed))) << file.name << " without " << i;
      changed = bytes;
      changed.insert(i, 1, bytes[i]);
      ASSERT_TRUE(IsSound(ParseNpy(changed))) << file.name << " twice " << i;
    }
  }
}

class FileTest : public testing::Test {
 protected:
  std::string Path(absl::string_view name) const { return absl::StrCat(testing::TempDir(), name); }
};

TEST_F(FileTest, WrittenAndReadBack) {
  const Tensor tensor = *Tensor::FromRowMajor<double>({2, 3}, {1, 2, 3, 4, 5, 6});
  for (NpyOrder order : {NpyOrder::kFortran, NpyOrder::kC}) {
    const absl::Status written = WriteNpy(Path("a.npy"), tensor, order);
    ASSERT_TRUE(written.ok()) << written;
    const absl::StatusOr<Tensor> read = ReadNpy(Path("a.npy"));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->ToString(), tensor.ToString());
  }
}

TEST_F(FileTest, LargerThanOneRead) {
  Tensor tensor = *Tensor::Zeros(DType::kF64, {300000});
  for (int64_t i = 0; i < tensor.size(); i += 1000) (*tensor.MutableData<double>())[i] = static_cast<double>(i);
  ASSERT_TRUE(WriteNpy(Path("large.npy"), tensor).ok());
  const absl::StatusOr<Tensor> read = ReadNpy(Path("large.npy"));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read->Data<double>(), *tensor.Data<double>());
}

TEST_F(FileTest, ErrorsNameThePath) {
  EXPECT_EQ(ReadNpy(Path("missing.npy")).status().message(),
            absl::StrCat("ReadNpy ", Path("missing.npy"), ": No such file or directory"));
  EXPECT_EQ(ReadNpy(Path("missing.npy")).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ReadNpy(Path("")).status().message(), absl::StrCat("ReadNpy ", Path(""), ": Is a directory"));
  EXPECT_EQ(WriteNpy(Path("no/where.npy"), Tensor()).message(),
            absl::StrCat("WriteNpy ", Path("no/where.npy"), ": No such file or directory"));
  std::FILE* const file = std::fopen(Path("bad.npy").c_str(), "wb");
  std::fputs("nonsense", file);
  std::fclose(file);
  EXPECT_EQ(ReadNpy(Path("bad.npy")).status().message(),
            absl::StrCat("ReadNpy ", Path("bad.npy"),
                         ": not a readable .npy array: it begins with \"nonsen\", not with \"\\x93NUMPY\""));
}

TEST_F(FileTest, FullDisk) {
  const Tensor tensor = *Tensor::Zeros(DType::kF64, {100000});
  EXPECT_EQ(WriteNpy("/dev/full", tensor).message(), "WriteNpy /dev/full: No space left on device");
  EXPECT_EQ(WriteNpy("/dev/full", Tensor()).message(), "WriteNpy /dev/full: No space left on device");
}

}  // namespace
}  // namespace tenferro
