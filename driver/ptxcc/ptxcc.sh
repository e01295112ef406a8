#!/bin/sh
# SPDX-License-Identifier: MIT
# ptxcc: compiles the kernels of a CUDA C++ file to PTX, with clang and headers of our own; no CUDA toolkit.
#
# Takes the options that people know from nvcc. Lies in bin/ of the embedded toolkit and finds its headers beside it,
# so that the folder can be moved. Does not depend on the driver that will load the PTX.
set -u

# Headers and what both compilers share lie beside the real place of this file, whatever link it was called by.
tool=ptxcc
self=$(readlink -f -- "$0")
home=${self%/bin/*}
headers=$home/include/ptxcc
if [ ! -f "$headers/prelude.h" ] || [ ! -f "$home/libexec/clang.sh" ] || [ ! -f "$home/libexec/images.sh" ]; then
  # In both languages, because what knows the user's language may be what is missing.
  printf 'ptxcc: parts of the toolkit are missing beside %s; build or copy the whole embedded/ folder\nptxcc:%s 旁缺少工具包的其他部分;请构建或复制整个 embedded/ 目录\n' "$self" "$self" >&2
  exit 1
fi
# shellcheck source=clang.sh.in
. "$home/libexec/clang.sh"
# shellcheck source=images.sh
. "$home/libexec/images.sh"

help() {
  text "Usage: ptxcc [options] FILE.cu
Compiles the kernels of a CUDA C++ file to PTX with clang; no CUDA toolkit is needed.

  -o FILE              where the result goes; FILE.ptx here without it, - for the standard output
  -ptx, -fatbin, -cubin   what is made: PTX, without any of them; a fatbin, which may hold PTX for several architectures;
                       an image for one architecture, in which the driver finds the PTX
  -arch=sm_XX          the architecture, sm_75 without it (compute_XX means the same; native, all, all-major)
  -gencode arch=compute_XX,code=…   one of several architectures
  -I DIR  -D NAME[=V]  -U NAME  -include FILE      as ever
  -std=c++17           c++11 to c++23
  -O0 … -O3            -O3 without it
  -G, -g               for debugging: not optimised, with positions
  -lineinfo            optimised, with positions
  -use_fast_math       fast approximations, subnormal numbers flushed
  -ftz=, -prec-div=, -prec-sqrt=, -fmad=true|false
  -rdc=true, -dc       keep device functions that another file calls
  -M, -MD -MF FILE -MT TARGET       dependencies, as make wants them
  -E                   what the preprocessor makes of the kernels' half
  -Xclang-option OPT   hand OPT to clang
  -v, --verbose        show clang's command;  --dryrun: only show it
  -h, --help           this text;  --version: which clang it is

clang 19 is used, and no other; PTXCC_CLANG says where it is if clang++-19 is not in PATH. No folder is searched for
headers but the toolkit's own, those of the standard library and those of -I.
" "用法:ptxcc [选项] 文件.cu
用 clang 把 CUDA C++ 文件中的核函数编译成 PTX;不需要 CUDA 工具包。

  -o 文件              PTX 写到哪里;不写则为当前目录下的 文件.ptx,- 表示标准输出
  -ptx、-fatbin、-cubin   生成什么:默认为 PTX;fatbin 可包含多个架构的 PTX;cubin 是一个架构的映像,驱动从中取出 PTX
  -arch=sm_XX          架构,默认 sm_75(compute_XX 含义相同;也可为 native、all、all-major)
  -gencode arch=compute_XX,code=…   多个架构中的一个
  -I 目录  -D 名字[=值]  -U 名字  -include 文件      与平常一样
  -std=c++17           c++11 到 c++23
  -O0 … -O3            默认 -O3
  -G, -g               用于调试:不优化,带源码位置
  -lineinfo            优化,带源码位置
  -use_fast_math       用快速近似,非规格化数按零处理
  -ftz=, -prec-div=, -prec-sqrt=, -fmad=true|false
  -rdc=true, -dc       保留供其他文件调用的设备函数
  -M, -MD -MF 文件 -MT 目标         按 make 的格式输出依赖
  -E                   核函数一半的预处理结果
  -Xclang-option 选项  把选项直接交给 clang
  -v, --verbose        显示 clang 的命令;--dryrun:只显示,不执行
  -h, --help           本说明;--version:使用的是哪个 clang

只使用 clang 19;若 PATH 中没有 clang++-19,可用环境变量 PTXCC_CLANG 指定其位置。头文件只在工具包自带的目录、
标准库目录和 -I 给出的目录中查找。
"
}

# The arguments are turned round once: each is taken from the front, what clang is to get goes to the back.
source='' output='' kind=ptx architectures='' level=-O3 standard=-std=c++17 debug='' fast=0 verbose=0 dry=0 only_dependencies=0 dependencies=0 preprocessed=0 relocatable=0 keep_functions=0
dependency_file='' dependency_target=''
left=$#
need() { [ "$left" -gt 0 ] || fail "$(text "$1 needs a value after it" "$1 后面需要一个值")"; }
truth() {
  case $2 in true) return 0 ;; false) return 1 ;; esac
  fail "$(text "$1 is true or false, not '$2'" "$1 只能是 true 或 false,不能是 '$2'")"
}
[ $# -gt 0 ] || { help >&2; exit 1; }
while [ "$left" -gt 0 ]; do
  option=$1
  shift
  left=$((left - 1))
  refuse "$option"
  case $option in
    -h | --help) help; exit 0 ;;
    -V | --version) find_clang; printf 'ptxcc %s\n' "$clang"; exec "$clang" --version ;;
    -v | --verbose) verbose=1 ;;
    -dryrun | --dryrun) verbose=1 dry=1 ;;
    -o | --output-file) need "$option"; output=$1; shift; left=$((left - 1)) ;;
    -opt-info | -objtemp | -opt-info=*) case $option in -opt-info) need "$option"; shift; left=$((left - 1)) ;; esac ;;
    -o?*) output=${option#-o} ;;
    --output-file=*) output=${option#*=} ;;
    -I | -D | -U | -include | -isystem | -imacros) need "$option"; set -- "$@" "$option" "$1"; shift; left=$((left - 1)) ;;
    -isystem=* | --system-include=*) set -- "$@" -isystem "${option#*=}" ;;
    -I=* | --include-path=*) set -- "$@" "-I${option#*=}" ;;
    --define-macro=*) set -- "$@" "-D${option#*=}" ;;
    -Werror=all-warnings) set -- "$@" -Werror ;;
    -Werror) case ${1:-} in all-warnings) shift; left=$((left - 1)) ;; esac; set -- "$@" -Werror ;;
    -I* | -D* | -U*) set -- "$@" "$option" ;;
    -W*) ignored "$option" || set -- "$@" "$option" ;;
    # What is for the host's half or its linker.
    -Xcompiler | --compiler-options | -Xlinker | --linker-options) need "$option"; shift; left=$((left - 1)) ;;
    -Xcompiler=* | --compiler-options=* | -Xlinker=* | --linker-options=* | -f[pP][iI][cCeE] | -pthread | -keep | --keep) ;;
    -keep-dir | --keep-dir) need "$option"; shift; left=$((left - 1)) ;;
    -std=* | --std=*) standard=-std=${option#*=} ;;
    -std | --std) need "$option"; standard=-std=$1; shift; left=$((left - 1)) ;;
    -O | -O[0-3s]) level=$option ;;
    -arch | --gpu-architecture) need "$option"; architectures=$(numbers_of "$1") || exit 1; shift; left=$((left - 1)) ;;
    -arch=* | --gpu-architecture=*) architectures=$(numbers_of "${option#*=}") || exit 1 ;;
    -gencode | --generate-code)
      need "$option"; number=$(numbers_of "$1") || exit 1
      architectures="$architectures $number"; shift; left=$((left - 1)) ;;
    -gencode=* | --generate-code=*) number=$(numbers_of "${option#*=}") || exit 1; architectures="$architectures $number" ;;
    -code | --gpu-code) need "$option"; shift; left=$((left - 1)) ;;
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
      if truth -rdc "${option#*=}"; then relocatable=1; else relocatable=0; fi ;;
    -rdc | --relocatable-device-code)
      need "$option"
      if truth -rdc "$1"; then relocatable=1; else relocatable=0; fi
      shift; left=$((left - 1)) ;;
    -dc | --device-c) relocatable=1 ;;
    -keep-device-functions | --keep-device-functions) keep_functions=1 ;;
    -M | -MM | --generate-dependencies | --generate-nonsystem-dependencies) only_dependencies=1 ;;
    -MD | -MMD | --generate-dependencies-with-compile | --generate-nonsystem-dependencies-with-compile) dependencies=1 ;;
    -MF | --dependency-output) need "$option"; dependencies=1 dependency_file=$1; shift; left=$((left - 1)) ;;
    -MT | --dependency-target-name) need "$option"; dependency_target=$1; shift; left=$((left - 1)) ;;
    -MP | --generate-dependency-targets) set -- "$@" -MP ;;
    -Xclang-option) need "$option"; set -- "$@" "$1"; shift; left=$((left - 1)) ;;
    -w | --disable-warnings) set -- "$@" -w ;;
    -x | --x) need "$option"; shift; left=$((left - 1)) ;;
    -default-device | --default-device) ;;
    -ptx | --ptx) kind=ptx ;;
    -fatbin | --fatbin) kind=fatbin ;;
    -cubin | --cubin) kind=cubin ;;
    -E | --preprocess) preprocessed=1 ;;
    -c | --compile | -link | --link | -run | --run | -lib | --lib | -dlink | --device-link | -shared | --shared)
      fail "$(text "$option: only kernels are compiled here; cuda++ makes objects, libraries and programs" "$option:这里只编译核函数;目标文件、库和程序请用 cuda++ 生成")" ;;
    -) source=- ;;
    -*)
      ignored "$option"
      case $? in 0) continue ;; 2) need "$option"; shift; left=$((left - 1)); continue ;; esac
      fail "$(text "'$option' is not an option that is known here; see ptxcc --help, or hand it to clang with -Xclang-option '$option'" "不认识选项 '$option';见 ptxcc --help,或用 -Xclang-option '$option' 交给 clang")" ;;
    *)
      [ -z "$source" ] || fail "$(text "one file at a time, but there are '$source' and '$option'" "一次只能编译一个文件,但给出了 '$source' 和 '$option'")"
      source=$option ;;
  esac
done

[ -n "$source" ] || fail "$(text "no input file" "没有输入文件")"
[ "$source" = - ] || [ -f "$source" ] || fail "$(text "there is no file '$source'" "没有文件 '$source'")"
if [ -z "$output" ]; then
  output=-
  if [ "$source" != - ] && [ $preprocessed = 0 ]; then
    output=${source##*/}
    output=${output%.*}.$kind
  fi
