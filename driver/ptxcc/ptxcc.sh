#!/bin/sh
# SPDX-License-Identifier: MIT
# ptxcc: compiles the kernels of a CUDA C++ file to PTX, with clang and headers of our own; no CUDA toolkit.
#
# Takes the options that people know from nvcc. Lies in bin/ of the embedded toolkit and finds its headers beside it,
# so that the folder can be moved. Knows clang's command line; nothing of the driver that will load the PTX.
set -u

zh=0
case "${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}" in zh*) zh=1 ;; esac
text() { if [ $zh = 1 ]; then printf '%s' "$2"; else printf '%s' "$1"; fi; }
fail() { printf 'ptxcc: %s\n' "$1" >&2; exit 1; }

help() {
  text "Usage: ptxcc [options] FILE.cu
Compiles the kernels of a CUDA C++ file to PTX with clang; no CUDA toolkit is needed.

  -o FILE              where the PTX goes; FILE.ptx here without it, - for the standard output
  -arch=sm_XX          the architecture, sm_75 without it (compute_XX means the same; also --gpu-architecture)
  -I DIR  -D NAME[=V]  -U NAME  -include FILE      as ever
  -std=c++17           c++11 to c++23, as far as the clang knows them
  -O0 … -O3            -O3 without it
  -G, -g               for debugging: not optimised, with positions
  -lineinfo            optimised, with positions
  -use_fast_math       fast approximations, subnormal numbers flushed
  -ftz=, -prec-div=, -prec-sqrt=, -fmad=true|false
  -rdc=true, -dc       keep device functions that another file calls
  -M, -MD -MF FILE     dependencies, as make wants them
  -Xclang-option OPT   hand OPT to clang
  -v, --verbose        show clang's command;  --dryrun: only show it
  -h, --help           this text;  --version: which clang it is

PTXCC_CLANG names the clang to use; otherwise the newest of clang++-22 to clang++-14 (19 first) is taken.
" "用法:ptxcc [选项] 文件.cu
用 clang 把 CUDA C++ 文件中的内核编译成 PTX;不需要 CUDA 工具包。

  -o 文件              PTX 写到哪里;不写则为当前目录下的 文件.ptx,- 表示标准输出
  -arch=sm_XX          架构,默认 sm_75(compute_XX 含义相同;也可写 --gpu-architecture)
  -I 目录  -D 名字[=值]  -U 名字  -include 文件      与平常一样
  -std=c++17           c++11 到 c++23,取决于 clang 的版本
  -O0 … -O3            默认 -O3
  -G, -g               用于调试:不优化,带源码位置
  -lineinfo            优化,带源码位置
  -use_fast_math       用快速近似,非规格化数按零处理
  -ftz=, -prec-div=, -prec-sqrt=, -fmad=true|false
  -rdc=true, -dc       保留供其他文件调用的设备函数
  -M, -MD -MF 文件     按 make 的格式输出依赖
  -Xclang-option 选项  把选项直接交给 clang
  -v, --verbose        显示 clang 的命令;--dryrun:只显示,不执行
  -h, --help           本说明;--version:使用的是哪个 clang

环境变量 PTXCC_CLANG 指定所用的 clang;否则从 clang++-22 到 clang++-14 中选(优先 19)。
"
}

