// SPDX-License-Identifier: MIT
// Calls inside calls: the runtime's around those of the driver, on one thread, however they end.
#include <gtest/gtest.h>

#include "api/descriptions.hpp"
#include "program.hpp"
#include "trace/live.hpp"

namespace trace::test {
namespace {

std::uint16_t number_of(const char* symbol) {
  const api::FunctionDescription* const found = api::find_function(symbol);
  return found == nullptr ? 0xffff : static_cast<std::uint16_t>(found - api::functions().data());
}

class Nesting : public testing::Test {
 protected:
  const Event& event(std::size_t index) {
    events_[index] = store_.at(index);
    return events_[index];
  }
  std::unique_ptr<Live> live_ = make_live();
  Program program_{*live_};
  Thread thread_{program_};
  Store store_;
  const std::uint16_t malloc_ = number_of("cudaMalloc"), alloc_ = number_of("cuMemAlloc_v2"),
                      init_ = number_of("cuInit"), compile_ = number_of("nvrtcCompileProgram");

 private:
  Event events_[16];
};

TEST_F(Nesting, a_driver_call_inside_a_runtime_call_names_it_and_has_its_place) {
  thread_.enter(malloc_, {1, 2}, 0x4000);
  thread_.enter(init_, {0}, 0x9999, 1);
  thread_.leave(0, 1);
  thread_.enter(alloc_, {1, 2}, 0x9998, 1);
  thread_.leave(2, 1);
  thread_.leave(2);
  thread_.call(init_, {0});
  ASSERT_EQ(live_->poll(store_), 4u);
  EXPECT_EQ(event(0).name, "cuInit");
  EXPECT_EQ(event(1).name, "cuMemAlloc");
  EXPECT_EQ(event(2).name, "cudaMalloc");
  for (const std::size_t inside : {0u, 1u}) {
    EXPECT_EQ(event(inside).depth, 1u);
    EXPECT_EQ(event(inside).inside, "cudaMalloc");
    EXPECT_EQ(event(inside).address, 0x4000u);
    EXPECT_EQ(store_.depth_at(inside), 1u);
  }
  for (const std::size_t outside : {2u, 3u}) {
    EXPECT_EQ(event(outside).depth, 0u);
    EXPECT_EQ(event(outside).inside, "");
  }
}

TEST_F(Nesting, results_have_the_names_of_their_own_library) {
  thread_.enter(malloc_, {1, 2});
  thread_.enter(alloc_, {1, 2}, 0x1000, 1);
  thread_.leave(2, 1);
  thread_.leave(2);
  thread_.enter(compile_, {1, 0, 0});
  thread_.leave(6);
  ASSERT_EQ(live_->poll(store_), 3u);
  EXPECT_EQ(result_name(event(0)), "CUDA_ERROR_OUT_OF_MEMORY");
  EXPECT_EQ(result_name(event(1)), "cudaErrorMemoryAllocation");
  EXPECT_EQ(result_name(event(2)), "NVRTC_ERROR_COMPILATION");
  EXPECT_EQ(event(0).layer(), Layer::Driver);
  EXPECT_EQ(event(1).layer(), Layer::Runtime);
  EXPECT_EQ(event(2).layer(), Layer::Nvrtc);
}

TEST_F(Nesting, what_is_pending_is_the_innermost_call) {
  thread_.enter(malloc_, {1, 2});
  thread_.enter(alloc_, {1, 2}, 0x1000, 1);
  live_->poll(store_);
  ASSERT_EQ(live_->pending().size(), 1u);
  EXPECT_EQ(live_->pending()[0].call.name, "cuMemAlloc");
  EXPECT_EQ(live_->pending()[0].call.inside, "cudaMalloc");
  thread_.leave(0, 1);
  live_->poll(store_);
  EXPECT_EQ(live_->pending()[0].call.name, "cudaMalloc");
}

TEST_F(Nesting, calls_that_never_return_come_out_inner_before_outer_and_behind_what_completed) {
  thread_.enter(malloc_, {1, 2});
  thread_.enter(init_, {0}, 0x1000, 1);
  thread_.leave(0, 1);
  thread_.enter(alloc_, {1, 2}, 0x1000, 1);
  ASSERT_EQ(live_->finish(store_), 3u);
  EXPECT_EQ(event(0).name, "cuInit");
  EXPECT_TRUE(event(0).returned);
  EXPECT_EQ(event(1).name, "cuMemAlloc");
  EXPECT_FALSE(event(1).returned);
  EXPECT_EQ(event(2).name, "cudaMalloc");
  EXPECT_FALSE(event(2).returned);
}

TEST_F(Nesting, an_exception_through_both_is_noticed_at_the_next_call) {
  thread_.enter(malloc_, {1, 2});
  thread_.enter(alloc_, {1, 2}, 0x1000, 1);
  thread_.call(init_, {0});
  ASSERT_EQ(live_->poll(store_), 3u);
  EXPECT_FALSE(event(0).returned);
  EXPECT_FALSE(event(1).returned);
  EXPECT_EQ(event(2).name, "cuInit");
  EXPECT_EQ(event(2).depth, 0u);
}

TEST_F(Nesting, made_up_depths_lead_nowhere_wrong) {
  thread_.leave(0, 200);
  thread_.enter(init_, {0}, 0x1000, 77);  // nothing is around it
  thread_.leave(0, 0);
  thread_.leave(0, 0);
  ASSERT_EQ(live_->finish(store_), 1u);
  EXPECT_EQ(event(0).depth, 0u);
  EXPECT_TRUE(event(0).returned);
}

}  // namespace
}  // namespace trace::test
