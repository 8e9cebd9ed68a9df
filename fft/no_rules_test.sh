#!/bin/sh
set -eu
binary=fft/no_rules
symbols=$(nm -C "$binary")
echo "$symbols" | grep -q 'tenferro::fft::isa_'
if echo "$symbols" | grep -E 'tenferro::fft::.*(Jvp|Vjp|Pull|Push|Transpose(Transform|RealToHalf|HalfToReal))'; then
  echo "derivative rules are linked"
  exit 1
fi
output=$("$binary")
echo "$output"
echo "$output" | grep -q '^runs$'
echo "$output" | grep -q 'no_rules_test.cc:.*fft.real_to_half: .*//fft:autodiff'
