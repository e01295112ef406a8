// SPDX-License-Identifier: MIT
// Where a kernel's fault is found: calls after a fault that no call has returned, the log, launches that wait
// (CUDA_LAUNCH_BLOCKING), what kernels print, and the settings of core dumps. No kernel runs while core dumps are on;
// probe_core_dumps.cpp does that, because on an H100 in a virtual machine such a process had to be killed.
#include <sys/stat.h>

#include <atomic>

#include "probe.h"

// store(to, value): *to = value;  stop(): trap;  say(value): printf("value %d\n", value);
// say_and_stop(value): prints, then traps;  mark(where, to): *where = 1, then *to = 2.
static const char* const kPtx = R"(
.version 7.0
.target sm_52
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);
.global .align 1 .b8 text[10] = {118,97,108,117,101,32,37,100,10,0};
.visible .entry store(.param .u64 at, .param .u32 value) { .reg .u64 %a; .reg .u32 %v; ld.param.u64 %a, [at]; cvta.to.global.u64 %a, %a; ld.param.u32 %v, [value]; st.global.u32 [%a], %v; ret; }
.visible .entry stop() { trap; }
.visible .entry mark(.param .u64 where, .param .u64 at) { .reg .u64 %a, %w; .reg .u32 %v; ld.param.u64 %w, [where]; ld.param.u64 %a, [at]; mov.u32 %v, 1; st.volatile.u32 [%w], %v; membar.sys; mov.u32 %v, 2; st.u32 [%a], %v; ret; }
.visible .entry say(.param .u32 value) { .local .align 8 .b8 d[8]; .reg .u64 %p, %q, %f; .reg .u32 %v; mov.u64 %q, d; cvta.local.u64 %p, %q; ld.param.u32 %v, [value]; st.local.u32 [%q], %v; mov.u64 %f, text; cvta.global.u64 %f, %f;
 { .param .b64 a; st.param.b64 [a], %f; .param .b64 b; st.param.b64 [b], %p; .param .b32 r; call.uni (r), vprintf, (a, b); } ret; }
.visible .entry say_and_stop(.param .u32 value) { .local .align 8 .b8 d[8]; .reg .u64 %p, %q, %f; .reg .u32 %v; mov.u64 %q, d; cvta.local.u64 %p, %q; ld.param.u32 %v, [value]; st.local.u32 [%q], %v; mov.u64 %f, text; cvta.global.u64 %f, %f;
 { .param .b64 a; st.param.b64 [a], %f; .param .b64 b; st.param.b64 [b], %p; .param .b32 r; call.uni (r), vprintf, (a, b); } trap; }
)";

// In a scenario, stdout and stderr are a file, because the driver writes there too; the results go to `out`.
static FILE* out;
static int said;
static CUresult did(const char* call, CUresult r) {
  fprintf(out, "{\"scenario\":\"%s\",\"step\":%d,\"call\":\"%s\",\"result\":\"%s\",\"code\":%d}\n", scenario.c_str(), ++step, esc(call).c_str(), ename(r), (int)r);
  fflush(out);
  return r;
}
static void saw(const char* what, const std::string& value) {
  fprintf(out, "{\"scenario\":\"%s\",\"step\":%d,\"note\":\"%s\",\"value\":\"%s\"}\n", scenario.c_str(), ++step, esc(what).c_str(), esc(value).c_str());
  fflush(out);
}
static void saw(const char* what, long long value) { saw(what, std::to_string(value)); }
#define D(...) did(#__VA_ARGS__, (__VA_ARGS__))

