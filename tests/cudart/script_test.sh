#!/bin/sh
# SPDX-License-Identifier: MIT
# cuda++ as people call it: several files, objects, options, mistakes.
#   script_test.sh CUDAXX SCRATCH
set -u
cudaxx=$1
scratch=$2
export LC_ALL=C
rm -rf "$scratch" && mkdir -p "$scratch/a folder" && cd "$scratch" || exit 1
failures=0
check() { # check SENTENCE COMMAND …
  sentence=$1
  shift
  if "$@" >out 2>&1; then printf 'ok: %s\n' "$sentence"; else
    printf 'NOT ok: %s\n' "$sentence"
    cat out
    failures=$((failures + 1))
  fi
}
refuses() { # refuses SENTENCE WORD COMMAND …
  sentence=$1 word=$2
  shift 2
  if "$@" >out 2>&1 || ! grep -q -- "$word" out; then
    printf 'NOT ok: %s\n' "$sentence"
    cat out
    failures=$((failures + 1))
  else printf 'ok: %s\n' "$sentence"; fi
}
prints() { [ "$("$2")" = "$1" ]; }

cat >"a folder/one.cu" <<'CU'
#include <cuda_runtime.h>
#include "value.h"
__global__ void one(int* x) { *x += VALUE; }
void run_one(int* x) { one<<<1, 1>>>(x); }
CU
echo '#define VALUE 1' >"a folder/value.h"
cat >two.cu <<'CU'
#include <cstdio>
static __global__ void one(int* x) { *x += 10 * FACTOR; }  // the same name as in the other file
void run_one(int* x);
int plain(int);
int main() {
  int *x, back = 0;
  cudaMalloc(&x, 4);
  cudaMemset(x, 0, 4);
  run_one(x);
  one<<<1, 1>>>(x);
  cudaMemcpy(&back, x, 4, cudaMemcpyDeviceToHost);
  std::printf("%d\n", plain(back));
}
CU
cat >plain.cpp <<'CU'
int plain(int x) { return x + 1000; }
CU
check "two files with kernels and one without make a program" \
  "$cudaxx" -DFACTOR=2 -o several "a folder/one.cu" two.cu plain.cpp
check "each kernel is its own file's" prints 1021 ./several
check "an object is made" "$cudaxx" -c "a folder/one.cu" -o "a folder/one.o"
check "objects and files link" "$cudaxx" -D FACTOR=3 -arch=sm_80 -O1 -std=c++20 two.cu plain.cpp "a folder/one.o" -o linked
check "what is linked runs" prints 1031 ./linked
cat >version.cu <<'CU'
#include <cstdio>
int main() {
  int version = 0;
  cudaRuntimeGetVersion(&version);
  std::printf("%d %d\n", CUDART_VERSION, version);
}
CU
check "a program for CUDA 12 is made" "$cudaxx" --cuda=12 version.cu -o of_12
check "its header and its library are those of 12" prints "12090 12090" ./of_12
check "a program for CUDA 13 is made" "$cudaxx" --cuda=13 version.cu -o of_13
check "its header and its library are those of 13" prints "13000 13000" ./of_13
cat >managed_one.cu <<'CU'
#include <cstdio>
__managed__ int shared_value = 5;
static __managed__ int own = 100, unused_by_kernels = 7;
static __global__ void up() { shared_value += own; }
int second();
int main() {
  own += 11;
  up<<<1, 1>>>();
  cudaDeviceSynchronize();
  std::printf("%d %d %d\n", shared_value, second(), unused_by_kernels);
}
CU
cat >managed_two.cu <<'CU'
static __managed__ int own = 20;
static __global__ void up() { own += 3; }
int second() {
  up<<<1, 1>>>();
  cudaDeviceSynchronize();
  return own;
}
CU
check "two files have managed variables" "$cudaxx" managed_one.cu managed_two.cu -o managed
check "host and kernels see the same, each file its own" prints "116 23 7" ./managed
check "they are there for CUDA 12 and streams of each thread" \
  "$cudaxx" --cuda=12 --default-stream per-thread -g managed_one.cu managed_two.cu -o managed
check "and say the same" prints "116 23 7" ./managed
refuses "there is no CUDA 11 here" "12 or 13" "$cudaxx" --cuda=11 version.cu
refuses "an unknown option is named" "--no-such-option" "$cudaxx" --no-such-option two.cu
refuses "a missing file is named" "missing.cu" "$cudaxx" missing.cu
refuses "device code is not linked" "its own file" "$cudaxx" -rdc=true two.cu
echo 'int main() { return nothing; }' >wrong.cu
refuses "a mistake is told with its line" "wrong.cu:1" "$cudaxx" wrong.cu
echo '__managed__ int x; int* p = &x; __global__ void k() { ++x; } int main() { return *p; }' >managed.cu
refuses "the address of a managed variable is no initial value" "in a function" "$cudaxx" managed.cu
[ ! -e a.out ] || { echo "NOT ok: a program came out of a mistake"; failures=$((failures + 1)); }
exit "$failures"
