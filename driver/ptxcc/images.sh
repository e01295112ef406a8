# SPDX-License-Identifier: MIT
# What PTX is packed into: a fatbin, or the image that stands in for a cubin. Sourced by ptxcc and cuda++; lies in
# libexec/ of the embedded toolkit.
#
# Does not depend on compilers.

# bytes NUMBER COUNT: the number in COUNT bytes, lowest first.
bytes() {
  number=$1 left=$2
  while [ "$left" -gt 0 ]; do
    # shellcheck disable=SC2059
    printf "\\$((number / 64 % 4))$((number / 8 % 8))$((number % 8))"
    number=$((number / 256)) left=$((left - 1))
  done
}
# number_at FILE OFFSET COUNT: the other way round.
number_at() { od -A n -t "u$3" -j "$2" -N "$3" -- "$1" | tr -d ' \n'; }

# The newest, where units are linked.
architecture_of() { sed -n 's/^\.target sm_\([0-9]*\).*/\1/p' "$1" | sort -n | tail -n 1; }

# fatbin_of PTX…: an entry for each, text as it is. A text ends with a zero and is filled up to 8 bytes.
fatbin_of() {
  all=0
  for ptx_file in "$@"; do
    size=$(($(wc -c <"$ptx_file") + 1))
    all=$((all + 64 + (size + 7) / 8 * 8))
  done
  bytes 3126193488 4; bytes 1 2; bytes 16 2; bytes $all 8
  for ptx_file in "$@"; do
    size=$(($(wc -c <"$ptx_file") + 1))
    whole=$(((size + 7) / 8 * 8))
    bytes 1 2; bytes 257 2; bytes 64 4; bytes $whole 8; bytes 0 4; bytes 0 4; bytes 0 2; bytes 8 2
    bytes "$(architecture_of "$ptx_file")" 4; bytes 0 4; bytes 0 4; bytes 17 8; bytes 0 8; bytes 0 8
    cat "$ptx_file"
    bytes 0 $((whole - size + 1))
  done
}

# image_of PTX: an ELF file that holds the text, as the driver's linker and NVRTC make it (ptx/linked_image.hpp).
image_of() {
  printf '\177ELF\2\1\1\101\10\0\0\0DLab'
  bytes 2 2; bytes 190 2; bytes 1 4; bytes 0 24
  bytes $((100663300 + $(architecture_of "$1") * 256)) 4
  bytes 64 2; bytes 0 10
  bytes "$(wc -c <"$1")" 8
  cat "$1"
  bytes 0 1
}

# texts_of FILE ARCHITECTURE FOLDER: of each fatbin in FILE, one behind the other, the newest text for ARCHITECTURE or an
# older one, as FOLDER/1, FOLDER/2, …; fails where one has none. Without ARCHITECTURE it prints those that there are.
texts_of() {
  at=0 count=0 end=$(wc -c <"$1")
  while [ $((at + 16)) -le "$end" ]; do
    # Linkers fill up between them.
    if [ "$(number_at "$1" $at 4)" != 3126193488 ]; then at=$((at + 8)); continue; fi
    next=$((at + 16 + $(number_at "$1" $((at + 8)) 8)))
    at=$((at + 16)) best=0 count=$((count + 1))
    while [ $at -lt $next ]; do
      head=$(number_at "$1" $((at + 4)) 4) size=$(number_at "$1" $((at + 8)) 8) of=$(number_at "$1" $((at + 28)) 4)
      if [ -z "$2" ]; then
        echo "$of"
      elif [ "$of" -le "$2" ] && [ "$of" -gt $best ]; then
        best=$of
        tail -c +$((at + head + 1)) "$1" | head -c "$size" | tr -d '\000' >"$3/$count"
      fi
      at=$((at + head + size))
    done
    [ -z "$2" ] || [ $best -gt 0 ] || return 1
  done
}
