// SPDX-License-Identifier: MIT
// Green contexts: what a description counts that names multiprocessors twice, and a stream that is left.
#include "probe.h"

static CUdevResource all, groups[2];
static CUdevResourceDesc descs[2];
static CUgreenCtx g[2];
static CUstream s[2];
static CUcontext primary;
static constexpr CUdevResourceType SM = CU_DEV_RESOURCE_TYPE_SM;
static void basics() {
  unsigned n = 2;
  C(cuInit(0)); C(cuDeviceGetDevResource(0, &all, SM));
  C(cuDevSmResourceSplitByCount(groups, &n, &all, nullptr, 0, 1));
}
static void greens() {
  for (int i = 0; i < 2; ++i) { C(cuDevResourceGenerateDesc(&descs[i], &groups[i], 1)); C(cuGreenCtxCreate(&g[i], descs[i], 0, 1)); C(cuGreenCtxStreamCreate(&s[i], g[i], 1, 0)); }
}
static void count(CUdevResource a, CUdevResource b) {
  CUdevResource two[2] = {a, b}, own{}; CUdevResourceDesc d; CUgreenCtx x;
  C(cuDevResourceGenerateDesc(&d, two, 2)); C(cuGreenCtxCreate(&x, d, 0, 1)); C(cuGreenCtxGetDevResource(x, &own, SM));
  note("in groups", own.sm.smCount / groups[0].sm.smCount); note("is the group", own.sm.smCount == groups[0].sm.smCount);
  note("is two groups", own.sm.smCount == 2 * groups[0].sm.smCount); note("is the device", own.sm.smCount == all.sm.smCount);
}
static void left() {
  unsigned f; CUcontext c; CUgreenCtx x;
  C(cuGreenCtxDestroy(g[0])); C(cuStreamQuery(s[0])); C(cuStreamSynchronize(s[0])); C(cuStreamGetFlags(s[0], &f)); C(cuStreamGetCtx(s[0], &c));
  C(cuStreamGetGreenCtx(s[0], &x)); C(cuStreamDestroy(s[0])); C(cuStreamDestroy(s[0])); C(cuStreamQuery(s[1])); C(cuStreamDestroy(s[1]));
}

int main() {
  run("green_twice_groups", [] { basics(); count(groups[0], groups[1]); });
  run("green_twice_same", [] { basics(); count(groups[0], groups[0]); });
  run("green_twice_device", [] { basics(); count(groups[0], all); });
  run("green_left_none_current", [] { basics(); greens(); left(); });
  run("green_left_primary_current", [] { basics(); greens(); C(cuDevicePrimaryCtxRetain(&primary, 0)); C(cuCtxSetCurrent(primary)); left(); });
}