# Headers beside the real place of this file, whatever link it was called by.
self=$(readlink -f -- "$0") || fail "$(text "cannot find myself by the name $0" "无法根据名字 $0 找到自身")"
home=${self%/bin/*}
headers=$home/include/ptxcc
[ -f "$headers/prelude.h" ] || fail "$(text "its headers are missing: $headers; build or copy the whole embedded/ folder" "缺少头文件:$headers;请构建或复制整个 embedded/ 目录")"

find_clang() {
  if [ -n "${PTXCC_CLANG:-}" ]; then
    command -v -- "$PTXCC_CLANG" || fail "$(text "PTXCC_CLANG names '$PTXCC_CLANG', which is not a program" "PTXCC_CLANG 指定的 '$PTXCC_CLANG' 不是可执行程序")"
    return
  fi
  for version in 19 22 21 20 18 17 16 15 14; do
    command -v "clang++-$version" && return
  done
  command -v clang++ || fail "$(text "no clang++ here; install the package clang-19 (any from clang-14 on will do)" "没有找到 clang++;请安装软件包 clang-19(clang-14 及以后的版本均可)")"
}

quoted() {
  case $1 in
    '' | *[!A-Za-z0-9_./:=,+@%-]*) printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")" ;;
    *) printf '%s' "$1" ;;
  esac
}

# The arguments are turned round once: each is taken from the front, what clang is to get goes to the back.
source='' output='' arch=75 level=-O3 standard=-std=c++17 debug='' fast=0 verbose=0 dry=0 only_dependencies=0 dependencies=0
dependency_file=''
left=$#
need() { [ "$left" -gt 0 ] || fail "$(text "$1 needs a value after it" "$1 后面需要一个值")"; }
truth() {
  case $2 in true) return 0 ;; false) return 1 ;; esac
  fail "$(text "$1 is true or false, not '$2'" "$1 只能是 true 或 false,不能是 '$2'")"
}
set_arch() {
  # -gencode's form, lists and both names of an architecture: the first number in it counts.
  number=$(printf '%s' "$1" | sed -n 's/.*\(sm\|compute\|lto\)_\([0-9][0-9]*[af]\{0,1\}\).*/\2/p')
  [ "$1" = native ] && number=75
  [ -n "$number" ] || fail "$(text "'$1' is no architecture; write -arch=sm_75, for example" "'$1' 不是架构;例如应写 -arch=sm_75")"
  arch=$number
}
[ $# -gt 0 ] || { help >&2; exit 1; }
while [ "$left" -gt 0 ]; do
  option=$1
  shift
  left=$((left - 1))
  case $option in
    -h | --help) help; exit 0 ;;
    -V | --version) clang=$(find_clang) || exit 1; printf 'ptxcc %s\n' "$clang"; exec "$clang" --version ;;
    -v | --verbose) verbose=1 ;;
    -dryrun | --dryrun) verbose=1 dry=1 ;;
    -o | --output-file) need "$option"; output=$1; shift; left=$((left - 1)) ;;
    -o?*) output=${option#-o} ;;
    --output-file=*) output=${option#*=} ;;
    -I | -D | -U | -include | -isystem) need "$option"; set -- "$@" "$option" "$1"; shift; left=$((left - 1)) ;;
    --include-path=*) set -- "$@" "-I${option#*=}" ;;
    --define-macro=*) set -- "$@" "-D${option#*=}" ;;
    -I* | -D* | -U* | -W*) set -- "$@" "$option" ;;
    -Xcompiler | --compiler-options) need "$option"; shift; left=$((left - 1)) ;;
    -std=* | --std=*) standard=-std=${option#*=} ;;
    -std | --std) need "$option"; standard=-std=$1; shift; left=$((left - 1)) ;;
    -O | -O[0-3s]) level=$option ;;
    -arch | --gpu-architecture | -gencode | --generate-code | -code | --gpu-code)
      need "$option"
      case $option in -code | --gpu-code) ;; *) set_arch "$1" ;; esac
      shift; left=$((left - 1)) ;;
    -arch=* | --gpu-architecture=* | -gencode=* | --generate-code=*) set_arch "${option#*=}" ;;
    -code=* | --gpu-code=*) ;;
    -G | --device-debug | -g | --debug) debug=full ;;
    -lineinfo | --generate-line-info) [ -n "$debug" ] || debug=lines ;;
    -use_fast_math | --use_fast_math) fast=1 ;;
    -ftz=* | --ftz=*)
      if truth -ftz "${option#*=}"; then set -- "$@" -fcuda-flush-denormals-to-zero; fi ;;
    -prec-div=* | --prec-div=*)
      if ! truth -prec-div "${option#*=}"; then set -- "$@" -mllvm -nvptx-prec-divf32=1; fi ;;
    -prec-sqrt=* | --prec-sqrt=*)
      if ! truth -prec-sqrt "${option#*=}"; then set -- "$@" -mllvm -nvptx-prec-sqrtf32=0; fi ;;
    -fmad=* | --fmad=*)
      if truth -fmad "${option#*=}"; then set -- "$@" -ffp-contract=fast; else set -- "$@" -ffp-contract=off; fi ;;
    -rdc=* | --relocatable-device-code=*)
      if truth -rdc "${option#*=}"; then set -- "$@" -fgpu-rdc; fi ;;
    -dc | --device-c) set -- "$@" -fgpu-rdc ;;
    -M | -MM) only_dependencies=1 ;;
    -MD | -MMD) dependencies=1 ;;
    -MF) need "$option"; dependencies=1 dependency_file=$1; shift; left=$((left - 1)) ;;
    -Xclang-option) need "$option"; set -- "$@" "$1"; shift; left=$((left - 1)) ;;
    -w | --disable-warnings) set -- "$@" -w ;;
    # What nvcc takes and what makes no difference here.
    -x | --x) need "$option"; shift; left=$((left - 1)) ;;
    -ptx | --ptx | -m64 | --machine=64 | -restrict | --restrict | --extended-lambda | -extended-lambda | --expt-extended-lambda | \
      -expt-extended-lambda | --expt-relaxed-constexpr | -expt-relaxed-constexpr | -default-device | \
      --default-device | -source-in-ptx | --source-in-ptx) ;;
    -cubin | --cubin | -fatbin | --fatbin | -c | --compile | -link | --link | -run | --run | -lib | --lib)
      fail "$(text "$option: only PTX can be made here; leave it out" "$option:这里只能生成 PTX;请去掉该选项")" ;;
    -) source=- ;;
    -*) fail "$(text "'$option' is not an option that is known here; see ptxcc --help, or hand it to clang with -Xclang-option '$option'" "不认识选项 '$option';见 ptxcc --help,或用 -Xclang-option '$option' 交给 clang")" ;;
    *)
      [ -z "$source" ] || fail "$(text "one file at a time, but there are '$source' and '$option'" "一次只能编译一个文件,但给出了 '$source' 和 '$option'")"
      source=$option ;;
  esac
