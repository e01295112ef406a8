// Exercise 02, one way to do it: each pointer is null where the driver knows nothing, and gets a substitute.
// The fourth call needs a context; the third must be made before there is one.
#include <set>
#include <string>
#include <vector>

#include "check.hpp"

// Returns the number, the name and the text of a result: "201 CUDA_ERROR_INVALID_CONTEXT: invalid device
// context". For a number that the driver does not know there is neither name nor text: "12345 ?: ?".
std::string describe(CUresult result) {
  const char *name = nullptr, *text = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &text);
  return std::to_string(static_cast<int>(result)) + " " + (name ? name : "?") + ": " + (text ? text : "?");
}

// Makes four calls that fail, and returns their results.
std::vector<CUresult> fail_in_four_ways() {
  std::vector<CUresult> results;
  CUdevice device = 0;
  CUdeviceptr memory = 0;
  CUcontext context = nullptr;
  results.push_back(cuInit(1));
  results.push_back(cuDeviceGet(&device, 9999));
  results.push_back(cuMemAlloc(&memory, 16));
  check(create_context(&context, 0, 0));
  results.push_back(cuMemAlloc(&memory, std::size_t{1} << 50));
  check(cuCtxDestroy(context));
  return results;
}

// Leave main() as it is.
int main() {
  claim("success has a number, a name and a text",
        describe(CUDA_SUCCESS).starts_with("0 CUDA_SUCCESS") && describe(CUDA_SUCCESS).size() > 16);
  claim("error 2 has its name", describe(CUDA_ERROR_OUT_OF_MEMORY).starts_with("2 CUDA_ERROR_OUT_OF_MEMORY"));
  const auto unknown = static_cast<CUresult>(12345);
  claim("a number that the driver does not know has two question marks", describe(unknown) == "12345 ?: ?");

  check(cuInit(0));
  const std::vector<CUresult> results = fail_in_four_ways();
  for (const CUresult result : results) std::printf("%s\n", describe(result).c_str());
  const std::set<CUresult> different(results.begin(), results.end());
  claim("four calls have failed, for four reasons",
        results.size() == 4 && different.size() == 4 && !different.contains(CUDA_SUCCESS));
}
