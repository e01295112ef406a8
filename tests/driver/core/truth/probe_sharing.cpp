// SPDX-License-Identifier: MIT
// What the driver answers about memory that is shared by file descriptors, about thread block clusters, and to calls that need
// something which a machine may not have. It makes no call about multicast objects. Written for compute capability 9.0.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "probe.h"

static const char* const kPtx = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry empty() { ret; }
.visible .entry add(.param .u64 p, .param .u32 v) {
  .reg .b64 %rd<3>; .reg .b32 %r<3>;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [v]; cvta.to.global.u64 %rd2, %rd1;
  red.global.add.u32 [%rd2], %r1; ret;
}
)";

// values: of each block, twenty words. ring: what the next block of the cluster has in its shared memory, read in four ways, and
// what all have added to the first. leave: the second half of a block's threads ends without arriving.
static const char* const kClusterPtx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry values(.param .u64 out) {
  .reg .u64 %rd<4>; .reg .u32 %r<24>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z; mov.u32 %r4, %nctaid.x; mov.u32 %r5, %nctaid.y;
  mad.lo.u32 %r6, %r3, %r5, %r2; mad.lo.u32 %r6, %r6, %r4, %r1;
  mul.wide.u32 %rd2, %r6, 80; add.u64 %rd1, %rd1, %rd2;
  mov.u32 %r7, %cluster_ctaid.x; st.global.u32 [%rd1], %r7;
  mov.u32 %r7, %cluster_ctaid.y; st.global.u32 [%rd1+4], %r7;
  mov.u32 %r7, %cluster_ctaid.z; st.global.u32 [%rd1+8], %r7;
  mov.u32 %r7, %cluster_nctaid.x; st.global.u32 [%rd1+12], %r7;
  mov.u32 %r7, %cluster_nctaid.y; st.global.u32 [%rd1+16], %r7;
  mov.u32 %r7, %cluster_nctaid.z; st.global.u32 [%rd1+20], %r7;
  mov.u32 %r7, %cluster_ctarank; st.global.u32 [%rd1+24], %r7;
  mov.u32 %r7, %cluster_nctarank; st.global.u32 [%rd1+28], %r7;
  mov.u32 %r7, %clusterid.x; st.global.u32 [%rd1+32], %r7;
  mov.u32 %r7, %clusterid.y; st.global.u32 [%rd1+36], %r7;
  mov.u32 %r7, %clusterid.z; st.global.u32 [%rd1+40], %r7;
  mov.u32 %r7, %nclusterid.x; st.global.u32 [%rd1+44], %r7;
  mov.u32 %r7, %nclusterid.y; st.global.u32 [%rd1+48], %r7;
  mov.u32 %r7, %nclusterid.z; st.global.u32 [%rd1+52], %r7;
  mov.pred %p1, %is_explicit_cluster; selp.u32 %r7, 1, 0, %p1; st.global.u32 [%rd1+56], %r7;
  mov.u32 %r7, 1; st.global.u32 [%rd1+60], %r7;
  ret;
}
.visible .entry ring(.param .u64 out) {
  .reg .u64 %rd<10>; .reg .u32 %r<30>; .reg .pred %p<4>;
  .shared .align 4 .u32 own[64]; .shared .align 4 .u32 sum;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, %cluster_nctarank; mov.u32 %r3, %tid.x; mov.u32 %r4, %ctaid.x;
  mad.lo.u32 %r5, %r4, 100, %r3;
  shl.b32 %r6, %r3, 2; mov.u32 %r7, own; add.u32 %r8, %r7, %r6;
  st.shared.u32 [%r8], %r5;
  mov.u32 %r9, sum; setp.eq.u32 %p1, %r3, 0; @%p1 st.shared.u32 [%r9], 0;
  barrier.cluster.arrive.release.aligned;
  barrier.cluster.wait.acquire.aligned;
  add.u32 %r10, %r1, 1; rem.u32 %r10, %r10, %r2;
  mapa.shared::cluster.u32 %r11, %r8, %r10;
  ld.shared::cluster.u32 %r12, [%r11];
  cvt.u64.u32 %rd2, %r8; cvta.shared.u64 %rd2, %rd2;
  mapa.u64 %rd3, %rd2, %r10;
  ld.u32 %r13, [%rd3];
  cvt.u64.u32 %rd4, %r11; cvta.shared::cluster.u64 %rd4, %rd4;
  ld.u32 %r14, [%rd4];
  cvta.to.shared::cluster.u64 %rd5, %rd3; cvt.u32.u64 %r15, %rd5;
  ld.shared::cluster.u32 %r15, [%r15];
  mapa.shared::cluster.u32 %r16, %r9, 0;
  red.shared::cluster.add.u32 [%r16], 1;
  atom.shared::cluster.add.u32 %r17, [%r16+0], 1;
  getctarank.shared::cluster.u32 %r18, %r11;
  getctarank.u64 %r19, %rd3;
  isspacep.shared::cluster %p2, %rd3; selp.u32 %r20, 1, 0, %p2;
  isspacep.shared::cta %p2, %rd3; selp.u32 %r21, 1, 0, %p2;
  isspacep.global %p2, %rd3; selp.u32 %r22, 1, 0, %p2;
  isspacep.shared::cluster %p2, %rd2; selp.u32 %r23, 1, 0, %p2;
  isspacep.shared::cta %p2, %rd2; selp.u32 %r24, 1, 0, %p2;
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  ld.shared.u32 %r25, [%r9];
  mov.u32 %r26, %ntid.x; mad.lo.u32 %r27, %r4, %r26, %r3; mul.wide.u32 %rd6, %r27, 48; add.u64 %rd1, %rd1, %rd6;
  st.global.u32 [%rd1], %r12; st.global.u32 [%rd1+4], %r13; st.global.u32 [%rd1+8], %r14; st.global.u32 [%rd1+12], %r15;
  st.global.u32 [%rd1+16], %r18; st.global.u32 [%rd1+20], %r19;
  st.global.u32 [%rd1+24], %r20; st.global.u32 [%rd1+28], %r21; st.global.u32 [%rd1+32], %r22;
  st.global.u32 [%rd1+36], %r23; st.global.u32 [%rd1+40], %r24; st.global.u32 [%rd1+44], %r25;
  ret;
}
.visible .entry store_next(.param .u64 out) {
  .reg .u64 %rd<4>; .reg .u32 %r<12>;
  .shared .align 8 .b32 got[2];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, %cluster_nctarank; mov.u32 %r4, %ctaid.x;
  barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;
  add.u32 %r3, %r1, 1; rem.u32 %r3, %r3, %r2;
  mov.u32 %r5, got; mapa.shared::cluster.u32 %r6, %r5, %r3;
  st.shared::cluster.v2.u32 [%r6], {%r1, %r4};
  barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
  ld.shared.v2.u32 {%r7, %r8}, [%r5];
  mul.wide.u32 %rd2, %r4, 8; add.u64 %rd1, %rd1, %rd2; st.global.v2.u32 [%rd1], {%r7, %r8};
  ret;
}
.visible .entry leave(.param .u64 out) {
  .reg .u64 %rd<3>; .reg .u32 %r<6>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 32; @%p1 exit;
  mov.u32 %r2, %cluster_ctarank; setp.eq.u32 %p2, %r2, 1; @%p2 exit;
  barrier.cluster.arrive; barrier.cluster.wait;
  setp.ne.u32 %p1, %r1, 0; @%p1 exit;
  mov.u32 %r3, %ctaid.x; mul.wide.u32 %rd2, %r3, 4; add.u64 %rd1, %rd1, %rd2; mov.u32 %r4, 7; st.global.u32 [%rd1], %r4;
  ret;
}
.visible .entry reach(.param .u64 out, .param .u32 rank, .param .u32 offset) {
  .reg .u64 %rd<3>; .reg .u32 %r<8>;
  .shared .align 4 .u32 own;
  ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [rank]; ld.param.u32 %r2, [offset];
  mov.u32 %r3, own; st.shared.u32 [%r3], 5;
  barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
  mapa.shared::cluster.u32 %r4, %r3, %r1; add.u32 %r4, %r4, %r2;
  ld.shared::cluster.u32 %r5, [%r4]; st.global.u32 [%rd1], %r5;
  barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
  ret;
}
.visible .entry plain() { ret; }
.visible .entry required() .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }
.visible .entry required_plain() .reqnctapercluster 2 { ret; }
.visible .entry required_box() .explicitcluster .reqnctapercluster 2, 2, 1 { ret; }
.visible .entry required_large() .explicitcluster .reqnctapercluster 16, 1, 1 { ret; }
.visible .entry explicit() .explicitcluster { ret; }
.visible .entry mostfour() .explicitcluster .maxclusterrank 4 { ret; }
.visible .entry mostfour_plain() .maxclusterrank 4 { ret; }
)";

