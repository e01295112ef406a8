// SPDX-License-Identifier: MIT
// Two devices: access of the second to a pool of the first, launches on both at once, and what is asked beside them: freeing
// memory of a pool whose work is pending, memory of cuMemCreate imported as external memory, the thread that restores a process,
// and kernels whose blocks are clusters. With one device most scenarios of pools and launches say so and end. It makes no call
// about multicast objects. At most some 100 MiB of device memory.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>

#include "probe.h"

static const char* const kPtx = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry empty() { ret; }
.visible .entry other() { ret; }
.visible .entry store(.param .u64 p, .param .u32 v) {
  .reg .b64 %rd<3>; .reg .b32 %r<3>;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [v]; cvta.to.global.u64 %rd2, %rd1;
  st.global.u32 [%rd2], %r1; ret;
}
.visible .entry copy(.param .u64 to, .param .u64 from) {
  .reg .b64 %rd<5>; .reg .b32 %r<3>;
  ld.param.u64 %rd1, [to]; ld.param.u64 %rd2, [from]; cvta.to.global.u64 %rd3, %rd1; cvta.to.global.u64 %rd4, %rd2;
  ld.global.u32 %r1, [%rd4]; st.global.u32 [%rd3], %r1; ret;
}
.visible .entry await(.param .u64 gate, .param .u64 out) {
  .reg .b64 %rd<5>; .reg .b32 %r<4>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [gate]; ld.param.u64 %rd2, [out]; cvta.to.global.u64 %rd3, %rd1; cvta.to.global.u64 %rd4, %rd2;
again:
  ld.volatile.global.u32 %r1, [%rd3]; setp.eq.u32 %p1, %r1, 0;
  @%p1 bra again;
  st.volatile.global.u32 [%rd4], %r1; ret;
}
)";

static const char* const kBlocksPtx = R"(
.version 9.0
.target sm_90
.address_size 64
.visible .entry box(.param .u64 out) .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }
.visible .entry blocks(.param .u64 out) .blocksareclusters .reqntid 32, 1, 1 .reqnctapercluster 2, 1, 1 {
  .reg .u64 %rd<4>; .reg .u32 %r<8>;
  ld.param.u64 %rd1, [out]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd2, %r1, 16; add.u64 %rd1, %rd1, %rd2;
  mov.u32 %r2, %nctaid.x; st.global.u32 [%rd1], %r2; mov.u32 %r3, %cluster_nctarank; st.global.u32 [%rd1+4], %r3;
  mov.u32 %r4, %nclusterid.x; st.global.u32 [%rd1+8], %r4; mov.u32 %r5, %cluster_ctarank; st.global.u32 [%rd1+12], %r5;
  ret;
}
)";

constexpr std::size_t kBytes = 4096;
constexpr auto kFile = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
template <class F> static F* named(const char* name) { return (F*)dlsym(RTLD_DEFAULT, name); }
static bool open_fd(int fd) { return fcntl(fd, F_GETFD) >= 0; }
static void pause_ms(int n) { std::this_thread::sleep_for(std::chrono::milliseconds(n)); }

struct Here {  // a context of a device, with streams, code and memory
  int device;
  CUcontext c = nullptr;
  CUmodule m = nullptr;
  CUstream s = nullptr, t = nullptr;
  CUdeviceptr own = 0;
  explicit Here(int d) : device(d) {
    cuInit(0), make_ctx(&c, 0, d), cuModuleLoadData(&m, kPtx), cuMemAlloc(&own, kBytes);
    for (CUstream* each : {&s, &t}) cuStreamCreate(each, CU_STREAM_NON_BLOCKING), cuMemsetD8Async(own, 0, kBytes, *each), cuStreamSynchronize(*each);
  }
  void use() { cuCtxSetCurrent(c); }
  CUfunction f(const char* name) { CUfunction g = nullptr; cuModuleGetFunction(&g, m, name); return g; }
  CUresult kernel(CUdeviceptr p, unsigned v) {
    void* args[] = {&p, &v};
    const CUresult r = cuLaunchKernel(f("store"), 1, 1, 1, 1, 1, 1, 0, s, args, nullptr);
    return r ? r : cuStreamSynchronize(s);
  }
  CUresult read(CUdeviceptr p) {  // by a kernel, into its own memory
    void* args[] = {&own, &p};
    const CUresult r = cuLaunchKernel(f("copy"), 1, 1, 1, 1, 1, 1, 0, s, args, nullptr);
    return r ? r : cuStreamSynchronize(s);
  }
};
static unsigned word(CUdeviceptr p) { unsigned v = 0xdead; const CUresult r = cuMemcpyDtoH(&v, p, 4); return r ? 100000 + r : v; }
static CUmemPoolProps props(int device = 0, bool shared = false) {
  CUmemPoolProps p{};
  p.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, p.location.type = CU_MEM_LOCATION_TYPE_DEVICE, p.location.id = device;
  if (shared) p.handleTypes = kFile;
  return p;
}
static CUmemAccessDesc said(int device, unsigned flags) {
  CUmemAccessDesc d{};
  d.location.type = CU_MEM_LOCATION_TYPE_DEVICE, d.location.id = device, d.flags = static_cast<CUmemAccess_flags>(flags);
  return d;
}
static CUresult access(CUmemoryPool q, int device, unsigned flags) { const CUmemAccessDesc d = said(device, flags); return cuMemPoolSetAccess(q, &d, 1); }
static void access_is(CUmemoryPool q, int device) {
  CUmemLocation l{};
  l.type = CU_MEM_LOCATION_TYPE_DEVICE, l.id = device;
  CUmemAccess_flags flags = static_cast<CUmemAccess_flags>(77);
  const CUresult r = cuMemPoolGetAccess(&flags, q, &l);
  note("access of " + std::to_string(device), std::string(ename(r)) + " " + std::to_string(flags));
}
static bool two() { int n = 0; cuInit(0); cuDeviceGetCount(&n); note("two devices", n >= 2); return n >= 2; }
static CUmemoryPool pool_of(int device, bool shared = false) { const CUmemPoolProps p = props(device, shared); CUmemoryPool q = nullptr; cuMemPoolCreate(&q, &p); return q; }
static CUdeviceptr from(CUmemoryPool q, CUstream s) { CUdeviceptr p = 0; rec("allocate", cuMemAllocFromPoolAsync(&p, kBytes, q, s)); cuStreamSynchronize(s); return p; }

