// Lesson NN: what the program shows, in a sentence or two.
#include "check.hpp"

int main() {
  // step: start
  // What this step does and why. It ends at the next such line, and the notes have a paragraph for it.
  check(cuInit(0));
}
