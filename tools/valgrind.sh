#!/bin/sh
# Runs tests under valgrind's memcheck: tools/valgrind.sh [target pattern…]; by default of the packages below, and the
# smallest program. TIMEOUT seconds each, 300 if not set.
#
# Faults are what memcheck finds, and instructions that its processor does not have: it has no AVX-512, so code for that
# which other processors would run stops with SIGILL. Its long double is a double, so comparisons with references in
# long double may fail; that is told and does not count.
cd "$(dirname "$0")/.." || exit 1
patterns=${*:-//tensor/... //runtime/... //cpu/... //ad/... //transforms/... //einsum/... //fft/... //linalg/...}
tests=$(./bazelw query "kind(cc_test, set($patterns))" 2>/dev/null) && [ -n "$tests" ] || { echo "no tests: $patterns"; exit 1; }
[ $# -gt 0 ] || tests="$tests //experiments:grad"
./bazelw build --jobs="${JOBS:-2}" $tests || exit 1

root=$(pwd -P) log=$(mktemp) faults=0
for label in $tests; do
  binary=$root/bazel-bin/$(echo "${label#//}" | tr : /)
  cd "$binary.runfiles/tenferro" || exit 1
  timeout "${TIMEOUT:-300}" valgrind --quiet --vgdb=no --error-exitcode=9 --leak-check=full \
    --errors-for-leak-kinds=definite --suppressions="$root/tools/valgrind.supp" "$binary" >"$log" 2>&1
  status=$?
  case $status in
  0) echo "ok       $label" ;;
  1) echo "numbers  $label: $(grep -c '^\[  FAILED  \] .*)$' "$log") tests see other numbers" ;;
  124) echo "slow     $label" ;;
  *) echo "FAULT    $label: status $status"; grep -A25 '^==' "$log"; faults=$((faults + 1)) ;;
  esac
done
rm -f "$log"
echo "$faults faults"
[ $faults = 0 ]
