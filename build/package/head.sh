#!/bin/sh
# Signalbox @VERSION@ for @PLATFORM@. The program follows this script as a compressed archive, which is unpacked once to DATA_DIR.
# version=@VERSION@ platform=@PLATFORM@ schema=@SCHEMA@ sha256=@SHA256@
set -u
program_name=@VERSION@-@SHORT_HASH@

fail() {
  echo "signalbox: $*" >&2
  exit 1
}

# DATA_DIR from the environment, or else from .env like the other settings.
find_data_dir() {
  data=${DATA_DIR:-}
  if [ -z "${DATA_DIR+set}" ] && [ -f .env ]; then
    data=$(sed -n -e '/^[[:space:]]*\(export[[:space:]]\{1,\}\)\{0,1\}DATA_DIR[[:space:]]*=/!d' \
      -e 's/^[^=]*=[[:space:]]*//' \
      -e '/^"/{s/^"\([^"]*\)".*/\1/p;d;}' \
      -e "/^'/{s/^'\([^']*\)'.*/\1/p;d;}" \
      -e 's/[[:space:]]*#.*//' -e 's/[[:space:]]*$//' -e p .env | tail -n 1)
  fi
  data=${data:-data}
}

# Programs of another account must not run with the rights of this one.
require_own_folders() {
  for folder in "$data/program" "$program"; do
    [ -O "$folder" ] || [ -n "$(find "$folder" -prune -user 0 2> /dev/null)" ] ||
      fail "$folder belongs to another account. Run this command as that account, or set another DATA_DIR."
  done
}

unpack() {
  case "$(uname -s)-$(uname -m)" in
    @MACHINES@) ;;
    *) fail "This file is for @PLATFORM@, and this machine is $(uname -s) $(uname -m)." ;;
  esac
  (umask 066 && mkdir -p "$data" && umask 022 && mkdir -p "$data/program") ||
    fail "DATA_DIR cannot be written: $data. Set DATA_DIR to a folder that this account can write."
  echo "Unpacking Signalbox @VERSION@ to $program, which happens once." >&2
  sum=$(tail -c "+@OFFSET@" "$0" | sha256sum)
  [ "${sum%% *}" = @SHA256@ ] || fail "This file is damaged: download it again."
  partial="$data/program/.partial-$program_name-$$"
  trap 'rm -rf "$partial"' EXIT
  trap 'exit 1' HUP INT TERM
  rm -rf "$partial"
  if unpack_to_partial; then
    rm -rf "$partial"
  elif ! [ -d "$program" ]; then
    # Otherwise another process has unpacked the same file meanwhile.
    fail "Unpacking to $data/program failed. It needs @UNPACKED_MB@ MB of free space; nothing is left behind."
  fi
  trap - EXIT HUP INT TERM
}

unpack_to_partial() {
  (umask 022 && mkdir "$partial") || return 1
  tail -c "+@OFFSET@" "$0" | gzip -dc | (cd "$partial" && exec tar -xf -) || return 1
  if "$partial/bin/node" --version > /dev/null 2>&1; then
    "$partial/bin/node" "$partial/install.mjs" "$program"
  else
    # Without the C library that Node is made for, such as on Alpine, everything runs on the one in the archive.
    "$partial/glibc/loader" --library-path "$partial/glibc" "$partial/bin/node" "$partial/install.mjs" "$program" with-glibc
  fi
}

find_data_dir
program="$data/program/$program_name"
[ -d "$program" ] || unpack
require_own_folders
case $0 in
  /*) SIGNALBOX_FILE=$0 ;;
  *) SIGNALBOX_FILE=$PWD/$0 ;;
esac
export SIGNALBOX_FILE
exec "$program/bin/node" @V8_FLAGS@ "$program/start.mjs" "$@"
exit 1
