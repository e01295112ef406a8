// SPDX-License-Identifier: MIT
// Host memory that copies name, and from where to where a call copies.
#include "lab/copy.hpp"
#include "world.hpp"

using namespace lab_model_test;

namespace {

constexpr std::uint64_t kHostAddress = 0x7ffd00001000;

support::Call& to_device(World& world, std::uint64_t device, std::uint64_t host, std::uint64_t bytes) {
  return world.call("cuMemcpyHtoD").in("dstDevice", device).in("srcHost", host).in("ByteCount", bytes);
}

World with_memory() {
  World world;
  world.create(kA);
  world.allocate(kMemory, 4096);
  return world;
}

}  // namespace

TEST(host_memory, a_copy_names_the_memory_of_the_program) {
  World world = with_memory();
  EXPECT_FALSE(world.fold().host.named);
  to_device(world, kMemory, kHostAddress, 256);
  const lab::State state = world.fold();
  ASSERT_EQ(state.host.plain.size(), 1u);
  EXPECT_EQ(state.host.plain[0].address, kHostAddress);
  EXPECT_EQ(state.host.plain[0].size, 256u);
  EXPECT_EQ(state.host.plain[0].number, 1u);
  EXPECT_TRUE(state.host.named);
}

TEST(host_memory, a_failed_copy_names_nothing) {
  World world = with_memory();
  to_device(world, kMemory, kHostAddress, 256).result(1);
  EXPECT_TRUE(world.fold().host.plain.empty());
}

TEST(host_memory, copies_that_overlap_name_one_region_and_neighbours_two) {
  World world = with_memory();
  to_device(world, kMemory, kHostAddress, 256);
  to_device(world, kMemory, kHostAddress + 128, 256);
  to_device(world, kMemory, kHostAddress + 384, 64);
  const lab::State state = world.fold();
  ASSERT_EQ(state.host.plain.size(), 2u);
  EXPECT_EQ(state.host.plain[0].size, 384u);
  EXPECT_EQ(state.host.plain[0].number, 1u);
  EXPECT_EQ(state.host.plain[1].address, kHostAddress + 384);
}

TEST(host_memory, pinned_memory_is_no_plain_memory_and_still_named) {
  World world = with_memory();
  world.call("cuMemAllocHost").out("pp", kHostAddress).in("bytesize", 4096);
  EXPECT_TRUE(world.fold().host.named);
  to_device(world, kMemory, kHostAddress + 64, 256);
  EXPECT_TRUE(world.fold().host.plain.empty());
}

TEST(host_memory, of_many_pieces_the_latest_are_kept_and_numbers_go_on) {
  World world = with_memory();
  for (std::uint64_t i = 0; i < 20; ++i) to_device(world, kMemory, kHostAddress + i * 4096, 64);
  const lab::State state = world.fold();
  ASSERT_EQ(state.host.plain.size(), lab::HostMemory::kMostRegions);
  EXPECT_EQ(state.host.plain.back().number, 20u);
  EXPECT_EQ(state.host.made, 20u);
}

TEST(host_memory, an_address_on_either_side_is_plain_unless_it_is_known) {
  World world = with_memory();
  world.call("cuMemcpy").in("dst", kMemory).in("src", kHostAddress).in("ByteCount", 64);
  const lab::State state = world.fold();
  ASSERT_EQ(state.host.plain.size(), 1u);
  EXPECT_EQ(state.host.plain[0].address, kHostAddress);
}

TEST(copy_of, names_both_ends_and_the_bytes) {
  World world = with_memory();
  const auto copy = lab::copy_of(to_device(world, kMemory + 16, kHostAddress, 256).event());
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->from, (lab::CopyEnd{lab::CopyEnd::Side::Host, kHostAddress, 256}));
  EXPECT_EQ(copy->to, (lab::CopyEnd{lab::CopyEnd::Side::Device, kMemory + 16, 256}));
  EXPECT_EQ(copy->bytes, 256u);
  EXPECT_FALSE(lab::copy_of(world.call("cuMemAlloc").out("dptr", kMemory).in("bytesize", 64).event()));
}
