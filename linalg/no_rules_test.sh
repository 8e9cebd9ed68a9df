#!/bin/sh
set -eu
binary=linalg/no_rules
symbols=$(nm -C "$binary")
echo "$symbols" | grep -q 'tenferro::linalg::isa_'
if echo "$symbols" | grep -E 'tenferro::linalg::(Jvp|Vjp|Pull|Push|Transpose)'; then
  echo "derivative rules are linked"
  exit 1
fi
output=$("$binary")
echo "$output"
echo "$output" | grep -q '^runs$'
echo "$output" | grep -q 'no_rules_test.cc:.*linalg.split_svd: .*//linalg:autodiff'
