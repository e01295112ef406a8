// SPDX-License-Identifier: MIT
// Ten times as many objects take about ten times as long to make and to end, whatever else there is.
#include <ctime>
#include <functional>
#include <vector>

#include "support.hpp"

namespace {

const char* const small_code =
    ".version 7.0\n.target sm_52\n.address_size 64\n.visible .global .u32 g;\n.visible .entry k() { ret; }\n";

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

class Growth : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    ONLY_ON_THE_EMBEDDED_DRIVER();
    make_context();
  }

  template <typename Handle>
  static void is_in_proportion(const std::function<CUresult(Handle*)>& make,
                               const std::function<CUresult(Handle)>& end) {
    const auto seconds = [&](std::size_t count) {
      std::vector<Handle> made(count);
      const double before = processor_seconds();
      for (Handle& each : made) EXPECT_OK(make(&each));
      for (const Handle each : made) EXPECT_OK(end(each));
      return processor_seconds() - before;
    };
    seconds(100);
    const double few = seconds(3000);
    EXPECT_LT(seconds(30000), 40 * few);
  }
};

TEST_F(Growth, streams_are_made_and_destroyed_in_proportion) {
  is_in_proportion<CUstream>([](CUstream* made) { return cuStreamCreate(made, CU_STREAM_DEFAULT); },
                             cuStreamDestroy);
}

TEST_F(Growth, events_are_made_and_destroyed_in_proportion) {
  is_in_proportion<CUevent>([](CUevent* made) { return cuEventCreate(made, CU_EVENT_DEFAULT); },
                            cuEventDestroy);
}

TEST_F(Growth, modules_are_loaded_and_unloaded_in_proportion) {
  is_in_proportion<CUmodule>([](CUmodule* made) { return cuModuleLoadData(made, small_code); },
                             cuModuleUnload);
}

TEST_F(Growth, libraries_are_loaded_and_unloaded_in_proportion) {
  is_in_proportion<CUlibrary>(
      [](CUlibrary* made) {
        return cuLibraryLoadData(made, small_code, nullptr, nullptr, 0, nullptr, nullptr, 0);
      },
      cuLibraryUnload);
}

}  // namespace
