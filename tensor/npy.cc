#include "tenferro/tensor/npy.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "absl/strings/str_cat.h"
#include "tenferro/tensor/npy_header.h"
#include "tenferro/tensor/status.h"
#include "tenferro/tensor/strided_copy.h"

namespace tenferro {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

absl::Status FileError(absl::string_view operation, absl::string_view path) {
  return absl::ErrnoToStatus(errno, absl::StrCat(operation, " ", path));
}

absl::StatusOr<std::string> ReadFile(absl::string_view path) {
  const File file(std::fopen(std::string(path).c_str(), "rb"));
  if (file == nullptr) return FileError("ReadNpy", path);
  std::string bytes;
  constexpr size_t kChunk = size_t{1} << 20;
  for (size_t read = kChunk; read == kChunk;) {
    const size_t before = bytes.size();
    bytes.resize(before + kChunk);
    read = std::fread(&bytes[before], 1, kChunk, file.get());
    bytes.resize(before + read);
  }
  if (std::ferror(file.get())) return FileError("ReadNpy", path);
  return bytes;
}

void ReverseBytes(int64_t word, int64_t count, char* data) {
  for (int64_t i = 0; i < count; ++i) std::reverse(data + i * word, data + (i + 1) * word);
}

// The header and a tensor whose dense bytes are those that follow it.
struct Contents {
  std::string header;
  Tensor elements;
};

absl::StatusOr<Contents> ContentsOf(const Tensor& tensor, NpyOrder order) {
  const int64_t long_axes =
      std::count_if(tensor.shape().dims().begin(), tensor.shape().dims().end(), [](Dim dim) { return !(dim == 1); });
  NpyHeader header;
  header.dtype = tensor.dtype();
  header.shape = tensor.shape();
  // NumPy says False where both are true.
  header.fortran_order = order == NpyOrder::kFortran && long_axes > 1 && tensor.size() > 0;
  Tensor elements = tensor;
  if (!header.fortran_order) {
    Ints reversed(tensor.rank());
    for (int axis = 0; axis < tensor.rank(); ++axis) reversed[axis] = tensor.rank() - 1 - axis;
    TENFERRO_ASSIGN_OR_RETURN(elements, tensor.Transpose(reversed));
  }
  TENFERRO_ASSIGN_OR_RETURN(elements, elements.Dense());
  TENFERRO_RETURN_IF_ERROR(elements.HostData().status());
  return Contents{NpyHeaderText(header), std::move(elements)};
}

absl::string_view BytesOf(const Tensor& dense) {
  return absl::string_view(static_cast<const char*>(*dense.HostData()), dense.size() * SizeOf(dense.dtype()));
}

}  // namespace

absl::StatusOr<Tensor> ParseNpy(absl::string_view bytes) {
  TENFERRO_ASSIGN_OR_RETURN(const NpyHeader header, ConsumeNpyHeader(&bytes));
  const int64_t count = header.shape.size();
  const int64_t wanted = count * SizeOf(header.dtype);
  const int64_t given = static_cast<int64_t>(bytes.size());
  if (given != wanted) {
    return absl::InvalidArgumentError(absl::StrCat("not a readable .npy array: ", Describe(header.dtype, header.shape),
                                                   " has ", wanted, " bytes of data, ",
                                                   given < wanted ? "but only " : "but ", given, " follow the header"));
  }
  TENFERRO_ASSIGN_OR_RETURN(Tensor tensor, Tensor::Uninitialized(header.dtype, header.shape));
  char* data = static_cast<char*>(tensor.storage()->data());
  CopyToColMajor(SizeOf(header.dtype), header.shape,
                 header.fortran_order ? header.shape.ColMajorStrides() : header.shape.RowMajorStrides(), bytes.data(),
                 data);
  if (header.big_endian) ReverseBytes(RealSizeOf(header.dtype), wanted / RealSizeOf(header.dtype), data);
  if (header.dtype == DType::kBool) {
    for (int64_t i = 0; i < count; ++i)
      data[i] = data[i] != 0 ? 1 : 0;  // any other value in a bool is undefined in C++
  }
  return tensor;
}

absl::StatusOr<std::string> SerializeNpy(const Tensor& tensor, NpyOrder order) {
  TENFERRO_ASSIGN_OR_RETURN(const Contents contents, ContentsOf(tensor, order));
  return absl::StrCat(contents.header, BytesOf(contents.elements));
}

absl::StatusOr<Tensor> ReadNpy(absl::string_view path) {
  TENFERRO_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  absl::StatusOr<Tensor> tensor = ParseNpy(bytes);
  if (tensor.ok()) return tensor;
  return absl::Status(tensor.status().code(), absl::StrCat("ReadNpy ", path, ": ", tensor.status().message()));
}

absl::Status WriteNpy(absl::string_view path, const Tensor& tensor, NpyOrder order) {
  TENFERRO_ASSIGN_OR_RETURN(const Contents contents, ContentsOf(tensor, order));
  File file(std::fopen(std::string(path).c_str(), "wb"));
  if (file == nullptr) return FileError("WriteNpy", path);
  for (absl::string_view piece : {absl::string_view(contents.header), BytesOf(contents.elements)}) {
    if (std::fwrite(piece.data(), 1, piece.size(), file.get()) != piece.size()) return FileError("WriteNpy", path);
  }
  if (std::fclose(file.release()) != 0) return FileError("WriteNpy", path);
  return absl::OkStatus();
}

}  // namespace tenferro
