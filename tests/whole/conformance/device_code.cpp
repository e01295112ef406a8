// SPDX-License-Identifier: MIT
// The kernels of the conformance suite, as PTX text written by hand, so that the program needs no compiler
// and no file beside it. Each does one thing that a test can read back. Old targets and an old version of
// PTX, because every driver since CUDA 11 takes them.
#include "support.hpp"

namespace conformance {

const char* const kDeviceCode = R"(
.version 7.0
.target sm_52
.address_size 64

.visible .global .align 4 .u32 counter = 5;
.visible .global .align 8 .b8 table[64];
.visible .const .align 4 .f32 scale = 0f40000000;
.visible .global .attribute(.managed) .align 4 .u32 shared_counter = 7;

.visible .entry empty() { ret; }

.visible .entry store(.param .u64 p, .param .u32 v) {
  .reg .b64 %rd<3>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [v]; cvta.to.global.u64 %rd2, %rd1; st.global.u32 [%rd2], %r1; ret;
}
.visible .entry store_anywhere(.param .u64 p, .param .u32 v) {
  .reg .b64 %rd<3>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [v]; st.u32 [%rd1], %r1; ret;
}
.visible .entry load(.param .u64 p, .param .u64 to) {
  .reg .b64 %rd<3>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [to]; ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd2], %r1; ret;
}
.visible .entry fill(.param .u64 p, .param .u32 v, .param .u32 n) {
  .reg .b64 %rd<4>; .reg .b32 %r<7>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [v]; ld.param.u32 %r2, [n];
  mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x; mad.lo.s32 %r6, %r3, %r4, %r5;
  setp.ge.s32 %p1, %r6, %r2; @%p1 bra DONE;
  mul.wide.s32 %rd2, %r6, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r1;
DONE: ret;
}
.visible .entry multiply(.param .u64 p, .param .u32 by) {
  .reg .b64 %rd<2>; .reg .b32 %r<4>;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [by]; ld.global.u32 %r2, [%rd1]; mul.lo.u32 %r3, %r2, %r1;
  st.global.u32 [%rd1], %r3; ret;
}
.visible .entry add(.param .u64 p, .param .u32 what) {
  .reg .b64 %rd<2>; .reg .b32 %r<4>;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [what]; ld.global.u32 %r2, [%rd1]; add.u32 %r3, %r2, %r1;
  st.global.u32 [%rd1], %r3; ret;
}
.visible .entry saxpy(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n) {
  .reg .b64 %rd<6>; .reg .b32 %r<6>; .reg .f32 %f<5>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.f32 %f1, [a]; ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %p1, %r5, %r1; @%p1 bra DONE;
  mul.wide.s32 %rd3, %r5, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
  ld.global.f32 %f2, [%rd4]; ld.global.f32 %f3, [%rd5]; fma.rn.f32 %f4, %f1, %f2, %f3; st.global.f32 [%rd5], %f4;
DONE: ret;
}
.visible .entry parameters(.param .u64 p, .param .u8 a, .param .u16 b, .param .u32 c, .param .u64 d, .param .f32 e,
                           .param .f64 f, .param .align 4 .b8 g[12], .param .align 16 .b8 h[16], .param .u8 i) {
  .reg .b64 %rd<5>; .reg .b32 %r<6>; .reg .b16 %h<4>; .reg .f32 %f<2>; .reg .f64 %d<2>;
  ld.param.u64 %rd1, [p];
  ld.param.u8 %h1, [a]; cvt.u32.u16 %r1, %h1; st.global.u32 [%rd1], %r1;
  ld.param.u16 %h2, [b]; cvt.u32.u16 %r2, %h2; st.global.u32 [%rd1 + 4], %r2;
  ld.param.u32 %r3, [c]; st.global.u32 [%rd1 + 8], %r3;
  ld.param.u64 %rd2, [d]; st.global.u64 [%rd1 + 16], %rd2;
  ld.param.f32 %f1, [e]; st.global.f32 [%rd1 + 24], %f1;
  ld.param.f64 %d1, [f]; st.global.f64 [%rd1 + 32], %d1;
  ld.param.u32 %r4, [g + 8]; st.global.u32 [%rd1 + 40], %r4;
  ld.param.u64 %rd3, [h + 8]; st.global.u64 [%rd1 + 48], %rd3;
  ld.param.u8 %h3, [i]; cvt.u32.u16 %r5, %h3; st.global.u32 [%rd1 + 56], %r5;
  ret;
}
.visible .entry where_am_i(.param .u64 p) {
  .reg .b64 %rd<4>; .reg .b32 %r<24>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z; mov.u32 %r4, %nctaid.x; mov.u32 %r5, %nctaid.y;
  mov.u32 %r6, %tid.x; mov.u32 %r7, %tid.y; mov.u32 %r8, %tid.z; mov.u32 %r9, %ntid.x; mov.u32 %r10, %ntid.y;
  mov.u32 %r11, %ntid.z;
  mad.lo.u32 %r12, %r3, %r5, %r2; mad.lo.u32 %r13, %r12, %r4, %r1;
  mad.lo.u32 %r14, %r8, %r10, %r7; mad.lo.u32 %r15, %r14, %r9, %r6;
  mul.lo.u32 %r16, %r9, %r10; mul.lo.u32 %r17, %r16, %r11; mad.lo.u32 %r18, %r13, %r17, %r15;
  shl.b32 %r19, %r3, 20; shl.b32 %r20, %r2, 16; or.b32 %r21, %r19, %r20; shl.b32 %r20, %r1, 12; or.b32 %r21, %r21, %r20;
  shl.b32 %r20, %r8, 8; or.b32 %r21, %r21, %r20; shl.b32 %r20, %r7, 4; or.b32 %r21, %r21, %r20; or.b32 %r21, %r21, %r6;
  mul.wide.u32 %rd2, %r18, 4; add.u64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r21; ret;
}
.extern .shared .align 4 .b8 dynamic[];
.visible .entry reverse(.param .u64 p, .param .u32 n) {
  .reg .b64 %rd<4>; .reg .b32 %r<10>;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd3, %rd1, %rd2;
  ld.global.u32 %r3, [%rd3]; shl.b32 %r4, %r2, 2; mov.u32 %r5, dynamic; add.u32 %r6, %r5, %r4; st.shared.u32 [%r6], %r3;
  bar.sync 0;
  sub.u32 %r7, %r1, %r2; sub.u32 %r7, %r7, 1; shl.b32 %r8, %r7, 2; add.u32 %r9, %r5, %r8; ld.shared.u32 %r3, [%r9];
  st.global.u32 [%rd3], %r3; ret;
}
.visible .entry block_sum(.param .u64 from, .param .u64 to) {
  .reg .b64 %rd<7>; .reg .b32 %r<12>; .reg .pred %p<3>; .shared .align 4 .b8 partial[1024];
  ld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [to]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %ctaid.x;
  mad.lo.u32 %r4, %r3, %r2, %r1; mul.wide.u32 %rd3, %r4, 4; add.u64 %rd4, %rd1, %rd3; ld.global.u32 %r5, [%rd4];
  shl.b32 %r6, %r1, 2; mov.u32 %r7, partial; add.u32 %r8, %r7, %r6; st.shared.u32 [%r8], %r5; bar.sync 0;
  shr.u32 %r9, %r2, 1;
LOOP:
  setp.eq.u32 %p1, %r9, 0; @%p1 bra WRITE;
  setp.ge.u32 %p2, %r1, %r9; @%p2 bra NEXT;
  shl.b32 %r10, %r9, 2; add.u32 %r10, %r8, %r10; ld.shared.u32 %r11, [%r10]; ld.shared.u32 %r5, [%r8];
  add.u32 %r5, %r5, %r11; st.shared.u32 [%r8], %r5;
NEXT:
  bar.sync 0; shr.u32 %r9, %r9, 1; bra LOOP;
WRITE:
  setp.ne.u32 %p2, %r1, 0; @%p2 bra DONE;
  ld.shared.u32 %r5, [partial]; mul.wide.u32 %rd5, %r3, 4; add.u64 %rd6, %rd2, %rd5; st.global.u32 [%rd6], %r5;
DONE: ret;
}
.visible .entry count_up(.param .u64 p) {
  .reg .b64 %rd<2>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p]; atom.global.add.u32 %r1, [%rd1], 1; ret;
}
.visible .entry bump() {
  .reg .b32 %r<3>;
  atom.global.add.u32 %r1, [counter], 1; atom.global.add.u32 %r2, [shared_counter], 1; ret;
}
.visible .entry scaled(.param .u64 p) {
  .reg .b64 %rd<2>; .reg .f32 %f<4>;
  ld.param.u64 %rd1, [p]; ld.global.f32 %f1, [%rd1]; ld.const.f32 %f2, [scale]; mul.f32 %f3, %f1, %f2;
  st.global.f32 [%rd1], %f3; ret;
}
.visible .entry lanes(.param .u64 p) {
  .reg .b64 %rd<4>; .reg .b32 %r<8>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [p]; mov.u32 %r1, %laneid; mul.wide.u32 %rd2, %r1, 16; add.u64 %rd3, %rd1, %rd2;
  and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1; vote.sync.ballot.b32 %r3, %p1, 0xffffffff; st.global.u32 [%rd3], %r3;
  shfl.sync.down.b32 %r4|%p2, %r1, 1, 31, 0xffffffff; st.global.u32 [%rd3 + 4], %r4;
  shfl.sync.bfly.b32 %r5|%p2, %r1, 16, 31, 0xffffffff; st.global.u32 [%rd3 + 8], %r5;
  shfl.sync.idx.b32 %r6|%p2, %r1, 3, 31, 0xffffffff; st.global.u32 [%rd3 + 12], %r6; ret;
}
.visible .entry divide(.param .u64 p, .param .s32 a, .param .s32 b) {
  .reg .b64 %rd<2>; .reg .b32 %r<5>;
  ld.param.u64 %rd1, [p]; ld.param.s32 %r1, [a]; ld.param.s32 %r2, [b]; div.s32 %r3, %r1, %r2; st.global.u32 [%rd1], %r3;
  rem.s32 %r4, %r1, %r2; st.global.u32 [%rd1 + 4], %r4; ret;
}
.visible .entry spin(.param .u64 ns, .param .u64 out) {
  .reg .b64 %rd<6>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [ns]; ld.param.u64 %rd5, [out];
  mov.u64 %rd2, %globaltimer;
LOOP:
  mov.u64 %rd3, %globaltimer; sub.u64 %rd4, %rd3, %rd2; setp.lt.u64 %p1, %rd4, %rd1; @%p1 bra LOOP;
  setp.ne.u64 %p1, %rd5, 0; @%p1 st.global.u64 [%rd5], %rd4;
  ret;
}
.visible .entry wide(.param .u64 p) {
  .reg .b64 %rd<3>; .reg .b32 %r<5>;
  ld.param.u64 %rd1, [p]; ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1]; st.global.v4.u32 [%rd1], {%r4, %r3, %r2, %r1}; ret;
}
.visible .entry shared_out(.param .u32 at) {
  .reg .b32 %r<3>; .shared .align 4 .b8 tile[1024];
  ld.param.u32 %r1, [at]; mov.u32 %r2, 7; st.shared.u32 [%r1], %r2; ret;
}
.visible .entry traps() { trap; ret; }
.visible .entry at_most_64() .maxntid 64, 1, 1 { ret; }
.visible .entry exactly_64() .reqntid 64, 1, 1 { ret; }
.visible .entry with_shared(.param .u64 p) {
  .reg .b64 %rd<2>; .reg .b32 %r<3>; .shared .align 4 .b8 tile[4096];
  ld.param.u64 %rd1, [p]; mov.u32 %r1, 7; st.shared.u32 [tile + 16], %r1; bar.sync 0; ld.shared.u32 %r2, [tile + 16];
  st.global.u32 [%rd1], %r2; ret;
}
.func (.param .b32 r) deep(.param .b32 n) {
  .reg .b32 %r<5>; .reg .pred %p<2>; .local .align 4 .b8 big[1024]; .param .b32 x; .param .b32 y;
  ld.param.b32 %r1, [n]; st.local.u32 [big + 512], %r1;
  setp.eq.u32 %p1, %r1, 0; @%p1 bra END;
  sub.u32 %r2, %r1, 1; st.param.b32 [x], %r2; call.uni (y), deep, (x); ld.param.b32 %r3, [y];
  ld.local.u32 %r4, [big + 512]; add.u32 %r1, %r3, %r4;
END:
  st.param.b32 [r], %r1; ret;
}
.visible .entry recurse(.param .u32 n, .param .u64 out) {
  .reg .b32 %r<3>; .reg .b64 %rd<2>; .param .b32 x; .param .b32 y;
  ld.param.u32 %r1, [n]; ld.param.u64 %rd1, [out]; st.param.b32 [x], %r1; call.uni (y), deep, (x);
  ld.param.b32 %r2, [y]; st.global.u32 [%rd1], %r2; ret;
}
)";

