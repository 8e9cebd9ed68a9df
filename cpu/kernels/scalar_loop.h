#ifndef TENFERRO_CPU_KERNELS_SCALAR_LOOP_H_
#define TENFERRO_CPU_KERNELS_SCALAR_LOOP_H_

#include <cstdint>

// Before a loop whose iterations may run side by side: arrays are either equal or disjoint. Clang warns where its own
// pragma does not lead to vectors, and finds out at run time without it.
#if defined(__clang__)
#define TENFERRO_INDEPENDENT
#else
#define TENFERRO_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace tenferro {

// Loops over tiles for kernels compiled once, for the baseline instruction set. F is a lambda without captures; To the
// type of an element of the result, X of an operand.
template <class To, class X, class F>
__attribute__((noinline)) void ScalarUnary(void* out, const void* const* in, int64_t n) {
  To* to = static_cast<To*>(out);
  const X* x = static_cast<const X*>(in[0]);
  TENFERRO_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) to[i] = static_cast<To>(F()(x[i]));
}

template <class To, class X, class F>
__attribute__((noinline)) void ScalarBinary(void* out, const void* const* in, int64_t n) {
  To* to = static_cast<To*>(out);
  const X* a = static_cast<const X*>(in[0]);
  const X* b = static_cast<const X*>(in[1]);
  TENFERRO_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) to[i] = static_cast<To>(F()(a[i], b[i]));
}

template <class To, class X, class F>
__attribute__((noinline)) void ScalarTernary(void* out, const void* const* in, int64_t n) {
  To* to = static_cast<To*>(out);
  const X* a = static_cast<const X*>(in[0]);
  const X* b = static_cast<const X*>(in[1]);
  const X* c = static_cast<const X*>(in[2]);
  TENFERRO_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) to[i] = static_cast<To>(F()(a[i], b[i], c[i]));
}

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_SCALAR_LOOP_H_
