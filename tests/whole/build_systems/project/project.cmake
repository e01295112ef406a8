# SPDX-License-Identifier: MIT
# A project as somebody who knows only NVIDIA's toolkit writes it: nothing in it speaks of the embedded toolkit.
cmake_minimum_required(VERSION 3.22)
project(heat LANGUAGES CXX CUDA)

set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES OR CMAKE_CUDA_ARCHITECTURES STREQUAL "")
  set(CMAKE_CUDA_ARCHITECTURES 75)
endif()
find_package(CUDAToolkit 12.0 REQUIRED)

# Device functions and a variable that kernels of other files use.
add_library(rules STATIC rules.cu)
set_target_properties(rules PROPERTIES CUDA_SEPARABLE_COMPILATION ON POSITION_INDEPENDENT_CODE ON)
target_compile_options(rules PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr -Xptxas=-v --threads=2 -Xcompiler=-Wall,-Wextra>)

add_executable(heat main.cu)
set_target_properties(heat PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
target_link_libraries(heat PRIVATE rules)

# Whole programs behind a function for C++, in a shared library, and a program of C++ that links it.
add_library(sums SHARED sums.cu)
target_compile_definitions(sums PRIVATE SUMS_BLOCK=128)
set_target_properties(sums PROPERTIES CUDA_ARCHITECTURES "75;80-real;90-virtual")
add_executable(total total.cpp)
target_link_libraries(total PRIVATE sums CUDA::cudart CUDA::cuda_driver)

add_library(kernels OBJECT kernels.cu)
set_target_properties(kernels PROPERTIES CUDA_PTX_COMPILATION ON)
add_custom_command(OUTPUT twice.ptx
  COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_OBJECTS:kernels> twice.ptx
  DEPENDS kernels $<TARGET_OBJECTS:kernels> VERBATIM)
add_custom_target(ptx ALL DEPENDS twice.ptx)