struct Gate {  // a word that streams and kernels wait for, opened by another thread later
  volatile unsigned* w = nullptr;
  std::atomic<bool> opened{false};
  std::thread t;
  Gate() { void* p = nullptr; cuMemHostAlloc(&p, 64, CU_MEMHOSTALLOC_PORTABLE); w = static_cast<volatile unsigned*>(p); w[0] = 0, w[1] = 0; }
  CUdeviceptr at(int i = 0) { return reinterpret_cast<CUdeviceptr>(w + i); }
  void close(CUstream s) { cuStreamWaitValue32(s, at(), 1, CU_STREAM_WAIT_VALUE_EQ); }
  void open_later(int ms = 400) { t = std::thread([this, ms] { pause_ms(ms); opened = true; w[0] = 1; }); }
  void waited() { note("waited", opened ? "yes" : "no"); if (t.joinable()) t.join(); }
};

static void pools() {
  run("peer_pool_arguments", [] {
    if (!two()) return;
    Here a(0);
    const CUmemoryPool q = pool_of(0);
    CUmemoryPool d = nullptr;
    cuDeviceGetDefaultMemPool(&d, 0);
    for (const CUmemoryPool each : {q, d}) {
      access_is(each, 0), access_is(each, 1);
      for (const unsigned flags : {0u, 1u, 2u, 3u, 0u, 4u, 99u, 3u, 1u, 0u}) rec(("flags " + std::to_string(flags)).c_str(), access(each, 1, flags)), access_is(each, 1);
      access_is(each, 0);
    }
    CUmemAccessDesc two[2] = {said(1, 3), said(99, 3)};
    rec("no list", cuMemPoolSetAccess(q, nullptr, 1)), rec("no list, count 0", cuMemPoolSetAccess(q, nullptr, 0)), rec("count 0", cuMemPoolSetAccess(q, two, 0));
    rec("the second is not there", cuMemPoolSetAccess(q, two, 2)), access_is(q, 1);
    two[1] = said(0, 0), rec("the second is its own, none", cuMemPoolSetAccess(q, two, 2)), access_is(q, 1);
    two[1] = said(0, 1), rec("the second is its own, read", cuMemPoolSetAccess(q, two, 2)), access_is(q, 1);
    two[1] = said(1, 0), rec("twice the same", cuMemPoolSetAccess(q, two, 2)), access_is(q, 1);
    two[1] = said(0, 3), rec("both", cuMemPoolSetAccess(q, two, 2)), access_is(q, 0), access_is(q, 1);
    for (const int type : {0, 2, 3, 4, 99}) { CUmemAccessDesc x = said(0, 3); x.location.type = static_cast<CUmemLocationType>(type); rec(("location type " + std::to_string(type)).c_str(), cuMemPoolSetAccess(q, &x, 1)); CUmemAccess_flags f{}; rec("its access", cuMemPoolGetAccess(&f, q, &x.location)); }
    access_is(q, -1), access_is(q, 99), rec("device -1", access(q, -1, 3)), rec("no pool", access(nullptr, 1, 3));
    CUmemLocation l = two[0].location;
    CUmemAccess_flags f{};
    rec("no place for flags", cuMemPoolGetAccess(nullptr, q, &l)), rec("no location", cuMemPoolGetAccess(&f, q, nullptr)), rec("of no pool", cuMemPoolGetAccess(&f, nullptr, &l));
    cuCtxSetCurrent(nullptr), rec("no context", access(q, 1, 3)), access_is(q, 1);
    int can = -1;
    cuDeviceGetP2PAttribute(&can, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1), note("peers", can);
  });
  run("peer_pool_copies", [] {  // by the second device's context, without and with access
    if (!two()) return;
    Here a(0), b(1);
    a.use();
    const CUmemoryPool q = pool_of(0);
    const CUdeviceptr p = from(q, a.s);
    for (const unsigned flags : {0u, 3u, 0u}) {
      rec(("access " + std::to_string(flags)).c_str(), access(q, 1, flags));
      b.use();
      unsigned v = 0;
      C(cuMemsetD32(p, 5, 4)), C(cuMemcpyDtoH(&v, p, 4)), note("value", v), C(cuMemcpyHtoD(p, &v, 4)), C(cuMemcpyDtoD(b.own, p, 16)), C(cuMemcpyDtoD(p, b.own, 16)), C(cuMemcpy(b.own, p, 16));
      C(cuMemsetD32Async(p, 6, 4, b.s)), C(cuStreamSynchronize(b.s)), C(cuMemcpyPeer(b.own, b.c, p, a.c, 16)), note("value", word(b.own));
      CUcontext c = a.c;
      int ordinal = -1;
      CUmemoryPool of = nullptr;
      unsigned flag = 77;
      C(cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, p)), note("no context", c == nullptr);
      C(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p)), note("device", ordinal);
      C(cuPointerGetAttribute(&of, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, p)), note("the pool", of == q);
      C(cuPointerGetAttribute(&flag, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, p)), note("access flags", flag);
      CUdeviceptr dp = 0;
      C(cuPointerGetAttribute(&dp, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, p)), note("same address", dp == p);
      a.use();
      C(cuPointerGetAttribute(&flag, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, p)), note("access flags", flag);
    }
  });
  run("peer_pool_copies_shaped", [] {  // the same by copies of boxes, of lists, and by nodes
    if (!two()) return;
    Here a(0), b(1);
    a.use();
    const CUmemoryPool q = pool_of(0);
    const CUdeviceptr p = from(q, a.s);
    CUmemLocation host{CU_MEM_LOCATION_TYPE_HOST, 0};
    CUmemAccess_flags f = static_cast<CUmemAccess_flags>(77);
    C(cuMemPoolGetAccess(&f, q, &host)), note("of the host", static_cast<int>(f));
    C(access(q, 0, 2)), C(access(q, 0, 99));
    for (const unsigned flags : {0u, 3u}) {
      rec(("access " + std::to_string(flags)).c_str(), access(q, 1, flags)), b.use();
      CUDA_MEMCPY3D_PEER peer{};
      peer.srcMemoryType = peer.dstMemoryType = CU_MEMORYTYPE_DEVICE, peer.srcDevice = p, peer.dstDevice = b.own, peer.srcContext = a.c, peer.dstContext = b.c, peer.WidthInBytes = 16, peer.Height = peer.Depth = 1;
      C(cuMemcpy3DPeer(&peer)), C(cuMemcpyPeer(b.own, b.c, p, b.c, 16));
      CUDA_MEMCPY2D flat{};
      flat.srcMemoryType = flat.dstMemoryType = CU_MEMORYTYPE_DEVICE, flat.srcDevice = p, flat.dstDevice = b.own, flat.WidthInBytes = 16, flat.Height = 1;
      C(cuMemcpy2D(&flat)), C(cuMemsetD2D32(p, 64, 3, 4, 2));
      CUDA_MEMCPY3D box{};
      box.srcMemoryType = box.dstMemoryType = CU_MEMORYTYPE_DEVICE, box.srcDevice = p, box.dstDevice = b.own, box.WidthInBytes = 16, box.Height = box.Depth = 1;
      CUgraph g = nullptr;
      CUgraphNode n = nullptr;
      CUgraphExec x = nullptr;
      C(cuGraphCreate(&g, 0)), C(cuGraphAddMemcpyNode(&n, g, nullptr, 0, &box, b.c)), C(cuGraphInstantiate(&x, g, 0));
      if (x != nullptr) C(cuGraphLaunch(x, b.s)), C(cuStreamSynchronize(b.s)), cuGraphExecDestroy(x);
      CUDA_MEMSET_NODE_PARAMS set{};
      set.dst = p, set.value = 9, set.elementSize = 4, set.width = 4, set.height = 1;
      C(cuGraphAddMemsetNode(&n, g, nullptr, 0, &set, b.c)), C(cuGraphAddMemcpyNode(&n, g, nullptr, 0, &box, a.c)), C(cuGraphAddMemsetNode(&n, g, nullptr, 0, &set, a.c));
      cuGraphDestroy(g), a.use();
    }
  });
  run("graph_memory_freed_by_a_graph_that_ended", [] {  // may its own graph free it then?
    Here a(0);
    CUgraph g = nullptr, h = nullptr;
    CUgraphNode n = nullptr, m = nullptr;
    CUDA_MEM_ALLOC_NODE_PARAMS taken{};
    taken.poolProps = props(0), taken.bytesize = kBytes;
    C(cuGraphCreate(&g, 0)), C(cuGraphCreate(&h, 0)), C(cuGraphAddMemAllocNode(&n, g, nullptr, 0, &taken));
    C(cuGraphAddMemFreeNode(&m, h, nullptr, 0, taken.dptr)), C(cuGraphAddMemFreeNode(&m, g, &n, 1, taken.dptr));
    C(cuGraphDestroyNode(m)), C(cuGraphDestroy(h)), C(cuGraphAddMemFreeNode(&m, g, &n, 1, taken.dptr));
    C(cuGraphCreate(&h, 0)), C(cuGraphAddMemFreeNode(&m, h, nullptr, 0, taken.dptr));
    C(cuGraphDestroy(h)), C(cuGraphDestroy(g));
  });
  run("peer_pool_kernel", [] {
    if (!two()) return;
    Here a(0), b(1);
    a.use();
    const CUmemoryPool q = pool_of(0);
    const CUdeviceptr before = from(q, a.s);
    C(cuMemsetD32(before, 1, 4)), C(access(q, 1, 3));
    const CUdeviceptr after = from(q, a.s);
    b.use(), C(b.kernel(before, 42)), C(b.kernel(after, 43)), C(b.read(before)), note("read", word(b.own));
    a.use(), note("words", std::to_string(word(before)) + " " + std::to_string(word(after)));
    C(cuMemPoolDestroy(q)), b.use(), C(b.kernel(before, 44)), a.use(), note("word", word(before));
    C(cuMemFreeAsync(before, a.s)), C(cuStreamSynchronize(a.s));
    b.use(), C(cuMemFreeAsync(after, b.s)), C(cuStreamSynchronize(b.s)), note("word", word(after));
  });
  run("peer_pool_kernel_without", [] {
    if (!two()) return;
    Here a(0), b(1);
    a.use();
    const CUmemoryPool q = pool_of(0);
    const CUdeviceptr p = from(q, a.s);
    b.use(), C(b.kernel(p, 42)), C(cuCtxSynchronize());
  });
  run("peer_pool_kernel_taken_away", [] {
    if (!two()) return;
    Here a(0), b(1);
    a.use();
    const CUmemoryPool q = pool_of(0);
    const CUdeviceptr p = from(q, a.s);
    C(access(q, 1, 3)), b.use(), C(b.kernel(p, 42)), C(access(q, 1, 0)), C(b.kernel(p, 42)), C(cuCtxSynchronize());
  });
  run("peer_pool_kernel_peer_enabled", [] {  // cuCtxEnablePeerAccess instead
    if (!two()) return;
    Here a(0), b(1);
    a.use();
    const CUmemoryPool q = pool_of(0);
    const CUdeviceptr p = from(q, a.s);
    b.use(), C(cuCtxEnablePeerAccess(a.c, 0)), C(b.kernel(a.own, 41)), access_is(q, 1), C(b.kernel(p, 42)), C(cuCtxSynchronize());
  });
  run("peer_pool_kernel_default_pool", [] {  // access does not make other memory of the device visible
    if (!two()) return;
    Here a(0), b(1);
    a.use();
    CUmemoryPool d = nullptr;
    cuDeviceGetDefaultMemPool(&d, 0);
    const CUdeviceptr p = from(d, a.s);
    C(access(d, 1, 3)), b.use(), C(b.kernel(p, 42)), note("word", word(p)), C(b.kernel(a.own, 41)), C(cuCtxSynchronize());
  });
  run("peer_pool_stream_of_the_other", [] {  // a pool of the second device, a stream of the first
    if (!two()) return;
    Here a(0), b(1);
    a.use();
    const CUmemoryPool q = pool_of(1);
    const CUdeviceptr p = from(q, a.s);
    int ordinal = -1;
    C(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p)), note("device", ordinal), access_is(q, 0), access_is(q, 1);
    C(cuMemsetD32Async(p, 7, 4, a.s)), C(cuStreamSynchronize(a.s)), b.use(), C(b.kernel(p, 8)), note("word", word(p));
    a.use(), C(access(q, 0, 3)), C(a.kernel(p, 9)), b.use(), note("word", word(p));
    C(cuMemFreeAsync(p, b.s)), C(cuStreamSynchronize(b.s));
    a.use();
    const CUdeviceptr r = from(q, a.s);
    note("again the same", r == p), C(cuMemFreeAsync(r, a.s)), C(cuStreamSynchronize(a.s)), C(cuDeviceSetMemPool(0, q)), C(cuDeviceSetMemPool(1, q));
    CUdeviceptr o = 0;
    b.use(), C(cuMemAllocAsync(&o, kBytes, b.s)), C(cuMemFree(o));
  });
  run("peer_pool_shared", [] {
    if (!two()) return;
    Here a(0), b(1);
    a.use();
    const CUmemoryPool q = pool_of(0, true);
    CUmemoryPool got = nullptr;
    const CUdeviceptr p = from(q, a.s);
    int fd = -1;
    CUmemPoolPtrExportData data{};
    CUdeviceptr r = 0;
    C(cuMemPoolExportToShareableHandle(&fd, q, kFile, 0)), C(cuMemPoolImportFromShareableHandle(&got, reinterpret_cast<void*>(static_cast<std::intptr_t>(fd)), kFile, 0)), close(fd);
    access_is(got, 0), access_is(got, 1), C(access(q, 1, 3)), access_is(got, 1), C(access(got, 1, 3)), access_is(got, 1), C(access(got, 0, 0)), C(access(got, 1, 1));
    C(cuMemPoolExportPointer(&data, p)), C(cuMemPoolImportPointer(&r, got, &data));
    b.use(), C(b.kernel(p, 5)), C(b.kernel(r, 6)), a.use(), note("word", word(p));
    C(access(got, 1, 0)), access_is(q, 1), b.use(), C(b.kernel(p, 7)), C(b.kernel(r, 8)), C(cuCtxSynchronize());
  });
  run("peer_pool_graph", [] {  // memory of a graph with access of the other device
    if (!two()) return;
    Here a(0), b(1);
    a.use();
    CUgraph g = nullptr;
    CUgraphNode n = nullptr;
    CUgraphExec x = nullptr;
    C(cuGraphCreate(&g, 0));
    for (const unsigned flags : {1u, 3u}) {
      CUmemAccessDesc d[2] = {said(1, flags), said(0, 3)};
      CUDA_MEM_ALLOC_NODE_PARAMS m{};
      m.poolProps = props(0), m.bytesize = kBytes, m.accessDescs = d, m.accessDescCount = 1;
      if (rec(("node, access " + std::to_string(flags)).c_str(), cuGraphAddMemAllocNode(&n, g, nullptr, 0, &m)) == CUDA_SUCCESS) {
        CUDA_MEM_ALLOC_NODE_PARAMS o{};
        C(cuGraphMemAllocNodeGetParams(n, &o)), note("descriptions", static_cast<long long>(o.accessDescCount));
        CUgraphExec y = nullptr;
        C(cuGraphInstantiate(&y, g, 0)), C(cuGraphLaunch(y, a.s)), C(cuStreamSynchronize(a.s));
        b.use(), C(b.kernel(m.dptr, 6)), a.use(), note("word", word(m.dptr)), C(cuMemFree(m.dptr)), cuGraphExecDestroy(y), cuGraphDestroyNode(n);
      }
    }
    CUmemAccessDesc d = said(99, 3);
    CUDA_MEM_ALLOC_NODE_PARAMS m{};
    m.poolProps = props(0), m.bytesize = kBytes, m.accessDescs = &d, m.accessDescCount = 1, rec("no such device", cuGraphAddMemAllocNode(&n, g, nullptr, 0, &m));
    d = said(0, 0), rec("its own, none", cuGraphAddMemAllocNode(&n, g, nullptr, 0, &m)), d = said(0, 1), rec("its own, read", cuGraphAddMemAllocNode(&n, g, nullptr, 0, &m));
    d = said(1, 0), rec("other, none", cuGraphAddMemAllocNode(&n, g, nullptr, 0, &m)), m.accessDescs = nullptr, rec("no list", cuGraphAddMemAllocNode(&n, g, nullptr, 0, &m));
    (void)x;
  });
}

