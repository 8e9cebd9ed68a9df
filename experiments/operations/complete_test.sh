#!/bin/sh
# Every record that the program links stands in its table: records are objects of one size with names like kAdd. And the
# table in the documents is the one that it prints.
set -e
table=$1
document=$2
rows=$(mktemp)
"$table" --format=markdown >"$rows"
listed=$(($(wc -l <"$rows") - 2))
size=$(nm -CS "$table" | awk '$4 == "tenferro::kAdd" { print $2 }')
records=$(nm -CS "$table" | awk -v size="$size" '$2 == size && $4 ~ /^tenferro::([a-z]+::)?k[A-Z][A-Za-z0-9]*$/ { print $4 }' | sort -u)
count=$(echo "$records" | wc -l)
echo "$count records, $listed lines"
test "$count" -gt 100
test "$count" -eq "$listed" || { echo "$records"; exit 1; }
grep '^|' "$document" | head -n "$((listed + 2))" | diff "$rows" -
rm -f "$rows"
