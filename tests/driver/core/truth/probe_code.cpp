// What a driver does with code in every form that lesson "Shipping code" shows: bare cubin headers, fatbins, images of the linker, JIT options,
// the cache on disk, lazy and eager loading and what it waits for, and NVRTC's cubins.
//
// Writes below /tmp/driverlab_probe_29 only, and removes it. Needs no files beside it.
// The program that ran on the H100 also printed names of files in the cache; they differ by nature, so their lines are in neither file.
#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <filesystem>

#include "probe.h"

namespace fs = std::filesystem;

static CUresult rec(const std::string& call, CUresult r) { return rec(call.c_str(), r); }
static void run(const std::string& name, const std::function<void()>& f, int timeout_s = 60) { run(name.c_str(), f, timeout_s); }

// One kernel `answer`, which stores the number; and `other`, which does nothing.
static std::string ptx(const std::string& version, const std::string& target, int number) {
  return ".version " + version + "\n.target " + target + "\n.address_size 64\n.visible .entry answer(.param .u64 result) {\n  .reg .b64 %rd<2>;\n  ld.param.u64 %rd1, [result];\n  st.u32 [%rd1], " +
         std::to_string(number) + ";\n  ret;\n}\n.visible .entry other() {\n  ret;\n}\n";
}
static const char* const kSpin = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry spin(.param .u64 ns) {
  .reg .b64 %rd<5>; .reg .pred %p;
  ld.param.u64 %rd1, [ns];
  mov.u64 %rd2, %globaltimer;
again:
  mov.u64 %rd3, %globaltimer;
  sub.u64 %rd4, %rd3, %rd2;
  setp.lt.u64 %p, %rd4, %rd1;
  @%p bra again;
  ret;
}
)";
static const std::string kGood = ptx("7.0", "sm_75", 7);