static void frees() {
  // who: 0 the stream of the memory, 1 another stream, 2 one of a second context, 3 one of the second device, 4 work that uses the
  // memory in a second context, 5 the allocation itself
  for (int who = 0; who < 6; ++who)
    for (const bool plain : {false, true})
      run(("free_pending_" + std::to_string(who) + (plain ? "_plain" : "_pool")).c_str(), [who, plain] {
        if (who == 3 && !two()) return;
        Here a(0), b(who == 3 ? 1 : 0);
        a.use();
        Gate g;
        CUdeviceptr p = 0;
        if (who == 5) g.close(a.s);
        if (plain) C(cuMemAlloc(&p, kBytes)); else C(cuMemAllocAsync(&p, kBytes, a.s));
        if (who != 5) C(cuStreamSynchronize(a.s));
        if (who == 0) g.close(a.s), C(cuMemsetD8Async(p, 1, kBytes, a.s));
        if (who == 1) g.close(a.t), C(cuMemsetD8Async(a.own, 1, kBytes, a.t));
        if (who == 2 || who == 3) b.use(), g.close(b.s), C(cuMemsetD8Async(b.own, 1, kBytes, b.s)), a.use();
        if (who == 4) b.use(), g.close(b.s), C(cuMemsetD8Async(p, 1, kBytes, b.s)), a.use();
        g.open_later();
        C(cuMemFree(p));
        g.waited();
        C(cuMemFree(p)), C(cuCtxSynchronize()), b.use(), C(cuCtxSynchronize());
      });
  run("free_pending_none_current", [] {
    Here a(0);
    Gate g;
    CUdeviceptr p = 0;
    C(cuMemAllocAsync(&p, kBytes, a.s)), C(cuStreamSynchronize(a.s)), g.close(a.s), C(cuMemsetD8Async(p, 1, kBytes, a.s));
    cuCtxSetCurrent(nullptr), g.open_later(), C(cuMemFree(p)), g.waited(), a.use(), C(cuMemFree(p)), C(cuCtxSynchronize());
  });
  run("free_pending_other_current", [] {
    Here a(0), b(0);
    a.use();
    Gate g;
    CUdeviceptr p = 0;
    C(cuMemAllocAsync(&p, kBytes, a.s)), C(cuStreamSynchronize(a.s)), g.close(a.s), C(cuMemsetD8Async(p, 1, kBytes, a.s));
    b.use(), g.open_later(), C(cuMemFree(p)), g.waited(), C(cuMemFree(p)), C(cuCtxSynchronize());
  });
  run("free_pending_wrong", [] {
    Here a(0);
    Gate g;
    CUdeviceptr p = 0;
    C(cuMemAllocAsync(&p, kBytes, a.s)), C(cuStreamSynchronize(a.s)), g.close(a.s), C(cuMemsetD8Async(p, 1, kBytes, a.s));
    g.open_later(), C(cuMemFree(p + 512)), g.waited(), C(cuMemFree(p));
    Gate h;
    C(cuMemAllocAsync(&p, kBytes, a.s)), C(cuStreamSynchronize(a.s)), h.close(a.s), C(cuMemFreeAsync(p, a.s)), h.open_later(), C(cuMemFree(p)), h.waited(), C(cuCtxSynchronize());
    C(cuMemAllocAsync(&p, kBytes, a.s)), C(cuMemFree(p));
    CUdeviceptr q = 0;
    C(cuMemAllocAsync(&q, kBytes, a.s)), note("the same address", q == p), C(cuMemFree(q));
  });
}