struct Lab {
  CUcontext a = nullptr;
  CUmodule m = nullptr;
  CUdeviceptr p = 0;
  explicit Lab(const char* ptx = kPtx) { cuInit(0); make_ctx(&a, 0, 0); cuModuleLoadData(&m, ptx); cuMemAlloc(&p, 65536); cuMemsetD8(p, 0, 65536); cuCtxSynchronize(); }
  CUfunction f(const char* n) { CUfunction g = nullptr; cuModuleGetFunction(&g, m, n); return g; }
  std::vector<unsigned> words(size_t n) { std::vector<unsigned> v(n, 77); cuMemcpyDtoH(v.data(), p, n * 4); return v; }
};
static std::string list(const std::vector<unsigned>& v, size_t from, size_t n) { std::string t; for (size_t i = from; i < from + n; ++i) t += (i > from ? " " : "") + std::to_string(v[i]); return t; }

// ---- sharing by descriptor

constexpr CUmemAllocationHandleType kFile = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
static size_t unit() { CUmemAllocationProp p{}; p.type = CU_MEM_ALLOCATION_TYPE_PINNED; p.location.type = CU_MEM_LOCATION_TYPE_DEVICE; size_t n = 0; cuMemGetAllocationGranularity(&n, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM); return n; }
static CUmemAllocationProp props(int type) { CUmemAllocationProp p{}; p.type = CU_MEM_ALLOCATION_TYPE_PINNED; p.location.type = CU_MEM_LOCATION_TYPE_DEVICE; p.requestedHandleTypes = (CUmemAllocationHandleType)type; return p; }
static CUmemGenericAllocationHandle made(int type = kFile, size_t units = 1) { CUmemAllocationProp p = props(type); CUmemGenericAllocationHandle h = 0; cuMemCreate(&h, units * unit(), &p, 0); return h; }
static void* as_handle(int fd) { return (void*)(intptr_t)fd; }
static CUmemAccessDesc access_of(CUmemAccess_flags f) { CUmemAccessDesc d{}; d.location.type = CU_MEM_LOCATION_TYPE_DEVICE; d.flags = f; return d; }
static CUdeviceptr mapped(CUmemGenericAllocationHandle h, size_t units = 1) { CUdeviceptr p = 0; cuMemAddressReserve(&p, units * unit(), 0, 0, 0); CUresult r = cuMemMap(p, units * unit(), 0, h, 0); CUmemAccessDesc d = access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE); CUresult q = cuMemSetAccess(p, units * unit(), &d, 1); note("mapped", std::string(ename(r)) + " " + ename(q)); return p; }
static void unmapped(CUdeviceptr p, size_t units = 1) { C(cuMemUnmap(p, units * unit())); C(cuMemAddressFree(p, units * unit())); }
static void word_at(CUdeviceptr p) { unsigned v = 12345; CUresult r = cuMemcpyDtoH(&v, p, 4); note("word", std::string(ename(r)) + " " + std::to_string(v)); }
static void said(CUmemGenericAllocationHandle h) { CUmemAllocationProp q; memset(&q, 0xee, sizeof q); C(cuMemGetAllocationPropertiesFromHandle(&q, h)); note("type, handle types, location, device", std::to_string(q.type) + " " + std::to_string(q.requestedHandleTypes) + " " + std::to_string(q.location.type) + " " + std::to_string(q.location.id)); note("compression, gpuDirect, usage", std::to_string(q.allocFlags.compressionType) + " " + std::to_string(q.allocFlags.gpuDirectRDMACapable) + " " + std::to_string(q.allocFlags.usage)); }
static bool open_fd(int fd) { return fcntl(fd, F_GETFD) >= 0; }
static void send_fd(int to, int fd) { char c = 0; iovec io{&c, 1}; char buf[CMSG_SPACE(4)]{}; msghdr m{}; m.msg_iov = &io; m.msg_iovlen = 1; m.msg_control = buf; m.msg_controllen = sizeof buf; cmsghdr* h = CMSG_FIRSTHDR(&m); h->cmsg_level = SOL_SOCKET; h->cmsg_type = SCM_RIGHTS; h->cmsg_len = CMSG_LEN(4); memcpy(CMSG_DATA(h), &fd, 4); sendmsg(to, &m, 0); }
static int take_fd(int from) { char c; iovec io{&c, 1}; char buf[CMSG_SPACE(4)]{}; msghdr m{}; m.msg_iov = &io; m.msg_iovlen = 1; m.msg_control = buf; m.msg_controllen = sizeof buf; if (recvmsg(from, &m, 0) <= 0) return -1; int fd = -1; cmsghdr* h = CMSG_FIRSTHDR(&m); if (h) memcpy(&fd, CMSG_DATA(h), 4); return fd; }
static void signal_to(int to) { char c = 0; if (write(to, &c, 1) < 0) _exit(1); }
static void wait_for(int from) { char c = 0; if (read(from, &c, 1) < 0) _exit(1); }

