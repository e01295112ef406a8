#!/bin/sh
# SPDX-License-Identifier: MIT
# cuda++: compiles a .cu file, host and kernels, to a program for the embedded toolkit; no CUDA toolkit of NVIDIA's.
#
# Three steps, which --verbose shows: ptxcc makes PTX of the kernels, the PTX is packed as a fatbin, and clang compiles
# the host's half with the fatbin inside. Lies in bin/ of the embedded toolkit and finds everything beside it.
# Uses the command lines of clang and ptxcc; does not depend on the runtime that the program will call.
set -u

tool=${0##*/}
self=$(readlink -f -- "$0")
home=${self%/bin/*}
for part in libexec/clang.sh libexec/images.sh bin/ptxcc include/ptxcc/prelude.h include/cuda_runtime.h lib/libcudart.so; do
  [ ! -e "$home/$part" ] || continue
  # In both languages, because what knows the user's language may be what is missing.
  printf 'cuda++: a part is missing: %s; build or copy the whole embedded/ folder\ncuda++:缺少 %s;请构建或复制整个 embedded/ 目录\n' "$home/$part" "$home/$part" >&2
  exit 1
done
# shellcheck source=../ptxcc/clang.sh.in
. "$home/libexec/clang.sh"
# shellcheck source=../ptxcc/images.sh
. "$home/libexec/images.sh"

help() {
  text "Usage: cuda++ [options] FILE.cu … [-o PROGRAM]
Compiles CUDA C++, host and kernels, with clang for the embedded toolkit.

  -o FILE              the program, or with -c the object file; a.out without it
  -c                   compile only, to FILE.o;  -lib: to an archive;  -shared: to a shared library
  -ptx, -fatbin, -cubin, -E      as ptxcc;  -M, -MD, -MMD, -MF FILE, -MT TARGET: dependencies
  -arch=sm_XX          the architecture of the kernels, sm_75 without it; native, all, all-major
  -gencode arch=compute_XX,code=…  one of several architectures
  -rdc=true, -dc       device code may use what is in other files; it is linked with the program, or by -dlink
  -I DIR  -D NAME[=V]  -U NAME  -include FILE  -std=c++17  -O0 … -O3  -g  -w      as ever
  -use_fast_math, -lineinfo, -fmad=…, -ftz=…, -prec-div=…, -prec-sqrt=…           as ptxcc
  -Xcompiler OPT,OPT   options for the host's half, as -fPIC and others that begin with -f are
  -L DIR  -l NAME  -Wl,…  -pthread                 for the linker
  --default-stream per-thread                      a default stream of each thread's own
  --cuda=12            with the functions of CUDA 12, for libcudart.so.12; 13 without it
  -keep, -keep-dir DIR  keep the PTX and the fatbin;  --options-file FILE: more options
  -v, --verbose        show the commands;  -dryrun: only show them;  -run: start the program
  -h, --help           this text

Files that are not .cu go to clang as they are. PTXCC_CLANG names the clang to use (see ptxcc --help).
" "用法:cuda++ [选项] 文件.cu … [-o 程序]
用 clang 为嵌入式工具包编译 CUDA C++ 的主机代码和核函数。

  -o 文件              生成的程序,与 -c 合用时为目标文件;默认 a.out
  -c                   只编译,生成 文件.o;-lib 生成静态库;-shared 生成共享库
  -ptx、-fatbin、-cubin、-E      与 ptxcc 相同;-M、-MD、-MMD、-MF 文件、-MT 目标:依赖
  -arch=sm_XX          核函数的架构,默认 sm_75;也可为 native、all、all-major
  -gencode arch=compute_XX,code=…  多个架构中的一个
  -rdc=true、-dc       设备代码可以使用其他文件中的内容;与程序一起链接,或用 -dlink 单独链接
  -I 目录  -D 名字[=值]  -U 名字  -include 文件  -std=c++17  -O0 … -O3  -g  -w      与平常一样
  -use_fast_math、-lineinfo、-fmad=…、-ftz=…、-prec-div=…、-prec-sqrt=…            与 ptxcc 相同
  -Xcompiler 选项,选项 只用于主机代码的选项;-fPIC 等以 -f 开头的选项也是
  -L 目录  -l 名字  -Wl,…  -pthread                交给链接器
  --default-stream per-thread                      每个线程有自己的默认流
  --cuda=12            使用 CUDA 12 的函数,链接 libcudart.so.12;默认为 13
  -keep、-keep-dir 目录  保留 PTX 和 fatbin;--options-file 文件:从文件读取更多选项
  -v, --verbose        显示所执行的命令;-dryrun 只显示;-run 运行生成的程序
  -h, --help           本说明

不是 .cu 的文件原样交给 clang。环境变量 PTXCC_CLANG 指定所用的 clang(见 ptxcc --help)。
"
}

temporary_folder cudaxx

# Lists of words are kept as quoted text, because sh has one array only and a file's name may have a blank in it.
both='' device='' host='' link='' objects='' sources='' unknown='' dependencies=''
output='' cuda=13 mode=program kind='' runtime=1 relocatable=0 forward=0 verbose=0 dry=0 start=0 language='' keep=''
standard=-std=c++17 level='' dependency_file=''
add() { # add LIST WORD …
  list=$1
  shift
  for word in "$@"; do eval "$list=\"\$$list \$(quoted \"\$word\")\""; done
}
need() { [ "$2" -gt 1 ] || fail "$(text "$1 needs a value after it" "$1 后面需要一个值")"; }
for_host() { for word in $(printf '%s' "$1" | tr ',' ' '); do add host "$word"; done; }
set_stream() {
  case $2 in per-thread) add both -DCUDA_API_PER_THREAD_DEFAULT_STREAM=1 ;; legacy | null) ;; *) fail "$(text "$1 is legacy or per-thread, not '$2'" "$1 只能是 legacy 或 per-thread,不能是 '$2'")" ;; esac
}
set_runtime() {
  case $2 in none) runtime=0 ;; shared | static) ;; *) fail "$(text "$1 is none, shared or static, not '$2'" "$1 只能是 none、shared 或 static,不能是 '$2'")" ;; esac
}
# A file keeps its language, its place in the link, and whether it is a source.
add_file() {
  [ -f "$1" ] || fail "$(text "there is no file '$1'" "没有文件 '$1'")"
  case $language:$1 in
    cu:* | :*.cu) add sources cu "$1" ;;
    c:* | :*.c) add sources c "$1" ;;
    c++:* | :*.cc | :*.cpp | :*.cxx | :*.C) add sources c++ "$1" ;;
    *) add objects "$1"; add link "$1" ;;
  esac
}
# What build systems look for: which toolkit it would be, and where its parts are. CMake wants the last line's form; there
# is no such folder.
show_version() {
  printf 'cuda++ of CUDA Driver Lab, which compiles with clang %s; build systems look for the lines below\n' "$clang_version"
  printf 'nvcc: NVIDIA (R) Cuda compiler driver\nCuda compilation tools, release 13.0, V13.0.0\n'
}
show_places() {
  {
    printf '#$ TOP=%s\n#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n#$ PATH=%s\n' "$home" "$home" "$PATH"
    printf '#$ INCLUDES="-I%s/include"\n#$ LIBRARIES=%s\n' "$home" "$(quoted "-L$home/lib")"
  } >&2
}

[ $# -gt 0 ] || { help >&2; exit 1; }
while [ $# -gt 0 ]; do
  option=$1
  refuse "$option"
  case $option in
    -h | --help) help; exit 0 ;;
    -V | --version) show_version; exit 0 ;;
    -v | --verbose) [ $verbose = 1 ] || show_places; verbose=1 ;;
    -dryrun | --dryrun) verbose=1 dry=1 ;;
    -optf | --options-file) need "$option" $#; file=$2; shift ;;
    -optf=* | --options-file=*) file=${option#*=} ;;
    -o | --output-file) need "$option" $#; output=$2; shift ;;
    -opt-info | -objtemp | -opt-info=*) case $option in -opt-info) need "$option" $#; shift ;; esac ;;
    -o?*) output=${option#-o} ;;
    --output-file=*) output=${option#*=} ;;
    -c | --compile) mode=object ;;
    -dc | --device-c) mode=object relocatable=1 ;;
    -dw | --device-w) mode=object ;;
    -rdc | --relocatable-device-code) need "$option" $#; [ "$2" != true ] || relocatable=1; shift ;;
    -rdc=true | --relocatable-device-code=true) relocatable=1 ;;
    -rdc=false | --relocatable-device-code=false) relocatable=0 ;;
    -dlink | --device-link) mode=device_link ;;
    -lib | --lib) mode=library ;;
    -link | --link) mode=program ;;
    -run | --run) start=1 ;;
    -ptx | --ptx | -fatbin | --fatbin | -cubin | --cubin) mode=kernels kind=-${option##*-} ;;
    -E | --preprocess) mode=preprocessed ;;
    -M | -MM) mode=dependencies; add dependencies "$option" ;;
    --generate-dependencies) mode=dependencies; add dependencies -M ;;
    --generate-nonsystem-dependencies) mode=dependencies; add dependencies -MM ;;
    -MD | -MMD | -MP) add dependencies "$option" ;;
    --generate-dependencies-with-compile) add dependencies -MD ;;
    --generate-nonsystem-dependencies-with-compile) add dependencies -MMD ;;
    --generate-dependency-targets) add dependencies -MP ;;
    -MF | --dependency-output) need "$option" $#; dependency_file=$2; shift ;;
    -MT | --dependency-target-name | -MQ) need "$option" $#; add dependencies -MT "$2"; shift ;;
    -keep | --keep | -save-temps | --save-temps) [ -n "$keep" ] || keep=. ;;
    -keep-dir | --keep-dir) need "$option" $#; keep=$2; shift ;;
    -keep-dir=* | --keep-dir=*) keep=${option#*=} ;;
    -I | -D | -U | -include | -isystem) need "$option" $#; add both "$option" "$2"; shift ;;
    -isystem=* | --system-include=*) add both -isystem "${option#*=}" ;;
    -I=* | --include-path=*) add both "-I${option#*=}" ;;
    --define-macro=*) add both "-D${option#*=}" ;;
    -Wl,*) add link "$option" ;;
    -Werror=all-warnings) add both -Werror ;;
    -Werror) case ${2:-} in all-warnings) shift ;; esac; add both -Werror ;;
    -I* | -D* | -U* | -w) add both "$option" ;;
    -W*) ignored "$option" || add both "$option" ;;
    -std=* | --std=*) standard=-std=${option#*=} ;;
    -std | --std) need "$option" $#; standard=-std=$2; shift ;;
    -O | -O[0-3s]) level=$option ;;
    -g | --debug) add host -g; add device -lineinfo ;;
    -G | --device-debug) add device -G ;;
    -arch | --gpu-architecture | -gencode | --generate-code | -code | --gpu-code)
      need "$option" $#; add device "$option" "$2"; shift ;;
    -keep-device-functions | --keep-device-functions | -arch=* | --gpu-architecture=* | -gencode=* | --generate-code=* | -code=* | --gpu-code=* | -lineinfo | --generate-line-info | \
      -use_fast_math | --use_fast_math | -ftz=* | --ftz=* | -prec-div=* | --prec-div=* | -prec-sqrt=* | --prec-sqrt=* | -fmad=* | --fmad=*)
      add device "$option" ;;
    -Xcompiler | --compiler-options) need "$option" $#; for_host "$2"; shift ;;
    -Xcompiler=* | --compiler-options=*) for_host "${option#*=}" ;;
    -forward-unknown-to-host-compiler | --forward-unknown-to-host-compiler | -forward-unknown-opts | --forward-unknown-opts) forward=1 ;;
    -forward-unknown-to-host-linker | --forward-unknown-to-host-linker) ;;
    --default-stream | -default-stream) need "$option" $#; set_stream "$option" "$2"; shift ;;
    --default-stream=* | -default-stream=*) set_stream "${option%%=*}" "${option#*=}" ;;
    -cudart | --cudart) need "$option" $#; set_runtime "$option" "$2"; shift ;;
    -cudart=* | --cudart=*) set_runtime "${option%%=*}" "${option#*=}" ;;
    --cuda=*)
      cuda=${option#*=}
      case $cuda in 12 | 13) ;; *) fail "$(text "--cuda is 12 or 13, not '$cuda'" "--cuda 只能是 12 或 13,不能是 '$cuda'")" ;; esac ;;
    # The runtime is linked in any case, and the device's has nothing that could be linked.
    -lcudart | -lcudart_static | -lcudadevrt) ;;
    -L | -l | -Xlinker) need "$option" $#; add link "$option" "$2"; shift ;;
    --linker-options | --library | --library-path) need "$option" $#
      case $option in --library) add link "-l$2" ;; --library-path) add link "-L$2" ;; *) add link "-Wl,$2" ;; esac; shift ;;
    -Xlinker=* | --linker-options=*) add link "-Wl,${option#*=}" ;;
    --library=*) add link "-l${option#*=}" ;;
    -L=* | --library-path=*) add link "-L${option#*=}" ;;
    --shared) add link -shared ;;
    -L* | -l* | -shared | -static-lib* | -rdynamic | -pie | -no-pie | -s | -fuse-ld=*) add link "$option" ;;
    -fsanitize=*) add link "$option" ;;
    -pthread) add host -pthread; add link -pthread ;;
    -f* | -march=* | -mtune=* | -pipe | -pg) add host "$option" ;;
    -x | --x) need "$option" $#; language=$2; shift ;;
    -x=* | --x=*) language=${option#*=} ;;
    -*)
      ignored "$option"
      case $? in 0) ;; 2) need "$option" $#; shift ;; *) add unknown "$option" ;; esac ;;
    *) add_file "$option" ;;
  esac
  shift
  if [ -n "${file:-}" ]; then
    [ -f "$file" ] || fail "$(text "there is no file '$file'" "没有文件 '$file'")"
    xargs -n 1 printf '%s\n' <"$file" >"$temporary/options" || exit 1
    more='' file=''
    while IFS= read -r word; do [ -z "$word" ] || add more "$word"; done <"$temporary/options"
    eval "set -- $more \"\$@\""
  fi
done
if [ -n "$unknown" ] && [ $forward = 0 ]; then
  eval "set -- $unknown"
  fail "$(text "'$1' is not an option that is known here; see cuda++ --help, or hand it to the host's compiler with -Xcompiler '$1'" "不认识选项 '$1';见 cuda++ --help,或用 -Xcompiler '$1' 交给主机编译器")"
fi
host="$host$unknown"
case $language in '' | cu | c | c++) ;; *) fail "$(text "-x is cu, c or c++, not '$language'" "-x 只能是 cu、c 或 c++,不能是 '$language'")" ;; esac
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
[ "$cuda" = 13 ] || { headers=$home/include/$cuda; add both -D__DRIVERLAB_CUDA_12__=1; }

run() {
  [ $verbose = 0 ] || show "$@"
  [ $dry = 1 ] || "$@"
}
run_host() { # run_host SOURCE WORD…
  [ $verbose = 0 ] || { source=$1; shift; show "$clang" "$@"; set -- "$source" "$@"; }
  [ $dry = 1 ] || run_clang "$@"
}

# Both halves see the same declarations, and launches in the form of CUDA 9.2 and later.
kernels() { # kernels KIND SOURCE RESULT
  eval "run \"\$home/bin/ptxcc\" $device $both" '"$standard" "$1"' \
    -Xclang-option -Xclang -Xclang-option -target-sdk-version=11.0 -D__DRIVERLAB_PTXCC__=1 \
    '-isystem "$headers" -isystem "$home/include" -include cuda_runtime.h "$2" -o "$3"'
}
keep_kernels() { # keep_kernels SOURCE: what is in the fatbin, under the names that nvcc gives it
  stem=$keep/${1##*/}
  stem=${stem%.*}
  cp "$temporary/kernels.fatbin" "$stem.fatbin" || exit 1
  texts_of "$temporary/kernels.fatbin" '' '' >"$temporary/kept"
  while read -r architecture; do
    texts_of "$temporary/kernels.fatbin" "$architecture" "$temporary"
    if [ "$(wc -l <"$temporary/kept")" = 1 ]; then mv "$temporary/1" "$stem.ptx"; else mv "$temporary/1" "$stem.compute_$architecture.ptx"; fi
  done <"$temporary/kept"
}
number_of() { readlink -f -- "$1" | cksum | tr -d ' '; } # a number of its own for a file
compile_cuda() { # compile_cuda SOURCE WORD…: the host's half, with the kernels inside, by clang with these words
  source=$1
  shift
  own='' crash_words='' language='-x cuda -Wno-unknown-cuda-version --cuda-path="$home"' behind=''
  # CMake asks which compiler this is by a macro that is nvcc's alone.
  case ${source##*/} in CMakeCUDACompilerId.cu) own='-D__NVCC__=1' ;; esac
  if [ $relocatable = 1 ]; then
    both_before=$both device_before=$device
    device="$device -rdc=true -Xclang-option -cuid=$(number_of "$source")"
    own="$own -fgpu-rdc -Xclang -cuid=$(number_of "$source")"
  fi
  kernels -fatbin "$source" "$temporary/kernels.fatbin" || return 1
  [ $relocatable = 0 ] || both=$both_before device=$device_before
  if [ $dry = 0 ]; then
    [ -z "$keep" ] || keep_kernels "$source"
    # clang's host half has managed variables in HIP only (managed_variables.h), where a file needs a number of its own.
    if grep -qa '\.attribute(\.managed)' "$temporary/kernels.fatbin"; then
      [ $relocatable = 0 ] || fail "$(text "$source: a __managed__ variable cannot be linked with other files' device code; put it into a file that is compiled without -rdc=true" "$source:__managed__ 变量不能与其他文件的设备代码链接;请把它放到不用 -rdc=true 编译的文件中")"
      behind='-include managed_variables.h'
      language='-x hip -D__CUDA__=1 -Xclang -aux-triple -Xclang nvptx64-nvidia-cuda'
      language="$language -Xclang -cuid=$(number_of "$source")"
      # As with nvcc that is a mistake, but clang's way to say so is to crash.
      crash_words=$(text "clang crashes on it; the address of a __managed__ variable cannot be the initial value of a global variable: assign it in a function" "clang 编译它时崩溃;__managed__ 变量的地址不能作全局变量的初值,请在函数中赋值")
    fi
  fi
  eval "run_host \"\$source\" $host $both $own" '"$standard" "$level"' \
    "$language --cuda-host-only -nocudainc -nocudalib -Wno-invalid-constexpr" \
    '-Xclang -target-sdk-version=11.0 -Xclang -fcuda-include-gpubinary -Xclang "$temporary/kernels.fatbin"' \
    '-D__DRIVERLAB_PTXCC__=1 -isystem "$headers" -isystem "$home/include" -isystem "$home/include/ptxcc"' \
    "$cuda_folders -include cuda_runtime.h $behind" '"$@" "$source"'
}
# What has no kernels is clang's alone.
compile() { # compile LANGUAGE SOURCE WORD…
  crash_words=''
  if [ "$1" = cu ]; then
    shift
    compile_cuda "$@"
    return
  fi
  source=$2 own=''
  [ "$1" = c ] || own=$standard
  of=$1
  shift 2
  eval "run_host \"\$source\" $host $both $plain_folders" \
    '"$level" ${own:+"$own"} -isystem "$headers" -isystem "$home/include" -x "$of" "$@" "$source"'
}
# compile_to LANGUAGE SOURCE OBJECT: with the dependencies, which are named for what the user gets.
compile_to() {
  if [ -z "$dependencies" ]; then
    compile "$1" "$2" -c -o "$3"
    return
  fi
  of=$output
  [ $mode = object ] && of=$3
  depends=${of:-${2##*/}}
  depends=${dependency_file:-${depends%.*}.d}
  case $dependencies in *" -MT "*) target='' ;; *) target='-MT "${of:-a.out}"' ;; esac
  eval "compile \"\$1\" \"\$2\" -c -o \"\$3\" $target $dependencies -MF \"\$depends\""
}

# Device code of several files: what each object needs is in a section of its own, as a fatbin, and waits to be registered
# by a function that is nowhere. Linked, it is one text of several units, which the driver reads as one module.
undefined_registrations() { # undefined_registrations FILE…
  nm -- "$@" 2>/dev/null | awk '
    NF > 1 && $(NF - 1) == "U" && $NF ~ /^__cudaRegisterLinkedBinary__nv_/ { wanted[$NF] = 1 }
    NF > 1 && $(NF - 1) == "T" && $NF ~ /^__cudaRegisterLinkedBinary__nv_/ { there[$NF] = 1 }
    END { for (name in wanted) if (!(name in there)) print substr(name, length("__cudaRegisterLinkedBinary") + 1) }' | sort
}
# objects_with_device_code FILE…: objects, and those in archives, taken apart.
objects_with_device_code() {
  for file in "$@"; do
    case $file in
      *.a)
        mkdir "$temporary/archive.$((archives += 1))" || exit 1
        file=$(readlink -f -- "$file")
        (cd "$temporary/archive.$archives" && ar x "$file") || exit 1
        for member in "$temporary/archive.$archives"/*; do
          [ ! -f "$member" ] || objects_with_section "$member"
        done ;;
      *.so | *.so.*) ;;
      *) objects_with_section "$file" ;;
    esac
  done
}
objects_with_section() {
  objcopy -O binary --only-section=__nv_relfatbin -- "$1" "$temporary/section.$((sections += 1))" 2>/dev/null
  # What another link has taken already has its registration.
  [ -s "$temporary/section.$sections" ] || { rm -f "$temporary/section.$sections"; sections=$((sections - 1)); }
}
link_device() { # link_device OBJECT FILE…
  object=$1
  shift
  undefined_registrations "$@" >"$temporary/registrations"
  archives=0 sections=0 texts=''
  objects_with_device_code "$@"
  while [ $sections -gt 0 ]; do
    texts_of "$temporary/section.$sections" '' ''
    sections=$((sections - 1))
  done | sort -nu >"$temporary/architectures"
  while read -r architecture; do
    joined=$temporary/linked.$architecture.ptx
    : >"$joined"
    for section in "$temporary"/section.*; do
      rm -rf "$temporary/units" && mkdir "$temporary/units" || exit 1
      texts_of "$section" "$architecture" "$temporary/units" || continue 2 # not for this one
      for unit in "$temporary/units"/*; do
        [ ! -s "$joined" ] || printf '\n//# the next unit of a linked program\n' >>"$joined"
        cat "$unit" >>"$joined"
      done
    done
    missing=$(awk '
      /^\.extern \.(func|global|const|shared)/ || /^\.(visible|weak|entry|func|global|const|common|func)/ {
        name = $0
        if (name ~ /\.(func|entry)/) { sub(/\.func +\([^)]*\)/, ".func", name); sub(/.*\.(func|entry) +/, "", name); sub(/[^A-Za-z0-9_$].*/, "", name) }
        else { sub(/ *[[=;].*/, "", name); sub(/.* /, "", name) }
        if ($0 ~ /^\.extern/ && $0 !~ /\[\];$/) wanted[name] = 1
        else there[name] = 1
      }
      END { for (name in wanted) if (!(name in there) && name !~ /^(vprintf|malloc|free|__assertfail|cuda.*)$/) print name }' "$joined" | sort | head -n 1)
    [ -z "$missing" ] || fail "$(text "device code uses '$missing', and no file has it; link the file that does, or compile it with -rdc=true" "设备代码使用了 '$missing',但没有文件定义它;请链接定义它的文件,或用 -rdc=true 编译该文件")"
    add texts "$joined"
  done <"$temporary/architectures"
  eval "fatbin_of $texts" >"$temporary/linked.fatbin" || exit 1
  {
    cat <<C
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFatBinaryEnd(void**);
void __cudaUnregisterFatBinary(void**);
int atexit(void (*)(void));
__asm__(".pushsection .nv_fatbin,\"a\",@progbits\n.p2align 4\ndriverlab_linked:\n.incbin \"$temporary/linked.fatbin\"\n.popsection");
__attribute__((visibility("hidden"))) extern const char driverlab_linked[];
static struct { unsigned magic, version; const void* data; void* unused; } wrapper
    __attribute__((section(".nvFatBinSegment"))) = {0x466243b1, 1, driverlab_linked, 0};
static void** handle;
static int waiting = $(wc -l <"$temporary/registrations");
static void leave(void) { __cudaUnregisterFatBinary(handle); }
static void take(void (*enter)(void**)) {
  if (!handle) {
    handle = __cudaRegisterFatBinary(&wrapper);
    atexit(leave);
  }
  enter(handle);
  if (--waiting == 0) __cudaRegisterFatBinaryEnd(handle);
}
#define FILE_WITH(id) \\
  extern char __fatbinwrap##id; \\
  __attribute__((used)) static const char* const of##id = &__fatbinwrap##id; \\
  void __cudaRegisterLinkedBinary##id(void (*enter)(void**), void* w, void* i, void (*c)(void*)) { (void)w; (void)i; (void)c; take(enter); }
C
    sed 's/.*/FILE_WITH(&)/' "$temporary/registrations"
  } >"$temporary/registered.c"
  run_host "$temporary/registered.c" -x c -O1 -fPIC -c -o "$object" "$temporary/registered.c"
}

