#ifndef TENFERRO_EXPERIMENTS_FILE_H_
#define TENFERRO_EXPERIMENTS_FILE_H_

#include <cstdio>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace tenferro {

// Replaces the file's contents. Errors: the file cannot be written, or not all of it.
inline absl::Status WriteFile(const std::string& path, const std::string& contents) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return absl::UnavailableError(absl::StrCat("cannot write ", path));
  const bool written = std::fwrite(contents.data(), 1, contents.size(), file) == contents.size();
  if (std::fclose(file) != 0 || !written) return absl::UnavailableError(absl::StrCat("cannot write all of ", path));
  return absl::OkStatus();
}

// All bytes of a file. Errors: the file cannot be read.
inline absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return absl::NotFoundError(absl::StrCat("cannot read ", path));
  std::string contents;
  char buffer[1 << 16];
  for (size_t count; (count = std::fread(buffer, 1, sizeof(buffer), file)) > 0;) contents.append(buffer, count);
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  if (failed) return absl::UnavailableError(absl::StrCat("cannot read ", path));
  return contents;
}

}  // namespace tenferro

#endif  // TENFERRO_EXPERIMENTS_FILE_H_
