#ifndef TENFERRO_TENSOR_STATUS_H_
#define TENFERRO_TENSOR_STATUS_H_

#include <utility>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Returns the status of `expression` from the enclosing function unless it is OK.
#define TENFERRO_RETURN_IF_ERROR(expression)                                                      \
  do {                                                                                            \
    if (absl::Status tenferro_status = (expression); ABSL_PREDICT_FALSE(!tenferro_status.ok())) { \
      return tenferro_status;                                                                     \
    }                                                                                             \
  } while (false)

// Assigns the value of the StatusOr `expression` to `declaration`, or returns its status from the enclosing function.
#define TENFERRO_ASSIGN_OR_RETURN(declaration, expression) \
  TENFERRO_ASSIGN_OR_RETURN_1_(TENFERRO_CONCAT_1_(tenferro_statusor_, __LINE__), declaration, expression)
#define TENFERRO_ASSIGN_OR_RETURN_1_(result, declaration, expression)      \
  auto result = (expression);                                              \
  if (ABSL_PREDICT_FALSE(!result.ok())) return std::move(result).status(); \
  declaration = *std::move(result)
#define TENFERRO_CONCAT_1_(a, b) TENFERRO_CONCAT_2_(a, b)
#define TENFERRO_CONCAT_2_(a, b) a##b

#endif  // TENFERRO_TENSOR_STATUS_H_