struct Params { CUfunction f; unsigned g[3], b[3], shared; CUstream s; void** args; };
static void launches() {
  run("multi_device_attributes", [] { cuInit(0); for (int d = 0; d < 2; ++d) for (int at : {95, 96}) { int v = -1; C(cuDeviceGetAttribute(&v, static_cast<CUdevice_attribute>(at), d)); note("is", v); } });
  run("multi_device_launch", [] {
    if (!two()) return;
    auto* launch = named<CUresult(void*, unsigned, unsigned)>("cuLaunchCooperativeKernelMultiDevice");
    Here a(0), b(1);
    unsigned v = 11, w = 22;
    void *of_a[] = {&a.own, &v}, *of_b[] = {&b.own, &w}, *of_copy[] = {&b.own, &b.own};
    const Params one{a.f("store"), {1, 1, 1}, {1, 1, 1}, 0, a.s, of_a}, other{b.f("store"), {1, 1, 1}, {1, 1, 1}, 0, b.s, of_b};
    Params both[3] = {one, other, one};
    const auto go = [&](const char* what, unsigned n = 2, unsigned flags = 0) { rec(what, launch(both, n, flags)); both[0] = one, both[1] = other, both[2] = one; };
    for (const unsigned flags : {0u, 1u, 2u, 3u}) v += 100, w += 100, go("both", 2, flags), C(cuStreamSynchronize(a.s)), C(cuStreamSynchronize(b.s)), note("words", std::to_string(word(a.own)) + " " + std::to_string(word(b.own)));
    both[0] = other, both[1] = one, go("the other order"), go("three", 3), go("flags 4", 2, 4), go("flags 8", 2, 8), go("count 99", 99);
    both[1].g[0] = 2, go("another grid"), both[1].b[0] = 2, go("another block"), both[1].shared = 64, go("other shared memory");
    both[1].f = b.f("copy"), both[1].args = of_copy, go("another kernel"), both[0].f = a.f("empty"), both[1].f = b.f("other"), go("another kernel without parameters");
    both[1].f = a.f("store"), both[1].args = of_a, go("the first's function"), both[1].s = a.s, go("the first's stream"), both[1].s = a.t, go("another stream of the first");
    both[1].s = nullptr, go("default stream"), both[1].s = CU_STREAM_PER_THREAD, go("per-thread stream"), both[1].s = CU_STREAM_LEGACY, go("legacy stream"), both[1].f = nullptr, go("no function");
    both[1].args = nullptr, go("no parameters"), both[0].g[0] = both[1].g[0] = 100000, go("too many blocks"), both[0].g[0] = both[1].g[0] = 0, go("no blocks"), both[0].b[0] = both[1].b[0] = 2048, go("large blocks");
    both[0].shared = both[1].shared = 1 << 20, go("too much shared memory");
    a.use(), go("first current", 1), b.use(), go("second current", 1), cuCtxSetCurrent(nullptr), go("none current"), go("none current, one", 1);
    a.use();
    CUstream blocking = nullptr;
    C(cuStreamCreate(&blocking, 0)), both[0].s = blocking, go("a blocking stream");
    Here c(0);
    void* of_c[] = {&c.own, &v};
    both[1] = Params{c.f("store"), {1, 1, 1}, {1, 1, 1}, 0, c.s, of_c}, go("two contexts of a device");
    CUlibrary lib = nullptr;
    CUkernel k = nullptr;
    C(cuLibraryLoadData(&lib, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0)), C(cuLibraryGetKernel(&k, lib, "store"));
    both[0].f = both[1].f = reinterpret_cast<CUfunction>(k), go("kernels without a context");
    a.use(), C(cuCtxSynchronize()), b.use(), C(cuCtxSynchronize());
    CUgraph g = nullptr;
    a.use(), C(cuStreamBeginCapture(a.s, CU_STREAM_CAPTURE_MODE_RELAXED)), go("captured", 1), go("one captured"), C(cuStreamEndCapture(a.s, &g));
    C(cuCtxSynchronize()), b.use(), C(cuCtxSynchronize());
  });
  // What is waited for before and after: the gate holds the first stream, or the first kernel.
  for (const unsigned flags : {0u, 1u, 2u, 3u}) {
    run(("multi_device_before_" + std::to_string(flags)).c_str(), [flags] {
      if (!two()) return;
      auto* launch = named<CUresult(void*, unsigned, unsigned)>("cuLaunchCooperativeKernelMultiDevice");
      Here a(0), b(1);
      a.use();
      Gate g;
      g.w[1] = 0, g.w[2] = 7, g.w[3] = 0;
      CUdeviceptr seven = g.at(2), out[2] = {g.at(3), g.at(1)};
      void *of_a[] = {&seven, &out[0]}, *of_b[] = {&seven, &out[1]};
      Params both[2] = {{a.f("await"), {1, 1, 1}, {1, 1, 1}, 0, a.s, of_a}, {b.f("await"), {1, 1, 1}, {1, 1, 1}, 0, b.s, of_b}};
      g.close(a.s), C(launch(both, 2, flags)), pause_ms(300), note("the second has run", g.w[1] == 7), C(cuStreamQuery(a.s)), C(cuStreamQuery(b.s));
      g.w[0] = 1, C(cuStreamSynchronize(a.s)), C(cuStreamSynchronize(b.s)), note("words", std::to_string(g.w[3]) + " " + std::to_string(g.w[1]));
    });
    run(("multi_device_after_" + std::to_string(flags)).c_str(), [flags] {
      if (!two()) return;
      auto* launch = named<CUresult(void*, unsigned, unsigned)>("cuLaunchCooperativeKernelMultiDevice");
      Here a(0), b(1);
      a.use();
      Gate g;
      g.w[1] = 0, g.w[2] = 7, g.w[3] = 0, g.w[4] = 0;
      CUdeviceptr gate = g.at(0), seven = g.at(2), out[2] = {g.at(3), g.at(1)};
      void *of_a[] = {&gate, &out[0]}, *of_b[] = {&seven, &out[1]};
      Params both[2] = {{a.f("await"), {1, 1, 1}, {1, 1, 1}, 0, a.s, of_a}, {b.f("await"), {1, 1, 1}, {1, 1, 1}, 0, b.s, of_b}};
      C(launch(both, 2, flags)), C(cuStreamWriteValue32(b.s, g.at(4), 9, 0)), pause_ms(300);
      note("the second has run", g.w[1] == 7), note("what follows it has run", g.w[4] == 9), C(cuStreamQuery(a.s)), C(cuStreamQuery(b.s));
      g.w[0] = 1, C(cuStreamSynchronize(a.s)), C(cuStreamSynchronize(b.s)), note("words", std::to_string(g.w[3]) + " " + std::to_string(g.w[1]) + " " + std::to_string(g.w[4]));
    });
  }
}

