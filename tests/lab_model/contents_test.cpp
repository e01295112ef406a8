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
