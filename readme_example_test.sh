#!/bin/sh
# The example compiles and prints what the README says.
set -e
output=$(./readme_example)
echo "$output"
grep -qF "It prints \`$output\`" README.md
