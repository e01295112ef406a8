#!/bin/sh
# SPDX-License-Identifier: MIT
# ptxcc as people call it: names with spaces, many at once, options of nvcc's, errors and their exit status, no litter.
#
#   script_test.sh PTXCC FOLDER_TO_WORK_IN
set -u
ptxcc=$1
work=$2
failures=0
rm -rf "$work" && mkdir -p "$work/with space/sub" "$work/tmp" && cd "$work/with space" || exit 1
TMPDIR=$work/tmp
export TMPDIR
LC_ALL=C
export LC_ALL

fail() { printf 'FAIL %s\n' "$1"; failures=$((failures + 1)); }
# right NAME COMMAND… : the command has to succeed.
right() { name=$1; shift; "$@" >out 2>err || { fail "$name"; cat err; }; }
# refused NAME WORDS COMMAND… : it has to fail and say the words.
refused() {
  name=$1 words=$2
  shift 2
  if "$@" >out 2>err; then fail "$name: accepted"; elif ! grep -q -- "$words" err; then fail "$name: says $(cat err)"; fi
}
has() { grep -q -- "$2" "$1" || fail "$3"; }

cat >'a kernel.cu' <<'X'
#include "sub/part.h"
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <type_traits>
#include <cuda_runtime.h>
__managed__ int both = 3;
static __managed__ float hidden[2];
__managed__ __align__(16) char raw[5];
__global__ void scale(float* p, int n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(n > 0);
  if (i < n) p[i] = std::sqrt(p[i]) * FACTOR + std::pow(2, int(i)) + part();
  if (i == 0) { atomicAdd(&both, 1); hidden[i] += raw[1]; p[1] = hidden[n % 2]; printf("%d\n", n); }
}
X
echo '__device__ inline float part() { return 1; }' >sub/part.h
printf '__global__ void broken(int* p) { *p = nothing; }\n' >broken.cu
printf 'extern "C" __global__ void divide(float* p) { p[0] = p[1] / p[2] + sinf(p[3]); }\n' >plain.cu
printf '__device__ int other(int);\n__device__ int kept(int x) { return other(x); }\n' >part.cu

# What there is not is named as such, with its place; what is the user's own is not.
printf '\n__global__ void __cluster_dims__(2, 1, 1) pairs() {}\n' >clusters.cu
printf '#include <cstdio>\n#include <cuda_fp8.h>\n' >fp8.cu
printf '#include <texture_types.h>\n__global__ void named(cudaTextureObject_t t, int* p) { *p = 1; }\n' >types.cu
printf '__global__ void reads(cudaTextureObject_t t, float* p) { *p = tex2D<float>(t, 1, 1); }\n' >texture.cu
printf '__global__ void writes(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, 4, 1); }\n' >surface.cu
printf '#include <mine.h>\n' >mine.cu
printf '__device__ int tex2D(int x) { return x; }\n__global__ void own(int* p) { *p = tex2D(*p); }\n' >own.cu
refused 'clusters where there are none' 'clusters.cu:2:.*blocks come in clusters from -arch=sm_90 on' "$ptxcc" clusters.cu
right 'clusters' "$ptxcc" -arch=sm_90 clusters.cu -o clusters.ptx
has clusters.ptx '^\.explicitcluster$' 'a cluster is marked'
has clusters.ptx '^\.reqnctapercluster 2, 1, 1$' 'a cluster has its size'
printf '__global__ void __cluster_dims__(2, 0) none() {}\n' >clusters.cu
refused 'a cluster without blocks' 'a cluster has at least one block in each direction' "$ptxcc" -arch=sm_90 clusters.cu
printf '// __cluster_dims__\n__global__ void plain() {}\n' >clusters.cu
right 'a file that only speaks of clusters' "$ptxcc" -arch=sm_90 clusters.cu -o clusters.ptx
if grep -q cluster clusters.ptx; then fail 'a kernel without clusters has some'; fi
for header in cuda_fp8.h cuda_pipeline.h cuda/std/atomic mma.h curand_kernel.h; do
  printf '#include <cstdio>\n#include <%s>\n' $header >lacking.cu
  refused "$header" "lacking.cu:2: <$header> is not part of this toolkit; write what" "$ptxcc" lacking.cu
