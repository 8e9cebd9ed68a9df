#ifndef TENFERRO_TENSOR_NPY_H_
#define TENFERRO_TENSOR_NPY_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tenferro/tensor/tensor.h"

namespace tenferro {

// Which axis varies fastest in a file: the first one (kFortran, as in memory here) or the last one (kC, NumPy's
// default).
enum class NpyOrder { kFortran, kC };

// Reads a file that NumPy's save() wrote: format 1.0, 2.0 or 3.0, either order, either byte order, the ten dtypes of
// DType. Errors: the file cannot be read, or is not exactly such an array; the message names the path and what is
// wrong. Source: numpy.lib.format, the specification of the format.
absl::StatusOr<Tensor> ReadNpy(absl::string_view path);

// Writes what NumPy's load() reads, replacing the file. Errors: the tensor is not on the host; the file cannot be
// written.
absl::Status WriteNpy(absl::string_view path, const Tensor& tensor, NpyOrder order = NpyOrder::kFortran);

// The same from and to the bytes of such a file.
absl::StatusOr<Tensor> ParseNpy(absl::string_view bytes);
absl::StatusOr<std::string> SerializeNpy(const Tensor& tensor, NpyOrder order = NpyOrder::kFortran);

}  // namespace tenferro

#endif  // TENFERRO_TENSOR_NPY_H_