static void sharing() {
  run("share_attributes", [] { Lab l; for (CUdevice_attribute a : {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED, CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS, CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH, CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK, CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED, CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED, CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED}) { int v = -1; cuDeviceGetAttribute(&v, a, 0); note("attribute " + std::to_string((int)a), v); } });
  run("share_create", [] { Lab l; size_t n = unit(); for (int t : {0, 1, 2, 4, 3, 5, 16, 64, -1}) { CUmemAllocationProp p = props(t); CUmemGenericAllocationHandle h = 0; size_t g = 0; rec(("granularity, types " + std::to_string(t)).c_str(), cuMemGetAllocationGranularity(&g, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM)); note("same", g == n); CUresult r = rec(("create, types " + std::to_string(t)).c_str(), cuMemCreate(&h, n, &p, 0)); if (!r) { said(h); C(cuMemRelease(h)); } } });
  run("share_export_arguments", [] { Lab l; CUmemGenericAllocationHandle plain = made(0), h = made(); int fd = -7;
    C(cuMemExportToShareableHandle(&fd, plain, kFile, 0)); note("fd", fd); C(cuMemExportToShareableHandle(nullptr, h, kFile, 0)); C(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_NONE, 0)); C(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_WIN32, 0)); C(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_WIN32_KMT, 0)); C(cuMemExportToShareableHandle(&fd, h, CU_MEM_HANDLE_TYPE_FABRIC, 0)); C(cuMemExportToShareableHandle(&fd, h, (CUmemAllocationHandleType)3, 0)); C(cuMemExportToShareableHandle(&fd, h, (CUmemAllocationHandleType)64, 0)); C(cuMemExportToShareableHandle(&fd, h, kFile, 1)); C(cuMemExportToShareableHandle(nullptr, plain, kFile, 1)); C(cuMemExportToShareableHandle(&fd, plain, CU_MEM_HANDLE_TYPE_WIN32, 0)); note("fd", fd);
    C(cuMemExportToShareableHandle(&fd, h, kFile, 0)); note("open", open_fd(fd)); note("close on exec", (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0); int two = -1; C(cuMemExportToShareableHandle(&two, h, kFile, 0)); note("another descriptor", fd != two); CUmemGenericAllocationHandle other = made(); int three = -1; C(cuMemExportToShareableHandle(&three, other, kFile, 0)); note("another descriptor", three != fd && three != two); C(cuMemRelease(h)); note("open", open_fd(fd)); });
  // Handles that are none, which may end the process.
  run("share_export_none", [] { Lab l; int fd = -7; C(cuMemExportToShareableHandle(&fd, 0, kFile, 0)); });
  run("share_export_invented", [] { Lab l; int fd = -7; C(cuMemExportToShareableHandle(&fd, 0x1234, kFile, 0)); });
  run("share_export_address", [] { Lab l; int fd = -7; C(cuMemExportToShareableHandle(&fd, l.p, kFile, 0)); });
  run("share_export_released", [] { Lab l; CUmemGenericAllocationHandle h = made(); int fd = -7; C(cuMemRelease(h)); C(cuMemExportToShareableHandle(&fd, h, kFile, 0)); });
  run("share_import_arguments", [] { Lab l; CUmemGenericAllocationHandle h = made(), got = 0x55; int fd = -1; cuMemExportToShareableHandle(&fd, h, kFile, 0);
    C(cuMemImportFromShareableHandle(nullptr, as_handle(fd), kFile)); C(cuMemImportFromShareableHandle(&got, as_handle(fd), CU_MEM_HANDLE_TYPE_NONE)); C(cuMemImportFromShareableHandle(&got, as_handle(fd), CU_MEM_HANDLE_TYPE_WIN32)); C(cuMemImportFromShareableHandle(&got, as_handle(fd), CU_MEM_HANDLE_TYPE_WIN32_KMT)); C(cuMemImportFromShareableHandle(&got, as_handle(fd), (CUmemAllocationHandleType)3)); C(cuMemImportFromShareableHandle(&got, as_handle(fd), (CUmemAllocationHandleType)64)); C(cuMemImportFromShareableHandle(&got, as_handle(-1), kFile)); C(cuMemImportFromShareableHandle(&got, as_handle(999), kFile)); C(cuMemImportFromShareableHandle(nullptr, as_handle(999), kFile)); note("untouched", got == 0x55);
    int ends[2]; if (pipe(ends)) return; C(cuMemImportFromShareableHandle(&got, as_handle(ends[0]), kFile)); C(cuMemImportFromShareableHandle(&got, as_handle(ends[1]), kFile)); int null = open("/dev/null", O_RDWR), self = open("/proc/self/exe", O_RDONLY); C(cuMemImportFromShareableHandle(&got, as_handle(null), kFile)); C(cuMemImportFromShareableHandle(&got, as_handle(self), kFile)); int zeros = open("/tmp", O_TMPFILE | O_RDWR, 0600); if (zeros >= 0 && ftruncate(zeros, 4 << 20)) return; C(cuMemImportFromShareableHandle(&got, as_handle(zeros), kFile)); int closed = dup(fd); close(closed); C(cuMemImportFromShareableHandle(&got, as_handle(closed), kFile)); C(cuMemImportFromShareableHandle(&got, &fd, kFile)); note("untouched", got == 0x55);
    CUmemPoolProps pp{}; pp.allocType = CU_MEM_ALLOCATION_TYPE_PINNED; pp.handleTypes = kFile; pp.location.type = CU_MEM_LOCATION_TYPE_DEVICE; CUmemoryPool pool = nullptr, gotpool = nullptr; cuMemPoolCreate(&pool, &pp); int pfd = -1; cuMemPoolExportToShareableHandle(&pfd, pool, kFile, 0); rec("a pool's descriptor", cuMemImportFromShareableHandle(&got, as_handle(pfd), kFile)); rec("memory's descriptor as a pool", cuMemPoolImportFromShareableHandle(&gotpool, as_handle(fd), kFile, 0));
    int copy = dup(fd); rec("a copy of the descriptor", cuMemImportFromShareableHandle(&got, as_handle(copy), kFile)); note("still open", open_fd(copy)); });
  run("share_same_process", [] { Lab l; CUmemGenericAllocationHandle h = made(kFile, 2), one = 0, two = 0; int fd = -1; C(cuMemExportToShareableHandle(&fd, h, kFile, 0)); CUdeviceptr p = mapped(h, 2); C(cuMemsetD32(p, 42, 1)); C(cuMemImportFromShareableHandle(&one, as_handle(fd), kFile)); note("the same handle", one == h); C(cuMemImportFromShareableHandle(&two, as_handle(fd), kFile)); note("the same handle", two == one); close(fd); said(one);
    CUdeviceptr q = 0; C(cuMemAddressReserve(&q, 4 * unit(), 0, 0, 0)); C(cuMemMap(q, unit(), 0, one, 0)); C(cuMemMap(q, 4 * unit(), 0, one, 0)); C(cuMemMap(q, 2 * unit(), unit(), one, 0)); C(cuMemMap(q, 2 * unit(), 0, one, 0)); C(cuMemcpyDtoH(&fd, q, 4)); CUmemAccessDesc d = access_of(CU_MEM_ACCESS_FLAGS_PROT_READ); C(cuMemSetAccess(q, 2 * unit(), &d, 1)); word_at(q); C(cuMemsetD32(q, 43, 1)); d = access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE); C(cuMemSetAccess(q, 2 * unit(), &d, 1)); C(cuMemsetD32(q, 43, 1)); word_at(p); unsigned v = 5; void* args[] = {&q, &v}; C(cuLaunchKernel(l.f("add"), 1, 1, 1, 1, 1, 1, 0, 0, args, 0)); C(cuCtxSynchronize()); word_at(p); word_at(q); void* args2[] = {&p, &v}; C(cuLaunchKernel(l.f("add"), 1, 1, 1, 1, 1, 1, 0, 0, args2, 0)); C(cuCtxSynchronize()); word_at(q);
    CUmemGenericAllocationHandle back = 0; C(cuMemRetainAllocationHandle(&back, (void*)q)); note("the imported handle", back == one); C(cuMemRelease(back)); C(cuMemRetainAllocationHandle(&back, (void*)p)); note("the first handle", back == h); C(cuMemRelease(back)); C(cuMemUnmap(p, 2 * unit())); C(cuMemRelease(h)); word_at(q); C(cuMemRelease(one)); C(cuMemRelease(two)); word_at(q); C(cuMemRelease(one)); C(cuMemUnmap(q, 2 * unit())); C(cuMemAddressFree(q, 4 * unit())); });
  run("share_lifetime", [] { Lab l; CUmemGenericAllocationHandle h = made(), got = 0; int fd = -1; C(cuMemExportToShareableHandle(&fd, h, kFile, 0)); CUdeviceptr p = mapped(h); C(cuMemsetD32(p, 7, 1)); unmapped(p); C(cuMemRelease(h)); rec("only the descriptor is left", cuMemImportFromShareableHandle(&got, as_handle(fd), kFile)); note("a new handle", got != h); p = mapped(got); word_at(p); C(cuMemRelease(got)); rec("handles released, mapped", cuMemImportFromShareableHandle(&got, as_handle(fd), kFile)); CUdeviceptr q = mapped(got); C(cuMemsetD32(q, 8, 1)); word_at(p); close(fd); unmapped(p); word_at(q); C(cuMemExportToShareableHandle(&fd, got, kFile, 0)); C(cuMemRelease(got)); unmapped(q); C(cuMemImportFromShareableHandle(&got, as_handle(fd), kFile)); p = mapped(got); word_at(p); });
  run("share_memory_info", [] { Lab l; size_t before = 0, after = 0, all = 0, n = 8 * unit(); cuMemGetInfo(&before, &all); CUmemGenericAllocationHandle h = made(kFile, 8), got = 0; cuMemGetInfo(&after, &all); note("taken at creation", before - after == n); int fd = -1; cuMemExportToShareableHandle(&fd, h, kFile, 0); cuMemImportFromShareableHandle(&got, as_handle(fd), kFile); cuMemGetInfo(&after, &all); note("nothing more for an import", before - after == n); cuMemRelease(h); cuMemRelease(got); cuMemGetInfo(&after, &all); note("still taken by the descriptor", before - after == n); close(fd); cuMemGetInfo(&after, &all); note("free again", before == after); });
  run("share_pointer", [] { Lab l; CUmemGenericAllocationHandle h = made(), got = 0; int fd = -1; cuMemExportToShareableHandle(&fd, h, kFile, 0); cuMemImportFromShareableHandle(&got, as_handle(fd), kFile); for (CUmemGenericAllocationHandle one : {h, got}) { CUdeviceptr p = mapped(one); CUcontext c = (CUcontext)1; C(cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, p)); note("context", c == nullptr ? "null" : "some"); int type = -1; C(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p)); note("type", type); unsigned u = 99; C(cuPointerGetAttribute(&u, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, p)); note("v", u); unsigned long long t = 99; C(cuPointerGetAttribute(&t, CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, p)); note("handle types", (long long)t); size_t s = 0; C(cuPointerGetAttribute(&s, CU_POINTER_ATTRIBUTE_MAPPING_SIZE, p)); note("one unit", s == unit()); int dev = -1; C(cuPointerGetAttribute(&dev, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p)); note("device", dev); u = 99; C(cuPointerGetAttribute(&u, CU_POINTER_ATTRIBUTE_IS_MANAGED, p)); note("v", u); CUmemoryPool pool = (CUmemoryPool)1; C(cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, p)); note("pool", pool == nullptr ? "none" : "some"); CUdeviceptr base = 0; C(cuMemGetAddressRange(&base, &s, p + 64)); note("base", base == p); CUipcMemHandle ipc; C(cuIpcGetMemHandle(&ipc, p)); C(cuMemFree(p)); } });
  run("share_two_processes", [] { int pair[2]; if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return; fflush(stdout); pid_t child = fork();
    if (child == 0) { scenario = "share_importer"; step = 0; alarm(30); Lab l; int fd = take_fd(pair[1]); CUmemGenericAllocationHandle got = 0, again = 0; C(cuMemImportFromShareableHandle(&got, as_handle(fd), kFile)); C(cuMemImportFromShareableHandle(&again, as_handle(fd), kFile)); note("the same handle", got == again); C(cuMemRelease(again)); said(got); CUdeviceptr p = mapped(got); word_at(p); C(cuMemsetD32(p + 4, 9, 1)); unsigned v = 3; void* args[] = {&p, &v}; C(cuLaunchKernel(l.f("add"), 1, 1, 1, 1, 1, 1, 0, 0, args, 0)); C(cuCtxSynchronize()); int fd2 = -1; rec("exported again by the importer", cuMemExportToShareableHandle(&fd2, got, kFile, 0)); CUmemGenericAllocationHandle third = 0; if (fd2 >= 0) { C(cuMemImportFromShareableHandle(&third, as_handle(fd2), kFile)); note("the same handle", third == got); } close(fd); signal_to(pair[1]); wait_for(pair[1]); word_at(p); rec("the creator has released and unmapped it", cuMemsetD32(p, 11, 1)); word_at(p); signal_to(pair[1]); wait_for(pair[1]); rec("the creator has ended", cuMemsetD32(p, 12, 1)); word_at(p); unmapped(p); C(cuMemRelease(got)); fflush(stdout); _exit(0); }
    Lab l; CUmemGenericAllocationHandle h = made(); int fd = -1; C(cuMemExportToShareableHandle(&fd, h, kFile, 0)); CUdeviceptr p = mapped(h); C(cuMemsetD32(p, 70, 1)); C(cuCtxSynchronize()); send_fd(pair[0], fd); wait_for(pair[0]); word_at(p); word_at(p + 4); C(cuMemUnmap(p, unit())); C(cuMemRelease(h)); close(fd); signal_to(pair[0]); wait_for(pair[0]); C(cuCtxDestroy(l.a)); fflush(stdout); signal_to(pair[0]); int st; waitpid(child, &st, 0); note("child", WIFEXITED(st) ? WEXITSTATUS(st) : -1); });
  run("share_no_context", [] { cuInit(0); CUmemGenericAllocationHandle h = made(), got = 0; int fd = -1; C(cuMemExportToShareableHandle(&fd, h, kFile, 0)); C(cuMemImportFromShareableHandle(&got, as_handle(fd), kFile)); C(cuMemRelease(got)); C(cuMemRelease(h)); });
  run("share_before_init", [] { int fd = -1; CUmemGenericAllocationHandle h = 0; C(cuMemExportToShareableHandle(&fd, 1, kFile, 0)); C(cuMemImportFromShareableHandle(&h, as_handle(0), kFile)); });
}