done

[ -n "$source" ] || fail "$(text "no input file" "没有输入文件")"
[ "$source" = - ] || [ -f "$source" ] || fail "$(text "there is no file '$source'" "没有文件 '$source'")"
if [ -z "$output" ]; then
  output=-
  if [ "$source" != - ]; then
    output=${source##*/}
    output=${output%.*}.ptx
  fi
fi
# A name that looks like an option.
case $output in -?*) output=./$output ;; esac
case $source in -?*) source=./$source ;; esac

clang=$(find_clang) || exit 1
# Its name says the version where it was looked for by that; asking takes as long as a small kernel.
version=''
if [ -z "${PTXCC_CLANG:-}" ]; then case $clang in *clang++-[0-9][0-9]) version=${clang##*-} ;; esac; fi
[ -n "$version" ] || version=$("$clang" -dumpversion 2>/dev/null | cut -d. -f1)
case $version in '' | *[!0-9]*) fail "$(text "$clang does not say which version it is; is it a clang?" "$clang 没有给出版本号;它是 clang 吗?")" ;; esac
[ "$version" -ge 14 ] || fail "$(text "$clang is version $version; 14 or later is needed" "$clang 的版本是 $version;需要 14 或更高版本")"

# The newest architecture and PTX that this clang writes. A GPU takes PTX for an older architecture as well.
known=86 ptx=75
if [ "$version" -ge 16 ]; then known=90 ptx=78; fi
number=${arch%[af]}
if [ "$number" -gt "$known" ]; then
  printf 'ptxcc: %s\n' "$(text "clang $version knows no sm_$arch: this is PTX for sm_$known, which newer GPUs run as well" "clang $version 不认识 sm_$arch:生成 sm_$known 的 PTX,更新的 GPU 也能运行")" >&2
  arch=$known
fi
[ "${arch%[af]}" -ge 60 ] || fail "$(text "sm_$arch is too old: sm_60 is the oldest that is supported" "sm_$arch 太旧:最低支持 sm_60")"
[ "$version" -ge 16 ] || case $arch in *[af]) arch=${arch%[af]} ;; esac
[ "$ptx" -ne 75 ] || case $arch in 87 | 89) arch=86 ;; esac

case $debug in
  full) level=-O0; set -- "$@" -g -D__CUDACC_DEBUG__ ;;
  lines) set -- "$@" -gline-tables-only -Xclang -debug-info-kind=line-directives-only ;;
esac
if [ $fast = 1 ]; then
  approximate=-fgpu-approx-transcendentals
  [ "$version" -ge 17 ] || approximate=-fcuda-approx-transcendentals
  set -- "$@" "$approximate" -fcuda-flush-denormals-to-zero \
    -mllvm -nvptx-prec-divf32=0 -mllvm -nvptx-prec-sqrtf32=0
fi