static std::size_t unit() { return 2 << 20; }
static CUmemGenericAllocationHandle made(std::size_t units, int device = 0, unsigned handles = kFile) {
  CUmemAllocationProp p{};
  p.type = CU_MEM_ALLOCATION_TYPE_PINNED, p.location.type = CU_MEM_LOCATION_TYPE_DEVICE, p.location.id = device, p.requestedHandleTypes = static_cast<CUmemAllocationHandleType>(handles);
  CUmemGenericAllocationHandle h = 0;
  cuMemCreate(&h, units * unit(), &p, 0);
  return h;
}
static CUdeviceptr mapped(CUmemGenericAllocationHandle h, std::size_t units, int device = 0) {
  CUdeviceptr p = 0;
  const CUmemAccessDesc d = said(device, 3);
  cuMemAddressReserve(&p, units * unit(), 0, 0, 0), cuMemMap(p, units * unit(), 0, h, 0), cuMemSetAccess(p, units * unit(), &d, 1);
  return p;
}
static int exported(CUmemGenericAllocationHandle h) { int fd = -1; cuMemExportToShareableHandle(&fd, h, kFile, 0); return fd; }
static CUresult imported(CUexternalMemory* m, int fd, std::size_t bytes, unsigned flags = 0) {
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC d{};
  d.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, d.size = bytes, d.flags = flags, d.handle.fd = fd;
  return cuImportExternalMemory(m, &d);
}
static CUresult buffer(CUdeviceptr* p, CUexternalMemory m, std::size_t offset, std::size_t bytes, unsigned flags = 0) {
  CUDA_EXTERNAL_MEMORY_BUFFER_DESC b{};
  b.offset = offset, b.size = bytes, b.flags = flags;
  return cuExternalMemoryGetMappedBuffer(p, m, &b);
}
static void external() {
  run("external_import", [] {
    Here a(0);
    const auto h = made(2);
    CUexternalMemory m = nullptr;
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, unit() - 1, unit(), 2 * unit(), 2 * unit() + 1, 64 * unit(), std::size_t{1} << 45}) {
      const int fd = exported(h);
      m = nullptr;
      const CUresult r = rec(("bytes " + std::to_string(bytes)).c_str(), imported(&m, fd, bytes));
      note("descriptor open", open_fd(fd));
      if (r) { close(fd); continue; }
      CUdeviceptr p = 0;
      rec("a buffer of all", buffer(&p, m, 0, bytes)), rec("destroy", cuDestroyExternalMemory(m));
    }
    for (const unsigned flags : {2u, 3u, 4u}) { const int fd = exported(h); rec(("flags " + std::to_string(flags)).c_str(), imported(&m, fd, unit(), flags)), note("descriptor open", open_fd(fd)), close(fd); }
    int fd = exported(h);
    close(fd), rec("a closed descriptor", imported(&m, fd, unit())), rec("descriptor -1", imported(&m, -1, unit()));
    fd = open("/dev/null", O_RDWR), rec("/dev/null", imported(&m, fd, unit())), note("descriptor open", open_fd(fd)), close(fd);
    const CUmemoryPool q = pool_of(0, true);
    fd = -1, C(cuMemPoolExportToShareableHandle(&fd, q, kFile, 0)), rec("of a pool", imported(&m, fd, unit())), note("descriptor open", open_fd(fd)), close(fd);
    cuCtxSetCurrent(nullptr), fd = exported(h), rec("no context", imported(&m, fd, unit())), note("descriptor open", open_fd(fd));
    CUdeviceptr p = 0;
    rec("a buffer without a context", buffer(&p, m, 0, unit())), a.use(), rec("a buffer with one", buffer(&p, m, 0, unit())), rec("destroy", cuDestroyExternalMemory(m));
    CUexternalMemory n = nullptr;
    C(imported(&m, exported(h), unit())), C(imported(&n, exported(h), unit())), note("another object", m != n);
    fd = exported(h);
    CUstream capturing = a.s;
    CUgraph g = nullptr;
    C(cuStreamBeginCapture(capturing, CU_STREAM_CAPTURE_MODE_GLOBAL)), rec("beside a capture", imported(&m, fd, unit())), rec("a buffer beside a capture", buffer(&p, n, 0, unit())), rec("destroyed beside a capture", cuDestroyExternalMemory(n)), C(cuStreamEndCapture(capturing, &g));
  });
  run("external_buffer", [] {
    Here a(0);
    const auto h = made(2);
    const CUdeviceptr v = mapped(h, 2);
    CUexternalMemory m = nullptr;
    C(imported(&m, exported(h), 2 * unit())), C(cuMemsetD32(v, 42, 2 * unit() / 4)), C(cuMemsetD32(v + 4096, 43, 1)), C(cuMemsetD32(v + 100, 44, 1)), C(cuMemsetD32(v + unit(), 45, 1));
    CUdeviceptr p = 0, q = 0;
    rec("no place", buffer(nullptr, m, 0, unit())), rec("no memory", buffer(&p, nullptr, 0, unit())), rec("no description", cuExternalMemoryGetMappedBuffer(&p, m, nullptr));
    rec("size 0", buffer(&p, m, 0, 0)), rec("flags 1", buffer(&p, m, 0, unit(), 1)), rec("too large", buffer(&p, m, 0, 2 * unit() + 1)), rec("too far", buffer(&p, m, unit(), unit() + 1)), rec("behind", buffer(&p, m, 2 * unit(), 1)), rec("overflow", buffer(&p, m, ~0ull, 2)), note("untouched", p == 0);
    rec("all", buffer(&p, m, 0, 2 * unit())), note("word", word(p)), rec("again", buffer(&q, m, 0, 2 * unit())), note("another address", p != q), note("word", word(q)), C(cuMemFree(q));
    rec("the second half", buffer(&q, m, unit(), unit())), note("word", word(q)), C(cuMemFree(q));
    rec("at 4096", buffer(&q, m, 4096, 4096)), note("word", word(q)), note("aligned", static_cast<long long>(q % 4096)), C(cuMemFree(q));
    rec("at 100", buffer(&q, m, 100, 100)), note("word", word(q)), note("offset in 512", static_cast<long long>(q % 512));
    CUdeviceptr base = 0;
    std::size_t size = 0;
    C(cuMemGetAddressRange(&base, &size, q)), note("begins there", base == q), note("size", static_cast<long long>(size)), C(cuMemFree(q + 4)), C(cuMemFree(q)), C(cuMemFree(q));
    C(cuMemGetAddressRange(&base, &size, p + 8)), note("begins there", base == p), note("size", static_cast<long long>(size));
    CUcontext c = nullptr;
    int number = -1;
    unsigned type = 77;
    unsigned long long id = 0;
    CUmemoryPool pool = nullptr;
    C(cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, p)), note("its context", c == a.c ? "the current one" : c ? "another" : "none"), C(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p)), note("type", type);
    C(cuPointerGetAttribute(&number, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p)), note("device", number), C(cuPointerGetAttribute(&number, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, p)), note("by IPC", number & 1);
    C(cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, p)), note("no pool", pool == nullptr), C(cuPointerGetAttribute(&id, CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, p)), note("handle types", static_cast<long long>(id)), C(cuPointerGetAttribute(&number, CU_POINTER_ATTRIBUTE_MAPPED, p)), note("mapped", number & 1);
    unsigned af = 77;
    C(cuPointerGetAttribute(&af, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, p)), note("access", af);
    CUipcMemHandle ipc{};
    CUmemGenericAllocationHandle r = 0;
    C(cuIpcGetMemHandle(&ipc, p)), C(cuMemRetainAllocationHandle(&r, reinterpret_cast<void*>(p))), C(cuMemUnmap(p, 2 * unit())), C(cuMemFreeAsync(p, a.s)), C(cuMemFreeHost(reinterpret_cast<void*>(p)));
    C(a.kernel(p, 46)), note("word", word(v)), C(a.kernel(v + 4, 47)), note("word", word(p + 4));
  });
  run("external_life", [] {
    Here a(0);
    auto h = made(2);
    CUdeviceptr v = mapped(h, 2), p = 0, q = 0;
    CUexternalMemory m = nullptr;
    C(cuMemsetD32(v, 42, 4)), C(imported(&m, exported(h), 2 * unit())), C(buffer(&p, m, 0, unit())), C(cuMemUnmap(v, 2 * unit())), C(cuMemRelease(h)), note("word", word(p));
    C(buffer(&q, m, 0, unit())), note("word", word(q)), C(cuDestroyExternalMemory(m)), note("word", word(p)), C(cuMemFree(p)), note("word", word(q)), C(cuMemFree(q)), note("word", word(q));
    std::size_t before = 0, now = 0, total = 0;
    cuMemGetInfo(&before, &total), h = made(32), C(imported(&m, exported(h), 32 * unit())), C(cuMemRelease(h)), cuMemGetInfo(&now, &total), note("held, units", static_cast<long long>((before - now) / unit()));
    C(cuDestroyExternalMemory(m)), cuMemGetInfo(&now, &total), note("held, units", static_cast<long long>((before - now) / unit()));
    Gate g;
    h = made(2), C(imported(&m, exported(h), 2 * unit())), C(buffer(&p, m, 0, unit())), g.close(a.s), C(cuMemsetD32Async(p, 1, 1, a.s)), g.open_later(), C(cuMemFree(p)), g.waited();
    Gate k;
    C(buffer(&p, m, 0, unit())), k.close(a.s), C(cuMemsetD32Async(p, 1, 1, a.s)), k.open_later(), C(cuDestroyExternalMemory(m)), k.waited(), C(cuStreamSynchronize(a.s)), C(cuMemFree(p));
  });
  run("external_contexts", [] {
    Here a(0), b(0);
    const auto h = made(2);
    a.use();
    CUexternalMemory m = nullptr;
    CUdeviceptr p = 0, q = 0;
    C(imported(&m, exported(h), 2 * unit())), C(buffer(&p, m, 0, unit())), C(cuMemsetD32(p, 42, 1)), b.use(), note("word", word(p)), C(buffer(&q, m, 0, unit())), note("word", word(q)), C(b.kernel(p, 43)), note("word", word(q));
    CUcontext c = nullptr;
    C(cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, q)), note("its context", c == a.c ? "the first" : c == b.c ? "the second" : c ? "another" : "none");
    C(cuCtxDestroy(a.c)), note("word", word(q)), note("word", word(p)), C(cuMemFree(q)), C(cuMemFree(p)), C(buffer(&q, m, 0, unit())), C(cuDestroyExternalMemory(m));
  });
  run("external_devices", [] {
    if (!two()) return;
    Here a(0), b(1);
    a.use();
    const auto h = made(2), i = made(2, 1);
    CUexternalMemory m = nullptr, n = nullptr;
    CUdeviceptr p = 0, q = 0;
    rec("of the first device, first current", imported(&m, exported(h), 2 * unit())), rec("buffer", buffer(&p, m, 0, unit())), rec("of the second device", imported(&n, exported(i), 2 * unit()));
    if (n) { rec("buffer", buffer(&q, n, 0, unit())); int d = -1; if (q) C(cuPointerGetAttribute(&d, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, q)), note("device", d), C(cuMemsetD32(q, 5, 1)), note("word", word(q)); }
    b.use(), q = 0, rec("the first's buffer, second current", buffer(&q, m, 0, unit()));
    if (q) { int d = -1; C(cuPointerGetAttribute(&d, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, q)), note("device", d), C(cuMemsetD32(q, 6, 1)), note("word", word(q)); }
    CUexternalMemory o = nullptr;
    rec("of the first device, second current", imported(&o, exported(h), 2 * unit()));
    if (o) { q = 0; rec("buffer", buffer(&q, o, 0, unit())); if (q) C(b.kernel(q, 7)), note("word", word(q)); }
    C(cuDestroyExternalMemory(m));
    if (n) C(cuDestroyExternalMemory(n));
    if (o) C(cuDestroyExternalMemory(o));
  });
  run("external_mipmapped", [] {
    Here a(0);
    const auto h = made(2);
    CUexternalMemory m = nullptr;
    C(imported(&m, exported(h), 2 * unit()));
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC d{};
    d.arrayDesc.Width = 64, d.arrayDesc.Height = 64, d.arrayDesc.Format = CU_AD_FORMAT_UNSIGNED_INT32, d.arrayDesc.NumChannels = 1;
    CUmipmappedArray x = nullptr;
    rec("no levels", cuExternalMemoryGetMappedMipmappedArray(&x, m, &d)), d.numLevels = 99, rec("99 levels", cuExternalMemoryGetMappedMipmappedArray(&x, m, &d));
    d.numLevels = 1, rec("nowhere", cuExternalMemoryGetMappedMipmappedArray(nullptr, m, &d)), rec("nothing", cuExternalMemoryGetMappedMipmappedArray(&x, m, nullptr)), rec("of nothing", cuExternalMemoryGetMappedMipmappedArray(&x, nullptr, &d));
    rec("one level", cuExternalMemoryGetMappedMipmappedArray(&x, m, &d));
    d.offset = 2 * unit(), rec("behind", cuExternalMemoryGetMappedMipmappedArray(&x, m, &d));
    C(cuDestroyExternalMemory(m));
  });
  run("external_destroyed_twice", [] { Here a(0); CUexternalMemory m = nullptr; C(imported(&m, exported(made(2)), 2 * unit())), C(cuDestroyExternalMemory(m)), C(cuDestroyExternalMemory(m)); });
  run("external_buffer_of_destroyed", [] { Here a(0); CUexternalMemory m = nullptr; CUdeviceptr p = 0; C(imported(&m, exported(made(2)), 2 * unit())), C(cuDestroyExternalMemory(m)), C(buffer(&p, m, 0, unit())); });
}