done
right 'the type of textures in a signature' "$ptxcc" types.cu -o -
refused 'a texture' 'texture.cu:1:.*textures are not part of this toolkit; read linear memory' "$ptxcc" texture.cu
refused 'a surface' 'surface.cu:1:.*surfaces are not part of this toolkit; use linear memory' "$ptxcc" surface.cu
refused 'a header of the user' "'mine.h' file not found" "$ptxcc" mine.cu
if grep -q 'part of this toolkit' err; then fail 'a header of the user is called one of the toolkit'; fi
right 'a function of the user with the name of one for textures' "$ptxcc" own.cu -o -

printf '__global__ void inner(int* p) { *p = 1; }\n__global__ void outer(int* p) { inner<<<1, 1>>>(p); }\n' >nested.cu
refused 'a launch from a kernel' '^ptxcc: nested.cu:2: kernels cannot launch kernels here; let the host' "$ptxcc" nested.cu
refused 'and in Chinese' '^ptxcc: nested.cu:2: 这里核函数不能启动核函数' env LC_ALL=zh_CN.UTF-8 "$ptxcc" nested.cu

right 'a name with spaces' "$ptxcc" -DFACTOR=2 'a kernel.cu' -o 'the result.ptx'
has 'the result.ptx' 'entry _Z5scalePfi' 'the kernel is in the result'
has 'the result.ptx' '\.global \.attribute(\.managed) \.align 4 \.u32 both = 3' 'a managed variable is marked'
has 'the result.ptx' '\.attribute(\.managed) \.align 16 \.b8 raw\[5\]' 'a managed array is marked'
has 'the result.ptx' '\.attribute(\.managed) .*hidden' 'a static managed array is marked'
right 'the name of the result without -o' "$ptxcc" plain.cu
[ -s plain.ptx ] || fail 'plain.ptx is where the command ran'
if grep -q managed plain.ptx; then fail 'nothing is marked that is not managed'; fi
right 'standard output' "$ptxcc" plain.cu -o -
has out '\.entry divide' 'the result is on the standard output'
right 'standard input' sh -c "'$ptxcc' - <plain.cu"
has out '\.entry divide' 'a file from the standard input'
for option in '-arch=sm_80' '-arch sm_90' '-gencode arch=compute_75,code=sm_75' --gpu-architecture=compute_86 -G -lineinfo \
  --use_fast_math '-O1' '-std=c++20' '--std c++14' '-I sub' '-Isub' '--ptx' '-rdc=true' '-dc' '-fmad=false' '-ftz=true' \
  '-prec-div=false' '-Xcompiler -Wall' --expt-relaxed-constexpr '-w' '-D A=1' '-m64'; do
  # shellcheck disable=SC2086
  right "option $option" "$ptxcc" $option plain.cu -o option.ptx
  has option.ptx '\.entry divide' "option $option makes PTX"
done
"$ptxcc" -arch=sm_86 plain.cu -o option.ptx && has option.ptx '^\.target sm_86' '-arch is the target'
"$ptxcc" --use_fast_math plain.cu -o option.ptx && has option.ptx 'sin\.approx\.ftz\.f32' 'fast mathematics is fast'
"$ptxcc" -lineinfo plain.cu -o option.ptx && has option.ptx '\.loc' '-lineinfo gives positions'
"$ptxcc" -dc part.cu -o option.ptx && has option.ptx '\.extern \.func' 'functions of other files stay open'
for words in 1000 2000; do
  printf 'struct P { int v[%s]; };\nextern "C" __global__ void k(const __grid_constant__ P p, int* o) { *o = p.v[*o]; }\n' $words >large.cu
  right "a parameter of $words words" "$ptxcc" large.cu -o "large$words.ptx"
