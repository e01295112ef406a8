// Fifth round: what the conformance suite found on the H200 and could not explain.
#include <atomic>

#include "probe.h"

static const char* const kPtx = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry empty() { ret; }
)";

static CUstreamCaptureMode modes[] = {CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL, CU_STREAM_CAPTURE_MODE_RELAXED};

int main() {
  run("graph_launch_captured", [] {
    CUcontext a; CUmodule m; CUfunction f; CUstream s; CUgraph g, c; CUgraphExec x;
    C(cuInit(0)); C(make_ctx(&a, 0, 0)); C(cuModuleLoadData(&m, kPtx)); C(cuModuleGetFunction(&f, m, "empty")); C(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    C(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED)); C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, 0, 0)); C(cuStreamEndCapture(s, &g)); C(cuGraphInstantiate(&x, g, 0));
    for (auto mode : modes) { note("mode", mode); C(cuStreamBeginCapture(s, mode)); C(cuGraphLaunch(x, s)); C(cuStreamEndCapture(s, &c)); }
    C(cuGraphLaunch(x, s)); C(cuStreamSynchronize(s));
    for (auto mode : modes) { note("mode, launched before", mode); C(cuStreamBeginCapture(s, mode)); C(cuGraphLaunch(x, s)); size_t n = 99; CUresult r = C(cuStreamEndCapture(s, &c)); if (!r) { C(cuGraphGetNodes(c, nullptr, &n)); note("nodes", (long long)n); } }
  });
  run("legacy_while_captured", [] {
    CUcontext a; CUstream b, n; CUgraph g; CUstreamCaptureStatus st;
    C(cuInit(0)); C(make_ctx(&a, 0, 0)); C(cuStreamCreate(&b, 0)); C(cuStreamCreate(&n, CU_STREAM_NON_BLOCKING));
    C(cuStreamBeginCapture(n, CU_STREAM_CAPTURE_MODE_GLOBAL)); C(cuStreamIsCapturing(nullptr, &st)); note("status", st); C(cuStreamIsCapturing(b, &st)); note("status", st); C(cuStreamQuery(nullptr)); C(cuStreamQuery(b)); C(cuStreamEndCapture(n, &g));
    C(cuStreamBeginCapture(b, CU_STREAM_CAPTURE_MODE_RELAXED)); C(cuStreamIsCapturing(nullptr, &st)); C(cuStreamIsCapturing(n, &st)); note("status", st); C(cuStreamQuery(n)); C(cuStreamQuery(nullptr)); C(cuStreamEndCapture(b, &g));
    C(cuStreamBeginCapture(n, CU_STREAM_CAPTURE_MODE_RELAXED)); CUdeviceptr p; void* h; C(cuMemAllocHost(&h, 64)); C(cuMemFreeHost(h)); C(cuMemAlloc(&p, 64)); C(cuMemFree(p)); C(cuCtxSynchronize()); C(cuStreamEndCapture(n, &g));
    C(cuStreamBeginCapture(n, CU_STREAM_CAPTURE_MODE_GLOBAL)); C(cuMemAllocHost(&h, 64)); C(cuStreamEndCapture(n, &g));
    C(cuStreamBeginCapture(n, CU_STREAM_CAPTURE_MODE_GLOBAL)); C(cuCtxSynchronize()); C(cuStreamEndCapture(n, &g));
    C(cuStreamBeginCapture(n, CU_STREAM_CAPTURE_MODE_GLOBAL)); C(cuMemAllocAsync(&p, 64, n)); C(cuMemFreeAsync(p, n)); C(cuStreamEndCapture(n, &g));
  });
  run("nulls", [] {
    CUcontext a; void* h = (void*)1; CUdeviceptr p = 1; size_t f, t;
    C(cuCtxDestroy(nullptr)); C(cuInit(0)); C(make_ctx(&a, 0, 0)); C(cuMemAllocHost(&h, 0)); note("null", h == nullptr); h = (void*)1; C(cuMemHostAlloc(&h, 0, 0)); note("null", h == nullptr); C(cuMemGetInfo(nullptr, nullptr)); C(cuMemGetInfo(&f, nullptr)); C(cuMemAllocManaged(&p, 0, 1)); note("p", (long long)p); p = 1; C(cuMemAllocManaged(&p, 64, 9)); note("p", (long long)p);
    C(cuMemAllocManaged(&p, 4096, CU_MEM_ATTACH_GLOBAL)); CUstream s; C(cuStreamCreate(&s, 0)); C(cuMemFreeAsync(0, s)); CUdeviceptr q; C(cuMemAlloc(&q, 64)); C(cuMemFreeAsync(q, s)); C(cuStreamSynchronize(s)); C(cuMemFree(q));
  });
  run("is_loaded", [] {
    CUcontext a; CUmodule m; CUfunction f; CUfunctionLoadingState st;
    C(cuInit(0)); C(make_ctx(&a, 0, 0)); C(cuModuleLoadData(&m, kPtx)); C(cuModuleGetFunction(&f, m, "empty")); C(cuFuncIsLoaded(&st, f)); note("state", st); C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0)); C(cuFuncIsLoaded(&st, f)); note("state", st); C(cuFuncLoad(f)); C(cuFuncIsLoaded(&st, f)); note("state", st);
  });
  run("wall_time", [] {
    CUcontext a; CUmodule m; CUlinkState l; void* image; size_t size; CUjit_option o[] = {CU_JIT_WALL_TIME}; void* v[1]; float w, f = -1; unsigned high;
    auto before = [&] { unsigned long long bits = 0x5555555500000000ULL; w = -1; memcpy(&bits, &w, 4); memcpy(v, &bits, 8); };
    auto after = [&] { memcpy(&w, v, 4); memcpy(&high, (char*)v + 4, 4); note("not negative", w >= 0); note("positive", w > 0); note("the other half has changed", high != 0x55555555U); };
    C(cuInit(0)); C(make_ctx(&a, 0, 0)); before(); C(cuModuleLoadDataEx(&m, kPtx, 1, o, v)); after(); before(); rec("the same text again", cuModuleLoadDataEx(&m, kPtx, 1, o, v)); after();
    v[0] = &f; rec("an address", cuModuleLoadDataEx(&m, kPtx, 1, o, v)); note("the float has changed", f != -1); note("the address in the array has changed", v[0] != &f);
    before(); C(cuLinkCreate(1, o, v, &l)); after(); C(cuLinkAddData(l, CU_JIT_INPUT_PTX, (void*)kPtx, strlen(kPtx) + 1, "p", 0, 0, 0)); C(cuLinkComplete(l, &image, &size)); after(); C(cuLinkDestroy(l));
  });
  return 0;
}
