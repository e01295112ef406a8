// Exercise 02, to write: a line of text for any result of a driver call, and four calls that fail for four
// reasons. Write the two functions; the comment before each says what it does.
#include <set>
#include <string>
#include <vector>

#include "check.hpp"

// Returns the number, the name and the text of a result: "201 CUDA_ERROR_INVALID_CONTEXT: invalid device
// context". For a number that the driver does not know there is neither name nor text: "12345 ?: ?".
std::string describe(CUresult result) {
  return std::to_string(static_cast<int>(result));  // the number; add the name and the text
}

// Makes these four calls fail, in this order, and returns their results. All other calls succeed, and what
// was created is destroyed.
//   cuInit       CUDA_ERROR_INVALID_VALUE    an argument that is not allowed
//   cuDeviceGet  CUDA_ERROR_INVALID_DEVICE   a device that does not exist
//   cuMemAlloc   CUDA_ERROR_INVALID_CONTEXT  no context is current
//   cuMemAlloc   CUDA_ERROR_OUT_OF_MEMORY    more memory than any device has: 1 PiB, in a context
std::vector<CUresult> fail_in_four_ways() {
  return {};
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
