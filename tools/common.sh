# SPDX-License-Identifier: MIT
# Shared by tools/lab and tools/test: steps that say what they do in a line, packages, configure, build.
# Sourced, not run. Has Debian's package names, and does not depend on what the lab does.
set -u

root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
logs=$root/build/logs
jobs=${DRIVERLAB_JOBS:-$(nproc)}
# What a compiler says it read is what a result depends on: nothing is preprocessed a second time to find that out.
# The language of a compiler's messages is no part of an object.
export CCACHE_DEPEND=1 CCACHE_SLOPPINESS=locale
tty=0
[ -t 1 ] && tty=1

# In Chinese where the user reads Chinese.
zh=0
case "${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}" in zh*) zh=1 ;; esac
tr_() { if [ $zh = 1 ]; then printf '%s' "$2"; else printf '%s' "$1"; fi; }

# Every tool except tools/lab, which passes its arguments on, prints the comment at its head as its usage.
case ${0##*/}:${1:-} in
  lab:*) ;;
  *:-h | *:--help)
    sed -n '3,${/^#/!q;s/^# \{0,1\}//p;}' "$0"
    exit 0
    ;;
esac

say() { printf '%s\n' "· $*"; }
fail() { printf '%s\n' "✗ $*" >&2; exit 1; }

# long LABEL COMMAND… : one line; while it runs, the elapsed time and ninja's or ctest's own count behind it.
long() {
  label=$1
  shift
  mkdir -p "$logs"
  log=$logs/$(printf '%s' "$label" | tr -c 'A-Za-z0-9' '_' | cut -c1-60).log
  started=$(date +%s)
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  shown=0
  while kill -0 $pid 2>/dev/null; do
    sleep 0.2
    elapsed=$(($(date +%s) - started))
    if [ $tty = 1 ]; then
      printf '\r\033[K· %s … %s s %s' "$label" "$elapsed" "$(progress_of "$log")"
    elif [ $((elapsed - shown)) -ge 30 ]; then
      shown=$elapsed
      printf '  … %s: %s s %s\n' "$label" "$elapsed" "$(progress_of "$log")"
    fi
  done
  wait $pid
  status=$?
  elapsed=$(($(date +%s) - started))
  [ $tty = 1 ] && printf '\r\033[K'
  if [ $status -ne 0 ]; then
    tail -n 60 "$log" >&2
    fail "$label: $(tr_ "failed with status $status after $elapsed s; the whole log is" "失败,状态 $status,用时 $elapsed 秒;完整日志在") $log"
  fi
  say "$label: $(tr_ "done in $elapsed s" "完成,用时 $elapsed 秒")"
}
progress_of() {
  tail -c 4000 "$1" 2>/dev/null | tr '\r' '\n' | grep -oE '^\[[0-9]+/[0-9]+\]|^ *[0-9]+/[0-9]+ Test|^(Get|Unpacking|Setting up)[: ][^ ]*' | tail -n 1
}

# The one clang of the project, as in cmake/look_for.cmake (tests/layers holds the two together).
clang=19

# Packages by what they are for. Both Debian 12 and 13 have every one under this name.
packages_build="g++ cmake ninja-build pkg-config python3 ccache mold clang-$clang ca-certificates llvm-$clang-dev zlib1g-dev
  libzstd-dev liblz4-dev libdw-dev libfmt-dev libexpected-dev libtomlplusplus-dev nlohmann-json3-dev libcli11-dev
  libmd4c-html0-dev"
packages_window="libimgui-dev libglfw3-dev libmd4c-dev libpng-dev libfreetype-dev libfontconfig-dev
  libgl-dev libegl-dev libopengl-dev libgl1-mesa-dri libegl1 fontconfig
  fonts-noto-cjk fonts-inter fonts-jetbrains-mono fonts-noto-core"
packages_test="libgtest-dev libgmock-dev libbenchmark-dev libmpfr-dev
  chromium openssh-server openssh-client slurmctld slurmd slurm-client munge
  clang-format-$clang clang-tidy-$clang libclang-rt-$clang-dev xvfb xauth xdotool xclip imagemagick procps git python3-venv
  python3-xlib"
# What makes the Debian packages, and Debian's own checkers of them.
packages_package="dpkg-dev file"
packages_test="$packages_test $packages_package zsh fish lintian desktop-file-utils appstream shared-mime-info man-db"

missing_packages() {
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || printf '%s ' "$package"
  done
}

# Installs what is missing; asks for root only then.
need_packages() {
  if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
    say "$(tr_ "This is not a Debian system: packages are left to you (CONTRIBUTING.md lists them)." \
      "这不是 Debian 系统:软件包请自行安装(清单见 CONTRIBUTING.md)。")"
    return 0
  fi
  missing=$(missing_packages "$@")
  if [ -z "$missing" ]; then
    say "$(tr_ "Packages: all there." "软件包:已齐全。")"
    return 0
  fi
  if [ "$(id -u)" = 0 ]; then
    as_root=
  elif command -v sudo >/dev/null 2>&1; then
    as_root=sudo
    say "$(tr_ "Some packages are missing; sudo asks for your password to install them." \
      "缺少一些软件包;sudo 会询问密码以便安装。")"
    sudo -v || fail "$(tr_ "Without root the packages cannot be installed. Ask an administrator to run:" \
      "没有 root 权限,无法安装软件包。请管理员执行:") apt-get install $missing"
  else
    fail "$(tr_ "Packages are missing and neither root nor sudo is there. Ask an administrator to run:" \
      "缺少软件包,而当前既不是 root 也没有 sudo。请管理员执行:") apt-get install $missing"
  fi
  long "$(tr_ "Package lists" "软件包列表")" $as_root apt-get update -q
  # shellcheck disable=SC2086
  long "$(tr_ "Installing packages" "安装软件包")" $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends $missing
}

# venv_with FOLDER PIP-ARGUMENT… : a Python environment with packages; gives up soon if no package index replies
venv_with() {
  environment=$1
  shift
  python3 -m venv "$environment" && "$environment/bin/python" -m pip install -q --disable-pip-version-check \
    --retries 1 --timeout 15 --only-binary :all: "$@"
}

# What the last configure kept may be gone since, a compiler for example: what fails is tried once more from nothing.
configure() {
  cmake -S "$root" --preset "$1" || {
    echo 'Once more, with nothing kept of earlier configures'
    cmake --fresh -S "$root" --preset "$1"
  }
}
# configure_and_build PRESET [TARGET…]
configure_and_build() {
  preset=$1
  shift
  long "$(tr_ "Configuring" "配置")($preset)" configure "$preset"
  long "$(tr_ "Building" "构建")($preset)" cmake --build "$(build_folder "$preset")" --parallel "$jobs" ${1:+--target} "$@"
}
build_folder() { if [ "$1" = batched ]; then printf %s "$root/build"; else printf %s "$root/build/$1"; fi; }
