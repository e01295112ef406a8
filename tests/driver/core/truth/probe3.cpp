// Third round: what the first two left unmeasured. Ends of objects, the order of work, faults of every kind, and
// arguments that sit on a limit. Kernels are PTX text of our own, below.
#include <fcntl.h>
#include <sys/mman.h>

#include <atomic>
#include <chrono>

#include "probe.h"

static const char* const kPtx = R"(
.version 7.0
.target sm_52
.address_size 64
.extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
.global .align 1 .b8 message[6] = {120, 32, 62, 32, 48, 0};
.global .align 1 .b8 file[5] = {97, 46, 99, 117, 0};
.global .align 1 .b8 name[5] = {103, 111, 40, 41, 0};

.visible .entry store(.param .u64 p, .param .u32 v) {
  .reg .b64 %rd<3>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [v]; cvta.to.global.u64 %rd2, %rd1;
  st.global.u32 [%rd2], %r1; ret;
}
.visible .entry store_generic(.param .u64 p, .param .u32 v) {
  .reg .b64 %rd<3>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [v]; st.u32 [%rd1], %r1; ret;
}
.visible .entry load(.param .u64 p, .param .u64 q) {
  .reg .b64 %rd<3>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd2], %r1; ret;
}
.visible .entry wide(.param .u64 p) {
  .reg .b64 %rd<3>; .reg .b32 %r<5>;
  ld.param.u64 %rd1, [p]; ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1]; st.global.v4.u32 [%rd1], {%r4, %r3, %r2, %r1}; ret;
}
.visible .entry spin(.param .u64 ns, .param .u64 out) {
  .reg .b64 %rd<6>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [ns]; ld.param.u64 %rd5, [out];
  mov.u64 %rd2, %globaltimer;
LOOP:
  mov.u64 %rd3, %globaltimer; sub.u64 %rd4, %rd3, %rd2; setp.lt.u64 %p1, %rd4, %rd1; @%p1 bra LOOP;
  setp.ne.u64 %p1, %rd5, 0; @%p1 st.global.u64 [%rd5], %rd4;
  ret;
}
.visible .entry fails() {
  .reg .b64 %rd<8>; .reg .b32 %r<2>; .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
  mov.u64 %rd1, message; cvta.global.u64 %rd2, %rd1; st.param.b64 [a], %rd2;
  mov.u64 %rd3, file; cvta.global.u64 %rd4, %rd3; st.param.b64 [b], %rd4;
  mov.u32 %r1, 42; st.param.b32 [c], %r1;
  mov.u64 %rd5, name; cvta.global.u64 %rd6, %rd5; st.param.b64 [d], %rd6;
  mov.u64 %rd7, 1; st.param.b64 [e], %rd7;
  call.uni __assertfail, (a, b, c, d, e);
  ret;
}
.visible .entry traps() { trap; ret; }
.visible .entry breaks() { brkpt; ret; }
.func (.param .b32 r) deep(.param .b32 n) {
  .reg .b32 %r<5>; .reg .pred %p<2>; .reg .b64 %rd<2>; .local .align 4 .b8 big[1024]; .param .b32 x; .param .b32 y;
  ld.param.b32 %r1, [n]; st.local.u32 [big + 512], %r1;
  setp.eq.u32 %p1, %r1, 0; @%p1 bra END;
  sub.u32 %r2, %r1, 1; st.param.b32 [x], %r2; call.uni (y), deep, (x); ld.param.b32 %r3, [y];
  ld.local.u32 %r4, [big + 512]; add.u32 %r1, %r3, %r4;
END:
  st.param.b32 [r], %r1; ret;
}
.visible .entry recurse(.param .u32 n, .param .u64 out) {
  .reg .b32 %r<3>; .reg .b64 %rd<2>; .param .b32 x; .param .b32 y;
  ld.param.u32 %r1, [n]; ld.param.u64 %rd1, [out]; st.param.b32 [x], %r1; call.uni (y), deep, (x);
  ld.param.b32 %r2, [y]; st.global.u32 [%rd1], %r2; ret;
}
.visible .entry limited() .maxntid 64, 1, 1 { ret; }
.visible .entry required() .reqntid 64, 1, 1 { ret; }
.visible .entry with_shared(.param .u64 p) {
  .reg .b64 %rd<3>; .reg .b32 %r<3>; .shared .align 4 .b8 tile[4096];
  ld.param.u64 %rd1, [p]; mov.u32 %r1, 7; st.shared.u32 [tile + 16], %r1; bar.sync 0; ld.shared.u32 %r2, [tile + 16]; st.global.u32 [%rd1], %r2; ret;
}
.visible .entry shared_out(.param .u32 at) {
  .reg .b32 %r<3>; .shared .align 4 .b8 tile[1024];
  ld.param.u32 %r1, [at]; mov.u32 %r2, 7; st.shared.u32 [%r1], %r2; ret;
}
.visible .entry empty() { ret; }
)";