stem_of() { stem=${1##*/}; stem=${stem%.*}; }
each_source() { # each_source FUNCTION: FUNCTION LANGUAGE SOURCE
  eval "set -- \"\$1\" $sources"
  function=$1
  shift
  [ $# -gt 0 ] || fail "$(text "there is no source among the files" "文件中没有源文件")"
  [ $# -le 2 ] || [ -z "$output" ] || case $function in to_object) fail "$(text "-o takes one file here" "-o 在此只能对应一个文件")" ;; esac
  while [ $# -gt 0 ]; do
    "$function" "$1" "$2" || exit 1
    shift 2
  done
}
to_object() { stem_of "$2"; compile_to "$1" "$2" "${output:-$stem.o}"; }
to_kernels() {
  [ "$1" = cu ] || return 0
  stem_of "$2"
  [ $relocatable = 0 ] || add device -rdc=true
  kernels "$kind" "$2" "${output:-$stem.${kind#-}}"
}
to_standard_output() { compile "$1" "$2" -E -o "${output:--}"; }
to_dependencies() {
  stem_of "$2"
  case $dependencies in *" -MT "*) target='' ;; *) target='-MT "$stem.o"' ;; esac
  eval "compile \"\$1\" \"\$2\" $target $dependencies -o \"\${output:--}\""
}
to_temporary() {
  nth=$((nth + 1))
  compile_to "$1" "$2" "$temporary/$nth.o" || return 1
  add made "$temporary/$nth.o"
}

made='' nth=0
case $mode in
  object) each_source to_object; exit 0 ;;
  kernels) each_source to_kernels; exit 0 ;;
  preprocessed) each_source to_standard_output; exit 0 ;;
  dependencies) each_source to_dependencies; exit 0 ;;
  device_link)
    eval "set -- $objects"
    link_device "${output:-a_dlink.o}" "$@"
    exit ;;
