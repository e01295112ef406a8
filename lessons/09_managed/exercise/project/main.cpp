// Exercise 09, project: one block of device memory, parts of it for several users, and no other allocation.
#include <algorithm>
#include <vector>

#include "check.hpp"

constexpr std::size_t kBlock = 8192, kAlignment = 256;

// Parts of one block of device memory, which are taken and given back as with cuMemAlloc and cuMemFree. All
// parts begin at multiples of 256. Write its functions, and add what it has to remember.
class Pool {
 public:
  // Allocates the block, with the only call of cuMemAlloc in this program.
  void open() {}

  // Frees the block.
  void close() {}

  // CUDA_ERROR_INVALID_VALUE if `bytes` is 0, CUDA_ERROR_OUT_OF_MEMORY if no free part of the block is large
  // enough; neither writes to *part.
  CUresult take([[maybe_unused]] CUdeviceptr* part, [[maybe_unused]] std::size_t bytes) {
    return CUDA_ERROR_NOT_SUPPORTED;
  }

  // CUDA_ERROR_INVALID_VALUE unless a part that is in use begins at this address.
  CUresult give_back([[maybe_unused]] CUdeviceptr part) { return CUDA_ERROR_NOT_SUPPORTED; }

  // The part in use that contains the address, as cuMemGetAddressRange returns it for allocations;
  // CUDA_ERROR_NOT_FOUND if there is none.
  CUresult range([[maybe_unused]] CUdeviceptr* begin, [[maybe_unused]] std::size_t* size,
                 [[maybe_unused]] CUdeviceptr address) const {
    return CUDA_ERROR_NOT_SUPPORTED;
  }

  // The number of bytes of the largest part that can be taken now.
  std::size_t largest() const { return 0; }
};

// Do not change anything below.
struct User {
  std::size_t bytes;
  unsigned char mark;  // the value of each byte of the part
  CUdeviceptr part = 0;
};

void enter(Pool& pool, User& user) {
  check(pool.take(&user.part, user.bytes));
  claim("a part begins at a multiple of 256", user.part % kAlignment == 0);
  check(cuMemsetD8(user.part, user.mark, user.bytes));
}

bool unchanged(const User& user) {
  std::vector<unsigned char> bytes(user.bytes);
  check(cuMemcpyDtoH(bytes.data(), user.part, user.bytes));
  return std::all_of(bytes.begin(), bytes.end(), [&user](unsigned char byte) { return byte == user.mark; });
}

bool in_the_block(const User& user, CUdeviceptr block) {
  CUdeviceptr base = 0;
  std::size_t size = 0;
  check(cuMemGetAddressRange(&base, &size, user.part));
  return base == block && size == kBlock;
}

int main() {
  CUcontext a = nullptr, b = nullptr, owner = nullptr;
  CUdevice device = 0;
  CUdeviceptr base = 0, part = 0;
  std::size_t size = 0;
  Pool pool;
  User small = {1000, 1}, large = {5000, 2}, medium = {2000, 3}, late = {4000, 4}, last = {1000, 5};
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&a, CU_CTX_SCHED_AUTO, device));  // stack: A
  pool.open();
  check(create_context(&b, CU_CTX_SCHED_AUTO, device));  // stack: A, B

  for (User* user : {&small, &large, &medium}) enter(pool, *user);
  check(cuMemGetAddressRange(&base, &size, small.part));
  claim("all three parts are in one allocation of 8192 bytes",
        in_the_block(small, base) && in_the_block(large, base) && in_the_block(medium, base));
  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, medium.part));
  claim("which A owns, although B used it", owner == a);
  claim("no part overlaps another", unchanged(small) && unchanged(large) && unchanged(medium));

  claim("nothing is left", pool.largest() == 0 && pool.take(&part, 1) == CUDA_ERROR_OUT_OF_MEMORY);
  claim("a part of 0 bytes is refused", pool.take(&part, 0) == CUDA_ERROR_INVALID_VALUE);
  claim("an address inside is found", pool.range(&part, &size, large.part + 4999) == CUDA_SUCCESS);
  claim("with the part's begin and size", part == large.part && size == 5000);
  claim("the byte after it belongs to no part",
        pool.range(&part, &size, large.part + 5000) == CUDA_ERROR_NOT_FOUND);
  claim("an address inside is not given back", pool.give_back(large.part + 256) == CUDA_ERROR_INVALID_VALUE);
  claim("its first address is", pool.give_back(large.part) == CUDA_SUCCESS);
  claim("but not twice", pool.give_back(large.part) == CUDA_ERROR_INVALID_VALUE);

  for (User* user : {&late, &last}) enter(pool, *user);
  claim("both took the place of the large part", late.part >= large.part && late.part < large.part + 5120 &&
                                                     last.part >= large.part &&
                                                     last.part < large.part + 5120);
  claim("and again no part overlaps another",
        unchanged(small) && unchanged(medium) && unchanged(late) && unchanged(last));

  for (User* user : {&late, &small, &last, &medium}) check(pool.give_back(user->part));
  claim("now the whole block is free", pool.largest() == kBlock);
  check(pool.take(&part, kBlock));
  claim("and can be taken as one part", part == base);
  check(pool.give_back(part));
  pool.close();
  check(cuCtxDestroy(b));
  check(cuCtxDestroy(a));
}
