// Exercise 14: a library keeps a table on the device for all its callers. It allocates the table in the
// context of the caller that opens it.
#include <array>

#include "check.hpp"

namespace library {  // change this namespace only

CUdeviceptr table = 0;

// Keeps a table of squares on device 0 until close().
void open() {
  std::array<unsigned, 100> squares = {};
  for (unsigned i = 0; i < squares.size(); ++i) squares[i] = i * i;
  check(cuMemAlloc(&table, sizeof squares));
  check(cuMemcpyHtoD(table, squares.data(), sizeof squares));
}

unsigned square_of(unsigned i) {
  unsigned square = 0;
  check(cuMemcpyDtoH(&square, table + i * sizeof square, sizeof square));
  return square;
}

void close() {
  check(cuMemFree(table));
}

}  // namespace library

// Reads the square of 12 from the library's table, as a caller does.
bool square_is_right() {
  CUcontext before = nullptr, after = nullptr;
  check(cuCtxGetCurrent(&before));
  const unsigned square = library::square_of(12);
  check(cuCtxGetCurrent(&after));
  return square == 144 && before == after;
}

int main() {
  CUcontext a = nullptr, b = nullptr;
  unsigned flags = 0;
  int active = 0;
  check(cuInit(0));
  check(create_context(&a, CU_CTX_SCHED_AUTO, 0));
  check(create_context(&b, CU_CTX_SCHED_AUTO, 0));  // stack: A, B

  check(cuCtxPushCurrent(a));  // stack: A, B, A
  library::open();
  claim("the table can be read in A", square_is_right());
  check(cuCtxPopCurrent(nullptr));
  check(cuCtxPopCurrent(nullptr));
  check(cuCtxDestroy(a));  // the application's right; stack: empty, B floats

  check(cuCtxPushCurrent(b));
  claim("after A is destroyed, it can be read in B", square_is_right());
  check(cuCtxDestroy(b));
  claim("and it can be read by a caller without a context", square_is_right());

  library::close();
  check(cuDevicePrimaryCtxGetState(0, &flags, &active));
  claim("after close() the primary context is not active", active == 0);
}
