// Exercise 03, to write: a whole program with a kernel, from cuInit to cuCtxDestroy. It doubles numbers on
// device 0. The kernel is VecAdd of this lesson's vec_add.ptx: the sum of x and x is twice x.
#include <vector>

#include "check.hpp"

// Returns a new vector of the same length: its element i is 2 * x[i], computed by device 0 in a new context.
std::vector<float> twice(const std::vector<float>& x) {
  std::vector<float> result(x.size());
  // Write the calls here, from cuInit to cuCtxDestroy. The last copy fills `result`.
  return result;
}

// Leave main() as it is.
int main() {
  constexpr std::size_t n = 12'345;
  std::vector<float> x(n), doubled(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i + 1);
    doubled[i] = 2 * x[i];
  }
  claim("every element is doubled", twice(x) == doubled);
  CUcontext current = nullptr;
  check(cuCtxGetCurrent(&current));
  claim("no context is left", current == nullptr);
}