temporary=$(mktemp -d "${TMPDIR:-/tmp}/ptxcc.XXXXXXXX") || fail "$(text "no temporary folder could be made in ${TMPDIR:-/tmp}" "无法在 ${TMPDIR:-/tmp} 中创建临时目录")"
trap 'rm -rf "$temporary"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# A toolkit that lies about is not looked at: what is compiled must not depend on it.
if [ "$version" -ge 16 ]; then
  set -- "$@" --cuda-feature="+ptx$ptx"
else
  set -- "$@" -Xclang -target-feature -Xclang "+ptx$ptx"
fi
set -- "$@" -x cuda --cuda-device-only --cuda-gpu-arch="sm_$arch" --cuda-path="$home" \
  -nocudainc -nocudalib -nogpulib -Wno-unknown-cuda-version "$level" "$standard" \
  -isystem "$headers" -include "$headers/prelude.h"

compile() {
  if [ $verbose = 1 ]; then
    for word in "$clang" "$@"; do quoted "$word"; printf ' '; done >&2
    printf '\n' >&2
  fi
  [ $dry = 1 ] || "$clang" "$@"
}

if [ $only_dependencies = 1 ]; then
  compile "$@" -MM -MT "$output" "$source"
  exit
fi
if [ "$source" = - ]; then
  { printf '#line 1 "<stdin>"\n' && cat; } >"$temporary/standard input.cu" || exit 1
  set -- "$@" -I .
  source="$temporary/standard input.cu"
fi
if ! compile "$@" -S -MMD -MF "$temporary/depends" -MT "$output" -o "$temporary/out.ptx" "$source"; then exit 1; fi
[ $dry = 0 ] || exit 0

# Names with a dot are changed in the code; LLVM forgets the debugging information.
if [ "$debug" = full ]; then
  sed '/^\.b64 [A-Za-z_$][A-Za-z0-9_$]*\./{s/\./_$_/g;s/^_$_b64/.b64/;}' "$temporary/out.ptx" >"$temporary/named.ptx" || exit 1
  mv "$temporary/named.ptx" "$temporary/out.ptx"
fi

# clang drops the word __managed__ on the way to PTX. Where a file of the user's says it, the names of the variables
# are read from the intermediate code, in which they have a section of their own.
sed -e 's/\\$//' -e 's/^[^:]*: //' -e 's/\([^\\]\) /\1\n/g' -e 's/\\ / /g' "$temporary/depends" | sed 's/^ *//' >"$temporary/files"
managed=0
while IFS= read -r file; do
  case $file in "$headers"/*) continue ;; esac
  [ -n "$file" ] && [ -f "$file" ] && grep -q '__managed__' -- "$file" && managed=1
done <"$temporary/files"
if [ $managed = 1 ]; then
  "$clang" "$@" -w -S -emit-llvm -Xclang -disable-llvm-passes -o "$temporary/out.ll" "$source" || exit 1
  sed -n 's/^@"\{0,1\}\([A-Za-z0-9_.$]*\)"\{0,1\} = .*section "driverlab\.managed".*/\1/p' "$temporary/out.ll" | sed 's/\./_$_/g' >"$temporary/names"
fi
# A file may say the word without having such a variable.
if [ $managed = 1 ] && [ -s "$temporary/names" ]; then
  awk '
    NR == FNR { managed[$1] = 1; next }
    /^(\.visible |\.extern |\.weak )?\.global / {
      for (i = 1; i <= NF; ++i) {
        name = $i
        sub(/[\[;,=].*/, "", name)
        if (name in managed) { sub(/\.global /, ".global .attribute(.managed) "); break }
      }
    }
    { print }' "$temporary/names" "$temporary/out.ptx" >"$temporary/marked.ptx" || exit 1
  mv "$temporary/marked.ptx" "$temporary/out.ptx"
fi

if [ $dependencies = 1 ]; then
  [ -n "$dependency_file" ] || dependency_file=${output%.ptx}.d
  cp "$temporary/depends" "$dependency_file" || exit 1
fi
if [ "$output" = - ]; then
  cat "$temporary/out.ptx"
else
  # Renamed at the end, so that nobody reads half a file; a device or pipe is written to.
  if [ -e "$output" ] && [ ! -f "$output" ]; then
    cat "$temporary/out.ptx" >"$output" || exit 1
  else
    unfinished=$output.$$.tmp
    if ! cat "$temporary/out.ptx" >"$unfinished" || ! mv -f "$unfinished" "$output"; then
      rm -f "$unfinished"
      fail "$(text "cannot write '$output'" "无法写入 '$output'")"
    fi
  fi
fi
