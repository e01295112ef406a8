// SPDX-License-Identifier: MIT
// What is known of memory's bytes, and that nothing is claimed to be known that is not.
#include "lab/contents.hpp"

#include "world.hpp"

using namespace lab_model_test;
using Known = lab::Contents::Known;

namespace {

constexpr lab::ObjectId kFirst{lab::ObjectKind::Allocation, 1};

support::Call& copy(World& world, bool to_device, std::uint64_t device, std::uint64_t bytes,
                    std::string digits) {
  support::Call& call =
      world.call(to_device ? "cuMemcpyHtoD" : "cuMemcpyDtoH")
          .in(to_device ? "dstDevice" : "srcDevice", device, trace::ValueKind::DevicePointer)
          .in(to_device ? "srcHost" : "dstHost", 0x7ffd1000, trace::ValueKind::HostPointer);
  call.event().arguments.back().text = std::move(digits);
  return call.in("ByteCount", bytes, trace::ValueKind::Size);
}

World with_memory(std::uint64_t bytes = 8) {
  World world;
  world.init();
  world.create(kA).current(kA);
  world.allocate(kMemory, bytes);
  return world;
}

lab::Contents read(World& world, std::size_t moment = ~std::size_t{0}) {
  trace::Store store;
  world.into(store);
  lab::Model model(store);
  model.follow();
  return lab::contents_of(model, store, kFirst, std::min(moment, model.moments()));
}

// "0102··~03" and the like.
std::string words(const lab::Contents& contents) {
  std::string text;
  for (std::size_t i = 0; i < contents.bytes.size(); ++i) {
    if (contents.known[i] == Known::No) {
      text += "..";
      continue;
    }
    if (contents.known[i] == Known::Perhaps) text += "~";
    constexpr char kDigits[] = "0123456789abcdef";
    text += kDigits[contents.bytes[i] >> 4], text += kDigits[contents.bytes[i] & 15];
  }
  return text;
}

TEST(contents, fresh_memory_is_unknown) {
  World world = with_memory();
  EXPECT_EQ(words(read(world)), "................");
  EXPECT_EQ(read(world).known_bytes(), 0u);
}

TEST(contents, a_copy_to_the_device_brings_its_bytes_where_it_put_them) {
  World world = with_memory();
  copy(world, true, kMemory + 2, 3, "0a0b0c");
  EXPECT_EQ(words(read(world)), "....0a0b0c......");
  EXPECT_EQ(words(read(world, 3)), "................");  // before the copy
}

TEST(contents, of_a_long_copy_only_what_was_kept_is_known_and_the_rest_no_more) {
  World world = with_memory();
  copy(world, true, kMemory, 8, "0102030405060708");
  copy(world, true, kMemory, 4, "aabb");
  EXPECT_EQ(words(read(world)), "aabb....05060708");
}

TEST(contents, a_copy_back_shows_what_is_there_and_takes_nothing_away) {
  World world = with_memory();
  copy(world, true, kMemory, 8, "0102030405060708");
  copy(world, false, kMemory + 4, 4, "ff");
  EXPECT_EQ(words(read(world)), "01020304ff060708");
}

TEST(contents, a_failed_copy_brings_nothing) {
  World world = with_memory();
  copy(world, true, kMemory, 2, "0a0b").result(1);
  EXPECT_EQ(words(read(world)), "................");
}

TEST(contents, a_fill_is_known_whole_in_its_width) {
  World world = with_memory();
  world.call("cuMemsetD32")
      .in("dstDevice", kMemory, trace::ValueKind::DevicePointer)
      .in("ui", 0x04030201)
      .in("N", 2);
  EXPECT_EQ(words(read(world)), "0102030401020304");
  world.call("cuMemsetD8")
      .in("dstDevice", kMemory + 7, trace::ValueKind::DevicePointer)
      .in("uc", 42)
      .in("N", 1u << 30);
  EXPECT_EQ(words(read(world)), "010203040102032a");
}

TEST(contents, after_a_launch_nothing_is_certain_until_it_is_copied_again) {
  World world = with_memory(2);
  world.load_module(0x10);
  world.get_function(0x20, 0x10, "f");
  copy(world, true, kMemory, 2, "0102");
  world.launch(0x20);
  EXPECT_EQ(words(read(world)), "~01~02");
  copy(world, false, kMemory, 1, "09");
  EXPECT_EQ(words(read(world)), "09~02");
}

support::Call& move(World& world, std::uint64_t to, std::uint64_t from, std::uint64_t bytes,
                    std::string_view name = "cuMemcpyDtoD") {
  const bool plain = name == "cuMemcpy" || name == "cuMemcpyAsync";
  return world.call(name)
      .in(plain ? "dst" : "dstDevice", to, trace::ValueKind::DevicePointer)
      .in(plain ? "src" : "srcDevice", from, trace::ValueKind::DevicePointer)
      .in("ByteCount", bytes, trace::ValueKind::Size);
}

constexpr std::uint64_t kOther = kMemory + 0x10000;

TEST(contents, a_copy_from_other_memory_brings_what_was_known_there) {
  for (const char* name :
       {"cuMemcpyDtoD", "cuMemcpyDtoDAsync", "cuMemcpyPeerAsync", "cuMemcpy", "cuMemcpyAsync"}) {
    World world = with_memory(4);
    world.allocate(kOther, 8);
    copy(world, true, kMemory, 4, "01020304");
    copy(world, true, kOther, 8, "a0a1");
    move(world, kMemory + 1, kOther, 3, name);
    copy(world, true, kOther, 2, "ffff");  // what comes later is not what was copied
    EXPECT_EQ(words(read(world)), "01a0a1..") << name;
  }
}

TEST(contents, what_a_launch_left_in_doubt_is_in_doubt_where_it_is_copied_to) {
  World world = with_memory(2);
  world.allocate(kOther, 2);
  world.load_module(0x10);
  world.get_function(0x20, 0x10, "f");
  copy(world, true, kOther, 2, "0102");
  world.launch(0x20);
  move(world, kMemory, kOther, 2);
  EXPECT_EQ(words(read(world)), "~01~02");
}

TEST(contents, a_copy_within_the_memory_reads_before_it_writes) {
  World world = with_memory(4);
  copy(world, true, kMemory, 4, "01020304");
  move(world, kMemory + 1, kMemory, 3);
  EXPECT_EQ(words(read(world)), "01010203");
}

TEST(contents, memory_that_is_only_read_stays_as_it_is) {
  World world = with_memory(2);
  world.allocate(kOther, 2);
  copy(world, true, kMemory, 2, "0102");
  move(world, kOther, kMemory, 2);
  EXPECT_EQ(words(read(world)), "0102");
}

TEST(contents, a_copy_from_where_nobody_looked_is_not_known) {
  World world = with_memory(4);
  copy(world, true, kMemory, 4, "01020304");
  move(world, kMemory, 0x7ffd1000, 2, "cuMemcpy");
  EXPECT_EQ(words(read(world)), "....0304");
}

TEST(contents, a_fill_of_rows_leaves_what_lies_between_them) {
  World world = with_memory(8);
  copy(world, true, kMemory, 8, "0102030405060708");
  world.call("cuMemsetD2D16")
      .in("dstDevice", kMemory, trace::ValueKind::DevicePointer)
      .in("dstPitch", 4)
      .in("us", 0xbbaa)
      .in("Width", 1)
      .in("Height", 2);
  EXPECT_EQ(words(read(world)), "aabb0304aabb0708");
}

support::Call& copy_rows(World& world, const std::string& how) {
  support::Call& call = world.call("cuMemcpy2D").in("pCopy", 0x7ffd2000, trace::ValueKind::Struct);
  call.event().arguments.back().text = how;
  return call;
}

constexpr const char* kToDevice =
    "dstXInBytes=1, dstY=0, dstMemoryType=CU_MEMORYTYPE_DEVICE, dstHost=null, dstDevice=0x7f0000000000, "
    "dstArray=null, "
    "dstPitch=4, WidthInBytes=2, Height=2}";

TEST(contents, a_copy_of_rows_from_device_memory_brings_them_row_by_row) {
  World world = with_memory(8);
  world.allocate(kOther, 8);
  copy(world, true, kMemory, 8, "0102030405060708");
  copy(world, true, kOther, 8, "a0a1a2a3a4a5a6a7");
  copy_rows(world, std::string("{srcXInBytes=0, srcY=1, srcMemoryType=CU_MEMORYTYPE_DEVICE, srcHost=null, "
                               "srcDevice=0x7f0000010000, srcArray=null, srcPitch=3, ") +
                       kToDevice);
  EXPECT_EQ(words(read(world)), "01a3a40405a6a708");
}

TEST(contents, a_copy_of_rows_from_the_host_takes_what_was_known_there) {
  World world = with_memory(8);
  copy(world, true, kMemory, 8, "0102030405060708");
  copy_rows(world,
            std::string("{srcXInBytes=0, srcY=0, srcMemoryType=CU_MEMORYTYPE_HOST, srcHost=0x7ffd1000, "
                        "srcDevice=0x0, srcArray=null, srcPitch=2, ") +
                kToDevice);
  EXPECT_EQ(words(read(world)), "01....0405....08");
}

TEST(contents, a_shaped_copy_that_is_not_understood_leaves_doubt) {
  World world = with_memory(2);
  copy(world, true, kMemory, 2, "0102");
  support::Call& call = world.call("cuMemcpy3D").in("pCopy", 0x7ffd2000, trace::ValueKind::Struct);
  call.event().arguments.back().text = "{dstMemoryType=CU_MEMORYTYPE_DEVICE, dstDevice=0x7f0000000000}";
  EXPECT_EQ(words(read(world)), "~01~02");
}

TEST(contents, digits_that_are_none_are_not_read) {
  World world = with_memory(2);
  copy(world, true, kMemory, 2, "zz02");
  EXPECT_EQ(words(read(world)), "....");
}

TEST(contents, what_is_no_memory_has_none) {
  World world = with_memory();
  trace::Store store;
  world.into(store);
  lab::Model model(store);
  model.follow();
  EXPECT_EQ(lab::contents_of(model, store, {lab::ObjectKind::Context, 0}, 3).size, 0u);
  EXPECT_EQ(lab::contents_of(model, store, {lab::ObjectKind::Allocation, 99}, 3).size, 0u);
}

}  // namespace
