// SPDX-License-Identifier: MIT
// Why advice and prefetches fail. For each sentence there is a call for which it would not be true, and which
// does not get it. Results as measured: scenarios managed_refused, managed_places, managed_without_v2.
#include "explained.hpp"

namespace lab_model_test {
namespace {

using trace::ValueKind;

constexpr std::uint64_t kReadMostly = 1, kPreferred = 3, kUsed = 5, kBytes = 4096;
constexpr const char *kDevice0 = "{type=CU_MEM_LOCATION_TYPE_DEVICE, id=0}",
                     *kDevice2 = "{type=CU_MEM_LOCATION_TYPE_DEVICE, id=2}",
                     *kMinus1 = "{type=CU_MEM_LOCATION_TYPE_DEVICE, id=-1}",
                     *kHostPlace = "{type=CU_MEM_LOCATION_TYPE_HOST, id=0}";

struct Advising : World {
  explicit Advising(int devices = 2) {
    init();
    if (devices > 0) call("cuDeviceGetCount").out("count", static_cast<std::uint64_t>(devices));
    create(kA);
  }
  support::Call& managed(std::uint64_t address = kMemory) {
    return call("cuMemAllocManaged")
        .out("dptr", address, ValueKind::DevicePointer)
        .in("bytesize", kBytes, ValueKind::Size)
        .in("flags", 1);
  }
  support::Call& to(support::Call& made, std::string location) {
    made.in("location", 0, ValueKind::Struct);
    made.event().arguments.back().text = std::move(location);
    return made;
  }
  support::Call& on(std::string_view name, std::uint64_t address, std::uint64_t bytes) {
    return call(name).in("devPtr", address, ValueKind::DevicePointer).in("count", bytes, ValueKind::Size);
  }
  support::Call& advise(std::string location, std::uint64_t advice = kReadMostly,
                        std::uint64_t address = kMemory, std::uint64_t bytes = kBytes) {
    return to(on("cuMemAdvise", address, bytes).in("advice", advice, ValueKind::Enumerator),
              std::move(location))
        .result(1);
  }
  support::Call& prefetch(std::string location, std::uint64_t address = kMemory,
                          std::uint64_t bytes = kBytes) {
    return to(on("cuMemPrefetchAsync", address, bytes), std::move(location)).result(1);
  }
  void ask_access(std::uint64_t value, std::uint64_t device = 0) {
    call("cuDeviceGetAttribute").out("pi", value).in("attrib", 89, ValueKind::Enumerator).in("dev", device);
  }
};

TEST(ExplainManaged, memory_of_cuMemAlloc_takes_no_advice_and_no_prefetch) {
  for (const bool advises : {true, false}) {
    Advising run;
    run.allocate(kMemory, kBytes).place("main.cpp", 50);
    advises ? run.advise(kDevice0) : run.prefetch(kDevice0);
    const std::string name = advises ? "`cuMemAdvise`" : "`cuMemPrefetchAsync`";
    EXPECT_TELLS(why_failed(run),
                 name + " is for managed memory, and #1 was made by `cuMemAlloc` (call 4 (main.cpp:50))");
    EXPECT_TELLS(why_failed(run, lab::Language::Chinese),
                 name + " 只能用于托管内存，而 #1 由 `cuMemAlloc` 分配");
  }
}

TEST(ExplainManaged, managed_memory_and_managed_variables_are_not_called_something_else) {
  Advising memory, variable;
  memory.managed();
  memory.advise(kDevice0);
  EXPECT_EQ(why_failed(memory), "");
  variable.load_module(0x10);
  variable.get_global(kMemory, kBytes, 0x10, "numbers");
  variable.advise(kDevice0, kReadMostly, kMemory + 8, 8);
  EXPECT_EQ(why_failed(variable), "");
}

TEST(ExplainManaged, memory_of_a_pool_is_not_blamed_because_pools_of_managed_memory_exist) {
  Advising run;
  run.call("cuMemAllocAsync")
      .out("dptr", kMemory, ValueKind::DevicePointer)
      .in("bytesize", kBytes, ValueKind::Size)
      .in("hStream", 0, ValueKind::Handle);
  run.advise(kDevice0);
  EXPECT_EQ(why_failed(run), "");
}

TEST(ExplainManaged, an_address_without_memory_is_called_that) {
  Advising never, freed;
  never.prefetch(kDevice0, 0x5555);
  EXPECT_TELLS(why_failed(never), "`devPtr` is 0x5555, and this program has no allocation there");
  freed.managed();
  freed.free(kMemory).place("main.cpp", 9);
  freed.advise(kDevice0);
  EXPECT_TELLS(why_failed(freed), "freed already, by call 5 (main.cpp:9)");
}

TEST(ExplainManaged, a_range_beyond_the_end_names_what_is_left) {
  Advising run, fits;
  run.managed();
  run.prefetch(kDevice0, kMemory + 96, kBytes);
  EXPECT_TELLS(why_failed(run),
               "`devPtr` is #1+96, and 4096 bytes from there go beyond the end: 4000 are left of the 4096");
  fits.managed();
  fits.prefetch(kDevice0, kMemory + 96, 4000);
  EXPECT_EQ(why_failed(fits), "");
}

TEST(ExplainManaged, a_device_beyond_the_count_names_both) {
  for (const bool advises : {true, false}) {
    Advising run;
    run.managed();
    advises ? run.advise(kDevice2, kPreferred) : run.prefetch(kDevice2).result(101);
    EXPECT_TELLS(why_failed(run), "There is no device 2: `cuDeviceGetCount` gave 2");
  }
}

TEST(ExplainManaged, a_device_is_not_blamed_for_advice_that_is_about_no_place) {
  Advising run;
  run.managed();
  run.advise(kDevice2, kReadMostly);
  EXPECT_EQ(why_failed(run), "");
}

TEST(ExplainManaged, the_host_is_not_device_minus_1) {
  for (const bool advises : {true, false}) {
    Advising run;
    run.managed();
    advises ? run.advise(kMinus1, kUsed) : run.prefetch(kMinus1).result(101);
    EXPECT_TELLS(why_failed(run), "set `type` to `CU_MEM_LOCATION_TYPE_HOST`");
    EXPECT_TELLS(why_failed(run, lab::Language::Chinese), "请把 `type` 设为 `CU_MEM_LOCATION_TYPE_HOST`");
  }
}

TEST(ExplainManaged, the_host_as_a_place_of_its_own_is_no_device) {
  Advising run, older;
  run.managed();
  run.prefetch(kHostPlace).result(101);
  EXPECT_EQ(why_failed(run), "");
  older.managed();
  older.on("cuMemPrefetchAsync", kMemory, kBytes)
      .in("dstDevice", static_cast<std::uint32_t>(-1), ValueKind::Device)
      .result(101);
  EXPECT_EQ(why_failed(older), "");
}

TEST(ExplainManaged, the_older_functions_name_a_device_too) {
  Advising run;
  run.managed();
  run.on("cuMemAdvise", kMemory, kBytes)
      .in("advice", kPreferred, ValueKind::Enumerator)
      .in("device", 99, ValueKind::Device)
      .result(101);
  EXPECT_TELLS(why_failed(run), "There is no device 99: `cuDeviceGetCount` gave 2");
}

TEST(ExplainManaged, a_device_that_exists_may_lack_concurrent_access) {
  Advising run, asked, other_asked;
  run.managed();
  run.prefetch(kDevice0).result(101);
  EXPECT_TELLS(why_failed(run),
               "Device 0 exists. According to the manual, it must also have concurrent access");
  EXPECT_TELLS(why_failed(run, lab::Language::Chinese), "设备 0 存在");
  asked.managed();
  asked.ask_access(1);
  asked.prefetch(kDevice0).result(101);
  EXPECT_EQ(why_failed(asked), "");
  other_asked.managed();
  other_asked.ask_access(1, 1);
  other_asked.prefetch(kDevice0).result(101);
  EXPECT_TELLS(why_failed(other_asked), "Device 0 exists");
}

TEST(ExplainManaged, where_nobody_counted_devices_both_causes_are_named) {
  Advising run(0), asked(0);
  run.managed();
  run.prefetch(kDevice0).result(101);
  EXPECT_TELLS(why_failed(run), "Either there is no device 0, or it has no concurrent access");
  EXPECT_TELLS(why_failed(run, lab::Language::Chinese), "或者没有编号为 0 的设备");
  asked.managed();
  asked.ask_access(1);
  asked.prefetch(kDevice0).result(101);
  EXPECT_EQ(why_failed(asked), "");
}

}  // namespace
}  // namespace lab_model_test
