#!/bin/sh
# SPDX-License-Identifier: MIT
# cuda++: compiles a .cu file, host and kernels, to a program for the embedded toolkit; no CUDA toolkit of NVIDIA's.
#
# Three steps, which --verbose shows: ptxcc makes PTX of the kernels, the PTX is packed as a fatbin, and clang compiles
# the host's half with the fatbin inside. Lies in bin/ of the embedded toolkit and finds everything beside it.
# Uses the command lines of clang and ptxcc; does not depend on the runtime that the program will call.
set -u

tool=cuda++
self=$(readlink -f -- "$0")
home=${self%/bin/*}
for part in libexec/clang.sh bin/ptxcc include/ptxcc/prelude.h include/cuda_runtime.h lib/libcudart.so; do
  [ ! -e "$home/$part" ] || continue
  # In both languages, because what knows the user's language may be what is missing.
  printf 'cuda++: a part is missing: %s; build or copy the whole embedded/ folder\ncuda++:缺少 %s;请构建或复制整个 embedded/ 目录\n' "$home/$part" "$home/$part" >&2
  exit 1
done
# shellcheck source=../ptxcc/clang.sh.in
. "$home/libexec/clang.sh"

help() {
  text "Usage: cuda++ [options] FILE.cu … [-o PROGRAM]
Compiles CUDA C++, host and kernels, with clang for the embedded toolkit.

  -o FILE              the program, or with -c the object file; a.out without it
  -c                   compile only, to FILE.o
  -arch=sm_XX          the architecture of the kernels, sm_75 without it
  -I DIR  -D NAME[=V]  -U NAME  -include FILE  -std=c++17  -O0 … -O3  -g  -w      as ever
  -use_fast_math, -lineinfo, -fmad=…, -ftz=…, -prec-div=…, -prec-sqrt=…           as ptxcc
  -Xcompiler OPT,OPT   options for the host's half
  -L DIR  -l NAME  -Wl,…  -pthread                 for the linker
  --default-stream per-thread                      a default stream of each thread's own
  --cuda=12            with the functions of CUDA 12, for libcudart.so.12; 13 without it
  -v, --verbose        show the commands
  -h, --help           this text

Files that are not .cu go to clang as they are. PTXCC_CLANG names the clang to use (see ptxcc --help).
" "用法:cuda++ [选项] 文件.cu … [-o 程序]
用 clang 为嵌入式工具包编译 CUDA C++ 的主机代码和内核。

  -o 文件              生成的程序,与 -c 合用时为目标文件;默认 a.out
  -c                   只编译,生成 文件.o
  -arch=sm_XX          内核的架构,默认 sm_75
  -I 目录  -D 名字[=值]  -U 名字  -include 文件  -std=c++17  -O0 … -O3  -g  -w      与平常一样
  -use_fast_math、-lineinfo、-fmad=…、-ftz=…、-prec-div=…、-prec-sqrt=…            与 ptxcc 相同
  -Xcompiler 选项,选项 只用于主机代码的选项
  -L 目录  -l 名字  -Wl,…  -pthread                交给链接器
  --default-stream per-thread                      每个线程有自己的默认流
  --cuda=12            使用 CUDA 12 的函数,链接 libcudart.so.12;默认为 13
  -v, --verbose        显示所执行的命令
  -h, --help           本说明

不是 .cu 的文件原样交给 clang。环境变量 PTXCC_CLANG 指定所用的 clang(见 ptxcc --help)。
"
}

temporary_folder cudaxx

# Lists of words are kept as quoted text, because sh has one array only and a file's name may have a blank in it.
both='' device='' host='' link='' sources='' plain='' output='' cuda=13 compile_only=0 verbose=0 standard=-std=c++17 level=''
add() { # add LIST WORD …
  list=$1
  shift
  for word in "$@"; do eval "$list=\"\$$list \$(quoted \"\$word\")\""; done
}
need() { [ "$2" -gt 1 ] || fail "$(text "$1 needs a value after it" "$1 后面需要一个值")"; }

[ $# -gt 0 ] || { help >&2; exit 1; }
while [ $# -gt 0 ]; do
  option=$1
  case $option in
    -h | --help) help; exit 0 ;;
    -V | --version) exec "$home/bin/ptxcc" --version ;;
    -v | --verbose) verbose=1 ;;
    -o | --output-file) need "$option" $#; output=$2; shift ;;
    -o?*) output=${option#-o} ;;
    -c | --compile | -dc | --device-c)
      case $option in -dc | --device-c) fail "$(text "$option: device code is not linked here; a kernel's functions must be in its own file" "$option:这里不链接设备代码;内核所用的函数必须在同一文件中")" ;; esac
      compile_only=1 ;;
    -rdc=true | --relocatable-device-code=true)
      fail "$(text "$option: device code is not linked here; a kernel's functions must be in its own file" "$option:这里不链接设备代码;内核所用的函数必须在同一文件中")" ;;
    -I | -D | -U | -include | -isystem) need "$option" $#; add both "$option" "$2"; shift ;;
    -I* | -D* | -U* | -W[!l]* | -w) add both "$option" ;;
    -std=* | --std=*) standard=-std=${option#*=} ;;
    -std | --std) need "$option" $#; standard=-std=$2; shift ;;
    -O | -O[0-3s]) level=$option ;;
    -g | --debug) add host -g; add device -lineinfo ;;
    -G | --device-debug) add device -G ;;
    -arch | --gpu-architecture | -gencode | --generate-code | -code | --gpu-code)
      need "$option" $#; add device "$option" "$2"; shift ;;
    -arch=* | --gpu-architecture=* | -gencode=* | --generate-code=* | -code=* | --gpu-code=* | -lineinfo | --generate-line-info | \
      -use_fast_math | --use_fast_math | -ftz=* | --ftz=* | -prec-div=* | --prec-div=* | -prec-sqrt=* | --prec-sqrt=* | -fmad=* | --fmad=*)
      add device "$option" ;;
    -Xcompiler | --compiler-options)
      need "$option" $#
      for word in $(printf '%s' "$2" | tr ',' ' '); do add host "$word"; done
      shift ;;
    --default-stream | -default-stream) need "$option" $#; stream=$2; shift
      case $stream in per-thread) add both -DCUDA_API_PER_THREAD_DEFAULT_STREAM=1 ;; legacy | null) ;; *) fail "$(text "$option is legacy or per-thread, not '$stream'" "$option 只能是 legacy 或 per-thread,不能是 '$stream'")" ;; esac ;;
    --default-stream=per-thread | -default-stream=per-thread) add both -DCUDA_API_PER_THREAD_DEFAULT_STREAM=1 ;;
    --cuda=*)
      cuda=${option#*=}
      case $cuda in 12 | 13) ;; *) fail "$(text "--cuda is 12 or 13, not '$cuda'" "--cuda 只能是 12 或 13,不能是 '$cuda'")" ;; esac ;;
    -L | -l | -Xlinker) need "$option" $#; add link "$option" "$2"; shift ;;
    -L* | -l* | -Wl,* | -static-libstdc++ | -fsanitize=*) add link "$option" ;;
    -pthread) add host -pthread; add link -pthread ;;
    -x | --x) need "$option" $#; shift ;;
    # What nvcc takes and what makes no difference here.
    -m64 | --machine=64 | --extended-lambda | -extended-lambda | --expt-extended-lambda | -expt-extended-lambda | \
      --expt-relaxed-constexpr | -expt-relaxed-constexpr | -cudart=* | --cudart=* | -rdc=false | --default-stream=* | -default-stream=*) ;;
    -cudart | --cudart) need "$option" $#; shift ;;
    -*) fail "$(text "'$option' is not an option that is known here; see cuda++ --help" "不认识选项 '$option';见 cuda++ --help")" ;;
    *.cu) [ -f "$option" ] || fail "$(text "there is no file '$option'" "没有文件 '$option'")"; add sources "$option" ;;
    *.c | *.cc | *.cpp | *.cxx) add link "$option"; add plain "$option" ;;
    *) add link "$option" ;;
  esac
  shift
done
[ -n "$sources$link" ] || fail "$(text "no input file" "没有输入文件")"

find_clang
standard_folders >"$temporary/folders"
# For CUDA all of them; for what is not CUDA less those that make the library's functions the device's as well.
cuda_folders='' plain_folders=''
while IFS= read -r folder; do
  add cuda_folders -idirafter "$folder"
  case $folder in */cuda_wrappers) ;; *) add plain_folders -idirafter "$folder" ;; esac