// ---- clusters

static CUlaunchAttribute cluster_of(unsigned x, unsigned y = 1, unsigned z = 1) { CUlaunchAttribute a{}; a.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION; a.value.clusterDim.x = x; a.value.clusterDim.y = y; a.value.clusterDim.z = z; return a; }
static CUlaunchConfig config(unsigned x, unsigned y, unsigned z, unsigned block, CUlaunchAttribute* a = nullptr, unsigned count = 0) { CUlaunchConfig c{}; c.gridDimX = x; c.gridDimY = y; c.gridDimZ = z; c.blockDimX = block; c.blockDimY = c.blockDimZ = 1; c.attrs = a; c.numAttrs = count; return c; }
static std::string shown(unsigned x, unsigned y, unsigned z) { return std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z); }

static void clusters() {
  run("cluster_values", [] { Lab l(kClusterPtx); CUfunction f = l.f("values"); void* args[] = {&l.p}; struct Case { unsigned g[3], c[3]; }; for (Case k : {Case{{4, 1, 1}, {0, 0, 0}}, Case{{4, 1, 1}, {1, 1, 1}}, Case{{4, 1, 1}, {2, 1, 1}}, Case{{6, 2, 1}, {3, 2, 1}}, Case{{2, 4, 2}, {1, 2, 2}}, Case{{4, 2, 2}, {2, 2, 2}}, Case{{3, 4, 1}, {1, 4, 1}}, Case{{2, 2, 4}, {1, 1, 4}}}) { CUlaunchAttribute a = cluster_of(k.c[0], k.c[1], k.c[2]); CUlaunchConfig c = config(k.g[0], k.g[1], k.g[2], 1, &a, k.c[0] ? 1 : 0); cuMemsetD8(l.p, 0, 4096); rec(("grid " + shown(k.g[0], k.g[1], k.g[2]) + " in clusters of " + shown(k.c[0], k.c[1], k.c[2])).c_str(), cuLaunchKernelEx(&c, f, args, 0)); C(cuCtxSynchronize()); unsigned n = k.g[0] * k.g[1] * k.g[2]; std::vector<unsigned> w = l.words(n * 20); for (unsigned i = 0; i < n; ++i) note("block " + std::to_string(i), list(w, i * 20, 16)); } });
  run("cluster_ring", [] { Lab l(kClusterPtx); CUfunction f = l.f("ring"); void* args[] = {&l.p}; for (unsigned n : {0u, 1u, 2u, 4u, 8u}) { CUlaunchAttribute a = cluster_of(n); CUlaunchConfig c = config(8, 1, 1, 4, &a, n ? 1 : 0); rec(("clusters of " + std::to_string(n)).c_str(), cuLaunchKernelEx(&c, f, args, 0)); C(cuCtxSynchronize()); std::vector<unsigned> w = l.words(8 * 4 * 12); for (unsigned i = 0; i < 32; i += 3) note("thread " + std::to_string(i), list(w, i * 12, 12)); }
    C(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1)); CUlaunchAttribute a = cluster_of(16); CUlaunchConfig c = config(16, 1, 1, 4, &a, 1); rec("clusters of 16", cuLaunchKernelEx(&c, f, args, 0)); C(cuCtxSynchronize()); std::vector<unsigned> w = l.words(16 * 4 * 12); for (unsigned i = 0; i < 64; i += 9) note("thread " + std::to_string(i), list(w, i * 12, 12)); a = cluster_of(2, 2, 1); c = config(2, 4, 1, 4, &a, 1); rec("clusters of 2 by 2", cuLaunchKernelEx(&c, l.f("store_next"), args, 0)); C(cuCtxSynchronize()); a = cluster_of(4); c = config(8, 1, 1, 64, &a, 1); rec("stored in the next", cuLaunchKernelEx(&c, l.f("store_next"), args, 0)); C(cuCtxSynchronize()); note("rank and block", list(l.words(16), 0, 16)); });
  run("cluster_leave", [] { Lab l(kClusterPtx); void* args[] = {&l.p}; CUlaunchAttribute a = cluster_of(2); CUlaunchConfig c = config(6, 1, 1, 64, &a, 1); C(cuLaunchKernelEx(&c, l.f("leave"), args, 0)); C(cuCtxSynchronize()); note("written", list(l.words(6), 0, 6)); });
  run("cluster_many", [] { Lab l(kClusterPtx); void* args[] = {&l.p}; CUlaunchAttribute a = cluster_of(8); CUlaunchConfig c = config(1024, 1, 1, 32, &a, 1); C(cuLaunchKernelEx(&c, l.f("store_next"), args, 0)); C(cuCtxSynchronize()); std::vector<unsigned> w = l.words(2048); bool good = true; for (unsigned i = 0; i < 1024; ++i) { unsigned before = i % 8 == 0 ? i + 7 : i - 1; good = good && w[2 * i] == before % 8 && w[2 * i + 1] == before; } note("each has what the one before has stored", good); });
  run("cluster_required", [] { Lab l(kClusterPtx); for (const char* n : {"plain", "required", "required_plain", "required_box", "required_large", "explicit", "mostfour", "mostfour_plain"}) { CUfunction f = l.f(n); note(n, f != nullptr); std::string t; for (int at = 10; at <= 15; ++at) { int v = -1; cuFuncGetAttribute(&v, (CUfunction_attribute)at, f); t += std::to_string(v) + " "; } note("attributes 10 to 15", t); for (unsigned x : {0u, 1u, 2u, 4u, 8u, 16u}) { CUlaunchAttribute a = cluster_of(x); CUlaunchConfig c = config(16, 2, 1, 32, &a, x ? 1 : 0); rec(("clusters of " + std::to_string(x)).c_str(), cuLaunchKernelEx(&c, f, 0, 0)); int v = -1; CUresult r = cuOccupancyMaxActiveClusters(&v, f, &c); int w = -1; CUresult q = cuOccupancyMaxPotentialClusterSize(&w, f, &c); note("active, potential", std::string(ename(r)) + " " + std::to_string(v) + " " + ename(q) + " " + std::to_string(w)); } CUlaunchAttribute a = cluster_of(2, 2); CUlaunchConfig c = config(16, 2, 1, 32, &a, 1); rec("clusters of 2 by 2", cuLaunchKernelEx(&c, f, 0, 0)); a = cluster_of(0, 0, 0); rec("clusters of 0 0 0", cuLaunchKernelEx(&c, f, 0, 0)); C(cuLaunchKernel(f, 16, 2, 1, 32, 1, 1, 0, 0, 0, 0)); C(cuLaunchKernel(f, 15, 2, 1, 32, 1, 1, 0, 0, 0, 0)); C(cuLaunchCooperativeKernel(f, 16, 2, 1, 32, 1, 1, 0, 0, 0)); for (int at = 11; at <= 15; ++at) rec(("set attribute " + std::to_string(at)).c_str(), cuFuncSetAttribute(f, (CUfunction_attribute)at, 1)); C(cuCtxSynchronize()); } });
  run("cluster_settings", [] { Lab l(kClusterPtx); CUfunction f = l.f("plain"); CUlaunchConfig c = config(16, 2, 1, 32); for (int at = 10; at <= 15; ++at) for (int v : {0, 1, 2, 3, 9, 17, -1, 1 << 20}) { CUresult r = cuFuncSetAttribute(f, (CUfunction_attribute)at, v); int w = -7; CUresult q = cuFuncGetAttribute(&w, (CUfunction_attribute)at, f); note("attribute " + std::to_string(at) + " to " + std::to_string(v), std::string(ename(r)) + " " + ename(q) + " " + std::to_string(w)); } for (int at = 11; at <= 15; ++at) C(cuFuncSetAttribute(f, (CUfunction_attribute)at, 0));
    C(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 2)); C(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, 2)); C(cuLaunchKernelEx(&c, f, 0, 0)); C(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, 1)); C(cuLaunchKernelEx(&c, f, 0, 0)); CUlaunchAttribute a = cluster_of(2, 2); c.attrs = &a; c.numAttrs = 1; rec("the same by an attribute", cuLaunchKernelEx(&c, f, 0, 0)); a = cluster_of(4); rec("another by an attribute", cuLaunchKernelEx(&c, f, 0, 0)); a = cluster_of(0, 0, 0); rec("none by an attribute", cuLaunchKernelEx(&c, f, 0, 0)); C(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 8)); c.numAttrs = 0; rec("16 in all", cuLaunchKernelEx(&c, f, 0, 0)); C(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1)); rec("16 in all, allowed", cuLaunchKernelEx(&c, f, 0, 0)); C(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 0)); C(cuLaunchKernelEx(&c, f, 0, 0)); C(cuCtxSynchronize());
    CUlibrary lib; CUkernel k; int v = -1; C(cuLibraryLoadData(&lib, kClusterPtx, 0, 0, 0, 0, 0, 0)); C(cuLibraryGetKernel(&k, lib, "plain")); for (int at = 10; at <= 15; ++at) { rec(("kernel, set attribute " + std::to_string(at)).c_str(), cuKernelSetAttribute((CUfunction_attribute)at, 1, k, 0)); v = -1; CUresult r = cuKernelGetAttribute(&v, (CUfunction_attribute)at, k, 0); note("kernel, attribute " + std::to_string(at), std::string(ename(r)) + " " + std::to_string(v)); } CUfunction g; C(cuKernelGetFunction(&g, k)); for (int at = 10; at <= 15; ++at) { v = -1; cuFuncGetAttribute(&v, (CUfunction_attribute)at, g); note("its function, attribute " + std::to_string(at), v); } });
  run("cluster_with_others", [] { Lab l(kClusterPtx); CUfunction f = l.f("plain"); CUlaunchAttribute a[3] = {cluster_of(4), {}, {}}; a[1].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE; a[1].value.cooperative = 1; CUlaunchConfig c = config(8, 1, 1, 32, a, 2); rec("cooperative", cuLaunchKernelEx(&c, f, 0, 0)); c.gridDimX = 4096; rec("cooperative, too large", cuLaunchKernelEx(&c, f, 0, 0)); int v = 0; c.blockDimX = 1024; C(cuOccupancyMaxActiveClusters(&v, f, &c)); note("active", v); c.gridDimX = v * 4; rec("cooperative, as many as there can be", cuLaunchKernelEx(&c, f, 0, 0)); c.gridDimX = v * 4 + 4; rec("cooperative, one more cluster", cuLaunchKernelEx(&c, f, 0, 0)); c = config(8, 1, 1, 32, a, 2); for (unsigned x : {2u, 4u, 8u, 16u, 3u, 0u}) { a[1] = CUlaunchAttribute{}; a[1].id = CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION; a[1].value.preferredClusterDim.x = x; a[1].value.preferredClusterDim.y = a[1].value.preferredClusterDim.z = 1; rec(("preferred " + std::to_string(x) + " beside 4").c_str(), cuLaunchKernelEx(&c, f, 0, 0)); } c = config(8, 1, 1, 2000, a, 1); rec("too many threads", cuLaunchKernelEx(&c, f, 0, 0)); c = config(7, 1, 1, 2000, a, 1); rec("too many threads, and no multiple", cuLaunchKernelEx(&c, f, 0, 0)); c = config(0, 1, 1, 32, a, 1); rec("no blocks", cuLaunchKernelEx(&c, f, 0, 0)); c = config(8, 1, 1, 32, a, 1); c.sharedMemBytes = 1 << 20; rec("too much shared memory", cuLaunchKernelEx(&c, f, 0, 0)); c.sharedMemBytes = 0; c.hStream = CU_STREAM_LEGACY; rec("legacy stream", cuLaunchKernelEx(&c, f, 0, 0)); C(cuCtxSynchronize()); });
  run("cluster_graph", [] { Lab l(kClusterPtx); CUfunction f = l.f("ring"); void* args[] = {&l.p}; CUgraph g; CUgraphNode n; CUgraphExec e; C(cuGraphCreate(&g, 0)); CUDA_KERNEL_NODE_PARAMS k{}; k.func = f; k.gridDimX = 8; k.gridDimY = k.gridDimZ = k.blockDimY = k.blockDimZ = 1; k.blockDimX = 4; k.kernelParams = args; C(cuGraphAddKernelNode(&n, g, 0, 0, &k)); CUkernelNodeAttrValue v{}; v.clusterDim.x = 4; v.clusterDim.y = v.clusterDim.z = 1; C(cuGraphKernelNodeSetAttribute(n, CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_DIMENSION, &v)); memset(&v, 0, sizeof v); C(cuGraphKernelNodeGetAttribute(n, CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_DIMENSION, &v)); note("cluster", shown(v.clusterDim.x, v.clusterDim.y, v.clusterDim.z)); C(cuGraphInstantiate(&e, g, 0)); C(cuGraphLaunch(e, 0)); C(cuCtxSynchronize()); std::vector<unsigned> w = l.words(8 * 4 * 12); for (unsigned i = 0; i < 32; i += 5) note("thread " + std::to_string(i), list(w, i * 12, 12)); v.clusterDim.x = 3; C(cuGraphKernelNodeSetAttribute(n, CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_DIMENSION, &v)); C(cuGraphInstantiate(&e, g, 0)); v.clusterDim.x = 16; C(cuGraphKernelNodeSetAttribute(n, CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_DIMENSION, &v)); C(cuGraphInstantiate(&e, g, 0));
    CUstream s; CUlaunchAttribute a = cluster_of(2); CUlaunchConfig c = config(8, 1, 1, 4, &a, 1); C(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING)); c.hStream = s; C(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL)); C(cuLaunchKernelEx(&c, f, args, 0)); CUgraph h; C(cuStreamEndCapture(s, &h)); size_t count = 1; C(cuGraphGetNodes(h, &n, &count)); memset(&v, 0, sizeof v); C(cuGraphKernelNodeGetAttribute(n, CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_DIMENSION, &v)); note("cluster", shown(v.clusterDim.x, v.clusterDim.y, v.clusterDim.z)); C(cuGraphInstantiate(&e, h, 0)); C(cuMemsetD8(l.p, 0, 4096)); C(cuGraphLaunch(e, 0)); C(cuCtxSynchronize()); w = l.words(8 * 4 * 12); for (unsigned i = 0; i < 32; i += 5) note("thread " + std::to_string(i), list(w, i * 12, 12)); });
  run("cluster_occupancy", [] { Lab l(kClusterPtx); CUfunction f = l.f("plain"); for (int most : {0, 1}) { C(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, most)); for (unsigned b : {32u, 128u, 256u, 384u, 512u, 1024u}) for (unsigned x : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 10u, 12u, 14u, 16u, 18u}) { CUlaunchAttribute a = cluster_of(x); CUlaunchConfig c = config(x * 4, 1, 1, b, &a, 1); int v = -1, w = -1; CUresult r = cuOccupancyMaxActiveClusters(&v, f, &c), q = cuOccupancyMaxPotentialClusterSize(&w, f, &c); note("allowed " + std::to_string(most) + " block " + std::to_string(b) + " cluster " + std::to_string(x), std::string(ename(r)) + " " + std::to_string(v) + " " + ename(q) + " " + std::to_string(w)); } } });
  for (unsigned rank : {1u, 2u, 3u, 8u, 15u, 200u}) run(("cluster_reach_rank_" + std::to_string(rank)).c_str(), [rank] { Lab l(kClusterPtx); unsigned r = rank, o = 0; void* args[] = {&l.p, &r, &o}; CUlaunchAttribute a = cluster_of(2); CUlaunchConfig c = config(2, 1, 1, 1, &a, 1); C(cuLaunchKernelEx(&c, l.f("reach"), args, 0)); if (!C(cuCtxSynchronize())) note("read", list(l.words(1), 0, 1)); });
  for (unsigned offset : {2u, 1024u, 4096u, 0x40000u, 0x800000u}) run(("cluster_reach_offset_" + std::to_string(offset)).c_str(), [offset] { Lab l(kClusterPtx); unsigned r = 1, o = offset; void* args[] = {&l.p, &r, &o}; CUlaunchAttribute a = cluster_of(2); CUlaunchConfig c = config(2, 1, 1, 1, &a, 1); C(cuLaunchKernelEx(&c, l.f("reach"), args, 0)); C(cuCtxSynchronize()); });
  // What the assembler says. Each text is a kernel's body, or what stands before it.
  struct Text { const char *name, *version, *target, *front, *body; };
  for (Text t : {Text{"old_target", "8.0", "sm_80", "", "barrier.cluster.arrive;"}, Text{"old_version", "7.7", "sm_80", "", "barrier.cluster.wait;"}, Text{"old_mapa", "8.0", "sm_80", "", "mapa.shared::cluster.u32 %r1, %r2, 0;"}, Text{"old_rank", "8.0", "sm_80", "", "mov.u32 %r1, %cluster_ctarank;"}, Text{"old_space", "8.0", "sm_80", "", "ld.shared::cluster.u32 %r1, [%r2];"}, Text{"old_getctarank", "8.0", "sm_80", "", "getctarank.u64 %r1, %rd1;"}, Text{"old_required", "8.0", "sm_80", ".reqnctapercluster 2", "ret;"}, Text{"old_explicit", "8.0", "sm_80", ".explicitcluster", "ret;"}, Text{"arrive_acquire", "8.0", "sm_90", "", "barrier.cluster.arrive.acquire;"}, Text{"wait_release", "8.0", "sm_90", "", "barrier.cluster.wait.release;"}, Text{"wait_relaxed", "8.0", "sm_90", "", "barrier.cluster.wait.relaxed;"}, Text{"cluster_alone", "8.0", "sm_90", "", "barrier.cluster;"}, Text{"cluster_sync", "8.0", "sm_90", "", "barrier.cluster.sync;"}, Text{"arrive_number", "8.0", "sm_90", "", "barrier.cluster.arrive 0;"}, Text{"mapa_two", "8.0", "sm_90", "", "mapa.shared::cluster.u32 %r1, %r2;"}, Text{"mapa_type", "8.0", "sm_90", "", "mapa.shared::cluster.b32 %r1, %r2, 0;"}, Text{"mapa_space", "8.0", "sm_90", "", "mapa.shared.u32 %r1, %r2, 0;"}, Text{"mapa_global", "8.0", "sm_90", "", "mapa.global.u64 %rd1, %rd2, 0;"}, Text{"mapa_wide", "8.0", "sm_90", "", "mapa.shared::cluster.u64 %rd1, %rd2, %r1;"}, Text{"mapa_narrow", "8.0", "sm_90", "", "mapa.u32 %r1, %r2, %r3;"}, Text{"mapa_rank", "8.0", "sm_90", "", "mapa.u64 %rd1, %rd2, %rd3;"}, Text{"getctarank_result", "8.0", "sm_90", "", "getctarank.u64 %rd1, %rd2;"}, Text{"getctarank_space", "8.0", "sm_90", "", "getctarank.shared.u32 %r1, %r2;"}, Text{"required_zero", "8.0", "sm_90", ".reqnctapercluster 0", "ret;"}, Text{"required_four", "8.0", "sm_90", ".reqnctapercluster 1, 1, 1, 1", "ret;"}, Text{"required_17", "8.0", "sm_90", ".reqnctapercluster 17", "ret;"}, Text{"required_and_most", "8.0", "sm_90", ".reqnctapercluster 2 .maxclusterrank 4", "ret;"}, Text{"most_zero", "8.0", "sm_90", ".maxclusterrank 0", "ret;"}, Text{"to_rank", "8.0", "sm_90", "", "mov.u32 %cluster_ctarank, 1;"}, Text{"explicit_word", "8.0", "sm_90", "", "mov.u32 %r1, %is_explicit_cluster;"}, Text{"rank_wide", "8.0", "sm_90", "", "mov.u64 %rd1, %cluster_ctarank;"}})
    run((std::string("cluster_text_") + t.name).c_str(), [t] { cuInit(0); CUcontext a; make_ctx(&a, 0, 0); std::string s = std::string(".version ") + t.version + "\n.target " + t.target + "\n.address_size 64\n.visible .entry k() " + t.front + "\n{\n.reg .u32 %r<4>; .reg .u64 %rd<4>;\n" + t.body + "\nret;\n}\n"; char log[2048] = ""; CUjit_option o[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES}; void* v[] = {log, (void*)(intptr_t)sizeof log}; CUmodule m; C(cuModuleLoadDataEx(&m, s.c_str(), 2, o, v)); note("log", log); });
}