static std::string shown(CUresult r) { return ename(r); }
struct Lab {
  CUcontext a = nullptr;
  CUmodule m = nullptr;
  CUdeviceptr p = 0;
  Lab() { cuInit(0); make_ctx(&a, 0, 0); name_it(a, "A"); cuModuleLoadData(&m, kPtx); cuMemAlloc(&p, 4096); cuMemsetD8(p, 0, 4096); }
  CUfunction f(const char* n) { CUfunction g = nullptr; cuModuleGetFunction(&g, m, n); return g; }
};
static CUresult go(CUfunction f, std::vector<void*> args, unsigned threads = 1, CUstream s = nullptr, unsigned shared = 0) {
  return cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, shared, s, args.data(), nullptr);
}
static CUresult spin(Lab& l, unsigned long long ms, CUstream s = nullptr, CUdeviceptr out = 0) {
  unsigned long long ns = ms * 1000000;
  return go(l.f("spin"), {&ns, &out}, 1, s);
}
template <typename F>
static long long ms_of(F f) {
  auto t = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - t).count();
}
static const char* waited(long long ms) { return ms >= 150 ? "waited" : "did not wait"; }

// Runs what a kernel's fault does to the next calls; `f` launches.
template <typename F>
static void fault(const char* name, F f) {
  run(name, [f] {
    Lab l;
    f(l);
    C(cuCtxSynchronize());
    C(cuCtxSynchronize());
    CUdeviceptr q;
    C(cuMemAlloc(&q, 16));
    int x = 0;
    C(cuMemcpyDtoH(&x, l.p, 4));
    CUcontext b;
    C(make_ctx(&b, 0, 0));
    C(cuCtxGetCurrent(&b));
    C(cuCtxDestroy(l.a));
  });
}

struct AtTheEnd {
  ~AtTheEnd() {
    if (scenario != "teardown") return;
    CUcontext c; CUdeviceptr p; int n;
    C(cuCtxGetCurrent(&c)); C(cuMemAlloc(&p, 16)); C(cuMemFree(0)); C(cuDeviceGetCount(&n)); C(cuInit(0)); C(cuDriverGetVersion(&n));
    fflush(stdout);
  }
};
static AtTheEnd at_the_end;