done <"$temporary/folders"
[ -z "$cuda_folders" ] || cuda_folders="-nostdinc$cuda_folders" plain_folders="-nostdinc$plain_folders"
[ -n "$level" ] || level=-O2
# 13's headers are the toolkit's; what was otherwise in 12 lies in a folder of its own before them.
headers=$home/include
[ $cuda = 13 ] || headers=$home/include/$cuda

run() {
  [ $verbose = 0 ] || show "$@"
  "$@"
}
run_host() { # run_host SOURCE WORD…
  [ $verbose = 0 ] || { source=$1; shift; show "$clang" "$@"; set -- "$source" "$@"; }
  run_clang "$@"
}

# Numbers of 2, 4 and 8 bytes, lowest byte first, and text filled up to 8 bytes: what a fatbin is made of.
bytes() { # bytes NUMBER COUNT
  number=$1 left=$2
  while [ "$left" -gt 0 ]; do
    printf '%b' "\\0$(printf '%03o' $((number % 256)))"
    number=$((number / 256)) left=$((left - 1))
  done
}
fatbin_of() { # fatbin_of PTX: one entry, text as it is
  size=$(($(wc -c <"$1") + 1)) # the text ends with a zero
  whole=$(((size + 7) / 8 * 8))
  architecture=$(sed -n 's/^\.target sm_\([0-9]*\).*/\1/p' "$1")
  bytes 3126193488 4; bytes 1 2; bytes 16 2; bytes $((64 + whole)) 8
  bytes 1 2; bytes 257 2; bytes 64 4; bytes "$whole" 8; bytes 0 4; bytes 0 4; bytes 0 2; bytes 8 2
  bytes "$architecture" 4; bytes 0 4; bytes 0 4; bytes 17 8; bytes 0 8; bytes 0 8
  cat "$1"
  bytes 0 $((whole - size + 1))
}