fi
# A name that looks like an option.
case $output in -?*) output=./$output ;; esac
case $source in -?*) source=./$source ;; esac

find_clang

# The newest architecture and PTX that clang writes. A GPU takes PTX for an older architecture as well.
known=90 ptx=78
[ -n "$architectures" ] || architectures=75
wanted=$architectures architectures=''
for arch in $wanted; do
  if [ "${arch%[af]}" -gt $known ]; then
    say "$(text "clang $clang_version knows no sm_$arch: this is PTX for sm_$known, which newer GPUs run as well" "clang $clang_version 不认识 sm_$arch:生成 sm_$known 的 PTX,更新的 GPU 也能运行")"
    arch=$known
  fi
  case " $architectures " in *" $arch "*) continue ;; esac
  if [ "${arch%[af]}" -lt 60 ]; then
    # GPUs that take it are left out if there are others.
    case " $wanted" in *" "[6-9][0-9]* | *" "1[0-9][0-9]*) continue ;; esac
    fail "$(text "sm_$arch is too old: sm_60 is the oldest that is supported" "sm_$arch 太旧:最低支持 sm_60")"
  fi
  architectures="$architectures $arch"
done
architectures=${architectures# }
case $kind:$architectures in
  ptx:*" "* | cubin:*" "*)
    fail "$(text "-$kind is for one architecture, and there are $(echo "$architectures" | wc -w): make a fatbin of them with -fatbin" "-$kind 只能用于一个架构,而这里有 $(echo "$architectures" | wc -w) 个:请用 -fatbin 生成 fatbin")" ;;
