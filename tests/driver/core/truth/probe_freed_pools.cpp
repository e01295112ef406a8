// SPDX-License-Identifier: MIT
// What becomes of work that has not begun when cuMemFree takes a pool's memory from it: by the size of the memory, by what
// else the pool holds, by its release threshold, and by the kind of work. One device, at most 300 MiB of its memory.
#include <atomic>
#include <chrono>
#include <functional>

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


constexpr std::size_t kMiB = std::size_t{1} << 20;
static void pause_ms(int n) { std::this_thread::sleep_for(std::chrono::milliseconds(n)); }

struct Here {  // a context, with a stream, code, memory of its own, and a word that the stream and kernels wait for
  CUcontext c = nullptr;
  CUmodule m = nullptr;
  CUstream s = nullptr;
  CUdeviceptr own = 0;
  volatile unsigned* gate = nullptr;
  std::atomic<bool> opened{false};
  std::thread opener;
  Here() {
    cuInit(0), make_ctx(&c, 0, 0), cuModuleLoadData(&m, kPtx), cuMemAlloc(&own, 64 * kMiB), cuStreamCreate(&s, CU_STREAM_NON_BLOCKING);
    void* p = nullptr;
    cuMemHostAlloc(&p, 64 * kMiB, CU_MEMHOSTALLOC_PORTABLE), gate = static_cast<volatile unsigned*>(p), gate[0] = gate[1] = 0;
    // So that nothing is loaded while work waits.
    unsigned v = 0;
    launch("store", own, v), launch("copy", own, own), cuMemsetD8Async(own, 0, 64 * kMiB, s), cuMemcpyDtoDAsync(own, own + kMiB, 16, s), cuStreamSynchronize(s);
  }
  CUdeviceptr at(int i) { return reinterpret_cast<CUdeviceptr>(gate + i); }
  void close() { cuStreamWaitValue32(s, at(0), 1, CU_STREAM_WAIT_VALUE_EQ); }
  void open_later() { opener = std::thread([this] { pause_ms(300); opened = true; gate[0] = 1; }); }
  void waited() { note("waited", opened ? "yes" : "no"); if (opener.joinable()) opener.join(); }
  template <class X> CUresult launch(const char* name, CUdeviceptr p, X x) {
    CUfunction f = nullptr;
    cuModuleGetFunction(&f, m, name);
    void* args[] = {&p, &x};
    return cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, args, nullptr);
  }
};

static CUresult work(Here& a, const std::string& kind, CUdeviceptr p, std::size_t bytes) {
  if (kind == "fill") return cuMemsetD8Async(p, 1, bytes, a.s);
  if (kind == "fill_a_part") return cuMemsetD8Async(p, 1, 16, a.s);
  if (kind == "copy_from") return cuMemcpyDtoDAsync(a.own, p, bytes, a.s);
  if (kind == "copy_to") return cuMemcpyDtoDAsync(p, a.own, bytes, a.s);
  if (kind == "copy_to_host") return cuMemcpyDtoHAsync(const_cast<unsigned*>(a.gate + 1024), p, 4096, a.s);
  if (kind == "kernel_writes") return a.launch("store", p, 7u);
  if (kind == "kernel_reads") return a.launch("copy", a.own, p);
  return CUDA_ERROR_UNKNOWN;
}

