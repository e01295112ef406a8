# SPDX-License-Identifier: MIT
# One layer = one library with one include root of its own (`<folder>/include`), so that an upward
# include does not compile: a layer sees the roots of the layers it names in USES and nothing else.
#
#   driverlab_layer(lab SOURCES ${sources} USES trace_format PACKAGES PkgConfig::zstd …)
#
# USES is linked PUBLIC only for layers whose headers appear in this layer's own public headers;
# CONTRIBUTING.md holds the table of who may use whom, and tests/layers checks it.
function(driverlab_warnings target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Raised wrongly by g++ 12 inside the standard library with -O2.
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-error=maybe-uninitialized
      -Wno-error=stringop-overflow -Wno-error=array-bounds)
    if(DRIVERLAB_BATCHES)
      # A source that others are compiled with looks like a header to it.
      target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endif()
    if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
      target_compile_options(${target} PRIVATE -Wno-error=dangling-reference)
    endif()
  endif()
endfunction()

# driverlab_sources(VARIABLE PATTERN…): the sources of this folder that fit a pattern, looked for anew at each build. A
# target whose sources share their folder with another's names them instead.
function(driverlab_sources variable)
  file(GLOB found CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${ARGN})
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

function(driverlab_layer name)
  cmake_parse_arguments(L "" "" "SOURCES;USES;PRIVATE_USES;PACKAGES" ${ARGN})
  add_library(${name} STATIC ${L_SOURCES})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/include
                                     PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
  target_link_libraries(${name} PUBLIC ${L_USES} PRIVATE ${L_PRIVATE_USES} ${L_PACKAGES})
  driverlab_warnings(${name})
endfunction()
