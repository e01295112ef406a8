// SPDX-License-Identifier: MIT
#pragma once
int sum_of(const int* values, int count);
