// SPDX-License-Identifier: MIT
// Names of a library that api/ does not describe: each jumps to the back end's function of that name.
//
// Nothing is recorded, and no argument is touched, so the signature need not be known. The table of addresses
// lies in .bss and is filled at the first call of each name. The list is generated (forwarded_names.inc).
#if !defined(__x86_64__)
#error "write the two sequences below for this processor"
#endif

#include "registers.inc"

#define FORWARD(name, index) \
  .globl name; .type name, @function; .p2align 4; \
name: \
  endbr64; \
  movq driverlab_forwarded_functions + 8 * index(%rip), %r11; \
  testq %r11, %r11; \
  jz 1f; \
  jmp *%r11; \
1: movl $index, %r11d; \
  jmp first_call; \
  .size name, . - name

  .text
  .type first_call, @function
// r11: the index. Arguments live in registers: keep them all over the look-up.
first_call:
  pushq %rbp
  movq %rsp, %rbp
  PUSH_ARGUMENTS(0)
  movl %r11d, %edi
  call driverlab_find_forwarded
  movq %rax, %r11
  VECTOR_ARGUMENTS_BACK
  ARGUMENTS_BACK
  leave
  jmp *%r11
  .size first_call, . - first_call

#include FORWARDED_NAMES

  .section .note.GNU-stack, "", @progbits
