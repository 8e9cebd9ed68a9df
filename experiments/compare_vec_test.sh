#!/bin/sh
# The program's exit codes and what it prints.
program=$PWD/experiments/compare_vec
cd "$TEST_TMPDIR" || exit 1
status=0

# expect CODE PATTERN ARGUMENTS…: the pattern is looked for in both outputs.
expect() {
  code=$1 pattern=$2
  shift 2
  output=$("$program" "$@" 2>&1)
  got=$?
  if [ $got != "$code" ] || ! printf '%s\n' "$output" | grep -q -e "$pattern"; then
    echo "compare_vec $*: exit code $got, expected $code; '$pattern' is not in: $output"
    status=1
  fi
}

awk 'BEGIN { for (i = 0; i < 1000; ++i) printf "%.17g\n", sin(i) }' >reference
awk 'BEGIN { for (i = 0; i < 1000; ++i) printf "%.17g\n", sin(i) + (i == 500 ? 1e-13 : 0) }' >perturbed
awk 'BEGIN { for (i = 0; i < 999; ++i) printf "%.17g\n", sin(i) }' >short
sed '3s/.*/nan/' reference >with_nan

expect 0 ' bitwise equal 1000/1000 bound=1e-14 OK$' reference reference
expect 1 '^n=1000 .* at 500 (.* vs .*) bitwise equal 999/1000 bound=1e-14 MISMATCH$' reference perturbed
expect 0 ' OK$' reference perturbed 1e-12
expect 0 ' OK$' --threads=2 with_nan with_nan
expect 2 'a NaN stands against a number at 2' reference with_nan
expect 2 'a NaN stands against a number at 2' with_nan reference
expect 2 'shapes differ: \[1000\] and \[999\]' reference short
expect 2 'cannot read missing' reference missing
expect 2 'missing argument GOT' reference
expect 2 'not a finite number' reference reference nan
expect 2 'the tolerance is negative' reference reference -1
expect 2 'unknown flag --fast' --fast=1 reference reference
expect 0 'TOL=1e-14' --help
exit $status
