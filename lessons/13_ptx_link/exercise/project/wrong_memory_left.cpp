// Exercise 13, a wrong answer: the memory is allocated first, and not freed if the plug-in cannot be linked.
#include <array>
#include <cstring>
#include <string>

#include "check.hpp"

// A plug-in is PTX with a function change(), which the kernel apply of apply.ptx calls for each number, and a
// variable plugin_id. The three texts are plug-ins of different authors.
struct Plugin {
  const char* name;
  const char* text;
};
constexpr std::array<Plugin, 3> kPlugins = {{
    {"twice", R"(.version 7.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 plugin_id = 101;
.visible .func (.param .b32 result) change(.param .b32 number) {
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [number];
  add.u32 %r2, %r1, %r1;
  st.param.b32 [result], %r2;
  ret;
}
)"},
    {"misspelt", R"(.version 7.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 plugin_id = 102;
.visible .func (.param .b32 result) chance(.param .b32 number) {
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [number];
  add.u32 %r2, %r1, 1;
  st.param.b32 [result], %r2;
  ret;
}
)"},
    {"negative", R"(.version 7.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 plugin_id = 103;
.visible .func (.param .b32 result) change(.param .b32 number) {
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [number];
  neg.s32 %r2, %r1;
  st.param.b32 [result], %r2;
  ret;
}
)"},
}};

constexpr int kCount = 4;
using Numbers = std::array<int, kCount>;

struct Outcome {
  bool ran = false;
  std::string log;       // the linker's error log, if the plug-in could not be linked
  int id = 0;            // the value of plugin_id, if it ran
  Numbers numbers = {};  // what apply made of the numbers, if it ran
};

// The linker writes to these buffers until cuLinkDestroy.
struct Log {
  char text[4096] = "";
  CUjit_option names[2] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[2] = {text, reinterpret_cast<void*>(sizeof text)};
};

// The module of the plug-in and apply.ptx, or null and the reason.
CUmodule linked(const Plugin& plugin, std::string& why) {
  Log log;
  CUlinkState linker = nullptr;
  CUmodule module = nullptr;
  void* image = nullptr;
  std::size_t size = 0;
  const std::string apply = lesson::beside_program("apply.ptx");
  std::string text = plugin.text;
  check(cuLinkCreate(2, log.names, log.values, &linker));
  CUresult result = cuLinkAddFile(linker, CU_JIT_INPUT_PTX, apply.c_str(), 0, nullptr, nullptr);
  if (result == CUDA_SUCCESS)
    result = cuLinkAddData(linker, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, plugin.name, 0, nullptr,
                           nullptr);
  if (result == CUDA_SUCCESS) result = cuLinkComplete(linker, &image, &size);
  if (result == CUDA_SUCCESS)
    check(cuModuleLoadData(&module, image));
  else
    why = log.text;
  check(cuLinkDestroy(linker));
  return module;
}

// Links the plug-in with apply.ptx and runs apply with one thread for each of the numbers. If linking fails,
// returns the log. Leaves nothing allocated or loaded.
Outcome run(const Plugin& plugin, const Numbers& numbers) {
  Outcome outcome;
  CUdeviceptr id = 0, memory = 0;
  check(cuMemAlloc(&memory, sizeof numbers));
  const CUmodule module = linked(plugin, outcome.log);
  if (module == nullptr) return outcome;
  CUfunction apply = nullptr;
  void* arguments[] = {&memory};
  check(cuModuleGetGlobal(&id, nullptr, module, "plugin_id"));
  check(cuMemcpyDtoH(&outcome.id, id, sizeof outcome.id));
  check(cuModuleGetFunction(&apply, module, "apply"));
  check(cuMemcpyHtoD(memory, numbers.data(), sizeof numbers));
  check(cuLaunchKernel(apply, 1, 1, 1, kCount, 1, 1, 0, nullptr, arguments, nullptr));
  check(cuMemcpyDtoH(outcome.numbers.data(), memory, sizeof outcome.numbers));
  check(cuMemFree(memory));
  check(cuModuleUnload(module));
  outcome.ran = true;
  return outcome;
}

// Do not change anything below.
int main() {
  CUcontext context = nullptr;
  CUdevice device = 0;
  std::array<Outcome, kPlugins.size()> outcomes;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, device));
  for (std::size_t i = 0; i < kPlugins.size(); ++i) {
    const Outcome& outcome = outcomes[i] = run(kPlugins[i], {1, 2, 3, 4});
    const auto& [one, two, three, four] = outcome.numbers;
    if (outcome.ran)
      std::printf("%s, %d: %d %d %d %d\n", kPlugins[i].name, outcome.id, one, two, three, four);
    else
      std::printf("%s: %s\n", kPlugins[i].name, outcome.log.c_str());
  }
  claim("the first plug-in ran and doubled the numbers",
        outcomes[0].ran && outcomes[0].id == 101 && outcomes[0].numbers == Numbers{2, 4, 6, 8});
  claim("the second could not be linked", !outcomes[1].ran);
  claim("and its log names the function that is missing",
        std::strstr(outcomes[1].log.c_str(), "'change'") != nullptr);
  claim("the third ran nevertheless and negated the numbers",
        outcomes[2].ran && outcomes[2].id == 103 && outcomes[2].numbers == Numbers{-1, -2, -3, -4});
  check(cuCtxDestroy(context));
}
