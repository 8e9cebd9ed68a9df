#!/bin/sh
# The data file is the one that the index describes.
cd "$(dirname "$0")/data" || exit 1
want=$(sed -n 's/^ *"sha256": *"\([0-9a-f]*\)".*/\1/p' index.json)
got=$(sha256sum ref.bin | cut -d ' ' -f 1)
[ ${#want} = 64 ] && [ "$want" = "$got" ] && exit 0
echo "ref.bin has SHA-256 $got, the index says '$want'"
exit 1