done
has large1000.ptx '^\.version 7\.' 'parameters that older drivers know keep the version that they know'
has large2000.ptx '^\.version 8\.1$' 'more than 4352 bytes of parameters bring the version that knows them'
right 'a newer architecture is lowered' "$ptxcc" -arch=sm_120 plain.cu -o option.ptx
has err 'knows no sm_120' 'and ptxcc says so'
right 'dependencies' "$ptxcc" -DFACTOR=2 -MD -MF deps.d 'a kernel.cu' -o result.ptx
has deps.d 'sub/part.h' 'dependencies name the header'
right 'verbose' "$ptxcc" -v plain.cu -o option.ptx
has err 'clang++' '-v shows the command'
rm -f never.ptx
right 'a dry run' "$ptxcc" --dryrun plain.cu -o never.ptx
[ ! -e never.ptx ] || fail 'a dry run writes nothing'
right 'help' "$ptxcc" --help
has out 'Usage' '--help says how'
LC_ALL=zh_CN.UTF-8 "$ptxcc" --help >out && has out '用法' '--help speaks Chinese to who reads it'

cat >statics.cu <<'X'
#include <type_traits>
constexpr double table[9000] = {1, 2, 3};
static constexpr int named = 4;
static __constant__ int read_only[4];
static __constant__ int with_value[2] = {1, 2};
static __device__ int written;
__device__ int unused;
static __device__ const char* words = "words that nobody reads";
namespace part { static __device__ int inside; }
extern "C" __global__ void stores() { written = read_only[0] + named; part::inside = std::is_same<int, int>::value; }
X
right 'static variables' "$ptxcc" statics.cu
for name in read_only with_value written unused words _ZN4partL6insideE; do
  has statics.ptx "^[a-z. ]*\.\(global\|const\) .* $name[[; ]" "the variable $name is kept"
done
has statics.ptx 'st\.global\.u32.*\[written\]' 'a store to a static variable is kept'
if grep -Eq 'table|named|ptxcc|_ZNSt' statics.ptx; then fail 'constants that no code names are not in the result'; fi

cat >unused.cu <<'X'
#include <cstdio>
__device__ int never(int x) {
  asm("{ .reg .u32 r;\nadd.u32 r, %0, 1;\n}" : : "r"(x));
  printf("words of never\n");
  return x * 3;
}
__device__ __noinline__ int leaf(int x) { return x ^ (x >> 3) * 17; }
__device__ __noinline__ int called(int x) { return leaf(x) + 1; }
struct Base { __device__ virtual int f(int x) { return x; } };
struct Derived : Base { __device__ int f(int x) override { return called(x) + 7; } };
__device__ int of_table(int x) { return x; }
__device__ int (*table[1])(int) = {of_table};
__device__ Base* object;
extern "C" __global__ void makes() { object = new Derived; }
extern "C" __global__ void uses(int* p) { *p = called(*p) + object->f(2) + table[0](3); }
X
for option in '' -G -lineinfo; do
  # shellcheck disable=SC2086
  right "functions that nobody uses, $option" "$ptxcc" $option unused.cu
  for name in _Z4leafi _Z6calledi _ZN7Derived1fEi _Z8of_tablei uses; do has unused.ptx "^[a-z. ]*\.\(func\|entry\).* $name" "$name is used and kept, $option"; done
  [ "$(tr -cd '{' <unused.ptx | wc -c)" = "$(tr -cd '}' <unused.ptx | wc -c)" ] || fail "the text is whole, $option"
done
right 'functions that nobody uses' "$ptxcc" unused.cu
if grep -q _Znwm unused.ptx; then fail 'new has what it calls without an #include'; fi
if grep -Eq 'never|vprintf|_\$_str' unused.ptx; then fail 'a function that nobody uses is not in the result, nor what it says'; fi
for option in -keep-device-functions -rdc=true -dc; do
  right "functions with $option" "$ptxcc" $option unused.cu
  has unused.ptx 'func.* _Z5neveri' "$option keeps what nobody uses"
done

echo kept >kept.ptx
refused 'broken code' '^broken.cu:1:' "$ptxcc" broken.cu -o kept.ptx
has kept.ptx '^kept$' 'an earlier result survives an error'
refused 'broken code from the standard input' '^<stdin>:1:' sh -c "'$ptxcc' - <broken.cu"
refused 'a missing file' "no file 'nowhere.cu'" "$ptxcc" nowhere.cu
refused 'an unknown option' "'-zork'" "$ptxcc" -zork plain.cu
refused 'no architecture' "'fast' is no architecture" "$ptxcc" -arch=fast plain.cu
refused 'an architecture that is too old' 'sm_35' "$ptxcc" -arch=sm_35 plain.cu
refused 'a program' 'cuda++ makes' "$ptxcc" -link plain.cu
refused 'two files' 'one file at a time' "$ptxcc" plain.cu broken.cu
refused 'no file' 'no input' "$ptxcc" -G
refused 'an option without its value' 'needs a value' "$ptxcc" plain.cu -o
refused 'a folder that is not there' 'cannot write' "$ptxcc" plain.cu -o nowhere/x.ptx
refused 'a clang that is not there' 'PTXCC_CLANG' env PTXCC_CLANG=no-such-clang "$ptxcc" plain.cu

