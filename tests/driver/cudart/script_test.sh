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
# What there is not is named with its place.
printf '\n__global__ void __cluster_dims__(2, 1, 1) pairs() {}\nint main() {}\n' >clusters.cu
printf '__global__ void reads(cudaTextureObject_t t, float* p) { *p = tex2D<float>(t, 1, 1); }\nint main() {}\n' >texture.cu
printf '__global__ void writes(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, 4, 1); }\nint main() {}\n' >surface.cu
refuses "clusters where there are none" "clusters.cu:2:.*blocks come in clusters from -arch=sm_90 on" "$cudaxx" clusters.cu -o none
check "clusters where there are some" "$cudaxx" -arch=sm_90 clusters.cu -o clusters
refuses "a texture" "texture.cu:1:.*textures are not part of this toolkit; read linear memory" "$cudaxx" texture.cu -o none
refuses "a surface" "surface.cu:1:.*surfaces are not part of this toolkit; use linear memory" "$cudaxx" surface.cu -o none
for header in cuda_fp8.h cuda/std/atomic; do
  printf '#include <cstdio>\n#include <%s>\nint main() {}\n' $header >lacking.cu
  refuses "$header" "lacking.cu:2: <$header> is not part of this toolkit; write what" "$cudaxx" lacking.cu -o none
done
printf '__device__ int tex2D(int x) { return x; }\n__global__ void own(int* p) { *p = tex2D(*p); }\nint main() {}\n' >own.cu
check "a function of the user with the name of one for textures" "$cudaxx" own.cu -o own
check "no program is made of what is refused" test ! -e none
check "an object is made" "$cudaxx" -c "a folder/one.cu" -o "a folder/one.o"
check "an object is made of a file without kernels" "$cudaxx" -c plain.cpp -o "a folder/plain.o"
check "the object is there" test -s "a folder/plain.o"
check "objects have the names of their sources" "$cudaxx" -c plain.cpp
check "and are there" test -s plain.o
check "what was compiled alone links" "$cudaxx" -DFACTOR=2 two.cu "a folder/plain.o" "a folder/one.o" -o from_objects
check "and runs" prints 1021 ./from_objects
refuses "-c without a source" "no source" "$cudaxx" -c plain.o
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
cat >host_math.cu <<'CU'
#include <cstdio>
int main(int count, char**) {
  const float f = -count;
  std::printf("%.0f %d %d %.0f %.0f %.0f\n", fabs(f), max(count, 2), min(count, 2), sqrt(f * f), max(f, 2.0), pow(f, 2.f));
  return EXIT_SUCCESS;
}
CU
check "the host has mathematics without an include" "$cudaxx" host_math.cu -o host_math
check "for both widths" prints "1 2 1 1 2 1" ./host_math
cat >complex.cu <<'CU'
#include <cuComplex.h>
#include <cstdio>
__host__ __device__ float part(cuFloatComplex a) { return cuCabsf(cuCdivf(a, make_cuFloatComplex(0, 1e30f))); }
__global__ void kernel(float* out) { *out = part(make_cuFloatComplex(3e30f, 4e30f)); }
int main() {
  float *out, there;
  cudaMalloc(&out, 4);
  kernel<<<1, 1>>>(out);
  cudaMemcpy(&there, out, 4, cudaMemcpyDeviceToHost);
  const cuDoubleComplex product = cuCmul(make_cuDoubleComplex(1, 2), make_cuDoubleComplex(3, 4));
  std::printf("%.3f %.3f %.0f %.0f\n", there, part(make_cuFloatComplex(3e30f, 4e30f)), cuCreal(product), cuCimag(product));
}
CU
check "cuComplex.h is there" "$cudaxx" complex.cu -o complex
check "for host and device" prints "5.000 5.000 -5 10" ./complex
cat >using_std.cu <<'CU'
#include <algorithm>
#include <cmath>
using namespace std;
__global__ void kernel(float* p) { p[0] = fabs(p[1]) + max(p[0], 1.f) + max(1, 2) + abs(p[2]) + pow(p[0], 2.f) + isnan(p[0]); }
int main(int count, char**) { return static_cast<int>(max(1.f, fabs(-1.f * count)) - max(count, 1)); }
CU
check "and std beside it is not ambiguous" "$cudaxx" using_std.cu -o using_std
check "nor is it in the run" ./using_std
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
refuses "a managed variable is not linked with other files' device code" "without -rdc=true" "$cudaxx" -rdc=true managed_one.cu
echo 'int main() { return nothing; }' >wrong.cu
refuses "a mistake is told with its line" "wrong.cu:1" "$cudaxx" wrong.cu
echo '__managed__ int x; int* p = &x; __global__ void k() { ++x; } int main() { return *p; }' >managed.cu
refuses "the address of a managed variable is no initial value" "in a function" "$cudaxx" managed.cu
one_line() { # as refuses, and in a single line: nothing of LLVM's own dump
  refuses "$@"
  [ "$(wc -l <out)" = 1 ] || { echo "NOT ok: in one line: $1"; cat out; failures=$((failures + 1)); }
}
one_line "and that in one line, not with a dump of clang's stack" "cuda++: managed.cu" "$cudaxx" managed.cu
printf '#ifndef __CUDA_ARCH__\nvoid f() {\n#pragma clang __debug llvm_fatal_error\n}\n#endif\nint main() {}\n' >crash.cu
one_line "a clang that crashes on the host's half is told with the place" "^cuda++: crash.cu:3: clang 19 crashed" "$cudaxx" crash.cu
cat >huge.cu <<'CU'
template <class T, T... I> struct Count { static constexpr int n = sizeof...(I); };
using Huge = __make_integer_seq<Count, int, 300000000>;
int main() { return Huge::n; }
CU
one_line "a clang that runs out of memory is told with the place" "huge.cu:2: clang 19 needs more memory" \
  sh -c 'ulimit -v 1500000; exec "$0" huge.cu' "$cudaxx"
printf '#!/bin/sh\n[ "$1" = -dumpversion ] && echo 19.1.7 && exit\necho "$(ulimit -v) KiB" >given\nexit 1\n' >asked && chmod +x asked
(ulimit -v unlimited; PTXCC_CLANG=./asked "$cudaxx" version.cu >/dev/null 2>&1)
[ "$(cat given)" = "8388608 KiB" ] || { echo "NOT ok: clang may not take all of the machine's memory: $(cat given)"; failures=$((failures + 1)); }
(ulimit -v 4000000; PTXCC_CLANG=./asked "$cudaxx" version.cu >/dev/null 2>&1)
[ "$(cat given)" = "4000000 KiB" ] || { echo "NOT ok: a smaller limit of the user's stays: $(cat given)"; failures=$((failures + 1)); }
printf '#!/bin/sh\n[ "$1" = -dumpversion ] && echo 14.0.6\n' >older && chmod +x older
one_line "a clang of another version is refused" "which is version 14, but clang 19 is needed" env PTXCC_CLANG=./older "$cudaxx" version.cu
one_line "a clang that is not there is named" "no-such-clang" env PTXCC_CLANG=no-such-clang "$cudaxx" version.cu
[ ! -e a.out ] || { echo "NOT ok: a program came out of a mistake"; failures=$((failures + 1)); }
exit "$failures"
