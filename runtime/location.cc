#include "tenferro/runtime/location.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tenferro {

constinit thread_local const Location* LocationScope::current_ = nullptr;

std::string ToString(const Location& location) {
  absl::string_view file = location.file_name();
  if (size_t slash = file.rfind('/'); slash != absl::string_view::npos) file.remove_prefix(slash + 1);
  return absl::StrCat(file, ":", location.line());
}

}  // namespace tenferro