static void ends() {
  run("destroyed_twice", [] { CUcontext a, c; C(cuInit(0)); C(make_ctx(&a, 0, 0)); C(cuCtxPopCurrent(&c)); C(cuCtxDestroy(a)); C(cuCtxDestroy(a)); unsigned v; C(cuCtxGetApiVersion(a, &v)); unsigned long long id; C(cuCtxGetId(a, &id)); C(cuCtxPushCurrent(a)); C(cuCtxDestroy(a)); CUR(); });
  run("revived_id", [] { CUcontext p; unsigned long long i = 0, j = 0, k = 0; C(cuInit(0)); C(cuDevicePrimaryCtxRetain(&p, 0)); C(cuCtxGetId(p, &i)); C(cuDevicePrimaryCtxRelease(0)); C(cuCtxGetId(p, &j)); C(cuDevicePrimaryCtxRetain(&p, 0)); C(cuCtxGetId(p, &k)); note("a new id", k != i); CUcontext a; C(make_ctx(&a, 0, 0)); C(cuCtxGetId(a, &j)); note("the next one's distance", (long long)(j - k)); C(cuDevicePrimaryCtxReset(0)); C(cuCtxGetId(p, &j)); C(cuDevicePrimaryCtxRelease(0)); });
  run("pointer_unknown", [] { Lab l; int host = 0, ord = 77; CUmemorytype t = (CUmemorytype)99; void* hp = (void*)1; CUcontext c = (CUcontext)1; unsigned long long id = 9; int managed = 9; CUpointer_attribute at[] = {CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_HOST_POINTER, CU_POINTER_ATTRIBUTE_CONTEXT, CU_POINTER_ATTRIBUTE_BUFFER_ID, CU_POINTER_ATTRIBUTE_IS_MANAGED}; void* d[] = {&ord, &t, &hp, &c, &id, &managed}; C(cuPointerGetAttributes(6, at, d, (CUdeviceptr)&host)); note("ordinal", ord); note("type", t); note("host", hp == nullptr); note("context", c == nullptr); note("id", (long long)id); note("managed", managed); C(cuPointerGetAttribute(&t, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)&host)); C(cuPointerGetAttributes(0, at, d, l.p)); C(cuPointerGetAttributes(1, nullptr, d, l.p)); });
  run("host_memory", [] { Lab l; for (unsigned flags : {0u, 1u, 2u, 4u, 3u, 7u, 8u}) { void* p = nullptr; note("flags asked", flags); C(cuMemHostAlloc(&p, 100, flags)); if (p) { unsigned f = 99; C(cuMemHostGetFlags(&f, p)); note("flags", f); C(cuMemHostGetFlags(&f, (char*)p + 50)); CUdeviceptr d; C(cuMemHostGetDevicePointer(&d, p, 0)); note("same address", d == (CUdeviceptr)p); C(cuMemFreeHost((char*)p + 1)); C(cuMemFreeHost(p)); C(cuMemFreeHost(p)); } } void* h = aligned_alloc(4096, 8192); C(cuMemHostRegister(h, 8192, 0)); C(cuMemHostRegister(h, 8192, 0)); C(cuMemHostRegister((char*)h + 4096, 8192, 0)); unsigned f = 99; C(cuMemHostGetFlags(&f, h)); note("flags", f); C(cuMemFreeHost(h)); C(cuMemHostUnregister((char*)h + 8)); C(cuMemHostUnregister(h)); C(cuMemHostUnregister(h)); C(cuMemHostRegister(nullptr, 16, 0)); C(cuMemHostRegister(h, 0, 0)); C(cuMemHostRegister((char*)h + 3, 100, 0)); int v = 5; CUdeviceptr d; C(cuMemHostGetDevicePointer(&d, (char*)h + 4, 0)); (void)v; });
  run("peer_arguments", [] { Lab l; CUcontext b; C(make_ctx(&b, 0, 0)); C(cuCtxEnablePeerAccess(b, 0)); C(cuCtxEnablePeerAccess(l.a, 0)); C(cuCtxEnablePeerAccess(l.a, 1)); C(cuCtxDisablePeerAccess(l.a)); C(cuCtxEnablePeerAccess(nullptr, 0)); });
  run("default_streams", [] { Lab l; unsigned f = 9; int p = 9; unsigned long long i = 0, j = 0; CUcontext c; for (CUstream s : {(CUstream) nullptr, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD}) { C(cuStreamGetFlags(s, &f)); note("flags", f); C(cuStreamGetPriority(s, &p)); note("priority", p); C(cuStreamGetCtx(s, &c)); note("context", who(c)); C(cuStreamQuery(s)); C(cuStreamDestroy(s)); } C(cuStreamGetId(nullptr, &i)); C(cuStreamGetId(CU_STREAM_LEGACY, &j)); note("legacy has the id of 0", i == j); C(cuStreamGetId(CU_STREAM_PER_THREAD, &j)); note("per thread differs", i != j); int lo, hi; C(cuCtxGetStreamPriorityRange(&lo, &hi)); note("least", lo); note("greatest", hi); CUstream s; C(cuStreamCreateWithPriority(&s, 1, -99)); C(cuStreamGetPriority(s, &p)); note("priority", p); C(cuStreamGetFlags(s, &f)); note("flags", f); C(cuStreamCreate(&s, 2)); C(cuStreamCreate(nullptr, 0)); });
  run("teardown", [] { Lab l; exit(0); });
  run("ipc_same_process", [] { Lab l; CUipcMemHandle h; C(cuIpcGetMemHandle(&h, l.p)); CUdeviceptr q; C(cuIpcOpenMemHandle(&q, h, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)); C(cuIpcGetMemHandle(&h, 1234)); C(cuIpcCloseMemHandle(l.p)); CUevent e; C(cuEventCreate(&e, 0)); CUipcEventHandle eh; C(cuIpcGetEventHandle(&eh, e)); CUevent e2; C(cuEventCreate(&e2, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING)); C(cuIpcGetEventHandle(&eh, e2)); C(cuIpcOpenEventHandle(&e, eh)); });
}

