// SPDX-License-Identifier: MIT
// Virtual memory management, and memory shared with another process by a file descriptor and by an IPC handle. The
// program starts itself a second time as the process that imports. On the H100 two things went otherwise than it was
// written for: the export of a made-up handle ended the process (vmm_export, after step 9), and the fill in front of
// cuMemUnmap failed (vmm_importer, step 14).
#include <fcntl.h>
#include <spawn.h>

#include "probe.h"

struct Lab {
  CUcontext a = nullptr;
  CUmemAllocationProp p{};
  CUmemAccessDesc rw{}, ro{}, none{};
  size_t g = 0;
  explicit Lab(int handle_type = 0) {
    cuInit(0);
    make_ctx(&a, 0, 0);
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    p.requestedHandleTypes = (CUmemAllocationHandleType)handle_type;
    cuMemGetAllocationGranularity(&g, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    rw.location = ro.location = none.location = p.location;
    rw.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE, ro.flags = CU_MEM_ACCESS_FLAGS_PROT_READ, none.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  }
};
static void attributes(CUdeviceptr at, CUdeviceptr base) {
  CUcontext c = (CUcontext)-1; unsigned u = 9; int i = 9; size_t z = 9; CUdeviceptr d = base - 1; unsigned long long q = 9;
  C(cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, at)); note("context null", c == nullptr);
  C(cuPointerGetAttribute(&u, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, at)); note("memory type", u);
  C(cuPointerGetAttribute(&i, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, at)); note("ordinal", i);
  C(cuPointerGetAttribute(&d, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, at)); note("range start - base", (long long)(d - base));
  C(cuPointerGetAttribute(&z, CU_POINTER_ATTRIBUTE_RANGE_SIZE, at)); note("range size", (long long)z);
  d = base - 1, z = 9;
  C(cuPointerGetAttribute(&d, CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR, at)); note("mapping base - base", (long long)(d - base));
  C(cuPointerGetAttribute(&z, CU_POINTER_ATTRIBUTE_MAPPING_SIZE, at)); note("mapping size", (long long)z);
  C(cuPointerGetAttribute(&i, CU_POINTER_ATTRIBUTE_MAPPED, at)); note("mapped", i);
  C(cuPointerGetAttribute(&q, CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, at)); note("handle types", (long long)q);
  C(cuPointerGetAttribute(&u, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, at)); note("access flags", u);
  C(cuPointerGetAttribute(&i, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, at)); note("legacy ipc", i);
  d = base - 1, z = 9;
  C(cuMemGetAddressRange(&d, &z, at)); note("address range base - base", (long long)(d - base)); note("address range size", (long long)z);
}

