// Seventh round: mipmapped arrays, texture and surface objects, texture references, tensor maps, and what the
// texture units return. Kernels are PTX made here.
#include <cuda.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

static std::string scenario;
static int step = 0;
static std::string esc(const std::string& s) {
  std::string o;
  for (unsigned char c : s) {
    if (c == '"' || c == '\\') { o += '\\'; o += c; }
    else if (c < 32) { char b[8]; snprintf(b, 8, "\\u%04x", c); o += b; }
    else o += c;
  }
  return o;
}
static CUresult rec(const std::string& call, CUresult r) {
  const char* n = nullptr;
  cuGetErrorName(r, &n);
  printf("{\"scenario\":\"%s\",\"step\":%d,\"call\":\"%s\",\"result\":\"%s\",\"code\":%d}\n", scenario.c_str(), ++step, esc(call).c_str(), n ? n : "?", (int)r);
  fflush(stdout);
  return r;
}
static void note(const std::string& what, const std::string& value) {
  printf("{\"scenario\":\"%s\",\"step\":%d,\"note\":\"%s\",\"value\":\"%s\"}\n", scenario.c_str(), ++step, esc(what).c_str(), esc(value).c_str());
  fflush(stdout);
}
static void note(const std::string& what, long long v) { note(what, std::to_string(v)); }
#define C(call) rec(#call, (call))
static void run(const char* name, std::function<void()> f) {
  fflush(stdout);
  pid_t p = fork();
  if (p == 0) { scenario = name; step = 0; alarm(30); f(); fflush(stdout); _exit(0); }
  int st = 0; waitpid(p, &st, 0);
  if (WIFSIGNALED(st)) printf("{\"scenario\":\"%s\",\"step\":999,\"note\":\"process\",\"value\":\"signal %d\"}\n", name, WTERMSIG(st));
  fflush(stdout);
}
static CUcontext context() {
  CUcontext c = nullptr;
  CUctxCreateParams p{};
  if (cuInit(0) || cuCtxCreate(&c, nullptr, 0, 0)) note("no context", "");
  return c;
}
static CUDA_ARRAY3D_DESCRIPTOR d3(size_t w, size_t h, size_t d, CUarray_format f, unsigned ch, unsigned flags = 0) {
  CUDA_ARRAY3D_DESCRIPTOR r{};
  r.Width = w; r.Height = h; r.Depth = d; r.Format = f; r.NumChannels = ch; r.Flags = flags;
  return r;
}
static CUarray array(size_t w, size_t h, size_t d, CUarray_format f, unsigned ch, unsigned flags = 0) {
  auto x = d3(w, h, d, f, ch, flags);
  CUarray a = nullptr;
  CUresult r = cuArray3DCreate(&a, &x);
  if (r) rec("cuArray3DCreate", r);
  return a;
}
static std::string text(const CUDA_ARRAY3D_DESCRIPTOR& d) {
  char b[200];
  snprintf(b, 200, "%zu x %zu x %zu format %d channels %u flags %x", d.Width, d.Height, d.Depth, d.Format, d.NumChannels, d.Flags);
  return b;
}
static CUDA_RESOURCE_DESC of(CUarray a) { CUDA_RESOURCE_DESC r{}; r.resType = CU_RESOURCE_TYPE_ARRAY; r.res.array.hArray = a; return r; }
static CUDA_RESOURCE_DESC of(CUmipmappedArray a) { CUDA_RESOURCE_DESC r{}; r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY; r.res.mipmap.hMipmappedArray = a; return r; }
static CUDA_RESOURCE_DESC linear(CUdeviceptr p, CUarray_format f, unsigned ch, size_t n) {
  CUDA_RESOURCE_DESC r{}; r.resType = CU_RESOURCE_TYPE_LINEAR; r.res.linear.devPtr = p; r.res.linear.format = f; r.res.linear.numChannels = ch; r.res.linear.sizeInBytes = n; return r;
}
static CUDA_RESOURCE_DESC pitch(CUdeviceptr p, CUarray_format f, unsigned ch, size_t w, size_t h, size_t b) {
  CUDA_RESOURCE_DESC r{}; r.resType = CU_RESOURCE_TYPE_PITCH2D; r.res.pitch2D.devPtr = p; r.res.pitch2D.format = f; r.res.pitch2D.numChannels = ch; r.res.pitch2D.width = w; r.res.pitch2D.height = h; r.res.pitch2D.pitchInBytes = b; return r;
}
static CUDA_TEXTURE_DESC tex(CUaddress_mode m = CU_TR_ADDRESS_MODE_CLAMP, CUfilter_mode f = CU_TR_FILTER_MODE_POINT, unsigned flags = 0) {
  CUDA_TEXTURE_DESC t{}; for (auto& a : t.addressMode) a = m; t.filterMode = f; t.flags = flags; return t;
}
static std::string text(const CUDA_RESOURCE_DESC& r, CUdeviceptr base = 0, const void* handle = nullptr) {
  char b[300];
  switch (r.resType) {
    case CU_RESOURCE_TYPE_ARRAY: snprintf(b, 300, "array %s flags %u", (void*)r.res.array.hArray == handle ? "same" : "other", r.flags); break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: snprintf(b, 300, "mipmap %s flags %u", (void*)r.res.mipmap.hMipmappedArray == handle ? "same" : "other", r.flags); break;
    case CU_RESOURCE_TYPE_LINEAR: snprintf(b, 300, "linear +%lld format %d channels %u bytes %zu flags %u", (long long)(r.res.linear.devPtr - base), r.res.linear.format, r.res.linear.numChannels, r.res.linear.sizeInBytes, r.flags); break;
    case CU_RESOURCE_TYPE_PITCH2D: snprintf(b, 300, "pitch2D +%lld format %d channels %u %zu x %zu pitch %zu flags %u", (long long)(r.res.pitch2D.devPtr - base), r.res.pitch2D.format, r.res.pitch2D.numChannels, r.res.pitch2D.width, r.res.pitch2D.height, r.res.pitch2D.pitchInBytes, r.flags); break;
    default: snprintf(b, 300, "type %d", r.resType);
  }
  return b;
}
static std::string text(const CUDA_TEXTURE_DESC& t) {
  char b[400];
  snprintf(b, 400, "address %d %d %d filter %d flags %x aniso %u mip filter %d bias %g clamp %g %g border %g %g %g %g", t.addressMode[0], t.addressMode[1], t.addressMode[2], t.filterMode, t.flags, t.maxAnisotropy, t.mipmapFilterMode, t.mipmapLevelBias, t.minMipmapLevelClamp, t.maxMipmapLevelClamp, t.borderColor[0], t.borderColor[1], t.borderColor[2], t.borderColor[3]);
  return b;
}
static std::string text(const CUDA_RESOURCE_VIEW_DESC& v) {
  char b[300];
  snprintf(b, 300, "format %d %zu x %zu x %zu levels %u-%u layers %u-%u", v.format, v.width, v.height, v.depth, v.firstMipmapLevel, v.lastMipmapLevel, v.firstLayer, v.lastLayer);
  return b;
}
// A try: makes a texture object, and destroys it again.
static CUtexObject attempt(const std::string& what, const CUDA_RESOURCE_DESC& r, const CUDA_TEXTURE_DESC& t, const CUDA_RESOURCE_VIEW_DESC* v = nullptr, bool keep = false) {
  CUtexObject o = 0;
  CUresult e = rec(what, cuTexObjectCreate(&o, &r, &t, v));
  if (e == CUDA_SUCCESS && !keep) { cuTexObjectDestroy(o); o = 0; }
  return o;
}
static void attempt_surface(const std::string& what, const CUDA_RESOURCE_DESC& r) {
  CUsurfObject o = 0;
  if (rec(what, cuSurfObjectCreate(&o, &r)) == CUDA_SUCCESS) cuSurfObjectDestroy(o);
}
static const CUarray_format U8 = CU_AD_FORMAT_UNSIGNED_INT8, U16 = CU_AD_FORMAT_UNSIGNED_INT16, U32 = CU_AD_FORMAT_UNSIGNED_INT32, S8 = CU_AD_FORMAT_SIGNED_INT8, S16 = CU_AD_FORMAT_SIGNED_INT16, S32 = CU_AD_FORMAT_SIGNED_INT32, H = CU_AD_FORMAT_HALF, F = CU_AD_FORMAT_FLOAT;
static const CUaddress_mode WRAP = CU_TR_ADDRESS_MODE_WRAP, CLAMP = CU_TR_ADDRESS_MODE_CLAMP, MIRROR = CU_TR_ADDRESS_MODE_MIRROR, BORDER = CU_TR_ADDRESS_MODE_BORDER;
static const CUfilter_mode POINT = CU_TR_FILTER_MODE_POINT, LINEAR = CU_TR_FILTER_MODE_LINEAR;
static const unsigned NORM = CU_TRSF_NORMALIZED_COORDINATES, INT = CU_TRSF_READ_AS_INTEGER;

// ---- Kernels ---------------------------------------------------------------------------------------------
// A kernel in which each thread reads `inputs` words, runs `body` on %r0, %r1, ... and writes %o0 to %o3. %rd9 is the object.
static std::string kernel(const std::string& name, int inputs, const std::string& body) {
  std::string p = ".visible .entry " + name + "(.param .u64 object, .param .u64 in, .param .u64 out, .param .u32 n) {\n"
    ".reg .b64 %rd<12>; .reg .b32 %r<24>; .reg .b32 %o<8>; .reg .b32 %t<4>; .reg .pred %p<4>; .reg .b16 %h<4>;\n"
    "ld.param.u64 %rd9, [object]; ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u32 %t0, [n];\n"
    "mov.u32 %t1, %ctaid.x; mov.u32 %t2, %ntid.x; mov.u32 %t3, %tid.x; mad.lo.u32 %t1, %t1, %t2, %t3; setp.ge.u32 %p0, %t1, %t0; @%p0 ret;\n"
    "mov.b32 %o0, 0; mov.b32 %o1, 0; mov.b32 %o2, 0; mov.b32 %o3, 0;\n"
    "mul.wide.u32 %rd3, %t1, " + std::to_string(4 * (inputs ? inputs : 1)) + "; add.u64 %rd3, %rd1, %rd3; mul.wide.u32 %rd4, %t1, 16; add.u64 %rd4, %rd2, %rd4;\n";
  for (int i = 0; i < inputs; ++i) p += "ld.global.b32 %r" + std::to_string(i) + ", [%rd3+" + std::to_string(4 * i) + "];\n";
  return p + body + "\nst.global.v4.b32 [%rd4], {%o0, %o1, %o2, %o3};\nret;\n}\n";
}
static const std::string head = ".version 7.8\n.target sm_70\n.address_size 64\n";
static CUfunction load(int inputs, const std::string& body) {
  CUmodule m = nullptr;
  CUfunction f = nullptr;
  const std::string p = head + kernel("k", inputs, body);
  CUresult r = cuModuleLoadData(&m, p.c_str());
  if (!r) r = cuModuleGetFunction(&f, m, "k");
  if (r) rec("load " + body, r);
  return f;
}
// Runs it, and gives the words that it writes; `n` threads.
static std::vector<uint32_t> launch(CUfunction f, unsigned long long object, const std::vector<uint32_t>& in, unsigned n) {
  std::vector<uint32_t> result(4 * n);
  if (!f) return result;
  CUdeviceptr a = 0, b = 0;
  cuMemAlloc(&a, in.size() * 4 + 16); cuMemAlloc(&b, result.size() * 4);
  cuMemsetD8(b, 0xee, result.size() * 4);
  if (!in.empty()) cuMemcpyHtoD(a, in.data(), in.size() * 4);
  void* args[] = {&object, &a, &b, &n};
  CUresult r = cuLaunchKernel(f, (n + 127) / 128, 1, 1, 128, 1, 1, 0, nullptr, args, nullptr);
  if (!r) r = cuCtxSynchronize();
  if (r) { rec("launch", r); return result; }
  cuMemcpyDtoH(result.data(), b, result.size() * 4);
  cuMemFree(a); cuMemFree(b);
  return result;
}
static uint32_t bits(float f) { uint32_t r; memcpy(&r, &f, 4); return r; }
static std::vector<uint32_t> floats(const std::vector<float>& f) { std::vector<uint32_t> r; for (float x : f) r.push_back(bits(x)); return r; }
// The first `of_four` words of each four, in hexadecimal.
static std::string hex(const std::vector<uint32_t>& v, int of_four) {
  std::string s; char b[12];
  for (size_t i = 0; i < v.size(); ++i) if ((int)(i % 4) < of_four) { snprintf(b, 12, "%x ", v[i]); s += b; }
  return s;
}
static uint32_t next_random(uint32_t& s) { s = s * 1664525u + 1013904223u; return s; }
static float random_float(uint32_t& s) { return (float)(next_random(s) >> 8) / 16777216.0f; }
// Fills an array of one or more rows with words, bytes, ... in `bytes`.
static void fill(CUarray a, const void* bytes, size_t row, size_t rows = 1, size_t layers = 1) {
  CUDA_MEMCPY3D c{};
  c.srcMemoryType = CU_MEMORYTYPE_HOST; c.srcHost = bytes; c.srcPitch = row; c.srcHeight = rows;
  c.dstMemoryType = CU_MEMORYTYPE_ARRAY; c.dstArray = a; c.WidthInBytes = row; c.Height = rows; c.Depth = layers;
  CUresult r = cuMemcpy3D(&c);
  if (r) rec("cuMemcpy3D", r);
}
static std::string read_back(CUarray a, size_t row, size_t rows = 1, size_t layers = 1) {
  std::vector<uint8_t> h(row * rows * layers);
  CUDA_MEMCPY3D c{};
  c.dstMemoryType = CU_MEMORYTYPE_HOST; c.dstHost = h.data(); c.dstPitch = row; c.dstHeight = rows;
  c.srcMemoryType = CU_MEMORYTYPE_ARRAY; c.srcArray = a; c.WidthInBytes = row; c.Height = rows; c.Depth = layers;
  CUresult r = cuMemcpy3D(&c);
  if (r) rec("cuMemcpy3D", r);
  std::string s; char b[4];
  for (uint8_t x : h) { snprintf(b, 4, "%02x", x); s += b; }
  return s;
}
static const char* modes[] = {"wrap", "clamp", "mirror", "border"};