static void order() {
  run("busy", [] { Lab l; CUstream s, n; C(cuStreamCreate(&s, 0)); C(cuStreamCreate(&n, CU_STREAM_NON_BLOCKING)); C(spin(l, 300, s)); C(cuStreamQuery(s)); C(cuStreamQuery(n)); C(cuStreamQuery(nullptr)); CUevent e; C(cuEventCreate(&e, 0)); C(cuEventQuery(e)); C(cuEventRecord(e, s)); C(cuEventQuery(e)); float t; CUevent e2; C(cuEventCreate(&e2, 0)); C(cuEventElapsedTime(&t, e2, e)); C(cuEventRecord(e2, s)); C(cuEventElapsedTime(&t, e, e2)); C(cuEventSynchronize(e)); C(cuStreamQuery(s)); C(cuCtxSynchronize()); C(cuEventElapsedTime(&t, e, e2)); CUevent u; C(cuEventCreate(&u, CU_EVENT_DISABLE_TIMING)); C(cuEventRecord(u, s)); C(cuEventSynchronize(u)); C(cuEventElapsedTime(&t, e, u)); C(cuEventCreate(&u, 8)); C(cuEventCreate(&u, CU_EVENT_INTERPROCESS)); });
  run("who_waits", [] { Lab l; CUstream s, n; int x = 5; cuStreamCreate(&s, 0); cuStreamCreate(&n, CU_STREAM_NON_BLOCKING); CUdeviceptr q; cuMemAlloc(&q, 8 << 20); void* pinned; cuMemAllocHost(&pinned, 8 << 20); std::vector<char> pageable(8 << 20); cuCtxSynchronize(); spin(l, 1, s); cuCtxSynchronize();
    auto test = [&](const char* what, CUstream stream, std::function<CUresult()> f) { CUresult r = CUDA_SUCCESS; spin(l, 300, stream); long long ms = ms_of([&] { r = f(); }); note(std::string(what) + (stream == s ? ", blocking stream busy" : ", non-blocking stream busy"), std::string(waited(ms)) + ", " + shown(r)); cuCtxSynchronize(); };
    for (CUstream b : {s, n}) {
      test("cuMemcpyHtoD", b, [&] { return cuMemcpyHtoD(l.p, &x, 4); });
      test("cuMemcpyDtoH", b, [&] { return cuMemcpyDtoH(&x, l.p, 4); });
      test("cuMemcpyDtoD", b, [&] { return cuMemcpyDtoD(l.p, l.p + 64, 4); });
      test("cuMemcpyHtoD of 8 MiB pageable", b, [&] { return cuMemcpyHtoD(q, pageable.data(), 8 << 20); });
      test("cuMemcpyHtoD of 8 MiB pinned", b, [&] { return cuMemcpyHtoD(q, pinned, 8 << 20); });
      test("cuMemsetD8", b, [&] { return cuMemsetD8(l.p, 0, 64); });
      test("cuMemAlloc", b, [&] { CUdeviceptr r; return cuMemAlloc(&r, 1024); });
      test("cuMemAlloc of 64 MiB", b, [&] { CUdeviceptr r; return cuMemAlloc(&r, 64 << 20); });
      test("cuMemFree of another", b, [&] { CUdeviceptr r; cuMemAlloc(&r, 1024); return cuMemFree(r); });
      test("cuMemAllocHost", b, [&] { void* r; return cuMemAllocHost(&r, 4096); });
      test("cuStreamSynchronize(0)", b, [&] { return cuStreamSynchronize(nullptr); });
      test("cuStreamQuery(0)", b, [&] { return cuStreamQuery(nullptr); });
      test("empty launch on the legacy stream", b, [&] { return go(l.f("empty"), {}); });
      test("empty launch on it and cuStreamSynchronize(0)", b, [&] { go(l.f("empty"), {}); return cuStreamSynchronize(nullptr); });
      test("cuModuleLoadData", b, [&] { CUmodule m; return cuModuleLoadData(&m, kPtx); });
      test("cuModuleUnload", b, [&] { CUmodule m; cuModuleLoadData(&m, kPtx); return cuModuleUnload(m); });
      test("cuEventDestroy, recorded there", b, [&] { CUevent e; cuEventCreate(&e, 0); cuEventRecord(e, b); return cuEventDestroy(e); });
      test("cuCtxCreate", b, [&] { CUcontext c, o; CUresult r = make_ctx(&c, 0, 0); cuCtxPopCurrent(&o); return r; });
      test("cuMemGetInfo", b, [&] { size_t f, t; return cuMemGetInfo(&f, &t); });
      test("cuCtxSetLimit of the stack", b, [&] { return cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048); });
      test("cuMemcpyHtoDAsync of 64 pageable bytes in it", b, [&] { return cuMemcpyHtoDAsync(l.p, pageable.data(), 64, b); });
      test("cuMemcpyHtoDAsync of 8 MiB pageable in it", b, [&] { return cuMemcpyHtoDAsync(q, pageable.data(), 8 << 20, b); });
      test("cuMemcpyHtoDAsync of 8 MiB pinned in it", b, [&] { return cuMemcpyHtoDAsync(q, pinned, 8 << 20, b); });
      test("cuMemcpyDtoHAsync of 64 pageable bytes in it", b, [&] { return cuMemcpyDtoHAsync(pageable.data(), l.p, 64, b); });
      test("cuMemcpyDtoHAsync of 64 pinned bytes in it", b, [&] { return cuMemcpyDtoHAsync(pinned, l.p, 64, b); });
      test("cuMemsetD8Async in it", b, [&] { return cuMemsetD8Async(l.p, 0, 64, b); });
    }
    CUstream d; cuStreamCreate(&d, 0); spin(l, 300, d, l.p); note("cuStreamDestroy of a busy one", waited(ms_of([&] { cuStreamDestroy(d); }))); cuCtxSynchronize(); unsigned long long did = 0; cuMemcpyDtoH(&did, l.p, 8); note("its work was done", did > 0);
    CUcontext c; make_ctx(&c, 0, 0); CUmodule m2; cuModuleLoadData(&m2, kPtx); CUfunction f; cuModuleGetFunction(&f, m2, "spin"); unsigned long long ns = 300000000; CUdeviceptr z = 0; go(f, {&ns, &z}); cuCtxSynchronize(); go(f, {&ns, &z}); note("cuCtxDestroy of a busy one", waited(ms_of([&] { cuCtxDestroy(c); }))); });
  run("host_functions", [] { Lab l; CUstream s; C(cuStreamCreate(&s, 0)); static std::atomic<int> step_of{0}; static CUresult inside = CUDA_SUCCESS, status = CUDA_ERROR_UNKNOWN; static CUdeviceptr p; p = l.p; C(spin(l, 100, s)); C(cuLaunchHostFunc(s, [](void*) { step_of = 1; int x; inside = cuMemcpyDtoH(&x, p, 4); }, nullptr)); note("not yet", step_of.load()); C(cuStreamSynchronize(s)); note("done", step_of.load()); note("a call inside", shown(inside)); C(cuStreamAddCallback(s, [](CUstream, CUresult r, void*) { status = r; int n; inside = cuDeviceGetCount(&n); }, nullptr, 0)); C(cuStreamSynchronize(s)); note("status", shown(status)); note("cuDeviceGetCount inside", shown(inside)); C(cuStreamAddCallback(s, nullptr, nullptr, 0)); C(cuLaunchHostFunc(s, nullptr, nullptr)); C(cuStreamAddCallback(s, [](CUstream, CUresult, void*) {}, nullptr, 1)); static int runs = 0; C(go(l.f("traps"), {}, 1, s)); C(cuStreamAddCallback(s, [](CUstream, CUresult r, void*) { status = r; runs++; }, nullptr, 0)); C(cuLaunchHostFunc(s, [](void*) { runs += 10; }, nullptr)); C(cuStreamSynchronize(s)); usleep(100000); note("status after a trap", shown(status)); note("ran", runs); });
  run("capture", [] { Lab l; CUstream s, t; CUgraph g = nullptr; CUstreamCaptureStatus st; CUdeviceptr p; C(cuStreamCreate(&s, 0)); C(cuStreamCreate(&t, CU_STREAM_NON_BLOCKING)); C(cuStreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL)); C(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL)); C(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL)); C(cuStreamIsCapturing(s, &st)); note("status", st); C(cuStreamIsCapturing(nullptr, &st)); C(go(l.f("empty"), {}, 1, s)); C(cuStreamQuery(s)); C(cuStreamIsCapturing(s, &st)); note("status", st); C(cuStreamEndCapture(s, &g)); note("no graph", g == nullptr); C(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL)); C(cuMemAlloc(&p, 16)); C(cuStreamIsCapturing(s, &st)); note("status", st); C(cuStreamEndCapture(s, &g)); C(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED)); C(cuMemAlloc(&p, 16)); C(go(l.f("empty"), {}, 1, s)); C(cuStreamEndCapture(s, &g)); size_t n = 9; C(cuGraphGetNodes(g, nullptr, &n)); note("nodes", (long long)n); C(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL)); C(go(l.f("empty"), {}, 1, nullptr)); C(cuStreamEndCapture(s, &g)); C(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL)); C(cuStreamSynchronize(s)); C(cuStreamEndCapture(s, &g)); C(cuStreamEndCapture(s, &g)); C(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL)); CUevent e; C(cuEventCreate(&e, 0)); C(cuEventRecord(e, s)); C(cuStreamWaitEvent(t, e, 0)); C(go(l.f("empty"), {}, 1, t)); C(cuStreamEndCapture(t, &g)); C(cuStreamEndCapture(s, &g)); C(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL)); C(cuEventRecord(e, s)); C(cuEventQuery(e)); C(cuEventSynchronize(e)); C(cuStreamEndCapture(s, &g)); CUgraphExec x; C(cuGraphCreate(&g, 0)); C(cuGraphInstantiate(&x, g, 0)); C(cuGraphLaunch(x, s)); C(cuStreamSynchronize(s)); C(cuGraphDestroy(g)); C(cuGraphLaunch(x, s)); C(cuGraphExecDestroy(x)); });
}

