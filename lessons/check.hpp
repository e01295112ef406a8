// What every lesson includes. check(call) is for a call that must succeed: if it fails, the program prints
// the call, the error's number, name and text, and what to try first, and ends. expect(ERROR, call) is for a
// failure that a lesson shows on purpose. claim(sentence, condition) prints a statement about the driver, and
// ends the program if the condition is false: a lesson states nothing about the driver that is not true on
// the reader's machine.
//
// These are macros because a report contains the text of the call and its line in the source. The report is
// in Chinese if the lab has set the variable DRIVERLAB_LANGUAGE to zh, otherwise in English. Compiles with
// the cuda.h of CUDA 12, of CUDA 13 and of the embedded toolkit; otherwise independent of the lab.
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

// The one of the two that the reader reads.
inline const char* in_language(const char* english, const char* chinese) {
  const char* language = std::getenv("DRIVERLAB_LANGUAGE");
  return language && std::string(language) == "zh" ? chinese : english;
}

// What to try first, for the errors that beginners meet; empty for all others.
inline const char* remedy(CUresult error) {
  switch (error) {
    case CUDA_ERROR_INVALID_VALUE:
      return in_language(
          "compare each argument with the manual. Is a pointer null, a size wrong, or memory freed?",
          "对照手册检查每个参数：指针是否为空，大小是否有误，内存是否已释放？");
    case CUDA_ERROR_OUT_OF_MEMORY:
      return in_language("free memory or ask for less; cuMemGetInfo returns how much is free.",
                         "释放内存，或者申请得少一些；cuMemGetInfo 返回还有多少空闲的设备内存。");
    case CUDA_ERROR_NOT_INITIALIZED:
      return in_language("call cuInit(0) before the other calls of the driver.",
                         "在其他驱动调用之前先调用 cuInit(0)。");
    case CUDA_ERROR_NO_DEVICE:
      return in_language(
          "the driver sees no GPU: run nvidia-smi, and look at the variable CUDA_VISIBLE_DEVICES.",
          "驱动看不到 GPU：运行 nvidia-smi，并检查环境变量 CUDA_VISIBLE_DEVICES。");
    case CUDA_ERROR_INVALID_DEVICE:
      return in_language(
          "device numbers run from 0 to the count that cuDeviceGetCount returns, minus 1. If the number is "
          "in that range, the device cannot be used in this call: for example the same device twice, the "
          "pool's own device, or a prefetch to a device without concurrent access to managed memory. In a "
          "CUmemLocation the host is a type of its own, and not device -1.",
          "设备编号从 0 开始，到 cuDeviceGetCount 返回的个数减 1 为止。如果编号在这个范围内，"
          "说明这次调用不能使用这个设备：例如两个参数是同一个设备，它就是内存池自己的设备，"
          "或者预取到不支持同时访问托管内存的设备。在 CUmemLocation 中，主机是单独的一种类型，"
          "不是编号为 -1 的设备。");
    case CUDA_ERROR_FILE_NOT_FOUND:
      return in_language(
          "there is no such file. A lesson's kernels are in the folder of its program, in a file NAME.ptx "
          "that nvcc -ptx or ptxcc makes.",
          "没有这个文件。课程的核函数在程序所在文件夹的 NAME.ptx 中，由 nvcc -ptx 或 ptxcc 生成。");
    case CUDA_ERROR_NOT_FOUND:
      return in_language(
          "use the name as it is in the PTX: without extern \"C\" the compiler changes kernel names.",
          "名称要与 PTX 中的一致：没有 extern \"C\" 时，编译器会改变核函数的名称。");
    case CUDA_ERROR_INVALID_CONTEXT:
      return in_language(
          "make a context current on this thread first: cuCtxCreate, cuCtxPushCurrent or cuCtxSetCurrent.",
          "先在这个线程上设置当前上下文：cuCtxCreate、cuCtxPushCurrent 或 cuCtxSetCurrent。");
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
      return in_language(
          "the context that the call uses was destroyed: the current one of this thread, or the one in "
          "which an object such as a stream was made. Make another one current, and make the object again "
          "there. If this call was to end the object, make it before the context is destroyed.",
          "这次调用所用的上下文已被销毁：它是这个线程的当前上下文，或者是创建流等对象时的上下文。"
          "请设置另一个当前上下文，并在其中重新创建对象。如果这次调用本来是要销毁对象，"
          "就应当放在销毁上下文之前。");
    case CUDA_ERROR_ILLEGAL_ADDRESS:
      return in_language(
          "a kernel used an invalid address. Correct it and start again: this process cannot recover.",
          "核函数使用了无效地址。改正后重新启动程序：这个进程无法恢复。");
    default:
      return "";
  }
}

[[noreturn]] inline void end_here() {
  std::fflush(stdout);
  std::exit(EXIT_FAILURE);
}

inline void print_report(CUresult error, const char* name, const char* text, const char* call,
                         const char* file, int line) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%d: %s\n  %s %d %s: %s\n", file, line, call, in_language("returned", "返回"),
               static_cast<int>(error),
               name ? name : in_language("(a number this driver does not know)", "（这个驱动不认识的编号）"),
               text ? text : in_language("no text", "没有说明"));
  if (*remedy(error))
    std::fprintf(stderr, "  %s%s\n", in_language("What to do: ", "怎么办："), remedy(error));
}

// Always inlined, like the two functions below that call it. So the debug information gives these two calls
// the line of the program that failed, and the lab shows that line at the end of the run.
[[gnu::always_inline]] inline void report(CUresult error, const char* call, const char* file, int line) {
  const char *name = nullptr, *text = nullptr;
  cuGetErrorName(error, &name);    // both write a null pointer for a number
  cuGetErrorString(error, &text);  // that the driver does not know
  print_report(error, name, text, call, file, line);
}

// What expect() prints, whatever API the call is of.
inline void tell_expected(const char* call, int result, const char* name) {
  std::printf("%s\n  %s %d %s\n", call, in_language("returns", "返回"), result, name);
}
[[noreturn]] inline void end_unexpected(int expected, const char* name) {
  std::fprintf(stderr, "  %s %d %s%s\n", in_language("This program expects", "这个程序在这里应当得到"),
               expected, name, in_language(" here.", "。"));
  end_here();
}

[[gnu::always_inline]] inline void must_succeed(CUresult result, const char* call, const char* file,
                                                int line) {
  if (result == CUDA_SUCCESS) return;
  report(result, call, file, line);
  end_here();
}

[[gnu::always_inline]] inline void must_return(CUresult expected, const char* name, CUresult result,
                                               const char* call, const char* file, int line) {
  if (result != expected) {
    report(result, call, file, line);
    end_unexpected(static_cast<int>(expected), name);
  }
  tell_expected(call, static_cast<int>(result), name);
}

inline void must_hold(bool condition, const char* sentence, const char* code, const char* file, int line) {
  if (!condition) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s:%d: %s%s\n  (%s%s)\n", file, line,
                 in_language("this claim is false: ", "这条断言不成立："), sentence,
                 in_language("condition: ", "条件："), code);
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
  std::fprintf(stderr, "%s%s\n", path.c_str(),
               in_language(" cannot be read, or is empty", " 无法读取，或者是空的"));
  end_here();
}

}  // namespace lesson