esac
[ -z "$sources" ] || each_source to_temporary
if [ $mode = library ]; then
  eval "run ar rcs \"\${output:-a.a}\" $made $objects"
  exit
fi
if [ $dry = 0 ]; then
  eval "set -- $made $objects"
  if [ $# -gt 0 ] && [ -n "$(undefined_registrations "$@")" ]; then
    link_device "$temporary/device.o" "$@" || exit 1
    add made "$temporary/device.o"
  fi
fi
# The program finds the toolkit where it was linked; LD_LIBRARY_PATH comes before that.
crash_words='' libraries=''
[ $runtime = 0 ] || libraries='"-l:libcudart.so.$cuda" -lcuda'
eval "run_host \"\${output:-a.out}\" $host $both $made $link $plain_folders" '-isystem "$headers" -isystem "$home/include" -o "${output:-a.out}" -L"$home/lib"' \
  "$libraries" '-Wl,--enable-new-dtags -Wl,-rpath,"$home/lib"' || exit 1
# CMake links by what it finds in this place: by cuda++ the program finds the toolkit.
case $verbose:$sources in 1:*CMakeCUDACompilerId.cu*) printf -- '-arch compute_75\n%s %s -lcudart\n' "$(quoted "$home/bin/cuda++")" "$(quoted "-L$home/lib")" >&2 ;; esac
[ $start = 0 ] || [ $dry = 1 ] || exec "$(readlink -f -- "${output:-a.out}")"