static CUcontext ctx;
static CUmodule mod;
static CUdeviceptr mem, nowhere = 0;
static int value = 42;
static void* to_nowhere[] = {&nowhere, &value};
static void* to_memory[] = {&mem, &value};
static void* only_value[] = {&value};
static CUfunction fn(const char* k) { CUfunction f = nullptr; cuModuleGetFunction(&f, mod, k); return f; }
static void ready() { D(cuInit(0)); D(make_ctx(&ctx, 0, 0)); D(cuModuleLoadData(&mod, kPtx)); D(cuMemAlloc(&mem, 16)); }
static CUresult go(const char* k, void** p, CUstream s = nullptr) { return cuLaunchKernel(fn(k), 1, 1, 1, 1, 1, 1, 0, s, p, nullptr); }
static void hold(void* flag) { while (!*(std::atomic<bool>*)flag) usleep(1000); }
static void slow(void* flag) { usleep(300000); *(std::atomic<bool>*)flag = true; }
static std::string text() { std::string t(65536, '\0'); ssize_t n = pread(said, t.data(), t.size(), 0); t.resize(n > 0 ? n : 0); return t; }
// The columns of the log that differ from run to run are replaced.
static std::string steady(const std::string& s) {
  std::string o; size_t i = 0; int column = 0;
  while (i < s.size()) {
    if (s[i] == '[' && (o.empty() || o.back() == '\n' || column)) { size_t e = s.find(']', i); if (e == std::string::npos) break; o += column == 0 ? "[time]" : column == 1 ? "[tid]" : s.substr(i, e - i + 1); column++; i = e + 1; continue; }
    column = 0; o += s[i++];
  }
  return o;
}
static std::string head(const char* path) { struct stat s; if (stat(path, &s)) return "none"; return "begins " + slurp(path).substr(0, 21); }

static void once(const char* name, std::function<void()> f, int timeout_s = 60) {
  FILE* file = tmpfile();
  fflush(stdout);
  pid_t p = fork();
  if (p == 0) {
    scenario = name; step = 0;
    out = fdopen(dup(1), "w");
    said = fileno(file);
    setvbuf(stdout, nullptr, _IONBF, 0);
    dup2(said, 1); dup2(said, 2);
    alarm(timeout_s);
    f();
    fflush(out);
    _exit(0);
  }
  int st = 0; waitpid(p, &st, 0);
  if (WIFSIGNALED(st)) printf("{\"scenario\":\"%s\",\"step\":999,\"note\":\"process\",\"value\":\"signal %d\"}\n", name, WTERMSIG(st));
  fflush(stdout);
  fclose(file);
}

