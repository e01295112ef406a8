// Sixth round: green contexts and device resources; kernels of libraries where no context is current; clusters and occupancy.
//
// Unlike the other rounds, three things differ from the program that ran on the H200. There the groups of two_descs
// had 16 multiprocessors, of which this device has too few for two. All threads of a block waited in the kernel
// `where`, and not the first one only. Scenarios that only printed figures of the H200 are left out.
#include <algorithm>

#include "probe.h"

static const char* const kPtx = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry empty() { ret; }
.visible .entry spin(.param .u64 ns) {
  .reg .u64 %rd<5>; .reg .pred %p;
  ld.param.u64 %rd1, [ns];
  mov.u64 %rd2, %globaltimer;
L: mov.u64 %rd3, %globaltimer;
  sub.u64 %rd4, %rd3, %rd2;
  setp.lt.u64 %p, %rd4, %rd1;
  @%p bra L;
  ret;
}
.visible .entry where(.param .u64 out) {
  .reg .u64 %rd<6>; .reg .u32 %r<6>; .reg .pred %p;
  mov.u32 %r4, %tid.x;
  setp.ne.u32 %p, %r4, 0;
  @%p bra DONE;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u64 %rd2, %globaltimer;
L: mov.u64 %rd3, %globaltimer;
  sub.u64 %rd4, %rd3, %rd2;
  setp.lt.u64 %p, %rd4, 100000;
  @%p bra L;
  mov.u32 %r1, %smid;
  mov.u32 %r2, %nsmid;
  mov.u32 %r3, %ctaid.x;
  mul.wide.u32 %rd5, %r3, 8;
  add.u64 %rd1, %rd1, %rd5;
  st.global.u32 [%rd1], %r1;
  st.global.u32 [%rd1+4], %r2;
DONE:
  ret;
}
.visible .entry store(.param .u64 out, .param .u32 value) {
  .reg .u64 %rd1; .reg .u32 %r1;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [value];
  cvta.to.global.u64 %rd1, %rd1;
  st.global.u32 [%rd1], %r1;
  ret;
}
.extern .shared .align 16 .b8 dyn[];
.visible .entry dynamic(.param .u64 out, .param .u32 at) {
  .reg .u64 %rd<4>; .reg .u32 %r<6>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [at];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r2, dyn;
  add.u32 %r3, %r2, %r1;
  st.shared.u32 [%r3], 77;
  ld.shared.u32 %r4, [%r3];
  mov.u32 %r5, %dynamic_smem_size;
  st.global.u32 [%rd1], %r4;
  st.global.u32 [%rd1+4], %r5;
  ret;
}
.visible .entry fixed(.param .u64 out) {
  .shared .align 4 .b8 own[1024];
  .reg .u64 %rd1; .reg .u32 %r<3>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, own;
  st.shared.u32 [%r1], 5;
  ld.shared.u32 %r2, [%r1];
  st.global.u32 [%rd1], %r2;
  ret;
}
)";

// For compute capability 9.0: what a block knows of its cluster, and clusters that the kernel requires.
static const char* const kClusterPtx = R"(
.version 7.8
.target sm_90
.address_size 64
.visible .entry cluster(.param .u64 out) {
  .reg .u64 %rd<3>; .reg .u32 %r<8>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %ctaid.x;
  mul.wide.u32 %rd2, %r1, 16;
  add.u64 %rd1, %rd1, %rd2;
  mov.u32 %r2, %cluster_ctarank;
  mov.u32 %r3, %cluster_nctarank;
  mov.u32 %r4, %clusterid.x;
  mov.u32 %r5, %nclusterid.x;
  st.global.u32 [%rd1], %r2;
  st.global.u32 [%rd1+4], %r3;
  st.global.u32 [%rd1+8], %r4;
  st.global.u32 [%rd1+12], %r5;
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  ret;
}
.visible .entry required() .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }
.visible .entry mostfour() .explicitcluster .maxclusterrank 4 { ret; }
)";

static CUdevResource device_resource() { CUdevResource r{}; cuDeviceGetDevResource(0, &r, CU_DEV_RESOURCE_TYPE_SM); return r; }
static bool untouched(const CUdevResource& r, unsigned char fill) { auto* b = (const unsigned char*)&r; for (size_t i = 0; i < sizeof r; ++i) if (b[i] != fill) return false; return true; }
// Two of the smallest groups, as descriptors.
static CUdevResource groups[2], rest_of_device;
static CUdevResourceDesc descs[2];
static CUresult two_descs() {
  CUdevResource all = device_resource(); unsigned n = 2;
  CUresult r = cuDevSmResourceSplitByCount(groups, &n, &all, &rest_of_device, 0, all.sm.minSmPartitionSize); if (r) return r;
  for (int i = 0; i < 2; ++i) if ((r = cuDevResourceGenerateDesc(&descs[i], &groups[i], 1))) return r;
  return r;
}
static CUgreenCtx g0, g1; static CUcontext c0, c1, primary, other;
static CUresult two_greens() {
  CUresult r = two_descs(); if (r) return r;
  if ((r = cuGreenCtxCreate(&g0, descs[0], 0, CU_GREEN_CTX_DEFAULT_STREAM))) return r;
  if ((r = cuGreenCtxCreate(&g1, descs[1], 0, CU_GREEN_CTX_DEFAULT_STREAM))) return r;
  if ((r = cuCtxFromGreenCtx(&c0, g0)) || (r = cuCtxFromGreenCtx(&c1, g1))) return r;
  name_it(c0, "context of green 0"); name_it(c1, "context of green 1"); name_it(g0, "green 0"); name_it(g1, "green 1");
  return r;
}
static CUresult retain() { CUresult r = cuDevicePrimaryCtxRetain(&primary, 0); name_it(primary, "primary"); return r; }
static void stream_of(CUstream s) { CUcontext c = (CUcontext)-1; CUgreenCtx g = (CUgreenCtx)-1; C(cuStreamGetCtx(s, &c)); note("context", who(c)); c = (CUcontext)-1; C(cuStreamGetCtx_v2(s, &c, &g)); note("context", c == (CUcontext)-1 ? "untouched" : who(c)); note("green", g == (CUgreenCtx)-1 ? "untouched" : who(g)); g = (CUgreenCtx)-1; C(cuStreamGetGreenCtx(s, &g)); note("green", g == (CUgreenCtx)-1 ? "untouched" : who(g)); }
static void state() { unsigned f = 99; int a = 99; cuDevicePrimaryCtxGetState(0, &f, &a); note("primary active", a); }
static CUgreenCtx bad_green() { static long long block[512]; return (CUgreenCtx)block; }
static CUcontext bad_context() { static long long block[512]; return (CUcontext)block; }
static CUlaunchAttribute cluster_of(unsigned x, unsigned y = 1, unsigned z = 1) { CUlaunchAttribute a{}; a.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION; a.value.clusterDim.x = x; a.value.clusterDim.y = y; a.value.clusterDim.z = z; return a; }
static CUlaunchConfig config(unsigned grid, unsigned block, unsigned shared = 0, CUlaunchAttribute* attributes = nullptr, unsigned count = 0, CUstream stream = nullptr) { CUlaunchConfig c{}; c.gridDimX = grid; c.gridDimY = c.gridDimZ = 1; c.blockDimX = block; c.blockDimY = c.blockDimZ = 1; c.sharedMemBytes = shared; c.hStream = stream; c.attrs = attributes; c.numAttrs = count; return c; }