const char* const kPrintingCode = R"(
.version 7.0
.target sm_52
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 arguments);
.extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
.global .align 1 .b8 format[13] = {118, 97, 108, 117, 101, 32, 61, 32, 37, 100, 33, 10, 0};
.global .align 1 .b8 message[6] = {120, 32, 62, 32, 48, 0};
.global .align 1 .b8 file[5] = {97, 46, 99, 117, 0};
.global .align 1 .b8 name[5] = {103, 111, 40, 41, 0};

.visible .entry say(.param .u32 v) {
  .reg .b64 %rd<5>; .reg .b32 %r<4>; .local .align 8 .b8 values[8]; .param .b64 a; .param .b64 b; .param .b32 r;
  ld.param.u32 %r1, [v]; mov.u32 %r3, %tid.x; add.u32 %r1, %r1, %r3; st.local.u32 [values], %r1;
  mov.u64 %rd1, format; cvta.global.u64 %rd2, %rd1; st.param.b64 [a], %rd2;
  mov.u64 %rd3, values; cvta.local.u64 %rd4, %rd3; st.param.b64 [b], %rd4;
  call.uni (r), vprintf, (a, b); ld.param.b32 %r2, [r]; ret;
}
.visible .entry fails() {
  .reg .b64 %rd<8>; .reg .b32 %r<2>; .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
  mov.u64 %rd1, message; cvta.global.u64 %rd2, %rd1; st.param.b64 [a], %rd2;
  mov.u64 %rd3, file; cvta.global.u64 %rd4, %rd3; st.param.b64 [b], %rd4;
  mov.u32 %r1, 42; st.param.b32 [c], %r1;
  mov.u64 %rd5, name; cvta.global.u64 %rd6, %rd5; st.param.b64 [d], %rd6;
  mov.u64 %rd7, 1; st.param.b64 [e], %rd7;
  call.uni __assertfail, (a, b, c, d, e);
  ret;
}
)";

}  // namespace conformance