# one_line NAME WORDS COMMAND… : refused in a single line, which has the words; nothing of LLVM's own dump.
one_line() {
  refused "$@"
  [ "$(wc -l <err)" = 1 ] || fail "$1: more than one line: $(cat err)"
}
printf 'void f() {\n#pragma clang __debug llvm_fatal_error\n}\n' >crash.cu
one_line 'a clang that crashes, with the place' '^ptxcc: crash.cu:2: clang 19 crashed.*sudo apt-get install --reinstall clang-19' "$ptxcc" crash.cu
one_line 'and in Chinese' '^ptxcc: crash.cu:2: clang 19 编译到此处时崩溃' env LC_ALL=zh_CN.UTF-8 "$ptxcc" crash.cu
printf '__device__ int f() { int unused = 1; return nothing; }\n#pragma clang __debug llvm_fatal_error\n' >both.cu
refused 'a mistake before a crash is still told' '^both.cu:1:.*nothing' "$ptxcc" both.cu
stand_in() { # stand_in NAME VERSION REST : a clang that is not one
  printf '#!/bin/sh\n[ "$1" = -dumpversion ] && echo %s && exit\n%s\n' "$2" "$3" >"$1" && chmod +x "$1"
}
stand_in dies 19.1.7 'kill -SEGV $$'
one_line 'a clang that dies without a word' '^ptxcc: plain.cu: clang 19 crashed' env PTXCC_CLANG=./dies "$ptxcc" plain.cu
stand_in older 14.0.6 'exit 0'
one_line 'a clang of another version' "^ptxcc: PTXCC_CLANG names './older', which is version 14, but clang 19 is needed" env PTXCC_CLANG=./older "$ptxcc" plain.cu
one_line 'and in Chinese' "的版本是 14,而这里需要 clang 19.*sudo apt-get install clang-19" env LC_ALL=zh_CN.UTF-8 PTXCC_CLANG=./older "$ptxcc" plain.cu
one_line 'a program that is no clang' 'does not tell its version' env PTXCC_CLANG=/bin/true "$ptxcc" plain.cu
mkdir -p few
for program in sh cat cut grep head mktemp readlink rm sed; do ln -sf "$(command -v $program)" few/; done
one_line 'no clang at all' 'there is no clang++-19 in PATH; install it: sudo apt-get install clang-19' env PATH="$PWD/few" "$ptxcc" plain.cu
ln -s ../older few/clang++
one_line 'another clang only' "clang 19 is needed, but .*few/clang++ is version 14" env PATH="$PWD/few" "$ptxcc" plain.cu
rm few/clang++
ln -s "$(command -v clang++-19)" chosen
right 'a clang 19 that the user chose' env PTXCC_CLANG=./chosen "$ptxcc" plain.cu -o option.ptx
printf '#warning look here\n' >warned.cu
right 'a warning' "$ptxcc" warned.cu -o option.ptx
has err '^warned.cu:1:2: warning: look here' 'reaches the user as clang said it'
if command -v script >/dev/null; then
  script -qec "'$ptxcc' warned.cu -o option.ptx" /dev/null >out </dev/null
  has out "$(printf '\033')" 'and in colour on a terminal'
fi

ln -s "$ptxcc" linked
right 'by a link' ./linked plain.cu -o option.ptx
for _ in 1 2 3 4 5 6; do "$ptxcc" plain.cu -o same.ptx & done
wait
cmp -s plain.ptx same.ptx || fail 'six at once write the same file whole'
[ -z "$(ls "$work/tmp")" ] || fail "temporary files are left: $(ls "$work/tmp")"
for file in *.tmp; do [ ! -e "$file" ] || fail "half-written: $file"; done
[ $failures = 0 ] && echo 'all as expected'
exit $failures