int main() {
  // ---- resources
  run("green_resource", [] {
    CUdevResource r; memset(&r, 0x5a, sizeof r);
    C(cuDeviceGetDevResource(0, &r, CU_DEV_RESOURCE_TYPE_SM)); note("untouched", untouched(r, 0x5a)); C(cuInit(0));
    C(cuDeviceGetDevResource(0, nullptr, CU_DEV_RESOURCE_TYPE_SM)); C(cuDeviceGetDevResource(99, &r, CU_DEV_RESOURCE_TYPE_SM)); C(cuDeviceGetDevResource(-1, &r, CU_DEV_RESOURCE_TYPE_SM)); C(cuDeviceGetDevResource(99, nullptr, (CUdevResourceType)7));
    for (int t : {0, 2, 3, 99, -1, 1000, 10000}) { memset(&r, 0x5a, sizeof r); rec(("cuDeviceGetDevResource, type " + std::to_string(t)).c_str(), cuDeviceGetDevResource(0, &r, (CUdevResourceType)t)); note("untouched", untouched(r, 0x5a)); }
    memset(&r, 0x5a, sizeof r); C(cuDeviceGetDevResource(0, &r, CU_DEV_RESOURCE_TYPE_SM)); int n = 0; cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0); note("all of them", r.sm.smCount == (unsigned)n); note("type", r.type); state();
    auto* b = (unsigned char*)&r; int zero = 0, kept = 0; for (size_t i = 4; i < 96; ++i) { zero += b[i] == 0; kept += b[i] == 0x5a; } note("padding: some bytes are neither zero nor kept", zero + kept < 92); int tail = 0; for (size_t i = 108; i < sizeof r; ++i) tail += b[i] == 0x5a; note("bytes kept behind", tail);
    CUdevResource q; memset(&q, 0x33, sizeof q); C(cuDeviceGetDevResource(0, &q, CU_DEV_RESOURCE_TYPE_SM)); note("the same padding again", !memcmp(b + 4, (char*)&q + 4, 92)); note("size", (long long)sizeof r); note("padding", std::to_string(zero) + " zero, " + std::to_string(kept) + " kept");
  });
  run("green_resource_of_context", [] {
    C(cuInit(0)); CUdevResource r, all = device_resource(); memset(&r, 0x5a, sizeof r);
    C(cuCtxGetDevResource(nullptr, &r, CU_DEV_RESOURCE_TYPE_SM)); note("untouched", untouched(r, 0x5a)); C(retain()); C(cuCtxGetDevResource(nullptr, &r, CU_DEV_RESOURCE_TYPE_SM));
    C(cuCtxGetDevResource(primary, &r, CU_DEV_RESOURCE_TYPE_SM)); note("all", r.sm.smCount == all.sm.smCount); C(cuCtxGetDevResource(primary, nullptr, CU_DEV_RESOURCE_TYPE_SM)); C(cuCtxGetDevResource(primary, &r, (CUdevResourceType)0)); C(cuCtxGetDevResource(primary, &r, (CUdevResourceType)2)); C(cuCtxGetDevResource(primary, &r, (CUdevResourceType)99)); C(cuCtxGetDevResource(nullptr, nullptr, (CUdevResourceType)99));
    C(make_ctx(&other, 0, 0)); C(cuCtxGetDevResource(other, &r, CU_DEV_RESOURCE_TYPE_SM)); note("all", r.sm.smCount == all.sm.smCount); C(cuCtxGetDevResource(nullptr, &r, CU_DEV_RESOURCE_TYPE_SM)); C(cuCtxDestroy(other)); C(cuCtxGetDevResource(other, &r, CU_DEV_RESOURCE_TYPE_SM)); C(cuDevicePrimaryCtxRelease(0)); C(cuCtxGetDevResource(primary, &r, CU_DEV_RESOURCE_TYPE_SM));
  });
  run("green_resource_bad_context", [] { C(cuInit(0)); CUdevResource r; C(cuCtxGetDevResource(bad_context(), &r, CU_DEV_RESOURCE_TYPE_SM)); });
  run("green_split_before_init", [] { CUdevResource r{}, q[4]; unsigned n = 4; C(cuDevSmResourceSplitByCount(q, &n, &r, nullptr, 0, 8)); CUdevResourceDesc d; C(cuDevResourceGenerateDesc(&d, &r, 1)); C(cuGreenCtxCreate(&g0, nullptr, 0, 1)); C(cuGreenCtxDestroy(nullptr)); C(cuGreenCtxGetDevResource(nullptr, &r, CU_DEV_RESOURCE_TYPE_SM)); C(cuCtxFromGreenCtx(&c0, nullptr)); C(cuGreenCtxStreamCreate(nullptr, nullptr, 1, 0)); unsigned long long id; C(cuGreenCtxGetId(nullptr, &id)); C(cuGreenCtxRecordEvent(nullptr, nullptr)); C(cuGreenCtxWaitEvent(nullptr, nullptr)); C(cuCtxRecordEvent(nullptr, nullptr)); C(cuCtxWaitEvent(nullptr, nullptr)); CUgreenCtx g; C(cuStreamGetGreenCtx(nullptr, &g)); C(cuStreamGetCtx_v2(nullptr, &c0, &g)); });
  run("green_split", [] {
    C(cuInit(0)); CUdevResource all = device_resource(), q[200], rest; unsigned n = 4, min = all.sm.minSmPartitionSize;
    auto fill = [&] { memset(q, 0x5a, sizeof q); memset(&rest, 0x5a, sizeof rest); };
    fill(); C(cuDevSmResourceSplitByCount(q, &n, &all, &rest, 0, min)); note("n", n); note("group has min", q[0].sm.smCount == min); note("rest and groups are all", q[0].sm.smCount * 4 + rest.sm.smCount == all.sm.smCount); note("types", q[0].type == 1 && rest.type == 1); note("min of a group is that of the device", q[0].sm.minSmPartitionSize == min); note("fifth untouched", untouched(q[4], 0x5a));
    fill(); n = 2; C(cuDevSmResourceSplitByCount(q, &n, &all, nullptr, 0, min)); note("n", n); note("the group has min", q[0].sm.smCount == min);
    fill(); n = 77; C(cuDevSmResourceSplitByCount(nullptr, &n, &all, &rest, 0, min)); note("as many as fit", n == all.sm.smCount / min); note("rest untouched", untouched(rest, 0x5a)); unsigned fitting = n;
    n = 0; C(cuDevSmResourceSplitByCount(nullptr, &n, &all, nullptr, 0, min)); note("as many as fit", n == fitting);
    fill(); n = 0; C(cuDevSmResourceSplitByCount(q, &n, &all, &rest, 0, min)); note("n", n); note("group untouched", untouched(q[0], 0x5a)); note("rest untouched", untouched(rest, 0x5a));
    fill(); n = 200; C(cuDevSmResourceSplitByCount(q, &n, &all, &rest, 0, min)); note("as many as fit", n == fitting); note("behind untouched", untouched(q[n], 0x5a)); note("rest", rest.sm.smCount == all.sm.smCount - fitting * min); note("rest's type", rest.type);
    fill(); n = 4; C(cuDevSmResourceSplitByCount(q, &n, &all, &rest, 0, 0)); note("n", n); note("min", q[0].sm.smCount == min);
    fill(); n = 1; C(cuDevSmResourceSplitByCount(q, &n, &all, &rest, 0, all.sm.smCount)); note("n", n); note("all", q[0].sm.smCount == all.sm.smCount); note("rest's type", (long long)rest.type); note("rest", (long long)rest.sm.smCount);
    fill(); n = 2; C(cuDevSmResourceSplitByCount(q, &n, &all, &rest, 0, all.sm.smCount)); note("n", n); note("all", q[0].sm.smCount == all.sm.smCount);
    fill(); n = 1; C(cuDevSmResourceSplitByCount(q, &n, &all, &rest, 0, all.sm.smCount + 1)); note("n", n); note("untouched", untouched(q[0], 0x5a)); n = 77; C(cuDevSmResourceSplitByCount(nullptr, &n, &all, nullptr, 0, all.sm.smCount + 1)); note("n", n); n = 3; C(cuDevSmResourceSplitByCount(nullptr, &n, &all, nullptr, 0, ~0u)); note("n", n);
    n = 2; C(cuDevSmResourceSplitByCount(q, nullptr, &all, &rest, 0, min)); C(cuDevSmResourceSplitByCount(nullptr, nullptr, &all, &rest, 0, min)); C(cuDevSmResourceSplitByCount(q, &n, nullptr, &rest, 0, min)); for (unsigned f : {1u, 2u, 3u, 4u, 5u, 8u, 0x80000000u}) { n = 2; rec(("flags " + std::to_string(f)).c_str(), cuDevSmResourceSplitByCount(q, &n, &all, &rest, f, min)); note("n", n); }
    CUdevResource bad = all; bad.type = CU_DEV_RESOURCE_TYPE_INVALID; n = 2; C(cuDevSmResourceSplitByCount(q, &n, &bad, &rest, 0, min)); bad.type = (CUdevResourceType)2; C(cuDevSmResourceSplitByCount(q, &n, &bad, &rest, 0, min)); bad.type = (CUdevResourceType)99; C(cuDevSmResourceSplitByCount(q, &n, &bad, &rest, 0, min));
    n = 2; C(cuDevSmResourceSplitByCount(q, &n, &all, &rest, 0, 2 * min)); CUdevResource half = q[0], part[8]; n = 2; C(cuDevSmResourceSplitByCount(part, &n, &half, &rest, 0, min)); note("n", n); note("min", part[0].sm.smCount == min); note("rest", rest.sm.smCount); note("rest's type", rest.type);
    n = 8; C(cuDevSmResourceSplitByCount(part, &n, &half, &rest, 0, 2 * min)); note("n", n); n = 1; C(cuDevSmResourceSplitByCount(part, &n, &half, &rest, 0, 3 * min)); note("n", n); n = 1; C(cuDevSmResourceSplitByCount(&half, &n, &half, &rest, 0, min)); note("n", n); note("in place", half.sm.smCount == min);
  });
  run("green_split_made_up", [] {
    C(cuInit(0)); CUdevResource all = device_resource(), q[200], rest, bad; unsigned n, min = all.sm.minSmPartitionSize;
    bad = CUdevResource{}; bad.type = CU_DEV_RESOURCE_TYPE_SM; bad.sm.smCount = 2 * min; n = 1; C(cuDevSmResourceSplitByCount(q, &n, &bad, &rest, 0, min)); note("n", n);
    bad = all; bad.sm.smCount = 2 * min; n = 8; C(cuDevSmResourceSplitByCount(q, &n, &bad, &rest, 0, min)); note("n", n); note("the device's", q[0].sm.smCount == min); bad = all; bad.sm.smCount = 0; n = 2; C(cuDevSmResourceSplitByCount(q, &n, &bad, &rest, 0, min)); note("n", n); bad = all; bad.sm.smCount = 1000; n = 200; C(cuDevSmResourceSplitByCount(q, &n, &bad, &rest, 0, min)); note("n is that of the device", n == all.sm.smCount / min);
    bad = all; bad.sm.minSmPartitionSize = 1; n = 2; C(cuDevSmResourceSplitByCount(q, &n, &bad, &rest, 0, 1)); note("min", q[0].sm.smCount == min);
    CUdevResourceDesc d = nullptr; bad = all; bad.sm.smCount = min; C(cuDevResourceGenerateDesc(&d, &bad, 1)); bad = CUdevResource{}; bad.type = CU_DEV_RESOURCE_TYPE_SM; bad.sm.smCount = 2 * min; C(cuDevResourceGenerateDesc(&d, &bad, 1));
  });
  // ---- descriptors
  run("green_desc", [] {
    C(cuInit(0)); C(two_descs()); CUdevResourceDesc d = (CUdevResourceDesc)1, e = nullptr; CUdevResource all = device_resource();
    C(cuDevResourceGenerateDesc(nullptr, &all, 1)); C(cuDevResourceGenerateDesc(&d, nullptr, 1)); C(cuDevResourceGenerateDesc(&d, &all, 0)); note("untouched", d == (CUdevResourceDesc)1);
    C(cuDevResourceGenerateDesc(&d, &all, 1)); C(cuDevResourceGenerateDesc(&e, &all, 1)); note("another", d != e); CUdevResource both[3] = {groups[0], groups[1], groups[0]}; C(cuDevResourceGenerateDesc(&d, both, 2)); C(cuDevResourceGenerateDesc(&d, both, 3)); both[1] = groups[0]; C(cuDevResourceGenerateDesc(&d, both, 2)); both[1] = all; C(cuDevResourceGenerateDesc(&d, both, 2));
    CUdevResource bad = all; bad.type = CU_DEV_RESOURCE_TYPE_INVALID; C(cuDevResourceGenerateDesc(&d, &bad, 1)); bad.type = (CUdevResourceType)2; C(cuDevResourceGenerateDesc(&d, &bad, 1)); bad.type = (CUdevResourceType)99; C(cuDevResourceGenerateDesc(&d, &bad, 1)); both[0] = groups[0]; both[1] = bad; C(cuDevResourceGenerateDesc(&d, both, 2)); state();
    C(cuDevResourceGenerateDesc(&d, &rest_of_device, 1)); C(cuGreenCtxCreate(&g0, d, 0, 1)); CUdevResource r{}; C(cuGreenCtxGetDevResource(g0, &r, CU_DEV_RESOURCE_TYPE_SM)); note("as the rest", r.sm.smCount == rest_of_device.sm.smCount);
  });
  // ---- creating and destroying
  run("green_create", [] {
    C(cuInit(0)); C(two_descs()); state(); g0 = (CUgreenCtx)1;
    C(cuGreenCtxCreate(nullptr, descs[0], 0, 1)); C(cuGreenCtxCreate(&g0, nullptr, 0, 1)); C(cuGreenCtxCreate(&g0, descs[0], 99, 1)); C(cuGreenCtxCreate(&g0, descs[0], -1, 1)); C(cuGreenCtxCreate(&g0, descs[0], 0, 0)); C(cuGreenCtxCreate(&g0, descs[0], 0, 2)); C(cuGreenCtxCreate(&g0, descs[0], 0, 3)); C(cuGreenCtxCreate(&g0, descs[0], 0, 5)); note("untouched", g0 == (CUgreenCtx)1); state();
    C(cuGreenCtxCreate(&g0, descs[0], 0, 1)); state(); CUR(); CUgreenCtx same; C(cuGreenCtxCreate(&same, descs[0], 0, 1)); note("another", same != g0); C(retain()); C(cuGreenCtxDestroy(same));
    CUcontext c = (CUcontext)-1; C(cuCtxFromGreenCtx(nullptr, g0)); C(cuCtxFromGreenCtx(&c, nullptr)); note("untouched", c == (CUcontext)-1); C(cuCtxFromGreenCtx(&c0, g0)); name_it(c0, "context of green 0"); note("primary", c0 == primary); note("the same bits", (void*)c0 == (void*)g0); C(cuCtxFromGreenCtx(&c, g0)); note("the same again", c == c0); CUR();
    C(cuGreenCtxDestroy(nullptr)); C(cuDevicePrimaryCtxRelease(0)); state(); C(cuGreenCtxDestroy(g0)); state(); 
  });
  run("green_destroy_twice", [] { C(cuInit(0)); C(two_greens()); C(cuGreenCtxDestroy(g0)); C(cuGreenCtxDestroy(g0)); });
  run("green_after_destroy_from", [] { C(cuInit(0)); C(two_greens()); C(cuGreenCtxDestroy(g0)); CUcontext c; C(cuCtxFromGreenCtx(&c, g0)); });
  run("green_after_destroy_resource", [] { C(cuInit(0)); C(two_greens()); C(cuGreenCtxDestroy(g0)); CUdevResource r; C(cuGreenCtxGetDevResource(g0, &r, CU_DEV_RESOURCE_TYPE_SM)); });
  run("green_after_destroy_id", [] { C(cuInit(0)); C(two_greens()); C(cuGreenCtxDestroy(g0)); unsigned long long id; C(cuGreenCtxGetId(g0, &id)); });
  run("green_after_destroy_stream", [] { C(cuInit(0)); C(two_greens()); C(cuGreenCtxDestroy(g0)); CUstream s; C(cuGreenCtxStreamCreate(&s, g0, CU_STREAM_NON_BLOCKING, 0)); });
  run("green_after_destroy_set", [] { C(cuInit(0)); C(two_greens()); C(cuGreenCtxDestroy(g0)); C(cuCtxSetCurrent(c0)); CUR(); CUdeviceptr p; C(cuMemAlloc(&p, 64)); });
  run("green_bad_destroy", [] { C(cuInit(0)); C(cuGreenCtxDestroy(bad_green())); });
  run("green_bad_from", [] { C(cuInit(0)); CUcontext c; C(cuCtxFromGreenCtx(&c, bad_green())); });
  run("green_bad_resource", [] { C(cuInit(0)); CUdevResource r; C(cuGreenCtxGetDevResource(bad_green(), &r, CU_DEV_RESOURCE_TYPE_SM)); });
  run("green_bad_id", [] { C(cuInit(0)); unsigned long long id; C(cuGreenCtxGetId(bad_green(), &id)); });
  run("green_bad_stream", [] { C(cuInit(0)); CUstream s; C(cuGreenCtxStreamCreate(&s, bad_green(), 1, 0)); });
  run("green_bad_desc", [] { C(cuInit(0)); static long long block[512]; C(cuGreenCtxCreate(&g0, (CUdevResourceDesc)block, 0, 1)); });
  run("green_context_as_green", [] { C(cuInit(0)); C(retain()); CUdevResource r; C(cuGreenCtxGetDevResource((CUgreenCtx)primary, &r, CU_DEV_RESOURCE_TYPE_SM)); });
  run("green_green_as_context", [] { C(cuInit(0)); C(two_greens()); C(cuCtxSetCurrent((CUcontext)g0)); CUR(); });
  run("green_context_of_green_destroyed", [] { C(cuInit(0)); C(two_greens()); C(cuCtxDestroy(c0)); CUdevResource r; C(cuGreenCtxGetDevResource(g1, &r, CU_DEV_RESOURCE_TYPE_SM)); C(cuCtxSetCurrent(c1)); C(cuCtxDetach(c1)); });
  run("green_device_reset", [] { C(cuInit(0)); C(two_greens()); C(retain()); C(cuCtxSetCurrent(c0)); CUdeviceptr p; C(cuMemAlloc(&p, 64)); C(cuDevicePrimaryCtxReset(0)); CUR(); state(); C(cuMemFree(p)); C(cuCtxSynchronize()); CUstream s; C(cuGreenCtxStreamCreate(&s, g0, CU_STREAM_NON_BLOCKING, 0)); C(cuGreenCtxDestroy(g0)); state(); });
  run("green_primary_released", [] { C(cuInit(0)); C(retain()); C(two_greens()); state(); C(cuDevicePrimaryCtxRelease(0)); state(); C(cuDevicePrimaryCtxRelease(0)); state(); C(cuDevicePrimaryCtxRelease(0)); state(); C(cuDevicePrimaryCtxRelease(0)); C(cuCtxSetCurrent(c0)); CUdeviceptr p; C(cuMemAlloc(&p, 64)); C(cuGreenCtxDestroy(g0)); state(); });
  run("green_overlap", [] { C(cuInit(0)); C(two_descs()); CUgreenCtx a, b, c; C(cuGreenCtxCreate(&a, descs[0], 0, 1)); C(cuGreenCtxCreate(&b, descs[0], 0, 1)); CUdevResource all = device_resource(); CUdevResourceDesc d; C(cuDevResourceGenerateDesc(&d, &all, 1)); C(cuGreenCtxCreate(&c, d, 0, 1)); CUdevResource r{}; C(cuGreenCtxGetDevResource(c, &r, CU_DEV_RESOURCE_TYPE_SM)); note("all", r.sm.smCount == all.sm.smCount); unsigned long long i = 0, j = 0; C(cuGreenCtxGetId(a, &i)); C(cuGreenCtxGetId(b, &j)); note("another id", i != j); });
  run("green_many", [] { C(cuInit(0)); C(two_descs()); int made = 0; CUgreenCtx g; CUresult r = CUDA_SUCCESS; for (; made < 64 && !(r = cuGreenCtxCreate(&g, descs[0], 0, 1)); ++made) {} rec("last", r); note("made", made); });
  // ---- what is asked of one
  run("green_asked", [] {
    C(cuInit(0)); C(two_greens()); CUdevResource r; memset(&r, 0x5a, sizeof r); C(cuGreenCtxGetDevResource(g0, &r, CU_DEV_RESOURCE_TYPE_SM)); note("the group's", r.sm.smCount == groups[0].sm.smCount); note("min", r.sm.minSmPartitionSize == groups[0].sm.minSmPartitionSize); C(cuGreenCtxGetDevResource(nullptr, &r, CU_DEV_RESOURCE_TYPE_SM)); C(cuGreenCtxGetDevResource(g0, nullptr, CU_DEV_RESOURCE_TYPE_SM)); C(cuGreenCtxGetDevResource(g0, &r, (CUdevResourceType)0)); C(cuGreenCtxGetDevResource(g0, &r, (CUdevResourceType)2)); C(cuGreenCtxGetDevResource(g0, &r, (CUdevResourceType)99));
    C(cuCtxGetDevResource(c0, &r, CU_DEV_RESOURCE_TYPE_SM)); note("the group's", r.sm.smCount == groups[0].sm.smCount); C(retain()); C(cuCtxGetDevResource(primary, &r, CU_DEV_RESOURCE_TYPE_SM)); note("all", r.sm.smCount == device_resource().sm.smCount); C(cuGreenCtxGetDevResource(g0, &r, CU_DEV_RESOURCE_TYPE_SM)); CUdevResource part[4], rest; unsigned n = 4, min = r.sm.minSmPartitionSize; C(cuDevSmResourceSplitByCount(part, &n, &r, &rest, 0, min)); note("n", n);
    unsigned long long id = 77, j = 77, k = 77, l = 77; C(cuGreenCtxGetId(nullptr, &id)); C(cuGreenCtxGetId(g0, nullptr)); C(cuGreenCtxGetId(nullptr, nullptr)); note("id", id == 77); C(cuGreenCtxGetId(g0, &id)); C(cuGreenCtxGetId(g1, &j)); C(cuCtxGetId(c0, &k)); C(cuCtxGetId(primary, &l)); note("the ids of a green and its context are one", id == k); note("two", id != j); note("primary's is another", l != id && l != j); note("green 1's is the next", (long long)(j - id)); note("ids", std::to_string(id) + " " + std::to_string(j) + " " + std::to_string(l));
    C(cuCtxSetCurrent(c0)); CUR(); unsigned f = 99, v = 0; CUdevice d = 9; size_t lim = 0; C(cuCtxGetFlags(&f)); note("flags", f); C(cuCtxGetDevice(&d)); note("device", d); C(cuCtxGetApiVersion(c0, &v)); unsigned w; cuCtxGetApiVersion(primary, &w); note("version as primary", v == w); C(cuCtxGetApiVersion(nullptr, &v)); C(cuCtxGetLimit(&lim, CU_LIMIT_STACK_SIZE)); note("stack", (long long)lim); C(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096)); C(cuCtxGetLimit(&lim, CU_LIMIT_STACK_SIZE)); note("stack", (long long)lim); C(cuCtxSetCurrent(primary)); C(cuCtxGetLimit(&lim, CU_LIMIT_STACK_SIZE)); note("primary's stack", (long long)lim); C(cuCtxSetCurrent(c0));
    int lo = 9, hi = 9; C(cuCtxGetStreamPriorityRange(&lo, &hi)); note("range", std::to_string(lo) + " " + std::to_string(hi)); CUfunc_cache cc; C(cuCtxGetCacheConfig(&cc)); C(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1)); C(cuCtxResetPersistingL2Cache()); C(cuCtxSetFlags(CU_CTX_SCHED_SPIN)); C(cuCtxGetFlags(&f)); note("flags", f); C(cuCtxSetCurrent(primary)); C(cuCtxGetFlags(&f)); note("primary's flags", f); C(cuCtxSetCurrent(c0)); C(cuCtxAttach(&other, 0)); CUexecAffinityParam ea{}; C(cuCtxGetExecAffinity(&ea, CU_EXEC_AFFINITY_TYPE_SM_COUNT)); note("affinity", ea.param.smCount.val == groups[0].sm.smCount);
  });
  run("green_stack", [] { C(cuInit(0)); C(two_greens()); C(cuCtxPushCurrent(c0)); C(cuCtxPushCurrent(c1)); CUR(); C(cuCtxPopCurrent(&other)); note("popped", who(other)); CUR(); C(cuGreenCtxDestroy(g0)); CUR(); C(cuCtxSynchronize()); C(cuCtxPopCurrent(&other)); CUR(); C(cuCtxPushCurrent(c1)); C(cuCtxPushCurrent(c1)); C(cuGreenCtxDestroy(g1)); CUR(); C(cuCtxPopCurrent(nullptr)); CUR(); });
  run("green_destroy_current", [] { C(cuInit(0)); C(retain()); C(two_greens()); C(cuCtxSetCurrent(c0)); C(cuGreenCtxDestroy(g0)); CUR(); C(cuCtxSynchronize()); CUdeviceptr p; C(cuMemAlloc(&p, 64)); CUdevice d; C(cuCtxGetDevice(&d)); C(cuCtxSetCurrent(nullptr)); CUR(); });
  run("green_destroy_elsewhere", [] { C(cuInit(0)); C(retain()); C(two_greens()); std::thread([] { cuCtxSetCurrent(c0); }).join(); C(cuCtxSetCurrent(c0)); std::thread([] { C(cuGreenCtxDestroy(g0)); CUR(); }).join(); CUR(); C(cuCtxSynchronize()); CUdeviceptr p; C(cuMemAlloc(&p, 64)); });
  // ---- memory, modules, streams, kernels
  run("green_memory", [] {
    C(cuInit(0)); C(retain()); C(two_greens()); CUdeviceptr p, q, a; CUmodule m, m2; CUfunction f, f2; int v = 0; C(cuCtxSetCurrent(c0)); C(cuMemAlloc(&p, 4096)); CUcontext of = nullptr; C(cuPointerGetAttribute(&of, CU_POINTER_ATTRIBUTE_CONTEXT, p)); note("its context", who(of)); C(cuCtxSetCurrent(c1)); C(cuMemcpyHtoD(p, &v, 4)); C(cuMemAlloc(&q, 64)); C(cuCtxSetCurrent(primary)); C(cuMemsetD32(p, 7, 4)); C(cuMemFree(q));
    C(cuModuleLoadData(&m, kPtx)); C(cuModuleGetFunction(&f, m, "store")); v = 3; void* args[] = {&p, &v}; C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, args, 0)); C(cuCtxSynchronize()); C(cuCtxSetCurrent(c0)); v = 4; C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, args, 0)); C(cuCtxSynchronize()); int out = 0; C(cuMemcpyDtoH(&out, p, 4)); note("out", out);
    C(cuModuleLoadData(&m2, kPtx)); C(cuModuleGetFunction(&f2, m2, "store")); C(cuCtxSetCurrent(c1)); v = 5; C(cuLaunchKernel(f2, 1, 1, 1, 1, 1, 1, 0, 0, args, 0)); C(cuCtxSynchronize()); C(cuMemcpyDtoH(&out, p, 4)); note("out", out); C(cuGreenCtxDestroy(g0)); C(cuLaunchKernel(f2, 1, 1, 1, 1, 1, 1, 0, 0, args, 0)); C(cuCtxSynchronize()); C(cuMemcpyDtoH(&out, p, 4)); C(cuMemFree(p)); C(cuModuleUnload(m2)); C(cuMemAllocManaged(&a, 64, 1)); C(cuMemFree(a)); C(cuGreenCtxDestroy(g1)); CUR(); C(cuCtxSetCurrent(primary)); C(cuCtxSynchronize()); C(cuModuleUnload(m));
  });
  run("green_memory_stays", [] { C(cuInit(0)); C(two_greens()); CUdeviceptr p; C(cuCtxSetCurrent(c0)); C(cuMemAlloc(&p, 4096)); C(cuGreenCtxDestroy(g0)); C(cuCtxSetCurrent(c1)); C(cuMemsetD32(p, 7, 4)); C(cuGreenCtxDestroy(g1)); state(); C(retain()); C(cuCtxSetCurrent(primary)); C(cuMemsetD32(p, 7, 4)); });
  run("green_streams", [] {
    C(cuInit(0)); C(retain()); C(two_greens()); CUstream s = (CUstream)-1, t, u, w, x; int pr = 9, lo, hi; unsigned f = 9; 
    C(cuGreenCtxStreamCreate(nullptr, g0, CU_STREAM_NON_BLOCKING, 0)); C(cuGreenCtxStreamCreate(&s, nullptr, CU_STREAM_NON_BLOCKING, 0)); C(cuGreenCtxStreamCreate(&s, g0, 0, 0)); C(cuGreenCtxStreamCreate(&s, g0, 2, 0)); C(cuGreenCtxStreamCreate(&s, g0, 3, 0)); note("untouched", s == (CUstream)-1);
    C(cuGreenCtxStreamCreate(&s, g0, CU_STREAM_NON_BLOCKING, 0)); C(cuGreenCtxStreamCreate(&t, g1, CU_STREAM_NON_BLOCKING, -100)); C(cuStreamGetPriority(t, &pr)); note("priority", pr); C(cuGreenCtxStreamCreate(&u, g1, CU_STREAM_NON_BLOCKING, 100)); C(cuStreamGetPriority(u, &pr)); note("priority", pr); C(cuStreamGetFlags(s, &f)); note("flags", f); CUdevice d = 9; C(cuStreamGetDevice(s, &d)); note("device", d);
    stream_of(s); C(cuCtxSetCurrent(c0)); C(cuStreamCreate(&w, 0)); stream_of(w); C(cuStreamCreate(&x, CU_STREAM_NON_BLOCKING)); stream_of(x); C(cuStreamGetFlags(w, &f)); note("flags", f); stream_of(nullptr); stream_of(CU_STREAM_LEGACY); stream_of(CU_STREAM_PER_THREAD); C(cuCtxSetCurrent(primary)); stream_of(nullptr); stream_of(CU_STREAM_PER_THREAD); CUstream pw; C(cuStreamCreate(&pw, 0)); stream_of(pw); C(cuCtxSetCurrent(nullptr)); stream_of(s); stream_of(pw); stream_of(nullptr);
    C(cuStreamGetCtx_v2(s, nullptr, &g0)); C(cuStreamGetCtx_v2(s, &other, nullptr)); C(cuStreamGetCtx_v2(pw, nullptr, &g1)); C(cuStreamGetCtx_v2(pw, &other, nullptr)); C(cuStreamGetCtx_v2(pw, nullptr, nullptr)); C(cuStreamGetGreenCtx(s, nullptr)); C(cuStreamGetGreenCtx(pw, nullptr));
    unsigned long long i = 0, j = 0; C(cuStreamGetId(s, &i)); C(cuStreamGetId(t, &j)); note("two", i != j); C(cuStreamDestroy(t)); C(cuStreamDestroy(u)); C(cuStreamSynchronize(s)); C(cuStreamQuery(s)); C(cuStreamDestroy(s)); C(cuStreamDestroy(w)); C(cuStreamDestroy(pw));
  });
  run("green_stream_of_destroyed", [] { C(cuInit(0)); C(two_greens()); CUstream s; C(cuGreenCtxStreamCreate(&s, g0, 1, 0)); C(cuStreamDestroy(s)); CUgreenCtx g; C(cuStreamGetGreenCtx(s, &g)); });
  run("green_stream_current_other", [] { C(cuInit(0)); C(retain()); C(two_greens()); CUstream s, t; CUevent e, e0; CUmodule m; CUfunction f; CUdeviceptr p; int v = 9; C(cuGreenCtxStreamCreate(&s, g0, 1, 0)); C(cuGreenCtxStreamCreate(&t, g1, 1, 0)); C(cuCtxSetCurrent(primary)); C(cuMemAlloc(&p, 64)); C(cuModuleLoadData(&m, kPtx)); C(cuModuleGetFunction(&f, m, "store")); void* args[] = {&p, &v}; C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, args, 0)); C(cuMemsetD32Async(p, 1, 1, s)); C(cuEventCreate(&e, 0)); C(cuEventRecord(e, s)); C(cuStreamWaitEvent(t, e, 0)); C(cuCtxSetCurrent(c1)); C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, args, 0)); C(cuEventCreate(&e0, 0)); C(cuEventRecord(e0, s)); C(cuEventRecord(e0, nullptr)); C(cuEventSynchronize(e0)); C(cuStreamSynchronize(s)); C(make_ctx(&other, 0, 0)); C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, args, 0)); C(cuMemsetD32Async(p, 1, 1, s)); CUevent eo; C(cuEventCreate(&eo, 0)); C(cuEventRecord(eo, s)); C(cuStreamSynchronize(s)); C(cuCtxSetCurrent(nullptr)); C(cuMemsetD32Async(p, 1, 1, s)); C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, args, 0)); C(cuStreamSynchronize(s)); CUcontext of; CUdeviceptr q; C(cuMemAllocAsync(&q, 64, s)); C(cuMemFreeAsync(q, s)); C(cuStreamSynchronize(s)); });
  run("green_detached", [] {
    C(cuInit(0)); C(retain()); C(two_greens()); CUstream s, w, x; CUevent e; CUmodule m; CUfunction f; CUdeviceptr p; unsigned fl; int pr; unsigned long long id; CUgraph g = nullptr; C(cuCtxSetCurrent(c0)); C(cuStreamCreate(&w, 0)); C(cuGreenCtxStreamCreate(&x, g0, 1, 0)); C(cuEventCreate(&e, 0)); C(cuEventRecord(e, w)); C(cuCtxSetCurrent(primary)); C(cuMemAlloc(&p, 64)); C(cuModuleLoadData(&m, kPtx)); C(cuModuleGetFunction(&f, m, "empty")); C(cuGreenCtxStreamCreate(&s, g0, 1, 0)); C(cuGreenCtxDestroy(g0));
    C(cuStreamQuery(s)); C(cuStreamSynchronize(s)); C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, 0, 0)); C(cuMemsetD32Async(p, 1, 1, s)); C(cuEventQuery(e)); C(cuEventRecord(e, s)); C(cuStreamWaitEvent(s, e, 0)); C(cuStreamGetFlags(s, &fl)); C(cuStreamGetPriority(s, &pr)); C(cuStreamGetId(s, &id)); CUcontext c = (CUcontext)-1; CUgreenCtx gg = (CUgreenCtx)-1; C(cuStreamGetCtx(s, &c)); C(cuStreamGetGreenCtx(s, &gg)); C(cuStreamGetCtx_v2(s, &c, &gg)); CUdevice d; C(cuStreamGetDevice(s, &d)); C(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED)); C(cuLaunchHostFunc(s, [](void*) {}, nullptr)); CUstreamCaptureStatus st; C(cuStreamIsCapturing(s, &st)); C(cuStreamQuery(w)); C(cuStreamSynchronize(w)); CUdeviceptr q; C(cuMemAllocAsync(&q, 64, s)); C(cuStreamWriteValue32(s, p, 1, 0)); C(cuStreamDestroy(s)); C(cuStreamDestroy(w)); C(cuCtxSynchronize()); C(cuStreamDestroy(x)); C(cuEventDestroy(e)); 
  });
  run("green_capture_invalidated", [] { C(cuInit(0)); C(retain()); C(two_greens()); CUstream s; CUgraph g; CUmodule m; CUfunction f; C(cuCtxSetCurrent(primary)); C(cuModuleLoadData(&m, kPtx)); C(cuModuleGetFunction(&f, m, "empty")); C(cuGreenCtxStreamCreate(&s, g0, 1, 0)); C(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED)); C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, 0, 0)); C(cuGreenCtxDestroy(g0)); CUstreamCaptureStatus st; C(cuStreamIsCapturing(s, &st)); C(cuStreamEndCapture(s, &g)); C(cuStreamDestroy(s)); });
  run("green_capture", [] { C(cuInit(0)); C(retain()); C(two_greens()); CUstream s, t; CUgraph g; CUgraphExec x; CUmodule m; CUfunction f; C(cuCtxSetCurrent(primary)); C(cuModuleLoadData(&m, kPtx)); C(cuModuleGetFunction(&f, m, "empty")); C(cuGreenCtxStreamCreate(&s, g0, 1, 0)); C(cuGreenCtxStreamCreate(&t, g1, 1, 0)); C(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL)); C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, 0, 0)); C(cuStreamEndCapture(s, &g)); C(cuGraphInstantiate(&x, g, 0)); C(cuGraphLaunch(x, t)); C(cuStreamSynchronize(t)); size_t n = 1; CUgraphNode node; C(cuGraphGetNodes(g, &node, &n)); CUDA_KERNEL_NODE_PARAMS kp{}; C(cuGraphKernelNodeGetParams(node, &kp)); note("the node's context", who(kp.ctx)); C(cuGreenCtxDestroy(g0)); C(cuGraphLaunch(x, t)); C(cuStreamSynchronize(t)); });
  run("green_smid", [] {
    C(cuInit(0)); C(retain()); C(two_greens()); CUmodule m; CUfunction f; CUdeviceptr p; CUstream s[2]; C(cuCtxSetCurrent(primary)); C(cuModuleLoadData(&m, kPtx)); C(cuModuleGetFunction(&f, m, "where")); const int n = 600; C(cuMemAlloc(&p, n * 8)); int count = 0; cuDeviceGetAttribute(&count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0); void* args[] = {&p}; std::vector<unsigned> o(2 * n); std::map<unsigned, int> seen[3]; 
    for (int i = 0; i < 2; ++i) C(cuGreenCtxStreamCreate(&s[i], i ? g1 : g0, 1, 0));
    for (int i = 0; i < 3; ++i) { CUstream st = i < 2 ? s[i] : nullptr; C(cuLaunchKernel(f, n, 1, 1, 1024, 1, 1, 0, st, args, 0)); C(cuStreamSynchronize(st)); C(cuMemcpyDtoH(o.data(), p, n * 8)); unsigned most = 0, ns = o[1]; for (int b = 0; b < n; ++b) { seen[i][o[2 * b]]++; most = std::max(most, o[2 * b]); } note("multiprocessors are not more than its own", seen[i].size() <= (i < 2 ? groups[i].sm.smCount : (unsigned)count)); note("nsmid is the device's", ns == (unsigned)count); note("smid below the device's", most < (unsigned)count); }
    int common = 0; for (auto& [k, v] : seen[0]) common += seen[1].count(k); note("in common", common); std::string list; for (auto& [k, v] : seen[0]) list += std::to_string(k) + " "; list += "| "; for (auto& [k, v] : seen[1]) list += std::to_string(k) + " "; note("figures", list + "| " + std::to_string(seen[2].size()));
    C(cuCtxSetCurrent(c0)); C(cuLaunchKernel(f, n, 1, 1, 1024, 1, 1, 0, nullptr, args, 0)); C(cuCtxSynchronize()); C(cuMemcpyDtoH(o.data(), p, n * 8)); std::map<unsigned, int> here; for (int b = 0; b < n; ++b) here[o[2 * b]]++; note("null stream of a green context: its own", here.size() <= groups[0].sm.smCount); 
    int blocks = 0; C(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 1024, 0)); note("blocks", blocks); int grid = 0, block = 0; C(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, 0, 0, 0)); note("grid is for the device", grid == blocks * (1024 * blocks / block) * count || grid == count * (2048 / block)); note("grid is for the group", grid == (int)groups[0].sm.smCount * (2048 / block)); C(cuLaunchCooperativeKernel(f, count, 1, 1, 1024, 1, 1, 0, nullptr, args)); C(cuCtxSynchronize()); C(cuLaunchCooperativeKernel(f, groups[0].sm.smCount * blocks, 1, 1, 1024, 1, 1, 0, nullptr, args)); C(cuLaunchCooperativeKernel(f, groups[0].sm.smCount * blocks + 1, 1, 1, 1024, 1, 1, 0, nullptr, args)); C(cuCtxSynchronize()); C(cuLaunchCooperativeKernel(f, groups[0].sm.smCount * blocks + 1, 1, 1, 1024, 1, 1, 0, s[0], args)); C(cuCtxSetCurrent(primary)); C(cuLaunchCooperativeKernel(f, groups[0].sm.smCount * blocks + 1, 1, 1, 1024, 1, 1, 0, s[0], args)); C(cuLaunchCooperativeKernel(f, count * blocks, 1, 1, 1024, 1, 1, 0, nullptr, args)); C(cuCtxSynchronize());
  });
  // ---- events of a whole context
  run("green_events", [] {
    C(cuInit(0)); C(retain()); C(two_greens()); CUstream s, t, u; CUevent e, e0, e1, eo; CUmodule m; CUfunction f; unsigned long long ns = 300000000; void* args[] = {&ns}; C(cuCtxSetCurrent(primary)); C(cuModuleLoadData(&m, kPtx)); C(cuModuleGetFunction(&f, m, "spin")); C(cuGreenCtxStreamCreate(&s, g0, 1, 0)); C(cuGreenCtxStreamCreate(&t, g1, 1, 0)); C(cuStreamCreate(&u, CU_STREAM_NON_BLOCKING)); C(cuEventCreate(&e, 0)); C(cuCtxSetCurrent(c0)); C(cuEventCreate(&e0, 0)); C(cuCtxSetCurrent(c1)); C(cuEventCreate(&e1, 0)); C(cuCtxSetCurrent(primary));
    C(cuGreenCtxRecordEvent(nullptr, e0)); C(cuGreenCtxRecordEvent(g0, nullptr)); C(cuGreenCtxRecordEvent(nullptr, nullptr)); C(cuGreenCtxWaitEvent(nullptr, e0)); C(cuGreenCtxWaitEvent(g0, nullptr)); C(cuCtxRecordEvent(nullptr, e)); C(cuCtxRecordEvent(primary, nullptr)); C(cuCtxWaitEvent(nullptr, e)); C(cuCtxWaitEvent(primary, nullptr)); C(cuCtxRecordEvent(nullptr, nullptr)); C(cuCtxSetCurrent(nullptr)); C(cuCtxRecordEvent(nullptr, e)); C(cuCtxRecordEvent(primary, e)); C(cuGreenCtxRecordEvent(g0, e0)); C(cuEventSynchronize(e0)); C(cuCtxSetCurrent(primary));
    C(cuGreenCtxRecordEvent(g0, e)); C(cuGreenCtxRecordEvent(g0, e1)); C(cuCtxRecordEvent(c0, e)); C(cuCtxRecordEvent(c0, e0)); C(cuCtxRecordEvent(primary, e0)); C(make_ctx(&other, 0, 0)); C(cuEventCreate(&eo, 0)); C(cuCtxRecordEvent(primary, eo)); C(cuGreenCtxRecordEvent(g0, eo)); C(cuCtxWaitEvent(primary, eo)); C(cuGreenCtxWaitEvent(g0, eo)); C(cuCtxRecordEvent(other, eo)); C(cuEventSynchronize(eo)); C(cuCtxRecordEvent(other, e)); C(cuCtxWaitEvent(other, e)); C(cuCtxSetCurrent(primary)); C(cuCtxSynchronize());
    C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, args, 0)); C(cuGreenCtxRecordEvent(g0, e0)); C(cuGreenCtxRecordEvent(g1, e1)); C(cuCtxRecordEvent(primary, e)); C(cuEventQuery(e0)); C(cuEventSynchronize(e1)); C(cuEventQuery(e0)); C(cuEventQuery(e)); C(cuEventSynchronize(e0)); C(cuEventSynchronize(e)); C(cuStreamQuery(s));
    C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, u, args, 0)); C(cuCtxRecordEvent(primary, e)); C(cuGreenCtxRecordEvent(g0, e0)); C(cuEventSynchronize(e0)); C(cuEventQuery(e)); C(cuGreenCtxWaitEvent(g0, e)); CUfunction f2; C(cuModuleGetFunction(&f2, m, "empty")); C(cuLaunchKernel(f2, 1, 1, 1, 1, 1, 1, 0, s, 0, 0)); C(cuLaunchKernel(f2, 1, 1, 1, 1, 1, 1, 0, t, 0, 0)); C(cuStreamSynchronize(t)); C(cuStreamQuery(s)); C(cuStreamSynchronize(s)); C(cuStreamQuery(u));
    C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, u, args, 0)); C(cuEventRecord(e, u)); C(cuCtxWaitEvent(primary, e)); C(cuLaunchKernel(f2, 1, 1, 1, 1, 1, 1, 0, t, 0, 0)); C(cuStreamQuery(t)); CUstream late; C(cuStreamCreate(&late, CU_STREAM_NON_BLOCKING)); C(cuLaunchKernel(f2, 1, 1, 1, 1, 1, 1, 0, late, 0, 0)); rec("a stream made after the wait: synchronize", cuStreamSynchronize(late)); C(cuStreamQuery(u)); C(cuStreamSynchronize(t)); C(cuStreamQuery(u));
    CUevent never; C(cuEventCreate(&never, 0)); C(cuCtxWaitEvent(primary, never)); C(cuGreenCtxWaitEvent(g0, never)); float ms = -1; C(cuCtxRecordEvent(primary, e)); C(cuGreenCtxRecordEvent(g0, e0)); C(cuEventSynchronize(e0)); C(cuEventElapsedTime(&ms, e, e0)); C(cuCtxSynchronize()); 
    C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, args, 0)); C(cuCtxSetCurrent(c1)); C(cuCtxSynchronize()); C(cuStreamQuery(s)); C(cuCtxSetCurrent(c0)); C(cuCtxSynchronize()); C(cuStreamQuery(s)); C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, args, 0)); C(cuCtxSetCurrent(primary)); C(cuCtxSynchronize()); C(cuStreamQuery(s));
    C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, args, 0)); C(cuGreenCtxDestroy(g0)); 
  });
  run("green_legacy", [] { C(cuInit(0)); C(retain()); C(two_greens()); CUstream w, x; CUmodule m; CUfunction f, e; unsigned long long ns = 300000000; void* args[] = {&ns}; C(cuCtxSetCurrent(primary)); C(cuModuleLoadData(&m, kPtx)); C(cuModuleGetFunction(&f, m, "spin")); C(cuModuleGetFunction(&e, m, "empty")); C(cuCtxSetCurrent(c0)); C(cuStreamCreate(&w, 0)); C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, w, args, 0)); C(cuLaunchKernel(e, 1, 1, 1, 1, 1, 1, 0, nullptr, 0, 0)); C(cuStreamQuery(nullptr)); C(cuCtxSetCurrent(c1)); C(cuLaunchKernel(e, 1, 1, 1, 1, 1, 1, 0, nullptr, 0, 0)); C(cuStreamSynchronize(nullptr)); C(cuStreamQuery(w)); C(cuCtxSetCurrent(primary)); C(cuStreamQuery(nullptr)); C(cuLaunchKernel(e, 1, 1, 1, 1, 1, 1, 0, nullptr, 0, 0)); C(cuStreamSynchronize(nullptr)); C(cuStreamQuery(w)); C(cuStreamSynchronize(w)); });
  run("green_event_capture", [] { C(cuInit(0)); C(retain()); C(two_greens()); CUstream s, t; CUevent e; CUgraph g = nullptr; CUstreamCaptureStatus st; C(cuCtxSetCurrent(primary)); C(cuGreenCtxStreamCreate(&s, g0, 1, 0)); C(cuGreenCtxStreamCreate(&t, g1, 1, 0)); C(cuEventCreate(&e, 0)); for (auto mode : {CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_RELAXED}) { C(cuStreamBeginCapture(s, mode)); C(cuGreenCtxRecordEvent(g1, e)); C(cuStreamIsCapturing(s, &st)); note("status", st); C(cuGreenCtxRecordEvent(g0, e)); C(cuStreamIsCapturing(s, &st)); note("status", st); C(cuStreamEndCapture(s, &g)); C(cuStreamBeginCapture(s, mode)); C(cuCtxRecordEvent(primary, e)); C(cuStreamIsCapturing(s, &st)); note("status", st); C(cuStreamEndCapture(s, &g)); C(cuStreamBeginCapture(s, mode)); C(cuGreenCtxWaitEvent(g0, e)); C(cuStreamIsCapturing(s, &st)); note("status", st); C(cuStreamEndCapture(s, &g)); C(cuStreamBeginCapture(s, mode)); C(cuEventRecord(e, s)); C(cuGreenCtxWaitEvent(g1, e)); C(cuStreamIsCapturing(s, &st)); note("status", st); C(cuStreamEndCapture(s, &g)); C(cuEventDestroy(e)); C(cuEventCreate(&e, 0)); C(cuStreamBeginCapture(s, mode)); CUgreenCtx x; C(cuGreenCtxCreate(&x, descs[0], 0, 1)); C(cuGreenCtxDestroy(x)); C(cuStreamIsCapturing(s, &st)); note("status", st); C(cuStreamEndCapture(s, &g)); } });
  run("green_kernel_faults", [] { C(cuInit(0)); C(retain()); C(two_greens()); CUstream s; CUmodule m; CUfunction f; C(cuCtxSetCurrent(primary)); C(cuModuleLoadData(&m, kPtx)); C(cuModuleGetFunction(&f, m, "store")); C(cuGreenCtxStreamCreate(&s, g0, 1, 0)); CUdeviceptr p = 8; int v = 1; void* args[] = {&p, &v}; C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, args, 0)); C(cuStreamSynchronize(s)); C(cuCtxSetCurrent(c1)); C(cuCtxSynchronize()); CUdevResource r; C(cuGreenCtxGetDevResource(g0, &r, CU_DEV_RESOURCE_TYPE_SM)); C(cuDeviceGetDevResource(0, &r, CU_DEV_RESOURCE_TYPE_SM)); unsigned long long id; C(cuGreenCtxGetId(g0, &id)); CUgreenCtx x; C(cuGreenCtxCreate(&x, descs[0], 0, 1)); C(cuCtxFromGreenCtx(&c0, g0)); CUdevResourceDesc d; C(cuDevResourceGenerateDesc(&d, &groups[0], 1)); CUstream t; C(cuGreenCtxStreamCreate(&t, g1, 1, 0)); C(cuStreamDestroy(s)); C(cuGreenCtxDestroy(g0)); C(cuGreenCtxDestroy(g1)); });
  // ---- kernels of libraries where nothing is current
  run("kernel_no_context", [] {
    CUlibrary l; CUkernel k, big; CUfunction f; CUmodule m; int v = -1; size_t o, z; const char* n = nullptr; C(cuInit(0)); C(cuLibraryLoadData(&l, kPtx, 0, 0, 0, 0, 0, 0)); C(cuLibraryGetKernel(&k, l, "where")); C(cuLibraryGetKernel(&big, l, "dynamic")); state();
    C(cuKernelGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, k, 0)); note("threads", v); state(); C(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 * 1024, big, 0)); C(cuKernelGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, big, 0)); note("bytes", v); C(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1, big, 0)); C(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -1, big, 0)); C(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20, big, 0)); C(cuKernelSetAttribute((CUfunction_attribute)99, 1, big, 0)); C(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50, big, 0)); C(cuKernelGetAttribute(&v, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, big, 0)); note("carveout", v); C(cuKernelGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, k, 0)); C(cuKernelGetAttribute(&v, (CUfunction_attribute)99, k, 0)); C(cuKernelGetAttribute(&v, CU_FUNC_ATTRIBUTE_NUM_REGS, k, 99)); C(cuKernelGetAttribute(&v, CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr, 0)); C(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50, nullptr, 0)); C(cuKernelSetCacheConfig(k, CU_FUNC_CACHE_PREFER_L1, 0)); C(cuKernelSetCacheConfig(k, (CUfunc_cache)9, 0)); C(cuKernelSetCacheConfig(nullptr, CU_FUNC_CACHE_PREFER_L1, 0)); 
    C(cuKernelGetFunction(&f, k)); C(cuKernelGetFunction(nullptr, k)); C(cuKernelGetFunction(&f, nullptr)); C(cuKernelGetName(&n, k)); C(cuKernelGetName(nullptr, k)); C(cuKernelGetParamInfo(k, 0, &o, &z)); C(cuKernelGetParamInfo(k, 9, &o, &z)); C(cuKernelGetParamInfo(nullptr, 0, &o, &z)); CUlibrary back = nullptr; C(cuKernelGetLibrary(&back, k)); note("it", back == l); C(cuKernelGetLibrary(nullptr, k)); C(cuKernelGetLibrary(&back, nullptr)); C(cuLibraryGetModule(&m, l));
    C(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, (CUfunction)k)); C(cuFuncSetAttribute((CUfunction)k, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024)); C(cuFuncGetName(&n, (CUfunction)k)); C(cuFuncGetModule(&m, (CUfunction)k)); C(cuFuncGetParamInfo((CUfunction)k, 0, &o, &z)); CUfunctionLoadingState st; C(cuFuncIsLoaded(&st, (CUfunction)k)); C(cuFuncLoad((CUfunction)k)); C(cuFuncSetCacheConfig((CUfunction)k, CU_FUNC_CACHE_PREFER_L1)); C(cuOccupancyMaxActiveBlocksPerMultiprocessor(&v, (CUfunction)k, 128, 0)); int gr, bl; C(cuOccupancyMaxPotentialBlockSize(&gr, &bl, (CUfunction)k, 0, 0, 0)); size_t sm; C(cuOccupancyAvailableDynamicSMemPerBlock(&sm, (CUfunction)k, 1, 128)); CUlaunchConfig c = config(2, 32); C(cuOccupancyMaxActiveClusters(&v, (CUfunction)k, &c)); C(cuOccupancyMaxPotentialClusterSize(&v, (CUfunction)k, &c)); C(cuLaunchKernelEx(&c, (CUfunction)k, 0, 0)); state();
    C(make_ctx(&other, 0, 0)); C(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, (CUfunction)k)); C(cuFuncSetAttribute((CUfunction)k, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024)); C(cuFuncGetName(&n, (CUfunction)k)); C(cuFuncGetModule(&m, (CUfunction)k)); C(cuFuncGetParamInfo((CUfunction)k, 0, &o, &z)); C(cuFuncIsLoaded(&st, (CUfunction)k)); C(cuFuncLoad((CUfunction)k)); C(cuFuncSetCacheConfig((CUfunction)k, CU_FUNC_CACHE_PREFER_L1)); C(cuOccupancyMaxActiveBlocksPerMultiprocessor(&v, (CUfunction)k, 128, 0)); note("blocks", v); C(cuOccupancyMaxPotentialBlockSize(&gr, &bl, (CUfunction)k, 0, 0, 0)); note("block", bl); C(cuOccupancyAvailableDynamicSMemPerBlock(&sm, (CUfunction)k, 1, 128)); C(cuOccupancyMaxActiveClusters(&v, (CUfunction)k, &c)); C(cuOccupancyMaxPotentialClusterSize(&v, (CUfunction)k, &c)); C(cuKernelGetFunction(&f, k)); C(cuFuncGetName(&n, f)); CUfunction f2; C(cuKernelGetFunction(&f2, k)); note("the same", f == f2); C(cuKernelGetFunction(&f, nullptr)); C(cuKernelGetFunction(nullptr, k)); C(cuKernelGetParamInfo(k, 0, &o, &z)); C(cuKernelGetParamInfo(nullptr, 0, &o, &z)); C(cuOccupancyMaxActiveBlocksPerMultiprocessor(&v, nullptr, 128, 0)); C(cuCtxDestroy(other)); C(cuLibraryUnload(l));
  });
  run("kernel_unloaded", [] { CUlibrary l; CUkernel k; int v; C(cuInit(0)); C(cuLibraryLoadData(&l, kPtx, 0, 0, 0, 0, 0, 0)); C(cuLibraryGetKernel(&k, l, "where")); C(cuLibraryUnload(l)); C(cuKernelGetAttribute(&v, CU_FUNC_ATTRIBUTE_NUM_REGS, k, 0)); });
  run("kernel_green", [] { CUlibrary l; CUkernel k; CUfunction f, g, h; CUmodule m, m2; CUdeviceptr p; int v = 6, out = 0; C(cuInit(0)); C(retain()); C(two_greens()); C(cuLibraryLoadData(&l, kPtx, 0, 0, 0, 0, 0, 0)); C(cuLibraryGetKernel(&k, l, "store")); C(cuCtxSetCurrent(primary)); C(cuKernelGetFunction(&f, k)); C(cuLibraryGetModule(&m, l)); C(cuMemAlloc(&p, 64)); C(cuCtxSetCurrent(c0)); C(cuKernelGetFunction(&g, k)); note("the primary's function", f == g); C(cuLibraryGetModule(&m2, l)); note("the primary's module", m == m2); void* args[] = {&p, &v}; C(cuLaunchKernel((CUfunction)k, 1, 1, 1, 1, 1, 1, 0, 0, args, 0)); C(cuCtxSynchronize()); C(cuMemcpyDtoH(&out, p, 4)); note("out", out); C(cuCtxSetCurrent(c1)); C(cuKernelGetFunction(&h, k)); note("the same", g == h); });
  // ---- occupancy, clusters, shared memory
  run("occupancy_clusters", [] {
    CUmodule m; CUfunction f, e; int v = -1; CUlaunchAttribute a[4]; C(cuInit(0)); C(make_ctx(&other, 0, 0)); C(cuModuleLoadData(&m, kPtx)); C(cuModuleGetFunction(&f, m, "where")); C(cuModuleGetFunction(&e, m, "empty")); CUlaunchConfig c = config(64, 128);
    C(cuOccupancyMaxActiveClusters(nullptr, f, &c)); C(cuOccupancyMaxActiveClusters(&v, nullptr, &c)); C(cuOccupancyMaxActiveClusters(&v, f, nullptr)); C(cuOccupancyMaxPotentialClusterSize(nullptr, f, &c)); C(cuOccupancyMaxPotentialClusterSize(&v, nullptr, &c)); C(cuOccupancyMaxPotentialClusterSize(&v, f, nullptr)); note("v", v);
    C(cuOccupancyMaxActiveClusters(&v, f, &c)); note("no cluster", v); v = -1; C(cuOccupancyMaxPotentialClusterSize(&v, f, &c)); note("no cluster", v);
    for (unsigned x : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 12u, 16u, 32u}) { a[0] = cluster_of(x); c = config(x ? x * 8 : 8, 128, 0, a, 1); v = -1; rec(("active clusters of " + std::to_string(x)).c_str(), cuOccupancyMaxActiveClusters(&v, f, &c)); note("v", v); v = -1; rec(("potential size, cluster of " + std::to_string(x)).c_str(), cuOccupancyMaxPotentialClusterSize(&v, f, &c)); note("v", v); }
    a[0] = cluster_of(2, 2, 2); c = config(8, 128, 0, a, 1); v = -1; C(cuOccupancyMaxActiveClusters(&v, f, &c)); note("grid of one row", v); c.gridDimY = c.gridDimZ = 2; C(cuOccupancyMaxActiveClusters(&v, f, &c)); note("v", v); a[0] = cluster_of(3); c = config(8, 128, 0, a, 1); v = -1; C(cuOccupancyMaxActiveClusters(&v, f, &c)); note("8 by 3", v);
    for (unsigned b : {1u, 32u, 64u, 256u, 512u, 768u, 1024u}) for (unsigned s : {0u, 1024u, 49152u, 65536u}) { a[0] = cluster_of(2); c = config(1024, b, s, a, 1); v = -1; CUresult r = cuOccupancyMaxActiveClusters(&v, f, &c); int w = -1; CUresult q = cuOccupancyMaxPotentialClusterSize(&w, f, &c); note("block " + std::to_string(b) + " shared " + std::to_string(s), std::string(ename(r)) + " " + std::to_string(v) + " " + ename(q) + " " + std::to_string(w)); }
    a[0] = cluster_of(2); c = config(64, 0, 0, a, 1); C(cuOccupancyMaxActiveClusters(&v, f, &c)); C(cuOccupancyMaxPotentialClusterSize(&v, f, &c)); c = config(64, 2048, 0, a, 1); C(cuOccupancyMaxActiveClusters(&v, f, &c)); C(cuOccupancyMaxPotentialClusterSize(&v, f, &c)); c = config(0, 32, 0, a, 1); C(cuOccupancyMaxActiveClusters(&v, f, &c)); C(cuOccupancyMaxPotentialClusterSize(&v, f, &c)); c = config(64, 128, 1 << 20, a, 1); v = -1; C(cuOccupancyMaxActiveClusters(&v, f, &c)); note("v", v); C(cuOccupancyMaxPotentialClusterSize(&v, f, &c)); c = config(64, 128, 0, nullptr, 1); C(cuOccupancyMaxActiveClusters(&v, f, &c)); C(cuOccupancyMaxPotentialClusterSize(&v, f, &c));
    v = -1; C(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, f)); note("v", v); C(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 2)); C(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, -1)); C(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1)); C(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, f)); note("v", v); for (unsigned x : {8u, 16u, 32u}) { a[0] = cluster_of(x); c = config(x * 8, 128, 0, a, 1); v = -1; rec("active clusters, non-portable", cuOccupancyMaxActiveClusters(&v, f, &c)); note("v", v); v = -1; rec("potential size, non-portable", cuOccupancyMaxPotentialClusterSize(&v, f, &c)); note("v", v); } a[0] = cluster_of(16); c = config(64, 1024, 200000, a, 1); C(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 200000)); v = -1; C(cuOccupancyMaxPotentialClusterSize(&v, f, &c)); note("v", v); v = -1; C(cuOccupancyMaxActiveClusters(&v, f, &c)); note("v", v);
    for (int at = 10; at <= 17; ++at) { v = -1; rec(("get attribute " + std::to_string(at)).c_str(), cuFuncGetAttribute(&v, (CUfunction_attribute)at, e)); note("v", v); } C(cuFuncSetAttribute(e, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, 1)); C(cuFuncSetAttribute(e, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, -1)); C(cuFuncSetAttribute(e, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 3)); C(cuFuncSetAttribute(e, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 2)); C(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, e)); note("v", v); C(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, e)); note("v", v); c = config(8, 32); C(cuLaunchKernelEx(&c, e, 0, 0)); C(cuFuncSetAttribute(e, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, 1)); C(cuFuncSetAttribute(e, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, 1)); C(cuLaunchKernelEx(&c, e, 0, 0)); c = config(7, 32); C(cuLaunchKernelEx(&c, e, 0, 0)); C(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, e)); note("v", v); C(cuFuncSetAttribute(e, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 0)); C(cuFuncSetAttribute(e, CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, 1)); C(cuFuncSetAttribute(e, CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, 2)); C(cuFuncSetAttribute(e, CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, 9)); C(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, e)); note("v", v); C(cuCtxSynchronize());
  });
  run("cluster_launches", [] {
    CUmodule m; CUfunction f, q; CUlaunchAttribute a[4]; C(cuInit(0)); C(make_ctx(&other, 0, 0)); C(cuModuleLoadData(&m, kPtx)); C(cuModuleGetFunction(&f, m, "empty")); CUlaunchConfig c;
    for (unsigned x : {0u, 1u, 2u, 3u, 4u, 8u, 9u, 16u, 17u, 32u}) { a[0] = cluster_of(x); c = config(x ? x * 4 : 4, 32, 0, a, 1); rec(("launch in clusters of " + std::to_string(x)).c_str(), cuLaunchKernelEx(&c, f, 0, 0)); } a[0] = cluster_of(2); c = config(7, 32, 0, a, 1); rec("7 blocks in clusters of 2", cuLaunchKernelEx(&c, f, 0, 0)); a[0] = cluster_of(1, 2); c = config(8, 32, 0, a, 1); rec("one row in clusters of two rows", cuLaunchKernelEx(&c, f, 0, 0)); a[0] = cluster_of(2, 0, 0); c = config(8, 32, 0, a, 1); rec("2, 0, 0", cuLaunchKernelEx(&c, f, 0, 0)); a[0] = cluster_of(0, 0, 0); rec("0, 0, 0", cuLaunchKernelEx(&c, f, 0, 0)); a[0] = cluster_of(0xffffffff); rec("-1", cuLaunchKernelEx(&c, f, 0, 0));
    a[0] = cluster_of(2); a[1] = a[0]; a[1].value.clusterDim.x = 4; c = config(8, 32, 0, a, 2); rec("twice", cuLaunchKernelEx(&c, f, 0, 0)); a[1] = CUlaunchAttribute{}; a[1].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE; a[1].value.cooperative = 1; rec("cooperative in clusters", cuLaunchKernelEx(&c, f, 0, 0)); a[1].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE; for (int p : {0, 1, 2, 9}) { a[1].value.clusterSchedulingPolicyPreference = (CUclusterSchedulingPolicy)p; rec(("policy " + std::to_string(p)).c_str(), cuLaunchKernelEx(&c, f, 0, 0)); } c = config(8, 32, 0, nullptr, 1); rec("no attributes where one is announced", cuLaunchKernelEx(&c, f, 0, 0)); a[0].id = (CUlaunchAttributeID)99; c = config(8, 32, 0, a, 1); rec("attribute 99", cuLaunchKernelEx(&c, f, 0, 0)); a[0] = CUlaunchAttribute{}; a[0].id = CU_LAUNCH_ATTRIBUTE_IGNORE; rec("ignore", cuLaunchKernelEx(&c, f, 0, 0)); C(cuLaunchKernelEx(nullptr, f, 0, 0)); C(cuLaunchKernelEx(&c, nullptr, 0, 0)); a[0] = cluster_of(16); c = config(64, 32, 0, a, 1); C(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1)); rec("16, non-portable", cuLaunchKernelEx(&c, f, 0, 0)); a[0] = cluster_of(32); rec("32, non-portable", cuLaunchKernelEx(&c, f, 0, 0));
    for (int id = 0; id <= 20; ++id) { a[0] = CUlaunchAttribute{}; a[0].id = (CUlaunchAttributeID)id; c = config(8, 32, 0, a, 1); rec(("zeroed attribute " + std::to_string(id)).c_str(), cuLaunchKernelEx(&c, f, 0, 0)); } a[0] = CUlaunchAttribute{}; a[0].id = CU_LAUNCH_ATTRIBUTE_PRIORITY; for (int p : {-100, -5, 0, 5, 100}) { a[0].value.priority = p; rec(("priority " + std::to_string(p)).c_str(), cuLaunchKernelEx(&c, f, 0, 0)); } a[0] = CUlaunchAttribute{}; a[0].id = CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION; a[0].value.preferredClusterDim.x = 4; a[0].value.preferredClusterDim.y = a[0].value.preferredClusterDim.z = 1; rec("preferred cluster alone", cuLaunchKernelEx(&c, f, 0, 0)); a[1] = cluster_of(2); c = config(8, 32, 0, a, 2); rec("preferred cluster with one", cuLaunchKernelEx(&c, f, 0, 0)); a[0].value.preferredClusterDim.x = 3; rec("preferred cluster of 3", cuLaunchKernelEx(&c, f, 0, 0)); a[0] = CUlaunchAttribute{}; a[0].id = CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT; c = config(8, 32, 0, a, 1); for (int p : {-2, -1, 0, 50, 100, 101}) { a[0].value.sharedMemCarveout = p; rec(("carveout " + std::to_string(p)).c_str(), cuLaunchKernelEx(&c, f, 0, 0)); } CUevent e; C(cuEventCreate(&e, 0)); for (int id : {CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT, CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT}) { a[0] = CUlaunchAttribute{}; a[0].id = (CUlaunchAttributeID)id; a[0].value.programmaticEvent.event = e; rec(("event with timing, attribute " + std::to_string(id)).c_str(), cuLaunchKernelEx(&c, f, 0, 0)); } CUevent u; C(cuEventCreate(&u, CU_EVENT_DISABLE_TIMING)); for (int id : {CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT, CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT}) { a[0] = CUlaunchAttribute{}; a[0].id = (CUlaunchAttributeID)id; a[0].value.programmaticEvent.event = u; rec(("event without timing, attribute " + std::to_string(id)).c_str(), cuLaunchKernelEx(&c, f, 0, 0)); C(cuEventSynchronize(u)); } C(cuCtxSynchronize());
  });
  run("cluster_kernel", [] {
    CUmodule m; CUfunction f, r, x; CUdeviceptr p; CUlaunchAttribute a[1]; int v = -1; C(cuInit(0)); C(make_ctx(&other, 0, 0)); C(cuModuleLoadData(&m, kClusterPtx)); C(cuModuleGetFunction(&f, m, "cluster")); C(cuModuleGetFunction(&r, m, "required")); C(cuModuleGetFunction(&x, m, "mostfour")); C(cuMemAlloc(&p, 4096)); void* args[] = {&p}; std::vector<unsigned> o(64); CUlaunchConfig c; for (unsigned n : {0u, 2u, 4u}) { a[0] = cluster_of(n); c = config(8, 32, 0, a, n ? 1 : 0); C(cuLaunchKernelEx(&c, f, args, 0)); C(cuCtxSynchronize()); C(cuMemcpyDtoH(o.data(), p, 8 * 16)); std::string t; for (int i = 0; i < 8; ++i) { t += "("; for (int j = 0; j < 4; ++j) t += std::to_string(o[4 * i + j]) + (j < 3 ? " " : ") "); } note("rank, size, cluster, clusters", t); }
    for (int at = 10; at <= 13; ++at) { v = -1; cuFuncGetAttribute(&v, (CUfunction_attribute)at, r); int w = -1; cuFuncGetAttribute(&w, (CUfunction_attribute)at, x); note("attribute " + std::to_string(at), std::to_string(v) + " " + std::to_string(w)); } C(cuLaunchKernel(r, 8, 1, 1, 32, 1, 1, 0, 0, 0, 0)); C(cuLaunchKernel(r, 7, 1, 1, 32, 1, 1, 0, 0, 0, 0)); a[0] = cluster_of(4); c = config(8, 32, 0, a, 1); C(cuLaunchKernelEx(&c, r, 0, 0)); a[0] = cluster_of(2); C(cuLaunchKernelEx(&c, r, 0, 0)); c.numAttrs = 0; C(cuLaunchKernelEx(&c, r, 0, 0)); C(cuOccupancyMaxActiveClusters(&v, r, &c)); note("v", v); C(cuFuncSetAttribute(r, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 4)); C(cuLaunchKernel(x, 8, 1, 1, 32, 1, 1, 0, 0, 0, 0)); c.numAttrs = 1; a[0] = cluster_of(4); C(cuLaunchKernelEx(&c, x, 0, 0)); a[0] = cluster_of(8); C(cuLaunchKernelEx(&c, x, 0, 0)); C(cuCtxSynchronize());
  });
  run("dynamic_shared", [] {
    CUmodule m; CUfunction f, s; CUdeviceptr p; int v = -1; unsigned at = 0; unsigned o[2]; C(cuInit(0)); C(make_ctx(&other, 0, 0)); C(cuModuleLoadData(&m, kPtx)); C(cuModuleGetFunction(&f, m, "dynamic")); C(cuModuleGetFunction(&s, m, "fixed")); C(cuMemAlloc(&p, 64)); void* args[] = {&p, &at}; int optin = 0; cuDeviceGetAttribute(&optin, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 0); C(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f)); note("v", v); C(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, s)); note("with 1 KiB of its own", v); 
    C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 49152, 0, args, 0)); C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 49153, 0, args, 0)); C(cuLaunchKernel(s, 1, 1, 1, 1, 1, 1, 48128, 0, args, 0)); C(cuLaunchKernel(s, 1, 1, 1, 1, 1, 1, 48129, 0, args, 0)); C(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, optin + 1)); C(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, optin)); C(cuFuncSetAttribute(s, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, optin)); C(cuFuncSetAttribute(s, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, optin - 1024)); C(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f)); note("v", v == optin); at = optin - 4; C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, optin, 0, args, 0)); C(cuCtxSynchronize()); C(cuMemcpyDtoH(o, p, 8)); note("out", o[0]); note("dynamic_smem_size", o[1] == (unsigned)optin); C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, optin + 1, 0, args, 0)); C(cuLaunchKernel(s, 1, 1, 1, 1, 1, 1, optin - 1024, 0, args, 0)); C(cuLaunchKernel(s, 1, 1, 1, 1, 1, 1, optin - 1023, 0, args, 0)); C(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100)); C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 101, 0, args, 0)); C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 49152, 0, args, 0)); at = 0; C(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 0)); C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 64, 0, args, 0)); C(cuCtxSynchronize()); CUlaunchConfig c = config(1, 1, 60000); C(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000)); C(cuLaunchKernelEx(&c, f, args, 0)); C(cuCtxSynchronize()); int b = -1; C(cuOccupancyMaxActiveBlocksPerMultiprocessor(&b, f, 32, 60000)); note("some", b > 0); C(cuOccupancyMaxActiveBlocksPerMultiprocessor(&b, f, 32, 60001)); note("b", b > 0); C(cuOccupancyMaxActiveBlocksPerMultiprocessor(&b, f, 32, optin + 1)); note("b", b);
  });
  return 0;
}
