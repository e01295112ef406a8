// SPDX-License-Identifier: MIT
// Why launches fail, with the numbers in the run: of parameters, of threads, of shared memory. For each
// sentence there is a launch for which it would not be true, and which does not get it.
#include "explained.hpp"

namespace lab_model_test {
namespace {

using trace::ValueKind;

std::string digits_of(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    digits += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
    digits += "0123456789abcdef"[c & 15];
  }
  return digits;
}

constexpr std::uint64_t kModule = 0x10, kFunction = 0x20;
constexpr const char* kCode =
    ".version 8.0\n.visible .entry vecAdd(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) { ret; "
    "}\n"
    ".visible .entry idle() { ret; }\n";

struct LaunchOf {
  std::uint64_t threads = 32, shared = 0, parameters = 0x7ffd1000, extra = 0;
};

struct Launching : World {
  explicit Launching(std::string name = "vecAdd", std::string_view code = kCode) {
    init();
    create(kA);
    load_module(kModule).event().arguments.back().text = digits_of(code);
    get_function(kFunction, kModule, std::move(name));
  }
  support::Call& try_launch(const LaunchOf& how, std::string_view call_name = "cuLaunchKernel") {
    support::Call& made = call(call_name).handle("f", "CUfunction", kFunction);
    for (const char* name : {"gridDimX", "gridDimY", "gridDimZ"}) made.in(name, 1);
    made.in("blockDimX", how.threads).in("blockDimY", 1).in("blockDimZ", 1).in("sharedMemBytes", how.shared);
    return made.in("kernelParams", how.parameters, ValueKind::HostPointer)
        .in("extra", how.extra, ValueKind::HostPointer);
  }
  support::Call& set_shared(std::uint64_t bytes, std::uint64_t attribute = 8) {
    return call("cuFuncSetAttribute")
        .handle("hfunc", "CUfunction", kFunction)
        .in("attrib", attribute, ValueKind::Enumerator)
        .in("value", bytes);
  }
  support::Call& told(std::uint64_t attribute, std::uint64_t value) {
    return call("cuFuncGetAttribute")
        .out("pi", value)
        .in("attrib", attribute, ValueKind::Enumerator)
        .handle("hfunc", "CUfunction", kFunction);
  }
  support::Call& most_threads(std::uint64_t threads) { return told(0, threads); }
  support::Call& launch_by_struct(std::string config) {
    support::Call& made = call("cuLaunchKernelEx").in("config", 0x7ffd3000, ValueKind::Struct);
    made.event().arguments.back().text = std::move(config);
    return made.handle("f", "CUfunction", kFunction)
        .in("kernelParams", 0x7ffd1000, ValueKind::HostPointer)
        .in("extra", 0, ValueKind::HostPointer)
        .result(1);
  }
  std::string why(lab::Language language = lab::Language::English) { return why_failed(*this, language); }
  std::string crashed() {
    other(trace::EventKind::ProcessEnd, 0, "", 11).event().end = trace::EndKind::Signal;
    return why();
  }
};

TEST(ExplainLaunch, parameters_that_were_not_given_are_counted) {
  Launching run;
  run.try_launch({.parameters = 0}).result(1);
  EXPECT_TELLS(run.why(), "M1.vecAdd takes 4 parameters (28 bytes), and neither");
  EXPECT_TELLS(run.why(lab::Language::Chinese), "M1.vecAdd 有 4 个参数（共 28 字节）");
}

TEST(ExplainLaunch, a_mangled_name_counts_them_where_the_code_does_not) {
  Launching run("_Z6vecAddPKfS0_Pfi",
                "\x7f"
                "ELF");
  run.try_launch({.parameters = 0}).result(1);
  EXPECT_TELLS(run.why(), "takes 4 parameters");
}

TEST(ExplainLaunch, a_kernel_that_takes_none_is_not_said_to_lack_them) {
  Launching run("idle");
  run.try_launch({.parameters = 0}).result(1);
  EXPECT_EQ(run.why(), "");
}

TEST(ExplainLaunch, a_crash_tells_how_many_entries_were_read) {
  Launching run;
  run.try_launch({}).never_returned();
  EXPECT_TELLS(run.crashed(), "M1.vecAdd, which takes 4 parameters (28 bytes)");
}

TEST(ExplainLaunch, a_crash_of_a_kernel_that_takes_none_is_not_blamed_on_them) {
  Launching run("idle");
  run.try_launch({}).never_returned();
  EXPECT_EQ(run.crashed(), "");
}

TEST(ExplainLaunch, a_library_s_kernel_is_known_by_its_function) {
  Launching run;
  run.load_library(0x50).event().arguments.back().name = "code";
  run.calls().back().event().arguments.back().text = digits_of(kCode);
  run.get_kernel(0x60, 0x50, "vecAdd");
  run.kernel_function(0x70, 0x60);
  support::Call& launch = run.try_launch({.parameters = 0}).result(1);
  launch.event().arguments.front().word = 0x70;
  EXPECT_TELLS(run.why(), "takes 4 parameters (28 bytes)");
}

// Measured on an H200: launch_rest, steps 9 and 11.
TEST(ExplainLaunch, a_buffer_that_is_too_large_names_the_bytes_it_should_have) {
  Launching run;
  run.try_launch({.parameters = 0, .extra = 0x7ffd2000}).result(701);
  EXPECT_TELLS(run.why(), "takes 4 parameters, 28 bytes in all");
}

TEST(ExplainLaunch, a_buffer_without_its_size_is_asked_for_it) {
  Launching run;
  run.try_launch({.parameters = 0, .extra = 0x7ffd2000}).result(1);
  EXPECT_TELLS(run.why(), "CU_LAUNCH_PARAM_BUFFER_SIZE");
}

// Measured on an H200: launch, step 14.
TEST(ExplainLaunch, shared_memory_beyond_what_nobody_has_to_ask_for) {
  Launching run;
  run.try_launch({.shared = 65536}).result(1);
  EXPECT_TELLS(run.why(), "65536 bytes of shared memory");
  EXPECT_TELLS(run.why(), "49152");
}

TEST(ExplainLaunch, shared_memory_beyond_what_was_asked_for_names_that_call) {
  Launching run;
  run.set_shared(65536).place("main.cpp", 20);
  run.try_launch({.shared = 70000}).result(1);
  EXPECT_TELLS(
      run.why(),
      "70000 bytes of shared memory for each block, but call 5 (main.cpp:20) allowed this function 65536");
}

TEST(ExplainLaunch, shared_memory_within_the_limits_is_not_blamed) {
  Launching plain, asked, other;
  plain.try_launch({.shared = 49152}).result(1);
  EXPECT_EQ(plain.why(), "");
  asked.set_shared(65536);
  asked.try_launch({.shared = 65536}).result(1);
  EXPECT_EQ(asked.why(), "");
  other.set_shared(100, 9);  // another attribute
  other.try_launch({.shared = 1000}).result(1);
  EXPECT_EQ(other.why(), "");
}

// Measured on an H100: lesson 28, where the kernel declares 1 KiB itself.
TEST(ExplainLaunch, dynamic_shared_memory_and_that_of_the_kernel_count_together) {
  Launching run;
  run.told(1, 1024).place("main.cpp", 48);
  run.try_launch({.shared = 49152}).result(1);
  EXPECT_TELLS(run.why(),
               "49152 bytes of dynamic shared memory, and M1.vecAdd declares 1024 itself (call 5 "
               "(main.cpp:48))");
  EXPECT_TELLS(run.why(), "this makes 50176");
  EXPECT_TELLS(run.why(lab::Language::Chinese), "自己还声明了 1024 字节");
}

TEST(ExplainLaunch, the_limit_that_the_function_returned_is_named_where_nobody_asked_what_it_declares) {
  Launching run;
  run.told(8, 48128);
  run.try_launch({.shared = 49152}).result(1);
  EXPECT_TELLS(run.why(), "call 5 returned that a launch of M1.vecAdd may give at most 48128");
  EXPECT_TELLS(run.why(lab::Language::Chinese), "最多给 48128 字节");
}

TEST(ExplainLaunch, shared_memory_that_fits_with_what_the_kernel_declares_is_not_blamed) {
  Launching together, told, allowed;
  together.told(1, 1024);
  together.try_launch({.shared = 48128}).result(1);
  EXPECT_EQ(together.why(), "");
  told.told(8, 48128);
  told.try_launch({.shared = 48128}).result(1);
  EXPECT_EQ(told.why(), "");
  allowed.told(1, 1024);
  allowed.set_shared(65536);
  allowed.try_launch({.shared = 49152}).result(1);
  EXPECT_EQ(allowed.why(), "");
}

// Measured on an H200: launch_limits, step 16.
TEST(ExplainLaunch, a_block_beyond_the_launch_bounds_names_both) {
  Launching run;
  run.most_threads(128).place("main.cpp", 50);
  run.try_launch({.threads = 129}).result(1);
  EXPECT_TELLS(run.why(),
               "has 129 threads in all, but call 5 (main.cpp:50) returned that a block of M1.vecAdd "
               "has at most 128");
  EXPECT_TELLS(run.why(lab::Language::Chinese), "M1.vecAdd 的线程块最多 128 个");
}

TEST(ExplainLaunch, a_block_within_the_launch_bounds_is_not_blamed_on_them) {
  Launching run;
  run.most_threads(128);
  run.try_launch({.threads = 128}).result(1);
  EXPECT_EQ(run.why(), "");
}

// Measured on an H100: launch_today, steps 33 and 37.
TEST(ExplainLaunch, attributes_of_a_launch_are_named_where_one_may_have_been_refused) {
  const std::string shape = "gridDimX=1, gridDimY=1, gridDimZ=1, blockDimX=32, blockDimY=1, blockDimZ=1";
  Launching unsupported, invalid, none;
  unsupported.launch_by_struct("{" + shape + ", attrs=0x7ffd4000, numAttrs=2}").result(801);
  EXPECT_TELLS(unsupported.why(), "`config.numAttrs` is 2, and the driver most likely does not support one");
  EXPECT_TELLS(unsupported.why(lab::Language::Chinese), "驱动很可能不支持其中某个属性");
  invalid.launch_by_struct("{" + shape + ", attrs=0x7ffd4000, numAttrs=2}");
  EXPECT_TELLS(invalid.why(), "the cause may be one of the attributes (`config.numAttrs` is 2)");
  EXPECT_TELLS(invalid.why(lab::Language::Chinese), "问题可能出在");
  for (const std::int32_t result : {1, 801}) {
    none.launch_by_struct("{" + shape + ", attrs=null, numAttrs=0}").result(result);
    EXPECT_EQ(none.why(), "");
  }
}

TEST(ExplainLaunch, attributes_are_not_blamed_where_something_else_is_wrong) {
  Launching run;
  run.launch_by_struct(
      "{gridDimX=1, gridDimY=1, gridDimZ=1, blockDimX=2048, blockDimY=1, blockDimZ=1, attrs=0x7ffd4000, "
      "numAttrs=1}");
  EXPECT_TELLS(run.why(), "2048");
  EXPECT_EQ(run.why().find("numAttrs"), std::string::npos);
}

TEST(ExplainLaunch, a_block_beyond_what_the_function_said_names_both) {
  Launching run;
  run.most_threads(256);
  run.try_launch({.threads = 512}).result(701);
  EXPECT_TELLS(run.why(),
               "512 × 1 × 1 threads is 512 threads; call 5 returned that this function takes at most 256");
}

TEST(ExplainLaunch, a_block_that_the_function_takes_is_not_called_too_large) {
  Launching run;
  run.most_threads(512);
  run.try_launch({.threads = 512}).result(701);
  EXPECT_EQ(run.why(), "");
}

TEST(ExplainLaunch, too_few_registers_are_told_as_likely_where_nobody_asked) {
  Launching run;
  run.try_launch({.threads = 1024}).result(701);
  EXPECT_TELLS(run.why(), "most likely needs more registers");
}

TEST(ExplainLaunch, a_cooperative_launch_that_does_not_fit_tells_its_size) {
  Launching run;
  run.try_launch({}, "cuLaunchCooperativeKernel").result(720);
  EXPECT_TELLS(run.why(), "1 × 1 × 1 blocks of 32 × 1 × 1 threads");
}

TEST(ExplainLaunch, a_launch_by_a_struct_is_read_from_it) {
  const auto with = [](const char* config) {
    Launching run;
    run.launch_by_struct(config);
    return run.why();
  };
  EXPECT_TELLS(with("{gridDimX=1, gridDimY=1, gridDimZ=1, blockDimX=2048, blockDimY=1, blockDimZ=1}"),
               "2048");
  EXPECT_EQ(with("{gridDimX=1, gridDimY=1, gridDimZ=1, blockDimX=1024, blockDimY=1, blockDimZ=1}"), "");
  EXPECT_EQ(with(""), "");
}

}  // namespace
}  // namespace lab_model_test
