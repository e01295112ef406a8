// SPDX-License-Identifier: MIT
// Functions of the driver that api/ does not describe: names in forwarded_names.txt, and any other that
// cuGetProcAddress hands out. Each is recorded by its name and result, and called with every register and the
// first words of the stack as they came, so that its parameters need not be known.
#if !defined(__x86_64__)
#error "write the sequence below for this processor"
#endif

#include "registers.inc"

// As many words of the caller's stack are handed on; no function of the driver takes so many arguments.
#define STACK_WORDS 16

#define NAMED(index) \
  endbr64; \
  movl $index, %r11d; \
  jmp named_call

#define FORWARD(name, index) \
  .globl name; .type name, @function; .p2align 4; \
name: \
  NAMED(index); \
  .size name, . - name

  .text
  .type named_call, @function
// r11: which one. Below the frame: rdi rsi rdx rcx r8 r9 rax r10, xmm0-7, then the function and whether it is
// recorded.
named_call:
  .cfi_startproc
  .cfi_personality 0x1b, driverlab_named_personality  // relative, 4 bytes
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  PUSH_ARGUMENTS(32)
  movl %r11d, 128(%rsp)
  movl %r11d, %edi
  movq 8(%rbp), %rsi
  call driverlab_enter_named  // rax: the function; rdx: whether it is recorded
  movq %rax, %r11
  VECTOR_ARGUMENTS_BACK
  testl %edx, %edx
  jz 2f
  subq $(8 * STACK_WORDS), %rsp
  xorl %ecx, %ecx
1: movq 16(%rbp, %rcx, 8), %rdx
  movq %rdx, (%rsp, %rcx, 8)
  incl %ecx
  cmpl $STACK_WORDS, %ecx
  jne 1b
  ARGUMENTS_BACK
  call *%r11
  addq $(8 * STACK_WORDS), %rsp
  movq %rax, 128(%rsp)
  movq %rdx, 136(%rsp)
  movups %xmm0, (%rsp)
  movups %xmm1, 16(%rsp)
  movl %eax, %edi
  call driverlab_leave_named
  movups (%rsp), %xmm0
  movups 16(%rsp), %xmm1
  movq 128(%rsp), %rax
  movq 136(%rsp), %rdx
  leave
  .cfi_remember_state
  .cfi_def_cfa %rsp, 8
  ret
2:
  .cfi_restore_state
  ARGUMENTS_BACK
  leave
  .cfi_def_cfa %rsp, 8
  jmp *%r11
  .cfi_endproc
  .size named_call, . - named_call

#include "../generated/forwarded_names.inc"

// Entries for functions that are met while the program runs; named.cpp gives them out. All of one length.
  .p2align 4
  .globl driverlab_spare_entries
  .hidden driverlab_spare_entries
driverlab_spare_entries:
  .set index, 0x1000
  .rept 128
  .p2align 4
  NAMED(index)
  .set index, index + 1
  .endr
  .p2align 4
  .globl driverlab_spare_entries_end
  .hidden driverlab_spare_entries_end
driverlab_spare_entries_end:

  .section .note.GNU-stack, "", @progbits
