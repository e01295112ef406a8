// SPDX-License-Identifier: MIT
// The lines of --events, field by field as docs/events.md says.
#include <nlohmann/json.hpp>

#include "world.hpp"

using namespace lab_model_test;
using nlohmann::json;
using trace::ValueKind;

namespace {

std::vector<json> lines(World& world) {
  trace::Store store;
  world.into(store);
  lab::Model model(store);
  model.follow();
  std::vector<json> out;
  for (std::size_t i = 0; i < store.size(); ++i) {
    const std::string line = lab::event_json(model, store, i);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    out.push_back(json::parse(line));
  }
  return out;
}

}  // namespace

TEST(event_json, a_call_has_every_field) {
  World world;
  world.create(kA).place("main.cpp", 12);
  const json line = lines(world).at(0);
  EXPECT_EQ(line["seq"], 0);
  EXPECT_EQ(line["thread"], 0);
  EXPECT_EQ(line["name"], "cuCtxCreate");
  EXPECT_EQ(line["args"], json({{"flags", 0}, {"dev", 0}}));
  EXPECT_EQ(line["result"], "CUDA_SUCCESS");
  EXPECT_EQ(line["out"], json({{"pctx", "A"}}));
  EXPECT_EQ(line["file"], "main.cpp");
  EXPECT_EQ(line["line"], 12);
  EXPECT_EQ(line["t_ns"], 0);
  EXPECT_EQ(line["dur_ns"], 40);
  EXPECT_EQ(line["current"], "A");
  EXPECT_EQ(line["stack"], json({"A"}));
  EXPECT_EQ(line["agree"], true);
}

TEST(event_json, nothing_is_null_and_what_is_not_known_is_absent) {
  World world;
  world.init();
  world.call("cuMemAlloc").null_out("dptr").in("bytesize", 16, ValueKind::Size).result(1);
  world.set(0).current(0);
  world.call("cuCtxPushCurrent").context("ctx", 0x77).never_returned();
  const auto all = lines(world);
  EXPECT_FALSE(all[0].contains("current"));
  EXPECT_TRUE(all[0]["file"].is_null());
  EXPECT_EQ(all[1]["args"]["dptr"], nullptr);
  EXPECT_TRUE(all[1]["out"].empty());
  EXPECT_EQ(all[2]["args"]["ctx"], nullptr);
  EXPECT_EQ(all[2]["current"], nullptr);
  EXPECT_TRUE(all[2].contains("current"));
  EXPECT_EQ(all[3]["result"], nullptr) << "it never returned";
  EXPECT_EQ(all[3]["args"]["ctx"], "0x77");
}

TEST(event_json, addresses_are_allocations) {
  World world;
  world.create(kA);
  world.allocate(kMemory, 64);
  world.free(kMemory);
  const auto all = lines(world);
  EXPECT_EQ(all[1]["out"]["dptr"], "#1");
  EXPECT_EQ(all[1]["args"]["bytesize"], 64);
  EXPECT_EQ(all[2]["args"]["dptr"], "#1");
}

TEST(event_json, output_of_any_bytes_is_valid_json) {
  World world;
  world.other(trace::EventKind::Output, 0, std::string("a\xff\x00\n上", 7), 2);
  const json line = lines(world).at(0);
  EXPECT_EQ(line["event"], "output");
  EXPECT_EQ(line["stream"], "stderr");
  EXPECT_NE(line["text"].get<std::string>().find("上"), std::string::npos);
}

TEST(event_json, zeros_that_were_not_written_are_a_number) {
  World world;
  world.other(trace::EventKind::Output, 0, "", 2).event().zeros = 8589934592;
  world.other(trace::EventKind::Output, 0, "text", 1);
  const auto all = lines(world);
  EXPECT_EQ(all.at(0)["stream"], "stderr");
  EXPECT_EQ(all.at(0)["text"], "");
  EXPECT_EQ(all.at(0)["zeros"], 8589934592);
  EXPECT_FALSE(all.at(1).contains("zeros"));
}

TEST(event_json, the_end_is_named) {
  World world;
  world.other(trace::EventKind::ProcessEnd, 0, "", 11).event().end = trace::EndKind::Signal;
  const json line = lines(world).at(0);
  EXPECT_EQ(line["event"], "process_end");
  EXPECT_EQ(line["end"], "signal");
  EXPECT_EQ(line["number"], 11);
}

TEST(event_json, a_result_no_header_names_is_its_number) {
  World world;
  world.init().result(12345);
  EXPECT_EQ(lines(world).at(0)["result"], 12345);
}
