// Names of a library that api/ does not describe: each jumps to the back end's function of that name.
//
// Nothing is recorded, and no argument is touched, so the signature need not be known. The table of addresses
// lies in .bss and is filled at the first call of each name. The list is generated (forwarded_names.inc).
#if !defined(__x86_64__)
#error "write the two sequences below for this processor"
#endif

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
  pushq %rdi
  pushq %rsi
  pushq %rdx
  pushq %rcx
  pushq %r8
  pushq %r9
  pushq %rax
  pushq %r10
  andq $-16, %rsp
  subq $128, %rsp
  movups %xmm0, (%rsp)
  movups %xmm1, 16(%rsp)
  movups %xmm2, 32(%rsp)
  movups %xmm3, 48(%rsp)
  movups %xmm4, 64(%rsp)
  movups %xmm5, 80(%rsp)
  movups %xmm6, 96(%rsp)
  movups %xmm7, 112(%rsp)
  movl %r11d, %edi
  call driverlab_find_forwarded
  movq %rax, %r11
  movups (%rsp), %xmm0
  movups 16(%rsp), %xmm1
  movups 32(%rsp), %xmm2
  movups 48(%rsp), %xmm3
  movups 64(%rsp), %xmm4
  movups 80(%rsp), %xmm5
  movups 96(%rsp), %xmm6
  movups 112(%rsp), %xmm7
  movq -8(%rbp), %rdi
  movq -16(%rbp), %rsi
  movq -24(%rbp), %rdx
  movq -32(%rbp), %rcx
  movq -40(%rbp), %r8
  movq -48(%rbp), %r9
  movq -56(%rbp), %rax
  movq -64(%rbp), %r10
  leave
  jmp *%r11
  .size first_call, . - first_call

#ifndef FORWARDED_NAMES
#define FORWARDED_NAMES "../generated/forwarded_names.inc"
#endif
#include FORWARDED_NAMES

  .section .note.GNU-stack, "", @progbits
