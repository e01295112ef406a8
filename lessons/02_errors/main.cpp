// Lesson 02: what a driver call answers when it fails, how to say that well, and what each kind of failure
// asks of the program. Every failure here is a harmless one: the driver refuses, and nothing has changed.
#include "check.hpp"

// step: checked_call
// The checked call, as every program over this API has one. It reports and leaves the decision to its caller;
// check() in check.hpp is the same with the decision taken: the program ends.
#define checked(call) report_failure((call), #call, __FILE_NAME__, __LINE__)

[[nodiscard]] bool report_failure(CUresult result, const char* call, const char* file, int line) {
  if (result == CUDA_SUCCESS) return true;
  const char *name = nullptr, *text = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &text);
  std::printf("line %d: %s\n  %d %s: %s\n", line, call, static_cast<int>(result), name ? name : "(no name)",
              text ? text : "(no text)");
  static_cast<void>(file);  // the same file everywhere in this program, so it is not printed
  return false;
}

// step: names
// Name and text come from the driver, even before cuInit. Of the numbers below only some can be provoked
// here.
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
  // A number that is no error of this driver: from a variable that was never set, or from another library.
  const char* name = "something";
  expect(CUDA_ERROR_INVALID_VALUE, cuGetErrorName(static_cast<CUresult>(12345), &name));
  claim("an unknown number has no name: the pointer is null", name == nullptr);

  // step: ignored
  // What happens when nobody looks. The allocation fails, the pointer stays 0, and freeing 0 is allowed: this
  // goes through without a sound, and no byte was ever allocated.
  check(cuInit(0));
  CUdeviceptr memory = 0;
  cuMemAlloc(&memory, 16);
  check(cuMemFree(memory));
  claim("the allocation that nobody checked never happened", memory == 0);

  // step: programming_error
  // The program itself is wrong: an order, an argument. Fix the code; there is nothing to handle at run
  // time.
  CUdevice device = 0;
  CUcontext context = nullptr;
  bool worked = checked(cuMemAlloc(&memory, 16));
  worked = checked(cuDeviceGet(&device, 99)) || worked;
  worked = checked(create_context(&context, 0xffff, 0)) || worked;
  claim("three wrong calls, three refusals", !worked);

  // step: nothing_broken
  // A refused call did nothing and broke nothing. The same calls, made properly, succeed at once.
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, 0, device));
  check(cuMemAlloc(&memory, 16));
  check(cuMemFree(memory));

  // step: resource
  // Not the program's fault: there is only so much. This one has to be handled, with a plan for less.
  std::size_t bytes = std::size_t{1} << 50;
  CUresult result = cuMemAlloc(&memory, bytes);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    std::printf("1 PiB: refused. Asking for 1 MiB instead.\n");
    bytes = lesson::MiB;
    result = cuMemAlloc(&memory, bytes);
  }
  check(result);
  claim("1 MiB is there", bytes == lesson::MiB && memory != 0);

  // step: bounds
  // Copies and fills know where an allocation ends. One byte too many, and not a single one is written.
  unsigned char last = 0;
  check(cuMemsetD8(memory, 7, bytes));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(memory, 9, bytes + 1));
  check(cuMemcpyDtoH(&last, memory + bytes - 1, 1));
  claim("the last byte is still 7", last == 7);

  // step: freed_twice
  // A pointer is only a number. After cuMemFree the driver no longer knows it.
  check(cuMemFree(memory));
  expect(CUDA_ERROR_INVALID_VALUE, cuMemFree(memory));

  // step: clean_up
  check(cuCtxDestroy(context));
}
