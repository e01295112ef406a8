// Keeps the registers that arguments travel in over a call of our own, for entries that know no signature.
// A frame stands: rdi rsi rdx rcx r8 r9 rax r10 lie below rbp in this order, xmm0-7 from rsp on, which
// PUSH_ARGUMENTS leaves aligned. `more`: bytes that the entry wants beside them, above; a multiple of 16.
#define PUSH_ARGUMENTS(more) \
  pushq %rdi; \
  pushq %rsi; \
  pushq %rdx; \
  pushq %rcx; \
  pushq %r8; \
  pushq %r9; \
  pushq %rax; \
  pushq %r10; \
  subq $(128 + more), %rsp; \
  andq $-16, %rsp; \
  movups %xmm0, (%rsp); \
  movups %xmm1, 16(%rsp); \
  movups %xmm2, 32(%rsp); \
  movups %xmm3, 48(%rsp); \
  movups %xmm4, 64(%rsp); \
  movups %xmm5, 80(%rsp); \
  movups %xmm6, 96(%rsp); \
  movups %xmm7, 112(%rsp)

#define VECTOR_ARGUMENTS_BACK \
  movups (%rsp), %xmm0; \
  movups 16(%rsp), %xmm1; \
  movups 32(%rsp), %xmm2; \
  movups 48(%rsp), %xmm3; \
  movups 64(%rsp), %xmm4; \
  movups 80(%rsp), %xmm5; \
  movups 96(%rsp), %xmm6; \
  movups 112(%rsp), %xmm7

#define ARGUMENTS_BACK \
  movq -8(%rbp), %rdi; \
  movq -16(%rbp), %rsi; \
  movq -24(%rbp), %rdx; \
  movq -32(%rbp), %rcx; \
  movq -40(%rbp), %r8; \
  movq -48(%rbp), %r9; \
  movq -56(%rbp), %rax; \
  movq -64(%rbp), %r10
