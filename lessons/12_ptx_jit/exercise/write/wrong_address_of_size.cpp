// Exercise 12, a wrong answer: the address of the size is passed in place of the size. The driver takes it
// for a very large size and never writes to the variable.
#include <cstring>
#include <string>
#include <vector>

#include "check.hpp"

// Tries the texts in their order, up to the first that the driver accepts: loads it, and returns its index.
// Returns -1 if it accepts none. Adds to `logs` the error log of each text that failed, of at most 1023
// characters.
int load_first(CUmodule* module, const std::vector<std::string>& texts, std::vector<std::string>& logs) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    char log[1024] = "";
    std::size_t size = sizeof log;
    CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, &size};
    if (cuModuleLoadDataEx(module, texts[i].c_str(), 2, names, values) == CUDA_SUCCESS)
      return static_cast<int>(i);
    logs.emplace_back(log, size);
  }
  return -1;
}

// Do not change anything below. The text begins with a version of PTX; `code` begins at its line 7.
std::string ptx(const std::string& version, const std::string& code) {
  return ".version " + version + R"(
.target sm_75
.address_size 64
.visible .entry answer(.param .u64 result) {
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [result];
)" + code +
         "  ret;\n}\n";
}

bool says(const std::string& log, const char* word) {
  return log.find(word) != std::string::npos;
}

int main() {
  CUcontext context = nullptr;
  CUdevice device = 0;
  CUmodule module = nullptr;
  CUfunction answer = nullptr;
  CUdeviceptr result = 0;
  int value = 0;
  void* arguments[] = {&result};
  const std::string too_new = ptx("99.0", "  st.u32 [%rd1], 40;\n");
  const std::string wrong = ptx("7.0", R"(  frobnicate.u32 %rd1;
  bra NOWHERE;
  st.u32 [%rd1], 41;
)");
  const std::string good = ptx("7.0", "  st.u32 [%rd1], 42;\n"), other = ptx("7.0", "  st.u32 [%rd1], 43;\n");
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, device));

  std::vector<std::string> logs;
  claim("the third text is the first that is accepted",
        load_first(&module, {too_new, wrong, good, other}, logs) == 2);
  for (const std::string& log : logs) std::printf("%s\n", log.c_str());
  claim("two texts failed, so there are two logs", logs.size() == 2);
  claim("the first log names the version", says(logs[0], "99.0"));
  claim("the second log names both mistakes", says(logs[1], "frobnicate") && says(logs[1], "NOWHERE"));
  claim("no log holds more than its text",
        logs[0].size() == std::strlen(logs[0].c_str()) && logs[1].size() == std::strlen(logs[1].c_str()));

  check(cuModuleGetFunction(&answer, module, "answer"));
  check(cuMemAlloc(&result, sizeof value));
  check(cuLaunchKernel(answer, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  check(cuMemcpyDtoH(&value, result, sizeof value));
  claim("its kernel stores 42", value == 42);
  check(cuMemFree(result));
  check(cuModuleUnload(module));

  logs.clear();
  claim("of two texts with mistakes none is loaded", load_first(&module, {wrong, too_new}, logs) == -1);
  claim("and again there are two logs",
        logs.size() == 2 && says(logs[0], "NOWHERE") && says(logs[1], "99.0"));
  check(cuCtxDestroy(context));
}