static void faults() {
  fault("fault_misaligned", [](Lab& l) { CUdeviceptr at = l.p + 1; unsigned v = 3; C(go(l.f("store"), {&at, &v})); });
  fault("fault_misaligned_wide", [](Lab& l) { CUdeviceptr at = l.p + 8; C(go(l.f("wide"), {&at})); });
  fault("fault_null", [](Lab& l) { CUdeviceptr at = 0; unsigned v = 3; C(go(l.f("store"), {&at, &v})); });
  fault("fault_host_pointer", [](Lab& l) { static unsigned host = 7; CUdeviceptr at = (CUdeviceptr)&host; unsigned v = 3; C(go(l.f("store_generic"), {&at, &v})); C(cuCtxSynchronize()); note("host value", host); });
  fault("fault_freed_large", [](Lab& l) { CUdeviceptr q; unsigned v = 3; C(cuMemAlloc(&q, 64 << 20)); C(cuMemFree(q)); C(go(l.f("store"), {&q, &v})); });
  fault("fault_freed_small", [](Lab& l) { CUdeviceptr q; unsigned v = 3; C(cuMemAlloc(&q, 1024)); C(cuMemFree(q)); C(go(l.f("store"), {&q, &v})); });
  fault("fault_little_too_far", [](Lab& l) { CUdeviceptr q; unsigned v = 3; C(cuMemAlloc(&q, 1000)); q += 1000; C(go(l.f("store"), {&q, &v})); });
  fault("fault_far_out", [](Lab& l) { CUdeviceptr q; unsigned v = 3; C(cuMemAlloc(&q, 64 << 20)); q += 96ull << 30; C(go(l.f("store"), {&q, &v})); });
  fault("fault_assert", [](Lab& l) { int fd = open("assert.txt", O_CREAT | O_TRUNC | O_RDWR, 0600); int keep = dup(2); fflush(stderr); dup2(fd, 2); C(go(l.f("fails"), {}, 2)); C(cuCtxSynchronize()); fflush(stderr); dup2(keep, 2); note("stderr", slurp("assert.txt")); });
  fault("fault_trap", [](Lab& l) { C(go(l.f("traps"), {})); });
  fault("fault_breakpoint", [](Lab& l) { C(go(l.f("breaks"), {})); });
  fault("fault_deep_recursion", [](Lab& l) { unsigned n = 1000000; C(go(l.f("recurse"), {&n, &l.p})); });
  fault("recursion_of_1000", [](Lab& l) { size_t was; C(cuCtxGetLimit(&was, CU_LIMIT_STACK_SIZE)); note("stack", (long long)was); C(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 128 * 1024)); unsigned n = 60; C(go(l.f("recurse"), {&n, &l.p})); C(cuCtxSynchronize()); unsigned r = 0; C(cuMemcpyDtoH(&r, l.p, 4)); note("sum", r); });
  fault("fault_shared_out", [](Lab& l) { unsigned at = 64 << 20; C(go(l.f("shared_out"), {&at})); });
  fault("shared_little_out", [](Lab& l) { unsigned at = 1024; C(go(l.f("shared_out"), {&at})); });
  fault("fault_read_only", [](Lab& l) { CUdeviceptr at = 0x10; C(go(l.f("load"), {&at, &l.p})); });
}