static void unseen() {
  once("finding_queue", [] {
    setenv("CUDA_LOG_FILE", "stderr", 1);
    ready();
    CUstream left, right; CUevent e; std::atomic<bool> open{false}; CUdeviceptr more; CUcontext second;
    D(cuStreamCreate(&left, CU_STREAM_NON_BLOCKING)); D(cuStreamCreate(&right, CU_STREAM_NON_BLOCKING)); D(go("store", to_memory, left)); D(go("store", to_memory, right)); D(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    D(cuLaunchHostFunc(left, hold, &open));
    D(go("store", to_nowhere, left)); D(cuEventRecord(e, left)); D(cuStreamWaitEvent(right, e, 0)); D(go("store", to_memory, right));
    open = true;
    D(cuStreamSynchronize(right)); D(cuStreamSynchronize(left)); D(cuEventQuery(e)); D(cuMemAlloc(&more, 16)); D(make_ctx(&second, 0, 0)); D(cuCtxDestroy(ctx));
    saw("stderr", steady(text()));
  });
  once("finding_log_after_fault", [] {
    ready();
    unsigned place = 0; char text[4096] = ""; size_t size = sizeof text; void *cur = nullptr, *dump = nullptr; CUdriverProcAddressQueryResult q;
    D(cuGetProcAddress("cuLogsCurrent", &cur, 12090, 0, &q)); D(cuGetProcAddress("cuLogsDumpToMemory", &dump, 12090, 0, &q));
    if (!cur || !dump) return;
    D(go("store", to_nowhere)); D(cuCtxSynchronize());
    D(((CUresult(*)(unsigned*, unsigned))cur)(&place, 0)); saw("place", place);
    D(cuMemAlloc(&mem, 16));
    D(((CUresult(*)(unsigned*, char*, size_t*, unsigned))dump)(&place, text, &size, 0)); saw("text", steady(text));
    D(cuCtxDestroy(ctx));
  });
  once("finding_destroy", [] { CUcontext second; ready(); D(go("store", to_nowhere)); D(cuCtxDestroy(ctx)); D(make_ctx(&second, 0, 0)); D(cuInit(0)); });
  once("finding_destroy_trap", [] { CUcontext second; ready(); D(go("stop", nullptr)); D(cuCtxDestroy(ctx)); D(make_ctx(&second, 0, 0)); });
  once("finding_unload", [] { ready(); D(go("store", to_nowhere)); D(cuModuleUnload(mod)); D(cuCtxSynchronize()); D(cuCtxDestroy(ctx)); });
  // The same calls long after the fault, which no call has returned.
  once("finding_unload_later", [] { ready(); D(go("store", to_nowhere)); usleep(300000); D(cuModuleUnload(mod)); D(cuModuleLoadData(&mod, kPtx)); D(cuCtxSynchronize()); });
  once("finding_load_later", [] { CUmodule m; ready(); D(go("store", to_nowhere)); usleep(300000); D(cuModuleLoadData(&m, kPtx)); D(cuCtxSynchronize()); });
  once("finding_alloc_later", [] { CUdeviceptr p; ready(); D(go("store", to_nowhere)); usleep(300000); D(cuMemAlloc(&p, 16)); D(cuCtxSynchronize()); });
  once("finding_free_later", [] { ready(); D(go("store", to_nowhere)); usleep(300000); D(cuMemFree(mem)); D(cuCtxSynchronize()); });
  once("finding_launch_later", [] { ready(); D(go("store", to_nowhere)); usleep(300000); D(go("store", to_memory)); D(cuCtxSynchronize()); });
  once("finding_query_later", [] { ready(); D(go("store", to_nowhere)); usleep(300000); D(cuStreamQuery(nullptr)); });
  once("finding_copy_later", [] { int x; ready(); D(go("store", to_nowhere)); usleep(300000); D(cuMemcpyDtoH(&x, mem, 4)); });
  once("finding_create_later", [] { CUcontext c; ready(); D(go("store", to_nowhere)); usleep(300000); D(make_ctx(&c, 0, 0)); D(cuCtxSynchronize()); });
  // A mark in the host's memory, read after the fault.
  once("finding_mark", [] {
    ready();
    unsigned* host = nullptr; D(cuMemHostAlloc((void**)&host, 4, CU_MEMHOSTALLOC_DEVICEMAP)); *host = 0; CUdeviceptr where = (CUdeviceptr)host; void* p[] = {&where, &nowhere};
    D(go("mark", p)); D(cuCtxSynchronize()); saw("mark", *host); D(cuMemFreeHost(host)); D(cuCtxDestroy(ctx));
  });
  once("finding_log_by_address", [] {
    ready();
    static std::string heard; void *reg = nullptr, *un = nullptr, *ear = nullptr; CUdriverProcAddressQueryResult q;
    D(cuGetProcAddress("cuLogsRegisterCallback", &reg, 12090, 0, &q)); saw("status", q); D(cuGetProcAddress("cuLogsUnregisterCallback", &un, 12090, 0, &q)); saw("status", q);
    void* old = (void*)1; D(cuGetProcAddress("cuLogsRegisterCallback", &old, 12080, 0, &q)); saw("status", q); saw("found", old != nullptr);
    if (!reg || !un) return;
    void (*hear)(void*, int, char*, size_t) = [](void*, int, char* m, size_t n) { heard += std::string(m, n) + "|"; };
    did("register", ((CUresult(*)(void*, void*, void**))reg)((void*)hear, nullptr, &ear));
    D(cuLaunchKernel(fn("store"), 0, 1, 1, 1, 1, 1, 0, nullptr, to_memory, nullptr)); D(cuLaunchKernel(fn("store"), 1, 1, 1, 2048, 1, 1, 0, nullptr, to_memory, nullptr)); D(cuLaunchKernel(fn("store"), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr)); D(cuLaunchKernel(fn("store"), 1, 1, 1, 1, 1, 1, 1 << 20, nullptr, to_memory, nullptr));
    did("unregister", ((CUresult(*)(void*))un)(ear)); saw("heard", heard); D(cuCtxDestroy(ctx));
  });
}

static void blocking() {
  auto on = [](const char* v = "1") { setenv("CUDA_LAUNCH_BLOCKING", v, 1); };
  once("launch_blocking", [on] {
    on(); ready();
    D(go("say", only_value)); saw("printed after the launch", text());
    D(go("store", to_memory)); D(go("store", to_nowhere)); D(go("store", to_memory)); D(cuCtxSynchronize()); D(cuCtxDestroy(ctx));
    saw("printed", text());
  });
  once("launch_blocking_stream", [on] { on(); ready(); CUstream s; CUdeviceptr more; D(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING)); D(go("store", to_memory, s)); D(cuStreamQuery(s)); D(go("store", to_nowhere, s)); D(cuMemAlloc(&more, 16)); });
  once("launch_blocking_log", [on] { on(); setenv("CUDA_LOG_FILE", "stderr", 1); ready(); D(go("store", to_nowhere)); saw("stderr", steady(text())); D(go("store", to_memory)); saw("stderr", steady(text())); });
  once("launch_blocking_trap", [on] { on(); ready(); D(go("stop", nullptr)); D(cuCtxSynchronize()); });
  // What a launch waits for.
  once("launch_blocking_order", [on] {
    on(); ready(); CUstream a, b; std::atomic<bool> done{false}; D(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING)); D(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING)); D(go("store", to_memory, b));
    D(cuLaunchHostFunc(a, slow, &done)); D(go("store", to_memory, b)); saw("the other stream has ended", done); D(go("store", to_memory, a)); saw("its own stream has ended", done);
  });
  once("launch_blocking_legacy", [on] {
    on(); ready(); CUstream a; std::atomic<bool> done{false}; D(cuStreamCreate(&a, 0)); D(go("store", to_memory));
    D(cuLaunchHostFunc(a, slow, &done)); D(go("store", to_memory)); saw("the stream before it has ended", done);
  });
  // Other work than launches of kernels.
  once("launch_blocking_other_work", [on] {
    on(); ready(); CUstream a; std::atomic<bool> done{false}; void* host; CUgraph g; CUgraphExec x; D(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING)); D(cuMemAllocHost(&host, 16));
    D(cuMemsetD8Async(mem, 0, 16, a)); D(cuMemcpyHtoDAsync(mem, host, 16, a)); D(cuStreamSynchronize(a));
    D(cuLaunchHostFunc(a, slow, &done)); saw("cuLaunchHostFunc waits", done); D(cuMemcpyHtoDAsync(mem, host, 16, a)); saw("a copy waits", done); D(cuStreamSynchronize(a));
    done = false; D(cuLaunchHostFunc(a, slow, &done)); D(cuMemsetD8Async(mem, 0, 16, a)); saw("a memset waits", done); D(cuStreamSynchronize(a));
    D(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_RELAXED)); D(go("store", to_memory, a)); D(cuStreamEndCapture(a, &g)); D(cuGraphInstantiate(&x, g, 0)); D(cuGraphLaunch(x, a)); D(cuStreamSynchronize(a));
    done = false; D(cuLaunchHostFunc(a, slow, &done)); D(cuGraphLaunch(x, a)); saw("a graph waits", done); D(cuStreamSynchronize(a));
  });
  once("launch_blocking_graph", [on] {
    on(); ready(); CUstream a; CUgraph g; CUgraphExec x; D(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    D(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_RELAXED)); D(go("store", to_nowhere, a)); D(cuStreamEndCapture(a, &g)); D(cuGraphInstantiate(&x, g, 0)); D(cuGraphLaunch(x, a)); D(cuStreamSynchronize(a));
  });
  once("launch_blocking_ex", [on] { on(); ready(); CUlaunchConfig c{}; c.gridDimX = c.gridDimY = c.gridDimZ = c.blockDimX = c.blockDimY = c.blockDimZ = 1; D(cuLaunchKernelEx(&c, fn("store"), to_nowhere, nullptr)); });
  once("launch_blocking_cooperative", [on] { on(); ready(); D(cuLaunchCooperativeKernel(fn("store"), 1, 1, 1, 1, 1, 1, 0, nullptr, to_nowhere)); });
  // Which values mean what, and when the variable is read.
  static const char* const values[][2] = {{"launch_blocking_0", "0"}, {"launch_blocking_2", "2"}, {"launch_blocking_empty", ""}, {"launch_blocking_true", "true"}, {"launch_blocking_01", "01"}};
  for (auto& v : values) once(v[0], [on, v] { on(v[1]); ready(); D(go("store", to_nowhere)); D(cuCtxSynchronize()); });
  once("launch_blocking_after_init", [on] { D(cuInit(0)); on(); D(make_ctx(&ctx, 0, 0)); D(cuModuleLoadData(&mod, kPtx)); D(go("store", to_nowhere)); D(cuCtxSynchronize()); });
  once("launch_blocking_after_create", [on] { ready(); on(); D(go("store", to_nowhere)); D(cuCtxSynchronize()); });
}

