#!/bin/sh
# The smallest program has no linear algebra in it, no Eigen, no shared library but the C library's and SLEEF.
set -e
binary=experiments/grad
symbols=$(nm -C "$binary")
for forbidden in 'tenferro::linalg' 'Eigen' 'Einsum'; do
  if echo "$symbols" | grep -q "$forbidden"; then
    echo "grad links $forbidden"
    exit 1
  fi
done
echo "$symbols" | grep -q 'tenferro::ad::Grad'
libraries=$(ldd "$binary" | awk '{print $1}' | grep -v -e linux-vdso -e ld-linux | sort | tr '\n' ' ')
echo "libraries: $libraries"
test "$libraries" = "libc.so.6 libm.so.6 libsleef.so.3 "
check_size() {
  copy=$(mktemp)
  strip -o "$copy" "$1"
  size=$(stat -c %s "$copy")
  rm -f "$copy"
  echo "$1 stripped: $size bytes"
  test "$size" -le "$2"
}
check_size "$binary" 1048576
check_size experiments/grad_with_all_operations 1572864
# Its numbers.
"$binary" | grep -q '^grad\[0\] = 1.972602361114157, sum(grad) = 1818.745425877291154$'