static void others() {
  run("restore_thread", [] {
    auto* ask = named<CUresult(int, int*)>("cuCheckpointProcessGetRestoreThreadId");
    int t = -7, u = -7;
    rec("before init", ask(getpid(), &t));
    Here a(0);
    rec("own", ask(getpid(), &t)), rec("again", ask(getpid(), &u)), note("the same", t == u), note("of this process", access(("/proc/self/task/" + std::to_string(t)).c_str(), F_OK) == 0), note("this thread", t == static_cast<int>(gettid()));
    std::string list;
    rec("null", ask(getpid(), nullptr)), rec("no process, null", ask(0, nullptr)), rec("process 0", ask(0, &t)), rec("process -1", ask(-1, &t)), rec("no such process", ask(4194303, &t));
    const pid_t child = fork();
    if (child == 0) { pause_ms(3000); _exit(0); }
    rec("a process without CUDA", ask(child, &t)), kill(child, SIGKILL);
    t = -7, C(cuCheckpointProcessLock(getpid(), nullptr)), rec("locked", ask(getpid(), &t)), note("the same", t == u), C(cuCheckpointProcessCheckpoint(getpid(), nullptr)), rec("checkpointed", ask(getpid(), &t)), note("the same", t == u);
    C(cuCheckpointProcessRestore(getpid(), nullptr)), rec("restored", ask(getpid(), &t)), note("the same", t == u), C(cuCheckpointProcessUnlock(getpid(), nullptr));
  });
  run("blocks_are_clusters", [] {
    cuInit(0);
    CUcontext c = nullptr;
    CUmodule m = nullptr;
    CUfunction f = nullptr, g = nullptr;
    CUdeviceptr p = 0;
    C(make_ctx(&c, 0, 0));
    if (C(cuModuleLoadData(&m, kBlocksPtx))) return;
    C(cuModuleGetFunction(&f, m, "box")), C(cuModuleGetFunction(&g, m, "blocks")), cuMemAlloc(&p, 4096), cuMemsetD32(p, 99, 1024);
    void* args[] = {&p};
    for (int at = 10; at <= 15; ++at) { int v = -1, w = -1; cuFuncGetAttribute(&v, static_cast<CUfunction_attribute>(at), f), cuFuncGetAttribute(&w, static_cast<CUfunction_attribute>(at), g); note("attribute " + std::to_string(at), std::to_string(v) + " " + std::to_string(w)); }
    for (const CUfunction each : {f, g}) {
      for (const unsigned grid : {4u, 3u, 1u}) {
        rec(("grid " + std::to_string(grid)).c_str(), cuLaunchKernel(each, grid, 1, 1, 32, 1, 1, 0, nullptr, args, nullptr)), C(cuCtxSynchronize());
        unsigned o[16] = {};
        cuMemcpyDtoH(o, p, sizeof o), cuMemsetD32(p, 99, 1024);
        std::string t;
        for (const unsigned each_word : o) t += std::to_string(each_word) + " ";
        note("words", t);
      }
      for (const unsigned size : {1u, 2u, 4u}) {
        CUlaunchAttribute at{};
        at.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, at.value.clusterDim.x = size, at.value.clusterDim.y = at.value.clusterDim.z = 1;
        CUlaunchConfig config{};
        config.gridDimX = 4, config.gridDimY = config.gridDimZ = 1, config.blockDimX = 32, config.blockDimY = config.blockDimZ = 1, config.attrs = &at, config.numAttrs = 1;
        rec(("clusters of " + std::to_string(size)).c_str(), cuLaunchKernelEx(&config, each, args, nullptr)), C(cuCtxSynchronize());
      }
      rec("block of 64", cuLaunchKernel(each, 4, 1, 1, 64, 1, 1, 0, nullptr, args, nullptr)), C(cuCtxSynchronize());
    }
  });
}

int main() {
  pools();
  frees();
  launches();
  external();
  others();
}