struct Entry { std::uint16_t kind; std::uint32_t arch; std::string bytes; };
enum class Form { Plain, AsTool };  // headers of 64 bytes; and, for PTX, the 80 bytes that fatbinary 13.0 writes
static std::string fatbin(const std::vector<Entry>& entries, Form form = Form::Plain) {
  std::string body;
  const auto put = [](std::string& to, std::size_t at, auto value) { memcpy(to.data() + at, &value, sizeof value); };
  for (Entry e : entries) {
    e.bytes.resize((e.bytes.size() + 8) / 8 * 8, '\0');
    std::string h(form == Form::AsTool && e.kind == 1 ? 80 : 64, '\0');
    put(h, 0, e.kind); put(h, 2, std::uint16_t{0x0101}); put(h, 4, static_cast<std::uint32_t>(h.size())); put(h, 8, std::uint64_t{e.bytes.size()});
    put(h, 28, e.arch);
    if (form == Form::AsTool) {
      if (e.kind == 1) { put(h, 20, std::uint32_t{64}); put(h, 24, std::uint32_t{0x00070000}); put(h, 64, std::uint64_t{0x48}); }
      else put(h, 24, std::uint32_t{0x00010008});
    }
    put(h, 40, std::uint64_t{0x11});
    body += h + e.bytes;
  }
  std::string image(16, '\0');
  put(image, 0, std::uint32_t{0xBA55ED50}); put(image, 4, std::uint16_t{1}); put(image, 6, std::uint16_t{16}); put(image, 8, std::uint64_t{body.size()});
  return image + body;
}
static std::string elf_header(std::uint8_t osabi, std::uint8_t abiversion, std::uint32_t flags) {
  std::string e(4096, '\0');
  const auto put = [&](std::size_t at, auto value) { memcpy(e.data() + at, &value, sizeof value); };
  memcpy(e.data(), "\177ELF\2\1\1", 7);
  e[7] = static_cast<char>(osabi); e[8] = static_cast<char>(abiversion);
  put(16, std::uint16_t{2}); put(18, std::uint16_t{190}); put(20, std::uint32_t{1}); put(48, flags); put(52, std::uint16_t{64}); put(54, std::uint16_t{56}); put(58, std::uint16_t{64});
  return e;
}
static CUcontext ctx;
static int arch() {
  int major = 0, minor = 0;
  cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0); cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0);
  return major * 10 + minor;
}
static void ready() { C(cuInit(0)); C(make_ctx(&ctx, 0, 0)); note("architecture", arch()); }
// Loads with options, and runs `answer`.
static void load(const std::string& what, const void* image, std::vector<CUjit_option> names = {}, std::vector<std::uint64_t> numbers = {}) {
  CUmodule m = nullptr; CUfunction f = nullptr; CUdeviceptr p = 0; int v = -1, x = -1;
  char log[2048] = "";
  names.insert(names.end(), {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES});
  std::vector<void*> values;
  for (std::uint64_t n : numbers) values.push_back(reinterpret_cast<void*>(n));
  values.insert(values.end(), {log, reinterpret_cast<void*>(sizeof log)});
  const CUresult r = rec(what, cuModuleLoadDataEx(&m, image, static_cast<unsigned>(names.size()), names.data(), values.data()));
  if (*log) note("log", log);
  if (r) return;
  if (cuModuleGetFunction(&f, m, "answer")) return note("no kernel answer", 1);
  cuFuncGetAttribute(&x, CU_FUNC_ATTRIBUTE_PTX_VERSION, f); note("PTX_VERSION", x);
  cuFuncGetAttribute(&x, CU_FUNC_ATTRIBUTE_BINARY_VERSION, f); note("BINARY_VERSION", x);
  cuFuncGetAttribute(&x, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, f); note("CACHE_MODE_CA", x);
  cuMemAlloc(&p, 4); void* args[] = {&p};
  const CUresult launch = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, args, nullptr), copy = cuMemcpyDtoH(&v, p, 4);
  if (launch || copy) rec("launch", launch ? launch : copy);
  note("number", v);
  cuMemFree(p); cuModuleUnload(m);
}
static std::string linked(const std::string& text, std::vector<CUjit_option> names = {}, std::vector<std::uint64_t> numbers = {}) {
  CUlinkState l = nullptr; void* image = nullptr; std::size_t size = 0; char log[2048] = "";
  names.insert(names.end(), {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES});
  std::vector<void*> values;
  for (std::uint64_t n : numbers) values.push_back(reinterpret_cast<void*>(n));
  values.insert(values.end(), {log, reinterpret_cast<void*>(sizeof log)});
  if (C(cuLinkCreate(static_cast<unsigned>(names.size()), names.data(), values.data(), &l))) return "";
  const CUresult added = C(cuLinkAddData(l, CU_JIT_INPUT_PTX, const_cast<char*>(text.c_str()), text.size() + 1, "answer", 0, nullptr, nullptr));
  const CUresult done = added ? added : C(cuLinkComplete(l, &image, &size));
  if (*log) note("log", log);
  std::string copy = done ? "" : std::string(static_cast<char*>(image), size);
  C(cuLinkDestroy(l));
  return copy;
}
static void tell_elf(const std::string& e) {
  if (e.size() < 64 || memcmp(e.data(), "\177ELF", 4) != 0) return note("ELF", 0);
  std::uint16_t machine = 0; std::uint32_t flags = 0; memcpy(&machine, e.data() + 18, 2); memcpy(&flags, e.data() + 48, 4);
  char words[80]; snprintf(words, sizeof words, "machine %u, osabi %u, abiversion %u, flags 0x%08x", machine, static_cast<unsigned char>(e[7]), static_cast<unsigned char>(e[8]), flags);
  note("ELF", words);
}
static float wall_time(const std::string& text, CUresult& r, std::vector<CUjit_option> more = {}, std::vector<std::uint64_t> numbers = {}) {
  CUmodule m = nullptr; float w = -1; std::uint64_t bits = 0; memcpy(&bits, &w, 4);
  more.insert(more.begin(), CU_JIT_WALL_TIME); std::vector<void*> v{reinterpret_cast<void*>(bits)};
  for (std::uint64_t n : numbers) v.push_back(reinterpret_cast<void*>(n));
  r = cuModuleLoadDataEx(&m, text.c_str(), static_cast<unsigned>(more.size()), more.data(), v.data());
  memcpy(&w, v.data(), 4); if (!r) cuModuleUnload(m);
  return w;
}
static void timed(const std::string& what, const std::string& text, std::vector<CUjit_option> more = {}, std::vector<std::uint64_t> numbers = {}) {
  CUresult r; const float w = wall_time(text, r, std::move(more), std::move(numbers)); rec(what, r); note("its wall time", w > 0 ? "positive" : w == 0 ? "0" : "not written");
}
static const std::string kFolder = "/tmp/driverlab_probe_29";
static void fresh_cache() { fs::remove_all(kFolder); fs::create_directory(kFolder); setenv("CUDA_CACHE_PATH", kFolder.c_str(), 1); setenv("CUDA_CACHE_DISABLE", "0", 1); }
static void count_files(const std::string& when) {
  int files = 0;
  if (fs::exists(kFolder)) for (const auto& e : fs::recursive_directory_iterator(kFolder)) if (e.is_regular_file()) ++files;
  note("files in the cache, " + when, files);
}
static const char* state_of(CUfunction f) { CUfunctionLoadingState s{}; const CUresult r = cuFuncIsLoaded(&s, f); return r ? ename(r) : s == CU_FUNCTION_LOADING_STATE_LOADED ? "loaded" : "unloaded"; }

