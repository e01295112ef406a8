// SPDX-License-Identifier: MIT
// Kernels run from their tree: arithmetic, memory, control, calls, barriers, faults.
#include "ptx/interpret.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <vector>

#include "ptx/parse.hpp"

namespace {

constexpr std::uint64_t kBase = 0x400000000000;

// Device memory for one test: one allocation at kBase.
struct OneAllocation : ptx::Memory {
  std::vector<std::byte> bytes = std::vector<std::byte>(4096);
  std::byte* at(std::uint64_t address, std::uint64_t size) override {
    return address >= kBase && address - kBase + size <= bytes.size() ? bytes.data() + (address - kBase)
                                                                      : nullptr;
  }
  template <class Value>
  Value get(std::size_t index) const {
    Value value;
    std::memcpy(&value, bytes.data() + index * sizeof(Value), sizeof(Value));
    return value;
  }
};

struct Outcome {
  OneAllocation memory;
  std::string printed;
  ptx::Fault fault;
};

// `body` computes with %out (u64, kBase) declared; the kernel is `f(out)`.
Outcome run(const std::string& body, ptx::Launch launch = {}, const std::string& globals = "") {
  const std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n" + globals +
      "\n.visible .entry f(.param .u64 f_out)\n{\n.reg .b64 %out;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n"
      ".reg .f32 %f<20>;\n.reg .f64 %fd<20>;\n.reg .pred %p<20>;\n.reg .b16 %rs<20>;\nld.param.u64 %out, "
      "[f_out];\n" +
      body + "\nret;\n}\n";
  Outcome result;
  const ptx::ParseResult parsed = ptx::parse(text);
  EXPECT_FALSE(parsed.error) << parsed.error->line << ": " << parsed.error->message;
  if (parsed.error) return result;
  const std::uint64_t out = kBase;
  launch.parameters = std::as_bytes(std::span(&out, 1));
  ptx::Environment environment;
  environment.memory = &result.memory;
  environment.print = [&](const std::string& line) { result.printed += line; };
  environment.symbol = [](const std::string& name) {
    return name == "d_value" ? kBase + 256 : name == "text" ? kBase + 512 : 0;
  };
  std::memcpy(result.memory.bytes.data() + 512, "%d and %s\n", 11);
  environment.stop = [calls = 0]() mutable { return ++calls > 100; };
  result.fault = ptx::interpret(*parsed.module, *parsed.module->find("f"), launch, environment);
  return result;
}

template <class Value>
Value value_of(const std::string& body) {
  const Outcome result = run(body);
  EXPECT_EQ(result.fault.kind, ptx::Fault::Kind::None) << result.fault.detail;
  return result.memory.get<Value>(0);
}

TEST(Interpret, each_thread_writes_its_own_element) {
  ptx::Launch launch;
  launch.grid[0] = 4;
  launch.block[0] = 32;
  const Outcome result = run(
      "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\nmad.lo.s32 %r4, %r1, %r2, %r3;\n"
      "mul.wide.s32 %rd1, %r4, 4;\nadd.s64 %rd2, %out, %rd1;\nst.global.u32 [%rd2], %r4;",
      launch);
  for (int i = 0; i < 128; ++i) EXPECT_EQ(result.memory.get<int>(static_cast<std::size_t>(i)), i);
}

TEST(Interpret, integers_wrap_and_shifts_clamp) {
  EXPECT_EQ(
      value_of<std::uint32_t>("mov.u32 %r1, 4294967295;\nadd.u32 %r2, %r1, 2;\nst.global.u32 [%out], %r2;"),
      1u);
  EXPECT_EQ(value_of<std::uint32_t>("mov.u32 %r1, 1;\nshl.b32 %r2, %r1, 40;\nst.global.u32 [%out], %r2;"),
            0u);
  EXPECT_EQ(value_of<std::int32_t>("mov.u32 %r1, -8;\nshr.s32 %r2, %r1, 1;\nst.global.u32 [%out], %r2;"), -4);
  EXPECT_EQ(
      value_of<std::uint32_t>("mov.u32 %r1, -8;\nmul.hi.u32 %r2, %r1, %r1;\nst.global.u32 [%out], %r2;"),
      0xfffffff0u);
  EXPECT_EQ(value_of<std::int32_t>("mov.u32 %r1, -7;\nrem.s32 %r2, %r1, 4;\nst.global.u32 [%out], %r2;"), -3);
}

TEST(Interpret, conversions_round_and_clamp) {
  EXPECT_EQ(value_of<std::int32_t>(
                "mov.f32 %f1, 0fC0200000;\ncvt.rzi.s32.f32 %r1, %f1;\nst.global.u32 [%out], %r1;"),
            -2);
  EXPECT_EQ(value_of<std::int32_t>(
                "mov.f32 %f1, 0f40200000;\ncvt.rni.s32.f32 %r1, %f1;\nst.global.u32 [%out], %r1;"),
            2);
  EXPECT_EQ(value_of<std::int32_t>(
                "mov.f32 %f1, 0f7F800000;\ncvt.rzi.s32.f32 %r1, %f1;\nst.global.u32 [%out], %r1;"),
            0x7fffffff);
  EXPECT_EQ(
      value_of<std::int64_t>("mov.u16 %rs1, 65535;\ncvt.s64.s16 %rd1, %rs1;\nst.global.u64 [%out], %rd1;"),
      -1);
}

TEST(Interpret, a_vector_of_one_is_the_register_itself) {
  EXPECT_EQ(value_of<std::uint64_t>(
                "mov.u64 %rd1, 81985529216486895;\nmov.b64 {%rd2}, %rd1;\nmov.b64 %rd3, {%rd2};\n"
                "st.global.u64 [%out], %rd3;"),
            81985529216486895U);
}

TEST(Interpret, nan_compares_as_unordered) {
  const std::string compare =
      "mov.f32 %f1, 0f7FC00000;\nsetp.%s.f32 %p1, %f1, %f1;\nselp.u32 %r1, 1, 0, %p1;\nst.global.u32 [%out], "
      "%r1;";
  const auto with = [&](const std::string& how) {
    std::string body = compare;
    body.replace(body.find("%s"), 2, how);
    return value_of<std::uint32_t>(body);
  };
  EXPECT_EQ(with("eq"), 0u);
  EXPECT_EQ(with("equ"), 1u);
  EXPECT_EQ(with("ne"), 0u);
  EXPECT_EQ(with("nan"), 1u);
}

TEST(Interpret, atomics_return_the_old_value) {
  const Outcome result =
      run("mov.u64 %rd1, d_value;\natom.global.add.u32 %r1, [%rd1], 5;\natom.global.add.u32 %r2, [%rd1], 5;\n"
          "st.global.v2.u32 [%out], {%r1, %r2};",
          {}, ".global .u32 d_value;");
  EXPECT_EQ(result.memory.get<std::uint32_t>(0), 0u);
  EXPECT_EQ(result.memory.get<std::uint32_t>(1), 5u);
  EXPECT_EQ(result.memory.get<std::uint32_t>(64), 10u);
}

TEST(Interpret, shared_memory_is_seen_across_a_barrier) {
  ptx::Launch launch;
  launch.block[0] = 64;
  // Thread i writes i, then reads what thread 63 - i wrote.
  const Outcome result =
      run(".shared .align 4 .b8 s[256];\nmov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\nmov.u32 %r3, "
          "s;\nadd.s32 %r4, %r3, %r2;\n"
          "st.shared.u32 [%r4], %r1;\nbar.sync 0;\nsub.s32 %r5, %r3, %r2;\nld.shared.u32 %r6, [%r5+252];\n"
          "mul.wide.u32 %rd1, %r1, 4;\nadd.s64 %rd2, %out, %rd1;\nst.global.u32 [%rd2], %r6;",
          launch);
  ASSERT_EQ(result.fault.kind, ptx::Fault::Kind::None) << result.fault.detail;
  for (int i = 0; i < 64; ++i) EXPECT_EQ(result.memory.get<int>(static_cast<std::size_t>(i)), 63 - i);
}

TEST(Interpret, a_device_function_returns_its_result) {
  const Outcome result = run(
      "mov.f32 %f1, 0f41A80000;\n{\n.param .b32 param0;\nst.param.f32 [param0+0], %f1;\n.param .b32 "
      "retval0;\n"
      "call.uni (retval0), twice, (param0);\nld.param.f32 %f2, [retval0+0];\n}\nst.global.f32 [%out], %f2;",
      {},
      ".func (.param .b32 func_retval0) twice(.param .b32 twice_param_0)\n{\n.reg .f32 %f<3>;\n"
      "ld.param.f32 %f1, [twice_param_0];\nadd.f32 %f2, %f1, %f1;\nst.param.f32 [func_retval0+0], "
      "%f2;\nret;\n}\n");
  ASSERT_EQ(result.fault.kind, ptx::Fault::Kind::None) << result.fault.detail;
  EXPECT_FLOAT_EQ(result.memory.get<float>(0), 42.0f);
}

TEST(Interpret, printf_formats_its_arguments) {
  const Outcome result =
      run(".local .align 8 .b8 depot[16];\nmov.u64 %rd1, depot;\ncvta.local.u64 %rd2, %rd1;\nmov.u32 %r1, "
          "42;\nst.local.u32 [%rd1], %r1;\n"
          "mov.u64 %rd3, text;\nadd.s64 %rd4, %rd3, 7;\nst.local.u64 [%rd1+8], %rd4;\n{\n.param .b64 "
          "a;\nst.param.b64 [a+0], %rd3;\n.param .b64 b;\n"
          "st.param.b64 [b+0], %rd2;\n.param .b32 c;\ncall.uni (c), vprintf, (a, b);\n}",
          {}, ".extern .func (.param .b32 r) vprintf(.param .b64 x, .param .b64 y);\n.global .b8 text[11];");
  ASSERT_EQ(result.fault.kind, ptx::Fault::Kind::None) << result.fault.detail;
  EXPECT_EQ(result.printed, "42 and %s\n\n");
}

TEST(Interpret, a_store_outside_device_memory_faults_and_names_the_line) {
  const Outcome result = run("mov.u64 %rd1, 16;\nmov.u32 %r1, 1;\nst.global.u32 [%rd1], %r1;");
  EXPECT_EQ(result.fault.kind, ptx::Fault::Kind::IllegalAddress);
  EXPECT_NE(result.fault.detail.find("line"), std::string::npos);
}

TEST(Interpret, a_host_pointer_is_no_device_memory) {
  int host = 7;
  const std::string address = std::to_string(reinterpret_cast<std::uint64_t>(&host));
  const Outcome result = run("mov.u64 %rd1, " + address + ";\nmov.u32 %r1, 1;\nst.global.u32 [%rd1], %r1;");
  EXPECT_EQ(result.fault.kind, ptx::Fault::Kind::IllegalAddress);
  EXPECT_EQ(host, 7);
}

TEST(Interpret, a_misaligned_access_and_a_trap_are_told_apart) {
  EXPECT_EQ(run("ld.global.u32 %r1, [%out+2];").fault.kind, ptx::Fault::Kind::MisalignedAddress);
  EXPECT_EQ(run("trap;").fault.kind, ptx::Fault::Kind::Trap);
}

TEST(Interpret, an_endless_kernel_can_be_stopped) {
  EXPECT_EQ(run("$L:\nbra $L;").fault.kind, ptx::Fault::Kind::Stopped);
}

TEST(Interpret, endless_recursion_ends_as_a_fault) {
  const Outcome result = run("call.uni again, ();", {}, ".func again()\n{\ncall.uni again, ();\nret;\n}\n");
  EXPECT_EQ(result.fault.kind, ptx::Fault::Kind::IllegalAddress);
}

ptx::Launch threads(std::uint32_t count) {
  ptx::Launch launch;
  launch.block[0] = count;
  return launch;
}

const std::string kOwnPlace = "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd1, %r1, 4;\nadd.u64 %rd1, %rd1, %out;\n";

TEST(Interpret, a_warp_adds_up_by_shuffles) {
  const Outcome outcome = run(kOwnPlace +
                                  "mov.u32 %r2, %r1;\n"
                                  "shfl.sync.down.b32 %r3|%p1, %r2, 16, 31, -1;\nadd.u32 %r2, %r2, %r3;\n"
                                  "shfl.sync.bfly.b32 %r3, %r2, 8, 31, -1;\nadd.u32 %r2, %r2, %r3;\n"
                                  "shfl.sync.bfly.b32 %r3, %r2, 4, 31, -1;\nadd.u32 %r2, %r2, %r3;\n"
                                  "shfl.sync.bfly.b32 %r3, %r2, 2, 31, -1;\nadd.u32 %r2, %r2, %r3;\n"
                                  "shfl.sync.bfly.b32 %r3, %r2, 1, 31, -1;\nadd.u32 %r2, %r2, %r3;\n"
                                  "selp.u32 %r4, 1000, 0, %p1;\nadd.u32 %r2, %r2, %r4;\n"
                                  "st.global.u32 [%rd1], %r2;",
                              threads(32));
  EXPECT_EQ(outcome.fault.kind, ptx::Fault::Kind::None) << outcome.fault.detail;
  EXPECT_EQ(outcome.memory.get<std::uint32_t>(0), 496U + 1000U);
}

TEST(Interpret, votes_and_matches_name_the_lanes) {
  const Outcome outcome =
      run(kOwnPlace +
              "and.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\n"
              "vote.sync.ballot.b32 %r3, %p1, -1;\nmatch.any.sync.b32 %r4, %r2, -1;\n"
              "redux.sync.max.u32 %r5, %r1, -1;\n"
              "add.u32 %r3, %r3, %r5;\nxor.b32 %r3, %r3, %r4;\nst.global.u32 [%rd1], %r3;",
          threads(32), "");
  EXPECT_EQ(outcome.fault.kind, ptx::Fault::Kind::None) << outcome.fault.detail;
  EXPECT_EQ(outcome.memory.get<std::uint32_t>(0), (0x55555555U + 31U) ^ 0x55555555U);
  EXPECT_EQ(outcome.memory.get<std::uint32_t>(1), (0x55555555U + 31U) ^ 0xaaaaaaaaU);
}

TEST(Interpret, a_barrier_counts_predicates_and_may_stand_in_a_called_function) {
  const Outcome outcome = run(
      kOwnPlace +
          "setp.lt.u32 %p1, %r1, 5;\nbar.red.popc.u32 %r2, 0, %p1;\n"
          "call (%r3), meet, (%r2);\nst.global.u32 [%rd1], %r3;",
      threads(64), ".func (.reg .b32 out) meet(.reg .b32 in) {\nbar.sync 1;\nadd.u32 out, in, 7;\nret;\n}");
  EXPECT_EQ(outcome.fault.kind, ptx::Fault::Kind::None) << outcome.fault.detail;
  EXPECT_EQ(outcome.memory.get<std::uint32_t>(63), 12U);
}

TEST(Interpret, halves_round_once_and_directions_are_kept) {
  const Outcome outcome =
      run("mov.b16 %rs1, 0x3C00;\nmov.b16 %rs2, 0x1000;\nfma.rn.f16 %rs3, %rs1, %rs1, %rs2;\n"
          "st.global.b16 [%out], %rs3;\nmov.f32 %f1, 0f3F800000;\nmov.f32 %f2, 0f40400000;\n"
          "div.rp.f32 %f3, %f1, %f2;\nst.global.f32 [%out+4], %f3;\ndiv.rz.f32 %f3, %f1, %f2;\n"
          "st.global.f32 [%out+8], %f3;\nlop3.b32 %r1, 12, 10, 6, 0x96;\nst.global.b32 [%out+12], %r1;");
  EXPECT_EQ(outcome.fault.kind, ptx::Fault::Kind::None) << outcome.fault.detail;
  EXPECT_EQ(outcome.memory.get<std::uint16_t>(0), 0x3C00U);  // 1 + 2^-11 is a tie, and goes to even
  EXPECT_EQ(outcome.memory.get<std::uint32_t>(1), 0x3EAAAAABU);
  EXPECT_EQ(outcome.memory.get<std::uint32_t>(2), 0x3EAAAAAAU);
  EXPECT_EQ(outcome.memory.get<std::uint32_t>(3), 12U ^ 10U ^ 6U);
}

TEST(Interpret, a_table_of_branches_and_scoped_names_are_followed) {
  const Outcome outcome =
      run(kOwnPlace +
              "{\n.reg .b32 %r1;\nmov.u32 %r1, 99;\n}\nts: .branchtargets A, B;\nbrx.idx %r1, ts;\n"
              "A: mov.u32 %r2, 10;\nbra E;\nB: mov.u32 %r2, 20;\nE: st.global.u32 [%rd1], %r2;",
          threads(2));
  EXPECT_EQ(outcome.memory.get<std::uint32_t>(0), 10U);
  EXPECT_EQ(outcome.memory.get<std::uint32_t>(1), 20U);
}

}  // namespace