int main() {
  // ---- Arrays --------------------------------------------------------------------------------------------
  run("mipmapped_nulls", [] {
    context(); CUmipmappedArray m = nullptr; CUarray a = nullptr; auto d = d3(16, 16, 0, F, 1);
    C(cuMipmappedArrayCreate(nullptr, &d, 1)); C(cuMipmappedArrayCreate(&m, nullptr, 1)); C(cuMipmappedArrayGetLevel(nullptr, nullptr, 0)); C(cuMipmappedArrayGetLevel(&a, nullptr, 0)); C(cuMipmappedArrayDestroy(nullptr));
    C(cuMipmappedArrayCreate(&m, &d, 1)); C(cuMipmappedArrayGetLevel(nullptr, m, 0));
    C(cuMipmappedArrayGetSparseProperties(nullptr, m)); C(cuMipmappedArrayGetMemoryRequirements(nullptr, m, 0));
  });
  run("mipmapped_levels", [] {
    context();
    struct { const char* name; CUDA_ARRAY3D_DESCRIPTOR d; } shapes[] = {
      {"1D 20", d3(20, 0, 0, F, 1)}, {"2D 16x16", d3(16, 16, 0, F, 1)}, {"2D 20x5", d3(20, 5, 0, U8, 4, CUDA_ARRAY3D_SURFACE_LDST)}, {"3D 16x8x4", d3(16, 8, 4, F, 1)},
      {"1D layered", d3(16, 0, 3, F, 1, CUDA_ARRAY3D_LAYERED)}, {"2D layered", d3(16, 8, 3, F, 1, CUDA_ARRAY3D_LAYERED)}, {"cube", d3(16, 16, 6, F, 1, CUDA_ARRAY3D_CUBEMAP)}, {"cube layered", d3(16, 16, 12, F, 1, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED)}, {"gather", d3(16, 16, 0, F, 1, CUDA_ARRAY3D_TEXTURE_GATHER)}, {"depth", d3(16, 16, 0, F, 1, CUDA_ARRAY3D_DEPTH_TEXTURE)}, {"colour", d3(16, 16, 0, F, 1, CUDA_ARRAY3D_COLOR_ATTACHMENT)}, {"three channels", d3(16, 16, 0, F, 3)}, {"zero width", d3(0, 16, 0, F, 1)}, {"unknown flag", d3(16, 16, 0, F, 1, 0x4000)}, {"too wide", d3(1 << 20, 0, 0, F, 1)}, {"2D too wide", d3(40000, 16, 0, F, 1)}, {"2D 20000", d3(20000, 16, 0, U8, 1)}};
    for (auto& s : shapes) for (unsigned n : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 99u}) {
      CUmipmappedArray m = nullptr;
      if (rec(std::string(s.name) + " levels " + std::to_string(n), cuMipmappedArrayCreate(&m, &s.d, n))) continue;
      CUarray first = nullptr, again = nullptr; cuMipmappedArrayGetLevel(&first, m, 0); cuMipmappedArrayGetLevel(&again, m, 0); note("level 0 is the same", first == again);
      for (unsigned l = 0; l < 8; ++l) { CUarray a = nullptr; CUresult r = rec("level " + std::to_string(l), cuMipmappedArrayGetLevel(&a, m, l)); if (r) break; CUDA_ARRAY3D_DESCRIPTOR g{}; if (!C(cuArray3DGetDescriptor(&g, a))) note("descriptor", text(g)); }
      C(cuMipmappedArrayDestroy(m));
    }
  });
  run("mipmapped_level_destroy", [] { context(); CUmipmappedArray m; CUarray a; auto d = d3(16, 16, 0, F, 1); C(cuMipmappedArrayCreate(&m, &d, 3)); C(cuMipmappedArrayGetLevel(&a, m, 1)); C(cuArrayDestroy(a)); C(cuMipmappedArrayGetLevel(&a, m, 1)); CUDA_ARRAY3D_DESCRIPTOR g; C(cuArray3DGetDescriptor(&g, a)); C(cuMipmappedArrayDestroy(m)); });
  run("mipmapped_destroy_twice", [] { context(); CUmipmappedArray m; auto d = d3(16, 16, 0, F, 1); C(cuMipmappedArrayCreate(&m, &d, 3)); C(cuMipmappedArrayDestroy(m)); C(cuMipmappedArrayDestroy(m)); });
  run("mipmapped_level_after_destroy", [] { context(); CUmipmappedArray m; CUarray a; auto d = d3(16, 16, 0, F, 1); C(cuMipmappedArrayCreate(&m, &d, 3)); C(cuMipmappedArrayGetLevel(&a, m, 1)); C(cuMipmappedArrayDestroy(m)); CUDA_ARRAY3D_DESCRIPTOR g; C(cuArray3DGetDescriptor(&g, a)); });
  run("mipmapped_get_after_destroy", [] { context(); CUmipmappedArray m; CUarray a; auto d = d3(16, 16, 0, F, 1); C(cuMipmappedArrayCreate(&m, &d, 3)); C(cuMipmappedArrayDestroy(m)); C(cuMipmappedArrayGetLevel(&a, m, 1)); });
  run("mipmapped_is_no_array", [] { context(); CUmipmappedArray m; auto d = d3(16, 16, 0, F, 1); C(cuMipmappedArrayCreate(&m, &d, 3)); CUDA_ARRAY3D_DESCRIPTOR g; C(cuArray3DGetDescriptor(&g, (CUarray)m)); C(cuArrayDestroy((CUarray)m)); });
  run("array_is_no_mipmapped", [] { context(); CUarray a = array(16, 16, 0, F, 1), l; C(cuMipmappedArrayGetLevel(&l, (CUmipmappedArray)a, 0)); C(cuMipmappedArrayDestroy((CUmipmappedArray)a)); });
  run("mipmapped_other_context", [] { CUcontext a = context(); CUmipmappedArray m; CUarray l; auto d = d3(16, 16, 0, F, 1); C(cuMipmappedArrayCreate(&m, &d, 3)); context(); C(cuMipmappedArrayGetLevel(&l, m, 0)); CUDA_ARRAY_MEMORY_REQUIREMENTS q{}; CUDA_ARRAY_SPARSE_PROPERTIES s{}; C(cuMipmappedArrayGetMemoryRequirements(&q, m, 0)); C(cuMipmappedArrayGetSparseProperties(&s, m)); C(cuCtxDestroy(a)); C(cuMipmappedArrayGetLevel(&l, m, 0)); C(cuMipmappedArrayDestroy(m)); });
  run("mipmapped_no_context", [] { CUcontext a = context(); CUmipmappedArray m, n; CUarray l; auto d = d3(16, 16, 0, F, 1); C(cuMipmappedArrayCreate(&m, &d, 3)); C(cuCtxSetCurrent(nullptr)); C(cuMipmappedArrayCreate(&n, &d, 3)); C(cuMipmappedArrayGetLevel(&l, m, 0)); CUDA_ARRAY_MEMORY_REQUIREMENTS q{}; CUDA_ARRAY_SPARSE_PROPERTIES s{}; C(cuMipmappedArrayGetMemoryRequirements(&q, m, 0)); C(cuMipmappedArrayGetSparseProperties(&s, m)); C(cuMipmappedArrayDestroy(m)); C(cuCtxDestroy(a)); });
  run("mipmapped_not_initialised", [] { CUmipmappedArray m; CUarray a; auto d = d3(16, 16, 0, F, 1); C(cuMipmappedArrayCreate(&m, &d, 3)); C(cuMipmappedArrayGetLevel(&a, nullptr, 0)); C(cuMipmappedArrayDestroy(nullptr)); CUDA_ARRAY_MEMORY_REQUIREMENTS q{}; CUDA_ARRAY_SPARSE_PROPERTIES s{}; C(cuArrayGetMemoryRequirements(&q, nullptr, 0)); C(cuArrayGetSparseProperties(&s, nullptr)); C(cuArrayGetPlane(&a, nullptr, 0)); CUtexObject t; CUsurfObject o; CUDA_RESOURCE_DESC r{}; CUDA_TEXTURE_DESC td{}; C(cuTexObjectCreate(&t, &r, &td, nullptr)); C(cuTexObjectDestroy(1)); C(cuSurfObjectCreate(&o, &r)); C(cuSurfObjectDestroy(1)); C(cuTexObjectGetResourceDesc(&r, 1)); CUtexref x; C(cuTexRefCreate(&x)); C(cuTexRefDestroy(nullptr)); CUtensorMap map; C(cuTensorMapReplaceAddress(&map, nullptr)); });
  run("mipmapped_copies", [] { context(); CUmipmappedArray m; auto d = d3(8, 8, 0, F, 1); C(cuMipmappedArrayCreate(&m, &d, 4)); for (unsigned l = 0; l < 4; ++l) { CUarray a; C(cuMipmappedArrayGetLevel(&a, m, l)); unsigned w = 8 >> l; std::vector<float> v(w * w); for (size_t i = 0; i < v.size(); ++i) v[i] = 100.0f * l + i; fill(a, v.data(), w * 4, w); note("bytes", read_back(a, w * 4, w)); } });
  run("memory_requirements", [] {
    context(); CUDA_ARRAY_MEMORY_REQUIREMENTS q{}; C(cuArrayGetMemoryRequirements(&q, nullptr, 0)); CUarray plain = array(64, 64, 0, F, 1);
    C(cuArrayGetMemoryRequirements(nullptr, plain, 0)); C(cuArrayGetMemoryRequirements(&q, plain, 0)); note("size", q.size); note("alignment", q.alignment); C(cuArrayGetMemoryRequirements(&q, plain, 99)); C(cuArrayGetMemoryRequirements(&q, plain, -1));
    C(cuMipmappedArrayGetMemoryRequirements(&q, nullptr, 0));
    CUDA_ARRAY3D_DESCRIPTOR ds[] = {d3(64, 0, 0, F, 1), d3(64, 64, 0, F, 1), d3(1000, 1000, 0, F, 4), d3(64, 64, 64, U8, 1), d3(64, 64, 5, U8, 4, CUDA_ARRAY3D_LAYERED), d3(64, 64, 6, U8, 4, CUDA_ARRAY3D_CUBEMAP), d3(1, 1, 0, U8, 1), d3(4096, 4096, 0, F, 1)};
    for (auto d : ds) for (unsigned f : {0u, (unsigned)CUDA_ARRAY3D_DEFERRED_MAPPING}) {
      d.Flags |= f; CUarray a = nullptr; if (rec("array " + text(d), cuArray3DCreate(&a, &d))) continue; memset(&q, 0, sizeof q); if (!C(cuArrayGetMemoryRequirements(&q, a, 0))) { note("size", q.size); note("alignment", q.alignment); note("reserved", q.reserved[0] | q.reserved[1] | q.reserved[2] | q.reserved[3]); } C(cuArrayDestroy(a));
      CUmipmappedArray m = nullptr; if (rec("mipmapped " + text(d), cuMipmappedArrayCreate(&m, &d, 1))) continue; memset(&q, 0, sizeof q); if (!C(cuMipmappedArrayGetMemoryRequirements(&q, m, 0))) { note("size", q.size); note("alignment", q.alignment); } C(cuMipmappedArrayDestroy(m));
    }
  });
  run("deferred_mapping", [] { context(); CUarray a = array(64, 64, 0, F, 1, CUDA_ARRAY3D_DEFERRED_MAPPING); CUDA_ARRAY3D_DESCRIPTOR g{}; C(cuArray3DGetDescriptor(&g, a)); note("descriptor", text(g)); char h[256 * 64] = {}; CUDA_MEMCPY2D c{}; c.srcMemoryType = CU_MEMORYTYPE_HOST; c.srcHost = h; c.srcPitch = 256; c.dstMemoryType = CU_MEMORYTYPE_ARRAY; c.dstArray = a; c.WidthInBytes = 256; c.Height = 64; C(cuMemcpy2D(&c)); attempt("texture", of(a), tex()); attempt_surface("surface", of(a)); C(cuArrayDestroy(a)); });
  run("sparse", [] {
    context(); CUDA_ARRAY_SPARSE_PROPERTIES s{}; CUarray plain = array(64, 64, 0, F, 1); C(cuArrayGetSparseProperties(&s, nullptr)); C(cuArrayGetSparseProperties(nullptr, plain)); C(cuArrayGetSparseProperties(&s, plain)); C(cuMipmappedArrayGetSparseProperties(&s, nullptr));
    CUDA_ARRAY3D_DESCRIPTOR ds[] = {d3(64, 0, 0, F, 1), d3(1024, 1024, 0, F, 1), d3(1024, 1024, 0, U8, 1), d3(1024, 1024, 0, U8, 2), d3(1024, 1024, 0, F, 2), d3(1024, 1024, 0, F, 4), d3(256, 256, 64, U8, 1), d3(256, 256, 64, F, 1), d3(256, 256, 64, F, 4), d3(1024, 1024, 5, U8, 4, CUDA_ARRAY3D_LAYERED), d3(1024, 1024, 6, U8, 4, CUDA_ARRAY3D_CUBEMAP)};
    for (auto d : ds) { d.Flags |= CUDA_ARRAY3D_SPARSE; CUarray a = nullptr;
      auto say = [&] { char b[200]; snprintf(b, 200, "tile %u x %u x %u miptail from %u size %llu flags %u", s.tileExtent.width, s.tileExtent.height, s.tileExtent.depth, s.miptailFirstLevel, s.miptailSize, s.flags); note("properties", b); };
      if (!rec("array " + text(d), cuArray3DCreate(&a, &d))) { memset(&s, 0, sizeof s); if (!C(cuArrayGetSparseProperties(&s, a))) say(); C(cuArrayDestroy(a)); }
      for (unsigned n : {1u, 3u, 8u}) { CUmipmappedArray m = nullptr; if (!rec("mipmapped " + std::to_string(n) + " " + text(d), cuMipmappedArrayCreate(&m, &d, n))) { memset(&s, 0, sizeof s); if (!C(cuMipmappedArrayGetSparseProperties(&s, m))) say(); C(cuMipmappedArrayDestroy(m)); } } }
  });
  run("planes", [] {
    context(); CUarray plain = array(64, 64, 0, U8, 1), p = nullptr; C(cuArrayGetPlane(nullptr, plain, 0)); C(cuArrayGetPlane(&p, nullptr, 0)); C(cuArrayGetPlane(&p, plain, 0)); C(cuArrayGetPlane(&p, plain, 1));
    for (CUarray_format f : {CU_AD_FORMAT_NV12, (CUarray_format)0x9f /* P010 */, (CUarray_format)178 /* Y444_PLANAR8 */}) for (unsigned ch : {1u, 2u, 3u}) {
      CUarray a = nullptr; auto d = d3(64, 32, 0, f, ch); if (rec("array " + text(d), cuArray3DCreate(&a, &d))) continue; CUDA_ARRAY3D_DESCRIPTOR g{}; C(cuArray3DGetDescriptor(&g, a)); note("descriptor", text(g));
      for (unsigned i = 0; i < 4; ++i) { CUarray q = nullptr; if (rec("plane " + std::to_string(i), cuArrayGetPlane(&q, a, i))) continue; if (!C(cuArray3DGetDescriptor(&g, q))) note("descriptor", text(g)); }
      C(cuArrayDestroy(a));
    }
  });
  run("block_formats", [] { context(); for (int f : {145, 147, 151, 155, 157}) for (unsigned ch : {1u, 2u, 3u, 4u}) { CUarray a = nullptr; auto d = d3(64, 64, 0, (CUarray_format)f, ch); if (!rec("array " + text(d), cuArray3DCreate(&a, &d))) { CUDA_ARRAY3D_DESCRIPTOR g{}; C(cuArray3DGetDescriptor(&g, a)); note("descriptor", text(g)); attempt("point", of(a), tex()); attempt("linear", of(a), tex(CLAMP, LINEAR)); attempt("integer", of(a), tex(CLAMP, POINT, INT)); C(cuArrayDestroy(a)); } } });

  // ---- Texture objects -----------------------------------------------------------------------------------
  run("texture_nulls", [] {
    context(); CUtexObject o = 0; CUarray a = array(16, 16, 0, F, 1); auto r = of(a); auto t = tex(); C(cuTexObjectCreate(nullptr, &r, &t, nullptr)); C(cuTexObjectCreate(&o, nullptr, &t, nullptr)); C(cuTexObjectCreate(&o, &r, nullptr, nullptr)); C(cuTexObjectCreate(&o, &r, &t, nullptr)); note("not null", o != 0); note("small", o < (1ull << 32));
    CUDA_RESOURCE_DESC g{}; CUDA_TEXTURE_DESC gt{}; CUDA_RESOURCE_VIEW_DESC gv{}; C(cuTexObjectGetResourceDesc(nullptr, o)); C(cuTexObjectGetTextureDesc(nullptr, o)); C(cuTexObjectGetResourceViewDesc(nullptr, o)); C(cuTexObjectGetResourceDesc(&g, o)); note("resource", text(g, 0, a)); C(cuTexObjectGetTextureDesc(&gt, o)); note("texture", text(gt)); C(cuTexObjectGetResourceViewDesc(&gv, o));
    C(cuTexObjectGetResourceDesc(&g, 0)); C(cuTexObjectGetTextureDesc(&gt, 0)); C(cuTexObjectGetResourceViewDesc(&gv, 0)); C(cuTexObjectDestroy(0)); C(cuTexObjectDestroy(o)); C(cuTexObjectGetResourceDesc(&g, o)); C(cuTexObjectDestroy(o));
  });
  run("texture_bad_handle", [] { context(); CUDA_RESOURCE_DESC g; C(cuTexObjectGetResourceDesc(&g, 12345)); C(cuTexObjectDestroy(12345)); C(cuTexObjectDestroy(~0ull)); C(cuSurfObjectDestroy(12345)); });
  run("texture_null_array", [] { context(); attempt("null array", of((CUarray) nullptr), tex()); attempt("null mipmap", of((CUmipmappedArray) nullptr), tex()); attempt("null linear", linear(0, F, 1, 64), tex()); attempt("null pitch", pitch(0, F, 1, 16, 16, 512), tex()); CUDA_RESOURCE_DESC r{}; r.resType = (CUresourcetype)7; attempt("type 7", r, tex()); });
  run("texture_bad_array", [] { context(); attempt("bad array", of((CUarray)0x1234), tex()); });
  run("texture_destroyed_array", [] { context(); CUarray a = array(16, 16, 0, F, 1); C(cuArrayDestroy(a)); attempt("destroyed array", of(a), tex()); });
  run("texture_array_destroyed_later", [] { context(); CUarray a = array(16, 16, 0, F, 1); CUtexObject o = attempt("texture", of(a), tex(), nullptr, true); C(cuArrayDestroy(a)); CUDA_RESOURCE_DESC g{}; C(cuTexObjectGetResourceDesc(&g, o)); C(cuTexObjectDestroy(o)); });
  run("texture_other_context", [] { CUcontext c = context(); CUarray a = array(16, 16, 0, F, 1); CUtexObject o = attempt("texture", of(a), tex(), nullptr, true); context(); attempt("array of another context", of(a), tex()); CUDA_RESOURCE_DESC g{}; C(cuTexObjectGetResourceDesc(&g, o)); CUtexObject mine = 0; CUarray b = array(16, 16, 0, F, 1); auto r = of(b); auto t = tex(); C(cuTexObjectCreate(&mine, &r, &t, nullptr)); note("same number", mine == o); C(cuTexObjectDestroy(o)); C(cuTexObjectDestroy(o)); C(cuCtxSetCurrent(c)); C(cuTexObjectDestroy(o)); });
  run("texture_no_context", [] { context(); CUarray a = array(16, 16, 0, F, 1); CUtexObject o = attempt("texture", of(a), tex(), nullptr, true); C(cuCtxSetCurrent(nullptr)); CUDA_RESOURCE_DESC g{}; CUDA_TEXTURE_DESC t{}; C(cuTexObjectGetResourceDesc(&g, o)); C(cuTexObjectGetTextureDesc(&t, o)); attempt("without context", of(a), tex()); C(cuTexObjectDestroy(o)); C(cuTexObjectCreate(nullptr, nullptr, nullptr, nullptr)); CUsurfObject s; C(cuSurfObjectCreate(&s, nullptr)); C(cuSurfObjectDestroy(1)); });
  run("texture_numbers", [] { context(); CUarray a = array(16, 16, 0, F, 1); auto r = of(a); auto t = tex(); CUtexObject o[4]; for (auto& x : o) cuTexObjectCreate(&x, &r, &t, nullptr); note("steps", std::to_string((long long)(o[1] - o[0])) + " " + std::to_string((long long)(o[2] - o[1]))); CUsurfObject s; CUarray b = array(16, 16, 0, F, 1, CUDA_ARRAY3D_SURFACE_LDST); auto rb = of(b); C(cuSurfObjectCreate(&s, &rb)); note("surface small", s < (1ull << 32)); C(cuTexObjectDestroy(s)); C(cuSurfObjectDestroy(o[0])); C(cuSurfObjectDestroy(s)); C(cuSurfObjectDestroy(s)); });
  run("texture_resource_flags", [] { context(); CUarray a = array(16, 16, 0, F, 1); auto r = of(a); r.flags = 1; attempt("flags 1", r, tex()); r.flags = 0x80; attempt("flags 0x80", r, tex()); r.flags = 0; r.res.reserved.reserved[20] = 5; attempt("reserved not 0", r, tex()); });
  run("texture_fields", [] {
    context(); CUarray a = array(16, 16, 0, F, 1), u = array(16, 16, 0, U8, 1), w = array(16, 16, 0, U32, 1), h = array(16, 16, 0, H, 1), i16 = array(16, 16, 0, S16, 2);
    auto t = tex();
    for (int m = -1; m < 6; ++m) for (unsigned n : {0u, NORM}) { t = tex((CUaddress_mode)m, POINT, n); attempt("address mode " + std::to_string(m) + " flags " + std::to_string(n), of(a), t); }
    for (int d = 0; d < 3; ++d) { t = tex(); t.addressMode[d] = (CUaddress_mode)9; attempt("address mode of dimension " + std::to_string(d), of(a), t); t.addressMode[d] = WRAP; attempt("wrap of dimension " + std::to_string(d), of(a), t); }
    for (int f = -1; f < 4; ++f) { t = tex(CLAMP, (CUfilter_mode)f); attempt("filter " + std::to_string(f), of(a), t); t = tex(); t.mipmapFilterMode = (CUfilter_mode)f; attempt("mip filter " + std::to_string(f), of(a), t); }
    for (unsigned f = 0; f < 12; ++f) { attempt("flag " + std::to_string(1u << f) + " float", of(a), tex(CLAMP, POINT, 1u << f)); attempt("flag " + std::to_string(1u << f) + " u8", of(u), tex(CLAMP, POINT, 1u << f)); }
    for (unsigned f : {0u, INT}) { attempt("linear float " + std::to_string(f), of(a), tex(CLAMP, LINEAR, f)); attempt("linear u8 " + std::to_string(f), of(u), tex(CLAMP, LINEAR, f)); attempt("linear u32 " + std::to_string(f), of(w), tex(CLAMP, LINEAR, f)); attempt("linear half " + std::to_string(f), of(h), tex(CLAMP, LINEAR, f)); attempt("linear s16x2 " + std::to_string(f), of(i16), tex(CLAMP, LINEAR, f)); attempt("point u32 " + std::to_string(f), of(w), tex(CLAMP, POINT, f)); attempt("point half " + std::to_string(f), of(h), tex(CLAMP, POINT, f)); }
    for (unsigned an : {1u, 2u, 16u, 17u, 1000u}) { t = tex(); t.maxAnisotropy = an; attempt("anisotropy " + std::to_string(an), of(a), t); }
    for (float b : {1.0f, -20.0f, 20.0f, NAN, INFINITY}) { t = tex(); t.mipmapLevelBias = b; attempt("bias " + std::to_string(b), of(a), t); t = tex(); t.minMipmapLevelClamp = b; attempt("min clamp " + std::to_string(b), of(a), t); t = tex(); t.maxMipmapLevelClamp = b; attempt("max clamp " + std::to_string(b), of(a), t); t = tex(BORDER); t.borderColor[0] = b; attempt("border " + std::to_string(b), of(a), t); }
    t = tex(); t.minMipmapLevelClamp = 3; t.maxMipmapLevelClamp = 1; attempt("min above max", of(a), t); t = tex(); t.reserved[3] = 1; attempt("reserved", of(a), t);
    t = tex(BORDER, LINEAR, NORM); t.maxAnisotropy = 4; t.mipmapFilterMode = LINEAR; t.mipmapLevelBias = 0.5f; t.minMipmapLevelClamp = 1; t.maxMipmapLevelClamp = 2; t.borderColor[0] = 0.25f; t.borderColor[3] = 7; CUtexObject o = attempt("all fields", of(a), t, nullptr, true); CUDA_TEXTURE_DESC g{}; C(cuTexObjectGetTextureDesc(&g, o)); note("texture", text(g));
    t = tex(MIRROR, POINT); o = attempt("mirror without normalized", of(a), t, nullptr, true); C(cuTexObjectGetTextureDesc(&g, o)); note("texture", text(g));
    t = tex(BORDER, POINT); o = attempt("border without normalized", of(a), t, nullptr, true); C(cuTexObjectGetTextureDesc(&g, o)); note("texture", text(g));
  });
  run("texture_linear", [] {
    context(); CUdeviceptr p; C(cuMemAlloc(&p, 65536)); int al = 0; cuDeviceGetAttribute(&al, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, 0); note("alignment", al); cuDeviceGetAttribute(&al, CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT, 0); note("pitch alignment", al);
    for (size_t off : {1, 4, 16, 32, 64, 128, 256, 512}) attempt("offset " + std::to_string(off), linear(p + off, F, 1, 4096), tex());
    for (size_t n : {0, 1, 3, 4, 5, 6, 65536, 65540}) attempt("bytes " + std::to_string(n), linear(p, F, 1, n), tex());
    for (unsigned ch : {0u, 1u, 2u, 3u, 4u, 5u}) attempt("channels " + std::to_string(ch), linear(p, F, ch, 4096), tex());
    for (int f : {0, 1, 2, 3, 4, 8, 9, 10, 16, 32, 33, 192, 145, 176}) for (unsigned ch : {1u, 4u}) attempt("format " + std::to_string(f) + " channels " + std::to_string(ch), linear(p, (CUarray_format)f, ch, 4096), tex());
    attempt("too many texels", linear(p, U8, 1, (size_t)1 << 30), tex()); attempt("2^28 texels", linear(p, U8, 1, (size_t)1 << 28), tex()); attempt("2^27 texels", linear(p, U8, 1, (size_t)1 << 27), tex()); attempt("2^28 floats", linear(p, F, 1, (size_t)4 << 28), tex()); attempt("2^27 + 1 floats", linear(p, F, 1, ((size_t)4 << 27) + 4), tex());
    attempt("filter", linear(p, F, 1, 4096), tex(CLAMP, LINEAR)); attempt("normalized", linear(p, F, 1, 4096), tex(CLAMP, POINT, NORM)); attempt("wrap", linear(p, F, 1, 4096), tex(WRAP)); attempt("border", linear(p, F, 1, 4096), tex(BORDER)); attempt("integer", linear(p, U8, 1, 4096), tex(CLAMP, POINT, INT)); auto t = tex(); t.maxAnisotropy = 4; attempt("anisotropy", linear(p, F, 1, 4096), t);
    t = tex(WRAP, LINEAR, NORM); CUtexObject o = attempt("all", linear(p + 512, F, 2, 4090), t, nullptr, true); CUDA_RESOURCE_DESC g{}; CUDA_TEXTURE_DESC gt{}; C(cuTexObjectGetResourceDesc(&g, o)); note("resource", text(g, p)); C(cuTexObjectGetTextureDesc(&gt, o)); note("texture", text(gt));
    attempt("host address", linear((CUdeviceptr)&p & ~511ull, F, 1, 4096), tex()); attempt("unknown address", linear(0x100000, F, 1, 4096), tex()); C(cuMemFree(p)); attempt("freed", linear(p, F, 1, 4096), tex());
  });
  run("texture_pitch", [] {
    context(); CUdeviceptr p; C(cuMemAlloc(&p, 1 << 20));
    for (size_t off : {4, 32, 64, 256, 512}) attempt("offset " + std::to_string(off), pitch(p + off, F, 1, 16, 16, 512), tex());
    for (size_t b : {0, 16, 32, 48, 64, 68, 80, 96, 128, 512}) attempt("pitch " + std::to_string(b), pitch(p, F, 1, 16, 16, b), tex());
    for (size_t w : {0, 1, 16, 17}) attempt("width " + std::to_string(w), pitch(p, F, 1, w, 16, 64), tex());
    for (size_t h : {0, 1, 65000, 65001, 65536, 131072, 131073}) attempt("height " + std::to_string(h), pitch(p, U8, 1, 16, h, 32), tex());
    for (size_t w : {65000, 65001, 131072, 131073}) attempt("width " + std::to_string(w), pitch(p, U8, 1, w, 4, 262144), tex());
    for (size_t b : {524288, 2097120, 2097152, 4194304}) attempt("pitch " + std::to_string(b), pitch(p, U8, 1, 16, 1, b), tex());
    for (unsigned ch : {0u, 2u, 3u, 4u}) attempt("channels " + std::to_string(ch), pitch(p, F, ch, 16, 16, 512), tex());
    attempt("filter", pitch(p, F, 1, 16, 16, 512), tex(CLAMP, LINEAR)); attempt("normalized wrap", pitch(p, F, 1, 16, 16, 512), tex(WRAP, LINEAR, NORM)); attempt("u32 linear", pitch(p, U32, 1, 16, 16, 512), tex(CLAMP, LINEAR)); attempt("u8 linear", pitch(p, U8, 1, 16, 16, 512), tex(CLAMP, LINEAR)); attempt("outside of the allocation", pitch(p, F, 1, 16, 1 << 14, 512), tex()); attempt("no memory", pitch(0x100000, F, 1, 16, 16, 512), tex());
    CUtexObject o = attempt("kept", pitch(p + 512, S16, 2, 16, 7, 512), tex(), nullptr, true); CUDA_RESOURCE_DESC g{}; C(cuTexObjectGetResourceDesc(&g, o)); note("resource", text(g, p));
  });
  run("texture_views", [] {
    context(); CUDA_RESOURCE_VIEW_DESC v{}, g{}; CUarray a = array(16, 16, 0, F, 1), layered = array(16, 16, 4, U8, 4, CUDA_ARRAY3D_LAYERED), cube = array(16, 16, 6, F, 1, CUDA_ARRAY3D_CUBEMAP); CUmipmappedArray m; auto d = d3(16, 16, 0, F, 1); C(cuMipmappedArrayCreate(&m, &d, 4));
    attempt("empty view", of(a), tex(), &v); CUdeviceptr p; C(cuMemAlloc(&p, 65536)); attempt("empty view of linear", linear(p, F, 1, 4096), tex(), &v); attempt("empty view of pitch", pitch(p, F, 1, 16, 16, 512), tex(), &v);
    v.width = 16; v.height = 16; attempt("extent, no format", of(a), tex(), &v); for (int f = 0; f < 36; ++f) { v.format = (CUresourceViewFormat)f; attempt("float array as " + std::to_string(f), of(a), tex(), &v); }
    v.format = CU_RES_VIEW_FORMAT_FLOAT_1X32; v.width = 8; attempt("half width", of(a), tex(), &v); v.width = 32; attempt("double width", of(a), tex(), &v); v.width = 16; v.height = 0; attempt("no height", of(a), tex(), &v); v.height = 16; v.depth = 1; attempt("depth 1", of(a), tex(), &v); v.depth = 0;
    v.lastMipmapLevel = 1; attempt("level 1 of an array", of(a), tex(), &v); v.lastMipmapLevel = 0; v.lastLayer = 1; attempt("layer 1 of an array", of(a), tex(), &v); v.lastLayer = 0;
    CUtexObject o = attempt("view", of(a), tex(), &v, true); C(cuTexObjectGetResourceViewDesc(&g, o)); note("view", text(g));
    for (unsigned f = 0; f < 4; ++f) for (unsigned l = 0; l < 5; ++l) { v = {}; v.format = CU_RES_VIEW_FORMAT_FLOAT_1X32; v.width = 16 >> f; v.height = 16 >> f; v.firstMipmapLevel = f; v.lastMipmapLevel = l; attempt("levels " + std::to_string(f) + "-" + std::to_string(l), of(m), tex(CLAMP, POINT, NORM), &v); v.width = v.height = 16; attempt("levels " + std::to_string(f) + "-" + std::to_string(l) + " of full extent", of(m), tex(CLAMP, POINT, NORM), &v); }
    v = {}; v.format = CU_RES_VIEW_FORMAT_UINT_4X8; v.width = 16; v.height = 16; v.depth = 4; attempt("layers 0-0", of(layered), tex(), &v); v.lastLayer = 3; attempt("layers 0-3", of(layered), tex(), &v); v.lastLayer = 4; attempt("layers 0-4", of(layered), tex(), &v); v.firstLayer = 2; v.lastLayer = 1; attempt("layers 2-1", of(layered), tex(), &v); v.firstLayer = 1; v.lastLayer = 2; attempt("layers 1-2", of(layered), tex(), &v); v.depth = 2; attempt("layers 1-2 depth 2", of(layered), tex(), &v); v.depth = 0; attempt("layers 1-2 depth 0", of(layered), tex(), &v);
    v = {}; v.format = CU_RES_VIEW_FORMAT_FLOAT_1X32; v.width = 16; v.height = 16; v.depth = 6; v.lastLayer = 5; attempt("cube", of(cube), tex(), &v); v.lastLayer = 2; attempt("half a cube", of(cube), tex(), &v);
  });
  run("texture_mipmapped", [] {
    context(); CUmipmappedArray m; auto d = d3(16, 16, 0, F, 1); C(cuMipmappedArrayCreate(&m, &d, 4)); attempt("not normalized", of(m), tex()); attempt("normalized", of(m), tex(CLAMP, POINT, NORM)); auto t = tex(WRAP, LINEAR, NORM); t.mipmapFilterMode = LINEAR; t.maxMipmapLevelClamp = 3; CUtexObject o = attempt("trilinear", of(m), t, nullptr, true); CUDA_RESOURCE_DESC g{}; C(cuTexObjectGetResourceDesc(&g, o)); note("resource", text(g, 0, m)); CUarray l; C(cuMipmappedArrayGetLevel(&l, m, 1)); attempt("level", of(l), tex()); attempt_surface("surface of a level", of(l)); attempt_surface("surface of all", of(m)); C(cuMipmappedArrayDestroy(m)); C(cuTexObjectGetResourceDesc(&g, o)); C(cuTexObjectDestroy(o));
  });

  // ---- Surface objects -----------------------------------------------------------------------------------
  run("surface", [] {
    context(); CUsurfObject s = 0; CUarray a = array(16, 16, 0, F, 1, CUDA_ARRAY3D_SURFACE_LDST), plain = array(16, 16, 0, F, 1); auto r = of(a); C(cuSurfObjectCreate(nullptr, &r)); C(cuSurfObjectCreate(&s, nullptr)); C(cuSurfObjectCreate(&s, &r)); CUDA_RESOURCE_DESC g{}; C(cuSurfObjectGetResourceDesc(nullptr, s)); C(cuSurfObjectGetResourceDesc(&g, s)); note("resource", text(g, 0, a)); C(cuSurfObjectGetResourceDesc(&g, 0)); C(cuSurfObjectDestroy(0)); C(cuSurfObjectDestroy(s)); C(cuSurfObjectDestroy(s)); C(cuSurfObjectGetResourceDesc(&g, s));
    attempt_surface("without the flag", of(plain)); attempt_surface("null array", of((CUarray) nullptr)); CUdeviceptr p; C(cuMemAlloc(&p, 65536)); attempt_surface("linear", linear(p, F, 1, 4096)); attempt_surface("pitch", pitch(p, F, 1, 16, 16, 512)); r.flags = 1; attempt_surface("flags 1", r); r = {}; r.resType = (CUresourcetype)9; attempt_surface("type 9", r); CUmipmappedArray m; auto d = d3(16, 16, 0, F, 1, CUDA_ARRAY3D_SURFACE_LDST); C(cuMipmappedArrayCreate(&m, &d, 3)); attempt_surface("mipmapped", of(m)); CUarray l; C(cuMipmappedArrayGetLevel(&l, m, 1)); attempt_surface("level", of(l));
  });
  run("surface_other_context", [] { context(); CUarray a = array(16, 16, 0, F, 1, CUDA_ARRAY3D_SURFACE_LDST); CUsurfObject s = 0; auto r = of(a); C(cuSurfObjectCreate(&s, &r)); context(); CUDA_RESOURCE_DESC g{}; C(cuSurfObjectGetResourceDesc(&g, s)); attempt_surface("array of another context", of(a)); C(cuSurfObjectDestroy(s)); });

  // ---- References ----------------------------------------------------------------------------------------
  run("reference_defaults", [] {
    context(); CUtexref t = nullptr; C(cuTexRefCreate(nullptr)); C(cuTexRefCreate(&t)); CUaddress_mode am; CUfilter_mode fm; CUarray_format f; int n; unsigned u; float x, y, b[4] = {9, 9, 9, 9}; CUarray a = nullptr; CUdeviceptr p; CUmipmappedArray m;
    for (int d = -1; d < 4; ++d) { am = (CUaddress_mode)77; if (!rec("cuTexRefGetAddressMode " + std::to_string(d), cuTexRefGetAddressMode(&am, t, d))) note("mode", am); }
    C(cuTexRefGetFilterMode(&fm, t)); note("filter", fm); C(cuTexRefGetFormat(&f, &n, t)); note("format", f); note("channels", n); C(cuTexRefGetFlags(&u, t)); note("flags", u); C(cuTexRefGetMaxAnisotropy(&n, t)); note("anisotropy", n); C(cuTexRefGetMipmapFilterMode(&fm, t)); note("filter", fm); C(cuTexRefGetMipmapLevelBias(&x, t)); note("bias", std::to_string(x)); C(cuTexRefGetMipmapLevelClamp(&x, &y, t)); note("clamp", std::to_string(x) + " " + std::to_string(y)); C(cuTexRefGetBorderColor(b, t)); note("border", std::to_string(b[0]) + " " + std::to_string(b[3])); C(cuTexRefGetArray(&a, t)); C(cuTexRefGetAddress(&p, t)); C(cuTexRefGetMipmappedArray(&m, t));
    C(cuTexRefGetFormat(nullptr, &n, t)); C(cuTexRefGetFormat(&f, nullptr, t)); C(cuTexRefGetFilterMode(nullptr, t)); C(cuTexRefGetAddressMode(nullptr, t, 0)); C(cuTexRefGetFlags(nullptr, t)); C(cuTexRefGetMaxAnisotropy(nullptr, t)); C(cuTexRefGetMipmapLevelBias(nullptr, t)); C(cuTexRefGetMipmapLevelClamp(nullptr, &y, t)); C(cuTexRefGetMipmapLevelClamp(&x, nullptr, t)); C(cuTexRefGetBorderColor(nullptr, t)); C(cuTexRefGetArray(nullptr, t)); C(cuTexRefGetAddress(nullptr, t)); C(cuTexRefGetMipmappedArray(nullptr, t)); C(cuTexRefGetMipmapFilterMode(nullptr, t));
    C(cuTexRefDestroy(t));
  });
  run("reference_sets", [] {
    context(); CUtexref t = nullptr; C(cuTexRefCreate(&t)); CUaddress_mode am; CUfilter_mode fm; CUarray_format f; int n; unsigned u; float x, y, b[4] = {1, 2, 3, 4}, g[4]; size_t off = 99; CUarray ga; CUdeviceptr p, gp;
    for (int d = -1; d < 4; ++d) for (int m : {-1, 0, 1, 2, 3, 4}) { rec("set address mode " + std::to_string(d) + " " + std::to_string(m), cuTexRefSetAddressMode(t, d, (CUaddress_mode)m)); } C(cuTexRefGetAddressMode(&am, t, 1)); note("mode", am);
    for (int m : {-1, 0, 1, 2}) { rec("set filter " + std::to_string(m), cuTexRefSetFilterMode(t, (CUfilter_mode)m)); rec("set mip filter " + std::to_string(m), cuTexRefSetMipmapFilterMode(t, (CUfilter_mode)m)); } C(cuTexRefGetFilterMode(&fm, t)); note("filter", fm);
    for (int fo : {0, 1, 3, 8, 16, 32, 33, 176, 192}) for (int ch : {0, 1, 2, 3, 4, 5}) rec("set format " + std::to_string(fo) + " " + std::to_string(ch), cuTexRefSetFormat(t, (CUarray_format)fo, ch)); C(cuTexRefGetFormat(&f, &n, t)); note("format", f); note("channels", n);
    for (unsigned fl = 0; fl < 9; ++fl) { rec("set flags " + std::to_string(1u << fl), cuTexRefSetFlags(t, 1u << fl)); C(cuTexRefGetFlags(&u, t)); note("flags", u); }
    for (unsigned an : {0u, 1u, 4u, 16u, 17u}) { rec("set anisotropy " + std::to_string(an), cuTexRefSetMaxAnisotropy(t, an)); C(cuTexRefGetMaxAnisotropy(&n, t)); note("anisotropy", n); }
    C(cuTexRefSetMipmapLevelBias(t, 1.5f)); C(cuTexRefGetMipmapLevelBias(&x, t)); note("bias", std::to_string(x)); C(cuTexRefSetMipmapLevelBias(t, 100.0f)); C(cuTexRefGetMipmapLevelBias(&x, t)); note("bias", std::to_string(x)); C(cuTexRefSetMipmapLevelClamp(t, 1, 2)); C(cuTexRefSetMipmapLevelClamp(t, 3, 1)); C(cuTexRefGetMipmapLevelClamp(&x, &y, t)); note("clamp", std::to_string(x) + " " + std::to_string(y)); C(cuTexRefSetBorderColor(t, nullptr)); C(cuTexRefSetBorderColor(t, b)); C(cuTexRefGetBorderColor(g, t)); note("border", std::to_string(g[0]) + " " + std::to_string(g[3]));
    CUarray a = array(16, 16, 0, U8, 4); C(cuTexRefSetArray(t, a, 0)); C(cuTexRefSetArray(t, a, CU_TRSA_OVERRIDE_FORMAT)); C(cuTexRefSetArray(t, a, 2)); C(cuTexRefSetArray(t, nullptr, 1)); C(cuTexRefGetArray(&ga, t)); note("same", ga == a); C(cuTexRefGetFormat(&f, &n, t)); note("format", f); note("channels", n); C(cuTexRefGetAddress(&gp, t));
    C(cuMemAlloc(&p, 65536)); C(cuTexRefSetAddress(&off, t, p, 4096)); note("offset", off); C(cuTexRefSetAddress(&off, t, p + 4, 4096)); note("offset", off); C(cuTexRefSetAddress(nullptr, t, p, 4096)); C(cuTexRefSetAddress(nullptr, t, p + 4, 4096)); C(cuTexRefGetAddress(&gp, t)); note("offset", (long long)(gp - p)); C(cuTexRefGetArray(&ga, t)); C(cuTexRefSetAddress(&off, t, 0, 0)); C(cuTexRefSetAddress(&off, t, 0x100000, 4096)); C(cuTexRefSetAddress(&off, t, p, 0)); C(cuTexRefSetAddress(&off, t, p, (size_t)1 << 40));
    CUDA_ARRAY_DESCRIPTOR d{16, 16, F, 1}; C(cuTexRefSetAddress2D(t, &d, p, 512)); C(cuTexRefSetAddress2D(t, &d, p, 16)); C(cuTexRefSetAddress2D(t, &d, p, 65)); C(cuTexRefSetAddress2D(t, nullptr, p, 512)); C(cuTexRefSetAddress2D(t, &d, p + 4, 512)); CUmipmappedArray m; auto md = d3(16, 16, 0, F, 1); C(cuMipmappedArrayCreate(&m, &md, 3)); C(cuTexRefSetMipmappedArray(t, m, 0)); C(cuTexRefSetMipmappedArray(t, m, CU_TRSA_OVERRIDE_FORMAT)); CUmipmappedArray gm; C(cuTexRefGetMipmappedArray(&gm, t)); note("same", gm == m); C(cuTexRefGetArray(&ga, t));
    C(cuTexRefDestroy(t));
  });
  run("reference_null", [] { context(); C(cuTexRefDestroy(nullptr)); C(cuTexRefSetFilterMode(nullptr, POINT)); C(cuTexRefSetAddressMode(nullptr, 0, CLAMP)); C(cuTexRefSetFlags(nullptr, 0)); C(cuTexRefSetFormat(nullptr, F, 1)); C(cuTexRefSetArray(nullptr, nullptr, 1)); unsigned u; C(cuTexRefGetFlags(&u, nullptr)); CUarray a; C(cuTexRefGetArray(&a, nullptr)); C(cuSurfRefGetArray(&a, nullptr)); C(cuSurfRefSetArray(nullptr, nullptr, 0)); size_t off; C(cuTexRefSetAddress(&off, nullptr, 0, 0)); });
  run("reference_destroy_twice", [] { context(); CUtexref t; C(cuTexRefCreate(&t)); C(cuTexRefDestroy(t)); C(cuTexRefDestroy(t)); });
  run("reference_no_context", [] { context(); CUtexref t, x; C(cuTexRefCreate(&t)); C(cuCtxSetCurrent(nullptr)); C(cuTexRefCreate(&x)); unsigned u; C(cuTexRefGetFlags(&u, t)); C(cuTexRefSetFlags(t, 0)); C(cuTexRefDestroy(t)); });
  for (const char* version : {".version 3.2\n.target sm_30\n", ".version 7.8\n.target sm_70\n", ".version 8.5\n.target sm_90\n"}) run((std::string("reference_of_module_") + std::string(version).substr(9, 1) + std::string(version).substr(11, 1)).c_str(), [version] {
    context(); CUmodule m = nullptr; std::string p = std::string(version) + ".address_size 64\n.global .texref tr;\n.global .surfref sr;\n.visible .global .align 4 .u32 plain;\n.visible .entry k(.param .u64 out) {\n.reg .b64 %rd<4>; .reg .f32 %f<8>;\nld.param.u64 %rd1, [out];\ntex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [tr, {%r0}];\nst.global.v4.f32 [%rd1], {%f0, %f1, %f2, %f3};\nret;\n}\n"; p.replace(p.find("tex.1d"), 0, ".reg .b32 %r<2>; mov.b32 %r0, 1;\n");
    if (C(cuModuleLoadData(&m, p.c_str()))) return; CUtexref t = nullptr; CUsurfref s = nullptr; C(cuModuleGetTexRef(&t, m, "tr")); C(cuModuleGetTexRef(&t, m, "none")); C(cuModuleGetTexRef(&t, m, "plain")); C(cuModuleGetTexRef(nullptr, m, "tr")); C(cuModuleGetTexRef(&t, m, nullptr)); C(cuModuleGetTexRef(&t, nullptr, "tr")); C(cuModuleGetSurfRef(&s, m, "sr")); C(cuModuleGetSurfRef(&s, m, "tr")); C(cuModuleGetSurfRef(&s, m, "none")); C(cuModuleGetSurfRef(nullptr, m, "sr")); CUdeviceptr g; size_t n; C(cuModuleGetGlobal(&g, &n, m, "tr"));
    if (C(cuModuleGetTexRef(&t, m, "tr"))) return; C(cuTexRefDestroy(t)); CUarray a = array(16, 0, 0, F, 1); float v[16]; for (int i = 0; i < 16; ++i) v[i] = i * 1.5f; fill(a, v, 64); C(cuTexRefSetArray(t, a, 1)); CUfunction f; C(cuModuleGetFunction(&f, m, "k")); CUdeviceptr o; C(cuMemAlloc(&o, 16)); void* args[] = {&o}; C(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, args, nullptr)); C(cuCtxSynchronize()); uint32_t h[4]; C(cuMemcpyDtoH(h, o, 16)); note("read", h[0]);
    if (s) { CUarray b = array(16, 0, 0, F, 1, CUDA_ARRAY3D_SURFACE_LDST), gb = nullptr; C(cuSurfRefGetArray(&gb, s)); C(cuSurfRefSetArray(s, a, 0)); C(cuSurfRefSetArray(s, b, 1)); C(cuSurfRefSetArray(s, b, 0)); C(cuSurfRefGetArray(&gb, s)); note("same", gb == b); C(cuSurfRefSetArray(s, nullptr, 0)); C(cuSurfRefGetArray(nullptr, s)); } CUfunction ff = f; C(cuParamSetTexRef(ff, CU_PARAM_TR_DEFAULT, t)); C(cuParamSetTexRef(ff, 0, t));
  });

  // ---- Tensor maps ---------------------------------------------------------------------------------------
  run("tensor_map_tiled", [] {
    context(); CUdeviceptr p; C(cuMemAlloc(&p, 1 << 20)); alignas(128) CUtensorMap map[2];
    struct T { CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32; cuuint32_t rank = 2; void* address; cuuint64_t dim[6] = {64, 64, 4, 4, 4, 4}; cuuint64_t strides[6] = {256, 16384, 65536, 262144, 1048576, 4194304}; cuuint32_t box[6] = {16, 16, 1, 1, 1, 1}; cuuint32_t el[6] = {1, 1, 1, 1, 1, 1}; int il = 0, sw = 0, l2 = 0, oob = 0; } d; d.address = (void*)p;
    auto go = [&](const std::string& what, T t) { return rec(what, cuTensorMapEncodeTiled(map, t.type, t.rank, t.address, t.dim, t.strides, t.box, t.el, (CUtensorMapInterleave)t.il, (CUtensorMapSwizzle)t.sw, (CUtensorMapL2promotion)t.l2, (CUtensorMapFloatOOBfill)t.oob)); };
#define TRY(what, change) { T t = d; change; go(what, t); }
    go("plain", d); rec("null map", cuTensorMapEncodeTiled(nullptr, d.type, 2, d.address, d.dim, d.strides, d.box, d.el, {}, {}, {}, {})); rec("map at 64", cuTensorMapEncodeTiled((CUtensorMap*)((char*)map + 64), d.type, 2, d.address, d.dim, d.strides, d.box, d.el, {}, {}, {}, {})); rec("map at 32", cuTensorMapEncodeTiled((CUtensorMap*)((char*)map + 32), d.type, 2, d.address, d.dim, d.strides, d.box, d.el, {}, {}, {}, {})); rec("null dims", cuTensorMapEncodeTiled(map, d.type, 2, d.address, nullptr, d.strides, d.box, d.el, {}, {}, {}, {})); rec("null strides", cuTensorMapEncodeTiled(map, d.type, 2, d.address, d.dim, nullptr, d.box, d.el, {}, {}, {}, {})); rec("null strides of rank 1", cuTensorMapEncodeTiled(map, d.type, 1, d.address, d.dim, nullptr, d.box, d.el, {}, {}, {}, {})); rec("null box", cuTensorMapEncodeTiled(map, d.type, 2, d.address, d.dim, d.strides, nullptr, d.el, {}, {}, {}, {})); rec("null element strides", cuTensorMapEncodeTiled(map, d.type, 2, d.address, d.dim, d.strides, d.box, nullptr, {}, {}, {}, {}));
    for (int ty = -1; ty < 18; ++ty) TRY("type " + std::to_string(ty), t.type = (CUtensorMapDataType)ty) for (int ty : {13, 14, 15}) { T t = d; t.type = (CUtensorMapDataType)ty; t.dim[0] = 256; t.box[0] = 128; go("packed type " + std::to_string(ty) + " box 128", t); t.dim[0] = 200; go("packed type dim 200", t); t.dim[0] = 256; t.strides[0] = 240; go("packed type stride 240", t); t.strides[0] = 256; t.address = (void*)(p + 16); go("packed type address + 16", t); t.address = (void*)p; t.sw = 3; go("packed type swizzle 128", t); t.sw = 1; go("packed type swizzle 32", t); t.sw = 4; go("packed type swizzle 4", t); t.sw = 0; t.il = 1; go("packed type interleave", t); t.il = 0; t.oob = 1; go("packed type NaN", t); }
    for (cuuint32_t r : {0, 1, 2, 3, 4, 5, 6}) TRY("rank " + std::to_string(r), t.rank = r)
    for (unsigned o : {1, 8, 16, 32}) TRY("address + " + std::to_string(o), t.address = (void*)(p + o)) TRY("address 0", t.address = nullptr) TRY("host address", t.address = (void*)&d) TRY("unknown address", t.address = (void*)0x100000)
    for (cuuint64_t x : {0ull, 1ull, 15ull, 1ull << 31, 1ull << 32, (1ull << 32) + 1}) { TRY("dim[0] " + std::to_string(x), t.dim[0] = x) TRY("dim[1] " + std::to_string(x), t.dim[1] = x) }
    for (cuuint64_t x : {0ull, 8ull, 16ull, 24ull, 32ull, 64ull, 240ull, 255ull, 272ull, 1ull << 39, (1ull << 40) - 16, 1ull << 40}) TRY("stride " + std::to_string(x), t.strides[0] = x) TRY("second stride below the first", t.rank = 3; t.strides[1] = 256) TRY("second stride 1024", t.rank = 3; t.strides[1] = 1024)
    for (cuuint32_t x : {0u, 1u, 2u, 3u, 4u, 5u, 8u, 64u, 65u, 128u, 256u, 257u}) { TRY("box[0] " + std::to_string(x), t.box[0] = x) TRY("box[1] " + std::to_string(x), t.box[1] = x) TRY("box[0] of u8 " + std::to_string(x), t.box[0] = x; t.type = CU_TENSOR_MAP_DATA_TYPE_UINT8) }
    TRY("box 256 x 256", t.box[0] = 256; t.box[1] = 256) TRY("box too large for shared memory", t.rank = 3; t.dim[0] = 256; t.dim[1] = 256; t.box[0] = 256; t.box[1] = 256; t.box[2] = 4) TRY("box larger than the tensor", t.box[0] = 128)
    for (cuuint32_t x : {0u, 1u, 2u, 8u, 9u, 16u}) { TRY("element stride[0] " + std::to_string(x), t.el[0] = x) TRY("element stride[1] " + std::to_string(x), t.el[1] = x) }
    for (int il = -1; il < 4; ++il) for (cuuint32_t r : {2u, 3u}) TRY("interleave " + std::to_string(il) + " rank " + std::to_string(r), t.il = il; t.rank = r) for (int il : {1, 2}) for (int sw : {0, 1, 2, 3}) TRY("interleave " + std::to_string(il) + " swizzle " + std::to_string(sw) + " rank 3", t.il = il; t.rank = 3; t.sw = sw; t.box[0] = 4) TRY("interleave 32B address + 16", t.il = 2; t.rank = 3; t.sw = 1; t.address = (void*)(p + 16)) TRY("interleave 32B stride 272", t.il = 2; t.rank = 3; t.sw = 1; t.strides[0] = 272)
    for (int sw = -1; sw < 8; ++sw) for (cuuint32_t b : {4u, 8u, 16u, 32u, 64u}) TRY("swizzle " + std::to_string(sw) + " box " + std::to_string(b), t.sw = sw; t.box[0] = b)
    for (int l = -1; l < 5; ++l) TRY("L2 " + std::to_string(l), t.l2 = l) for (int o = -1; o < 3; ++o) { TRY("fill " + std::to_string(o), t.oob = o) TRY("fill of u8 " + std::to_string(o), t.oob = o; t.type = CU_TENSOR_MAP_DATA_TYPE_UINT8) TRY("fill of f64 " + std::to_string(o), t.oob = o; t.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT64; t.strides[0] = 512) TRY("fill of bf16 " + std::to_string(o), t.oob = o; t.type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16) }
    go("plain", d); C(cuTensorMapReplaceAddress(map, (void*)(p + 256))); C(cuTensorMapReplaceAddress(map, (void*)(p + 8))); C(cuTensorMapReplaceAddress(map, nullptr)); C(cuTensorMapReplaceAddress(nullptr, (void*)p)); rec("replace in a map at 64", cuTensorMapReplaceAddress((CUtensorMap*)((char*)map + 64), (void*)p)); CUtensorMap first = map[0]; T t = d; t.address = (void*)(p + 256); go("plain + 256", t); C(cuTensorMapReplaceAddress(map, (void*)p)); go("plain", d); CUtensorMap second = map[0]; C(cuTensorMapReplaceAddress(map, (void*)(p + 256))); note("same bytes", memcmp(map, &first, 128) == 0 || memcmp(&second, map, 128) != 0); memset(map, 0, 128); rec("replace in an empty map", cuTensorMapReplaceAddress(map, (void*)p)); t = d; t.il = 2; t.rank = 3; t.sw = 1; go("interleave 32B", t); rec("replace by + 16", cuTensorMapReplaceAddress(map, (void*)(p + 16)));
    C(cuCtxSetCurrent(nullptr)); go("no context", d); C(cuTensorMapReplaceAddress(map, (void*)p));
  });
  run("tensor_map_bytes", [] { context(); alignas(128) CUtensorMap map; cuuint64_t dim[5] = {64, 32, 8, 4, 2}, st[5] = {256, 8192, 65536, 262144}; cuuint32_t box[5] = {16, 8, 4, 2, 1}, el[5] = {1, 1, 1, 1, 1}; for (cuuint32_t r = 1; r < 6; ++r) { CUresult e = cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, r, (void*)0x7f0012345600, dim, st, box, el, {}, CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, {}); rec("rank " + std::to_string(r), e); if (!e) { std::string s; char b[20]; for (auto q : map.opaque) { snprintf(b, 20, "%llx ", (unsigned long long)q); s += b; } note("opaque", s); } } });
  run("tensor_map_not_initialised", [] { alignas(128) CUtensorMap map; cuuint64_t dim[2] = {64, 64}, st[1] = {256}; cuuint32_t box[2] = {16, 16}, el[2] = {1, 1}; rec("before cuInit", cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void*)0x10000, dim, st, box, el, {}, {}, {}, {})); C(cuInit(0)); rec("without context", cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void*)0x10000, dim, st, box, el, {}, {}, {}, {})); });
  run("tensor_map_im2col", [] {
    context(); CUdeviceptr p; C(cuMemAlloc(&p, 1 << 20)); alignas(128) CUtensorMap map[2];
    struct T { CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT16; cuuint32_t rank = 4; void* address; cuuint64_t dim[6] = {64, 16, 16, 4, 4, 4}; cuuint64_t strides[6] = {128, 2048, 32768, 131072, 524288}; int lo[5] = {-1, -1, -1, -1, -1}, hi[5] = {-1, -1, -1, -1, -1}; cuuint32_t channels = 64, pixels = 64, el[6] = {1, 1, 1, 1, 1, 1}; int il = 0, mode = 0, sw = 0, l2 = 0, oob = 0; } d; d.address = (void*)p;
    auto go = [&](const std::string& what, T t) { return rec(what, cuTensorMapEncodeIm2col(map, t.type, t.rank, t.address, t.dim, t.strides, t.lo, t.hi, t.channels, t.pixels, t.el, (CUtensorMapInterleave)t.il, (CUtensorMapSwizzle)t.sw, (CUtensorMapL2promotion)t.l2, (CUtensorMapFloatOOBfill)t.oob)); };
    go("plain", d); rec("null map", cuTensorMapEncodeIm2col(nullptr, d.type, 4, d.address, d.dim, d.strides, d.lo, d.hi, 64, 64, d.el, {}, {}, {}, {})); rec("null corner", cuTensorMapEncodeIm2col(map, d.type, 4, d.address, d.dim, d.strides, nullptr, d.hi, 64, 64, d.el, {}, {}, {}, {})); rec("null upper corner", cuTensorMapEncodeIm2col(map, d.type, 4, d.address, d.dim, d.strides, d.lo, nullptr, 64, 64, d.el, {}, {}, {}, {}));
    for (cuuint32_t r : {0, 1, 2, 3, 4, 5, 6}) TRY("rank " + std::to_string(r), t.rank = r) for (cuuint32_t x : {0u, 1u, 4u, 7u, 8u, 128u, 256u, 257u}) TRY("channels " + std::to_string(x), t.channels = x) for (cuuint32_t x : {0u, 1u, 256u, 1024u, 1025u}) TRY("pixels " + std::to_string(x), t.pixels = x)
    for (int x : {-32769, -32768, -129, -128, -17, 0, 1, 127, 128, 32767, 32768}) { TRY("rank 3 lower " + std::to_string(x), t.rank = 3; t.lo[0] = x) TRY("rank 4 lower " + std::to_string(x), t.lo[0] = x) TRY("rank 5 lower " + std::to_string(x), t.rank = 5; t.lo[0] = x) TRY("rank 3 upper " + std::to_string(x), t.rank = 3; t.hi[0] = x) TRY("rank 4 upper " + std::to_string(x), t.hi[0] = x) TRY("rank 5 upper " + std::to_string(x), t.rank = 5; t.hi[0] = x) }
    for (int sw = -1; sw < 7; ++sw) for (cuuint32_t c : {16u, 32u, 64u, 128u}) TRY("swizzle " + std::to_string(sw) + " channels " + std::to_string(c), t.sw = sw; t.channels = c) for (int il : {1, 2, 3}) for (int sw : {0, 1}) TRY("interleave " + std::to_string(il) + " swizzle " + std::to_string(sw), t.il = il; t.sw = sw; t.channels = 8)
    auto wide = [&](const std::string& what, T t) { return rec(what, cuTensorMapEncodeIm2colWide(map, t.type, t.rank, t.address, t.dim, t.strides, t.lo[0], t.hi[0], t.channels, t.pixels, t.el, (CUtensorMapInterleave)t.il, (CUtensorMapIm2ColWideMode)t.mode, (CUtensorMapSwizzle)t.sw, (CUtensorMapL2promotion)t.l2, (CUtensorMapFloatOOBfill)t.oob)); };
    for (int m : {-1, 0, 1, 2}) { T t = d; t.mode = m; wide("wide mode " + std::to_string(m), t); t.sw = 3; wide("wide mode swizzle 128 " + std::to_string(m), t); t.rank = 3; wide("wide rank 3 " + std::to_string(m), t); }
    rec("wide null map", cuTensorMapEncodeIm2colWide(nullptr, d.type, 4, d.address, d.dim, d.strides, 0, 0, 64, 64, d.el, {}, {}, {}, {}, {}));
  });

  // ---- Reads ---------------------------------------------------------------------------------------------
  run("read_formats", [] {
    context(); CUfunction ff = load(1, "tex.1d.v4.f32.s32 {%o0,%o1,%o2,%o3}, [%rd9, {%r0}];"), fu = load(1, "tex.1d.v4.u32.s32 {%o0,%o1,%o2,%o3}, [%rd9, {%r0}];"); std::vector<uint32_t> xs; for (int i = -2; i < 18; ++i) xs.push_back(i);
    uint8_t raw[256]; for (int i = 0; i < 256; ++i) raw[i] = (uint8_t)(i * 37 + 11 + (i >> 2) * 5); for (int i = 0; i < 256; i += 4) { float x = (i - 100) * 0.37f; if (i % 3 == 0) memcpy(raw + i, &x, 4); }
    for (CUarray_format f : {U8, S8, U16, S16, U32, S32, H, F, (CUarray_format)192, (CUarray_format)198, (CUarray_format)195, (CUarray_format)201}) for (unsigned ch : {1u, 2u, 4u}) {
      unsigned size = (f == U8 || f == S8 || f == 192 || f == 198 ? 1 : f == U16 || f == S16 || f == H || f == 195 || f == 201 ? 2 : 4) * ch; if (f >= 192 && ch != 1) continue; CUarray a = array(16, 0, 0, f, ch); if (!a) continue; fill(a, raw, 16 * size);
      for (unsigned fl : {0u, INT}) { std::string n = "format " + std::to_string(f) + " x" + std::to_string(ch) + " flags " + std::to_string(fl); CUtexObject o = attempt(n, of(a), tex(CLAMP, POINT, fl), nullptr, true); if (!o) continue; note("f32", hex(launch(ff, o, xs, xs.size()), 4)); note("u32", hex(launch(fu, o, xs, xs.size()), 4)); }
      CUdeviceptr p; cuMemAlloc(&p, 4096); cuMemcpyHtoD(p, raw, 16 * size); CUtexObject o = attempt("linear", linear(p, f, ch, 16 * size), tex(CLAMP, POINT, f == F || f == H ? 0 : INT), nullptr, true); if (o) note("linear", hex(launch(fu, o, xs, xs.size()), 4)); cuMemFree(p);
    }
  });
  run("read_all_bytes", [] {
    context(); CUfunction ff = load(1, "tex.1d.v4.f32.s32 {%o0,%o1,%o2,%o3}, [%rd9, {%r0}];"); std::vector<uint32_t> xs; for (int i = 0; i < 256; ++i) xs.push_back(i); uint8_t raw[256]; for (int i = 0; i < 256; ++i) raw[i] = i; std::vector<uint16_t> r16(256); for (int i = 0; i < 256; ++i) r16[i] = i * 257 + (i * 31 & 255);
    for (CUarray_format f : {U8, S8}) { CUarray a = array(256, 0, 0, f, 1); fill(a, raw, 256); note("normalized 8", hex(launch(ff, attempt("texture", of(a), tex(), nullptr, true), xs, 256), 1)); }
    for (CUarray_format f : {U16, S16, H}) { CUarray a = array(256, 0, 0, f, 1); fill(a, r16.data(), 512); note("normalized 16", hex(launch(ff, attempt("texture", of(a), tex(), nullptr, true), xs, 256), 1)); }
    CUarray a = array(64, 0, 0, U8, 4); fill(a, raw, 256); xs.resize(64); CUtexObject o = attempt("sRGB", of(a), tex(CLAMP, POINT, CU_TRSF_SRGB), nullptr, true); if (o) note("sRGB", hex(launch(ff, o, xs, 64), 4));
  });
  run("read_1d", [] {
    context(); CUfunction k = load(1, "tex.1d.v4.f32.f32 {%o0,%o1,%o2,%o3}, [%rd9, {%r0}];"); CUarray a = array(8, 0, 0, F, 1); float v[8] = {0, 1, 10, 100, 1000, 10000, -5, 0.3f}; fill(a, v, 32);
    std::vector<float> xs; for (int i = -40; i < 112; ++i) xs.push_back(i / 8.0f); for (float x : {-0.0f, 0.9999999f, 7.9999995f, 8.0f, 1e9f, -1e9f, 1e38f, INFINITY, -INFINITY, NAN, 0.4999999f, 0.5f, 1.00001f, 2147483648.0f, 4294967296.0f}) xs.push_back(x);
    for (int m = 0; m < 4; ++m) for (unsigned n : {0u, NORM}) for (CUfilter_mode fm : {POINT, LINEAR}) { auto t = tex((CUaddress_mode)m, fm, n); t.borderColor[0] = 77; t.borderColor[1] = 3; std::vector<float> c = xs; if (n) for (auto& x : c) x /= 8; CUtexObject o = attempt(std::string(modes[m]) + " flags " + std::to_string(n) + " filter " + std::to_string(fm), of(a), t, nullptr, true); if (o) note("read", hex(launch(k, o, floats(c), c.size()), 1)); }
  });
  run("read_odd_width", [] { context(); CUfunction k = load(1, "tex.1d.v4.f32.f32 {%o0,%o1,%o2,%o3}, [%rd9, {%r0}];"); uint32_t s = 7; for (unsigned w : {3u, 7u, 100u}) { CUarray a = array(w, 0, 0, F, 1); std::vector<float> v(w); for (unsigned i = 0; i < w; ++i) v[i] = i; fill(a, v.data(), 4 * w); std::vector<float> xs; for (int i = 0; i < 200; ++i) xs.push_back(random_float(s) * 5 - 2); for (CUaddress_mode m : {WRAP, CLAMP, MIRROR, BORDER}) for (CUfilter_mode f : {POINT, LINEAR}) { CUtexObject o = attempt(std::string("width ") + std::to_string(w) + " " + modes[m], of(a), tex(m, f, NORM), nullptr, true); note("read", hex(launch(k, o, floats(xs), xs.size()), 1)); } } });
  run("weights", [] {
    context(); CUfunction k = load(1, "tex.1d.v4.f32.f32 {%o0,%o1,%o2,%o3}, [%rd9, {%r0}];"); CUarray a = array(8, 0, 0, F, 1); float v[8] = {0, 1, 0, 1, 2, 4, 0, 0}; fill(a, v, 32); CUtexObject o = attempt("texture", of(a), tex(CLAMP, LINEAR), nullptr, true); std::vector<float> xs; for (int i = 0; i <= 1024; ++i) xs.push_back(0.5f + i / 1024.0f); note("1024 steps", hex(launch(k, o, floats(xs), xs.size()), 1)); for (auto& x : xs) x += 1; note("falling", hex(launch(k, o, floats(xs), xs.size()), 1)); xs.clear(); uint32_t s = 3; for (int i = 0; i < 300; ++i) xs.push_back(8 * random_float(s)); note("random", hex(launch(k, o, floats(xs), xs.size()), 1));
    float w[8]; for (auto& x : w) x = (random_float(s) - 0.5f) * 1000; fill(a, w, 32); note("random values", hex(launch(k, o, floats(xs), xs.size()), 1)); float q[8] = {1e30f, 1, -1e30f, 3e38f, 3e38f, INFINITY, NAN, 1e-40f}; fill(a, q, 32); note("extremes", hex(launch(k, o, floats(xs), xs.size()), 1));
    for (CUarray_format f : {U8, S8, U16, S16, H}) for (unsigned ch : {1u, 4u}) { unsigned size = (f == U8 || f == S8 ? 1 : 2) * ch; CUarray b = array(8, 0, 0, f, ch); uint16_t raw[32]; for (auto& x : raw) { x = next_random(s) >> 16; if (f == H) x = (x & 0x83ff) | 0x3800; } fill(b, raw, 8 * size); CUtexObject t = attempt("format " + std::to_string(f), of(b), tex(CLAMP, LINEAR), nullptr, true); if (t) note("random values", hex(launch(k, t, floats(xs), xs.size()), 4)); }
  });
  run("read_2d", [] {
    context(); CUfunction k = load(2, "tex.2d.v4.f32.f32 {%o0,%o1,%o2,%o3}, [%rd9, {%r0,%r1}];"), ki = load(2, "tex.2d.v4.f32.s32 {%o0,%o1,%o2,%o3}, [%rd9, {%r0,%r1}];"); uint32_t s = 11; CUarray a = array(5, 4, 0, F, 1); float v[20]; for (auto& x : v) x = (random_float(s) - 0.3f) * 100; fill(a, v, 20, 4); std::vector<float> xs; for (int i = 0; i < 300; ++i) { xs.push_back(random_float(s) * 12 - 3); xs.push_back(random_float(s) * 10 - 3); }
    for (CUaddress_mode m : {WRAP, CLAMP, MIRROR, BORDER}) for (unsigned n : {0u, NORM}) for (CUfilter_mode f : {POINT, LINEAR}) { std::vector<float> c = xs; if (n) for (size_t i = 0; i < c.size(); i += 2) { c[i] /= 5; c[i + 1] /= 4; } auto t = tex(m, f, n); t.borderColor[0] = -9; CUtexObject o = attempt(std::string(modes[m]) + " flags " + std::to_string(n) + " filter " + std::to_string(f), of(a), t, nullptr, true); note("read", hex(launch(k, o, floats(c), c.size() / 2), 1)); }
    auto t = tex(); t.addressMode[0] = BORDER; t.addressMode[1] = CLAMP; t.borderColor[0] = 8; note("border and clamp", hex(launch(k, attempt("mixed", of(a), t, nullptr, true), floats(xs), 300), 1)); std::vector<uint32_t> is; for (int y = -2; y < 6; ++y) for (int x = -2; x < 7; ++x) { is.push_back(x); is.push_back(y); } for (CUaddress_mode m : {CLAMP, BORDER, WRAP, MIRROR}) { t = tex(m); t.borderColor[0] = 8; note(std::string("integer ") + modes[m], hex(launch(ki, attempt("integer", of(a), t, nullptr, true), is, is.size() / 2), 1)); }
    CUdeviceptr p; cuMemAlloc(&p, 4096); CUDA_MEMCPY2D c{}; c.srcMemoryType = CU_MEMORYTYPE_HOST; c.srcHost = v; c.srcPitch = 20; c.dstMemoryType = CU_MEMORYTYPE_DEVICE; c.dstDevice = p; c.dstPitch = 64; c.WidthInBytes = 20; c.Height = 4; cuMemcpy2D(&c); for (CUfilter_mode f : {POINT, LINEAR}) note("pitch", hex(launch(k, attempt("pitch", pitch(p, F, 1, 5, 4, 64), tex(CLAMP, f), nullptr, true), floats(xs), 300), 1));
    CUarray b = array(5, 4, 0, U8, 4); uint8_t raw[80]; for (auto& x : raw) x = next_random(s) >> 24; fill(b, raw, 20, 4); note("u8x4", hex(launch(k, attempt("u8x4", of(b), tex(CLAMP, LINEAR), nullptr, true), floats(xs), 300), 4)); CUarray q = array(2, 2, 0, F, 1); float one[4] = {0, 0, 0, 1}; fill(q, one, 8, 2); std::vector<float> ws; for (int i = 0; i < 256; ++i) { ws.push_back(0.5f + (i * 37 % 256) / 256.0f); ws.push_back(0.5f + i / 256.0f); } note("products of weights", hex(launch(k, attempt("one", of(q), tex(CLAMP, LINEAR), nullptr, true), floats(ws), 256), 1));
  });
  run("read_3d", [] {
    context(); CUfunction k = load(4, "tex.3d.v4.f32.f32 {%o0,%o1,%o2,%o3}, [%rd9, {%r0,%r1,%r2,%r3}];"), ki = load(4, "tex.3d.v4.f32.s32 {%o0,%o1,%o2,%o3}, [%rd9, {%r0,%r1,%r2,%r3}];"); uint32_t s = 5; CUarray a = array(4, 3, 2, F, 1); float v[24]; for (auto& x : v) x = random_float(s) * 10; fill(a, v, 16, 3, 2); std::vector<float> xs; for (int i = 0; i < 200; ++i) { xs.push_back(random_float(s) * 6 - 1); xs.push_back(random_float(s) * 5 - 1); xs.push_back(random_float(s) * 4 - 1); xs.push_back(0); } for (CUaddress_mode m : {CLAMP, BORDER}) for (CUfilter_mode f : {POINT, LINEAR}) note(modes[m], hex(launch(k, attempt("3D", of(a), tex(m, f), nullptr, true), floats(xs), 200), 1)); std::vector<uint32_t> is; for (int i = 0; i < 60; ++i) { is.push_back(i % 5); is.push_back(i / 5 % 4); is.push_back(i / 20); is.push_back(0); } note("integer", hex(launch(ki, attempt("3D", of(a), tex(), nullptr, true), is, 60), 1));
  });
  run("read_layers", [] {
    context(); CUfunction k1 = load(2, "tex.a1d.v4.f32.f32 {%o0,%o1,%o2,%o3}, [%rd9, {%r0,%r1}];"), k2 = load(4, "tex.a2d.v4.f32.f32 {%o0,%o1,%o2,%o3}, [%rd9, {%r0,%r1,%r2,%r3}];"); uint32_t s = 9; CUarray a = array(4, 0, 3, F, 1, CUDA_ARRAY3D_LAYERED), b = array(4, 3, 3, F, 1, CUDA_ARRAY3D_LAYERED); float v[36]; for (auto& x : v) x = random_float(s) * 10; fill(a, v, 16, 1, 3); fill(b, v, 16, 3, 3); std::vector<uint32_t> c1, c2; for (int l = -1; l < 5; ++l) for (int i = 0; i < 20; ++i) { float x = random_float(s) * 6 - 1, y = random_float(s) * 5 - 1; c1.push_back(l); c1.push_back(bits(x)); c2.push_back(l); c2.push_back(bits(x)); c2.push_back(bits(y)); c2.push_back(0); } for (CUaddress_mode m : {CLAMP, BORDER}) for (CUfilter_mode f : {POINT, LINEAR}) { note("1D", hex(launch(k1, attempt("a1d", of(a), tex(m, f), nullptr, true), c1, 120), 1)); note("2D", hex(launch(k2, attempt("a2d", of(b), tex(m, f), nullptr, true), c2, 120), 1)); }
  });
  run("read_cube", [] {
    context(); CUfunction k = load(4, "tex.cube.v4.f32.f32 {%o0,%o1,%o2,%o3}, [%rd9, {%r0,%r1,%r2,%r3}];"), ka = load(4, "tex.acube.v4.f32.f32 {%o0,%o1,%o2,%o3}, [%rd9, {%r0,%r1,%r2,%r3}];"); uint32_t s = 21; CUarray a = array(4, 4, 6, F, 1, CUDA_ARRAY3D_CUBEMAP), b = array(4, 4, 12, F, 1, CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED); float v[192]; for (int i = 0; i < 192; ++i) v[i] = i; fill(a, v, 16, 4, 6); fill(b, v, 16, 4, 12); std::vector<float> xs; std::vector<uint32_t> ys; for (int i = 0; i < 300; ++i) { float x = random_float(s) * 2 - 1, y = random_float(s) * 2 - 1, z = random_float(s) * 2 - 1; if (i % 10 == 0) y = x; if (i % 10 == 1) z = -x; if (i % 10 == 2) z = y; xs.push_back(x); xs.push_back(y); xs.push_back(z); xs.push_back(0); ys.push_back(i % 3); ys.push_back(bits(x)); ys.push_back(bits(y)); ys.push_back(bits(z)); } for (unsigned fl : {NORM, NORM | 0x40u, 0u}) for (CUfilter_mode f : {POINT, LINEAR}) { std::string n = "flags " + std::to_string(fl) + " filter " + std::to_string(f); CUtexObject o = attempt(n, of(a), tex(CLAMP, f, fl), nullptr, true); if (o) note("cube", hex(launch(k, o, floats(xs), 300), 1)); o = attempt(n, of(b), tex(CLAMP, f, fl), nullptr, true); if (o) note("acube", hex(launch(ka, o, ys, 300), 1)); }
  });
  run("read_levels", [] {
    context(); CUfunction k = load(3, "tex.level.2d.v4.f32.f32 {%o0,%o1,%o2,%o3}, [%rd9, {%r0,%r1}], %r2;"), kp = load(2, "tex.2d.v4.f32.f32 {%o0,%o1,%o2,%o3}, [%rd9, {%r0,%r1}];"), kg = load(6, "tex.grad.2d.v4.f32.f32 {%o0,%o1,%o2,%o3}, [%rd9, {%r0,%r1}], {%r2,%r3}, {%r4,%r5};"); uint32_t s = 31; CUmipmappedArray m; auto d = d3(8, 8, 0, F, 1); C(cuMipmappedArrayCreate(&m, &d, 4)); for (unsigned l = 0; l < 4; ++l) { CUarray a; cuMipmappedArrayGetLevel(&a, m, l); unsigned w = 8 >> l; std::vector<float> v(w * w); for (size_t i = 0; i < v.size(); ++i) v[i] = 1000.0f * l + i; fill(a, v.data(), w * 4, w); } std::vector<float> xs, gs; for (int i = 0; i < 200; ++i) { float x = random_float(s), y = random_float(s); xs.push_back(x); xs.push_back(y); xs.push_back(random_float(s) * 6 - 1); gs.push_back(x); gs.push_back(y); for (int j = 0; j < 4; ++j) gs.push_back((random_float(s) - 0.5f) * (i % 3 ? 0.5f : 2.0f)); }
    for (CUfilter_mode mf : {POINT, LINEAR}) for (CUfilter_mode f : {POINT, LINEAR}) for (int v = 0; v < 3; ++v) { auto t = tex(CLAMP, f, NORM); t.mipmapFilterMode = mf; t.maxMipmapLevelClamp = v == 1 ? 1.5f : 10; t.minMipmapLevelClamp = v == 1 ? 0.5f : 0; t.mipmapLevelBias = v == 2 ? 0.75f : 0; CUtexObject o = attempt("filters " + std::to_string(mf) + std::to_string(f) + " variant " + std::to_string(v), of(m), t, nullptr, true); note("level", hex(launch(k, o, floats(xs), 200), 1)); std::vector<float> p; for (int i = 0; i < 200; ++i) { p.push_back(xs[3 * i]); p.push_back(xs[3 * i + 1]); } note("no level", hex(launch(kp, o, floats(p), 20), 1)); note("grad", hex(launch(kg, o, floats(gs), 200), 1)); }
    auto t = tex(CLAMP, POINT, NORM); note("max clamp 0", hex(launch(k, attempt("clamp 0", of(m), t, nullptr, true), floats(xs), 50), 1));
    t.mipmapFilterMode = LINEAR; t.maxMipmapLevelClamp = 10; std::vector<float> ls; for (int i = 0; i < 512; ++i) { ls.push_back(0.01f); ls.push_back(0.01f); ls.push_back(i / 512.0f); } note("weights of levels", hex(launch(k, attempt("levels", of(m), t, nullptr, true), floats(ls), 512), 1)); t.mipmapFilterMode = POINT; for (int i = 0; i < 512; ++i) ls[3 * i + 2] = i / 128.0f - 0.5f; note("rounding of levels", hex(launch(k, attempt("levels", of(m), t, nullptr, true), floats(ls), 512), 1));
    CUDA_RESOURCE_VIEW_DESC v{}; v.format = CU_RES_VIEW_FORMAT_FLOAT_1X32; v.width = 8; v.height = 8; v.firstMipmapLevel = 1; v.lastMipmapLevel = 2; CUtexObject o = attempt("view of levels 1-2", of(m), t, &v, true); if (o) note("view", hex(launch(k, o, floats(xs), 60), 1));
  });
  run("gather", [] {
    context(); uint32_t s = 41; CUarray a = array(5, 4, 0, F, 4, CUDA_ARRAY3D_TEXTURE_GATHER); float v[80]; for (int i = 0; i < 80; ++i) v[i] = i; fill(a, v, 80, 4); std::vector<float> xs; for (int i = 0; i < 100; ++i) { xs.push_back(random_float(s) * 8 - 1.5f); xs.push_back(random_float(s) * 7 - 1.5f); } for (int i = 0; i < 32; ++i) { xs.push_back(2.5f + (i - 16) / 1024.0f); xs.push_back(1.5f + (i - 16) / 512.0f); } for (const char* c : {"r", "g", "b", "a"}) { CUfunction k = load(2, std::string("tld4.") + c + ".2d.v4.f32.f32 {%o0,%o1,%o2,%o3}, [%rd9, {%r0,%r1}];"); for (CUaddress_mode m : {CLAMP, BORDER, WRAP}) for (CUfilter_mode f : {POINT, LINEAR}) note(std::string(c) + " " + modes[m], hex(launch(k, attempt("gather", of(a), tex(m, f), nullptr, true), floats(xs), xs.size() / 2), 4)); } CUarray b = array(5, 4, 0, F, 1); fill(b, v, 20, 4); CUfunction k = load(2, "tld4.r.2d.v4.f32.f32 {%o0,%o1,%o2,%o3}, [%rd9, {%r0,%r1}];"); note("without the flag", hex(launch(k, attempt("gather", of(b), tex(), nullptr, true), floats(xs), 40), 4)); CUarray u = array(5, 4, 0, U8, 1, CUDA_ARRAY3D_TEXTURE_GATHER); uint8_t r[20]; for (int i = 0; i < 20; ++i) r[i] = i * 12; fill(u, r, 5, 4); note("u8", hex(launch(k, attempt("gather", of(u), tex(), nullptr, true), floats(xs), 40), 4));
  });
  run("query", [] {
    context(); CUarray a = array(20, 10, 0, U8, 4), b = array(16, 8, 4, F, 1), l = array(16, 8, 4, H, 2, CUDA_ARRAY3D_LAYERED), one = array(33, 0, 0, S16, 1); CUmipmappedArray m; auto d = d3(16, 16, 0, F, 1); cuMipmappedArrayCreate(&m, &d, 3); CUdeviceptr p; cuMemAlloc(&p, 4096);
    struct { const char* n; CUtexObject o; } os[] = {{"u8x4", attempt("u8x4", of(a), tex(WRAP, LINEAR, NORM), nullptr, true)}, {"3D", attempt("3D", of(b), tex(), nullptr, true)}, {"layered", attempt("layered", of(l), tex(), nullptr, true)}, {"1D", attempt("1D", of(one), tex(), nullptr, true)}, {"mipmapped", attempt("mipmapped", of(m), tex(CLAMP, POINT, NORM), nullptr, true)}, {"linear", attempt("linear", linear(p, F, 2, 800), tex(), nullptr, true)}, {"pitch", attempt("pitch", pitch(p, F, 1, 16, 8, 128), tex(), nullptr, true)}};
    for (const char* q : {"width", "height", "depth", "channel_data_type", "channel_order", "normalized_coords", "array_size", "num_mipmap_levels", "num_samples"}) { CUfunction k = load(0, std::string("txq.") + q + ".b32 %o0, [%rd9];"); if (k) for (auto& x : os) note(std::string(q) + " of " + x.n, hex(launch(k, x.o, {}, 1), 1)); }
    for (const char* q : {"width", "height", "depth"}) { CUfunction k = load(1, std::string("txq.level.") + q + ".b32 %o0, [%rd9], %r0;"); if (k) for (uint32_t n : {0u, 1u, 2u, 3u}) note(std::string(q) + " of level " + std::to_string(n), hex(launch(k, os[4].o, {n}, 1), 1)); }
    CUarray sa = array(20, 10, 0, U8, 4, CUDA_ARRAY3D_SURFACE_LDST); auto r = of(sa); CUsurfObject so = 0; C(cuSurfObjectCreate(&so, &r)); for (const char* q : {"width", "height", "depth", "channel_data_type", "channel_order", "array_size", "memory_layout"}) { CUfunction k = load(0, std::string("suq.") + q + ".b32 %o0, [%rd9];"); if (k) note(std::string("surface ") + q, hex(launch(k, so, {}, 1), 1)); }
  });
  run("surface_stores", [] {
    context(); for (const char* c : {"clamp", "zero"}) for (int size : {8, 16, 32, 64}) { CUarray a = array(8, 4, 0, size == 8 ? U8 : size == 16 ? U16 : U32, size == 64 ? 2 : 1, CUDA_ARRAY3D_SURFACE_LDST); int bytes = size / 8; std::vector<uint8_t> v(8 * 4 * bytes); for (size_t i = 0; i < v.size(); ++i) v[i] = i; fill(a, v.data(), 8 * bytes, 4); auto r = of(a); CUsurfObject s = 0; C(cuSurfObjectCreate(&s, &r)); std::string b = std::to_string(size), t = size == 8 || size == 16 ? "%h0" : "%o0", suld = std::string("suld.b.2d.") + (size == 64 ? "v2.b32." : "b" + b + ".") + c + " " + (size == 64 ? "{%o0,%o1}" : t) + ", [%rd9, {%r0,%r1}];" + (size < 32 ? "cvt.u32.u16 %o0, %h0;" : ""), sust = std::string(size < 32 ? "cvt.u16.u32 %h0, %r2;" : "") + "sust.b.2d." + (size == 64 ? "v2.b32." : "b" + b + ".") + c + " [%rd9, {%r0,%r1}], " + (size == 64 ? "{%r2,%r0}" : size < 32 ? "%h0" : "%r2") + ";"; CUfunction ld = load(2, suld), st = load(3, sust); std::vector<uint32_t> xs, ys; for (int y = -1; y < 5; ++y) for (int x = -1; x < 10; ++x) { xs.push_back(x * bytes); xs.push_back(y); } note(std::string(c) + " load " + b, hex(launch(ld, s, xs, xs.size() / 2), 2)); int places[][2] = {{1, 1}, {-1, 0}, {9, 2}, {3, 5}, {3, -2}, {7, 3}}; int n = 0; for (auto& q : places) { ys = {(uint32_t)(q[0] * bytes), (uint32_t)q[1], 0xa0b0c0d0u + n++}; launch(st, s, ys, 1); } note(std::string(c) + " store " + b, read_back(a, 8 * bytes, 4)); }
  });
  run("surface_trap", [] { context(); CUarray a = array(8, 4, 0, U32, 1, CUDA_ARRAY3D_SURFACE_LDST); auto r = of(a); CUsurfObject s = 0; C(cuSurfObjectCreate(&s, &r)); CUfunction ld = load(2, "suld.b.2d.b32.trap %o0, [%rd9, {%r0,%r1}];"); note("inside", hex(launch(ld, s, {4, 1}, 1), 1)); launch(ld, s, {64, 1}, 1); C(cuCtxSynchronize()); });
  run("surface_misaligned", [] { context(); CUarray a = array(8, 4, 0, U32, 1, CUDA_ARRAY3D_SURFACE_LDST); auto r = of(a); CUsurfObject s = 0; C(cuSurfObjectCreate(&s, &r)); CUfunction ld = load(2, "suld.b.2d.b32.clamp %o0, [%rd9, {%r0,%r1}];"); launch(ld, s, {2, 1}, 1); C(cuCtxSynchronize()); });
  run("surface_formatted", [] { context(); for (CUarray_format f : {U8, S8, U16, S16, U32, S32, H, F}) for (unsigned ch : {1u, 2u, 4u}) { CUarray a = array(8, 4, 0, f, ch, CUDA_ARRAY3D_SURFACE_LDST); unsigned bytes = (f == U8 || f == S8 ? 1 : f == U16 || f == S16 || f == H ? 2 : 4) * ch; auto r = of(a); CUsurfObject s = 0; rec("surface", cuSurfObjectCreate(&s, &r)); std::vector<uint8_t> z(8 * 4 * bytes); fill(a, z.data(), 8 * bytes, 4); CUfunction k = load(2, "mov.b32 %r2, 0x3fc01234; mov.b32 %r3, 0x00000155; mov.b32 %r4, 0xffffff81; mov.b32 %r5, 0xbf000000; sust.p.2d.v4.b32.zero [%rd9, {%r0,%r1}], {%r2,%r3,%r4,%r5};"); launch(k, s, {2, 1, 0, 0}, 1); launch(k, s, {8, 1, 0, 0}, 1); note("format " + std::to_string(f) + " x" + std::to_string(ch), read_back(a, 8 * bytes, 4)); } });
  run("surface_shapes", [] { context(); uint32_t n = 0; auto both = [&](const char* name, CUarray a, const std::string& geometry, const std::string& c, const std::vector<uint32_t>& at, size_t row, size_t rows, size_t layers) { std::vector<uint8_t> v(row * rows * layers); for (size_t i = 0; i < v.size(); ++i) v[i] = i; fill(a, v.data(), row, rows, layers); auto r = of(a); CUsurfObject s = 0; rec(name, cuSurfObjectCreate(&s, &r)); CUfunction ld = load(4, "suld.b." + geometry + ".b32.zero %o0, [%rd9, " + c + "];"), st = load(4, "sust.b." + geometry + ".b32.zero [%rd9, " + c + "], %r0;"); note("loads", hex(launch(ld, s, at, at.size() / 4), 1)); launch(st, s, at, at.size() / 4); note("stores", read_back(a, row, rows, layers)); (void)n; };
    std::vector<uint32_t> at; for (uint32_t i = 0; i < 24; ++i) { at.push_back(4 * (i % 4)); at.push_back(i % 3); at.push_back(i / 6); at.push_back(0); } std::vector<uint32_t> layer; for (uint32_t i = 0; i < 24; ++i) { layer.push_back(i / 6); layer.push_back(4 * (i % 5)); layer.push_back(i % 3); layer.push_back(0); } both("1D", array(4, 0, 0, U32, 1, 2), "1d", "{%r0}", at, 16, 1, 1); both("3D", array(4, 3, 2, U32, 1, 2), "3d", "{%r0,%r1,%r2,%r3}", at, 16, 3, 2); both("a1d", array(4, 0, 3, U32, 1, 3), "a1d", "{%r0,%r1}", layer, 16, 1, 3); both("a2d", array(4, 3, 3, U32, 1, 3), "a2d", "{%r0,%r1,%r2,%r3}", layer, 16, 3, 3); });
  run("texture_destroyed_in_kernel", [] { context(); CUarray a = array(8, 0, 0, F, 1); float v[8] = {1, 2, 3, 4, 5, 6, 7, 8}; fill(a, v, 32); CUtexObject o = attempt("texture", of(a), tex(), nullptr, true); CUfunction k = load(1, "tex.1d.v4.f32.f32 {%o0,%o1,%o2,%o3}, [%rd9, {%r0}];"); note("read", hex(launch(k, o, floats({2.5f}), 1), 1)); C(cuTexObjectDestroy(o)); launch(k, o, floats({2.5f}), 1); launch(k, 0, floats({2.5f}), 1); launch(k, 0x7fffffff, floats({2.5f}), 1); C(cuCtxSynchronize()); });
}
