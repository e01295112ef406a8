// Lesson 02: what a driver call returns when it fails, how a program reports that, and what it should do
// about each kind of error. Every failure here is harmless: the call returns an error and changes nothing.
#include "check.hpp"

// step: checked_call
// Most programs that use this API have such a macro. This one reports the error, and its caller decides what
// to do. check() in check.hpp reports the error, too, and then ends the program.
#define checked(call) report_failure((call), #call, __FILE_NAME__, __LINE__)

[[nodiscard]] bool report_failure(CUresult result, const char* call, const char* file, int line) {
  if (result == CUDA_SUCCESS) return true;
  const char *name = nullptr, *text = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &text);
  std::printf("line %d: %s\n  %d %s: %s\n", line, call, static_cast<int>(result), name ? name : "(no name)",
              text ? text : "(no text)");
  static_cast<void>(file);  // this program is one file, so the name is not printed
  return false;
}

// step: names
// The driver knows the name and the text of each error, even before cuInit. Only some of these errors occur
// in this program.
void print_names() {
  const CUresult results[] = {CUDA_SUCCESS,
                              CUDA_ERROR_INVALID_VALUE,
                              CUDA_ERROR_OUT_OF_MEMORY,
                              CUDA_ERROR_NOT_INITIALIZED,
                              CUDA_ERROR_INVALID_CONTEXT,
                              CUDA_ERROR_NOT_READY,
                              CUDA_ERROR_ILLEGAL_ADDRESS};
  for (CUresult result : results) {
    const char *name = nullptr, *text = nullptr;
    check(cuGetErrorName(result, &name));
    check(cuGetErrorString(result, &text));
    std::printf("%4d  %-28s %s\n", static_cast<int>(result), name, text);
  }
}

int main() {
  print_names();

  // step: unknown_code
  // 12345 is no error of this driver. Such a number comes from a variable that was never set, for instance.
  const char* name = "something";
  expect(CUDA_ERROR_INVALID_VALUE, cuGetErrorName(static_cast<CUresult>(12345), &name));
  claim("an unknown number has no name: the pointer is null", name == nullptr);

  // step: ignored
  // The program does not check the allocation. It fails, the pointer stays 0, and freeing 0 is allowed: so
  // the program reports no error, although no memory was ever allocated.
  check(cuInit(0));
  CUdeviceptr memory = 0;
  cuMemAlloc(&memory, 16);
  check(cuMemFree(memory));
  claim("the allocation that was not checked has failed", memory == 0);

  // step: programming_error
  // The program itself is wrong: the order of calls, or an argument. Correct the code: there is nothing to do
  // at run time.
  CUdevice device = 0;
  CUcontext context = nullptr;
  bool worked = checked(cuMemAlloc(&memory, 16));
  worked = checked(cuDeviceGet(&device, 99)) || worked;
  worked = checked(create_context(&context, 0xffff, device)) || worked;
  claim("each of the three wrong calls has failed", !worked);

  // step: nothing_broken
  // The failed calls have changed nothing. The same calls with correct arguments succeed.
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, 0, device));
  check(cuMemAlloc(&memory, 16));
  check(cuMemFree(memory));

  // step: resource
  // Here the program is right, but there is not enough memory. It has to handle this error: it asks for less.
  std::size_t bytes = std::size_t{1} << 50;
  CUresult result = cuMemAlloc(&memory, bytes);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    std::printf("1 PiB: out of memory. Asking for 1 MiB instead.\n");
    bytes = lesson::MiB;
    result = cuMemAlloc(&memory, bytes);
  }
  check(result);
  claim("1 MiB was allocated", bytes == lesson::MiB && memory != 0);

  // step: bounds
  // The driver knows where an allocation ends. If a fill is one byte too long, it writes no byte at all.
  unsigned char last = 0;
  check(cuMemsetD8(memory, 7, bytes));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(memory, 9, bytes + 1));
  check(cuMemcpyDtoH(&last, memory + bytes - 1, 1));
  claim("the last byte is still 7", last == 7);

  // step: freed_twice
  // A CUdeviceptr is only a number. After cuMemFree the driver no longer knows it.
  check(cuMemFree(memory));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemFree(memory));

  // step: clean_up
  check(cuCtxDestroy(context));
}
