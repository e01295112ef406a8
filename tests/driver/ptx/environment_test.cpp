// SPDX-License-Identifier: MIT
// What the interpreter asks of its surroundings, and what it may be asked: the heap, printf's result,
// functions by their addresses, environment registers, limits of a thread.
#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

#include "ptx/interpret.hpp"
#include "ptx/parse.hpp"

namespace {

constexpr std::uint64_t base = 0x400000000000;
constexpr std::uint64_t heap = base + 2048;

struct Bytes : ptx::Memory {
  std::vector<std::byte> bytes = std::vector<std::byte>(4096);
  std::byte* at(std::uint64_t address, std::uint64_t size) override {
    return address >= base && address - base + size <= bytes.size() ? bytes.data() + (address - base)
                                                                    : nullptr;
  }
  std::uint32_t word(std::size_t index) const {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
    return value;
  }
};

struct Trial {
  Bytes memory;
  ptx::Environment environment;
  ptx::Launch launch;
  ptx::Fault fault;

  // `functions` before, `body` inside of the kernel f(out), where %out is the parameter.
  void operator()(const std::string& functions, const std::string& body) {
    const ptx::ParseResult parsed =
        ptx::parse(".version 8.0\n.target sm_80\n.address_size 64\n" + functions +
                   "\n.visible .entry f(.param .u64 f_out)\n{\n.reg .b64 %out, %d<9>;\n.reg .b32 %r<9>;\n"
                   "ld.param.u64 %out, [f_out];\n" +
                   body + "\nret;\n}\n");
    ASSERT_FALSE(parsed.error) << parsed.error->line << ": " << parsed.error->message;
    environment.memory = &memory;
    launch.parameters = std::as_bytes(std::span(&base, 1));
    fault = ptx::interpret(*parsed.module, *parsed.module->find("f"), launch, environment);
  }
};

const std::string heap_functions =
    ".extern .func (.param .b64 r) malloc (.param .b64 n);\n.extern .func free (.param .b64 p);\n";
const std::string allocate =
    "{\n.param .b64 n;\n.param .b64 r;\nst.param.b64 [n], 24;\ncall (r), malloc, (n);\nld.param.b64 %d1, "
    "[r];\n}\n";
const std::string release = "{\n.param .b64 p;\nst.param.b64 [p], %d1;\ncall free, (p);\n}\n";

TEST(Environment, malloc_gives_what_the_heap_gives_and_free_takes_it_back) {
  Trial run;
  std::uint64_t asked = 0, freed = 0;
  run.environment.allocate = [&](std::uint64_t bytes) {
    asked = bytes;
    return heap;
  };
  run.environment.release = [&](std::uint64_t address) { freed = address; };
  run(heap_functions,
      allocate + "st.u32 [%d1+20], 7;\nld.u32 %r1, [%d1+20];\nst.global.u32 [%out], %r1;\n" + release);
  EXPECT_EQ(run.fault.kind, ptx::Fault::Kind::None) << run.fault.detail;
  EXPECT_EQ(run.memory.word(0), 7U);
  EXPECT_EQ(asked, 24U);
  EXPECT_EQ(freed, heap);
}

TEST(Environment, an_empty_heap_gives_null) {
  Trial run;
  run.environment.allocate = [](std::uint64_t) { return std::uint64_t{0}; };
  run(heap_functions,
      "mov.u64 %d1, 5;\n" + allocate + "st.global.u64 [%out], %d1;\nst.global.u32 [%out+8], 1;");
  EXPECT_EQ(run.memory.word(0), 0U);
  EXPECT_EQ(run.memory.word(2), 1U);
}

TEST(Environment, without_a_heap_malloc_is_a_fault) {
  Trial run;
  run(heap_functions, allocate);
  EXPECT_EQ(run.fault.kind, ptx::Fault::Kind::IllegalInstruction);
}

TEST(Environment, printf_says_how_many_arguments_it_took) {
  const std::string functions = ".extern .func (.param .b32 r) vprintf (.param .b64 t, .param .b64 a);\n";
  const auto print = [](const std::string& text) {
    return "{\n.param .b64 t;\n.param .b64 a;\n.param .b32 r;\nst.param.b64 [t], " + text +
           ";\nst.param.b64 [a], %out;\ncall (r), vprintf, (t, a);\nld.param.b32 %r1, [r];\n}\n";
  };
  Trial run;
  std::memcpy(run.memory.bytes.data() + 512, "%d%% %x\n", 9);
  std::string printed;
  run.environment.print = [&](const std::string& text) { printed += text; };
  run(functions, "add.u64 %d1, %out, 512;\n" + print("%d1") + "st.global.u32 [%out+16], %r1;\n" + print("0") +
                     "st.global.u32 [%out+20], %r1;");
  EXPECT_EQ(run.fault.kind, ptx::Fault::Kind::None) << run.fault.detail;
  EXPECT_EQ(printed, "0% 0\n");
  EXPECT_EQ(run.memory.word(4), 2U);
  EXPECT_EQ(run.memory.word(5), ~0U);
}

TEST(Environment, environment_registers_and_the_number_of_the_grid_come_with_the_launch) {
  Trial run;
  run.launch.environment[1] = 77;
  run.launch.environment[31] = 99;
  run.launch.number = 0x100000002;
  run("",
      "mov.u32 %r1, %envreg1;\nst.global.u32 [%out], %r1;\nmov.u32 %r1, %envreg31;\nst.global.u32 [%out+4], "
      "%r1;\n"
      "mov.u32 %r1, %envreg2;\nst.global.u32 [%out+8], %r1;\nmov.u64 %d1, %gridid;\nst.global.u64 [%out+16], "
      "%d1;");
  EXPECT_EQ(run.memory.word(0), 77U);
  EXPECT_EQ(run.memory.word(1), 99U);
  EXPECT_EQ(run.memory.word(2), 0U);
  EXPECT_EQ(run.memory.word(4), 2U);
  EXPECT_EQ(run.memory.word(5), 1U);
}

TEST(Environment, parts_of_a_grid_in_several_threads_wait_for_each_other) {
  const ptx::ParseResult parsed = ptx::parse(
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry f(.param .u64 p)\n{\n.reg .b64 %d;\n"
      ".reg .b32 %r<4>;\n.reg .pred %p;\nld.param.u64 %d, [p];\natom.global.add.u32 %r1, [%d], 1;\n"
      "wait:\nld.acquire.gpu.u32 %r2, [%d];\nsetp.lt.u32 %p, %r2, 4;\n@%p bra wait;\nret;\n}\n");
  ASSERT_FALSE(parsed.error) << parsed.error->message;
  Bytes memory;
  std::vector<ptx::Fault> faults(4);
  std::vector<std::thread> threads;
  for (std::size_t block = 0; block < faults.size(); ++block) {
    threads.emplace_back([&, block] {
      ptx::Environment environment;
      environment.memory = &memory;
      ptx::Launch launch;
      launch.grid[0] = 4;
      launch.first_cluster = block;
      launch.clusters = 1;
      launch.parameters = std::as_bytes(std::span(&base, 1));
      faults[block] = ptx::interpret(*parsed.module, *parsed.module->find("f"), launch, environment);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const ptx::Fault& fault : faults) EXPECT_EQ(fault.kind, ptx::Fault::Kind::None) << fault.detail;
  EXPECT_EQ(memory.word(0), 4U);
}

TEST(Environment, atomic_operations_of_all_widths_lose_nothing) {
  Trial run;
  run.launch.block[0] = 64;
  run("",
      "atom.global.add.u32 %r1, [%out], 3;\natom.global.add.u64 %d1, [%out+8], 5;\nmov.b32 %r2, 0x3c003c00;\n"
      "red.global.add.noftz.f16x2 [%out+16], %r2;\natom.global.inc.u32 %r1, [%out+20], 9;");
  EXPECT_EQ(run.fault.kind, ptx::Fault::Kind::None) << run.fault.detail;
  EXPECT_EQ(run.memory.word(0), 192U);
  EXPECT_EQ(run.memory.word(2), 320U);
  EXPECT_EQ(run.memory.word(4), 0x54005400U);  // 64 in both halves
  EXPECT_EQ(run.memory.word(5), 4U);
}

TEST(Environment, a_vector_is_aligned_as_a_whole) {
  const std::pair<const char*, ptx::Fault::Kind> cases[] = {
      {"ld.global.v2.u32 {%r1, %r2}, [%out+8];", ptx::Fault::Kind::None},
      {"ld.global.v2.u32 {%r1, %r2}, [%out+4];", ptx::Fault::Kind::MisalignedAddress},
      {"ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%out+16];", ptx::Fault::Kind::None},
      {"ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%out+8];", ptx::Fault::Kind::MisalignedAddress},
      {"st.global.v2.u64 [%out+8], {%d1, %d2};", ptx::Fault::Kind::MisalignedAddress},
      {"st.global.v2.u64 [%out+32], {%d1, %d2};", ptx::Fault::Kind::None},
  };
  for (const auto& [body, kind] : cases) {
    Trial run;
    run("", body);
    EXPECT_EQ(run.fault.kind, kind) << body;
  }
}

TEST(Environment, beside_shared_memory_is_an_illegal_instruction) {
  const std::string functions = ".shared .align 8 .b8 tile[64];\n";
  const std::pair<const char*, ptx::Fault::Kind> cases[] = {
      {"st.shared.u32 [tile+60], 1;", ptx::Fault::Kind::None},
      {"st.shared.u32 [0x4000000], 1;", ptx::Fault::Kind::IllegalInstruction},
      {"mov.u64 %d1, tile;\ncvta.shared.u64 %d1, %d1;\nadd.u64 %d1, %d1, 0x4000000;\nst.u32 [%d1], 1;",
       ptx::Fault::Kind::IllegalInstruction},
      {"st.local.u32 [0x4000000], 1;", ptx::Fault::Kind::IllegalAddress},
  };
  for (const auto& [body, kind] : cases) {
    Trial run;
    run(functions, body);
    EXPECT_EQ(run.fault.kind, kind) << body;
  }
}

const std::string two_functions =
    ".func (.param .b32 r) later (.param .b32 x);\n"
    ".func (.param .b32 r) twice (.param .b32 x)\n{\n.reg .b32 %r<2>;\nld.param.b32 %r1, [x];\n"
    "shl.b32 %r1, %r1, 1;\nst.param.b32 [r], %r1;\nret;\n}\n"
    ".func (.param .b32 r) later (.param .b32 x)\n{\n.reg .b32 %r<2>;\nld.param.b32 %r1, [x];\n"
    "add.u32 %r1, %r1, 100;\nst.param.b32 [r], %r1;\nret;\n}\n";
const std::string call_d1 =
    "{\n.param .b32 x;\n.param .b32 r;\nst.param.b32 [x], 21;\n"
    "p: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
    "call (r), %d1, (x), p;\nld.param.b32 %r1, [r];\n}\nst.global.u32 [%out], %r1;\n";

TEST(Environment, a_function_is_called_by_its_address) {
  Trial run;
  run(two_functions, "mov.u64 %d1, twice;\n" + call_d1);
  EXPECT_EQ(run.fault.kind, ptx::Fault::Kind::None) << run.fault.detail;
  EXPECT_EQ(run.memory.word(0), 42U);
  Trial other;
  other(two_functions, "mov.u64 %d1, later;\n" + call_d1);
  EXPECT_EQ(other.memory.word(0), 121U);
}

TEST(Environment, an_address_of_no_function_is_a_fault_when_it_is_called) {
  for (const char* address : {"0", "0x300000000000063", "0x300000000000000", "%out"}) {
    Trial run;
    run(two_functions, "mov.u64 %d1, " + std::string(address) + ";\n" + call_d1);
    EXPECT_EQ(run.fault.kind, ptx::Fault::Kind::InvalidProgramCounter) << address;
  }
}

TEST(Environment, functions_are_counted_alike_in_every_reading_of_a_text) {
  const ptx::ParseResult parsed =
      ptx::parse(".version 8.0\n.target sm_80\n.address_size 64\n" + two_functions);
  ASSERT_FALSE(parsed.error);
  // The declaration of `later` comes first and has no address.
  EXPECT_EQ(ptx::index_of_function(*parsed.module, "twice"), 1U);
  EXPECT_EQ(ptx::index_of_function(*parsed.module, "later"), 2U);
  EXPECT_EQ(ptx::index_of_function(*parsed.module, "nothing"), std::nullopt);
  EXPECT_EQ(ptx::function_at(*parsed.module, ptx::kFunctionWindow), nullptr);
  EXPECT_EQ(ptx::function_at(*parsed.module, ptx::kFunctionWindow + 2), parsed.module->find("later"));
}

}  // namespace
