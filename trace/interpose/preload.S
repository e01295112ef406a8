// SPDX-License-Identifier: MIT
// dlopen, for programs that name libcuda by its full path: the name is replaced, and the loader's own dlopen goes
// on as if called by the program itself, which its rules for RPATH and $ORIGIN depend on.
#if !defined(__x86_64__)
#error "write the sequence below for this processor"
#endif

  .text
  .globl dlopen
  .type dlopen, @function
  .p2align 4
dlopen:
  .cfi_startproc
  endbr64
  pushq %rsi
  .cfi_adjust_cfa_offset 8
  movq 8(%rsp), %rsi         // who calls
  call driverlab_redirected
  movq %rax, %rdi
  popq %rsi
  .cfi_adjust_cfa_offset -8
  jmp *driverlab_real_dlopen(%rip)
  .cfi_endproc
  .size dlopen, . - dlopen

  .section .note.GNU-stack, "", @progbits
