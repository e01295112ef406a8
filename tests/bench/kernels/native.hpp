// SPDX-License-Identifier: MIT
// The same work as loops of C++, compiled for this processor, on as many threads as it has.
#pragma once

namespace native {

unsigned threads();
void saxpy(int n, float a, const float* x, float* y);
void matmul(const float* a, const float* b, float* c, int n);
float sum(const float* in, int n);

}  // namespace native
