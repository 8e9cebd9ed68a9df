#ifndef TENFERRO_CPU_KERNELS_INTEGER_ROW_H_
#define TENFERRO_CPU_KERNELS_INTEGER_ROW_H_

#include <type_traits>

#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/scalar_loop.h"
#include "tenferro/cpu/kernels/tile.h"

// Tables of kernels of integers, compiled once for the baseline instruction set.
namespace tenferro::integer_internal {

// One kernel to each of i32, i64, u8, u32, u64, in the order of their codes.
struct Row {
  const OpDef* op;
  TileFn fn[5];
};

// Kernels that look at the sign of an element.
template <class F>
constexpr Row SignedBinary(const OpDef* op, F) {
  return {op,
          {ScalarBinary<int32_t, int32_t, F>, ScalarBinary<int64_t, int64_t, F>, ScalarBinary<uint8_t, uint8_t, F>,
           ScalarBinary<uint32_t, uint32_t, F>, ScalarBinary<uint64_t, uint64_t, F>}};
}
template <class F>
constexpr Row SignedUnary(const OpDef* op, F) {
  return {op,
          {ScalarUnary<int32_t, int32_t, F>, ScalarUnary<int64_t, int64_t, F>, ScalarUnary<uint8_t, uint8_t, F>,
           ScalarUnary<uint32_t, uint32_t, F>, ScalarUnary<uint64_t, uint64_t, F>}};
}
template <class F>
constexpr Row SignedTernary(const OpDef* op, F) {
  return {op,
          {ScalarTernary<int32_t, int32_t, F>, ScalarTernary<int64_t, int64_t, F>, ScalarTernary<uint8_t, uint8_t, F>,
           ScalarTernary<uint32_t, uint32_t, F>, ScalarTernary<uint64_t, uint64_t, F>}};
}
// Kernels that are the same for signed and unsigned elements of one size.
template <class F>
constexpr Row Binary(const OpDef* op, F) {
  constexpr TileFn k4 = ScalarBinary<uint32_t, uint32_t, F>, k8 = ScalarBinary<uint64_t, uint64_t, F>;
  return {op, {k4, k8, ScalarBinary<uint8_t, uint8_t, F>, k4, k8}};
}
template <class F>
constexpr Row Unary(const OpDef* op, F) {
  constexpr TileFn k4 = ScalarUnary<uint32_t, uint32_t, F>, k8 = ScalarUnary<uint64_t, uint64_t, F>;
  return {op, {k4, k8, ScalarUnary<uint8_t, uint8_t, F>, k4, k8}};
}

// The kernel of a table for one dtype, or nullptr.
template <int kRowCount>
TileFn FindRow(const Row (&rows)[kRowCount], const OpDef* op, uint8_t code) {
  if (code < kCodeI32 || code > kCodeU64) return nullptr;
  for (const Row& row : rows) {
    if (row.op == op) return row.fn[code - kCodeI32];
  }
  return nullptr;
}

// Wraps for the least number.
template <class T>
T Negate(T x) {
  return static_cast<T>(std::make_unsigned_t<T>{0} - static_cast<std::make_unsigned_t<T>>(x));
}

}  // namespace tenferro::integer_internal

#endif  // TENFERRO_CPU_KERNELS_INTEGER_ROW_H_