esac

case $debug in
  full) level=-O0; set -- "$@" -g -D__CUDACC_DEBUG__ ;;
  lines) set -- "$@" -gline-tables-only -Xclang -debug-info-kind=line-directives-only ;;
esac
if [ $fast = 1 ]; then
  set -- "$@" -fgpu-approx-transcendentals -fcuda-flush-denormals-to-zero \
    -mllvm -nvptx-prec-divf32=0 -mllvm -nvptx-prec-sqrtf32=0
fi

[ $relocatable = 0 ] || set -- "$@" -fgpu-rdc

temporary_folder ptxcc
standard_folders >"$temporary/folders"
[ ! -s "$temporary/folders" ] || set -- "$@" -nostdinc
while IFS= read -r folder; do set -- "$@" -idirafter "$folder"; done <"$temporary/folders"
set -- "$@" --cuda-feature="+ptx$ptx" -x cuda --cuda-device-only --cuda-path="$home" \
  -nocudainc -nocudalib -nogpulib -Wno-unknown-cuda-version -Wno-invalid-constexpr "$level" "$standard" \
  -isystem "$headers" -include "$headers/prelude.h"

# The host writes and reads what no kernel may seem to, so that a static variable is kept like any other. Where a host's half
# is linked with it (cuda++ -rdc=true, which numbers the file), clang gives a static variable that the host uses a name of
# its own; kept as well, it would be there twice.
case " $* " in *" -cuid="*) ;; *) set -- "$@" -fkeep-persistent-storage-variables ;; esac