# Both halves see the same declarations, and launches in the form of CUDA 9.2 and later.
compile() { # compile SOURCE OBJECT
  ptx=$temporary/kernels.ptx
  eval "run \"\$home/bin/ptxcc\" $device $both" '"$standard"' \
    -Xclang-option -Xclang -Xclang-option -target-sdk-version=11.0 -D__DRIVERLAB_PTXCC__=1 \
    '-isystem "$headers" -isystem "$home/include" -include cuda_runtime.h "$1" -o "$ptx"' || return 1
  # clang's host half has managed variables in HIP only (managed_variables.h), where a file needs a number of its own.
  language='-x cuda -Wno-unknown-cuda-version --cuda-path="$home"' behind='' managed=0
  if grep -q '\.attribute(\.managed)' "$ptx"; then
    managed=1 behind='-include managed_variables.h'
    language='-x hip -D__CUDA__=1 -Xclang -aux-triple -Xclang nvptx64-nvidia-cuda'
    language="$language -Xclang -cuid=$(readlink -f -- "$1" | cksum | tr -d ' ')"
  fi
  fatbin_of "$ptx" >"$temporary/kernels.fatbin" || return 1
  # As with nvcc that is a mistake, but clang's way to say so is to crash.
  crash_words=''
  [ $managed = 0 ] || crash_words=$(text "clang crashes on it; the address of a __managed__ variable cannot be the initial value of a global variable: assign it in a function" "clang 编译它时崩溃;__managed__ 变量的地址不能作全局变量的初值,请在函数中赋值")
  eval "run_host \"\$1\" $host $both" '"$standard" "$level"' \
    "$language --cuda-host-only -nocudainc -nocudalib" \
    '-Xclang -target-sdk-version=11.0 -Xclang -fcuda-include-gpubinary -Xclang "$temporary/kernels.fatbin"' \
    '-D__DRIVERLAB_PTXCC__=1 -isystem "$headers" -isystem "$home/include" -isystem "$home/include/ptxcc"' \
    "$cuda_folders -include cuda_runtime.h $behind" '-c "$1" -o "$2"'
}

# What has no kernels is clang's alone.
compile_plain() { # compile_plain SOURCE OBJECT [STANDARD]
  crash_words=''
  eval "run_host \"\$1\" $host $both $plain_folders" \
    '"$level" ${3:+"$3"} -isystem "$headers" -isystem "$home/include" -c "$1" -o "$2"'
}

eval "set -- $sources"
if [ $compile_only = 1 ]; then
  eval "set -- \"\$@\" $plain"
  [ $# -gt 0 ] || fail "$(text "-c, but there is no source among the files" "给出了 -c,但文件中没有源文件")"
  [ $# -le 1 ] || [ -z "$output" ] || fail "$(text "-c with -o takes one file" "-c 与 -o 合用时只能有一个文件")"
  for source in "$@"; do
    object=${source##*/}
    object=${output:-${object%.*}.o}
    case $source in
      *.cu) compile "$source" "$object" ;;
      *.c) compile_plain "$source" "$object" ;;
      *) compile_plain "$source" "$object" "$standard" ;;
    esac || exit 1
  done
  exit 0
fi
objects=''
count=0
for source in "$@"; do
  count=$((count + 1))
  compile "$source" "$temporary/$count.o" || exit 1
  add objects "$temporary/$count.o"
done
# The program finds the toolkit where it was linked; LD_LIBRARY_PATH comes before that.
crash_words=''
eval "run_host \"\${output:-a.out}\" $host $both $objects $link $plain_folders" '-isystem "$headers" -isystem "$home/include" -o "${output:-a.out}" -L"$home/lib" "-l:libcudart.so.$cuda" -lcuda' \
  '-Wl,--enable-new-dtags -Wl,-rpath,"$home/lib"'
