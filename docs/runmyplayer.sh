#!/bin/sh
# A player for the Tablut Challenge: runmyplayer.sh WHITE|BLACK SECONDS SERVER
#
# Enters our engine. To enter another program, change the last line.
here=$(dirname "$0")
tablut=$(command -v tablut || echo "${CARGO_TARGET_DIR:-$here/../target}/release/tablut")
[ -x "$tablut" ] || {
  echo "tablut is missing: cargo install --path crates/tablut" >&2
  exit 1
}
exec "$tablut" player "$1" "${2:-60}" "${3:-127.0.0.1}" --name tablut
