// What every lesson includes. check(call) is for a call that must succeed: if it fails, the program prints
// the call, the error's number, name and text, and what to try first, and ends. expect(ERROR, call) is for a
// failure that a lesson shows on purpose. claim(sentence, condition) prints a statement about the driver, and
// ends the program if the condition is false: a lesson states nothing about the driver that is not true on
// the reader's machine.
//
// These are macros because a report contains the text of the call and its line in the source.
// Compiles with the cuda.h of CUDA 12, of CUDA 13 and of the embedded toolkit; does not depend on the lab.
#pragma once
#include <cuda.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

// Runs a driver call that must succeed:   check(cuInit(0));
#define check(...) ::lesson::must_succeed((__VA_ARGS__), #__VA_ARGS__, __FILE_NAME__, __LINE__)

// Runs a driver call that must return this error:   expect(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
#define expect(error, ...) \
  ::lesson::must_return((error), #error, (__VA_ARGS__), #__VA_ARGS__, __FILE_NAME__, __LINE__)

// Prints the sentence if the condition is true; otherwise reports it and ends the program:
//   claim("B is current", current == b);
#define claim(sentence, ...) \
  ::lesson::must_hold((__VA_ARGS__), (sentence), #__VA_ARGS__, __FILE_NAME__, __LINE__)

// create_context(&context, flags, device): an ordinary context. In CUDA 13 cuCtxCreate has one parameter
// more, the second, for which null is allowed; in CUDA 12 it has three.
#if CUDA_VERSION >= 13000
#define create_context(context, flags, device) cuCtxCreate((context), nullptr, (flags), (device))
#else
#define create_context(context, flags, device) cuCtxCreate((context), (flags), (device))
#endif

namespace lesson {

inline constexpr std::size_t KiB = std::size_t{1} << 10, MiB = std::size_t{1} << 20;

// What to try first, for the errors that beginners meet; empty for all others.
inline const char* remedy(CUresult error) {
  switch (error) {
    case CUDA_ERROR_INVALID_VALUE:
      return "compare each argument with the manual. Is a pointer null, a size wrong, or memory freed?";
    case CUDA_ERROR_OUT_OF_MEMORY:
      return "free memory or ask for less; cuMemGetInfo returns how much is free.";
    case CUDA_ERROR_NOT_INITIALIZED:
      return "call cuInit(0) before the other calls of the driver.";
    case CUDA_ERROR_NO_DEVICE:
      return "the driver sees no GPU: run nvidia-smi, and look at the variable CUDA_VISIBLE_DEVICES.";
    case CUDA_ERROR_INVALID_DEVICE:
      return "device numbers run from 0 to the count that cuDeviceGetCount returns, minus 1.";
    case CUDA_ERROR_FILE_NOT_FOUND:
      return "there is no such file. A lesson's kernels are in the folder of its program, in a file NAME.ptx "
             "that nvcc -ptx or ptxcc makes.";
    case CUDA_ERROR_NOT_FOUND:
      return "use the name as it is in the PTX: without extern \"C\" the compiler changes kernel names.";
    case CUDA_ERROR_INVALID_CONTEXT:
      return "make a context current on this thread first: cuCtxCreate, cuCtxPushCurrent or cuCtxSetCurrent.";
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
      return "the current context of this thread was destroyed: pop it, then make another one current.";
    case CUDA_ERROR_ILLEGAL_ADDRESS:
      return "a kernel used an invalid address. Correct it and start again: this process cannot recover.";
    default:
      return "";
  }
}

[[noreturn]] inline void end_here() {
  std::fflush(stdout);
  std::exit(EXIT_FAILURE);
}

inline void report(CUresult error, const char* call, const char* file, int line) {
  const char *name = nullptr, *text = nullptr;
  cuGetErrorName(error, &name);    // both write a null pointer for a number
  cuGetErrorString(error, &text);  // that the driver does not know
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%d: %s\n  returned %d %s: %s\n", file, line, call, static_cast<int>(error),
               name ? name : "(a number this driver does not know)", text ? text : "no text");
  if (*remedy(error)) std::fprintf(stderr, "  What to do: %s\n", remedy(error));
}

inline void must_succeed(CUresult result, const char* call, const char* file, int line) {
  if (result == CUDA_SUCCESS) return;
  report(result, call, file, line);
  end_here();
}

inline void must_return(CUresult expected, const char* name, CUresult result, const char* call,
                        const char* file, int line) {
  if (result != expected) {
    report(result, call, file, line);
    std::fprintf(stderr, "  This program expects %d %s here.\n", static_cast<int>(expected), name);
    end_here();
  }
  std::printf("%s\n  returns %d %s\n", call, static_cast<int>(result), name);
}

inline void must_hold(bool condition, const char* sentence, const char* code, const char* file, int line) {
  if (!condition) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s:%d: this claim is false: %s\n  (condition: %s)\n", file, line, sentence, code);
    end_here();
  }
  std::printf("%s\n", sentence);
}

// By how many MiB the free memory of a device has changed, for printing. No program should depend on it:
// other programs that use the same GPU allocate and free memory at any time.
inline long long change_in_mib(std::size_t before, std::size_t after) {
  return static_cast<long long>(after - before) / static_cast<long long>(MiB);
}

// The path of a file in the folder of the running program, in which a lesson's NAME.ptx is: the program finds
// its kernels whatever the working folder is.
inline std::string beside_program(const std::string& name) {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  const std::string program(path, length > 0 ? static_cast<std::size_t>(length) : 0);
  return program.substr(0, program.rfind('/') + 1) + name;
}

// A whole file as text, ended by a zero, as the driver requires; ends the program if it cannot be read.
inline std::string text_of(const std::string& path) {
  std::string text;
  if (std::FILE* file = std::fopen(path.c_str(), "rb")) {
    char part[4096];
    while (const std::size_t size = std::fread(part, 1, sizeof part, file)) text.append(part, size);
    const bool whole = std::ferror(file) == 0;
    std::fclose(file);
    if (whole && !text.empty()) return text;
  }
  std::fflush(stdout);
  std::fprintf(stderr, "%s cannot be read, or is empty\n", path.c_str());
  end_here();
}

}  // namespace lesson
