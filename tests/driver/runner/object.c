// SPDX-License-Identifier: MIT
/* What the object loader is tried on: code that reads constants, changes data, calls itself and others. It is
   compiled, never linked. */
extern int outside(int value);
extern int elsewhere;

static const int squares[5] = {0, 1, 4, 9, 16};
int counter = 40;
int zeros[1000];
static int (*const functions[2])(int) = {outside, outside};

int square_of(int value) { return squares[value]; }
int count(void) { return ++counter + zeros[999]; }
int ask_outside(int value) { return outside(value) + elsewhere; }
int ask_by_table(int value, int which) { return functions[which](value); }