int main() {
  // 1. A bare ELF header that says "cubin of another architecture": 209 is hoped for.
  struct Header { const char* name; std::uint8_t osabi, abi; std::uint32_t flags; };
  for (const Header& h : {Header{"elf_header_13_of_75", 0x41, 8, 0x06004b04}, {"elf_header_13_of_80", 0x41, 8, 0x06005004}, {"elf_header_13_of_90", 0x41, 8, 0x06005a04}, {"elf_header_13_of_120", 0x41, 8, 0x06007804},
                          {"elf_header_12_of_75", 0x33, 7, 0x004b054b}, {"elf_header_12_of_80", 0x33, 7, 0x00500550}, {"elf_header_12_of_90", 0x33, 7, 0x005a055a}, {"elf_header_13_without_flags", 0x41, 8, 0}, {"elf_header_without_all", 0, 0, 0}})
    run(h.name, [&] { ready(); const std::string e = elf_header(h.osabi, h.abi, h.flags); load("a header, then zeros", e.data());
      CUlibrary l; CUkernel k; if (!C(cuLibraryLoadData(&l, e.data(), nullptr, nullptr, 0, nullptr, nullptr, 0))) { C(cuLibraryGetKernel(&k, l, "answer")); C(cuLibraryUnload(l)); } });

  // 2. Fatbins of PTX, made by hand: which text is taken, and what if none fits.
  for (const Form form : {Form::Plain, Form::AsTool}) {
    const std::string suffix = form == Form::Plain ? "" : "_as_the_tool_writes_it";
    const Entry p75{1, 75, ptx("7.0", "sm_75", 75)}, p80{1, 80, ptx("7.0", "sm_80", 80)}, p999{1, 999, ptx("7.0", "sm_999", 999)}, p121{1, 121, ptx("8.8", "sm_121", 121)}, v99{1, 80, ptx("99.0", "sm_80", 99)}, broken{1, 80, ".version 7.0\n.target sm_80\nnonsense\n"};
    const auto one = [&](const char* name, const std::vector<Entry>& all) { run(std::string("fatbin_") + name + suffix, [&] { ready(); const std::string f = fatbin(all, form); load("cuModuleLoadDataEx of the fatbin", f.data());
      CUmodule m; C(cuModuleLoadFatBinary(&m, f.data())); CUlibrary l; CUkernel k; if (!C(cuLibraryLoadData(&l, f.data(), nullptr, nullptr, 0, nullptr, nullptr, 0))) { C(cuLibraryGetKernel(&k, l, "answer")); C(cuLibraryUnload(l)); } }); };
    one("75", {p75}); one("75_80", {p75, p80}); one("80_75", {p80, p75}); one("75_80_999", {p75, p80, p999}); one("121_80_75", {p121, p80, p75}); one("999", {p999}); one("121", {p121});
    one("75_and_80_of_version_99", {p75, v99}); one("80_of_version_99", {v99}); one("75_and_80_broken", {p75, broken}); one("empty", {});
    one("elf_75_that_is_none", {{2, 75, std::string(256, 'x')}}); one("elf_header_75", {{2, 75, elf_header(0x41, 8, 0x06004b04)}}); one("elf_header_75_and_ptx_75", {{2, 75, elf_header(0x41, 8, 0x06004b04)}, p75}); one("elf_header_120_and_ptx_75", {{2, 120, elf_header(0x41, 8, 0x06007804)}, p75});
  }

  // 3. Machine code of this device and PTX in one fatbin: which is taken, and do options and variables change it.
  for (const char* variable : {"", "CUDA_FORCE_PTX_JIT", "CUDA_DISABLE_PTX_JIT", "CUDA_FORCE_JIT", "CUDA_DISABLE_JIT"})
    for (const Form form : {Form::Plain, Form::AsTool})
      run(std::string("cubin_and_ptx") + (form == Form::Plain ? "" : "_as_the_tool_writes_it") + (*variable ? std::string("_") + variable : ""), [&] {
        // The variable is set after the linker has done its work where it would forbid that: so in a child that links first, by another process.
        const std::string file = kFolder + ".cubin";
        const pid_t p = fork();
        if (p == 0) { const int was = dup(1); (void)was; freopen("/dev/null", "w", stdout); cuInit(0); make_ctx(&ctx, 0, 0); const std::string e = linked(ptx("7.0", "sm_75", 1)); FILE* f = fopen(file.c_str(), "wb"); fwrite(e.data(), 1, e.size(), f); fclose(f); _exit(0); }
        waitpid(p, nullptr, 0);
        std::string cubin; { FILE* f = fopen(file.c_str(), "rb"); char part[4096]; if (f) { while (std::size_t n = fread(part, 1, sizeof part, f)) cubin.append(part, n); fclose(f); } remove(file.c_str()); }
        if (*variable) setenv(variable, "1", 1);
        ready(); tell_elf(cubin); const auto mine = static_cast<std::uint32_t>(arch());
        load("the cubin alone", cubin.data()); load("the PTX alone", ptx("7.0", "sm_75", 2).c_str());
        const Entry e{2, mine, cubin}, t{1, 75, ptx("7.0", "sm_75", 2)}, t80{1, 80, ptx("7.0", "sm_80", 3)};
        std::string f = fatbin({e, t}, form); load("cubin, PTX", f.data()); load("cubin, PTX, CU_PREFER_PTX", f.data(), {CU_JIT_FALLBACK_STRATEGY}, {CU_PREFER_PTX}); load("cubin, PTX, CU_PREFER_BINARY", f.data(), {CU_JIT_FALLBACK_STRATEGY}, {CU_PREFER_BINARY});
        f = fatbin({t, e}, form); load("PTX, cubin", f.data()); f = fatbin({t, t80, e}, form); load("PTX 75, PTX 80, cubin", f.data()); f = fatbin({e}, form); load("cubin in a fatbin", f.data());
        f = fatbin({{2, 75, cubin}, t}, form); load("the cubin under a false architecture 75, PTX", f.data());
      });
  run("cubin_of_linker", [] { ready(); std::string e = linked(kGood); tell_elf(e); load("its copy, after cuLinkDestroy", e.data()); std::string bad = e; bad[0] = 'x'; load("first byte changed", bad.data()); bad = e; bad[1] = 'x'; load("second byte changed", bad.data()); });
  // As the lesson does it: bytes 12 to 15 are zero, and each of bytes 48 to 51 that is the architecture becomes 75. 209 is hoped for.
  run("cubin_of_linker_made_foreign", [] { ready(); std::string e = linked(kGood, {}, {}); tell_elf(e); note("bytes 12 to 15 are zero", e.compare(12, 4, std::string(4, '\0')) == 0); e.replace(12, 4, 4, '\0'); for (int at = 48; at < 52; ++at) if (e[at] == arch()) e[at] = 75; tell_elf(e); load("the copy", e.data()); e[0] = 'x'; load("first byte changed", e.data()); });
  run("cubin_of_linker_says_75", [] { ready(); std::string e = linked(kGood); const std::uint32_t f = 0x06004b04; memcpy(e.data() + 48, &f, 4); load("its flags say 7.5", e.data()); });

  // 4. Options that name a target or a strategy.
  for (const unsigned target : {0U, 75U, 80U, 89U, 90U, 100U, 120U, 12345U}) {
    run("jit_target_" + std::to_string(target), [&] { ready(); load("PTX of 75 with CU_JIT_TARGET", kGood.c_str(), {CU_JIT_TARGET}, {target}); });
    run("link_target_" + std::to_string(target), [&] { ready(); const std::string e = linked(kGood, {CU_JIT_TARGET}, {target}); if (e.empty()) return; tell_elf(e); load("what was linked for it", e.data()); });
  }
  run("jit_options", [] { ready(); load("CU_JIT_TARGET_FROM_CUCONTEXT", kGood.c_str(), {CU_JIT_TARGET_FROM_CUCONTEXT}, {0}); load("CU_JIT_TARGET and from context", kGood.c_str(), {CU_JIT_TARGET, CU_JIT_TARGET_FROM_CUCONTEXT}, {static_cast<std::uint64_t>(arch()), 0});
    for (const std::uint64_t s : {0, 1, 9}) load("text with CU_JIT_FALLBACK_STRATEGY " + std::to_string(s), kGood.c_str(), {CU_JIT_FALLBACK_STRATEGY}, {s});
    for (const std::uint64_t s : {0, 1}) { note("link with CU_JIT_FALLBACK_STRATEGY", static_cast<long long>(s)); tell_elf(linked(kGood, {CU_JIT_FALLBACK_STRATEGY}, {s})); } });
  run("jit_cache_mode", [] { fresh_cache(); ready(); for (const std::uint64_t mode : {0, 1, 2, 9}) load("CU_JIT_CACHE_MODE " + std::to_string(mode), kGood.c_str(), {CU_JIT_CACHE_MODE}, {mode});
    const std::string text = ptx("7.0", "sm_75", 1234); for (const std::uint64_t mode : {0, 1, 2, 0, 1, 2}) timed("CU_JIT_CACHE_MODE " + std::to_string(mode), text, {CU_JIT_CACHE_MODE}, {mode}); timed("without it", text); count_files("at the end"); });

  // 5. The cache on disk.
  run("jit_cache", [] { fresh_cache(); ready(); count_files("after cuInit"); timed("a new text", kGood); count_files("after a load"); timed("the same text", kGood); timed("a text with another comment", "// x\n" + kGood); timed("the same again", "// x\n" + kGood); load("and it runs", kGood.c_str()); count_files("at the end"); });
  run("jit_cache_second_process", [] { setenv("CUDA_CACHE_PATH", kFolder.c_str(), 1); setenv("CUDA_CACHE_DISABLE", "0", 1); ready(); timed("the text of the process before", kGood); count_files("at the end"); });
  run("jit_cache_disabled", [] { fresh_cache(); setenv("CUDA_CACHE_DISABLE", "1", 1); ready(); timed("a new text", kGood); timed("the same text", kGood); timed("the same text", kGood); count_files("at the end"); });
  run("jit_cache_set_late", [] { fs::remove_all(kFolder); ready(); fresh_cache(); setenv("CUDA_CACHE_DISABLE", "0", 1); timed("the folder was set after cuInit", ptx("7.0", "sm_75", static_cast<int>(getpid()))); count_files("at the end"); });
  run("jit_cache_of_link_and_cubin", [] { fresh_cache(); ready(); const std::string e = linked(kGood); count_files("after a link"); load("the cubin", e.data()); count_files("after loading the cubin"); });
  fs::remove_all(kFolder);

  // 6. Lazy and eager loading.
  for (const char* mode : {"", "LAZY", "EAGER", "DEFAULT", "late"})
    run(std::string("loading") + (*mode ? std::string("_") + mode : ""), [&] {
      const std::string m = mode; if (m == "LAZY" || m == "EAGER" || m == "DEFAULT") setenv("CUDA_MODULE_LOADING", mode, 1); else unsetenv("CUDA_MODULE_LOADING");
      CUmoduleLoadingMode how{}; C(cuModuleGetLoadingMode(&how)); ready(); if (m == "late") setenv("CUDA_MODULE_LOADING", "EAGER", 1); C(cuModuleGetLoadingMode(&how)); note("mode", how == CU_MODULE_LAZY_LOADING ? "lazy" : how == CU_MODULE_EAGER_LOADING ? "eager" : "?");
      CUmodule mod; CUfunction f[2] = {}, g = nullptr; unsigned n = 0; C(cuModuleLoadData(&mod, kGood.c_str())); C(cuModuleGetFunctionCount(&n, mod)); note("functions", n); C(cuModuleEnumerateFunctions(f, 2, mod));
      const char* name = ""; cuFuncGetName(&name, f[0]); note("the first is", name); cuFuncGetName(&name, f[1]); note("the second is", name);
      note("enumerated", state_of(f[0])); note("enumerated", state_of(f[1])); int regs; C(cuFuncGetAttribute(&regs, CU_FUNC_ATTRIBUTE_NUM_REGS, f[1])); note("after an attribute", state_of(f[1]));
      C(cuFuncLoad(f[0])); note("after cuFuncLoad", state_of(f[0])); note("the other", state_of(f[1])); C(cuModuleGetFunction(&g, mod, "other")); note("after cuModuleGetFunction", state_of(g)); note("the same handle", g == f[0] || g == f[1]); note("first", state_of(f[0])); note("second", state_of(f[1]));
      CUmodule mod2; CUfunction h[2] = {}; C(cuModuleLoadData(&mod2, kGood.c_str())); C(cuModuleEnumerateFunctions(h, 2, mod2)); const char* n0 = ""; cuFuncGetName(&n0, h[0]); CUfunction o = strcmp(n0, "other") == 0 ? h[0] : h[1]; note("other, enumerated", state_of(o)); C(cuLaunchKernel(o, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr)); note("other, launched", state_of(o)); C(cuCtxSynchronize());
      CUlibrary l; CUkernel k, ks[2]; C(cuLibraryLoadData(&l, kGood.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0)); C(cuLibraryEnumerateKernels(ks, 2, l)); C(cuLibraryGetKernel(&k, l, "other")); C(cuKernelGetFunction(&g, k)); note("cuKernelGetFunction", state_of(g)); CUmodule lm; C(cuLibraryGetModule(&lm, l)); C(cuModuleEnumerateFunctions(f, 2, lm)); note("library's module, first", state_of(f[0])); note("library's module, second", state_of(f[1])); C(cuLibraryUnload(l));
      C(cuLibraryLoadData(&l, ptx("99.0", "sm_75", 1).c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0)); C(cuLibraryGetKernelCount(&n, l)); note("kernels of version 99", n); C(cuLibraryGetKernel(&k, l, "answer"));
    });

  // 7. Who waits for running work: a closed gate in a stream (a host thread opens it after 300 ms), or a kernel that spins 300 ms.
  for (const bool eager : {false, true})
    for (const bool kernel : {false, true})
      run(std::string("loading_waits_") + (eager ? "eager_" : "lazy_") + (kernel ? "kernel" : "gate"), [&] {
        setenv("CUDA_MODULE_LOADING", eager ? "EAGER" : "LAZY", 1); ready();
        CUstream s, other; void* pinned; C(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING)); C(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING)); C(cuMemAllocHost(&pinned, 4)); auto* const gate = static_cast<volatile unsigned*>(pinned);
        CUmodule sm; CUfunction spin; C(cuModuleLoadData(&sm, kSpin)); C(cuModuleGetFunction(&spin, sm, "spin")); unsigned long long ns = 1; void* args[] = {&ns}; C(cuLaunchKernel(spin, 1, 1, 1, 1, 1, 1, 0, s, args, nullptr)); C(cuCtxSynchronize());
        const auto test = [&](const char* what, const std::function<CUresult()>& f) {
          *gate = 0; ns = 300000000; std::atomic<bool> begun{false};
          if (kernel) cuLaunchKernel(spin, 1, 1, 1, 1, 1, 1, 0, s, args, nullptr); else cuStreamWaitValue32(s, reinterpret_cast<CUdeviceptr>(pinned), 1, CU_STREAM_WAIT_VALUE_EQ);
          std::thread opener([&] { while (!begun) std::this_thread::yield(); std::this_thread::sleep_for(std::chrono::milliseconds(300)); *gate = 1; });
          const CUresult before = cuStreamQuery(s); begun = true; const CUresult r = f(); const CUresult after = cuStreamQuery(s); opener.join();
          note(what, std::string(after == CUDA_SUCCESS ? "waited, " : "did not wait, ") + ename(r) + (before == CUDA_ERROR_NOT_READY ? "" : ", but the stream was idle before")); cuCtxSynchronize();
        };
        CUmodule m = nullptr, m2 = nullptr; CUfunction f[2] = {}, g = nullptr; CUlibrary l = nullptr, l2 = nullptr; CUkernel k = nullptr, k2 = nullptr; CUlinkState ls = nullptr; void* image; std::size_t size;
        test("cuModuleLoadData", [&] { return cuModuleLoadData(&m, kGood.c_str()); });
        test("cuModuleLoadData of a text that was loaded before", [&] { return cuModuleLoadData(&m2, kGood.c_str()); });
        test("cuModuleEnumerateFunctions", [&] { return cuModuleEnumerateFunctions(f, 2, m); });
        test("cuFuncLoad of an enumerated function", [&] { return cuFuncLoad(f[0]); });
        test("cuModuleGetFunction of the other one", [&] { return cuModuleGetFunction(&g, m, "other"); });
        test("cuModuleGetFunction in the second module", [&] { return cuModuleGetFunction(&g, m2, "other"); });
        test("its first launch, in another stream", [&] { return cuLaunchKernel(g, 1, 1, 1, 1, 1, 1, 0, other, nullptr, nullptr); });
        test("its second launch", [&] { return cuLaunchKernel(g, 1, 1, 1, 1, 1, 1, 0, other, nullptr, nullptr); });
        test("cuLibraryLoadData", [&] { return cuLibraryLoadData(&l, kGood.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0); });
        test("cuLibraryGetKernel", [&] { return cuLibraryGetKernel(&k, l, "other"); });
        test("cuKernelGetFunction, the first in this context", [&] { return cuKernelGetFunction(&g, k); });
        test("first launch of its function", [&] { return cuLaunchKernel(g, 1, 1, 1, 1, 1, 1, 0, other, nullptr, nullptr); });
        test("cuLibraryLoadData again", [&] { return cuLibraryLoadData(&l2, ptx("7.0", "sm_75", 77).c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0); });
        test("cuLibraryGetKernel again", [&] { return cuLibraryGetKernel(&k2, l2, "other"); });
        test("first launch of a CUkernel, in another stream", [&] { return cuLaunchKernel(reinterpret_cast<CUfunction>(k2), 1, 1, 1, 1, 1, 1, 0, other, nullptr, nullptr); });
        test("its second launch", [&] { return cuLaunchKernel(reinterpret_cast<CUfunction>(k2), 1, 1, 1, 1, 1, 1, 0, other, nullptr, nullptr); });
        test("cuLinkCreate", [&] { return cuLinkCreate(0, nullptr, nullptr, &ls); });
        test("cuLinkAddData", [&] { return cuLinkAddData(ls, CU_JIT_INPUT_PTX, const_cast<char*>(kGood.c_str()), kGood.size() + 1, "a", 0, nullptr, nullptr); });
        test("cuLinkComplete", [&] { return cuLinkComplete(ls, &image, &size); });
        test("cuModuleUnload", [&] { return cuModuleUnload(m2); });
        test("cuLibraryUnload", [&] { return cuLibraryUnload(l); });
      }, 120);

  // 8. What decides when both the version and the target are too new.
  run("ptx_too_new_in_two_ways", [] { ready(); load("version 99.0 and target sm_999", ptx("99.0", "sm_999", 1).c_str()); load("target sm_90a on this device", ptx("8.0", "sm_90a", 1).c_str()); load("target sm_80", ptx("7.0", "sm_80", 1).c_str()); load("target sm_90", ptx("7.8", "sm_90", 1).c_str()); load("target sm_50", ptx("7.0", "sm_50", 1).c_str()); load("version 9.0", ptx("9.0", "sm_75", 1).c_str()); });

  // 9. NVRTC, if the machine has it: machine code for this device, and for another.
  run("nvrtc_cubin", [] {
    void* lib = nullptr; for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so", "libnvrtc.so"}) if (!lib) lib = dlopen(name, RTLD_NOW);
    note("NVRTC", lib ? "found" : "none here"); if (!lib) return;
    using Program = void*; auto create = reinterpret_cast<int (*)(Program*, const char*, const char*, int, const char* const*, const char* const*)>(dlsym(lib, "nvrtcCreateProgram")); auto compile = reinterpret_cast<int (*)(Program, int, const char* const*)>(dlsym(lib, "nvrtcCompileProgram"));
    auto cubin_size = reinterpret_cast<int (*)(Program, std::size_t*)>(dlsym(lib, "nvrtcGetCUBINSize")); auto cubin = reinterpret_cast<int (*)(Program, char*)>(dlsym(lib, "nvrtcGetCUBIN")); auto ptx_size = reinterpret_cast<int (*)(Program, std::size_t*)>(dlsym(lib, "nvrtcGetPTXSize"));
    ready();
    for (const std::string& target : {std::string("compute_75"), std::string("sm_75"), std::string("sm_80"), "sm_" + std::to_string(arch())}) {
      Program p = nullptr; const std::string option = "--gpu-architecture=" + target; const char* options[] = {option.c_str()}; std::size_t size = 99, text = 99;
      create(&p, "extern \"C\" __global__ void answer(int* out) { *out = 5; }", "a.cu", 0, nullptr, nullptr); note(option + ": nvrtcCompileProgram", compile(p, 1, options)); note("nvrtcGetCUBINSize", cubin_size(p, &size)); note("size of the cubin", size > 0 ? "positive" : "0"); note("nvrtcGetPTXSize", ptx_size(p, &text)); note("size of the PTX", text > 0 ? "positive" : "0");
      if (size == 0) { char none = 'z'; note("nvrtcGetCUBIN", cubin(p, &none)); continue; }
      std::string e(size, '\0'); cubin(p, e.data()); tell_elf(e); load("the cubin", e.data()); CUlibrary l; CUkernel k; if (!C(cuLibraryLoadData(&l, e.data(), nullptr, nullptr, 0, nullptr, nullptr, 0))) { C(cuLibraryGetKernel(&k, l, "answer")); C(cuLibraryUnload(l)); }
    } });
  return 0;
}