compile() {
  [ $verbose = 0 ] || show "$clang" "$@"
  [ $dry = 1 ] || run_clang "$name" "$@"
}
name=$source
[ -n "$dependency_target" ] || dependency_target=$output

if [ $only_dependencies = 1 ]; then
  compile "$@" --cuda-gpu-arch="sm_${architectures%% *}" -MM -MT "$dependency_target" "$source"
  exit
fi
if [ "$source" = - ]; then
  { printf '#line 1 "<stdin>"\n' && cat; } >"$temporary/standard input.cu" || exit 1
  set -- "$@" -I .
  source="$temporary/standard input.cu" name='<stdin>'
fi
if [ $preprocessed = 1 ]; then
  compile "$@" --cuda-gpu-arch="sm_${architectures%% *}" -E -o "$output" "$source"
  exit
fi

# make_ptx ARCHITECTURE WORD…: $temporary/out.ptx, by clang with these words.
make_ptx() {
  architecture=$1
  shift
  set -- "$@" --cuda-gpu-arch="sm_$architecture"
  compile "$@" -S -MMD -MF "$temporary/depends" -MT "$dependency_target" -o "$temporary/out.ptx" "$source" || exit 1
  [ $dry = 0 ] || return 0

  # Names with a dot are changed in the code; LLVM forgets the debugging information.
  if [ "$debug" = full ]; then
    sed '/^\.b64 [A-Za-z_$][A-Za-z0-9_$]*\./{s/\./_$_/g;s/^_$_b64/.b64/;}' "$temporary/out.ptx" >"$temporary/named.ptx" || exit 1
    mv "$temporary/named.ptx" "$temporary/out.ptx"
  fi

  # clang drops __managed__ and __cluster_dims__ on the way to PTX. Where a file of the user's says one of them, what it
  # is said of is read from the intermediate code: the variables have a section of their own, the kernels a note.
  sed -e 's/\\$//' -e 's/^[^:]*: //' -e 's/\([^\\]\) /\1\n/g' -e 's/\\ / /g' "$temporary/depends" | sed 's/^ *//' >"$temporary/files"
  managed=0 clusters=0
  : >"$temporary/said"
  while IFS= read -r file; do
    case $file in "$headers"/*) continue ;; esac
    [ -n "$file" ] && [ -f "$file" ] || continue
    grep -q '__managed__' -- "$file" && managed=1
    grep -q '__cluster_dims__' -- "$file" && clusters=1
    grep -hoE '__(constant|device)__[^;={(]*' -- "$file" >>"$temporary/said"
  done <"$temporary/files"
  if [ $managed = 1 ] || [ $clusters = 1 ]; then
    run_clang "$name" "$@" -w -S -emit-llvm -Xclang -disable-llvm-passes -o "$temporary/out.ll" "$source" || exit 1
  fi
  if [ $managed = 1 ]; then
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

  # The notes: @llvm.global.annotations has kernel, @text, file, line and @values of each.
  if [ $clusters = 1 ]; then
    awk '
      FILENAME == ARGV[1] {
        if (/^@[^ ]+ = .* c"driverlab\.cluster\\00"/) is_note[$1] = 1
        if (/^@[^ ]+ = .* constant \{ i32, i32, i32 \} \{/) {
          values = $0
          sub(/.*\} \{ i32 /, "", values)
          sub(/ \}.*/, "", values)
          gsub(/i32 /, "", values)
          sides[$1] = values
        }
        if (/^@llvm\.global\.annotations = /) {
          count = split($0, notes, /\{ ptr /)
          for (i = 1; i <= count; ++i) {
            split(notes[i], part, /, (ptr |i32 )?/)
            sub(/ .*/, "", part[5])
            gsub(/["@]/, "", part[1])
            if (part[2] in is_note) cluster[part[1]] = sides[part[5]]
          }
        }
        next
      }
      /\.entry / {
        kernel = $0
        sub(/.*\.entry /, "", kernel)
        sub(/[( ].*/, "", kernel)
      }
      /^\{/ {
        if (kernel in cluster) print ".explicitcluster\n.reqnctapercluster " cluster[kernel]
        kernel = ""
      }
      { print }' "$temporary/out.ll" "$temporary/out.ptx" >"$temporary/clustered.ptx" || exit 1
    mv "$temporary/clustered.ptx" "$temporary/out.ptx"
  fi

  # Kernels with more than 4352 bytes of parameters need PTX 8.1, which clang's target does not have; other files keep
  # the version that older drivers accept. An array counts by its bytes, anything else for 8.
  if awk '
      /\.entry/ { inside = 1; bytes = 0 }
      inside && /\.param/ {
        count = match($0, /\[[0-9]+\]/) ? substr($0, RSTART + 1, RLENGTH - 2) : 8
        if ((bytes += count) > 4352) large = 1
      }
      inside && /^\)|\)$/ { inside = 0 }
      END { exit !large }' "$temporary/out.ptx"; then
    sed 's/^\.version 7\.[0-9]*$/.version 8.1/' "$temporary/out.ptx" >"$temporary/large.ptx" || exit 1
    mv "$temporary/large.ptx" "$temporary/out.ptx"
  fi

  # A static variable that the host uses has a number behind its name where device code is linked; clang forgets that in
  # kernels which it compiles before it has seen the use.
  if grep -q '__static__[0-9a-f]' "$temporary/out.ptx"; then
    awk '
      function variable(line) {
        sub(/ *[[=;].*/, "", line)
        sub(/.* /, "", line)
        return line
      }
      FNR == NR {
        if (/^(\.visible |\.weak )*\.(global|const) .*__static__[0-9a-f]/) {
          name = short = variable($0)
          sub(/__static__[0-9a-f_]*$/, "", short)
          numbered[short] = name
        }
        next
      }
      /^(\.visible |\.weak |\.extern )*\.(global|const) / && (variable($0) in numbered) { next }
      {
        rest = $0
        done = ""
        while (match(rest, /[A-Za-z_$][A-Za-z0-9_$]*/)) {
          name = substr(rest, RSTART, RLENGTH)
          done = done substr(rest, 1, RSTART - 1) (name in numbered ? numbered[name] : name)
          rest = substr(rest, RSTART + RLENGTH)
        }
        print done rest
      }' "$temporary/out.ptx" "$temporary/out.ptx" >"$temporary/numbered.ptx" || exit 1
    mv "$temporary/numbered.ptx" "$temporary/out.ptx"
  fi

  # As with nvcc, a static variable has its plain name: the host asks for it by that. What only stands there because
  # variables are kept goes again: constants of headers, and constexpr ones, that no code names; not those that a file
  # calls __constant__ or __device__. clang's names all begin with _Z.
  awk '
    FILENAME != ARGV[2] {
      count = split($0, words, /[^A-Za-z0-9_$]+/)
      for (i = 1; i <= count; ++i)
        if (words[i] ~ /^[A-Za-z_]+[A-Za-z0-9_]*$/) said[words[i]] = 1
      next
    }
    { text[++lines] = $0 }
    /^(\.visible |\.weak |\.common |\.extern )*\.(global|const|shared) / {
      name = $0
      sub(/ *[[=;].*/, "", name)
      sub(/.* /, "", name)
      defined[name] = lines
      taken[name] = 1
    }
    /\.(entry|func) / {
      name = $0
      sub(/ *[(,;].*/, "", name)
      sub(/.*[ )]/, "", name)
      taken[name] = 1
    }
    /_Z/ {
      rest = $0
      while (match(rest, /_Z[A-Za-z0-9_$]*/)) {
        ++uses[substr(rest, RSTART, RLENGTH)]
        rest = substr(rest, RSTART + RLENGTH)
      }
    }
    END {
      for (name in defined) {
        if (name !~ /^_Z/) continue
        line = text[defined[name]]
        if (uses[name] == 1 && (line ~ /\.const / || name ~ /_\$_/) && (line ~ / = / || name !~ /^_ZL/) &&
            line !~ /\.visible /) {
          wanted = 0
          for (word in said)
            if (name ~ ("[^0-9]" length(word) word "E?$")) wanted = 1
          if (!wanted) dropped[defined[name]] = 1
        }
        if (name !~ /^_ZL[0-9]/) continue
        plain = size = substr(name, 4)
        sub(/^[0-9]+/, "", plain)
        sub(/[^0-9].*/, "", size)
        if (size + 0 == length(plain) && !(plain in taken)) plainly[name] = plain
      }
      for (i = 1; i <= lines; ++i) {
        if (i in dropped) continue
        rest = text[i]
        if (rest ~ /_ZL/) {
          done = ""
          while (match(rest, /_Z[A-Za-z0-9_$]*/)) {
            name = substr(rest, RSTART, RLENGTH)
            done = done substr(rest, 1, RSTART - 1) (name in plainly ? plainly[name] : name)
            rest = substr(rest, RSTART + RLENGTH)
          }
          rest = done rest
        }
        print rest
      }
    }' "$temporary/said" "$temporary/out.ptx" >"$temporary/plain.ptx" || exit 1
  mv "$temporary/plain.ptx" "$temporary/out.ptx"

  # As with nvcc, a device function that no kernel and no variable leads to goes, unless another file may call it.
  [ $relocatable = 0 ] && [ $keep_functions = 0 ] || return 0
  awk '
    /^(\.visible |\.weak |\.extern )*\.(func|entry) / {
      block = ++blocks
      name = $0
      sub(/\.func +\([^)]*\)/, ".func", name)
      sub(/.*\.(func|entry) +/, "", name)
      sub(/[^A-Za-z0-9_$].*/, "", name)
      if (/\.entry /) { reached[block] = 1; todo[++waiting] = block }
      else in_blocks[name] = in_blocks[name] " " block
    }
    # A constant of its own that has no name in the source is as a function here.
    /^\.(global|const) .* _\$_/ {
      name = $0
      sub(/ *[[=;].*/, "", name)
      sub(/.* /, "", name)
      if (name ~ /^_\$_/) in_blocks[name] = in_blocks[name] " " (block = ++blocks)
    }
    { text[++lines] = $0; of[lines] = block + 0 }
    block {
      rest = $0
      sub(/\/\/.*/, "", rest)
      depth += gsub(/\{/, "", rest)
      ends = gsub(/\}/, "", rest)
      depth -= ends
      if (!depth && (ends || rest ~ /;$/)) block = 0
    }
    function look(line,   count, words, i, parts, each, j) {
      sub(/\/\/.*/, "", line)
      count = split(line, words, /[^A-Za-z0-9_$]+/)
      for (i = 1; i <= count; ++i) {
        if (!(words[i] in in_blocks)) continue
        parts = split(in_blocks[words[i]], each, " ")
        delete in_blocks[words[i]]
        for (j = 1; j <= parts; ++j) { reached[each[j]] = 1; todo[++waiting] = each[j] }
      }
    }
    END {
      for (i = 1; i <= lines; ++i) {
        if (of[i]) { if (!first[of[i]]) first[of[i]] = i; last[of[i]] = i }
        else look(text[i])
      }
      while (waiting > done) {
        block = todo[++done]
        for (i = first[block]; i <= last[block]; ++i) look(text[i])
      }
      # With a function goes what is said above it.
      for (i = lines; i > 0; --i) {
        if (of[i]) goes = !reached[of[i]]
        else if (text[i] !~ /^[\t ]*(\/\/.*)?$/) goes = 0
        gone[i] = goes
      }
      for (i = 1; i <= lines; ++i)
        if (!gone[i]) print text[i]
    }' "$temporary/out.ptx" >"$temporary/used.ptx" || exit 1
  mv "$temporary/used.ptx" "$temporary/out.ptx"
}

made=0
for architecture in $architectures; do
  make_ptx "$architecture" "$@"
  made=$((made + 1))
  [ $dry = 1 ] || mv "$temporary/out.ptx" "$temporary/$made.ptx" || exit 1
done
[ $dry = 0 ] || exit 0
result=$temporary/1.ptx
case $kind in
  cubin) image_of "$temporary/1.ptx" >"$temporary/result" || exit 1; result=$temporary/result ;;
  fatbin)
    set --
    while [ $made -gt 0 ]; do set -- "$temporary/$made.ptx" "$@"; made=$((made - 1)); done
    fatbin_of "$@" >"$temporary/result" || exit 1
    result=$temporary/result ;;
esac

if [ $dependencies = 1 ]; then
  [ -n "$dependency_file" ] || dependency_file=${output%.*}.d
  cp "$temporary/depends" "$dependency_file" || exit 1
fi
if [ "$output" = - ]; then
  cat "$result"
else
  # Renamed at the end, so that nobody reads half a file; a device or pipe is written to.
  if [ -e "$output" ] && [ ! -f "$output" ]; then
    cat "$result" >"$output" || exit 1
  else
    unfinished=$output.$$.tmp
    if ! cat "$result" >"$unfinished" || ! mv -f "$unfinished" "$output"; then
      rm -f "$unfinished"
      fail "$(text "cannot write '$output'" "无法写入 '$output'")"
    fi
  fi
fi
