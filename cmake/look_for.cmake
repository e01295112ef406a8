# SPDX-License-Identifier: MIT
# Looks for what a machine may have, at each configure anew: between two of them tools/lab and tools/test install
# packages, and a toolkit comes or goes. CMake's cache would keep what the first one found or did not find.
# tests/layers/check_cmake.py refuses find_program and its like anywhere else.
#
#   look_for(program nvcc NAMES nvcc HINTS /usr/local/cuda/bin)      program, file, path or library
#   look_for_package(OpenCL OpenCL_INCLUDE_DIR OpenCL_LIBRARY)       with what its module keeps in the cache
#   look_for_module(mpfr)                                            by pkg-config
macro(look_for kind variable)
  unset(${variable} CACHE)
  unset(${variable})
  if("${kind}" STREQUAL "program")
    find_program(${variable} ${ARGN} NO_CACHE)
  elseif("${kind}" STREQUAL "file")
    find_file(${variable} ${ARGN} NO_CACHE)
  elseif("${kind}" STREQUAL "path")
    find_path(${variable} ${ARGN} NO_CACHE)
  elseif("${kind}" STREQUAL "library")
    find_library(${variable} ${ARGN} NO_CACHE)
  else()
    message(FATAL_ERROR "look_for: program, file, path or library, not '${kind}'")
  endif()
endmacro()

macro(look_for_package name)
  foreach(kept ${name}_DIR ${ARGN})
    unset(${kept} CACHE)
  endforeach()
  find_package(${name} QUIET)
endmacro()

# pkg-config's, as PkgConfig::NAME.
macro(look_for_module name)
  get_cmake_property(kept_names CACHE_VARIABLES)
  foreach(kept ${kept_names})
    if(kept MATCHES "^(${name}_|pkgcfg_lib_${name}_|__pkg_config_(checked|arguments)_${name}$)")
      unset(${kept} CACHE)
    endif()
  endforeach()
  pkg_check_modules(${name} IMPORTED_TARGET ${name})
endmacro()

# The one clang of the project: kernels, the tests, the fuzzers and the lint. tools/common.sh installs it.
set(DRIVERLAB_CLANG 19)
look_for(program DRIVERLAB_CLANGXX NAMES clang++-${DRIVERLAB_CLANG})
