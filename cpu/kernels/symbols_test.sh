#!/bin/sh
# Objects compiled for one instruction set define no symbol that the linker could take for another: every definition that is
# visible outside its object lies in the namespace of an instruction set. A template's result type may stand before its name.
set -eu
checked=0
for archive in "$@"; do
  case "$archive" in *.a) ;; *) continue ;; esac
  symbols=$(nm -C --defined-only "$archive" | grep -E '^[0-9a-f]+ [A-Zuvw] ' || true)
  # Sanitizers add data under the last two names.
  foreign=$(echo "$symbols" | grep -vE '^[0-9a-f]+ . (([^(<]* )?tenferro::([a-z]+::)?isa_(v2|v3|v4|neon)::|DW\.ref\.|__odr_asan\.)' || true)
  if [ -z "$symbols" ] || [ -n "$foreign" ]; then
    echo "$archive: ${foreign:-defines nothing}"
    exit 1
  fi
  checked=$((checked + 1))
done
if [ "$checked" -eq 0 ]; then
  echo "no archive given"
  exit 1
fi
echo "$checked archives"
