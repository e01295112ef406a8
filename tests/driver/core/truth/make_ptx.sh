#!/bin/sh
# Compiles the probes' kernels to PTX with clang alone. The results are checked in, so that the tests need no clang;
# run this again after changing a .cu file. For sm_75, so that any card of today loads them.
set -eu
cd "$(dirname "$0")"
clang=${CLANG:-clang++-19}
for name in kernels math twice; do
  # -fgpu-rdc keeps functions that another file calls.
  "$clang" -x cuda --cuda-device-only --cuda-gpu-arch=sm_75 -nocudainc -nocudalib -fgpu-rdc \
    -Wno-unknown-cuda-version -O2 -include device.h \
    -S "$name.cu" -o "$name.ptx"
done
sed -i 's/^\(\.visible \.global\) \(.* m_counter\)/\1 .attribute(.managed) \2/' kernels.ptx
