#include "tenferro/runtime/value_type.h"

#include "absl/strings/str_cat.h"

namespace tenferro {

std::string ValueType::ToString() const { return absl::StrCat(Name(dtype), shape.ToString()); }

}  // namespace tenferro