// The importing process: descriptor 3, a legacy handle and a size on standard input.
static int importer() {
  scenario = "vmm_importer";
  alarm(60);
  struct { CUipcMemHandle ipc; size_t size; } in{};
  if (read(0, &in, sizeof in) != (ssize_t)sizeof in) return 1;
  Lab l(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  CUmemGenericAllocationHandle h = 0, h2 = 0; CUdeviceptr va = 0, q = 0; unsigned v = 0; CUmemAllocationProp got{};
  C(cuMemImportFromShareableHandle(&h, (void*)(intptr_t)3, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  C(cuMemImportFromShareableHandle(&h2, (void*)(intptr_t)3, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)); note("imported twice: same handle", h == h2);
  C(cuMemGetAllocationPropertiesFromHandle(&got, h)); note("type", got.type); note("handle types", got.requestedHandleTypes); note("device", got.location.id);
  close(3);
  C(cuMemAddressReserve(&va, in.size, 0, 0, 0));
  C(cuMemMap(va, in.size, 0, h, 0));
  C(cuMemsetD8(va, 1, 4));
  C(cuMemSetAccess(va, in.size, &l.rw, 1));
  C(cuMemcpyDtoH(&v, va, 4)); note("value", v);
  C(cuMemsetD32(va, 43, 1));
  C(cuMemUnmap(va, in.size));
  C(cuMemRelease(h)); C(cuMemRelease(h2)); C(cuMemRelease(h2));
  C(cuMemAddressFree(va, in.size));
  C(cuIpcOpenMemHandle(&q, in.ipc, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  C(cuMemcpyDtoH(&v, q, 4)); note("value", v);
  C(cuMemsetD32(q, 45, 1));
  C(cuCtxSynchronize());
  C(cuIpcCloseMemHandle(q));
  C(cuCtxDestroy(l.a));
  return 0;
}

int main(int argc, char** argv) {
  if (argc > 1) return importer();
  run("vmm_steps", [] {
    Lab l; const size_t g = l.g; CUmemGenericAllocationHandle h = 0, k = 0, r = 0; CUdeviceptr va = 0; size_t z = 0; unsigned v = 0; int yes = -1;
    C(cuDeviceGetAttribute(&yes, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0)); note("supported", yes);
    C(cuDeviceGetAttribute(&yes, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 0)); note("descriptors", yes);
    C(cuMemGetAllocationGranularity(&z, &l.p, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)); note("recommended", (long long)z);
    C(cuMemCreate(&h, g / 2, &l.p, 0)); C(cuMemCreate(&h, g + 1, &l.p, 0)); C(cuMemCreate(&h, 0, &l.p, 0));
    C(cuMemAddressReserve(&va, g / 2, 0, 0, 0)); C(cuMemAddressReserve(&va, 0, 0, 0, 0));
    C(cuMemAddressReserve(&va, size_t{1} << 30, 0, 0, 0));
    C(cuMemsetD8(va, 1, 16)); C(cuMemcpyDtoH(&v, va, 4));
    note("attributes of reserved addresses", 0); attributes(va, va);
    C(cuMemSetAccess(va, g, &l.rw, 1));
    C(cuMemCreate(&h, g, &l.p, 0)); C(cuMemCreate(&k, g, &l.p, 0));
    C(cuMemMap(0x10000000, g, 0, h, 0));
    C(cuMemMap(va, g / 2, 0, h, 0)); C(cuMemMap(va, 2 * g, 0, h, 0));
    C(cuMemMap(va, g, 0, h, 0));
    note("attributes of mapped addresses without access", 0); attributes(va, va);
    C(cuMemsetD8(va, 1, 16)); C(cuMemcpyDtoH(&v, va, 4));
    C(cuMemSetAccess(va, g / 2, &l.rw, 1)); C(cuMemSetAccess(va, g, &l.rw, 0));
    C(cuMemSetAccess(va, g, &l.rw, 1));
    C(cuMemsetD8(va, 1, g));
    note("attributes of usable memory", 0); attributes(va + 64, va);
    C(cuMemsetD8(va + g - 4, 1, 8)); C(cuMemsetD8(va, 1, g + 1));
    C(cuMemMap(va + g, g, 0, k, 0));
    C(cuMemsetD8(va + g - 4, 2, 8));
    C(cuMemcpyDtoH(&v, va + g - 2, 4));
    C(cuMemSetAccess(va + g, g, &l.rw, 1));
    C(cuMemsetD8(va + g - 4, 2, 8)); C(cuMemcpyDtoH(&v, va + g - 2, 4)); note("across both", v);
    C(cuMemsetD32(va, 7, 2 * g / 4)); C(cuMemcpyDtoH(&v, va + 2 * g - 4, 4)); note("last word", v);
    C(cuCtxSynchronize());
    note("attributes in the second piece", 0); attributes(va + g + 64, va);
    C(cuMemFree(va)); C(cuMemFree(va + g));
    CUipcMemHandle ipc{}; C(cuIpcGetMemHandle(&ipc, va));
    C(cuMemSetAccess(va, 2 * g, &l.ro, 1)); C(cuMemsetD8(va, 1, 1)); C(cuMemcpyDtoH(&v, va, 4)); C(cuMemSetAccess(va, 2 * g, &l.rw, 1));
    C(cuMemSetAccess(va, g, &l.none, 1)); C(cuMemcpyDtoH(&v, va, 4)); C(cuMemSetAccess(va, g, &l.rw, 1));
    C(cuMemAddressFree(va, size_t{1} << 30));
    C(cuMemRelease(h)); C(cuMemsetD32(va, 8, 1)); C(cuMemcpyDtoH(&v, va, 4)); note("after the release", v);
    CUmemAllocationProp got{};
    C(cuMemGetAllocationPropertiesFromHandle(&got, h)); C(cuMemRelease(h));
    C(cuMemMap(va + 2 * g, g, 0, h, 0));
    C(cuMemRetainAllocationHandle(&r, (void*)(va + 64))); note("same handle", r == h);
    C(cuMemGetAllocationPropertiesFromHandle(&got, r)); note("type", got.type); note("device", got.location.id); note("handle types", got.requestedHandleTypes);
    C(cuMemRelease(r));
    C(cuMemRetainAllocationHandle(&r, (void*)(va + 2 * g)));
    C(cuMemUnmap(va, g / 2)); C(cuMemUnmap(va, g + g / 2)); C(cuMemUnmap(va, 3 * g));
    C(cuMemUnmap(va, 2 * g)); C(cuMemUnmap(va, 2 * g));
    C(cuMemcpyDtoH(&v, va, 4));
    C(cuMemGetAllocationPropertiesFromHandle(&got, h)); C(cuMemGetAllocationPropertiesFromHandle(&got, k));
    C(cuMemRelease(k)); C(cuMemRelease(k));
    C(cuMemAddressFree(va, g)); C(cuMemAddressFree(va + g, g)); C(cuMemAddressFree(va, size_t{1} << 30)); C(cuMemAddressFree(va, size_t{1} << 30));
  });
  run("vmm_twice", [] {  // the same memory at several addresses, also one behind the other
    Lab l; const size_t g = l.g; CUmemGenericAllocationHandle h = 0, r = 0, s = 0; CUdeviceptr va = 0, vb = 0; unsigned v = 0;
    C(cuMemCreate(&h, g, &l.p, 0)); C(cuMemAddressReserve(&va, 2 * g, 0, 0, 0)); C(cuMemAddressReserve(&vb, g, 0, 0, 0));
    C(cuMemMap(va, g, 0, h, 0)); C(cuMemMap(va + g, g, 0, h, 0)); C(cuMemMap(vb, g, 0, h, 0));
    C(cuMemSetAccess(va, 2 * g, &l.rw, 1));
    C(cuMemsetD32(va, 11, 1)); C(cuMemcpyDtoH(&v, vb, 4));
    C(cuMemSetAccess(vb, g, &l.ro, 1));
    C(cuMemcpyDtoH(&v, vb, 4)); note("through the other address", v);
    C(cuMemcpyDtoH(&v, va + g, 4)); note("behind the end", v);
    C(cuMemsetD8(vb, 1, 4)); C(cuMemsetD32(va, 12, 1)); C(cuMemcpyDtoH(&v, vb, 4)); note("through the other address", v);
    unsigned two[2] = {21, 22}, back[2] = {};
    C(cuMemcpyHtoD(va + g - 4, two, 8)); C(cuMemcpyDtoH(&v, va, 4)); note("first word: wrapped", v);
    C(cuMemcpyDtoH(back, va + g - 4, 8)); note("both", back[0] * 100 + back[1]);
    C(cuMemRetainAllocationHandle(&r, (void*)va)); C(cuMemRetainAllocationHandle(&s, (void*)vb)); note("the same handle", r == h && s == h);
    C(cuMemRelease(r)); C(cuMemRelease(s)); C(cuMemRelease(h)); C(cuMemRelease(h));
    C(cuMemUnmap(va, g)); C(cuMemcpyDtoH(&v, vb, 4)); note("still there", v);
    C(cuMemUnmap(va + g, g)); C(cuMemUnmap(vb, g)); C(cuMemAddressFree(va, 2 * g)); C(cuMemAddressFree(vb, g));
  });
  run("vmm_without_context", [] {  // memory that outlives contexts
    cuInit(0); Lab l; const size_t g = l.g; CUmemGenericAllocationHandle h = 0; CUdeviceptr va = 0; unsigned v = 0; CUcontext b = nullptr;
    C(cuMemAddressReserve(&va, g, 0, 0, 0)); C(cuMemCreate(&h, g, &l.p, 0)); C(cuMemMap(va, g, 0, h, 0)); C(cuMemSetAccess(va, g, &l.rw, 1));
    C(cuMemsetD32(va, 5, 1)); C(cuCtxDestroy(l.a)); C(cuMemcpyDtoH(&v, va, 4));
    C(make_ctx(&b, 0, 0)); C(cuMemcpyDtoH(&v, va, 4)); note("value in another context", v);
    C(cuMemUnmap(va, g)); C(cuMemRelease(h)); C(cuMemAddressFree(va, g)); C(cuCtxDestroy(b));
  });
  run("vmm_release_first", [] {  // the handle released before the access is set
    Lab l; const size_t g = l.g; CUmemGenericAllocationHandle h = 0; CUdeviceptr va = 0; unsigned v = 0;
    C(cuMemAddressReserve(&va, g, 0, 0, 0)); C(cuMemCreate(&h, g, &l.p, 0)); C(cuMemMap(va, g, 0, h, 0)); C(cuMemRelease(h));
    C(cuMemSetAccess(va, g, &l.rw, 1)); C(cuMemsetD32(va, 6, 1)); C(cuMemcpyDtoH(&v, va, 4)); note("value", v);
    C(cuMemUnmap(va, g)); C(cuMemAddressFree(va, g)); C(cuMemRelease(h));
  });
  run("vmm_export", [] {
    const int kind = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    Lab l(kind), plain; const size_t g = l.g; CUmemGenericAllocationHandle h = 0, n = 0, i = 0, j = 0; CUdeviceptr va = 0; int fd = -1, fd2 = -1; unsigned v = 0;
    note("granularity the same", l.g == plain.g);
    C(cuMemCreate(&h, g, &l.p, 0)); C(cuMemCreate(&n, g, &plain.p, 0));
    C(cuMemExportToShareableHandle(&fd, n, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0)); note("unchanged", fd == -1);
    C(cuMemExportToShareableHandle(nullptr, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    C(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_NONE, 0));
    C(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_WIN32, 0));
    C(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1));
    C(cuMemExportToShareableHandle(&fd, 12345, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    C(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0)); note("a descriptor", fd >= 0); note("closed by exec", fcntl(fd, F_GETFD) & FD_CLOEXEC);
    C(cuMemExportToShareableHandle(&fd2, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0)); note("another descriptor", fd2 != fd);
    C(cuMemImportFromShareableHandle(&i, (void*)(intptr_t)-1, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    C(cuMemImportFromShareableHandle(&i, (void*)(intptr_t)999, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    int null = open("/dev/null", O_RDONLY); C(cuMemImportFromShareableHandle(&i, (void*)(intptr_t)null, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    C(cuMemImportFromShareableHandle(nullptr, (void*)(intptr_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    C(cuMemImportFromShareableHandle(&i, (void*)(intptr_t)fd, CU_MEM_HANDLE_TYPE_NONE));
    C(cuMemImportFromShareableHandle(&i, (void*)(intptr_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)); note("imported here: the same handle", i == h);
    C(cuMemImportFromShareableHandle(&j, (void*)(intptr_t)fd2, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)); note("imported again: the same handle", j == i);
    close(fd); close(fd2);
    CUmemAllocationProp got{}; C(cuMemGetAllocationPropertiesFromHandle(&got, i)); note("handle types", got.requestedHandleTypes); note("type", got.type); note("device", got.location.id);
    C(cuMemAddressReserve(&va, 2 * g, 0, 0, 0)); C(cuMemMap(va, g, 0, h, 0)); C(cuMemMap(va + g, g, 0, i, 0)); C(cuMemSetAccess(va, 2 * g, &l.rw, 1));
    C(cuMemsetD32(va, 31, 1)); C(cuMemcpyDtoH(&v, va + g, 4)); note("the same memory", v);
    C(cuMemRelease(h)); C(cuMemUnmap(va, g)); C(cuMemcpyDtoH(&v, va + g, 4)); note("kept by the import", v);
    note("attributes of imported memory", 0); attributes(va + g, va);
    C(cuMemRelease(i)); C(cuMemRelease(j)); C(cuMemRelease(j)); C(cuMemUnmap(va + g, g)); C(cuMemAddressFree(va, 2 * g)); C(cuMemRelease(n));
  });
  run("vmm_exporter", [] {
    Lab l(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR); const size_t g = l.g; CUmemGenericAllocationHandle h = 0; CUdeviceptr va = 0, p = 0; int fd = -1, ends[2], status = -1; unsigned v = 0;
    struct { CUipcMemHandle ipc; size_t size; } out{}; out.size = g;
    C(cuMemCreate(&h, g, &l.p, 0)); C(cuMemAddressReserve(&va, g, 0, 0, 0)); C(cuMemMap(va, g, 0, h, 0)); C(cuMemSetAccess(va, g, &l.rw, 1));
    C(cuMemsetD32(va, 42, 1)); C(cuMemAlloc(&p, 4096)); C(cuMemsetD32(p, 44, 1)); C(cuIpcGetMemHandle(&out.ipc, p));
    C(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0)); C(cuCtxSynchronize());
    if (pipe(ends) != 0 || write(ends[1], &out, sizeof out) != (ssize_t)sizeof out) return;
    posix_spawn_file_actions_t actions; posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
    posix_spawn_file_actions_adddup2(&actions, fd, 3);
    if (fd == 3) fcntl(3, F_SETFD, 0);
    char name[] = "importer", word[] = "import"; char* const argv[] = {name, word, nullptr}; pid_t child = 0;
    note("spawn", posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv, environ));
    waitpid(child, &status, 0); note("status", status);
    C(cuMemcpyDtoH(&v, va, 4)); note("written by the other, descriptor", v);
    C(cuMemcpyDtoH(&v, p, 4)); note("written by the other, ipc", v);
    C(cuMemUnmap(va, g)); C(cuMemRelease(h)); C(cuMemAddressFree(va, g)); C(cuMemFree(p)); C(cuCtxDestroy(l.a));
  });
  return 0;
}