// ---- what a machine may not have

template <class F> static F* named(const char* name) { return (F*)dlsym(RTLD_DEFAULT, name); }

static void others() {
  run("rest_external_memory", [] { Lab l; CUexternalMemory m = nullptr; CUDA_EXTERNAL_MEMORY_HANDLE_DESC d{}; C(cuImportExternalMemory(nullptr, &d)); C(cuImportExternalMemory(&m, nullptr)); for (int t : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 99}) { memset(&d, 0, sizeof d); d.type = (CUexternalMemoryHandleType)t; d.size = unit(); d.handle.fd = t == 1 ? -1 : 0; rec(("nothing of type " + std::to_string(t)).c_str(), cuImportExternalMemory(&m, &d)); } d = CUDA_EXTERNAL_MEMORY_HANDLE_DESC{}; d.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD; d.size = unit(); int ends[2]; if (pipe(ends)) return; d.handle.fd = ends[0]; rec("a pipe", cuImportExternalMemory(&m, &d)); d.size = 0; rec("a pipe, size 0", cuImportExternalMemory(&m, &d)); d.size = unit(); d.flags = 64; rec("a pipe, flags 64", cuImportExternalMemory(&m, &d)); C(cuDestroyExternalMemory(nullptr)); CUdeviceptr p = 0; CUDA_EXTERNAL_MEMORY_BUFFER_DESC b{}; C(cuExternalMemoryGetMappedBuffer(&p, nullptr, &b)); });
  run("rest_external_from_export", [] { Lab l; CUmemGenericAllocationHandle h = made(kFile, 2); CUdeviceptr p = mapped(h, 2); C(cuMemsetD32(p, 42, 1)); for (unsigned f : {0u, (unsigned)CUDA_EXTERNAL_MEMORY_DEDICATED}) for (size_t n : {size_t{1}, size_t{2}, size_t{4}}) { int fd = -1; cuMemExportToShareableHandle(&fd, h, kFile, 0); CUexternalMemory m = nullptr; CUDA_EXTERNAL_MEMORY_HANDLE_DESC d{}; d.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD; d.size = n * unit(); d.flags = f; d.handle.fd = fd; CUresult r = rec(("import, flags " + std::to_string(f) + ", units " + std::to_string(n)).c_str(), cuImportExternalMemory(&m, &d)); note("descriptor still open", open_fd(fd)); if (r) continue; CUDA_EXTERNAL_MEMORY_BUFFER_DESC b{}; b.size = unit(); CUdeviceptr q = 0; if (!C(cuExternalMemoryGetMappedBuffer(&q, m, &b))) { word_at(q); C(cuMemsetD32(q + 4, 9, 1)); word_at(p + 4); C(cuMemFree(q)); } C(cuDestroyExternalMemory(m)); } });
  run("rest_external_semaphore", [] { Lab l; CUexternalSemaphore s = nullptr; CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC d{}; C(cuImportExternalSemaphore(nullptr, &d)); C(cuImportExternalSemaphore(&s, nullptr)); int ends[2]; if (pipe(ends)) return; for (int t : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 99}) { memset(&d, 0, sizeof d); d.type = (CUexternalSemaphoreHandleType)t; d.handle.fd = t == 1 || t == 9 ? ends[0] : 0; rec(("type " + std::to_string(t)).c_str(), cuImportExternalSemaphore(&s, &d)); } C(cuDestroyExternalSemaphore(nullptr)); CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS sp{}; CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS wp{}; C(cuSignalExternalSemaphoresAsync(nullptr, nullptr, 0, 0)); C(cuWaitExternalSemaphoresAsync(nullptr, nullptr, 0, 0)); C(cuSignalExternalSemaphoresAsync(nullptr, &sp, 1, 0)); C(cuWaitExternalSemaphoresAsync(nullptr, &wp, 1, 0)); });
  run("rest_map_array", [] { Lab l; CUarrayMapInfo i{}; C(cuMemMapArrayAsync(nullptr, 0, 0)); C(cuMemMapArrayAsync(nullptr, 1, 0)); C(cuMemMapArrayAsync(&i, 0, 0)); C(cuMemMapArrayAsync(&i, 1, 0)); i.resourceType = CU_RESOURCE_TYPE_ARRAY; i.memOperationType = CU_MEM_OPERATION_TYPE_MAP; i.memHandleType = CU_MEM_HANDLE_TYPE_GENERIC; rec("no array", cuMemMapArrayAsync(&i, 1, 0)); CUDA_ARRAY3D_DESCRIPTOR d{}; d.Width = 4096; d.Height = 4096; d.Format = CU_AD_FORMAT_UNSIGNED_INT32; d.NumChannels = 1; CUarray a = nullptr; C(cuArray3DCreate(&a, &d)); i.resource.array = a; i.deviceBitMask = 1; i.memHandle.memHandle = made(0); rec("an ordinary array", cuMemMapArrayAsync(&i, 1, 0)); });
  run("rest_unified_function", [] { Lab l; CUlibrary lib; void* p = (void*)1; C(cuLibraryLoadData(&lib, kPtx, 0, 0, 0, 0, 0, 0)); C(cuLibraryGetUnifiedFunction(&p, lib, "add")); C(cuLibraryGetUnifiedFunction(&p, lib, "none")); C(cuLibraryGetUnifiedFunction(nullptr, lib, "add")); C(cuLibraryGetUnifiedFunction(&p, lib, nullptr)); C(cuLibraryGetUnifiedFunction(&p, nullptr, "add")); note("untouched", p == (void*)1); });
  run("rest_profiler_initialize", [] { auto* f = named<CUresult(const char*, const char*, int)>("cuProfilerInitialize"); note("there", f != nullptr); if (!f) return; rec("before init", f("/tmp/none", "/tmp/none", 0)); Lab l; rec("key-value", f("/tmp/none", "/tmp/none", 0)); rec("csv", f("/tmp/none", "/tmp/none", 1)); rec("mode 7", f("/tmp/none", "/tmp/none", 7)); rec("nulls", f(nullptr, nullptr, 0)); cuCtxSetCurrent(nullptr); rec("no context", f("/tmp/none", "/tmp/none", 0)); });
  run("rest_multi_device", [] { auto* f = named<CUresult(void*, unsigned, unsigned)>("cuLaunchCooperativeKernelMultiDevice"); note("there", f != nullptr); if (!f) return; Lab l; struct Params { CUfunction f; unsigned g[3], b[3], shared; CUstream s; void** args; } p{l.f("empty"), {1, 1, 1}, {1, 1, 1}, 0, nullptr, nullptr}; rec("none", f(nullptr, 0, 0)); rec("null", f(nullptr, 1, 0)); rec("count 0", f(&p, 0, 0)); rec("default stream", f(&p, 1, 0)); cuStreamCreate(&p.s, CU_STREAM_NON_BLOCKING); rec("one", f(&p, 1, 0)); rec("flags 3", f(&p, 1, 3)); rec("flags 4", f(&p, 1, 4)); Params two[2] = {p, p}; rec("twice the same device", f(two, 2, 0)); rec("no function", (p.f = nullptr, f(&p, 1, 0))); C(cuCtxSynchronize()); });
  run("rest_param_texture", [] { auto* f = named<CUresult(CUfunction, int, CUtexref)>("cuParamSetTexRef"); note("there", f != nullptr); if (!f) return; Lab l; CUtexref t = nullptr; C(cuTexRefCreate(&t)); rec("nulls", f(nullptr, -1, nullptr)); rec("no reference", f(l.f("add"), -1, nullptr)); rec("no function", f(nullptr, -1, t)); rec("default unit", f(l.f("add"), -1, t)); rec("unit 0", f(l.f("add"), 0, t)); });
  run("rest_decompress", [] { auto* f = named<CUresult(void*, size_t, unsigned, size_t*, CUstream)>("cuMemBatchDecompressAsync"); note("there", f != nullptr); if (!f) return; Lab l; size_t at = 99; CUmemDecompressParams p{}; rec("none", f(nullptr, 0, 0, &at, 0)); rec("null", f(nullptr, 1, 0, &at, 0)); rec("count 0", f(&p, 0, 0, &at, 0)); rec("zeroed", f(&p, 1, 0, &at, 0)); rec("no index", f(&p, 1, 0, nullptr, 0)); rec("flags 1", f(&p, 1, 1, &at, 0)); note("index", (long long)at); });
  run("rest_restore_thread", [] { auto* f = named<CUresult(int, int*)>("cuCheckpointProcessGetRestoreThreadId"); note("there", f != nullptr); if (!f) return; Lab l; int t = -7; rec("own", f(getpid(), &t)); note("thread", t == -7 ? "untouched" : t > 0 ? "some" : "none"); rec("null", f(getpid(), nullptr)); rec("no process", f(0, &t)); rec("negative", f(-1, &t)); });
  run("rest_graphics", [] { Lab l; CUgraphicsResource r = nullptr; CUdeviceptr p = 0; size_t n = 0; CUarray a = nullptr; CUmipmappedArray m = nullptr; C(cuGraphicsUnregisterResource(nullptr)); C(cuGraphicsMapResources(0, &r, 0)); C(cuGraphicsMapResources(0, nullptr, 0)); C(cuGraphicsMapResources(1, nullptr, 0)); C(cuGraphicsMapResources(1, &r, 0)); C(cuGraphicsUnmapResources(0, &r, 0)); C(cuGraphicsUnmapResources(1, nullptr, 0)); C(cuGraphicsUnmapResources(1, &r, 0)); C(cuGraphicsResourceGetMappedPointer(&p, &n, nullptr)); C(cuGraphicsResourceGetMappedPointer(nullptr, nullptr, nullptr)); C(cuGraphicsResourceSetMapFlags(nullptr, 0)); C(cuGraphicsSubResourceGetMappedArray(&a, nullptr, 0, 0)); C(cuGraphicsResourceGetMappedMipmappedArray(&m, nullptr)); cuCtxSetCurrent(nullptr); rec("no context", cuGraphicsMapResources(0, &r, 0)); rec("no context", cuGraphicsUnregisterResource(nullptr)); });
  run("rest_before_init", [] { CUgraphicsResource r = nullptr; CUexternalMemory m = nullptr; CUDA_EXTERNAL_MEMORY_HANDLE_DESC d{}; CUarrayMapInfo i{}; void* p = nullptr; C(cuGraphicsMapResources(0, &r, 0)); C(cuGraphicsUnregisterResource(nullptr)); C(cuImportExternalMemory(&m, &d)); C(cuDestroyExternalMemory(nullptr)); C(cuMemMapArrayAsync(&i, 0, 0)); C(cuLibraryGetUnifiedFunction(&p, nullptr, "x")); });
}

int main() {
  sharing();
  clusters();
  others();
}
