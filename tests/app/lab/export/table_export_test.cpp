// SPDX-License-Identifier: MIT
// Tables and timelines of a run, read back as their readers do.
#include "lab/table_export.hpp"

#include <nlohmann/json.hpp>

#include "world.hpp"

namespace lab_model_test {
namespace {

std::string written(World& run, lab::TableExport& table) {
  trace::Store store;
  run.into(store);
  lab::Model model(store);
  model.follow();
  std::string text = table.begin();
  for (std::size_t event = 0; event < store.size(); ++event) text += table.event(model, store, event);
  return text + table.end();
}

World two_calls() {
  World run;
  run.other(trace::EventKind::ProcessStart, 0, "./program");
  run.init().place("main.cpp", 3);
  run.create(kA).thread(1);
  run.other(trace::EventKind::Output, 0, "he said \"hello\"\n", 1);
  run.call("cuMemAlloc").unwritten("dptr").in("bytesize", 0).result(1);
  return run;
}

TEST(CsvExport, a_call_is_a_row) {
  World run = two_calls();
  lab::CsvExport csv;
  const std::string text = written(run, csv);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);  // the head and three calls
  EXPECT_NE(text.find("1,0,0,cuInit,cuInit(Flags=0),0,CUDA_SUCCESS,main.cpp,3,"), std::string::npos) << text;
  EXPECT_NE(text.find(",A,A,true\r\n"), std::string::npos) << text;
  EXPECT_NE(text.find(",1,CUDA_ERROR_INVALID_VALUE,,,"), std::string::npos) << text;
}

TEST(CsvExport, a_comma_in_a_cell_is_quoted) {
  World run = two_calls();
  lab::CsvExport csv;
  EXPECT_NE(written(run, csv).find("\"cuCtxCreate(&pctx = A, flags=0, dev=0)\""), std::string::npos);
}

TEST(ChromeTraceExport, the_document_is_json_with_an_entry_for_each_call) {
  World run = two_calls();
  lab::ChromeTraceExport chrome;
  const auto document = nlohmann::json::parse(written(run, chrome));
  const auto& events = document["traceEvents"];
  ASSERT_EQ(events.size(), 5U);
  EXPECT_EQ(events[0]["ph"], "M");
  EXPECT_EQ(events[0]["args"]["name"], "./program");
  EXPECT_EQ(events[1]["name"], "cuInit");
  EXPECT_EQ(events[1]["cat"], "call");
  EXPECT_EQ(events[1]["args"]["line"], "main.cpp:3");
  EXPECT_DOUBLE_EQ(events[1]["ts"], 0.1);  // microseconds
  EXPECT_DOUBLE_EQ(events[1]["dur"], 0.04);
  EXPECT_EQ(events[2]["tid"], 1);
  EXPECT_EQ(events[3]["args"]["text"], "he said \"hello\"\n");
  EXPECT_EQ(events[4]["cat"], "error");
}

TEST(ChromeTraceExport, a_run_without_events_is_a_valid_document) {
  World run;
  lab::ChromeTraceExport chrome;
  EXPECT_TRUE(nlohmann::json::parse(written(run, chrome))["traceEvents"].empty());
}

TEST(ChromeTraceExport, output_that_is_no_utf8_does_not_spoil_the_document) {
  World run;
  run.other(trace::EventKind::Output, 0, "\xff\xfe", 1);
  lab::ChromeTraceExport chrome;
  EXPECT_TRUE(nlohmann::json::accept(written(run, chrome)));
}

}  // namespace
}  // namespace lab_model_test
