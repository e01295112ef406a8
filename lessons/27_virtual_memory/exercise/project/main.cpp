// Exercise 27, the project: a ring buffer in which a copy may run across the end. The reader cannot write.
#include "check.hpp"

constexpr std::size_t kInt = sizeof(int);

struct Ring {
  CUdeviceptr write = 0;  // the address for the writer
  CUdeviceptr read = 0;   // the address for the reader
  std::size_t size = 0;   // bytes of memory
};

namespace ring {  // change this namespace only

// Creates one piece of memory and maps it four times: at `write`, again directly behind that, and the same at
// `read`. The writer may read and write, and the reader may only read.
Ring open() {
  Ring made;
  // Write here what makes the ring.
  return made;
}

// Ends everything that open() has made.
void close(const Ring& made) {
  // Write here what ends it.
  static_cast<void>(made);
}

}  // namespace ring

int main() {
  CUcontext context = nullptr;
  const int numbers[4] = {1, 2, 3, 4};
  int back[4] = {};
  check(cuInit(0));
  check(create_context(&context, 0, 0));
  const Ring made = ring::open();
  claim("there is a ring", made.size != 0);

  check(cuMemcpyHtoD(made.write + made.size - 2 * kInt, numbers, sizeof numbers));
  check(cuMemcpyDtoH(back, made.write, 2 * kInt));
  claim("the copy has run across the end: 3 and 4 are at the beginning", back[0] == 3 && back[1] == 4);
  check(cuMemcpyDtoH(back, made.read + made.size - 2 * kInt, sizeof back));
  claim("the reader reads 1, 2, 3 and 4 by one copy",
        back[0] == 1 && back[1] == 2 && back[2] == 3 && back[3] == 4);
  for (const CUdeviceptr address : {made.read, made.read + made.size})
    expect(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(address, numbers, kInt));

  ring::close(made);
  check(cuCtxDestroy(context));
}