int main() {
  for (const char* kind : {"fill", "fill_a_part", "copy_from", "copy_to", "copy_to_host", "kernel_writes", "kernel_reads"})
    for (const std::size_t kib : {4, 1024, 16384, 32768, 65536})
      for (const bool kept : {false, true})
        run((std::string(kind) + "_" + std::to_string(kib) + (kept ? "_kept" : "")).c_str(), [&] {
          Here a;
          CUmemoryPool q = nullptr;
          cuDeviceGetDefaultMemPool(&q, 0);
          CUdeviceptr p = 0, other = 0;
          if (kept) C(cuMemAllocAsync(&other, 4096, a.s));
          C(cuMemAllocAsync(&p, kib * 1024, a.s)), C(cuMemsetD8Async(p, 5, kib * 1024, a.s)), C(cuStreamSynchronize(a.s));
          std::uint64_t held = 0;
          cuMemPoolGetAttribute(q, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &held), note("MiB held", static_cast<long long>(held / kMiB));
          a.close(), rec("work", work(a, kind, p, kib * 1024)), a.open_later(), C(cuMemFree(p)), a.waited();
          cuMemPoolGetAttribute(q, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &held), note("MiB held", static_cast<long long>(held / kMiB));
          C(cuStreamSynchronize(a.s)), C(cuCtxSynchronize());
        });
  // Where one way of doing the work ends and another begins.
  const auto edge = [](const std::string& name, const std::function<CUresult(Here&, CUdeviceptr)>& enqueue) {
    run(name.c_str(), [&] {
      Here a;
      CUdeviceptr p = 0;
      C(cuMemAllocAsync(&p, 16 * kMiB, a.s)), C(cuMemsetD8Async(p, 5, 16 * kMiB, a.s)), C(cuStreamSynchronize(a.s));
      a.close(), rec("work", enqueue(a, p)), a.open_later(), C(cuMemFree(p)), a.waited(), C(cuStreamSynchronize(a.s)), C(cuCtxSynchronize());
    });
  };
  for (const std::size_t kib : {8, 16, 32, 64, 128, 256, 512}) {
    edge("edge_fill_" + std::to_string(kib), [&](Here& a, CUdeviceptr p) { return cuMemsetD8Async(p, 1, kib * 1024, a.s); });
    edge("edge_fill_words_" + std::to_string(kib), [&](Here& a, CUdeviceptr p) { return cuMemsetD32Async(p, 1, kib * 256, a.s); });
  }
  for (const std::size_t bytes : {1, 4, 64, 4095, 4097}) {
    edge("edge_fill_bytes_" + std::to_string(bytes), [&](Here& a, CUdeviceptr p) { return cuMemsetD8Async(p, 1, bytes, a.s); });
    edge("edge_copy_bytes_" + std::to_string(bytes), [&](Here& a, CUdeviceptr p) { return cuMemcpyDtoDAsync(p, a.own, bytes, a.s); });
  }
  edge("edge_fill_rows", [](Here& a, CUdeviceptr p) { return cuMemsetD2D8Async(p, 1024, 1, 100, 10, a.s); });
  edge("edge_fill_many_rows", [](Here& a, CUdeviceptr p) { return cuMemsetD2D8Async(p, 1024, 1, 1000, 10000, a.s); });
  for (const std::size_t kib : {1, 4, 64, 1024, 8192}) {
    edge("edge_copy_to_host_" + std::to_string(kib), [&](Here& a, CUdeviceptr p) { return cuMemcpyDtoHAsync(const_cast<unsigned*>(a.gate + 1024), p, kib * 1024, a.s); });
    edge("edge_copy_from_host_" + std::to_string(kib), [&](Here& a, CUdeviceptr p) { return cuMemcpyHtoDAsync(p, const_cast<unsigned*>(a.gate + 1024), kib * 1024, a.s); });
    edge("edge_copy_between_" + std::to_string(kib), [&](Here& a, CUdeviceptr p) { return cuMemcpyAsync(a.own, p, kib * 1024, a.s); });
    edge("edge_copy_within_" + std::to_string(kib), [&](Here& a, CUdeviceptr p) { return cuMemcpyDtoDAsync(p, p + 8 * kMiB, kib * 1024, a.s); });
  }
  edge("edge_copy_peer", [](Here& a, CUdeviceptr p) { return cuMemcpyPeerAsync(a.own, a.c, p, a.c, 4096, a.s); });
  edge("edge_copy_rows", [](Here& a, CUdeviceptr p) {
    CUDA_MEMCPY2D d{};
    d.srcMemoryType = d.dstMemoryType = CU_MEMORYTYPE_DEVICE, d.srcDevice = p, d.dstDevice = a.own, d.srcPitch = d.dstPitch = 1024, d.WidthInBytes = 100, d.Height = 10;
    return cuMemcpy2DAsync(&d, a.s);
  });
  edge("edge_copy_rows_to_host", [](Here& a, CUdeviceptr p) {
    CUDA_MEMCPY2D d{};
    d.srcMemoryType = CU_MEMORYTYPE_DEVICE, d.srcDevice = p, d.dstMemoryType = CU_MEMORYTYPE_HOST, d.dstHost = const_cast<unsigned*>(a.gate + 1024), d.srcPitch = d.dstPitch = 1024, d.WidthInBytes = 100, d.Height = 10;
    return cuMemcpy2DAsync(&d, a.s);
  });
  edge("edge_write_value", [](Here& a, CUdeviceptr p) { return cuStreamWriteValue32(a.s, p, 3, 0); });
  edge("edge_wait_value", [](Here& a, CUdeviceptr p) { return cuStreamWaitValue32(a.s, p, 3, CU_STREAM_WAIT_VALUE_GEQ); });
  edge("edge_two_kinds", [](Here& a, CUdeviceptr p) { cuMemsetD8Async(p, 1, 16, a.s); return cuMemcpyDtoDAsync(p, a.own, 4096, a.s); });
  edge("edge_two_kinds_turned", [](Here& a, CUdeviceptr p) { cuMemcpyDtoDAsync(p, a.own, 4096, a.s); return cuMemsetD8Async(p, 1, 16, a.s); });
  edge("edge_none", [](Here& a, CUdeviceptr) { return cuMemsetD8Async(a.own, 1, 16, a.s); });
  // Where the work begins and ends, with another allocation before it: p begins in what the pool keeps.
  for (const std::size_t from_kib : {0, 16384, 32760, 32764, 32768})
    for (const char* kind : {"fill_a_part", "copy_to_host", "kernel_writes"})
      run(("place_" + std::string(kind) + "_" + std::to_string(from_kib)).c_str(), [&] {
        Here a;
        CUdeviceptr p = 0, other = 0;
        C(cuMemAllocAsync(&other, 4096, a.s)), C(cuMemAllocAsync(&p, 64 * kMiB, a.s)), C(cuMemsetD8Async(p, 5, 64 * kMiB, a.s)), C(cuStreamSynchronize(a.s));
        note("other in its 32 MiB", static_cast<long long>(other % (32 * kMiB))), note("p behind other", static_cast<long long>(p - other));
        a.close(), rec("work", work(a, kind, p + from_kib * 1024, 4096)), a.open_later(), C(cuMemFree(p)), a.waited(), C(cuStreamSynchronize(a.s)), C(cuCtxSynchronize());
      });
  // The pool keeps what is freed: the threshold is above it.
  for (const char* kind : {"fill", "kernel_writes", "copy_from"})
    for (const std::size_t kib : {4, 32768, 65536})
      run((std::string(kind) + "_" + std::to_string(kib) + "_threshold").c_str(), [&] {
        Here a;
        CUmemoryPool q = nullptr;
        cuDeviceGetDefaultMemPool(&q, 0);
        std::uint64_t most = ~0ull, held = 0;
        C(cuMemPoolSetAttribute(q, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &most));
        CUdeviceptr p = 0;
        C(cuMemAllocAsync(&p, kib * 1024, a.s)), C(cuMemsetD8Async(p, 5, kib * 1024, a.s)), C(cuStreamSynchronize(a.s));
        a.close(), rec("work", work(a, kind, p, kib * 1024)), a.open_later(), C(cuMemFree(p)), a.waited();
        cuMemPoolGetAttribute(q, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &held), note("MiB held", static_cast<long long>(held / kMiB));
        C(cuStreamSynchronize(a.s)), C(cuCtxSynchronize());
      });
  // A kernel that runs already: it waits for the gate itself, then writes.
  for (const std::size_t kib : {4, 65536})
    for (const bool kept : {false, true})
      run(("running_" + std::to_string(kib) + (kept ? "_kept" : "")).c_str(), [&] {
        Here a;
        CUdeviceptr p = 0, other = 0;
        if (kept) C(cuMemAllocAsync(&other, 4096, a.s));
        C(cuMemAllocAsync(&p, kib * 1024, a.s)), C(cuMemsetD8Async(p, 5, kib * 1024, a.s)), C(cuStreamSynchronize(a.s));
        rec("a kernel", a.launch("await", a.at(0), p)), pause_ms(50), a.open_later(), C(cuMemFree(p)), a.waited();
        C(cuStreamSynchronize(a.s)), C(cuCtxSynchronize());
      });
  // Two pieces of a pool: one freed, work on the other.
  run("work_on_another", [] {
    Here a;
    CUdeviceptr p = 0, other = 0;
    C(cuMemAllocAsync(&p, 64 * kMiB, a.s)), C(cuMemAllocAsync(&other, 64 * kMiB, a.s)), C(cuStreamSynchronize(a.s));
    a.close(), C(cuMemsetD8Async(other, 1, 64 * kMiB, a.s)), a.open_later(), C(cuMemFree(p)), a.waited(), C(cuStreamSynchronize(a.s)), C(cuMemFree(other)), C(cuCtxSynchronize());
  });
  return 0;
}