static void printing() {
  once("finding_print", [] {
    ready();
    D(go("say", only_value)); usleep(200000); saw("before any call", text());
    D(cuStreamQuery(nullptr)); saw("after cuStreamQuery", text());
    D(cuCtxSynchronize()); saw("after cuCtxSynchronize", text());
    D(go("say", only_value)); usleep(200000); D(go("say", only_value)); saw("after a launch", text());
    D(cuCtxDestroy(ctx)); saw("after cuCtxDestroy", text());
  });
  once("finding_print_waits", [] {
    ready(); CUstream s, t; CUevent e; int x; CUdeviceptr p; CUmodule m; D(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING)); D(cuStreamCreate(&t, CU_STREAM_NON_BLOCKING)); D(cuEventCreate(&e, 0)); D(cuMemAlloc(&p, 16));
    auto again = [s] { int n = text().size(); cuLaunchKernel(fn("say"), 1, 1, 1, 1, 1, 1, 0, s, only_value, nullptr); usleep(200000); return n; };
    int n = again(); D(cuStreamSynchronize(s)); saw("bytes", text().size() - n);
    n = again(); D(cuStreamSynchronize(t)); saw("bytes", text().size() - n);
    n = again(); D(cuEventRecord(e, s)); D(cuEventSynchronize(e)); saw("bytes", text().size() - n);
    n = again(); D(cuMemcpyDtoH(&x, mem, 4)); saw("bytes", text().size() - n);
    n = again(); D(cuMemFree(p)); saw("bytes", text().size() - n);
    n = again(); D(cuModuleLoadData(&m, kPtx)); saw("bytes", text().size() - n);
    n = again(); D(cuModuleUnload(m)); saw("bytes", text().size() - n);
    D(cuCtxSynchronize()); saw("bytes", text().size() - n);
  });
  once("finding_print_then_trap", [] { ready(); D(go("say", only_value)); D(go("say_and_stop", only_value)); D(cuCtxSynchronize()); saw("printed", text()); D(cuCtxSynchronize()); D(cuCtxDestroy(ctx)); saw("printed at the end", text()); });
}

