#!/bin/sh
# Counts the instructions of fixed programs with callgrind, on one thread, and compares with docs/instructions.tsv: exit
# code 1 when one is off by more than 5 %, to either side. With --update writes the table instead. The counts are those
# of the kernels for x86-64-v3: valgrind knows no AVX-512. Repeatable on one machine; C libraries differ by a little.
set -e
cd "$(dirname "$0")/.."
table=docs/instructions.tsv
./bazelw build --noshow_progress --ui_event_filters=-info //experiments:instructions
program=bazel-bin/experiments/instructions
counts=$(mktemp)
trap 'rm -f "$counts"' EXIT
"$program" 2> /dev/null | while IFS= read -r name; do
  count=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=CountedRun "$program" "$name" 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p')
  if [ -z "$count" ]; then
    echo "no count of $name" >&2
    exit 1
  fi
  printf '%s\t%s\n' "$name" "$count"
done > "$counts"
if [ "$1" = --update ]; then
  cp "$counts" "$table"
  cat "$table"
  exit
fi
awk -F '\t' '
  NR == FNR { known[$1] = $2; next }
  {
    old = ($1 in known) ? known[$1] : 0
    delete known[$1]
    change = old ? sprintf("%+.1f%%", 100 * ($2 / old - 1)) : ""
    verdict = !old ? "not in the table" : $2 > 1.05 * old || $2 < 0.95 * old ? "CHANGED" : ""
    printf("%-44s %12d %12d %7s %s\n", $1, $2, old, change, verdict)
    if (verdict != "") bad = 1
  }
  END { for (name in known) { printf("%-44s is not measured any more\n", name); bad = 1 }; exit bad }
' "$table" "$counts"