static void limits() {
  run("launch_limits", [] { Lab l; CUfunction e = l.f("empty"); auto at = [&](unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned sh) { std::string w = "grid " + std::to_string(gx) + "," + std::to_string(gy) + "," + std::to_string(gz) + " block " + std::to_string(bx) + "," + std::to_string(by) + "," + std::to_string(bz) + " shared " + std::to_string(sh); rec(w.c_str(), cuLaunchKernel(e, gx, gy, gz, bx, by, bz, sh, nullptr, nullptr, nullptr)); };
    at(0, 1, 1, 1, 1, 1, 0); at(1, 1, 1, 0, 1, 1, 0); at(1, 65535, 1, 1, 1, 1, 0); at(1, 65536, 1, 1, 1, 1, 0); at(1, 1, 65536, 1, 1, 1, 0); at(0x7fffffff, 1, 0, 1, 1, 1, 0); at(0x80000000, 1, 1, 1, 1, 1, 0); at(1, 1, 1, 1024, 1, 1, 0); at(1, 1, 1, 1025, 1, 1, 0); at(1, 1, 1, 1, 1, 65, 0); at(1, 1, 1, 32, 32, 2, 0); at(1, 1, 1, 1, 1, 1, 48 * 1024); at(1, 1, 1, 1, 1, 1, 48 * 1024 + 1); C(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0));
    e = l.f("limited"); at(1, 1, 1, 64, 1, 1, 0); at(1, 1, 1, 65, 1, 1, 0); at(1, 1, 1, 1, 64, 1, 0); e = l.f("required"); at(1, 1, 1, 64, 1, 1, 0); at(1, 1, 1, 32, 1, 1, 0); C(cuCtxSynchronize()); int v; for (const char* n : {"limited", "required", "empty", "with_shared"}) { note("kernel", n); for (int a : {0, 1, 2, 3, 5, 8, 9}) { rec(("attribute " + std::to_string(a)).c_str(), cuFuncGetAttribute(&v, (CUfunction_attribute)a, l.f(n))); note("value", v); } } e = l.f("with_shared"); C(cuFuncGetAttribute(&v, (CUfunction_attribute)99, e)); C(cuFuncSetAttribute(e, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -2)); C(cuFuncSetAttribute(e, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50)); C(cuFuncSetAttribute(e, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101)); C(cuFuncSetAttribute(e, CU_FUNC_ATTRIBUTE_NUM_REGS, 5)); C(cuFuncSetCacheConfig(e, CU_FUNC_CACHE_PREFER_L1)); C(cuFuncSetCacheConfig(e, (CUfunc_cache)9)); });
  run("cooperative", [] { Lab l; C(cuLaunchCooperativeKernel(l.f("empty"), 100000, 1, 1, 1024, 1, 1, 0, 0, nullptr)); C(cuLaunchCooperativeKernel(l.f("empty"), 2, 1, 1, 32, 1, 1, 0, 0, nullptr)); C(cuCtxSynchronize()); });
  run("vmm_arguments", [] { Lab l; CUmemAllocationProp p{}; p.type = CU_MEM_ALLOCATION_TYPE_PINNED; p.location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}}; CUmemGenericAllocationHandle h; CUdeviceptr va, vb; CUmemAccessDesc d{}; d.location = p.location; d.flags = CU_MEM_ACCESS_FLAGS_PROT_READ; size_t g = 2 << 20; unsigned v = 4; C(cuMemCreate(&h, 2 * g, &p, 0)); C(cuMemAddressReserve(&va, 4 * g, 0, 0, 0)); C(cuMemMap(va, g, 0, h, 0)); C(cuMemMap(va, 2 * g, 0, h, 0)); C(cuMemMap(va, 2 * g, 0, h, 0)); C(cuMemMap(va + 2 * g, g, g, h, 0)); C(cuMemSetAccess(va, 4 * g, &d, 1)); C(cuMemSetAccess(va, 2 * g, &d, 1)); unsigned long long f; C(cuMemGetAccess(&f, &p.location, va)); note("access", (long long)f); C(cuMemGetAccess(&f, &p.location, va + 2 * g)); note("access", (long long)f); C(cuMemcpyHtoD(va, &v, 4)); d.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE; C(cuMemSetAccess(va, 2 * g, &d, 1)); C(cuMemcpyHtoD(va, &v, 4)); C(cuMemRelease(h)); C(cuMemcpyDtoH(&v, va, 4)); note("value", v); CUmemGenericAllocationHandle r; C(cuMemRetainAllocationHandle(&r, (void*)va)); note("same handle", r == h); C(cuMemRelease(r)); C(cuMemUnmap(va, g)); C(cuMemUnmap(va, 2 * g)); C(cuMemcpyDtoH(&v, va, 4)); C(cuMemAddressFree(va, g)); C(cuMemAddressFree(va, 4 * g)); C(cuMemAddressReserve(&vb, 100, 0, 0, 0)); C(cuMemAddressReserve(&vb, g, 3, 0, 0)); C(cuMemRelease(h)); C(cuMemFree(va)); });
  run("pool_arguments", [] { Lab l; CUmemoryPool q, d; CUdeviceptr p; CUstream s; C(cuStreamCreate(&s, 0)); C(cuDeviceGetDefaultMemPool(&d, 0)); C(cuDeviceGetMemPool(&q, 0)); note("current is the default", q == d); C(cuMemPoolDestroy(d)); C(cuMemAllocAsync(&p, 0, s)); C(cuMemAllocAsync(&p, 1000, s)); C(cuMemFreeAsync(p, s)); C(cuMemFreeAsync(p, s)); C(cuStreamSynchronize(s)); C(cuMemAllocAsync(&p, 1000, s)); C(cuStreamSynchronize(s)); C(cuMemFree(p)); CUmemPoolProps pr{}; pr.allocType = CU_MEM_ALLOCATION_TYPE_PINNED; pr.location = {CU_MEM_LOCATION_TYPE_DEVICE, {0}}; C(cuMemPoolCreate(&q, &pr)); C(cuMemAllocFromPoolAsync(&p, 4096, q, s)); cuuint64_t v = 9; C(cuMemPoolGetAttribute(q, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &v)); note("threshold", (long long)v); C(cuMemPoolGetAttribute(q, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &v)); note("used", (long long)v); C(cuMemPoolGetAttribute(q, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &v)); note("reserved", (long long)v); C(cuMemPoolDestroy(q)); C(cuMemcpyDtoH(&v, p, 8)); C(cuMemFreeAsync(p, s)); C(cuMemAllocFromPoolAsync(&p, 4096, nullptr, s)); });
}

int main() {
  ends();
  order();
  faults();
  limits();
  return 0;
}