// Settings only; no kernel runs while a dump is enabled.
static void settings() {
  once("finding_dump_settings", [] {
    setenv("CUDA_COREDUMP_GENERATION_FLAGS", "skip_abort,skip_global_memory", 1);
    bool on = true, off = false, v = true; size_t one = 1, four = 4; unsigned flags = 99, none = 0; char path[] = "gpu_core", got[1024] = "#"; size_t length = sizeof path, room = sizeof got; CUcontext before, after;
    D(cuInit(0)); D(make_ctx(&before, 0, 0));
    D(cuCoredumpGetAttributeGlobal(CU_COREDUMP_GENERATION_FLAGS, &flags, &four)); saw("flags", flags); D(cuCoredumpSetAttributeGlobal(CU_COREDUMP_GENERATION_FLAGS, &none, &four));
    D(cuCoredumpSetAttributeGlobal(CU_COREDUMP_FILE, path, &length)); D(cuCoredumpSetAttributeGlobal(CU_COREDUMP_ENABLE_ON_EXCEPTION, &on, &one));
    D(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &v, &one)); saw("the older context", v); D(cuCoredumpGetAttribute(CU_COREDUMP_FILE, got, &room)); saw("its file", got);
    D(make_ctx(&after, 0, 0)); D(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &v, &one)); saw("the newer context", v); D(cuCoredumpGetAttribute(CU_COREDUMP_FILE, got, &room)); saw("its file", got);
    D(cuCoredumpSetAttributeGlobal(CU_COREDUMP_ENABLE_ON_EXCEPTION, &off, &one)); D(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &v, &one)); saw("the newer context", v);
    D(cuCoredumpSetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &off, &one)); D(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &v, &one)); saw("the newer context", v);
    D(cuCtxDestroy(after)); D(cuCtxSetCurrent(before)); D(cuModuleLoadData(&mod, kPtx)); D(cuMemAlloc(&mem, 16)); D(go("store", to_memory)); D(cuCtxSynchronize()); D(cuCtxDestroy(before)); saw("file", head("gpu_core"));
  }, 20);
}

