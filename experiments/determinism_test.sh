#!/bin/sh
# The program itself exits with 1 when any case differs; two threads must have worked at width 2.
set -e
output=$(experiments/determinism --widths=1,2,3,8)
echo "$output"
echo "$output" | grep -q '^width 1: 1 threads did work$'
echo "$output" | grep -q '^width 2: 2 threads did work$'
equal=$(echo "$output" | grep -c 'bitwise equal$')
test "$equal" -ge 98
test "$equal" = "$(echo "$output" | grep -vc '^width ')"
