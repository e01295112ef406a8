// What every lesson includes: a driver call that fails is reported where it stands, with the call, the
// error's number, name and text, and what to do about it; then the program ends. A failure that a lesson
// wants to show is written expect(ERROR, call), and what it states about the driver is written
// claim(sentence, condition), so that no lesson can tell its reader something that is not so on the reader's
// own machine.
//
// These are macros because the call's own text belongs into the report, and so that the call keeps its line.
// Compiles with the cuda.h of CUDA 12, of CUDA 13 and of the embedded toolkit; knows nothing of the lab.
#pragma once
#include <cuda.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

// Runs a driver call that must succeed:   check(cuInit(0));
#define check(...) ::lesson::must_succeed((__VA_ARGS__), #__VA_ARGS__, __FILE_NAME__, __LINE__)

// Runs a driver call that must answer this error:   expect(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
#define expect(error, ...) \
  ::lesson::must_answer((error), #error, (__VA_ARGS__), #__VA_ARGS__, __FILE_NAME__, __LINE__)

// Prints the sentence if it is true, and ends the program if it is not:   claim("B is current", current ==
// b);
#define claim(sentence, ...) \
  ::lesson::must_hold((__VA_ARGS__), (sentence), #__VA_ARGS__, __FILE_NAME__, __LINE__)

// create_context(&context, flags, device): an ordinary context. CUDA 13 put a parameter second, in which a
// null pointer means "nothing special"; CUDA 12 keeps three.
#if CUDA_VERSION >= 13000
#define create_context(context, flags, device) cuCtxCreate((context), nullptr, (flags), (device))
#else
#define create_context(context, flags, device) cuCtxCreate((context), (flags), (device))
#endif

namespace lesson {

inline constexpr std::size_t KiB = std::size_t{1} << 10, MiB = std::size_t{1} << 20;

// The first thing to try for the errors that beginners meet; empty where the text says it all.
inline const char* remedy(CUresult error) {
  switch (error) {
    case CUDA_ERROR_INVALID_VALUE:
      return "compare every argument with the manual: a null pointer, a size, an address that is gone?";
    case CUDA_ERROR_OUT_OF_MEMORY:
      return "free something or ask for less; cuMemGetInfo says how much there is.";
    case CUDA_ERROR_NOT_INITIALIZED:
      return "call cuInit(0) before anything else.";
    case CUDA_ERROR_NO_DEVICE:
      return "no GPU is visible: look at nvidia-smi and at CUDA_VISIBLE_DEVICES.";
    case CUDA_ERROR_INVALID_DEVICE:
      return "device numbers run from 0 to cuDeviceGetCount - 1.";
    case CUDA_ERROR_FILE_NOT_FOUND:
      return "no such file: a lesson's kernels lie beside its program as NAME.ptx; nvcc -ptx or ptxcc makes "
             "them.";
    case CUDA_ERROR_NOT_FOUND:
      return "the name must be as the PTX has it: extern \"C\" keeps the compiler from changing it.";
    case CUDA_ERROR_INVALID_CONTEXT:
      return "make a context current on this thread first: cuCtxCreate, cuCtxPushCurrent or cuCtxSetCurrent.";
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
      return "the context that is current here was destroyed: pop it, then make another one current.";
    case CUDA_ERROR_ILLEGAL_ADDRESS:
      return "a kernel left its memory; nothing but a new process helps.";
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
  cuGetErrorName(error, &name);    // both leave null behind for a number
  cuGetErrorString(error, &text);  // that the driver does not know
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%d: %s\n  answered %d %s: %s\n", file, line, call, static_cast<int>(error),
               name ? name : "(a number this driver does not know)", text ? text : "no text");
  if (*remedy(error)) std::fprintf(stderr, "  What to do: %s\n", remedy(error));
}

inline void must_succeed(CUresult result, const char* call, const char* file, int line) {
  if (result == CUDA_SUCCESS) return;
  report(result, call, file, line);
  end_here();
}

inline void must_answer(CUresult expected, const char* name, CUresult result, const char* call,
                        const char* file, int line) {
  if (result != expected) {
    report(result, call, file, line);
    std::fprintf(stderr, "  This program counts on %d %s here.\n", static_cast<int>(expected), name);
    end_here();
  }
  std::printf("%s\n  answers %d %s\n", call, static_cast<int>(result), name);
}

inline void must_hold(bool condition, const char* sentence, const char* code, const char* file, int line) {
  if (!condition) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s:%d: not so on this machine: %s\n  (%s is false)\n", file, line, sentence, code);
    end_here();
  }
  std::printf("%s\n", sentence);
}

// By how many MiB the free memory of a device has changed, for printing. No program should depend on it:
// other programs that use the same GPU allocate and free as they like.
inline long long change_in_mib(std::size_t before, std::size_t after) {
  return static_cast<long long>(after - before) / static_cast<long long>(MiB);
}

// The path of a file in the folder of the running program, where a lesson's NAME.ptx lies: a program finds
// its kernels from whatever folder it is started.
inline std::string beside_program(const std::string& name) {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  const std::string program(path, length > 0 ? static_cast<std::size_t>(length) : 0);
  return program.substr(0, program.rfind('/') + 1) + name;
}

// A whole file as text, ending in the zero that the driver looks for; ends the program if it cannot be read.
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
