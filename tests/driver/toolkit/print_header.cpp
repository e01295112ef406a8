// SPDX-License-Identifier: MIT
// Prints everything that a cuda.h declares: values, sizes, alignments, offsets, types, signatures, names.
//
// Compiled once with our own header and once with that of a CUDA Toolkit; compare_headers.py compares the two
// outputs. It includes the cuda.h that the compiler finds, and does not depend on either.
#ifdef PRINT_RUNTIME
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#else
#include <cuda.h>
#if __has_include(<cudaProfiler.h>)
#include <cudaProfiler.h>
#endif
#endif

#include <cstddef>
#include <cstdio>
#include <string_view>
#include <utility>

namespace {

// The compiler's own spelling of a type, typedefs resolved.
template <class T>
constexpr std::string_view spelling() {
  const std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t start = text.find("T = ") + 4;
  return text.substr(start, text.find_first_of(";]", start) - start);
}

void print(const char* what, const char* name, std::string_view answer) {
  std::printf("%s %s: %.*s\n", what, name, static_cast<int>(answer.size()), answer.data());
}

void print(const char* what, const char* name, long long number) {
  std::printf("%s %s: %lld\n", what, name, number);
}

}  // namespace

#define TEXT_OF(name) #name
#define EXPANDED(name) TEXT_OF(name)

#define VALUE(name) print("value", #name, (long long)(name));
#define TYPE(name)                                                  \
  print("size", #name, static_cast<long long>(sizeof(name)));       \
  print("alignment", #name, static_cast<long long>(alignof(name))); \
  print("type", #name, spelling<name>());
#define FIELD(type, field)                                                                            \
  print("offset", #type "." #field, static_cast<long long>(offsetof(type, field)));                   \
  print("field size", #type "." #field, static_cast<long long>(sizeof(std::declval<type&>().field))); \
  print("field type", #type "." #field, spelling<decltype(std::declval<type&>().field)>());
#define FUNCTION(symbol) print("function", #symbol, spelling<decltype(&symbol)>());
#define NAME(name) print("name", #name, EXPANDED(name));

int main() {
#ifdef PRINT_RUNTIME
#include "runtime_everything.inc"
#else
#include "everything.inc"
#endif
}