static void more_settings() {
  once("finding_dump_file_name", [] {
    setenv("CUDA_COREDUMP_FILE", "gpu_core", 1); setenv("CUDA_COREDUMP_GENERATION_FLAGS", "skip_abort,skip_nonrelocated_elf_images", 1);
    char file[1024] = "#"; size_t room = sizeof file, one = 1, four = 4; bool on = true; unsigned flags = 0;
    D(cuInit(0)); D(cuCoredumpGetAttributeGlobal(CU_COREDUMP_FILE, file, &room)); saw("file", file); D(cuCoredumpSetAttributeGlobal(CU_COREDUMP_FILE, file, &room)); D(cuCoredumpGetAttributeGlobal(CU_COREDUMP_GENERATION_FLAGS, &flags, &four)); saw("flags", flags);
    D(make_ctx(&ctx, 0, 0)); D(cuModuleLoadData(&mod, kPtx)); D(cuMemAlloc(&mem, 16));
    D(cuCoredumpSetAttributeGlobal(CU_COREDUMP_ENABLE_ON_EXCEPTION, &on, &one)); D(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &on, &one)); saw("the older context", on); D(cuCtxDestroy(ctx));
  }, 20);
  // Calls after a fault that is known, and what the log says of them.
  once("finding_log_of_events", [] {
    ready(); CUevent e, f; float ms; CUlogIterator place = 0; char t[4096] = ""; size_t size = sizeof t; D(cuEventCreate(&e, 0)); D(cuEventCreate(&f, 0)); D(cuEventRecord(e, nullptr)); D(cuEventRecord(f, nullptr));
    D(go("store", to_nowhere)); D(cuCtxSynchronize()); D(cuLogsCurrent(&place, 0));
    D(cuEventSynchronize(e)); D(cuEventElapsedTime(&ms, e, f)); D(cuEventDestroy(e)); D(cuStreamQuery(nullptr)); D(cuModuleUnload(mod));
    D(cuLogsDumpToMemory(&place, t, &size, 0)); saw("text", steady(t));
  });
}

// As a program asks for dumps that is to go on: one setting by the environment. Each of these processes may have to be killed.
static void dumps() {
  for (int variant = 0; variant < 2; variant++) {
    static const char* names[] = {"dump_at_destroy", "dump_at_wait"};
    unlink("gpu_core");
    once(names[variant], [variant] {
      setenv("CUDA_COREDUMP_GENERATION_FLAGS", "skip_abort,skip_global_memory", 1);
      bool on = true; size_t size = 1, length = 9; char path[] = "gpu_core"; unsigned flags = 99; size_t four = 4;
      D(cuInit(0));
      D(cuCoredumpSetAttributeGlobal(CU_COREDUMP_ENABLE_ON_EXCEPTION, &on, &size)); D(cuCoredumpSetAttributeGlobal(CU_COREDUMP_FILE, path, &length));
      D(cuCoredumpGetAttributeGlobal(CU_COREDUMP_GENERATION_FLAGS, &flags, &four)); saw("flags", flags);
      D(make_ctx(&ctx, 0, 0)); D(cuModuleLoadData(&mod, kPtx)); D(cuMemAlloc(&mem, 16));
      on = false; D(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &on, &size)); saw("on", on);
      D(go("store", to_nowhere));
      CUdeviceptr more; if (variant == 1) { D(cuCtxSynchronize()); D(cuMemAlloc(&more, 16)); }
      D(cuCtxDestroy(ctx));
    });
    printf("{\"scenario\":\"%s\",\"step\":1000,\"note\":\"file\",\"value\":\"%s\"}\n", names[variant], esc(head("gpu_core")).c_str());
    fflush(stdout);
    unlink("gpu_core");
  }
}

int main() {
#ifdef CORE_DUMPS
  dumps();
#else
  unseen();
  blocking();
  printing();
  settings();
  more_settings();
#endif
}
